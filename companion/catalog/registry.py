"""The registry of games on the box: built-in games, and games of installed packages.

The box imports a game when the box first needs the game. The box searches the installed packages
when it first needs a game that is not built in.
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
"""The names of the built-in games, in the order of the menu."""
_KEPT: Final[list[Path]] = []
_IMPORTS: Final = [True]


class PackageVersion(NamedTuple):
    """The name and the version of the installed package that contains a game."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


def set_packaged_games_cache_file(file: Path) -> None:
    """Set the file that caches the list of games in installed packages."""
    if [file] != _KEPT:
        _KEPT[:] = [file]
        packaged_games.cache_clear()


def disable_packaged_game_imports() -> None:
    """Let `packaged_games` list the games of installed packages without importing them.

    The list then also contains faulty games, because only an import can detect their faults.
    """
    _IMPORTS[:] = [False]
    packaged_games.cache_clear()


@cache
def packaged_games() -> tuple[PackagedGame, ...]:
    """Return the games of installed packages, including excluded games.

    The first call searches the packages; later calls return the stored result.
    """
    return (
        packages.find_packaged_games(BUILT_IN_GAMES, *_KEPT)
        if _IMPORTS[0]
        else packages.packaged_games_without_import(BUILT_IN_GAMES)
    )


def playable_game_names() -> tuple[str, ...]:
    """Return the names of all playable games (built-in and packaged), in the order of the menu."""
    return (
        *BUILT_IN_GAMES,
        *(game.name for game in packaged_games() if game.exclusion_reason is None),
    )


def is_playable_game(name: str) -> bool:
    """Return True if a playable game has the name `name`."""
    return name in BUILT_IN_GAMES or (
        name not in packages.RESERVED_NAMES and name in playable_game_names()
    )


def already_found_game_names() -> tuple[str, ...]:
    """Return the names of playable games, without a search of the installed packages.

    Before `packaged_games` has searched the packages, return only the built-in games.
    """
    return playable_game_names() if packaged_games.cache_info().currsize else BUILT_IN_GAMES


def game_module_name(name: str) -> str:
    """Return the name of a game's Python module. Raise UnknownGame if no game has that name."""
    if name in BUILT_IN_GAMES:
        return f"companion.games.{name.replace('-', '_')}"
    return _outside(name).module


def game_package_version(name: str) -> PackageVersion | None:
    """Return the package (name and version) of a game; None for a built-in or unknown game."""
    games = () if name in BUILT_IN_GAMES else packaged_games()
    return next((PackageVersion(g.package, g.version) for g in games if g.name == name), None)


def game_folder(name: str) -> Path:
    """Return the folder of a game without importing the game.

    Raise UnknownGame if no game has that name or its package was removed.
    """
    try:
        spec = find_spec(game_module_name(name))
    except ImportError:  # the game's package was removed
        spec = None
    if spec is None or spec.origin is None:
        raise UnknownGame("no_folder", name=repr(name))
    return Path(spec.origin).parent


def game_file_path(name: str, file: str) -> Path:
    """Return the path of a game's file, such as `page.js`, without importing the game.

    The file may be missing. Raise UnknownGame if no game has that name.
    """
    return layout.game_file_path(game_folder(name), file)


def import_game_submodule(name: str, file: str) -> ModuleType | None:
    """Import and return a module of a game, such as "face"; None if the game lacks the module.

    Raise UnknownGame if no game has that name.
    """
    find_game(name)
    return layout.import_game_submodule(game_module_name(name), file)


def find_game(name: str) -> Game[Any]:
    """Return the game with the name `name`.

    If no game has that name, raise UnknownGame, which suggests the most similar name. If the game
    is not playable, raise ExcludedGame, which states the reason.
    """
    if name in BUILT_IN_GAMES:
        game: Game[Any] = import_module(game_module_name(name)).GAME
        return game
    return packages.load_packaged_game(_outside(name))


def find_game_of_record(name: str, of: PackageVersion | None) -> Game[Any]:
    """Return the rules of the game `name`, which the header of a record names.

    `of`: the package of the game; None for a built-in game.

    Raise UnknownGame if the game is a former built-in game. Raise GameNotInstalled if the game's
    package is missing. Raise ExcludedGame if the game is not playable.
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
    return packages.load_packaged_game(_playable(packaged))


def playable_games() -> tuple[Game[Any], ...]:
    """Import and return all playable games, in the order of the menu."""
    return tuple(map(find_game, playable_game_names()))


def game_sound_folders() -> tuple[Path, ...]:
    """Return the sound folders of all playable games; a folder may be missing."""
    folders = []
    for name in playable_game_names():
        with suppress(UnknownGame):  # skip a package that was uninstalled meanwhile
            folders.append(game_file_path(name, "sounds"))
    return tuple(folders)


def _outside(name: str) -> PackagedGame:
    games = [game for game in packaged_games() if game.name == name]
    if not games:
        near = nearest_word(name, playable_game_names(), like=0.3)
        names = ", ".join(playable_game_names())
        raise UnknownGame("near" if near else "unknown", found=repr(name), near=near, known=names)
    return _playable(games[0])


def _playable(packaged: PackagedGame) -> PackagedGame:
    if packaged.exclusion_reason is not None:
        raise packages.excluded_game_error(packaged, packaged.exclusion_reason)
    return packaged
