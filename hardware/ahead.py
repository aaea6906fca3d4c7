"""What a slow voice makes, and when: what is waited for, what may come next, what always comes.

A neural voice can take longer to make a sentence than to say it. So it works beside: on a thread
that lives only while there is something to make, and a process of a low priority. Whatever is
made is kept in the cache, whether somebody still waits for it or not.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from hardware import HardwareError
from hardware.player import PRACTICE, Half, Making

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hardware.player import Sentence, Voice

RETRY: Final = 600.0
"""Seconds for which a voice that failed is left in peace; its file will hardly have mended."""
SOON: Final = 48
"""Sentences that may come next, at most."""


class Job(NamedTuple):
    """A sentence to make; whoever waits for it looks at `making`."""

    sentence: Sentence
    making: Making | None = None


class Queue:
    """What is to be made, in its order. Not for several threads.

    `always` gives what is always said the same way; it is asked when there is nothing else to do.
    """

    def __init__(self, always: Callable[[], Iterable[Sentence]] = tuple) -> None:
        self._due: Job | None = None
        self._soon: deque[Sentence] = deque(maxlen=SOON)
        self._always: Iterator[Sentence] | None = None
        self._sentences = always

    def need(self, job: Job) -> None:
        """Put a sentence first: it is waited for. One that was has lost its turn, and comes later.

        Nobody waits for it any more, but it may be said again.
        """
        if self._due is not None:
            self._soon.append(self._due.sentence)
        self._due = job

    def expect(self, sentences: Iterable[Sentence]) -> None:
        """Put these next, in place of all that was expected before."""
        self._soon.clear()
        self._soon.extend(sentences)

    def renew(self) -> None:
        """Begin anew with what is always said: there is another voice."""
        self._always = None

    def take(self) -> Job | None:
        """Give what is to be made now; None if there is nothing."""
        if self._due is not None:
            job, self._due = self._due, None
            return job
        if self._soon:
            return Job(self._soon.popleft())
        if self._always is None:
            self._always = iter(self._sentences())
        sentence = next(self._always, None)
        return None if sentence is None else Job(sentence)


class Ahead:
    """Has a slow voice make sentences beside. `wake` is called when one is done, without a lock.

    `report` is told of a voice that does not speak, once; then it is left alone for a while.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: Voice,
        wake: Callable[[], None],
        clock: Callable[[], float],
        always: Callable[[], Iterable[Sentence]] = tuple,
    ) -> None:
        self._voice, self._wake, self._clock = voice, wake, clock
        self._half, self._other = Half(report, RETRY), Half(report)
        self._queue = Queue(always)
        self._lock = threading.Lock()
        self._busy = self._closed = False

    def begin(self, sentence: Sentence) -> Making:
        """Give a sentence that was made before, or have it made first of all."""
        making = Making(PRACTICE)
        making.content = self._voice.kept(sentence.text, sentence.language, sentence.voice)
        making.done = making.content is not None or self._closed
        if not making.done and (sentence.voice or self._half.due(self._clock())):
            with self._lock:
                self._queue.need(Job(sentence, making))
            self._start()
        else:
            making.done = True
        return making

    def expect(self, sentences: Iterable[Sentence]) -> None:
        """Have these made while nothing is waited for, and then what is always said."""
        if not self._half.due(self._clock()):
            return
        with self._lock:
            self._queue.expect(sentences)
        self._start()

    def renew(self) -> None:
        """Another voice was chosen: it may work, and has said nothing yet."""
        self._half.works()
        with self._lock:
            self._queue.expect(())
            self._queue.renew()

    def close(self) -> None:
        """Make nothing more; a sentence in the making is given up."""
        self._closed = True
        self._voice.stop()

    def make(self, job: Job) -> None:
        """Make a sentence, and keep it; one that only may be said is not made twice."""
        sentence = job.sentence
        asked = sentence.text, sentence.language, sentence.voice
        try:
            if job.making is not None or self._lacks(sentence):
                content = self._voice.read(*asked)
                self._half.works()
                if job.making is not None:
                    job.making.content = content
                if (news := self._voice.news()) is not None:
                    self._other.fails(news, self._clock())
        except HardwareError as error:
            if not self._closed:
                self._half.fails(error, self._clock())
        if job.making is not None:
            job.making.done = True
            self._wake()

    def _lacks(self, sentence: Sentence) -> bool:
        """Whether it is the slow voice's to say, and not made yet."""
        asked = sentence.text, sentence.language, sentence.voice
        return self._voice.is_slow(*asked[1:]) and not self._voice.has(*asked)

    def take(self) -> Job | None:
        """Give what is to be made next; None, and the thread ends, if there is nothing."""
        with self._lock:
            job = None if self._closed else self._queue.take()
            if job is not None and job.making is None and not self._half.due(self._clock()):
                job = None  # what nobody waits for can wait until the voice works again
            self._busy = job is not None
            return job

    def _start(self) -> None:
        with self._lock:
            if self._busy or self._closed:
                return
            self._busy = True
        threading.Thread(target=self._work, name="ahead").start()

    def _work(self) -> None:
        try:
            while (job := self.take()) is not None:
                self.make(job)
        except BaseException:
            # An error in `report`: the next sentence must find a way.
            with self._lock:
                self._busy = False
            raise
