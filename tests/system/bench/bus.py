"""Measure the traffic of frames on the display's bus, address bytes included.

`hardware.display.oled_messages` makes the messages; its tests compare them with a model of the
chip. The stock way is luma.oled, whose frames have a constant size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple

from companion.catalog import registry
from companion.core.prompts import Choose, Number, Prompt, Roll
from companion.play import simulate
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.wheel import should_up_select_larger, wheel_answers_and_symbols
from hardware.display.oled_messages import oled_change_messages
from hardware.ports import BACK, BLANK_FRAME, DOWN, OK, SEATS, UP
from tests.hardware.frames import least, texts
from tests.helpers import PLAYER_NAMES, Drive, begin_game, setup_for
from tests.system.bench.row import Row

LUMA_FRAME_BYTES: Final = 1_034
"""Bytes of a frame of luma.oled, counted in tests/hardware/test_oled.py."""
GAMES: Final = 6
MAX_PRESSES: Final = 4_000
TURN_LIMITS: Final = 80, 5
"""Maximum bytes and messages of a turn of the wheel."""
TURN_WITH_WORDS: Final = {
    "baretta": (150, 5),
    "barney-miller": (300, 12),
    "kojak": (230, 12),
    "probe": (280, 14),
}
"""Maximum bytes and messages of a turn that changes more than a number.

A step on Baretta's board changes the space's name and its content. A card of Barney Miller is a
large number. A criminal of Kojak moves on the circle. In Probe, a step can show the other rack.
"""


class Sent(NamedTuple):
    """The traffic of frames that are shown one after another."""

    bytes: int
    transactions: int
    changed: int
    frames: int
    most: int


def sent(frames: Sequence[bytes]) -> Sent:
    """Return the traffic to show frames on an SSD1306 that shows the first one."""
    bytes_, transactions, changed, most = 0, 0, 0, 0
    for old, new in pairwise(frames):
        runs = list(oled_change_messages(old, new))
        cost = sum(2 + 2 * len(run.commands) + len(run.data) for run in runs)
        bytes_, transactions, most = bytes_ + cost, transactions + len(runs), max(most, cost)
        changed += sum(a != b for a, b in zip(old, new, strict=True))
    return Sent(bytes_, transactions, changed, len(frames) - 1, most)


def fewest(frames: Sequence[bytes]) -> int:
    """Return the minimum number of bytes over all ways to group the changes into messages."""
    return sum(least(old, new) for old, new in pairwise(frames))


def single(_: Path) -> Iterator[Row]:
    """Yield rows for no change, a digit, and a step in a menu."""
    nothing = sent([texts("12"), texts("12")]).bytes
    yield Row("Bus: bytes if nothing changed", str(nothing), "0", nothing == 0)
    digits = [sent([texts(f"1{a}"), texts(f"1{b}")]).bytes for a, b in pairwise("01234567890")]
    yield Row("Bus: bytes of a digit, at most", str(max(digits)), "14", max(digits) <= 14)
    step = sent([texts("> one", "  two"), texts("  one", "> two")]).bytes
    yield Row("Bus: bytes of a step in a menu", str(step), "32", step <= 32)
    whole = sent([BLANK_FRAME, Random(1).randbytes(1024)]).bytes
    yield Row("Bus: bytes of a frame in which all changes", f"{whole:,}", "1,090", whole <= 1_090)


def played(_: Path) -> Iterator[Row]:
    """Yield the traffic of whole games. The player turns to each answer the shortest way.

    The limits apply to turns of the wheel, and to the ratio of all bytes to the fewest possible
    bytes. The traffic of other presses depends on the new screen.
    """
    for game in registry.BUILT_IN_GAMES:
        every = (press for seed in range(GAMES) for press in whole_game(game, seed))
        presses = [press for press in every if len(press.frames) > 1]
        turns = [sent(press.frames) for press in presses if press.button in (UP, DOWN)]
        bytes_, messages = median(s.bytes for s in turns), median(s.transactions for s in turns)
        limit = TURN_WITH_WORDS.get(game, TURN_LIMITS)
        figure = f"{bytes_:.0f} in {messages:.0f} ({median(s.changed for s in turns):.0f} changed)"
        met = bytes_ <= limit[0] and messages <= limit[1]
        yield Row(f"Bus, {game}: bytes of a turn, median", figure, "{} in {}".format(*limit), met)
        each = [sent(press.frames) for press in presses]
        most = max(one.most for one in each)
        yield Row(f"Bus, {game}: most bytes of a frame", f"{most:,}", "1,090", most <= 1_090)
        yield from _whole(game, each, sum(fewest(press.frames) for press in presses))


def _whole(game: str, each: Sequence[Sent], least: int) -> Iterator[Row]:
    total, frames = sum(one.bytes for one in each), sum(one.frames for one in each)
    changed = sum(one.changed for one in each)
    figure = f"{total / least:.3f} ({total:,} of {least:,})"
    met = total <= 1.02 * least
    yield Row(f"Bus, {game}: a game against the fewest bytes", figure, "1.02", met)
    yield Row("  against the bytes that changed", f"{total / changed:.2f}")
    figure = f"1/{frames * LUMA_FRAME_BYTES / total:.1f} ({frames:,} frames)"
    yield Row("  against luma", figure)


class Press(NamedTuple):
    """A button, and the frames that its press produced."""

    button: str
    frames: Sequence[bytes]


ALL_BUTTONS: Final = (UP, DOWN, OK, BACK, *SEATS)


class Thumb:
    """A simulated player who turns to the answer by the shortest way.

    `has` are the available buttons; `pushed` returns the button that the box receives.
    """

    def __init__(
        self,
        drive: Drive,
        has: tuple[str, ...] = ALL_BUTTONS,
        pushed: Callable[[str], str] = str,
    ) -> None:
        self.drive, self.random = drive, Random(1)
        self.has, self.pushed = has, pushed
        self.prompt: Prompt | None = None
        self.wanted = self.idle = 0

    def press(self) -> Press:
        """Press the next button that leads to the answer."""
        before = len(self.drive.frames)
        lost = self.idle >= 3
        button = self.random.choice(self.has) if lost else self._button()
        self.drive.press(self.pushed(button), seconds=LOOK_HOLD_SECONDS + 0.1 if lost else 0.08)
        frames = self.drive.frames[before - 1 :]
        self.idle = self.idle + 1 if len(frames) == 1 else 0
        return Press(button, frames)

    def _button(self) -> str:
        prompt = self.drive.table.menu_or_game_prompt
        if self.drive.table.curtain is not None and not self.drive.moments:
            return BACK  # close the curtain without looking at the card
        if self.drive.moments or prompt is None:
            return OK
        if not isinstance(prompt, Choose | Number | Roll):
            return self.random.choice((UP, DOWN, OK))
        places = wheel_answers_and_symbols(prompt)
        if prompt != self.prompt:
            self.prompt, self.wanted = (
                prompt,
                places.index(simulate.random_answer(prompt, self.random)),
            )
        away = (self.wanted - self.drive.table.cursor.at) % len(places)
        if not away:
            self.prompt = None  # the next question may be equal
            return OK
        forth, back = (UP, DOWN) if should_up_select_larger(prompt) else (DOWN, UP)
        return forth if away * 2 <= len(places) else back


def whole_game(
    game: str, seed: int, has: tuple[str, ...] = ALL_BUTTONS, pushed: Callable[[str], str] = str
) -> Iterator[Press]:
    """Yield the presses of a random game; see `Thumb`."""
    options = {option.name: option.values[0] for option in registry.find_game(game).options}
    players = PLAYER_NAMES[: registry.find_game(game).seats[0]]
    drive = Drive(begin_game(setup_for(options, game=game, players=players, seed=f"{seed}")))
    drive.resume()
    thumb = Thumb(drive, has, pushed)
    for _ in range(MAX_PRESSES):
        if drive.session.standing.pending_prompt is None:
            return
        yield thumb.press()
    raise AssertionError(f"{game} is not over after {MAX_PRESSES:,} presses")
