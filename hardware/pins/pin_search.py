"""Search for the pin of each button on an unknown board.

A person presses one button after another. Each press pulls one pin low. The result is a board file
with the found buttons, and with the display and the sound of the most similar known board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from hardware.boards import board_file
from hardware.pins.buttons import PinButtons
from hardware.ports import BACK, DOWN, OK, UP, Edge, HardwareError
from hardware.wiring import Board

REQUIRED_BUTTONS: Final = (UP, DOWN, OK, BACK)
"""Names of the buttons that a board needs, in the order of the search."""
SERIAL_PINS: Final = {14, 15}
"""GPIO numbers of the serial console, through which the user may be connected."""
SOUND_PINS: Final = {18, 19, 20, 21}
"""GPIO numbers of sound hardware.

On a board with sound, these pins are not searched for buttons. The search would make the sound mute
until the next start.
"""

_TABLE: Final = re.compile(r"^\[([a-z]+)\]", re.MULTILINE)


def candidate_button_pins(board: Board) -> list[int]:
    """Return the GPIO numbers to which a button can be connected, in ascending order.

    Omit the pins of the board's display, the pins of the board's sound hardware, and the pins of
    the serial console.
    """
    board_pins = board_file.pins_used_by_board(board._replace(buttons={}, knob=(), lamps={}))
    shut = {*board_pins, *SERIAL_PINS, *(SOUND_PINS if board.sound is not None else ())}
    return [pin for pin in board_file.GPIO_NUMBERS if pin not in shut]


class FreePinListener:
    """Listener to all free GPIO pins. Each edge has the pin's GPIO number as the button's name."""

    def __init__(self, board: Board) -> None:
        self._edges: SimpleQueue[Edge] = SimpleQueue()
        self._buttons: list[PinButtons] = []
        for pin in candidate_button_pins(board):
            buttons = PinButtons(board._replace(buttons={str(pin): (pin,)}, knob=(), lamps={}))
            try:
                buttons.listen(self._edges.put)
            except HardwareError:  # skip a pin that another program or the kernel uses
                continue
            self._buttons.append(buttons)
        while not self._edges.empty():  # ignore edges of pins that were low when the listener began
            self._edges.get()

    def __bool__(self) -> bool:
        """Return True if the listener has found at least one free pin."""
        return bool(self._buttons)

    def edges(self) -> Iterator[Edge]:
        """Yield every edge as soon as the edge arrives."""
        while True:
            yield self._edges.get()

    def close(self) -> None:
        """Release the pins; safe to call twice."""
        for buttons in self._buttons:
            buttons.close()


def find_button_pins(
    edges: Iterable[Edge], asked: Iterable[str], tell: Callable[[str, int | None], None]
) -> dict[str, tuple[int, ...]]:
    """Ask a person for one button after another, and return a table from each button to its pin.

    A pin is a tuple with one GPIO number.

    - `edges`: the edges of all free pins, whose button names are GPIO numbers.
    - `asked`: the names of the buttons, in the order of the search.
    - `tell`: function that is called twice for each button: `tell(button, None)` before the press,
      and `tell(button, pin)` after the press.

    A press of a button that was found earlier is ignored. If `edges` ends early, the table lacks
    the remaining buttons.
    """
    button_pins: dict[str, tuple[int, ...]] = {}
    coming = iter(edges)
    for button in asked:
        tell(button, None)
        for edge in coming:
            pin = int(edge.button)
            if edge.down and (pin,) not in button_pins.values():
                button_pins[button] = (pin,)
                tell(button, pin)
                break
    return button_pins


def compose_board_file(base: str, changes: str, buttons: Mapping[str, tuple[int, ...]]) -> str:
    """Return the text of a board file with the pins in `buttons`.

    `base` and `changes` are texts of board files. The returned text contains the tables [display]
    and [sound] of `base`, and all tables of `changes`. A [display] table of `changes` replaces the
    [display] table of `base`. A [sound] table of `changes` is added to the [sound] table of `base`.
    """
    tables = {name: text for name, text in _tables(base).items() if name in ("display", "sound")}
    for name, text in _tables(changes).items():
        if name == "sound" and name in tables:  # a board file can have only one [sound]
            tables[name] += text.partition("\n")[2]
        else:
            tables[name] = text
    pins = "".join(f"{button} = {pins[0]}\n" for button, pins in buttons.items())
    tables["buttons"] = f"[buttons]\n{pins}"
    return "\n".join(f"{text.strip()}\n" for text in tables.values())


def _tables(text: str) -> dict[str, str]:
    begins = [*_TABLE.finditer(text)]
    ends = [header.start() for header in begins[1:]] + [len(text)]
    return {
        header[1]: text[header.start() : end] for header, end in zip(begins, ends, strict=False)
    }


def save_board_file(file: Path, text: str) -> Path | None:
    """Check and save a board file.

    If there was an earlier file, return the path of the copy of this earlier file, otherwise None.

    Raise OSError if the file cannot be written. Raise BoardFileError if `text` is not a valid board
    file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.write_text(text, "utf-8")
    board_file.read_board_file(new)
    before = file.with_name(f"{file.name}.before")
    if file.exists():
        file.replace(before)
    new.replace(file)
    return before if before.exists() else None
