"""The start, resumption and end of games on the table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.box.answers import Answers
from companion.box.board_teaching import EnteredBoardSaver
from companion.box.face_errors import guarded_face_and_words
from companion.box.home import FirstScreen
from companion.box.speech import Speech
from companion.box.state import Basics, GameOnTable
from companion.box.statistics import Statistics, has_finished_game
from companion.box.turn import Turn
from companion.catalog import editions
from companion.core.errors import log_error
from companion.core.game import Cue
from companion.menus import new_game
from companion.play import begin
from companion.play.adapting import ADAPTIVE_LEVEL, HIGHEST_ADAPTIVE_STEP
from companion.play.session import Session, resume_recorded_game, resumed_game_fact
from companion.record.journal import JournalError
from companion.record.secret_word_drafts import load_word_draft, save_word_draft
from companion.table import moves
from companion.table.already_spoken import AlreadySpokenKinds


class Games:
    """The service that starts, resumes and ends games."""

    def __init__(
        self, basics: Basics, turn: Turn, speech: Speech, statistics: Statistics, home: FirstScreen,
        answers: Answers, teaching: EnteredBoardSaver,
    ) -> None:  # fmt: skip
        self._basics, self._stands, self._turn = basics, basics.stands, turn
        self._speech, self._statistics, self._home = speech, statistics, home
        self._answers, self._teaching = answers, teaching
        self._draft = 0, ""  # the number of a game, and the letters at the last save of a draft

    def begin_game(
        self, game: str, players: tuple[str, ...], options: Mapping[str, str], *,
        again: bool, programs: Mapping[str, str],
    ) -> None:  # fmt: skip
        """Start the new game `game`.

        - `again`: if True, the people have just played a game together.
        - `programs`: the level of each computer player, by the player's name.

        Raise JournalError if the players' names cannot be saved. The commit of the change saves the
        game.
        """
        basics, machine, mistakes = self._basics, self._basics.machine, 0
        try:
            edition = editions.load_edition(game, machine.folder, machine.taught)
        except editions.InvalidEditionError as error:
            mistakes = len(error.mistakes)
            edition = editions.load_edition(game)
        setup = begin.new_game_setup(game, players, options, edition, programs)
        names = new_game.suggested_names_for_next_game(
            basics.settings["names"], setup.human_players
        )
        self._turn.save_settings({"names": names})
        setup = setup._replace(mixing=not basics.settings["trust"])
        self._turn.replace_table(self._stands.table._replace(together=again))
        self._turn.request_commit(seen_first=False)
        self._enter(Session.prepare(basics.journal, setup, machine.wall()), new=True)
        if mistakes:
            self._turn.announce_facts(Cue("edition", {"game": game, "n": mistakes}))

    def resume_game(self, number: int, *, recaps: bool = True) -> None:
        """Resume a recorded game by its number. If `recaps` is True, first show the last answer.

        Raise JournalError or UnknownGame if the game cannot be resumed.
        """
        basics = self._basics
        session, changed = resume_recorded_game(basics.journal, number, basics.machine.wall())
        self._enter(session, resumed_game_fact(session) if recaps else None)
        if changed is not None:
            self._turn.show_facts_in_overlay(Cue("rules_changed", {"answer": changed.answer}))

    def _enter(self, session: Session, last: Cue | None = None, *, new: bool = False) -> None:
        """Make a game the running game.

        - `last`: the event `resumed`, which the box shows first; None to show no such event.
        - `new`: if True, announce the first events of the game.
        """
        basics, remote = self._basics, self._basics.remote()
        self.set_running_game(session)
        entered = session.standing.entered_board_values
        self._turn.run_effects_after_commit(
            partial(self._teaching.ignore_already_entered_values, entered)
        )
        draft = load_word_draft(basics.journal, session.number, session.standing.snapshot)
        begins = self._answers.stage_facts(session.standing.opening_facts) if new else None
        playing, now = (
            self._stands.running_game_description(away=remote.has_unresponsive_computer_players),
            basics.machine.clock(),
        )
        table = self._stands.table._replace(draft=draft)
        table, heard = moves.table_after_entering_game(table, playing, now, begins or last)
        self._turn.replace_table(table)
        self._speech.speak_facts(heard.cues, heard.receipt, heard.asks)
        self._turn.request_state_publication()
        if session.standing.present_computer_players and not remote.can_seat_computer_players:
            self.open_running_game_menu("seats")
            self._turn.announce_facts(
                Cue("program_shut", {"who": next(iter(session.standing.present_computer_players))})
            )
        elif new:
            self._announce_step(session)

    def _announce_step(self, session: Session) -> None:
        programs = session.standing.present_computer_players
        who = next(
            (player for player, program in programs.items() if program.level == ADAPTIVE_LEVEL),
            None,
        )
        if who is not None:
            steps = {"step": session.adaptive_step + 1, "steps": HIGHEST_ADAPTIVE_STEP + 1}
            self._turn.announce_facts(Cue("program_even", {"who": who, **steps}))

    def set_running_game(self, session: Session) -> None:
        """Make the game of `session` the running game.

        Teach the voice the pronunciation of the game's names.
        """
        basics = self._basics
        face, book = guarded_face_and_words(session.game_setup, basics.inbox)
        heard = AlreadySpokenKinds(
            book[basics.wording.language_of_player_or_box()].fact_name_with_variant
        )
        self._turn.set_running_game(GameOnTable(session, face, book, heard))
        self._turn.run_effects_after_commit(
            lambda: basics.faces.voice.set_name_pronunciations(face.names)
        )
        self._turn.run_effects_after_commit(basics.faces.voice.forget_last_speech)
        self._turn.apply_changed_settings()

    def open_running_game_menu(self, page: str = "menu", who: str = "") -> None:
        """Open the menu of the running game, or the menu page `page` about the player `who`."""
        self._turn.replace_table(
            moves.table_with_game_menu(self._stands.table, self._home.menu_facts(), page, who)
        )

    def return_to_first_screen(self) -> None:
        """Leave the running game, if any, and show the first screen."""
        with self._turn.change():
            facts = self._home.menu_facts(playing=False)
            self._turn.set_running_game(None)
            self._turn.run_effects_after_commit(self._statistics.forget_rarest_fact)
            self._turn.replace_table(self._stands.table.with_first_screen(facts))
            self._turn.apply_changed_settings()
            self._turn.request_state_publication()

    def leave_game(self) -> None:
        """Leave the running game and show the first screen.

        After a finished game, put the cursor on the menu line *again*. For a moment, ignore further
        presses, so that a double press does not start another game.
        """
        over, fact = has_finished_game(self._stands.running_session), self._statistics.remark
        with self._turn.change():
            self.return_to_first_screen()
            if over:
                table = self._stands.table
                table = table._replace(
                    menus=table.menus.with_cursor_on_line("rematch")
                ).with_cursor_on_likeliest_answer()
                shown = table.cursor._replace(shown=self._basics.machine.clock())
                self._turn.replace_table(table._replace(cursor=shown))
            if fact is not None:
                self._statistics.announce_rarest_fact(fact)

    def leave_failed_game(self, error: Exception) -> None:
        """Leave a game whose code raised an exception, and report the failure.

        The record has all answers that were given before the failure.
        """
        log_error("box", f"the game was left: {error!r}", error)
        with self._turn.change():
            self.return_to_first_screen()
            self._turn.announce_facts(Cue("broken"))

    def save_secret_word_draft(self) -> None:
        """Save the spelt letters of an unfinished secret word."""
        basics, text, session = self._basics, self._stands.table.draft, self._stands.running_session
        if session is None or (session.number, text) == self._draft:
            return
        self._draft, wall = (session.number, text), basics.machine.wall()
        try:
            save_word_draft(basics.journal, session.number, session.standing.snapshot, text, wall)
        except JournalError as error:
            self._turn.announce_failed_commit(error)
