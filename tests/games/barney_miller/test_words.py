"""Tests of the words of Barney Miller alone: facts, spaces, seats."""

from __future__ import annotations

from typing import Final

import pytest

from companion.core.game import Cue
from companion.core.prompts import Choose
from companion.draw import screens
from companion.games.barney_miller.shown import face
from companion.games.barney_miller.shown.face import FACE
from companion.press.cursor import selected_answer
from companion.say.words import LANGUAGES
from companion_testing import LONG_NAMES
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, session_words, setup_for
from tests.met import observed_games, words_of_longest_edition

GAME: Final = "barney-miller"
COLUMNS: Final = 21
NARROW_LIST: Final = 11
KINDS: Final = ("start", "positive_identification", "arrest_warrant", "insufficient_evidence")


@pytest.mark.long
def test_random_games_meet_every_fact_and_question_of_the_game() -> None:
    assert {prompt.name for prompt, *_ in observed_games(GAME).asked.values()} == {
        *("detective", "roll", "space", "play_card", "zero", "commit_suspect", "free_suspect"),
        *("what", "who", "suspect", "nth", "n", "suspect_gang", "leaves"),
    }
    assert {cue.name for cue in observed_games(GAME).cues.values()} == {
        *("begins", "captured", "card_played", "dealt", "first_roll", "freed", "game_won", "hand"),
        *("moved", "next_roller", "nothing", "picked_up", "reserve", "rolled", "round_won", "ten"),
        *("seated", "desks", "too_many", "unwanted", "zero_played", "corrected", "left"),
        "nobody_won",
    }


@pytest.mark.parametrize(
    ("value", "total", "en", "fr"),
    [
        (5, 5, "Five.", "Cinq."),
        (0, 0, "Zero.", "Zéro."),
        (5, 9, "Five makes nine.", "Cinq, total neuf."),
        (0, 9, "Zero. Still nine.", "Zéro. Toujours neuf."),
        (5, 10, "Five makes ten.", "Cinq, total dix."),
        (10, 10, "Ten.", "Dix."),
    ],
)
def test_bm6_a_card_of_the_box_is_told_by_its_value_and_what_it_makes(
    value: int, total: int, en: str, fr: str
) -> None:
    facts = {"who": "Fish", "value": value, "total": total, "forced": False, "own": False}
    card = Cue("card_played", facts, "BM-6")
    assert [
        words_of_longest_edition(GAME, language).fact_speech(card) for language in LANGUAGES
    ] == [
        en,
        fr,
    ]
    assert words_of_longest_edition(GAME, "en").group_facts_by_picture((card,)) == []


def test_bm5_the_number_of_the_die_is_said_with_the_space_that_it_leads_to() -> None:
    said = {
        ("gang", 4): ("Four: the Dockland Mafia.", "Quatre\xa0: les Dockland Mafia."),
        ("gang", None): ("The Dockland Mafia.", "Les Dockland Mafia."),
        ("arrest_warrant", 1): ("One: Arrest Warrant.", "Un\xa0: Mandat d’arrêt."),
    }
    for (kind, pips), sentences in said.items():
        gang = "bears" if kind == "gang" else None
        moved = Cue("moved", {"who": "Ann", "kind": kind, "gang": gang, "pips": pips}, "BM-5")
        assert (
            tuple(words_of_longest_edition(GAME, of).fact_speech(moved) for of in LANGUAGES)
            == sentences
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answers_at_ten_fit_the_narrow_list(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    for value in ("play", "pass"):
        assert 0 < len(words.answer_label("zero", value)) < NARROW_LIST


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_space_and_seat_fits_the_top_row(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    for kind in KINDS:
        place = words(f"barney-miller.kind.{kind}")
        assert len(words("barney-miller.round", n=99)) + len(place) < COLUMNS
    for seat in LONG_NAMES:
        assert len(words("barney-miller.turn", who=seat)) <= COLUMNS
        assert len(words("box.secret.title", who=seat)) <= COLUMNS
        assert len(words("barney-miller.secret.total", n=10)) <= COLUMNS


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_that_is_put_right_stands_behind_what_it_was_and_the_pawns_names_its_space(
    language: str,
) -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS, players=("Ann", "Bob"))), language)
    drive.resume()
    drive.press("back")
    drive.choose("correct")
    drive.choose("pawn")
    words, track = (
        session_words(drive.session, language),
        drive.session.standing.snapshot.view["track"],
    )
    for presses in range(3):
        assert drive.table.menu_or_game_prompt is not None
        at = selected_answer(drive.table.menu_or_game_prompt, drive.table.cursor)
        with draw_frames_on_recording_canvas():
            screens.question_frame(
                drive.session.standing.snapshot,
                drive.table.menu_or_game_prompt,
                drive.table.cursor,
                words,
                FACE,
            )
        shown = [text for _, _, text, _ in RecordingCanvas.last.texts]
        assert f"{drive.table.menu_or_game_prompt.facts['was']} → {at}" in shown, presses
        assert face.short_space_name(track[at], words) in shown
        drive.press("up")


def test_where_the_pawn_is_is_asked_of_the_table() -> None:
    asked = Choose("space", None, ("start",))
    for language, question in (("en", "Where is the pawn?"), ("fr", "Où est le pion ?")):
        found = words_of_longest_edition(GAME, language).question_row(
            asked, {"to_act": "Wojehowicz"}
        )
        assert found.replace("\xa0", " ") == question
        assert len(found) <= COLUMNS


def test_no_chips_are_said_as_none_and_not_as_a_zero() -> None:
    facts = {"what": "reserve", "who": "Ann", "captured": 2, "reserve": 0}
    said = {
        lang: words_of_longest_edition(GAME, lang).fact_speech(Cue("corrected", facts, "BM-13"))
        for lang in LANGUAGES
    }
    assert said["en"] == "Corrected: Ann has captured 2, and has none in reserve."
    assert said["fr"].endswith("jetons de réserve, aucun.")
