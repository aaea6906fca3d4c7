"""Rule players: opponents called `rules` in the arena, which follow simple rules of thumb.

A rule player reads the messages for its seat and searches no positions. A rule player shares no
code with the computer player.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion_testing.rule_players.base import RulePlayer


def make_rule_player(game: str, player: str, seed: str) -> RulePlayer:
    """Return the rule player of a game for a seat, from the module with the game's name.

    Raise ModuleNotFoundError if the game has no rule player.
    """
    module = import_module(f"{__name__}.{game.replace('-', '_')}")
    made: RulePlayer = module.RuleBasedPlayer(player, seed)
    return made
