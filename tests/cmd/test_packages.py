"""Tests of games of installed packages on the command line: listed, played, named by records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.catalog import registry
from companion.cmd import commands, places
from companion.core.chance import Chance
from companion.core.errors import GameNotInstalled
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from tests.english import raises_english
from tests.helpers import NOW_SECONDS
from tests.installed import PackageShop, shop

ENDED = (3, 3)
"""Answers that end a game of `sum-up`."""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PackageShop]:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr(registry, "_KEPT", [])
    yield from shop(tmp_path / "site")


def says(*arguments: str) -> str:
    """Return the output of a command. Fail unless the command succeeds."""
    done = CliRunner().invoke(commands.cli, arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def refuses(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Return the exit status and the only error line of a command."""
    status = commands.run_companion_command([*arguments], debug=False)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return status, said.removeprefix("companion: ").strip()


def play(file: Path, answers: tuple[int, ...]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    setup = GameSetup(
        registry.find_game("sum-up"), ("Ann", "Bob"), {}, {}, Chance("5eed"), mixing=False
    )
    with closing(Journal(file)) as journal:
        session = Session.begin(journal, setup, NOW_SECONDS)
        for answer in answers:
            session.answer(answer, NOW_SECONDS)
        session.commit()


def listed() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(says("games", "--json"))
    return found


# --- listed ---------------------------------------------------------------------------------------


def test_the_built_in_games_are_listed_in_the_order_of_the_menu(installed: PackageShop) -> None:
    assert not installed.folder.exists()
    found = listed()
    assert tuple(game["name"] for game in found) == registry.BUILT_IN_GAMES
    assert found[2].items() >= {
        "name": "kojak", "title": "Kojak", "package": "tabletop-companion", "seats": [2, 4],
        "ok": True, "why": None,
    }.items()  # fmt: skip
    assert {game["version"] for game in found} == {version("tabletop-companion")}


def test_a_game_of_a_package_is_listed_with_package_and_version(installed: PackageShop) -> None:
    installed.install()
    assert listed()[-1] == {
        "name": "sum-up", "title": "sum-up", "version": "1.0", "package": "companion-sum-up",
        "seats": [2, 3], "api": 1, "ok": True, "why": None,
    }  # fmt: skip
    assert says("games").splitlines()[-1].endswith("2 to 3 players (companion-sum-up 1.0)")


def test_a_game_that_is_left_out_is_listed_with_the_reason(installed: PackageShop) -> None:
    installed.install(source="import nothing_like_it")
    why = "ModuleNotFoundError: No module named 'nothing_like_it' (__init__.py, line 1)"
    assert listed()[-1] == {
        "name": "sum-up", "title": "sum-up", "version": "1.0", "package": "companion-sum-up",
        "seats": None, "api": None, "ok": False, "why": why,
    }  # fmt: skip
    line = says("games").splitlines()[-1]
    assert line == f"sum-up          not available: {why} (companion-sum-up 1.0)"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("source", "more", "french"),
    [
        ("GAME = 7", "", "companion_sum_up.GAME n’est pas un companion.core.game.Game"),
        ("1 / 0", "", "son code lève « ZeroDivisionError: division by zero » (__init__.py, ligne"),
        (None, "api=0", "il a été écrit pour l’API 0, et la boîte a l’API 1 : pip install"),
    ],
)
def test_why_a_game_is_left_out_is_said_in_the_language_of_the_machine(
    source: str | None,
    more: str,
    french: str,
    installed: PackageShop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed.install(source=source, more=more)
    english = listed()[-1]["why"]
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    told = says("games").splitlines()[-1].replace("\u00a0", " ")
    assert told.startswith(f"sum-up          non disponible : {french}")
    assert listed()[-1]["why"] == english


def test_a_game_that_can_not_be_played_is_said_in_the_language_of_the_machine(
    installed: PackageShop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install(source="GAME = 7")
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    told = refuses(capsys, "simulate", "sum-up")[1].replace("\u00a0", " ")
    assert "sum-up, de companion-sum-up 1.0, n’est pas jouable : companion_sum_up.GAME n’e" in told


def test_a_game_that_broke_since_the_last_look_is_listed_with_the_reason(
    installed: PackageShop,
) -> None:
    folder = installed.install()
    assert listed()[-1]["ok"]
    (folder / "__init__.py").write_text("GAME = None")
    installed.forget()
    assert not listed()[-1]["ok"]


# --- played, and named by a record ----------------------------------------------------------------


def test_simulate_plays_the_game_of_a_package(installed: PackageShop) -> None:
    installed.install()
    assert "3 games of sum-up" in says("simulate", "sum-up", "--games", "3")


def test_stdio_says_which_package_its_journal_needs(
    installed: PackageShop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed.install()
    play(tmp_path / "journal.db", ENDED[:1])
    installed.remove("companion-sum-up")
    needs = "sum-up was played with companion-sum-up 1.0, which is not installed: "
    journal = ("--journal", str(tmp_path / "journal.db"))
    assert refuses(capsys, "stdio", "sum-up", *journal) == (
        2, f"{needs}pip install companion-sum-up==1.0",
    )  # fmt: skip
    installed.install(package="companion-other")
    assert refuses(capsys, "stdio", "sum-up", *journal)[1].startswith(needs)


def test_an_unknown_game_makes_no_journal(
    installed: PackageShop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = refuses(capsys, "stdio", "sum-up", "--journal", str(tmp_path / "journal.db"))
    assert (status, said.partition(":")[0]) == (2, "There is no game called 'sum-up'")
    assert not (tmp_path / "journal.db").exists()
    assert not installed.folder.exists()


def test_verify_says_which_package_a_record_needs(
    installed: PackageShop, capsys: pytest.CaptureFixture[str]
) -> None:
    installed.install()
    play(places.record_file(), ENDED)
    installed.remove("companion-sum-up")
    with raises_english(GameNotInstalled, match=r"pip install companion-sum-up==1\.0"):
        commands.run_companion_command(["verify", "1"], debug=False)
    assert capsys.readouterr().out == ""
    assert "sum-up  Ann, Bob: won by Ann" in says("history")


def test_verify_names_another_version_of_the_package(installed: PackageShop) -> None:
    installed.install()
    play(places.record_file(), ENDED)
    assert "The chance was fair" in says("verify", "1")
    assert "The game was played with" not in says("verify", "1")
    installed.install(version="1.1")
    said = says("verify", "1")
    assert "The game was played with companion-sum-up 1.0; 1.1 is installed." in said
    assert "The chance was fair" in said
