"""Run the test kit on all four games, with the laws of each game.

PLAYOUTS: number of random games at each table (default: 1). CLUMSY: number of games of each kind in
which people make mistakes with their own parts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import pytest

import companion_testing as testing
from companion.catalog import editions, registry
from companion.core.game import Game
from companion_testing import GameCheck, Playout, mistakes
from tests.games.baretta import laws as baretta
from tests.games.barney_miller import laws as barney_miller
from tests.games.kojak import laws as kojak
from tests.games.probe import laws as probe
from tests.met import OTHER_EDITIONS, longest_edition

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

GAMES: Final = int(os.environ.get("PLAYOUTS", "1"))
CLUMSY: Final = int(os.environ.get("CLUMSY", "0"))


def every_fact_cites_its_clause(playout: Playout) -> None:
    assert all(cue.clause for move in playout.moves for cue in move.cues)


LAWS: Final = {
    "barney-miller": barney_miller.LAWS,
    "baretta": baretta.LAWS,
    "kojak": kojak.LAWS,
    "probe": probe.LAWS,
}
HIDING: Final = {"virtual", "secret"}
"""Options with which the box has secrets. The quick tests check one of these tables of each game,
and the game's English words.
"""


def checks(
    name: str, games: int, other: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
) -> Iterator[ParameterSet]:
    """Yield the checks of a game on its printed board, or on the board that `other` returns."""
    laws = (every_fact_cites_its_clause, *LAWS[name])
    edition, board = (
        other(board) if other else board
        for board in (editions.load_edition(name), longest_edition(name))
    )
    *tables, english, french = testing.list_checks(
        registry.find_game(name),
        games=games,
        laws=laws,
        edition=edition,
        longest=board,
        slowly=True,
    )
    hiding = next(table for table in tables if not HIDING.isdisjoint(table.id.split("-")))
    quick = () if other else (hiding, english)
    for check in (*tables, english, french):
        marks = () if check in quick else pytest.mark.long
        yield pytest.param(check, id=str(check), marks=marks)


CHECKS: Final = (
    *(check for name in registry.BUILT_IN_GAMES for check in checks(name, GAMES)),
    *(check for name, other in OTHER_EDITIONS.items() for check in checks(name, 1, other)),
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("check", CHECKS)
def test_the_kit_finds_nothing(check: GameCheck) -> None:
    assert not [str(finding) for finding in check.run()]


@pytest.mark.long
@pytest.mark.parametrize("game", registry.playable_games(), ids=lambda game: game.name)
def test_the_command_finds_nothing_in_as_many_games_as_it_plays(game: Game[Any]) -> None:
    assert not [str(finding) for finding in testing.run_all_checks(game)]


@pytest.mark.skipif(not CLUMSY, reason="set CLUMSY to the number of games to play")
@pytest.mark.parametrize("game", registry.playable_games(), ids=lambda game: game.name)
def test_a_clumsy_table_ends_every_game(game: Game[Any]) -> None:
    every = [*testing.tables_of_all_option_combinations(game, editions.load_edition(game.name))]
    for n in range(CLUMSY):
        assert not [*mistakes.find_faults_after_mistakes(every[n % len(every)], n)]
