"""Find the pin of each button on an unknown board: a person presses a button, and one pin goes low.

The result is a board file with these buttons, and with the display and sound of the most similar
known board.
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
"""Names of the buttons that every box has, in the order in which the search requests them."""
SERIAL_PINS: Final = {14, 15}
"""GPIO numbers of the serial console's pins; the user may be connected through this console."""
SOUND_PINS: Final = {18, 19, 20, 21}
"""GPIO numbers of the pins of sound hardware. Reading them as buttons would mute the sound hardware
until the next start.
"""

_TABLE: Final = re.compile(r"^\[([a-z]+)\]", re.MULTILINE)


def candidate_pins(board: Board) -> list[int]:
    """Return the GPIO numbers on which a button can be, in ascending order.

    The pins of the board's display, of its sound hardware and of the serial console are excluded.
    """
    board_pins = board_file.used_pins(board._replace(buttons={}, knob=(), lamps={}))
    shut = {*board_pins, *SERIAL_PINS, *(SOUND_PINS if board.sound is not None else ())}
    return [pin for pin in board_file.GPIO_NUMBERS if pin not in shut]


class ListeningPins:
    """A listener to all free GPIO pins; each edge has a pin's number as the name of its button."""

    def __init__(self, board: Board) -> None:
        self._edges: SimpleQueue[Edge] = SimpleQueue()
        self._buttons: list[PinButtons] = []
        for pin in candidate_pins(board):
            buttons = PinButtons(board._replace(buttons={str(pin): (pin,)}, knob=(), lamps={}))
            try:
                buttons.listen(self._edges.put)
            except HardwareError:  # skip a pin that the kernel or another program uses
                continue
            self._buttons.append(buttons)
        while not self._edges.empty():  # ignore pins that are low from the start
            self._edges.get()

    def __bool__(self) -> bool:
        """Return True if at least one pin is free."""
        return bool(self._buttons)

    def edges(self) -> Iterator[Edge]:
        """Yield every edge as soon as it arrives."""
        while True:
            yield self._edges.get()

    def close(self) -> None:
        """Release the pins; safe to call twice."""
        for buttons in self._buttons:
            buttons.close()


def find_button_pins(
    edges: Iterable[Edge], asked: Iterable[str], tell: Callable[[str, int | None], None]
) -> dict[str, tuple[int, ...]]:
    """Request one button after another, and return the pin of each button in a tuple.

    - `edges`: the edges of all free pins, whose button names are GPIO numbers.
    - `asked`: the names of the buttons to request, in order.
    - `tell`: called with a button and None when the button is requested, and with the button and
      its pin when the pin is found.

    A pin that belongs to an earlier button is ignored. The search stops when `edges` has no more
    edges.
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

    The tables of `changes` replace the tables of `base`; only display and sound of `base` are used.
    A [sound] table of `changes` is added to the [sound] table of `base`.
    """
    tables = {name: text for name, text in _tables(base).items() if name in ("display", "sound")}
    for name, text in _tables(changes).items():
        if name == "sound" and name in tables:  # merge two [sound] tables into one
            tables[name] += text.partition("\n")[2]
        else:
            tables[name] = text
    pins = "".join(f"{button} = {pins[0]}\n" for button, pins in buttons.items())
    tables["buttons"] = f"[buttons]\n{pins}"
    return "\n".join(f"{text.strip()}\n" for text in tables.values())


def _tables(text: str) -> dict[str, str]:
    """Return the tables of a board file, as text by the table's name."""
    begins = [*_TABLE.finditer(text)]
    ends = [header.start() for header in begins[1:]] + [len(text)]
    return {
        header[1]: text[header.start() : end] for header, end in zip(begins, ends, strict=False)
    }


def save_board_file(file: Path, text: str) -> Path | None:
    """Check and save a board file. Return the path of the previous file, or None without one.

    Raise OSError if the file cannot be written, and BoardError if `text` is not a valid board file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.write_text(text, "utf-8")
    board_file.read_board(new)
    before = file.with_name(f"{file.name}.before")
    if file.exists():
        file.replace(before)
    new.replace(file)
    return before if before.exists() else None
