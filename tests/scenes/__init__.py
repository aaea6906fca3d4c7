"""What the goldens show: a module a game, one for the box itself, one for what was played.

Each has `SCENES`: a name, and what leads to the frame.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from companion.games import registry
from tests.scenes import box, evening, figures

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.helpers import Drive


def _scenes(game: str) -> dict[str, Callable[[str], Drive]]:
    module = import_module(registry.module(game).replace("companion.games", "tests.scenes"))
    found: dict[str, Callable[[str], Drive]] = module.SCENES
    return found


SCENES: Final = (
    box.SCENES
    | evening.SCENES
    | figures.SCENES
    | {name: draw for game in registry.NAMES for name, draw in _scenes(game).items()}
)
"""A scene takes a language and gives the box that shows it; names begin with the game's."""


@cache
def drawn(scene: str, language: str) -> bytes:
    """The frame that a scene leads to."""
    return SCENES[scene](language).frame
