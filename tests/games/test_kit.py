"""All four games, proved by the kit, with laws of their own.

PLAYOUTS=10000 plays that many random games at each table instead of a few.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import pytest

from companion.games import editions, registry, testing
from tests.games.baretta import laws as baretta
from tests.games.barney_miller import laws as barney_miller
from tests.games.kojak import laws as kojak
from tests.games.probe import laws as probe
from tests.met import OTHERS, longest

if TYPE_CHECKING:
    from companion.games.testing import Check, Playout

GAMES: Final = int(os.environ.get("PLAYOUTS", "3"))


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
