"""Tests of the table of corrections: the questions of its form, and their effect."""

from __future__ import annotations

from typing import Final

import pytest

from companion.core.corrections import Correction, apply_correction, correction_form
from companion.core.errors import Refused
from companion.core.fold import refusal_code
from companion.core.prompts import Answer, Choose, Number

PILES: Final = {"Ann": 2, "Bob": 0}


def _with_pile(piles: dict[str, int], who: str, n: int) -> dict[str, int]:
    return {**piles, who: n}


CORRECTIONS: Final[dict[str, Correction[dict[str, int]]]] = {
    "pile": Correction(
        {"who": lambda piles: piles, "n": lambda piles, who: Number("n", None, 0, 3, piles[who])},
        _with_pile,
    ),
    "empty": Correction(
        {"who": lambda piles: [who for who in piles if piles[who]]},
        lambda piles, who: _with_pile(piles, who, 0),
        already=lambda piles, who: who in piles and not piles[who],
    ),
}
FORM: Final = correction_form(CORRECTIONS, PILES)


def test_correction_form_asks_for_kind_then_value() -> None:
    assert FORM.ask({}) == Choose("what", None, ("pile", "empty"))
    assert FORM.ask({"what": "pile"}) == Choose("who", None, ("Ann", "Bob"))
    assert FORM.ask({"what": "pile", "who": "Ann"}) == Number("n", None, 0, 3, 2)
    assert FORM.ask({"what": "pile", "who": "Ann", "n": 1}) is None


def test_correction_without_answers_is_not_offered() -> None:
    form = correction_form(CORRECTIONS, {"Ann": 0, "Bob": 0})
    assert form.ask({}) == Choose("what", None, ("pile",))
    assert refusal_code(form, {"what": "empty", "who": "Ann"}) == "not_offered"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"what": "empty", "who": "Bob"}, "nothing_to_correct"),
        ({"what": "empty", "who": "Cid"}, "not_offered"),
        ({"what": "pile", "who": "Cid", "n": 1}, "not_offered"),
        ({"what": ["empty"], "who": "Bob"}, "not_offered"),
        ({"who": "Bob"}, "not_offered"),
    ],
)
def test_illegal_correction_has_refusal_code(given: dict[str, Answer], code: str) -> None:
    assert refusal_code(FORM, given) == code


def test_correction_changes_state_or_is_refused() -> None:
    given = {"n": 1, "what": "pile", "who": "Bob"}  # the order of the answers does not matter
    assert apply_correction(CORRECTIONS, PILES, given) == {"Ann": 2, "Bob": 1}
    with pytest.raises(Refused, match="nothing_to_correct"):
        apply_correction(CORRECTIONS, PILES, {**given, "n": 0})
