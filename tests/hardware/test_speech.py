"""Tests of the voice: the process of the engines, the cache, and the pronunciation of names.

In the first tests, a script replaces the engines. The last tests use espeak-ng.
"""

from __future__ import annotations

import ctypes.util
import io
import os
import shutil
import signal
import subprocess
import sys
import time
import wave
from array import array
from pathlib import Path
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.catalog import registry
from companion.draw.face import load_face
from companion.say import fixed_sentences
from hardware.ports import HardwareError
from hardware.sound import engine_client, engines, speech
from hardware.sound.cache import SentenceWavCache
from hardware.sound.engine_client import SpeechEngineClient
from hardware.sound.engines import MAX_OUTPUT_SAMPLE, SILENCE_AMPLITUDE, loudest_rms_level
from hardware.sound.speech import LOUDNESS_DBFS, VoiceSynthesiser
from hardware.sound.voices import DISPATCHER, LANGUAGES, VoiceChoice, espeak_voice_of_language
from tests.english import raises_english

pytestmark = pytest.mark.long  # real engines and processes

FAKE: Final = """
import os, sys, time

here = {here!r}
open(here + "/ids", "a").write(str(os.getpid()) + "\\n")
while line := sys.stdin.buffer.readline():
    open(here + "/heard", "ab").write(line)
    {before}
    samples = open(here + "/samples", "rb").read()
    first, block = 22050, samples
    {after}
    os.write(1, first.to_bytes(4, "little") + len(block).to_bytes(4, "little"))
    os.write(1, block)
"""


def wav_file(samples: list[int]) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as wav:
        wav.setparams((1, 2, 22_050, 0, "NONE", ""))
        wav.writeframes(array("h", samples).tobytes())
    return content.getvalue()


def samples_of(content: bytes) -> array[int]:
    with wave.open(io.BytesIO(content), "rb") as wav:
        return array("h", wav.readframes(wav.getnframes()))


class Engine:
    """A script that replaces the engines and records its requests."""

    def __init__(self, folder: Path, before: str = "", after: str = "") -> None:
        self.folder = folder
        (folder / "samples").write_bytes(array("h", [3000, -3000] * 4000).tobytes())
        (folder / "heard").touch()
        self.program = folder / "engines.py"
        self.program.write_text(FAKE.format(here=str(folder), before=before, after=after))
        self.command = (sys.executable, "-I", "-S", str(self.program))
        self.cache = folder / "cache"

    def speech(self, speed: int = 160, patience: float = 20.0) -> VoiceSynthesiser:
        speech = VoiceSynthesiser(self.cache, speed, engines=self.command, patience=patience)
        speech.use_respellings({"en": {"Bob": "Robert", "Bob Bee": "BB"}})
        return speech

    def heard(self) -> list[str]:
        return (self.folder / "heard").read_text("utf-8").splitlines()

    def texts(self) -> list[str]:
        return [line.split("\t")[3] for line in self.heard()]

    def ids(self) -> list[int]:
        return [int(number) for number in (self.folder / "ids").read_text().split()]

    def alive(self) -> int:
        """Count the processes that were started and not reaped."""
        return sum(Path(f"/proc/{number}").exists() for number in self.ids())


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


def test_a_process_that_hangs_up_and_does_not_end_has_a_deadline() -> None:
    process = SpeechEngineClient(("/bin/sh", "-c", "exec >&-; exec sleep 99"), patience=0.05)
    with raises_english(HardwareError, match="ended|no answer"):
        process.synthesise_wav("espeak-ng", "en", 160, "Hello.")


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("os.write(1, b'\\xe0.\\0\\0\\0\\0\\0\\xff'); time.sleep(60)", "4278190080 bytes"),
        ("first = 2**32 - 1", "4294967295 samples a second"),
        ("first = 2", "2 samples a second"),
        ("first, block = 0, bytes(2**24)", "16777216 bytes"),
    ],
)
def test_a_process_that_announces_what_can_not_be_has_failed_at_once(
    tmp_path: Path, after: str, reason: str
) -> None:
    engine = Engine(tmp_path, after=after)
    with raises_english(HardwareError, match=f"failed 2 times: it announced {reason}") as caught:
        engine.speech().make_quick_voice_wav("Hello.", "en")
    assert caught.value.part == "voice"
    assert (len(engine.ids()), engine.alive()) == (2, 0)


def test_a_process_that_failed_so_is_replaced(tmp_path: Path) -> None:
    engine = Engine(
        tmp_path, after="first = 22050 if len(open(here + '/ids').read().split()) > 1 else 7"
    )
    voice = engine.speech()
    assert samples_of(voice.make_quick_voice_wav("Hello.", "en"))
    voice.close()


def test_the_port_and_the_process_agree_on_what_they_tell_each_other() -> None:
    assert (engine_client.FAILED_CODE, engine_client.MISSING_CODE) == (
        engines.FAILED_CODE,
        engines.MISSING_CODE,
    )
    assert set(LANGUAGES) == set(engines.ESPEAK_VOICE_NAMES) == set(engines.ESPEAK_LANGUAGE_CODES)


def test_a_hundred_sentences_start_one_process(engine: Engine) -> None:
    voice = engine.speech()
    with patch("subprocess.Popen", wraps=subprocess.Popen) as started:
        for number in range(100):
            voice.make_quick_voice_wav(f"Sentence {number}.", "fr" if number % 2 else "en")
    voice.close()
    assert (started.call_count, len(engine.ids())) == (1, 1)
    assert engine.texts() == [f"Sentence {number}." for number in range(100)]


def test_a_request_names_engine_language_speed_and_text(engine: Engine) -> None:
    voice = engine.speech(120)
    voice.make_quick_voice_wav("Déjà vu.", "fr")
    voice.close()
    assert engine.heard() == ["espeak-ng\tfr\t120\tDéjà vu."]


def test_an_answer_becomes_a_wav_file(engine: Engine) -> None:
    voice = engine.speech()
    content = voice.make_quick_voice_wav("Hello.", "en")
    voice.close()
    assert samples_of(content) == array("h", [3000, -3000] * 4000)


def test_what_was_said_before_needs_no_engine(engine: Engine) -> None:
    first = engine.speech()
    content = first.make_quick_voice_wav("Hello.", "en")
    first.close()
    second = VoiceSynthesiser(engine.cache, engines=("/nonexistent/engines",))
    assert second.make_quick_voice_wav("Hello.", "en") == content
    second.save_new_sentences_to_cache()


def test_what_is_not_saved_yet_is_known_all_the_same(engine: Engine) -> None:
    voice = engine.speech()
    content = voice.make_quick_voice_wav("Hello.", "en")
    assert not engine.cache.exists()
    assert voice.make_quick_voice_wav("Hello.", "en") == content
    voice.save_new_sentences_to_cache()
    assert [file.read_bytes() for file in engine.cache.iterdir()] == [content]
    voice.close()
    assert len(engine.heard()) == 1


def test_another_text_voice_speed_or_engine_is_another_sentence(engine: Engine) -> None:
    for name, speed in (("", 160), ("", 100), ("sd tones Ann", 160)):
        voice = engine.speech()
        for language in LANGUAGES:
            voice._known[language] = (espeak_voice_of_language(language), dispatched(language))
            voice.choose_voice(language, name, speed)
        for text, language in (("A", "en"), ("B", "en"), ("A", "fr"), ("A", "en")):
            voice.make_quick_voice_wav(text, language)
        voice.close()
    assert len(engine.heard()) == len(set(engine.heard())) == 9


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Harris went over. Fish wins!", ["Harris went over.", "Fish wins!"]),
        ("Gagné ! À vous ?", ["Gagné !", "À vous ?"]),
        ("Où est-il\xa0? Là.", ["Où est-il\xa0?", "Là."]),
        ("Stavros… the green file: the bank.", ["Stavros… the green file: the bank."]),
        ("All in 3.5 s.", ["All in 3.5 s."]),
        (" Ten. ", ["Ten."]),
        ("", []),
    ],
)
def test_a_text_is_spoken_sentence_by_sentence(text: str, split: list[str]) -> None:
    assert speech.split_into_sentences(text) == split


def test_sentences_can_be_rendered_ahead(engine: Engine) -> None:
    voice = engine.speech()
    size = voice.cache_sentences([("Hello. Again.", "en"), ("Salut.", "fr")])
    assert size == 3 * (44 + 16_000)
    voice.make_quick_voice_wav("Again.", "en")
    voice.close()
    assert engine.texts() == ["Hello.", "Again.", "Salut."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Bob wins.", "Robert wins."),
        ("BOB, bob!", "Robert, Robert!"),
        ("Bob’s turn, Bobby.", "Robert’s turn, Bobby."),
        ("Bob Bee wins.", "BB wins."),
    ],
)
def test_a_name_is_respelled_as_a_whole_word(engine: Engine, text: str, said: str) -> None:
    assert engine.speech().text_respelled_for_engine(text, "en") == said
    assert engine.speech().text_respelled_for_engine(text, "fr") == text


def test_names_of_one_game_are_said_right_beside_those_of_another(engine: Engine) -> None:
    speech = engine.speech()
    speech.use_respellings({"en": {"Cy": "Sigh", "Bob": "Rob"}, "fr": {"Cy": "Saï"}})
    assert speech.text_respelled_for_engine("Bob Bee, Bob, Cy.", "en") == "BB, Rob, Sigh."
    assert speech.text_respelled_for_engine("Bob, Cy.", "fr") == "Bob, Saï."


def test_the_process_is_ready_before_it_is_needed(engine: Engine) -> None:
    first = engine.speech()
    first.make_quick_voice_wav("Hello.", "en")
    first.close()
    second = engine.speech()
    second.make_quick_voice_wav("Hello.", "en")
    assert second._engines._process is None
    second.save_new_sentences_to_cache()
    assert second._engines._process is not None
    second.close()


def test_no_process_is_left_after_close(engine: Engine) -> None:
    voice = engine.speech()
    voice.make_quick_voice_wav("A", "en")
    voice.close()
    voice.close()
    assert engine.alive() == 0


def test_a_closed_voice_speaks_again(engine: Engine) -> None:
    voice = engine.speech()
    voice.make_quick_voice_wav("A", "en")
    voice.close()
    voice.make_quick_voice_wav("B", "en")
    voice.close()
    assert len(engine.ids()) == 2


def test_commands_to_the_engine_never_reach_it(engine: Engine) -> None:
    voice = engine.speech()
    voice.make_quick_voice_wav("a [[[b]] \x01+50s\x00c\n\nd\te", "en")
    voice.close()
    assert engine.texts() == ["a b]] +50s c d e"]


def test_a_text_that_would_fill_the_pipe_is_refused(engine: Engine) -> None:
    with raises_english(HardwareError, match="too long"):
        engine.speech().make_quick_voice_wav("long " * 1000, "en")


ONCE: Final = "if os.path.exists(here + '/died'): pass\n    else: open(here + '/died', 'w'); "


def test_an_engine_that_dies_is_restarted_once(tmp_path: Path) -> None:
    engine = Engine(tmp_path, f"{ONCE}os._exit(1)")
    voice = engine.speech()
    assert samples_of(voice.make_quick_voice_wav("Hello.", "en"))
    voice.close()
    assert (engine.texts(), engine.alive()) == (["Hello.", "Hello."], 0)


def test_an_engine_that_was_killed_is_restarted_and_that_is_told_once(engine: Engine) -> None:
    voice = engine.speech()
    voice.make_quick_voice_wav("A", "en")
    assert voice.take_last_failure() is None
    os.kill(engine.ids()[0], signal.SIGKILL)
    assert samples_of(voice.make_quick_voice_wav("B", "en"))
    news = voice.take_last_failure()
    assert news is not None
    assert news.part == "voice_again"
    voice.make_quick_voice_wav("C", "en")
    assert voice.take_last_failure() is None
    voice.close()
    assert len(engine.ids()) == 2


def test_an_engine_that_stops_in_the_middle_of_an_answer_is_restarted(tmp_path: Path) -> None:
    engine = Engine(tmp_path, after=f"{ONCE}os.write(1, bytes(3)); os._exit(0)")
    voice = engine.speech()
    assert len(samples_of(voice.make_quick_voice_wav("Hello.", "en"))) == 8000
    voice.close()


def test_an_engine_that_always_dies_is_said_to_be_gone(tmp_path: Path) -> None:
    engine = Engine(tmp_path, "os._exit(7)")
    with raises_english(HardwareError, match="failed 2 times: it ended with status 7") as caught:
        engine.speech().make_quick_voice_wav("Hello.", "en")
    assert (caught.value.part, engine.alive(), len(engine.ids())) == ("voice", 0, 2)


def test_an_engine_that_hangs_is_killed_and_said_to_be_gone(tmp_path: Path) -> None:
    engine = Engine(tmp_path, "time.sleep(600)")
    with raises_english(HardwareError, match=r"no answer within 0\.3 s"):
        engine.speech(patience=0.3).make_quick_voice_wav("Hello.", "en")
    assert engine.alive() == 0


@pytest.mark.long
def test_what_an_engine_has_started_is_killed_with_it(tmp_path: Path) -> None:
    child = tmp_path / "child"
    engine = Engine(tmp_path, f"os.system('sh -c \\'echo $$ > {child}; exec sleep 600\\'')")
    for patience in (1.0, 4.0, 16.0, 64.0):  # a slow machine needs longer until the child runs
        with raises_english(HardwareError, match="no answer"):
            engine.speech(patience=patience).make_quick_voice_wav("Hello.", "en")
        if child.exists() and child.read_text():
            break
    end = time.monotonic() + 60
    while is_alive(child.read_text().strip()):  # its new parent reaps it
        assert time.monotonic() < end
        time.sleep(0.05)


def is_alive(process: str) -> bool:
    """Return True if a process runs. It may end at any moment."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


MISSING: Final = "first, block = (1, b'not here') if line.startswith({!r}) else (22050, samples)"


def dispatched(language: str) -> VoiceChoice:
    """Return a voice of speech-dispatcher."""
    return VoiceChoice("sd tones Ann", DISPATCHER, language, f"{language} sd_tones tones.conf Ann")


def test_a_voice_of_speech_dispatcher_stands_in_for_espeak_ng_where_that_is_missing(
    tmp_path: Path,
) -> None:
    engine = Engine(tmp_path, after=MISSING.format(b"espeak-ng"))
    voice = engine.speech()
    voice._known["en"] = (espeak_voice_of_language("en"), dispatched("en"))
    assert samples_of(voice.make_quick_voice_wav("A", "en"))
    voice.make_quick_voice_wav("B", "en")
    voice.close()
    asked = [line.split("\t")[0] for line in engine.heard()]
    assert asked == ["espeak-ng", DISPATCHER, DISPATCHER]
    assert voice.take_last_failure() is None


def test_with_no_engine_at_all_espeak_ng_is_to_be_installed_and_is_asked_again(
    tmp_path: Path,
) -> None:
    engine = Engine(tmp_path, after=MISSING.format(b"espeak-ng"))
    voice = engine.speech()
    voice._known["en"] = (espeak_voice_of_language("en"),)
    for _ in range(2):
        with raises_english(HardwareError, match="not here") as caught:
            voice.make_quick_voice_wav("A", "en")
        assert caught.value.part == "voice"
    voice.close()
    assert len(engine.heard()) == 2


def test_where_espeak_ng_is_missing_and_the_others_fail_that_is_told(tmp_path: Path) -> None:
    engine = Engine(
        tmp_path,
        after="first, block = (1, b'not here') if line.startswith(b'espeak') else (0, b'broken')",
    )
    voice = engine.speech()
    voice._known["en"] = (espeak_voice_of_language("en"), dispatched("en"))
    for _ in range(2):
        with raises_english(HardwareError, match="not here"):
            voice.make_quick_voice_wav("A", "en")
    voice.close()


def test_a_complaint_of_the_engine_is_passed_on(tmp_path: Path) -> None:
    engine = Engine(tmp_path, after="first, block = 0, b'no voice'")
    voice = engine.speech()
    with raises_english(HardwareError, match="espeak-ng fails: no voice"):
        voice.make_quick_voice_wav("A", "en")
    voice.close()
    assert len(engine.heard()) == 1


def test_a_process_that_does_not_start_is_a_hardware_error(tmp_path: Path) -> None:
    with raises_english(HardwareError, match="the voice does not start"):
        VoiceSynthesiser(tmp_path, engines=("/nonexistent/engines",)).make_quick_voice_wav(
            "Hello.", "en"
        )


def test_an_unknown_language_is_no_matter_for_the_engine(tmp_path: Path) -> None:
    with raises_english(HardwareError, match="no voice speaks 'de'"):
        VoiceSynthesiser(tmp_path, engines=("/nonexistent/engines",)).make_quick_voice_wav(
            "Hallo.", "de"
        )


# The cache.


def test_a_cache_that_cannot_be_written_costs_no_sentence(engine: Engine) -> None:
    engine.cache.write_text("a file where the folder should be")
    voice = engine.speech()
    assert samples_of(voice.make_quick_voice_wav("Hello.", "en"))
    voice.close()


def test_half_a_cached_file_is_not_played(tmp_path: Path) -> None:
    cache = SentenceWavCache(tmp_path)
    cache.store_wav("key", wav_file([1] * 100))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-50])
    assert cache.read_wav("key") is None


def test_the_cache_drops_what_was_longest_unused(tmp_path: Path) -> None:
    content = wav_file([1] * 100)
    cache = SentenceWavCache(tmp_path, limit=2 * len(content))
    for age, key in enumerate("ab"):
        cache.store_wav(key, content)
        newest = max(tmp_path.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        os.utime(newest, (age + 1, age + 1))
    assert cache.read_wav("a") == content
    cache.store_wav("c", content)
    assert [key for key in "abc" if cache.read_wav(key)] == ["a", "c"]


def test_in_a_full_cache_the_newest_and_the_most_used_stay(tmp_path: Path) -> None:
    content = wav_file([1] * 100)
    cache = SentenceWavCache(tmp_path, limit=3 * len(content))
    for key in "abc":
        cache.store_wav(key, content)
    for key in "abbccc":
        assert cache.read_wav(key)
    cache.store_wav("new", content)
    assert [key for key in ("a", "b", "c", "new") if cache.has_wav(key)] == ["b", "c", "new"]
    cache.store_wav("newer", content)
    assert [key for key in ("b", "c", "new", "newer") if cache.has_wav(key)] == ["b", "c", "newer"]


def test_the_cache_never_grows_beyond_its_limit(tmp_path: Path) -> None:
    cache = SentenceWavCache(tmp_path, limit=1000)
    for number in range(20):
        cache.store_wav(str(number), wav_file([number] * 100))
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1000


# Changes that the process makes to samples.


LEVELS: Final = st.lists(st.integers(-32_768, 32_767), min_size=1, max_size=300)


@given(LEVELS, st.floats(0.05, 3.9))
def test_all_samples_are_multiplied_at_once_and_none_clips(numbers: list[int], gain: float) -> None:
    numbers = [number // 2 for number in numbers]
    louder = array("h", engines.amplify_without_clipping(array("h", numbers).tobytes(), gain))
    used = min(gain, MAX_OUTPUT_SAMPLE / max(1, *map(abs, numbers)))
    assert len(louder) == len(numbers)
    for before, after in zip(numbers, louder, strict=True):
        assert after == pytest.approx(before * used, abs=3)
        assert abs(after) <= MAX_OUTPUT_SAMPLE + 256


@given(st.lists(st.integers(-8_192, 8_191), min_size=1, max_size=50), st.integers(0, 65_535))
def test_one_large_multiplication_gives_what_a_loop_gives(numbers: list[int], factor: int) -> None:
    part = array("h", numbers).tobytes()
    product = array("h", engines._times(part, factor)[: len(part)])
    assert product.tolist() == [number * factor >> 14 for number in numbers]


@given(
    st.lists(st.integers(-32_768, 32_767), max_size=60),
    st.integers(0, 99),
    st.integers(-SILENCE_AMPLITUDE, SILENCE_AMPLITUDE),
)
def test_only_the_silence_around_a_sentence_is_cut(sound: list[int], odd: int, noise: int) -> None:
    said = array("h", [SILENCE_AMPLITUDE + 1, *sound, -SILENCE_AMPLITUDE - 1])
    around = array("h", [noise] * (500 + odd))
    left = array("h", engines.trim_silence((around + said + around).tobytes(), 2000))
    assert len(left) <= len(said) + 2 * 20, "up to 0.01 s of silence may remain"
    begin = left.index(said[0])
    assert left[begin : begin + len(said)] == said
    assert {*left[:begin], *left[begin + len(said) :]} <= {noise}


def test_silence_stays_silence() -> None:
    for nothing in (b"", bytes(1000), array("h", [20, -36] * 500).tobytes()):
        assert engines.trim_silence(nothing, 22_050) == b""
    assert engines.normalise_loudness(b"", 22_050, -16.0) == b""


def test_a_quiet_but_spiky_sentence_does_not_clip() -> None:
    numbers = array("h", [20] * 4000 + [9000] + [20] * 4000)
    louder = array("h", engines.normalise_loudness(numbers.tobytes(), 22_050, -16.0))
    assert max(louder) == pytest.approx(MAX_OUTPUT_SAMPLE, abs=2)


@pytest.mark.parametrize("amplitude", [900, 4000, 30_000])
def test_a_sentence_is_levelled_as_the_cues_are(amplitude: int) -> None:
    numbers = array("h", [amplitude, amplitude, -amplitude, -amplitude] * 4000)
    louder = array("h", engines.normalise_loudness(numbers.tobytes(), 22_050, -26.0))
    assert loudest_rms_level(louder, 22_050) == pytest.approx(-26.0, abs=0.05)


def test_a_sentence_that_is_nearly_as_loud_is_left_as_it_is() -> None:
    numbers = array("h", [4000, 4000, -4000, -4000] * 4000)
    nearly = loudest_rms_level(numbers, 22_050) + engines.INAUDIBLE_CHANGE_DECIBELS - 0.05
    assert engines.normalise_loudness(numbers.tobytes(), 22_050, nearly) == numbers.tobytes()


def test_without_the_library_espeak_ng_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ESPEAK_LIBRARIES", ("libnone.so.1",))
    first, block = engines.SynthesisServer(-16.0).answer_request(b"espeak-ng\ten\t160\tHello.\n")
    assert (first, block) == (engines.MISSING_CODE, b"there is no libnone.so.1")


# espeak-ng itself.


real_engine = pytest.mark.skipif(
    ctypes.util.find_library("espeak-ng") is None, reason="no espeak-ng: apt install espeak-ng"
)


@real_engine
@pytest.mark.parametrize(
    ("text", "language"),
    [("Harris, it is your turn.", "en"), ("À vous de jouer, œil de lynx.", "fr"), ("Ten.", "en")],
)
def test_espeak_speaks_and_is_as_loud_as_the_cues(text: str, language: str, tmp_path: Path) -> None:
    voice = VoiceSynthesiser(tmp_path)
    sound = samples_of(voice.make_quick_voice_wav(text, language))
    voice.close()
    assert len(sound) > 22_050 / 4
    assert max(map(abs, sound)) <= MAX_OUTPUT_SAMPLE + 256
    assert loudest_rms_level(sound, 22_050) == pytest.approx(LOUDNESS_DBFS, abs=1.0)


@real_engine
@pytest.mark.parametrize("text", ["", "   ", "...", "\x00"])
def test_nothing_to_say_is_silence_and_no_error(text: str, tmp_path: Path) -> None:
    voice = VoiceSynthesiser(tmp_path)
    content = voice.make_quick_voice_wav(text, "en")
    voice.close()
    assert len(samples_of(content)) == 0


@real_engine
def test_each_sentence_is_whole_and_alone(tmp_path: Path) -> None:
    voice = VoiceSynthesiser(tmp_path / "one")
    short = [len(voice.make_quick_voice_wav("Two.", language)) for language in ("en", "fr")]
    voice.close()
    voice = VoiceSynthesiser(tmp_path / "other")
    voice.make_quick_voice_wav("Somebody has seen a secret since.", "en")
    after = len(voice.make_quick_voice_wav("Two.", "en"))
    voice.make_quick_voice_wav("Quelqu’un a vu un secret depuis.", "fr")
    again = len(voice.make_quick_voice_wav("Two.", "fr"))
    voice.close()
    assert [after, again] == pytest.approx(short, rel=0.05)


@real_engine
def test_a_faster_voice_takes_less_time(tmp_path: Path) -> None:
    lengths = []
    for speed in (120, 160, 240):
        voice = VoiceSynthesiser(tmp_path, speed=speed)
        lengths.append(len(voice.make_quick_voice_wav("The hunt is on, and everybody runs.", "en")))
        voice.close()
    assert lengths == sorted(lengths, reverse=True)


@real_engine
def test_phonemes_in_a_text_are_read_as_text() -> None:
    espeak = engines.EspeakEngine()
    said = [len(espeak.synthesise_samples(text, "en", 160)[1]) for text in ("[[h@lou]]", "h@lou")]
    assert said[0] == pytest.approx(said[1], rel=0.15)


@real_engine
def test_a_voice_is_found_by_its_language_if_its_file_has_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spoken = [len(engines.EspeakEngine().synthesise_samples("dix-sept", "fr", 160)[1])]
    monkeypatch.setattr(engines, "ESPEAK_VOICE_NAMES", {"fr": (b"gone/fr",), "en": (b"gone/en",)})
    espeak = engines.EspeakEngine()
    espeak.synthesise_samples("seventeen", "en", 160)
    spoken.append(len(espeak.synthesise_samples("dix-sept", "fr", 160)[1]))
    assert spoken[0] == pytest.approx(spoken[1], rel=0.1)  # as English, a third longer


@real_engine
def test_a_language_that_espeak_ng_does_not_have_is_a_complaint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(engines.ESPEAK_VOICE_NAMES, "en", (b"gone/en",))
    monkeypatch.setitem(engines.ESPEAK_LANGUAGE_CODES, "en", b"tlh-none")
    espeak = engines.EspeakEngine()
    monkeypatch.setattr(espeak._library, "espeak_SetVoiceByProperties", lambda _: 2)
    with pytest.raises(engines.SynthesisError, match="no voice for 'en'"):
        espeak.synthesise_samples("hello", "en", 160)


@real_engine
def test_the_process_ends_with_its_input() -> None:
    process = subprocess.Popen(
        [*speech._ENGINES, "-16", "3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    out, _ = process.communicate(b"espeak-ng\ten\t160\tHello.\n", timeout=20)
    assert process.returncode == 0
    assert int.from_bytes(out[:4], "little") == 22_050
    assert int.from_bytes(out[4:8], "little") == len(out) - 8 > 10_000


@pytest.mark.long
def test_a_process_that_hangs_ends_itself(tmp_path: Path) -> None:
    module = tmp_path / "sd_hangs"
    module.write_text("#!/bin/sh\nexec sleep 600\n")
    module.chmod(0o755)
    process = subprocess.Popen(
        [*speech._ENGINES, "-16", "0.5"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,
    )
    assert process.stdin is not None
    process.stdin.write(f"speech-dispatcher\ten {module} no.conf Max\t160\tHello.\n".encode())
    process.stdin.flush()
    assert process.wait(20) == -signal.SIGALRM
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_the_process_imports_little() -> None:
    code = f"import sys; sys.argv = ['', '-16', '3']; exec(open({str(engines.__file__)!r}).read())"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", "-c", code],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for heavy in ("typing", "subprocess", "pathlib", "asyncio", "wave", "hardware"):
        assert f"| {heavy}\n" not in done.stderr.replace("|   ", "| ").replace("|  ", "| ")


# Pronunciation of names, numbers and places, as phonemes of espeak-ng.

SENTENCES: Final = (
    ("en", "Wojehowicz, will you play a zero?", "wˈəʊdʒəʊhˈaʊɪts zˈiəɹəʊ"),
    ("en", "Yemana captures one of the Shopping Molls.", "jɛmˈɑːnə wˈɒn mˈɒlz"),
    ("en", "Harris went over. Fish wins the round.", "hˈaɹɪs fˈɪʃ wˈɪnz"),
    ("en", "Dietrich rolls six.", "dˈiːtɹɪk sˈɪks"),
    ("en", "Barney Miller. Zero. Still ten.", "bˈɑːni mˈɪlə tˈɛn"),
    ("en", "Nobody wants the Ruffian Bears.", "ɹˈʌfiən bˈeəz"),
    ("en", "Insufficient Evidence. Better not win this one.", "ɪnsəfˈɪʃənt ˈɛvɪdəns"),
    ("en", "Kojak himself! Crocker, the yellow criminal goes to red.", "kˈəʊdʒˈak kɹˈɒkə ɹˈɛd"),
    ("en", "Stavros… the green file: the bank.", "stˈavɹəʊz ɡɹˈiːn bˈaŋk"),
    ("en", "Saperstein posts the warrant at City Hall.", "sˈapəst wˈɒɹənt hˈɔːl"),
    ("en", "Rizzo rolls three.", "ɹˈɪzəʊ θɹˈiː"),
    ("en", "Advance the blue criminal five spaces.", "blˈuː fˈaɪv spˈeɪsɪz"),
    ("en", "Baretta is here: the Hideout.", "bəɹˈɛtə hˈaɪdaʊt"),
    ("en", "Rooster, where does Baretta go?", "ɹˈuːstə bəɹˈɛtə"),
    ("en", "Brubaker, the Apartment is taken.", "bɹˈuːbeɪkə pˈɑːtmənt"),
    ("en", "Fats wins the game!", "fˈats ɡˈeɪm"),
    ("en", "Ada: yes! Fifteen for Edgar: 105 in all.", "ˈeɪdə ˈɛdɡə hˈʌndɹɪd fˈaɪv"),
    ("en", "Emily, how many places does the word on your rack take?", "ˈɛmɪli plˈeɪsɪz ɹˈak"),
    ("en", "Jules, your first find counts 3 times.", "dʒˈuːlz θɹˈiː"),
    ("en", "W: no. Z: yes!", "dˈʌbəl zˈɛd"),
    ("fr", "Wojehowicz, jouez-vous un zéro ?", "vɔdʒˈoawˈits zeʁˈo"),
    ("fr", "Yemana capture un suspect. Encore un.", "jəmanˈa syspˈɛ"),
    ("fr", "Harris dépasse. Fish gagne la manche.", "aʁˈis fˈiʃ mˈɑ̃ʃ"),
    ("fr", "Dietrich lance six.", "ditʁˈik sˈis"),
    ("fr", "Barney Miller. Zéro. Toujours dix.", "baʁnˈi milˈœʁ dˈis"),
    ("fr", "Plus personne ne recherche les Ruffian Bears.", "ʁøfjˈan bˈɛʁz"),
    ("fr", "Encore un des Cap Burglars.", "kˈap bœʁɡlˈœʁ"),
    ("fr", "Kojak en personne ! Crocker, le criminel jaune va au rouge.", "kɔdʒˈak kʁɔkˈœʁ ʒˈon"),
    ("fr", "Stavros… le dossier vert : la banque.", "stavʁˈɔs vˈɛʁ bˈɑ̃k"),
    ("fr", "Saperstein affiche le mandat à la mairie.", "sapɛʁ mɛʁˈi"),
    ("fr", "Rizzo lance trois.", "ʁizˈo tʁwˈa"),
    ("fr", "Avancez le criminel bleu de cinq cases.", "blˈø sˈɛ̃k kˈaz"),
    ("fr", "McNeil, retournez la première carte.", "mˈak nˈil kˈaʁt"),
    ("fr", "Baretta est là : la Planque.", "baʁɛtˈa plˈɑ̃k"),
    ("fr", "Fats gagne la partie !", "fˈats paʁtˈi"),
    ("fr", "Tony Baretta et Levitt.", "tonˈi levˈit"),
    ("fr", "W : oui ! Quinze pour Edgar : 105 en tout.", "dublə kˈɛ̃z ɛdɡˈaʁ sɑ̃ sˈɛ̃k"),
    ("fr", "Jules : votre première trouvaille compte 3 fois.", "ʒˈyl tʁuvˈaj tʁwˈa"),
    ("fr", "Ada : quatre-vingt-dix-sept points.", "adˈa kˈatʁ vˈɛ̃ sˈɛt"),
    ("fr", "Y : non. Chano, à vous.", "iɡʁˈɛk tʃanˈo"),
)


ESPEAK: Final = shutil.which("espeak-ng")


@pytest.mark.skipif(ESPEAK is None, reason="no espeak-ng: apt install espeak-ng")
@pytest.mark.parametrize(("language", "text", "phonemes"), SENTENCES)
def test_names_numbers_and_places_are_spoken_right(
    language: str, text: str, phonemes: str, tmp_path: Path
) -> None:
    speech = VoiceSynthesiser(tmp_path)
    for game in registry.BUILT_IN_GAMES:
        speech.use_respellings(load_face(game).names)
    said = speech.text_respelled_for_engine(text, language)
    voice = engines.ESPEAK_LANGUAGE_CODES[language].decode()
    done = subprocess.run(
        [str(ESPEAK), "-q", "--ipa", "-v", voice, said], capture_output=True, text=True, check=True
    )
    for sound in phonemes.split():
        assert sound in done.stdout


def test_forty_sentences_are_checked_half_of_them_in_each_language() -> None:
    assert [language for language, _, _ in SENTENCES] == ["en"] * 20 + ["fr"] * 20


# Sentences that can be synthesised in advance.


def test_every_fixed_sentence_is_a_sentence() -> None:
    for language in ("en", "fr"):
        sentences = fixed_sentences.spoken_sentences_without_placeholders(
            language, speech.split_into_sentences
        )
        assert len(set(sentences)) == len(sentences) >= 40
        for sentence in sentences:
            assert sentence[0].isupper()
            assert sentence[-1] in ".!?…"
            assert "{" not in sentence


def test_numbers_are_among_what_is_said_ahead() -> None:
    assert {"Zero.", "Seventeen.", "Twenty."} <= set(
        fixed_sentences.spoken_sentences_without_placeholders("en", speech.split_into_sentences)
    )
    assert {"Zéro.", "Dix-sept.", "Vingt."} <= set(
        fixed_sentences.spoken_sentences_without_placeholders("fr", speech.split_into_sentences)
    )


def test_the_rules_and_what_follows_a_fact_are_among_what_is_said_ahead() -> None:
    sentences = fixed_sentences.spoken_sentences_without_placeholders(
        "fr", speech.split_into_sentences
    )
    assert "Il ne se passe rien." in sentences
    rules = sum(text.endswith(".") for text in sentences)
    assert rules > 60


@pytest.mark.parametrize(
    ("key", "spoken"),
    [
        ("kojak.cue.parked.short", True),
        ("kojak.cue.parked.speech", True),
        ("kojak.cue.parked.title", False),
        ("kojak.cue.parked.text", False),
        ("kojak.say.roll", True),
        ("kojak.rule.KO-8", True),
        ("box.page.speech", False),
    ],
)
def test_a_key_tells_whether_it_is_spoken(*, key: str, spoken: bool) -> None:
    assert fixed_sentences.is_spoken_key(key) is spoken
