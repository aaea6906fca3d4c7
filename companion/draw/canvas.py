"""A canvas of 128x64 pixels, and the project's bitmap fonts.

The canvas has the memory layout of the display: eight strips, each 8 pixel rows high. A strip has
128 bytes, one for each column; bit 0 is the top pixel. The height of every glyph is a multiple of 8
pixels, so text is copied without shifting bits. In parameter names, a strip is called `page`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final, TypeAlias
from unicodedata import normalize

from companion.draw.letters import (
    compose_glyph,
    decompose_letter,
    transliterate_uncomposable_letters,
)
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

GLYPH_PATTERN: Final = re.compile(r"ENCODING (\d+)\n.*?BITMAP\n([0-9A-F\n]*)ENDCHAR", re.DOTALL)
ELLIPSIS: Final = "…"
Point: TypeAlias = tuple[int, int]
"""The position of a pixel: its column and its row of pixels, counted from 0 at the top left."""

Sprite: TypeAlias = tuple[int, ...]
"""A small drawing as one integer for each column; bit 0 is the column's top pixel."""


class Font:
    """A font whose glyphs all have the same size.

    - `width`: width of a glyph in pixels.
    - `pages`: height of a glyph in strips of 8 pixel rows.

    Each glyph is converted to columns of pixels when it is first used.
    """

    def __init__(self, name: str) -> None:
        text = (Path(__file__).parent / "fonts" / f"{name}.bdf").read_text(encoding="ascii")
        box = text[text.index("FONTBOUNDINGBOX") :].split(maxsplit=3)
        self.width, self.pages = int(box[1]), int(box[2]) // 8
        self._rows = {chr(int(code)): rows for code, rows in GLYPH_PATTERN.findall(text)}
        if "-" in self._rows:
            self._rows["−"] = self._rows["-"]  # the minus sign has the hyphen's glyph
        self._glyphs: dict[str, tuple[bytes, ...]] = {}

    def __contains__(self, character: str) -> bool:
        return character in self._rows

    def can_draw(self, character: str) -> bool:
        """Return True if the font has the character, or can compose it from a letter and marks."""
        made = decompose_letter(character)
        return character in self or (self.width <= 8 and made is not None and made.base in self)  # noqa: PLR2004 - a glyph of one byte per row

    def glyph_columns(self, character: str) -> tuple[bytes, ...]:
        """Return a glyph as one bytes object for each strip, with one byte for each column.

        A Latin letter that the font lacks is composed from a base letter and marks. If the font
        cannot draw a letter, even as a capital, the glyph is an empty box. Any other unknown
        character becomes a question mark.
        """
        glyph = self._glyphs.get(character)
        if glyph is None:
            glyph = self._glyphs[character] = self._unpack(character)
        return glyph

    def _bitmap(self, character: str) -> bytes:
        stride = (self.width + 7) // 8
        made = None if character in self else decompose_letter(character)
        if made is not None and made.base in self and stride == 1:
            shift = 8 - self.width
            rows = [row >> shift for row in bytes.fromhex(self._rows[made.base])]
            return bytes(row << shift for row in compose_glyph(rows, self.width, made))
        base = character if made is None else made.base
        unknown = "□" if character.isalpha() else "?"
        available = (letter for letter in (base, base.upper(), unknown, "?") if letter in self)
        return bytes.fromhex(self._rows[next(available)])

    def _unpack(self, character: str) -> tuple[bytes, ...]:
        rows, stride = self._bitmap(character), (self.width + 7) // 8
        pages = [rows[page * 8 * stride :][: 8 * stride] for page in range(self.pages)]
        return tuple(
            [
                b"".join([_upright(page[at::stride]) for at in range(stride)])[: self.width]
                for page in pages
            ]
        )


def _upright(rows: bytes) -> bytes:
    """Return eight rows of eight pixels (bit 7 is left) as eight columns (bit 0 is on top).

    The function transposes the 8x8 square by swapping its quarters, then the quarters of each
    quarter.
    """
    bits = int.from_bytes(rows, "little")
    for shift, some in ((28, 0xF0F0F0F0), (14, 0x0000CCCC0000CCCC), (7, 0x00AA00AA00AA00AA)):
        swapped = (bits ^ bits >> shift) & some
        bits ^= swapped ^ swapped << shift
    return bits.to_bytes(8, "big")


class StretchedFont(Font):
    """A font that draws every pixel of the font `name` as a block of `wide` by `high` pixels."""

    def __init__(self, name: str, wide: int, high: int) -> None:
        self._base, self._wide, self._high = load_font(name), wide, high
        self.width, self.pages = wide * self._base.width, high * self._base.pages
        self._glyphs = {}

    def __contains__(self, character: str) -> bool:
        return character in self._base

    def can_draw(self, character: str) -> bool:
        """Return True if the font can draw the character."""
        return self._base.can_draw(character)

    def _unpack(self, character: str) -> tuple[bytes, ...]:
        columns = [
            stretch_column(int.from_bytes(column, "little"), self._high).to_bytes(
                self.pages, "little"
            )
            for column in zip(*self._base.glyph_columns(character), strict=True)
            for _ in range(self._wide)
        ]
        return tuple(map(bytes, zip(*columns, strict=True)))


def stretch_column(column: int, times: int) -> int:
    """Return a column of pixels (bit 0 on top) in which each pixel is repeated `times` times."""
    block = (1 << times) - 1
    return sum([block << y * times for y in range(column.bit_length()) if column >> y & 1])


STRETCHED_FONTS: Final = {
    "double": ("medium", 2, 2),
    "tall": ("small", 2, 3),
    "wide": ("small", 2, 2),
}
"""Table from the name of a stretched font to three values.

The values are the name of the base font, the factor of the width, and the factor of the height.
"""


@cache
def load_font(name: str) -> Font:
    """Return the font "small" (6x8), "medium" (8x16), "large" (24x40) or one of STRETCHED_FONTS.

    The sizes are the width and height of a glyph in pixels. A glyph of "double" has 16x32 pixels,
    of "tall" 12x24, of "wide" 12x16. The font "large" has only capitals, digits and signs.
    """
    return StretchedFont(*STRETCHED_FONTS[name]) if name in STRETCHED_FONTS else Font(name)


@lru_cache(maxsize=512)
def _typeset(text: str, face: str) -> tuple[bytes, ...]:
    letters = load_font(face)
    glyphs = [letters.glyph_columns(letter) for letter in transliterate_uncomposable_letters(text)]
    return tuple([b"".join([glyph[dy] for glyph in glyphs]) for dy in range(letters.pages)])


class Canvas:
    """The drawing area of one frame: 128 columns of pixels, and 8 strips, each 8 pixel rows high.

    Text methods call a strip `page`: page 0 is at the top, page 7 at the bottom.
    """

    def __init__(self) -> None:
        self._pixels = bytearray(DISPLAY_WIDTH * DISPLAY_PAGES)

    @property
    def frame(self) -> bytes:
        """Return the drawing as a frame for a display."""
        return bytes(self._pixels)

    def draw_text(self, page: int, x: int, text: str, face: str = "small") -> None:
        """Write `text` with its left edge at column `x`.

        Cut off the part beyond the right edge of the canvas.

        `page`: number of the row (8 pixels high, counted from 0) in which the text begins.

        Raise ValueError if the text does not fit into the height of the canvas.
        """
        for dy, line in enumerate(_typeset(text, face)):
            self.copy_columns(page + dy, x, line[: DISPLAY_WIDTH - x])

    def draw_right_aligned_text(
        self, page: int, text: str, face: str = "small", edge: int = DISPLAY_WIDTH
    ) -> None:
        """Write `text` so that its right edge is at column `edge` (pixels).

        A text that is too wide is shortened and ends with an ellipsis.

        `page`: number of the row (8 pixels high, counted from 0) in which the text begins.
        """
        text = shorten_text(text, edge // load_font(face).width)
        self.draw_text(page, edge - len(text) * load_font(face).width, text, face)

    def draw_centred_text(self, page: int, text: str, face: str = "small") -> None:
        """Write `text` centred. A text that is too wide is shortened and ends with an ellipsis.

        `page`: number of the row (8 pixels high, counted from 0) in which the text begins.
        """
        text = shorten_text(text, DISPLAY_WIDTH // load_font(face).width)
        self.draw_text(page, (DISPLAY_WIDTH - len(text) * load_font(face).width) // 2, text, face)

    def draw_wrapped_text(
        self, page: int, text: str, most: int, *, x: int = 0, centred: bool = False
    ) -> int:
        """Write `text` in small letters on up to `most` rows, and return the number of rows used.

        A text that needs more than `most` rows ends with an ellipsis.

        - `page`: number of the first display row (8 pixels high), counted from 0.
        - `x`: the left edge of every row (pixels).
        - `centred`: centre every row and ignore `x`.
        """
        columns = (DISPLAY_WIDTH - x) // load_font("small").width
        rows = wrap_text(text, columns)
        if len(rows) > most > 0:
            rows[most - 1] = shorten_text(f"{rows[most - 1]} {rows[most]}", columns)
        for i, row in enumerate(rows[:most]):
            (self.draw_centred_text if centred else partial(self.draw_text, x=x))(
                page + i, text=row
            )
        return min(len(rows), most)

    def draw_text_above_legend(self, text: str, *, x: int = 0, rows: int = 2) -> None:
        """Write `text` in small letters on up to `rows` rows, the last of which is row 6.

        Row 7 stays free for the legend (the functions of the buttons).
        """
        used = len(wrap_text(text, (DISPLAY_WIDTH - x) // load_font("small").width))
        self.draw_wrapped_text(7 - min(used, rows), text, rows, x=x)

    def copy_columns(self, page: int, x: int, columns: bytes) -> None:
        """Copy columns of pixels into strip `page` (8 pixel rows), beginning at column `x`.

        Columns beyond the right edge continue in the next strip. Raise ValueError if the columns
        begin above the first strip or end below the last strip.
        """
        start = page * DISPLAY_WIDTH + x
        end = start + len(columns)
        if start < 0 or end > len(self._pixels):
            raise ValueError(f"{len(columns)} columns do not fit at column {x} of page {page}")
        self._pixels[start:end] = columns

    def set_pixels(self, points: Iterable[Point], *, lit: bool = True) -> None:
        """Light the pixels at `points`, or clear them if `lit` is False.

        Pixels outside the canvas are ignored.
        """
        for x, y in points:
            if 0 <= x < DISPLAY_WIDTH and 0 <= y < 8 * DISPLAY_PAGES:
                index, bit = y // 8 * DISPLAY_WIDTH + x, 1 << y % 8
                if lit:
                    self._pixels[index] |= bit
                else:
                    self._pixels[index] &= ~bit

    def invert_pixel_strips(self, page: int, pages: int) -> None:
        """Invert all pixels of `pages` strips (8 pixel rows each).

        The first strip is strip `page`.
        """
        for index in range(page * DISPLAY_WIDTH, (page + pages) * DISPLAY_WIDTH):
            self._pixels[index] ^= 0xFF

    def draw_sprite(self, x: int, y: int, drawing: Sprite) -> None:
        """Light the pixels of a sprite whose top left pixel is at column `x` and pixel row `y`.

        Ignore the part of the sprite outside the canvas.
        """
        self._combine(x, y, drawing, operator.or_)

    def invert_rectangle(self, x: int, y: int, width: int, height: int) -> None:
        """Invert a rectangle whose top left pixel is at column `x` and pixel row `y`."""
        self._combine(x, y, ((1 << height) - 1,) * width, operator.xor)

    def erase_rectangle(self, x: int, y: int, width: int, height: int) -> None:
        """Clear a rectangle whose top left pixel is at column `x` and pixel row `y`."""
        self._combine(x, y, ((1 << height) - 1,) * width, lambda old, new: old & ~new)

    def _combine(self, x: int, y: int, drawing: Sprite, combine: Callable[[int, int], int]) -> None:
        if x < 0 or y < 0:
            drawing = tuple([bits >> max(-y, 0) for bits in drawing[max(-x, 0) :]])
            x, y = max(x, 0), max(y, 0)
        strips = _sprite_strips(drawing[: max(DISPLAY_WIDTH - x, 0)], y % 8)
        for page, strip in enumerate(strips[: max(DISPLAY_PAGES - y // 8, 0)], y // 8):
            place = slice(page * DISPLAY_WIDTH + x, page * DISPLAY_WIDTH + x + len(strip))
            combined = combine(int.from_bytes(self._pixels[place]), int.from_bytes(strip))
            self._pixels[place] = combined.to_bytes(len(strip))


@lru_cache(maxsize=128)
def _sprite_strips(drawing: Sprite, shift: int) -> tuple[bytes, ...]:
    pages = -(-(max(drawing, default=0) << shift).bit_length() // 8)
    return tuple(
        [bytes([bits << shift >> 8 * page & 0xFF for bits in drawing]) for page in range(pages)]
    )


def parse_sprite(art: str) -> Sprite:
    """Return a sprite from equally long lines of `#` (lit pixel) and `.` (dark pixel)."""
    rows = art.split()
    return tuple(
        sum((row[x] == "#") << y for y, row in enumerate(rows)) for x in range(len(rows[0]))
    )


def rectangle_outline(width: int, height: int) -> Sprite:
    """Return an empty rectangle with a border one pixel wide."""
    side, middle = (1 << height) - 1, 1 | 1 << height - 1
    return (side, *(middle,) * (width - 2), side)


def enlarge_sprite(drawing: Sprite, times: int) -> Sprite:
    """Return `drawing` with its width and height multiplied by `times`."""
    tall = [stretch_column(bits, times) for bits in drawing]
    return tuple(bits for bits in tall for _ in range(times))


def unaccented_capital(letter: str) -> str:
    """Return a letter as a capital without accents."""
    return normalize("NFD", letter)[:1].upper()


def wrap_text(text: str, columns: int) -> list[str]:
    """Return `text` in rows of at most `columns` letters; `|` in the text begins a new row.

    Rows break between words. Only a word that is longer than a row is split. A single word on the
    last row gets a second word from the row above, if this word fits.
    """
    return [
        row
        for part in transliterate_uncomposable_letters(text).split("|")
        for row in _kept_company(_wrapped(part, columns))
    ]


def _wrapped(text: str, columns: int) -> list[str]:
    rows, row = [], ""
    for word in text.split(" "):
        joined = f"{row} {word}" if row else word
        if len(joined) > columns and row:
            rows.append(row)
            joined = word
        while len(joined) > columns:
            rows.append(joined[:columns])
            joined = joined[columns:]
        row = joined
    return [*rows, row]


def _kept_company(rows: list[str]) -> list[str]:
    """Return the rows, with at least two words on the last row if possible.

    If the last row has only one word, move the last word of the row above to the last row. If the
    last row would then be longer than the row above, return the rows unchanged.
    """
    if len(rows) > 1 and " " not in rows[-1] and rows[-2].count(" ") > 1:
        above, word = rows[-2].rsplit(" ", 1)
        if len(word) + 1 + len(rows[-1]) <= len(rows[-2]):
            return [*rows[:-2], above, f"{word} {rows[-1]}"]
    return rows


def shorten_text(text: str, columns: int) -> str:
    """Return `text` transliterated.

    If the result has more than `columns` letters, cut the result, and end it with an ellipsis.
    """
    text = transliterate_uncomposable_letters(text)
    return text if len(text) <= columns else text[: columns - 1] + ELLIPSIS


def shorten_names_distinctly(names: Sequence[str], columns: int) -> list[str]:
    """Return the names cut to `columns` letters, so that all cut names differ.

    If several names would be equal after the cut, the last letter of each of these names is
    replaced. The replacement is the first letter behind the cut in which all these names differ. If
    there is no such letter, the replacement is the name's number in the list.
    """
    names = [transliterate_uncomposable_letters(name) for name in names]
    cut = [name[:columns] for name in names]
    for n, name in enumerate(names):
        alike = [other for other in names if other[:columns] == name[:columns]]
        if len(alike) > 1:
            last = _differing(alike, columns)
            end = str(n + 1) if last is None else name[last]
            cut[n] = f"{name[: columns - len(end)]}{end}"
    return cut


def _differing(names: Sequence[str], start: int) -> int | None:
    places = range(start, min(map(len, names)))
    return next((at for at in places if len({name[at] for name in names}) == len(names)), None)
