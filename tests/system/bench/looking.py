"""A child of `many`: read the statistics once, and print time and memory."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from companion.figures import lookup, recorded
from companion.figures.group import Day
from companion.figures.statistics_cache import StatisticsCache
from companion.record.journal import Journal

YEAR_LATER: Final = 1_714_700_000 + 365 * 86_400


def day(at: int) -> Day:
    then = time.gmtime(at)
    return then.tm_year, then.tm_mon, then.tm_mday


def person(shelf: StatisticsCache) -> Any:
    return shelf.people_statistics()[0]


def whole(shelf: StatisticsCache) -> Any:
    return shelf.group_statistics(day), shelf.list_games_one_year_ago(YEAR_LATER, day)


def look(what: str, path: Path) -> float:
    """Read one part of the statistics; return the seconds."""
    begun = perf_counter()
    if what == "open":
        Journal(path).close()
        return perf_counter() - begun
    journal = Journal(path, beside=True)
    shelf = StatisticsCache(journal, path.with_name(f"{path.name}-figures"))
    pages: dict[str, Callable[[], Any]] = {
        "history": shelf.history_statistics_page,
        "people": shelf.people_statistics,
        "person": lambda: person(shelf),
        "group": lambda: whole(shelf),
        "one game": lambda: shelf.compute_game_statistics(max(journal.game_numbers())),
        "box, everybody": lambda: lookup.look_up_people_and_group(
            shelf, YEAR_LATER, day, lambda _: None
        ),
        "box, a remark": lambda: lookup.find_rarest_fact_about_game(
            shelf, max(journal.game_numbers())
        ),
    }
    assert pages[what]()
    took = perf_counter() - begun
    assert recorded.load_recorded_game(journal, 1)
    return took


def resident() -> float:
    """Return the resident memory of this process (MB)."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    before = resident()
    took = look(sys.argv[2], Path(sys.argv[1]))
    grown = resident() - before
    sys.stdout.write(json.dumps({"ms": took * 1000, "mb": grown}))


if __name__ == "__main__":
    main()
