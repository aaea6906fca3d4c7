"""Letters that the fonts lack: each is composed from a base letter and marks, or transliterated.

A mark is a small drawing in rows of `#` and `.`. A transliteration can have several letters. Text
lengths are therefore counted after transliteration.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final, NamedTuple
from unicodedata import combining, lookup, name, normalize

SMALL_FONT_ROWS: Final = 8
"""Number of pixel rows in a glyph of the small font."""
_STROKE, _DOTLESS = "stroke", "dotless"
"""Names of the marks that have no combining character in Unicode."""
_BY_NAME: Final = re.compile(r"LATIN (CAPITAL|SMALL) LETTER (?:\w+ )?([A-Z])(?: WITH .*)?")
_OTHERS: Final = re.compile(
    r"(CYRILLIC|GREEK|COPTIC) (?:CAPITAL |SMALL )?(?:LETTER )?(.+?)(?: WITH .*| SYMBOL)?$"
)


class AccentDrawings(NamedTuple):
    """Drawings of one accent mark, for the small and the medium font.

    `low` and `medium_low` are drawn above small letters, `high` and `medium_high` above capitals.

    If `below` is True, the mark is drawn below the letter, and its drawings for small letters and
    for capitals are equal.
    """

    low: str
    high: str
    medium_low: str
    medium_high: str
    below: bool = False


def _below(small: str, medium: str) -> AccentDrawings:
    return AccentDrawings(small, small, medium, medium, below=True)


MARK_DRAWINGS: Final = {
    "\u0300": AccentDrawings(
        ".#... ..#..", "##...", "..##.... ...##... ....##..", ".###.... ...##..."
    ),
    "\u0301": AccentDrawings(
        "...#. ..#..", "...##", "....##.. ...##... ..##....", "...###.. ..##...."
    ),
    "\u0302": AccentDrawings(
        "..#.. .#.#.", ".###.", "...#.... ..###... .##.##..", "..###... .##.##.."
    ),
    "\u0303": AccentDrawings(
        ".##.# #..#.", "##.#.", "........ .###.##. ##.###..", ".###.##. ##.###.."
    ),
    "\u0304": AccentDrawings(
        "##### .....", "####.", ".#####.. .#####.. ........", ".#####.. .#####.."
    ),
    "\u0306": AccentDrawings(
        "#...# .###.", "#...#", "##...##. .##.##.. ..###...", "##...##. .#####.."
    ),
    "\u0307": AccentDrawings(
        "..#.. .....", "..#..", "........ ...##... ...##...", "...##... ...##..."
    ),
    "\u0308": AccentDrawings(
        ".#.#. .....", ".#.#.", "........ .##.##.. .##.##..", ".##.##.. .##.##.."
    ),
    "\u0309": AccentDrawings(
        "..##. ..#..", "..##.", "..###... ....##.. ...##...", "..####.. ...##..."
    ),
    "\u030a": AccentDrawings(
        ".##.. .##..", ".##..", "..###... ..#.#... ..###...", "..###... ..#.#..."
    ),
    "\u030b": AccentDrawings(
        "..#.# .#.#.", "..#.#", "..##.##. .##.##.. ##.##...", "..##.##. .##.##.."
    ),
    "\u030c": AccentDrawings(
        ".#.#. ..#..", "#.#.#", ".##.##.. ..###... ...#....", ".##.##.. ..###..."
    ),
    "\u030f": AccentDrawings(
        "#.#.. .#.#.", "#.#..", "##.##... .##.##.. ..##.##.", "##.##... .##.##.."
    ),
    "\u0311": AccentDrawings(
        ".###. #...#", ".#.##", "..###... .##.##.. ##...##.", ".#####.. ##...##."
    ),
    "\u031b": AccentDrawings(
        "....# ....#", "....#", "......## ......## .....##.", "......## .....##."
    ),
    "\u0323": _below("..#..", "...##... ...##..."),
    "\u0324": _below(".#.#.", ".##.##.. .##.##.."),
    "\u0325": _below(".##.#", "..###... ..#.#..."),
    "\u0326": _below("..##.", "...##... ..##...."),
    "\u0327": _below(".##..", "....##.. ..###..."),
    "\u0328": _below("...##", "....##.. ....####"),
    "\u032d": _below("#.#.#", "...#.... .##.##.."),
    "\u032e": _below("#...#", "##...##. .#####.."),
    "\u0330": _below("##.#.", ".###.##. ##.###.."),
    "\u0331": _below(".###.", "........ .######."),
}
"""Table from a Unicode combining mark to its drawings. Spaces separate the rows of a drawing."""


def _table(letters: str, spellings: str) -> dict[str, str]:
    return dict(zip(letters, spellings.split(), strict=True))


_CYRILLIC: Final = _table(
    "абвгґдђеєжзѕиіјклљмнњопрстћуфхцчџшщъыьэюяѣѳѵ",
    "a b v g ǧ d đ e ye zh z dz i ì j k l lj m n nj o p r s t ć u f kh ts ch dž sh shch \" y ' è "
    "yu ya ě ḟ ẏ",
) | {
    "й": "y", "ё": "yo", "ї": "yi", "ў": "ŭ", "ґ": "g", "ә": "ä", "ғ": "ğ", "қ": "q", "ң": "ng",
    "ө": "ö", "ү": "ü", "ұ": "ū", "һ": "h", "җ": "j", "ҳ": "h", "ҷ": "j", "ӏ": "'", "ҹ": "j",
}  # fmt: skip
_GREEK: Final = _table(
    "αβγδεζηθικλμνξοπρσςτυφχψω", "a v g d e z ē th i k l m n x o p r s s t y f ch ps ō"
)
_LATIN: Final = {
    "ß": "ss", "ĳ": "ij", "ƍ": "d", "ʉ": "ū",
    "ŉ": "'n", "ĸ": "k", "ŋ": "ng", "ſ": "s", "þ": "th", "ð": "đ", "ƕ": "hv",
    "ƣ": "oi", "ƨ": "s", "ƪ": "sh", "ʃ": "sh", "ƹ": "zh", "ƺ": "zh", "ʒ": "zh", "ƻ": "2", "ƽ": "5",
    "ƅ": "b", "ƾ": "ts", "ƿ": "w", "ǀ": "|", "ǁ": "||", "ǂ": "|=", "ǃ": "!", "ǝ": "ä", "ə": "ä",
    "ɔ": "ò", "ɛ": "è", "ɣ": "gh", "ɩ": "ì", "ʊ": "ù", "ʋ": "v", "ȝ": "gh", "ȣ": "ou", "ȸ": "db",
    "ȹ": "qp", "ɂ": "'", "ʀ": "r", "ʌ": "v", "ẟ": "d", "ỻ": "ll", "ỽ": "v", "ỿ": "y", "ª": "a",
    "º": "o", "ẚ": "a'", "ŀ": "l·", "ɯ": "m", "ƛ": "l", "ȡ": "d", "ȴ": "l", "ȵ": "n", "ȶ": "t",
}  # fmt: skip
SPELLINGS: Final = _LATIN | _CYRILLIC | _GREEK | {"µ": "m", "ʹ": "'", "ʺ": '"', "ʼ": "'", "ʻ": "‘"}
"""Table from a small letter to its transliteration.

The table also applies to the letter's capital.
"""


class LetterComposition(NamedTuple):
    """A base letter, and the names of the marks to draw on the base letter."""

    base: str
    marks: tuple[str, ...]


@cache
def decompose_letter(letter: str) -> LetterComposition | None:
    """Return the base letter and marks of a Latin letter.

    Return None if the letter has no marks, or if its base letter is not a basic Latin letter, Æ or
    Œ.
    """
    base, *marks = tuple(normalize("NFD", letter))
    if base in "ÆæŒœ":
        return LetterComposition(base, tuple(marks)) if marks else None
    if base == "ı":
        return LetterComposition("i", (_DOTLESS, *marks))
    if base == "ȷ":
        return LetterComposition("j", (_DOTLESS, *marks))
    if base.isascii():
        return LetterComposition(base, tuple(marks)) if marks else None
    match = _BY_NAME.fullmatch(name(base, ""))
    if match is None or base.lower() in SPELLINGS:
        return None
    plain = match[2] if match[1] == "CAPITAL" else match[2].lower()
    return LetterComposition(plain, (_STROKE, *marks))


@lru_cache(maxsize=512)
def transliterate_uncomposable_letters(text: str) -> str:
    """Return the text with a transliteration for each letter that cannot be composed."""
    if text.isascii():
        return text
    text = normalize("NFC", text)
    return "".join(_spelling(text, at) for at in range(len(text)))


def _spelling(text: str, at: int) -> str:
    letter = text[at]
    if combining(letter):
        return ""
    spelling = _spelt(letter)
    if spelling == letter or not letter.isupper():
        return spelling
    beside = text[at + 1 : at + 2] or text[max(0, at - 1) : at]
    return spelling.upper() if beside.isupper() or len(spelling) == 1 else spelling.capitalize()


@cache
def _spelt(letter: str) -> str:
    """Return the text that is drawn for `letter`: the letter itself, or its transliteration.

    A transliteration is in small letters.
    """
    spelling = SPELLINGS.get(letter.lower())
    if spelling is not None:
        return spelling
    base, *marks = tuple(normalize("NFD", letter))
    drawn = SPELLINGS.get(base.lower()) or _named(base)
    if drawn is None:
        return normalize("NFKC", letter) if _is_ligature(letter) else letter
    for mark in marks:
        together = normalize("NFC", drawn + mark)
        drawn = together if len(together) == len(drawn) and mark in MARK_DRAWINGS else drawn
    return drawn


def _named(letter: str) -> str | None:
    match = _OTHERS.match(name(letter, ""))
    if match is None:
        return None
    try:
        plain = lookup(f"{match[1]} SMALL LETTER {match[2]}")
    except KeyError:
        plain = ""
    return SPELLINGS.get(plain) or match[2].rpartition(" ")[2].lower()


def _is_ligature(letter: str) -> bool:
    return letter.isalpha() and len(normalize("NFKC", letter)) > 1


def compose_glyph(rows: list[int], width: int, letter: LetterComposition) -> list[int]:
    """Return the pixel rows of a glyph with the marks of `letter`.

    `rows`: the rows of the base letter; bit `width - 1` of a row is its left pixel.
    """
    rows = list(rows)
    small = len(rows) == SMALL_FONT_ROWS
    above = [
        MARK_DRAWINGS[mark]
        for mark in letter.marks
        if mark in MARK_DRAWINGS and not MARK_DRAWINGS[mark].below
    ]
    if letter.base in "ij" and (above or _DOTLESS in letter.marks):
        dot = 2 if small else 6
        rows[:dot] = [0] * dot
    is_low = _top(rows) >= (2 if small else 5)
    if above:
        rows = _lowered(rows, small=small)
    _add_above(rows, width, above, is_low=is_low)
    for mark in letter.marks:
        if mark == _STROKE:
            _strike(rows, width, letter.base)
        elif mark in MARK_DRAWINGS and MARK_DRAWINGS[mark].below:
            _add_below(rows, width, MARK_DRAWINGS[mark], letter.base)
    return rows


def _top(rows: list[int]) -> int:
    return next(y for y, row in enumerate(rows) if row)


def _lowered(rows: list[int], *, small: bool) -> list[int]:
    top = _top(rows)
    if small and top < 2:  # noqa: PLR2004 - number of empty rows above a small letter
        return [0, 0, rows[0], *rows[2:5], *rows[6:]]
    if not small and top < 3:  # noqa: PLR2004 - number of empty rows above a capital
        return [0] * 3 + [rows[top], *rows[4:]]
    return rows


def _add_above(rows: list[int], width: int, marks: list[AccentDrawings], *, is_low: bool) -> None:
    small, top = len(rows) == SMALL_FONT_ROWS, _top(rows)
    if not marks:
        return
    lower, upper = marks[0], marks[1:2]
    if small:
        drawing = lower.low if is_low and not upper else lower.high
        _draw(rows, width, drawing.split(), 1 if upper else 0)
        _draw(rows, width, [mark.high for mark in upper], 0)
        return
    drawing = lower.medium_low if is_low else lower.medium_high
    lines = drawing.split()
    first = top - 1 - len(lines) if is_low else len(upper)
    _draw(rows, width, lines, first)
    highest = [line for mark in upper for line in mark.medium_high.split()]
    _draw(rows, width, highest if is_low else highest[:1], 0)


def _add_below(rows: list[int], width: int, mark: AccentDrawings, base: str) -> None:
    lines = (mark.low if len(rows) == SMALL_FONT_ROWS else mark.medium_low).split()
    if base in "gjpqy":
        lines = ["." * (width - 1) + "#"] * len(lines)
    _draw(rows, width, lines, len(rows) - len(lines))


def _draw(rows: list[int], width: int, lines: list[str], first: int) -> None:
    for y, line in enumerate(lines, first):
        rows[y] |= int(line.ljust(width, ".").replace("#", "1").replace(".", "0"), 2)


def _strike(rows: list[int], width: int, base: str) -> None:
    small = len(rows) == SMALL_FONT_ROWS
    if base in "LlOo":
        middle, half = (4 if base == "o" else 3, 1) if small else (9 if base == "o" else 8, 3)
        left = (1 if base == "L" else 2) if small else (1 if base == "L" else 3)
        points = [(middle - n, left + n + x) for n in range(-half, half + 1) for x in (0, 1)]
        points = points[::2] if small else points
    else:
        row, columns = _bar(base, width, small=small)
        points = [(row, x) for x in columns]
    for y, x in points:
        if 0 <= x < width:
            rows[y] |= 1 << width - 1 - x


def _bar(base: str, width: int, *, small: bool) -> tuple[int, range]:
    if base in "bdhk":
        left = width // 3 if base == "d" else 0
        return (1, range(left, left + 3 + (base == "d"))) if small else (4, range(left, left + 6))
    if base in "ABEFHPR":
        return (1, range(5)) if small else (5, range(width))
    return (3 if base.isupper() else 4, range(4)) if small else (8, range(6))
