"""A box on a Raspberry Pi: buttons and lamps through gpiozero, the display on I2C or SPI.

The wiring is that of a board (`hardware.wiring`). Inputs are edges with a short debounce; the
listener measures holds, so nothing polls. Pins are opened at their first use, after the first
frame, because importing gpiozero takes long.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from hardware.boards import board_file, own_board
from hardware.display import saved_frame
from hardware.display.bus import explain_error, wire
from hardware.display.oled import Oled
from hardware.display.panel import PanelDisplay
from hardware.pins import early
from hardware.pins.lamps import Blinker
from hardware.ports import DOWN, LAMP_OFF, SEATS, UP, Box, Edge, HardwareError
from hardware.wiring import FOUR_BUTTONS, Luma

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.display.panel import Panel
    from hardware.pins.lamps import Lit
    from hardware.ports import Left
    from hardware.wiring import Board

DEBOUNCE_SECONDS: Final = 0.008
"""The time in seconds for which a level must last: no press is lost or doubled (measured).

The kernel counts in ticks of 4 ms and rounds up: 10 ms would become 12 to 16 ms, longer than a
press of 30 ms is stable on a switch that bounces for 15 ms.
"""
_CHOSEN: Final = "GPIOZERO_PIN_FACTORY"
"""Environment variable that selects another pin factory, such as gpiozero's mock pins."""
POLLED: Final = (
    "gpiod is missing: the pins work, but are polled, for about a tenth of a processor core. "
    "To save it: pip install gpiod"
)


def is_pi() -> bool:
    """Return True if this machine has the pins of a Raspberry Pi."""
    try:
        return "Raspberry Pi" in Path("/proc/device-tree/model").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False


def open_box(
    report: Callable[[HardwareError], None],
    folder: Path | None = None,
    first: Path | None = None,
    shown: Left | None = None,
) -> Box:
    """Return the box on this Pi's pins.

    - `folder`: the folder of the user's own board; None for none.
    - `first`: the file for the first screen of the next start.
    - `shown`: the screen that this start has shown already.
    - `report`: called from any thread when a display stops answering.

    Raise HardwareError if a part is missing. A missing display counts only if no board file of the
    user names one, because that display may be plugged in later.
    """
    if not is_pi() and _CHOSEN not in os.environ:
        raise HardwareError.of("no_pins")
    board = own_board.load(folder)
    display = PanelDisplay(_panel(board), report)
    lamps = PinLamps(board) if board.lamps else None
    seats = sum(seat in board.buttons for seat in SEATS)

    buttons = PinButtons(board, kept=None if shown is None else shown[2])

    def leave(frame: bytes, asks: str) -> None:
        if first is not None:
            saved_frame.leave(board.display, frame, asks, buttons.keeping(), first)

    return Box(
        buttons, (display,), (), lamps, seats, leave,
        left=shown, ear_device=board.ear, sound_device=board.device,
    )  # fmt: skip


def _panel(board: Board) -> Panel:
    """Return a board's panel. Raise HardwareError if it is missing and not the user's choice."""
    screen = board.display
    if isinstance(screen, Luma):
        return board_file.luma_driver().panel(screen, PinOutput)  # type: ignore[no-any-return] # it was there to read the board
    way = wire(screen, PinOutput)
    if board is FOUR_BUTTONS:
        try:
            way.open()
        except OSError as error:
            raise explain_error(error) from error
    return Oled(screen.chip, way, upside_down=screen.upside_down)


# --- Pins -----------------------------------------------------------------------------------------


def _gpiozero() -> Any:
    """Return gpiozero with pins that are not polled, unless others are chosen."""
    try:
        import gpiozero  # noqa: PLC0415 - after the box's own first frame
    except ImportError as error:
        raise HardwareError.of("no_gpiozero", "buttons") from error
    if gpiozero.Device.pin_factory is None and _CHOSEN not in os.environ:
        try:
            from gpiozero_gpiod import GpiodFactory  # noqa: PLC0415 - likewise
        except ImportError:
            _prepare_polling()
            return gpiozero
        try:
            gpiozero.Device.pin_factory = GpiodFactory()
        except gpiozero.BadPinFactory as error:
            raise _pin_error(error) from error
    return gpiozero


def _prepare_polling() -> None:
    """Report the cost of polling, and let lgpio write its files where the service may write."""
    sys.stderr.write(f"companion: {POLLED}\n")
    if "RUNTIME_DIRECTORY" in os.environ:
        os.environ.setdefault("LG_WD", os.environ["RUNTIME_DIRECTORY"])


def _faults() -> tuple[type[Exception], ...]:
    """Return the exceptions of gpiozero and its pins, which depend on the machine."""
    zero = _gpiozero()
    named = (("gpiod", "ChipClosedError"), ("gpiod", "RequestReleasedError"),
             ("lgpio", "error"), ("pigpio", "error"))  # fmt: skip
    loaded = ((sys.modules.get(module), name) for module, name in named)
    own = (getattr(module, name) for module, name in loaded if hasattr(module, name))
    return zero.GPIOZeroError, OSError, RuntimeError, *own  # RuntimeError is raised by RPi.GPIO


def _pin_error(error: Exception) -> HardwareError:
    """Return the HardwareError for an exception of the pins."""
    reason = getattr(error, "reason", None)  # set by gpiozero_gpiod.ChipError
    why = error if reason is None else HardwareError.of(reason, "buttons", **error.fields)  # type: ignore[attr-defined] # likewise
    return HardwareError.of("buttons", "buttons", why=why)


class PinOutput:
    """An output line. All methods but `close` raise HardwareError."""

    def __init__(self, pin: int) -> None:
        zero = _gpiozero()
        try:
            self._device = zero.DigitalOutputDevice(pin)
        except _faults() as error:
            raise _pin_error(error) from error

    def on(self) -> None:
        """Set the line high."""
        self._do(self._device.on)

    def off(self) -> None:
        """Set the line low."""
        self._do(self._device.off)

    def close(self) -> None:
        """Release the line even if it is gone; safe to call twice."""
        with suppress(*_faults()):
            self._device.close()

    def _do(self, change: Callable[[], None]) -> None:
        try:
            change()
        except _faults() as error:
            raise _pin_error(error) from error


class PinButtons:
    """Buttons on GPIO pins, and a knob. Without `debounce` (seconds) every bounce is an edge.

    `kept` is the kernel's record of earlier presses (`hardware.pins.early`).
    """

    def __init__(
        self,
        board: Board = FOUR_BUTTONS,
        *,
        debounce: float | None = DEBOUNCE_SECONDS,
        kept: int | None = None,
    ) -> None:
        self._board, self._debounce, self._kept = board, debounce, kept
        self._devices: list[Any] = []

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Pass every edge to `put`, in the thread of the pins.

        Recorded edges come first, then a button that is held already. Raise HardwareError if a pin
        is not available.
        """
        zero = _gpiozero()
        try:
            contacts = {
                pin: of_one
                for button, pins in self._board.buttons.items()
                for of_one in (_Contacts(button, put),)
                for pin in pins
            }
            if self._kept is not None:
                for pin, down, at in early.edges(self._kept):
                    if pin in contacts:  # otherwise the presses were recorded for another board
                        contacts[pin].change(pin, down=down, at=at)
                self._kept = None
            for pin, of_one in contacts.items():
                device = zero.DigitalInputDevice(pin, pull_up=True, bounce_time=self._debounce)
                self._devices.append(device)
                of_one.watch(device, pin)
            if self._board.knob:
                knob = zero.RotaryEncoder(*self._board.knob, max_steps=0)
                self._devices.append(knob)
                knob.when_rotated_clockwise = _click(put, UP)
                knob.when_rotated_counter_clockwise = _click(put, DOWN)
        except _faults() as error:
            self.close()
            raise _pin_error(error) from error

    def keeping(self) -> str:
        """Return the request with which the kernel records presses at the next start.

        "" if the kernel does not watch the buttons.
        """
        chip = getattr(_gpiozero().Device.pin_factory, "chip", None)
        if chip is None:
            return ""
        request = early.request(self._board, DEBOUNCE_SECONDS).hex()
        try:
            return f"{chip.path} {chip.get_info().label} {request}"
        except _faults() as error:
            sys.stderr.write(f"companion: no presses before the next start: {error}\n")
            return ""

    def close(self) -> None:
        """Release the pins even if they are gone; safe to call twice."""
        devices, self._devices = self._devices, []
        for device in devices:
            with suppress(*_faults()):
                device.close()


class _Contacts:
    """The pins of one button, which is down while any of them is."""

    def __init__(self, button: str, put: Callable[[Edge], None]) -> None:
        self._button, self._put = button, put
        self._down: set[int] = set()
        self._lock = RLock()

    def watch(self, device: Any, pin: int) -> None:
        """Report the edges of a pin from now on, and first its present level."""
        device.when_activated = self._teller(pin, down=True)
        device.when_deactivated = self._teller(pin, down=False)
        with self._lock:  # edges in the meantime are reported after it
            self.change(pin, down=device.is_active, retained=device.is_active)

    def _teller(self, pin: int, *, down: bool) -> Callable[[], None]:
        """Return a callback without parameters, because gpiozero counts a handler's parameters."""
        return lambda: self.change(pin, down=down)

    def change(
        self, pin: int, *, down: bool, at: float | None = None, retained: bool = False
    ) -> None:
        """Handle a pin that is down or up since `at` (s; None: now). `retained` as in `Edge`."""
        with self._lock:
            before = bool(self._down)
            (self._down.add if down else self._down.discard)(pin)
            if bool(self._down) != before:
                since = time.monotonic() if at is None else at
                self._put(Edge(self._button, down, since, retained))


def _click(put: Callable[[Edge], None], button: str) -> Callable[[], None]:
    """Return the callback of a knob's detent: a press without length."""

    def tell() -> None:
        now = time.monotonic()
        put(Edge(button, True, now))
        put(Edge(button, False, now))

    return tell


class PinLamps:
    """Lamps on GPIO pins, for all seats or some."""

    def __init__(self, board: Board = FOUR_BUTTONS) -> None:
        self._pins = board.lamps
        self._devices: dict[str, PinOutput] = {}
        self._blinker = Blinker(self._light)

    def show(self, lights: Sequence[str]) -> None:
        """Set the lamps. Raise HardwareError if a pin is not available."""
        wanted = dict(zip(SEATS, lights, strict=True))
        wired = {seat: light if seat in self._pins else LAMP_OFF for seat, light in wanted.items()}
        for seat, light in wired.items():
            if light != LAMP_OFF and seat not in self._devices:
                self._devices[seat] = PinOutput(self._pins[seat])
        self._blinker.show(tuple(wired.values()))

    def _light(self, lit: Lit) -> None:
        for seat, on in zip(SEATS, lit, strict=True):
            if seat in self._devices:
                (self._devices[seat].on if on else self._devices[seat].off)()

    def close(self) -> None:
        """Put the lamps out; safe to call twice."""
        self._blinker.close()
        for device in self._devices.values():
            device.close()
        self._devices = {}
