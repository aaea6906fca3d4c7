"""Tests of failures at each step of each command: table, session, record and phones still agree.

The tests cover a new command as soon as the command has an example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import pytest

from companion.box import services, turn
from companion.box.connections import NoConnections
from companion.box.events import StatisticsReported
from companion.box.services import Services, run_command
from companion.core.game import Cue
from companion.hear.policy import fact_sentence
from companion.menus import commands
from companion.menus.commands import Command
from companion.play.session import resume_recorded_game
from companion.press.actions import CloseScreen
from companion.record.schema import JournalError
from companion.say.errors import error_text
from companion.table import moves
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
        self.drive = drive
        self.told = [where(drive)]

    def publish_game_state(self) -> None:
        """Store the game and position on the table."""
        self.told.append(where(self.drive))


class Broken(Exception):
    """An error in the code of the box, of a game or of a face."""


def where(drive: Drive) -> tuple[int, int] | None:
    """Return the number of the game on the table, and its position."""
    session = drive.loop.running_session
    return None if session is None else (session.number, session.standing.snapshot.position)


def at_the_table(monkeypatch: pytest.MonkeyPatch) -> tuple[Drive, Phones]:
    """Return a game with answers to undo and to redo, and its connections."""
    monkeypatch.setattr("companion.box.checkup.start_doctor_thread", lambda *_: None)
    monkeypatch.setattr("companion.play.begin.fresh_seed", lambda: "0" * 64)
    monkeypatch.setattr("companion.play.session.fresh_game_id", lambda: "0" * 32)
    journal = begin_game(setup_for(HIDDEN), (*FIRST, "gang:molls", 2))
    drive = Drive(journal, taught=Path("nowhere"))
    drive.resume()
    drive.loop.inbox.put(StatisticsReported(everybody()))
    drive.pump()
    drive.carry_out(commands.UndoAnswer())
    drive.skip()
    phones = drive.services.callers = Phones(drive)
    return drive, phones


class Raises:
    """A function that succeeds `first` times, and then fails at each call."""

    def __init__(self, error: Exception, first: int = 0) -> None:
        self.error, self.first, self.calls = error, first, 0

    def __call__(self, *_: object, **__: object) -> None:
        self.calls += 1
        if self.calls > self.first:
            raise self.error


def agree(drive: Drive, phones: Phones) -> None:
    """Check that the table shows the game of the session, the record and the phones."""
    session, playing = drive.loop.running_session, drive.table.playing
    assert (session is None) == (playing is None)
    assert phones.told[-1] == where(drive)
    if session is not None and playing is not None:
        assert playing.snapshot == session.standing.snapshot
        written, _ = resume_recorded_game(drive.journal, session.number, NOW_SECONDS)
        assert written.standing.snapshot.position == session.standing.snapshot.position
    assert drive.table.large == drive.services.basics.settings["large"]


def carry_out(drive: Drive, command: Command, way: str) -> Exception | None:
    """Carry out a command. Return the exception that the box raises, or None.

    way: "line" for the command of a program, "press" for a press that makes the command.
    """
    runner = drive.loop._runner
    try:
        if way == "line":
            runner.execute_commands(command)
        else:
            with pytest.MonkeyPatch.context() as pressed:
                pressed.setattr(moves, "apply_action", lambda table, *_: (table, (command,)))
                runner.execute_two_button_action(CloseScreen())
    except Exception as error:  # noqa: BLE001 - returned to the test
        return error
    return None


def record(drive: Drive) -> tuple[Any, ...]:
    """Return the content of the record: the lines of all games, and the settings."""
    journal = drive.journal
    games = [journal.read_lines_of_game(number) for number in journal.game_numbers()]
    return games, journal.all_settings()


class Shown(NamedTuple):
    """The state of the box that people and programs see."""

    where: tuple[int, int] | None
    page: str | None
    overlays: tuple[str, ...]
    frame: bytes
    told: tuple[tuple[int, int] | None, ...]
    record: tuple[Any, ...]
    heard: tuple[str, ...]


def shown(drive: Drive, phones: Phones) -> Shown:
    """Return the state of the box that people and programs see."""
    overlays = tuple(moment.lead_fact.name for moment in drive.moments)
    frame = drive.draw_table_frame()
    heard = tuple(sound for sound in drive.speaker.heard if sound != "hush")
    return Shown(where(drive), drive.page, overlays, frame, (*phones.told,), record(drive), heard)


class Went(NamedTuple):
    """The result of a command when the test makes no step fail.

    - `steps`: the steps of the change that the command uses.
    - `error`: the type of the exception that the command raises.
    - `reached`: True if the body of the change ended without an exception.
    """

    shown: Shown
    error: type[Exception] | None
    steps: frozenset[str]
    is_seen_first: bool
    reached: bool


SPEAKS: Final = (
    "announce_facts", "speak_question", "play_sound", "speak_samples", "repeat_last_speech",
)  # fmt: skip
"""The methods of `Voice` that a command uses after the commit."""


@cache
def went(name: str, way: str) -> Went:
    """Return the result of the example of command `name` without a failure."""
    command = next(example for example in EXAMPLES if type(example).__name__ == name)
    with pytest.MonkeyPatch.context() as monkeypatch:
        drive, phones = at_the_table(monkeypatch)
        steps, before, told = set[str](), record(drive), len(phones.told)
        asked = changes_after_commit(monkeypatch)
        for method in SPEAKS:
            spied(monkeypatch, drive.services.voice, method, steps.add, "speech")
        spied(monkeypatch, drive.services.teaching, "save_entered_values", steps.add, "board")
        statistics = drive.services.statistics
        spied(monkeypatch, statistics, "start_rarest_fact_search", steps.add, "rarest")
        error = carry_out(drive, command, way)
        if asked:
            now = asked[0]
            flags = {"look": now.is_moved, "news": now.is_moved or now.is_written,
                     "after": now.heard, "publish": now.is_told, "end": now.last}  # fmt: skip
            steps |= {name for name, flag in flags.items() if flag}
        if record(drive) != before:
            steps.add("commit")
        assert len(phones.told) == told + ("publish" in steps)
        return Went(
            shown(drive, phones),
            None if error is None else type(error),
            frozenset(steps),
            is_seen_first=bool(asked) and asked[0].is_seen_first,
            reached=bool(asked),
        )


def changes_after_commit(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that receives the requested steps of each change that does not fail."""
    begun, done = list[Any](), list[Any]()
    pending, each = turn._Pending, turn._each

    def begin() -> Any:
        begun.append(pending())
        return begun[-1]

    def run(steps: Iterable[Callable[[], object]]) -> None:
        run_steps, now = [*steps], begun[-1]
        if len(run_steps) > len(now.failures):
            done.append(now)
        each(run_steps)

    monkeypatch.setattr(turn, "_Pending", begin)
    monkeypatch.setattr(turn, "_each", run)
    return done


def spied(
    monkeypatch: pytest.MonkeyPatch,
    owner: object,
    name: str,
    note: Callable[[str], object],
    step: str,
) -> None:
    """Call `note` with `step` before each call of the method `name` of `owner`."""
    method = getattr(owner, name)

    def call(*args: Any, **named: Any) -> Any:
        note(step)
        return method(*args, **named)

    monkeypatch.setattr(owner, name, call)


def break_step(monkeypatch: pytest.MonkeyPatch, drive: Drive, step: str, *, first: int) -> None:
    """Let one step of each change fail from now on.

    first: the number of frames that the step "show" shows before it fails.
    """
    box, fails = drive.services, Raises(Broken(step), first if step == "show" else 0)
    effects, run = box.turn.run_effects_after_commit, (services, "run_command")
    places: dict[str, tuple[tuple[object, str], Callable[..., Any]]] = {
        "body": (run, after_call(fails)),
        "show": ((box.screen, "show_frame"), fails),
        "look": ((box.callers, "mark_remote_secrets_seen"), fails),
        "news": ((box.turn, "announce_record_problems"), fails),
        "after": (
            (box.turn, "run_effects_after_commit"),
            lambda *asked: effects(fails, *asked),
        ),
        "board": ((box.teaching, "save_entered_values"), fails),
        "rarest": ((box.statistics, "start_rarest_fact_search"), fails),
        "publish": ((box.callers, "publish_game_state"), fails),
        "end": (run, after_call(partial(box.turn.run_effect_at_end, fails))),
    }
    if step == "commit":
        monkeypatch.setattr(drive.journal, "_writing", Raises(JournalError("full")))
    elif step == "speech":
        for name in SPEAKS:
            monkeypatch.setattr(box.voice, name, fails)
    else:
        (owner, name), broken = places[step]
        monkeypatch.setattr(owner, name, broken)


def after_call(then: Callable[[], object]) -> Callable[[Services, Command], None]:
    """Return a function that runs a command and then calls `then`."""

    def call(box: Services, command: Command) -> None:
        run_command(box, command)
        then()

    return call


each = pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: type(command).__name__)
each_way = pytest.mark.parametrize("way", ["line", "press"])


def test_every_command_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES} == {*get_args(Command)}


@each_way
@each
def test_a_command_without_a_failure_leaves_all_in_agreement(
    command: Command, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    carry_out(drive, command, way)
    agree(drive, phones)


@pytest.mark.sampled(87)  # three cases of each command
@each_way
@pytest.mark.parametrize("step", ["body", "first show", "look", "commit"])
@each
def test_a_failure_up_to_the_commit_leaves_everything_as_before(
    command: Command, step: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = went(type(command).__name__, way)
    used = {"body": whole.reached, "first show": whole.is_seen_first}.get(step, step in whole.steps)
    drive, phones = at_the_table(monkeypatch)
    table, before = drive.table, shown(drive, phones)
    with monkeypatch.context() as broken:
        break_step(broken, drive, step.removeprefix("first "), first=0)
        error = carry_out(drive, command, way)
    if not used:
        assert step == "first show" or type(error) is (whole.error or type(None))
        return
    now = shown(drive, phones)
    if step == "commit" and way == "press":
        assert error is None
        assert now.overlays == ("refused", *before.overlays)
        assert (now.where, now.told, now.record) == (before.where, before.told, before.record)
        return
    assert type(error) is (JournalError if step == "commit" else Broken)
    assert drive.table == table
    if step != "commit":  # saved settings are never rolled back
        before = before._replace(record=(before.record[0], whole.shown.record[1]))
    assert now == before
    agree(drive, phones)


@pytest.mark.sampled(87)
@each_way
@pytest.mark.parametrize(
    "step", ["news", "after", "board", "rarest", "second show", "speech", "publish", "end"]
)
@each
def test_a_failure_after_the_commit_undoes_nothing_and_is_raised(
    command: Command, step: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = went(type(command).__name__, way)
    used = whole.reached if step in ("second show", "end") else step in whole.steps
    drive, phones = at_the_table(monkeypatch)
    with monkeypatch.context() as broken:
        break_step(broken, drive, step.removeprefix("second "), first=whole.is_seen_first)
        error = carry_out(drive, command, way)
    assert type(error) is (Broken if used else whole.error or type(None))
    now, then = shown(drive, phones), whole.shown
    if step == "speech":
        now, then = now._replace(heard=()), then._replace(heard=())
    if step == "publish" and used:
        phones.publish_game_state()
        now = shown(drive, phones)
    assert now == then
    agree(drive, phones)


@pytest.mark.parametrize("step", ["_listen", "_add_loudspeaker", "_announce_at_start"])
def test_a_failure_at_the_start_stops_no_other_step_and_is_raised(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = Drive(start=False)
    drive.journal.save_settings({"volume": "loud"}, NOW_SECONDS)
    monkeypatch.setattr(drive.loop, step, Raises(Broken(step)))
    with pytest.raises(Broken, match=step):
        drive.loop.start()
    assert drive.page == "home"
    assert drive.front.name == "reset"
    assert drive.frames
    assert "♪ ready" in drive.speaker.heard


def test_a_start_whose_first_screen_fails_shows_and_plays_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = Drive(start=False)
    monkeypatch.setattr(drive.services.home, "replace_invalid_settings", Raises(Broken("body")))
    with pytest.raises(Broken, match="body"):
        drive.loop.start()
    assert (drive.frames, drive.speaker.heard, drive.page) == ([], [], None)


def test_a_refused_press_keeps_only_its_own_effect_on_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive, phones = at_the_table(monkeypatch)
    before = drive.table
    large = before._replace(large=not before.large)
    asked = commands.OpenMenu(), commands.RefusePress("over")
    monkeypatch.setattr(moves, "apply_action", lambda *_: (large, asked))
    drive.loop._runner.execute_two_button_action(CloseScreen())
    assert drive.front.name == "refused"
    assert drive.page is None
    assert drive.table == large._replace(overlays=drive.table.overlays, cursor=drive.table.cursor)
    assert phones.told == [where(drive)]


FAILED_PART: Final = {
    "display": ("show", "display"),
    "lamps": ("show", "lamps"),
    "speaker": ("play", "sound"),
}  # fmt: skip


def failed_part(monkeypatch: pytest.MonkeyPatch, drive: Drive, part: str) -> Raises:
    """Let an output fail from now on. Return the function that fails."""
    method, name = FAILED_PART[part]
    fails = Raises(HardwareError("It is off.", name))
    monkeypatch.setattr(getattr(drive.fake, part), method, fails)
    return fails


def reports(drive: Drive, fails: Raises) -> tuple[int, int]:
    """Return how often the display and the speaker have reported the failure of an output."""
    assert isinstance(fails.error, HardwareError)
    words = drive.loop.shown_screen_words()
    cue = Cue("hardware", {"part": fails.error.part, "message": error_text(fails.error, words)})
    text = fact_sentence(cue, words, drive.services.voice.current_audio_settings)
    spoken = [sentence for sentence in drive.speaker.heard if sentence == f"en: {text}"]
    overlays = [moment for moment in drive.moments if moment.lead_fact.name == "hardware"]
    return len(overlays), len(spoken)


REPORTS: Final = {"display": (0, 1), "lamps": (1, 0), "speaker": (1, 0)}
"""The reports of each failed output: on the display, and by the speaker."""


@pytest.mark.sampled(11)
@pytest.mark.parametrize("part", FAILED_PART)
@each
def test_hardware_that_fails_is_told_once_and_the_command_counts(
    command: Command, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    fails, whole = failed_part(monkeypatch, drive, part), went(type(command).__name__, "line")
    error = carry_out(drive, command, "line")
    assert type(error) is (whole.error or type(None))
    assert (where(drive), record(drive)) == (whole.shown.where, whole.shown.record)
    overlays, spoken = REPORTS[part] if fails.calls else (0, 0)
    assert reports(drive, fails) == (overlays, 0 if drive.services.voice.mute_reason else spoken)
    agree(drive, phones)


@pytest.mark.parametrize("part", ["display", "lamps"])
def test_an_output_that_fails_is_told_although_the_answer_can_not_be_written(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, phones = at_the_table(monkeypatch)
    fails = failed_part(monkeypatch, drive, part)
    with monkeypatch.context() as full:
        break_step(full, drive, "commit", first=0)
        assert isinstance(carry_out(drive, commands.GiveAnswer(2), "line"), JournalError)
    assert reports(drive, fails) == REPORTS[part]
    agree(drive, phones)


def test_a_report_of_a_failed_lamp_that_fails_stops_no_other_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive, phones = at_the_table(monkeypatch)
    failed_part(monkeypatch, drive, "lamps")
    monkeypatch.setattr("companion.box.turn.error_text", Raises(Broken("sentence")))
    assert isinstance(carry_out(drive, commands.GiveAnswer(2), "line"), Broken)
    assert shown(drive, phones) == went("GiveAnswer", "line").shown
    agree(drive, phones)


def test_a_change_shows_writes_shows_again_speaks_and_then_publishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive, phones = at_the_table(monkeypatch)
    order: list[str] = []
    for owner, name, step in (
        (drive.services.screen, "show_frame", "show"),
        (phones, "mark_remote_secrets_seen", "look"),
        (drive.session, "commit", "commit"),
        (drive.services.turn, "announce_record_problems", "news"),
        (drive.services.voice, "announce_facts", "speak"),
        (phones, "publish_game_state", "publish"),
    ):
        spied(monkeypatch, owner, name, order.append, step)
    drive.carry_out(commands.GiveAnswer(2))
    assert order == ["show", "look", "commit", "news", "show", "speak", "publish"]
