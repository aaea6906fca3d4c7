"""Tests of differences that Probe's frames must show, in words and in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from companion.core.game import Cue
from companion.core.prompts import Prompt
from companion.draw import screens
from companion.draw.canvas import Canvas
from companion.draw.parts import ROW_LETTERS
from companion.games.probe.shown import racks
from companion.games.probe.shown.face import FACE
from companion.press.cursor import Cursor
from companion.press.wheel import DONE_PLACE, wheel_answers_and_symbols
from companion.say.words import LANGUAGES
from companion_testing import LONG_NAMES
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from tests.games.probe.test_app import SECRET, at
from tests.helpers import Drive, session_words, words_for

TWO: Final = ("Ada", "Edgar")
WORDS: Final = ("PROBE", "..FLAP.", "MANOEUVRE", "ELEPHANT..")


def texts(drive: Drive, prompt: Prompt, cursor: Cursor, language: str) -> list[tuple[int, str]]:
    """Return the texts of a question's frame, each with its row."""
    with draw_frames_on_recording_canvas():
        words = session_words(drive.session, language)
        screens.question_frame(drive.session.standing.snapshot, prompt, cursor, words, FACE)
    return [(row, text.strip()) for row, _, text, _ in RecordingCanvas.last.texts]


def guessing() -> tuple[Drive, Any]:
    """Return a game in which Ada guesses Edgar's left word, MANOEUVRE, with M and V uncovered."""
    drive = at(
        *WORDS, "normal", "M", "Edgar:left:1", "V", "Edgar:left:7", options=SECRET, players=TWO
    )
    drive.press("back")
    for value in ("interrupt", "Ada", "Edgar:left"):
        drive.choose(value)
    return drive, drive.table.menu_or_game_prompt


def standing(drive: Drive, language: str) -> str:
    """Return the text below the racks while no question is shown."""
    with draw_frames_on_recording_canvas():
        screens.standing_frame(
            drive.session.standing.snapshot, session_words(drive.session, language), Cursor(), FACE
        )
    return " ".join(text for row, _, text, _ in RecordingCanvas.last.texts if row == 6)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_cards_are_counted_before_there_is_a_pile(language: str) -> None:
    virtual, own = {**SECRET, "deck": "virtual"}, {**SECRET, "deck": "own"}
    assert standing(at(options=virtual, players=TWO), language) == ""
    assert standing(at(*WORDS, options=virtual, players=TWO), language).endswith(": 35")
    assert standing(at(options=own, players=TWO), language).endswith(": 36")


def test_the_last_card_of_the_pile_leaves_none() -> None:
    drive = at(*WORDS, "normal", options=SECRET, players=TWO)
    snapshot, canvas = drive.session.standing.snapshot, RecordingCanvas()
    empty = replace(snapshot, view={**snapshot.view, "pile": 0})
    FACE.standing(canvas, empty, session_words(drive.session, "en"))
    assert (6, 0, "Cards left: 0", "small") in canvas.texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_written_over_who_guesses(language: str) -> None:
    drive, prompt = guessing()
    for text in ("", "MA", "M.NOEUVRE"):
        found = texts(drive, prompt, Cursor(text=text), language)
        assert len([row for row, _ in found if row == 6]) == 1


def test_a_guess_asks_only_for_what_nobody_has_seen_and_for_as_many_letters_as_there_are() -> None:
    _, prompt = guessing()
    assert prompt.open == "M_____V__"
    assert wheel_answers_and_symbols(prompt) == ("M",)
    assert wheel_answers_and_symbols(prompt, "MANOEU") == ("V",)
    assert len("".join(wheel_answers_and_symbols(prompt, "M"))) > 20
    assert DONE_PLACE not in wheel_answers_and_symbols(prompt, "MANOEUVR")
    assert wheel_answers_and_symbols(prompt, "MANOEUVRE") == (DONE_PLACE,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_racks_are_asked_and_which_stands_on_which_side_is_written(language: str) -> None:
    drive = at(*WORDS, "normal", options=SECRET, players=TWO)
    prompt = drive.session.standing.pending_prompt
    assert prompt is not None
    shown = [text for _, text in texts(drive, prompt, Cursor(), language)]
    assert any("Edgar" in text for text in shown)
    assert {"en": {"L", "R"}, "fr": {"G", "D"}}[language] <= {*shown}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["left_uncovers", "right_uncovers", "own_dot"])
def test_a_card_that_comes_to_nothing_says_so_on_the_frame(kind: str, language: str) -> None:
    drive = at(7, 4, 9)
    words = session_words(drive.session, language)
    card, rack = {"kind": kind, "n": None}, None if kind == "own_dot" else "Bob"
    cues = (
        Cue("drawn", {"who": "Ann", "card": card, "rack": rack}, "PR-5"),
        Cue("card_idle", {"who": "Ann", "card": card, "rack": rack}, "PR-5"),
    )
    with draw_frames_on_recording_canvas():
        screens.fact_frame(
            cues, words, Cursor(), FACE, screens.count_animation_pictures(cues, FACE) - 1
        )
    shown, told = (
        " ".join(text for _, _, text, _ in RecordingCanvas.last.texts),
        words.fact_text(cues[1]),
    )
    assert told
    assert told in shown


def pixels(place: racks.PlaceContent) -> bytes:
    canvas = Canvas()
    racks.draw_large_rack(canvas, 0, (place,))
    return canvas.frame


def test_a_flap_down_a_flap_up_a_letter_and_no_place_look_different() -> None:
    assert len({pixels(place) for place in (racks.COVERED, "", "E", ".", "_", None)}) == 6
    assert any(pixels(None))


def without_seats(drive: Drive) -> Drive:
    host = drive.services
    host.stands.table = host.stands.table._replace(rows=False).with_cursor_on_likeliest_answer()
    return drive


def turned(drive: Drive) -> Iterator[Any]:
    prompt = drive.table.menu_or_game_prompt
    assert prompt is not None
    yield from wheel_answers_and_symbols(prompt)


def test_places_lie_in_rows_only_where_seats_have_buttons() -> None:
    drive = at(7, 12, 9, "normal", "Bob", "yes")
    assert list(turned(drive))[:3] == [1, 5, 9]
    assert list(turned(without_seats(drive))) == [*range(1, 13)]


def test_without_seats_buttons_a_step_of_the_wheel_moves_the_marker_under_the_rack() -> None:
    drive = without_seats(at(7, 12, 9, "normal", "Bob", "yes"))
    drive.press("up")
    before = drive.frame
    drive.press("up")
    changed = [i for i, (a, b) in enumerate(zip(before, drive.frame, strict=True)) if a != b]
    assert {i // 128 for i in changed} == {5, 6}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cursor_among_two_racks_places_is_not_drawn_over_a_racks_letter(language: str) -> None:
    drive = at(7, 12, 9, 8, "normal", "yes", players=TWO)
    prompt, words = drive.table.menu_or_game_prompt, session_words(drive.session, language)
    assert prompt is not None
    assert prompt.name == "uncover"
    for cursor in range(len(list(turned(drive)))):
        with draw_frames_on_recording_canvas():
            screens.question_frame(
                drive.session.standing.snapshot, prompt, Cursor(at=cursor), words, FACE
            )
        rows = [(row, x) for row, x, text, _ in RecordingCanvas.last.texts if text == "▸"]
        assert len(rows) == 1
        assert all(x >= 6 for _, x in rows)


def test_a_hit_names_owner_and_place_in_letters_as_large_as_the_score() -> None:
    drive = at(7, 12, 9, "normal", "Bob", "yes")
    drive.choose(3)
    words = session_words(drive.session, "en")
    cues = drive.session.standing.snapshot.cues
    moment = next(
        cues for cues in words.group_facts_by_picture(cues) if cues[0].name == "uncovered"
    )
    with draw_frames_on_recording_canvas():
        screens.fact_frame(
            moment, words, Cursor(), FACE, screens.count_animation_pictures(moment, FACE) - 1
        )
    large = {text for _, _, text, face in RecordingCanvas.last.texts if face == "medium"}
    assert {"BOB 3", "+15", "15"} <= large
    assert not [face for *_, face in RecordingCanvas.last.texts if face in ("large", "double")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_place_that_was_never_found_is_not_called_places(language: str) -> None:
    words = words_for("probe", language)
    one, two = (
        words.fact_text(Cue("survived", {"who": "Ada", "covered": n}, "PR-13")) for n in (1, 2)
    )
    assert [one.endswith("s."), two.endswith("s.")] == [False, True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_card_it_is_leaves_room_for_the_clause_beside_it(language: str) -> None:
    name = max(LONG_NAMES, key=len)
    assert len(f"{words_for('probe', language)('probe.turn', who=name)} PR-5") <= ROW_LETTERS


def test_an_uncovered_letter_is_told_with_its_side_in_words_where_they_fit() -> None:
    words = words_for("probe", "en")
    facts = {"place": 6, "letter": "E", "points": 5, "to": "Bob", "times": 1, "because": "hit"}
    racks_of = {
        "Ada:left": "Ada left 6: E",
        "Ada": "Ada 6: E",
        "Wojehowicz:left": "Wojehowicz L6: E",
    }
    for rack, title in racks_of.items():
        cue = Cue("uncovered", {**facts, "who": rack.partition(":")[0], "rack": rack}, "PR-7")
        assert words.fact_title(cue) == title
    unknown = Cue("uncovered", {**facts, "who": "Ada", "rack": "Ada", "letter": None}, "PR-7")
    assert words.fact_title(unknown) == "Ada 6"


def test_a_total_that_is_put_right_is_told_as_it_was_and_as_it_is() -> None:
    facts = {"who": "Ada", "points": 5, "total": 55, "why": "correction"}
    for language, said in (("en", "Ada: 50 becomes 55."), ("fr", "Ada\u00a0: 50 devient 55.")):
        assert words_for("probe", language).fact_speech(Cue("scored", facts, "PR-6")) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_pr10_no_dot_says_what_it_costs_and_no_name_is_cut_for_it(language: str) -> None:
    for who, costs in (("Edgar", True), ("Bartholomé", False)):
        drive = at(5, 7, 9, 4, "normal", players=("Ada", who))
        drive.turn_to("no_dot")
        prompt = drive.table.menu_or_game_prompt
        assert prompt is not None
        rows = texts(drive, prompt, drive.table.cursor, language)
        (asked, turned) = [text for row, text in rows if row == 6]
        assert who in asked
        assert ("(-50)" in turned) == costs


def test_a_total_below_zero_is_read_with_a_minus_sign() -> None:
    over = Cue("game_over", {"winners": ["Ann"], "scores": {"Ann": -45, "Bob": -50}}, "PR-14")
    for language in LANGUAGES:
        text = session_words(at(7, 4, 9).session, language).fact_text(over)
        assert "−45" in text
        assert "-" not in text


@pytest.mark.parametrize(("language", "heard"), [
    ("en", "Cy, on Bob’s left, uncovers a place. Bob scores it."),
    ("fr", "Cy, à gauche de Bob, découvre une case, pour Bob."),
])  # fmt: skip
def test_pr5_the_neighbour_who_must_uncover_is_named_where_each_has_one_word(
    language: str, heard: str
) -> None:
    words = words_for("probe", language)
    card = {"kind": "left_uncovers", "n": None}
    assert (
        words.fact_speech(Cue("drawn", {"who": "Bob", "card": card, "rack": "Cy"}, "PR-5")) == heard
    )
