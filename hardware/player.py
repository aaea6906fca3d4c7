"""What sounds when: cues and sentences, one after the other, as a function of orders and a clock.

There is no thread and no sound in here: `hardware.speaker` has both.
"""

from __future__ import annotations

import math
from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardware import COMMON, FIRST, LAST, LAST_WORDS, WAITING, WEIGHTY, HardwareError
from hardware.awaited import SOON, NotYetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from hardware import Names
    from hardware.voices import Choice

IDLE: Final = 2.0
"""Seconds without a sound after which the mixer is closed."""
RETRY: Final = 10.0
"""Seconds for which a device or an engine that failed is left in peace."""
LATE: Final = 1.5
"""Seconds for which others wait for a sentence whose turn it is: a hanging engine is not heard."""
PROMPT: Final = 0.25
"""Seconds for which a sentence that is due waits for the better voice: then another says it."""
PRACTICE: Final = 60.0
"""Seconds that somebody who wants to hear one certain voice waits for it."""
GAP: Final = 0.06
"""Seconds between two sounds: the mixer begins one at its next buffer, not at once."""
PAUSE: Final = 0.3
"""Seconds between two sentences: a breath."""
LONGER_PAUSE: Final = 0.4
"""Seconds after a sentence of the first rank, such as a score: so that it is taken in."""
DRAIN: Final = 0.2
"""Seconds in which the device plays what the mixer has already given it."""


class Voice(Protocol):
    """Whatever turns a sentence into sound; `hardware.speech.Speech` is one."""

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        """Give `text` as a WAV file's bytes. May take its time. Raises HardwareError.

        `name` is a certain voice; a slow one, or one that fails, is stood in for.
        """

    def is_slow(self, language: str, name: str = "") -> bool:
        """Whether the voice is so slow that another may have to stand in for it."""

    def kept(self, text: str, language: str, name: str = "") -> bytes | None:
        """Give what the slow voice has said before. Does not wait."""

    def has(self, text: str, language: str, name: str = "") -> bool:
        """Whether the voice has said it before."""

    def read(self, text: str, language: str, name: str = "") -> bytes:
        """Have the slow voice say it; takes long. Raises HardwareError."""

    def news(self) -> HardwareError | None:
        """Give what has become of the chosen voice since the last call."""

    def choices(self, language: str) -> Sequence[Choice]:
        """Give the voices of a language, the usual one first."""

    def choose(self, language: str, name: str, speed: int) -> None:
        """From now on, speak with that voice, so many words a minute. Raises HardwareError."""

    def stop(self) -> None:
        """End the slow voice, even in the middle of a sentence."""

    def pronounce(self, names: Names) -> None:
        """From now on, say these names too as they are respelled."""

    def save(self) -> None:
        """Do what can be done after a sentence is given, such as to keep it."""

    def close(self) -> None:
        """End the engine; safe to call twice, and a later sentence may start it again."""


class Mixer(Protocol):
    """An open sound device that plays one sound at a time."""

    def start(self, wav: bytes, volume: float) -> float:
        """Begin to play, `volume` 0.0 to 1.0; give its length in seconds. Raises HardwareError."""

    def stop(self) -> None:
        """Cut off what is playing."""

    def close(self) -> None:
        """Let the device go."""


class Cue(NamedTuple):
    """A file to play, `volume` 0.0 to 1.0."""

    file: Path
    volume: float
    rank: int = COMMON


class Sentence(NamedTuple):
    """A text to speak, `volume` 0.0 to 1.0; `voice` is the name of a certain one, if any."""

    text: str
    language: str
    volume: float
    voice: str = ""
    rank: int = COMMON


class Order(Enum):
    """What a player is told besides sounds."""

    HUSH = auto()
    MAKE_WAY = auto()
    """Hush, but for what is of the first rank."""
    CLOSE = auto()
    LOOK = auto()
    """A sentence is made: to be passed on only to end a wait."""


class Half:
    """The sound device, or the voice: whether it works, and when it is worth another try.

    A failure is reported once; it is news again only after the half has worked in between.
    `retry` is in seconds.
    """

    def __init__(self, report: Callable[[HardwareError], None], retry: float = RETRY) -> None:
        self._report = report
        self._retry = retry
        self._failed: float | None = None

    def due(self, now: float) -> bool:
        """Say whether to try it at `now` (seconds)."""
        return self._failed is None or now - self._failed >= self._retry

    def works(self) -> None:
        """Note that it does."""
        self._failed = None

    def fails(self, error: HardwareError, now: float) -> None:
        """Note that it did not, at `now` (seconds), and report that if it is news."""
        known = self._failed is not None
        self._failed = now
        if not known:
            self._report(error)


class Making:
    """A sentence in the making: whether it is `done`, and its WAV, None if there is none.

    `better` is the same sentence by a slow voice, if there is one to be waited for: this one
    stands in for it. `patience` is in seconds.
    """

    def __init__(self, patience: float = LATE) -> None:
        self.done = False
        self.content: bytes | None = None
        self.better: Making | None = None
        self.patience = patience

    def wait(self, waited: float) -> float:
        """Give the seconds to wait on, if it has been due for `waited`; 0 if it is to be taken."""
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


class Player:
    """What sounds when. Not for several threads; `clock` gives seconds and never goes back.

    `take` what is ordered, then `step` again and again. No step waits: what takes its time is a
    sentence, and `make` has it made beside; `end` lets the voice go.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        make: Callable[[Sentence], Making],
        end: Callable[[], None],
        open_mixer: Callable[[], Mixer],
        clock: Callable[[], float],
    ) -> None:
        self._make = make
        self._end = end
        self._open_mixer = open_mixer
        self._clock = clock
        self._device = Half(report)
        self._mixer: Mixer | None = None
        self._waiting: deque[Cue | Sentence] = deque()
        self._ready: bytes | None = None
        self._making: Making | None = None
        self._sounding: Cue | Sentence | None = None
        self._ends = self._asked = clock()
        self._behind = False
        self._closing = False

    def take(self, orders: Iterable[Cue | Sentence | Order]) -> None:
        """Take in what was ordered, oldest first. Makes no sound yet."""
        for order in orders:
            if order is Order.HUSH:
                self._hush(keep=(), last=LAST_WORDS)
            elif order is Order.MAKE_WAY:
                self._make_way()
            elif order is Order.CLOSE:
                self._closing = True
                # A goodbye that was asked for is still heard; nobody waits for a sentence.
                self._hush(keep=[item for item in self._waiting if isinstance(item, Cue)], last=0.0)
            elif isinstance(order, Sentence) or (
                isinstance(order, Cue) and (not self._waiting or self._waiting[-1] != order)
            ):
                self._append(order)  # a cue that waits already is not heard twice

    def step(self) -> float | None:
        """Do what is due; give the seconds until something is again, None for nothing at all."""
        left = self._ends + self._pause() - self._clock()
        if self._sounding is not None and left > 0:
            self._prepare()
            return left
        if self._sounding is not None:
            self._ends += self._pause()
            self._sounding = None
        if not self._waiting:
            return self._rest(left)
        self._prepare()
        if self._ready is not None:
            return self._begin(self._ready)
        if self._making is not None:
            patience = self._making.wait(self._waited)
            if patience > 0:
                return patience
            self._drop()
        return 0.0

    @property
    def _waited(self) -> float:
        """The seconds for which the next sentence has been due; negative before."""
        return self._clock() - max(self._asked, self._ends + self._pause())

    def _pause(self) -> float:
        """Give the seconds between the end of what sounds and what comes next."""
        said = self._sounding
        if not isinstance(said, Sentence) or not self._waiting:
            return 0.0
        if not isinstance(self._waiting[0], Sentence):
            return 0.0
        return LONGER_PAUSE if said.rank == FIRST else PAUSE

    def _append(self, item: Cue | Sentence) -> None:
        """Let it wait; who is behind leaves out what is of the last rank."""
        if self._behind and item.rank == LAST:
            return
        self._waiting.append(item)
        lowest = max(waiting.rank for waiting in self._waiting)
        if len(self._waiting) > (WEIGHTY if lowest == FIRST else WAITING):
            oldest = next(n for n, one in enumerate(self._waiting) if one.rank == lowest)
            if oldest == 0:
                self._drop()
            else:
                del self._waiting[oldest]

    def _make_way(self) -> None:
        """Forget all but the first rank, and note whether that is still to be said."""
        sounding = isinstance(self._sounding, Sentence) and self._sounding.rank == FIRST
        keep = [item for item in self._waiting if item.rank == FIRST]
        self._hush(keep, last=math.inf if sounding else LAST_WORDS)
        left = self._ends - GAP - self._clock() if sounding else 0.0
        self._behind = bool(keep) or left > LAST_WORDS

    def _hush(self, keep: Sequence[Cue | Sentence], last: float) -> None:
        """Forget what has not begun, but for `keep`; stop a sentence with over `last` s to go."""
        if not keep or keep[0] is not self._waiting[0]:
            self._ready = self._making = None
        self._waiting = deque(keep)
        self._behind = False
        left = self._ends - GAP - self._clock()
        if self._mixer is not None and isinstance(self._sounding, Sentence) and left > last:
            self._mixer.stop()
            self._sounding = None
            self._ends = self._clock()

    def _prepare(self) -> None:
        """Get the next sound's bytes, or have them made; drop it if there are none to be had."""
        if not self._waiting or self._ready is not None:
            return
        item, now = self._waiting[0], self._clock()
        if not self._device.due(now):
            self._drop()
        elif isinstance(item, Cue):
            self._read(item)
        elif self._making is None:
            self._making, self._asked = self._make(item), now
        if self._making is not None and self._making.wait(self._waited) == 0.0:
            self._ready, self._making = self._making.best or self._making.content, None
            if self._ready is None:
                self._drop()

    def _read(self, cue: Cue) -> None:
        try:
            self._ready = cue.file.read_bytes()
        except OSError as error:
            told = f"the sound {cue.file.stem} cannot be read: {error}"
            self._device.fails(HardwareError(told, "sound"), self._clock())
            self._drop()

    def _drop(self) -> None:
        """Do without the next sound."""
        self._waiting.popleft()
        self._ready = self._making = None

    def _begin(self, content: bytes) -> float:
        """Start the sound that is ready, or give it up; give the seconds until something is due."""
        try:
            if self._mixer is None:
                self._mixer = self._open_mixer()
            length = self._mixer.start(content, self._waiting[0].volume)
        except HardwareError as error:
            if isinstance(error, NotYetError) and not self._closing:
                return SOON
            self._close_mixer()
            self._device.fails(error, self._clock())
            self._drop()
            return 0.0
        self._device.works()
        self._sounding, self._ready = self._waiting.popleft(), None
        self._ends = self._clock() + length + GAP
        return 0.0

    def _rest(self, left: float) -> float | None:
        """Nothing sounds or waits: close what is open in time; `left` is negative by then."""
        if self._mixer is not None:
            left += DRAIN if self._closing else IDLE
            if left > 0:
                return left
            self._close_mixer()
        if self._closing:
            self._end()
        return None

    def _close_mixer(self) -> None:
        if self._mixer is not None:
            self._mixer.close()
            self._mixer = None


class Studio:
    """Has sentences made, on whatever thread `make` is called."""

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: Voice,
        clock: Callable[[], float],
    ) -> None:
        self._voice = voice
        self._clock = clock
        self._half = Half(report)
        self._other = Half(report)

    def make(self, sentence: Sentence) -> bytes | None:
        """Give a sentence's WAV; None, and a report if that is news, if there is no voice."""
        if not self._half.due(self._clock()):
            return None
        try:
            content = self._voice.wav(sentence.text, sentence.language, sentence.voice)
        except HardwareError as error:
            self._half.fails(error, self._clock())
            return None
        self._half.works()
        if (news := self._voice.news()) is not None:
            self._other.fails(news, self._clock())
        return content

    def is_slow(self, sentence: Sentence) -> bool:
        """Whether a slow voice is to say it."""
        return self._voice.is_slow(sentence.language, sentence.voice)

    def save(self) -> None:
        """Keep what was made."""
        self._voice.save()

    def close(self) -> None:
        """End the engine."""
        self._voice.close()
