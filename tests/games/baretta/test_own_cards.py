"""Tests of own cards: the box believes players, and remembers public facts (BA-2 to BA-14)."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core.fold import apply_answer
from companion.core.prompts import Choose, Roll, cursor_start_answer_index, legal_answers
from companion.games.baretta import GAME
from companion.games.baretta.rules.board import CRIMINALS, MAX_STEPS, CardOnBoard
from companion.play.simulate import random_answer
from tests.games.baretta.moments import (
    ANNS,
    BOBS,
    PRINTED,
    asked,
    cue,
    fresh,
    landed,
    moment,
    play,
    spot,
    to_act,
)
from tests.games.steps import cue_names

GAMES = int(os.environ.get("PLAYOUTS", "25"))
COUNTED = {**PRINTED, "counts": "printed"}
"""The edition as a record of version 0.1.0 contains it."""
GONE = ("go_to:alley", *["hunch"] * 5)
"""The only Go to Alley and five of six Hunches."""
both = pytest.mark.parametrize("edition", [PRINTED, COUNTED], ids=["assumed", "printed"])


def turned(card: str | None = None, **fields: Any) -> Any:
    """Let Ann land on an own card at space 5. If `card` is given, answer that it is `card`."""
    given = {"deck": "own", **fields}
    state, cues = landed(given.pop("lies", None), (None,), (None, None), **given)
    return play(state, card) if card else (state, cues)


def offered(state: Any) -> tuple[Any, ...]:
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    return prompt.options


# --- BA-2: counts place the cursor, but no answer is refused --------------------------------------


@both
def test_ba2_every_card_is_offered_those_first_that_can_still_come_and_another_last(
    edition: dict[str, Any],
) -> None:
    state, _ = turned(gone=GONE, edition=edition)
    options = offered(state)
    assert set(options) == {*PRINTED["cards"], "another"}
    assert options[-2:] == ("go_to:alley", "another")
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt.weights[-2:] == (0, 1)
    assert options[cursor_start_answer_index(prompt)] == "stay_put"


@both
def test_ba2_what_can_only_be_an_arrest_card_by_the_counts_is_asked_all_the_same(
    edition: dict[str, Any],
) -> None:
    state, _ = landed((None, 1), (None,), (), deck="own", edition=edition)
    assert offered(state)[0] == BOBS
    assert cue_names(play(state, "wounded")[1])[0] == "turned"
    assert GAME.outcome(play(state, BOBS)[0]).winners == ("Bob",)  # type: ignore[union-attr]


def test_ba2_one_card_too_many_is_believed_without_a_word_while_counts_are_assumed() -> None:
    assert "one_too_many" not in cue_names(turned("go_to:alley", gone=GONE)[1])


def test_ba2_one_card_too_many_is_believed_and_told_once_if_the_cards_were_counted() -> None:
    state, cues = turned("go_to:alley", gone=GONE, edition=COUNTED)
    assert cue(cues, "one_too_many").facts == {"who": "Ann", "card": "go_to:alley", "n": 1}
    assert cue_names(cues)[:3] == ["one_too_many", "turned", "discarded"]
    assert "one_too_many" not in cue_names(turned("hunch", gone=GONE, edition=COUNTED)[1])
    assert state.gone.count("go_to:alley") == 2


@pytest.mark.parametrize("card", [f"move:{n}" for n in (1, 9, 10, 11, MAX_STEPS)])
def test_ba2_a_move_that_the_edition_has_not_is_another_card_and_is_obeyed(card: str) -> None:
    state, _ = turned("another")
    assert card in offered(state)
    state, _ = play(state, card)
    assert GAME.view(state, None)["moving"] == {"who": "Ann", "n": int(card[5:]), "second": True}


def test_ba2_another_card_is_all_that_cards_can_do_but_what_the_edition_has() -> None:
    options = offered(turned("another")[0])
    assert not {*options} & {*PRINTED["cards"]}
    assert {"by_hand", ANNS, BOBS, "go_to:7", "go_to:a1", "move:1"} < {*options}
    bare = {**PRINTED, "cards": {"stay_put": 44}}
    assert {"hunch", "wounded", "in_trouble"} < {*offered(turned("another", edition=bare)[0])}


@both
def test_ba2_an_arrest_card_that_was_offered_is_not_another_card(edition: dict[str, Any]) -> None:
    state, _ = landed((None, 1), (None,), (), deck="own", edition=edition)
    assert BOBS in offered(state)
    state, _ = play(state, "another")
    assert BOBS not in offered(state)
    assert ANNS in offered(state)


def test_ba2_a_card_that_the_edition_has_not_is_not_one_too_many() -> None:
    for card in ("move:12", "by_hand"):
        state, cues = play(turned("another", edition=COUNTED)[0], card)
        assert "one_too_many" not in cue_names(cues)
    state, _ = landed(None, (None,), (None, None), deck="own", edition=COUNTED, gone=(ANNS,))
    assert "one_too_many" in cue_names(play(state, "another", ANNS)[1])


def test_ba2_another_card_that_was_guessed_or_turned_up_is_believed_too() -> None:
    state, _ = landed("hunch", (None,), (), (), deck="own", cards={"9": (None, 1)})
    state, cues = play(state, "9", "another", "move:9")
    assert cue(cues, "guessed").facts["card"] == "move:9"
    assert "out" in cue_names(cues)
    state, _ = landed("wounded", (None,), (), deck="own")
    state, _ = play(state, "another", "by_hand")
    assert GAME.view(state, None)["shown"]["Ann"] == "by_hand"


def test_ba2_what_is_done_by_hand_is_told_by_where_baretta_stands_then() -> None:
    state, cues = turned("another")
    state, cues = play(state, "by_hand")
    assert cue_names(cues) == ["turned", "discarded"]
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    starts = prompt.options[cursor_start_answer_index(prompt)]
    assert (prompt.name, starts, len(prompt.options)) == ("by_hand", "5", 41)
    state, cues = play(state, "a2")
    assert cue_names(cues) == ["done_by_hand", "next_turn"]
    assert GAME.view(state, None)["baretta"] == "a2"
    assert to_act(state) == "Bob"


# --- BA-4, BA-12: the cut -------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["no", "yes"])
def test_ba4_own_cards_the_table_is_asked_whether_somebody_cuts(value: str) -> None:
    state, _ = play(fresh(2, deck="own"), *CRIMINALS[:2])
    assert asked(state) == ("cut", None, {"no", "yes"})
    state, cues = play(state, value)
    cut = [c.facts for c in cues if c.name == "cut"]
    assert cut == ([{"piles": ["Ann", "Bob"], "own": True}] if value == "yes" else [])
    assert GAME.ask(state) == Roll("roll", "Ann", dice=2)


def test_ba12_own_cards_after_in_trouble_that_pile_may_be_cut() -> None:
    state, _ = turned("in_trouble", cards={"9": (None, 0)})
    assert asked(state) == ("cut", None, {"no", "yes"})
    state, cues = play(state, "yes")
    assert cue(cues, "cut").facts == {"piles": ["Ann"], "own": True}
    assert to_act(state) == "Bob"


# --- BA-14: no Arrest card ------------------------------------------------------------------------

NO_ARREST = (None, 1, True, False, (), True)
"""A card under Bob's marker that is publicly no Arrest card."""


def test_ba14_no_arrest_card_is_remembered_and_not_asked_again() -> None:
    cards = {"2": (None, 1)}
    state, _ = landed(None, (None,), (None,), deck="own", cards=cards)
    state, _ = play(state, "move:3", "2", "other")
    assert spot(state, "2") == CardOnBoard(None, 1, marked=True, cleared=True)
    assert GAME.view(state, None)["spaces"]["2"]["cleared"] is True
    again = moment({"5": None, "2": NO_ARREST}, (None,), (None,), at="4", roll=1, deck="own")
    _, cues = play(again, "5", "move:3", "2")
    assert cue(cues, "nothing").facts["why"] == "card"


def test_ba14_no_arrest_card_is_not_offered_as_one_when_it_comes_up() -> None:
    state, _ = turned(lies=NO_ARREST)
    assert BOBS not in offered(state)


def test_ba14_no_arrest_card_leaves_one_place_less_where_the_arrest_card_can_be() -> None:
    state, _ = landed((None, 1), (None,), (), deck="own", cards={"9": NO_ARREST})
    assert offered(state)[0] == BOBS


@pytest.mark.parametrize("deck", ["own", "virtual"])
def test_ba14_a_hunch_does_not_point_at_what_all_know_to_be_no_arrest_card(deck: str) -> None:
    card = None if deck == "own" else "wounded"
    cards = {"9": (card, *NO_ARREST[1:]), "10": card}
    state, _ = landed("hunch", cards=cards, deck=deck)
    assert asked(state) == ("hunch", "Ann", {"pass", "10"})


@pytest.mark.parametrize("deck", ["own", "virtual"])
def test_ba14_all_know_a_hunch_that_was_kept_and_a_card_that_was_guessed(deck: str) -> None:
    other = None if deck == "own" else "wounded"
    state, _ = landed("hunch", (), (), (), cards={"9": other}, deck=deck)
    assert spot(play(state, "pass")[0], "5") == CardOnBoard("hunch", cleared=True)
    state, _ = play(state, "9", *(["wounded"] if deck == "own" else []))
    assert spot(state, "9") == CardOnBoard("wounded", cleared=True)


both_decks = pytest.mark.parametrize("deck", ["own", "virtual"])


def hidden(deck: str, card: str) -> str | None:
    """Return a face-down card as the box knows it: None for an own card."""
    return None if deck == "own" else card


def next_to(state: Any, space: str, *answers: Any) -> Any:
    """Let the active player move Baretta from the space before `space` to `space`."""
    at = int(space) - 2
    return play(replace(state, step="move_to", at=at, moving=(1, False)), space, *answers)


@both_decks
def test_ba14_ba17_a_card_that_lay_face_up_is_known_when_it_is_put_down_face_down(
    deck: str,
) -> None:
    piles = (("move:5", hidden(deck, ANNS)), (hidden(deck, BOBS),))
    shown = {"shown": (True, False), "wounded": "down"}
    cards = {"5": hidden(deck, "hunch"), "9": hidden(deck, "wounded")}
    state, _ = play(moment(cards, *piles, at="2", roll=1, deck=deck, **shown), "3")
    lies = GAME.view(state, None)["spaces"]["3"]
    assert (lies["card"], lies["marker"], lies["cleared"]) == ("down", "Ann", True)
    said = ["hunch"] if deck == "own" else []
    assert asked(next_to(state, "5", *said)[0]) == ("hunch", "Bob", {"pass", "9"})
    said = ["move:7"] if deck == "own" else []
    state = replace(
        state, spots=(*state.spots[:8], CardOnBoard(hidden(deck, "move:7")), *state.spots[9:])
    )
    _, cues = next_to(state, "9", *said, "3")
    assert cue(cues, "nothing").facts["why"] == "card"


@both_decks
def test_ba14_ba17_an_arrest_card_that_lay_face_up_can_be_pointed_at_when_it_is_put_down(
    deck: str,
) -> None:
    piles = ((hidden(deck, ANNS), hidden(deck, "move:2")), (hidden(deck, BOBS),))
    cards = {"4": hidden(deck, "wounded"), "5": hidden(deck, "hunch")}
    said = ["wounded", ANNS] if deck == "own" else []
    state, _ = play(moment(cards, *piles, at="3", roll=1, deck=deck, wounded="down"), "4", *said)
    state, _ = next_to(replace(state, turn=0), "3")
    assert not GAME.view(state, None)["spaces"]["3"]["cleared"]
    state, _ = next_to(replace(state, turn=0), "8")
    assert GAME.view(state, None)["spaces"]["8"]["cleared"]
    said = ["hunch"] if deck == "own" else []
    assert asked(next_to(state, "5", *said)[0]) == ("hunch", "Bob", {"pass", "3"})


@both_decks
def test_ba14_where_all_see_an_arrest_card_no_other_card_of_its_player_can_be_one(
    deck: str,
) -> None:
    cards = {
        "2": (hidden(deck, "move:2"), 0), "12": (hidden(deck, "wounded"), 1),
        "4": hidden(deck, "wounded"), "5": hidden(deck, "move:3"),
    }  # fmt: skip
    piles = ((hidden(deck, ANNS), hidden(deck, "hunch")), (hidden(deck, BOBS),))
    said = ["wounded", ANNS] if deck == "own" else []
    state, _ = play(moment(cards, *piles, at="3", roll=1, deck=deck), "4", *said)
    spaces = GAME.view(state, None)["spaces"]
    assert (spaces["2"]["cleared"], spaces["12"]["cleared"]) == (True, False)
    _, cues = next_to(state, "5", *(["move:3"] if deck == "own" else []), "2")
    assert cue(cues, "nothing").facts["why"] == "card"


@both_decks
def test_ba14_what_is_known_of_a_card_stays_known_and_a_pile_is_forgotten(deck: str) -> None:
    cards = {"2": (hidden(deck, "move:2"), 0), "9": (ANNS, 0, True, True)}
    state = moment(cards, (hidden(deck, "wounded"),), (hidden(deck, BOBS),), deck=deck, turn=1)
    state, _ = play(replace(state, step="move_to", at=28, moving=(1, False)), "a3")
    assert GAME.view(state, None)["spaces"]["2"]["cleared"]
    at_apartment = replace(state, turn=1, step="take_back", about="corner")
    state, _ = play(at_apartment, "9", *([] if deck == "own" else [[1, 0]]))
    assert GAME.view(state, None)["spaces"]["2"]["cleared"]
    state, _ = next_to(replace(state, turn=0), "8")
    assert not GAME.view(state, None)["spaces"]["8"]["cleared"]


def test_ba14_a_game_from_its_first_roll_in_which_no_hunch_can_point_at_a_known_card() -> None:
    state = fresh(2, deck="own", dice="real", wounded="down", criminals="seats", cutting="no")
    state, _ = play(state, 7, 5, 4, "3", "wounded", "move:5")
    for given in ({"what": "turn", "who": "Ann"}, {"what": "baretta", "space": "1"}):
        state, _ = apply_answer(GAME, state, given, "correct")
    state, _ = play(state, 2, "3")
    assert GAME.view(state, None)["spaces"]["3"]["cleared"]
    state, _ = play(state, 2, "5", "hunch")
    assert asked(state)[2] == {"pass", *(str(n) for n in range(1, 25) if n not in (3, 5))}


# --- players who make mistakes --------------------------------------------------------------------

CLUMSY = 0.02
"""Probability of a random legal answer instead of the true one."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("edition", [PRINTED, COUNTED], ids=["assumed", "printed"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_ba2_a_table_that_says_the_wrong_card_now_and_then_ends_every_game(
    edition: dict[str, Any], n: int
) -> None:
    rng = Random(n)
    for _ in range(GAMES):
        state = fresh(n, deck="own", edition=edition)
        for _ in range(2_000):
            if (prompt := GAME.ask(state)) is None:
                break
            clumsy = isinstance(prompt, Choose) and rng.random() < CLUMSY
            value = rng.choice(legal_answers(prompt)) if clumsy else random_answer(prompt, rng)
            state, _ = play(state, value)
        assert GAME.outcome(state) is not None
