"""A loudspeaker: sounds and sentences, one after the other, on pygame's mixer.

`Loudspeaker` implements the port. Its methods put an order into an inbox and return. `player.py`
decides, as a function of the inbox and a clock, what sounds when; `PygameMixer` plays it;
`synthesis_queue.py` makes the sentences on other threads. All threads end when there is nothing to
do: an idle speaker has no open mixer (an open one wakes the processor 43 times a second), no
thread, and no wake-ups. The sound card appears later than the box after power-on: sounds wait for
it.

pygame is imported on that thread, with the first sound. Import all other slow libraries (above all
gpiozero) before it: importing both at the same time has crashed.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import time
import wave
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import sounds
from hardware.ports import COMMON_RANK, FIRST_RANK, HardwareError, Respellings
from hardware.sound.cards import alsa_name, find_card, sound_cards
from hardware.sound.player import Clip, ClipPlayer, DeviceNotReadyError, Mixer, Order, Retraction
from hardware.sound.speech import split_sentences
from hardware.sound.synthesis_queue import QueuedSentence, SynthesisQueue, SynthesisVoice
from hardware.sound.voices import LANGUAGES

QUIETEST_DECIBELS: Final = -30.0
"""The level of volume 1, in dB relative to volume 100; the volumes between have equal steps."""

QUIET_PERCENT: Final = 40
"""The volume in percent below which the differences between sounds are halved."""
LOUDEST_DBFS: Final = -14.0
"""The level (dBFS) of the loudest sounds, from which the differences are measured."""

SOUND_CARD_TIMEOUT_SECONDS: Final = 20.0
"""The time in seconds after the start within which a sound card may appear."""
ALSA_DEVICES_FOLDER: Final = Path("/dev/snd")

_RATE: Final = 44_100
_BUFFER: Final = 1024
_HUSHES: Final = (Order.HUSH, Order.MAKE_WAY)


def _stays(item: Clip | QueuedSentence | Order | Retraction) -> bool:
    """Return True if a waiting order remains when the others are dropped."""
    return isinstance(item, Order | Retraction) or item.rank == FIRST_RANK


@cache
def _level(file: Path) -> float:
    """Return the RMS level (dBFS) of the loudest 200 ms of a 16-bit mono WAV file.

    Raise OSError, or wave.Error if it is not a WAV file.
    """
    # imported here, since only a quiet box measures loudness
    from hardware.sound.engines import measure_loudness  # noqa: PLC0415

    with wave.open(str(file)) as read:
        return measure_loudness(array("h", read.readframes(read.getnframes())), read.getframerate())


@contextlib.contextmanager
def _select_card(device: str) -> Iterator[None]:
    """Make SDL open a sound card with ALSA inside the `with` block; "": the default of SDL."""
    names = ("SDL_AUDIODRIVER", "AUDIODEV")
    before = {name: os.environ[name] for name in names if name in os.environ}
    if device:
        os.environ.setdefault("SDL_AUDIODRIVER", "alsa")
        os.environ["AUDIODEV"] = alsa_name(device)
    try:
        yield
    finally:
        for name in names:
            os.environ.pop(name, None)
        os.environ.update(before)


class PygameMixer:
    """A sound card, or the default one, through pygame.

    Raise HardwareError if it cannot be opened.
    """

    def __init__(self, device: str = "") -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            # imported here, since it is slow to import and may be missing
            import pygame.mixer  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise HardwareError.from_reason("no_mixer", "sound", why=error) from error
        except ImportError as error:  # a library of the system is missing
            raise HardwareError.from_reason("no_library", "sound", why=error) from error
        self._error = pygame.error
        self._mixer = pygame.mixer
        try:
            with _select_card(device):
                self._mixer.init(_RATE, -16, 1, _BUFFER, allowedchanges=0)
        except self._error as error:
            if device:
                raise HardwareError.from_reason(
                    "card_gone", "sound", device=device, why=error
                ) from error
            raise HardwareError.from_reason("no_card", "sound", why=error) from error

    def start(self, wav: bytes, volume: float) -> float:
        """Begin to play; see `Mixer`. Raise HardwareError."""
        try:
            sound = self._mixer.Sound(file=io.BytesIO(wav))
            sound.set_volume(volume)
            sound.play()
            return sound.get_length()
        except self._error as error:
            raise HardwareError.from_reason("no_sound", "sound", why=error) from error

    def stop(self) -> None:
        """Interrupt the present sound."""
        with contextlib.suppress(self._error):  # the device has gone, so it is silent
            self._mixer.stop()

    def close(self) -> None:
        """Release the device."""
        self._mixer.quit()


def has_device(folder: Path = ALSA_DEVICES_FOLDER, device: str = "") -> bool:
    """Return True if ALSA has a device to play on that this user may open.

    `device` is the name of a sound card, which must exist. With "" or an ALSA name (which has a
    colon) any card is enough. Return True if SDL_AUDIODRIVER names a sound system other than ALSA.
    """
    if os.environ.get("SDL_AUDIODRIVER") != "alsa":
        return True
    files = "pcmC*p"
    if device and ":" not in device:
        card = find_card(device)
        files = "" if card is None else f"pcmC{card.number}D*p"
    return bool(files) and any(os.access(file, os.W_OK) for file in folder.glob(files))


def make_patient_opener(
    open_mixer: Callable[[], Mixer],
    clock: Callable[[], float],
    there: Callable[[], bool] = has_device,
) -> Callable[[], Mixer]:
    """Return a function that opens the sound device when it appears.

    After SOUND_CARD_TIMEOUT_SECONDS it is opened anyway. The function raises DeviceNotReadyError,
    or the exception of `open_mixer`. It does not call SDL or ALSA before the device appears,
    because both cache what they find first.
    """
    until = clock() + SOUND_CARD_TIMEOUT_SECONDS

    def open_when_ready() -> Mixer:
        if clock() < until and not there():
            raise DeviceNotReadyError("There is no sound device yet.", "sound")
        return open_mixer()

    return open_when_ready


class Loudspeaker:
    """Sounds and sentences on the sound device, as `hardware.Speaker`.

    - `report`: called with the error of a device or an engine that fails, from another thread, and
      once until it works again. Sounds are dropped until then; every ten seconds one of them is a
      new attempt.
    - `folders`: searched for sounds that `sounds/` does not have.
    - `sets`: the folder with the owner's sound sets, one folder each; None: there is no choice.
    - `device`: the sound card until another one is chosen, "" for the machine's default. With
      `open_mixer` there is no choice.
    - `always`: return the sentences of a language that never change, which a slow voice prepares.

    Sounds do not need a voice; if an engine hangs, they wait a second or two, once. `close` drops
    everything but the sounds that were queued.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: SynthesisVoice,
        *,
        folders: Sequence[Path] = (),
        sets: Path | None = None,
        device: str = "",
        open_mixer: Callable[[], Mixer] | None = None,
        clock: Callable[[], float] = time.monotonic,
        always: Callable[[str], Iterable[str]] = lambda _: (),
    ) -> None:
        self._voice, self._folders, self._always = voice, tuple(folders), always
        self._sets = sets
        self._set: Path | None = None
        self._queue = SynthesisQueue(report, voice, self._wake, clock, self._fixed_sentences)
        self._chooses, self._usual, self._output = open_mixer is None, device, ""
        opener = make_patient_opener(open_mixer or self._open, clock, self._is_there)
        self._player = ClipPlayer(report, self._queue.begin, self._queue.close, opener, clock)
        self._volume, self._percent = 1.0, 100
        self._closed = False
        self._inbox: list[Clip | QueuedSentence | Order | Retraction] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Queue the sound `<sound>.wav`.

        Raise HardwareError if it does not exist, or after `close`.
        """
        try:
            file = sounds.sound_path(sound, *self._folders, chosen=self._set)
        except FileNotFoundError as error:
            raise HardwareError(str(error)) from error
        self._sound(Clip(file, self._volume * self._cue_gain(file), rank))

    def _cue_gain(self, file: Path) -> float:
        """Return the gain of a sound: at a low volume soft sounds are amplified.

        Half of the difference between the ranks of sounds remains, and the softest stay audible.
        """
        if self._percent >= QUIET_PERCENT:
            return 1.0
        with contextlib.suppress(OSError, EOFError, wave.Error):  # the player reports the error
            return float(10 ** (max(LOUDEST_DBFS - _level(file), 0.0) / 2 / 20))
        return 1.0

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        """Queue the sentence `text` in a language ("en" or "fr").

        Raise HardwareError if no voice speaks that language, or after `close`.
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        for part in split_sentences(text):
            self._sound(QueuedSentence(part, language, self._volume, rank=rank))

    def pronounce(self, names: Respellings) -> None:
        """Speak these names as respelled, from now on."""
        self._voice.pronounce(names)

    @property
    def looks_ahead(self) -> bool:
        """Return True if the chosen voice of any language is slow, as `SynthesisVoice.is_slow`."""
        return any(map(self._voice.is_slow, LANGUAGES))

    def voices(self, language: str) -> tuple[str, ...]:
        """Return the names of the voices of a language, the default first."""
        return tuple(choice.name for choice in self._voice.choices(language))

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the sound cards that are present now."""
        return tuple(card.name for card in sound_cards()) if self._chooses else ()

    def use(self, output: str) -> None:
        """Play on the sound card of that name from now on; "" is the default."""
        if self._chooses and output != self._output:
            self._output = output
            self._put(Order.REOPEN)

    def sound_sets(self) -> dict[str, Path]:
        """Return the folders of the available sound sets, by name."""
        return {} if self._sets is None else sounds.sound_sets(self._sets)

    def use_sounds(self, folder: Path | None) -> None:
        """Play the sounds of that folder from now on. None, and gaps: the default sounds."""
        self._set = folder

    def _open(self) -> Mixer:
        return PygameMixer(self._output or self._usual)

    def _is_there(self) -> bool:
        return has_device(device=self._output or self._usual)

    def choose(self, language: str, voice: str, speed: int) -> None:
        """Speak a language with a voice ("" for the default), at `speed` words a minute.

        Raise HardwareError if the voice does not exist; the default speaks then.
        """
        self._queue.reset()
        self._voice.choose(language, voice, speed)

    def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Prepare texts, each with its language, if their voice is slow."""
        parts = [(part, language) for text, language in sentences for part in split_sentences(text)]
        slow = [
            QueuedSentence(*sentence, 1.0) for sentence in parts if self._voice.is_slow(sentence[1])
        ]
        self._queue.expect(slow)

    def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Drop everything, and speak with that voice only, however slow it is."""
        self.hush()
        for text in texts:
            for part in split_sentences(text):
                self._sound(QueuedSentence(part, language, self._volume, voice))

    def _fixed_sentences(self) -> Iterator[QueuedSentence]:
        """Yield the sentences that never change, in the languages of slow voices."""
        for language in filter(self._voice.is_slow, LANGUAGES):
            yield from (QueuedSentence(text, language, 1.0) for text in self._always(language))

    def hush(self, *, keep: bool = False) -> None:
        """Drop everything that has not begun to sound, and stop a sentence, but no sound.

        `keep`: nothing of the rank FIRST_RANK is dropped or stopped.
        """
        if not self._closed:
            self._put(Order.MAKE_WAY if keep else Order.HUSH)

    def retract(self, texts: Iterable[str]) -> None:
        """Drop or stop sentences that became untrue, whatever their rank."""
        order = Retraction(frozenset(part for text in texts for part in split_sentences(text)))
        if not self._closed:
            with self._changed:
                self._inbox = [item for item in self._inbox if not order.matches(item)]
            self._put(order)

    def set_volume(self, percent: int) -> None:
        """Set the volume in percent, 0 to 100, for everything that follows. Raise ValueError."""
        if not 0 <= percent <= 100:  # noqa: PLR2004 - per cent
            raise ValueError(f"the volume is 0 to 100, not {percent}")
        self._percent = percent
        level = QUIETEST_DECIBELS * (1 - percent / 100)
        self._volume = 10 ** (level / 20) if percent else 0.0

    def close(self) -> None:
        """Release the sound device after the queued sounds have been played; safe to call twice."""
        if not self._closed:
            self._closed = True
            self._put(Order.CLOSE)

    def _sound(self, item: Clip | QueuedSentence) -> None:
        if self._closed:
            raise HardwareError("the speaker is closed")
        if item.volume:
            self._put(item)

    def _put(self, order: Clip | QueuedSentence | Order | Retraction) -> None:
        with self._changed:
            if isinstance(order, Order) and order in _HUSHES:  # it has not begun to sound
                queued = () if order is Order.HUSH else self._inbox
                self._inbox = [item for item in queued if _stays(item)]
            self._inbox.append(order)
            self._changed.notify()
            if self._thread is None:
                # no daemon thread: a goodbye is played to its end while the program exits
                self._thread = threading.Thread(target=self._work, name="speaker")
                self._thread.start()

    def _wake(self) -> None:
        """Have the player check its queue: a sentence has been synthesised."""
        with self._changed:
            if self._thread is not None:
                self._inbox.append(Order.LOOK)
                self._changed.notify()

    def _work(self) -> None:
        """Play what is queued until nothing is left; a later order starts a new thread."""
        wait: float | None = 0.0
        try:
            while self._take(wait):
                wait = self._player.step()
        finally:
            # also after an error in `report`, so that the next sound can play
            with self._changed:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _take(self, wait: float | None) -> bool:
        """Pass new orders on, waiting `wait` seconds for one; return False if all is done."""
        with self._changed:
            if wait is None and not self._inbox:
                self._thread = None
                return False
            self._changed.wait_for(lambda: self._inbox, wait or 0.0)
            orders, self._inbox = self._inbox, []
        self._player.take(orders)
        return True
