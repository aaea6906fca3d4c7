"""Helpers: install the examples of docs/a-game.md as packages, and set up a table of each game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import companion
from companion.catalog import editions, registry
from companion.play.answer_history import GameSetup
from companion.play.begin import new_game_setup as fresh
from companion_testing.table import GameTable, tables_of_all_option_combinations

EXAMPLES: Final = Path(companion.__file__).parents[1] / "examples"
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
SEATS: Final = 3
GAMES: Final = (*registry.BUILT_IN_GAMES, "running-tricks")


@contextmanager
def example(name: str = "running-tricks") -> Iterator[None]:
    """Install an example of docs/a-game.md from this tree during the block."""
    module = f"companion_{name.replace('-', '_')}"
    with TemporaryDirectory() as folder:
        info = Path(folder) / f"{module}-1.0.0.dist-info"
        info.mkdir()
        about = f"Metadata-Version: 2.1\nName: companion-{name}\nVersion: 1.0.0\n"
        (info / "METADATA").write_text(about)
        (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {module}\n")
        path = [folder, str(EXAMPLES / name)]
        sys.path[:0] = path
        registry.packaged_games.cache_clear()
        try:
            yield
        finally:
            for place in path:
                sys.path.remove(place)
            for loaded in [each for each in sys.modules if each.startswith(module)]:
                del sys.modules[loaded]
            registry.packaged_games.cache_clear()


def seated(game: str, rng: Random, *, own: bool) -> GameSetup:
    """Return the setup of a game, with the box's cards and words or the players' own."""
    found = registry.find_game(game)
    every = [*tables_of_all_option_combinations(found, {})]
    kinds = ("own", "real") if own else ("virtual", "secret")

    def fits(table: GameTable) -> tuple[int, bool, float]:
        values = [*table.options.values()]
        return sum(v in kinds for v in values), len(table.players) == SEATS, rng.random()

    table = max(every, key=fits)
    setup = fresh(game, NAMES[: len(table.players)], table.options, editions.load_edition(game))
    return setup._replace(chance=setup.chance._replace(seed=f"{game} {own}"), mixing=False)
