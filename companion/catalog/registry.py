"""The games on the box: a folder or a package each, imported when the game is played.

Packages are searched when a game that is not built in is requested for the first time, which is
never before the first frame.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from checked_input.nearest import nearest_word
from companion.catalog import layout, packages
from companion.catalog.packages import PackagedGame
from companion.core.errors import GameNotInstalled, UnknownGame
from companion.core.game import Game

BUILT_IN_GAMES: Final = ("barney-miller", "baretta", "kojak", "probe")
"""The built-in games, in the order of the menu."""
_KEPT: Final[list[Path]] = []
_IMPORTS: Final = [True]


class PackageVersion(NamedTuple):
    """The package of a game and its version, as the header of a record stores them."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


def set_cache_file(file: Path) -> None:
    """Cache the list of installed games in this file."""
    if [file] != _KEPT:
        _KEPT[:] = [file]
        packaged_games.cache_clear()


def forbid_imports() -> None:
    """Trust the names in the packages: this process never imports their code."""
    _IMPORTS[:] = [False]
    packaged_games.cache_clear()


@cache
def packaged_games() -> tuple[PackagedGame, ...]:
    """Return the games of installed packages, also those left out. The search runs once."""
    return (
        packages.find_packaged_games(BUILT_IN_GAMES, *_KEPT)
        if _IMPORTS[0]
        else packages.list_without_import(BUILT_IN_GAMES)
    )


def playable_names() -> tuple[str, ...]:
    """Return the names of all playable games, in the order of the menu."""
    return (*BUILT_IN_GAMES, *(game.name for game in packaged_games() if game.why is None))


def is_playable(name: str) -> bool:
    """Return True if a playable game has that name."""
    return name in BUILT_IN_GAMES or (
        name not in packages.RESERVED_NAMES and name in playable_names()
    )


def registered_names() -> tuple[str, ...]:
    """Return the names of games found so far, without searching the packages."""
    return playable_names() if packaged_games.cache_info().currsize else BUILT_IN_GAMES


def module_name(name: str) -> str:
    """Return the Python module of a game. Raise UnknownGame."""
    if name in BUILT_IN_GAMES:
        return f"companion.games.{name.replace('-', '_')}"
    return _outside(name).module


def package_of(name: str) -> PackageVersion | None:
    """Return the package of a game; None if it is built in."""
    games = () if name in BUILT_IN_GAMES else packaged_games()
    return next((PackageVersion(g.package, g.version) for g in games if g.name == name), None)


def game_folder(name: str) -> Path:
    """Return the folder of a game without importing it. Raise UnknownGame."""
    try:
        spec = find_spec(module_name(name))
    except ImportError:  # the package around it was removed
        spec = None
    if spec is None or spec.origin is None:
        raise UnknownGame("no_folder", name=repr(name))
    return Path(spec.origin).parent


def part_path(name: str, file: str) -> Path:
    """Return the path of a part of a game, such as `page.js`; it may be missing.

    The game is not imported. Raise UnknownGame.
    """
    return layout.part_path(game_folder(name), file)


def import_part(name: str, file: str) -> ModuleType | None:
    """Import a part of a game. Return None if the game has none. Raise UnknownGame."""
    find_game(name)
    return layout.import_part(module_name(name), file)


def find_game(name: str) -> Game[Any]:
    """Return the game of that name.

    Raise UnknownGame with the most similar name, or ExcludedGame with the fault of its package.
    """
    if name in BUILT_IN_GAMES:
        game: Game[Any] = import_module(module_name(name)).GAME
        return game
    return packages.load_game(_outside(name))


def game_of_record(name: str, of: PackageVersion | None) -> Game[Any]:
    """Return the game of a record; `of` is its package, None for a built-in game.

    Raise UnknownGame if the game is not built in any more, GameNotInstalled if its package is
    missing, and the errors of `find_game`.
    """
    if of is None:
        if name not in BUILT_IN_GAMES:
            raise UnknownGame("gone", name=name)
        return find_game(name)
    candidates = (
        game for game in packaged_games() if (game.name, game.package) == (name, of.package)
    )
    if (packaged := next(candidates, None)) is None:
        raise GameNotInstalled(name, *of)
    return packages.load_game(_playable(packaged))


def all_games() -> tuple[Game[Any], ...]:
    """Return all playable games, in the order of the menu."""
    return tuple(map(find_game, playable_names()))


def sound_folders() -> tuple[Path, ...]:
    """Return the folders of the games' own sounds."""
    folders = []
    for name in playable_names():
        with suppress(UnknownGame):  # its package was removed while the box is running
            folders.append(part_path(name, "sounds"))
    return tuple(folders)


def _outside(name: str) -> PackagedGame:
    """Return the game of a package. Raise UnknownGame."""
    games = [game for game in packaged_games() if game.name == name]
    if not games:
        near = nearest_word(name, playable_names(), like=0.3)
        names = ", ".join(playable_names())
        raise UnknownGame("near" if near else "unknown", found=repr(name), near=near, known=names)
    return _playable(games[0])


def _playable(packaged: PackagedGame) -> PackagedGame:
    """Return the game of a package. Raise ExcludedGame."""
    if packaged.why is not None:
        raise packages.left_out_error(packaged, packaged.why)
    return packaged
