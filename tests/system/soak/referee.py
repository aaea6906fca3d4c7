"""Compare the game, the record and the spoken sentences with each other."""

from __future__ import annotations

import logging
from typing import Any, Final

from companion.draw.mute_signs import SIGNS, frame_with_mute_sign
from companion.play.answer_history import RulesChangedError
from companion.play.record_header import setup_from_record_header
from companion.play.session import Session
from companion.record.entry import Entry, drop_cut_entries
from companion.record.journal import Journal, JournalError
from tests.helpers import Drive

Lines = list[Entry] | None
"""The lines of a game; None if the game cannot be read."""
EVERY: Final = 20
"""Steps between two replays of the running game from its record."""


class Finding(AssertionError):
    """A fault of the box in an evening."""


class Logged(logging.Handler):
    """A handler that raises Finding for each error that the box logs."""

    def emit(self, record: logging.LogRecord) -> None:
        raise Finding(record.getMessage()) from (record.exc_info or (None, None))[1]

    def handle(self, record: logging.LogRecord) -> bool:
        self.emit(record)
        return True


def expect(true: object, what: str) -> None:
    """Raise Finding unless a condition holds."""
    if not true:
        raise Finding(what)


def lines(journal: Journal) -> dict[int, Lines]:
    """Return the lines of every game in a record."""
    found: dict[int, Lines] = {}
    for number in journal.game_numbers():
        try:
            header, entries = journal.read_game_header_and_lines(number)
        except JournalError:
            found[number] = None
        else:
            found[number] = [Entry("game", value=dict(header)), *entries]
    return found


def check_facts_are_written(drive: Drive) -> None:
    """Check at each sound that the announced facts are on the disk."""
    session = drive.loop.running_session
    expect(session is None or not session._batch, "something was heard before it was written")


def check_game_follows_record(drive: Drive) -> None:
    """Check that the running game equals its record."""
    session = drive.loop.running_session
    if session is None or session._batch:
        return
    header, entries = drive.journal.read_game_header_and_lines(session.number)
    again = Session(drive.journal, session.number, setup_from_record_header(header))
    try:
        for entry in drop_cut_entries(entries):
            again.replay_entry(entry)
    except RulesChangedError as error:
        raise Finding("the game is not what its record says") from error
    expect(_moment(again) == _moment(session), "the game is not what its record says")


def _moment(session: Session) -> Any:
    line = session.standing.history
    seen = {player: n for player, n in line.last_look_steps.items() if n}
    return line.last.state, line.presses, seen, line.redo, line.last.n


def check_display(drive: Drive) -> None:
    """Check that the display shows the state of the game."""
    frames = {frame_with_mute_sign(drive.shown_frame, muted) for muted in ("", *SIGNS)}
    expect(drive.frame in frames, "the display shows something else")


def check_same_record(before: dict[int, Lines], journal: Journal) -> None:
    """Check that the record is complete and undamaged after an end that damages nothing."""
    expect(
        journal.repair_result is None, f"damage after an end in good order: {journal.repair_result}"
    )
    expect(lines(journal) == before, "the record is another than before")


def check_remaining_record(before: dict[int, Lines], journal: Journal) -> None:
    """Check that a damaged record has only written lines, and that losses are reported."""
    after = lines(journal)
    for number, written in before.items():
        found = after.get(number, [])
        if found is None or written is None:
            continue
        expect(found == written[: len(found)], f"game {number} holds what was not written")
        over = any(entry.kind == "over" for entry in written)
        expect(
            over or len(found) == len(written) or journal.repair_result is not None,
            f"game {number} lost {len(written) - len(found)} of {len(written)} lines, untold",
        )
