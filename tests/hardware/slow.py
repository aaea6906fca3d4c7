"""A loudspeaker with a voice that needs three seconds for a sentence, on a simulated clock.

The player and the queue are real. Threads, engines and the device are simulated, so the results are
repeatable and no test waits.
"""

# ruff: noqa: ARG002 - a fake may ignore arguments

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import sounds
from hardware.ports import COMMON_RANK, FIRST_RANK, MAX_QUEUED_IMPORTANT_ITEMS, HardwareError
from hardware.sound.playback_queue import (
    PAUSE_AFTER_SCORE_SECONDS,
    SENTENCE_PAUSE_SECONDS,
    SOUND_GAP_SECONDS,
    PlaybackQueue,
    QueuedSound,
    SentenceRemoval,
    SpeakerCommand,
)
from hardware.sound.speech import split_into_sentences
from hardware.sound.synthesis_queue import (
    MAX_EXPECTED_SENTENCES,
    QueuedSentence,
    SynthesisJob,
    SynthesisQueue,
)
from tests.hardware.quick import Quick

CUE: Final = sounds.find_sound_file("accepted")
TAKES: Final = 3.0
"""Seconds that the slow voice needs for a sentence."""
LETTER: Final = 0.06
"""Seconds of sound for each letter."""


class Began(NamedTuple):
    """A sentence that began to sound: its time (s), its delay (s), its voice and its text."""

    at: float
    late: float
    voice: str
    text: str


class Room(Quick):
    """The slow voice, the quick voice, and a device that records both."""

    def __init__(self) -> None:
        self.now = 100.0
        self.made: dict[str, bytes] = {}
        self.read_texts: list[str] = []
        self.broken = False
        self.reports: list[HardwareError] = []

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        return f"quick:{name}:{text}".encode()

    def is_slow_voice(self, language: str, name: str = "") -> bool:
        return name in ("", "slow") and language == "en"

    def cached_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        return self.made.get(f"{language}:{text}")

    def has_cached_wav(self, text: str, language: str, name: str = "") -> bool:
        return f"{language}:{text}" in self.made

    def make_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        self.read_texts.append(text)
        if self.broken:
            raise HardwareError("half a file", "own_voice")
        content = f"slow:{name}:{text}".encode()
        self.made[f"{language}:{text}"] = content
        return content


class SlowTable:
    """The loudspeaker of `hardware.sound.speaker` on a simulated clock, as `hardware.Speaker`."""

    has_slow_voice = True

    def __init__(self, always: Callable[[], Iterable[QueuedSentence]] = tuple) -> None:
        self.room = room = Room()
        self.began: list[Began] = []
        self.orders: dict[str, int] = {}
        self.retracted: list[str] = []
        self.most = 0
        self._free = self._asked = 0.0
        self._turn = count()
        self._when: dict[str, float] = {}
        self._weighty: set[str] = set()
        self.job: SynthesisJob | None = None
        self._due: float | None = None
        self._started = False
        self.queue = SynthesisQueue(
            room.reports.append, room, self._wake, lambda: room.now, always,
            run=self._run,
        )  # fmt: skip
        self.player = PlaybackQueue(
            room.reports.append,
            self.queue.begin_synthesis,
            lambda: None,
            lambda: self,
            lambda: room.now,
        )

    def _wake(self) -> None:
        pass

    def _run(self, work: Callable[[], None], name: str) -> None:
        """Run the quick voice at once. The slow voice ends at `_due` on the simulated clock."""
        if name == "voice":
            work()
        else:
            self._started = True

    # --- the device ---

    def play_wav(self, wav: bytes, volume: float) -> float:
        assert volume
        if wav[:4] == b"RIFF":
            self._free = self.room.now + 0.3 + SOUND_GAP_SECONDS
            return 0.3
        voice, _, rest = wav.decode().partition(":")
        text = rest.partition(":")[2]
        due = max(self._free, self._when[text])
        self.began.append(Began(self.room.now, self.room.now - due, voice, text))
        pause = PAUSE_AFTER_SCORE_SECONDS if text in self._weighty else SENTENCE_PAUSE_SECONDS
        self._free = self.room.now + LETTER * len(text) + SOUND_GAP_SECONDS + pause
        return LETTER * len(text)

    def stop(self) -> None:
        self._free = self.room.now

    def close(self) -> None:
        pass

    # --- the port ---

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Play one sound for all cues."""
        self._take(QueuedSound(CUE, 1.0, rank))

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        for part in split_into_sentences(text):
            self.orders[part] = self.orders.get(part, 0) + 1
            self._when[part] = self.room.now
            if rank == FIRST_RANK:
                self._weighty.add(part)
            self._take(QueuedSentence(part, language, 1.0, rank=rank))

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
        self.stop_and_clear()
        for text in texts:
            self.orders[text] = self.orders.get(text, 0) + 1
            self._when[text] = self.room.now
            self._take(QueuedSentence(text, language, 1.0, voice))

    def prepare_slow_sentences(self, sentences: Iterable[tuple[str, str]]) -> None:
        self.queue.prepare_sentences_with_slow_voice(
            QueuedSentence(part, language, 1.0)
            for text, language in sentences
            for part in split_into_sentences(text)
        )

    def use_respellings(self, names: object) -> None:
        pass

    def voice_names(self, language: str) -> tuple[str, ...]:
        return ("slow", language)

    def sound_card_names(self) -> tuple[str, ...]:
        return ()

    def use_sound_card(self, output: str) -> None:
        pass

    def sound_sets(self) -> dict[str, Path]:
        return {}

    def use_sound_set(self, folder: Path | None) -> None:
        pass

    def choose_voice(self, language: str, voice: str, speed: int) -> None:
        pass

    def stop_and_clear(self, *, keep: bool = False) -> None:
        self._take(SpeakerCommand.KEEP_FIRST_RANK if keep else SpeakerCommand.HUSH)
        for left in self.player._waiting:  # their delay counts from now: the earlier items are gone
            if isinstance(left, QueuedSentence):
                self._when[left.text] = self.room.now

    def drop_sentences(self, texts: Iterable[str]) -> None:
        said = frozenset(part for text in texts for part in split_into_sentences(text))
        self.retracted += said
        self._take(SentenceRemoval(said))

    def set_volume(self, percent: int) -> None:
        pass

    def _take(self, order: QueuedSound | QueuedSentence | SpeakerCommand | SentenceRemoval) -> None:
        self.player.accept_items_and_commands([order])
        self.most = max(self.most, len(self.player._waiting))
        assert self.most <= MAX_QUEUED_IMPORTANT_ITEMS
        assert len(self.queue.slow._expected) <= MAX_EXPECTED_SENTENCES

    # --- time ---

    def wait(self, seconds: float) -> None:
        """Let time pass, with all due events."""
        until = self.room.now + seconds
        while True:
            self._work()
            left = self._settle()
            self._work()  # the player's new requests
            ends = self._due
            times = [time for time in (left and self.room.now + left, ends) if time is not None]
            if not times or min(times) > until:
                break
            self.room.now = max(min(times), self.room.now + 1e-6)
        self.room.now = max(until, self.room.now)

    def _settle(self) -> float | None:
        while (left := self.player.begin_or_prepare_due_item()) == 0.0:
            continue
        return left

    def _work(self) -> None:
        lane = self.queue.slow
        while self._started:
            if self.job is not None:
                if self._due is None or self._due > self.room.now:
                    return
                lane.make(self.job)
            self.job = lane.take_next_job()
            self._started = self.job is not None
            self._due = None if self.job is None else self.room.now + self._takes(self.job)
            if self.job is None or self._takes(self.job):
                return

    def _takes(self, job: SynthesisJob) -> float:
        """Return the time (s) to synthesise a sentence: 0 if it is cached."""
        sentence = job.sentence
        return 0.0 if self.room.has_cached_wav(sentence.text, sentence.language) else TAKES
