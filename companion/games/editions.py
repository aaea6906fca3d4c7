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
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, get_args

from companion.core.errors import CompanionError
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pydantic import ValidationInfo, ValidatorFunctionWrapHandler
    from pydantic_core import ErrorDetails, PydanticCustomError

Place: TypeAlias = "tuple[str | int, ...]"
"""Where something is in a file: ("poster", 1, "suspects", 2), counted from 0; () is the file."""
Handler: TypeAlias = "ValidatorFunctionWrapHandler"
Slip: TypeAlias = "tuple[Place, PydanticCustomError]"
"""Something wrong, and where in the list that a validator has before it."""

SENTENCES: Final = {
    "unreadable": "cannot be read: {reason}",
    "syntax": "is not TOML: {reason}",
    "missing": "{found} is missing",
    "unknown_key": "{found} is not a key here",
    "unknown_word": "{found} is not a {kind}",
    "wrong_type": "{found} is the wrong kind of value",
    "wrong_length": "{found} is {count} characters long",
    "wrong_count": "{found} is a list of {count}",
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
ENDINGS: Final = ("", "]", "}", "]]", "]}", "}]", "]}]")
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
            english = expected if '"' in expected else expected.replace("_", " ")
            return f"{sentence}; expected: {english}"
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

    Raises EditionError if the user's file has mistakes, or cannot be read.
    """
    own = own_file(game, folder) if folder else None
    if own and own.exists():
        data, mistakes = _read(game, own)
        if mistakes:
            raise EditionError(mistakes)
        return data
    return tomllib.loads(template(game).read_text("utf-8"))


def check(game: str, file: Path) -> list[Mistake]:
    """Every mistake in an edition of a game, in the order of their lines; never raises."""
    return _read(game, file)[1]


def write_new(game: str, folder: Path, language: str) -> Path:
    """Write a commented copy of the built-in edition for the user to change, and say where.

    The comments are in `language` ("en", "fr") as far as there is a translation. Raises
    EditionExists rather than overwrite, and OSError if the file cannot be written.
    """
    text = template(game, language).read_text("utf-8")
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


def template(game: str, language: str = "en") -> Path:
    """The built-in edition of a game, with its comments in a language."""
    folder = Path(__file__).parent / game.replace("-", "_")
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
    except (ValueError, RecursionError) as error:
        return {}, [_syntax(file, text, str(error))]
    line_of = _lines(text, data)
    found = [Mistake(file, line_of(at), code, facts) for at, code, facts in _judge(game, data)]
    return data, sorted(found, key=lambda mistake: mistake.line)


def _syntax(file: Path, text: str, message: str) -> Mistake:
    """The one mistake of a file that tomllib cannot read; its message may end with the line."""
    reason, _, where = message.partition(" (at ")
    line = re.match(r"line (\d+)", where)
    end = text.rstrip().count("\n") + 1 if where else 0
    return Mistake(file, int(line[1]) if line else end, "syntax", {"reason": reason})


# --- Lines ----------------------------------------------------------------------------------------


def _lines(text: str, data: dict[str, Any]) -> Callable[[Place], int]:
    """A function that tells on which line of a TOML text the thing at a place begins.

    tomllib knows no lines, but it can be asked: the first lines of a file, with the open brackets
    closed, are a file too, and the line sought is the last one needed for the thing to be in it.
    For what is not there at all, it is the line of the table where it should be.
    """
    lines = text.split("\n")

    @cache
    def first(n: int) -> dict[str, Any] | None:
        """The data of the first `n` lines; None if they break off within a value."""
        for end in ENDINGS:
            with suppress(ValueError, RecursionError):
                return tomllib.loads("\n".join([*lines[:n], end]))
        return None

    def holds(n: int, place: Place) -> bool:
        """Whether the thing is in the first `n` lines, or begins there."""
        files = (file for i in range(n, len(lines)) if (file := first(i)) is not None)
        return _reach(next(files, data), place) == place

    def line_of(place: Place) -> int:
        there = _reach(data, place)
        return bisect_left(range(len(lines) + 1), 1, key=lambda n: holds(n, there))

    return line_of


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


# --- What pydantic found --------------------------------------------------------------------------


class Whole(NamedTuple):
    """The context of a check: all the `data`, yet unchecked, and what `distinct` has `seen`."""

    data: dict[str, Any]
    seen: set[tuple[str | None, str]]


def _judge(game: str, data: dict[str, Any]) -> Iterator[tuple[Place, str, dict[str, Any]]]:
    """The place, code and facts of every mistake in the data of an edition."""
    from pydantic import ValidationError  # noqa: PLC0415 - slow to import

    model = import_module(f"{registry.package(game)}.edition").Edition
    try:
        model.model_validate(data, context=Whole(data, set()))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        told = [(e["loc"], *_told(e, _keys(model, e["loc"][:-1]))) for e in errors]
        meant = {(place[:-1], facts.get("near")) for place, _, facts in told}
        for place, code, facts in told:
            if code != "missing" or (place[:-1], facts["found"]) not in meant:
                yield place, code, facts


def _told(error: ErrorDetails, keys: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """The code and facts of an error that pydantic found, or that a helper below raised."""
    kind, found = error["type"], shown(error["input"])
    if kind == "missing":
        return kind, {"found": shown(error["loc"][-1])}
    if kind == "extra_forbidden":
        return "unknown_key", _unknown(str(error["loc"][-1]), keys)
    if kind in SENTENCES:
        return kind, error["ctx"]
    if kind in TYPES:
        return "wrong_type", {"found": found, "expected": TYPES[kind]}
    return "bad_value", {"found": found, "expected": error["msg"]}


def _unknown(found: str, known: Iterable[str]) -> dict[str, Any]:
    """The facts about a word that is not one of those known."""
    words = {name.casefold(): shown(name) for name in known}
    near = get_close_matches(found.casefold(), words, n=1)
    expected = ", ".join(words.values())
    return {"found": shown(found), "near": words[near[0]] if near else "", "expected": expected}


def _keys(kind: Any, place: Place) -> list[str]:
    """The keys of the table at `place` in a value of some kind: a model, or a list of it."""
    if not hasattr(kind, "model_fields"):
        return [key for part in get_args(kind) for key in _keys(part, place)]
    for i, step in enumerate(place):
        if step in kind.model_fields:
            return _keys(kind.model_fields[step].annotation, place[i + 1 :])
    return list(kind.model_fields)


def shown(value: object) -> str:
    """A value as TOML writes it, on one line and not too long."""
    match value:
        case list():
            return "[...]"
        case dict():
            return "{...}"
        case str():
            text = value if len(value) <= LONGEST else f"{value[: LONGEST - 3]}..."
            return json.dumps(text, ensure_ascii=not text.isprintable())
        case int() if abs(value) >= 10**LONGEST:
            return "..."
        case _:
            return str(value).lower()


# --- For the models of the games ------------------------------------------------------------------


def whole(info: ValidationInfo) -> Whole:
    """What a validator can look at besides its own value."""
    return info.context or Whole({}, set())


def slip(code: str, **facts: object) -> PydanticCustomError:
    """The error for a validator to raise: a Mistake's code and facts."""
    from pydantic_core import PydanticCustomError  # noqa: PLC0415 - slow to import

    return PydanticCustomError(code, code, facts)


def word(found: str, kind: str, known: Iterable[str]) -> str:
    """`found`, if it is one of the words known; raises an `unknown_word` of this kind."""
    known = list(known)
    if found not in known:
        raise slip("unknown_word", kind=kind, **_unknown(found, known))
    return found


def distinct(found: str, info: ValidationInfo) -> str:
    """`found`, if no other table has the same text under this key, in capitals or not."""
    seen, name = whole(info).seen, (info.field_name, found.casefold())
    if name in seen:
        raise slip("repeated", found=shown(found))
    seen.add(name)
    return found


def label(shortest: int, longest: int) -> Callable[[str], str]:
    """A validator of a text that people see: on one line, of so many characters."""

    def check_label(found: str) -> str:
        if not shortest <= len(found) <= longest:
            expected = f"{shortest}-{longest}"
            raise slip("wrong_length", found=shown(found), count=len(found), expected=expected)
        if not found.isprintable() or found != found.strip():
            raise slip("bad_value", found=shown(found), expected="text_on_one_line")
        return found

    return check_label


def entries(number: int) -> Callable[[Any, Handler, ValidationInfo], Any]:
    """A wrap validator of a list of exactly so many; it does not hide what is wrong in them."""

    def check_entries(found: Any, handler: Handler, info: ValidationInfo) -> Any:
        n = len(found) if isinstance(found, list) else number
        place = (number,) if n > number else ()
        slips = [(place, wrong_count(found, info, str(number)))] if n != number else []
        return together(found, handler, slips)

    return check_entries


def wrong_count(found: list[Any], info: ValidationInfo, expected: str) -> PydanticCustomError:
    """The error for a list with too few or too many entries."""
    key = shown(info.field_name)
    return slip("wrong_count", found=key, count=len(found), expected=expected)


def together(found: Any, handler: Handler, slips: Iterable[Slip]) -> Any:
    """What `handler` makes of a value; raises what it finds wrong and `slips`, all at once."""
    from pydantic import ValidationError  # noqa: PLC0415 - slow to import
    from pydantic_core import InitErrorDetails, PydanticCustomError  # noqa: PLC0415 - likewise

    errors = [InitErrorDetails(type=slip, loc=place, input=found) for place, slip in slips]
    try:
        good = handler(found)
    except ValidationError as error:
        for e in error.errors(include_url=False):
            same = PydanticCustomError(e["type"], e["msg"], e.get("ctx"))
            errors.append(InitErrorDetails(type=same, loc=e["loc"], input=e["input"]))
    if errors:
        raise ValidationError.from_exception_data("edition", errors)
    return good


def column(info: ValidationInfo, table: str, key: str) -> list[str]:
    """The texts under a key of all the `[[table]]`s, whatever else is wrong with them.

    Empty if one has no such text: then nobody can say which words there are, and which are not.
    """
    rows = whole(info).data.get(table)
    tables = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    cells = [cell for row in tables if isinstance(cell := row.get(key), str)]
    return cells if len(cells) == len(tables) else []
