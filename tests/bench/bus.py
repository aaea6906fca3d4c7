"""What goes over the display's bus: counted from frames, address bytes included.

The bytes and transactions are those of `hardware.oled`, which its tests hold against a model of
the chip; the stock way is luma.oled, whose frames always take the same.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.prompts import Choose, Number, Roll
from companion.draw.canvas import Canvas
from companion.games import registry
from companion.play import simulate
from companion.press.controls import LOOK
from companion.press.wheel import is_wheel, wheel
from hardware import BACK, BLANK, DOWN, OK, SEATS, UP
from hardware.oled import changes
from tests.bench.row import Row
from tests.helpers import PLAYERS, Drive, begun, setup_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.core.prompts import Prompt

STOCK: Final = 1_034
"""Bytes of a frame, the stock way (counted in tests/hardware/test_oled.py)."""
MOST_PRESSES: Final = 4_000


class Sent(NamedTuple):
    """What frames cost, one after another."""

    bytes: int
    transactions: int
    changed: int
    frames: int
    most: int


def sent(frames: Sequence[bytes]) -> Sent:
    """What it takes to show frames on an SSD1306 that shows the first of them."""
    bytes_, transactions, changed, most = 0, 0, 0, 0
    for old, new in pairwise(frames):
        runs = list(changes(old, new))
        cost = sum(2 + 2 * len(run.commands) + len(run.data) for run in runs)
        bytes_, transactions, most = bytes_ + cost, transactions + len(runs), max(most, cost)
        changed += sum(a != b for a, b in zip(old, new, strict=True))
    return Sent(bytes_, transactions, changed, len(frames) - 1, most)


def text(*lines: str) -> bytes:
    sheet = Canvas()
    for page, line in enumerate(lines):
        sheet.text(page, 0, line)
    return sheet.frame


def single(_: Path) -> Iterator[Row]:
    """Nothing, a digit, a step in a menu."""
    nothing = sent([text("12"), text("12")]).bytes
    yield Row("Bus: bytes if nothing changed", str(nothing), "0", nothing == 0)
    digits = [sent([text(f"1{a}"), text(f"1{b}")]).bytes for a, b in pairwise("01234567890")]
    yield Row("Bus: bytes of a digit, at most", str(max(digits)), "14", max(digits) <= 14)
    step = sent([text("> one", "  two"), text("  one", "> two")]).bytes
    yield Row("Bus: bytes of a step in a menu", str(step), "32", step <= 32)
    whole = sent([BLANK, Random(1).randbytes(1024)]).bytes
    yield Row("Bus: bytes of a frame in which all changes", f"{whole:,}", "1,090", whole <= 1_090)


def played(_: Path) -> Iterator[Row]:
    """A whole game of each, by somebody who turns to an answer the shortest way.

    Whatever brings another screen changes most of the display: most presses of a game of so few
    presses do. A turn of the wheel is what a bus that sends changes is for.
    """
    for game in registry.NAMES:
        presses = [press for press in whole_game(game) if len(press.frames) > 1]
        each = [sent(press.frames) for press in presses]
        turns = [
            one for one, press in zip(each, presses, strict=True) if press.button in (UP, DOWN)
        ]
        typical = median(one.bytes for one in each), median(one.transactions for one in each)
        met = typical[0] <= 80 and typical[1] <= 5
        yield Row(f"Bus, {game}: bytes of a press, median", _cost(each), "80 in 5", met)
        yield Row(f"Bus, {game}: bytes of a turn, median", _cost(turns))
        total, frames = sum(one.bytes for one in each), sum(one.frames for one in each)
        changed, most = sum(one.changed for one in each), max(one.most for one in each)
        yield Row(f"Bus, {game}: most bytes of a frame", f"{most:,}", "1,090", most <= 1_090)
        ratio = frames * STOCK / total
        figure = f"1/{ratio:.1f} ({total:,} in {frames:,} frames)"
        yield Row(f"Bus, {game}: a game against luma", figure, "1/10", ratio >= 10)
        figure = f"{total / changed:.2f} (at best 1/{frames * STOCK / changed:.1f} of luma's)"
        met = total <= 2.5 * changed
        yield Row(f"Bus, {game}: a game against bytes changed", figure, "2.5", met)


def _cost(each: Sequence[Sent]) -> str:
    bytes_, transactions = median(s.bytes for s in each), median(s.transactions for s in each)
    return f"{bytes_:.0f} in {transactions:.0f} transactions"


class Press(NamedTuple):
    """A button, and the frames that it brought, after the one before it."""

    button: str
    frames: Sequence[bytes]


class Thumb:
    """Somebody who knows the answer, and turns to it the shortest way; at a loss, tries buttons."""

    def __init__(self, drive: Drive) -> None:
        self.drive, self.random = drive, Random(1)
        self.prompt: Prompt | None = None
        self.wanted = self.idle = 0

    def press(self) -> Press:
        """One press, of whatever button leads on."""
        before = len(self.drive.frames)
        lost = self.idle >= 3
        button = self.random.choice((UP, DOWN, OK, BACK, *SEATS)) if lost else self._button()
        self.drive.press(button, seconds=LOOK + 0.1 if lost else 0.08)
        frames = self.drive.frames[before - 1 :]
        self.idle = self.idle + 1 if len(frames) == 1 else 0
        return Press(button, frames)

    def _button(self) -> str:
        prompt = self.drive.table.prompt
        if self.drive.table.curtain is not None and not self.drive.moments:
            return BACK  # the card just put down need not be looked at
        if self.drive.moments or prompt is None:
            return OK
        if not isinstance(prompt, Choose | Number | Roll):
            return self.random.choice((UP, DOWN, OK))
        places = wheel(prompt)
        if prompt != self.prompt:
            self.prompt, self.wanted = prompt, places.index(simulate.pick(prompt, self.random))
        away = (self.wanted - self.drive.table.cursor.at) % len(places)
        if not away:
            self.prompt = None  # the next may be the same question
            return OK
        forth, back = (UP, DOWN) if is_wheel(prompt) else (DOWN, UP)
        return forth if away * 2 <= len(places) else back


def whole_game(game: str) -> Iterator[Press]:
    """A random game, press by press; a game must be over some time."""
    options = {option.name: option.values[0] for option in registry.find(game).options}
    players = PLAYERS[: registry.find(game).seats[0]]
    drive = Drive(begun(setup_for(options, game=game, players=players)))
    drive.resume()
    thumb = Thumb(drive)
    for _ in range(MOST_PRESSES):
        if drive.session.prompt is None:
            return
        yield thumb.press()
    raise AssertionError(f"{game} is not over after {MOST_PRESSES:,} presses")
