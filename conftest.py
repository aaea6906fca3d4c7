"""Settings and fixtures of all tests: environment, Hypothesis, word lists, garbage collection."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Generator, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from companion.catalog import registry, services
from companion.figures.statistics_cache import StatisticsCache
from companion.games.probe.known import lexicon
from companion.games.probe.rules.board import LETTERS
from companion.games.probe.rules.questions import LETTER_FREQUENCIES
from companion.play import begin
from companion.record.journal import Journal
from companion.say import dictionary

services.installed_services()  # search the packages now: the order of tests must not matter

# The tests start hundreds of Python processes: let these processes share compiled modules.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The output of commands must not depend on the language, terminal or systemd of the machine.
for name in ("COLUMNS", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "NOTIFY_SOCKET"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - pytest creates a private folder in it
ROOM: Final = 2**31
"""Free space (bytes) that `MEMORY` must have."""


def quick_to_write(folder: Path) -> bool:
    """Return True if `folder` is writable, has `ROOM` bytes free, and may contain programs."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    return shutil.disk_usage(folder).free >= ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC


# The tests sync thousands of records: memory is faster than a disk.
if "TMPDIR" not in os.environ and quick_to_write(MEMORY):
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None  # forget the folder that an earlier call cached

# A test must not fail because of a slow machine or chance: no deadlines, no check of the speed, and
# fixed examples. `long` tries four times as many examples as `quick`. `other` tries random ones.
ANY_SPEED: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", ANY_SPEED, derandomize=True, max_examples=25)
settings.register_profile("long", ANY_SPEED, derandomize=True)
settings.register_profile("other", ANY_SPEED)
settings.load_profile("quick")


def pytest_configure(config: pytest.Config) -> None:
    """In the quick lane, stop Hypothesis from trying constants that it finds in our code.

    Every worker would have to parse all modules, and the constants depend on the earlier tests.
    """
    if config.getoption("--hypothesis-profile") is None:
        providers._get_local_constants = lambda: providers._local_constants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--draw-goldens",
        action="store_true",
        help="Draw the frames of tests/draw/goldens anew instead of comparing; the run fails then.",
    )


gc.disable()  # objects that pytest creates while it collects tests live until the end

WORKER: Final = os.environ.get("PYTEST_XDIST_WORKER", "")
"""Name of this pytest-xdist worker (gw0, gw1, …), or an empty string without workers."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every second worker collect the files in reverse order.

    On a fresh clone, two workers then compile one half of the files each.
    """
    report = yield
    if WORKER and int(WORKER[-1]) % 2 and isinstance(collector, pytest.Directory):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)  # before pytest applies `-m`
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave cases to the long lane, and sort the tests, so that all workers have one order."""
    leave_cases_to_the_long_lane(items)
    if WORKER:
        items.sort(key=lambda item: item.path)


def leave_cases_to_the_long_lane(items: list[pytest.Item]) -> None:
    """Mark all cases of a test with `sampled(n)` as long, except `n` cases.

    The name of the file chooses the cases. All tests of a file then use one game, which is loaded
    once, and different files use different games.
    """
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("long"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for name, every in cases.items():
        n = next(every[0].iter_markers("sampled")).args[0]
        first = crc32(name.partition("::")[0].encode())
        quick = {(first + k * len(every) // n) % len(every) for k in range(n)}
        for place, item in enumerate(every):
            if place not in quick:
                item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """Search for garbage rarely: thousands of tests stay in memory until the end."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture(scope="session")
def edition() -> dict[str, Any]:
    """Return Barney Miller's printed edition from edition.toml."""
    return tomllib.loads(
        (registry.game_file_path("barney-miller", "edition.toml")).read_text("utf-8")
    )


@pytest.fixture
def word_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give Probe's computer players a list of invented words and their plurals."""
    rng, weights = Random(1), [LETTER_FREQUENCIES[letter] for letter in LETTERS]
    words = ["".join(rng.choices(LETTERS.lower(), weights, k=4 + n % 8)) for n in range(10_000)]
    text = "".join(f"{word}\n{word}s\n" for word in words)
    (tmp_path / "american-english").write_text(text, "ascii")
    for module in (lexicon, dictionary):
        monkeypatch.setattr(module, "LISTS_FOLDER", tmp_path)
    for found in (lexicon.load_words_by_length, lexicon.installed_words_fitting_rack):
        found.cache_clear()
    yield
    for found in (lexicon.load_words_by_length, lexicon.installed_words_fitting_rack):
        found.cache_clear()


@pytest.fixture(autouse=True)
def each_test_has_its_own_chance(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Derive the seeds of games from the name of the test: every run plays equal games."""
    name, begun = request.node.nodeid, count()

    def seed() -> str:
        return sha256(f"{name} {next(begun)}".encode()).hexdigest()

    monkeypatch.setattr(begin, "fresh_seed", seed)


@pytest.fixture(autouse=True)
def all_that_is_kept_is_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the journals and caches that a test leaves open: Python 3.13 warns about them."""
    opened: list[Journal | StatisticsCache] = []

    def spied(kind: type[Journal | StatisticsCache]) -> None:
        made: Any = kind.__init__

        def spy(one: Journal | StatisticsCache, *args: Any, **kwargs: Any) -> None:
            made(one, *args, **kwargs)
            opened.append(one)

        monkeypatch.setattr(kind, "__init__", spy)

    for kind in (Journal, StatisticsCache):
        spied(kind)
    yield
    for one in opened:
        one.close()
