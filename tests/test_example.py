"""Tests of the example of docs/a-game.md, installed by pip outside the source tree."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

import companion
from companion.box.loop import Loop
from companion.box.system import Machine
from companion.draw.canvas import Canvas
from companion.record.journal import Journal
from hardware.display.frame_conversions import frame_as_half_block_lines
from hardware.screens import shared_display
from hardware.screens.terminal import TerminalBox
from tests.hardware.test_terminal import screen
from tests.helpers import NOW_SECONDS
from tests.installed import StrangerAccount, clone_project, pip_install, shop

ROOT: Final = Path(companion.__file__).parents[1]
EXAMPLE: Final = ROOT / "examples" / "running-tricks"
SECOND: Final = ROOT / "examples" / "liars-dice"
THIRD: Final = ROOT / "examples" / "score-pad"
PAGES: Final = ("a-game.md", "reference/game-package.md")
PAGE: Final = "".join((ROOT / "docs" / page).read_text("utf-8") for page in PAGES)
LARGE: Final = (140, 50)
TO_BEGIN: Final = ("enter", "up", "enter", "enter", "enter")
"""Keys that begin a new game: the last game of the list, with Ann and Bob."""
TO_NAME_BOB: Final = ("down", "enter")
"""Keys that give the trick to the second player."""
TRICKS: Final = ("Ann", "Bob", "Ann", "Ann", "Bob")
"""Winners of the tricks in a deal of five."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> StrangerAccount:
    """Return the account of a user who has installed the example."""
    folder = tmp_path_factory.mktemp("stranger")
    copy = shutil.copytree(EXAMPLE, folder / "running-tricks")
    pip_install(copy, folder / "site")
    for source in copy.glob("companion_*"):
        shutil.rmtree(source)  # test the installed package, not its source
    return StrangerAccount(folder)


def test_the_example_needs_no_line_outside_its_folder() -> None:
    for room in ("companion", "hardware", "sounds", "checked_input"):
        for file in (ROOT / room).rglob("*"):
            if file.suffix in (".css", ".html", ".in", ".js", ".po", ".py", ".toml"):
                assert "running" + "-tricks" not in file.read_text("utf-8"), file


def test_its_python_is_as_short_as_the_page_says() -> None:
    files = EXAMPLE.glob("companion_*/*.py")
    code = [line for file in files for line in file.read_text("utf-8").splitlines() if line]
    assert 60 <= len(code) < 140
    assert "fewer than 140 lines" in PAGE.replace("\n", " ")


def test_every_piece_of_code_on_the_page_is_in_an_example() -> None:
    every = (file for folder in (EXAMPLE, SECOND, THIRD) for file in folder.rglob("*"))
    files = [file for file in every if file.suffix in (".js", ".py", ".po", ".toml")]
    written = "\n".join(file.read_text("utf-8") for file in files)
    pieces = re.findall(r"^```(?!text|console)\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    paragraphs = [part.strip() for piece in pieces for part in piece.split("\n\n")]
    assert len(pieces) > 8
    assert [part for part in paragraphs if part not in written] == []


@pytest.mark.long
def test_it_is_listed_with_its_package(stranger: StrangerAccount) -> None:
    assert json.loads(stranger.says("games", "--json"))[-1] == {
        "name": "running-tricks", "title": "Running tricks", "version": "1.0.0",
        "package": "companion-running-tricks", "seats": [2, 4], "api": 1, "ok": True, "why": None,
    }  # fmt: skip
    assert (
        json.loads(stranger.says("games", "--json", "--lang", "fr"))[-1]["title"]
        != "Running tricks"
    )
    (listed,) = re.findall(r"^```text\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)
    assert stranger.says("games").splitlines()[-1] == listed


@pytest.mark.long
def test_a_checkout_without_tags_has_a_version_that_games_can_be_installed_beside(
    stranger: StrangerAccount,
) -> None:
    clone_project(stranger.folder / "checkout")
    stranger.says("new-game", "first-to-five")
    said = stranger.run(
        sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--no-build-isolation",
        "./checkout", "./checkout/examples/running-tricks", "./first-to-five",
    )  # fmt: skip
    (would,) = re.findall(r"^Would install (.*)$", said, re.MULTILINE)
    assert re.findall(r"[a-z-]+(?=-\d)", would) == [
        "companion-first-to-five", "companion-running-tricks", "tabletop-companion",
    ]  # fmt: skip


def test_a_checkout_without_tags_leads_to_the_release_that_the_changelog_begins_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (begun, *_) = re.findall(r"^## (\d\S+)", changelog, re.MULTILINE)
    assert project["tool"]["hatch"]["version"]["fallback-version"] == f"{begun}.dev0"


def told(
    stranger: StrangerAccount, *arguments: str, answers: tuple[Any, ...]
) -> list[dict[str, Any]]:
    said = "".join(json.dumps({"answer": answer}) + "\n" for answer in answers)
    setting = ("--set", "tricks=5", "--players", "Ann,Bob")
    lines = stranger.says("stdio", "running-tricks", *setting, *arguments, said=said).splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "speech"),
    [("en", "Ann. Ann 2, Bob 1."), ("fr", "Ann. Ann 2, Bob 1.")],
)
def test_stdio_tells_the_running_totals(
    stranger: StrangerAccount, language: str, speech: str
) -> None:
    lines = told(stranger, "--lang", language, answers=TRICKS[:3])
    last = [line for line in lines if line.get("event") == "taken"][-1]
    assert (last["totals"], last["speech"]) == ({"Ann": 2, "Bob": 1}, speech)
    assert [line for line in lines if line["type"] == "ask"][-1]["question"] == "trick"


@pytest.mark.long
def test_a_game_over_stdio_goes_on_from_its_journal_and_ends(stranger: StrangerAccount) -> None:
    journal = ("--journal", str(stranger.folder / "journal.db"))
    told(stranger, *journal, answers=(*TRICKS, *TRICKS[:2]))
    lines = told(stranger, *journal, answers=(*TRICKS[2:], *TRICKS * 8))
    assert lines[1]["left"] == 3
    over = next(line for line in lines if line["type"] == "over")
    assert (over["winners"], over["state"]["points"]) == (["Ann"], {"Ann": 30, "Bob": 20})


@pytest.mark.long
def test_random_players_end_their_games(stranger: StrangerAccount) -> None:
    assert "50 games of running-tricks" in stranger.says(
        "simulate", "running-tricks", "--games", "50"
    )


@pytest.mark.long
def test_its_own_tests_hold_the_kit_among_them(stranger: StrangerAccount) -> None:
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "running-tricks")
    assert re.search(r"\d+ passed", stranger.run(sys.executable, *tests))


@pytest.fixture
def in_path(stranger: StrangerAccount) -> Iterator[None]:
    for _ in shop(stranger.site):
        yield


@pytest.mark.long
@pytest.mark.usefixtures("in_path")
@pytest.mark.parametrize(
    ("language", "header"), [("en", "Deal 1, 12 to go"), ("fr", "Donne 1, reste 12")]
)
def test_it_is_played_in_the_terminal(
    language: str, header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, frame = in_terminal(language, (*TO_BEGIN, *TO_NAME_BOB), monkeypatch)
    assert all(line.rstrip() in seen for line in frame_as_half_block_lines(frame))
    assert row(0, header) in frame
    assert "Bob. Ann 0, Bob 1." in seen


def in_terminal(
    language: str, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> tuple[str, bytes]:
    """Return the text of a large terminal after `keys`, and the frame that it must show."""
    now = count()
    face = TerminalBox(dict.fromkeys(("title", "keys", "quit", "too_small"), ""))

    async def play() -> tuple[str, bytes]:
        async with face.app.run_test(size=LARGE) as pilot:
            machine = Machine(lambda: 0.0, lambda: NOW_SECONDS, language=language)
            loop = Loop(face.box, Journal(None), machine)
            loop.start()
            for key in keys:
                monkeypatch.setattr(shared_display, "monotonic", partial(float, next(now)))
                face.app.simulate_key(key)
                await pilot.pause()
                while not loop.inbox.empty():
                    loop.handle_event(loop.inbox.get())
            await pilot.pause()
            return screen(face.app), loop._services.screen.shown_frame

    return asyncio.run(play())


def row(page: int, text: str) -> bytes:
    """Return the bytes of small letters at the left of a frame's page."""
    canvas = Canvas()
    canvas.draw_text(page, 0, text)
    return canvas.frame[128 * page : 128 * page + 6 * len(text)]
