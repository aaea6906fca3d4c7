"""Tests of boards that players taught: every command plays, shows and checks the taught board."""

from __future__ import annotations

import io
import json
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.catalog import editions, entered_boards, registry
from companion.cmd import places, start, stdio
from companion.cmd.arguments import parse_game_options
from companion.cmd.commands import run_companion_command
from companion.core.chance import Chance
from companion.play import simulate, verify
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from hardware.mock import FakeBox
from hardware.pins import pi
from tests.helpers import describe_board


@pytest.fixture(autouse=True)
def kojak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Set up a home whose box was taught circles of five fields."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    describe_board("kojak", places.record_folder(), 5, 5, 5, 5)
    return editions.load_edition("kojak", None, places.record_folder())


def test_the_command_edition_shows_what_was_taught(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_companion_command(["edition", "kojak"], debug=True) == 0
    file = editions.user_edition_file("kojak", places.record_folder())
    assert capsys.readouterr().out == file.read_text("utf-8")


def test_an_edition_of_the_users_own_counts_more(capsys: pytest.CaptureFixture[str]) -> None:
    own = editions.write_user_edition_template("kojak", places.config_folder(), "en")
    assert run_companion_command(["edition", "kojak"], debug=True) == 0
    assert capsys.readouterr().out == own.read_text("utf-8")


def test_the_command_simulate_plays_on_what_was_taught(
    kojak: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    many, played_on = simulate.simulate_random_games, []

    def seen(*given: Any, **counts: Any) -> simulate.SimulationStatistics:
        played_on.append(given[1])
        return many(*given, **counts)

    monkeypatch.setattr(simulate, "simulate_random_games", seen)
    command = ["simulate", "kojak", "--games", "1", "--fast", "--players", "Ann,Bob"]
    assert run_companion_command(command, debug=True) == 0
    game = registry.find_game("kojak")
    table = ("Ann", "Bob"), parse_game_options(game, ())
    assert (
        played_on
        == [game.setup(*table, kojak)]
        != [game.setup(*table, editions.load_edition("kojak"))]
    )


def test_the_command_stdio_plays_on_what_was_taught_in_its_journal_and_nowhere_else(
    kojak: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_on: list[Any] = []

    def seen(*given: Any, **more: Any) -> GameSetup:
        played_on.append(given[3])
        return GameSetup(*given, **more)

    monkeypatch.setattr(stdio, "GameSetup", seen)
    own, other = str(places.record_file()), str(tmp_path / "games.db")
    for way in (("--journal", own), ("--journal", other), ("--seed", "ab")):
        spoken(monkeypatch, "kojak", [], *way)
    printed = editions.load_edition("kojak")
    assert kojak != printed
    assert played_on == [kojak, printed, printed]


def asked(lines: str, question: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines.splitlines()]
    return [line for line in found if line["type"] == "ask" and line["question"] == question]


class Kept(io.BytesIO):
    """A stream whose content can be read after `close`."""

    def close(self) -> None:
        """Do nothing, so that the test can still read the content."""


def spoken(monkeypatch: pytest.MonkeyPatch, game: str, lines: list[Any], *args: str) -> str:
    """Return the output of `companion stdio` for these lines."""
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    out = Kept()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
    assert run_companion_command(["stdio", game, *args], debug=True) == 0
    return out.getvalue().decode()


def posters(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = editions.load_edition("barney-miller", None, folder)["poster"]
    return found


def test_bm14_what_the_command_stdio_is_told_of_a_board_stays_with_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undone answer is not saved either. Without a journal, nothing is saved."""
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    folders = (
        places.record_folder(),
        places.entered_boards_folder(first),
        places.entered_boards_folder(second),
    )
    assert len({*folders}) == 3
    for folder in folders:
        describe_board("barney-miller", folder, 8)
    before = posters(folders[0])
    gangs = [
        {"answer": "gang:bears"},
        {"answer": "molls"},
        {"answer": "caps"},
        {"undo": True},
    ]
    spoken(monkeypatch, "barney-miller", gangs)
    lines = spoken(monkeypatch, "barney-miller", gangs, "--journal", str(first))
    assert [ask["nth"] for ask in asked(lines, "suspect_gang")] == [1, 2, 3, 2]
    of_machine, of_first, of_second = map(posters, folders)
    assert of_machine == of_second == before
    assert of_first[0]["suspects"] == ["molls", *["unknown"] * 3]


def test_bm14_a_disk_that_takes_no_lesson_is_one_line_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    describe_board("barney-miller", places.entered_boards_folder(tmp_path / "a.db"), 8)

    def full(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(entered_boards, "_write", full)
    lines = spoken(
        monkeypatch,
        "barney-miller",
        [{"answer": "gang:bears"}],
        "--journal",
        str(tmp_path / "a.db"),
    )
    assert [ask["nth"] for ask in asked(lines, "suspect_gang")] == [1]
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_box_of_every_face_plays_on_what_was_taught_beside_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One function creates the box for pins, for the terminal, and for headless mode."""
    made: list[Any] = []
    monkeypatch.setattr(start, "Loop", lambda *given: made.append(given[2].taught))
    other = tmp_path / "other.db"
    with closing(Journal(None)) as journal:
        for played in (places.record_file(), other, None):
            start.make_box_loop(FakeBox().box, journal, sounds=False, played=played)
    assert made == [places.record_folder(), places.entered_boards_folder(other), None]
    assert not places.entered_boards_folder(other).exists()


def test_a_box_with_another_record_leaves_the_first_screen_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stop(Exception):
        pass

    left: list[Any] = []

    def open_box(*given: Any) -> None:
        left.append(given[2])
        raise Stop

    monkeypatch.setattr(pi, "open_box_on_pins", open_box)
    for record in (None, places.record_file(), tmp_path / "other.db"):
        with pytest.raises(Stop):
            start.run_box_on_face("pi", record)
    assert left == [places.saved_first_screen_file(), places.saved_first_screen_file(), None]


def test_a_game_on_a_taught_board_is_verified(kojak: dict[str, Any]) -> None:
    game, rng = registry.find_game("kojak"), Random(1)
    options = {option.name: option.values[0] for option in game.options}
    with closing(Journal(None)) as journal:
        setup = GameSetup(game, ("Ann", "Bob"), options, kojak, Chance("5"), mixing=False)
        session = Session.begin(journal, setup, 0)
        while session.standing.pending_prompt is not None:
            session.answer(random_answer(session.standing.pending_prompt, rng), 0)
            session.commit()
        assert verify.verify_game_against_seed(journal, session.number).problem is None
