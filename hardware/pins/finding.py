"""Find the pin of each button on an unknown board: a person presses, one pin goes low.

The result becomes a board file, with display and sound of the most similar known board.
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
"""The buttons that every box has, in the order in which they are requested."""
SERIAL_PINS: Final = {14, 15}
"""The pins of the serial line, by which the user may be connected."""
SOUND_PINS: Final = {18, 19, 20, 21}
"""The pins of sound hardware: as buttons they would mute it until the next start."""

_TABLE: Final = re.compile(r"^\[([a-z]+)\]", re.MULTILINE)


def candidate_pins(board: Board) -> list[int]:
    """Return the pins that a button may be on, besides a board's display and sound."""
    board_pins = board_file.used_pins(board._replace(buttons={}, knob=(), lamps={}))
    shut = {*board_pins, *SERIAL_PINS, *(SOUND_PINS if board.sound is not None else ())}
    return [pin for pin in board_file.GPIO_NUMBERS if pin not in shut]


class ListeningPins:
    """All pins that are free, as buttons named by their numbers."""

    def __init__(self, board: Board) -> None:
        self._edges: SimpleQueue[Edge] = SimpleQueue()
        self._buttons: list[PinButtons] = []
        for pin in candidate_pins(board):
            buttons = PinButtons(board._replace(buttons={str(pin): (pin,)}, knob=(), lamps={}))
            try:
                buttons.listen(self._edges.put)
            except HardwareError:  # used by the kernel or by another program
                continue
            self._buttons.append(buttons)
        while not self._edges.empty():  # low from the start: another part, or a stuck button
            self._edges.get()

    def __bool__(self) -> bool:
        """Return True if any pin is available."""
        return bool(self._buttons)

    def edges(self) -> Iterator[Edge]:
        """Yield every edge as it arrives."""
        while True:
            yield self._edges.get()

    def close(self) -> None:
        """Release the pins; safe to call twice."""
        for buttons in self._buttons:
            buttons.close()


def find_button_pins(
    edges: Iterable[Edge], asked: Iterable[str], tell: Callable[[str, int | None], None]
) -> dict[str, tuple[int, ...]]:
    """Request one button after another and return the pins of each.

    `tell` receives each button with None when it is requested, and with its pin when it is found. A
    pin of another button is ignored. The search ends early if the edges end.
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
    """Return a board file: display and sound of `base`, `changes`, these buttons."""
    tables = {name: text for name, text in _tables(base).items() if name in ("display", "sound")}
    for name, text in _tables(changes).items():
        if name == "sound" and name in tables:  # a second [sound] table, beside the board's own
            tables[name] += text.partition("\n")[2]
        else:
            tables[name] = text
    pins = "".join(f"{button} = {pins[0]}\n" for button, pins in buttons.items())
    tables["buttons"] = f"[buttons]\n{pins}"
    return "\n".join(f"{text.strip()}\n" for text in tables.values())


def _tables(text: str) -> dict[str, str]:
    """Return the tables of a board file as text, by name."""
    begins = [*_TABLE.finditer(text)]
    ends = [header.start() for header in begins[1:]] + [len(text)]
    return {
        header[1]: text[header.start() : end] for header, end in zip(begins, ends, strict=False)
    }


def save_board_file(file: Path, text: str) -> Path | None:
    """Write a board file; return the path of the previous one. Raise OSError or BoardError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.write_text(text, "utf-8")
    board_file.read_board(new)
    before = file.with_name(f"{file.name}.before")
    if file.exists():
        file.replace(before)
    new.replace(file)
    return before if before.exists() else None
