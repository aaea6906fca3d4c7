"""Several answers that count as one: what is asked, what is taken for granted, the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.core.forms import Filling
from companion.core.prompts import Choose, Form, Number, accepts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import Prompt

NAMES = ("Ann", "Bob", "Cy")


def guess(given: Mapping[str, Any]) -> Prompt | None:
    """Who guesses whose word, on which rack (only Bob has two), and is it right."""
    if "who" not in given:
        return Choose("who", None, NAMES)
    if "whom" not in given:
        return Choose("whom", None, tuple(name for name in NAMES if name != given["who"]))
    if "rack" not in given:
        racks = ("Bob:left", "Bob:right") if given["whom"] == "Bob" else (given["whom"],)
        return Choose("rack", None, racks)
    return None if "right" in given else Choose("right", None, (True, False))


FORM = Form("interrupt", None, guess)


def filled(*values: Any) -> Filling:
    form = Filling(FORM)
    for value in values:
        form = form.fill(value)
    return form


def test_a_form_is_answered_whole() -> None:
    form = filled("Ann", "Bob", "Bob:right", True)
    assert form.prompt is None
    assert form.answer == {"who": "Ann", "whom": "Bob", "rack": "Bob:right", "right": True}
    assert accepts(FORM, form.answer)


def test_a_question_that_leaves_no_choice_is_not_asked() -> None:
    form = filled("Ann", "Cy")
    assert dict(form.given)["rack"] == "Cy"
    assert form.prompt == Choose("right", None, (True, False))


def test_the_way_back_passes_over_what_was_not_asked() -> None:
    form = filled("Ann", "Cy").back()
    assert form is not None
    assert form.given == (("who", "Ann"),)
    again = form.back()
    assert again == Filling(FORM)
    assert Filling(FORM).back() is None


def test_a_single_question_is_a_form_of_one() -> None:
    question = Number("points", None, -100, 100, 0)
    form = Filling(question)
    assert form.prompt == question
    assert form.fill(5).prompt is None
    assert form.fill(5).answer == 5
    assert form.fill(5).back() == form


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
    assert not accepts(FORM, value)
