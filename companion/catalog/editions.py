"""Editions: the data that are printed on the boards, posters and cards of a copy of a game.

An edition is a TOML file. The built-in edition is `edition.toml` in the game's folder. A user's
edition, `editions/<game>.toml` in the configuration folder, replaces the built-in edition
completely. The box checks a user's edition with `EDITION` in the game's `edition.py`.
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
from checked_input.files import UnreadableFile, may_file_exist, read_text
from checked_input.mistakes import FileMistake
from companion.catalog import layout, registry
from companion.core.errors import CompanionError
from companion.core.game import Edition
from companion.core.prompts import Choose

Place: TypeAlias = "tuple[str | int, ...]"
"""The path of a value in an edition's data, as a tuple of keys and indices."""


def _nowhere(*_: object) -> tuple[Place, ...]:
    return ()


def _unasked(_data: Mapping[str, Any], place: Place, _last: bool) -> Choose:  # noqa: FBT001
    raise LookupError(place)


class BoardTourPlan(NamedTuple):
    """The parts of a printed board whose values players can enter on the box.

    The constant `TEACHABLE` in a game's `edition.py` has this type.

    - `counted_lists`: the names of the board's lists, such as the spaces, whose entries players
      count first. The sentence `<game>.count.<name>` asks for the number of entries of a list.
    - `lo`, `hi`, `start`: the minimum, maximum and assumed number of entries of a counted list.
    - `loops(data)`: returns the path of each list in `counted_lists`, in the order of
      `counted_lists`. `data` is the edition. The first entry of each list is known.
    - `places(data, players)`: returns the paths of all values that do not belong to a list in
      `counted_lists`, and for which the box asks.
    - `asks(data, place, last)`: returns the question about a place. If `last` is True, players can
      also answer with the list's first entry, which means that the list is complete.
    """

    counted_lists: tuple[str, ...] = ()
    lo: int = 1
    hi: int = 1
    start: int = 1
    loops: Callable[[Edition], Sequence[Place]] = _nowhere
    places: Callable[[Edition, tuple[str, ...]], Sequence[Place]] = _nowhere
    asks: Callable[[Edition, Place, bool], Choose] = _unasked


class InvalidEditionError(CompanionError, ValueError):
    """The error for a user's edition file that is not valid.

    `mistakes`: the mistakes in the file, sorted by line.
    """

    def __init__(self, mistakes: Sequence[FileMistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = tuple(mistakes)


class EditionExistsError(CompanionError, FileExistsError):
    """The error for an attempt to create an edition file that already exists."""


class NoEditionError(CompanionError, LookupError):
    """The error for a game without an edition, because the game has no printed parts."""


def load_edition(
    game: str, folder: Path | None = None, taught: Path | None = None
) -> dict[str, Any]:
    """Return the edition of a game (the data of its printed parts) as JSON values.

    - `folder`: the configuration folder with the user's editions, which have priority; None to
      ignore users' editions.
    - `taught`: the folder with the editions that players entered on the box; None to ignore entered
      editions.

    If neither folder has an edition of the game, return the built-in edition. If the game has no
    printed parts, return an empty dictionary.

    Raise InvalidEditionError if a user's file has mistakes or cannot be read.
    """
    built_in = _file(game)
    if not built_in.exists():
        return {}
    user_file_path = active_edition_file(game, folder, taught)
    if user_file_path is None:
        return deepcopy(_parsed(built_in.read_text("utf-8")))
    data, mistakes = _read(game, user_file_path)
    if mistakes:
        raise InvalidEditionError(mistakes)
    return data


def active_edition_file(game: str, folder: Path | None, taught: Path | None) -> Path | None:
    """Return the edition file that the box uses for a game; None for the built-in edition.

    - `folder`: the folder with the user's editions, which have priority.
    - `taught`: the folder with the editions that players entered.
    """
    files = (user_edition_file(game, where) for where in (folder, taught) if where is not None)
    return next(filter(may_file_exist, files), None)


def board_tour_plan(game: str) -> BoardTourPlan | None:
    """Return the parts of a game's board that players can enter; None if there are none."""
    return getattr(_part(game), "TEACHABLE", None) if _file(game).exists() else None


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """Parse a built-in edition.

    Cache the result, because menus load editions at each button press.
    """
    return tomllib.loads(text)


def built_in_edition_without_values(game: str, spaces: tuple[int, ...]) -> dict[str, Any]:
    """Return the built-in edition of a game with each value replaced by UNKNOWN_BOARD_VALUE.

    `spaces`: the number of entries of each list whose entries players count.
    """
    data: dict[str, Any] = _part(game).blank(load_edition(game), spaces)
    return data


def find_edition_file_mistakes(game: str, file: Path) -> list[FileMistake]:
    """Return all mistakes in a user's edition file, sorted by line.

    Raise NoEditionError if the game has no edition.
    """
    built_in_edition_file(game)
    return _read(game, file)[1]


def unusual_edition_value_warnings(game: str, file: Path) -> list[FileMistake]:
    """Return warnings about unusual values in a valid edition file, sorted by line.

    The function `warnings` in the game's `edition.py` supplies the warnings.
    """
    data, line_of = source.read_toml(file)
    remarks = getattr(_part(game), "warnings", lambda _: ())(data)
    warnings = [FileMistake(file, line_of(at), code, facts) for at, code, facts in remarks]
    return sorted(warnings, key=lambda mistake: mistake.line)


def write_user_edition_template(game: str, folder: Path, language: str) -> Path:
    """Write a commented copy of the built-in edition into the user's `folder`, and return its path.

    `language`: the language of the comments ("en", "fr").

    Raise NoEditionError if the game has no edition. Raise EditionExistsError if the user already
    has an edition. Raise OSError if the file cannot be written.
    """
    text = built_in_edition_file(game, language).read_text("utf-8")
    file = user_edition_file(game, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise EditionExistsError(
            f"{file} is there already: change that one, or move it away."
        ) from None
    return file


def user_edition_file(game: str, folder: Path) -> Path:
    """Return the path at which `folder` may contain an edition file for a game."""
    return folder / "editions" / f"{game}.toml"


def built_in_edition_file(game: str, language: str = "en") -> Path:
    """Return the path of a game's built-in edition.

    If an edition file with comments in `language` exists, return the path of that file. Raise
    NoEditionError if the game has no edition.
    """
    files = (_file(game, f".{language}"), _file(game))
    for file in files:
        if file.exists():
            return file
    raise NoEditionError(f"{game} has no printed board, so there is no edition of it.")


def active_edition_text(game: str, folder: Path, taught: Path, language: str) -> str:
    """Return the TOML text of the edition that the box uses for a game.

    Raise InvalidEditionError if the edition file cannot be read. Raise NoEditionError if the game
    has no edition.
    """
    active = active_edition_file(game, folder, taught)
    if active is None:
        return built_in_edition_file(game, language).read_text("utf-8")
    try:
        return read_text(active)
    except UnreadableFile as error:
        raise InvalidEditionError([_unreadable(active, error)]) from error


def _file(game: str, language: str = "") -> Path:
    return registry.game_file_path(game, f"edition{language}.toml")


def _read(game: str, file: Path) -> tuple[dict[str, Any], list[FileMistake]]:
    try:
        data, line_of = source.read_toml(file)
    except UnreadableFile as error:
        return {}, [_unreadable(file, error)]
    mistakes = [
        FileMistake(file, line_of(at), code, facts) for at, code, facts in _judge(game, data)
    ]
    return data, sorted(mistakes, key=lambda mistake: mistake.line)


def _unreadable(file: Path, error: UnreadableFile) -> FileMistake:
    return FileMistake(file, error.line, error.code, error.facts)


def _judge(game: str, data: dict[str, Any]) -> list[ValueMistake]:
    return find_mistakes(_part(game).EDITION, data)


def _part(game: str) -> Any:
    return layout.import_game_submodule(registry.game_module_name(game), "edition")
