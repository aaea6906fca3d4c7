from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.catalog.registry import BUILT_IN_GAMES, find_game, playable_games
from companion.core.errors import CompanionError, Refused
from companion.core.fold import apply_answer, apply_answer_to_prompt, replace, state_after_answers
from companion.core.game import Cue, Cues, Game
from companion.core.prompts import (
    Choose,
    Form,
    Number,
    Prompt,
    Roll,
    Shuffle,
    Spell,
    complete_form_answer,
    cursor_start_answer_index,
    highest_weight_index,
    is_answered_by_box,
    is_legal_answer,
    legal_answers,
    only_answer,
    rolled_numbers,
)
from companion.say.errors import error_text
from companion.say.words import Words

PROMPTS: tuple[Prompt, ...] = (
    Choose("c", "Ann", ("yes", "no", 3)),
    Number("n", None, -2, 9, 4),
    Spell("s", "Ann", 5, ("PROBE", "A")),
    Roll("r", "Ann", dice=2),
    Roll("r", "Ann", dice=2, real=True),
    Shuffle("f", 4),
    Roll("r", "Ann", dice=2, sides=20),
    Roll("r", "Ann", sides=4, real=True),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


# --- prompts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        (PROMPTS[0], "yes"),
        (PROMPTS[0], 3),
        (PROMPTS[1], -2),
        (PROMPTS[1], 9),
        (PROMPTS[2], "PROBE"),
        (PROMPTS[2], "É!"),
        (PROMPTS[3], [6, 1]),
        (PROMPTS[4], 2),
        (PROMPTS[4], 12),
        (PROMPTS[5], [3, 0, 2, 1]),
        (PROMPTS[6], [20, 1]),
        (PROMPTS[7], 4),
    ],
)
def test_a_legal_answer_is_accepted(prompt: Prompt, value: Any) -> None:
    assert is_legal_answer(prompt, value)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        (PROMPTS[0], "maybe"),
        (PROMPTS[0], 3.0),
        (PROMPTS[0], ["yes"]),
        (Choose("c", None, (0, 1)), False),
        (PROMPTS[1], -3),
        (PROMPTS[1], 10),
        (PROMPTS[1], True),
        (PROMPTS[1], 1.0),
        (PROMPTS[2], ""),
        (PROMPTS[2], "PROBES"),
        (PROMPTS[2], "A\nB"),
        (PROMPTS[2], "\ud800"),
        (PROMPTS[3], [6]),
        (PROMPTS[3], [6, 7]),
        (PROMPTS[3], [True, 1]),
        (PROMPTS[3], (6, 1)),
        (PROMPTS[3], 7),
        (PROMPTS[4], 1),
        (PROMPTS[4], 13),
        (PROMPTS[4], [6, 1]),
        (PROMPTS[6], [21, 1]),
        (PROMPTS[7], 5),
        (PROMPTS[5], [0, 1, 2]),
        (PROMPTS[5], [0, 1, 2, 2]),
        (PROMPTS[5], [0, 1, 2, 3.0]),
        (PROMPTS[5], "0123"),
    ],
)
def test_an_illegal_answer_is_not_accepted(prompt: Prompt, value: Any) -> None:
    assert not is_legal_answer(prompt, value)


@given(prompt=st.sampled_from(PROMPTS), value=JSON)
def test_no_json_value_whatever_makes_a_prompt_raise(prompt: Prompt, value: Any) -> None:
    assert is_legal_answer(prompt, value) in (True, False)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_every_choice_of_a_prompt_is_accepted(prompt: Prompt) -> None:
    if is_answered_by_box(prompt):
        assert not any(is_legal_answer(prompt, value) for value in legal_answers(prompt))
        return
    assert legal_answers(prompt)
    assert all(is_legal_answer(prompt, value) for value in legal_answers(prompt))
    assert 0 <= cursor_start_answer_index(prompt) < len(legal_answers(prompt))


def test_the_box_answers_shuffles_and_its_own_dice_and_nothing_else() -> None:
    own = [prompt for prompt in PROMPTS if is_answered_by_box(prompt)]
    assert own == [PROMPTS[3], PROMPTS[5], PROMPTS[6]]
    assert not is_answered_by_box(None)


def test_the_dice_of_a_roll_are_its_faces_or_the_sum_that_was_said() -> None:
    assert rolled_numbers([2, 5]) == [2, 5]
    assert rolled_numbers(7) == [7]


def too_loud(text: str) -> str | None:
    return "loud" if text.isupper() else None


def test_a_word_with_a_flaw_is_refused_with_the_code_that_says_why() -> None:
    prompt = Spell("say", None, 5, ("hi",), flaw=too_loud)
    assert is_legal_answer(prompt, "hi")
    assert not is_legal_answer(prompt, "HI")
    for value, code in (("HI", "loud"), ("", "not_offered"), (3, "not_offered")):
        with pytest.raises(Refused) as caught:
            apply_answer_to_prompt(COUNT, Count(), prompt, value)
        assert caught.value.code == code


def test_a_number_is_chosen_in_steps_and_what_lies_between_is_legal_too() -> None:
    prompt = Number("points", None, -10, 10, 5, by=5)
    assert list(legal_answers(prompt)) == [-10, -5, 0, 5, 10]
    assert legal_answers(prompt)[cursor_start_answer_index(prompt)] == 5
    assert is_legal_answer(prompt, 7)
    assert not is_legal_answer(prompt, 11)


def asks_two(given: Mapping[str, Any]) -> Prompt | None:
    if "who" not in given:
        return Choose("who", None, ("Ann", "Bob"))
    if "rack" not in given:
        return Choose("rack", None, (given["who"],) if given["who"] == "Ann" else ("l", "r"))
    return None


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        ({"who": "Ann", "rack": "Ann"}, {"who": "Ann", "rack": "Ann"}),
        ({"who": "Ann"}, {"who": "Ann", "rack": "Ann"}),
        ({"who": "Bob", "rack": "r"}, {"who": "Bob", "rack": "r"}),
        ({"who": "Bob"}, None),
        ({"who": "Ann", "rack": "l"}, None),
        ({"who": "Ann", "more": 1}, None),
        ({}, None),
    ],
)
def test_in_a_form_what_has_only_one_answer_may_be_left_out(value: Any, whole: Any) -> None:
    form = Form("form", None, asks_two)
    assert complete_form_answer(form, value) == whole
    assert is_legal_answer(form, value) == (whole is not None)


def test_a_question_has_an_only_answer_if_there_is_one_option() -> None:
    assert only_answer(Choose("c", None, ("x",))) == "x"
    assert only_answer(Choose("c", None, ("x", "y"))) is None
    assert only_answer(Number("n", None, 1, 1, 1)) is None


# --- where the cursor starts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        (Choose("c", None, ("a", "b", "c")), "a"),
        (Choose("c", None, ("a", "b", "c"), (1, 5, 2)), "b"),
        (Number("n", None, 10, 20, 14), 14),
        (Roll("r", None, real=True), 3),
        (Roll("r", None, dice=2, real=True), 7),
        (Roll("r", None, dice=2, real=True, sides=10), 11),
    ],
)
def test_the_cursor_starts_on_the_likeliest_answer(prompt: Prompt, value: Any) -> None:
    assert legal_answers(prompt)[cursor_start_answer_index(prompt)] == value


def test_of_equally_likely_places_the_cursor_starts_where_the_others_are_near() -> None:
    assert highest_weight_index((4, 1, 4, 4, 0, 0, 0)) == 2
    assert highest_weight_index((3, 0, 0, 0, 0, 3, 3)) == 6


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any))
def test_no_place_of_the_wheel_is_likelier_than_the_one_it_starts_on(weights: list[int]) -> None:
    assert weights[highest_weight_index(tuple(weights))] == max(weights)


# --- applying answers -----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Count:
    n: int = 0
    said: str | None = None


def on_add(state: Count, value: int) -> tuple[Count, Cues]:
    return replace(state, n=state.n + value), (Cue("added", {"n": value}),)


def on_say(state: Count, value: str) -> tuple[Count, Cues]:
    return replace(state, said=value), ()


COUNT: Game[Count] = Game(
    name="count",
    seats=range(1, 2),
    options=(),
    setup=lambda _players, _options, _edition: Count(),
    ask=lambda state: Number("add", None, 1, 3, 1) if state.n < 10 else None,
    on={"add": on_add, "say": on_say},
    view=lambda state, _player: {"n": state.n},
    outcome=lambda _state: None,
    anytime=lambda state: (Choose("say", None, ("hi",)),) if state.n < 10 else (),
)


def test_advance_folds_one_answer_and_tells_what_happened() -> None:
    before = Count(4)
    assert apply_answer(COUNT, before, 3) == (Count(7), (Cue("added", {"n": 3}),))
    assert before == Count(4)
    assert apply_answer(COUNT, before, 3, "add")[0] == Count(7)


def test_an_answer_out_of_turn_names_its_question() -> None:
    assert apply_answer(COUNT, Count(4), "hi", "say") == (Count(4, "hi"), ())
    for value, question, code in (("hi", None, "not_offered"), ("hi", "sing", "not_asked")):
        with pytest.raises(Refused) as caught:
            apply_answer(COUNT, Count(4), value, question)
        assert caught.value.code == code


def test_after_the_end_nothing_is_accepted() -> None:
    for question, code in ((None, "over"), ("add", "not_asked"), ("say", "not_asked")):
        with pytest.raises(Refused) as caught:
            apply_answer(COUNT, Count(10), 1, question)
        assert caught.value.code == code


def test_fold_gives_the_state_after_all_answers_and_stops_at_the_first_wrong_one() -> None:
    assert state_after_answers(COUNT, Count(), [1, 2, 3]) == Count(6)
    with pytest.raises(Refused):
        state_after_answers(COUNT, Count(), [1, 4, 1])


@given(st.lists(st.integers(1, 3), max_size=1), st.lists(st.integers(1, 3), max_size=2))
def test_folding_in_two_parts_is_folding_at_once(first: list[int], second: list[int]) -> None:
    assert state_after_answers(
        COUNT, state_after_answers(COUNT, Count(), first), second
    ) == state_after_answers(COUNT, Count(), first + second)


# --- replace() and other helpers ------------------------------------------------------------------


def test_replace_makes_a_new_equal_frozen_state() -> None:
    state = Count(3, "hi")
    assert replace(state, n=4) == dataclasses.replace(state, n=4) == Count(4, "hi")
    assert state == Count(3, "hi")
    assert hash(replace(state)) == hash(state)
    with pytest.raises(TypeError, match="no such field: m"):
        replace(state, m=4)  # type: ignore[call-arg] # mypy reports it too


def test_refused_carries_its_reason_and_facts_and_is_a_value_error() -> None:
    error = Refused("not_offered", question="roll")
    assert (error.code, error.facts, str(error)) == (
        "not_offered",
        {"question": "roll"},
        "not_offered",
    )
    assert isinstance(error, CompanionError)
    assert isinstance(error, ValueError)


def test_every_game_is_found_by_its_name() -> None:
    assert [find_game(game.name) for game in playable_games()] == list(playable_games())
    assert tuple(game.name for game in playable_games()) == BUILT_IN_GAMES


@pytest.mark.parametrize(
    ("name", "hint"), [("barny-miler", "did you mean barney-miller?"), ("zzz", "the box has")]
)
def test_an_unknown_game_is_refused_with_the_nearest_right_name(name: str, hint: str) -> None:
    with pytest.raises(LookupError) as caught:
        find_game(name)
    assert hint in error_text(caught.value, Words("en"))
