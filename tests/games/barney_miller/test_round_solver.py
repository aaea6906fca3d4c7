"""Tests of strategy: rounds of two exactly, larger rounds by a rule, races by value iteration."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.chance import Chance
from companion.core.fold import apply_answer_to_prompt, replace
from companion.games.barney_miller import GAME
from companion.games.barney_miller.known.round_solver import rate_round_answers
from companion.games.barney_miller.known.win_chances import (
    RoundWinnerChipChances,
    win_chances_between_rounds,
    win_chances_by_chip_counts,
)
from companion.games.barney_miller.rules.board import TrackSpace
from companion.games.barney_miller.rules.state import State

ALL_GAIN = TrackSpace("positive_identification")


def playing(edition: dict[str, Any], *hands: tuple[int, ...], total: int = 0) -> State:
    """Return a round in which the second seat is to play. The winner of the round gets a chip."""
    options = {option.name: option.values[0] for option in GAME.options} | {"deck": "virtual"}
    chance, state = Chance("ab"), GAME.setup(GAME.names[: len(hands)], options, edition)
    n = 0
    while state.step != "roll":
        prompt: Any = GAME.ask(state)
        answer = (
            prompt.options[0]
            if hasattr(prompt, "options")
            else chance.drawn_answer_to_prompt(prompt, n)
        )
        state, n = apply_answer_to_prompt(GAME, state, prompt, answer)[0], n + 1
    return replace(
        state, step="play_card", roller=0, turn=1, total=total, hands=hands, space=ALL_GAIN,
        seconds=((),) * len(hands), played=((0, total),) if total else (),
    )  # fmt: skip


def best(state: State) -> object:
    found = rate_round_answers(state, state.turn)
    assert found is not None
    return max(found, key=lambda answer: found[answer])


def test_a_card_that_makes_ten_is_best_if_nobody_can_keep_it(edition: dict[str, Any]) -> None:
    assert best(playing(edition, (1, 2), (3, 6, 9), total=4)) == 6


def test_bm_8_a_ten_that_a_zero_takes_away_is_not_made(edition: dict[str, Any]) -> None:
    """After a 6, the opponent's 0 would take the ten. A 5 forces the 0, and then the 1 wins."""
    assert best(playing(edition, (0, 9), (1, 5, 6), total=4)) == 5


def test_the_card_is_played_after_which_the_next_player_exceeds_ten(
    edition: dict[str, Any],
) -> None:
    assert best(playing(edition, (4, 5), (2, 3), total=4)) == 3


def test_a_question_that_is_not_about_a_card_is_not_solved(edition: dict[str, Any]) -> None:
    state = playing(edition, (1, 2), (3, 6))
    assert rate_round_answers(replace(state, step="roll"), 1) is None
    assert rate_round_answers(state, 0) is None


def test_an_even_race_is_even_and_a_chip_more_is_worth_more_near_the_end() -> None:
    values = win_chances_by_chip_counts((RoundWinnerChipChances((4, 4, 4, 4), 1),) * 2)
    assert values[2, 2] == pytest.approx((0.5, 0.5), abs=1e-3)
    assert 0.5 < values[1, 0][0] < values[2, 1][0] < values[3, 2][0] < 1
    assert sum(values[3, 1]) == pytest.approx(1, abs=1e-3)


@pytest.mark.long
def test_who_gains_by_more_spaces_is_more_likely_to_win() -> None:
    assert (
        win_chances_by_chip_counts(
            (RoundWinnerChipChances((6,) * 4, 1), RoundWinnerChipChances((3,) * 4, 1))
        )[0, 0][0]
        > 0.6
    )


def test_bm_15_a_seat_that_has_left_does_not_win(edition: dict[str, Any]) -> None:
    state = replace(playing(edition, (1, 2), (3, 6), (4, 5)), out=(2,))
    found = win_chances_between_rounds(state)
    assert found[2] == 0
    assert sum(found) == pytest.approx(1, abs=1e-3)


def test_a_round_that_has_been_solved_is_played_as_the_rules_say(edition: dict[str, Any]) -> None:
    """The best answers lead to the winner that the solution promises."""
    state = playing(edition, (0, 1, 2, 7), (1, 3, 4, 6))
    first = state.round
    found = rate_round_answers(state, 1)
    assert found is not None
    promised = max(found, key=lambda answer: found[answer])
    while state.round == first and state.step in ("play_card", "zero"):
        prompt = GAME.ask(state)
        assert prompt is not None
        state = apply_answer_to_prompt(GAME, state, prompt, best(state))[0]
    chips = [len(ids) + n for ids, n in zip(state.captured, state.reserve, strict=True)]
    assert found[promised] == pytest.approx(win_chances_between_rounds(state)[1], abs=0.1)
    assert sum(chips) == 1


def test_among_three_a_card_that_makes_ten_is_best_if_nobody_can_keep_it(
    edition: dict[str, Any],
) -> None:
    assert best(playing(edition, (1, 2), (3, 6, 9), (1, 4), total=4)) == 6


def test_bm_8_among_three_a_zero_keeps_ten_for_a_player_who_gains(edition: dict[str, Any]) -> None:
    state = playing(edition, (1, 2), (0, 6), (1, 4), total=10)
    assert best(replace(state, step="zero")) == "play"
