"""A loudspeaker: cues and sentences, one after the other, on pygame's mixer.

`Loudspeaker` is the port. Its calls put a line into an inbox and return; `Player` decides, as a
function of that inbox and a clock, what sounds when; `PygameMixer` sounds it. The thread between
them lives only while there is something to do: an idle speaker has no open mixer (an open one
wakes the processor 43 times a second) and no thread, and wakes up zero times a second.

pygame is imported on that thread, with the first sound. Import everything else that is slow
(gpiozero above all) before it: the two imports at once have crashed.
"""

from __future__ import annotations

import io
import os
import threading
import time
from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import sounds
from hardware import HardwareError
from hardware.speech import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

IDLE: Final = 2.0
"""Seconds without a sound after which the mixer is closed."""
RETRY: Final = 10.0
"""Seconds for which a device or an engine that failed is left in peace."""
GAP: Final = 0.06
"""Seconds between two sounds: the mixer begins one at its next buffer, not at once."""
DRAIN: Final = 0.2
"""Seconds in which the device plays what the mixer has already given it."""
QUIETEST: Final = -30.0
"""The level of volume 1, in dB under volume 100; the steps between sound equally wide."""

_RATE: Final = 44_100
_BUFFER: Final = 1024


class Voice(Protocol):
    """Whatever turns a sentence into sound; `hardware.speech.Speech` is one."""

    def wav(self, text: str, language: str) -> bytes:
        """Give `text` as a WAV file's bytes. May take its time. Raises HardwareError."""

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


class PygameMixer:
    """The default sound device, opened through pygame. Raises HardwareError if it cannot be."""

    def __init__(self) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            # Here and not above: it is slow to import, and may be absent.
            import pygame.mixer  # noqa: PLC0415
        except ImportError as error:
            raise HardwareError(f"no sound: pip install pygame ({error})", "sound") from error
        self._error = pygame.error
        self._mixer = pygame.mixer
        try:
            self._mixer.init(_RATE, -16, 1, _BUFFER, allowedchanges=0)
        except self._error as error:
            raise HardwareError(
                f"no sound device: {error}; `aplay -l` lists them", "sound"
            ) from error

    def start(self, wav: bytes, volume: float) -> float:
        """Begin to play; see `Mixer`."""
        try:
            sound = self._mixer.Sound(file=io.BytesIO(wav))
            sound.set_volume(volume)
            sound.play()
        except self._error as error:
            raise HardwareError(f"the sound device does not play: {error}", "sound") from error
        return sound.get_length()

    def stop(self) -> None:
        """Cut off what is playing."""
        self._mixer.stop()

    def close(self) -> None:
        """Let the device go."""
        self._mixer.quit()


class Cue(NamedTuple):
    """A file to play, `volume` 0.0 to 1.0."""

    file: Path
    volume: float


class Sentence(NamedTuple):
    """A text to speak, `volume` 0.0 to 1.0."""

    text: str
    language: str
    volume: float


class Order(Enum):
    """What a player is told besides sounds."""

    HUSH = auto()
    CLOSE = auto()


class Half:
    """The sound device, or the voice: whether it works, and when it is worth another try.

    A failure is reported once; it is news again only after the half has worked in between.
    """

    def __init__(self, report: Callable[[HardwareError], None]) -> None:
        self._report = report
        self._failed: float | None = None

    def due(self, now: float) -> bool:
        """Say whether to try it at `now` (seconds)."""
        return self._failed is None or now - self._failed >= RETRY

    def works(self) -> None:
        """Note that it does."""
        self._failed = None

    def fails(self, error: HardwareError, now: float) -> None:
        """Note that it did not, at `now` (seconds), and report that if it is news."""
        known = self._failed is not None
        self._failed = now
        if not known:
            self._report(error)


class Player:
    """What sounds when. Not for several threads; `clock` gives seconds and never goes back.

    `take` what is ordered, then `step` again and again: each step does one thing that may take
    time, so that an order is never older than one of them.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: Voice,
        open_mixer: Callable[[], Mixer],
        clock: Callable[[], float],
    ) -> None:
        self._voice = voice
        self._open_mixer = open_mixer
        self._clock = clock
        self._device_half = Half(report)
        self._voice_half = Half(report)
        self._mixer: Mixer | None = None
        self._waiting: deque[Cue | Sentence] = deque()
        self._ready: bytes | None = None
        self._sounding: Cue | Sentence | None = None
        self._ends = clock()
        self._closing = False

    def take(self, orders: Iterable[Cue | Sentence | Order]) -> None:
        """Take in what was ordered, oldest first. Makes no sound yet."""
        for order in orders:
            if order is Order.HUSH:
                self._hush(keep=())
            elif order is Order.CLOSE:
                self._closing = True
                # A goodbye that was asked for is still heard; nobody waits for a sentence.
                self._hush(keep=[item for item in self._waiting if isinstance(item, Cue)])
            elif isinstance(order, (Cue, Sentence)):
                self._waiting.append(order)

    def step(self) -> float | None:
        """Do what is due; give the seconds until something is again, None for nothing at all."""
        left = self._ends - self._clock()
        if self._sounding is not None and left > 0:
            # A sentence that follows a cue is made meanwhile. Not during a sentence: a hush
            # that stops it must not wait for the engine.
            busy = isinstance(self._sounding, Cue) and self._prepare()
            return 0.0 if busy else left
        self._sounding = None
        if not self._waiting:
            return self._rest(left)
        if not self._prepare():
            self._begin()
        return 0.0

    def _hush(self, keep: Iterable[Cue]) -> None:
        """Forget what has not begun, but for `keep`; stop a sentence that has."""
        self._waiting = deque(keep)
        self._ready = None
        if self._mixer is not None and isinstance(self._sounding, Sentence):
            self._mixer.stop()
            self._sounding = None
            self._ends = self._clock()

    def _prepare(self) -> bool:
        """Get the next sound's bytes, or drop it; say whether there was anything to do."""
        if not self._waiting or self._ready is not None:
            return False
        item, now = self._waiting[0], self._clock()
        half = self._voice_half if isinstance(item, Sentence) else self._device_half
        if self._device_half.due(now) and half.due(now):
            try:
                self._ready = self._fetch(item)
            except HardwareError as error:
                half.fails(error, self._clock())
        if self._ready is None:
            self._waiting.popleft()
        return True

    def _fetch(self, item: Cue | Sentence) -> bytes:
        if isinstance(item, Sentence):
            content = self._voice.wav(item.text, item.language)
            self._voice_half.works()
            return content
        try:
            return item.file.read_bytes()
        except OSError as error:
            raise HardwareError(
                f"the sound {item.file.stem} cannot be read: {error}", "sound"
            ) from error

    def _begin(self) -> None:
        """Start the sound that is ready; the mixer is opened if need be, or given up."""
        item, content, self._ready = self._waiting.popleft(), self._ready, None
        if content is None:
            return
        try:
            if self._mixer is None:
                self._mixer = self._open_mixer()
            length = self._mixer.start(content, item.volume)
        except HardwareError as error:
            self._close_mixer()
            self._device_half.fails(error, self._clock())
            return
        self._device_half.works()
        self._sounding = item
        self._ends = self._clock() + length + GAP

    def _rest(self, left: float) -> float | None:
        """Nothing sounds or waits: close what is open in time; `left` is negative by then."""
        if self._mixer is not None:
            left += DRAIN if self._closing else IDLE
            if left > 0:
                return left
            self._close_mixer()
        if self._closing:
            self._voice.close()
        return None

    def _close_mixer(self) -> None:
        if self._mixer is not None:
            self._mixer.close()
            self._mixer = None


class Loudspeaker:
    """Cues and sentences on the sound device, as `hardware.Speaker`.

    `report` is told of a device or an engine that does not work, from another thread and once
    until it has worked again; meanwhile its sounds are dropped, and one of them every ten
    seconds is a new try. Cues do without a voice; only while an engine hangs do they wait, six
    seconds at most. `close` hushes all but the cues asked for.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: Voice,
        *,
        open_mixer: Callable[[], Mixer] = PygameMixer,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._player = Player(report, voice, open_mixer, clock)
        self._volume = 1.0
        self._closed = False
        self._inbox: list[Cue | Sentence | Order] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def play(self, sound: str) -> None:
        """Play `sounds/<sound>.wav` after what is playing.

        Raises HardwareError if there is no such sound, or after `close`.
        """
        try:
            file = sounds.path(sound)
        except FileNotFoundError as error:
            raise HardwareError(str(error)) from error
        self._sound(Cue(file, self._volume))

    def say(self, text: str, language: str) -> None:
        """Speak `text` (`language`: "en" or "fr") after what is playing.

        Raises HardwareError if no voice speaks that language, or after `close`.
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        self._sound(Sentence(text, language, self._volume))

    def hush(self) -> None:
        """Forget everything that has not begun to sound, and stop a sentence, but no cue."""
        if not self._closed:
            self._put(Order.HUSH)

    def set_volume(self, percent: int) -> None:
        """Set the loudness of all that follows, 0 to 100: 0 is silence. Raises ValueError."""
        if not 0 <= percent <= 100:  # noqa: PLR2004 - per cent
            raise ValueError(f"the volume is 0 to 100, not {percent}")
        level = QUIETEST * (1 - percent / 100)
        self._volume = 10 ** (level / 20) if percent else 0.0

    def close(self) -> None:
        """Let the sound device go, once the cues asked for have sounded; safe to call twice."""
        if not self._closed:
            self._closed = True
            self._put(Order.CLOSE)

    def _sound(self, item: Cue | Sentence) -> None:
        if self._closed:
            raise HardwareError("the speaker is closed")
        if item.volume:
            self._put(item)

    def _put(self, order: Cue | Sentence | Order) -> None:
        with self._changed:
            self._inbox.append(order)
            self._changed.notify()
            if self._thread is None:
                # No daemon: a goodbye is heard to its end although the program is leaving.
                self._thread = threading.Thread(target=self._work, name="speaker")
                self._thread.start()

    def _work(self) -> None:
        """Sound what is ordered until nothing is left to do; what comes later starts anew."""
        wait: float | None = 0.0
        try:
            while self._take(wait):
                wait = self._player.step()
        finally:
            # Also after an error in `report`: the next sound must find a way.
            with self._changed:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _take(self, wait: float | None) -> bool:
        """Hand over what was ordered, waiting `wait` seconds for it; False if all is done."""
        with self._changed:
            if wait is None and not self._inbox:
                self._thread = None
                return False
            self._changed.wait_for(lambda: self._inbox, wait or 0.0)
            orders, self._inbox = self._inbox, []
        self._player.take(orders)
        return True
