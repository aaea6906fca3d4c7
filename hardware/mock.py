"""Strict fakes of all ports, for tests and simulators.

    buttons = FakeButtons()
    buttons.listen(edges.append)
    buttons.press(OK)                  # OK goes down, and up 0.08 s later
    buttons.press(OK, seconds=1.2)     # OK is held for 1.2 s
    buttons.press(OK, OK, gap=0.05)    # two presses, faster than a person can read
    buttons.press_with_bounces(OK)     # the switch of OK bounces

A test calls methods such as `press` to simulate a person. A fake records the calls of the tested
code in attributes such as `frames` and `heard`. A fake raises ValueError for an invalid call, such
as a frame of a wrong size or an unknown button. FakeDisplay and FakeSpeaker raise HardwareError
while their attribute `failing` is True. The time of a fake advances only when a test
calls `wait`, or presses and releases a button with `press` or `press_with_bounces`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from hardware.ports import (
    BLINK_QUICKLY,
    BLINK_SLOWLY,
    BUTTONS,
    COMMON_RANK,
    DISPLAY_PAGES,
    DISPLAY_WIDTH,
    FIRST_RANK,
    LAMP_OFF,
    LAMP_ON,
    LAST_RANK,
    MAX_QUEUED_ITEMS,
    MAX_UNSTOPPED_REMAINDER_SECONDS,
    SEATS,
    Box,
    Edge,
    HardwareError,
    Respellings,
    SpeakerWithoutChoices,
)

MIN_READING_SECONDS: Final = 0.5
"""Minimum time (s) that a person needs to read a new screen before the next press."""


class FakeButtons:
    """Buttons that a test presses. `now`: the simulated time in seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.closed = False
        self._put: Callable[[Edge], None] | None = None
        self._held: set[str] = set()

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Call `put` with every later edge (change) of a button."""
        self._put = put

    def wait(self, seconds: float) -> None:
        """Advance the simulated time by a number of seconds."""
        self.now += seconds

    def press_and_hold(self, button: str) -> None:
        """Press a button and hold the button down.

        Raise ValueError if the button does not exist or is already down.
        """
        if button not in BUTTONS or button in self._held:
            raise ValueError(f"{button!r} is no button that can go down now")
        self._held.add(button)
        self._send(Edge(button, True, self.now))

    def release(self, button: str) -> None:
        """Release a button. Raise ValueError if the button is not down."""
        if button not in self._held:
            raise ValueError(f"{button!r} is not pressed")
        self._held.remove(button)
        self._send(Edge(button, False, self.now))

    def press(self, *buttons: str, seconds: float = 0.08, gap: float = MIN_READING_SECONDS) -> None:
        """Press buttons one after another, each for `seconds`, with pauses of `gap` seconds."""
        for button in buttons:
            self.press_and_hold(button)
            self.wait(seconds)
            self.release(button)
            self.wait(gap)

    def press_with_bounces(self, button: str, times: int = 3) -> None:
        """Simulate a switch that bounces.

        Press `button` several times for 1 ms, and then once for the length of a normal press.
        """
        for _ in range(times):
            self.press(button, seconds=0.001, gap=0.002)
        self.press(button)

    def close(self) -> None:
        """Stop reporting presses and releases of buttons."""
        self.closed, self._put = True, None

    def _send(self, edge: Edge) -> None:
        if self._put is None:
            raise ValueError("nobody listens to these buttons")
        self._put(edge)


class FakeDisplay:
    """Display that stores every frame in `frames`.

    - `percent`: the brightness in percent.
    - `kept` is True if the display was closed with its last frame visible.
    """

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.percent = 100
        self.closed = self.kept = False
        self.failing = False

    def show(self, frame: bytes) -> None:
        """Append `frame` to `frames`.

        Raise HardwareError while `failing` is True, and ValueError if `frame` has a wrong size.
        """
        if len(frame) != DISPLAY_WIDTH * DISPLAY_PAGES:
            raise ValueError(f"a frame has {DISPLAY_WIDTH * DISPLAY_PAGES} bytes, not {len(frame)}")
        self._answer()
        self.frames.append(bytes(frame))

    def set_brightness(self, percent: int) -> None:
        """Store the brightness in the attribute `percent`.

        Raise HardwareError while `failing` is True, and ValueError if `percent` is not in 0 to 100.
        """
        if not 0 <= percent <= 100:  # noqa: PLR2004 - percent
            raise ValueError(f"{percent} is no percentage")
        self._answer()
        self.percent = percent

    def close(self, *, keep: bool = False) -> None:
        """Mark the display as closed, and store `keep` in the attribute `kept`."""
        self.kept = keep if not self.closed else self.kept
        self.closed = True

    def _answer(self) -> None:
        if self.failing:
            raise HardwareError.from_reason("no_display", "display")


class FakeSpeaker:
    """Speaker that stores sounds (`♪ name`), sentences (`en: text`) and stops in `heard`.

    A stop is a call of `stop_and_clear`, stored as the word "hush".
    """

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.names: list[Respellings] = []
        self.chosen: dict[str, tuple[str, int]] = {}
        self.expected: tuple[tuple[str, str], ...] = ()
        self.retracted: list[str] = []
        self.slow = False
        self.cards: tuple[str, ...] = ()
        self.sets: dict[str, Path] = {}
        self.sounds: Path | None = None
        self.output = ""
        self.volume = 100
        self.closed = False
        self.failing = False

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Append the name of the sound to `heard`. Raise HardwareError while `failing` is True."""
        self._hear(f"♪ {sound}")

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        """Append the sentence to `heard`. Raise HardwareError while `failing` is True."""
        self._hear(f"{language}: {text}")

    def use_respellings(self, names: Respellings) -> None:
        """Append the table `names` of respelled names to the attribute `names`."""
        self.names.append(names)

    @property
    def has_slow_voice(self) -> bool:
        """Return the attribute `slow`, which a test sets."""
        return self.slow

    def voice_names(self, language: str) -> tuple[str, ...]:
        """Return the names of two voices: one for `language`, and espeak-ng."""
        return (f"own {language}", "espeak-ng")

    def choose_voice(self, language: str, voice: str, speed: int) -> None:
        """Store the voice and the speed in `chosen`.

        Raise HardwareError if the voice is unknown.
        """
        self.chosen[language] = voice, speed
        if voice and voice not in self.voice_names(language):
            raise HardwareError.from_reason("voice_gone", "own_voice", name=voice)

    def sound_card_names(self) -> tuple[str, ...]:
        """Return the attribute `cards`, which a test sets; empty by default."""
        return self.cards

    def use_sound_card(self, output: str) -> None:
        """Store the name of the chosen sound card in the attribute `output`."""
        self.output = output

    def sound_sets(self) -> dict[str, Path]:
        """Return the attribute `sets`, which a test sets; empty by default."""
        return self.sets

    def use_sound_set(self, folder: Path | None) -> None:
        """Store the folder of the chosen sounds in the attribute `sounds`."""
        self.sounds = folder

    def prepare_slow_sentences(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Store the sentences in the attribute `expected`, where a test can read them."""
        self.expected = tuple(sentences)

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Append each sentence to `heard`, together with the name of its voice."""
        for text in texts:
            self._hear(f"{language} {voice}: {text}")

    def stop_and_clear(self, *, keep: bool = False) -> None:
        """Append the word "hush" to `heard`, as a record of the call."""
        self._hear("hush")

    def drop_sentences(self, texts: Iterable[str]) -> None:
        """Append the sentences to the attribute `retracted`."""
        self.retracted.extend(texts)

    def set_volume(self, percent: int) -> None:
        """Store the volume in `volume`. Raise ValueError if `percent` is not in 0 to 100."""
        if not 0 <= percent <= 100:  # noqa: PLR2004 - percent
            raise ValueError(f"{percent} is no percentage")
        self.volume = percent

    def close(self) -> None:
        """Mark the speaker as closed."""
        self.closed = True

    def _hear(self, item: str) -> None:
        if self.failing:
            raise HardwareError("The speaker does not answer: is it plugged in?", "sound")
        self.heard.append(item)


class TimedFakeSpeaker(SpeakerWithoutChoices):
    """Speaker on a simulated clock, with almost all queue rules of the port `Speaker`.

    Unlike the port, a full queue (MAX_QUEUED_ITEMS) drops its oldest item of any rank.

    - `wait`: method that advances the clock.
    - `most`: the largest number of items that have waited in the queue at the same time.
    - `log`: the start time (s) and the text of each sound and sentence that began.
    - `cut`: the sentences that were stopped.
    """

    SECONDS_PER_SOUND: Final = 0.3
    """Length (s) of every sound of this fake speaker."""
    SECONDS_PER_LETTER: Final = 0.07
    """Speaking time (s) for each letter of a sentence."""

    def __init__(self) -> None:
        self.now = 0.0
        self.log: list[tuple[float, str]] = []
        self.cut: list[str] = []
        self.waiting: deque[tuple[str, float, int]] = deque(maxlen=MAX_QUEUED_ITEMS)
        self.most = 0
        self.volume = 100
        self._ends = 0.0
        self._speaking = self._behind = False
        self._rank = COMMON_RANK

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Queue a sound with the length SECONDS_PER_SOUND."""
        self._add(f"♪ {sound}", self.SECONDS_PER_SOUND, rank)

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        """Queue a sentence, whose length depends on SECONDS_PER_LETTER."""
        self._add(f"{language}: {text}", self.SECONDS_PER_LETTER * len(text), rank)

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Queue the sentences `texts`, each after the name of the voice."""
        for text in texts:
            self.say(f"{voice}: {text}", language)

    def stop_and_clear(self, *, keep: bool = False) -> None:
        """Drop queued items and stop the current sentence, with two exceptions.

        - A sentence that ends within `MAX_UNSTOPPED_REMAINDER_SECONDS` is not stopped.
        - If `keep` is True, sounds and sentences of the rank FIRST_RANK are neither dropped nor
          stopped.
        """
        remaining = [item for item in self.waiting if keep and item[2] == FIRST_RANK]
        self.waiting = deque(remaining, maxlen=MAX_QUEUED_ITEMS)
        long = self._speaking and self._ends - self.now > MAX_UNSTOPPED_REMAINDER_SECONDS
        first = keep and self._rank == FIRST_RANK
        self._behind = bool(remaining) or (long and first)
        if long and not first:
            self.cut.append(self.log[-1][1])
            self._ends = self.now
        self.wait(0)

    def drop_sentences(self, texts: Iterable[str]) -> None:
        """Drop the queued sentences `texts`, because these sentences became untrue."""
        gone = {*texts}
        remaining = [item for item in self.waiting if item[0].partition(": ")[2] not in gone]
        self.waiting = deque(remaining, maxlen=MAX_QUEUED_ITEMS)

    def set_volume(self, percent: int) -> None:
        """Store the volume in the attribute `volume`."""
        self.volume = percent

    def close(self) -> None:
        """Drop all queued items."""
        self.waiting.clear()

    def wait(self, seconds: float) -> None:
        """Advance the simulated time, and start queued items when earlier items end."""
        end = self.now + seconds
        while self.waiting and self._ends <= end:
            self.now = max(self.now, self._ends)
            text, length, self._rank = self.waiting.popleft()
            self.log.append((self.now, text))
            self._ends, self._speaking = self.now + length, not text.startswith("♪")
        self.now = end
        self._speaking = self._speaking and self._ends > end

    def _add(self, text: str, length: float, rank: int) -> None:
        if self._behind and rank == LAST_RANK:
            return
        self.waiting.append((text, length, rank))
        self.wait(0)
        self.most = max(self.most, len(self.waiting))


class FakeLamps:
    """Lamps that store the states of each call of `show` in `patterns`."""

    def __init__(self) -> None:
        self.patterns: list[tuple[str, ...]] = []
        self.closed = False

    def show(self, lights: Sequence[str]) -> None:
        """Append `lights` to `patterns`.

        Raise ValueError unless `lights` has a valid state for each seat.
        """
        if len(lights) != len(SEATS) or not {*lights} <= {
            LAMP_OFF,
            LAMP_ON,
            BLINK_SLOWLY,
            BLINK_QUICKLY,
        }:
            raise ValueError(f"{lights!r} are no lights of four seats")
        self.patterns.append(tuple(lights))

    def close(self) -> None:
        """Mark the lamps as closed."""
        self.closed = True


class FakeBox:
    """Box (in the attribute `box`) with a fake of the buttons, display, speaker and lamps.

    - `ear` is True if the box has a second sound output.
    - `ears`: table from a player's name to the fake speaker that only this player hears.
    """

    def __init__(self, *, ear: bool = False) -> None:
        self.ears: dict[str, FakeSpeaker] = {}
        self.buttons = FakeButtons()
        self.display = FakeDisplay()
        self.speaker = FakeSpeaker()
        self.lamps = FakeLamps()
        self.box = Box(
            self.buttons,
            (self.display,),
            (self.speaker,),
            self.lamps,
            ear=self._ear if ear else None,
        )

    def _ear(self, who: str) -> FakeSpeaker:
        return self.ears.setdefault(who, FakeSpeaker())
