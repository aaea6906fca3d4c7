"""Tests of the settings of voices: which voice speaks, how fast, and how it sounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.box.events import HardwareTrouble
from companion.core.prompts import Choose
from companion.menus.words import voice_sample_sentences
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from hardware.mock import FakeBox
from hardware.ports import HardwareError
from tests.helpers import Drive, begin_game, setup_for

TOLD = {"deck": "own", "die": "real", "track": "ask"}


def offered(drive: Drive) -> tuple[str, ...]:
    prompt = drive.table.menu_or_game_prompt
    assert isinstance(prompt, Choose)
    return prompt.options


def said(drive: Drive) -> list[str]:
    return [what for what in drive.speaker.heard if not what.startswith(("♪", "hush"))]


def drive_with(**settings: Any) -> Drive:
    journal = Journal(None)
    journal.save_settings(settings, 0)
    return Drive(journal)


def test_a_box_begins_with_the_usual_voice_of_each_language() -> None:
    assert Drive().speaker.chosen == {"en": ("", 160), "fr": ("", 160)}


def test_voice_and_speed_are_set_by_language_heard_at_once_and_outlive_the_box(
    tmp_path: Path,
) -> None:
    drive = Drive(Journal(tmp_path / "games.db"))
    drive.walk("settings", "voices", "voice_fr", "own fr")
    assert drive.page == "voices"
    assert said(drive) == [f"fr own fr: {voice_sample_sentences('fr')[0]}"]
    drive.walk("speed_fr", "120", "voice_en", "espeak-ng")
    assert drive.speaker.chosen == {"en": ("espeak-ng", 160), "fr": ("own fr", 120)}
    drive.journal.close()
    again = Drive(Journal(tmp_path / "games.db"))
    assert again.speaker.chosen == {"en": ("espeak-ng", 160), "fr": ("own fr", 120)}
    assert not again.moments
    again.journal.close()


def test_on_the_practice_page_every_voice_says_the_same_three_sentences() -> None:
    drive = Drive()
    drive.walk("settings", "voices", "practice")
    names = offered(drive)
    assert names == ("en own en", "en espeak-ng", "fr own fr", "fr espeak-ng")
    for name in names:
        drive.choose(name)
        assert drive.page == "practice"
    assert said(drive) == [
        f"{name}: {text}" for name in names for text in voice_sample_sentences(name[:2])
    ]
    for language in LANGUAGES:
        assert len(set(voice_sample_sentences(language))) == 3


def test_nobody_practises_where_nothing_may_be_said() -> None:
    drive = drive_with(silent=True)
    drive.walk("settings", "voices", "practice", "en espeak-ng")
    assert said(drive) == []


def test_a_voice_that_is_gone_is_one_notice_and_the_setting_is_kept() -> None:
    drive = drive_with(voices={"fr": "fr_FR-gone-low"})
    assert [moment.lead_fact.facts["part"] for moment in drive.moments] == ["own_voice"]
    assert said(drive) == ["en: The chosen voice does not speak. I speak in its place."]
    drive.skip()
    for _ in range(3):
        drive.loop.inbox.put(HardwareTrouble(HardwareError("again", "own_voice")))
        drive.pump()
    assert not drive.moments
    assert drive.settings["voices"] == {"fr": "fr_FR-gone-low"}


def test_practice_during_a_game_leaves_the_menu_open_and_the_game_as_it_was() -> None:
    drive = Drive(begin_game(setup_for(TOLD), (1, 6, "gang:molls")))
    drive.resume()
    before = drive.session.standing.snapshot
    drive.press("back")
    drive.walk("settings", "voices", "practice", "fr espeak-ng")
    assert drive.page == "practice"
    assert drive.session.standing.snapshot == before


def test_a_slow_voice_is_told_what_may_be_said_next_and_a_quick_one_is_not() -> None:
    for slow in (True, False):
        drive = Drive(begin_game(setup_for(TOLD), (1, 6, "gang:molls")))
        drive.speaker.slow = slow
        drive.resume()
        drive.choose(4)
        drive.skip()
        assert bool(drive.speaker.expected) == slow
        if slow:
            assert ("Nine.", "en") in drive.speaker.expected


@pytest.mark.parametrize(
    "settings",
    [
        {"voices": {"de": "x"}},
        {"voices": {"en": 1}},
        {"speeds": {"en": 5}},
        {"speeds": {"en": True}},
    ],
)
def test_a_voice_or_speed_that_can_not_be_is_as_at_first(settings: dict[str, Any]) -> None:
    drive = drive_with(**settings)
    assert drive.front.name == "reset"
    assert drive.speaker.chosen == {"en": ("", 160), "fr": ("", 160)}


# --- the loudspeaker ------------------------------------------------------------------------------


def test_a_sound_card_is_chosen_on_the_box_heard_at_once_and_outlives_it(tmp_path: Path) -> None:
    fake = FakeBox()
    fake.speaker.cards = ("Headphones", "Device")
    drive = Drive(Journal(tmp_path / "games.db"), fake=fake)
    drive.walk("settings", "loudspeaker")
    assert offered(drive) == ("usual", "Headphones", "Device")
    drive.choose("Device")
    assert (drive.page, drive.speaker.output) == ("loudspeaker", "Device")
    assert said(drive) == [f"en : {voice_sample_sentences('en')[0]}"]
    drive.journal.close()
    again = Drive(Journal(tmp_path / "games.db"))
    assert again.speaker.output == "Device"
    again.walk("settings", "loudspeaker")
    assert offered(again) == ("usual", "Device"), "a card that was removed stays listed"
    again.choose("usual")
    assert (again.speaker.output, again.settings["loudspeaker"]) == ("", "")
    again.journal.close()


def test_with_one_sound_card_there_is_nothing_to_choose() -> None:
    fake = FakeBox()
    fake.speaker.cards = ("Headphones",)
    drive = Drive(fake=fake)
    drive.walk("settings")
    assert "loudspeaker" not in offered(drive)


# --- the set of sounds ----------------------------------------------------------------------------


def test_a_set_of_sounds_is_chosen_on_the_box_and_heard_at_once(tmp_path: Path) -> None:
    fake = FakeBox()
    fake.speaker.sets = {"bells": tmp_path / "bells", "tubas": tmp_path / "tubas"}
    drive = Drive(fake=fake)
    drive.walk("settings", "sounds")
    assert offered(drive) == ("usual", "bells", "tubas")
    drive.choose("tubas")
    assert (drive.page, drive.speaker.sounds) == ("sounds", tmp_path / "tubas")
    assert "♪ ready" in drive.speaker.heard[-2:]
    drive.choose("usual")
    assert (drive.speaker.sounds, drive.settings["sounds"]) == (None, "")


def test_without_another_set_of_sounds_there_is_nothing_to_choose() -> None:
    drive = Drive()
    drive.walk("settings")
    assert "sounds" not in offered(drive)
