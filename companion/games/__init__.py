"""The games in the box: one folder each, one line each here."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from companion.core import Game, UnknownGame
from companion.games import barney_miller

GAMES: tuple[Game[Any], ...] = (barney_miller.GAME,)


def find(name: str) -> Game[Any]:
    """The game of that name. Raises UnknownGame, with the nearest right name."""
    for game in GAMES:
        if game.name == name:
            return game
    names = [game.name for game in GAMES]
    near = get_close_matches(name, names, n=1, cutoff=0.3)
    hint = f"did you mean {near[0]}?" if near else f"the box has {', '.join(names)}."
    raise UnknownGame(f"There is no game called {name!r}: {hint}")
