"""Tests of corners and the Hideout: an edition defines their effects as data (BA-10)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Cue, Cues
from companion.core.prompts import Roll
from companion.games.baretta import GAME
from companion.games.baretta.rules.board import SPACE_EFFECTS, CardOnBoard
from companion.games.baretta.rules.corners import QUESTION_OF_EFFECT
from tests.games.baretta.moments import (
    ANNS,
    BOBS,
    PRINTED,
    asked,
    both_decks,
    cue,
    landed,
    moment,
    play,
    seen,
    spot,
    to_act,
)
from tests.games.steps import cue_names


def board(does: str) -> dict[str, Any]:
    """Return the printed board with another effect of the Station."""
    corners = [{**c, "does": does} if c["id"] == "station" else c for c in PRINTED["corner"]]
    return {**PRINTED, "corner": corners}


def station(does: str, cards: dict[str, Any], *piles: Any, **fields: Any) -> tuple[Any, Cues]:
    """Return the state and the cues after Ann moved to the Station."""
    return play(moment(cards, *piles, at="6", roll=1, edition=board(does), **fields), "station")


@pytest.mark.long
def test_ba10_each_effect_is_one_that_a_corner_and_the_hideout_can_have() -> None:
    for does in SPACE_EFFECTS:
        cards = {"9": ("hunch", 0), "10": ("hunch", 1)}
        corner, _ = station(does, cards)
        there, _ = play(
            moment(cards, at="a3", roll=1, edition={**PRINTED, "hideout": does}), "hideout"
        )
        assert corner.step == there.step == QUESTION_OF_EFFECT.get(does, "roll")


@pytest.mark.parametrize(
    ("does", "fact"),
    [("unmark", "unmarked"), ("take_back", "taken_back"), ("to:apartment", "moved")],
)
def test_ba10_ba11_what_is_done_cites_where_it_says_so(does: str, fact: str) -> None:
    cards, after = {"9": ("hunch", 0)}, [] if does.startswith("to:") else ["9"]
    _, cues = play(station(does, cards)[0], *after)
    told = (*station(does, cards)[1], *cues)
    assert [c.clause for c in told if c.name == fact][-1] == "BA-10"
    there = moment(cards, at="a3", roll=1, edition={**PRINTED, "hideout": does})
    _, told = play(there, "hideout", *after)
    assert [c.clause for c in told if c.name == fact][-1] == "BA-11"


@pytest.mark.parametrize("does", ["unmark", "take_back", "look", "draw", "swap"])
def test_ba17_what_a_corner_offers_may_be_declined(does: str) -> None:
    state, _ = station(does, {"9": ("hunch", 0), "10": "wounded"})
    after, cues = play(state, "pass")
    assert cue(cues, "declined").facts == {"who": "Ann", "question": does}
    assert (after.spots, after.piles) == (state.spots, state.piles)
    assert to_act(after) == "Bob"


# --- lose a turn ----------------------------------------------------------------------------------


def test_ba10_who_loses_a_turn_is_passed_over_once() -> None:
    state, cues = station("lose_turn", {}, (), (), ())
    assert cue_names(cues) == ["moved", "lose_turn", "next_turn"]
    assert GAME.view(state, None)["sitting"] == ["Ann"]
    order = [to_act(state)]
    for _ in range(4):
        state = state.__class__(
            **{**vars(state), "at": 29, "step": "move_to", "moving": (1, False)}
        )
        state, cues = play(state, "a2")
        order.append(to_act(state))
    assert order == ["Bob", "Cy", "Bob", "Cy", "Ann"]
    assert GAME.view(state, None)["sitting"] == []


def test_ba10_that_a_turn_is_missed_is_told() -> None:
    state = moment({}, (), (), at="a1", roll=1, sitting=(1,))
    state, cues = play(state, "a2")
    assert [c.facts["who"] for c in cues[-2:]] == ["Bob", "Ann"]
    assert cue_names(cues)[-2:] == ["missed_turn", "next_turn"]
    assert GAME.ask(state) == Roll("roll", "Ann", dice=2)


def test_ba16_who_is_out_misses_no_turn() -> None:
    state = moment({}, (), (), (), at="a1", roll=1, sitting=(1,), out=(1,))
    state, cues = play(state, "a2")
    assert "missed_turn" not in cue_names(cues)
    assert to_act(state) == "Cy"


# --- look at a card -------------------------------------------------------------------------------


def test_ba10_a_look_shows_a_card_to_its_player_alone_for_as_long_as_it_lies() -> None:
    state, _ = station("look", {"9": (BOBS, 1), "10": "wounded"})
    assert asked(state) == ("look", "Ann", {"pass", "9", "10"})
    state, cues = play(state, "9")
    assert cue(cues, "looked").facts == {"who": "Ann", "space": "9"}
    (secret,) = [c for c in cues if c.to is not None]
    assert secret == Cue("looked", {"space": "9", "card": BOBS}, "BA-10", "Ann")
    assert GAME.view(state, "Ann")["seen"] == {"9": BOBS}
    assert BOBS not in str(GAME.view(state, None))
    assert secret in GAME.secrets(state)
    assert seen(state, "9")["marker"] == "Bob"


def test_ba10_with_own_cards_a_look_is_only_told() -> None:
    state, _ = station("look", {"9": (None, 1)}, (None,), (None,), deck="own")
    state, cues = play(state, "9")
    assert cue_names(cues) == ["looked", "next_turn"]
    assert GAME.secrets(state) == ()


def test_ba10_a_card_that_lies_face_up_is_not_looked_at() -> None:
    up = {"9": (ANNS, 0, True, True)}
    _, cues = station("look", up)
    assert cue(cues, "nothing").facts["why"] == "no_card"
    assert asked(station("look", {**up, "10": "hunch"})[0])[2] == {"pass", "10"}


# --- draw -----------------------------------------------------------------------------------------


@both_decks
def test_ba10_a_draw_puts_the_own_top_card_on_any_empty_space(deck: str) -> None:
    card = None if deck == "own" else ANNS
    every: dict[str, Any] = {str(n): card and "hunch" for n in range(1, 23)}
    state, _ = station("draw", every, (card, card), (card,), deck=deck)
    assert asked(state) == ("draw", "Ann", {"pass", "23", "24"})
    state, cues = play(state, "24")
    assert spot(state, "24") == CardOnBoard(card, 0, marked=True)
    assert cue(cues, "placed").facts == {
        "who": "Ann",
        "space": "24",
        "marked": True,
        "left": 1,
        "up": False,
    }
    assert GAME.view(state, None)["baretta"] == "station"


def test_ba10_a_draw_needs_a_card_and_an_empty_space() -> None:
    _, cues = station("draw", {}, (), ("hunch",))
    assert cue(cues, "nothing").facts["why"] == "empty_pile"
    _, cues = station("draw", {str(n): "hunch" for n in range(1, 25)})
    assert cue(cues, "nothing").facts["why"] == "full"


# --- swap -----------------------------------------------------------------------------------------


def test_ba10_a_swap_lets_two_cards_change_places_with_their_markers() -> None:
    state, _ = station("swap", {"9": (BOBS, 1), "10": "wounded", "11": ("hunch", 0)})
    assert asked(state) == ("swap", "Ann", {"pass", "9", "10", "11"})
    state, _ = play(state, "9")
    assert asked(state) == ("swap_with", "Ann", {"10", "11"})
    state, cues = play(state, "11")
    assert cue(cues, "swapped").facts == {"who": "Ann", "space": "9", "to": "11"}
    assert (spot(state, "9"), spot(state, "11")) == (
        CardOnBoard("hunch", 0, True),
        CardOnBoard(BOBS, 1, True),
    )
    assert GAME.view(state, "Bob")["seen"] == {"11": BOBS}
    assert {c.to for c in cues if c.to} == {"Ann", "Bob"}


def test_ba10_a_swap_needs_two_cards() -> None:
    _, cues = station("swap", {"9": "hunch"})
    assert cue(cues, "nothing").facts["why"] == "no_card"


# --- go to any space ------------------------------------------------------------------------------


def test_ba12_go_to_a_card_space_is_to_land_there() -> None:
    _, cues = landed("go_to:9", cards={"9": "wounded"})
    assert cue_names(cues)[3:] == ["moved", "turned", "discarded", "wounded", "next_turn"]
    state, cues = landed("go_to:9", (ANNS,), ("hunch",))
    assert spot(state, "9") == CardOnBoard(ANNS, 0, marked=True)


def test_ba12_go_to_a_shortcut_space_does_nothing_there() -> None:
    state, cues = landed("go_to:a2")
    assert cue(cues, "nothing").facts == {"who": "Ann", "space": "a2", "why": "shortcut"}
    assert GAME.view(state, None)["baretta"] == "a2"


def test_ba10_a_corner_may_lead_to_a_card_space_too() -> None:
    _, cues = station("to:9", {"9": "wounded"})
    assert [c.facts["to"] for c in cues if c.name == "moved"] == ["station", "9"]
    assert cue(cues, "turned").facts["space"] == "9"
