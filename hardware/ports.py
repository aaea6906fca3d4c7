"""The ports of a box: protocols for its buttons, display, speaker and lamps.

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
"""Number of memory pages of the display; a page is eight pixel rows (SSD1306 datasheet, 8.7)."""
BLANK_FRAME: Final = bytes(DISPLAY_WIDTH * DISPLAY_PAGES)
"""A frame in which all pixels are dark."""

UP, DOWN, OK, BACK = "up", "down", "ok", "back"
SEATS: Final = ("seat1", "seat2", "seat3", "seat4")
BUTTONS: Final = (UP, DOWN, OK, BACK, *SEATS)
"""Names of all buttons that a box can have; UP, DOWN, OK and BACK are enough to play."""

LAMP_OFF, LAMP_ON, BLINK_SLOWLY, BLINK_QUICKLY = "out", "steady", "slow", "quick"
"""States of a lamp: off, on, blinking slowly, blinking quickly."""


UNSTOPPED_SECONDS: Final = 0.5
"""A sentence that ends within this number of seconds is spoken to its end instead of stopped."""
MAX_QUEUED_ITEMS, MAX_QUEUED_IMPORTANT_ITEMS = 12, 32
"""Maximum number of sounds and sentences in a speaker's queue. The second number is the maximum
while all items have the rank FIRST_RANK. A full queue drops its oldest item of the lowest rank.
"""
FIRST_RANK, COMMON_RANK, LAST_RANK = 0, 1, 2
"""Ranks of sounds and sentences, the most important rank first. `Speaker.hush` with `keep` neither
drops nor stops items of FIRST_RANK. A speaker that is late drops new items of LAST_RANK.
"""


ShownScreen: TypeAlias = "tuple[str, float, int | None]"
"""A tuple of three values about the screen that was on the display before the box started. The
first value is the identifier of the screen's question. The second value is the monotonic time (s)
at which the screen appeared. The third value is the file descriptor of the recorded button presses
since that time, or None without a recording.
"""
Respellings: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""Spellings that make a voice pronounce names correctly, by language and name: {"en": {"Kojak":
"Koh-jack"}}.
"""


class HardwareError(OSError):
    """A failure of a display, a speaker, a pin or another part of the box.

    - `part`: the name of the failed part: "display", "buttons", "sound", "voice" or "box".
      "own_voice" means that another voice replaces the failed voice. "voice_again" means that a
      failed voice works again.
    - `reason`, `fields`: key and values of a translated sentence for the person who assembles the
      box. `reason` is "" for an error with only an English text.
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

    def for_part(self, part: str) -> HardwareError:
        """Return a copy of this error that names `part` as the failed part."""
        error = HardwareError(self.args[0], part)
        error.reason, error.fields = self.reason, self.fields
        return error

    def __str__(self) -> str:
        """Return the error's text, or its `reason` and `fields`, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.reason} ({facts})" if facts else super().__str__()


class Edge(NamedTuple):
    """A change of a button: the button went down or up.

    - `button`: the name of the button, one of BUTTONS.
    - `down`: True if the button went down, False if the button went up.
    - `time`: the time of the change in seconds of a monotonic clock.
    - `retained`: True if the button was already down when the box began to listen.
    """

    button: str
    down: bool
    time: float
    retained: bool = False


if TYPE_CHECKING:  # only type checkers need the protocols; defining them would delay the start

    class Buttons(Protocol):
        """The port of a box's buttons."""

        def listen(self, put: Callable[[Edge], None]) -> None:
            """Call `put` with every edge from now on, in the order of time, from any thread."""

        def close(self) -> None:
            """Release the pins or the window of the buttons; safe to call twice."""

    class Display(Protocol):
        """The port of a monochrome display of 128x64 pixels."""

        def show(self, frame: bytes) -> None:
            """Show `frame`, which has 1,024 bytes: eight pages of 128 columns, bit 0 the top pixel.

            Return before the frame is visible. On a slow bus the newest frame replaces frames that
            wait. Raise HardwareError if the display fails.
            """

        def light(self, percent: int) -> None:
            """Set the brightness in percent: 100 is the maximum, 0 is dark.

            Raise HardwareError if the display fails.
            """

        def close(self, *, keep: bool = False) -> None:
            """Clear and release the display; safe to call twice.

            `keep`: leave the last frame visible for as long as the display has power.
            """

    class Speaker(Protocol):
        """The port of a loudspeaker. No method waits until a sound begins or ends.

        The speaker plays sounds and sentences one after another. At most `MAX_QUEUED_ITEMS` items
        wait in its queue, or `MAX_QUEUED_IMPORTANT_ITEMS` if all of them have FIRST_RANK. A speaker
        is late if items of FIRST_RANK wait or sound after a call of `hush`.
        """

        def play(self, sound: str, rank: int = COMMON_RANK) -> None:
            """Queue the sound in the file `sounds/<sound>.wav`.

            Raise HardwareError if the file is missing.
            """

        def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
            """Queue the sentence `text`. `language` is "en" or "fr".

            Raise HardwareError if no voice speaks this language.
            """

        def pronounce(self, names: Respellings) -> None:
            """From now on speak each name in `names` with its respelling."""

        @property
        def looks_ahead(self) -> bool:
            """Return True if a chosen voice is so slow that `expect` should be called."""

        def voices(self, language: str) -> Sequence[str]:
            """Return the names of the available voices of a language, the default voice first."""

        def choose(self, language: str, voice: str, speed: int) -> None:
            """Speak `language` with `voice` ("": the default voice), at `speed` words a minute.

            If the voice does not exist, use the default voice and raise HardwareError.
            """

        def outputs(self) -> Sequence[str]:
            """Return the names of the sound cards that the user can choose; empty for no choice."""

        def use(self, output: str) -> None:
            """From now on play on the sound card named `output`.

            "" selects the sound card of the board file, or else the machine's default sound card.
            """

        def sound_sets(self) -> Mapping[str, Path]:
            """Return the folders of the available sound sets, by the name of the set."""

        def use_sounds(self, folder: Path | None) -> None:
            """From now on play the sounds in `folder`; None selects the default sounds.

            A sound that `folder` does not have is played from the default sounds.
            """

        def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
            """Prepare sentences that are likely to be spoken next, if their voice is slow.

            `sentences` has each sentence with its language.
            """

        def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
            """Drop all queued items, then speak `texts` with `voice`, even if the voice is slow."""

        def hush(self, *, keep: bool = False) -> None:
            """Drop all queued items that have not begun to sound, and stop the current sentence.

            A sound, and a sentence that ends within `UNSTOPPED_SECONDS`, are played to their end.
            `keep`: do not drop or stop items of FIRST_RANK.
            """

        def retract(self, texts: Iterable[str]) -> None:
            """Drop or stop the sentences `texts`, which became untrue, whatever rank they have."""

        def set_volume(self, percent: int) -> None:
            """Set the volume of all following sounds and sentences, in percent from 0 to 100."""

        def close(self) -> None:
            """Release the sound device; safe to call twice."""

    class Lamps(Protocol):
        """The port of the lamps: at most one lamp for each seat."""

        def show(self, lights: Sequence[str]) -> None:
            """Set the lamps to `lights`: a state, such as LAMP_ON, for each seat, first seat first.

            Return before the lamps change. Lamps blink without further calls. Raise HardwareError
            if a lamp's pin fails.
            """

        def close(self) -> None:
            """Switch all lamps off; safe to call twice."""


class VoicelessSpeaker:
    """Base class of speakers that offer no choice of voices, sound cards or sound sets."""

    looks_ahead = False
    """False: no sentence must be prepared before it is spoken."""

    def pronounce(self, names: Respellings) -> None:
        """Do nothing: this speaker does not respell names."""

    def voices(self, language: str) -> Sequence[str]:  # noqa: ARG002 - the port's parameter
        """Return an empty tuple: this speaker offers no choice of voices."""
        return ()

    def choose(self, language: str, voice: str, speed: int) -> None:
        """Do nothing: this speaker offers no choice of voices."""

    def outputs(self) -> Sequence[str]:
        """Return an empty tuple: this speaker offers no choice of sound cards."""
        return ()

    def use(self, output: str) -> None:
        """Do nothing: this speaker offers no choice of sound cards."""

    def sound_sets(self) -> Mapping[str, Path]:
        """Return an empty dictionary: this speaker offers no choice of sound sets."""
        return {}

    def use_sounds(self, folder: Path | None) -> None:
        """Do nothing: this speaker offers no choice of sound sets."""

    def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Do nothing: this speaker needs no time to prepare a sentence."""


class Box(NamedTuple):
    """The parts of a box: its buttons, displays, speakers and lamps.

    - `displays`, `speakers`: all displays show the same frame, all speakers play the same sounds;
      both tuples may be empty.
    - `lamps`: the lamps of the seats; None without lamps.
    - `seats`: the number of seats that have their own button.
    - `save_screen(frame, asks)`: save the frame that the next start of the box shows first, with
      the identifier of its question. None if the box cannot save a frame.
    - `ear(player)`: return the speaker that only this player hears; None if the box has no second
      sound output.
    - `shown_screen`: the saved screen that was shown at this start; None if no screen was saved.
    - `ear_device`: the ALSA name of the second sound output; "" without a second output.
    - `sound_device`: the name of the loudspeaker's sound card; "" for the machine's default.
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

        `keep`: leave the last frame visible on the displays.
        """
        self.buttons.close()
        for display in self.displays:
            display.close(keep=keep)
        for speaker in self.speakers:
            speaker.close()
        if self.lamps is not None:
            self.lamps.close()
