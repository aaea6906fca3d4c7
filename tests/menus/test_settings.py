"""Tests of saved settings that are damaged or come from another version."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product, zip_longest
from pathlib import Path
from typing import Any, Final

import pytest

from checked_input.checks import one_of
from companion.catalog import services
from companion.cmd import start
from companion.menus import menu_stack
from companion.menus import settings as rows
from companion.menus.commands import ChangeSettings
from companion.menus.settings import (
    DEFAULTS,
    SETTINGS,
    invalid_settings,
    setting_value_mistake,
    settings_with_defaults,
)
from companion.press.wheel import wheel_answers_and_symbols
from companion.record.journal import Journal
from tests.helpers import Drive, raise_full_disk

WRONG: tuple[Any, ...] = (
    None,
    -1,
    0,
    11,
    24,
    1.5,
    True,
    "de",
    "",
    [],
    ["a", 1],
    {"Ann": "de"},
    [[]],
    {"en": 100.0},
    {"en": [100]},
    {"en": True},
    {"Ann": "ab" * 32 + "\n"},
)


def drive_with(**settings: Any) -> Drive:
    journal = Journal(None)
    journal.save_settings(settings, 0)
    return Drive(journal)


def test_every_default_is_legal_and_every_setting_has_a_check() -> None:
    assert invalid_settings(DEFAULTS) == ()
    assert not any(setting_value_mistake(key, value) for key, value in DEFAULTS.items())


def test_a_new_line_of_the_settings_is_one_row_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = SETTINGS["large"]
    peal = SETTINGS["speech"]._replace(default="one", values=("one", "many"))
    peal = peal._replace(check=one_of(*peal.values), label=None)
    table = {**SETTINGS, "bells": row._replace(label=None), "peal": peal}
    monkeypatch.setattr(rows, "SETTINGS", table)
    monkeypatch.setattr(rows, "DEFAULTS", {**DEFAULTS, "bells": False, "peal": "one"})
    state = menu_stack.first_menu_page(Drive().state.facts)._replace(page="settings")
    assert menu_stack.page_question(state).options[-3:-1] == ("bells", "peal")  # type: ignore[union-attr]
    state, wishes = menu_stack.page_after_answer(state, "bells")
    assert (state.page, wishes) == ("settings", (ChangeSettings({"bells": True}),))
    state, _ = menu_stack.page_after_answer(state, "peal")
    assert state.page == "peal"
    assert menu_stack.page_after_answer(state, "many")[1] == (ChangeSettings({"peal": "many"}),)


def test_a_setting_that_can_not_be_is_as_at_first_whatever_it_holds() -> None:
    wrong = []
    for key, value in product(DEFAULTS, WRONG):
        told, found = invalid_settings({key: value}), settings_with_defaults({key: value}, "en")
        kept = setting_value_mistake(key, value) is None
        if told != (() if kept else (key,)) or found != {
            **DEFAULTS,
            **({key: value} if kept else {}),
        }:
            wrong.append((key, value))
    assert wrong == []


SEARCHED: Final = {
    "services": {name: str(folder) for name, folder in services.SERVICE_FOLDERS.items()}
}
"""The setting that every start overwrites."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", DEFAULTS)
def test_the_box_opens_with_a_default_and_says_so_whatever_a_setting_holds(key: str) -> None:
    for fits, told in ((True, ()), (False, ("reset",))):
        for value in [
            value for value in WRONG if (setting_value_mistake(key, value) is None) == fits
        ][-1:]:
            drive = drive_with(**{key: value})
            assert tuple(moment.lead_fact.name for moment in drive.moments) == told
            assert drive.settings == {**DEFAULTS, **({key: value} if fits else {}), **SEARCHED}


ODD: Final = [
    *zip_longest(*([v for v in WRONG if setting_value_mistake(key, v) is None] for key in DEFAULTS))
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("values", ODD)
def test_every_page_opens_whatever_the_settings_hold(values: tuple[Any, ...]) -> None:
    odd = {k: v for k, v in zip(DEFAULTS, values, strict=True) if v is not None}
    drive = drive_with(**odd)
    assert {**odd, **SEARCHED}.items() <= drive.settings.items()
    drive.skip()
    for page in ("volume", "heard", "speech", "quiet_from", "languages", "quietest", "loudest"):
        drive.walk("settings", page)
        drive.press("back", "back")
    assert invalid_settings(drive.settings) == ()


@pytest.mark.parametrize("pair", [{"quietest": 8, "loudest": 5}, {"quietest": 8, "loudest": "x"}])
def test_two_that_do_not_fit_are_both_as_at_first_and_told_once(pair: Mapping[str, Any]) -> None:
    drive = drive_with(**pair, volume=9)
    assert drive.front.name == "reset"
    settings = drive.settings
    assert (settings["quietest"], settings["loudest"], settings["volume"]) == (1, 10, 9)
    drive.skip()
    drive.walk("settings", "volume")
    again = Drive(drive.journal)
    assert not again.moments


def test_what_a_thousand_wrong_values_hide_is_wrong_too() -> None:
    assert invalid_settings({"names": [1] * 1000, "ears": [1]}) == ("names", "ears")


def test_a_setting_of_another_version_is_left_alone() -> None:
    drive = drive_with(wheel="fast")
    assert not drive.moments
    assert drive.journal.all_settings() == {"wheel": "fast", **SEARCHED}


def test_what_is_told_of_settings_is_told_again_if_it_can_not_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = Journal(None)
    journal.save_setting("language", "de", 0)
    monkeypatch.setattr(journal, "save_settings", raise_full_disk)
    for _ in range(2):
        drive = Drive(journal, "fr")
        assert drive.front.name == "reset"
        assert drive.settings["language"] == "fr"


def test_the_floor_that_pushes_the_ceiling_is_one_write_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = drive_with(quietest=2, loudest=5)
    written: list[Mapping[str, Any]] = []
    monkeypatch.setattr(drive.journal, "save_settings", lambda values, _: written.append(values))
    drive.walk("settings", "quietest", 8)
    assert written == [{"quietest": 8, "loudest": 8}]


def test_the_labels_of_a_face_are_in_a_language_that_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert start._labels({"language": "de"}) == start._labels({})
    assert settings_with_defaults({"language": "de"}, "fr")["language"] == "fr"


def labels(drive: Drive) -> list[str]:
    """Return the lines of the open page."""
    prompt, words = drive.table.menu_or_game_prompt, drive.loop.shown_screen_words()
    assert prompt is not None
    return [
        words.answer_label(prompt.name, value, menu_stack.page_placeholder_values(drive.state))
        for value in wheel_answers_and_symbols(prompt)
    ]


def test_each_setting_shows_its_value_beside_its_name() -> None:
    drive = drive_with(heard="scores", speech="short", volume=4, languages={"Ann": "fr"})
    drive.choose("settings")
    shown = labels(drive)
    for line in ("Heard: scores", "Said: short", "Volume: 4", "Silence: off", "Language by player"):
        assert line in shown
    assert "Language: English" in shown
    without = ["Voices", "Language by player", "Check the box"]
    assert [line for line in shown if ":" not in line] == without


def test_the_volume_is_heard_while_it_is_turned_and_nothing_is_set() -> None:
    drive = drive_with(volume=4)
    drive.walk("settings", "volume")
    heard, loud = len(drive.speaker.heard), []
    for button in ("up", "up", "down"):
        drive.press(button)
        loud.append(drive.speaker.volume)
    assert drive.speaker.heard[heard:] == ["♪ accepted"] * 3
    assert loud == [50, 60, 50]
    assert drive.settings["volume"] == 4
    drive.press("back", "ok")
    assert drive.speaker.volume == 40


@pytest.mark.parametrize("line", ["heard", "languages", "loudest", "quiet_from"])
def test_back_returns_to_the_line_that_one_came_from(line: str) -> None:
    drive = Drive()
    drive.choose("settings")
    drive.turn_to(line)
    at = drive.table.cursor.at
    drive.press("ok", "back")
    assert (drive.page, drive.table.cursor.at) == ("settings", at)


def test_a_setting_that_is_made_returns_to_its_line_too() -> None:
    drive = Drive()
    drive.choose("settings")
    drive.turn_to("loudest")
    at = drive.table.cursor.at
    drive.press("ok", "ok")
    assert (drive.page, drive.table.cursor.at) == ("settings", at)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_backup_onto_a_usb_stick_is_switched_on_and_off(language: str) -> None:
    journal = Journal(None)
    journal.save_settings({"language": language}, 0)
    drive = Drive(journal)
    for on, word in ((True, {"en": "on", "fr": "oui"}), (False, {"en": "off", "fr": "non"})):
        drive.walk("settings", "stick")
        assert journal.all_settings()["stick"] is on  # `companion stick` reads this setting
        (line,) = (line for line in labels(drive) if "USB" in line or "clé" in line)
        assert line.endswith(f": {word[language]}")
        drive.press("back")


def test_each_setting_is_on_the_page_of_settings() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/settings.md").read_text("utf-8")
    assert [name for name in SETTINGS if f"`{name}`" not in page] == []
