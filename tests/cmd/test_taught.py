"""A board that was taught on the box counts wherever a game is played, shown or checked."""

from __future__ import annotations

import io
import json
import sys
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.catalog import editions, registry, taught
from companion.cmd import places, start
from companion.cmd.commands import run
from companion.core.chance import Chance
from companion.play import simulate, verify
from companion.play.session import Session, Setup
from companion.play.simulate import pick
from companion.record.journal import Journal
from hardware.mock import FakeBox
from tests.helpers import teach

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def kojak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A home whose box was taught circles of five fields."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    teach("kojak", places.data_folder(), 5, 5, 5, 5)
    return editions.load("kojak", None, places.data_folder())


def test_the_command_edition_shows_what_was_taught(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["edition", "kojak"], debug=True) == 0
    file = editions.own_file("kojak", places.data_folder())
    assert capsys.readouterr().out == file.read_text("utf-8")


def test_an_edition_of_the_users_own_counts_more(capsys: pytest.CaptureFixture[str]) -> None:
    own = editions.write_new("kojak", places.config_folder(), "en")
    assert run(["edition", "kojak"], debug=True) == 0
    assert capsys.readouterr().out == own.read_text("utf-8")


def test_the_command_simulate_plays_on_what_was_taught(
    kojak: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    many, played_on = simulate.many, []

    def seen(*given: Any, **counts: Any) -> simulate.Figures:
        played_on.append(given[3])
        return many(*given, **counts)

    monkeypatch.setattr(simulate, "many", seen)
    assert run(["simulate", "kojak", "--games", "1", "--fast"], debug=True) == 0
    assert played_on == [kojak]


def test_the_command_stdio_plays_on_what_was_taught(
    kojak: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    file = tmp_path / "games.db"
    assert run(["stdio", "kojak", "--journal", str(file)], debug=True) == 0
    with closing(Journal(file, beside=True)) as journal:
        assert journal.read(1)[0]["edition"] == kojak


def asked(lines: str, question: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines.splitlines()]
    return [line for line in found if line["type"] == "ask" and line["question"] == question]


class Kept(io.BytesIO):
    """What was written, also once the process would be over."""

    def close(self) -> None:
        """Not as long as somebody wants to read it."""


def spoken(monkeypatch: pytest.MonkeyPatch, lines: list[Any], *args: str) -> str:
    """What `companion stdio barney-miller` says to such lines."""
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    out = Kept()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
    assert run(["stdio", "barney-miller", *args], debug=True) == 0
    return out.getvalue().decode()


def test_bm14_what_the_command_stdio_is_told_of_a_board_the_next_game_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no longer if it was taken back. Without a journal nothing is kept."""
    teach("barney-miller", places.data_folder(), 8)
    gangs = [{"answer": "molls"}, {"answer": "caps"}, {"undo": True}]
    first, second = (str(tmp_path / name) for name in ("first.db", "second.db"))
    asks = asked(spoken(monkeypatch, gangs), "suspect_gang")
    assert [ask["nth"] for ask in asks] == [1, 2, 3, 2]
    spoken(monkeypatch, gangs, "--journal", first)
    asks = asked(spoken(monkeypatch, [], "--journal", second), "suspect_gang")
    assert [ask["nth"] for ask in asks] == [2]
    posters = editions.load("barney-miller", None, places.data_folder())["poster"]
    assert posters[0]["suspects"] == ["molls", *["unknown"] * 3]


def test_bm14_a_disk_that_takes_no_lesson_is_one_line_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    teach("barney-miller", places.data_folder(), 8)

    def full(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(taught, "_write", full)
    lines = spoken(monkeypatch, [{"answer": "molls"}], "--journal", str(tmp_path / "a.db"))
    assert [ask["nth"] for ask in asked(lines, "suspect_gang")] == [1, 2]
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_box_of_every_face_plays_on_what_was_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pins, terminal, window and headless: one function puts all of them together."""
    made: list[Any] = []
    monkeypatch.setattr(start, "Loop", lambda *given: made.append(given[2].taught))
    with closing(Journal(None)) as journal:
        start.make(FakeBox().box, journal, sounds=False)
    assert made == [places.data_folder()]


def test_a_game_on_a_taught_board_is_verified(kojak: dict[str, Any]) -> None:
    game, rng = registry.find("kojak"), Random(1)
    options = {option.name: option.values[0] for option in game.options}
    with closing(Journal(None)) as journal:
        setup = Setup(game, ("Ann", "Bob"), options, kojak, Chance("5"), mixing=False)
        session = Session.begin(journal, setup, 0)
        while session.prompt is not None:
            session.answer(pick(session.prompt, rng), 0)
            session.commit()
        assert verify.check(journal, session.number).problem is None
