"""The services of a box, and `run`, which passes each command to its service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from companion.box.advice import Advice
from companion.box.answers import Answers
from companion.box.board_teaching import BoardTeaching
from companion.box.callers import Nobody
from companion.box.dimming_and_lock import Guard
from companion.box.events import Advised, Examined, Figured, Weighed
from companion.box.faces import Faces
from companion.box.games import Games
from companion.box.home import Home
from companion.box.screen import Screen
from companion.box.speech import Speech
from companion.box.state import Basics, Settings, Stands, TableWords
from companion.box.statistics import Statistics
from companion.box.turn import Turn
from companion.core.errors import Refused
from companion.menus import commands
from companion.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.box.callers import Callers
    from companion.box.events import Finding, Inbox
    from companion.box.system import Machine
    from companion.hear.voice import Voice
    from companion.play.session import Session
    from companion.record.journal import Journal
    from companion.table.moves import Step
    from hardware.ports import Box, HardwareError


class Services:
    """All services of a box, created in the order in which they need each other."""

    def __init__(self, box: Box, journal: Journal, machine: Machine, inbox: Inbox) -> None:
        self.callers: Callers = Nobody()
        self.stands, settings = Stands(Table(rows=box.seats > 0)), Settings(journal, machine)
        self.wording = TableWords(settings, self.stands)
        said = self.stands.said_before
        self.faces = Faces(box, lambda: settings.now, settings.hour, self._report, said)
        self.basics = basics = Basics(
            self.stands, settings, self.wording, self.faces, journal, inbox, machine,
            lambda: self.callers,
        )  # fmt: skip
        self.guard = Guard(machine.clock(), switches_off=machine.power_off is not None)
        self.screen = Screen(basics, self.guard)
        self.turn = turn = Turn(basics, self.screen, has_ear=box.ear is not None)
        self.speech, self.advice = Speech(basics, turn), Advice(basics, turn)
        self.statistics = Statistics(basics, turn)
        self.teaching = BoardTeaching(basics, turn)
        self.home = Home(basics, turn, self.statistics)
        self.answers = Answers(basics, turn, self.speech, self.advice, self.home)
        self.games = Games(
            basics, turn, self.speech, self.statistics, self.home, self.answers, self.teaching
        )
        self.journal, self.clock, self.wall = journal, machine.clock, machine.wall

    def _report(self, error: HardwareError) -> None:
        self.turn.report(error)

    @property
    def voice(self) -> Voice:
        """Return the voice of the box."""
        return self.faces.voice

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the settings of the box, by name."""
        return self.basics.settings.now

    @property
    def table(self) -> Table:
        """Return the present table."""
        return self.stands.table

    @property
    def running(self) -> Session | None:
        """Return the session of the running game; None without a game."""
        return self.stands.running

    @property
    def session(self) -> Session:
        """Return the session of the running game. Call only if there is a game."""
        return self.stands.session

    def found(self, event: Finding) -> None:
        """Handle the result of work that was done outside of the loop."""
        match event:
            case Figured():
                self.statistics.take(event)
            case Examined(findings=findings):
                self.turn.turn_over(self.table.menus.with_changed_facts(findings=findings))
            case Advised():
                self.advice.take(event)
            case Weighed():
                self.statistics.take_weighed(event)


def follow(box: Services, step: Step) -> None:
    """Put a table and execute its commands. Raise Refused, JournalError or UnknownGame."""
    table, asked = step
    box.turn.put(table)
    for command in asked:
        run(box, command)


def run(box: Services, command: commands.Command) -> None:  # noqa: C901, PLR0912 - a case a command
    """Execute one command. Raise Refused, JournalError or UnknownGame."""
    match command:
        case commands.GiveAnswer():
            box.answers.give(command)
        case commands.PlaySound(name):
            box.speech.sound(name)
        case commands.SpeakFacts():
            box.speech.say(command)
        case commands.ShowFact(cue, whose):
            box.turn.tell(cue, whose=whose)
        case commands.AnnounceHeldFacts(cues):
            box.answers.tell_on(cues)
        case commands.LookAtSecret(player):
            box.answers.look(player)
        case commands.UndoAnswer():
            box.answers.undo()
        case commands.RedoAnswer():
            box.answers.redo()
        case commands.CheckWord(word, whose):
            follow(box, box.answers.judge(word, whose))
            box.answers.tell_news()
        case commands.ExplainFacts():
            box.speech.explain(command)
        case commands.GiveHint():
            box.advice.advise()
        case commands.ChangeSeatPlayer(player, level):
            box.answers.sit(player, level)
        case commands.RefusePress(code):
            raise Refused(code)
        case _:
            _run_beside(box, command)


def _run_beside(box: Services, command: commands.CommandOutsideGame) -> None:  # noqa: C901, PLR0912 - likewise
    """Execute a command that does not change the running game."""
    match command:
        case commands.OpenMenu(page, who):
            box.games.open_menu(page, who)
        case commands.LeaveGame():
            box.games.leave()
        case commands.BeginGame():
            box.games.begin(command)
        case commands.ResumeGame(number, recaps):
            box.games.resume(number, recaps=recaps)
        case commands.ShowFinishedGame(number):
            box.statistics.look_back(number)
        case commands.CountGames():
            box.statistics.count()
        case commands.ShowStatistics(who):
            box.statistics.look_at(who)
        case commands.RepeatSpeech():
            box.speech.again()
        case commands.ToggleMute():
            box.speech.silence()
        case commands.SpeakSamples(language, voice, lines):
            box.speech.practise(language, voice, lines)
        case commands.ChangeSettings(values):
            box.turn.set(values)
        case commands.SaveBoard():
            box.teaching.take(command)
        case commands.StartDoctor():
            box.home.examine()
        case commands.RestartComputerPlayers():
            box.callers.restart()
        case commands.AdmitPhone(player):
            box.callers.admit(player)
        case commands.SendServiceRequest(service, wish):
            box.callers.attend(service, wish)
        case _:
            assert_never(command)
