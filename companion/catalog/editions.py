"""Editions: what is printed on the boards, posters and cards of real copies of the games.

An edition is a TOML file. The built-in one is `edition.toml` in the game's folder. A user's file,
`editions/<game>.toml` in the configuration folder, replaces it completely. Only a user's file is
checked at run time, by `EDITION` in the game's `edition.py` (see `checked_input`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from checked_input import source
from checked_input.checks import ValueMistake, find_mistakes
from checked_input.files import UnreadableFile, is_regular_file, read_text
from checked_input.mistakes import FileMistake
from companion.catalog import layout, registry
from companion.core.errors import CompanionError
from companion.core.game import Edition
from companion.core.prompts import Choose

Place: TypeAlias = "tuple[str | int, ...]"
"""The path of a value in an edition: keys and indices."""


def _nowhere(*_: object) -> tuple[Place, ...]:
    return ()


def _unasked(_data: Mapping[str, Any], place: Place, _last: bool) -> Choose:  # noqa: FBT001
    raise LookupError(place)


class EnterableBoard(NamedTuple):
    """The assumptions about a board that can be entered on the box: `TEACHABLE` in `edition.py`.

    - `counts`: what is counted first, such as spaces; asked with the sentences
      `<game>.count.<name>`.
    - `lo`, `hi`, `start`: minimum, maximum and assumed value of each count.
    - `loops(data)`: the lists that are counted, in the order of `counts`, each with its first field
      known.
    - `places(data, players)`: the other places to ask about when these people play.
    - `asks(data, place, last)`: the question about a place. `last`: the loop may end before the
      place, so its first field is an answer too.

    `companion.catalog.board_tour` asks the questions.
    """

    counts: tuple[str, ...] = ()
    lo: int = 1
    hi: int = 1
    start: int = 1
    loops: Callable[[Edition], Sequence[Place]] = _nowhere
    places: Callable[[Edition, tuple[str, ...]], Sequence[Place]] = _nowhere
    asks: Callable[[Edition, Place, bool], Choose] = _unasked


class EditionError(CompanionError, ValueError):
    """A user's edition has `mistakes`, sorted by line."""

    def __init__(self, mistakes: Sequence[FileMistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = tuple(mistakes)


class EditionExists(CompanionError, FileExistsError):
    """A user's edition exists already; it was not changed."""


class NoEdition(CompanionError, LookupError):
    """The game has nothing printed, so it has no edition."""


def load_edition(
    game: str, folder: Path | None = None, taught: Path | None = None
) -> dict[str, Any]:
    """Return the edition of a game as JSON values.

    - `folder`: the user's editions, which come first; None for none.
    - `taught`: the editions that were entered on the box (`companion.catalog.taught`); None for
      none.

    Without either, return the built-in edition, which is empty for a game without a board. Raise
    EditionError if a file has mistakes or is unreadable.
    """
    built_in = _file(game)
    if not built_in.exists():
        return {}
    user_file_path = active_file(game, folder, taught)
    if user_file_path is None:
        return deepcopy(_parsed(built_in.read_text("utf-8")))
    data, mistakes = _read(game, user_file_path)
    if mistakes:
        raise EditionError(mistakes)
    return data


def active_file(game: str, folder: Path | None, taught: Path | None) -> Path | None:
    """Return the file of the edition that counts; None for the built-in one."""
    files = (user_file(game, where) for where in (folder, taught) if where is not None)
    return next(filter(is_regular_file, files), None)


def enterable_board(game: str) -> EnterableBoard | None:
    """Return what a table can enter about its board; None if nothing."""
    return getattr(_part(game), "TEACHABLE", None) if _file(game).exists() else None


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """Parse a built-in edition once: menus that describe recorded games ask at each press."""
    return tomllib.loads(text)


def blank_edition(game: str, spaces: tuple[int, ...]) -> dict[str, Any]:
    """Return the built-in edition with enterable values unknown and loops of `spaces` fields."""
    data: dict[str, Any] = _part(game).blank(load_edition(game), spaces)
    return data


def check_edition(game: str, file: Path) -> list[FileMistake]:
    """Return all mistakes of an edition, sorted by line. Raise NoEdition."""
    edition_template(game)
    return _read(game, file)[1]


def edition_warnings(game: str, file: Path) -> list[FileMistake]:
    """Return remarks on a valid edition whose consequences a table should know, sorted by line.

    A game supplies them as `edition_warnings(data)` in its `edition.py`.
    """
    data, line_of = source.read_toml(file)
    remarks = getattr(_part(game), "warnings", lambda _: ())(data)
    warnings = [FileMistake(file, line_of(at), code, facts) for at, code, facts in remarks]
    return sorted(warnings, key=lambda mistake: mistake.line)


def write_user_edition(game: str, folder: Path, language: str) -> Path:
    """Write a commented copy of the built-in edition for the user to edit; return its path.

    - `language`: the language of the comments ("en", "fr"), if there is a translation.

    Raise NoEdition, EditionExists, or OSError if the file cannot be written.
    """
    text = edition_template(game, language).read_text("utf-8")
    file = user_file(game, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise EditionExists(f"{file} is there already: change that one, or move it away.") from None
    return file


def user_file(game: str, folder: Path) -> Path:
    """Return the path of a user's edition of a game; the file may not exist."""
    return folder / "editions" / f"{game}.toml"


def edition_template(game: str, language: str = "en") -> Path:
    """Return the path of a game's built-in edition in a language. Raise NoEdition."""
    files = (_file(game, f".{language}"), _file(game))
    for file in files:
        if file.exists():
            return file
    raise NoEdition(f"{game} has no printed board, so there is no edition of it.")


def edition_text(game: str, folder: Path, taught: Path, language: str) -> str:
    """Return the text of the edition that counts. Raise EditionError."""
    active = active_file(game, folder, taught)
    if active is None:
        return edition_template(game, language).read_text("utf-8")
    try:
        return read_text(active)
    except UnreadableFile as error:
        raise EditionError([_unreadable(active, error)]) from error


def _file(game: str, language: str = "") -> Path:
    """Return the path of the built-in edition of a game; the file may not exist."""
    return registry.part_path(game, f"edition{language}.toml")


def _read(game: str, file: Path) -> tuple[dict[str, Any], list[FileMistake]]:
    """Return the data of a file, and its mistakes."""
    try:
        data, line_of = source.read_toml(file)
    except UnreadableFile as error:
        return {}, [_unreadable(file, error)]
    mistakes = [
        FileMistake(file, line_of(at), code, facts) for at, code, facts in _judge(game, data)
    ]
    return data, sorted(mistakes, key=lambda mistake: mistake.line)


def _unreadable(file: Path, error: UnreadableFile) -> FileMistake:
    """Return the mistake of a file without data."""
    return FileMistake(file, error.line, error.code, error.facts)


def _judge(game: str, data: dict[str, Any]) -> list[ValueMistake]:
    """Return everything that is wrong with the data of an edition."""
    return find_mistakes(_part(game).EDITION, data)


def _part(game: str) -> Any:
    """Import the game's module that checks editions."""
    return layout.import_part(registry.module_name(game), "edition")
