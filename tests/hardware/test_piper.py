"""Tests of Piper's voices: real piper-tts and onnxruntime, with a voice made of tones."""

from __future__ import annotations

import ctypes
import importlib.util
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import wave
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from hardware.ports import HardwareError
from hardware.sound import piper, playback_queue, synthesis_queue, voices
from hardware.sound.engines import MAX_OUTPUT_SAMPLE, loudest_rms_level
from hardware.sound.speaker import Loudspeaker
from hardware.sound.speech import LOUDNESS_DBFS, VoiceSynthesiser
from tests.english import raises_english

if importlib.util.find_spec("piper") is None:  # do not import it before PROCESS_ENVIRONMENT is set
    pytest.skip("piper-tts is not for this machine", allow_module_level=True)
pytest.importorskip("onnx", reason="onnx is not for this machine")

from tests.hardware import tones

pytestmark = pytest.mark.long

HELLO: Final = "Bonjour, Kojak a vingt et un points."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "voices"


@pytest.fixture
def speech(tmp_path: Path, folder: Path) -> Iterator[VoiceSynthesiser]:
    speech = VoiceSynthesiser(tmp_path / "cache", voices=folder)
    yield speech
    speech.end_slow_voice_process()
    speech._piper.close()
    speech.close()


def samples(content: bytes) -> array[int]:
    with wave.open(io.BytesIO(content), "rb") as wav:
        assert wav.getframerate() == tones.RATE
        return array("h", wav.readframes(wav.getnframes()))


def process(speech: VoiceSynthesiser) -> subprocess.Popen[bytes]:
    found = speech._piper._process
    assert found is not None
    return found


# --- a voice that works ---


def test_the_voice_of_tones_is_as_small_as_a_page_of_text(folder: Path) -> None:
    assert tones.write(folder).stat().st_size < 4500


def test_a_file_in_the_folder_is_the_voice_of_its_language_at_the_next_start(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    tones.write(folder)
    assert [choice.name for choice in speech.voice_choices_for_language("fr")] == [
        "fr_FR-tones-low",
        "espeak-ng",
    ]
    assert [choice.name for choice in speech.voice_choices_for_language("en")] == ["espeak-ng"]
    speech.choose_voice("fr", "")
    assert (speech.is_slow_voice("fr"), speech.is_slow_voice("en")) == (True, False)
    said = samples(speech.make_slow_voice_wav(HELLO, "fr"))
    assert 1.0 < len(said) / tones.RATE < 4.0


def test_nothing_of_it_is_imported_or_started_unless_it_is_chosen(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from hardware.sound.speech import VoiceSynthesiser\n"
        f"folder = Path({str(folder)!r})\n"
        "speech = VoiceSynthesiser(folder / 'cache', voices=folder)\n"
        "speech.choose_voice('fr', ''); speech.choose_voice('en', '')\n"
        "print(speech._piper._process,"
        " sorted({'piper', 'onnxruntime', 'numpy', 'hardware.sound.piper'} & sys.modules.keys()))"
    )
    tones.write(folder)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None []\n"


def test_a_sentence_is_as_loud_as_the_cues_and_neither_clips_nor_clicks(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    for name, loud in (("fr_FR-quiet-low", 0.01), ("fr_FR-loud-low", 4.0)):
        tones.write(folder, name, loud)
    for name in ("fr_FR-quiet-low", "fr_FR-loud-low"):
        said = samples(speech.make_slow_voice_wav(HELLO, "fr", name))
        assert abs(loudest_rms_level(said, tones.RATE) - LOUDNESS_DBFS) < 1.0
        assert max(map(abs, said)) <= MAX_OUTPUT_SAMPLE
        assert (said[0], said[-1]) == (0, 0)
        assert max(abs(number) for number in (*said[:8], *said[-8:])) < MAX_OUTPUT_SAMPLE // 8


def test_a_quicker_voice_says_the_same_in_less_time(folder: Path, speech: VoiceSynthesiser) -> None:
    tones.write(folder)
    lengths = []
    for speed in (80, 160, 240):
        speech.choose_voice("fr", "", speed)
        lengths.append(len(samples(speech.make_slow_voice_wav(HELLO, "fr"))))
    assert lengths[0] / lengths[1] == pytest.approx(2.0, abs=0.1)
    assert lengths[2] / lengths[1] == pytest.approx(2 / 3, abs=0.1)


def test_what_was_said_before_needs_no_process_and_another_file_says_it_anew(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    file = tones.write(folder)
    speech.choose_voice("fr", "")
    content = speech.make_slow_voice_wav(HELLO, "fr")
    first = process(speech).pid
    assert (
        speech.cached_slow_voice_wav(HELLO, "fr")
        == content
        == speech.make_slow_voice_wav(HELLO, "fr")
    )
    assert process(speech).pid == first
    os.utime(file, (1, 1))  # another voice with the name of the first one
    assert speech.cached_slow_voice_wav(HELLO, "fr") is None


def test_two_languages_are_spoken_by_one_process(folder: Path, speech: VoiceSynthesiser) -> None:
    for name in ("fr_FR-tones-low", "en_GB-tones-low"):
        tones.write(folder, name)
    for language in ("fr", "en", "fr"):
        speech.choose_voice(language, "")
        speech.make_slow_voice_wav(f"Kojak {language}.", language)
    pid = process(speech).pid
    speech.make_slow_voice_wav("Harris.", "en")
    assert process(speech).pid == pid


def test_the_process_computes_on_one_thread_with_a_low_priority(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    tones.write(folder)
    speech.choose_voice("fr", "")
    speech.make_slow_voice_wav(HELLO, "fr")
    pid = process(speech).pid
    assert len(list(Path(f"/proc/{pid}/task").iterdir())) <= 2
    ours, theirs = (os.getpriority(os.PRIO_PROCESS, who) for who in (0, pid))
    assert theirs == min(ours + piper.NICE_VALUE, 19)


# --- ends ---

BRIEF: Final = "0.2"
"""Idle time (s) in place of ten minutes."""
READER: Final = (sys.executable, "-P", "-s", "-m", "hardware.sound.piper")


def command(*quiet: float) -> list[str]:
    return [*READER, "-16", "30", *map(str, quiet)]


@pytest.mark.parametrize(("held", "ends"), [(1, True), (2**40, False)])
def test_a_quiet_process_ends_if_it_holds_much(*, held: int, ends: bool, tmp_path: Path) -> None:
    assert (piper.IDLE_AFTER_SECONDS, piper.MAX_IDLE_BYTES) == (10 * 60, 60 * 2**20)
    file = tones.write(tmp_path)
    with subprocess.Popen(
        command(0.2, held), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(f"piper\t{file}\t160\tBonjour.\n".encode())
        head = child.stdout.read(8)
        assert int.from_bytes(head[:4], "little") == tones.RATE
        size = int.from_bytes(head[4:], "little")
        while size:
            size -= len(child.stdout.read(size))
        if ends:
            assert child.wait(20) == 0
        else:
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(1.0)
            child.stdin.close()
            assert child.wait(20) == 0, "the process ends with its input"


def test_a_process_that_has_ended_in_its_quiet_time_is_started_again_unnoticed(
    tmp_path: Path, folder: Path
) -> None:
    tones.write(folder)
    once = f"import os, sys; from hardware.sound import piper; sys.argv[3:] = [{BRIEF!r}, '1']\n"
    speech = VoiceSynthesiser(
        tmp_path / "cache", voices=folder, piper=(sys.executable, "-c", f"{once}piper.main()")
    )
    speech.choose_voice("fr", "")
    speech.make_slow_voice_wav("Un.", "fr")
    first = process(speech)
    assert first.wait(20) == 0
    speech.make_slow_voice_wav("Deux.", "fr")
    assert process(speech).pid != first.pid
    assert speech.take_last_failure() is None
    speech._piper.close()


def test_a_process_that_was_killed_is_started_again_and_that_is_told(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    tones.write(folder)
    speech.choose_voice("fr", "")
    speech.make_slow_voice_wav("Un.", "fr")
    first = process(speech)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    speech.make_slow_voice_wav("Deux.", "fr")
    assert process(speech).pid != first.pid
    news = speech.take_last_failure()
    assert news is not None
    assert (news.part, speech.take_last_failure()) == ("voice_again", None)


def test_a_box_that_ends_waits_for_no_sentence(tmp_path: Path, folder: Path) -> None:
    tones.write(folder)
    speech = VoiceSynthesiser(
        tmp_path / "cache", voices=folder, piper=(sys.executable, "-c", "input(); input()")
    )
    speech.choose_voice("fr", "")
    failed: list[HardwareError] = []
    started = threading.Event()

    def read() -> None:
        try:
            started.set()
            speech.make_slow_voice_wav(HELLO, "fr")
        except HardwareError as error:
            failed.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    started.wait(20)
    while speech._piper._process is None:
        os.sched_yield()
    speech.end_slow_voice_process()
    thread.join(60)
    assert not thread.is_alive()
    assert [error.part for error in failed] == ["own_voice"]


# --- a voice that does not ---


def half(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def of_another_language(file: Path) -> None:
    tones.beside(file, tones.card("de_DE"))


def header_of_4_gb(file: Path) -> None:
    """Write a file whose header announces 4 GB for field 7, the graph."""
    file.write_bytes(b"\x08\x08\x3a\x80\x80\x80\x80\x10" + bytes(100))


def tensor_of_4_gb(file: Path) -> None:
    """Write a valid model that returns a row of zeros of 4 GB."""
    from onnx import TensorProto, helper, numpy_helper, save  # noqa: PLC0415 - only here

    value = helper.make_tensor_value_info
    size = np.array([1, 1, 2**30], np.int64)
    graph = helper.make_graph(
        [helper.make_node("ConstantOfShape", ["size"], ["output"])],
        "large",
        [
            value("input", TensorProto.INT64, [1, "n"]),
            value("input_lengths", TensorProto.INT64, [1]),
            value("scales", TensorProto.FLOAT, [3]),
        ],
        [value("output", TensorProto.FLOAT, [1, 1, "m"])],
        [numpy_helper.from_array(size, "size")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
    save(made, str(file))


def as_long_as_4_gb(file: Path) -> None:
    with file.open("r+b") as sparse:
        sparse.truncate(2**32)


BROKEN: Final[dict[str, tuple[Callable[[Path], Any], str]]] = {
    "broken": (lambda file: file.write_bytes(b"no voice" * 500), "does not speak"),
    "empty": (lambda file: file.write_bytes(b""), "has 0 bytes"),
    "half written": (half, "does not speak"),
    "of another language": (of_another_language, "states the language 'de_DE'"),
    "4 GB by its header": (header_of_4_gb, "does not speak"),
    "4 GB when it speaks": (tensor_of_4_gb, "does not speak"),
    "4 GB long": (as_long_as_4_gb, "has 4294967296 bytes"),
    "gone": (Path.unlink, "cannot be read"),
    "silent": (lambda file: tones.write(file.parent, file.stem, loud=0.0), "makes no sound"),
    "without its json": (
        lambda file: file.with_name(f"{file.name}.json").unlink(),
        r"onnx\.json cannot be read",
    ),
    "with half of its json": (
        lambda file: half(file.with_name(f"{file.name}.json")),
        "is not JSON",
    ),
    "with a list for its json": (lambda file: tones.beside(file, []), "is not the file of a voice"),
    "with a strange rate": (
        lambda file: tones.beside(file, tones.card("fr_FR", audio={"sample_rate": "9" * 99})),
        "samples a second",
    ),
    "without phonemes": (
        lambda file: tones.beside(file, tones.card("fr_FR", phoneme_id_map={})),
        "does not speak",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_voice_that_can_not_speak_is_one_complaint_and_the_process_lives(
    kind: str, folder: Path, speech: VoiceSynthesiser
) -> None:
    file = tones.write(folder)
    tones.write(folder, "en_GB-tones-low")
    for language in ("fr", "en"):
        speech.choose_voice(language, "")
    damage, told = BROKEN[kind]
    damage(file)
    with raises_english(HardwareError, match=told) as caught:
        speech.make_slow_voice_wav(HELLO, "fr")
    assert caught.value.part == "own_voice"
    assert len(str(caught.value)) < 300
    assert speech.make_slow_voice_wav("Hello.", "en"), "the other language still works"


def test_a_voice_that_is_removed_while_it_speaks_speaks_on_until_the_next_start(
    folder: Path, speech: VoiceSynthesiser, tmp_path: Path
) -> None:
    file = tones.write(folder)
    speech.choose_voice("fr", file.stem)
    speech.make_slow_voice_wav("Un.", "fr")
    file.unlink()
    assert speech.make_slow_voice_wav("Deux.", "fr")
    again = VoiceSynthesiser(tmp_path / "cache", voices=folder)
    with raises_english(HardwareError, match="fr_FR-tones-low is not installed any more"):
        again.choose_voice("fr", file.stem)
    assert again.named_or_chosen_voice("fr").name == "espeak-ng"


def test_without_piper_the_complaint_says_what_to_install(folder: Path, tmp_path: Path) -> None:
    tones.write(folder)
    hidden = (
        "import sys; sys.modules['piper'] = None; from hardware.sound import piper; piper.main()"
    )
    speech = VoiceSynthesiser(tmp_path, voices=folder, piper=(sys.executable, "-c", hidden))
    speech.choose_voice("fr", "")
    with raises_english(HardwareError, match=r"pip install 'piper-tts>=1.8,<2'"):
        speech.make_slow_voice_wav(HELLO, "fr")
    speech._piper.close()


# --- a card's contents ---


def test_the_card_says_language_quality_and_licence(folder: Path) -> None:
    file = tones.write(folder)
    assert voices.read_voice_properties(file) == ("fr_FR", "low", "")
    (folder / "MODEL_CARD").write_text("# Tones\n\n* License: CC0\n* URL: none\n")
    assert voices.read_voice_properties(file).licence == "CC0"


def test_piper_s_older_files_say_their_language_in_the_engine_s_words(folder: Path) -> None:
    file = tones.write(folder)
    told = tones.card("fr_FR")
    del told["language"]
    tones.beside(file, told)
    assert voices.read_voice_properties(file).language == "fr"


# --- the sandbox of the service ---

MDWE: Final = """
import ctypes, os, sys

libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: for this and its children
    sys.exit(75)
os.execv(sys.executable, [sys.executable, "-P", "-s", "-m", "hardware.sound.piper", *sys.argv[1:]])
"""


def test_it_speaks_where_no_memory_may_be_both_written_and_run(
    folder: Path, tmp_path: Path
) -> None:
    """Make the system call of MemoryDenyWriteExecute=yes, if the kernel has it."""
    if ctypes.CDLL(None).prctl(66, 0, 0, 0, 0) < 0:
        pytest.skip("this kernel has no PR_GET_MDWE")
    tones.write(folder)
    speech = VoiceSynthesiser(tmp_path, voices=folder, piper=(sys.executable, "-c", MDWE))
    speech.choose_voice("fr", "")
    assert speech.make_slow_voice_wav(HELLO, "fr")
    speech._piper.close()


def forbidden() -> str:
    """Return strace's option that refuses the calls of the service's filter (@resources)."""
    calls = "mbind,set_mempolicy,sched_setaffinity,setpriority,sched_setscheduler"
    return f"inject={calls}:error=EPERM"


def test_it_speaks_where_its_priority_and_its_cores_may_not_be_set(
    folder: Path, tmp_path: Path
) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("no strace: apt install strace")
    tones.write(folder)
    log = str(tmp_path / "strace")
    speech = VoiceSynthesiser(
        tmp_path, voices=folder, piper=(strace, "-f", "-o", log, "-e", forbidden(), *READER)
    )
    speech.choose_voice("fr", "")
    assert speech.make_slow_voice_wav(HELLO, "fr")
    speech._piper.close()


def test_nothing_is_told_to_anybody_and_nothing_written(folder: Path, tmp_path: Path) -> None:
    """By default, onnxruntime opens a connection and a database for its maker."""
    tones.write(folder)
    home = tmp_path / "home"
    home.mkdir()
    own = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    for name in ("CI", "ORT_DISABLE_TELEMETRY", "GITHUB_ACTIONS"):  # each also stops the connection
        own.pop(name, None)
    line = f"piper\t{folder}/fr_FR-tones-low.onnx\t160\tBonjour.\n".encode()
    strace = shutil.which("strace")
    log = tmp_path / "strace"
    watched = [strace, "-f", "-o", str(log), "-e", "trace=socket"] if strace else []
    done = subprocess.run(
        [*watched, *command()], input=line, capture_output=True, check=True, env=own
    )
    assert int.from_bytes(done.stdout[:4], "little") == tones.RATE
    assert list(home.iterdir()) == []
    assert not strace or "socket(" not in log.read_text()


# --- the whole loudspeaker ---


class Ear:
    """A device that records each sound and ends it at once."""

    def __init__(self) -> None:
        self.played = threading.Semaphore(0)
        self.heard: list[bytes] = []

    def play_wav(self, wav: bytes, volume: float) -> float:
        assert volume
        self.heard.append(wav)
        self.played.release()
        return 0.0

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a voice take 60 s, so that no voice is late."""
    monkeypatch.setattr(synthesis_queue.SentenceSynthesis.__init__, "__defaults__", (60.0,))


def ended() -> None:
    for thread in threading.enumerate():
        if thread.name in ("speaker", "voice", "ahead"):
            thread.join(60)
            assert not thread.is_alive()


class Listener:
    """A loudspeaker, with the sounds that it played and the failed parts that it reported."""

    def __init__(self, speech: VoiceSynthesiser) -> None:
        self.ear, self.told = Ear(), list[str]()
        self.speaker = Loudspeaker(self.report, speech, open_mixer=lambda: self.ear)
        self.speaker.choose_voice("fr", "", 160)

    def report(self, error: HardwareError) -> None:
        self.told.append(error.part)

    def hear(self, *texts: str, language: str = "fr") -> list[bytes]:
        """Say the texts. Return their sounds once the slow voice has nothing left to make."""
        for text in texts:
            self.speaker.say(text, language)
            assert self.ear.played.acquire(timeout=60)
        while self.speaker._queue.slow._busy:
            threading.Event().wait(0.005)
        heard, self.ear.heard = self.ear.heard, []
        return heard

    def end(self) -> None:
        self.speaker.close()
        ended()


NAMED: Final = (
    "broken", "half written", "of another language", "4 GB by its header", "4 GB when it speaks",
    "4 GB long", "gone",
)  # fmt: skip
TEXTS: Final = ("Une phrase.", "Une autre.", "Encore une.")
with_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="no espeak-ng: apt install espeak-ng"
)


@with_espeak
def test_whatever_is_wrong_with_a_voice_is_one_notice_and_espeak_ng_goes_on(
    folder: Path, speech: VoiceSynthesiser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback_queue, "SENTENCE_PAUSE_SECONDS", 0.0)
    listener = Listener(speech)
    usual = [speech.make_quick_voice_wav(text, "fr", "espeak-ng") for text in TEXTS]
    for n, kind in enumerate(NAMED):
        file = tones.write(folder, f"fr_FR-{n}-low")
        BROKEN[kind][0](file)
        speech._known["fr"] = (
            voices.VoiceChoice(file.stem, "piper", "fr", str(file)),
            voices.VoiceChoice("espeak-ng", "espeak-ng", "fr", "fr"),
        )
        listener.speaker.choose_voice("fr", "", 160)
        assert listener.hear(*TEXTS) == usual, kind
        assert listener.told == ["own_voice"] * (n + 1), kind
    listener.end()


@with_espeak
def test_a_process_that_is_killed_over_every_sentence_is_one_notice_and_espeak_ng_goes_on(
    tmp_path: Path, folder: Path
) -> None:
    tones.write(folder)
    speech = VoiceSynthesiser(tmp_path, voices=folder, piper=("sh", "-c", "read line; kill -9 $$"))
    listener = Listener(speech)
    assert len(listener.hear(*TEXTS)) == 3
    assert len(listener.hear("Hello.", language="en")) == 1
    listener.end()
    assert listener.told == ["own_voice"]


@with_espeak
def test_a_process_that_was_killed_once_is_one_notice_and_the_voice_speaks_on(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    tones.write(folder)
    listener = Listener(speech)
    listener.hear("Un.")
    os.kill(process(speech).pid, signal.SIGKILL)
    process(speech).wait()
    assert len(listener.hear(*TEXTS)) == 3
    assert listener.hear(TEXTS[2]) == [speech.cached_slow_voice_wav(TEXTS[2], "fr")]
    listener.end()
    assert listener.told == ["voice_again"]


@with_espeak
def test_a_file_that_is_removed_while_it_speaks_costs_no_sentence_and_no_notice(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    file = tones.write(folder)
    listener = Listener(speech)
    listener.hear("Un.")
    file.unlink()
    assert len(listener.hear(*TEXTS)) == 3
    assert listener.hear(TEXTS[0]) == [speech.cached_slow_voice_wav(TEXTS[0], "fr")]
    listener.end()
    assert listener.told == []


def test_what_was_expected_is_heard_in_the_own_voice(
    folder: Path, speech: VoiceSynthesiser
) -> None:
    tones.write(folder)
    reports, ear = list[HardwareError](), Ear()
    speaker = Loudspeaker(reports.append, speech, open_mixer=lambda: ear)
    speaker.choose_voice("fr", "", 160)
    assert speaker.has_slow_voice
    assert speaker.voice_names("fr")[0] == "fr_FR-tones-low"
    speaker.prepare_slow_sentences([("Un. Deux.", "fr")])
    for thread in threading.enumerate():
        if thread.name == "ahead":
            thread.join(60)
    speaker.say("Deux.", "fr")
    assert ear.played.acquire(timeout=60)
    speaker.speak_with_voice(("Trois.",), "fr", "fr_FR-tones-low")
    assert ear.played.acquire(timeout=60)
    speaker.close()
    ended()
    assert ear.heard == [speech.cached_slow_voice_wav(text, "fr") for text in ("Deux.", "Trois.")]
    assert reports == []
