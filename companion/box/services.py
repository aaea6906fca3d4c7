"""The services of a box, and `run_command`, which passes each command to its service."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.box.advice import Advice
from companion.box.answers import Answers
from companion.box.board_teaching import EnteredBoardSaver
from companion.box.connections import NoConnections
from companion.box.dimming_and_lock import ButtonGuard
from companion.box.events import (
    DoctorFindingsReady,
    HintReady,
    StatisticsReported,
    TurningPointReady,
)
from companion.box.games import Games
from companion.box.home import FirstScreen
from companion.box.outputs import Outputs
from companion.box.screen import Screen
from companion.box.speech import Speech
from companion.box.state import Basics, BoxSettings, TableState, TableWords
from companion.box.statistics import Statistics
from companion.box.system import Machine
from companion.box.turn import Turn
from companion.core.errors import Refused
from companion.hear.voice import Voice
from companion.menus import commands
from companion.record.journal import Journal
from companion.table.moves import TableAndCommands
from companion.table.table import Table
from hardware.ports import Box, HardwareError

if TYPE_CHECKING:
    from companion.box.connections import Connections
    from companion.box.events import Inbox, JobResult


class Services:
    """All services that execute commands, created in the order of their dependencies."""

    def __init__(self, box: Box, journal: Journal, machine: Machine, inbox: Inbox) -> None:
        self.callers: Connections = NoConnections()
        self.stands, settings = TableState(Table(rows=box.seats > 0)), BoxSettings(journal, machine)
        self.wording = TableWords(settings, self.stands)
        spoken_before = self.stands.facts_spoken_before_snapshot
        self.faces = Outputs(
            box, lambda: settings.now, settings.local_hour, self._report, spoken_before
        )
        self.basics = basics = Basics(
            self.stands, settings, self.wording, self.faces, journal, inbox, machine,
            lambda: self.callers,
        )  # fmt: skip
        self.guard = ButtonGuard(machine.clock(), switches_off=machine.power_off is not None)
        self.screen = Screen(basics, self.guard)
        self.turn = turn = Turn(basics, self.screen, has_ear=box.ear is not None)
        self.speech, self.advice = Speech(basics, turn), Advice(basics, turn)
        self.statistics = Statistics(basics, turn)
        self.teaching = EnteredBoardSaver(basics, turn)
        self.home = FirstScreen(basics, turn, self.statistics)
        self.answers = Answers(
            basics, turn, self.speech, self.advice, self.home, self.statistics, self.teaching
        )
        self.games = Games(
            basics, turn, self.speech, self.statistics, self.home, self.answers, self.teaching
        )
        self.journal, self.clock, self.wall = journal, machine.clock, machine.wall

    def _report(self, error: HardwareError) -> None:
        self.turn.report_output_failure(error)

    @property
    def voice(self) -> Voice:
        """Return the box's voice, which speaks sentences and plays sounds."""
        return self.faces.voice

    def handle_background_result(self, event: JobResult) -> None:
        """Handle the result of a computation that ran outside the loop."""
        match event:
            case StatisticsReported():
                self.statistics.store_computed_statistics(event)
            case DoctorFindingsReady(findings=findings):
                self.turn.replace_menus(
                    self.stands.table.menus.with_changed_facts(findings=findings)
                )
            case HintReady():
                self.advice.put_cursor_on_hint(event)
            case TurningPointReady():
                self.statistics.show_turning_point(event)


def apply_table_change(box: Services, step: TableAndCommands) -> None:
    """Replace the table with the new table in `step`, and execute the commands in `step`.

    Raise Refused, JournalError or UnknownGame if a command fails.
    """
    table, asked = step
    box.turn.replace_table(table)
    for command in asked:
        run_command(box, command)


def run_command(box: Services, command: commands.Command) -> None:  # noqa: C901, PLR0912 - one case per command
    """Execute one command. Raise Refused, JournalError or UnknownGame if the command fails."""
    match command:
        case commands.GiveAnswer(answer, question):
            box.answers.give_answer(answer, question)
        case commands.PlaySound(name):
            box.speech.play_sound(name)
        case commands.SpeakFacts(cues, receipt, asks):
            box.speech.speak_facts(cues, receipt, asks)
        case commands.ShowFact(cue, whose):
            box.turn.announce_facts(cue, whose=whose)
        case commands.AnnounceWithheldFacts(cues):
            box.answers.announce_withheld_facts(cues)
        case commands.RecordAndShowSecret(player):
            box.answers.show_secret(player)
        case commands.UndoAnswer():
            box.answers.undo_answer()
        case commands.RedoAnswer():
            box.answers.redo_answer()
        case commands.CheckWord(word, whose):
            apply_table_change(box, box.answers.check_spelt_word(word, whose))
            box.answers.announce_missing_word_list()
        case commands.ShowRulings(cues, question, answer, whose):
            box.speech.show_rulings(cues, question, answer, whose)
        case commands.GiveHint():
            box.advice.start_hint_search()
        case commands.ChangeSeatPlayer(player, level):
            box.answers.change_seat_player(player, level)
        case commands.RefusePress(code):
            raise Refused(code)
        case _:
            _run_beside(box, command)


def _run_beside(box: Services, command: commands.CommandOutsideGame) -> None:  # noqa: C901, PLR0912 - one case per command
    match command:
        case commands.OpenMenu(page, who):
            box.games.open_running_game_menu(page, who)
        case commands.LeaveGameForFirstScreen():
            box.games.leave_game()
        case commands.BeginGame(game, players, options, again, programs):
            box.games.begin_game(game, players, options, again=again, programs=programs)
        case commands.ResumeGame(number, recaps):
            box.games.resume_game(number, recaps=recaps)
        case commands.ShowFinishedGameReview(number):
            box.statistics.show_finished_game_review(number)
        case commands.ComputeStatistics():
            box.statistics.start_computing_statistics()
        case commands.ShowPersonOrGroupStatistics(who):
            box.statistics.show_person_or_group_statistics(who)
        case commands.RepeatSpeech():
            box.speech.repeat_last_speech()
        case commands.ToggleMute():
            box.speech.toggle_mute()
        case commands.SpeakVoiceSamples(language, voice, lines):
            box.speech.speak_voice_sample(language, voice, lines)
        case commands.ChangeSettings(values):
            box.turn.save_settings(values)
        case commands.SavePrintedBoardDecision(game, how, players, data):
            box.teaching.apply_printed_board_decision(game, how, players, data)
        case commands.StartBoxDiagnosis():
            box.home.start_doctor()
        case commands.RestartComputerPlayers():
            box.callers.restart_computer_players()
        case commands.GiveSeatToPhone(player):
            box.callers.admit_phone(player)
        case commands.SendServiceRequest(service, wish):
            box.callers.send_service_request(service, wish)
        case _:
            assert_never(command)
