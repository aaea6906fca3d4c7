"""What sounds when: cues and sentences, one after the other, as a function of orders and a clock.

There is no thread and no sound in here: `hardware.sound.speaker` has both.
"""

from __future__ import annotations

import math
from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardware.ports import COMMON, FIRST, LAST, LAST_WORDS, WAITING, WEIGHTY, HardwareError
from hardware.sound.synthesis import CircuitBreaker, QueuedSentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from hardware.sound.synthesis import Synthesis

IDLE: Final = 2.0
"""Seconds without a sound after which the mixer is closed."""
GAP: Final = 0.06
"""Seconds between two sounds: the mixer begins one at its next buffer, not at once."""
PAUSE: Final = 0.3
"""Seconds between two sentences: a breath."""
LONGER_PAUSE: Final = 0.4
"""Seconds after a sentence of the first rank, such as a score: so that it is taken in."""
DRAIN: Final = 0.2
"""Seconds in which the device plays what the mixer has already given it."""
SOON: Final = 0.5
"""Seconds between two looks whether the sound device is there."""


class NotYetError(HardwareError):
    """There is no sound device, but it may still come: what is to sound is kept."""


class Mixer(Protocol):
    """An open sound device that plays one sound at a time."""

    def start(self, wav: bytes, volume: float) -> float:
        """Begin to play, `volume` 0.0 to 1.0; give its length in seconds. Raises HardwareError."""

    def stop(self) -> None:
        """Cut off what is playing."""

    def close(self) -> None:
        """Let the device go."""


class Clip(NamedTuple):
    """A file to play, `volume` 0.0 to 1.0."""

    file: Path
    volume: float
    rank: int = COMMON


class Retraction(NamedTuple):
    """Sentences that are no longer true."""

    texts: frozenset[str]

    def concerns(self, item: object) -> bool:
        """Whether that is one of the retracted sentences."""
        return isinstance(item, QueuedSentence) and item.text in self.texts


class Order(Enum):
    """An order to the player that is no sound."""

    HUSH = auto()
    MAKE_WAY = auto()
    """Hush, but for what is of the first rank."""
    CLOSE = auto()
    REOPEN = auto()
    """Let the device go, and open it anew for what waits: another one was chosen."""
    LOOK = auto()
    """A sentence is made: to be passed on only to end a wait."""


class ClipPlayer:
    """What sounds when. Not for several threads; `clock` gives seconds and never goes back.

    `take` what is ordered, then `step` again and again. No step waits: what takes its time is a
    sentence, and `make` has it made beside; `end` lets the voice go.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        make: Callable[[QueuedSentence], Synthesis],
        end: Callable[[], None],
        open_mixer: Callable[[], Mixer],
        clock: Callable[[], float],
    ) -> None:
        self._make = make
        self._end = end
        self._open_mixer = open_mixer
        self._clock = clock
        self._device = CircuitBreaker(report)
        self._mixer: Mixer | None = None
        self._waiting: deque[Clip | QueuedSentence] = deque()
        self._ready: bytes | None = None
        self._synthesis: Synthesis | None = None
        self._sounding: Clip | QueuedSentence | None = None
        self._ends = self._asked = clock()
        self._behind = False
        self._closing = False

    def take(self, orders: Iterable[Clip | QueuedSentence | Order | Retraction]) -> None:
        """Queue orders, oldest first; `step` carries them out."""
        for order in orders:
            if order is Order.HUSH:
                self._hush(keep=(), last=LAST_WORDS)
            elif order is Order.MAKE_WAY:
                self._make_way()
            elif isinstance(order, Retraction):
                keep = [item for item in self._waiting if not order.concerns(item)]
                last = LAST_WORDS if order.concerns(self._sounding) else math.inf
                self._hush(keep, last)
            elif order is Order.REOPEN:
                self._reopen()
            elif order is Order.CLOSE:
                self._closing = True
                # A goodbye that was asked for is still heard; nobody waits for a sentence.
                self._hush(
                    keep=[item for item in self._waiting if isinstance(item, Clip)], last=0.0
                )
            elif isinstance(order, QueuedSentence) or (
                isinstance(order, Clip) and (not self._waiting or self._waiting[-1] != order)
            ):
                self._append(order)  # a cue that waits already is not heard twice

    def step(self) -> float | None:
        """Do what is due; give the seconds until the next step is, None if there is none."""
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
        if self._synthesis is not None:
            patience = self._synthesis.wait(self._overdue_seconds)
            if patience > 0:
                return patience
            self._drop()
        return 0.0

    @property
    def _overdue_seconds(self) -> float:
        """The seconds for which the next sentence has been due; negative before."""
        return self._clock() - max(self._asked, self._ends + self._pause())

    def _pause(self) -> float:
        """Give the seconds between the end of what sounds and what comes next."""
        said = self._sounding
        if not isinstance(said, QueuedSentence) or not self._waiting:
            return 0.0
        if not isinstance(self._waiting[0], QueuedSentence):
            return 0.0
        return LONGER_PAUSE if said.rank == FIRST else PAUSE

    def _append(self, item: Clip | QueuedSentence) -> None:
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
        sounding = isinstance(self._sounding, QueuedSentence) and self._sounding.rank == FIRST
        keep = [item for item in self._waiting if item.rank == FIRST]
        self._hush(keep, last=math.inf if sounding else LAST_WORDS)
        left = self._ends - GAP - self._clock() if sounding else 0.0
        self._behind = bool(keep) or left > LAST_WORDS

    def _hush(self, keep: Sequence[Clip | QueuedSentence], last: float) -> None:
        """Forget what has not begun, but for `keep`; stop a sentence with over `last` s to go."""
        if not keep or keep[0] is not self._waiting[0]:
            self._ready = self._synthesis = None
        self._waiting = deque(keep)
        self._behind = False
        left = self._ends - GAP - self._clock()
        if self._mixer is not None and isinstance(self._sounding, QueuedSentence) and left > last:
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
        elif isinstance(item, Clip):
            self._load_clip(item)
        elif self._synthesis is None:
            self._synthesis, self._asked = self._make(item), now
        if self._synthesis is not None and self._synthesis.wait(self._overdue_seconds) == 0.0:
            self._ready, self._synthesis = self._synthesis.best or self._synthesis.content, None
            if self._ready is None:
                self._drop()

    def _load_clip(self, cue: Clip) -> None:
        try:
            self._ready = cue.file.read_bytes()
        except OSError as error:
            unread = HardwareError.of("no_clip", "sound", name=cue.file.stem, why=error)
            self._device.fails(unread, self._clock())
            self._drop()

    def _drop(self) -> None:
        """Do without the next sound."""
        self._waiting.popleft()
        self._ready = self._synthesis = None

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

    def _reopen(self) -> None:
        """Cut off what sounds; the next sound is the new device's, whatever the old one did."""
        self._close_mixer()
        self._sounding, self._ends = None, self._clock()
        self._device.works()

    def _close_mixer(self) -> None:
        if self._mixer is not None:
            self._mixer.close()
            self._mixer = None
