"""Measurements within this process."""

from __future__ import annotations

import cProfile
import io
import pstats
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import chess

from companion.box.events import BoxQuitRequested
from companion.box.loop import Loop
from companion.box.system import Machine
from companion.catalog import editions, registry
from companion.core.prompts import Choose
from companion.play import simulate
from companion.record.journal import Journal
from hardware.mock import FakeButtons, FakeLamps, FakeSpeaker
from hardware.ports import BACK, BUTTONS, DOWN, OK, UP, Box, Edge
from tests.system.bench.box import SEED, Screen, Table
from tests.system.bench.row import Row

NAMES = ("Ann", "Bob", "Cleo", "Dee")
MIN_SPEED_RATIO: Final = 2
"""Minimum number of answers in the time of one move of python-chess."""


def frames(_: Path) -> Iterator[Row]:
    """Yield row 1: only changes of the screen are sent."""
    table = Table(None)
    before = table.screen.frames
    edges = [Edge(button, False, table.buttons.now) for button in BUTTONS]
    for edge in edges * 100:
        table.loop.handle_event(edge)
        table.loop.tick(table.buttons.now)
    sent = table.screen.frames - before
    yield Row("Nothing changed, 1,600 events: frames sent", str(sent), "0", sent == 0)
    random = Random(1)
    steps: list[int] = []
    cards: list[int] = []
    while len(cards) < 200:
        table.to_question()
        before_step = table.screen.last
        table.press(UP)
        steps.append(_differ(before_step, table.screen.last))
        prompt, before_card = table.prompt, table.screen.last
        table.press(*[OK] if random.random() < 0.7 else [DOWN, OK])
        if isinstance(prompt, Choose) and isinstance(table.prompt, Choose):
            cards.append(_differ(before_card, table.screen.last))
    yield Row("Bytes of 1,024 that a step of the wheel changes, mean", f"{mean(steps):.0f}")
    yield Row("Bytes of 1,024 that a card played changes, mean", f"{mean(cards):.0f}")


def _differ(before: bytes, after: bytes) -> int:
    return sum(a != b for a, b in zip(before, after, strict=True))


class Noting(Loop):
    """A loop that stores the handled edges, on a stopped clock."""

    def __init__(self, box: Box, journal: Journal) -> None:
        super().__init__(box, journal, Machine(lambda: 0.0, lambda: 0))
        self.edges: list[Edge] = []

    def handle_event(self, event: Any) -> None:
        if isinstance(event, Edge):
            self.edges.append(event)
        super().handle_event(event)


def burst(_: Path) -> Iterator[Row]:
    """Yield row 4: the box loses none of 20,000 presses at once, and draws few frames.

    They do less than single presses: a press before a question is shown does not answer it.
    """
    pressed = Random(1).choices((UP, DOWN, OK, BACK), (6, 6, 12, 1), k=20_000)
    with patch("companion.play.begin.fresh_seed", return_value=SEED):
        slow, slow_screen = _pressed(pressed, at_once=False)
        fast, fast_screen = _pressed(pressed, at_once=True)
    edges = sum(one == other for one, other in zip(slow.edges, fast.edges, strict=False))
    yield Row("Burst of 20,000 presses: edges in order", f"{edges:,}", "40,000", edges == 40_000)
    figure = f"{fast_screen.frames} for {slow_screen.frames:,}"
    few = fast_screen.frames < slow_screen.frames
    yield Row("Burst: frames sent, against one by one", figure, "fewer", few)


def _pressed(buttons: list[str], *, at_once: bool) -> tuple[Noting, Screen]:
    """Return the loop and the screen of a box after some presses."""
    hand, screen = FakeButtons(), Screen()
    loop = Noting(Box(hand, (screen,), (FakeSpeaker(),), FakeLamps()), Journal(None))
    loop.start()
    for button in buttons:
        hand.press(button, gap=0.02)
        while not at_once and not loop.inbox.empty():
            loop.handle_event(loop.inbox.get())
    loop.inbox.put(BoxQuitRequested())
    loop.run()
    return loop, screen


def press(folder: Path) -> Iterator[Row]:
    """Yield the time from edge to frame, without a limit, because it depends on the disk."""
    from tests.system.bench.stock import Stock, texts  # noqa: PLC0415 - imports three libraries

    table, random = Table(folder / "press.db"), Random(1)
    stock, screen = Stock(folder / "stock.db"), texts(table)
    ours, theirs = [], []
    for _ in range(300):
        ours.append(table.answer(random))
        theirs.append(stock.press(screen))
    stock.wire.sent = 0
    stock.press(screen)
    stock.close()
    table.journal.close()
    ratio = median(theirs) / median(ours)
    figure = f"1/{ratio:.1f} ({median(ours) * 1e3:.2f} of {median(theirs) * 1e3:.2f} ms)"
    yield Row("  press to frame by the clock, p50", figure)
    yield Row("Bytes of a frame, the stock way", f"{stock.wire.sent:,}")


class Limits(NamedTuple):
    """The limits for random games of a game; `variants` are options that play differently."""

    presses: float
    """Maximum presses for an answer: the mean of 1,000 games with the first variant.

    In Barney Miller the wheel starts on the card that makes ten, which random players seldom play.
    """
    variants: tuple[Mapping[str, str], ...]


LIMITS: Final = {
    "barney-miller": Limits(3.4, ({"deck": "own"}, {"deck": "virtual"})),
    "baretta": Limits(3.5, ({"deck": "own", "dice": "real"}, {"deck": "virtual"})),
    "kojak": Limits(2.5, ({"deck": "own", "die": "real"}, {"deck": "virtual"})),
    "probe": Limits(2.5, ({"words": "racks"}, {"words": "secret"})),
}


def playouts(_: Path) -> Iterator[Row]:
    """Yield row 10: answers of random games beside moves of random chess, by processor time."""
    for game, limits in LIMITS.items():
        for variant in limits.variants:
            for seats in registry.find_game(game).seats:
                both = [(chess_speed(), _speed(game, variant, seats)) for _ in range(5)]
                moves, answers = (max(speeds) for speeds in zip(*both, strict=True))
                figure = f"{answers / moves:.1f} times chess' ({answers:,.0f}/s)"
                what = f"Playouts, {game}, {_told(variant)}, {seats} players"
                met = answers >= MIN_SPEED_RATIO * moves
                yield Row(what, figure, f"{MIN_SPEED_RATIO}", met)
                if not met:
                    yield from _slowest(game, variant, seats)


def chess_speed() -> float:
    """Return the moves a second of python-chess, in four fixed random games."""
    random, moves, begun = Random(1), 0, process_time()
    for _ in range(4):
        board = chess.Board()
        while not board.is_game_over():
            board.push(random.choice(list(board.legal_moves)))
            moves += 1
    return moves / (process_time() - begun)


def _told(variant: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in variant.items())


def _many(
    name: str, variant: Mapping[str, str], seats: int, number: int, *, count: bool
) -> simulate.SimulationStatistics:
    game, edition = registry.find_game(name), editions.load_edition(name)
    options = {option.name: option.values[0] for option in game.options} | dict(variant)
    first = game.setup(NAMES[:seats], options, edition)
    return simulate.simulate_random_games(game, first, games=number, seed=1, count=count)


def _speed(game: str, variant: Mapping[str, str], seats: int) -> float:
    begun = process_time()
    figures = _many(game, variant, seats, 100, count=False)
    return figures.answers / (process_time() - begun)


def _slowest(game: str, variant: Mapping[str, str], seats: int) -> Iterator[Row]:
    """Return the five functions with the most time."""
    profile = cProfile.Profile()
    profile.runcall(_many, game, variant, seats, 50, count=False)
    stats = pstats.Stats(profile, stream=io.StringIO())
    rows = stats.get_stats_profile()
    top = sorted(rows.func_profiles.items(), key=lambda pair: -pair[1].tottime)
    for name, found in top[:5]:
        yield Row(f"  {name}", f"{found.tottime / rows.total_tt:.0%}")


def presses(_: Path) -> Iterator[Row]:
    """Yield row 11: the number of steps of the wheel for an answer."""
    for game, limits in LIMITS.items():
        seats = registry.find_game(game).seats
        figures = [_many(game, limits.variants[0], n, 1_000, count=True) for n in seats]
        by_seats = [figure.presses / figure.player_answers for figure in figures]
        total = sum(f.presses for f in figures) / sum(f.player_answers for f in figures)
        shown = f"{total:.2f} ({' '.join(f'{mean:.2f}' for mean in by_seats)})"
        met = max(by_seats) <= limits.presses
        yield Row(f"Presses an answer, {game}, 2 3 4 players", shown, f"{limits.presses}", met)
