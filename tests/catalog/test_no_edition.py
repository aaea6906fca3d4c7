"""Tests of a game without an edition: the box can play it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.catalog import editions, registry
from companion.catalog.editions import NoEditionError
from companion.cmd.cli import main
from companion.play import begin
from companion.play.session import Session, resume_recorded_game
from companion.record.journal import Journal

NONE = "toy has no printed board, so it has no edition."
TOY = """
from companion.core.game import Cue, Game, Outcome
from companion.core.prompts import Number

def setup(players, options, edition):
    assert edition == {}
    return players, 0

def outcome(state):
    players, total = state
    return Outcome(players[:1], dict.fromkeys(players, total)) if total else None

GAME = Game(
    name="toy", seats=range(2, 4), options=(), setup=setup,
    ask=lambda state: None if state[1] else Number("how_many", None, 1, 9, 1),
    on={"how_many": lambda state, n: ((state[0], n), (Cue("said", {"n": n}),))},
    view=lambda state, player: {"total": state[1]}, outcome=outcome, names=("Ann", "Bob"),
)
"""
"""A game with one question."""


@pytest.fixture(autouse=True)
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game of TOY to the box's games, in a folder with one file."""
    module: Callable[[str], str] = registry.game_module_name
    (tmp_path / "toy_game").mkdir()
    (tmp_path / "toy_game" / "__init__.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "toy_game", raising=False)
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", (*registry.BUILT_IN_GAMES, "toy"))
    monkeypatch.setattr(
        registry, "game_module_name", lambda name: "toy_game" if name == "toy" else module(name)
    )


def test_its_edition_is_empty_whatever_a_user_has_written(tmp_path: Path) -> None:
    own = editions.user_edition_file("toy", tmp_path)
    own.parent.mkdir()
    own.write_text("no = TOML =")

    assert editions.load_edition("toy") == editions.load_edition("toy", tmp_path) == {}


def test_its_record_has_an_empty_edition_and_goes_on(tmp_path: Path) -> None:
    journal = Journal(None)
    edition = editions.load_edition("toy", tmp_path)
    session = Session.begin(journal, begin.new_game_setup("toy", ("Ann", "Bob"), {}, edition), 0)

    assert journal.read_game_header_and_lines(session.number)[0]["edition"] == {}

    again, changed = resume_recorded_game(journal, session.number, 1)
    again.answer(7, 2)
    again.commit()

    assert changed is None
    assert journal.game_summary(session.number).winners == ("Ann",)


@pytest.mark.parametrize("arguments", [[], ["--new"], ["--check", "x.toml"]])
def test_to_ask_for_its_edition_gets_one_line(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "x.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["companion", "edition", "toy", *arguments])
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 1
    assert capsys.readouterr().err == f"companion: {NONE}\n"
    assert not (tmp_path / "config").exists()


def test_there_is_nothing_to_check_and_nothing_to_copy(tmp_path: Path) -> None:
    with pytest.raises(NoEditionError, match="no printed board"):
        editions.find_edition_file_mistakes("toy", tmp_path / "x.toml")
    with pytest.raises(NoEditionError):
        editions.write_user_edition_template("toy", tmp_path, "en")
