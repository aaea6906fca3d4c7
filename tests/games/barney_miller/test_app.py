"""Barney Miller on the buttons: what others see of a hand, and a card that cannot be."""

from __future__ import annotations

import pytest

from companion.core.prompts import choices
from hardware import BACK, DOWN, OK
from tests.scenes.barney_miller import at_ten, told


def test_bm11_a_card_that_cannot_be_is_one_press_from_taken_back_and_one_from_going_on() -> None:
    drive = told("en", "gang:molls", *[0] * 5)
    assert drive.front.name == "too_many"
    drive.press(OK)
    assert drive.session.snapshot.view["played"][4:] == [["Fish", 0]]
    drive = told("en", "gang:molls", *[0] * 5)
    drive.press(BACK, seconds=1.0)
    assert len(drive.session.snapshot.view["played"]) == 4


@pytest.mark.parametrize("answers", [("play", "pass"), ("pass",)])
def test_bm8_who_looks_passes_with_one_turn_with_a_zero_and_without(
    answers: tuple[str, ...],
) -> None:
    drive = at_ten("en", *answers)
    prompt = drive.session.prompt
    assert prompt is not None
    assert tuple(choices(prompt)) == answers
    drive.press(DOWN)
    drive.up(OK)
    drive.press(OK)
    assert drive.session.snapshot.cues[0].name == "round_won"
