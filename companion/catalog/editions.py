"""Editions: the printed texts and spaces on the boards, posters and cards of real copies of games.

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
from checked_input.files import UnreadableFile, is_regular_file, read_text
from checked_input.mistakes import FileMistake
from companion.catalog import layout, registry
from companion.core.errors import CompanionError
from companion.core.game import Edition
from companion.core.prompts import Choose

Place: TypeAlias = "tuple[str | int, ...]"
"""The path of a value in an edition, as a tuple of keys and indices."""


def _nowhere(*_: object) -> tuple[Place, ...]:
    return ()


def _unasked(_data: Mapping[str, Any], place: Place, _last: bool) -> Choose:  # noqa: FBT001
    raise LookupError(place)


class BoardTourPlan(NamedTuple):
    """The parts of a board that players can enter on the box.

    The constant `TEACHABLE` in a game's `edition.py` has this type.

    - `counts`: names of the things that players count before the tour, such as spaces. The box asks
      for a count with the sentence `<game>.count.<name>`.
    - `lo`, `hi`, `start`: minimum, maximum and assumed value of each count.
    - `loops(data)`: paths of the counted lists, in the order of `counts`. The first entry of each
      list is known.
    - `places(data, players)`: paths of the values outside these lists that the box asks for.
    - `asks(data, place, last)`: the question about a place. If `last` is True, players can also
      answer with the loop's first field, which closes the loop.
    """

    counts: tuple[str, ...] = ()
    lo: int = 1
    hi: int = 1
    start: int = 1
    loops: Callable[[Edition], Sequence[Place]] = _nowhere
    places: Callable[[Edition, tuple[str, ...]], Sequence[Place]] = _nowhere
    asks: Callable[[Edition, Place, bool], Choose] = _unasked


class EditionError(CompanionError, ValueError):
    """The error that a user's edition has `mistakes`, which are sorted by line."""

    def __init__(self, mistakes: Sequence[FileMistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = tuple(mistakes)


class EditionExists(CompanionError, FileExistsError):
    """The error that the user already has an edition of the game."""


class NoEdition(CompanionError, LookupError):
    """The error that the game has no edition, because its copies have nothing printed."""


def load_edition(
    game: str, folder: Path | None = None, taught: Path | None = None
) -> dict[str, Any]:
    """Return the edition of a game as JSON values.

    - `folder`: the folder with the user's editions, which have priority; None if there is no
      folder.
    - `taught`: the folder with the editions that players entered on the box; None if there is no
      folder.

    If neither folder has an edition of the game, return the built-in edition. A game without
    printed parts has an empty edition. Raise EditionError if a user's file has mistakes or cannot
    be read.
    """
    built_in = _file(game)
    if not built_in.exists():
        return {}
    user_file_path = active_edition_file(game, folder, taught)
    if user_file_path is None:
        return deepcopy(_parsed(built_in.read_text("utf-8")))
    data, mistakes = _read(game, user_file_path)
    if mistakes:
        raise EditionError(mistakes)
    return data


def active_edition_file(game: str, folder: Path | None, taught: Path | None) -> Path | None:
    """Return the edition file that the box uses; None if the box uses the built-in edition."""
    files = (user_edition_file(game, where) for where in (folder, taught) if where is not None)
    return next(filter(is_regular_file, files), None)


def board_tour_plan(game: str) -> BoardTourPlan | None:
    """Return the parts of the board that players can enter; None if there are no such parts."""
    return getattr(_part(game), "TEACHABLE", None) if _file(game).exists() else None


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """Parse a built-in edition. The result is cached, because menus load editions at each press."""
    return tomllib.loads(text)


def edition_without_values(game: str, spaces: tuple[int, ...]) -> dict[str, Any]:
    """Return the built-in edition with UNKNOWN values, and with `spaces` as loop lengths."""
    data: dict[str, Any] = _part(game).blank(load_edition(game), spaces)
    return data


def check_edition(game: str, file: Path) -> list[FileMistake]:
    """Return all mistakes in an edition file, sorted by line.

    Raise NoEdition if the game has no edition.
    """
    built_in_edition_file(game)
    return _read(game, file)[1]


def edition_warnings(game: str, file: Path) -> list[FileMistake]:
    """Return warnings about a valid edition that changes a game in an unusual way.

    The function `warnings` in the game's `edition.py` supplies the warnings.
    """
    data, line_of = source.read_toml(file)
    remarks = getattr(_part(game), "warnings", lambda _: ())(data)
    warnings = [FileMistake(file, line_of(at), code, facts) for at, code, facts in remarks]
    return sorted(warnings, key=lambda mistake: mistake.line)


def write_user_edition(game: str, folder: Path, language: str) -> Path:
    """Write a commented copy of the built-in edition for the user, and return its path.

    language: the language of the comments ("en", "fr"). Raise NoEdition if the game has no edition.
    Raise EditionExists if the user already has an edition. Raise OSError if the file cannot be
    written.
    """
    text = built_in_edition_file(game, language).read_text("utf-8")
    file = user_edition_file(game, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise EditionExists(f"{file} is there already: change that one, or move it away.") from None
    return file


def user_edition_file(game: str, folder: Path) -> Path:
    """Return the path of a user's edition file for a game; the file may be missing."""
    return folder / "editions" / f"{game}.toml"


def built_in_edition_file(game: str, language: str = "en") -> Path:
    """Return the path of a built-in edition with comments in `language`.

    Raise NoEdition if the game has no edition.
    """
    files = (_file(game, f".{language}"), _file(game))
    for file in files:
        if file.exists():
            return file
    raise NoEdition(f"{game} has no printed board, so there is no edition of it.")


def active_edition_text(game: str, folder: Path, taught: Path, language: str) -> str:
    """Return the TOML text of the edition that the box uses.

    Raise EditionError if the edition file cannot be read.
    """
    active = active_edition_file(game, folder, taught)
    if active is None:
        return built_in_edition_file(game, language).read_text("utf-8")
    try:
        return read_text(active)
    except UnreadableFile as error:
        raise EditionError([_unreadable(active, error)]) from error


def _file(game: str, language: str = "") -> Path:
    return registry.game_part_path(game, f"edition{language}.toml")


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
    return layout.import_game_part(registry.game_module_name(game), "edition")
