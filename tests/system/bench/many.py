"""Measure statistics of 10 to 10,000 games: `python -m tests.system.bench.many [GAMES …]`.

The record has random games of each kind, copied with other ids and days. The program first builds
the statistics, which takes minutes for 10,000 games. Then it measures the time of each page: the
minimum of five new processes.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.figures.statistics_cache import StatisticsCache
from companion.play.answer_history import GameSetup
from companion.play.record_header import fresh_game_id
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Entry, Journal

SIZES: Final = (10, 1_000, 10_000)
NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
DIFFERENT_GAMES: Final = 100
"""Number of different games, a quarter of each kind."""
FIRST_GAME_TIME: Final = 1_700_000_000
SECONDS_PER_DAY: Final = 86_400
REPEATED_MEASUREMENTS: Final = 5
WHATS: Final = (
    *("open", "history", "people", "person", "group", "one game"),
    *("box, everybody", "box, a remark"),
)


def played(seed: int) -> list[Entry]:
    """Return the lines of a random game."""
    rng, game = (
        random.Random(seed),
        registry.find_game(registry.BUILT_IN_GAMES[seed % len(registry.BUILT_IN_GAMES)]),
    )
    options = {option.name: option.values[0] for option in game.options}
    players = tuple(rng.sample(NAMES, 3))
    setup = GameSetup(
        game, players, options, editions.load_edition(game.name), Chance(str(seed)), mixing=False
    )
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, FIRST_GAME_TIME)
        at = FIRST_GAME_TIME
        while (prompt := session.standing.pending_prompt) is not None:
            at += rng.randrange(1, 20)
            session.answer(random_answer(prompt, rng), at)
        session.commit()
        return journal.read_lines_of_game(session.number)


def write(path: Path, n: int) -> None:
    kinds = [played(seed) for seed in range(min(n, DIFFERENT_GAMES))]
    with closing(Journal(path)) as journal, journal.game_adder_with_single_commit() as add:
        for number, (first, *entries) in enumerate(islice(cycle(kinds), n)):
            later = number * SECONDS_PER_DAY // 10
            header = {**first.value, "id": fresh_game_id()}
            moved = [entry._replace(at=entry.at + later) for entry in entries]
            add([first._replace(value=header, at=first.at + later), *moved])


def build(path: Path) -> float:
    """Build the statistics of a record; return the seconds."""
    begun = perf_counter()
    with (
        closing(Journal(path, beside=True)) as journal,
        closing(StatisticsCache(journal, figures(path))) as shelf,
    ):
        shelf.all_game_statistics()
    return perf_counter() - begun


def figures(path: Path) -> Path:
    return path.with_name(f"{path.name}-figures")


def rows(path: Path, n: int) -> Iterator[tuple[str, str]]:
    write(path, n)
    yield "record", f"{path.stat().st_size / 2**20:.1f} MB"
    yield "figures built", f"{build(path):.1f} s"
    yield "figures", f"{figures(path).stat().st_size / 2**20:.2f} MB"
    for what in WHATS:
        command = (sys.executable, "-m", "tests.system.bench.looking", str(path), what)
        said = [
            subprocess.run(command, capture_output=True, check=True).stdout
            for _ in "a" * REPEATED_MEASUREMENTS
        ]
        found = [json.loads(text) for text in said]
        ms, mb = min(one["ms"] for one in found), min(one["mb"] for one in found)
        yield what, f"{ms:.1f} ms, {mb:.1f} MB"


def main() -> None:
    for n in map(int, sys.argv[1:] or SIZES):
        with TemporaryDirectory(prefix="companion-many-") as folder:
            for what, figure in rows(Path(folder) / "games.db", n):
                sys.stdout.write(f"{n:6d} games  {what:<14} {figure}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
