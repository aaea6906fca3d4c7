"""Tests of orders on trap cards of other editions (KO-13), with both kinds of decks."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.fold import apply_answer_to_prompt, state_after_answers
from companion.core.game import Cues
from companion.core.prompts import Choose, cursor_start_answer_index
from companion.games.kojak import GAME
from companion.games.kojak.known.edition import can_criminal_always_miss_red
from companion.games.kojak.rules.board import HUNTING_STAGE, TO_MISSION_STAGE, unshuffled_deck
from companion.games.kojak.rules.state import State
from tests.games.kojak.own import said
from tests.games.steps import cue_names
from tests.helpers import printed_edition

NAMES: Final = ("Ann", "Bob", "Cy")
TRAPS: Final = {
    "red": [1, 1, -2, "red"],
    "yellow": [-1, -1, 0, "red"],
    "blue": [1, 2, 3],
    "green": [1],
}
ORDERS: Final = {"all": [2, -1, 0, "red"], "lose_turn": 1}
both = pytest.mark.parametrize("own", ["own", "virtual"])


def edition() -> dict[str, Any]:
    """Return the built-in edition with every order that a card can give."""
    known = printed_edition("kojak")
    files = [{**file, "traps": TRAPS[file["colour"]]} for file in known["file"]]
    return {**known, **ORDERS, "file": files}


def hunting(own: str, card: str, circle: tuple[int, ...] = (1, 1, 1, 1)) -> State:
    """Return a state: Ann hunts red, Bob blue, Cy nothing. Ann has driven, and `card` is on top."""
    options = {"deck": own, "die": "none", "short": "no", "beside": "fetched"}
    state = GAME.setup(NAMES, options, edition())
    cards = list(unshuffled_deck(state.table.traps))
    assert len(cards) == 20
    cards.remove(card)
    return replace(
        state, step="happened", held=("red", "blue", None),
        stages=(HUNTING_STAGE, HUNTING_STAGE, TO_MISSION_STAGE),
        circle=circle, traps=state.traps if state.table.own else (card, *cards),
    )  # fmt: skip


def draw(state: State, card: str) -> tuple[State, Cues]:
    """Let Ann end on a trap space. If the card is her own, describe it."""
    told: Cues = ()
    for value in ("trap", *said(card)) if state.table.own else ("trap",):
        prompt = GAME.ask(state)
        assert isinstance(prompt, Choose)
        state, cues = apply_answer_to_prompt(GAME, state, prompt, value)
        told += tuple(cue for cue in cues if cue.name != "drawn")
    return state, told


@both
@pytest.mark.parametrize(
    ("card", "order", "to", "steps", "how"),
    [
        ("advance:red:1", {"kind": "advance", "colour": "red", "steps": 1}, 2, 1, "advance"),
        ("back:red:2", {"kind": "back", "colour": "red", "steps": 2}, 3, 2, "back"),
        ("to_red:red", {"kind": "to_red", "colour": "red"}, 3, 2, "to_red"),
    ],
)
def test_ko13_a_card_sends_a_criminal_on_back_or_to_red(
    own: str, card: str, order: dict[str, Any], to: int, steps: int, how: str
) -> None:
    state, cues = draw(hunting(own, card), card)
    assert cues[0].facts["card"] == order
    walked = cues[1].facts
    assert (walked["from"], walked["to"], walked["steps"], walked["how"]) == (1, to, steps, how)
    assert cue_names(cues)[2:] == (["on_red"] if to == 3 else [])
    assert state.circle == (to, 1, 1, 1)
    assert {cue.clause for cue in cues} <= {"KO-13", "KO-15"}


@both
def test_ko13_a_criminal_goes_back_off_red_and_round_the_dot(own: str) -> None:
    state, cues = draw(hunting(own, "back:yellow:1", (1, 3, 1, 1)), "back:yellow:1")
    assert cue_names(cues) == ["trap", "advanced", "off_red"]
    state, cues = draw(hunting(own, "back:yellow:1", (1, 0, 1, 1)), "back:yellow:1")
    assert (cue_names(cues), state.circle[1]) == (["trap", "advanced", "on_red"], 3)


@both
def test_ko13_a_card_makes_a_criminal_stay(own: str) -> None:
    state, cues = draw(hunting(own, "stay:yellow"), "stay:yellow")
    assert cues[0].facts["card"] == {"kind": "stay", "colour": "yellow"}
    assert cue_names(cues) == ["trap"]
    assert state.circle == (1, 1, 1, 1)


@both
def test_ko13_a_card_to_red_is_spent_on_a_criminal_who_is_there(own: str) -> None:
    state, cues = draw(hunting(own, "to_red:red", (3, 1, 1, 1)), "to_red:red")
    assert cue_names(cues) == ["trap", "on_red"]
    assert cues[1].facts["already"]
    assert state.circle[0] == 3


@both
@pytest.mark.parametrize(
    ("card", "circle"),
    [
        ("advance:all:2", (3, None, 3, 3)),
        ("back:all:1", (0, None, 0, 0)),
        ("stay:all", (1, None, 1, 1)),
        ("to_red:all", (3, None, 3, 3)),
    ],
)
def test_ko13_a_card_for_all_moves_every_criminal_who_is_free(
    own: str, card: str, circle: tuple[int | None, ...]
) -> None:
    before = hunting(own, card, (1, None, 1, 1))  # type: ignore[arg-type]
    state, cues = draw(replace(before, closed=(None, 1, None, None)), card)
    assert state.circle == circle
    assert cues[0].facts["card"]["colour"] == "all"
    walked = [cue.facts["colour"] for cue in cues if cue.name == "advanced"]
    assert walked == ([] if card.startswith("stay") else ["red", "blue", "green"])
    alarms = [cue.facts["may_arrest"] for cue in cues if cue.name == "on_red"]
    assert alarms == ([["Ann"], ["Bob"], []] if 3 in circle else [])


@both
def test_ko20_an_order_to_an_arrested_criminal_does_nothing(own: str) -> None:
    before = hunting(own, "to_red:yellow", (1, None, 1, 1))  # type: ignore[arg-type]
    _, cues = draw(replace(before, closed=(None, 1, None, None)), "to_red:yellow")
    assert cue_names(cues) == ["trap", "no_criminal"]


@both
def test_ko13_a_card_that_costs_a_turn_passes_its_drawer_over_once(own: str) -> None:
    state, cues = draw(hunting(own, "lose_turn"), "lose_turn")
    assert cue_names(cues) == ["trap"]
    assert cues[0].facts["card"] == {"kind": "lose_turn"}
    assert GAME.view(state, None)["lose_turn"] == ["Ann"]
    state = state_after_answers(GAME, state, ["nothing"])
    assert state.turn == 2
    prompt = GAME.ask(state)
    assert prompt is not None
    state, cues = apply_answer_to_prompt(GAME, state, prompt, "nothing")
    assert [(cue.name, cue.facts, cue.clause) for cue in cues] == [
        ("turn_lost", {"who": "Ann"}, "KO-13")
    ]
    assert (state.turn, GAME.view(state, None)["lose_turn"]) == (1, [])
    assert state_after_answers(GAME, state, ["nothing", "nothing"]).turn == 0


@both
def test_ko13_two_players_who_both_lose_a_turn_are_both_passed_over(own: str) -> None:
    state = replace(hunting(own, "lose_turn"), missing=(1, 2), turn=0)
    prompt = GAME.ask(state)
    assert prompt is not None
    state, cues = apply_answer_to_prompt(GAME, state, prompt, "nothing")
    assert [cue.facts["who"] for cue in cues] == ["Bob", "Cy"]
    assert state.turn == 0


# --- a card that the edition does not contain -----------------------------------------------------


def choices(state: State) -> tuple[str, tuple[Any, ...]]:
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    return prompt.name, prompt.options


def turned(*answers: str) -> tuple[State, Cues]:
    """Let Ann turn over a card that the edition does not contain, and describe it."""
    state = state_after_answers(GAME, hunting("own", "stay:yellow"), ["trap"])
    told: Cues = ()
    for value in answers:
        prompt = GAME.ask(state)
        assert prompt is not None
        state, told = apply_answer_to_prompt(GAME, state, prompt, value)
    return state, told


def test_ko13_another_card_is_always_an_answer_and_does_what_is_chosen() -> None:
    state, _ = turned()
    named = ("kojak", "red", "yellow", "blue", "green", "all", "lose_turn")
    assert choices(state) == ("criminal", named)
    state, _ = turned("blue")
    name, orders = choices(state)
    assert (name, len(orders)) == ("order", 20)
    assert {"advance:blue:9", "back:blue:9", "stay:blue", "to_red:blue"} <= {*orders}
    state, cues = turned("blue", "advance:blue:6")
    assert cues[0].facts["card"] == {"kind": "advance", "colour": "blue", "steps": 6}
    assert (cue_names(cues), state.circle[2]) == (["trap", "advanced", "on_red"], 3)
    assert (state.step, state.turn, state.named) == ("happened", 1, None)
    state, _ = turned("all", "to_red:all")
    assert state.circle == (3, 3, 3, 3)
    state, _ = turned("lose_turn")
    assert state.missing == (0,)


def test_ko13_another_card_is_known_when_it_comes_up_again() -> None:
    """KO-13: the card goes under the pile. The order of the other cards stays unknown."""
    before = hunting("own", "stay:yellow")
    before = replace(before, traps=(None, "kojak", *before.traps[2:]))
    state = state_after_answers(GAME, before, ["trap", "red", "back:red:5"])
    assert state.traps[0] == "kojak"
    assert state.traps[-1] == "back:red:5"
    again = replace(state, turn=0, step="criminal", traps=(state.traps[-1], *state.traps[:-1]))
    for value in ("red", "back:red:5"):
        prompt = GAME.ask(again)
        assert isinstance(prompt, Choose)
        assert prompt.options[cursor_start_answer_index(prompt)] == value
        again = state_after_answers(GAME, again, [value])


def test_ko13_another_card_in_the_place_of_a_known_one_makes_the_order_forgotten() -> None:
    before = hunting("own", "stay:yellow")
    before = replace(before, traps=("kojak", "kojak", *before.traps[2:]))
    state = state_after_answers(GAME, before, ["trap", "red", "back:red:5"])
    assert {*state.traps[:-1]} == {None}


# --- whether a criminal can be locked out of red --------------------------------------------------

CIRCLES: Final = st.lists(st.sampled_from(["plain", "red"]), min_size=1, max_size=5).filter(
    lambda fields: "red" in fields
)


@pytest.mark.long
@given(CIRCLES, st.lists(st.integers(-5, 5), max_size=4))
def test_a_criminal_can_be_locked_out_if_some_order_walks_him_round_without_red(
    fields: list[str], steps: list[int]
) -> None:
    circle = ["dot", *fields]

    def escapes(start: int, order: tuple[int, ...]) -> bool:
        at, seen = start, {start}
        for _ in circle:
            for n in order:
                at = (at + n) % len(circle)
                seen.add(at)
        return all(circle[field] != "red" for field in seen)

    found = any(
        escapes(start, order) for start in range(len(circle)) for order in permutations(steps)
    )
    assert can_criminal_always_miss_red(circle, [*steps]) == found


def test_a_card_that_sends_him_to_red_lets_nobody_be_locked_out() -> None:
    circle = ["dot", "plain", "plain", "red"]
    assert can_criminal_always_miss_red(circle, [2])
    assert not can_criminal_always_miss_red(circle, [2, "red"])
    assert not can_criminal_always_miss_red(circle, [1, 1, 2, 3])
