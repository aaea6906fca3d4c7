"""What stands on the table is what counts: the box takes it over, for all to see (BA-18)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.errors import Refused
from companion.core.fold import advance
from companion.core.prompts import Form, Roll
from companion.games.baretta import GAME
from companion.games.baretta.board import Spot
from companion.play import verify
from companion.play.session import Session
from companion.record.journal import Journal
from tests.games.baretta.moments import ANNS, landed, moment, play, seen, spot, to_act
from tests.helpers import setup_for


def correct(state: Any, **given: Any) -> Any:
    state, (corrected,) = advance(GAME, state, given, "correct")
    assert corrected.name == "corrected"
    assert {key: value for key, value in corrected.facts.items() if value is not None} == given
    assert (corrected.clause, corrected.to) == ("BA-18", None)
    return state


def offered(state: Any, **given: Any) -> tuple[Any, ...]:
    (form,) = GAME.anytime(state)
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
    assert "out" not in offered(state)


def on_a_shortcut(state: Any) -> Any:
    """Baretta is on a shortcut, with one step to go."""
    return replace(state, at=29, moving=(1, False))


@pytest.mark.parametrize(
    ("lies", "found"),
    [
        ("empty", None),
        ("down", Spot(None, 1)),
        ("marker:Cy", Spot(None, 2, marked=True)),
    ],
)
def test_ba18_own_cards_lie_as_the_table_says(lies: str, found: Spot | None) -> None:
    state = correct(own({"9": (None, 1)}), what="card", space="9", lies=lies)
    assert spot(state, "9") == found
    assert spot(correct(own({}), what="card", space="9", lies="down"), "9") == Spot(None)


def test_ba18_nobody_gets_a_seventh_marker() -> None:
    six = {str(n): (None, 1) for n in range(10, 16)}
    assert offered(own(six), what="card", space="1") == ("empty", "down", "marker:Ann", "marker:Cy")


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


def test_ba18_nothing_is_put_right_while_a_card_is_being_obeyed() -> None:
    assert GAME.anytime(landed(None, (None,), (None,), deck="own")[0]) == ()
    assert GAME.anytime(landed("hunch", cards={"9": ANNS})[0]) == ()


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
    before = session.snapshot.view
    session.answer({"what": "baretta", "space": "9"}, 0, "correct")
    assert session.snapshot.view["baretta"] == "9"
    session.undo(0)
    assert session.snapshot.view == before
    session.redo(0)
    session.commit()
    found = verify.check(journal, session.number)
    assert (found.problem, found.corrected) == (None, 1)
    assert seen(session._line.last.state, "9")["card"] == "down"
