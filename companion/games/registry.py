"""The games in the box: one folder each, one name each here, imported when somebody plays it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import UnknownGame
from handwritten.nearest import hint

if TYPE_CHECKING:
    from types import ModuleType

    from companion.core.game import Game

NAMES: Final = ("barney-miller", "baretta", "kojak", "probe")
"""In the order of the box's menu."""


def package(name: str) -> str:
    """The name of a game's folder, as a Python module."""
    return f"companion.games.{name.replace('-', '_')}"


def folder(name: str) -> Path:
    """A game's folder, wherever Python finds it; the game itself is not imported."""
    spec = find_spec(package(name))
    if spec is None or spec.origin is None:
        raise UnknownGame(f"The folder of {name!r} is gone: install its package again.")
    return Path(spec.origin).parent


def part(name: str, file: str) -> ModuleType | None:
    """A file of a game's folder, imported now; None if it has none. Raises UnknownGame."""
    find(name)
    module = f"{package(name)}.{file}"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None


def find(name: str) -> Game[Any]:
    """The game of that name. Raises UnknownGame, with the nearest right name."""
    if name in NAMES:
        game: Game[Any] = import_module(package(name)).GAME
        return game
    near = hint(name, NAMES, "the box has {}.", like=0.3)
    raise UnknownGame(f"There is no game called {name!r}: {near}")


def every() -> tuple[Game[Any], ...]:
    """All the games, in order."""
    return tuple(map(find, NAMES))
