"""Tests of the doctor's report on the display and in audio mode."""

from __future__ import annotations

import json
import sys
from typing import Final

import pytest

from companion.box import checkup
from companion.box.events import DoctorFindingsReady, HardwareTrouble
from companion.core import subcommands
from companion.menus.checkup import PAGES
from companion.menus.page import BoxPartDiagnosis
from companion.say.words import LANGUAGES
from hardware.ports import BACK, DOWN, OK, HardwareError
from tests.helpers import Drive

ILL: Final = BoxPartDiagnosis(
    "display", "No display answers at address 0x3c.", "Look at the four wires, and start again."
)
WELL: Final = BoxPartDiagnosis("disk", "60 GB are free, and the record is whole.")
PAGES_SHOWN: Final = 2


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the doctor. Return the list of the languages in which the box asks the doctor."""
    languages: list[str] = []
    monkeypatch.setattr(
        checkup, "start_doctor_thread", lambda language, _: languages.append(language)
    )
    return languages


def read(drive: Drive) -> tuple[str, int, int] | None:
    """Return the open page as audio mode reads it."""
    table = drive.table
    assert table.menu_or_game_prompt is not None
    assert table.menus.current_page is not None
    return PAGES["checkup"].read(
        drive.loop.shown_screen_words(),
        table.menus.current_page,
        table.menu_or_game_prompt,
        table.cursor,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_findings_are_turned_page_by_page_and_read(asked: list[str], language: str) -> None:
    drive = Drive(language=language)
    drive.walk("settings", "checkup")
    assert asked == [language]
    waiting = drive.frame
    drive.loop.handle_event(DoctorFindingsReady((ILL, WELL)))
    first = drive.frame
    assert read(drive) == (f"display: {ILL.text} {ILL.cure}", 0, PAGES_SHOWN)
    drive.press(DOWN)
    assert read(drive) == (f"disk: {WELL.text}", 1, PAGES_SHOWN)
    assert len({waiting, first, drive.frame}) == 3
    drive.press(OK)
    assert drive.page == "settings"


def test_what_is_found_after_the_page_was_left_disturbs_nobody(asked: list[str]) -> None:
    drive = Drive()
    drive.walk("settings", "checkup")
    drive.press(BACK, BACK)
    before = drive.frame
    drive.loop.handle_event(DoctorFindingsReady((ILL,)))
    assert (asked, drive.page, drive.frame) == (["en"], "home", before)


def test_a_doctor_that_can_not_look_is_told_and_the_page_says_so(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[DoctorFindingsReady | HardwareTrouble] = []
    monkeypatch.setattr(subcommands, "COMMAND_PREFIX", ("/nowhere",))
    checkup.run_doctor_and_report("en", happened.append)
    trouble, examined = happened
    assert isinstance(trouble, HardwareTrouble)
    drive = Drive()
    drive.walk("settings", "checkup")
    assert asked == ["en"]
    assert isinstance(examined, DoctorFindingsReady)
    drive.loop.handle_event(examined)
    assert read(drive) == ("The box could not be checked.", 0, 1)


def doctor(*lines: object) -> tuple[str, ...]:
    """Return the command of a program that prints these lines as JSON."""
    told = "\n".join(map(json.dumps, lines))
    return (sys.executable, "-c", f"print({told!r})")


def test_what_needs_a_cure_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subcommands, "COMMAND_PREFIX", doctor(WELL._asdict(), ILL._asdict()))
    assert checkup.doctor_findings("en") == (ILL, WELL)


def test_a_doctor_that_says_anything_else_can_not_look(monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (doctor("no"), doctor({"part": "disk", "of": 4}), ("true",)):
        monkeypatch.setattr(subcommands, "COMMAND_PREFIX", words)
        with pytest.raises(HardwareError, match="companion doctor"):
            checkup.doctor_findings("en")
