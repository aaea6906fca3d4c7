"""The wiring of a box as an SVG drawing, computed from the pins in a board file.

The drawing shows the Raspberry Pi's 40-pin header (see the Raspberry Pi documentation of GPIO).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, starmap
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from book.words import DRAWING_WORDS
from hardware.boards import board_file
from hardware.boards.board_file import HEADER_PINS
from hardware.ports import BACK, DOWN, OK, SEATS, UP
from hardware.wiring import Board, LumaDisplayWiring, OledWiring

SDA_PIN, SCL_PIN, DIN_PIN, CLK_PIN = 2, 3, 10, 11
CHIP_SELECT_GPIO_NUMBERS: Final = (8, 7)
"""GPIO numbers of the chip select pins of the SPI devices 0 and 1."""
VIN_POSITION, SOUND_GND_POSITION = 4, 14
"""Header positions of two wires of an amplifier.

- VIN_POSITION: power (5 V).
- SOUND_GND_POSITION: ground (the GND pin beside BCLK).
"""

PIN_DISTANCE, MIDDLE_X, TOP_Y, DRAWING_WIDTH = 22, 250, 66, 500
"""Sizes and positions in SVG units.

- PIN_DISTANCE: the distance between two neighbouring pins.
- MIDDLE_X: the x coordinate of the header's centre.
- TOP_Y: the y coordinate of the header's top.
- DRAWING_WIDTH: the width of the drawing.
"""
OUTLINE_BEYOND_HEADER: Final = 26
"""Length by which the Raspberry Pi's outline extends beyond the header at each end (SVG units)."""
CENTRED_TEXT: Final = 'text-anchor="middle"'
KIND_COLOURS: Final = {
    "display": "#1d4ed8",
    "button": "#15803d",
    "seat": "#0f766e",
    "lamp": "#b45309",
    "knob": "#7e22ce",
    "sound": "#be123c",
}
NOTE_KEY_BY_WIRE_KIND: Final = {
    "button": "button_goes", "lamp": "lamp_goes", "knob": "knob_goes", "sound": "speaker_goes",
}  # fmt: skip
"""Table from a kind of wire to the key of a note on the drawing.

The note describes the other end of a wire of this kind. DRAWING_WORDS contains the text for each
key.
"""


class HeaderWire(NamedTuple):
    """A wire to the header: its position (1 to 40), kind (a key of KIND_COLOURS) and label."""

    place: int
    kind: str
    label: str


def _place(pin: int) -> int:
    return HEADER_PINS.index(str(pin)) + 1


def _display(display: OledWiring | LumaDisplayWiring) -> dict[str, int]:
    if display.bus == "i2c":
        return {"VCC": 1, "GND": 6, "SDA": _place(SDA_PIN), "SCL": _place(SCL_PIN)}
    pins = {"DC": display.dc, "RST": display.reset, "CS": CHIP_SELECT_GPIO_NUMBERS[display.device]}
    pins["BL"] = getattr(display, "light", None)
    wired = {name: _place(pin) for name, pin in pins.items() if pin is not None}
    return {"VCC": 17, "GND": 20, "DIN": _place(DIN_PIN), "CLK": _place(CLK_PIN), **wired}


def board_wires(board: Board, language: str) -> tuple[HeaderWire, ...]:
    """Return all wires between the parts in a board file and the header, sorted by position."""
    words = DRAWING_WORDS[language]
    named = {UP: "up", DOWN: "down", OK: "ok", BACK: "back"}
    buttons = (
        HeaderWire(_place(pin), "button", words[named[button]])
        if button in named
        else HeaderWire(_place(pin), "seat", words["seat"].format(SEATS.index(button) + 1))
        for button, pins in board.buttons.items()
        for pin in pins
    )
    lamps = (
        HeaderWire(_place(pin), "lamp", words["lamp"].format(SEATS.index(seat) + 1))
        for seat, pin in board.lamps.items()
    )
    knob = (
        HeaderWire(_place(pin), "knob", words["knob"].format(contact))
        for contact, pin in zip("AB", board.knob, strict=False)
    )
    display = (
        HeaderWire(place, "display", words["display"].format(contact))
        for contact, place in _display(board.display).items()
    )
    sound = (
        HeaderWire(place, "sound", words["amplifier"].format(contact))
        for contact, place in _sound(board).items()
    )
    return tuple(sorted(chain(display, buttons, lamps, knob, sound)))


def _sound(board: Board) -> dict[str, int]:
    """Return a table from each contact of the amplifier to its position on the header.

    Omit the contacts for power if the user plugs the board onto the header.
    """
    if board.sound is None:
        return {}
    power = {"VIN": VIN_POSITION, "GND": SOUND_GND_POSITION} if is_wired_by_hand(board) else {}
    lines = dict(board_file.OVERLAY_PINS.get(board.sound.overlay, {}))
    lines |= dict.fromkeys(board.sound.high, "EN")
    return power | {line: _place(pin) for pin, line in lines.items()}


def is_wired_by_hand(board: Board) -> bool:
    """Return True if the user wires the parts, False if the board is a HAT for the header.

    Only a board that is wired by hand has lamps.
    """
    return bool(board.lamps)


def wiring_svg(board: Board, language: str) -> str:
    """Return an SVG drawing of the header with all wires, 500 units wide and about 620 high."""
    words, wired = DRAWING_WORDS[language], board_wires(board, language)
    kinds = {wire.kind for wire in wired}
    notes = [
        words[note]
        for kind, note in NOTE_KEY_BY_WIRE_KIND.items()
        if kind in kinds and is_wired_by_hand(board)
    ]
    first_note = TOP_Y + 20 * PIN_DISTANCE + OUTLINE_BEYOND_HEADER + 30
    height = first_note + 20 * max(3, len(notes))
    lines = (
        _open(height, words["header"]),
        _outline(words),
        *starmap(_pin, enumerate(HEADER_PINS, 1)),
        *chain.from_iterable(map(_wire, wired)),
        *(
            f'<text x="{MIDDLE_X}" y="{first_note + 20 * n}" {CENTRED_TEXT} font-size="13.5">'
            f"{escape(note)}</text>"
            for n, note in enumerate(notes)
        ),
        "</svg>\n",
    )
    return "\n".join(lines)


def _open(height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {DRAWING_WIDTH} {height}"'
        ' font-family="sans-serif" font-size="15">\n'
        f'<rect width="{DRAWING_WIDTH}" height="{height}" fill="#fff"/>\n'
        f'<text x="{MIDDLE_X}" y="22" {CENTRED_TEXT} font-size="13.5" font-weight="bold">'
        f"{escape(title)}</text>"
    )


def _outline(words: dict[str, str]) -> str:
    left, top, deep = (
        4,
        TOP_Y - OUTLINE_BEYOND_HEADER,
        20 * PIN_DISTANCE + 2 * OUTLINE_BEYOND_HEADER,
    )
    middle, right = (left + MIDDLE_X - 40) // 2, MIDDLE_X + 36
    return (
        f'<path class="board" d="M{left} {top}H{right}V{top + deep}H{left}" fill="#ecfdf5"'
        ' stroke="#047857" stroke-width="2"/>'
        f'<text x="{middle}" y="{top + 18}" {CENTRED_TEXT} fill="#047857">'
        f"{escape(words['card_end'])}</text>"
        f'<text x="{middle}" y="{top + deep - 8}" {CENTRED_TEXT} fill="#047857">'
        f"{escape(words['other_end'])}</text>"
        f'<rect x="{MIDDLE_X - 32}" y="{TOP_Y - 4}"'
        f' width="64" height="{20 * PIN_DISTANCE + 4}" rx="6"'
        ' fill="#1f2937"/>'
        f'<rect class="first" x="{MIDDLE_X - 26}" y="{TOP_Y}" width="24" height="{PIN_DISTANCE}"'
        ' fill="none" stroke="#ef4444" stroke-width="2.5"/>'
    )


def _at(place: int) -> tuple[int, int, int]:
    """Return x and y of a header position, and -1 for the left or 1 for the right row of pins."""
    side = 1 if place % 2 == 0 else -1
    return MIDDLE_X + 14 * side, TOP_Y + PIN_DISTANCE * ((place - 1) // 2) + PIN_DISTANCE // 2, side


def _pin(place: int, name: str) -> str:
    x, y, side = _at(place)
    anchor = "start" if side > 0 else "end"
    fill = {"GND": "#9ca3af", "3V3": "#fca5a5", "5V": "#ef4444"}.get(name, "#fde68a")
    return (
        f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}"/>'
        f'<text x="{x}" y="{y + 3}" text-anchor="middle" font-size="9">{place}</text>'
        f'<text x="{MIDDLE_X + 38 * side}" y="{y + 5}" text-anchor="{anchor}" font-size="13"'
        f' fill="#374151">{name}</text>'
    )


def _wire(wire: HeaderWire) -> Iterator[str]:
    _, y, side = _at(wire.place)
    anchor, colour = ("start" if side > 0 else "end"), KIND_COLOURS[wire.kind]
    begin, end = MIDDLE_X + 70 * side, MIDDLE_X + 84 * side
    yield f'<path d="M{begin} {y}H{end}" stroke="{colour}" stroke-width="3"/>'
    yield (
        f'<text x="{MIDDLE_X + 88 * side}" y="{y + 5}" text-anchor="{anchor}" fill="{colour}"'
        f' class="wire" data-place="{wire.place}">{escape(wire.label)}</text>'
    )
