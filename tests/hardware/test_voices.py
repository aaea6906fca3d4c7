"""Tests of finding a machine's voices, and of speech-dispatcher's engines."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from ctypes.util import find_library
from pathlib import Path
from typing import Final

import pytest

import hardware.sound.voices
from hardware.ports import HardwareError
from hardware.sound import engines
from hardware.sound.speech import VoiceSynthesiser
from hardware.sound.voices import (
    ESPEAK,
    VoiceChoice,
    espeak_voice_of_language,
    voice_choices_of_language,
)
from tests.english import english_error, raises_english
from tests.hardware.test_speech import Engine, dispatched

MODULE: Final = """#!{python}
import sys

say = lambda *lines: (sys.stdout.buffer.write(b"".join(lines)), sys.stdout.buffer.flush())
read = lambda: sys.stdin.readline().strip()
def told():
    found = []
    while (line := read()) != ".":
        found.append(line)
    open({here!r} + "/told", "a").write("|".join(found) + "\\n")
while command := read():
    if command == "INIT":
        say(b"299-It is well.\\n", b"299 OK LOADED\\n")
    if command == "LIST VOICES":
        say({voices!r}.encode(), b"200 OK VOICE LIST SENT\\n")
    if command == "QUIT":
        say(b"210 OK QUIT\\n")
        break
    if command == "AUDIO":
        say(b"207 OK RECEIVING AUDIO SETTINGS\\n"); told(); say(b"203 OK AUDIO INITIALIZED\\n")
    if command == "SET":
        say(b"203 OK RECEIVING SETTINGS\\n"); told(); say(b"203 OK SETTINGS RECEIVED\\n")
    if command == "SPEAK":
        say(b"202 OK RECEIVING MESSAGE\\n"); told(); say(b"200 OK SPEAKING\\n", b"701 BEGIN\\n")
        for n in range(2):
            say(b"705-bits={bits}\\n", b"705-num_channels=1\\n", b"705-sample_rate={rate}\\n",
                b"705-AUDIO\\0", {samples!r}, b"\\n", b"705 AUDIO\\n")
        say(b"702 END\\n")
"""
SAMPLES: Final = array("h", [0x0A0A, 0x7D7D, 0x0A7D, 1000, -1000, 0x7D0A])


VOICES: Final = (
    "Ida (deep)\ten-GB\tnone", "Max\ten\t", "Max+Robot\ten\tRobot", "Éva\tfr_CA\tnone",
    "Lotte\tde\tnone", "\ten\tnone", "nothing else", "Frieda\tfrr\tnone",
)  # fmt: skip


def module(
    folder: Path,
    voices: Sequence[str] = VOICES,
    bits: int = 16,
    rate: int = 16_000,
    name: str = "tones",
) -> Path:
    """Write a fake module of speech-dispatcher that always says two blocks. Return its path."""
    raw = SAMPLES.tobytes().replace(b"\x7d", b"\x7d\x5d").replace(b"\n", b"\x7d\x2a")
    file = folder / "lib" / "speech-dispatcher-modules" / f"sd_{name}"
    file.parent.mkdir(parents=True)
    file.write_text(
        MODULE.format(
            python=sys.executable,
            here=str(folder),
            samples=raw,
            bits=bits,
            rate=rate,
            voices="".join(f"200-{voice}\n" for voice in voices),
        ),
        "utf-8",
    )
    file.chmod(0o755)
    return file


def test_a_machine_with_espeak_ng_alone_has_one_voice_a_language(tmp_path: Path) -> None:
    for language in ("en", "fr"):
        found = voice_choices_of_language(language, None, system=tmp_path)
        assert found == (VoiceChoice(ESPEAK, ESPEAK, language, language),)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"audio": 1, "audio": 2}', "NaN", '"\\ud800"'])
def test_what_is_no_strict_json_beside_a_voice_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "en_GB-a-low.onnx.json").write_text(text, "utf-8")
    with raises_english(HardwareError, match="is not JSON"):
        hardware.sound.voices.read_voice_config(tmp_path / "en_GB-a-low.onnx")


def test_every_engine_that_is_installed_is_in_the_same_list(tmp_path: Path) -> None:
    module(tmp_path)
    (tmp_path / "lib" / "speech-dispatcher-modules" / "sd_espeak-ng").touch()
    voices = tmp_path / "voices"
    voices.mkdir()
    for name in ("fr_FR-b-low.onnx", "fr_FR-a-low.onnx", "en_GB-a-low.onnx.json", "de_DE-a.onnx"):
        (voices / name).touch()
    found = [
        [choice.name for choice in voice_choices_of_language(language, voices, system=tmp_path)]
        for language in ("en", "fr")
    ]
    assert found == [
        ["espeak-ng", "sd tones Ida (deep)", "sd tones Max"],
        ["fr_FR-a-low", "fr_FR-b-low", "espeak-ng", "sd tones Éva"],
    ]


def test_a_voice_that_fails_is_stood_in_for_and_that_is_told_once(tmp_path: Path) -> None:
    engine = Engine(
        tmp_path, after="first, block = (0, b'broken') if b'sd_tones' in line else (first, block)"
    )
    voice = engine.speech()
    voice._known["fr"] = (dispatched("fr"),)
    voice.choose_voice("fr", "sd tones Ann")
    assert voice.make_quick_voice_wav("Bonjour.", "fr")
    assert [line.split("\t")[:2] for line in engine.heard()] == [
        ["speech-dispatcher", "fr sd_tones tones.conf Ann"],
        ["espeak-ng", "fr"],
    ]
    news = voice.take_last_failure()
    assert news is not None
    assert (news.part, english_error(news)) == ("own_voice", "speech-dispatcher fails: broken")
    assert voice.take_last_failure() is None
    voice.close()


with_espeak = pytest.mark.skipif(
    find_library("espeak-ng") is None, reason="no espeak-ng: apt install espeak-ng"
)


class Mute:
    """An engine that returns silence, as if its program had ended."""

    def synthesise_samples(self, _text: str, _language: str, _speed: int) -> tuple[int, bytes]:
        return 22_050, bytes(200)


def test_an_engine_that_makes_no_sound_has_failed_unless_there_is_nothing_to_say() -> None:
    process = engines.SynthesisServer(-16.0, {"mute": Mute})
    assert process.answer_request("mute\tfr\t160\tÀ 3.\n".encode()) == (
        engines.FAILED_CODE,
        b"mute makes no sound",
    )
    assert process.answer_request("mute\tfr\t160\t« … »\n".encode()) == (22_050, b"")


@with_espeak
def test_a_sentence_has_the_rate_of_the_voice_that_said_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = engines.EspeakEngine()
    assert engine.synthesise_samples("Un.", "fr", 160)[0] == 22_050
    monkeypatch.setattr(engine._library, "espeak_ng_GetSampleRate", lambda: 16_000)
    assert engine.synthesise_samples("Deux.", "fr", 160)[0] == 16_000


def test_an_engine_of_speech_dispatcher_hands_over_its_samples(tmp_path: Path) -> None:
    path = module(tmp_path)
    engine = engines.SpeechDispatcherEngine()
    for _ in range(2):
        rate, samples = engine.synthesise_samples(
            "Zone <3> & 4.", f"fr {path} no.conf Éva (2)", 240
        )
        assert (rate, samples) == (16_000, SAMPLES.tobytes() * 2)
    assert (tmp_path / "told").read_text().split("\n")[:3] == [
        "audio_output_method=server",
        "language=fr|synthesis_voice=Éva (2)|rate=50",
        "<speak>Zone  3    4.</speak>",
    ]
    engine.end_module_process(str(path))
    engine.end_module_process(str(path))


def test_mbrola_s_voices_are_heard_at_their_own_rate_and_others_at_the_one_told(
    tmp_path: Path,
) -> None:
    """The module before 0.12 reports espeak-ng's rate: a third too fast and too high."""
    engine = engines.SpeechDispatcherEngine()
    for name, rate in (("espeak-ng-mbrola", 16_000), ("tones", 22_050)):
        path = module(tmp_path / name, rate=22_050, name=name)
        assert engine.synthesise_samples("Zone 3.", f"fr {path} no.conf Éva", 160)[0] == rate
        engine.end_module_process(str(path))


def test_mbrola_s_module_is_in_the_list_and_espeak_ng_s_own_is_not(tmp_path: Path) -> None:
    voices = ("french-mbrola-1\tfr-FR\tnone", "fr-us-1\tfr\tnone")
    path = module(tmp_path, voices, name="espeak-ng-mbrola")
    (path.parent / "sd_espeak-ng").symlink_to(path)
    assert [choice.name for choice in voice_choices_of_language("fr", None, system=tmp_path)] == [
        "espeak-ng",
        "sd french-mbrola-1",
        "sd mbrola fr-us-1",
    ]


@pytest.mark.parametrize(
    "break_it",
    [
        lambda path: path.unlink(),
        lambda path: path.chmod(0o644),
        lambda path: path.write_text("#!/bin/sh\n"),
        lambda path: path.write_text("#!/bin/sh\nexec echo 399 no\n"),
    ],
)
def test_one_that_fails_says_so(break_it: object, tmp_path: Path) -> None:
    path = module(tmp_path)
    assert callable(break_it)
    break_it(path)
    with pytest.raises(engines.SynthesisError, match="sd_tones of speech-dispatcher fails"):
        engines.SpeechDispatcherEngine().synthesise_samples("Hello.", f"en {path} no.conf Max", 160)


def test_it_speaks_through_the_talking_process_as_loud_as_all_others(tmp_path: Path) -> None:
    module(tmp_path)
    speech = VoiceSynthesiser(tmp_path / "cache")
    speech._known["en"] = voice_choices_of_language("en", None, system=tmp_path)
    speech.choose_voice("en", "sd tones Ida (deep)")
    assert speech.make_quick_voice_wav("Hello.", "en")[24:28] == (16_000).to_bytes(4, "little")
    assert speech.take_last_failure() is None
    assert "language=en-GB|synthesis_voice=Ida (deep)|" in (tmp_path / "told").read_text("utf-8")
    speech.close()


def test_one_that_gives_other_sound_than_the_box_plays_fails(tmp_path: Path) -> None:
    path = module(tmp_path, bits=8)
    with pytest.raises(engines.SynthesisError, match="no 16-bit mono sound: bits=8"):
        engines.SpeechDispatcherEngine().synthesise_samples("Hello.", f"en {path} no.conf Max", 160)


@pytest.mark.parametrize("script", ["exit 1", "exec sleep 60", "echo 399 ERR", "printf '\\377'"])
def test_an_engine_that_names_no_voice_has_none(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware.sound.voices, "LIST_TIMEOUT_SECONDS", 0.05)
    module(tmp_path).write_text(f"#!/bin/sh\n{script}\n")
    assert len(voice_choices_of_language("en", None, system=tmp_path)) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["siwis", "sd mbrola fr-us-1", "sd tones Éva"])
def test_a_voice_that_is_not_there_is_told_and_the_usual_one_speaks(
    name: str, tmp_path: Path
) -> None:
    """The settings name a voice of Piper or of speech-dispatcher that was removed."""
    engine = Engine(tmp_path)
    speech = engine.speech()
    speech._known["fr"] = (espeak_voice_of_language("fr"),)
    with raises_english(
        HardwareError, match=f"the voice {name} is not installed any more"
    ) as caught:
        speech.choose_voice("fr", name, 120)
    assert caught.value.part == "own_voice"
    assert speech.make_quick_voice_wav("Bonjour.", "fr")
    speech.close()
    assert engine.heard() == ["espeak-ng\tfr\t120\tBonjour."]
