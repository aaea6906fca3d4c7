"""Two pictures for the docs: the box beside a board game, and the box's web page on a phone.

The command `python -m book.at_table` writes the pictures to docs/table.svg and docs/phone.png.

The first picture has three parts: the front of the box from the module `case`, a frame of a game on
the box's display, and the game board that `companion edition baretta --sheet` writes. The second
picture is the upper part of the reference picture in tests/page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PIL import Image

from book import case
from book.fronts import lit_pixel_runs
from tests.scenes import draw_scene

ROOT: Final = Path(__file__).parents[1]
TABLE_FILE: Final = ROOT / "docs" / "table.svg"
PHONE_FILE: Final = ROOT / "docs" / "phone.png"
BOARD_FILE: Final = ROOT / "docs" / "baretta-board.svg"
PAGE_PICTURE_FILE: Final = ROOT / "tests" / "page" / "pictures" / "phone-baretta-en.png"
FRONT_SCENE_NAME: Final = "baretta_move_to"
VISIBLE_PAGE_HEIGHT_PIXELS: Final = 860
"""Height of the part of the web page that a phone shows without scrolling (pixels)."""
BOARD_MILLIMETRES: Final = 196
"""Side length of the square sheet with the game's board (mm)."""
LIT_AREA_MILLIMETRES: Final = (55, 27.5)
"""Width and height of the lit area of a 2.42-inch display (mm)."""
WOOD_COLOUR, FRONT_COLOUR, DARK_COLOUR, LIT_COLOUR, METAL_COLOUR = (
    "#7c5a3a",
    "#2b2f36",
    "#05070a",
    "#dbeafe",
    "#c9ced3",
)


def box_beside_board_svg() -> str:
    """Return an SVG drawing of the box beside a game board, from above; units are mm."""
    sheet = BOARD_FILE.read_text("utf-8").partition(">")[2].rpartition("</svg>")[0]
    width, height = BOARD_MILLIMETRES + case.PLAIN_CASE.outer_size[0] + 60, BOARD_MILLIMETRES + 40
    box = (BOARD_MILLIMETRES + 40, (height - case.PLAIN_CASE.outer_size[1]) / 2)
    lines = (
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            ' font-family="sans-serif">'
        ),
        f'<rect width="{width}" height="{height}" fill="{WOOD_COLOUR}"/>',
        (
            f'<svg x="20" y="20" width="{BOARD_MILLIMETRES}" height="{BOARD_MILLIMETRES}"'
            f' viewBox="0 0 {BOARD_MILLIMETRES} {BOARD_MILLIMETRES}"'
            f' text-anchor="middle">{sheet}</svg>'
        ),
        f'<g transform="translate({box[0]} {box[1]:g})">',
        *_front(),
        "</g>",
        "</svg>\n",
    )
    return re.sub(r"\n+", "\n", "\n".join(lines))


def _front() -> Iterator[str]:
    width, depth = case.PLAIN_CASE.outer_size
    yield f'<rect width="{width}" height="{depth}" rx="3" fill="{FRONT_COLOUR}"/>'
    wide, high = LIT_AREA_MILLIMETRES
    x, y = case.PLAIN_CASE.display_centre.x - wide / 2, case.PLAIN_CASE.display_centre.y - high / 2
    yield (
        f'<rect x="{x - 1:g}" y="{y - 1:g}" width="{wide + 2:g}" height="{high + 2:g}"'
        f' fill="{DARK_COLOUR}"/>'
    )
    path = "".join(
        f"M{at} {row}h{n}v1h-{n}z"
        for row, at, n in lit_pixel_runs(draw_scene(FRONT_SCENE_NAME, "en"))
    )
    yield (
        f'<path class="lit" transform="translate({x:g} {y:g}) scale({wide / 128:g})" d="{path}"'
        f' fill="{LIT_COLOUR}"/>'
    )
    for hole in case.PLAIN_CASE.speaker_hole_centres:
        radius = case.GRILLE_HOLE_RADIUS
        yield f'<circle cx="{hole.x:g}" cy="{hole.y:g}" r="{radius}" fill="{DARK_COLOUR}"/>'
    for name, (right, down) in zip(
        ("▲", "▼", "OK", "BACK"), case.PLAIN_CASE.button_centres, strict=True
    ):
        yield f'<circle cx="{right}" cy="{down}" r="{case.BUTTON_RADIUS}" fill="{METAL_COLOUR}"/>'
        yield (
            f'<text x="{right}" y="{down + 13}" font-size="4" text-anchor="middle"'
            f' fill="{LIT_COLOUR}">{name}</text>'
        )


def upper_phone_page_picture() -> Image.Image:
    """Return the upper part of the web page's picture, VISIBLE_PAGE_HEIGHT_PIXELS high."""
    with Image.open(PAGE_PICTURE_FILE) as page:
        return page.crop((0, 0, page.width, VISIBLE_PAGE_HEIGHT_PIXELS))


if __name__ == "__main__":
    TABLE_FILE.write_text(box_beside_board_svg(), "utf-8")
    upper_phone_page_picture().save(PHONE_FILE, optimize=True)
