"""Tests of the score pad, the third example of docs/a-game.md, with each kind of input."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.core.chance import Chance
from companion.play.answer_history import GameSetup
from hardware.ports import BACK, DOWN, OK, UP
from tests.door.examples import example
from tests.ear.listener import Listener, Table
from tests.helpers import Drive, begin_game
from tests.installed import ROOT, StrangerAccount, add_to_path, pip_install
from tests.page.browsers import chromium, phones
from tests.page.house import house
from web import build

EXAMPLE: Final = ROOT / "examples" / "score-pad"


@pytest.fixture
def installed() -> Iterator[None]:
    with example("score-pad"):
        yield


def at_table(*answers: Any, language: str = "en", **options: str) -> Drive:
    """Return a box at which Ann and Bob play, after `answers`."""
    game = registry.find_game("score-pad")
    values = {option.name: option.values[0] for option in game.options} | options
    setup = GameSetup(game, ("Ann", "Bob"), values, {}, Chance("0ad"), mixing=False)
    drive = Drive(begin_game(setup, answers), language)
    drive.resume()
    return drive


def view(drive: Drive) -> Any:
    """Return the public view."""
    return drive.loop.running_session.standing.snapshot.view  # type: ignore[union-attr]


def test_it_is_written_with_the_public_interface_in_fewer_than_200_lines() -> None:
    lines = [
        line.strip()
        for file in EXAMPLE.glob("companion_*/*.py")
        for line in file.read_text("utf-8").splitlines()
    ]
    assert 0 < len([line for line in lines if line and not line.startswith(("- ", '"""'))]) < 200


@pytest.mark.usefixtures("installed")
def test_buttons_turn_a_wheel_of_tens_and_then_of_ones() -> None:
    drive = at_table()
    drive.press(UP)
    drive.press(UP)
    drive.press(OK)
    drive.press(DOWN)
    drive.press(UP)
    drive.press(UP)
    drive.press(OK)
    assert view(drive)["scores"] == {"Ann": 21, "Bob": 0}
    drive.press(DOWN)
    drive.press(OK)
    drive.press(DOWN)
    drive.press(OK)
    assert view(drive)["scores"] == {"Ann": 21, "Bob": -11}


@pytest.mark.usefixtures("installed")
def test_undo_takes_the_points_of_one_player_back() -> None:
    drive = at_table({"tens": 137}, {"tens": 12})
    drive.press(BACK)
    drive.choose("undo")
    assert view(drive)["scores"] == {"Ann": 137, "Bob": 0}


@pytest.mark.long
def test_stdio_takes_a_number_at_once_and_tells_the_totals(tmp_path: Path) -> None:
    stranger = StrangerAccount(tmp_path)
    pip_install(EXAMPLE, stranger.site)
    answers = ({"tens": 137}, {"tens": -5}, {"tens": 10, "points": 12}, {"tens": 3})
    said = "".join(json.dumps({"answer": answer}) + "\n" for answer in answers)
    lines = stranger.says("stdio", "score-pad", "--players", "Ann,Bob", said=said).splitlines()
    counted = [line for line in map(json.loads, lines) if line.get("event") == "counted"]
    assert [line["totals"] for line in counted] == [
        {"Ann": 137, "Bob": -5},
        {"Ann": 149, "Bob": -2},
    ]
    assert counted[1]["speech"] == "Round 2: Ann 149, Bob minus 2."


@pytest.mark.long
def test_each_phone_types_the_points_of_its_player_and_shows_the_whole_pad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tornado")
    site = tmp_path / "site"
    pip_install(EXAMPLE, site)
    monkeypatch.setenv("PYTHONPATH", str(site))
    home = tmp_path / "companion"
    home.mkdir()
    names = ("Ann", "Bob")
    with (
        add_to_path(site),
        chromium() as chrome,
        house(home, "score-pad", ",".join(names)) as (box, page),
    ):
        people = phones(*chrome, page, box, names)
        for who, points in (("Ann", "137"), ("Bob", "-5")):
            field = people[who].tab.locator("[data-key=ask] input[type=number]")
            field.fill(points)
            people[who].tab.wait_for_selector("[data-fresh]", state="detached")
            field.press("Enter")
            for person in people.values():
                person.tab.locator("td", has_text=points).first.wait_for()
        assert people["Ann"].tab.locator("td b").all_inner_texts() == ["137", "-5"]
        people["Ann"].tab.screenshot(path=tmp_path / "phone.png", full_page=True)
        assert people["Ann"].slips == []


@pytest.mark.long
@pytest.mark.usefixtures("installed")
def test_a_game_is_played_by_listening_alone() -> None:
    listener = Listener(Table("en"), Random(1), "en")
    listener.play(listener.begin("Score pad"))
    assert any("The game goes to" in line for line in listener.look_back())


@pytest.mark.long
def test_the_site_of_the_box_in_a_browser_carries_it(tmp_path: Path) -> None:
    build.write_program_archive(tmp_path / "program.zip")
    zipfile.ZipFile(tmp_path / "program.zip").extractall(tmp_path / "program")
    ask = "from companion.catalog import registry; print(registry.find_game('score-pad').name)"
    found = subprocess.run(
        [sys.executable, "-P", "-c", ask], env={"PYTHONPATH": str(tmp_path / "program")},
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert found.stdout == "score-pad\n"
