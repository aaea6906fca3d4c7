"""Tests of face-down cards: only the owner sees them, and an undo may need agreement."""

from __future__ import annotations

import pytest

from companion.core.snapshot import Snapshot
from companion.games.baretta.shown.words import printed_card_name
from companion.press.controls import LOOK_HOLD_SECONDS
from tests.helpers import Drive, begin_game, session_words, setup_for
from tests.scenes.baretta import STOPS, VIRTUAL, answers, question, table


def put_down() -> Drive:
    """Return a game after Billy placed a card. The overlay about it is in front of the curtain."""
    *before, last = answers(STOPS["placed.marked"], 2, 6, own=False)
    drive = Drive(begin_game(table(VIRTUAL, 2, 6), before))
    drive.resume()
    drive.choose(last)
    return drive


def test_a_curtain_comes_at_once_before_whoever_put_a_card_down() -> None:
    drive = put_down()
    (secret,) = [cue for cue in drive.session.standing.snapshot.cues if cue.to is not None]
    drive.skip()
    assert drive.table.curtain == secret.to
    curtain = drive.frame
    drive.down("ok")
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.table.cursor.looking == secret.to
    looked = drive.frame
    drive.up("ok")
    assert drive.table.curtain is None
    assert drive.session.standing.pending_prompt is not None
    assert len({curtain, looked, drive.frame}) == 3


def test_the_card_put_down_is_never_heard() -> None:
    drive = put_down()
    (secret,) = [cue for cue in drive.session.standing.snapshot.cues if cue.to is not None]
    told = printed_card_name(session_words(drive.session, "en"), secret.facts["card"])
    last = len(drive.speaker.heard) - drive.speaker.heard[::-1].index("hush")
    said = drive.speaker.heard[last:]
    assert any("puts a card" in text for text in said)
    assert not any(told in text for text in said if "stay put" not in text.lower())


def undo(drive: Drive) -> Drive:
    drive.down("back")
    drive.wait(1.1)
    drive.up("back")
    return drive


def test_undoing_past_a_look_asks_the_table_and_a_no_keeps_the_card() -> None:
    drive = put_down()
    drive.skip()
    drive.down("ok")
    drive.wait(LOOK_HOLD_SECONDS)
    drive.up("ok")
    before = drive.session.standing.snapshot
    undo(drive)
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.name == "agree_undo"
    drive.choose("no")
    assert drive.session.standing.snapshot.view == before.view
    undo(drive)
    drive.choose("yes")
    assert [cue.name for cue in drive.session.standing.snapshot.cues] == ["undone"]
    assert drive.session.standing.snapshot.position < before.position


def test_undoing_a_card_that_nobody_looked_at_and_nobody_saw_needs_no_agreement() -> None:
    given = answers(only_placed, 2, 23, own=False)
    drive = Drive(begin_game(table(VIRTUAL, 2, 23), given[:-1]))
    drive.resume()
    drive.choose(given[-1])
    drive.skip()
    drive.press("back")
    undo(drive)
    assert [cue.name for cue in drive.session.standing.snapshot.cues] == ["undone"]


def only_placed(now: Snapshot) -> bool:
    """Return True if a card was placed on an empty space and no card was turned over."""
    placed = any(cue.name == "placed" for cue in now.cues)
    return placed and not any(cue.reveals for cue in now.cues)


@pytest.mark.parametrize("seat", ["seat1", "seat2"])
def test_a_tap_of_any_seats_button_cuts(seat: str) -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL, game="baretta"), ["killer", "hijacker"]))
    drive.resume()
    drive.press(seat)
    assert "cut" in [cue.name for cue in drive.session.standing.snapshot.cues]


def test_a_tap_of_a_button_where_nobody_sits_does_not_cut() -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL, game="baretta"), ["killer", "hijacker"]))
    drive.resume()
    drive.press("seat3")
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.name == "cut"


def test_a_seats_button_shows_the_own_hidden_cards_at_any_question() -> None:
    drive = question("en", STOPS["placed.marked"], 6)
    drive.press("back")
    shown_before = drive.frame
    (secret,) = [cue for cue in drive.session.standing.snapshot.cues if cue.to is not None]
    seat = f"seat{drive.session.game_setup.players.index(str(secret.to)) + 1}"
    drive.down(seat)
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.frame != shown_before
    drive.up(seat)
    assert drive.frame == shown_before
