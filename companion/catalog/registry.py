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
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from checked_input.nearest import nearest
from companion.catalog import layout, packages
from companion.core.errors import NotInstalled, UnknownGame

if TYPE_CHECKING:
    from types import ModuleType

    from companion.catalog.packages import PackagedGame
    from companion.core.game import Game

NAMES: Final = ("barney-miller", "baretta", "kojak", "probe")
"""The built-in games, in the order of the menu."""
_KEPT: Final[list[Path]] = []
_IMPORTS: Final = [True]


class Origin(NamedTuple):
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
        packages.find_packaged_games(NAMES, *_KEPT)
        if _IMPORTS[0]
        else packages.list_without_import(NAMES)
    )


def names() -> tuple[str, ...]:
    """Return the names of all playable games, in the order of the menu."""
    return (*NAMES, *(game.name for game in packaged_games() if game.why is None))


def has(name: str) -> bool:
    """Return True if a playable game has that name."""
    return name in NAMES or (name not in packages.OWNERS and name in names())


def registered_names() -> tuple[str, ...]:
    """Return the names of games found so far, without searching the packages."""
    return names() if packaged_games.cache_info().currsize else NAMES


def module(name: str) -> str:
    """Return the Python module of a game. Raise UnknownGame."""
    if name in NAMES:
        return f"companion.games.{name.replace('-', '_')}"
    return _outside(name).module


def origin(name: str) -> Origin | None:
    """Return the package of a game; None if it is built in."""
    own = () if name in NAMES else packaged_games()
    return next((Origin(g.package, g.version) for g in own if g.name == name), None)


def folder(name: str) -> Path:
    """Return the folder of a game without importing it. Raise UnknownGame."""
    try:
        spec = find_spec(module(name))
    except ImportError:  # the package around it was removed
        spec = None
    if spec is None or spec.origin is None:
        raise UnknownGame("no_folder", name=repr(name))
    return Path(spec.origin).parent


def path(name: str, file: str) -> Path:
    """Return the path of a part of a game, such as `page.js`; it may be missing.

    The game is not imported. Raise UnknownGame.
    """
    return layout.path(folder(name), file)


def part(name: str, file: str) -> ModuleType | None:
    """Import a part of a game. Return None if the game has none. Raise UnknownGame."""
    find(name)
    return layout.part(module(name), file)


def find(name: str) -> Game[Any]:
    """Return the game of that name.

    Raise UnknownGame with the most similar name, or LeftOut with what is wrong with its package.
    """
    if name in NAMES:
        game: Game[Any] = import_module(module(name)).GAME
        return game
    return packages.load_game(_outside(name))


def game_of_record(name: str, of: Origin | None) -> Game[Any]:
    """Return the game of a record; `of` is its package, None for a built-in game.

    Raise UnknownGame if the game is not built in any more, NotInstalled if the package is missing,
    and the errors of `find`.
    """
    if of is None:
        if name not in NAMES:
            raise UnknownGame("gone", name=name)
        return find(name)
    own = (game for game in packaged_games() if (game.name, game.package) == (name, of.package))
    if (found := next(own, None)) is None:
        raise NotInstalled(name, *of)
    return packages.load_game(_playable(found))


def all_games() -> tuple[Game[Any], ...]:
    """Return all playable games, in the order of the menu."""
    return tuple(map(find, names()))


def sound_folders() -> tuple[Path, ...]:
    """Return the folders of the games' own sounds."""
    found = []
    for name in names():
        with suppress(UnknownGame):  # its package was removed while the box is running
            found.append(path(name, "sounds"))
    return tuple(found)


def _outside(name: str) -> PackagedGame:
    """Return the game of a package. Raise UnknownGame."""
    found = [game for game in packaged_games() if game.name == name]
    if not found:
        near = nearest(name, names(), like=0.3)
        known = ", ".join(names())
        raise UnknownGame("near" if near else "unknown", found=repr(name), near=near, known=known)
    return _playable(found[0])


def _playable(found: PackagedGame) -> PackagedGame:
    """Return the game of a package. Raise LeftOut."""
    if found.why is not None:
        raise packages.left_out_error(found, found.why)
    return found
