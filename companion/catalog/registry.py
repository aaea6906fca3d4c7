"""The games in the box: a folder or a package each, imported when somebody plays it.

Packages are looked up when the first game that is not built in is asked for: not before the first
frame.
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

    from companion.catalog.packages import Outside
    from companion.core.game import Game

NAMES: Final = ("barney-miller", "baretta", "kojak", "probe")
"""The built-in games, in the order of the box's menu."""
_KEPT: Final[list[Path]] = []
_IMPORTS: Final = [True]


class Origin(NamedTuple):
    """The package that a game is from, and its version; a record's header names both."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


def keep_in(file: Path) -> None:
    """Keep what is known of installed packages in this file."""
    if [file] != _KEPT:
        _KEPT[:] = [file]
        outside.cache_clear()


def import_none() -> None:
    """Take it from the packages which games they bring: this process runs no code of theirs."""
    _IMPORTS[:] = [False]
    outside.cache_clear()


@cache
def outside() -> tuple[Outside, ...]:
    """The games of installed packages, those that are left out too; looked up once."""
    return packages.look(NAMES, *_KEPT) if _IMPORTS[0] else packages.untried(NAMES)


def names() -> tuple[str, ...]:
    """Every game that can be played, in the order of the menu."""
    return (*NAMES, *(game.name for game in outside() if game.why is None))


def has(name: str) -> bool:
    """Whether there is such a game, and it can be played; what the box is called is none."""
    return name in NAMES or (name not in packages.OWNERS and name in names())


def known() -> tuple[str, ...]:
    """The names that are known without a look at the packages, if nobody has looked yet."""
    return names() if outside.cache_info().currsize else NAMES


def module(name: str) -> str:
    """A game's folder, as a Python module. Raises UnknownGame."""
    if name in NAMES:
        return f"companion.games.{name.replace('-', '_')}"
    return _outside(name).module


def origin(name: str) -> Origin | None:
    """The package that a game is from; None for one that is from no package."""
    own = () if name in NAMES else outside()
    return next((Origin(g.package, g.version) for g in own if g.name == name), None)


def folder(name: str) -> Path:
    """A game's folder, wherever Python finds it; the game is not imported. Raises UnknownGame."""
    try:
        spec = find_spec(module(name))
    except ImportError:  # a package around it is gone
        spec = None
    if spec is None or spec.origin is None:
        raise UnknownGame("no_folder", name=repr(name))
    return Path(spec.origin).parent


def path(name: str, file: str) -> Path:
    """Return the path of a part of a game, such as `page.js`; it may be missing.

    The game is not imported. Raises UnknownGame.
    """
    return layout.path(folder(name), file)


def part(name: str, file: str) -> ModuleType | None:
    """Import a part of a game. Return None if the game has none. Raises UnknownGame."""
    find(name)
    return layout.part(module(name), file)


def find(name: str) -> Game[Any]:
    """The game of that name.

    Raises UnknownGame with the nearest right name, or LeftOut with what is wrong with its package.
    """
    if name in NAMES:
        game: Game[Any] = import_module(module(name)).GAME
        return game
    return packages.load(_outside(name))


def recorded(name: str, of: Origin | None) -> Game[Any]:
    """The game of a record, which was played with the package `of`, None for a built-in one.

    Raises UnknownGame if the game is no longer built in, NotInstalled if that package is not there,
    or what `find` raises.
    """
    if of is None:
        if name not in NAMES:
            raise UnknownGame("gone", name=name)
        return find(name)
    own = (game for game in outside() if (game.name, game.package) == (name, of.package))
    if (found := next(own, None)) is None:
        raise NotInstalled(name, *of)
    return packages.load(_playable(found))


def every() -> tuple[Game[Any], ...]:
    """All the games that can be played, in order."""
    return tuple(map(find, names()))


def sounds() -> tuple[Path, ...]:
    """Where the games keep sounds of their own, in order; not every game has any."""
    found = []
    for name in names():
        with suppress(UnknownGame):  # its package was removed while the box is on
            found.append(path(name, "sounds"))
    return tuple(found)


def _outside(name: str) -> Outside:
    """The game of a package. Raises UnknownGame."""
    found = [game for game in outside() if game.name == name]
    if not found:
        near = nearest(name, names(), like=0.3)
        known = ", ".join(names())
        raise UnknownGame("near" if near else "unknown", found=repr(name), near=near, known=known)
    return _playable(found[0])


def _playable(found: Outside) -> Outside:
    """The game of a package. Raises LeftOut."""
    if found.why is not None:
        raise packages.left_out(found, found.why)
    return found
