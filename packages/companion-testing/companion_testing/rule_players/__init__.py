"""Opponents for the arena that follow rules of thumb: `companion arena GAME --seats rules,strong`.

They share no code with the computer player: they read a seat's lines and search nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion_testing.rule_players.base import RulePlayer


def rule_player(game: str, player: str, seed: str) -> RulePlayer:
    """Return the rule-based player of a game, in the module of its name, for a seat.

    Raises ModuleNotFoundError for a game without one.
    """
    module = import_module(f"{__name__}.{game.replace('-', '_')}")
    made: RulePlayer = module.Rules(player, seed)
    return made
