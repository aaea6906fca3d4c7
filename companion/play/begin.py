"""A new game: the edition in force, and a seed that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.catalog import editions, registry
from companion.catalog.editions import EditionError
from companion.core.chance import Chance, fresh_seed
from companion.core.version import version
from companion.play.line import Program, Setup
from companion.play.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["EditionError", "Session", "setup"]


def setup(
    game: str,
    players: tuple[str, ...],
    options: Mapping[str, str],
    folder: Path | None,
    taught: Path | None = None,
    programs: Mapping[str, str] = {},
) -> Setup:
    """What a game begins with; `folder` is where users keep their own editions, `taught` the box.

    `programs` are the players whose seat the box plays, each with its level.

    Raises EditionError if the edition there has mistakes.
    """
    edition = editions.load(game, folder, taught)
    setup = Setup(registry.find(game), players, options, edition, Chance(fresh_seed()))
    return setup._replace(programs={who: program(level) for who, level in programs.items()})


def program(level: str) -> Program:
    """How this companion plays a seat."""
    return Program(level, version())
