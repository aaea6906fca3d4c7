"""Tests that no important sentence is dropped, and that speech keeps pace with the display.

`COMPANION_GAMES=1000` plays the promised number of random games.
"""

from __future__ import annotations

from collections import Counter
from statistics import median

import pytest

from companion.catalog.registry import BUILT_IN_GAMES
from hardware.ports import MAX_QUEUED_IMPORTANT_ITEMS
from hardware.sound.synthesis_queue import SLOW_VOICE_WAIT_SECONDS
from tests.hardware.slow import SlowTable
from tests.hear.paced import GAMES, HAS_REQUESTED_GAMES, LONGEST, Evening
from tests.helpers import long_lane_params

BACKLOG = 1.5
"""Maximum of the median backlog of questions (s)."""


def evening(table: Evening, share: int = 1) -> Evening:
    """Play this game's part of GAMES, divided by `share` unless COMPANION_GAMES is set."""
    for _ in range(GAMES // len(BUILT_IN_GAMES) // (1 if HAS_REQUESTED_GAMES else share)):
        table.play()
    return table


@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_nothing_weighty_is_cut_and_little_is_left_to_say_when_a_question_comes_up(
    game: str,
) -> None:
    table = evening(Evening(game, 1))
    assert table.vital
    assert table.cut == []
    assert {way: half for way, half in table.halves().items() if half >= BACKLOG} == {}
    assert max(table.ends, default=0.0) <= LONGEST.get(game, 0.0)


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["barney-miller", "baretta", "kojak", *long_lane_params(["probe"])]
)
def test_a_thumb_that_waits_for_no_verdict_cuts_nothing_weighty_either(game: str) -> None:
    table = evening(Evening(game, 2, hasty=True), 4)
    assert table.cut == []


@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_voice_of_three_seconds_a_sentence_is_as_far_behind_and_no_further(game: str) -> None:
    speaker = SlowTable()
    table = evening(Evening(game, 3, speaker), 2)
    assert table.cut == []
    assert median(asked.backlog for asked in table.asked) < BACKLOG
    assert [began for began in speaker.began if began.late > SLOW_VOICE_WAIT_SECONDS + 1e-3] == []
    assert Counter(began.text for began in speaker.began) <= Counter(speaker.orders)
    assert speaker.most <= MAX_QUEUED_IMPORTANT_ITEMS
    assert {began.voice for began in speaker.began} == {"quick", "slow"}
