"""Ports of a box whose display, buttons, lamps and loudspeaker are in a web page.

The program runs in a web worker. The program passes messages to the page with `send`, and the page
calls methods of the ports. All methods return at once.
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
    SpeakerWithoutChoices,
)

if TYPE_CHECKING:
    Send: TypeAlias = Callable[..., None]
    """Type of a function that passes a message to the web page and returns at once.

    The arguments are the kind and the fields of the message.
    """


class BrowserDisplay:
    """Display that the web page draws on a canvas.

    The message `frame` contains the 1,024 bytes of a frame. The message `light` contains the
    brightness in percent.
    """

    def __init__(self, send: Send) -> None:
        self._send = send

    def show(self, frame: bytes) -> None:
        """Send `frame` to the web page, in the message `frame`."""
        self._send("frame", frame=frame)

    def set_brightness(self, percent: int) -> None:
        """Send the brightness to the web page, in the message `light`."""
        self._send("light", percent=percent)

    def close(self, *, keep: bool = False) -> None:
        """Do nothing, because the browser closes the page."""


class BrowserButtons:
    """Buttons that the user presses on the web page, by pointer, touch or key."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._down = clock, set[str]()
        self._put: Callable[[Edge], None] = lambda _: None

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Call `put` with every later edge of a button."""
        self._put = put

    def report_edge(self, button: str, *, down: bool) -> None:
        """Report that a button went down or up. Raise HardwareError if the button does not exist.

        Ignore a call that does not change the button's state, such as a call for a key that
        repeats.
        """
        if button not in BUTTONS:
            raise HardwareError(f"{button} is no button: {', '.join(BUTTONS)}.", "buttons")
        if (button in self._down) != down:
            self._down ^= {button}
            self._put(Edge(button, down, self._clock()))

    def close(self) -> None:
        """Stop reporting presses and releases of buttons."""
        self._put = lambda _: None


class _Item(NamedTuple):
    """Queued item: a sound (`language` is "") or a sentence."""

    text: str
    language: str
    rank: int


class BrowserSpeaker(SpeakerWithoutChoices):
    """Speaker that uses the browser: Web Audio for sounds, and speech synthesis for sentences.

    The speaker sends one numbered item at a time to the web page, with the message `play` or
    `speak`. The page reports the end of the item with a call of `send_next_item_after_end`. The
    message `stop` interrupts the sentence that the page speaks. Other items wait in the speaker's
    queue, which has the limits of the port `Speaker`.
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

    def send_next_item_after_end(self, number: int) -> None:
        """Send the next item, after the page has reported the end of item `number`.

        Ignore a number that belongs to a stopped item.
        """
        if number == self._number:
            self._sounding = None
            self._begin()

    def stop_and_clear(self, *, keep: bool = False) -> None:
        """Drop the waiting items, and stop the sentence that the browser speaks.

        If `keep` is True, sounds and sentences of the rank FIRST_RANK are neither dropped nor
        stopped.
        """
        self._waiting = deque(item for item in self._waiting if keep and item.rank == FIRST_RANK)
        now = self._sounding
        if now is not None and now.language and not (keep and now.rank == FIRST_RANK):
            self._stop()

    def drop_sentences(self, texts: Iterable[str]) -> None:
        """Drop or stop the sentences `texts`, because these sentences became untrue."""
        untrue = {*texts}
        self._waiting = deque(item for item in self._waiting if item.text not in untrue)
        if self._sounding is not None and self._sounding.text in untrue:
            self._stop()

    def use_respellings(self, names: Respellings) -> None:
        """In all later sentences, replace each name in `names` with the name's respelling."""
        self._names = {language: dict(respelled) for language, respelled in names.items()}

    def set_volume(self, percent: int) -> None:
        """Set the volume of all later items, in percent from 0 to 100."""
        self._volume = percent

    def choose_voice(self, language: str, voice: str, speed: int) -> None:  # noqa: ARG002 - the port's parameter
        """Send the speed (words a minute) to the web page. The page chooses the voice."""
        self._send("voice", language=language, speed=speed)

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:  # noqa: ARG002
        """Drop the waiting items, and speak the sentences `texts`."""
        self.stop_and_clear()
        for text in texts:
            self.say(text, language)

    def close(self) -> None:
        """Drop all waiting items, and stop the sentence that the browser speaks."""
        self.stop_and_clear()

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
    """A box in a web page, with its buttons and its speaker."""

    buttons: BrowserButtons
    speaker: BrowserSpeaker
    box: Box


def open_browser_box(send: Send, clock: Callable[[], float]) -> BrowserBox:
    """Return a box whose display, buttons, loudspeaker and lamps are on the web page.

    `send` passes a message to the web page. `clock` returns the monotonic time in seconds.
    """
    buttons, speaker = BrowserButtons(clock), BrowserSpeaker(send)
    box = Box(buttons, (BrowserDisplay(send),), (speaker,), BrowserLamps(send))
    return BrowserBox(buttons, speaker, box)


class BrowserLamps:
    """Lamps beside the seat buttons of the web page.

    The message `lamps` contains the state of each lamp.
    """

    def __init__(self, send: Send) -> None:
        self._send = send

    def show(self, lights: Sequence[str]) -> None:
        """Send the states of the lamps, such as LAMP_ON or BLINK_SLOWLY, to the web page."""
        self._send("lamps", lights=[*lights])

    def close(self) -> None:
        """Do nothing, because the browser closes the page."""
