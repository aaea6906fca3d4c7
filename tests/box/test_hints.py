"""Tests of hints: the box proposes an answer from the active player's knowledge alone."""

from __future__ import annotations

from typing import Any

import pytest

from companion.box.events import HintReady
from companion.cmd.start import _advise
from companion.core.game import SeatMemory
from companion.core.prompts import Choose, is_legal_answer
from companion.play.answer_history import ComputerPlayerProgram
from companion.play.player_knowledge import active_player_knowledge
from companion.press.cursor import selected_answer
from companion_testing import imagining
from tests.helpers import VIRTUAL_PARTS_OPTIONS, Drive, begin_game, raise_full_disk, setup_for


def asked(*, hints: bool = True) -> Drive:
    """Return a game of Ann and Bob in which Ann has to choose one of her cards."""
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=("Ann", "Bob"))))
    drive.services.turn.save_settings({"hints": hints})
    drive.resume()
    for _ in range(40):
        prompt = drive.session.standing.pending_prompt
        assert prompt is not None
        if prompt.private:
            return drive
        drive.session.answer(prompt.options[0], 0)  # type: ignore[union-attr]
        drive.session.commit()
    raise AssertionError


def resumed(drive: Drive) -> Drive:
    drive = Drive(drive.journal)
    drive.resume()
    return drive


def wished() -> tuple[Drive, Any]:
    """Ask for a hint. Return the box and the data from which a hint is computed."""
    drive = resumed(asked())
    drive.press("back")
    drive.choose("hint")
    assert drive.outlook is not None
    return drive, drive.outlook


def test_a_game_has_no_hint_until_that_is_set() -> None:
    drive = resumed(asked(hints=False))
    drive.press("back")
    assert "hint" not in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]


def test_a_hint_follows_from_nothing_but_what_the_player_was_told() -> None:
    drive, outlook = wished()
    assert isinstance(outlook.memory, SeatMemory)
    assert {cue.to for cue in outlook.memory.facts} <= {None, outlook.player}
    assert outlook.view == imagining.json_round_trip(drive.session.standing.snapshot.view)
    assert not any(type(value).__name__ == "State" for value in outlook)


def test_the_cursor_stands_on_it_behind_the_curtain_and_nothing_shows_it() -> None:
    drive, outlook = wished()
    found: list[HintReady] = []
    _advise(outlook, found.append)
    prompt, session = drive.table.menu_or_game_prompt, drive.session
    assert prompt is not None
    assert is_legal_answer(prompt, found[0].answer)
    drive.loop.handle_event(found[0])
    shown = [drive.frame]
    assert drive.front.name == "hint"
    drive.skip()
    position = session.standing.snapshot.position
    shown.append(drive.frame)
    drive.press("ok")
    assert session.standing.snapshot.position == position  # the player has not looked yet
    drive.skip()
    other = next(value for value in prompt.options if value != found[0].answer)  # type: ignore[union-attr]
    drive.loop.handle_event(HintReady(found[0].number, found[0].position, other))
    assert drive.frame == shown[0]
    drive.skip()
    assert drive.frame == shown[1]
    drive.down("ok")
    drive.wait(1)
    assert drive.table.cursor.looking == outlook.player
    assert selected_answer(prompt, drive.table.cursor) == other


def test_a_hint_survives_a_look_that_can_not_be_saved() -> None:
    drive, outlook = wished()
    prompt = drive.table.menu_or_game_prompt
    assert isinstance(prompt, Choose)
    for value in prompt.options[1:3]:
        drive.loop.handle_event(HintReady(outlook.number, outlook.position, value))
        drive.skip()
    with pytest.MonkeyPatch.context() as full:
        full.setattr(drive.session, "commit", raise_full_disk)
        drive.down("ok")
        drive.wait(1)
        drive.up("ok")
    assert drive.front.name == "refused"
    drive.skip()
    drive.down("ok")
    drive.wait(1)
    assert drive.table.cursor.looking == outlook.player
    assert selected_answer(prompt, drive.table.cursor) == prompt.options[2]


def test_a_hint_that_comes_too_late_points_at_nothing() -> None:
    drive, outlook = wished()
    drive.loop.handle_event(
        HintReady(outlook.number, outlook.position - 1, outlook.memory.choices[0])
    )
    drive.press("back")
    drive.loop.handle_event(HintReady(outlook.number, outlook.position, outlook.memory.choices[0]))
    assert drive.page == "menu"
    assert not drive.moments


def test_ko_7_a_hint_says_where_the_own_car_is_to_go_and_none_is_given_on_the_box_s() -> None:
    options = {"deck": "virtual", "die": "companion", "short": "no", "beside": "fetched"}
    drive = Drive(begin_game(setup_for(options, game="kojak", players=("Ann", "Bob"))))
    drive.resume()
    who = drive.session.standing.pending_prompt.who  # type: ignore[union-attr]
    known = active_player_knowledge(drive.session)
    assert known is not None
    found: list[HintReady] = []
    _advise(known, found.append)
    assert (known.player, found[0].answer) == (who, "mission")
    drive.services.turn.save_settings({"hints": True})
    drive.loop.handle_event(found[0])
    assert [line for line in drive.speaker.heard if "The box would choose: " in line]
    drive.session.change_seat_player(str(who), ComputerPlayerProgram("friend", "1.0"), 0)
    assert active_player_knowledge(drive.session) is None
