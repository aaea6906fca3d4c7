"""Tests of exceptions in a game: they end the game's screen only, and the record stays valid."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from companion.box.events import BoxQuitRequested
from companion.core.prompts import INTERRUPT_FORM, Choose, Form, Spell
from companion.games import barney_miller
from companion.play.record_header import setup_from_record_header
from companion.play.session import Session
from companion.play.standing import Standing
from companion.record.journal import Journal
from hardware.ports import BACK, OK, SEATS, UP
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, Drive, begin_game, setup_for, words_for

WHOLE: Final = barney_miller.GAME


def broken(*_: Any, **__: Any) -> Any:
    raise KeyError("no such suspect")


def nonsense(*_: Any) -> Any:
    return 7


def no_word(state: Any) -> Spell:
    del state
    return Spell("word", "Fish", 3, (), flaw=broken)


def half_a_form(state: Any) -> Choose | Form:
    del state
    return Form(INTERRUPT_FORM, None, broken)


def run(drive: Drive, *buttons: str, seconds: float = 0.1) -> None:
    """Press buttons and let the event loop process the edges."""
    for button in buttons:
        drive.buttons.wait(1)
        drive.buttons.press(button, seconds=seconds)
    drive.loop.inbox.put(BoxQuitRequested())
    drive.loop.is_over = False
    drive.loop.run()


BREAKS: Final[dict[str, Callable[[], Any]]] = {
    "a handler": lambda: WHOLE._replace(on=dict.fromkeys(WHOLE.on, broken)),
    "what it asks": lambda: WHOLE._replace(ask=broken),
    "a question that is none": lambda: WHOLE._replace(ask=nonsense),
    "a word's flaw": lambda: WHOLE._replace(ask=no_word),
    "a question out of turn": lambda: WHOLE._replace(anytime=lambda _: (half_a_form(_),)),
    "its view": lambda: WHOLE._replace(view=broken),
    "a view that is none": lambda: WHOLE._replace(view=nonsense),
    "its outcome": lambda: WHOLE._replace(outcome=broken),
    "its secrets": lambda: WHOLE._replace(secrets=broken),
    "no handler": lambda: WHOLE._replace(on={}),
}


def broken_by(name: str, session: Session) -> Standing:
    """Return the running game with an error in its rules."""
    return Standing(session.game_setup._replace(game=BREAKS[name]()), session.standing.history)


@pytest.fixture
def journal() -> Journal:
    return begin_game(setup_for(OWN_PARTS_OPTIONS), (1, 2))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", BREAKS)
def test_whatever_fails_in_a_game_leads_to_the_menu_with_a_sentence(
    journal: Journal,
    caplog: pytest.LogCaptureFixture,
    name: str,
    language: str,
) -> None:
    before = journal.read_game_header_and_lines(1)[1]
    drive, thumb = Drive(journal, language), random.Random(3)
    drive.resume()
    drive.session.standing = broken_by(name, drive.session)

    while drive.loop.running_session is not None:
        run(drive, thumb.choice((OK, OK, UP, BACK, SEATS[0])), seconds=thumb.choice((0.1, 1.1)))

    assert drive.page == "home"
    assert drive.front.name == "broken"
    assert "companion.box" in {record.name for record in caplog.records}
    said = words_for("barney-miller", language)("box.cue.broken.speech")
    assert f"{language}: {said}" in drive.speaker.heard
    kept = journal.read_game_header_and_lines(1)[1]
    assert kept[: len(before)] == before
    Session.resume(
        journal, 1, setup_from_record_header(journal.read_game_header_and_lines(1)[0]), NOW_SECONDS
    )


@pytest.mark.parametrize("name", ["what it asks", "its view", "its outcome", "its secrets"])
def test_a_recorded_game_that_fails_at_once_leads_to_the_menu_each_time(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(barney_miller, "GAME", BREAKS[name]())
    drive = Drive(journal)
    for _ in range(2):
        drive.turn_to("resume")
        run(drive, OK)
        assert drive.page == "home"
        assert drive.front.name == "outgrown"
        run(drive, OK)


def test_a_game_that_failed_is_gone_on_with_when_it_is_whole_again(journal: Journal) -> None:
    drive = Drive(journal)
    drive.resume()
    drive.session.standing = broken_by("a handler", drive.session)
    run(drive, OK)
    assert drive.front.name == "broken"
    drive.skip()
    drive.resume()
    assert drive.session.standing.snapshot.undoable == 2


def test_what_fails_in_the_menu_itself_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = Drive()
    monkeypatch.setattr("companion.box.screen.table_frame", broken)
    with pytest.raises(KeyError):
        run(drive, OK)
