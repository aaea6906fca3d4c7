"""Tests of the page that plays all cues."""

from __future__ import annotations

import re
import wave
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("numpy", reason="the spectrograms are computed with numpy")

from book import cues
from companion.say.words import LANGUAGES

PAGE: Final = Path(cues.__file__).parents[1] / "docs" / "players" / "sounds.md"
EVERY: Final = {name for one in cues.sound_families_by_name().values() for name in one.family.cues}


def test_the_page_has_a_section_for_the_box_and_for_each_game() -> None:
    named = re.findall(r"^<!-- cues (\w+) -->$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(cues.sound_families_by_name())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cue_is_listed_with_its_moment_rank_and_length(language: str) -> None:
    listed = [
        one
        for family in cues.sound_families_by_name()
        for one in cues.list_sounds_of_family(family, language)
    ]
    assert {one.name for one in listed} == EVERY
    assert not [one for one in listed if not all(one)]


def test_a_cue_is_a_picture_and_a_player_that_loads_nothing_by_itself() -> None:
    (first, *_) = cues.sound_figures_html("box", "en", "../")
    assert 'src="../_static/cues/accepted.png"' in first
    assert 'preload="none" src="../_static/cues/accepted.wav"' in first
    assert "<code>accepted</code>: the box accepts a press or an answer<br>\npress, 0.06 s" in first


@pytest.mark.long
def test_the_files_of_every_cue_are_written_at_half_the_rate(tmp_path: Path) -> None:
    cues.write_sounds_and_spectrograms(tmp_path)
    folder = tmp_path / cues.SITE_SOUNDS_FOLDER
    assert {file.name for file in folder.iterdir()} == {
        f"{name}.{kind}" for name in EVERY for kind in ("png", "wav")
    }
    with wave.open(str(folder / "alarm.wav")) as wav:
        assert wav.getframerate() == 22_050
        assert wav.getnframes() / 22_050 == pytest.approx(1.33, abs=0.01)
