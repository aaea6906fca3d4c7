"""The queue of sentences to synthesise, with a lane for the quick voice and one for a slow voice.

A neural voice may need longer to synthesise a sentence than to speak it. So both voices receive
each sentence: the slow lane works in parallel, and a late result is not waited for. The slow lane
also prepares sentences that may come next, and those that never change. Results go to the voice's
cache even if they are late. The thread of a lane ends when there is no work.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from hardware.ports import COMMON_RANK, HardwareError, Respellings
from hardware.sound.voices import VoiceChoice

RETRY_SECONDS: Final = 10.0
"""The time in seconds after a failure before a device or an engine is tried again."""
SLOW_RETRY_SECONDS: Final = 600.0
"""The retry time of a slow voice, in seconds; a damaged file is hardly repaired sooner."""
LATE_SENTENCE_SECONDS: Final = 1.5
"""The time in seconds for which others wait for a due sentence, so that a hanging engine is
skipped.
"""
SLOW_VOICE_SECONDS: Final = 0.25
"""The time in seconds for which a due sentence waits for the slow voice before the quick one
speaks.
"""
PRACTICE_SECONDS: Final = 60.0
"""The time in seconds for which a sentence waits for a voice that must not be replaced."""
MAX_EXPECTED_SENTENCES: Final = 48
"""The maximum number of sentences that are prepared because they may come next."""


class QueuedSentence(NamedTuple):
    """A text to speak; `volume` is 0.0 to 1.0, `voice` the name of a required voice or ""."""

    text: str
    language: str
    volume: float
    voice: str = ""
    rank: int = COMMON_RANK

    @property
    def request_key(self) -> tuple[str, str, str]:
        """Return the arguments for a voice: text, language and the name of the voice."""
        return self.text, self.language, self.voice


class SynthesisVoice(Protocol):
    """The port of a voice that turns text into WAV.

    `hardware.sound.speech.Voices` implements it.
    """

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        """Return `text` as a WAV file. May take time. Raise HardwareError.

        `name` is a voice; another one replaces it if it is slow or fails.
        """

    def is_slow(self, language: str, name: str = "") -> bool:
        """Return True if the voice is so slow that another one may have to replace it."""

    def cached_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Return the cached WAV of the text by the slow voice; None if there is none."""

    def has(self, text: str, language: str, name: str = "") -> bool:
        """Return True if the cache has the text in that voice."""

    def synthesise(self, text: str, language: str, name: str = "") -> bytes:
        """Synthesise the text with the slow voice; takes seconds. Raise HardwareError."""

    def take_last_failure(self) -> HardwareError | None:
        """Return the last failure of a voice since the last call; None if there was none."""

    def choices(self, language: str) -> Sequence[VoiceChoice]:
        """Return the voices of a language, the default first."""

    def choose(self, language: str, name: str, speed: int) -> None:
        """Speak with that voice at `speed` words a minute, from now on. Raise HardwareError."""

    def stop(self) -> None:
        """End the slow voice, even in the middle of a sentence."""

    def pronounce(self, names: Respellings) -> None:
        """Respell these names too, from now on."""

    def save(self) -> None:
        """Write new sentences into the cache; called after a sentence was delivered."""

    def close(self) -> None:
        """End the engine; safe to call twice. A later sentence may start it again."""


class CircuitBreaker:
    """The state of a device or a voice: whether it works, and when it is tried again.

    A failure is reported once, and again only after a success in between. `retry` is in seconds.
    """

    def __init__(
        self, report: Callable[[HardwareError], None], retry: float = RETRY_SECONDS
    ) -> None:
        self._report = report
        self._retry = retry
        self._failed: float | None = None

    def is_due(self, now: float) -> bool:
        """Return True if an attempt is due at `now` (s)."""
        return self._failed is None or now - self._failed >= self._retry

    def record_success(self) -> None:
        """Note a success."""
        self._failed = None

    def record_failure(self, error: HardwareError, now: float) -> None:
        """Note a failure at `now` (s), and report the first one since a success."""
        already_failed = self._failed is not None
        self._failed = now
        if not already_failed:
            self._report(error)


class Synthesis:
    """A sentence that is being synthesised: whether it is `done`, and its WAV or None.

    `better` is the synthesis of this sentence by a slow voice, which is preferred if it is done in
    time; None without one. `patience` is in seconds.
    """

    def __init__(self, patience: float = LATE_SENTENCE_SECONDS) -> None:
        self.done = False
        self.content: bytes | None = None
        self.better: Synthesis | None = None
        self.patience = patience

    def wait(self, waited: float) -> float:
        """Return how many seconds to wait after being due for `waited` seconds; 0: do not wait."""
        if self.better is not None and not self.better.done:
            if waited < SLOW_VOICE_SECONDS:
                return SLOW_VOICE_SECONDS - waited
        elif self.best_wav is not None or self.done:
            return 0.0
        return 0.0 if self.done else self.patience - waited

    @property
    def best_wav(self) -> bytes | None:
        """Return the WAV of the better voice; None if there is none."""
        return self.better.content if self.better is not None else None


class SynthesisJob(NamedTuple):
    """A sentence to synthesise; `synthesis` is None if the sentence is only expected."""

    sentence: QueuedSentence
    synthesis: Synthesis | None = None


class SynthesisLane:
    """The sentences that one kind of voice must synthesise, in order, on a thread called `name`.

    `run` starts the thread. Due sentences come first, the newest before older ones. Then come up to
    `most` expected sentences, older due ones among them; then the sentences that never change.
    `ended` is called after the lane was closed and its last sentence is done.
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
        """Put a due sentence first; an older due one becomes an expected one."""
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
        """Forget failures and expected sentences: another voice was chosen."""
        self.breaker.record_success()
        with self._lock:
            self._expected.clear()
            self._fixed = None

    def take(self) -> SynthesisJob | None:
        """Return the next sentence to synthesise; None, and the thread ends, if there is none."""
        with self._lock:
            job = None if self.closed else self._next()
            if job is not None and job.synthesis is None and not self.breaker.is_due(self._clock()):
                job = None  # an expected sentence can wait until the voice works again
            self._busy = job is not None
            if self.closed:
                self._ended()
            return job

    def close(self) -> None:
        """Return no more sentences."""
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
            # also after an error in `report`, so that the next sentence can be synthesised
            with self._lock:
                self._busy = False
            raise


def run_on_thread(work: Callable[[], None], name: str) -> None:
    """Run `work` on a thread of that name."""
    threading.Thread(target=work, name=name).start()


class SynthesisQueue:
    """A queue of sentences to synthesise; no call waits.

    `wake` is called without a lock for a result.

    - `report`: called once with the error of a voice that fails; the voice is retried later.
    - `always`: return the sentences that never change, which a slow voice prepares.
    - `run`: run the work of a lane by its name, "voice" (the quick one) or "ahead".
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
        """Begin to synthesise a sentence, by the slow voice too if it is chosen; never wait."""
        if not self._voice.is_slow(sentence.language, sentence.voice):
            return self._begin_quick(sentence)
        better = self._begin_slow(sentence)
        if better.content is not None or sentence.voice:
            return better  # cached, or only this voice may speak
        return self._begin_quick(sentence, better)

    def expect(self, sentences: Iterable[QueuedSentence]) -> None:
        """Have the idle slow voice prepare these sentences, then those that never change."""
        if self.slow.breaker.is_due(self._clock()):
            self.slow.expect(sentences)

    def reset(self) -> None:
        """Forget failures and expected sentences: another voice was chosen."""
        self.slow.reset()

    def close(self) -> None:
        """Cancel the slow voice; end the quick one after its present sentence."""
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
        """Synthesise with a voice, and report the failure or the recovery of the voice."""
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
        """Return True if a sentence is for the slow voice and not in its cache."""
        slow = self._voice.is_slow(sentence.language, sentence.voice)
        return slow and not self._voice.has(*sentence.request_key)
