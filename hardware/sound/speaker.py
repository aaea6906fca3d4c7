"""A loudspeaker that plays sounds and sentences one after another, with pygame's mixer.

`Loudspeaker` implements the port `Speaker`. Each method of `Loudspeaker` puts an order into an
inbox and returns. `playback_queue.py` decides when each sound begins. `PygameSoundDevice` plays the
sounds. `synthesis_queue.py` synthesises the sentences on other threads.

All threads end when there is no work. An idle speaker therefore has no thread and no open mixer,
and the processor can sleep. An open mixer would wake the processor 43 times a second.

After power-on, the box starts before the sound card is ready. All sounds wait for the sound card.

The thread of the speaker imports pygame when it plays the first sound. Import all other slow
libraries before the first sound, above all gpiozero: a simultaneous import of pygame and gpiozero
has crashed.
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
from hardware.sound.cards import alsa_name_of_card, find_card_by_kernel_name, playback_sound_cards
from hardware.sound.playback_queue import (
    PlaybackQueue,
    QueuedSound,
    SentenceRemoval,
    SoundDeviceNotReadyError,
    SoundDevicePort,
    SpeakerCommand,
)
from hardware.sound.speech import split_into_sentences
from hardware.sound.synthesis_queue import QueuedSentence, SpeechSynthesisPort, SynthesisQueue
from hardware.sound.voices import LANGUAGES

QUIETEST_DECIBELS: Final = -30.0
"""Level (dB) of a volume just above 0, relative to the volume 100.

The volume 0 is silent. Equal steps of the volume change the level by an equal number of decibels.
"""

QUIET_PERCENT: Final = 40
"""Volume (percent) below which soft sounds are amplified (see `_cue_gain`)."""
LOUDEST_DBFS: Final = -14.0
"""Level (dBFS) of the loudest sounds. At a low volume, softer sounds come closer to this level."""

SOUND_CARD_TIMEOUT_SECONDS: Final = 20.0
"""Maximum number of seconds for which a starting speaker waits for a sound card."""
ALSA_DEVICES_FOLDER: Final = Path("/dev/snd")

_RATE: Final = 44_100
_BUFFER: Final = 1024
_HUSHES: Final = (SpeakerCommand.HUSH, SpeakerCommand.KEEP_FIRST_RANK)


def _stays(item: QueuedSound | QueuedSentence | SpeakerCommand | SentenceRemoval) -> bool:
    """Return True if `item` stays in the inbox when `KEEP_FIRST_RANK` drops other items."""
    return isinstance(item, SpeakerCommand | SentenceRemoval) or item.rank == FIRST_RANK


@cache
def _level(file: Path) -> float:
    """Return the RMS level (dBFS) of the loudest 200 ms of a 16-bit mono WAV file.

    Raise OSError if the file cannot be read, and wave.Error if the file is not a WAV file.
    """
    # import late: only a low volume needs this module
    from hardware.sound.engines import loudest_rms_level  # noqa: PLC0415

    with wave.open(str(file)) as read:
        return loudest_rms_level(
            array("h", read.readframes(read.getnframes())), read.getframerate()
        )


@contextlib.contextmanager
def _select_card(device: str) -> Iterator[None]:
    """Make SDL open the sound card `device` inside the `with` block.

    If `device` is "", SDL opens the default card.
    """
    names = ("SDL_AUDIODRIVER", "AUDIODEV")
    before = {name: os.environ[name] for name in names if name in os.environ}
    if device:
        os.environ.setdefault("SDL_AUDIODRIVER", "alsa")
        os.environ["AUDIODEV"] = alsa_name_of_card(device)
    try:
        yield
    finally:
        for name in names:
            os.environ.pop(name, None)
        os.environ.update(before)


class PygameSoundDevice:
    """A `SoundDevicePort` that plays with pygame on the sound card `device`.

    If `device` is "", the default sound card plays. Raise HardwareError if the sound card cannot be
    opened.
    """

    def __init__(self, device: str = "") -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            # import late: pygame is slow to import and may be missing
            import pygame.mixer  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise HardwareError.from_reason("no_mixer", "sound", why=error) from error
        except ImportError as error:  # pygame lacks a library of the operating system
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

    def play_wav(self, wav: bytes, volume: float) -> float:
        """Begin to play a WAV file at `volume` (0.0 to 1.0); return the sound's length in seconds.

        Raise HardwareError if the sound cannot be played.
        """
        try:
            sound = self._mixer.Sound(file=io.BytesIO(wav))
            sound.set_volume(volume)
            sound.play()
            return sound.get_length()
        except self._error as error:
            raise HardwareError.from_reason("no_sound", "sound", why=error) from error

    def stop(self) -> None:
        """Interrupt the current sound."""
        with contextlib.suppress(self._error):  # a closed mixer plays no sound
            self._mixer.stop()

    def close(self) -> None:
        """Release the sound card."""
        self._mixer.quit()


def has_usable_sound_device(folder: Path = ALSA_DEVICES_FOLDER, device: str = "") -> bool:
    """Return True if ALSA has a device that can play and that this user may open.

    `device` is the kernel name of the sound card that must exist. If `device` is "" or an ALSA
    name, which has a colon, any card is enough. If the environment variable SDL_AUDIODRIVER names a
    sound system other than ALSA, return True.
    """
    if os.environ.get("SDL_AUDIODRIVER") != "alsa":
        return True
    files = "pcmC*p"
    if device and ":" not in device:
        card = find_card_by_kernel_name(device)
        files = "" if card is None else f"pcmC{card.number}D*p"
    return bool(files) and any(os.access(file, os.W_OK) for file in folder.glob(files))


def make_sound_device_opener(
    open_mixer: Callable[[], SoundDevicePort],
    clock: Callable[[], float],
    there: Callable[[], bool] = has_usable_sound_device,
) -> Callable[[], SoundDevicePort]:
    """Return a function that opens the sound device, or raises an error if the device is missing.

    During the first SOUND_CARD_TIMEOUT_SECONDS, the returned function raises
    SoundDeviceNotReadyError as long as `there` returns False. An earlier call of SDL or ALSA would
    make these libraries remember that the device is missing. After this time, the returned function
    calls `open_mixer` without a check.

    `there`: function that returns True if the device exists.
    """
    until = clock() + SOUND_CARD_TIMEOUT_SECONDS

    def open_when_ready() -> SoundDevicePort:
        if clock() < until and not there():
            raise SoundDeviceNotReadyError("There is no sound device yet.", "sound")
        return open_mixer()

    return open_when_ready


class Loudspeaker:
    """Speaker that plays sounds and sentences on a sound device (see `hardware.ports.Speaker`).

    - `report`: function that another thread calls with the error of a device or an engine that
      fails. A second failure of a device is reported only after the device has worked.
    - `voice`: the voice that synthesises the sentences.
    - `folders`: more folders with sounds, in addition to the folder `sounds/`.
    - `sets`: the folder that contains a folder for each sound set of the owner. If `sets` is None,
      the user cannot choose between sound sets.
    - `device`: the sound card to use until `use_sound_card` selects another card, or "" for the
      machine's default.
    - `open_mixer`: function that opens the sound device. If `open_mixer` is given, the user cannot
      choose between sound cards.
    - `always`: function that returns the sentences of a language that never change. A slow voice
      prepares these sentences in advance.

    After a failure of the device, sounds are dropped, and the speaker tries again every ten
    seconds. If an engine hangs, the sounds wait for the engine once, for one or two seconds.
    `close` drops all items except queued sounds.
    """

    def __init__(
        self,
        report: Callable[[HardwareError], None],
        voice: SpeechSynthesisPort,
        *,
        folders: Sequence[Path] = (),
        sets: Path | None = None,
        device: str = "",
        open_mixer: Callable[[], SoundDevicePort] | None = None,
        clock: Callable[[], float] = time.monotonic,
        always: Callable[[str], Iterable[str]] = lambda _: (),
    ) -> None:
        self._voice, self._folders, self._always = voice, tuple(folders), always
        self._sets = sets
        self._set: Path | None = None
        self._queue = SynthesisQueue(report, voice, self._wake, clock, self._fixed_sentences)
        self._chooses, self._usual, self._output = open_mixer is None, device, ""
        opener = make_sound_device_opener(open_mixer or self._open, clock, self._is_there)
        self._player = PlaybackQueue(
            report, self._queue.begin_synthesis, self._queue.close, opener, clock
        )
        self._volume, self._percent = 1.0, 100
        self._closed = False
        self._inbox: list[QueuedSound | QueuedSentence | SpeakerCommand | SentenceRemoval] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Queue the sound in the file `<sound>.wav`.

        Raise HardwareError if the sound does not exist, or if the speaker is closed.
        """
        try:
            file = sounds.find_sound_file(sound, *self._folders, chosen=self._set)
        except FileNotFoundError as error:
            raise HardwareError(str(error)) from error
        self._sound(QueuedSound(file, self._volume * self._cue_gain(file), rank))

    def _cue_gain(self, file: Path) -> float:
        """Return the gain of a sound file. At a low volume, the gain amplifies soft sounds.

        The gain halves the difference in level (dB) between a sound and the loudest sounds.
        """
        if self._percent >= QUIET_PERCENT:
            return 1.0
        # ignore an unreadable file: `PlaybackQueue` reports the error when the file is played
        with contextlib.suppress(OSError, EOFError, wave.Error):
            return float(10 ** (max(LOUDEST_DBFS - _level(file), 0.0) / 2 / 20))
        return 1.0

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        """Queue the sentence `text` in the language "en" or "fr".

        Raise HardwareError if no voice speaks this language, or if the speaker is closed.
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        for part in split_into_sentences(text):
            self._sound(QueuedSentence(part, language, self._volume, rank=rank))

    def use_respellings(self, names: Respellings) -> None:
        """In all later sentences, replace each name in `names` with the name's respelling."""
        self._voice.use_respellings(names)

    @property
    def has_slow_voice(self) -> bool:
        """Return True if the chosen voice of at least one language is slow."""
        return any(map(self._voice.is_slow_voice, LANGUAGES))

    def voice_names(self, language: str) -> tuple[str, ...]:
        """Return the names of the voices of a language; the default voice is first."""
        return tuple(choice.name for choice in self._voice.voice_choices_for_language(language))

    def sound_card_names(self) -> tuple[str, ...]:
        """Return the names of the connected sound cards, or () if the user has no choice."""
        return tuple(card.name for card in playback_sound_cards()) if self._chooses else ()

    def use_sound_card(self, output: str) -> None:
        """Play on the sound card `output` from now on.

        If `output` is "", play on the sound card that the speaker used at first.
        """
        if self._chooses and output != self._output:
            self._output = output
            self._put(SpeakerCommand.REOPEN)

    def sound_sets(self) -> dict[str, Path]:
        """Return a table from the name of each available sound set to the folder of the set."""
        return {} if self._sets is None else sounds.sound_set_folders_by_name(self._sets)

    def use_sound_set(self, folder: Path | None) -> None:
        """Play the sounds in `folder` from now on; None selects the default sounds.

        If `folder` lacks a sound, play the default sound.
        """
        self._set = folder

    def _open(self) -> SoundDevicePort:
        return PygameSoundDevice(self._output or self._usual)

    def _is_there(self) -> bool:
        return has_usable_sound_device(device=self._output or self._usual)

    def choose_voice(self, language: str, voice: str, speed: int) -> None:
        """Speak `language` with `voice` from now on, at `speed` words a minute.

        If `voice` is "", use the default voice. If `voice` does not exist, use the default voice
        and raise HardwareError.
        """
        self._queue.reset_for_new_voice()
        self._voice.choose_voice(language, voice, speed)

    def prepare_slow_sentences(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Prepare sentences whose voice is slow. `sentences`: pairs of a text and its language."""
        parts = [
            (part, language) for text, language in sentences for part in split_into_sentences(text)
        ]
        slow = [
            QueuedSentence(*sentence, 1.0)
            for sentence in parts
            if self._voice.is_slow_voice(sentence[1])
        ]
        self._queue.prepare_sentences_with_slow_voice(slow)

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Drop all queued items, and speak `texts` with `voice`, even if the voice is slow."""
        self.stop_and_clear()
        for text in texts:
            for part in split_into_sentences(text):
                self._sound(QueuedSentence(part, language, self._volume, voice))

    def _fixed_sentences(self) -> Iterator[QueuedSentence]:
        for language in filter(self._voice.is_slow_voice, LANGUAGES):
            yield from (QueuedSentence(text, language, 1.0) for text in self._always(language))

    def stop_and_clear(self, *, keep: bool = False) -> None:
        """Drop waiting items and stop the current sentence, with three exceptions.

        - A sentence that ends within `MAX_UNSTOPPED_REMAINDER_SECONDS` is not stopped.
        - A current sound is not stopped.
        - If `keep` is True, sounds and sentences of the rank FIRST_RANK are neither dropped nor
          stopped.
        """
        if not self._closed:
            self._put(SpeakerCommand.KEEP_FIRST_RANK if keep else SpeakerCommand.HUSH)

    def drop_sentences(self, texts: Iterable[str]) -> None:
        """Drop or stop the sentences `texts`, because these sentences became untrue.

        The rank of a sentence makes no difference.
        """
        order = SentenceRemoval(
            frozenset(part for text in texts for part in split_into_sentences(text))
        )
        if not self._closed:
            with self._changed:
                self._inbox = [item for item in self._inbox if not order.should_remove_item(item)]
            self._put(order)

    def set_volume(self, percent: int) -> None:
        """Set the volume of all later sounds and sentences, in percent from 0 to 100.

        Raise ValueError if `percent` is out of range.
        """
        if not 0 <= percent <= 100:  # noqa: PLR2004 - per cent
            raise ValueError(f"the volume is 0 to 100, not {percent}")
        self._percent = percent
        level = QUIETEST_DECIBELS * (1 - percent / 100)
        self._volume = 10 ** (level / 20) if percent else 0.0

    def close(self) -> None:
        """Play the queued sounds, and release the sound device; safe to call twice."""
        if not self._closed:
            self._closed = True
            self._put(SpeakerCommand.CLOSE)

    def _sound(self, item: QueuedSound | QueuedSentence) -> None:
        if self._closed:
            raise HardwareError("the speaker is closed")
        if item.volume:
            self._put(item)

    def _put(self, order: QueuedSound | QueuedSentence | SpeakerCommand | SentenceRemoval) -> None:
        with self._changed:
            if isinstance(order, SpeakerCommand) and order in _HUSHES:  # drop waiting items
                queued = () if order is SpeakerCommand.HUSH else self._inbox
                self._inbox = [item for item in queued if _stays(item)]
            self._inbox.append(order)
            self._changed.notify()
            if self._thread is None:
                # no daemon thread: the program waits for the end of the last sound
                self._thread = threading.Thread(target=self._work, name="speaker")
                self._thread.start()

    def _wake(self) -> None:
        with self._changed:
            if self._thread is not None:
                self._inbox.append(SpeakerCommand.CHECK_QUEUE)
                self._changed.notify()

    def _work(self) -> None:
        wait: float | None = 0.0
        try:
            while self._take(wait):
                wait = self._player.begin_or_prepare_due_item()
        finally:
            # let the next sound start a new thread, even after an exception
            with self._changed:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _take(self, wait: float | None) -> bool:
        """Wait up to `wait` seconds for orders, and pass the orders to the `PlaybackQueue`.

        Return False if all work is done.
        """
        with self._changed:
            if wait is None and not self._inbox:
                self._thread = None
                return False
            self._changed.wait_for(lambda: self._inbox, wait or 0.0)
            orders, self._inbox = self._inbox, []
        self._player.accept_items_and_commands(orders)
        return True
