"""Prepare a new game: its board edition and a fresh seed."""

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
    """Return the setup of a new game.

    - `folder`: the folder of the user's own editions; None for none.
    - `taught`: the folder of editions that were entered on the box; None for none.
    - `programs`: the level of each computer player, by player.

    Raise EditionError if the edition has mistakes.
    """
    edition = editions.load(game, folder, taught)
    setup = Setup(registry.find(game), players, options, edition, Chance(fresh_seed()))
    return setup._replace(programs={who: program(level) for who, level in programs.items()})


def program(level: str) -> Program:
    """Return the computer player of a level, in this version."""
    return Program(level, version())
