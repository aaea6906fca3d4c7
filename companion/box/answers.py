"""Actions in the running game: answer, undo, redo, show a secret, replace a player."""

from __future__ import annotations

from functools import partial

from companion.box.advice import Advice
from companion.box.board_teaching import EnteredBoardSaver
from companion.box.home import FirstScreen
from companion.box.speech import Speech
from companion.box.state import Basics
from companion.box.statistics import Statistics
from companion.box.turn import Turn
from companion.core.errors import Refused
from companion.core.game import Cue, Cues
from companion.core.prompts import PRESSED_ROLL_QUESTION, Answer
from companion.play.begin import computer_player_of_level
from companion.play.session import Session
from companion.table import moves
from companion.table.overlays import StagedFacts, prepend_rolling_dice, stage_facts_as_overlays
from companion.table.word_lookup import WordLookup


class Answers:
    """The service that changes the session of the running game, within a change (`Turn.change`)."""

    def __init__(
        self, basics: Basics, turn: Turn, speech: Speech, advice: Advice, home: FirstScreen,
        statistics: Statistics, teaching: EnteredBoardSaver,
    ) -> None:  # fmt: skip
        self._basics, self._stands, self._turn = basics, basics.stands, turn
        self._speech, self._advice, self._home = speech, advice, home
        self._statistics, self._teaching = statistics, teaching
        self._confirmations = WordLookup(basics.machine.dictionary)

    def give_answer(self, value: Answer, question: str | None = None) -> None:
        """Answer the pending question, or the out-of-turn question `question`.

        If a press has rolled public dice, first show the rolling dice. If all players have shuffled
        together, the box also gives the answers of the other shuffles.
        """
        session, wall = self._stands.session, self._basics.machine.wall
        roll = (
            session.standing.roll_awaiting_press
            if question in (None, PRESSED_ROLL_QUESTION)
            else None
        )
        faces = (
            tuple(session.standing.box_answer_from_seed())
            if roll is not None and not roll.private
            else ()
        )
        program_facts = _told_of_program(session, question, value)
        mixes = self._stands.table.together and moves.is_joint_shuffle_pending(
            session.standing.snapshot
        )
        snapshot = session.answer(value, wall(), question)
        while mixes and moves.is_joint_shuffle_pending(snapshot):
            snapshot = session.answer(value, wall())
        facts = self.stage_facts((*program_facts, *snapshot.cues))
        if roll is not None and faces:
            facts = prepend_rolling_dice(facts, roll, faces, snapshot.prompt)
        self._take(facts)

    def undo_answer(self) -> None:
        """Undo the last answer of the running game. Raise Refused if there is no answer to undo."""
        self._take(self.stage_facts(self._stands.session.undo(self._basics.machine.wall()).cues))

    def redo_answer(self) -> None:
        """Redo the last undone answer of the running game.

        Raise Refused if there is no undone answer.
        """
        self._take(self.stage_facts(self._stands.session.redo(self._basics.machine.wall()).cues))

    def show_secret(self, player: str) -> None:
        """Record that a player sees a secret. The box shows the secret only after the commit."""
        self._stands.session.mark_secrets_seen(player, self._basics.machine.wall())
        self._turn.request_commit(seen_first=False)
        self._advice.put_cursor_on_hinted_secret_answer()

    def announce_withheld_facts(self, cues: Cues) -> None:
        """Announce the events and the question that were withheld until a player saw a secret."""
        now = self._basics.machine.clock()
        table, heard = moves.table_after_secret_look(
            self._stands.table, self.stage_facts(cues), now
        )
        self._turn.replace_table(table)
        self._speech.speak_facts(heard.cues, heard.receipt, heard.asks)

    def change_seat_player(self, player: str, level: str | None) -> None:
        """Give a seat to a computer player of `level`, or to a person if `level` is None.

        Raise Refused if no computer player can take over a seat now.
        """
        session = self._stands.session
        if level is not None and not session.standing.can_add_computer_player:
            raise Refused("not_offered")
        how = None if level is None else computer_player_of_level(level)
        session.change_seat_player(player, how, self._basics.machine.wall())
        self._take(self.stage_facts(()))
        self._turn.announce_facts(Cue("box_sits" if how else "person_sits", {"who": player}))

    def _take(self, facts: StagedFacts) -> None:
        remote, table = self._basics.remote(), self._stands.table
        if table.menus.current_page is not None:  # a phone has answered while a menu is open
            table = table.with_menu_facts(self._home.menu_facts())
        playing = self._stands.running_game_description(
            away=remote.has_unresponsive_computer_players
        )
        table, heard = moves.table_after_answer(table, playing, facts, self._basics.machine.clock())
        self._turn.replace_table(table)
        self._turn.request_commit(seen_first=table.menus.current_page is None)
        session = self._stands.session
        # read the values before the commit: if the game raises an error, the box undoes the answer
        entered = session.standing.entered_board_values
        self._turn.run_effects_after_commit(
            partial(self._teaching.save_entered_values, session, entered),
            self._statistics.start_rarest_fact_search,
        )
        self._speech.speak_facts(heard.cues, heard.receipt, heard.asks)
        self._turn.request_state_publication()

    def stage_facts(self, cues: Cues) -> StagedFacts:
        """Return the events `cues` with their overlays, and the player who must look at a secret.

        If no player must look at a secret, the field `curtain` of the result is None.
        """
        alone = (
            self._basics.remote().seats_receiving_secrets_remotely
            | self._stands.session.standing.present_computer_players.keys()
        )
        words, rules = (
            self._basics.wording.game_words(),
            self._basics.faces.voice.current_audio_settings,
        )
        return stage_facts_as_overlays(cues, words, self._stands.running_game_face, rules, alone)

    # --- words that a player has spelt ---

    def check_spelt_word(self, word: str, whose: str | None) -> moves.TableAndCommands:
        """Return the table and commands that accept a spelt word.

        If the word lists lack the word, the table asks the player to confirm the word. Raise
        Refused if the word is a proper name.
        """
        language = self._basics.wording.language_of_player_or_box(whose)
        lists = self._confirmations.word_lists_without_word(word, language)
        return moves.table_after_word_check(self._stands.table, word, lists)

    def word_lists_without_word(self, word: str, language: str) -> tuple[str, ...]:
        """If no word list contains `word`, return the names of the searched word lists.

        Return () if at least one word list contains `word`. If `language` has no word list,
        announce the missing list once and return (). Raise Refused if the word is a proper name.
        """
        lists = self._confirmations.word_lists_without_word(word, language)
        self.announce_missing_word_list()
        return lists

    def announce_missing_word_list(self) -> None:
        """Announce each language without a word list, but each language only once."""
        if notices := self._confirmations.missing_word_list_notices:
            with self._turn.change():
                for cue in notices:
                    self._turn.announce_facts(cue)
                self._turn.run_effects_after_commit(self._confirmations.mark_notices_as_announced)


def _told_of_program(session: Session, question: str | None, value: Answer) -> Cues:
    """Return the announcement of a computer player's answer; return () for a person's answer.

    A roll needs no announcement, because the display shows the dice. For a secret answer, the
    announcement states only that the computer player has answered.
    """
    prompt = session.standing.pending_prompt
    if (
        prompt is None
        or session.standing.computer_player_to_answer is None
        or question not in (None, prompt.name)
    ):
        return ()
    if prompt.name == PRESSED_ROLL_QUESTION:
        return ()
    given = session.standing.public_part_of_answer(prompt, value)
    if given is None:
        return (Cue("program_kept", {"who": prompt.who}),)
    view = session.standing.snapshot.view
    plain = {name: fact for name, fact in view.items() if isinstance(fact, (str, int))}
    asked = {"who": prompt.who, "question": prompt.name, "value": given}
    return (Cue("program", {**plain, **prompt.facts, **asked}),)
