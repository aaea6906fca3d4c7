"""The things on the table, as ports: what a box must be able to do, on any hardware.

Nothing here knows a game. `hardware.mock` has a strict fake of every port; `hardware.pins.pi`,
`hardware.screens.terminal` and `hardware.screens.browser` are boxes that people can touch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Protocol

WIDTH: Final = 128
"""Columns of the display, in pixels."""
PAGES: Final = 8
"""Rows of eight pixels: the display's memory pages (SSD1306 datasheet, 8.7)."""
BLANK: Final = bytes(WIDTH * PAGES)
"""A dark frame."""

UP, DOWN, OK, BACK = "up", "down", "ok", "back"
SEATS: Final = ("seat1", "seat2", "seat3", "seat4")
BUTTONS: Final = (UP, DOWN, OK, BACK, *SEATS)
"""Every button that a box may have; the first four are enough to play."""

OUT, STEADY, SLOW, QUICK = "out", "steady", "slow", "quick"
"""What a lamp can do: nothing, shine, or blink in two ways."""


LAST_WORDS: Final = 0.5
"""Seconds before its end from which on nothing stops a sentence any more."""
WAITING, WEIGHTY = 12, 32
"""Sounds and sentences that a speaker keeps waiting, and how many if all are of the first rank;
beyond it the oldest of the last rank among them are forgotten."""
FIRST, COMMON, LAST = 0, 1, 2
"""Ranks of what is heard. The first is never cut; the last is left out when a speaker is behind."""


Left: TypeAlias = "tuple[str, float, int | None]"
"""A screen that stands on the display before the box is there: what it asks, since when (s), and
the kernel's file of the presses since then, None if they are not kept."""
Names: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""By language, names as they are respelled: {"en": {"Kojak": "Koh-jack"}}."""


class HardwareError(OSError):
    """A display, speaker or pin does not answer.

    `part` is what is missing, for the words' sake: "display", "buttons", "sound", "voice",
    "own_voice" (another one speaks), "voice_again" (it had stopped, and speaks again) or "box".
    One that people read who put a box together has a `reason`, which names its sentence, and the
    `fields` of that. One without is for a programmer.
    """

    def __init__(self, text: str, part: str = "box") -> None:
        super().__init__(text)
        self.part = part
        self.reason = ""
        self.fields: Mapping[str, object] = {}

    @classmethod
    def of(cls, reason: str, part: str = "box", **fields: object) -> HardwareError:
        """The error that a sentence is there for: `cmd.wrong.hardware.<reason>`."""
        error = cls(reason, part)
        error.reason, error.fields = reason, fields
        return error

    def about(self, part: str) -> HardwareError:
        """The same error, of another part of the box."""
        error = HardwareError(self.args[0], part)
        error.reason, error.fields = self.reason, self.fields
        return error

    def __str__(self) -> str:
        """The text; of one with a sentence its reason and fields, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.reason} ({facts})" if facts else super().__str__()


class Edge(NamedTuple):
    """A button went down or came up.

    `time` is in seconds on a clock that never goes back; where it starts has no meaning.
    `retained`: no edge was seen, the button was down already when the box began to listen.
    """

    button: str
    down: bool
    time: float
    retained: bool = False


if TYPE_CHECKING:  # nothing is ever made of them, and to define them takes time

    class Buttons(Protocol):
        """Buttons: what people press."""

        def listen(self, put: Callable[[Edge], None]) -> None:
            """Give every edge from now on to `put`, from any thread, in order."""

        def close(self) -> None:
            """Give the pins or the screen back; safe to call twice."""

    class Display(Protocol):
        """128x64 pixels of one colour."""

        def show(self, frame: bytes) -> None:
            """Show `frame`: 1,024 bytes, eight pages of 128 columns, bit 0 the top pixel of each.

            Returns at once; where the wire is slow the newest frame wins. Raises HardwareError.
            """

        def light(self, percent: int) -> None:
            """Dim the display: 100 is as bright as it gets, 0 is dark. Raises HardwareError."""

        def close(self, *, keep: bool = False) -> None:
            """Clear the display and let it go; safe to call twice.

            `keep`: what it shows stays, for as long as it has power.
            """

    class Speaker(Protocol):
        """A loudspeaker. No call waits for a sound to end, or to begin.

        What was asked for sounds one after the other; at most `WAITING` of it waits, or `WEIGHTY`.
        A speaker is behind from a `hush` on that left something waiting, or an older sentence
        sounding.
        """

        def play(self, sound: str, rank: int = COMMON) -> None:
            """Play `sounds/<sound>.wav` after what is playing. Raises HardwareError."""

        def say(self, text: str, language: str, rank: int = COMMON) -> None:
            """Speak `text` ("en" or "fr") after what is playing. Raises HardwareError."""

        def pronounce(self, names: Names) -> None:
            """From now on, say these names too as they are respelled."""

        @property
        def looks_ahead(self) -> bool:
            """Whether a voice is so slow that it is worth to `expect` something."""

        def voices(self, language: str) -> Sequence[str]:
            """The names of the voices that can be chosen for a language, the usual one first."""

        def choose(self, language: str, voice: str, speed: int) -> None:
            """Speak a language with that voice ("": the usual one), so many words a minute.

            Raises HardwareError if that voice is not there; then the usual one speaks.
            """

        def outputs(self) -> Sequence[str]:
            """The names of the sound cards that can be chosen; none if there is no choice."""

        def use(self, output: str) -> None:
            """Play on that sound card from now on; "" is the board's, else the machine's."""

        def sound_sets(self) -> Mapping[str, Path]:
            """Return the folders of the sets of sounds that can be chosen, by name."""

        def use_sounds(self, folder: Path | None) -> None:
            """Play the sounds in that folder from now on; None: the usual ones, also for gaps."""

        def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
            """Texts, with their language, that may be said next: a slow voice makes them ahead."""

        def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
            """Speak with that voice alone, however long it takes, in place of all that waits."""

        def hush(self, *, keep: bool = False) -> None:
            """Forget everything that has not begun to sound, and stop a sentence that has.

            A sentence that ends within `LAST_WORDS` is let end, and a sound always is. `keep`: what
            is of the rank FIRST is neither forgotten nor stopped.
            """

        def retract(self, texts: Iterable[str]) -> None:
            """Forget sentences that are no longer true, whatever their rank; stop one of them."""

        def set_volume(self, percent: int) -> None:
            """Set the loudness of all that follows, 0 to 100."""

        def close(self) -> None:
            """Let the sound device go; safe to call twice."""

    class Lamps(Protocol):
        """A lamp a seat, if the wiring has them."""

        def show(self, lights: Sequence[str]) -> None:
            """Let the lamps of the seats, first seat first, be OUT, STEADY, SLOW or QUICK.

            Returns at once; they blink by themselves. Raises HardwareError.
            """

        def close(self) -> None:
            """Put the lamps out; safe to call twice."""


class Box(NamedTuple):
    """A whole box. `displays` and `speakers` may be several faces of one table, or none.

    `seats`: how many seats have a button of their own. `leave` keeps a frame that is shown from the
    next power-on until the box is there, and what it asks; `left` is what was kept so the last time
    and is shown now. `ear` gives the speaker that a player alone hears, if there is a second
    output; on a board that is `ear_device`, its name in ALSA, on which one can be made.
    `sound_device` is the sound card of the loudspeaker, "" for the machine's default.
    """

    buttons: Buttons
    displays: tuple[Display, ...]
    speakers: tuple[Speaker, ...]
    lamps: Lamps | None = None
    seats: int = len(SEATS)
    leave: Callable[[bytes, str], None] | None = None
    ear: Callable[[str], Speaker] | None = None
    left: Left | None = None
    ear_device: str = ""
    sound_device: str = ""

    def close(self, *, keep: bool = False) -> None:
        """Close every part of the box; safe to call twice.

        `keep`: the displays go on showing what they do.
        """
        self.buttons.close()
        for display in self.displays:
            display.close(keep=keep)
        for speaker in self.speakers:
            speaker.close()
        if self.lamps is not None:
            self.lamps.close()
