"""Measure the delay of cues on SDL's dummy device, and of sentences of a real engine.

`python -m tests.system.bench.heard JOB` runs a measurement's child process.
"""

from __future__ import annotations

import ctypes
import io
import math
import os
import re
import subprocess
import sys
import threading
import time
import wave
from array import array
from collections.abc import Callable, Iterator
from itertools import count, permutations
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from companion.catalog import registry
from companion.draw.face import load_face
from hardware.ports import COMMON_RANK, HardwareError
from hardware.sound.speaker import Loudspeaker, PygameSoundDevice
from hardware.sound.speech import DEFAULT_WORDS_PER_MINUTE, LOUDNESS_DBFS, VoiceSynthesiser
from tests.hardware.quick import Quick
from tests.system.bench.box import Table
from tests.system.bench.outside import status, switches
from tests.system.bench.row import ROOT, Row, find_tool, has_proc, job_environment, run_job

BUFFER: Final = 1024 / 44_100
"""Length of the mixer's buffer (s)."""
PLAYER_NAMES: Final = (
    "Harris", "Yemana", "Fish", "Crocker", "Stavros", "Rizzo", "Rooster", "Billy", "Fats", "Ada",
    "Emily", "Jules", "Edgar",
)  # fmt: skip
PHRASES: Final = (
    "Higher than {other}: {one} wins. The box shuffles the cards.",
    "{one} takes one of {other}’s. The round is over, and the pawn stays.",
    "{one} joins {other}. Now the second car: to the police station.",
    "{one} is left of {other}. One place is uncovered, and it counts.",
    "{one} rolls six, {other} rolls two. Who rolls the most begins.",
)
"""Texts of games: a fact, and its consequence."""


def sentences() -> Iterator[str]:
    """Yield phrases with different first sentences; after 780 phrases, numbered sentences."""
    for one, other in permutations(PLAYER_NAMES, 2):
        for said in PHRASES:
            yield said.format(one=one, other=other)
    for n in count():
        yield f"{n} goes on."


def _job(name: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", "tests.system.bench.heard", name, *map(str, arguments)]


def cues(folder: Path) -> Iterator[Row]:
    """Yield the time from an edge to the first audible buffer of its sound."""
    has_proc()
    figures = run_job(folder, _job("press", folder))
    waits, buffers, opening, commits = (
        [float(n) for n in line.split()] for line in figures.splitlines()
    )
    worst, wait = quantiles(buffers, n=10)[-1], median(waits) * 1e3
    figure = f"{worst:.0f} (p50 {wait:.1f} of {BUFFER * 1e3:.1f} ms)"
    yield Row("Commit to first sample of a cue, p90, in buffers", figure, "1", worst <= 1)
    yield Row("Frame and commit before it, p50", f"{median(commits) * 1e3:.1f} ms")
    figure = f"{opening[1] * 1e3:.0f} ms (the first one, {opening[0] * 1e3:.0f} ms)"
    yield Row("First sample of a cue when the mixer is closed", figure)


class Tap:
    """A mixer on a dummy device that records when it receives something other than silence."""

    def __init__(self) -> None:
        self.sounded = self.last = self.block = 0.0
        self.buffers = 0
        self.wanted = threading.Event()
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
        self._callback = kind(self._look)  # one callback for all mixers: it outlives a closed mixer

    def opened(self) -> PygameSoundDevice:
        """Open pygame's mixer, and examine every buffer for the device."""
        mixer = PygameSoundDevice()
        maps = Path("/proc/self/maps").read_text()
        [library] = set(re.findall(r"/\S*SDL2_mixer\S*", maps))
        ctypes.CDLL(library).Mix_SetPostMix(self._callback, None)
        return mixer

    def _look(self, _: object, samples: int, size: int) -> None:
        self.block = perf_counter()
        self.buffers += 0 if self.wanted.is_set() else 1
        if any(ctypes.string_at(samples, size)):
            self.sounded = self.sounded if self.wanted.is_set() else self.block
            self.last = self.block
            self.wanted.set()

    def silence(self) -> None:
        """Wait until three buffers were silent."""
        while self.block - self.last < 3 * BUFFER:
            time.sleep(BUFFER)  # real time is measured
        self.wanted.clear()

    def first(self) -> float:
        """Return the time of the first sample since the last silence."""
        assert self.wanted.wait(5)
        return self.sounded


class Mute(Quick):
    """A voice that fails, so that only sounds are measured."""

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        raise HardwareError(f"{language}: {text} {name}")


class Noting(Loudspeaker):
    """A loudspeaker that records the time of its first order."""

    def __init__(self, tap: Tap) -> None:
        super().__init__(lambda _: None, Mute(), open_mixer=tap.opened)
        self.told, self.heard = 0.0, 0
        self._tap = tap

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        if not self.told:
            self.told, self.heard = perf_counter(), self._tap.buffers
        super().play(sound, rank)


def press(folder: str) -> None:
    """Answer 60 questions; print the delays of sounds, of opening the mixer, and of commits."""
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    tap = Tap()
    speaker = Noting(tap)
    opening = [_first(speaker, tap), _first(speaker, tap)]
    table, random = Table(Path(folder) / "press.db", speaker=speaker), Random(1)
    waits, buffers, commits = [], [], []
    for _ in range(60):
        table.to_question()
        tap.silence()
        time.sleep(random.random() * BUFFER)  # a random moment within a buffer
        speaker.told, before = 0.0, perf_counter()
        table.press("ok")
        waits.append(tap.first() - speaker.told)
        buffers.append(tap.buffers - speaker.heard)
        commits.append(speaker.told - before)
        speaker.stop_and_clear()
    speaker.close()
    for figures in (waits, buffers, opening, commits):
        print(*figures)  # noqa: T201 - for the parent


def _first(speaker: Loudspeaker, tap: Tap) -> float:
    """Play a sound on a closed mixer; return the delay of its first sample (s)."""
    tap.wanted.clear()
    begun = perf_counter()
    speaker.play("accepted")
    first = tap.first() - begun
    while speaker._thread is not None:
        time.sleep(BUFFER)
    return first


def stock(text: str, *, level: bool) -> bytes:
    """Return the WAV of a text from a new process, the usual way to speak."""
    command = [
        find_tool("espeak-ng"),
        "-v",
        "en-gb",
        "-s",
        str(DEFAULT_WORDS_PER_MINUTE),
        "--stdout",
        text,
    ]
    content = subprocess.run(command, check=True, capture_output=True).stdout
    return _levelled(content) if level else content


def _levelled(content: bytes) -> bytes:
    rate = int.from_bytes(content[24:28], "little")
    samples = array("h", content[44:])
    block = rate // 5
    energies = [
        sum(sample * sample for sample in samples[start : start + block])
        for start in range(0, len(samples), block)
    ]
    gain = 32_767 * 10 ** (LOUDNESS_DBFS / 20) / math.sqrt(max(energies) / block)
    gain = min(gain, 29_000 / max(map(abs, samples)))
    out = io.BytesIO()
    with wave.open(out, "wb") as wav:
        wav.setparams((1, 2, rate, 0, "NONE", ""))
        wav.writeframes(array("h", [int(gain * sample) for sample in samples]).tobytes())
    return out.getvalue()


class Ear:
    """A mixer that records when a sound starts; every sound lasts a second."""

    def __init__(self) -> None:
        self.heard = threading.Event()
        self.when = 0.0

    def play_wav(self, wav: bytes, volume: float) -> float:
        assert wav
        assert volume
        self.when = perf_counter()
        self.heard.set()
        return 1.0

    def stop(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _voice(folder: Path) -> VoiceSynthesiser:
    """Return the voice with the respelled names of all games."""
    voice = VoiceSynthesiser(folder)
    for game in registry.BUILT_IN_GAMES:
        voice.use_respellings(load_face(game).names)
    return voice


def speech(folder: Path) -> Iterator[Row]:
    """Yield the time from `say` to the first samples, compared with a process for each phrase."""
    find_tool("espeak-ng")
    ear, said = Ear(), sentences()
    speaker = Loudspeaker(_fail, _voice(folder), open_mixer=lambda: ear)
    first = _say(speaker, ear, next(said))
    ours: list[float] = []
    theirs: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(60):
        ours.append(_say(speaker, ear, next(said)))
        text = next(said)
        for level, took in theirs.items():
            begun = perf_counter()
            ear.play_wav(stock(text, level=level), 1.0)
            took.append(ear.when - begun)
    _end(speaker)
    own, alike, bare = min(ours), min(theirs[True]), min(theirs[False])
    figure = f"1/{alike / own:.1f} ({own * 1e3:.1f} of {alike * 1e3:.1f} ms)"
    yield Row(
        "First sample of a sentence, against a process, best", figure, "1/10", alike >= 10 * own
    )
    figure = f"1/{bare / own:.1f} ({bare * 1e3:.1f} ms)"
    yield Row("  against espeak-ng alone, not made as loud as the cues", figure)
    yield Row("  the first one of all, which starts the process", f"{first * 1e3:.0f} ms")


def _end(speaker: Loudspeaker) -> None:
    """Close a loudspeaker, and wait until its sentences are cached."""
    speaker.close()
    for thread in threading.enumerate():
        if thread.name in ("speaker", "voice"):
            thread.join()


def _fail(error: HardwareError) -> None:
    raise error


def _say(speaker: Loudspeaker, ear: Ear, text: str) -> float:
    """Say a text; return the delay of its first sentence (s)."""
    ear.heard.clear()
    begun = perf_counter()
    speaker.say(text, "en")
    assert ear.heard.wait(10)
    speaker.stop_and_clear()
    return ear.when - begun


def processes(folder: Path) -> Iterator[Row]:
    """Yield the number of processes that a hundred sentences start, counted by strace."""
    find_tool("espeak-ng")
    out = folder / "strace"
    calls = ["-f", "-qq", "-o", str(out), "-e", "trace=execve"]
    run_job(folder, [find_tool("strace"), *calls, *_job("say", folder / "cache", 100)])
    started = len(re.findall(r"execve\(.*= 0$", out.read_text(), re.MULTILINE)) - 1
    yield Row("Processes started for 100 sentences", str(started), "1", started == 1)


def say(cache: str, number: str) -> None:
    """Synthesise a number of sentences."""
    voice = VoiceSynthesiser(Path(cache))
    for n, text in zip(range(int(number)), sentences(), strict=False):
        voice.make_quick_voice_wav(text, "fr" if n % 2 else "en")
    voice.close()


def frames(folder: Path) -> Iterator[Row]:
    """Yield the time from press to frame while sentences are played, and in silence."""
    find_tool("espeak-ng")
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    voice = _voice(folder / "cache")
    speaker, said, random = Loudspeaker(_fail, voice), sentences(), Random(1)
    table = Table(None)
    took: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(1000):
        for speaks in (False, True):
            speaker.stop_and_clear()
            if speaks:
                speaker.say(next(said), "en")
            time.sleep(random.random() * 0.006)  # a random moment of the synthesis
            took[speaks].append(table.answer(random))
    _end(speaker)
    spoken, silent = (quantiles(took[speaks], n=100)[-1] for speaks in (True, False))
    figure = f"{spoken / silent:.2f} ({spoken * 1e3:.2f} of {silent * 1e3:.2f} ms)"
    yield Row("Press to frame while the voice speaks, p99", figure, "1.2", spoken <= 1.2 * silent)


def idle(folder: Path) -> Iterator[Row]:
    """Yield the wake-ups five seconds after a sound and a sentence: none is allowed."""
    has_proc()
    find_tool("espeak-ng")
    own = job_environment(folder) | {"SDL_AUDIODRIVER": "dummy"}
    with subprocess.Popen(
        _job("quiet", folder / "cache"),
        cwd=ROOT, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        engines = int(child.stdout.readline())
        time.sleep(5)  # by then the engines must sleep
        before = switches(child.pid) + switches(engines)
        time.sleep(5)
        wakeups = switches(child.pid) + switches(engines) - before
        memory = status(engines, engines, "VmRSS") / 1024
        child.kill()
    yield Row("Idle from 5 s after a sound on: wakeups", str(wakeups), "0", wakeups == 0)
    yield Row("RSS of the engines' process", f"{memory:.1f} MB")


def quiet(cache: str) -> None:
    """Play a sound and a sentence, print the id of the engines' process, and wait."""
    voice = VoiceSynthesiser(Path(cache))
    speaker = Loudspeaker(_fail, voice)
    speaker.play("your_turn")
    speaker.say("Harris plays four.", "en")
    while voice._engines._process is None:
        time.sleep(0.01)
    time.sleep(2.5)  # until the cue and the sentence have ended
    print(voice._engines._process.pid, flush=True)  # noqa: T201 - for the parent
    sys.stdin.read()


JOBS: Final[dict[str, Callable[..., Any]]] = {"press": press, "say": say, "quiet": quiet}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
