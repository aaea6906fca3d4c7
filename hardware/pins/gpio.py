"""GPIO pins through the library gpiozero: pin factory, exceptions, and output pins."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hardware.ports import HardwareError

PIN_FACTORY_VARIABLE: Final = "GPIOZERO_PIN_FACTORY"
"""Name of gpiozero's environment variable that selects a pin factory, such as mock pins."""
POLLING_NOTICE: Final = (
    "gpiod is missing: the pins work, but are polled, for about a tenth of a processor core. "
    "To save it: pip install gpiod"
)


def load_gpiozero() -> Any:
    """Return the module gpiozero, with a pin factory that does not poll the pins.

    If the program or the environment has selected a pin factory, keep the selected factory. If
    gpiod is not installed, poll the pins. Raise HardwareError if gpiozero is not installed, or if
    the GPIO chip cannot be opened.
    """
    try:
        import gpiozero  # noqa: PLC0415 - a slow import, delayed until after the first frame
    except ImportError as error:
        raise HardwareError.from_reason("no_gpiozero", "buttons") from error
    if gpiozero.Device.pin_factory is None and PIN_FACTORY_VARIABLE not in os.environ:
        try:
            from gpiozero_gpiod import GpiodFactory  # noqa: PLC0415 - a slow import
        except ImportError:
            _prepare_polling()
            return gpiozero
        try:
            gpiozero.Device.pin_factory = GpiodFactory()
        except gpiozero.BadPinFactory as error:
            raise hardware_error_for_pin(error) from error
    return gpiozero


def _prepare_polling() -> None:
    """Print a note about the cost of polling pins. Select a writable folder for files of lgpio."""
    sys.stderr.write(f"companion: {POLLING_NOTICE}\n")
    if "RUNTIME_DIRECTORY" in os.environ:
        os.environ.setdefault("LG_WD", os.environ["RUNTIME_DIRECTORY"])


def pin_exception_classes() -> tuple[type[Exception], ...]:
    """Return the exception classes that gpiozero and its pin libraries can raise."""
    zero = load_gpiozero()
    named = (("gpiod", "ChipClosedError"), ("gpiod", "RequestReleasedError"),
             ("lgpio", "error"), ("pigpio", "error"))  # fmt: skip
    loaded = ((sys.modules.get(module), name) for module, name in named)
    pin_errors = (getattr(module, name) for module, name in loaded if hasattr(module, name))
    return (
        zero.GPIOZeroError,
        OSError,
        RuntimeError,
        *pin_errors,
    )  # the library RPi.GPIO raises RuntimeError


def hardware_error_for_pin(error: Exception) -> HardwareError:
    """Return a HardwareError for an exception of gpiozero or of its pin library."""
    reason = getattr(error, "reason", None)  # only gpiozero_gpiod.GpioChipError has this attribute
    why = error if reason is None else HardwareError.from_reason(reason, "buttons", **error.fields)  # type: ignore[attr-defined] # GpioChipError has this attribute
    return HardwareError.from_reason("buttons", "buttons", why=why)


class PinOutput:
    """Output pin. All methods except `close` raise HardwareError if the pin fails."""

    def __init__(self, pin: int) -> None:
        zero = load_gpiozero()
        try:
            self._device = zero.DigitalOutputDevice(pin)
        except pin_exception_classes() as error:
            raise hardware_error_for_pin(error) from error

    def on(self) -> None:
        """Set the pin to a high level."""
        self._do(self._device.on)

    def off(self) -> None:
        """Set the pin to a low level."""
        self._do(self._device.off)

    def close(self) -> None:
        """Release the pin, even if the pin no longer exists; safe to call twice."""
        with suppress(*pin_exception_classes()):
            self._device.close()

    def _do(self, change: Callable[[], None]) -> None:
        try:
            change()
        except pin_exception_classes() as error:
            raise hardware_error_for_pin(error) from error
