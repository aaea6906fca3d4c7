"""Tests of the adaptive computer player: the strength that it chooses for the next game."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.play.adapting import (
    ADAPTIVE_LEVEL,
    HIGHEST_ADAPTIVE_STEP,
    INITIAL_ADAPTIVE_STEP,
    adaptive_step_after_games,
)
from companion.record.reading import GameSummary
from companion.seat.player import LEVELS

NAMES: Final = ("Ann", "Bob", "Chip", "Dot")
EVENED: Final = {"Chip": ADAPTIVE_LEVEL}


def game(
    *winners: str, players: tuple[str, ...] = ("Ann", "Chip"), programs: dict[str, str] = EVENED
) -> GameSummary:
    return GameSummary(1, "probe", players, 0, 1, winners or None, programs=programs)


def test_it_plays_stronger_after_a_loss_and_weaker_after_a_win() -> None:
    assert adaptive_step_after_games([]) == INITIAL_ADAPTIVE_STEP
    assert adaptive_step_after_games([game("Ann")]) == INITIAL_ADAPTIVE_STEP + 1
    assert adaptive_step_after_games([game("Chip")]) == INITIAL_ADAPTIVE_STEP - 1
    assert adaptive_step_after_games([game("Ann"), game("Chip")]) == INITIAL_ADAPTIVE_STEP


def test_unfinished_shared_and_other_games_change_nothing() -> None:
    assert adaptive_step_after_games([game(), game("Ann", "Chip")]) == INITIAL_ADAPTIVE_STEP
    assert (
        adaptive_step_after_games([game("Ann", programs={"Chip": "friend"})])
        == INITIAL_ADAPTIVE_STEP
    )
    three = ("Ann", "Chip", "Dot")
    assert adaptive_step_after_games(
        [game("Dot", players=three, programs={**EVENED, "Dot": "strong"})]
    ) == (INITIAL_ADAPTIVE_STEP)


@given(st.lists(st.sampled_from(["Ann", "Chip"])))
def test_its_step_is_always_one_that_is_a_level(winners: list[str]) -> None:
    assert f"{ADAPTIVE_LEVEL}{adaptive_step_after_games(map(game, winners))}" in LEVELS


def test_each_step_thinks_and_remembers_at_least_as_much_as_the_one_before() -> None:
    levels = [LEVELS[f"{ADAPTIVE_LEVEL}{step}"] for step in range(HIGHEST_ADAPTIVE_STEP + 1)]
    efforts = [level.effort for level in levels if level.effort is not None]
    assert [effort.worlds for effort in efforts] == sorted({effort.worlds for effort in efforts})
    assert [effort.seconds for effort in efforts] == sorted(effort.seconds for effort in efforts)
    assert [level.span for level in levels[:-1]] == [*range(HIGHEST_ADAPTIVE_STEP)]
    assert efforts[0] == LEVELS["learner"].effort
    assert levels[-1] == LEVELS["strong"]


@pytest.mark.long
def test_wins_become_fair_shares_at_tables_of_two_three_and_four() -> None:
    """In this model, each step wins 8 % more games, and the person plays like step 9."""
    for players in (NAMES[1:3], NAMES[:3], NAMES):
        rng, games = Random(1), list[GameSummary]()
        for _ in range(600):
            chance = 1 / len(players) + 0.08 * (adaptive_step_after_games(games[-60:]) - 9)
            winner = "Chip" if rng.random() < chance else "Bob"
            games.append(game(winner, players=players))
        share = sum(one.winners == ("Chip",) for one in games[100:]) / 500
        assert abs(share - 1 / len(players)) < 0.06
