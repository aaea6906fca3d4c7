"""Queue of sentences to synthesise, with a lane for quick voices and a lane for slow voices.

A neural voice may need longer to synthesise a sentence than to speak the sentence. Two lanes
therefore synthesise each sentence at the same time: the quick lane with a quick voice, and the slow
lane with the slow voice. If the slow voice is late, the quick voice speaks.

The slow lane also prepares sentences that are likely to come next, and sentences that never change.
If a slow voice is too late, the cache stores the WAV file, and the box plays the file when the
sentence must be spoken again. The thread of a lane ends when there is no work.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from hardware.ports import COMMON_RANK, HardwareError, Respellings
from hardware.sound.voices import VoiceChoice

RETRY_SECONDS: Final = 10.0
"""Seconds after a failure until a device or an engine is tried again."""
SLOW_RETRY_SECONDS: Final = 600.0
"""Seconds after a failure until a slow voice is tried again.

A damaged voice file is rarely repaired within ten minutes.
"""
LATE_SENTENCE_SECONDS: Final = 1.5
"""Seconds after which the speaker drops a due sentence that is not synthesised yet."""
SLOW_VOICE_WAIT_SECONDS: Final = 0.25
"""Seconds for which a due sentence waits for the slow voice.

After this time, a quick voice speaks the sentence.
"""
VOICE_SAMPLE_TIMEOUT_SECONDS: Final = 60.0
"""Seconds for which a sentence waits for a slow voice, if no other voice may speak the sentence.

For example, another voice must not speak the sample of a voice.
"""
MAX_EXPECTED_SENTENCES: Final = 48
"""Maximum number of likely next sentences that a slow voice prepares."""


class QueuedSentence(NamedTuple):
    """Sentence in the queue of a speaker.

    - `volume`: 0.0 to 1.0.
    - `voice`: the name of the only voice that may speak the sentence, or "" for the chosen voice.
    - `rank`: one of FIRST_RANK, COMMON_RANK or LAST_RANK of `hardware.ports`.
    """

    text: str
    language: str
    volume: float
    voice: str = ""
    rank: int = COMMON_RANK

    @property
    def text_language_and_voice_name(self) -> tuple[str, str, str]:
        """Return the arguments for a voice's methods: text, language, and name of the voice."""
        return self.text, self.language, self.voice


class SpeechSynthesisPort(Protocol):
    """Protocol of the voices, which turn text into WAV files.

    `hardware.sound.speech.VoiceSynthesiser` implements this protocol.
    """

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        """Wait for the engine, and return a WAV file in which the voice `name` speaks `text`.

        Another voice replaces a voice that is slow or fails. Raise HardwareError if no voice
        speaks.
        """

    def is_slow_voice(self, language: str, name: str = "") -> bool:
        """Return True if the voice is so slow that a quick voice may have to speak instead."""

    def cached_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Return the WAV file of a text in the slow voice, or None if the file is not cached."""

    def has_cached_wav(self, text: str, language: str, name: str = "") -> bool:
        """Return True if the cache has a WAV file of `text` in the voice `name`."""

    def make_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        """Return a WAV file of a text in the slow voice. The synthesis takes seconds.

        Raise HardwareError if the voice fails.
        """

    def take_last_failure(self) -> HardwareError | None:
        """Return the last failure of a voice since the previous call.

        If no voice has failed since the previous call, return None.
        """

    def voice_choices_for_language(self, language: str) -> Sequence[VoiceChoice]:
        """Return the voices of a language, the default voice first."""

    def choose_voice(self, language: str, name: str, speed: int) -> None:
        """Speak `language` with the voice `name`, at `speed` words a minute, from now on.

        Raise HardwareError if the voice does not exist.
        """

    def end_slow_voice_process(self) -> None:
        """End the slow voice, even in the middle of a sentence."""

    def use_respellings(self, names: Respellings) -> None:
        """Add `names` to the names that are respelled in all later sentences."""

    def save_new_sentences_to_cache(self) -> None:
        """Write new sentences into the cache. The queue calls this method after each sentence."""

    def close(self) -> None:
        """End the engine; safe to call twice. A later sentence may start the engine again."""


class CircuitBreaker:
    """Circuit breaker, which decides when a failed device or a failed voice is tried again.

    After a failure was reported, later failures are not reported until a success. `retry`: the
    number of seconds from a failure to the next attempt.
    """

    def __init__(
        self, report: Callable[[HardwareError], None], retry: float = RETRY_SECONDS
    ) -> None:
        self._report = report
        self._retry = retry
        self._failed: float | None = None

    def is_attempt_allowed(self, now: float) -> bool:
        """Return True if an attempt is allowed at the time `now` (s)."""
        return self._failed is None or now - self._failed >= self._retry

    def record_success(self) -> None:
        """Record a success, so that the next failure is reported again."""
        self._failed = None

    def record_failure(self, error: HardwareError, now: float) -> None:
        """Record a failure at the time `now` (s).

        Only the first failure after a success is reported.
        """
        already_failed = self._failed is not None
        self._failed = now
        if not already_failed:
            self._report(error)


class SentenceSynthesis:
    """Synthesis of one sentence.

    - `done` is True if the synthesis has ended.
    - `content`: the WAV file of the sentence, or None as long as the voice has not succeeded.
    - `better`: the synthesis of the sentence by a slow voice, or None if no slow voice is chosen.
      The speaker prefers the slow voice if the slow voice ends in time.
    - `patience`: the maximum number of seconds to wait for this synthesis.
    """

    def __init__(self, patience: float = LATE_SENTENCE_SECONDS) -> None:
        self.done = False
        self.content: bytes | None = None
        self.better: SentenceSynthesis | None = None
        self.patience = patience

    def seconds_to_wait(self, waited: float) -> float:
        """Return the number of seconds for which the speaker should still wait for the sentence.

        `waited`: the seconds since the sentence became due.
        """
        if self.better is not None and not self.better.done:
            if waited < SLOW_VOICE_WAIT_SECONDS:
                return SLOW_VOICE_WAIT_SECONDS - waited
        elif self.slow_voice_wav is not None or self.done:
            return 0.0
        return 0.0 if self.done else self.patience - waited

    @property
    def slow_voice_wav(self) -> bytes | None:
        """Return the WAV file of the slow voice, or None if the slow voice has not succeeded."""
        return self.better.content if self.better is not None else None


class SynthesisJob(NamedTuple):
    """Sentence to synthesise. `synthesis` is None if the sentence is prepared and not due."""

    sentence: QueuedSentence
    synthesis: SentenceSynthesis | None = None


class SynthesisWorker:
    """Queue of sentences for quick voices or slow voices, with a thread that synthesises sentences.

    A due sentence is a sentence that must be spoken now. An expected sentence will probably be
    spoken soon. The thread takes the newest due sentence first, then the expected sentences, and
    last the sentences that never change. If a newer due sentence replaces an older due sentence,
    the older sentence becomes an expected sentence.

    - `name`, `run`: the name of the thread, and the function that starts the thread.
    - `make`: function that synthesises one sentence.
    - `breaker`: circuit breaker that decides when a failed voice is tried again.
    - `most`: the maximum number of expected sentences.
    - `always`: function that returns the sentences that never change.
    - `ended`: function that is called after the lane is closed and the lane's last sentence is
      synthesised.
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

    def queue_due_sentence(self, sentence: QueuedSentence, synthesis: SentenceSynthesis) -> None:
        """Queue a due sentence; an older due sentence becomes an expected sentence."""
        with self._lock:
            synthesis.done = self.closed
            if self._due is not None:
                self._expected.append(self._due.sentence)
            self._due = SynthesisJob(sentence, synthesis)
        self._start()

    def set_expected_sentences(self, sentences: Iterable[QueuedSentence]) -> None:
        """Replace all expected sentences by `sentences`."""
        with self._lock:
            self._expected.clear()
            self._expected.extend(sentences)
        self._start()

    def reset_for_new_voice(self) -> None:
        """Forget failures and expected sentences, because the user has chosen another voice."""
        self.breaker.record_success()
        with self._lock:
            self._expected.clear()
            self._fixed = None

    def take_next_job(self) -> SynthesisJob | None:
        """Return the next sentence to synthesise, or None if the thread should end."""
        with self._lock:
            job = None if self.closed else self._next()
            if (
                job is not None
                and job.synthesis is None
                and not self.breaker.is_attempt_allowed(self._clock())
            ):
                job = None  # a voice that has just failed prepares no sentences in advance
            self._busy = job is not None
            if self.closed:
                self._ended()
            return job

    def close(self) -> None:
        """Close the lane; after this call, `take_next_job` returns no sentence."""
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
            while (job := self.take_next_job()) is not None:
                self.make(job)
        except BaseException:
            # let the next sentence start a new thread, even after an exception
            with self._lock:
                self._busy = False
            raise


def run_on_new_thread(work: Callable[[], None], name: str) -> None:
    """Run `work` on a new thread with the name `name`."""
    threading.Thread(target=work, name=name).start()


class SynthesisQueue:
    """Queue of sentences to synthesise, with a quick lane and a slow lane. No call waits.

    - `report`: function that is called once with the error of a voice that fails. A failed voice is
      tried again later.
    - `wake`: function that is called after each synthesised sentence, while no lock is held.
    - `always`: function that returns the sentences that never change. A slow voice prepares these
      sentences in advance.
    - `run`: function that runs the work of a lane on a thread. The thread's name is "voice" for the
      quick lane and "ahead" for the slow lane.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: SpeechSynthesisPort,
        wake: Callable[[], None],
        clock: Callable[[], float],
        always: Callable[[], Iterable[QueuedSentence]] = tuple,
        *,
        run: Callable[[Callable[[], None], str], None] = run_on_new_thread,
    ) -> None:
        self._voice, self._wake, self._clock = voice, wake, clock
        self.quick = SynthesisWorker(
            "voice", run, self._make_quick, CircuitBreaker(report), clock, ended=self._end_quick
        )  # fmt: skip
        self.slow = SynthesisWorker(
            "ahead", run, self._make_slow, CircuitBreaker(report, SLOW_RETRY_SECONDS), clock,
            most=MAX_EXPECTED_SENTENCES, always=always,
        )  # fmt: skip
        self._news = {lane: CircuitBreaker(report) for lane in (self.quick, self.slow)}

    def begin_synthesis(self, sentence: QueuedSentence) -> SentenceSynthesis:
        """Begin to synthesise a sentence with the quick voice, and also with a chosen slow voice.

        The method returns at once.
        """
        if not self._voice.is_slow_voice(sentence.language, sentence.voice):
            return self._begin_quick(sentence)
        better = self._begin_slow(sentence)
        if better.content is not None or sentence.voice:
            return better  # the slow voice's WAV file is cached, or no other voice may speak
        return self._begin_quick(sentence, better)

    def prepare_sentences_with_slow_voice(self, sentences: Iterable[QueuedSentence]) -> None:
        """Let the slow voice prepare `sentences` when the slow voice is idle.

        Afterwards, the slow voice prepares the sentences that never change.
        """
        if self.slow.breaker.is_attempt_allowed(self._clock()):
            self.slow.set_expected_sentences(sentences)

    def reset_for_new_voice(self) -> None:
        """Forget failures and expected sentences, because the user has chosen another voice."""
        self.slow.reset_for_new_voice()

    def close(self) -> None:
        """Stop the slow voice at once. The quick voice stops after the current sentence."""
        self.slow.close()
        self._voice.end_slow_voice_process()
        self.quick.close()

    def _begin_quick(
        self, sentence: QueuedSentence, better: SentenceSynthesis | None = None
    ) -> SentenceSynthesis:
        synthesis = SentenceSynthesis()
        synthesis.better = better
        self.quick.queue_due_sentence(sentence, synthesis)
        return synthesis

    def _begin_slow(self, sentence: QueuedSentence) -> SentenceSynthesis:
        synthesis = SentenceSynthesis(VOICE_SAMPLE_TIMEOUT_SECONDS)
        synthesis.content = self._voice.cached_slow_voice_wav(
            *sentence.text_language_and_voice_name
        )
        tried = sentence.voice or self.slow.breaker.is_attempt_allowed(self._clock())
        if synthesis.content is None and tried:
            self.slow.queue_due_sentence(sentence, synthesis)
        else:
            synthesis.done = True
        return synthesis

    def _make_quick(self, job: SynthesisJob) -> None:
        if self.quick.breaker.is_attempt_allowed(self._clock()):
            self._make(job, self.quick, self._voice.make_quick_voice_wav)
        self._finish_job(job)
        self._voice.save_new_sentences_to_cache()

    def _make_slow(self, job: SynthesisJob) -> None:
        if job.synthesis is not None or self._lacks(job.sentence):
            self._make(job, self.slow, self._voice.make_slow_voice_wav)
        self._finish_job(job)

    def _end_quick(self) -> None:
        self._voice.close()

    def _make(
        self, job: SynthesisJob, lane: SynthesisWorker, say: Callable[[str, str, str], bytes]
    ) -> None:
        try:
            content = say(*job.sentence.text_language_and_voice_name)
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
        slow = self._voice.is_slow_voice(sentence.language, sentence.voice)
        return slow and not self._voice.has_cached_wav(*sentence.text_language_and_voice_name)
