"""Tests of Conversation: forms, implied answers, the way back, and the check of early presses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from companion.core.errors import Refused
from companion.core.prompts import Choose, Form, Number, Prompt, Spell, is_legal_answer
from companion.play.conversation import (
    SURE_QUESTION,
    CompleteAnswer,
    Conversation,
    UnconfirmedAnswer,
    WordToCheck,
    needs_word_check,
)
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION

NAMES = ("Ann", "Bob", "Cy")


def guess(given: Mapping[str, Any]) -> Prompt | None:
    """Ask who guesses, whose word, on which rack (only Bob has two), and if the guess is right."""
    if "who" not in given:
        return Choose("who", None, NAMES)
    if "whom" not in given:
        return Choose("whom", None, tuple(name for name in NAMES if name != given["who"]))
    if "rack" not in given:
        racks = ("Bob:left", "Bob:right") if given["whom"] == "Bob" else (given["whom"],)
        return Choose("rack", None, racks)
    return None if "right" in given else Choose("right", None, (True, False))


FORM = Form("interrupt", None, guess)


def filled(*values: Any) -> Conversation:
    form = Conversation(FORM)
    for value in values:
        form = form.with_answer(value)
    return form


def test_a_form_is_answered_whole() -> None:
    form = filled("Ann", "Bob", "Bob:right", True)
    assert form.next_prompt is None
    assert form.completed_answer == {
        "who": "Ann",
        "whom": "Bob",
        "rack": "Bob:right",
        "right": True,
    }
    assert is_legal_answer(FORM, form.completed_answer)


def test_a_question_that_leaves_no_choice_is_not_asked() -> None:
    form = filled("Ann", "Cy")
    assert dict(form.given)["rack"] == "Cy"
    assert form.next_prompt == Choose("right", None, (True, False))


def test_the_way_back_passes_over_what_was_not_asked() -> None:
    form = filled("Ann", "Cy").without_last_answer()
    assert form is not None
    assert form.given == (("who", "Ann"),)
    again = form.without_last_answer()
    assert again == Conversation(FORM)
    assert Conversation(FORM).without_last_answer() is None


def test_a_single_question_is_a_form_of_one() -> None:
    question = Number("points", None, -100, 100, 0)
    form = Conversation(question)
    assert form.next_prompt == question
    assert form.with_answer(5).next_prompt is None
    assert form.with_answer(5).completed_answer == 5
    assert form.with_answer(5).without_last_answer() == form


@pytest.mark.parametrize(
    "value",
    [
        None,
        "Ann",
        {},
        {"who": "Ann"},
        {"who": "Ann", "whom": "Ann", "rack": "Ann", "right": True},
        {"who": "Ann", "whom": "Cy", "rack": "Cy", "right": "yes"},
        {"who": "Ann", "whom": "Cy", "rack": "Bob:left", "right": True},
        {"who": "Ann", "whom": "Cy", "rack": "Cy", "right": True, "more": 1},
        {"who": ["Ann"], "whom": "Cy", "rack": "Cy", "right": True},
    ],
)
def test_a_form_that_is_not_filled_rightly_is_not_accepted(value: Any) -> None:
    assert not is_legal_answer(FORM, value)


# --- the effect of an answer ----------------------------------------------------------------------

WORD: Final = Spell("word", "Ann", 12, ("PROBE",), private=True, listed=True)
CARD: Final = Choose("hunch", "Ann", ("none", "a", "b"))
LISTS: Final = ("american-english", "british-english")


def costly(question: str, value: Any) -> bool:
    return (question, value) in (("hunch", "a"), ("right", True))


def asked(prompt: Prompt) -> Conversation:
    return Conversation(prompt, is_pending=True)


def test_an_answer_to_the_question_that_stands_is_whole_at_once() -> None:
    assert asked(CARD).step_after_answer("none", costly) == CompleteAnswer("none")
    assert asked(CARD).step_after_answer("nonsense", costly) == CompleteAnswer("nonsense"), (
        "the rules say why not"
    )


def test_a_grave_answer_counts_after_a_yes_and_a_no_leads_back() -> None:
    sure = asked(CARD).step_after_answer("a", costly)
    assert isinstance(sure, Conversation)
    facts = {"question": "hunch", "value": "a"}
    assert sure.next_prompt == Choose(SURE_QUESTION, "Ann", ("no", "yes"), (2, 1), facts=facts)
    assert (sure.ok_label_key, asked(CARD).ok_label_key) == (SURE_QUESTION, "answer")
    assert sure.step_after_answer("no", costly) == sure.without_last_answer() == asked(CARD)
    assert sure.step_after_answer("yes", costly) == CompleteAnswer("a", "hunch")


def test_the_last_answer_of_a_form_is_asked_about_too() -> None:
    form = filled("Ann", "Cy")
    sure = form.step_after_answer(True, costly)
    assert isinstance(sure, Conversation)
    assert (sure.form_or_interrupt_name, sure.given) == ("interrupt", form.given)
    assert sure.without_last_answer() == sure.step_after_answer("no", costly) == form
    whole = {"who": "Ann", "whom": "Cy", "rack": "Cy", "right": True}
    assert sure.step_after_answer("yes", costly) == CompleteAnswer(whole, "interrupt")


def test_what_stands_against_a_form_ends_it_before_all_is_answered() -> None:
    refused = Refused("too_few")
    form = Conversation(FORM._replace(refusal=lambda given: refused if "whom" in given else None))
    assert form.with_answer("Ann").step_after_answer("Bob", costly) is refused


def test_a_word_that_a_list_should_have_is_looked_up_and_asked_about() -> None:
    assert asked(WORD).step_after_answer("FLOP", costly) == WordToCheck(WORD, "FLOP")
    doubted = asked(WORD).with_unlisted_word_question("FLOP", LISTS)
    assert doubted.unconfirmed_answer == UnconfirmedAnswer(WORD, "FLOP", LISTS)
    facts = {"word": "FLOP", "lists": [*LISTS]}
    yes_or_no = Choose(
        CONFIRM_UNLISTED_WORD_QUESTION, "Ann", ("yes", "no"), (1, 2), private=True, facts=facts
    )
    assert doubted.next_prompt == yes_or_no
    assert doubted.step_after_answer("no", costly) == doubted.without_last_answer() == asked(WORD)
    assert doubted.step_after_answer("yes", costly) == CompleteAnswer("FLOP", "word")


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        (None, "FLOP"),
        (Choose("answer", "Ann", ("yes", "no")), "yes"),
        (WORD._replace(listed=False), "FLOP"),
        (WORD._replace(flaw=lambda _: "word_short"), "FLOP"),
        (WORD, "FLOPFLOPFLOPFLOP"),
    ],
)
def test_only_a_word_that_would_do_is_looked_up(prompt: Any, text: str) -> None:
    assert not needs_word_check(prompt, text)
    assert needs_word_check(WORD, "FLOP")


def test_who_interrupts_is_the_first_answer_or_all_of_whom_it_may_be() -> None:
    assert Conversation(FORM).out_of_turn_players == NAMES
    assert filled("Cy", "Ann").out_of_turn_players == ("Cy",)
    assert asked(WORD).with_unlisted_word_question("FLOP", LISTS).out_of_turn_players == ()
