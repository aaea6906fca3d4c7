"""The session, which is the only owner of a running game.

A change of the game has two parts. The call that makes the change returns a snapshot to show, and
`commit` saves the change with one write to the disk (sync). The box speaks only after the commit.
If `commit` fails, the session returns to its state before the change. `Session.standing` answers
all queries about the game.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from companion.core.errors import CompanionError, Refused
from companion.core.game import Cue, Cues, Game
from companion.core.prompts import (
    PRESSED_ROLL_QUESTION,
    Answer,
    is_answered_by_box,
    is_legal_answer,
    is_rolled_by_press,
)
from companion.core.snapshot import Snapshot, View
from companion.play.adapting import adaptive_step_of_computer_players
from companion.play.answer_history import (
    AnswerHistory,
    AnswerStep,
    ComputerPlayerProgram,
    GameSetup,
    RulesChangedError,
)
from companion.play.record_header import (
    fresh_game_id,
    record_header_from_setup,
    rule_errors_as_outdated_game,
    setup_from_record_header,
)
from companion.play.replay import replay_answers, replay_entry
from companion.play.standing import MIX_QUESTION, UNDO_AGREEMENT, Standing
from companion.record.entry import Entry, drop_cut_entries
from companion.record.journal import Journal
from companion.record.reading import ABOVE_EVERY_GAME_NUMBER

RECAP_STEPS: Final = 4
"""Number of recent answers, with the box's rolls, that a recap can mention."""


def resume_recorded_game(
    journal: Journal, number: int, now: int
) -> tuple[Session, RulesChangedError | None]:
    """Resume a recorded game.

    Return the session, and the error at the first answer that does not fit the rules. If all
    answers fit the rules, the error is None.

    Raise JournalError if the record cannot be read. Raise UnknownGame if the game cannot be played.
    Raise OutdatedRecordedGame if the present rules cannot set up or continue the game.
    """
    setup = setup_from_record_header(journal.read_game_header_and_lines(number)[0])
    try:
        return Session.resume(journal, number, setup, now), None
    except RulesChangedError as changed:
        return Session.resume_at_last_valid_answer(journal, number, setup, now), changed


class Session:
    """A running game. Create a session with `begin`, `prepare` or `resume`."""

    def __init__(self, journal: Journal, number: int, setup: GameSetup) -> None:
        self.number = number
        self._journal = journal
        state = setup.game.setup(setup.players, setup.options, setup.edition)
        first = AnswerStep(None, Entry("game"), state, setup.game.opening(state), 0, 0)
        self.standing = self._written = Standing(
            setup, AnswerHistory(first, programs=setup.programs)
        )
        self._batch: list[Entry] = []

    @property
    def game_setup(self) -> GameSetup:
        """Return the setup of the running game."""
        return self.standing.setup

    @property
    def adaptive_step(self) -> int:
        """Return the adaptive step of the game's computer players, from the games before this game.

        Raise JournalError if the record cannot be read.
        """
        return adaptive_step_of_computer_players(
            self._journal, self.game_setup.game.name, self.number or ABOVE_EVERY_GAME_NUMBER
        )

    @classmethod
    def begin(cls, journal: Journal, setup: GameSetup, now: int) -> Session:
        """Start a new game and save its setup.

        Raise JournalError if the setup cannot be saved. Raise ExcludedGame if the code of an
        installed game fails. After an error, the record is unchanged.
        """
        session = cls.prepare(journal, setup, now)
        session.commit()
        return session

    @classmethod
    def prepare(cls, journal: Journal, setup: GameSetup, now: int) -> Session:
        """Return a new game, which the first `commit` saves. Until then, its number is 0.

        Raise ExcludedGame if the code of an installed game fails.
        """
        session = cls(journal, 0, setup)
        session._set(cues=session._history.last.cues)
        session._settle(now)
        session._look()
        header = {"id": fresh_game_id(), **record_header_from_setup(setup)}
        session._batch.insert(0, Entry("game", value=header, at=now))
        session._written = session.standing
        return session

    @classmethod
    def resume(cls, journal: Journal, number: int, setup: GameSetup, now: int) -> Session:
        """Resume a recorded game from its entries.

        Raise RulesChangedError at the first answer that does not fit the rules. Raise
        OutdatedRecordedGame if the present rules cannot set up or continue the game. Raise
        JournalError if the record cannot be read or saved.
        """
        with rule_errors_as_outdated_game():
            session = cls(journal, number, setup)
        for entry in drop_cut_entries(journal.read_game_header_and_lines(number)[1]):
            session.replay_entry(entry)
        session._wake(now)
        return session

    @classmethod
    def resume_at_last_valid_answer(
        cls, journal: Journal, number: int, setup: GameSetup, now: int
    ) -> Session:
        """Resume a recorded game at the last answer that fits the present rules.

        Save an entry "cut", which removes all later entries. If the first answer does not fit,
        resume the game at its start. Raise OutdatedRecordedGame if the present rules cannot set up
        or continue the game. Raise JournalError if the record cannot be read or saved.
        """
        with rule_errors_as_outdated_game():
            session = cls(journal, number, setup)
        lines = drop_cut_entries(journal.read_game_header_and_lines(number)[1])
        for n, entry in enumerate(lines):
            try:
                session.replay_entry(entry)
            except RulesChangedError:
                session._write(Entry("cut", value=n, at=now))
                break
        session._wake(now)
        return session

    def _wake(self, now: int) -> None:
        """Finish a replay: apply the box's rolls and shuffles, and announce all present secrets.

        Compute the data for displays now, so that an error in the game's rules is found at once.
        """
        with rule_errors_as_outdated_game():
            self._settle(now)
            self._tell(self.standing.private_facts_of_all_players)
            self._look()
        self.commit()

    def _look(self) -> None:
        """Compute the data for every display, so that an error appears before the commit."""
        _ = self.standing.snapshot, self.standing.out_of_turn_questions

    # --- changes ---

    def answer(self, value: Answer, now: int, question: str | None = None) -> Snapshot:
        """Apply an answer to the pending question, or to the out-of-turn question `question`.

        `now`: the time in seconds since 1970.

        Raise Refused if the answer is illegal. Raise ExcludedGame if the code of an installed game
        fails. After an error, the game is unchanged.
        """
        standing, written = self.standing, len(self._batch)
        try:
            return self._answer(value, now, question)
        except BaseException:
            self.standing = standing
            del self._batch[written:]
            raise

    def _answer(self, value: Answer, now: int, question: str | None) -> Snapshot:
        prompt = self.standing.pending_question
        asked = prompt.name if prompt is not None else None
        if asked in (UNDO_AGREEMENT.name, MIX_QUESTION) and question not in (None, asked):
            raise Refused("not_asked", question=question)
        if self._history.is_undo_question_pending:
            return self._agree(value, now)
        if prompt is not None and prompt.name == MIX_QUESTION:
            if not is_legal_answer(prompt, value):
                raise Refused("not_offered", question=MIX_QUESTION)
            self._write(Entry("press", MIX_QUESTION, prompt.who, value, now))
            self._tell(presses=(*self._history.presses, value))
        elif asked == PRESSED_ROLL_QUESTION and question in (None, PRESSED_ROLL_QUESTION):
            self._throw(value, now)
        else:
            self._fold(value, now, question)
            self._set(redo=None)
        self._settle(now)
        return self.standing.snapshot

    def _throw(self, value: Answer, now: int) -> None:
        """Roll the virtual dice after a player's press.

        The record stores the roll, but not the press.
        """
        if value != PRESSED_ROLL_QUESTION:
            raise Refused("not_offered", question=PRESSED_ROLL_QUESTION)
        self._tell(redo=None)
        self._fold(self.standing.box_answer_from_seed(), now, kind="box")

    def undo(self, now: int) -> Snapshot:
        """Undo the last answer. If all players must agree, first ask the players.

        While the box asks the players, another call of `undo` answers "no". Raise Refused if
        there is no answer to undo.
        """
        if self._history.is_undo_question_pending:
            return self._agree("no", now)
        if self.standing.undo_needs_agreement:
            self._tell(is_undo_question_pending=True)
            return self.standing.snapshot
        return self._take_back(now, agreed=False)

    def redo(self, now: int) -> Snapshot:
        """Repeat the last undone answer. Raise Refused if there is no undone answer."""
        taken_back = self._history.redo
        if taken_back is None or self._history.is_undo_question_pending:
            raise Refused("nothing_to_redo")
        self._write(Entry("redo", at=now))
        history, cues = replay_answers(self.game_setup.game, self._history, taken_back.entries)
        redone = Cue("redone", _given(self.game_setup.game, taken_back.entries[0]))
        since = self._history.last
        self._hold(
            history._replace(redo=taken_back.before, cues=(redone, *cues), step_before_cues=since)
        )
        self._settle(now)
        return self.standing.snapshot

    def mark_secrets_seen(self, player: str, now: int) -> Snapshot:
        """Record that `player` looks at the player's secrets.

        Call `mark_secrets_seen` before the secrets are shown.
        """
        if self._history.has_unseen_secret(player):
            self._write(Entry("seen", None, player, None, now))
            self._hold(self._history.with_secrets_seen(player))
        return self.standing.snapshot

    def mark_secrets_sent(self, now: int) -> None:
        """Record that players have seen the secrets that the last change sent to players."""
        for player in sorted({cue.to for cue in self._history.cues if cue.to is not None}):
            self.mark_secrets_seen(player, now)

    def change_seat_player(
        self, player: str, program: ComputerPlayerProgram | None, now: int
    ) -> None:
        """Give the player's seat to the computer player `program`.

        If `program` is None, give the seat back to the person.
        """
        self._write(Entry("program", None, player, program and [*program], now))
        self._hold(self._history.with_computer_player(player, program))

    def commit(self) -> None:
        """Save all changes to the record with one write to the disk (sync).

        If saving fails, return to the last saved state of the game and raise JournalError.
        """
        batch, self._batch = self._batch, []
        try:
            if self.number:
                self._journal.append_entries_to_game(self.number, batch)
            else:
                first, *entries = batch
                self.number = self._journal.save_new_game(first.value, entries, first.at)
        except CompanionError:
            self.discard_changes()
            raise
        self._written = self.standing

    def discard_changes(self) -> None:
        """Discard all changes since the last commit."""
        self.standing, self._batch = self._written, []

    # --- the history of answers ---

    @property
    def _history(self) -> AnswerHistory:
        return self.standing.history

    def _hold(self, history: AnswerHistory) -> None:
        self.standing = self.standing.with_answer_history(history)

    def _set(self, **changes: Any) -> None:
        self._hold(self._history._replace(**changes))

    def _tell(self, cues: Cues = (), **changes: Any) -> None:
        self._set(cues=cues, step_before_cues=self._history.last, **changes)

    def _write(self, entry: Entry) -> None:
        self._batch.append(entry)

    def _fold(
        self, value: Answer, now: int, question: str | None = None, kind: str = "answer"
    ) -> None:
        self.standing = self.standing.with_answer(value, now, question, kind)
        self._write(self._history.last.entry)

    def _settle(self, now: int) -> None:
        """Apply the box's rolls and shuffles, and close the game's record when the game is over."""
        while (
            is_answered_by_box(asked := self.standing.question_of_rules)
            and not self.standing.chance_needs_press_time
        ):
            if is_rolled_by_press(asked):
                break
            self._fold(self.standing.box_answer_from_seed(), now, kind="box")
        outcome = self.game_setup.game.outcome(self._history.last.state)
        if outcome is not None and self._batch:
            self._write(Entry("over", value=list(outcome.winners), at=now))

    # --- undoing ---

    def _take_back(self, now: int, *, agreed: bool) -> Snapshot:
        before, target = self._history, self.standing.undoable_answer_step
        self._write(Entry("undo", value=agreed, at=now))
        self._hold(before.with_answers_undone(target))
        self._tell(
            (fact_of_undone_answer(self.game_setup.game, before, self._history, agreed=agreed),)
        )
        return self.standing.snapshot

    def _agree(self, value: Answer, now: int) -> Snapshot:
        if value not in UNDO_AGREEMENT.options:
            raise Refused("not_offered", question=UNDO_AGREEMENT.name)
        if value == "yes":
            return self._take_back(now, agreed=True)
        self._tell(is_undo_question_pending=False)
        return self.standing.snapshot

    # --- replaying a record ---

    def replay_entry(self, entry: Entry) -> None:
        """Apply one entry of the record without writing this entry again.

        Raise RulesChangedError if the entry does not fit the rules. Raise ExcludedGame if the code
        of an installed game fails. After an error, the game is unchanged.
        """
        self._hold(replay_entry(self.game_setup.game, self._history, entry))


def fact_of_undone_answer(
    game: Game[Any], before: AnswerHistory, after: AnswerHistory, *, agreed: bool
) -> Cue:
    """Return the fact (event) that an answer was undone.

    If the undo changes the total in the game's public view, the event contains the old total
    (`was`) and the new total (`total`).

    - `before`: the answer history with the answer.
    - `after`: the answer history without the answer.
    - `agreed` is True if the players had to agree to the undo.
    """
    assert after.redo is not None
    facts = _given(game, after.redo.entries[0])
    was, total = (_total(game.view(history.last.state, None)) for history in (before, after))
    if was != total and was is not None and total is not None:
        facts |= {"was": was, "total": total}
    return Cue("undone", {**facts, "agreed": agreed, "left": after.last.answers})


def resumed_game_fact(session: Session) -> Cue | None:
    """Return the event `resumed`, which summarises the last steps of a game.

    The event contains the last steps, newest first, and the total from the game's public view. Each
    step is a pair: the public events after an answer, and a table with the player, the question and
    the answer. Return None if no player has answered yet.
    """
    history, setup = session.standing.history, session.game_setup
    if not history.last.answers:
        return None
    steps = tuple(
        (tuple(cue for cue in step.cues if cue.to is None), _given(setup.game, step.entry))
        for step in islice(history.steps_latest_first(), RECAP_STEPS)
    )
    total = _total(session.standing.snapshot.view)
    return Cue("resumed", {"steps": steps, **({"total": total} if total else {})})


def _total(view: View) -> int | None:
    total = view.get("total")
    return total if isinstance(total, int) else None


def _given(game: Game[Any], answer: Entry) -> dict[str, Any]:
    value = game.public_answer(answer.question, answer.value)
    return {"who": answer.who, "question": answer.question, "value": value}
