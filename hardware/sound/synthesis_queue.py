"""The queue of sentences to synthesise, with one lane for quick voices and one for slow voices.

A neural voice may need longer to synthesise a sentence than to speak it. For this reason a quick
voice and the slow voice synthesise each sentence at the same time, on two lanes. If the slow voice
is late, the quick voice speaks. The slow lane also prepares sentences that are likely to come next,
and sentences that never change. A late result is still stored in the voice's cache. The thread of a
lane ends when there is no work.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from hardware.ports import COMMON_RANK, HardwareError, Respellings
from hardware.sound.voices import VoiceChoice

RETRY_SECONDS: Final = 10.0
"""Number of seconds after a failure until a device or an engine is tried again."""
SLOW_RETRY_SECONDS: Final = 600.0
"""Number of seconds after a failure until a slow voice is tried again; a damaged voice file is
hardly repaired sooner.
"""
LATE_SENTENCE_SECONDS: Final = 1.5
"""Number of seconds for which other items wait for a due sentence; after this time a hanging
engine's sentence is dropped.
"""
SLOW_VOICE_SECONDS: Final = 0.25
"""Number of seconds for which a due sentence waits for the slow voice before the quick voice speaks
it.
"""
PRACTICE_SECONDS: Final = 60.0
"""Number of seconds for which a sentence waits for a slow voice that no other voice may replace."""
MAX_EXPECTED_SENTENCES: Final = 48
"""Maximum number of sentences that a slow voice prepares because they are likely to come next."""


class QueuedSentence(NamedTuple):
    """A sentence in the queue of a speaker.

    - `volume`: 0.0 to 1.0.
    - `voice`: the name of the only voice that may speak the sentence; "" for the chosen voice.
    - `rank`: FIRST_RANK, COMMON_RANK or LAST_RANK of `hardware.ports`.
    """

    text: str
    language: str
    volume: float
    voice: str = ""
    rank: int = COMMON_RANK

    @property
    def request_key(self) -> tuple[str, str, str]:
        """Return the arguments for a voice: the text, the language and the name of the voice."""
        return self.text, self.language, self.voice


class SynthesisVoice(Protocol):
    """The port of the voices, which turn text into WAV files.

    `hardware.sound.speech.Voices` implements this port.
    """

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        """Return `text` as a WAV file. This call waits for the engine.

        `name` is the name of a voice; another voice replaces a voice that is slow or fails. Raise
        HardwareError if no voice speaks.
        """

    def is_slow(self, language: str, name: str = "") -> bool:
        """Return True if the voice is so slow that a quick voice may have to replace it."""

    def cached_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Return the cached WAV file of the text in the slow voice; None if it is not cached."""

    def has(self, text: str, language: str, name: str = "") -> bool:
        """Return True if the cache has a WAV file of the text in this voice."""

    def synthesise(self, text: str, language: str, name: str = "") -> bytes:
        """Synthesise the text with the slow voice; this call takes seconds.

        Raise HardwareError if the voice fails.
        """

    def take_last_failure(self) -> HardwareError | None:
        """Return the last failure of a voice since the last call; None if no voice failed."""

    def choices(self, language: str) -> Sequence[VoiceChoice]:
        """Return the voices of a language; the default voice is first."""

    def choose(self, language: str, name: str, speed: int) -> None:
        """From now on speak `language` with the voice `name`, at `speed` words a minute.

        Raise HardwareError if the voice does not exist.
        """

    def stop(self) -> None:
        """End the slow voice, even in the middle of a sentence."""

    def pronounce(self, names: Respellings) -> None:
        """From now on also respell these names."""

    def save(self) -> None:
        """Write new sentences into the cache; called after each delivered sentence."""

    def close(self) -> None:
        """End the engine; safe to call twice. A later sentence may start the engine again."""


class CircuitBreaker:
    """A circuit breaker: it decides when a device or a voice that failed is tried again.

    A failure is reported once; a later failure is reported only after a success. `retry` is the
    number of seconds until the next attempt.
    """

    def __init__(
        self, report: Callable[[HardwareError], None], retry: float = RETRY_SECONDS
    ) -> None:
        self._report = report
        self._retry = retry
        self._failed: float | None = None

    def is_due(self, now: float) -> bool:
        """Return True if an attempt is allowed at the time `now` (s)."""
        return self._failed is None or now - self._failed >= self._retry

    def record_success(self) -> None:
        """Record a success, so that the next failure is reported again."""
        self._failed = None

    def record_failure(self, error: HardwareError, now: float) -> None:
        """Record a failure at the time `now` (s); report it if it is the first since a success."""
        already_failed = self._failed is not None
        self._failed = now
        if not already_failed:
            self._report(error)


class Synthesis:
    """The synthesis of a sentence.

    - `done`: True if the synthesis has ended.
    - `content`: the WAV file of the sentence; None until the voice has succeeded.
    - `better`: the synthesis of this sentence by a slow voice; None without a slow voice. A slow
      voice that ends in time is preferred.
    - `patience`: the maximum number of seconds to wait for this synthesis.
    """

    def __init__(self, patience: float = LATE_SENTENCE_SECONDS) -> None:
        self.done = False
        self.content: bytes | None = None
        self.better: Synthesis | None = None
        self.patience = patience

    def wait(self, waited: float) -> float:
        """Return how many more seconds to wait for a sentence that is due for `waited` seconds.

        Return 0 if the speaker should not wait.
        """
        if self.better is not None and not self.better.done:
            if waited < SLOW_VOICE_SECONDS:
                return SLOW_VOICE_SECONDS - waited
        elif self.best_wav is not None or self.done:
            return 0.0
        return 0.0 if self.done else self.patience - waited

    @property
    def best_wav(self) -> bytes | None:
        """Return the WAV file of the slow voice; None if it is missing."""
        return self.better.content if self.better is not None else None


class SynthesisJob(NamedTuple):
    """A sentence to synthesise. `synthesis` is None if the sentence is only expected."""

    sentence: QueuedSentence
    synthesis: Synthesis | None = None


class SynthesisLane:
    """A queue of sentences for quick voices or slow voices, with a thread that synthesises them.

    - `name`, `run`: `run` starts the thread, which is called `name`.
    - `make`: synthesises one sentence.
    - `breaker`: decides when a voice that failed is tried again.
    - `most`: the maximum number of expected sentences.
    - `always`: returns the sentences that never change.
    - `ended`: called when the lane is closed and its last sentence is done.

    A due sentence is a sentence that must be spoken now. The thread first takes the newest due
    sentence, then the expected sentences, then the sentences that never change. A due sentence that
    is replaced by a newer one becomes an expected sentence.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[Callable[[], None], str], None],
        make: Callable[[SynthesisJob], None],
        breaker: CircuitBreaker,
        clock: Callable[[], float],
        *,
        most: int = 0,
        always: Callable[[], Iterable[QueuedSentence]] = tuple,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._name, self._run, self._always, self._ended = name, run, always, ended
        self.make, self.breaker, self._clock = make, breaker, clock
        self._due: SynthesisJob | None = None
        self._expected = deque[QueuedSentence](maxlen=most)
        self._fixed: Iterator[QueuedSentence] | None = None
        self._lock = threading.Lock()
        self._busy = False
        self.closed = False

    def add_due(self, sentence: QueuedSentence, synthesis: Synthesis) -> None:
        """Queue a due sentence; an older due sentence becomes an expected sentence."""
        with self._lock:
            synthesis.done = self.closed
            if self._due is not None:
                self._expected.append(self._due.sentence)
            self._due = SynthesisJob(sentence, synthesis)
        self._start()

    def expect(self, sentences: Iterable[QueuedSentence]) -> None:
        """Replace the expected sentences."""
        with self._lock:
            self._expected.clear()
            self._expected.extend(sentences)
        self._start()

    def reset(self) -> None:
        """Forget failures and expected sentences, because another voice was chosen."""
        self.breaker.record_success()
        with self._lock:
            self._expected.clear()
            self._fixed = None

    def take(self) -> SynthesisJob | None:
        """Return the next sentence to synthesise; None if no sentence is left: the thread ends."""
        with self._lock:
            job = None if self.closed else self._next()
            if job is not None and job.synthesis is None and not self.breaker.is_due(self._clock()):
                job = None  # prepare no expected sentence while the voice fails
            self._busy = job is not None
            if self.closed:
                self._ended()
            return job

    def close(self) -> None:
        """Close the lane; after this call `take` returns no sentence."""
        with self._lock:
            self.closed = True
            if not self._busy:
                self._ended()

    def _next(self) -> SynthesisJob | None:
        if self._due is not None:
            job, self._due = self._due, None
            return job
        if self._expected:
            return SynthesisJob(self._expected.popleft())
        if self._fixed is None:
            self._fixed = iter(self._always())
        sentence = next(self._fixed, None)
        return None if sentence is None else SynthesisJob(sentence)

    def _start(self) -> None:
        with self._lock:
            if self._busy or self.closed:
                return
            self._busy = True
        self._run(self._work, self._name)

    def _work(self) -> None:
        try:
            while (job := self.take()) is not None:
                self.make(job)
        except BaseException:
            # also after an exception, so that the next sentence starts a new thread
            with self._lock:
                self._busy = False
            raise


def run_on_thread(work: Callable[[], None], name: str) -> None:
    """Run `work` on a new thread that is called `name`."""
    threading.Thread(target=work, name=name).start()


class SynthesisQueue:
    """A queue of sentences to synthesise, with a quick lane and a slow lane; no call waits.

    - `report`: called once with the error of a voice that fails; the voice is retried later.
    - `wake`: called after each sentence that was synthesised, while no lock is held.
    - `always`: returns the sentences that never change, which a slow voice prepares.
    - `run`: runs the work of a lane on a thread called "voice" (quick lane) or "ahead" (slow lane).
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: SynthesisVoice,
        wake: Callable[[], None],
        clock: Callable[[], float],
        always: Callable[[], Iterable[QueuedSentence]] = tuple,
        *,
        run: Callable[[Callable[[], None], str], None] = run_on_thread,
    ) -> None:
        self._voice, self._wake, self._clock = voice, wake, clock
        self.quick = SynthesisLane(
            "voice", run, self._make_quick, CircuitBreaker(report), clock, ended=self._end_quick
        )  # fmt: skip
        self.slow = SynthesisLane(
            "ahead", run, self._make_slow, CircuitBreaker(report, SLOW_RETRY_SECONDS), clock,
            most=MAX_EXPECTED_SENTENCES, always=always,
        )  # fmt: skip
        self._news = {lane: CircuitBreaker(report) for lane in (self.quick, self.slow)}

    def begin(self, sentence: QueuedSentence) -> Synthesis:
        """Begin to synthesise a sentence with the quick voice, and also with a chosen slow voice.

        Return at once.
        """
        if not self._voice.is_slow(sentence.language, sentence.voice):
            return self._begin_quick(sentence)
        better = self._begin_slow(sentence)
        if better.content is not None or sentence.voice:
            return better  # the slow voice's WAV is cached, or only the slow voice may speak
        return self._begin_quick(sentence, better)

    def expect(self, sentences: Iterable[QueuedSentence]) -> None:
        """Make the idle slow voice prepare these sentences, then the ones that never change."""
        if self.slow.breaker.is_due(self._clock()):
            self.slow.expect(sentences)

    def reset(self) -> None:
        """Forget failures and expected sentences, because another voice was chosen."""
        self.slow.reset()

    def close(self) -> None:
        """Stop the slow voice at once; end the quick voice after its current sentence."""
        self.slow.close()
        self._voice.stop()
        self.quick.close()

    def _begin_quick(self, sentence: QueuedSentence, better: Synthesis | None = None) -> Synthesis:
        synthesis = Synthesis()
        synthesis.better = better
        self.quick.add_due(sentence, synthesis)
        return synthesis

    def _begin_slow(self, sentence: QueuedSentence) -> Synthesis:
        synthesis = Synthesis(PRACTICE_SECONDS)
        synthesis.content = self._voice.cached_wav(*sentence.request_key)
        tried = sentence.voice or self.slow.breaker.is_due(self._clock())
        if synthesis.content is None and tried:
            self.slow.add_due(sentence, synthesis)
        else:
            synthesis.done = True
        return synthesis

    def _make_quick(self, job: SynthesisJob) -> None:
        if self.quick.breaker.is_due(self._clock()):
            self._make(job, self.quick, self._voice.wav)
        self._finish_job(job)
        self._voice.save()

    def _make_slow(self, job: SynthesisJob) -> None:
        if job.synthesis is not None or self._lacks(job.sentence):
            self._make(job, self.slow, self._voice.synthesise)
        self._finish_job(job)

    def _end_quick(self) -> None:
        self._voice.close()

    def _make(
        self, job: SynthesisJob, lane: SynthesisLane, say: Callable[[str, str, str], bytes]
    ) -> None:
        """Synthesise a sentence, and report whether its voice failed or works again."""
        try:
            content = say(*job.sentence.request_key)
        except HardwareError as error:
            if not lane.closed:
                lane.breaker.record_failure(error, self._clock())
            return
        lane.breaker.record_success()
        if job.synthesis is not None:
            job.synthesis.content = content
        if (news := self._voice.take_last_failure()) is not None:
            self._news[lane].record_failure(news, self._clock())

    def _finish_job(self, job: SynthesisJob) -> None:
        if job.synthesis is not None:
            job.synthesis.done = True
            self._wake()

    def _lacks(self, sentence: QueuedSentence) -> bool:
        """Return True if the sentence has a slow voice and is not in the cache of this voice."""
        slow = self._voice.is_slow(sentence.language, sentence.voice)
        return slow and not self._voice.has(*sentence.request_key)
