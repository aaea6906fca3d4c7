"""Tests of ordinals, numbers and pauses: the text for an engine, and espeak-ng's phonemes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.sound.respelling import respell_for_engine
from hardware.sound.speech import VoiceSynthesiser
from hardware.sound.voices import DISPATCHER, ESPEAK, PIPER


def phonemes(text: str, language: str) -> str:
    """Return espeak-ng's phonemes for `text`. Piper uses them, too."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("no espeak-ng: apt install espeak-ng")
    command = ["espeak-ng", "-q", "-x", "-v", {"en": "en-gb", "fr": "fr"}[language], text]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("fr", "Le 1er dossier.", "Le premier dossier."),
        ("fr", "La 1re manche.", "La première manche."),
        ("fr", "Sa 2e main.", "Sa deuxième main."),
        ("fr", "La 12ème carte.", "La douzième carte."),
        ("en", "The 3rd round.", "The third round."),
        ("en", "The 12th card.", "The twelfth card."),
    ],
)
def test_an_ordinal_sounds_as_its_word(language: str, written: str, spoken: str) -> None:
    assert respell_for_engine(written, ESPEAK, language) == spoken
    assert phonemes(respell_for_engine(written, ESPEAK, language), language) == phonemes(
        spoken, language
    )


def test_espeak_ng_alone_says_a_french_ordinal_wrong() -> None:
    """If this test fails, espeak-ng knows ordinals, and `respelling.py` needs them no longer."""
    assert phonemes("la 2e main", "fr") != phonemes("la deuxième main", "fr")


@pytest.mark.parametrize("n", [13, 21, 42])
def test_a_high_ordinal_has_an_ending_that_is_read(n: int) -> None:
    assert respell_for_engine(f"La {n}e case.", ESPEAK, "fr") == f"La {n}ème case."


@pytest.mark.parametrize("text", ["21 points.", "Zone 3.", "Le total est de 105.", "Etienne 2."])
def test_numbers_and_names_are_left_to_the_engine(text: str) -> None:
    assert respell_for_engine(text, ESPEAK, "fr") == text == respell_for_engine(text, ESPEAK, "en")


def test_every_engine_pauses_before_a_card_is_named() -> None:
    text = "Stavros… the green file."
    assert respell_for_engine(text, ESPEAK, "en") == text
    for engine in (PIPER, DISPATCHER):
        assert respell_for_engine(text, engine, "en") == "Stavros, the green file."


def test_a_name_is_respelled_before_the_engine_s_own_words(tmp_path: Path) -> None:
    speech = VoiceSynthesiser(tmp_path)
    speech.use_respellings({"fr": {"Bob": "Robert"}})
    assert speech.text_respelled_for_engine("Bob… la 2e.", "fr", PIPER) == "Robert, la deuxième."
