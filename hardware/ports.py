"""Ports of a box: protocols for its buttons, display, speaker and lamps.

This module does not depend on any game. `hardware.mock` has a strict fake of every port.
`hardware.pins.pi`, `hardware.screens.terminal` and `hardware.screens.browser` implement the ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

DISPLAY_WIDTH: Final = 128
"""Number of pixel columns of the display."""
DISPLAY_PAGES: Final = 8
"""Number of pages of the display: strips of eight pixel rows (SSD1306 datasheet, 8.7)."""
BLANK_FRAME: Final = bytes(DISPLAY_WIDTH * DISPLAY_PAGES)
"""Frame in which all pixels are dark."""

UP, DOWN, OK, BACK = "up", "down", "ok", "back"
SEATS: Final = ("seat1", "seat2", "seat3", "seat4")
BUTTONS: Final = (UP, DOWN, OK, BACK, *SEATS)
"""Names of all buttons that a box can have; UP, DOWN, OK and BACK are enough for a game."""

LAMP_OFF, LAMP_ON, BLINK_SLOWLY, BLINK_QUICKLY = "out", "steady", "slow", "quick"
"""States of a lamp: off, on, blinking slowly, blinking quickly."""


MAX_UNSTOPPED_REMAINDER_SECONDS: Final = 0.5
"""Seconds: if at most this time of a sentence remains, `stop_and_clear` lets the sentence end."""
MAX_QUEUED_ITEMS, MAX_QUEUED_IMPORTANT_ITEMS = 12, 32
"""Maximum number of sounds and sentences in a speaker's queue.

If all items have the rank FIRST_RANK, the maximum is MAX_QUEUED_IMPORTANT_ITEMS. A full queue drops
the oldest item of its least important rank.
"""
FIRST_RANK, COMMON_RANK, LAST_RANK = 0, 1, 2
"""Ranks of sounds and sentences, with the most important rank first.

If the parameter `keep` of `Speaker.stop_and_clear` is True, the method neither drops nor stops
items of the rank FIRST_RANK. A speaker that is late (see `Speaker`) drops new items of LAST_RANK.
"""


ShownScreen: TypeAlias = "tuple[str, float, int | None]"
"""Three values about the screen that was on the display before the box started.

The first value is the identifier of the screen's question. The second value is the monotonic time
(s) at which the screen appeared. The third value is the file descriptor from which the box reads
the button presses that were made after the screen appeared. The third value is None if no presses
were recorded.
"""
Respellings: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""Table from a language to a table of names. Each name has a spelling for the voice.

With this spelling, the voice pronounces the name correctly. An example is {"en": {"Kojak":
"Koh-jack"}}.
"""


class HardwareError(OSError):
    """Failure of a display, a speaker, a pin or another part of the box.

    - `part`: the name of the failed part, which is "display", "buttons", "sound", "voice" or "box".
      The part "own_voice" means that another voice replaces the failed voice. The part
      "voice_again" means that a failed voice works again.
    - `reason`, `fields`: the key and the values of a translated sentence for the person who
      assembles the box. `reason` is "" for an error with only an English text.
    """

    def __init__(self, text: str, part: str = "box") -> None:
        super().__init__(text)
        self.part = part
        self.reason = ""
        self.fields: Mapping[str, object] = {}

    @classmethod
    def from_reason(cls, reason: str, part: str = "box", **fields: object) -> HardwareError:
        """Return an error whose translated sentence has the key `cmd.wrong.hardware.<reason>`."""
        error = cls(reason, part)
        error.reason, error.fields = reason, fields
        return error

    def copy_for_part(self, part: str) -> HardwareError:
        """Return a copy of this error in which `part` is the failed part."""
        error = HardwareError(self.args[0], part)
        error.reason, error.fields = self.reason, self.fields
        return error

    def __str__(self) -> str:
        """Return the error's text, or `reason` and `fields`, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.reason} ({facts})" if facts else super().__str__()


class Edge(NamedTuple):
    """Change of a button's state: the button went down or up.

    - `button`: the name of the button, which is in BUTTONS.
    - `down` is True if the button went down, and False if the button went up.
    - `time`: the monotonic time (s) of the change.
    - `retained` is True if the button was already down when the box began to listen.
    """

    button: str
    down: bool
    time: float
    retained: bool = False


if TYPE_CHECKING:  # imported only by type checkers, because the protocols would delay the start

    class Buttons(Protocol):
        """Port of a box's buttons."""

        def listen(self, put: Callable[[Edge], None]) -> None:
            """Call `put` with every later edge of a button, in the order of time.

            Any thread may call `put`.
            """

        def close(self) -> None:
            """Release the pins or the window of the buttons; safe to call twice."""

    class Display(Protocol):
        """Port of a monochrome display of 128x64 pixels."""

        def show(self, frame: bytes) -> None:
            """Show `frame`, which has 1,024 bytes (see `hardware.display.frame_conversions`).

            The method returns before the frame is visible. On a slow bus, the newest frame replaces
            frames that are not sent yet. Raise HardwareError if the display fails.
            """

        def set_brightness(self, percent: int) -> None:
            """Set the brightness in percent, from 0 (dark) to 100.

            Raise HardwareError if the display fails.
            """

        def close(self, *, keep: bool = False) -> None:
            """Clear and release the display; safe to call twice.

            If `keep` is True, the last frame stays visible while the display has power.
            """

    class Speaker(Protocol):
        """Port of a loudspeaker. All methods return before a sound begins.

        The speaker plays sounds and sentences one after another. At most `MAX_QUEUED_ITEMS` items
        wait in the queue, or `MAX_QUEUED_IMPORTANT_ITEMS` if all items have FIRST_RANK. A speaker
        is late if `stop_and_clear` keeps items of FIRST_RANK that still wait or play.
        """

        def play(self, sound: str, rank: int = COMMON_RANK) -> None:
            """Queue the sound in the file `sounds/<sound>.wav`.

            Raise HardwareError if the file is missing.
            """

        def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
            """Queue the sentence `text`. `language` is "en" or "fr".

            Raise HardwareError if no voice speaks this language.
            """

        def use_respellings(self, names: Respellings) -> None:
            """In all later sentences, replace each name in `names` with the name's respelling."""

        @property
        def has_slow_voice(self) -> bool:
            """Return True if a chosen voice is slow.

            Sentences for a slow voice should be prepared with `prepare_slow_sentences`.
            """

        def voice_names(self, language: str) -> Sequence[str]:
            """Return the names of the available voices of a language, the default voice first."""

        def choose_voice(self, language: str, voice: str, speed: int) -> None:
            """Speak `language` with `voice` from now on, at `speed` words a minute.

            If `voice` is "", use the default voice. If `voice` does not exist, use the default
            voice and raise HardwareError.
            """

        def sound_card_names(self) -> Sequence[str]:
            """Return the names of the selectable sound cards, or () if there is no choice."""

        def use_sound_card(self, output: str) -> None:
            """Play on the sound card named `output` from now on.

            If `output` is "", play on the sound card of the board file. If there is no board file,
            play on the machine's default sound card.
            """

        def sound_sets(self) -> Mapping[str, Path]:
            """Return a table from the name of each available sound set to the folder of the set."""

        def use_sound_set(self, folder: Path | None) -> None:
            """Play the sounds in `folder` from now on; None selects the default sounds.

            If `folder` lacks a sound, play the default sound.
            """

        def prepare_slow_sentences(self, sentences: Iterable[tuple[str, str]]) -> None:
            """Prepare sentences for speech, if the voice of the language is slow.

            `sentences`: pairs of a text and its language. The box will probably speak these texts
            soon.
            """

        def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
            """Drop all queued items, and speak `texts` with `voice`, even if the voice is slow."""

        def stop_and_clear(self, *, keep: bool = False) -> None:
            """Drop waiting items and stop the current sentence, with three exceptions.

            - A sentence that ends within `MAX_UNSTOPPED_REMAINDER_SECONDS` is not stopped.
            - A current sound is not stopped.
            - If `keep` is True, sounds and sentences of the rank FIRST_RANK are neither dropped nor
              stopped.
            """

        def drop_sentences(self, texts: Iterable[str]) -> None:
            """Drop or stop the sentences `texts`, because these sentences became untrue.

            The rank of a sentence makes no difference.
            """

        def set_volume(self, percent: int) -> None:
            """Set the volume of all later sounds and sentences, in percent from 0 to 100."""

        def close(self) -> None:
            """Release the sound device; safe to call twice."""

    class Lamps(Protocol):
        """Port of the lamps; each seat has at most one lamp."""

        def show(self, lights: Sequence[str]) -> None:
            """Set the lamps to `lights`, which has a state such as LAMP_ON for each seat in order.

            The method returns before the lamps change. Blinking lamps need no further calls. Raise
            HardwareError if the pin of a lamp fails.
            """

        def close(self) -> None:
            """Switch all lamps off; safe to call twice."""


class SpeakerWithoutChoices:
    """Base class of speakers that offer no choice between voices, sound cards or sound sets."""

    has_slow_voice = False
    """False, because this speaker has no slow voice."""

    def use_respellings(self, names: Respellings) -> None:
        """Do nothing, because this speaker does not respell names."""

    def voice_names(self, language: str) -> Sequence[str]:  # noqa: ARG002 - the port's parameter
        """Return (), because this speaker offers no choice of voices."""
        return ()

    def choose_voice(self, language: str, voice: str, speed: int) -> None:
        """Do nothing, because this speaker offers no choice of voices."""

    def sound_card_names(self) -> Sequence[str]:
        """Return (), because this speaker offers no choice of sound cards."""
        return ()

    def use_sound_card(self, output: str) -> None:
        """Do nothing, because this speaker offers no choice of sound cards."""

    def sound_sets(self) -> Mapping[str, Path]:
        """Return {}, because this speaker offers no choice of sound sets."""
        return {}

    def use_sound_set(self, folder: Path | None) -> None:
        """Do nothing, because this speaker offers no choice of sound sets."""

    def prepare_slow_sentences(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Do nothing, because no sentence needs preparation."""


class Box(NamedTuple):
    """Parts of a box: its buttons, displays, speakers and lamps.

    - `displays`, `speakers`: all displays show the same frames, and all speakers play the same
      sounds. `displays` and `speakers` can be empty.
    - `lamps`: the lamps of the seats, or None if the box has no lamps.
    - `seats`: the number of seats that have a button.
    - `save_screen(frame, asks)`: function that saves the first frame of the next start, with the
      identifier of the frame's question. A box that cannot save a frame has None as `save_screen`.
    - `ear(player)`: function that returns the speaker that only this player hears. A box without a
      second sound output has None as `ear`.
    - `shown_screen`: the saved screen that this start has shown, or None if there was no saved
      screen.
    - `ear_device`: the ALSA name of the second sound output, or "" if the box has no second sound
      output.
    - `sound_device`: the name of the loudspeaker's sound card, or "" for the machine's default.
    """

    buttons: Buttons
    displays: tuple[Display, ...]
    speakers: tuple[Speaker, ...]
    lamps: Lamps | None = None
    seats: int = len(SEATS)
    save_screen: Callable[[bytes, str], None] | None = None
    ear: Callable[[str], Speaker] | None = None
    shown_screen: ShownScreen | None = None
    ear_device: str = ""
    sound_device: str = ""

    def close(self, *, keep: bool = False) -> None:
        """Close all parts of the box; safe to call twice.

        If `keep` is True, the last frame stays visible on the displays.
        """
        self.buttons.close()
        for display in self.displays:
            display.close(keep=keep)
        for speaker in self.speakers:
            speaker.close()
        if self.lamps is not None:
            self.lamps.close()
