"""Tests of drafts: a half-spelt secret word survives interruptions, and only its owner sees it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.figures import export, recorded
from companion.play import verify
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION, HOLD_SECONDS
from companion.record import backup, secret_word_drafts
from companion.record.backup import DRAFTS_SETTING
from companion.record.journal import Journal
from hardware.ports import BACK, OK, SEATS
from tests.helpers import NOW_SECONDS, Drive, begin_game, raise_full_disk, setup_for
from tests.scenes.probe import SECRET, TWO, spelt, unlisted

LIVES = """
import os, pathlib, signal, sys
from companion.record.journal import Journal
from tests.record.test_secret_word_drafts import playing
from tests.scenes.probe import spelt
spelt(playing(Journal(pathlib.Path(sys.argv[1]))), "ZEBR")
os.kill(os.getpid(), signal.SIGKILL)
"""


def playing(journal: Journal) -> Drive:
    """Return a box that asks the first player for a word, with the word uncovered."""
    if not journal.game_numbers():
        begin_game(setup_for(SECRET, game="probe", players=TWO), journal=journal)
    return opened(Drive(journal))


def opened(drive: Drive) -> Drive:
    if drive.loop.running_session is None:
        drive.resume()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    drive.up(OK)
    return drive


def kept(journal: Journal) -> object:
    return journal.all_settings().get(DRAFTS_SETTING, {})


@pytest.mark.long
def test_letters_survive_the_menu_and_a_look_of_somebody_else() -> None:
    drive = spelt(playing(Journal(None)), "ZEBR")
    drive.press(SEATS[0])
    drive.press(BACK)
    drive.press(BACK)
    drive.press(SEATS[1], seconds=1)
    assert opened(drive).table.cursor.text == "ZEBR"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_letters_survive_leaving_the_game_and_another_box(language: str) -> None:
    journal = Journal(None)
    drive = spelt(playing(journal), "ZEBR")
    drive.press(SEATS[0])
    drive.press(BACK)
    drive.choose("leave")
    again = opened(Drive(journal, language)).table.cursor
    assert (again.text, again.looking) == ("ZEBR", TWO[0])


@pytest.mark.long
def test_letters_survive_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    done = subprocess.run([sys.executable, "-c", LIVES, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    with closing(Journal(path)) as journal:
        assert playing(journal).table.cursor.text == "ZEBR"


def test_letters_are_gone_from_the_record_when_the_word_is_kept_erased_or_taken_back() -> None:
    journal = Journal(None)
    drive = spelt(playing(journal), "PROBE")
    assert kept(journal) == {"1": [0, "word", TWO[0], "PROBE"]}
    drive.press(BACK, seconds=HOLD_SECONDS)
    assert kept(journal) == {}
    spelt(drive, "FLAP", done=True)
    drive.skip()
    assert drive.session.standing.snapshot.position == 1
    assert kept(journal) == {}
    spelt(opened(drive), "AB")
    drive.press(SEATS[0])
    drive.press(BACK, seconds=HOLD_SECONDS)
    assert kept(journal) == {}
    drive.skip()
    assert opened(drive).table.cursor.text == ""


def test_a_word_that_waits_to_be_kept_or_changed_is_a_draft_still() -> None:
    drive = unlisted("en")
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == CONFIRM_UNLISTED_WORD_QUESTION
    assert (
        secret_word_drafts.load_word_draft(drive.journal, 1, drive.session.standing.snapshot)
        == "PROBES"
    )
    again = opened(Drive(drive.journal))
    assert again.table.cursor.text == "PROBES"


def test_two_games_have_a_draft_each_and_one_of_another_question_is_nobodys() -> None:
    journal = Journal(None)
    drive = spelt(playing(journal), "AB")
    now = drive.session.standing.snapshot
    secret_word_drafts.save_word_draft(journal, 2, now, "CD", NOW_SECONDS)
    assert [secret_word_drafts.load_word_draft(journal, game, now) for game in (1, 2, 3)] == [
        "AB",
        "CD",
        "",
    ]
    assert secret_word_drafts.load_word_draft(journal, 1, replace(now, position=1)) == ""
    journal.save_setting(DRAFTS_SETTING, {"1": [0, "word"], "2": 7}, NOW_SECONDS)
    assert secret_word_drafts.load_word_draft(journal, 1, now) == ""
    journal.save_setting(DRAFTS_SETTING, "what", NOW_SECONDS)
    assert secret_word_drafts.load_word_draft(journal, 1, now) == ""


def test_what_can_not_be_kept_is_told_once_and_the_letter_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = playing(Journal(None))

    monkeypatch.setattr(drive.journal, "save_setting", raise_full_disk)
    drive.choose("A")
    assert drive.front.name == "refused"
    drive.press(OK)
    assert not drive.moments
    assert drive.table.cursor.text == "A"


def test_no_export_and_no_backup_has_a_draft_and_a_game_is_verified_without(
    tmp_path: Path,
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with closing(Journal(path)) as journal:
        spelt(playing(journal), "ZQZQZQ")
        assert kept(journal)
        backup.back_up_record(path, copy)
        assert not verify.verify_game_against_seed(journal, 1).problem
        told = export.export_lines([recorded.load_recorded_game(journal, 1)], 1, "0", whole=True)
        assert not any("ZQZQZQ" in line for line in told)
    assert b"ZQZQZQ" not in copy.read_bytes()
    with closing(Journal(copy)) as journal:
        assert kept(journal) == {}
        assert len(journal.game_numbers()) == 1
