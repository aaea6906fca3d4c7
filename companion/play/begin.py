"""The preparation of a new game: a fresh seed and the computer players."""

from __future__ import annotations

from collections.abc import Mapping

from companion.catalog import registry
from companion.core.chance import Chance, fresh_seed
from companion.core.game import Edition
from companion.core.version import installed_version
from companion.play.answer_history import ComputerPlayerProgram, GameSetup


def new_game_setup(
    game: str,
    players: tuple[str, ...],
    options: Mapping[str, str],
    edition: Edition,
    programs: Mapping[str, str] = {},
) -> GameSetup:
    """Return the setup of a new game with a fresh seed.

    `programs`: table from a computer player's name to the name of its level.
    """
    setup = GameSetup(registry.find_game(game), players, options, edition, Chance(fresh_seed()))
    return setup._replace(
        programs={who: computer_player_of_level(level) for who, level in programs.items()}
    )


def computer_player_of_level(level: str) -> ComputerPlayerProgram:
    """Return a computer player of the level `level`, with the installed program version."""
    return ComputerPlayerProgram(level, installed_version())
