"""All four games, proved by the kit, with laws of their own.

PLAYOUTS=10000 plays that many random games at each table instead of one, CLUMSY=1000 that many of
each game in which people err with their own parts.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion import testing
from companion.catalog import editions, registry
from companion.testing import clumsy
from tests.games.baretta import laws as baretta
from tests.games.barney_miller import laws as barney_miller
from tests.games.kojak import laws as kojak
from tests.games.probe import laws as probe
from tests.met import OTHERS, longest

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.testing import Check, Playout

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
CHECKS: Final = [
    check
    for game in registry.every()
    for check in testing.checks(
        game,
        games=GAMES,
        laws=(every_fact_cites_its_clause, *LAWS[game.name]),
        longest=longest(game.name),
    )
] + [
    check
    for name, other in OTHERS.items()
    for check in testing.checks(
        registry.find(name),
        games=1,
        laws=(every_fact_cites_its_clause, *LAWS[name]),
        edition=other(editions.load(name)),
        longest=other(longest(name)),
    )
]


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_the_kit_finds_nothing(check: Check) -> None:
    assert not [str(finding) for finding in check.run()]


@pytest.mark.skipif(not CLUMSY, reason="CLUMSY says how many; each check above plays one as well")
@pytest.mark.parametrize("game", registry.every(), ids=lambda game: game.name)
def test_a_clumsy_table_ends_every_game(game: Game[Any]) -> None:
    every = [*testing.tables(game, editions.load(game.name))]
    for n in range(CLUMSY):
        assert not [*clumsy.erring(every[n % len(every)], n)]
