"""The rulings of version 0.1, by which games that were begun with it go on.

They told who held a 0, and let what was told of own cards decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.barney_miller.board import TEN

if TYPE_CHECKING:
    from companion.games.barney_miller.state import State


def only_value(state: State) -> int | None:
    """BM-7: the only value that own cards can have left."""
    return state.unseen.index(max(state.unseen)) if state.unseen.count(0) == TEN else None


def is_asked(state: State) -> bool:
    """BM-8: who holds a 0; of own cards whoever can."""
    hand = state.hands[state.turn]
    return bool(hand and state.unseen[0] > 0) if state.table.own else 0 in hand
