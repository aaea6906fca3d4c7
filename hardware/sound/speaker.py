"""A loudspeaker: cues and sentences, one after the other, on pygame's mixer.

`Loudspeaker` is the port. Its calls put a line into an inbox and return; `player.py` decides,
as a function of that inbox and a clock, what sounds when; `PygameMixer` sounds it, and sentences
are made beside (`synthesis.py`). The threads between them live only while there is something
to do: an idle speaker has no open mixer (an open one wakes the processor 43 times a second) and no
thread, and wakes up zero times a second. The sound card comes later than the box after power-on:
what is to sound waits for it.

pygame is imported on that thread, with the first sound. Import everything else that is slow
(gpiozero above all) before it: the two imports at once have crashed.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import time
import wave
from array import array
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sounds
from hardware.ports import COMMON, FIRST, HardwareError
from hardware.sound.cards import alsa_name, card_of, cards
from hardware.sound.player import Clip, ClipPlayer, NotYetError, Order, Retraction
from hardware.sound.speech import parts
from hardware.sound.synthesis import QueuedSentence, SynthesisQueue
from hardware.sound.voices import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hardware.ports import Names
    from hardware.sound.player import Mixer
    from hardware.sound.synthesis import SynthesisVoice

QUIETEST: Final = -30.0
"""The level of volume 1, in dB under volume 100; the steps between sound equally wide."""

QUIET: Final = 40
"""The volume (percent) under which the distances between cues are halved."""
LOUDEST: Final = -14.0
"""The level (dBFS) of the loudest cues, from which the distances are measured."""

PATIENCE: Final = 20.0
"""Seconds from the box's start within which a sound card may come."""
DEVICES: Final = Path("/dev/snd")

_RATE: Final = 44_100
_BUFFER: Final = 1024
_HUSHES: Final = (Order.HUSH, Order.MAKE_WAY)


def _stays(item: Clip | QueuedSentence | Order | Retraction) -> bool:
    """Whether an order that waits stays when others make way."""
    return isinstance(item, Order | Retraction) or item.rank == FIRST


@cache
def _level(file: Path) -> float:
    """Return the RMS level (dBFS) of the loudest 200 ms of a 16-bit mono WAV file.

    Raises OSError, or wave.Error if it is no WAV file.
    """
    # Here and not above: only a quiet box measures.
    from hardware.sound.engines import loudness  # noqa: PLC0415

    with wave.open(str(file)) as read:
        return loudness(array("h", read.readframes(read.getnframes())), read.getframerate())


@contextlib.contextmanager
def _select_card(device: str) -> Iterator[None]:
    """Have SDL open that sound card with ALSA, while this lasts; "": what it opens by itself."""
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
    """A sound card, or the default one, through pygame. Raises HardwareError if it cannot be."""

    def __init__(self, device: str = "") -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            # Here and not above: it is slow to import, and may be absent.
            import pygame.mixer  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise HardwareError.of("no_mixer", "sound", why=error) from error
        except ImportError as error:  # the system has not all that it needs
            raise HardwareError.of("no_library", "sound", why=error) from error
        self._error = pygame.error
        self._mixer = pygame.mixer
        try:
            with _select_card(device):
                self._mixer.init(_RATE, -16, 1, _BUFFER, allowedchanges=0)
        except self._error as error:
            if device:
                raise HardwareError.of("card_gone", "sound", device=device, why=error) from error
            raise HardwareError.of("no_card", "sound", why=error) from error

    def start(self, wav: bytes, volume: float) -> float:
        """Begin to play; see `Mixer`. Raises HardwareError."""
        try:
            sound = self._mixer.Sound(file=io.BytesIO(wav))
            sound.set_volume(volume)
            sound.play()
            return sound.get_length()
        except self._error as error:
            raise HardwareError.of("no_sound", "sound", why=error) from error

    def stop(self) -> None:
        """Cut off what is playing."""
        with contextlib.suppress(self._error):  # the device has gone: nothing sounds
            self._mixer.stop()

    def close(self) -> None:
        """Let the device go."""
        self._mixer.quit()


def is_there(folder: Path = DEVICES, device: str = "") -> bool:
    """Return True if ALSA has a device to play on that this user may open.

    device: the name of a sound card, which must be the one; "" and ALSA's own names, which have a
    colon, are content with any. True where SDL_AUDIODRIVER names another sound system than ALSA.
    """
    if os.environ.get("SDL_AUDIODRIVER") != "alsa":
        return True
    files = "pcmC*p"
    if device and ":" not in device:
        card = card_of(device)
        files = "" if card is None else f"pcmC{card.number}D*p"
    return bool(files) and any(os.access(file, os.W_OK) for file in folder.glob(files))


def patient_opener(
    open_mixer: Callable[[], Mixer],
    clock: Callable[[], float],
    there: Callable[[], bool] = is_there,
) -> Callable[[], Mixer]:
    """A function that opens the sound device, once it is there or `PATIENCE` is over.

    That function raises NotYetError, or what `open_mixer` raises. Before the device is there
    neither SDL nor ALSA is asked: they keep what they saw first.
    """
    until = clock() + PATIENCE

    def open_when_ready() -> Mixer:
        if clock() < until and not there():
            raise NotYetError("There is no sound device yet.", "sound")
        return open_mixer()

    return open_when_ready


class Loudspeaker:
    """Cues and sentences on the sound device, as `hardware.Speaker`.

    `report` is told of a device or an engine that does not work, from another thread and once
    until it has worked again; meanwhile its sounds are dropped, and one of them every ten
    seconds is a new try. Cues do without a voice; while an engine hangs they wait for a second or
    two, once. `close` hushes all but the cues asked for. `folders` are searched for sounds that are
    not in `sounds/`; `sets` has the owner's own sets, a folder each, None: there is no set to
    choose. `device` is the sound card until another one is chosen, "" for the machine's default;
    with an `open_mixer` there is none to choose. `always` gives what is always said the same way
    in a language: a slow voice makes it ahead.
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
        opener = patient_opener(open_mixer or self._open, clock, self._is_there)
        self._player = ClipPlayer(report, self._queue.begin, self._queue.close, opener, clock)
        self._volume, self._percent = 1.0, 100
        self._closed = False
        self._inbox: list[Clip | QueuedSentence | Order | Retraction] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def play(self, sound: str, rank: int = COMMON) -> None:
        """Play `<sound>.wav` after what is playing.

        Raises HardwareError if there is no such sound, or after `close`.
        """
        try:
            file = sounds.path(sound, *self._folders, chosen=self._set)
        except FileNotFoundError as error:
            raise HardwareError(str(error)) from error
        self._sound(Clip(file, self._volume * self._cue_gain(file), rank))

    def _cue_gain(self, file: Path) -> float:
        """Return by how much a cue is amplified: a soft one, at a low volume.

        So half the distance between the ranks of cues is left, and the softest are still heard.
        """
        if self._percent >= QUIET:
            return 1.0
        with contextlib.suppress(OSError, EOFError, wave.Error):  # the player reports it
            return float(10 ** (max(LOUDEST - _level(file), 0.0) / 2 / 20))
        return 1.0

    def say(self, text: str, language: str, rank: int = COMMON) -> None:
        """Speak `text` (`language`: "en" or "fr") after what is playing.

        Raises HardwareError if no voice speaks that language, or after `close`.
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        for part in parts(text):
            self._sound(QueuedSentence(part, language, self._volume, rank=rank))

    def pronounce(self, names: Names) -> None:
        """From now on, say these names too as they are respelled."""
        self._voice.pronounce(names)

    @property
    def looks_ahead(self) -> bool:
        """Whether the chosen voice of some language is slow (see `SynthesisVoice.is_slow`)."""
        return any(map(self._voice.is_slow, LANGUAGES))

    def voices(self, language: str) -> tuple[str, ...]:
        """Give the names of the voices of a language, the usual one first."""
        return tuple(choice.name for choice in self._voice.choices(language))

    def outputs(self) -> tuple[str, ...]:
        """Give the names of the sound cards that are there now."""
        return tuple(card.name for card in cards()) if self._chooses else ()

    def use(self, output: str) -> None:
        """Play on the sound card of that name from now on; "" is the usual one."""
        if self._chooses and output != self._output:
            self._output = output
            self._put(Order.REOPEN)

    def sound_sets(self) -> dict[str, Path]:
        """Return the folders of the sets of sounds that can be chosen, by name."""
        return {} if self._sets is None else sounds.sets(self._sets)

    def use_sounds(self, folder: Path | None) -> None:
        """Play the sounds in that folder from now on; None, and what it lacks: the usual ones."""
        self._set = folder

    def _open(self) -> Mixer:
        return PygameMixer(self._output or self._usual)

    def _is_there(self) -> bool:
        return is_there(device=self._output or self._usual)

    def choose(self, language: str, voice: str, speed: int) -> None:
        """From now on, speak a language with that voice, so many words a minute.

        Raises HardwareError if it is not there; then the usual one speaks.
        """
        self._queue.renew()
        self._voice.choose(language, voice, speed)

    def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Have texts, each with its language, made ahead if their voice is slow."""
        found = [(part, language) for text, language in sentences for part in parts(text)]
        slow = [QueuedSentence(*said, 1.0) for said in found if self._voice.is_slow(said[1])]
        self._queue.expect(slow)

    def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Hush, and speak with that voice and no other, however long it takes."""
        self.hush()
        for text in texts:
            for part in parts(text):
                self._sound(QueuedSentence(part, language, self._volume, voice))

    def _fixed_sentences(self) -> Iterator[QueuedSentence]:
        """Give what is always said the same way, in the languages of slow voices."""
        for language in filter(self._voice.is_slow, LANGUAGES):
            yield from (QueuedSentence(text, language, 1.0) for text in self._always(language))

    def hush(self, *, keep: bool = False) -> None:
        """Forget everything that has not begun to sound, and stop a sentence, but no cue.

        `keep`: nothing of the first rank.
        """
        if not self._closed:
            self._put(Order.MAKE_WAY if keep else Order.HUSH)

    def retract(self, texts: Iterable[str]) -> None:
        """Forget sentences that are no longer true, whatever their rank; stop one of them."""
        order = Retraction(frozenset(part for text in texts for part in parts(text)))
        if not self._closed:
            with self._changed:
                self._inbox = [item for item in self._inbox if not order.concerns(item)]
            self._put(order)

    def set_volume(self, percent: int) -> None:
        """Set the loudness of all that follows, 0 to 100: 0 is silence. Raises ValueError."""
        if not 0 <= percent <= 100:  # noqa: PLR2004 - per cent
            raise ValueError(f"the volume is 0 to 100, not {percent}")
        self._percent = percent
        level = QUIETEST * (1 - percent / 100)
        self._volume = 10 ** (level / 20) if percent else 0.0

    def close(self) -> None:
        """Let the sound device go, once the cues asked for have sounded; safe to call twice."""
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
            if isinstance(order, Order) and order in _HUSHES:  # nothing of it has begun to sound
                kept = () if order is Order.HUSH else self._inbox
                self._inbox = [item for item in kept if _stays(item)]
            self._inbox.append(order)
            self._changed.notify()
            if self._thread is None:
                # No daemon: a goodbye is heard to its end although the program is leaving.
                self._thread = threading.Thread(target=self._work, name="speaker")
                self._thread.start()

    def _wake(self) -> None:
        """Have the player look again: a sentence is made, though it may no longer be waited for."""
        with self._changed:
            if self._thread is not None:
                self._inbox.append(Order.LOOK)
                self._changed.notify()

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
