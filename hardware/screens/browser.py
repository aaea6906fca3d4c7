"""A box in a web page: display, buttons and loudspeaker belong to the page.

The program runs in a web worker. It passes messages to `send` for everything to show or play, and
the page calls back. No call waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hardware.ports import (
    BUTTONS,
    COMMON_RANK,
    FIRST_RANK,
    MAX_QUEUED_IMPORTANT_ITEMS,
    MAX_QUEUED_ITEMS,
    Box,
    Edge,
    HardwareError,
    Respellings,
    VoicelessSpeaker,
)

if TYPE_CHECKING:
    Send: TypeAlias = Callable[..., None]
    """Give the page a message, its kind and its fields, and return at once."""


class BrowserDisplay:
    """A canvas. A message `frame` has the 1,024 bytes, `light` the brightness in percent."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def show(self, frame: bytes) -> None:
        """Show `frame`."""
        self._send("frame", frame=frame)

    def light(self, percent: int) -> None:
        """Dim the canvas."""
        self._send("light", percent=percent)

    def close(self, *, keep: bool = False) -> None:
        """Do nothing: the browser closes the page."""


class BrowserButtons:
    """Buttons that the page presses, by pointer, touch or key."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._down = clock, set[str]()
        self._put: Callable[[Edge], None] = lambda _: None

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Pass every edge from now on to `put`."""
        self._put = put

    def edge(self, button: str, *, down: bool) -> None:
        """Press or release a button. Raise HardwareError if the button does not exist.

        An edge that changes nothing (a repeated key, a lost pointer) is ignored.
        """
        if button not in BUTTONS:
            raise HardwareError(f"{button} is no button: {', '.join(BUTTONS)}.", "buttons")
        if (button in self._down) != down:
            self._down ^= {button}
            self._put(Edge(button, down, self._clock()))

    def close(self) -> None:
        """Stop reporting edges."""
        self._put = lambda _: None


class _Item(NamedTuple):
    """A sound by its name, or a sentence in a language."""

    text: str
    language: str
    rank: int


class BrowserSpeaker(VoicelessSpeaker):
    """Sounds through the page's Web Audio, sentences through the browser's speech synthesis.

    The page receives one numbered item at a time (`play` or `speak`) and reports the end of each
    (`ended`). `stop` interrupts the present sentence. All waiting items stay in this queue, with
    the limits of the port.
    """

    def __init__(self, send: Send) -> None:
        self._send, self._waiting, self._names = send, deque[_Item](), dict[str, dict[str, str]]()
        self._sounding: _Item | None = None
        self._number, self._volume = 0, 100

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Queue a sound."""
        self._add(_Item(sound, "", rank))

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        """Queue a sentence."""
        self._add(_Item(text, language, rank))

    def finish_item(self, number: int) -> None:
        """Start the next item after the page reported the end of item `number`.

        Ignore older numbers.
        """
        if number == self._number:
            self._sounding = None
            self._begin()

    def hush(self, *, keep: bool = False) -> None:
        """Drop waiting items and stop a sentence. `keep`: except items of the rank FIRST_RANK."""
        self._waiting = deque(item for item in self._waiting if keep and item.rank == FIRST_RANK)
        now = self._sounding
        if now is not None and now.language and not (keep and now.rank == FIRST_RANK):
            self._stop()

    def retract(self, texts: Iterable[str]) -> None:
        """Drop or stop sentences that became untrue."""
        untrue = {*texts}
        self._waiting = deque(item for item in self._waiting if item.text not in untrue)
        if self._sounding is not None and self._sounding.text in untrue:
            self._stop()

    def pronounce(self, names: Respellings) -> None:
        """Speak these names as respelled, from now on."""
        self._names = {language: dict(respelled) for language, respelled in names.items()}

    def set_volume(self, percent: int) -> None:
        """Set the volume in percent, 0 to 100, for everything that follows."""
        self._volume = percent

    def choose(self, language: str, voice: str, speed: int) -> None:  # noqa: ARG002 - likewise
        """Send the speed of the voice to the page."""
        self._send("voice", language=language, speed=speed)

    def practise(self, texts: Iterable[str], language: str, voice: str) -> None:  # noqa: ARG002
        """Speak these sentences in place of everything that waits."""
        self.hush()
        for text in texts:
            self.say(text, language)

    def close(self) -> None:
        """Drop all items."""
        self.hush()

    def _add(self, item: _Item) -> None:
        self._waiting.append(item)
        limit = (
            MAX_QUEUED_IMPORTANT_ITEMS
            if all(waiting.rank == FIRST_RANK for waiting in self._waiting)
            else MAX_QUEUED_ITEMS
        )
        if len(self._waiting) > limit:
            last = max(waiting.rank for waiting in self._waiting)
            self._waiting.remove(next(waiting for waiting in self._waiting if waiting.rank == last))
        if self._sounding is None:
            self._begin()

    def _begin(self) -> None:
        if not self._waiting:
            return
        self._sounding = item = self._waiting.popleft()
        self._number += 1
        if not item.language:
            self._send("play", number=self._number, name=item.text, volume=self._volume)
            return
        text = item.text
        for name, respelled in self._names.get(item.language, {}).items():
            text = text.replace(name, respelled)
        self._send(
            "speak", number=self._number, text=text, language=item.language, volume=self._volume
        )

    def _stop(self) -> None:
        self._send("stop")
        self._sounding = None
        self._begin()


class BrowserBox(NamedTuple):
    """The ports of a box in a page, and the `hardware.Box` that consists of them."""

    buttons: BrowserButtons
    speaker: BrowserSpeaker
    box: Box


def open_box(send: Send, clock: Callable[[], float]) -> BrowserBox:
    """Return a box whose display, loudspeaker and lamps belong to the page.

    `clock` returns seconds of a monotonic clock, for the edges of the buttons.
    """
    buttons, speaker = BrowserButtons(clock), BrowserSpeaker(send)
    box = Box(buttons, (BrowserDisplay(send),), (speaker,), BrowserLamps(send))
    return BrowserBox(buttons, speaker, box)


class BrowserLamps:
    """The lamps beside the seats' buttons. A message `lamps` has the state of each."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def show(self, lights: Sequence[str]) -> None:
        """Set the lamps of the seats to LAMP_OFF, LAMP_ON, BLINK_SLOWLY or BLINK_QUICKLY."""
        self._send("lamps", lights=[*lights])

    def close(self) -> None:
        """Do nothing: the browser closes the page."""
