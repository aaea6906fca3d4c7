"""Tests of failures at each step of each command: table, session, record and phones still agree.

The tests cover a new command as soon as the command has an example.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import pytest

from companion.box.connections import NoConnections
from companion.box.events import StatisticsReported
from companion.core.errors import Refused
from companion.core.game import Cue
from companion.menus import commands
from companion.menus.commands import Command
from companion.play.session import resume_recorded_game
from companion.record.schema import JournalError
from hardware.ports import HardwareError
from tests.box.test_loop import FIRST
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, Drive, begin_game, setup_for
from tests.scenes.figures import everybody

HIDDEN: Final = {"deck": "virtual", "die": "real", "track": "ask"}
EXAMPLES: Final = (
    commands.GiveAnswer(2),
    commands.UndoAnswer(),
    commands.RedoAnswer(),
    commands.RecordAndShowSecret("Fish"),
    commands.CheckWord("word"),
    commands.ChangeSeatPlayer("Harris", "easy"),
    commands.ShowRulings((Cue("won", {"who": "Fish"}, clause="BM-7"),)),
    commands.GiveHint(),
    commands.SpeakFacts((Cue("erased"),)),
    commands.PlaySound("accepted"),
    commands.ShowFact(Cue("sound", {"how": "on"})),
    commands.AnnounceWithheldFacts((Cue("won", {"who": "Fish"}, clause="BM-7"),)),
    commands.RefusePress("over"),
    commands.OpenMenu(),
    commands.LeaveGameForFirstScreen(),
    commands.BeginGame("barney-miller", ("Fish", "Harris"), OWN_PARTS_OPTIONS),
    commands.ResumeGame(1),
    commands.ShowFinishedGameReview(1),
    commands.ComputeStatistics(),
    commands.ShowPersonOrGroupStatistics(None),
    commands.RepeatSpeech(),
    commands.ToggleMute(),
    commands.SpeakVoiceSamples("en", "none", 1),
    commands.ChangeSettings({"trust": True}),
    commands.SavePrintedBoardDecision("barney-miller", "forget"),
    commands.StartBoxDiagnosis(),
    commands.RestartComputerPlayers(),
    commands.GiveSeatToPhone("Fish"),
    commands.SendServiceRequest("club", {"do": "look"}),
)


class Phones(NoConnections):
    """A fake of all connections. Store the games and positions that the box sends."""

    def __init__(self, drive: Drive) -> None:
        self.told: list[tuple[int, int] | None] = []
        self.drive, self.fails = drive, 0

    def publish_game_state(self) -> None:
        """Store the game and position on the table, or fail."""
        if self.fails:
            self.fails -= 1
            raise Broken("door")
        self.told.append(where(self.drive))


class Broken(Exception):
    """An error in the code of a game or of its face."""


def where(drive: Drive) -> tuple[int, int] | None:
    """Return the number of the game on the table, and its position."""
    session = drive.loop.running_session
    return None if session is None else (session.number, session.standing.snapshot.position)


def at_the_table(monkeypatch: pytest.MonkeyPatch) -> tuple[Drive, Phones]:
    """Return a game with answers to undo and to redo, and its connections."""
    monkeypatch.setattr("companion.box.checkup.start_doctor_thread", lambda *_: None)
    monkeypatch.setattr("companion.play.begin.fresh_seed", lambda: "0" * 64)
    journal = begin_game(setup_for(HIDDEN), (*FIRST, "gang:molls", 2))
    drive = Drive(journal, taught=Path("nowhere"))
    drive.resume()
    drive.loop.inbox.put(StatisticsReported(everybody()))
    drive.pump()
    drive.carry_out(commands.UndoAnswer())
    drive.skip()
    phones = drive.services.callers = Phones(drive)
    phones.told.append(where(drive))
    return drive, phones


def raises(error: Exception, times: int = 1000) -> Callable[..., Any]:
    """Return a function that fails `times` times and then does nothing."""
    left = [times]

    def fail(*_: object, **__: object) -> None:
        if left[0]:
            left[0] -= 1
            raise error

    return fail


def agree(drive: Drive, phones: Phones) -> None:
    """Check that the table shows the game of the session, the record and the phones."""
    session, playing = drive.loop.running_session, drive.table.playing
    assert (session is None) == (playing is None)
    assert phones.told[-1] == where(drive)
    if session is not None and playing is not None:
        assert playing.snapshot == session.standing.snapshot
        written, _ = resume_recorded_game(drive.journal, session.number, NOW_SECONDS)
        assert written.standing.snapshot.position == session.standing.snapshot.position
    assert drive.table.large == drive.loop.settings["large"]


def tried(drive: Drive, command: Command) -> Exception | None:
    """Carry out a command. Return the exception that it raises, or None."""
    try:
        drive.carry_out(command)
    except Exception as error:  # noqa: BLE001 - returned to the test
        return error
    return None


class Went(NamedTuple):
    """The result of a command without a failure."""

    where: tuple[int, int] | None
    heard: int
    tells: bool


@cache
def went(name: str) -> Went:
    """Return the result of the example of command `name` without a failure."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        drive, phones = at_the_table(monkeypatch)
        told = len(phones.told)
        tried(drive, next(example for example in EXAMPLES if type(example).__name__ == name))
        return Went(where(drive), len(drive.speaker.heard), len(phones.told) > told)


def hardware_notes(drive: Drive) -> int:
    """Return the number of overlays that report a hardware failure."""
    return sum(moment.lead_fact.name == "hardware" for moment in drive.moments)


each = pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: type(command).__name__)


def test_every_command_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES} == {*get_args(Command)}


@pytest.mark.sampled(4)
@each
def test_a_command_without_a_failure_leaves_all_in_agreement(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    tried(drive, command)
    agree(drive, phones)


@pytest.mark.sampled(11)
@each
@pytest.mark.parametrize("part", ["display", "lamps", "speaker"])
def test_hardware_that_fails_is_told_once_and_the_command_counts(
    command: Command, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    names = {"display": "show", "lamps": "show", "speaker": "play"}
    failing = raises(HardwareError("It is off.", part if part != "speaker" else "sound"))
    monkeypatch.setattr(getattr(drive.fake, part), names[part], failing)
    error = tried(drive, command)
    assert error is None or isinstance(error, Refused)
    assert where(drive) == went(type(command).__name__).where
    agree(drive, phones)
    assert hardware_notes(drive) <= 1


@pytest.mark.sampled(4)
@each
def test_a_record_that_can_not_be_written_leaves_everything_as_it_was(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    table, heard, told = drive.table, len(drive.speaker.heard), len(phones.told)
    with monkeypatch.context() as full:
        for name in ("append_entries_to_game", "save_settings", "save_new_game"):
            full.setattr(drive.journal, name, raises(JournalError("full")))
        error = tried(drive, command)
    if isinstance(error, JournalError):
        assert drive.table == table
        assert len(drive.speaker.heard) == heard
        assert len(phones.told) == told
    agree(drive, phones)


@pytest.mark.sampled(4)
@each
def test_code_of_a_face_that_fails_at_the_first_frame_leaves_all_in_agreement(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    table = drive.table
    monkeypatch.setattr("companion.box.screen.table_frame", raises(Broken("face"), 1))
    error = tried(drive, command)
    if isinstance(error, Broken) and isinstance(command, commands.GiveAnswer):
        assert drive.table == table, "the table changed"
    agree(drive, phones)


@pytest.mark.sampled(4)
@each
def test_a_door_that_fails_undoes_nothing_and_is_raised_once(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    phones.fails = 1
    error = tried(drive, command)
    assert isinstance(error, Broken) == went(type(command).__name__).tells
    assert where(drive) == went(type(command).__name__).where
    assert len(drive.speaker.heard) == went(type(command).__name__).heard
    phones.fails = 0
    phones.publish_game_state()
    agree(drive, phones)


@pytest.mark.sampled(4)
@each
def test_what_is_to_be_written_and_fails_before_it_leaves_everything_as_it_was(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    table, told = drive.table, len(phones.told)
    monkeypatch.setattr(phones, "mark_remote_secrets_seen", raises(Broken("look")))
    if isinstance(tried(drive, command), Broken):
        assert drive.table == table
        assert len(phones.told) == told
    agree(drive, phones)


def test_a_lamp_that_fails_is_told_although_the_answer_can_not_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive, phones = at_the_table(monkeypatch)
    monkeypatch.setattr(drive.fake.lamps, "show", raises(HardwareError("It is off.", "lamps")))
    with monkeypatch.context() as full:
        full.setattr(drive.journal, "append_entries_to_game", raises(JournalError("full")))
        assert isinstance(tried(drive, commands.GiveAnswer(2)), JournalError)
    assert hardware_notes(drive) == 1
    agree(drive, phones)


def test_a_report_of_a_failed_lamp_that_fails_stops_no_other_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive, phones = at_the_table(monkeypatch)
    monkeypatch.setattr(drive.fake.lamps, "show", raises(HardwareError("It is off.", "lamps")))
    monkeypatch.setattr("companion.box.turn.error_text", raises(Broken("sentence")))
    assert isinstance(tried(drive, commands.GiveAnswer(2)), Broken)
    assert where(drive) == went("GiveAnswer").where
    assert len(drive.speaker.heard) == went("GiveAnswer").heard
    agree(drive, phones)
