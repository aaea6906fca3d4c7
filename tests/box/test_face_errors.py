"""Tests of errors in a game's face: the game continues, and the error is shown once and logged."""

from __future__ import annotations

import io
import json
import random

import pytest

from companion.box.face_errors import guarded_face_and_words
from companion.catalog.registry import find_game
from companion.core.chance import Chance
from companion.core.game import Cue
from companion.door.stdio import StdioGame
from companion.draw.errors import FaceErrorLogger, face_error_logger_for_listing
from companion.draw.face import DEFAULT_FACE, load_face
from companion.menus.words import menu_words
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion.say.sentences import MissingSentenceError
from companion.say.words import Words
from hardware.ports import BLINK_SLOWLY, LAMP_OFF, LAMP_ON
from tests import faces
from tests.box.test_loop import play_to_the_end
from tests.faces.broken import face as broken_face
from tests.helpers import NOW_SECONDS, Drive, begin_game

SLIP = Cue("slip")


@pytest.fixture(autouse=True)
def _box(monkeypatch: pytest.MonkeyPatch) -> None:
    faces.install(monkeypatch)
    load_face.cache_clear()
    face_error_logger_for_listing.cache_clear()


def setup(game: str) -> GameSetup:
    return GameSetup(find_game(game), ("Ann", "Bob"), {}, {}, Chance("seed"), mixing=False)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the logged messages without the reasons."""
    return [":".join(record.getMessage().split(":")[:2]) for record in caplog.records]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_rules_and_sentences_alone_is_played_to_its_end(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    drive = Drive(begin_game(setup("tiny")))
    drive.resume()
    play_to_the_end(drive, random.Random(seed))
    assert drive.session.standing.snapshot.outcome is not None
    assert not caplog.records


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_whose_face_fails_everywhere_is_played_to_its_end_and_told_once(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    drive = Drive(begin_game(setup("broken")))
    drive.choose("resume")
    play_to_the_end(drive, random.Random(seed))
    assert drive.session.standing.snapshot.outcome is not None
    assert sum("shows or says" in what for what in drive.speaker.heard) == 1
    assert {*logged(caplog)} >= {
        "broken: pages", "broken: standing", "broken: body", "broken: secret",
        "broken: facts['added']", "broken: fields", "broken: label", "broken: to_act",
        "broken: pictures['added']", "broken: words",
    }  # fmt: skip
    assert all(record.exc_info for record in caplog.records)


def test_the_table_is_told_of_the_first_slip_alone() -> None:
    drive = Drive(begin_game(setup("broken")))
    drive.choose("resume")
    assert drive.front == SLIP
    assert drive.speaker.heard[-1].startswith("en: This game shows or says something wrong")
    drive.press("ok")
    drive.skip()
    drive.choose("red")
    assert SLIP not in [moment.lead_fact for moment in drive.moments]
    assert sum("shows or says" in what for what in drive.speaker.heard) == 1


def test_a_sentence_that_is_missing_is_shown_as_its_key(caplog: pytest.LogCaptureFixture) -> None:
    drive = Drive(begin_game(setup("broken")))
    drive.resume()
    words = drive.loop.shown_screen_words()
    prompt = drive.session.standing.pending_prompt
    assert prompt is not None
    assert words.question_row(prompt, {}) == "broken.ask.colour"
    assert "broken: words: the en catalogue lacks the sentence broken.ask.colour" in [
        r.getMessage() for r in caplog.records
    ]
    with pytest.raises(MissingSentenceError, match=r"lacks the sentence broken\.ask\.colour"):
        Words("en", game="broken").question_row(prompt, {})


def test_a_game_without_a_name_stands_in_the_menus_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    drive = Drive()
    drive.new("broken")
    assert drive.page == "players"
    assert logged(caplog) == ["broken: words"]
    with pytest.raises(MissingSentenceError):
        menu_words("en")("box.nowhere")


def test_a_sentence_whose_fields_do_not_fit_is_shown_as_its_key(
    caplog: pytest.LogCaptureFixture,
) -> None:
    _, book = guarded_face_and_words(setup("tiny"))
    words = book["en"]
    assert words.fact_title(Cue("added", {})) == "tiny.cue.added.title"
    assert words.fact_speech(Cue("added", {"who": 1})) == "tiny.cue.added.speech"
    assert len(caplog.records) == 2


def test_the_lamps_of_a_face_that_fails_follow_the_turn() -> None:
    drive = Drive(begin_game(setup("broken")))
    drive.resume()
    assert drive.fake.lamps.patterns[-1] == (LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF)
    drive.press("back")
    assert drive.fake.lamps.patterns[-1] == (BLINK_SLOWLY, LAMP_OFF, LAMP_OFF, LAMP_OFF)


def test_a_face_that_can_not_be_imported_is_told_and_the_game_is_played(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(broken_face, "FACE", None)
    drive = Drive(begin_game(setup("broken")))
    drive.resume()
    play_to_the_end(drive, random.Random(1))
    assert drive.table.playing is not None
    assert drive.table.playing.face is DEFAULT_FACE
    assert {*logged(caplog)} == {"broken: face", "broken: words"}


def test_the_text_protocol_goes_on_past_a_slip(caplog: pytest.LogCaptureFixture) -> None:
    begin, sink = setup("broken"), io.StringIO()
    _, book = guarded_face_and_words(begin)
    session = Session.begin(Journal(None), begin, NOW_SECONDS)
    lines = [json.dumps({"answer": value}) for value in ("red", 2, 3, 3, 3, 1)]
    StdioGame(
        session,
        book["en"],
        source=io.BytesIO("\n".join(lines).encode()),
        sink=sink,
        wall=lambda: NOW_SECONDS,
        version="0",
    ).run()
    said = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert "over" in [line["type"] for line in said[-2:]]
    assert any(line.get("text") == "broken.ask.colour" for line in said)
    assert {*logged(caplog)} == {
        f"broken: {part}"
        for part in ("words", "facts['added']", "fields", "label", "printed_names")
    }


def test_a_slip_is_logged_once_however_often_it_comes(caplog: pytest.LogCaptureFixture) -> None:
    slips = FaceErrorLogger("tiny")
    for n in range(3):
        slips("body", ValueError(n))
        slips("secret", ValueError(n))
        slips("body", TypeError(n))
    assert logged(caplog) == ["tiny: body", "tiny: secret", "tiny: body"]
