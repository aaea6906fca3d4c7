"""Again, with the same people: in three presses from the end of a game, and never by accident."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.box.menus import answers
from companion.games import registry
from companion.play.session import Setup, setup_of
from tests.bench import pressed
from tests.helpers import Drive

if TYPE_CHECKING:
    from companion.record.journal import Journal


def over(game: str) -> tuple[Journal, Setup]:
    """A record with one game, played to its end, and what it was begun with."""
    journal = pressed.over(game)
    return journal, setup_of(journal.read(1)[0])


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
