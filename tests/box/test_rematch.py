"""Again, with the same people: in three presses from the end of a game, and never by accident."""

from __future__ import annotations

import pytest

from companion.box.menus import answers
from companion.games import registry
from companion.games.testing import playout, tables
from companion.play.session import Session, Setup
from companion.record.journal import Journal
from tests.helpers import Drive, printed


def over(game: str) -> tuple[Journal, Setup]:
    """A record with one game, played to its end."""
    table = next(t for t in tables(registry.find(game), printed(game)) if len(t.players) == 2)
    played = playout(table, 1)
    journal, setup = Journal(None), Setup(*table, played.chance, mixing=False)
    session = Session.begin(journal, setup, 0)
    for move in played.moves:
        if not move.by_box:
            session.answer(move.value, 0, move.prompt.name if move.spoken else None)
            session.commit()
    assert session.snapshot.outcome is not None
    return journal, setup


@pytest.mark.parametrize("game", registry.NAMES)
def test_a_rematch_is_two_presses_and_has_the_same_people_and_the_same_ways(game: str) -> None:
    journal, setup = over(game)
    drive = Drive(journal)
    drive.press("down", "ok")
    again = drive.session.setup
    assert (again.game.name, again.players) == (game, setup.players)
    assert dict(again.options) == dict(setup.options)
    assert again.chance.seed != setup.chance.seed


def test_a_rematch_is_offered_only_while_the_last_game_is_over() -> None:
    journal, _ = over("barney-miller")
    drive = Drive(journal)
    assert drive.table.prompt is not None
    assert drive.table.prompt.options[:2] == ("new", "rematch")  # type: ignore[union-attr]
    drive.press("down", "ok")
    while drive.table.prompt.name == "mix":
        drive.press("up")
    drive.skip()
    drive.press("back")
    drive.choose("leave")
    assert drive.table.prompt.options[:2] == ("resume", "new")  # type: ignore[union-attr]


def test_an_option_that_there_is_no_more_is_played_as_usual() -> None:
    journal, _ = over("barney-miller")
    summary = journal.summary(1)
    assert summary.options["deck"] in ("own", "virtual")
    drive = Drive(journal)
    page = drive.state
    old = summary._replace(options={"deck": "of wood"})
    facts = page.facts._replace(past=(old,))

    _, (begin,) = answers.on(page._replace(facts=facts), "rematch")
    assert begin.options["deck"] == "own"  # type: ignore[union-attr]
