"""Tests of `companion voices --render`: it prepares exactly the sentences that the box speaks."""

from __future__ import annotations

import io
import wave
from array import array
from contextlib import closing
from ctypes.util import find_library
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from companion.catalog import registry
from companion.cmd import commands, places, words
from companion.draw.face import load_face
from companion.hear.policy import voice_and_speed_for_language
from companion.record.journal import Journal
from companion.say import fixed_sentences
from hardware.sound import speech, voices
from hardware.sound.engines import MAX_OUTPUT_SAMPLE, loudest_rms_level
from hardware.sound.speech import LOUDNESS_DBFS, VoiceSynthesiser
from tests.english import raises_english
from tests.hardware.test_speech import Engine

SENTENCES: Final = {"en": ("Ten.", "Dietrich is caught."), "fr": ("Dix.", "Stavros est pris.")}
PICO: Final = voices.VoiceChoice(
    "sd pico virginie", voices.DISPATCHER, "fr", "fr sd_pico pico.conf virginie"
)
SETTINGS: Final[dict[str, Any]] = {
    "voices": {"fr": "sd pico virginie"}, "speeds": {"en": 200, "fr": 120}, "volume": 10,
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up a user's folders, with three fixed sentences and the voice pico."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(
        fixed_sentences,
        "spoken_sentences_without_placeholders",
        lambda language, _: SENTENCES[language],
    )
    known = voices.voice_choices_of_language
    monkeypatch.setattr(
        speech,
        "voice_choices_of_language",
        lambda *asked: (*known(*asked), *(PICO,) * (asked[0] == "fr")),
    )
    return tmp_path


def keep(settings: dict[str, Any]) -> None:
    places.record_file().parent.mkdir(parents=True)
    with closing(Journal(places.record_file())) as journal:
        journal.save_settings(settings, 0)


def rendered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the arguments of the synthesiser: engine, voice, words a minute, text."""
    engine = Engine(folder)
    monkeypatch.setattr(words, "VoiceSynthesiser", lambda *_, **_given: engine.speech())
    done = CliRunner().invoke(commands.cli, ["voices", "--render"], catch_exceptions=False)
    assert done.output == (
        "en: 2 sentences never change. All of them are prepared: 0.0 MB.\n"
        "fr: 2 sentences never change. All of them are prepared: 0.0 MB.\n"
    )
    return engine.heard()


def test_before_anybody_has_played_the_usual_voice_speaks_at_its_own_speed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rendered(home, monkeypatch) == [
        "espeak-ng\ten\t160\tTen.",
        "espeak-ng\ten\t160\tDeetrick is caught.",
        "espeak-ng\tfr\t160\tDix.",
        "espeak-ng\tfr\t160\tStavrosse est pris.",
    ]
    assert not places.record_file().exists()


def test_each_language_is_rendered_in_the_voice_at_the_speed_and_with_the_names_of_the_box(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(SETTINGS)
    assert rendered(home, monkeypatch) == [
        "espeak-ng\ten\t200\tTen.",
        "espeak-ng\ten\t200\tDeetrick is caught.",
        "speech-dispatcher\tfr sd_pico pico.conf virginie\t120\tDix.",
        "speech-dispatcher\tfr sd_pico pico.conf virginie\t120\tStavrosse est pris.",
    ]


def test_a_setting_that_is_not_legal_is_the_default(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep({"voices": 7, "speeds": {"en": "fast"}})
    assert {line.split("\t")[2] for line in rendered(home, monkeypatch)} == {"160"}


def test_a_voice_that_is_gone_is_told_and_nothing_is_rendered_in_another(home: Path) -> None:
    keep({"voices": {"en": "en_GB-gone-low"}})
    with raises_english(OSError, match="the voice en_GB-gone-low is not installed any more"):
        CliRunner().invoke(commands.cli, ["voices", "--render"], catch_exceptions=False)
    assert not [*home.rglob("*.wav")]


@pytest.mark.long
@pytest.mark.skipif(find_library("espeak-ng") is None, reason="no espeak-ng: apt install espeak-ng")
def test_the_box_says_it_without_any_engine_and_as_loud_as_the_cues_at_every_volume(
    home: Path,
) -> None:
    settings = {**SETTINGS, "voices": {}}
    keep(settings)
    CliRunner().invoke(commands.cli, ["voices", "--render"], catch_exceptions=False)
    made = [*home.rglob("*.wav")]
    assert len(made) == 4
    box = VoiceSynthesiser(made[0].parent, engines=("false",))
    for game in registry.BUILT_IN_GAMES:
        box.use_respellings(load_face(game).names)
    for language, sentences in SENTENCES.items():
        box.choose_voice(language, *voice_and_speed_for_language(settings, language))
        for sentence in sentences:
            with wave.open(io.BytesIO(box.make_quick_voice_wav(sentence, language))) as wav:
                samples = array("h", wav.readframes(wav.getnframes()))
            assert abs(loudest_rms_level(samples, wav.getframerate()) - LOUDNESS_DBFS) < 1.0
            assert max(map(abs, samples)) <= MAX_OUTPUT_SAMPLE
