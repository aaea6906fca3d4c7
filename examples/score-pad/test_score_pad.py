"""The score pad clause by clause, and the properties that the kit checks for every game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Refused
from companion.core.fold import apply_answer, state_after_answers
from companion_score_pad import GAME
from companion_testing import GameCheck, list_checks

OPTIONS = {"wins": "highest", "ends": "open", "size": "tens"}


def pad(*points: int, **options: str) -> Any:
    """Return the state after Ann and Bob have entered these points in turn."""
    state = GAME.setup(("Ann", "Bob"), {**OPTIONS, **options}, {})
    return state_after_answers(GAME, state, [said(n) for n in points])


def said(n: int) -> dict[str, int]:
    """Return the answer for `n` points: a value on the wheel of tens, then on the wheel of ones."""
    tens = n - n % 10 if n >= 0 else n + -n % 10
    return {"tens": tens} if abs(n) == 200 else {"tens": tens, "points": n}  # noqa: PLR2004


def test_every_player_says_points_in_seat_order_plus_or_minus() -> None:  # SP-1
    state, cues = apply_answer(GAME, pad(12, -5, 7), said(-103))
    assert GAME.view(state, None)["scores"] == {"Ann": 19, "Bob": -108}
    assert cues[0].facts == {"who": "Bob", "points": -103, "total": -108}


def test_a_whole_number_may_be_typed_at_the_first_wheel() -> None:  # SP-1
    state, _ = apply_answer(GAME, pad(), {"tens": 137})
    assert GAME.view(state, None)["scores"]["Ann"] == 137  # noqa: PLR2004


def test_the_totals_are_announced_when_a_round_is_complete() -> None:  # SP-2
    state, cues = apply_answer(GAME, pad(12), said(3))
    assert [cue.name for cue in cues] == ["scored", "counted"]
    assert cues[1].facts == {"round": 1, "totals": {"Ann": 12, "Bob": 3}}
    assert GAME.view(state, None)["round"] == 2  # noqa: PLR2004


def test_a_target_ends_the_game_after_the_round_in_which_it_is_reached() -> None:  # SP-3
    assert GAME.outcome(pad(60, ends="to50")) is None
    outcome = GAME.outcome(pad(60, 70, ends="to50"))
    assert outcome is not None
    assert outcome.winners == ("Bob",)


def test_fixed_rounds_end_the_game_and_the_lowest_may_win_and_ties_share() -> None:  # SP-3, SP-4
    assert GAME.outcome(pad(*[1, 2] * 5, ends="5", wins="lowest")).winners == ("Ann",)  # type: ignore[union-attr]
    assert GAME.outcome(pad(*[2, 2] * 5, ends="5")).winners == ("Ann", "Bob")  # type: ignore[union-attr]


def test_points_of_any_round_are_corrected() -> None:  # SP-5
    given = {"who": "Ann", "round": 1, "tens": 20, "points": 21}
    state, cues = apply_answer(GAME, pad(12, 5, 1), given, "correct")
    assert GAME.view(state, None)["rounds"] == {"Ann": [21, 1], "Bob": [5]}
    assert cues[0].facts == {"who": "Ann", "round": 1, "points": 21, "total": 22}


def test_the_table_finishes_after_a_complete_round_only() -> None:  # SP-6
    with pytest.raises(Refused):
        apply_answer(GAME, pad(12, 5, 1), "finish", "finish")
    state, cues = apply_answer(GAME, pad(12, 5), "finish", "finish")
    assert [cue.name for cue in cues] == ["won"]
    assert GAME.outcome(state).winners == ("Ann",)  # type: ignore[union-attr]
    assert GAME.outcome(pad(*[1, 2] * 50)) is not None


@pytest.mark.parametrize("check", list_checks(GAME, games=1), ids=str)
def test_what_holds_of_every_game(check: GameCheck) -> None:
    assert not check.run()
