"""Sentences in the making: one queue, a lane of it for the quick voice and one for a slow one.

A neural voice can take longer to make a sentence than to say it. So each sentence is asked of both:
the slow lane works beside, and what comes late is not waited for. It also makes what may be said
next, and what is always said the same way. What is made is kept in the cache of the voice,
whether it is still waited for or not. The thread of a lane lives only while there is work.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardware.ports import COMMON, HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hardware.ports import Names
    from hardware.sound.voices import Choice

RETRY: Final = 10.0
"""Seconds for which a device or an engine that failed is left in peace."""
SLOW_RETRY: Final = 600.0
"""The same for a slow voice; its file will hardly have mended."""
LATE: Final = 1.5
"""Seconds for which others wait for a sentence whose turn it is: a hanging engine is not heard."""
PROMPT: Final = 0.25
"""Seconds for which a sentence that is due waits for the better voice: then another says it."""
PRACTICE: Final = 60.0
"""Seconds that a sentence waits for the one voice in which it is to be heard."""
EXPECTED: Final = 48
"""Sentences that may come next, at most."""


class QueuedSentence(NamedTuple):
    """A text to speak, `volume` 0.0 to 1.0; `voice` is the name of a certain one, if any."""

    text: str
    language: str
    volume: float
    voice: str = ""
    rank: int = COMMON

    @property
    def request_key(self) -> tuple[str, str, str]:
        """What a voice is asked: text, language and the name of a certain voice."""
        return self.text, self.language, self.voice


class SynthesisVoice(Protocol):
    """The port of what turns a sentence into sound; `hardware.sound.speech.Speech` is one."""

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        """Give `text` as a WAV file's bytes. May take its time. Raises HardwareError.

        `name` is a certain voice; a slow one, or one that fails, is stood in for.
        """

    def is_slow(self, language: str, name: str = "") -> bool:
        """Whether the voice is so slow that another may have to stand in for it."""

    def cached_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Give the WAV that the slow voice has made of the text before; None if it has not."""

    def has(self, text: str, language: str, name: str = "") -> bool:
        """Whether the voice has made the text before."""

    def synthesise(self, text: str, language: str, name: str = "") -> bytes:
        """Have the slow voice make the text into a WAV; takes seconds. Raises HardwareError."""

    def news(self) -> HardwareError | None:
        """Give the last failure of a voice since the last call; None if there was none."""

    def choices(self, language: str) -> Sequence[Choice]:
        """Give the voices of a language, the usual one first."""

    def choose(self, language: str, name: str, speed: int) -> None:
        """From now on, speak with that voice, so many words a minute. Raises HardwareError."""

    def stop(self) -> None:
        """End the slow voice, even in the middle of a sentence."""

    def pronounce(self, names: Names) -> None:
        """From now on, say these names too as they are respelled."""

    def save(self) -> None:
        """Write new sentences into the cache; called after a sentence was given."""

    def close(self) -> None:
        """End the engine; safe to call twice, and a later sentence may start it again."""


class CircuitBreaker:
    """The sound device, or a voice: whether it works, and when it is worth another try.

    A failure is reported once; it is news again only after a success in between. `retry` is in
    seconds.
    """

    def __init__(self, report: Callable[[HardwareError], None], retry: float = RETRY) -> None:
        self._report = report
        self._retry = retry
        self._failed: float | None = None

    def due(self, now: float) -> bool:
        """Whether a try at `now` (seconds) is worth it."""
        return self._failed is None or now - self._failed >= self._retry

    def works(self) -> None:
        """Note a success."""
        self._failed = None

    def fails(self, error: HardwareError, now: float) -> None:
        """Note a failure at `now` (seconds), and report it if it is the first since a success."""
        known = self._failed is not None
        self._failed = now
        if not known:
            self._report(error)


class Synthesis:
    """A sentence in the making: whether it is `done`, and its WAV, None if there is none.

    `better` is the same sentence by a slow voice, if there is one to be waited for: this one
    stands in for it. `patience` is in seconds.
    """

    def __init__(self, patience: float = LATE) -> None:
        self.done = False
        self.content: bytes | None = None
        self.better: Synthesis | None = None
        self.patience = patience

    def wait(self, waited: float) -> float:
        """Give the seconds to wait on, after `waited` seconds of being due; 0: take it now."""
        if self.better is not None and not self.better.done:
            if waited < PROMPT:
                return PROMPT - waited
        elif self.best is not None or self.done:
            return 0.0
        return 0.0 if self.done else self.patience - waited

    @property
    def best(self) -> bytes | None:
        """The WAV of the better voice, if there is one."""
        return self.better.content if self.better is not None else None


class Job(NamedTuple):
    """A sentence to make; `synthesis` is None if it is only expected."""

    sentence: QueuedSentence
    synthesis: Synthesis | None = None


class Lane:
    """The sentences that one kind of voice has to make, in order, on a thread called `name`.

    `run` starts that thread.

    First what is due; of two that are, the newer one. Then what is expected, `most` sentences, the
    older due one among them; then what is always said, asked for when there is nothing else to do.
    `ended` is called when the lane is closed and its last sentence made.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[Callable[[], None], str], None],
        make: Callable[[Job], None],
        breaker: CircuitBreaker,
        clock: Callable[[], float],
        *,
        most: int = 0,
        always: Callable[[], Iterable[QueuedSentence]] = tuple,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._name, self._run, self._always, self._ended = name, run, always, ended
        self.make, self.breaker, self._clock = make, breaker, clock
        self._due: Job | None = None
        self._expected = deque[QueuedSentence](maxlen=most)
        self._fixed: Iterator[QueuedSentence] | None = None
        self._lock = threading.Lock()
        self._busy = False
        self.closed = False

    def need(self, sentence: QueuedSentence, synthesis: Synthesis) -> None:
        """Put a sentence first, which is waited for; an older one goes to the expected ones."""
        with self._lock:
            synthesis.done = self.closed
            if self._due is not None:
                self._expected.append(self._due.sentence)
            self._due = Job(sentence, synthesis)
        self._start()

    def expect(self, sentences: Iterable[QueuedSentence]) -> None:
        """Put these next, in place of all that was expected before."""
        with self._lock:
            self._expected.clear()
            self._expected.extend(sentences)
        self._start()

    def renew(self) -> None:
        """Forget failures and expected sentences: another voice was chosen."""
        self.breaker.works()
        with self._lock:
            self._expected.clear()
            self._fixed = None

    def take(self) -> Job | None:
        """Give what is to be made next; None, and the thread ends, if there is nothing."""
        with self._lock:
            job = None if self.closed else self._next()
            if job is not None and job.synthesis is None and not self.breaker.due(self._clock()):
                job = None  # what is only expected can wait until the voice works again
            self._busy = job is not None
            if self.closed:
                self._ended()
            return job

    def close(self) -> None:
        """Make nothing more."""
        with self._lock:
            self.closed = True
            if not self._busy:
                self._ended()

    def _next(self) -> Job | None:
        if self._due is not None:
            job, self._due = self._due, None
            return job
        if self._expected:
            return Job(self._expected.popleft())
        if self._fixed is None:
            self._fixed = iter(self._always())
        sentence = next(self._fixed, None)
        return None if sentence is None else Job(sentence)

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
            # An error in `report`: the next sentence must find a way.
            with self._lock:
                self._busy = False
            raise


def on_thread(work: Callable[[], None], name: str) -> None:
    """Have work done on a thread of that name."""
    threading.Thread(target=work, name=name).start()


class SynthesisQueue:
    """Has sentences made; no call waits for one. `wake` is called when one is done, without a lock.

    `report` is told of a voice that does not speak, once; then it is left alone for a while.
    `always` gives what is always said the same way: a slow voice makes it ahead. `run` has the work
    of a lane done, by its name: "voice" (the quick one) or "ahead".
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: SynthesisVoice,
        wake: Callable[[], None],
        clock: Callable[[], float],
        always: Callable[[], Iterable[QueuedSentence]] = tuple,
        *,
        run: Callable[[Callable[[], None], str], None] = on_thread,
    ) -> None:
        self._voice, self._wake, self._clock = voice, wake, clock
        self.quick = Lane(
            "voice", run, self._make_quick, CircuitBreaker(report), clock, ended=self._end_quick
        )  # fmt: skip
        self.slow = Lane(
            "ahead", run, self._make_slow, CircuitBreaker(report, SLOW_RETRY), clock,
            most=EXPECTED, always=always,
        )  # fmt: skip
        self._news = {lane: CircuitBreaker(report) for lane in (self.quick, self.slow)}

    def begin(self, sentence: QueuedSentence) -> Synthesis:
        """Begin to make a sentence, by the slow voice too if that one is chosen; never waits."""
        if not self._voice.is_slow(sentence.language, sentence.voice):
            return self._begin_quick(sentence)
        better = self._begin_slow(sentence)
        if better.content is not None or sentence.voice:
            return better  # it was said before, or this voice is to be heard and no other
        return self._begin_quick(sentence, better)

    def expect(self, sentences: Iterable[QueuedSentence]) -> None:
        """Have the slow voice make these while it is not waited for, then what is always said."""
        if self.slow.breaker.due(self._clock()):
            self.slow.expect(sentences)

    def renew(self) -> None:
        """Forget failures and expected sentences: another voice was chosen."""
        self.slow.renew()

    def close(self) -> None:
        """Give up what the slow voice makes; end the quick one once nothing is in the making."""
        self.slow.close()
        self._voice.stop()
        self.quick.close()

    def _begin_quick(self, sentence: QueuedSentence, better: Synthesis | None = None) -> Synthesis:
        synthesis = Synthesis()
        synthesis.better = better
        self.quick.need(sentence, synthesis)
        return synthesis

    def _begin_slow(self, sentence: QueuedSentence) -> Synthesis:
        synthesis = Synthesis(PRACTICE)
        synthesis.content = self._voice.cached_wav(*sentence.request_key)
        tried = sentence.voice or self.slow.breaker.due(self._clock())
        if synthesis.content is None and tried:
            self.slow.need(sentence, synthesis)
        else:
            synthesis.done = True
        return synthesis

    def _make_quick(self, job: Job) -> None:
        if self.quick.breaker.due(self._clock()):
            self._make(job, self.quick, self._voice.wav)
        self._finish_job(job)
        self._voice.save()

    def _make_slow(self, job: Job) -> None:
        if job.synthesis is not None or self._lacks(job.sentence):
            self._make(job, self.slow, self._voice.synthesise)
        self._finish_job(job)

    def _end_quick(self) -> None:
        self._voice.close()

    def _make(self, job: Job, lane: Lane, say: Callable[[str, str, str], bytes]) -> None:
        """Have a voice say it, and report what that tells of the voice, if it is news."""
        try:
            content = say(*job.sentence.request_key)
        except HardwareError as error:
            if not lane.closed:
                lane.breaker.fails(error, self._clock())
            return
        lane.breaker.works()
        if job.synthesis is not None:
            job.synthesis.content = content
        if (news := self._voice.news()) is not None:
            self._news[lane].fails(news, self._clock())

    def _finish_job(self, job: Job) -> None:
        if job.synthesis is not None:
            job.synthesis.done = True
            self._wake()

    def _lacks(self, sentence: QueuedSentence) -> bool:
        """Whether it is the slow voice's to say, and not made yet."""
        slow = self._voice.is_slow(sentence.language, sentence.voice)
        return slow and not self._voice.has(*sentence.request_key)
