"""GPIO pins through gpiozero: the pin factory, its errors, and output lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hardware.ports import HardwareError

PIN_FACTORY_VARIABLE: Final = "GPIOZERO_PIN_FACTORY"
"""Environment variable that selects another pin factory, such as gpiozero's mock pins."""
POLLING_NOTICE: Final = (
    "gpiod is missing: the pins work, but are polled, for about a tenth of a processor core. "
    "To save it: pip install gpiod"
)


def load_gpiozero() -> Any:
    """Return gpiozero with pins that are not polled, unless others are chosen."""
    try:
        import gpiozero  # noqa: PLC0415 - after the box's own first frame
    except ImportError as error:
        raise HardwareError.from_reason("no_gpiozero", "buttons") from error
    if gpiozero.Device.pin_factory is None and PIN_FACTORY_VARIABLE not in os.environ:
        try:
            from gpiozero_gpiod import GpiodFactory  # noqa: PLC0415 - likewise
        except ImportError:
            _prepare_polling()
            return gpiozero
        try:
            gpiozero.Device.pin_factory = GpiodFactory()
        except gpiozero.BadPinFactory as error:
            raise pin_error(error) from error
    return gpiozero


def _prepare_polling() -> None:
    """Report the cost of polling, and let lgpio write its files where the service may write."""
    sys.stderr.write(f"companion: {POLLING_NOTICE}\n")
    if "RUNTIME_DIRECTORY" in os.environ:
        os.environ.setdefault("LG_WD", os.environ["RUNTIME_DIRECTORY"])


def pin_exceptions() -> tuple[type[Exception], ...]:
    """Return the exceptions of gpiozero and its pins, which depend on the machine."""
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
    )  # RuntimeError is raised by RPi.GPIO


def pin_error(error: Exception) -> HardwareError:
    """Return the HardwareError for an exception of the pins."""
    reason = getattr(error, "reason", None)  # set by gpiozero_gpiod.ChipError
    why = error if reason is None else HardwareError.from_reason(reason, "buttons", **error.fields)  # type: ignore[attr-defined] # set by ChipError
    return HardwareError.from_reason("buttons", "buttons", why=why)


class PinOutput:
    """An output line. All methods but `close` raise HardwareError."""

    def __init__(self, pin: int) -> None:
        zero = load_gpiozero()
        try:
            self._device = zero.DigitalOutputDevice(pin)
        except pin_exceptions() as error:
            raise pin_error(error) from error

    def on(self) -> None:
        """Set the line high."""
        self._do(self._device.on)

    def off(self) -> None:
        """Set the line low."""
        self._do(self._device.off)

    def close(self) -> None:
        """Release the line even if it is gone; safe to call twice."""
        with suppress(*pin_exceptions()):
            self._device.close()

    def _do(self, change: Callable[[], None]) -> None:
        try:
            change()
        except pin_exceptions() as error:
            raise pin_error(error) from error
