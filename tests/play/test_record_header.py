from __future__ import annotations

from typing import Any

import pytest

from companion.catalog import registry
from companion.core.errors import OutdatedRecordedGame, UnknownGame
from companion.core.game import Option
from companion.games import barney_miller
from companion.play import verify
from companion.play.answer_history import RulesChangedError
from companion.play.record_header import record_header_from_setup, setup_from_record_header
from companion.play.session import Session, resume_recorded_game
from companion.record.journal import Entry
from tests.english import english_error, raises_english
from tests.helpers import (
    NOW_SECONDS,
    OWN_PARTS_OPTIONS,
    VIRTUAL_PARTS_OPTIONS,
    Drive,
    begin_game,
    printed_edition,
    setup_for,
)

GAME = barney_miller.GAME


def now_with(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Change the rules of Barney Miller for the rest of the test."""
    monkeypatch.setattr(barney_miller, "GAME", GAME._replace(**changes))


def header(**changes: Any) -> dict[str, Any]:
    return {**record_header_from_setup(setup_for(OWN_PARTS_OPTIONS)), **changes}


def test_what_a_game_is_begun_with_is_read_as_it_was_written() -> None:
    setup = setup_for(VIRTUAL_PARTS_OPTIONS, mixing=True)
    assert setup_from_record_header(record_header_from_setup(setup)) == setup


def test_an_option_that_a_record_lacks_has_its_first_value(monkeypatch: pytest.MonkeyPatch) -> None:
    now_with(monkeypatch, options=(*GAME.options, Option("how", ("plainly", "boldly"))))
    assert setup_from_record_header(header(options=OWN_PARTS_OPTIONS)).options == {
        **OWN_PARTS_OPTIONS,
        "how": "plainly",
    }
    assert (
        setup_from_record_header(header(options={**OWN_PARTS_OPTIONS, "how": "boldly"})).options[
            "how"
        ]
        == "boldly"
    )


def test_an_option_that_is_left_out_is_written_down_with_its_usual_value() -> None:
    setup = setup_for({"deck": "virtual"})
    assert record_header_from_setup(setup)["options"] == VIRTUAL_PARTS_OPTIONS


def test_a_value_that_is_no_longer_played_is_outgrown(monkeypatch: pytest.MonkeyPatch) -> None:
    now_with(monkeypatch, options=(Option("deck", ("virtual",)), *GAME.options[1:]))
    with raises_english(
        OutdatedRecordedGame, match="recorded with other rules, and cannot continue: deck was"
    ):
        setup_from_record_header(header())


def test_an_edition_of_one_s_own_stays_as_it_was_recorded() -> None:
    own = {**printed_edition(), "start": "own"}
    assert setup_from_record_header(header(edition=own)).edition == own


def test_a_header_that_lacks_what_every_header_has_is_outgrown() -> None:
    lacking = header()
    del lacking["mixing"]
    with raises_english(OutdatedRecordedGame, match="KeyError: 'mixing'"):
        setup_from_record_header(lacking)


def test_a_game_that_is_no_longer_built_in_is_not_another_one_s_of_that_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded_then = header()
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", ("probe",))
    with raises_english(UnknownGame, match="barney-miller is no longer in the box"):
        setup_from_record_header(recorded_then)


# --- rules that fail on a recorded game -----------------------------------------------------------


def fails(*_: object) -> Any:
    raise KeyError("corners")


@pytest.mark.parametrize("rule", ["setup", "view", "outcome", "anytime"])
def test_a_game_that_can_not_even_be_shown_is_outgrown_and_its_record_as_it_was(
    monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    before = journal.read_game_header_and_lines(1)
    now_with(monkeypatch, **{rule: fails})
    with raises_english(OutdatedRecordedGame, match="KeyError: 'corners'"):
        resume_recorded_game(journal, 1, NOW_SECONDS)
    assert journal.read_game_header_and_lines(1) == before


def test_an_answer_at_which_the_rules_fail_is_rules_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = begin_game(setup_for(VIRTUAL_PARTS_OPTIONS), [1])
    (first,) = [e.question for e in journal.read_game_header_and_lines(1)[1] if e.kind == "answer"]
    now_with(monkeypatch, on={**GAME.on, str(first): fails})
    session, changed = resume_recorded_game(journal, 1, NOW_SECONDS)
    assert isinstance(changed, RulesChangedError)
    assert english_error(changed).endswith("the rules now have no place for it.")
    assert session.standing.snapshot.undoable == 0
    assert (
        Session.resume(journal, 1, session.game_setup, NOW_SECONDS).standing.snapshot
        == session.standing.snapshot
    )


def test_a_line_of_a_kind_that_nobody_knows_is_rules_changed() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    journal.append_entries_to_game(1, [Entry("shrug")])
    _, changed = resume_recorded_game(journal, 1, NOW_SECONDS)
    assert changed is not None
    assert changed.recorded == "shrug"


def test_a_finished_game_at_which_the_rules_fail_is_not_straight_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = begin_game(setup_for(VIRTUAL_PARTS_OPTIONS))
    now_with(monkeypatch, ask=fails)
    assert verify.verify_game_against_seed(journal, 1).problem == "rules"


# --- at the table ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_box_says_that_a_game_is_outgrown_and_stays_at_home(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    now_with(monkeypatch, setup=fails)
    drive = Drive(journal, language)
    drive.choose("resume")
    assert drive.front.name == "outgrown"
    drive.press("ok")
    assert drive.page == "home"
    assert journal.recent_unfinished_game_numbers() == [1]


def test_the_box_says_that_a_game_is_no_longer_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS)))
    drive.turn_to("resume")
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", ("probe",))
    drive.press("ok")
    assert drive.front.name == "unknown_game"
    drive.press("ok")
    assert drive.page == "home"
