"""Queue of a speaker, which decides the order and the start times of sounds and sentences.

This module has no thread and plays no sound. The thread is in `hardware.sound.speaker`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from hardware.ports import (
    COMMON_RANK,
    FIRST_RANK,
    LAST_RANK,
    MAX_QUEUED_IMPORTANT_ITEMS,
    MAX_QUEUED_ITEMS,
    MAX_UNSTOPPED_REMAINDER_SECONDS,
    HardwareError,
)
from hardware.sound.synthesis_queue import CircuitBreaker, QueuedSentence, SentenceSynthesis

IDLE_SECONDS: Final = 2.0
"""Seconds without a sound after which the sound device (the mixer) is closed."""
SOUND_GAP_SECONDS: Final = 0.06
"""Seconds between two sounds. The mixer can begin a sound only at the start of a buffer."""
SENTENCE_PAUSE_SECONDS: Final = 0.3
"""Seconds between two sentences."""
PAUSE_AFTER_SCORE_SECONDS: Final = 0.4
"""Seconds between a sentence of FIRST_RANK, such as a score, and the next sentence."""
DRAIN_SECONDS: Final = 0.2
"""Seconds to wait before the sound device is closed; meanwhile, the device empties its buffer."""
DEVICE_CHECK_SECONDS: Final = 0.5
"""Seconds between two checks whether the sound device is present."""


class SoundDeviceNotReadyError(HardwareError):
    """The sound device is missing and may appear later; all queued items wait for the device."""


class SoundDevicePort(Protocol):
    """Protocol of an open sound device that plays one sound at a time."""

    def play_wav(self, wav: bytes, volume: float) -> float:
        """Begin to play a WAV file at `volume` (0.0 to 1.0); return the sound's length in seconds.

        Raise HardwareError if the device fails.
        """

    def stop(self) -> None:
        """Interrupt the current sound."""

    def close(self) -> None:
        """Release the sound device."""


class QueuedSound(NamedTuple):
    """Sound file in the queue of a speaker. `volume` is 0.0 to 1.0."""

    file: Path
    volume: float
    rank: int = COMMON_RANK


class SentenceRemoval(NamedTuple):
    """Command to drop or stop the sentences `texts`, because these sentences became untrue."""

    texts: frozenset[str]

    def should_remove_item(self, item: object) -> bool:
        """Return True if `item` is a sentence whose text is in `texts`."""
        return isinstance(item, QueuedSentence) and item.text in self.texts


class SpeakerCommand(Enum):
    """Command to a PlaybackQueue. A command is neither a sound nor a sentence.

    HUSH drops all items, and stops the current sentence. CLOSE drops all sentences, plays the
    queued sounds, and closes the sound device.
    """

    HUSH = auto()
    KEEP_FIRST_RANK = auto()
    """Command to drop or stop all items except the items of FIRST_RANK."""
    CLOSE = auto()
    REOPEN = auto()
    """Command to close the sound device, and to open the chosen device for the waiting items."""
    CHECK_QUEUE = auto()
    """Command to check the queue again, because the synthesis of a sentence has ended."""


class PlaybackQueue:
    """Queue of sounds and sentences that decides when each item begins.

    Only one thread may use the queue. This thread calls `accept_items_and_commands` with new
    orders, and calls `begin_or_prepare_due_item` again and again. All calls return at once. An
    order is a sound, a sentence or a command.

    - `report`: function that is called with the error when the sound device fails.
    - `make`: function that begins to synthesise a sentence on another thread.
    - `end`: function that releases the voice. The queue calls `end` after `CLOSE`, when the last
      sound has ended.
    - `open_mixer`: function that opens the sound device.
    - `clock`: function that returns the monotonic time (s).
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        make: Callable[[QueuedSentence], SentenceSynthesis],
        end: Callable[[], None],
        open_mixer: Callable[[], SoundDevicePort],
        clock: Callable[[], float],
    ) -> None:
        self._make = make
        self._end = end
        self._open_mixer = open_mixer
        self._clock = clock
        self._device = CircuitBreaker(report)
        self._mixer: SoundDevicePort | None = None
        self._waiting: deque[QueuedSound | QueuedSentence] = deque()
        self._ready: bytes | None = None
        self._synthesis: SentenceSynthesis | None = None
        self._sounding: QueuedSound | QueuedSentence | None = None
        self._ends = self._asked = clock()
        self._behind = False
        self._closing = False

    def accept_items_and_commands(
        self, orders: Iterable[QueuedSound | QueuedSentence | SpeakerCommand | SentenceRemoval]
    ) -> None:
        """Queue the sounds and sentences in `orders`, and execute the commands at once.

        The oldest order is first. `begin_or_prepare_due_item` later begins the queued items.
        """
        for order in orders:
            if order is SpeakerCommand.HUSH:
                self._hush(keep=(), last=MAX_UNSTOPPED_REMAINDER_SECONDS)
            elif order is SpeakerCommand.KEEP_FIRST_RANK:
                self._make_way()
            elif isinstance(order, SentenceRemoval):
                keep = [item for item in self._waiting if not order.should_remove_item(item)]
                last = (
                    MAX_UNSTOPPED_REMAINDER_SECONDS
                    if order.should_remove_item(self._sounding)
                    else math.inf
                )
                self._hush(keep, last)
            elif order is SpeakerCommand.REOPEN:
                self._reopen()
            elif order is SpeakerCommand.CLOSE:
                self._closing = True
                # drop all sentences, but play queued sounds such as the goodbye
                self._hush(
                    keep=[item for item in self._waiting if isinstance(item, QueuedSound)], last=0.0
                )
            elif isinstance(order, QueuedSentence) or (
                isinstance(order, QueuedSound) and (not self._waiting or self._waiting[-1] != order)
            ):
                self._append(order)  # a sound that equals the last waiting item is dropped

    def begin_or_prepare_due_item(self) -> float | None:
        """If the next sound or sentence is due, begin or prepare this item.

        Return the seconds until the next call, or None if no further call is necessary.
        """
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
            patience = self._synthesis.seconds_to_wait(self._overdue_seconds)
            if patience > 0:
                return patience
            self._drop()
        return 0.0

    @property
    def _overdue_seconds(self) -> float:
        """Return the seconds since the next sentence was due.

        If the sentence is not due yet, return a negative number.
        """
        return self._clock() - max(self._asked, self._ends + self._pause())

    def _pause(self) -> float:
        sounding = self._sounding
        if not isinstance(sounding, QueuedSentence) or not self._waiting:
            return 0.0
        if not isinstance(self._waiting[0], QueuedSentence):
            return 0.0
        return PAUSE_AFTER_SCORE_SECONDS if sounding.rank == FIRST_RANK else SENTENCE_PAUSE_SECONDS

    def _append(self, item: QueuedSound | QueuedSentence) -> None:
        if self._behind and item.rank == LAST_RANK:
            return
        self._waiting.append(item)
        lowest = max(waiting.rank for waiting in self._waiting)
        if len(self._waiting) > (
            MAX_QUEUED_IMPORTANT_ITEMS if lowest == FIRST_RANK else MAX_QUEUED_ITEMS
        ):
            oldest = next(n for n, queued in enumerate(self._waiting) if queued.rank == lowest)
            if oldest == 0:
                self._drop()
            else:
                del self._waiting[oldest]

    def _make_way(self) -> None:
        sounding = isinstance(self._sounding, QueuedSentence) and self._sounding.rank == FIRST_RANK
        keep = [item for item in self._waiting if item.rank == FIRST_RANK]
        self._hush(keep, last=math.inf if sounding else MAX_UNSTOPPED_REMAINDER_SECONDS)
        left = self._ends - SOUND_GAP_SECONDS - self._clock() if sounding else 0.0
        self._behind = bool(keep) or left > MAX_UNSTOPPED_REMAINDER_SECONDS

    def _hush(self, keep: Sequence[QueuedSound | QueuedSentence], last: float) -> None:
        """Drop all waiting items that are not in `keep`.

        Also stop the current sentence if more than `last` seconds of this sentence remain.
        """
        if not keep or keep[0] is not self._waiting[0]:
            self._ready = self._synthesis = None
        self._waiting = deque(keep)
        self._behind = False
        left = self._ends - SOUND_GAP_SECONDS - self._clock()
        if self._mixer is not None and isinstance(self._sounding, QueuedSentence) and left > last:
            self._mixer.stop()
            self._sounding = None
            self._ends = self._clock()

    def _prepare(self) -> None:
        if not self._waiting or self._ready is not None:
            return
        item, now = self._waiting[0], self._clock()
        if not self._device.is_attempt_allowed(now):
            self._drop()
        elif isinstance(item, QueuedSound):
            self._load_clip(item)
        elif self._synthesis is None:
            self._synthesis, self._asked = self._make(item), now
        if (
            self._synthesis is not None
            and self._synthesis.seconds_to_wait(self._overdue_seconds) == 0.0
        ):
            self._ready, self._synthesis = (
                self._synthesis.slow_voice_wav or self._synthesis.content,
                None,
            )
            if self._ready is None:
                self._drop()

    def _load_clip(self, cue: QueuedSound) -> None:
        try:
            self._ready = cue.file.read_bytes()
        except OSError as error:
            unread = HardwareError.from_reason("no_clip", "sound", name=cue.file.stem, why=error)
            self._device.record_failure(unread, self._clock())
            self._drop()

    def _drop(self) -> None:
        self._waiting.popleft()
        self._ready = self._synthesis = None

    def _begin(self, content: bytes) -> float:
        """Start the loaded sound. Return the seconds to wait before the next attempt or step."""
        try:
            if self._mixer is None:
                self._mixer = self._open_mixer()
            length = self._mixer.play_wav(content, self._waiting[0].volume)
        except HardwareError as error:
            if isinstance(error, SoundDeviceNotReadyError) and not self._closing:
                return DEVICE_CHECK_SECONDS
            self._close_mixer()
            self._device.record_failure(error, self._clock())
            self._drop()
            return 0.0
        self._device.record_success()
        self._sounding, self._ready = self._waiting.popleft(), None
        self._ends = self._clock() + length + SOUND_GAP_SECONDS
        return 0.0

    def _rest(self, left: float) -> float | None:
        """Close the sound device after an idle time, and release the voice if the queue is closing.

        `left`: the time (s) until the end of the last sound, negative after that end.
        """
        if self._mixer is not None:
            left += DRAIN_SECONDS if self._closing else IDLE_SECONDS
            if left > 0:
                return left
            self._close_mixer()
        if self._closing:
            self._end()
        return None

    def _reopen(self) -> None:
        self._close_mixer()
        self._sounding, self._ends = None, self._clock()
        self._device.record_success()

    def _close_mixer(self) -> None:
        if self._mixer is not None:
            self._mixer.close()
            self._mixer = None
