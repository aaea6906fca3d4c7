"""Tests of the whole box's sounds: silence, quiet hours, repetition, and help for a button."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Cue
from companion.core.prompts import Choose, Number, Spell
from companion.draw import screens
from companion.draw.mute_signs import SEARCHED_ROWS, SIGNS, frame_with_mute_sign
from companion.games.barney_miller.shown.face import FACE
from companion.hear.policy import SPEECH_LEVEL_NUMBERS
from companion.play.standing import UNDO_AGREEMENT
from companion.press.controls import HELP_HOLD_SECONDS, LOOK_HOLD_SECONDS, UNREAD_SECONDS
from companion.press.cursor import HOLD_SECONDS, Cursor, PressContext
from companion.press.helps import button_explanation_fact
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from hardware.ports import BACK, BUTTONS, DISPLAY_WIDTH, DOWN, OK, SEATS, UP
from tests.helpers import (
    VIRTUAL_PARTS_OPTIONS,
    Drive,
    begin_game,
    fail_to_save,
    max_examples,
    session_words,
    setup_for,
)
from tests.scenes import SCENES, enlarge_scene

TOLD: Final = {"deck": "own", "die": "real", "track": "ask"}
FIRST: Final = (1, 6)
WIN: Final = (4, 5, 0, 3)


def playing(*answers: Any, **settings: Any) -> Drive:
    """Return a game of Fish and Harris after `answers`, without any recorded sound."""
    journal = begin_game(setup_for(settings.pop("options", TOLD)), (*FIRST, *answers))
    for key, value in settings.items():
        journal.save_setting(key, value, 0)
    drive = Drive(journal)
    drive.resume()
    drive.speaker.heard.clear()
    return drive


def silence(drive: Drive) -> None:
    drive.down(UP)
    drive.down(DOWN)
    drive.wait(HOLD_SECONDS)
    drive.up(UP)
    drive.up(DOWN)


def front(drive: Drive) -> Cue:
    return drive.front


def is_signed(drive: Drive, muted: str) -> bool:
    """Return True if the frame has the sign for `muted` and would differ without it."""
    plain = drive.shown_frame
    return drive.frame == frame_with_mute_sign(plain, muted) != plain


# --- silence --------------------------------------------------------------------------------------


def test_one_gesture_silences_the_box_until_it_is_made_again() -> None:
    drive = playing("gang:molls")
    question, at = drive.frame, drive.table.cursor.at
    silence(drive)
    assert front(drive) == Cue("sound", {"how": "silent"})
    drive.press(OK)
    assert drive.table.cursor.at == at
    assert is_signed(drive, "silent")
    drive.speaker.heard.clear()
    drive.choose(4)
    fail_to_save(drive)
    drive.skip()
    assert drive.speaker.heard == []
    silence(drive)
    assert drive.speaker.heard == ["hush", "♪ accepted", "en: The sound is on."]
    drive.press(OK)
    drive.press(BACK, seconds=HOLD_SECONDS)
    drive.skip()
    assert drive.frame == question


def test_the_note_about_silence_goes_by_itself_and_never_stands_twice() -> None:
    drive = playing("gang:molls")
    for _ in range(3):
        silence(drive)
    assert [moment.lead_fact.facts["how"] for moment in drive.moments] == ["silent"]
    drive.wait(10)
    assert not drive.moments
    assert (drive.loop.seconds_until_due or 0) > 100, "only the display's rest is due"


def test_silence_in_the_middle_of_a_sentence_is_at_once() -> None:
    drive = playing("gang:molls")
    drive.choose(4)
    silence(drive)
    assert drive.speaker.heard[-1] == "hush"


def test_silence_works_on_the_first_screen_and_outlives_the_box(tmp_path: Path) -> None:
    drive = Drive(Journal(tmp_path / "games.db"))
    silence(drive)
    drive.loop.close()
    drive.journal.close()
    assert drive.speaker.heard[-1] == "hush"
    again = Drive(Journal(tmp_path / "games.db"))
    assert [what for what in again.speaker.heard if what != "hush"] == []
    assert is_signed(again, "silent")
    again.journal.close()


def test_silence_is_a_setting_too() -> None:
    drive = Drive()
    drive.choose("settings")
    drive.choose("silent")
    assert (drive.page, drive.settings["silent"]) == ("settings", True)
    assert is_signed(drive, "silent")
    drive.choose("silent")
    assert not drive.settings["silent"]
    assert drive.frame == drive.shown_frame


def test_an_end_of_silence_says_what_still_mutes_the_box() -> None:
    for rules, hour, how in (
        ({"heard": "nothing"}, 12, "nothing"),
        ({"quiet_from": 22}, 23, "night"),
    ):
        drive = playing("gang:molls", silent=True, **rules)
        drive.hour = hour
        silence(drive)
        assert front(drive).facts["how"] == how


# --- quiet hours ----------------------------------------------------------------------------------


def test_quiet_hours_are_set_on_two_pages_and_outlive_the_box(tmp_path: Path) -> None:
    drive = Drive(Journal(tmp_path / "games.db"))
    drive.hour = 23
    drive.walk("settings", "quiet_from", "22", "6")
    assert drive.page == "settings"
    assert is_signed(drive, "night")
    drive.journal.close()
    again = Drive(Journal(tmp_path / "games.db"), start=False)
    again.hour = 5
    again.loop.start()
    assert (again.speaker.heard, again.speaker.volume) == (["♪ ready"], 35)
    again.hour = 6
    again.walk("settings", "quiet_from", "off")
    assert again.speaker.volume == 70
    assert again.settings["quiet_from"] is None
    again.journal.close()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("hour", [12, 23])
@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("heard", SPEECH_LEVEL_NUMBERS)
def test_ready_and_goodbye_obey_all_rules(heard: str, *, silent: bool, hour: int) -> None:
    journal = Journal(None)
    for key, value in {"heard": heard, "silent": silent, "quiet_from": 22}.items():
        journal.save_setting(key, value, 0)
    drive = Drive(journal, start=False)
    drive.hour = hour
    drive.loop.start()
    drive.loop.close()
    sounds = [what for what in drive.speaker.heard if what != "hush"]
    assert sounds == (["♪ ready", "♪ goodbye"] if heard == "everything" and not silent else [])
    assert not sounds or drive.speaker.volume == (35 if hour == 23 else 70)


def test_at_night_a_game_goes_on_with_sounds_and_without_a_word() -> None:
    drive = playing("gang:caps", *WIN[:-1], quiet_from=22)
    drive.hour = 23
    drive.choose(3)
    assert "♪ over_ten" in drive.speaker.heard
    assert not any(what.startswith("en") for what in drive.speaker.heard)
    drive.hour = 8
    drive.skip()
    drive.choose("start")
    assert any(what.startswith("en") for what in drive.speaker.heard)


# --- the sign -------------------------------------------------------------------------------------


def has_the_sign_in_one_row(frame: bytes) -> bool:
    marked, sign = frame_with_mute_sign(frame, "silent"), SIGNS["silent"]
    rows = {
        at // DISPLAY_WIDTH
        for at, pair in enumerate(zip(frame, marked, strict=True))
        if len({*pair}) > 1
    }
    return len(rows) == 1 and (sign in marked or bytes(byte ^ 0xFF for byte in sign) in marked)


@pytest.mark.long
def test_every_frame_has_room_for_the_sign_of_what_mutes_the_box() -> None:
    frames = {(name, lang): enlarge_scene(name, lang) for name in SCENES for lang in LANGUAGES}
    assert [at for at, frame in frames.items() if not has_the_sign_in_one_row(frame)] == []


def test_a_frame_without_a_rule_has_no_sign() -> None:
    assert frame_with_mute_sign(bytes(1024), "") == bytes(1024)


def test_a_sign_stands_as_far_right_as_there_is_room_first_beside_the_title() -> None:
    sign = SIGNS["night"]
    assert (
        frame_with_mute_sign(bytes(1024), "night")[DISPLAY_WIDTH - len(sign) : DISPLAY_WIDTH]
        == sign
    )
    full = b"\xff" * DISPLAY_WIDTH
    for n, page in enumerate(SEARCHED_ROWS):
        rows = [full if other in SEARCHED_ROWS[:n] else bytes(DISPLAY_WIDTH) for other in range(8)]
        assert frame_with_mute_sign(b"".join(rows), "night")[
            (page + 1) * DISPLAY_WIDTH - len(sign) :
        ].startswith(sign)
    lit = frame_with_mute_sign(full * 8, "night")
    assert lit[DISPLAY_WIDTH - len(sign) : DISPLAY_WIDTH] == bytes(column ^ 0xFF for column in sign)
    busy = frame_with_mute_sign(b"\x55" * 1024, "night")
    assert busy[:DISPLAY_WIDTH].endswith(bytes(2) + sign)
    assert busy.count(0x55) == 1024 - 2 - len(sign)


# --- say it again -------------------------------------------------------------------------------


def test_ok_twice_says_the_answer_again_and_takes_no_second_one() -> None:
    drive = playing("gang:molls")
    drive.turn_to(4)
    drive.press(OK, OK, gap=0.1)
    assert drive.session.standing.snapshot.view["total"] == 4
    said = ["en: Four.", "en: Harris’s card?"]
    assert [what for what in drive.speaker.heard if what.startswith("en")] == said * 2
    drive.wait(UNREAD_SECONDS)
    drive.press(OK)
    assert drive.session.standing.snapshot.view["total"] > 4


def test_a_thumb_that_bounces_answers_once() -> None:
    drive = playing("gang:molls")
    drive.wait(UNREAD_SECONDS)
    before = drive.session.standing.snapshot.undoable
    drive.buttons.press_with_bounces(OK, times=5)
    drive.pump()
    assert drive.session.standing.snapshot.undoable == before + 1


def test_a_mash_past_the_verdicts_repeats_the_question_once_and_answers_nothing_unread() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    before = drive.session.standing.snapshot.undoable
    while drive.moments:
        drive.press(OK, gap=0.07)
    since, heard, question = drive.buttons.now, len(drive.speaker.heard), drive.speaker.heard[-1]
    while drive.session.standing.snapshot.undoable == before and drive.buttons.now < since + 3:
        drive.press(OK, gap=0.07)
    assert since + UNREAD_SECONDS < drive.buttons.now < since + UNREAD_SECONDS + 0.2
    assert drive.speaker.heard[heard:].count(question) == 1


def test_the_menu_says_it_again() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    drive.skip()
    said = [what for what in drive.speaker.heard if what.startswith("en")]
    drive.speaker.heard.clear()
    drive.press(BACK)
    drive.choose("again")
    assert drive.page is None
    assert drive.speaker.heard == ["hush", *said]
    assert len(said) > 2


def test_the_menu_offers_to_say_nothing_again_where_nothing_is_said() -> None:
    for rules in ({"heard": "mistakes"}, {"heard": "nothing"}, {"silent": True}):
        drive = playing("gang:molls", **rules)
        drive.press(BACK)
        prompt = drive.table.menu_or_game_prompt
        assert isinstance(prompt, Choose)
        assert "again" not in prompt.options


# --- what does this button do now? ----------------------------------------------------------------


def test_two_seconds_on_back_tell_what_it_does_and_take_nothing_back() -> None:
    drive = playing("gang:molls", 4)
    before = drive.session.standing.snapshot
    drive.press(BACK, seconds=HELP_HOLD_SECONDS)
    assert drive.session.standing.snapshot == before
    assert front(drive) == Cue("help", {"does": "back.menu"})
    words, cursor = session_words(drive.session, "en"), drive.table.cursor
    assert drive.frame == screens.fact_frame((front(drive),), words, cursor, FACE)
    assert drive.speaker.heard == [
        "hush", "♪ accepted",
        "en: BACK opens the menu. Hold it for a second to undo the last answer.",
    ]  # fmt: skip
    drive.press(OK)
    assert not drive.moments


def test_help_about_help_is_not_stacked() -> None:
    drive = playing("gang:molls")
    for _ in range(3):
        drive.press(OK, seconds=HELP_HOLD_SECONDS)
    assert [moment.lead_fact.facts["does"] for moment in drive.moments] == ["ok.moment"]


def does(drive: Drive, button: str) -> Any:
    drive.press(button, seconds=HELP_HOLD_SECONDS)
    return front(drive).facts["does"]


def test_the_help_is_about_what_the_button_does_now() -> None:
    assert does(playing("gang:molls"), OK) == "ok.question"
    assert does(playing("gang:molls"), SEATS[1]) == "bare_seat"
    assert does(Drive(), OK) == "ok.page"
    assert does(Drive(), BACK) == "back.home"
    drive = Drive()
    drive.choose("settings")
    assert does(drive, BACK) == "back.page"
    drive = Drive()
    drive.walk("new", 2, "spell")
    assert does(drive, OK) == "row"
    drive.skip()
    drive.press(OK)
    assert does(drive, BACK) == "rows"
    drive.skip()
    assert does(drive, OK) == "letter"
    drive.skip()
    drive.press(OK)
    assert does(drive, BACK) == "back.left"
    drive.skip()
    drive.press(*[UP] * (drive.table.cursor.at % 2))
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    assert does(drive, BACK) == "back.moment"


@settings(max_examples=max_examples(200))
@given(
    st.sampled_from(BUTTONS),
    st.sampled_from(
        [None, UNDO_AGREEMENT, Spell("spell", None, 4, ()), Number("n", "Ann", 0, 3, 0)]
    ),
    st.tuples(st.booleans(), st.booleans(), st.sampled_from(["", "A", "ABCD"]), st.integers(0, 40)),
    st.sampled_from(["menu", "page", "home"]),
)
def test_whatever_a_button_does_there_is_a_sentence_for_it(
    button: str, prompt: Any, given: tuple[bool, bool, str, int], back: str
) -> None:
    moment, holds, text, at = given
    scene = PressContext(prompt, overlay=moment, holds=holds)
    cue = button_explanation_fact(button, scene, Cursor(text=text, at=at), back=back)
    for language in LANGUAGES:
        words = Words(language)
        assert words.fact_text(cue)
        assert words.fact_speech(cue)


def test_help_at_a_curtain_is_for_the_wheel_alone_because_ok_looks() -> None:
    drive = playing("gang:molls", options={**TOLD, "deck": "virtual"})
    assert does(drive, UP) == "turn"
    drive.skip()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS + 10)
    assert drive.table.cursor.looking is not None
    assert not drive.moments


# --- the language of a message --------------------------------------------------------------------


def test_a_mistake_is_told_in_the_language_of_whoever_was_asked() -> None:
    journal = begin_game(
        setup_for(VIRTUAL_PARTS_OPTIONS | {"track": "ask", "die": "real"}), (*FIRST, "gang:molls")
    )
    journal.save_setting("languages", {"Fish": "fr"}, 0)
    drive = Drive(journal)
    drive.resume()
    drive.press(OK)
    french = session_words(drive.session, "fr")
    cue = front(drive)
    assert cue.facts == {"code": "look_first"}
    assert drive.speaker.heard[-1] == f"fr: {french.fact_speech(cue)}"
    assert drive.frame == screens.fact_frame((cue,), french, drive.table.cursor, FACE)
    drive.press(OK)
    assert not drive.moments
