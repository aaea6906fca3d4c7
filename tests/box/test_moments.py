"""How long a frame stays, and how it moves."""

from __future__ import annotations

import pytest

from companion.box.moments import SHORTEST, STEP, Moments
from companion.core.game import Cue
from tests.helpers import words_for

WORDS = words_for("barney-miller", "en")
TEN = (Cue("hand", {"who": "Fish", "cards": [1]}),)
"""A fact of which nothing is said."""


@pytest.fixture
def moments() -> Moments:
    return Moments([TEN, TEN])


def test_a_frame_that_stands_still_goes_after_its_time(moments: Moments) -> None:
    moments.begin(WORDS, 100.0, 1, stays=False)
    assert moments.until == 100.0 + SHORTEST
    assert not moments.move(moments.until)


def test_a_movement_shows_every_step_and_then_its_end_for_a_while(moments: Moments) -> None:
    moments.begin(WORDS, 100.0, 4, stays=False)
    times, steps = [], [moments.step]
    while moments.until is not None:
        times.append(moments.until)
        if not moments.move(moments.until):
            break
        steps.append(moments.step)
    assert steps == [0, 1, 2, 3]
    assert times == pytest.approx(
        [100 + STEP, 100 + 2 * STEP, 100 + 3 * STEP, 100 + 3 * STEP + SHORTEST]
    )


def test_the_last_word_moves_and_then_stays(moments: Moments) -> None:
    moments.begin(WORDS, 100.0, 2, stays=True)
    assert moments.until == 100.0 + STEP
    assert moments.move(moments.until)
    assert moments.until is None


def test_a_note_in_front_stands_still(moments: Moments) -> None:
    moments.begin(WORDS, 100.0, 4, stays=False)
    moments.move(100.0 + STEP)
    moments.show(Cue("refused", {"code": "over"}), 107.0)
    assert (moments.step, moments.steps, moments.until) == (0, 1, 107.0)


def test_without_frames_nothing_is_due() -> None:
    moments = Moments()
    moments.begin(WORDS, 100.0, 1, stays=False)
    assert moments.until is None
