"""Tests of Barney Miller on the buttons: hidden hands, and impossible cards."""

from __future__ import annotations

import pytest

from companion.core.game import Cue
from companion.core.prompts import legal_answers
from companion.say.words import LANGUAGES
from hardware.ports import BACK, DOWN, OK
from tests.met import words_of_longest_edition
from tests.scenes.barney_miller import at_ten, hand, looking, told


def test_bm11_a_card_that_cannot_be_is_one_press_from_taken_back_and_one_from_going_on() -> None:
    drive = told("en", "gang:molls", *[0] * 5)
    assert drive.front.name == "too_many"
    drive.press(OK)
    assert drive.session.standing.snapshot.view["played"][4:] == [["Fish", 0]]
    drive = told("en", "gang:molls", *[0] * 5)
    drive.press(BACK, seconds=1.0)
    assert len(drive.session.standing.snapshot.view["played"]) == 4


@pytest.mark.sampled(1)
@pytest.mark.parametrize("answers", [("play", "pass"), ("pass",)])
def test_bm8_who_looks_passes_with_one_turn_with_a_zero_and_without(
    answers: tuple[str, ...],
) -> None:
    drive = at_ten("en", *answers)
    prompt = drive.session.standing.pending_prompt
    assert prompt is not None
    assert tuple(legal_answers(prompt)) == answers
    drive.press(DOWN)
    drive.up(OK)
    drive.press(OK)
    assert drive.session.standing.snapshot.cues[0].name == "round_won"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("language", "card", "shown", "said"),
    [
        ("en", 3, "Fish played 3|A card: total 3", "en: Three."),
        ("fr", 3, "Fish a joué 3|Une carte : total 3", "fr: Trois."),
        ("en", 10, "Fish played 10|Will you play a zero?", "en: Ten."),
        ("fr", 10, "Fish a joué 10|Jouer un zéro ?", "fr: Dix."),
    ],
)
def test_bm6_a_card_of_the_box_that_was_played_is_shown_and_said(
    language: str, card: int, shown: str, said: str
) -> None:
    """The card is not on the table, so the next player's curtain and the voice announce it."""
    drive = looking(hand(language))
    drive.turn_to(card)
    drive.up(OK)
    drive.press(OK)
    prompt, words = (
        drive.table.menu_or_game_prompt,
        words_of_longest_edition("barney-miller", language),
    )
    assert prompt is not None
    wanted = words.reason_for_private_question(prompt, drive.session.standing.snapshot.view)
    assert wanted.replace("\u00a0", " ") == shown
    assert said in drive.speaker.heard


@pytest.mark.parametrize("language", LANGUAGES)
def test_bm7_the_frame_of_a_round_that_is_won_shows_the_card_that_ended_it(language: str) -> None:
    words = words_of_longest_edition("barney-miller", language)
    facts = {"who": "Fish", "last": "Harris", "value": 8, "total": 12, "round": 1}
    for how in ("over", "ten"):
        assert "8" in words.fact_text(Cue("round_won", {**facts, "how": how}, "BM-7"))
