"""Tests of overlays: how long they stay, how they move, and which one is in front."""

from __future__ import annotations

import wave
from pathlib import Path
from random import Random
from typing import Final

import pytest

import sounds
from companion.catalog import registry
from companion.catalog.registry import find_game
from companion.core.game import Cue
from companion.hear.policy import SECONDS_A_LETTER
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from companion.table import overlays
from companion.table.overlays import (
    ANIMATION_PICTURE_SECONDS,
    MIN_OVERLAY_SECONDS,
    Overlay,
    OverlayQueue,
    advance_overlay_queue,
    push_overlay,
    queue_with_animation_ended,
    queue_without_front_overlay,
    start_front_overlay,
)
from hardware.ports import BACK, DOWN, OK, SEATS, UP
from tests.box.test_rolling import pressing
from tests.helpers import Drive, session_words, setup_for
from tests.scenes.baretta import shown

SECRETS: Final = {
    "barney-miller": {"deck": "virtual"},
    "baretta": {"deck": "virtual"},
    "probe": {"words": "secret"},
}
"""The games with secrets, with options that deal secrets."""
HAND = (Cue("hand", {"who": "Fish", "cards": [1]}),)
TWO = OverlayQueue((Overlay(HAND), Overlay(HAND)))
MOVING = OverlayQueue((Overlay(HAND, pictures=4), Overlay(HAND)))
OVER = Overlay((Cue("refused", {"code": "over"}),))
HELP, OTHER = (Overlay((Cue("help", {"does": does}),)) for does in ("turn", "seat"))


def test_a_moment_that_stands_still_goes_after_its_time() -> None:
    moments = start_front_overlay(TWO, 100.0, stays=False)
    assert moments.until == 100.0 + MIN_OVERLAY_SECONDS
    moments, is_another = advance_overlay_queue(moments, moments.until, stays=False)
    assert (len(moments.queue), is_another) == (1, True)


def test_a_moment_of_which_more_is_said_stays_longer() -> None:
    assert Overlay(HAND, letters=100).duration_seconds == 100 * SECONDS_A_LETTER
    assert Overlay(HAND, letters=1).duration_seconds == MIN_OVERLAY_SECONDS


def test_in_silence_a_word_takes_a_quarter_of_a_second_and_no_moment_less_than_1_2() -> None:
    assert [Overlay(HAND, read=words).duration_seconds for words in (0, 4, 12)] == [1.2, 1.2, 3.0]


def test_a_movement_shows_every_picture_and_then_its_end_for_a_while() -> None:
    moments = start_front_overlay(MOVING, 100.0, stays=False)
    times, pictures = [], [moments.picture]
    while True:
        assert moments.until is not None
        times.append(moments.until)
        moments, is_another = advance_overlay_queue(moments, moments.until, stays=False)
        if is_another:
            break
        pictures.append(moments.picture)
    assert pictures == [0, 1, 2, 3]
    assert times == pytest.approx(
        [
            100 + ANIMATION_PICTURE_SECONDS,
            100 + 2 * ANIMATION_PICTURE_SECONDS,
            100 + 3 * ANIMATION_PICTURE_SECONDS,
            100 + 3 * ANIMATION_PICTURE_SECONDS + MIN_OVERLAY_SECONDS,
        ]
    )


def test_a_movement_that_is_ended_early_shows_its_last_picture_for_its_time() -> None:
    moments = start_front_overlay(MOVING, 100.0, stays=False)
    assert moments.is_animation_running
    ended = queue_with_animation_ended(moments)
    assert (ended.front_overlay, ended.picture, ended.is_animation_running) == (
        MOVING.front_overlay,
        3,
        False,
    )
    assert ended.until == ended.over == moments.over


def hunch() -> Drive:
    """Return a box on which the card of the hunch begins to turn over."""
    return shown("en", "turned.hunch", 2, 4, steps=0)


def thrown() -> Drive:
    """Return a box on which dice are rolling."""
    drive = pressing("kojak")
    drive.press(OK)
    return drive


@pytest.mark.sampled(1)
@pytest.mark.parametrize("button", [OK, UP, DOWN, BACK, SEATS[0]])
def test_the_first_press_ends_a_movement_and_the_next_one_goes_past_it(button: str) -> None:
    for drive in (hunch(), thrown()):
        front, last = drive.moments[0], drive.moments[0].pictures - 1
        assert drive.table.overlays.picture < last
        drive.press(button, gap=0)
        assert (drive.moments[0], drive.table.overlays.picture) == (front, last)
        drive.press(button, gap=0)
        assert drive.moments[:1] != (front,)


def test_up_that_stays_down_ends_a_movement_and_goes_past_nothing() -> None:
    drive = hunch()
    front = drive.moments[0]
    drive.down(UP)
    drive.wait(2)
    assert drive.moments[0] == front


def test_the_hunch_stays_until_its_sound_is_over_and_it_was_announced() -> None:
    drive = hunch()
    front, length = (
        drive.moments[0],
        sounds.sound_length_in_seconds(
            sounds.find_sound_file("hunch", *registry.game_sound_folders())
        ),
    )
    assert front.duration_seconds == pytest.approx(length + front.letters * SECONDS_A_LETTER)
    drive.wait(length)
    assert drive.moments[:1] == (front,)


def test_every_sound_of_every_game_counts_for_its_own_length() -> None:
    for file in (file for folder in registry.game_sound_folders() for file in folder.glob("*.wav")):
        assert (
            overlays.sound_duration_seconds(file.stem) == sounds.sound_length_in_seconds(file) > 0
        ), file


def test_a_sound_that_a_package_brings_has_its_own_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "game_sound_folders", lambda: (tmp_path,))
    assert overlays.sound_duration_seconds("brought") == 0.0
    with wave.open(str(tmp_path / "brought.wav"), "wb") as made:
        made.setparams((1, 2, 8_000, 0, "NONE", ""))
        made.writeframes(bytes(2 * 8_000 * 5))
    assert overlays.sound_duration_seconds("brought") == 5.0


def test_the_last_word_moves_and_then_stays() -> None:
    moments = start_front_overlay(OverlayQueue((Overlay(HAND, pictures=2),)), 100.0, stays=True)
    assert moments.until == 100.0 + ANIMATION_PICTURE_SECONDS
    moments, is_another = advance_overlay_queue(moments, moments.until, stays=True)
    assert (moments.picture, moments.until, is_another) == (1, None, False)


def test_a_note_in_front_stands_still_and_what_is_behind_it_begins_anew() -> None:
    moments, _ = advance_overlay_queue(
        start_front_overlay(MOVING, 100.0, stays=False),
        100.0 + ANIMATION_PICTURE_SECONDS,
        stays=False,
    )
    moments = push_overlay(moments, OVER, 107.0)
    assert (moments.front_overlay, moments.picture, moments.until) == (OVER, 0, 107.0)
    moments = queue_without_front_overlay(moments, 107.0, stays=False)
    assert moments == start_front_overlay(MOVING, 107.0, stays=False)


def test_of_helps_only_the_newest_stands_there_and_other_notes_are_kept() -> None:
    assert push_overlay(push_overlay(TWO, HELP), OTHER).queue == (OTHER, *TWO.queue)
    assert push_overlay(push_overlay(TWO, OVER), OVER).queue == (OVER, OVER, *TWO.queue)


def test_without_moments_nothing_is_due() -> None:
    assert start_front_overlay(OverlayQueue(), 100.0, stays=False) == OverlayQueue()
    assert queue_without_front_overlay(OverlayQueue((OVER,)), 100.0, stays=False) == OverlayQueue()
    assert OverlayQueue().front_overlay is None


def test_whom_a_note_concerns_is_known_however_many_notes_came_after_it() -> None:
    moments = push_overlay(push_overlay(OverlayQueue(), OVER._replace(whose="Fish")), HELP)
    assert queue_without_front_overlay(moments, 100.0, stays=False).queue[0].whose == "Fish"


def test_a_curtain_never_hides_nothing() -> None:
    """If an event is behind a curtain, the public view must lack a secret of its owner."""
    for game, options in SECRETS.items():
        usual = {option.name: option.values[0] for option in find_game(game).options}
        setup = setup_for(usual | options, game=game, players=("Ann", "Bob", "Cy"))
        session, random, behind = Session.begin(Journal(None), setup, 0), Random(game), 0
        words = session_words(session, "en")
        for _ in range(200):
            if session.standing.pending_prompt is None:
                break
            session.answer(random_answer(session.standing.pending_prompt, random), 0)
            view = session.standing.snapshot.view
            for cue in filter(
                words.is_private_fact_shown_immediately, session.standing.snapshot.cues
            ):
                secret = session.standing.view_with_player_secrets(str(cue.to))
                hidden = {name: fact for name, fact in secret.items() if fact != view.get(name)}
                assert any(hidden.values()), cue
                behind += 1
        assert behind or game != "baretta"
