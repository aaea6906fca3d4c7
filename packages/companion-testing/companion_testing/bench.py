"""Measurement of a game's speed and number of presses, for each combination of options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.core.game import Edition, Game
from companion.play import simulate
from companion_testing.table import tables_of_all_option_combinations


class GameSpeed(NamedTuple):
    """The speed of random games at a table: answers per second, and presses per answer."""

    table: str
    answers: float
    presses: float


def measure_game_speeds(game: Game[Any], edition: Edition, games: int = 100) -> Iterator[GameSpeed]:
    """Measure the speed of a game; yield one result for each combination of options.

    The speed depends on the machine.
    """
    for table in tables_of_all_option_combinations(game, edition):
        first = table.game.setup(table.players, table.options, table.edition)
        fast = simulate.simulate_random_games(table.game, first, games=games, seed=1, count=False)
        counted = simulate.simulate_random_games(table.game, first, games=games, seed=1)
        presses = counted.presses / counted.player_answers if counted.player_answers else 0.0
        yield GameSpeed(table.id, fast.answers / fast.seconds, presses)
