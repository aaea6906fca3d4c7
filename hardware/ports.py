"""The ports of a box: what its hardware must be able to do.

This module knows no games. `hardware.mock` has a strict fake of every port. `hardware.pins.pi`,
`hardware.screens.terminal` and `hardware.screens.browser` are real boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

DISPLAY_WIDTH: Final = 128
"""The number of columns of the display, in pixels."""
DISPLAY_PAGES: Final = 8
"""The number of rows of eight pixels: memory pages of the display (SSD1306 datasheet, 8.7)."""
BLANK_FRAME: Final = bytes(DISPLAY_WIDTH * DISPLAY_PAGES)
"""A dark frame."""

UP, DOWN, OK, BACK = "up", "down", "ok", "back"
SEATS: Final = ("seat1", "seat2", "seat3", "seat4")
BUTTONS: Final = (UP, DOWN, OK, BACK, *SEATS)
"""All buttons that a box may have; the first four are enough to play."""

LAMP_OFF, LAMP_ON, BLINK_SLOWLY, BLINK_QUICKLY = "out", "steady", "slow", "quick"
"""The states of a lamp: off, on, or blinking at two speeds."""


UNSTOPPED_SECONDS: Final = 0.5
"""The time in seconds before its end during which a sentence is not stopped any more."""
MAX_QUEUED_ITEMS, MAX_QUEUED_IMPORTANT_ITEMS = 12, 32
"""The maximum number of waiting sounds and sentences, and the maximum if all are of the first rank.

Beyond it the oldest one of the last rank is dropped.
"""
FIRST_RANK, COMMON_RANK, LAST_RANK = 0, 1, 2
"""Ranks of sounds and sentences. The first is never cut; the last is dropped by a late speaker."""


ShownScreen: TypeAlias = "tuple[str, float, int | None]"
"""A screen that was on the display before the box started: its question, since when (s), and the
descriptor of the presses since then (None if they were not recorded).
"""
Respellings: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""Respelled names by language: {"en": {"Kojak": "Koh-jack"}}."""


class HardwareError(OSError):
    """A display, speaker or pin does not answer.

    - `part`: the part that failed: "display", "buttons", "sound", "voice", "own_voice" (another
      voice speaks instead), "voice_again" (it works again) or "box".
    - `reason`, `fields`: key and values of a sentence for people who assemble a box; None if the
      error is for programmers.
    """

    def __init__(self, text: str, part: str = "box") -> None:
        super().__init__(text)
        self.part = part
        self.reason = ""
        self.fields: Mapping[str, object] = {}

    @classmethod
    def from_reason(cls, reason: str, part: str = "box", **fields: object) -> HardwareError:
        """Return an error with a sentence: `cmd.wrong.hardware.<reason>`."""
        error = cls(reason, part)
        error.reason, error.fields = reason, fields
        return error

    def for_part(self, part: str) -> HardwareError:
        """Return the same error about another part."""
        error = HardwareError(self.args[0], part)
        error.reason, error.fields = self.reason, self.fields
        return error

    def __str__(self) -> str:
        """Return the text, or reason and fields, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.reason} ({facts})" if facts else super().__str__()


class Edge(NamedTuple):
    """A button was pressed or released.

    - `time`: seconds of a monotonic clock.
    - `retained`: the button was down already when the box began to listen.
    """

    button: str
    down: bool
    time: float
    retained: bool = False


if TYPE_CHECKING:  # protocols have no instances, and defining them takes time

    class Buttons(Protocol):
        """The buttons of a box."""

        def listen(self, put: Callable[[Edge], None]) -> None:
            """Pass every edge from now on to `put`, in order, from any thread."""

        def close(self) -> None:
            """Release the pins or the screen; safe to call twice."""

    class Display(Protocol):
        """A monochrome display of 128x64 pixels."""

        def show(self, frame: bytes) -> None:
            """Show `frame`: 1,024 bytes, eight pages of 128 columns, bit 0 the top pixel of each.

            Return at once. On a slow bus the newest frame replaces waiting ones. Raise
            HardwareError.
            """

        def light(self, percent: int) -> None:
            """Set the brightness in percent: 100 is the maximum, 0 is dark. Raise HardwareError."""

        def close(self, *, keep: bool = False) -> None:
            """Clear and release the display; safe to call twice.

            `keep`: the last frame stays as long as the display has power.
            """

    class Speaker(Protocol):
        """A loudspeaker. No call waits for a sound to begin or end.

        Sounds and sentences are played one after another. At most `MAX_QUEUED_ITEMS` of them wait,
        or `MAX_QUEUED_IMPORTANT_ITEMS`. A speaker is late after a `hush` that left something
        waiting or an older sentence sounding.
        """

        def play(self, sound: str, rank: int = COMMON_RANK) -> None:
            """Queue the sound `sounds/<sound>.wav`. Raise HardwareError."""

        def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
            """Queue the sentence `text` in a language ("en" or "fr"). Raise HardwareError."""

        def pronounce(self, names: Respellings) -> None:
            """Speak these names as respelled, from now on."""

        @property
        def looks_ahead(self) -> bool:
            """Return True if a voice is so slow that `expect` is useful."""

        def voices(self, language: str) -> Sequence[str]:
            """Return the available voices of a language, the default first."""

        def choose(self, language: str, voice: str, speed: int) -> None:
            """Speak a language with a voice ("" for the default), at `speed` words a minute.

            Raise HardwareError if the voice does not exist; the default speaks then.
            """

        def outputs(self) -> Sequence[str]:
            """Return the names of the sound cards to choose from; empty if there is no choice."""

        def use(self, output: str) -> None:
            """Play on that sound card from now on; "" for the board's, else the machine's."""

        def sound_sets(self) -> Mapping[str, Path]:
            """Return the folders of the available sound sets, by name."""

        def use_sounds(self, folder: Path | None) -> None:
            """Play the sounds of that folder; None for the default ones, which also fill gaps."""

        def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
            """Receive texts that may be spoken next, each with its language.

            A slow voice prepares them.
            """

        def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
            """Speak with that voice only, however slow it is, in place of everything that waits."""

        def hush(self, *, keep: bool = False) -> None:
            """Drop everything that has not begun to sound, and stop the present sentence.

            A sentence that ends within `UNSTOPPED_SECONDS` and a sound are played to their end.
            `keep`: nothing of the rank FIRST_RANK is dropped or stopped.
            """

        def retract(self, texts: Iterable[str]) -> None:
            """Drop or stop sentences that became untrue, whatever their rank."""

        def set_volume(self, percent: int) -> None:
            """Set the volume in percent, 0 to 100, for everything that follows."""

        def close(self) -> None:
            """Release the sound device; safe to call twice."""

    class Lamps(Protocol):
        """One lamp for each seat, if the wiring has them."""

        def show(self, lights: Sequence[str]) -> None:
            """Set the lamps of the seats, first seat first, to values such as LAMP_ON.

            Return at once; lamps blink by themselves. Raise HardwareError.
            """

        def close(self) -> None:
            """Put the lamps out; safe to call twice."""


class VoicelessSpeaker:
    """The choices of a speaker that has none: no voices, no sound cards, no sound sets."""

    looks_ahead = False
    """Sentences need no preparation."""

    def pronounce(self, names: Respellings) -> None:
        """Do nothing: names are not respelled."""

    def voices(self, language: str) -> Sequence[str]:  # noqa: ARG002 - there is no choice
        """Return no voices."""
        return ()

    def choose(self, language: str, voice: str, speed: int) -> None:
        """Do nothing: there is one voice."""

    def outputs(self) -> Sequence[str]:
        """Return no sound cards."""
        return ()

    def use(self, output: str) -> None:
        """Do nothing: there is no sound card to choose."""

    def sound_sets(self) -> Mapping[str, Path]:
        """Return no sound sets."""
        return {}

    def use_sounds(self, folder: Path | None) -> None:
        """Do nothing: there is no sound set to choose."""

    def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Do nothing: sentences need no preparation."""


class Box(NamedTuple):
    """The parts of a box. `displays` and `speakers` may be several faces of one table, or empty.

    - `seats`: the number of seats that have a button.
    - `save_screen(frame, asks)`: save a frame that the next start shows at once, with an identifier
      of its question.
    - `shown_screen`: the screen that this start has shown already; None if there was no saved
      screen.
    - `ear(player)`: return the speaker that only this player hears; None if the box has no second
      output.
    - `ear_device`: the ALSA name of a second output on which such a speaker can be opened.
    - `sound_device`: the sound card of the loudspeaker, "" for the machine's default.
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

        `keep`: the displays keep their frame.
        """
        self.buttons.close()
        for display in self.displays:
            display.close(keep=keep)
        for speaker in self.speakers:
            speaker.close()
        if self.lamps is not None:
            self.lamps.close()
