"""Tests that measure each installed voice: loudness, length and pauses.

Most machines have only espeak-ng. If modules of speech-dispatcher from Debian's archive are
installed, such as mbrola's and pico's voices, the tests measure these voices, too.
"""

from __future__ import annotations

import ctypes
import io
import sys
import wave
from array import array
from collections.abc import Iterator
from typing import Final

import pytest

from hardware.sound import engines
from hardware.sound.engines import MAX_OUTPUT_SAMPLE, loudest_rms_level
from hardware.sound.speech import LOUDNESS_DBFS, VoiceSynthesiser
from hardware.sound.voices import LANGUAGES, voice_choices_of_language
from tests.hardware.test_voices import with_espeak

INSTALLED: Final = [
    (language, choice.name)
    for language in LANGUAGES
    for choice in voice_choices_of_language(language, None)
]
POINTS: Final = {"en": "Ten points for Ann.", "fr": "Dix points pour Ann."}
CARD: Final = {"en": ("Stavros", "the green file."), "fr": ("Stavros", "le dossier vert.")}
SAME: Final = {
    "en": (
        ("21 points.", "Twenty-one points."),
        ("The 3rd round.", "The third round."),
        ("Zone 3.", "Zone three."),
    ),
    "fr": (
        ("21 points.", "Vingt et un points."),
        ("La 2e main.", "La deuxième main."),
        ("Le 1er dossier.", "Le premier dossier."),
        ("105 en tout.", "Cent cinq en tout."),
    ),
}
MDWE: Final = """
import ctypes, os, sys
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE: for this and its children
    sys.exit(75)
os.execv(sys.executable, [sys.executable, "-I", "-S", *sys.argv[1:]])
"""
"""Program that starts a process whose memory cannot be both writable and executable."""

FAINT: Final = 400
"""Highest sample value in a pause."""

every_voice = pytest.mark.parametrize(
    ("language", "name"), INSTALLED, ids=[" ".join(one) for one in INSTALLED]
)
pytestmark = with_espeak


@pytest.fixture(scope="module")
def speech(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VoiceSynthesiser]:
    speech = VoiceSynthesiser(tmp_path_factory.mktemp("cache"))
    yield speech
    assert speech.take_last_failure() is None, "another voice replaced a failed voice"
    speech.close()


def said(speech: VoiceSynthesiser, text: str, language: str, name: str) -> tuple[array[int], int]:
    """Return the samples, and the number of samples in a second."""
    with wave.open(io.BytesIO(speech.make_quick_voice_wav(text, language, name))) as wav:
        return array("h", wav.readframes(wav.getnframes())), wav.getframerate()


def seconds(speech: VoiceSynthesiser, text: str, language: str, name: str) -> float:
    samples, rate = said(speech, text, language, name)
    return len(samples) / rate


def longest_pause(samples: array[int], rate: int) -> float:
    """Return the length of the longest pause (s), in steps of 0.01 s."""
    step, longest, run = rate // 100, 0, 0
    for at in range(0, len(samples), step):
        run = run + 1 if max(map(abs, samples[at : at + step])) < FAINT else 0
        longest = max(longest, run)
    return longest / 100


@every_voice
def test_it_is_as_loud_as_the_cues_and_neither_clips_nor_clicks(
    language: str, name: str, speech: VoiceSynthesiser
) -> None:
    """If the peak of a sentence would clip, the sentence may be up to 2 dB quieter."""
    samples, rate = said(speech, POINTS[language], language, name)
    loud, peak = loudest_rms_level(samples, rate), max(map(abs, samples))
    assert peak <= MAX_OUTPUT_SAMPLE + 256
    assert abs(loud - LOUDNESS_DBFS) < (1.0 if peak < MAX_OUTPUT_SAMPLE - 256 else 2.0)
    assert (samples[0], samples[-1]) == (0, 0)
    assert max(map(abs, (*samples[:8], *samples[-8:]))) < MAX_OUTPUT_SAMPLE // 8


@every_voice
def test_it_brings_no_silence_along(language: str, name: str, speech: VoiceSynthesiser) -> None:
    """Silence at its ends would lengthen the box's pauses between sentences."""
    samples, rate = said(speech, POINTS[language], language, name)
    heard = [at for at, sample in enumerate(samples) if abs(sample) > engines.SILENCE_AMPLITUDE]
    assert heard[0] / rate < 0.03
    assert (len(samples) - heard[-1]) / rate < 0.03


@every_voice
def test_it_pauses_before_a_card_is_named(
    language: str, name: str, speech: VoiceSynthesiser
) -> None:
    who, card = CARD[language]
    assert 0.15 <= longest_pause(*said(speech, f"{who}… {card}", language, name)) <= 0.4


@every_voice
def test_figures_sound_as_their_words(language: str, name: str, speech: VoiceSynthesiser) -> None:
    for figures, words in SAME[language]:
        one, other = (seconds(speech, text, language, name) for text in (figures, words))
        assert one == pytest.approx(other, rel=0.12)


@pytest.mark.sampled(1)
@every_voice
def test_it_speaks_as_fast_as_is_wished(language: str, name: str, speech: VoiceSynthesiser) -> None:
    """Each module of speech-dispatcher defines its own rates, so only their order is tested."""
    lengths = []
    for speed in (120, 160, 200):
        speech.choose_voice(language, name, speed)
        lengths.append(seconds(speech, POINTS[language] * 3, language, name))
    speech.choose_voice(language, name)
    assert lengths == sorted(lengths, reverse=True)
    if not name.startswith("sd "):
        assert lengths[0] / lengths[2] == pytest.approx(200 / 120, rel=0.15)


@pytest.mark.long
def test_all_of_them_speak_where_no_memory_may_be_both_written_and_run(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Make the system call of MemoryDenyWriteExecute=yes, if the kernel has it."""
    if ctypes.CDLL(None).prctl(66, 0, 0, 0, 0) < 0:
        pytest.skip("this kernel has no PR_GET_MDWE")
    own = (sys.executable, "-c", MDWE, str(engines.__file__))
    speech = VoiceSynthesiser(tmp_path_factory.mktemp("cache"), engines=own)
    for language, name in INSTALLED:
        assert seconds(speech, POINTS[language], language, name) > 0.3
    assert speech.take_last_failure() is None
    speech.close()
