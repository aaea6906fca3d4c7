"""Run 300 random games of each kind with leavers, corrections and random boards.

REFEREED: number of games of each kind. The quick tests play only a few games.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from companion.catalog import registry
from companion.core.prompts import LEAVING_PLAYER_QUESTION
from companion_testing.table import tables_of_all_option_combinations
from tests.games.refereed import faults, own_board, random_game
from tests.games.test_kit import LAWS
from tests.helpers import long_lane_params

GAMES: Final = int(os.environ.get("REFEREED", "300"))
FEW: Final = 4
BOARDS: Final = 5


@pytest.mark.sampled(1)
@pytest.mark.parametrize("games", [range(FEW), *long_lane_params([range(FEW, GAMES)])], ids=str)
@pytest.mark.parametrize("name", registry.BUILT_IN_GAMES)
def test_games_with_leavers_and_corrections_break_no_clause(name: str, games: range) -> None:
    every = [
        [*tables_of_all_option_combinations(registry.find_game(name), own_board(name, n))]
        for n in range(BOARDS)
    ]
    left = corrected = 0
    for n in games:
        some = every[n % BOARDS]
        played = random_game(some[n * 7 % len(some)], n)
        left += any(move.prompt.name == LEAVING_PLAYER_QUESTION for move in played.moves)
        corrected += any(move.prompt.name == "correct" for move in played.moves)
        assert not [*faults(played)]
        for law in LAWS[name]:
            law(played)
    assert len(games) == FEW or left > len(games) // 10
    assert corrected > len(games) // 10
