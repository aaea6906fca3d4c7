"""Editions: what is printed on the boards, posters and cards of real copies of the games.

An edition is a TOML file. Each game's folder has the built-in one (`edition.toml`); a user's own,
`editions/<game>.toml` in the configuration folder, replaces it whole. Only a user's file is
checked, as a test has checked the others: by `Edition`, a pydantic model in the game's `edition.py`
that is written with the helpers at the end of this file. pydantic takes 0.1 s to import, so nothing
here imports it before it is needed.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_left
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, get_args

from companion.core import CompanionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pydantic import BaseModel, ValidationInfo, ValidatorFunctionWrapHandler
    from pydantic_core import ErrorDetails, PydanticCustomError

Place: TypeAlias = "tuple[str | int, ...]"
"""Where something is in a file: ("poster", 1, "suspects", 2), counted from 0; () is the file."""

SENTENCES: Final = {
    "unreadable": "cannot be read: {reason}",
    "syntax": "is not TOML: {reason}",
    "missing": "{found} is missing",
    "unknown_key": "{found} is not a key here",
    "unknown_word": "{found} is not a {kind}",
    "wrong_type": "{found} is the wrong kind of value",
    "wrong_length": "{found} has {count} characters",
    "wrong_count": "{found} has {count} entries",
    "bad_value": "{found} will not do",
    "repeated": "{found} is there twice",
}
"""The English for each code of a Mistake, before what was expected."""
TYPES: Final = {
    "string_type": "text",
    "int_type": "whole_number",
    "float_type": "number",
    "bool_type": "true_or_false",
    "list_type": "list",
    "model_type": "table",
}
"""What pydantic's wrong types would have been."""
LONGEST: Final = 40
"""As much of a found value is quoted, in characters."""
ENDINGS: Final = ("", "]", "}", "]]", "]}", "}]")
"""What can be missing from a file that breaks off at the end of a line."""


class Mistake(NamedTuple):
    """One mistake in a file, on `line` (from 1; 0 is the file as a whole).

    `code` says which, and `facts` what a sentence about it mentions, ready to be shown:

    - `unreadable` (reason): no such file, no permission, or not UTF-8
    - `syntax` (reason): not TOML; the reason is in English
    - `missing` (found): a key that must be there
    - `unknown_key` (found, near, expected)
    - `unknown_word` (found, kind, near, expected): not one of the words that can stand there
    - `wrong_type` (found, expected): `expected` is one of TYPES
    - `wrong_length` (found, count, expected): a text too short or too long
    - `wrong_count` (found, count, expected): a list too short or too long
    - `bad_value` (found, expected): anything else
    - `repeated` (found): must be different each time

    `found` and `near`, the nearest right word or "", are as in TOML, with quotation marks;
    `expected` is a list of those, a range such as "1-15", or a key such as "whole_number".
    """

    file: Path
    line: int
    code: str
    facts: Mapping[str, Any]

    @property
    def message(self) -> str:
        """What was found and what was expected, in English."""
        sentence = SENTENCES[self.code].format_map(self.facts)
        if near := self.facts.get("near"):
            return f"{sentence}; did you mean {near}?"
        if expected := self.facts.get("expected"):
            return f"{sentence}; expected: {expected.replace('_', ' ')}"
        return sentence

    def __str__(self) -> str:
        where = f"{self.file.name}, line {self.line}" if self.line else self.file.name
        return f"{where}: {self.message}"


class EditionError(CompanionError, ValueError):
    """A user's edition has `mistakes`: all of them, in the order of their lines."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = tuple(mistakes)


class EditionExists(CompanionError, FileExistsError):  # noqa: N818 - the house's word for it
    """A user's edition is there already; it was left as it is."""


# --- Loading, checking, beginning one's own -------------------------------------------------------


def load(game: str, folder: Path | None = None) -> dict[str, Any]:
    """The edition of a game, as JSON values: the user's in `folder`, else the built-in one.

    Raises EditionError if the user's file has mistakes.
    """
    own = own_file(game, folder) if folder else None
    if own and own.exists():
        data, mistakes = _read(game, own)
        if mistakes:
            raise EditionError(mistakes)
        return data
    return tomllib.loads(_template(game).read_text("utf-8"))


def check(game: str, file: Path) -> list[Mistake]:
    """Every mistake in an edition of a game, in the order of their lines; never raises."""
    _, mistakes = _read(game, file)
    return mistakes


def write_new(game: str, folder: Path, language: str) -> Path:
    """Write a commented copy of the built-in edition for the user to change, and say where.

    The comments are in `language` ("en", "fr") as far as there is a translation. Raises
    EditionExists rather than overwrite, and OSError if the file cannot be written.
    """
    text = _template(game, language).read_text("utf-8")
    file = own_file(game, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise EditionExists(f"{file} is there already: change that one, or move it away.") from None
    return file


def own_file(game: str, folder: Path) -> Path:
    """Where a user's edition of a game is, or would be, in the configuration folder."""
    return folder / "editions" / f"{game}.toml"


def _package(game: str) -> str:
    return game.replace("-", "_")


def _template(game: str, language: str = "en") -> Path:
    folder = Path(__file__).parent / "games" / _package(game)
    translated = folder / f"edition.{language}.toml"
    return translated if translated.exists() else folder / "edition.toml"


def _read(game: str, file: Path) -> tuple[dict[str, Any], list[Mistake]]:
    """The data of a file, and every mistake in it."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
        data = tomllib.loads(text)
    except OSError as error:
        return {}, [Mistake(file, 0, "unreadable", {"reason": error.strerror or str(error)})]
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return {}, [Mistake(file, line, "unreadable", {"reason": "not UTF-8"})]
    except RecursionError:
        return {}, [Mistake(file, 0, "syntax", {"reason": "too many brackets"})]
    except ValueError as error:
        return {}, [_syntax(file, text, str(error))]
    line_of = _lines(text)
    found = [Mistake(file, line_of(place), *what) for place, what in _judge(game, data)]
    return data, sorted(found, key=lambda mistake: mistake.line)


def _syntax(file: Path, text: str, message: str) -> Mistake:
    """tomllib says at the end of its message where it stopped."""
    reason, _, where = message.partition(" (at ")
    line = re.match(r"line (\d+)", where)
    last = text.rstrip().count("\n") + 1
    return Mistake(file, int(line[1]) if line else last, "syntax", {"reason": reason})


# --- Lines ----------------------------------------------------------------------------------------


def _lines(text: str) -> Callable[[Place], int]:
    """A function that tells on which line of a TOML text the thing at a place begins.

    tomllib knows no lines, but it can be asked: the first lines of a file, with the brackets closed
    that are open, are a file too, and the line sought is the last one needed for the thing to be in
    it. What is not there at all is where the table is that it belongs to.
    """
    lines = text.split("\n")

    @cache
    def first(n: int) -> Any:
        """The data of the first `n` lines; None if they break off within a value."""
        return next(filter(None, (_parse([*lines[:n], end]) for end in ENDINGS)), None)

    def holds(n: int, place: Place) -> bool:
        whole = (data for i in range(n, len(lines)) if (data := first(i)) is not None)
        return _reach(next(whole, all_data), place) == place

    all_data = _parse(lines)

    def line_of(place: Place) -> int:
        there = _reach(all_data, place)
        return bisect_left(range(len(lines) + 1), 1, key=lambda n: holds(n, there))

    return line_of


def _parse(lines: list[str]) -> list[dict[str, Any]] | None:
    """The data of these lines, in a list as no data are data too; None if they are not TOML."""
    try:
        return [tomllib.loads("\n".join(lines))]
    except (ValueError, RecursionError):
        return None


def _reach(data: Any, place: Place) -> Place:
    """`place` without the steps that cannot be taken in `data`."""
    taken: Place = ()
    for step in place:
        try:
            data = data[step]
        except (LookupError, TypeError):
            continue
        taken += (step,)
    return taken
