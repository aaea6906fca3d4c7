"""Tests of corrections: the box accepts the real table's state, publicly (BA-18)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.errors import Refused
from companion.core.fold import apply_answer
from companion.core.prompts import Form, Roll
from companion.games.baretta import GAME
from companion.games.baretta.rules.board import CardOnBoard
from companion.play import verify
from companion.play.session import Session
from companion.record.journal import Journal
from tests.games.baretta.moments import ANNS, BOBS, landed, moment, play, seen, spot, to_act
from tests.helpers import setup_for, words_for


def correct(state: Any, **given: Any) -> Any:
    state, (corrected,) = apply_answer(GAME, state, given, "correct")
    assert corrected.name == "corrected"
    said = {key: value for key, value in corrected.facts.items() if value is not None}
    assert {key: said[key] for key in given} == given
    assert {*said} - {*given} <= ({"card", "marker"} if given["what"] == "card" else set())
    assert (corrected.clause, corrected.to) == ("BA-18", None)
    return state


def offered(state: Any, **given: Any) -> tuple[Any, ...]:
    form = GAME.anytime(state)[0]
    assert isinstance(form, Form)
    prompt = form.ask(given)
    return prompt.options  # type: ignore[union-attr]


def own(cards: dict[str, Any], **fields: Any) -> Any:
    return moment(cards, (None, None), (None,), (None,), at="4", deck="own", dice="real", **fields)


def test_ba18_baretta_stands_where_the_table_says() -> None:
    state = correct(moment({}, at="4", roll=1), what="baretta", space="9")
    assert GAME.view(state, None)["baretta"] == "9"
    assert set(GAME.ask(state).options) == {"8", "10", "b1"}  # type: ignore[union-attr]


def test_ba18_the_turn_is_whose_the_table_says_and_who_has_it_rolls() -> None:
    state = correct(moment({}, (), (), (), at="4", roll=1), what="turn", who="Cy")
    assert GAME.ask(state) == Roll("roll", "Cy", dice=2)


def test_ba18_who_is_out_by_mistake_comes_in_again_and_who_should_be_is_out() -> None:
    state = correct(moment({}, (), (), (), at="4", roll=1), what="out", who="Bob")
    assert GAME.view(state, None)["out"] == ["Bob"]
    assert to_act(play(on_a_shortcut(state), "a2")[0]) == "Cy"
    assert GAME.view(correct(state, what="in", who="Bob"), None)["out"] == []
    assert offered(state, what="out") == ("Ann", "Cy")


def test_ba18_no_correction_brings_back_who_has_left() -> None:
    state = moment({}, (), (), (), (), at="4", roll=1, out=(1,))
    state, _ = apply_answer(GAME, state, "Cy", "leaves")
    assert GAME.view(state, None)["left"] == ["Cy"]
    assert offered(state, what="in") == ("Bob",)
    with pytest.raises(Refused, match="not_offered"):
        correct(state, what="in", who="Cy")
    assert "in" not in offered(correct(state, what="in", who="Bob"))


def on_a_shortcut(state: Any) -> Any:
    """Return the state with Baretta on a shortcut and one step left."""
    return replace(state, at=29, moving=(1, False))


@pytest.mark.parametrize(
    ("lies", "found"),
    [
        ("empty", None),
        ("down", CardOnBoard(None)),
        ("marker:Cy", CardOnBoard(None, 2, marked=True)),
    ],
)
def test_ba18_own_cards_lie_as_the_table_says(lies: str, found: CardOnBoard | None) -> None:
    state = correct(own({"9": (None, 1)}), what="card", space="9", lies=lies)
    assert spot(state, "9") == found
    assert spot(correct(own({}), what="card", space="9", lies="down"), "9") == CardOnBoard(None)


UP = ("move:5", 0, False, True)
"""Ann's card, face up, without a marker."""


@pytest.mark.parametrize("lies", ["down", "marker:Bob"])
def test_ba18_a_card_that_is_put_right_is_another_of_which_nothing_is_known(lies: str) -> None:
    state = correct(own({"9": UP}), what="card", space="9", lies=lies)
    shown = {"card": "down", "cleared": False, "marker": "Bob" if lies != "down" else None}
    assert {key: seen(state, "9")[key] for key in shown} == shown
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(state, what="card", space="9", lies=lies)
    cleared = own({"9": (None, 1, True, False, (), True)})
    assert not seen(correct(cleared, what="card", space="9", lies=lies), "9")["cleared"]


def test_ba18_a_card_that_lies_face_down_without_a_marker_lies_so_already() -> None:
    for card in (None, (None, 1, False)):
        with pytest.raises(Refused, match="nothing_to_correct"):
            correct(own({"9": card}), what="card", space="9", lies="down")


@pytest.mark.parametrize("before", [UP, (None, 1, True, False, (), True), (None, 1)])
def test_ba18_of_a_card_that_is_the_same_only_the_marker_is_put_right(before: Any) -> None:
    state = own({"9": before})
    was = spot(state, "9")
    assert was is not None
    bare = correct(state, what="card", space="9", lies="same") if was.marked else state
    assert spot(bare, "9") == was._replace(marked=False)
    marked = correct(bare, what="card", space="9", lies="same:Cy")
    assert spot(marked, "9") == was._replace(by=2, marked=True)
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(marked, what="card", space="9", lies="same:Cy")


@pytest.mark.parametrize(
    ("before", "lies", "said"),
    [
        (UP, "same:Ann", "Space 9: Move 5, face up, Ann’s marker."),
        (UP, "down", "Space 9: face down, no marker."),
        (UP, "empty", "Space 9: no card."),
        (None, "marker:Cy", "Space 9: face down, Cy’s marker."),
    ],
)
def test_ba18_a_corrected_space_is_announced_as_it_lies_now(
    before: Any, lies: str, said: str
) -> None:
    given = {"what": "card", "space": "9", "lies": lies}
    _, (corrected,) = apply_answer(GAME, own({"9": before}), given, "correct")
    words = words_for("baretta", "en")
    assert words.fact_text(corrected) == said
    assert words.fact_speech(corrected, "normal") == f"Corrected. {said}"


def test_ba18_only_where_a_card_lay_it_can_be_the_same() -> None:
    ways = ("empty", "down", "marker:Ann", "marker:Bob", "marker:Cy")
    assert offered(own({}), what="card", space="9") == ways
    same = ("same", "same:Ann", "same:Bob", "same:Cy")
    assert offered(own({"9": None}), what="card", space="9") == (*ways, *same)


def test_ba18_ba14_another_card_of_a_player_whose_arrest_card_all_can_see_is_none() -> None:
    cards = {"9": None, "11": (ANNS, 0, True, True)}
    state = correct(own(cards), what="card", space="9", lies="marker:Ann")
    assert seen(state, "9")["cleared"]
    state = correct(state, what="card", space="11", lies="down")
    assert seen(state, "9")["cleared"]
    state = correct(state, what="card", space="12", lies="marker:Ann")
    assert not seen(state, "12")["cleared"]


def test_ba18_nobody_gets_a_seventh_marker() -> None:
    six = {str(n): (None, 1) for n in range(10, 16)}
    assert offered(own(six), what="card", space="1") == ("empty", "down", "marker:Ann", "marker:Cy")
    assert "marker:Bob" in offered(own(six), what="card", space="10")


def test_ba18_an_own_pile_has_as_many_cards_as_the_table_says() -> None:
    state = correct(own({}), what="pile", who="Ann", n=5)
    assert GAME.view(state, None)["pile"]["Ann"] == 5
    assert state.piles[0] == (None,) * 5
    up = own({}, shown=(True, False, False))
    assert correct(up, what="pile", who="Ann", n=0).shown == (False, False, False)


def test_ba18_the_box_lets_nobody_change_its_own_cards() -> None:
    assert offered(moment({}, (), (), (), roll=1)) == ("baretta", "turn", "out")
    assert offered(own({})) == ("baretta", "turn", "out", "card", "pile")


def test_ba18_what_stands_so_already_is_refused() -> None:
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(moment({}, at="4", roll=1), what="baretta", space="4")


@pytest.mark.parametrize(
    "given",
    [
        {"what": "turn", "who": "Ann"},
        {"what": "out", "who": "Bob"},
        {"what": "in", "who": "Cy"},
    ],
    ids=str,
)
def test_ba18_who_has_the_turn_or_is_out_or_in_already_is_told_that_it_is_so(
    given: dict[str, Any],
) -> None:
    state = moment({}, (), (), (), (), at="4", roll=1, out=(1,))
    with pytest.raises(Refused, match="nothing_to_correct"):
        apply_answer(GAME, state, given, "correct")
    with pytest.raises(Refused, match="not_offered"):
        apply_answer(GAME, state, {**given, "who": "Zoe"}, "correct")


def test_ba18_who_leaves_on_the_own_turn_gives_it_to_the_next_and_cards_stay() -> None:
    state = moment({"9": CardOnBoard("move:3", 0, marked=True)}, (), (), (), at="4", roll=1)
    after, cues = apply_answer(GAME, state, {"what": "out", "who": "Ann"}, "correct")
    assert [cue.name for cue in cues] == ["corrected", "next_turn"]
    assert GAME.ask(after) == Roll("roll", "Bob", dice=2)
    assert GAME.view(after, None)["spaces"]["9"]["marker"] == "Ann"


def test_ba16_when_all_others_have_left_the_last_one_wins() -> None:
    state = moment({}, (), (), (), at="4", roll=1, out=(2,))
    for leaver, winner in (("Ann", "Bob"), ("Bob", "Ann")):
        after, cues = apply_answer(GAME, state, {"what": "out", "who": leaver}, "correct")
        assert [cue.name for cue in cues] == ["corrected", "game_won"]
        outcome = GAME.outcome(after)
        assert outcome is not None
        assert outcome.winners == (winner,)


def test_ba18_who_is_to_miss_a_turn_and_is_given_one_plays_it_and_misses_the_next() -> None:
    state = correct(moment({}, (), (), at="4", roll=1, sitting=(1,)), what="turn", who="Bob")
    assert GAME.ask(state) == Roll("roll", "Bob", dice=2)
    state, _ = play(on_a_shortcut(replace(state, step="move_to")), "a2")
    assert (to_act(state), GAME.view(state, None)["sitting"]) == ("Ann", ["Bob"])
    state, cues = play(on_a_shortcut(replace(state, step="move_to")), "a2")
    assert (to_act(state), [c.name for c in cues][-2:]) == ("Ann", ["missed_turn", "next_turn"])


def test_ba18_nothing_is_put_right_before_somebody_begins() -> None:
    opening = moment({}, (), (), step="high_roll", opening=True, rollers=(0, 1))
    assert GAME.anytime(opening) == ()


def test_ba18_nothing_is_put_right_while_a_card_is_being_obeyed() -> None:
    own, hunch = (
        landed(None, (None,), (None,), deck="own")[0],
        landed("hunch", cards={"9": ANNS})[0],
    )
    for state in (own, hunch):
        assert [question.name for question in GAME.anytime(state)] == ["leaves"]


def test_ba18_when_no_arrest_card_can_come_up_any_more_the_table_says_who_won() -> None:
    state = moment({"5": None}, (), (), (), at="4", roll=1, deck="own", out=(2,))
    state, _ = play(state, "5", "wounded")
    prompt = GAME.ask(state)
    assert prompt is not None
    assert (prompt.name, prompt.who, prompt.options) == ("who_won", None, ("Ann", "Bob"))  # type: ignore[union-attr]
    state, (won,) = play(state, "Bob")
    assert (won.facts, won.clause) == ({"who": "Bob", "how": "table"}, "BA-18")
    assert GAME.outcome(state).winners == ("Bob",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "left", [{"9": (None, 1)}, {"9": (ANNS, 0, False, True)}], ids=["unknown", "known"]
)
def test_ba18_as_long_as_one_can_come_up_play_goes_on(left: dict[str, Any]) -> None:
    state, _ = play(moment({"5": None, **left}, (), (), at="4", roll=1, deck="own"), "5", "wounded")
    assert to_act(state) == "Bob"
    assert GAME.ask(state) == Roll("roll", "Bob", dice=2)


@pytest.mark.parametrize(
    ("cards", "gone", "asked"),
    [
        ({"9": (None, 1, True, False, (), True)}, (ANNS,), "who_won"),
        ({"9": (None, 1)}, (ANNS, BOBS), "who_won"),
        ({"9": (None, 2)}, (ANNS,), "who_won"),
        ({"9": (BOBS, 0)}, (ANNS,), "roll"),
    ],
    ids=["all know that it is none", "it has left the game", "of who is out", "laid by another"],
)
def test_ba18_when_a_turn_ends_the_table_is_asked_unless_an_arrest_card_can_come_up(
    cards: dict[str, Any], gone: tuple[str, ...], asked: str
) -> None:
    lying = {"5": None, **cards}
    state = moment(lying, (), (), (), at="3", roll=1, deck="own", out=(2,), gone=gone)
    state = correct(state, what="baretta", space="4")
    assert GAME.ask(state).name == "move_to"  # type: ignore[union-attr]
    state, _ = play(state, "5", "wounded")
    assert GAME.ask(state).name == asked  # type: ignore[union-attr]


def test_ba18_a_correction_can_be_undone_and_verify_names_it() -> None:
    options = {
        "deck": "virtual",
        "dice": "companion",
        "wounded": "up",
        "criminals": "choose",
        "cutting": "yes",
    }
    setup = setup_for(options, game="baretta", players=("Ann", "Bob"), seed="00")
    journal = Journal(None)
    session = Session.begin(journal, setup, 0)
    for value in ("killer", "hijacker", "no"):
        session.answer(value, 0)
    before = session.standing.snapshot.view
    session.answer({"what": "baretta", "space": "9"}, 0, "correct")
    assert session.standing.snapshot.view["baretta"] == "9"
    session.undo(0)
    assert session.standing.snapshot.view == before
    session.redo(0)
    session.commit()
    found = verify.verify_game_against_seed(journal, session.number)
    assert (found.problem, found.corrected) == (None, 1)
    assert seen(session.standing.history.last.state, "9")["card"] == "down"
