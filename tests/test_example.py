"""The example of docs/a-game.md, installed by pip in a folder outside the source tree."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import companion
from companion.box.app import App
from companion.games import registry
from companion.record.journal import Journal
from hardware.pixels import half_blocks
from hardware.terminal import Terminal
from tests.helpers import NOW
from tests.installed import Stranger, pip_install, shop

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(companion.__file__).parents[1]
EXAMPLE: Final = ROOT / "examples" / "running-tricks"
PAGE: Final = (ROOT / "docs" / "a-game.md").read_text("utf-8")
TRICKS: Final = ("Ann", "Bob", "Ann", "Ann", "Bob")
"""Who takes the tricks of a deal of five."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Somebody who has the companion, and has installed the example."""
    folder = tmp_path_factory.mktemp("stranger")
    copy = shutil.copytree(EXAMPLE, folder / "running-tricks")
    pip_install(copy, folder / "site")
    for source in copy.glob("companion_*"):
        shutil.rmtree(source)  # what is tested is what is installed
    return Stranger(folder)


def test_the_example_needs_no_line_outside_its_folder() -> None:
    for room in ("companion", "hardware", "sounds", "handwritten"):
        for file in (ROOT / room).rglob("*"):
            if file.suffix in (".py", ".po", ".toml", ".in"):
                assert "running" + "-tricks" not in file.read_text("utf-8"), file


def test_its_python_is_as_short_as_the_page_says() -> None:
    code = [
        line for file in EXAMPLE.glob("companion_*/*.py") for line in file.open() if line.strip()
    ]
    assert 60 <= len(code) < 120
    assert "in fewer than 120 lines" in PAGE.replace("\n", " ")


def test_every_piece_of_code_on_the_page_is_in_the_example() -> None:
    files = [file for file in EXAMPLE.rglob("*") if file.suffix in (".py", ".po", ".toml")]
    written = "\n".join(file.read_text("utf-8") for file in files)
    pieces = re.findall(r"^```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert len(pieces) > 8
    assert [piece for piece in pieces if piece not in written] == []


def test_it_is_listed_with_its_package(stranger: Stranger) -> None:
    assert json.loads(stranger.says("games", "--json"))[-1] == {
        "name": "running-tricks", "title": "Running tricks", "version": "1.0.0",
        "package": "companion-running-tricks", "seats": [2, 4], "api": 1, "ok": True, "why": None,
    }  # fmt: skip
    assert (
        json.loads(stranger.says("games", "--json", "--lang", "fr"))[-1]["title"]
        != "Running tricks"
    )


def told(stranger: Stranger, *arguments: str, answers: tuple[Any, ...]) -> list[dict[str, Any]]:
    said = "".join(json.dumps({"answer": answer}) + "\n" for answer in answers)
    setting = ("--set", "tricks=5", "--set", "target=20", "--players", "Ann,Bob")
    lines = stranger.says("stdio", "running-tricks", *setting, *arguments, said=said).splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("language", "speech"),
    [("en", "Ann. Ann 2, Bob 1."), ("fr", "Ann. Ann 2, Bob 1.")],
)
def test_stdio_tells_the_running_totals(stranger: Stranger, language: str, speech: str) -> None:
    lines = told(stranger, "--lang", language, answers=TRICKS[:3])
    last = [line for line in lines if line.get("event") == "taken"][-1]
    assert (last["totals"], last["speech"]) == ({"Ann": 2, "Bob": 1}, speech)
    assert lines[-1]["question"] == "trick"


def test_a_game_over_stdio_goes_on_from_its_journal_and_ends(stranger: Stranger) -> None:
    journal = ("--journal", str(stranger.folder / "journal.db"))
    told(stranger, *journal, answers=(*TRICKS, *TRICKS[:2]))
    lines = told(stranger, *journal, answers=(*TRICKS[2:], *TRICKS * 5))
    assert lines[1]["left"] == 3
    over = next(line for line in lines if line["type"] == "over")
    assert (over["winners"], over["state"]["points"]) == (["Ann"], {"Ann": 21, "Bob": 14})


def test_random_players_end_their_games(stranger: Stranger) -> None:
    assert "50 games of running-tricks" in stranger.says(
        "simulate", "running-tricks", "--games", "50"
    )


def test_its_own_tests_hold_the_kit_among_them(stranger: Stranger) -> None:
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "running-tricks")
    assert re.search(r"\d+ passed", stranger.run(sys.executable, *tests))


@pytest.fixture
def in_path(stranger: Stranger) -> Iterator[None]:
    for _ in shop(stranger.site):
        yield


@pytest.mark.usefixtures("in_path")
def test_it_is_played_in_the_terminal() -> None:
    """On the keys: new game, the last of the list, two players, start; then a trick."""
    terminal = Terminal({"title": "", "keys": "", "quit": "", "too_small": ""})
    frames: list[bytes] = []

    async def play() -> None:
        async with terminal.app.run_test(size=(140, 50)) as pilot:
            app = App(terminal.box, Journal(None), clock=lambda: 0.0, wall=lambda: NOW)
            app.start()
            for key in KEYS:
                terminal.app.simulate_key(key)
                await pilot.pause()
                while not app.inbox.empty():
                    app.handle(app.inbox.get())
            frames.append(app._frame())

    asyncio.run(play())
    assert registry.names()[-1] == "running-tricks"
    assert half_blocks(frames[-1])


KEYS: Final = ("enter", "up", "enter")
