"""A box on a Raspberry Pi: buttons and lamps through gpiozero, and a display on I2C or SPI.

A board (`hardware.wiring.Board`) contains the wiring. The box opens a pin when the pin is first
used, after the first frame, because the import of gpiozero is slow.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from hardware.boards import board_file, user_board
from hardware.display import saved_frame
from hardware.display.bus import hardware_error_for_display, make_chip_connection
from hardware.display.oled import OledPanel
from hardware.display.panel import Panel, ThreadedDisplay
from hardware.pins import gpio
from hardware.pins.buttons import PinButtons
from hardware.pins.gpio import PinOutput
from hardware.pins.lamps import LampBlinker, LitLamps
from hardware.ports import LAMP_OFF, SEATS, Box, HardwareError, ShownScreen
from hardware.wiring import DEFAULT_BOARD, Board, LumaDisplayWiring


def is_raspberry_pi() -> bool:
    """Return True if this machine is a Raspberry Pi, which has GPIO pins."""
    try:
        return "Raspberry Pi" in Path("/proc/device-tree/model").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False


def open_box_on_pins(
    report: Callable[[HardwareError], None],
    folder: Path | None = None,
    first: Path | None = None,
    shown: ShownScreen | None = None,
) -> Box:
    """Return the box that is connected to the pins of this Raspberry Pi.

    - `report`: function that any thread calls with the error of a display that stops answering.
    - `folder`: the folder with the user's board file, or None to use DEFAULT_BOARD.
    - `first`: the file for the first screen of the next start, or None to save no screen.
    - `shown`: the saved screen that this start has shown, or None if this start has shown no
      screen.

    Raise HardwareError if a part is missing. If the user has a board file, a missing display raises
    no error, because the user may connect the display later.
    """
    if not is_raspberry_pi() and gpio.PIN_FACTORY_VARIABLE not in os.environ:
        raise HardwareError.from_reason("no_pins")
    board = user_board.load_own_or_default_board(folder)
    display = ThreadedDisplay(_panel(board), report)
    lamps = PinLamps(board) if board.lamps else None
    seats = sum(seat in board.buttons for seat in SEATS)

    buttons = PinButtons(board, kept=None if shown is None else shown[2])

    def leave(frame: bytes, asks: str) -> None:
        if first is not None:
            saved_frame.save_frame_for_display(
                board.display, frame, asks, buttons.next_start_recording_request(), first
            )

    return Box(
        buttons, (display,), (), lamps, seats, leave,
        shown_screen=shown, ear_device=board.ear, sound_device=board.device,
    )  # fmt: skip


def _panel(board: Board) -> Panel:
    """Return the panel of a board's display.

    Raise HardwareError if no display answers and the user has no board file.
    """
    screen = board.display
    if isinstance(screen, LumaDisplayWiring):
        return board_file.import_luma_driver().make_luma_panel(screen, PinOutput)  # type: ignore[no-any-return] # luma was installed when the board was read
    way = make_chip_connection(screen, PinOutput)
    if board is DEFAULT_BOARD:
        try:
            way.open()
        except OSError as error:
            raise hardware_error_for_display(error) from error
    return OledPanel(screen.chip, way, upside_down=screen.upside_down)


class PinLamps:
    """Lamps on GPIO pins; not every seat needs a lamp."""

    def __init__(self, board: Board = DEFAULT_BOARD) -> None:
        self._pins = board.lamps
        self._devices: dict[str, PinOutput] = {}
        self._blinker = LampBlinker(self._light)

    def show(self, lights: Sequence[str]) -> None:
        """Set the lamp of each seat to the seat's state in `lights`, such as LAMP_ON.

        Raise HardwareError if the pin of a lamp is not available.
        """
        wanted = dict(zip(SEATS, lights, strict=True))
        wired = {seat: light if seat in self._pins else LAMP_OFF for seat, light in wanted.items()}
        for seat, light in wired.items():
            if light != LAMP_OFF and seat not in self._devices:
                self._devices[seat] = PinOutput(self._pins[seat])
        self._blinker.show(tuple(wired.values()))

    def _light(self, lit: LitLamps) -> None:
        for seat, on in zip(SEATS, lit, strict=True):
            if seat in self._devices:
                (self._devices[seat].on if on else self._devices[seat].off)()

    def close(self) -> None:
        """Switch all lamps off and release their pins; safe to call twice."""
        self._blinker.close()
        for device in self._devices.values():
            device.close()
        self._devices = {}
