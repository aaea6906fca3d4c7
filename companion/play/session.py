"""The single owner of a running game: it takes answers, folds, undoes and redoes.

Every change is made in two halves, so that people see it before it is written and hear it after:
the call gives the new snapshot, then `commit` writes it down, with one sync. If that fails,
everything is as it was before the call. What may be asked of a game is in `Session.standing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError, Refused
from companion.core.game import Cue, Cues
from companion.core.prompts import THROW, accepts, by_box, by_press
from companion.play.header import fresh_id, header_of, of_other_rules, setup_of
from companion.play.line import Line, RulesChanged, Step
from companion.play.replay import refolded, replayed
from companion.play.standing import AGREE, MIX, Standing
from companion.record.entry import Entry, kept

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.core.prompts import Answer
    from companion.core.snapshot import Snapshot
    from companion.play.line import Program, Setup
    from companion.record.journal import Journal


def recorded(journal: Journal, number: int, now: int) -> tuple[Session, RulesChanged | None]:
    """A recorded game, to go on with; and where it no longer fitted the rules, if anywhere.

    Raises JournalError or UnknownGame; Outgrown if it does not fit the rules anywhere.
    """
    setup = setup_of(journal.read(number)[0])
    try:
        return Session.resume(journal, number, setup, now), None
    except RulesChanged as changed:
        return Session.salvage(journal, number, setup, now), changed


class Session:
    """A game being played. Begin one with `Session.begin`, go on with `Session.resume`."""

    def __init__(self, journal: Journal, number: int, setup: Setup) -> None:
        self.number = number
        self._journal = journal
        state = setup.game.setup(setup.players, setup.options, setup.edition)
        first = Step(None, Entry("game"), state, setup.game.opening(state), 0, 0)
        self.standing = self._written = Standing(setup, Line(first, programs=setup.programs))
        self._batch: list[Entry] = []

    @property
    def setup(self) -> Setup:
        """What the game was begun with."""
        return self.standing.setup

    @classmethod
    def begin(cls, journal: Journal, setup: Setup, now: int) -> Session:
        """Write a new game down and begin it.

        Raises JournalError, or LeftOut if a package's game fails at it; nothing is written then.
        """
        session = cls(journal, 0, setup)
        session._set(cues=session._line.last.cues)
        session._settle(now)
        session._look()
        session.number = journal.begin({"id": fresh_id(), **header_of(setup)}, session._batch, now)
        session._batch, session._written = [], session.standing
        return session

    @classmethod
    def resume(cls, journal: Journal, number: int, setup: Setup, now: int) -> Session:
        """Go on with a recorded game.

        Raises RulesChanged at the exact answer, Outgrown or JournalError.
        """
        with of_other_rules():
            session = cls(journal, number, setup)
        for entry in kept(journal.read(number)[1]):
            session.replay(entry)
        session._wake(now)
        return session

    @classmethod
    def salvage(cls, journal: Journal, number: int, setup: Setup, now: int) -> Session:
        """Go on with a recorded game from the last answer that still fits the rules.

        Raises Outgrown or JournalError.
        """
        with of_other_rules():
            session = cls(journal, number, setup)
        lines = kept(journal.read(number)[1])
        for n, entry in enumerate(lines):
            try:
                session.replay(entry)
            except RulesChanged:
                session._write(Entry("cut", value=n, at=now))
                break
        session._wake(now)
        return session

    def _wake(self, now: int) -> None:
        """After a replay: the box answers what is its own, and everybody gets the own secrets.

        All is looked at before anybody sits down: a package's game can fail at it, and so can any
        game whose record is older than its rules.
        """
        with of_other_rules():
            self._settle(now)
            self._tell(self.standing.secrets)
            self._look()
        self.commit()

    def _look(self) -> None:
        """Work out what every face asks first, so that a game which fails at it fails here."""
        _ = self.standing.snapshot, self.standing.anytime

    # --- changes ---

    def answer(self, value: Answer, now: int, question: str | None = None) -> Snapshot:
        """Take an answer to the standing question, or out of turn to the one named.

        `now` is in seconds since 1970. Raises Refused, or LeftOut if a package's game fails at it;
        nothing has changed then, whatever is raised.
        """
        standing, written = self.standing, len(self._batch)
        try:
            return self._answer(value, now, question)
        except BaseException:
            self.standing = standing
            del self._batch[written:]
            raise

    def _answer(self, value: Answer, now: int, question: str | None) -> Snapshot:
        prompt = self.standing.question
        asked = prompt.name if prompt is not None else None
        if asked in (AGREE.name, MIX) and question not in (None, asked):
            raise Refused("not_asked", question=question)
        if self._line.asking:
            return self._agree(value, now)
        if prompt is not None and prompt.name == MIX:
            if not accepts(prompt, value):
                raise Refused("not_offered", question=MIX)
            self._write(Entry("press", MIX, prompt.who, value, now))
            self._tell(presses=(*self._line.presses, value))
        elif asked == THROW and question in (None, THROW):
            self._throw(value, now)
        else:
            self._fold(value, now, question)
            self._set(redo=None)
        self._settle(now)
        return self.standing.snapshot

    def _throw(self, value: Answer, now: int) -> None:
        """The box rolls, since somebody has pressed; the press itself is nothing to write down."""
        if value != THROW:
            raise Refused("not_offered", question=THROW)
        self._tell(redo=None)
        self._fold(self.standing.drawn(), now, kind="box")

    def undo(self, now: int) -> Snapshot:
        """Take the last answer back, or ask the table whether it may be. Raises Refused."""
        if self._line.asking:
            return self._agree("no", now)
        if self.standing.undo_needs_agreement:
            self._tell(asking=True)
            return self.standing.snapshot
        return self._take_back(now, agreed=False)

    def redo(self, now: int) -> Snapshot:
        """Give the last answer taken back again. Raises Refused if there is none."""
        undone = self._line.redo
        if undone is None or self._line.asking:
            raise Refused("nothing_to_redo")
        self._write(Entry("redo", at=now))
        line, cues = refolded(self.setup.game, self._line, undone.entries)
        redone = Cue("redone", _given(self.setup.game, undone.entries[0]))
        since = self._line.last
        self._hold(line._replace(redo=undone.before, cues=(redone, *cues), since=since))
        self._settle(now)
        return self.standing.snapshot

    def look(self, player: str, now: int) -> Snapshot:
        """Note, before it is shown, that `player` looks at the own secrets."""
        if self._line.has_news(player):
            self._write(Entry("seen", None, player, None, now))
            self._hold(self._line.looked(player))
        return self.standing.snapshot

    def tell_secrets(self, now: int) -> None:
        """Note that every private cue of the last call was shown at once (a text protocol does)."""
        for player in sorted({cue.to for cue in self._line.cues if cue.to is not None}):
            self.look(player, now)

    def play(self, player: str, program: Program | None, now: int) -> None:
        """Have the box play a seat from now on, as a stand-in; or, with None, its player again."""
        self._write(Entry("program", None, player, program and [*program], now))
        self._hold(self._line.played_by(player, program))

    def commit(self) -> None:
        """Write down what has changed, with one sync. Raises JournalError: nothing has changed."""
        batch, self._batch = self._batch, []
        try:
            self._journal.append(self.number, batch)
        except CompanionError:
            self.drop()
            raise
        self._written = self.standing

    def drop(self) -> None:
        """Go back to how the game was last written down."""
        self.standing, self._batch = self._written, []

    # --- the line ---

    @property
    def _line(self) -> Line:
        return self.standing.line

    def _hold(self, line: Line) -> None:
        self.standing = self.standing.after(line)

    def _set(self, **changes: Any) -> None:
        self._hold(self._line._replace(**changes))

    def _tell(self, cues: Cues = (), **changes: Any) -> None:
        """Facts about the game as it stands are told now, in place of older ones."""
        self._set(cues=cues, since=self._line.last, **changes)

    def _write(self, entry: Entry) -> None:
        self._batch.append(entry)

    def _fold(
        self, value: Answer, now: int, question: str | None = None, kind: str = "answer"
    ) -> None:
        """Fold one answer and write it down. Raises Refused."""
        self.standing = self.standing.folded(value, now, question, kind)
        self._write(self._line.last.entry)

    def _settle(self, now: int) -> None:
        """Let the box answer whatever is its own to answer; close the record when it is over."""
        while by_box(asked := self.standing.asked) and not self.standing.is_mixing:
            if by_press(asked):
                break
            self._fold(self.standing.drawn(), now, kind="box")
        outcome = self.setup.game.outcome(self._line.last.state)
        if outcome is not None and self._batch:
            self._write(Entry("over", value=list(outcome.winners), at=now))

    # --- taking back ---

    def _take_back(self, now: int, *, agreed: bool) -> Snapshot:
        target = self.standing.target
        self._write(Entry("undo", value=agreed, at=now))
        self._hold(self._line.dropped(target))
        facts, left = _given(self.setup.game, target.entry), self._line.last.answers
        self._tell((Cue("undone", {**facts, "agreed": agreed, "left": left}),))
        return self.standing.snapshot

    def _agree(self, value: Answer, now: int) -> Snapshot:
        if value not in AGREE.options:
            raise Refused("not_offered", question=AGREE.name)
        if value == "yes":
            return self._take_back(now, agreed=True)
        self._tell(asking=False)
        return self.standing.snapshot

    # --- replaying a record ---

    def replay(self, entry: Entry) -> None:
        """Do what a line of the record says, without writing it.

        Raises RulesChanged, or LeftOut if a package's game fails at it; nothing has changed then.
        """
        self._hold(replayed(self.setup.game, self._line, entry))


def _given(game: Game[Any], answer: Entry) -> dict[str, Any]:
    """Return what all may know of an answer that is undone or redone."""
    value = game.public(answer.question, answer.value)
    return {"who": answer.who, "question": answer.question, "value": value}
