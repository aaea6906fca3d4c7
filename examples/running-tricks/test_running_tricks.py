"""Running tricks clause by clause, and the properties that the kit checks for every game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.core.errors import Refused
from companion.core.fold import apply_answer, state_after_answers
from companion_running_tricks import GAME
from companion_testing import GameCheck, list_checks, playthrough

if TYPE_CHECKING:
    from companion_running_tricks.rules import State

OPTIONS = {"tricks": "5", "target": "20"}


def deals(*tricks: str) -> State:
    """Return the state after these deals. Each letter is the winner of a trick: Ann, Bob, Cy."""
    names = {"A": "Ann", "B": "Bob", "C": "Cy"}
    state = GAME.setup(("Ann", "Bob", "Cy"), OPTIONS, {})
    return state_after_answers(GAME, state, [names[who] for deal in tricks for who in deal])


def test_the_winner_of_a_trick_leads_to_the_next() -> None:  # RT-1
    state, cues = apply_answer(GAME, deals("AB"), "Bob")
    assert GAME.view(state, None)["to_act"] == "Bob"
    assert [cue.name for cue in cues] == ["taken"]
    assert cues[0].facts == {"who": "Bob", "totals": {"Ann": 1, "Bob": 2, "Cy": 0}, "left": 2}


def test_after_the_last_trick_of_a_deal_each_is_a_point_and_the_lead_goes_round() -> None:  # RT-2
    view = GAME.view(deals("AABBC", "CCCCC"), None)
    assert view["points"] == {"Ann": 2, "Bob": 2, "Cy": 6}
    assert view["tricks"] == {"Ann": 0, "Bob": 0, "Cy": 0}
    assert (view["deal"], view["left"], view["to_act"]) == (3, 5, "Cy")


def test_the_target_counts_when_a_deal_is_over() -> None:  # RT-3
    three = ("AAAAA", "AAAAA", "AAAAA")
    assert GAME.outcome(deals(*three, "AAAA")) is None
    outcome = GAME.outcome(deals(*three, "AAAAA"))
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (("Ann",), {"Ann": 20, "Bob": 0, "Cy": 0})


def test_who_ties_for_the_most_points_shares_the_win() -> None:  # RT-3
    first = GAME.setup(("Ann", "Bob"), {"tricks": "10", "target": "5"}, {})
    outcome = GAME.outcome(state_after_answers(GAME, first, ["Ann", "Bob"] * 5))
    assert outcome is not None
    assert outcome.winners == ("Ann", "Bob")


def test_points_that_were_counted_wrong_are_put_right_and_do_not_win() -> None:  # RT-4
    state, cues = apply_answer(GAME, deals("AABBC"), {"who": "Bob", "points": 7}, "correct")
    assert GAME.view(state, None)["points"] == {"Ann": 2, "Bob": 7, "Cy": 1}
    assert [cue.name for cue in cues] == ["corrected"]
    assert GAME.outcome(state) is None
    with pytest.raises(Refused):
        apply_answer(GAME, state, {"who": "Bob", "points": 20}, "correct")


@pytest.mark.parametrize("check", list_checks(GAME), ids=str)
def test_what_holds_of_every_game(check: GameCheck) -> None:
    assert not check.run()


def test_the_game_goes_on_as_it_was_written_down() -> None:
    text = Path(__file__).with_name("game.txt").read_text("utf-8")
    assert playthrough.replay_playthrough(text) == text
