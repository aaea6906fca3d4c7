"""Front views of boards with a colour LCD, each showing a frame of the display.

The panel, its pixels and the frame are true to scale. The outline of the board and the positions of
its buttons are only a sketch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from book.words import DRAWING_WORDS
from hardware.display.frame_conversions import HEIGHT, frame_as_pixel_rows
from hardware.display.lcd_messages import BACKGROUND_COLOUR, FOREGROUND_COLOUR, VisiblePanelArea
from hardware.ports import BACK, DOWN, OK, SEATS, UP

PIXELS_PER_MILLIMETRE: Final = 10
"""Number of SVG units per millimetre in a drawing."""
FONT_ATTRIBUTES: Final = 'font-family="sans-serif" font-size="18"'
BOARD_COLOUR, EDGE_COLOUR, METAL_COLOUR, PRINT_COLOUR = "#15212b", "#0b1218", "#c9ced3", "#e8edf0"


class BoardFront(NamedTuple):
    """The front of a board, in mm: its size, its display panel and its buttons.

    - `glass`: the left edge and the top edge of the panel, and the size of a pixel.
    - `place`: the panel's area in pixels.
    - `stick`: the centre of the joystick, or None without a joystick.
    """

    size: tuple[float, float]
    place: VisiblePanelArea
    glass: tuple[float, float, float]
    buttons: Mapping[str, tuple[float, float]]
    stick: tuple[float, float] | None = None


FOUR_BUTTON_PLACES: Final = {UP: (6.0, 9.5), DOWN: (6.0, 19.0), OK: (59.0, 9.5), BACK: (59.0, 19.0)}
"""Positions (mm) of the four buttons: A and B at the left edge, X and Y at the right edge."""
FRONTS: Final = {
    # display panel of 1.3 inches: 240 pixels are 23.4 mm wide
    "pirate-audio": BoardFront(
        (65, 30.5), VisiblePanelArea(240, 240), (20.8, 3.5, 0.0975), FOUR_BUTTON_PLACES
    ),
    # display panel of 2 inches: 320 pixels are 40.8 mm wide
    "display-hat-mini": BoardFront(
        (65, 35), VisiblePanelArea(320, 240), (12.1, 2.2, 0.1275), FOUR_BUTTON_PLACES
    ),
    # display panel of 1.3 inches between a joystick and three keys
    "waveshare-lcd-1in3": BoardFront(
        (65, 30.2),
        VisiblePanelArea(240, 240),
        (20.8, 3.4, 0.0975),
        {OK: (55, 5.5), BACK: (55, 13.5), SEATS[0]: (55, 21.5)},
        (8.5, 15),
    ),
    # display panel of 1.14 inches: 240 pixels are 24.9 mm wide; two buttons at the right
    "adafruit-mini-pitft": BoardFront(
        (55, 25), VisiblePanelArea(240, 135), (8.0, 5.5, 0.1038), {OK: (45, 6.0), BACK: (45, 15.0)}
    ),
    "adafruit-mini-pitft-1in3": BoardFront(
        (55, 30.5),
        VisiblePanelArea(240, 240),
        (8.0, 3.5, 0.0975),
        {OK: (45, 6.0), BACK: (45, 17.0)},
    ),
    # display panel of 1.44 inches: 128 pixels are 25.5 mm wide
    "waveshare-lcd-1in44": BoardFront(
        (65, 30.2),
        VisiblePanelArea(128, 128),
        (19.0, 2.3, 0.2),
        {OK: (55, 5.5), BACK: (55, 13.5), SEATS[0]: (55, 21.5)},
        (8.5, 15),
    ),
}


def board_front_svg(name: str, frame: bytes, language: str) -> str:
    """Return an SVG drawing of a board whose display shows a frame."""
    front = FRONTS[name]
    width, height = (side * PIXELS_PER_MILLIMETRE for side in front.size)
    lines = (
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
            f" {FONT_ATTRIBUTES}>"
        ),
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="30" fill="{BOARD_COLOUR}"/>',
        *_holes(width, height),
        *_draw_glass(front, frame),
        *_buttons(front, language),
        "</svg>\n",
    )
    return "\n".join(lines)


def _holes(width: float, height: float) -> Iterator[str]:
    for x in (35, width - 35):
        for y in (35, height - 35):
            yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="13" fill="#fff" stroke="{METAL_COLOUR}"/>'


def _draw_glass(front: BoardFront, frame: bytes) -> Iterator[str]:
    (left, top, pixel), place = front.glass, front.place
    side, (wide, high) = pixel * PIXELS_PER_MILLIMETRE, place.visible_size
    x, y = left * PIXELS_PER_MILLIMETRE, top * PIXELS_PER_MILLIMETRE
    yield (
        f'<rect x="{x - 8:.1f}" y="{y - 8:.1f}" width="{wide * side + 16:.1f}"'
        f' height="{high * side + 16:.1f}" rx="6" fill="#05070a"/>'
    )
    yield (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide * side:.1f}" height="{high * side:.1f}"'
        f' fill="rgb{BACKGROUND_COLOUR}"/>'
    )
    dot = side * place.largest_frame_scale
    x += (wide - 128 * place.largest_frame_scale) // 2 * side
    y += (high - HEIGHT * place.largest_frame_scale) // 2 * side
    path = "".join(
        f"M{begin} {row}h{length}v1h-{length}z" for row, begin, length in lit_pixel_runs(frame)
    )
    yield (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({dot:.3f})" d="{path}"'
        f' fill="rgb{FOREGROUND_COLOUR}" class="lit"/>'
    )


def lit_pixel_runs(frame: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield each horizontal run of lit pixels as (row, first column, number of pixels)."""
    for y, row in enumerate(frame_as_pixel_rows(frame)):
        x = 0
        for lit, same in groupby(row):
            length = len(list(same))
            if lit:
                yield y, x, length
            x += length


def _buttons(front: BoardFront, language: str) -> Iterator[str]:
    words = DRAWING_WORDS[language]
    named = {UP: words["up"], DOWN: words["down"], OK: words["ok"], BACK: words["back"]}
    for button, (x, y) in front.buttons.items():
        yield _button(
            x * PIXELS_PER_MILLIMETRE,
            y * PIXELS_PER_MILLIMETRE,
            named.get(button, words["seat_one"]),
        )
    if front.stick is not None:
        x, y = (place * PIXELS_PER_MILLIMETRE for place in front.stick)
        colours = f'fill="{EDGE_COLOUR}" stroke="{METAL_COLOUR}"'
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="42" {colours}/>'
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="20" fill="{METAL_COLOUR}"/>'
        for dx, dy, label in (
            (0, -54, named[UP]), (0, 68, named[DOWN]), (0, 90, f"← {named[BACK]}"),
        ):  # fmt: skip
            yield _label(x + dx, y + dy, label)


def _button(x: float, y: float, label: str) -> str:
    return (
        f'<rect x="{x - 24:.0f}" y="{y - 24:.0f}" width="48" height="48" rx="6"'
        f' fill="{METAL_COLOUR}"/>'
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="14" fill="{EDGE_COLOUR}"/>'
        + _label(x, y + 44, label)
    )


def _label(x: float, y: float, label: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="{PRINT_COLOUR}">{label}</text>'
    )
