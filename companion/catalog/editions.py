"""Editions: what is printed on the boards, posters and cards of real copies of the games.

An edition is a TOML file. The folder of a game with something printed has the built-in one
(`edition.toml`); a user's own, `editions/<game>.toml` in the configuration folder, replaces it
whole. Only a user's file is checked, as a test has checked the others: by `EDITION` in the game's
`edition.py`, which is made of the checks in `checked_input`.
"""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from checked_input import source
from checked_input.checks import slips
from checked_input.files import Unreadable, is_there, text_of
from checked_input.mistakes import FileMistake
from companion.catalog import layout, registry
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from checked_input.checks import Slip
    from companion.core.prompts import Choose


Place: TypeAlias = "tuple[str | int, ...]"
"""Where a value of an edition stands, by keys and indices."""


def _nowhere(*_: object) -> tuple[Place, ...]:
    return ()


def _unasked(_data: Mapping[str, Any], place: Place, _last: bool) -> Choose:  # noqa: FBT001
    raise LookupError(place)


class Teachable(NamedTuple):
    """A board of which something is assumed that a table can say: `TEACHABLE` in `edition.py`.

    `counts` are the names of what is counted first, such as its spaces, asked by the sentences
    `<game>.count.<name>`; each is from `lo` to `hi`, and `start` as assumed.

    What a walk round the board asks (`companion.catalog.walk`): `loops(data)` are the lists that
    are counted, in the order of `counts`, each with its first field known; `places(data, players)`
    is what else is asked where these play. `asks(data, place, last)` is the game's own question
    about a place; `last`: the loop may end before it, and its first field is an answer too.
    """

    counts: tuple[str, ...] = ()
    lo: int = 1
    hi: int = 1
    start: int = 1
    loops: Callable[[Mapping[str, Any]], Sequence[Place]] = _nowhere
    places: Callable[[Mapping[str, Any], tuple[str, ...]], Sequence[Place]] = _nowhere
    asks: Callable[[Mapping[str, Any], Place, bool], Choose] = _unasked


class EditionError(CompanionError, ValueError):
    """A user's edition has `mistakes`: all of them, in the order of their lines."""

    def __init__(self, mistakes: Sequence[FileMistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = tuple(mistakes)


class EditionExists(CompanionError, FileExistsError):
    """A user's edition is there already; it was left as it is."""


class NoEdition(CompanionError, LookupError):
    """Nothing is printed for a game, so that there is no edition of it."""


def load(game: str, folder: Path | None = None, taught: Path | None = None) -> dict[str, Any]:
    """The edition of a game, as JSON values: the user's in `folder`, else what the box was taught.

    That lies in the folder `taught` (`companion.catalog.taught`); without either it is the built-in
    one. A game without a printed board has an empty one. Raises EditionError if a file has
    mistakes, or cannot be read.
    """
    built_in = _file(game)
    if not built_in.exists():
        return {}
    own = in_force(game, folder, taught)
    if own is None:
        return deepcopy(_parsed(built_in.read_text("utf-8")))
    data, mistakes = _read(game, own)
    if mistakes:
        raise EditionError(mistakes)
    return data


def in_force(game: str, folder: Path | None, taught: Path | None) -> Path | None:
    """The edition that counts: the user's, else what the box was taught; None: the built-in one."""
    files = (own_file(game, where) for where in (folder, taught) if where is not None)
    return next(filter(is_there, files), None)


def teachable(game: str) -> Teachable | None:
    """What must be counted before a table teaches this board; None if it cannot be taught."""
    return getattr(_part(game), "TEACHABLE", None) if _file(game).exists() else None


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """A built-in edition, parsed once: a menu that tells of recorded games asks at each press."""
    return tomllib.loads(text)


def blank(game: str, spaces: tuple[int, ...]) -> dict[str, Any]:
    """The built-in edition with all unknown that a table can teach; so many `spaces`, or fields."""
    data: dict[str, Any] = _part(game).blank(load(game), spaces)
    return data


def check(game: str, file: Path) -> list[FileMistake]:
    """Every mistake in an edition of a game, in the order of their lines. Raises NoEdition."""
    template(game)
    return _read(game, file)[1]


def warnings(game: str, file: Path) -> list[FileMistake]:
    """What is no mistake in an edition without any, but has consequences that a table should know.

    In the order of their lines. A game tells them by `warnings(data)` in its `edition.py`.
    """
    data, line_of = source.read(file)
    told = getattr(_part(game), "warnings", lambda _: ())(data)
    found = [FileMistake(file, line_of(at), code, facts) for at, code, facts in told]
    return sorted(found, key=lambda mistake: mistake.line)


def write_new(game: str, folder: Path, language: str) -> Path:
    """Write a commented copy of the built-in edition for the user to change, and say where.

    The comments are in `language` ("en", "fr") as far as there is a translation. Raises NoEdition;
    EditionExists rather than overwrite; and OSError if the file cannot be written.
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
    """The built-in edition of a game, with its comments in a language. Raises NoEdition."""
    files = (_file(game, f".{language}"), _file(game))
    for file in files:
        if file.exists():
            return file
    raise NoEdition(f"{game} has no printed board, so there is no edition of it.")


def text(game: str, folder: Path, taught: Path, language: str) -> str:
    """The text of the edition in force, the built-in one in a language. Raises EditionError."""
    own = in_force(game, folder, taught)
    if own is None:
        return template(game, language).read_text("utf-8")
    try:
        return text_of(own)
    except Unreadable as error:
        raise EditionError([_unreadable(own, error)]) from error


def _file(game: str, language: str = "") -> Path:
    """Where the built-in edition of a game is, if it has one."""
    return registry.path(game, f"edition{language}.toml")


def _read(game: str, file: Path) -> tuple[dict[str, Any], list[FileMistake]]:
    """The data of a file, and every mistake in it."""
    try:
        data, line_of = source.read(file)
    except Unreadable as error:
        return {}, [_unreadable(file, error)]
    found = [FileMistake(file, line_of(at), code, facts) for at, code, facts in _judge(game, data)]
    return data, sorted(found, key=lambda mistake: mistake.line)


def _unreadable(file: Path, error: Unreadable) -> FileMistake:
    """The one mistake of a file without data."""
    return FileMistake(file, error.line, error.code, error.facts)


def _judge(game: str, data: dict[str, Any]) -> list[Slip]:
    """Everything that is wrong with the data of an edition."""
    return slips(_part(game).EDITION, data)


def _part(game: str) -> Any:
    """The module that knows what an edition of the game must be."""
    return layout.part(registry.module(game), "edition")
