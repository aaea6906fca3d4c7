"""Tests of the kit and of random players on a game with every kind of question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import companion_testing as testing
from companion.play import simulate
from tests.cups import GAME, install
from tests.installed import PackageShop, shop


@pytest.fixture(autouse=True)
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    for found in shop(tmp_path / "site"):
        install(found)
        yield found


@pytest.mark.long
def test_the_kit_finds_nothing_in_a_game_with_forms_looks_acts_and_other_dice() -> None:
    found = [
        *map(str, testing.run_all_checks(GAME, games=2, edition={}))
    ]  # both catalogues are English
    assert [one for one in found if "is English in the French catalogue" not in one] == []


def test_random_players_answer_forms_and_acts_and_their_presses_are_counted() -> None:
    start = GAME.setup(("Ann", "Bob"), {}, {})
    played = simulate.simulate_random_game(GAME, start, Random(1))
    assert played.answers == 2 + 2 + 2 + 2
    assert played.presses > played.player_answers
