"""What a press does: the table changes, and what it asks for is carried out, in its order.

The frame leaves first, the record is written next, and only then the sound is heard: what the
table has heard can no longer be lost. That order is `moves`'; what it comes to is found out here,
and handed back to the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.box import moves
from companion.box.doubts import Doubts
from companion.box.drafts import found, keep
from companion.box.effects import (
    Ask,
    Commit,
    Explain,
    Judge,
    OpenMenu,
    Publish,
    Say,
    Show,
    Sound,
    Tell,
    TellOn,
)
from companion.box.foresight import foreseen
from companion.box.lessons import Lessons
from companion.box.menus import rules
from companion.box.menus.wishes import (
    About,
    Admit,
    Attend,
    Begin,
    Count,
    Forget,
    Learn,
    Leave,
    Past,
    Practise,
    Redo,
    Resume,
    Set,
)
from companion.box.menus.words import practice
from companion.box.moments import NOTE
from companion.box.staging import staged, thrown
from companion.core.errors import CompanionError, Refused, UnknownGame
from companion.core.game import Cue
from companion.core.prompts import THROW
from companion.press import controls
from companion.press.actions import Again, Give, Look, Refuse, Silence, Undo
from companion.press.cursor import chosen, let_be
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.box.effects import Changed, Effect, Heard, Kept, Played
    from companion.box.host import Host
    from companion.box.staging import Staged
    from companion.box.table import Table
    from companion.core.game import Cues
    from companion.core.prompts import Answer
    from companion.play.session import Session
    from companion.press.actions import Action
    from companion.press.cursor import Cursor
    from companion.say.dictionary import Dictionary
    from hardware import Edge


class Deeds:
    """Acts for the host. `dictionary` is the `Loop`'s."""

    def __init__(self, host: Host, dictionary: Callable[[], Dictionary] | None) -> None:
        self._host = host
        self._doubts = Doubts(dictionary)
        self._draft: str | None = None  # the letters that were to be kept last; None: not known
        self._lessons = Lessons(host)

    # --- edges and time ---

    @property
    def due(self) -> tuple[float | None, ...]:
        """When time alone does something: to the moment, or to the buttons that are held."""
        table = self._host.table
        return moves.due(table), controls.deadline(table.cursor, table.scene)

    def press(self, edge: Edge) -> None:
        """An edge that means what it says."""
        table = self._host.table
        self._act(*controls.press(table.cursor, edge, table.scene))

    def let_be(self) -> None:
        """Whatever is held means nothing any more."""
        self._act(let_be(self._host.table.cursor), None)

    def tick(self, now: float) -> None:
        """Time went by: a moment is over, or a button is still held."""
        due = moves.due(self._host.table)
        if due is not None and due <= now:
            self._host.table = moves.later(self._host.table, now)
            self._host.show()
        self.hold(now)

    def hold(self, now: float) -> None:
        """Whatever the buttons that are held have come to by `now`."""
        while True:
            cursor, held = self._host.table.cursor, self._host.table.scene
            due = controls.deadline(cursor, held)
            if due is None or due > now:
                return
            self._act(*controls.tick(cursor, now, held))

    def _act(self, cursor: Cursor, action: Action | None) -> None:
        """Carry out what a press came to, then show what has changed."""
        host = self._host
        turned = action is None and cursor.at != host.table.cursor.at
        host.table = before = host.table._replace(cursor=cursor)
        try:
            if action is not None:
                self._follow(moves.act(before, action, host.clock()))
        except Refused as refused:
            self._follow(moves.refused(host.table, refused.code))
        except JournalError as error:
            host.table = moves.unwritten(before)
            host.unwritten(error)
        except UnknownGame as error:
            self._restore(moves.unwritten(before))
            host.tell(Cue(error.code, error.facts))
        host.table = host.table.drafted()
        host.show()
        if turned and before.menus.page is not None and before.menus.page.page == "volume":
            host.voice.try_out(int(chosen(rules.ask(before.menus.page), cursor)))
        self._keep_draft()

    def _keep_draft(self) -> None:
        """The letters of a secret word are written down, as an answer is: after they are shown."""
        host, text = self._host, self._host.table.draft
        if host.running is None or text == self._draft:
            return
        self._draft, session = text, host.running
        try:
            keep(host.journal, session.number, session.snapshot, text, host.wall())
        except JournalError as error:
            host.unwritten(error)
            host.show()

    def carry_out(self, *effects: Effect) -> None:
        """Do what is wished for from outside, not by a thumb.

        What comes up by it is not meant by a press that is on its way. Raises Refused, JournalError
        or UnknownGame; then nothing has changed.
        """
        host = self._host
        before = host.table
        try:
            self._follow((before, effects))
            cursor = host.table.cursor._replace(shown=host.clock())
            if host.table.playing is not before.playing:
                host.table = host.table._replace(cursor=cursor)
        except CompanionError:
            self._restore(before)
            raise
        finally:
            host.show()
        self._keep_draft()

    def _restore(self, table: Table) -> None:
        """Something failed on the way: what is not written down has not happened."""
        self._host.table = table
        if self._host.running is not None:
            self._host.running.drop()

    # --- effects ---

    def _follow(self, step: moves.Step) -> None:
        """The table as it is then, and what it asks for. Raises Refused or JournalError."""
        self._host.table, effects = step
        for effect in effects:
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Show():
                self._host.show()
            case Tell(cue, whose):
                self._host.tell(cue, whose=whose)
            case Judge(word, whose):
                self._judge(word, whose)
            case Refuse(code):
                raise Refused(code)
            case Set() | Silence() | Admit() | Attend() | Forget() | Learn():
                self._keep(effect)
            case Sound() | Say() | Ask() | Again() | Practise():
                self._utter(effect)
            case Give() | Undo() | Redo() | Look() | Explain() | Commit() | Publish() | TellOn():
                self._play(effect)
            case Begin() | Resume() | Past() | Count() | About() | Leave() | OpenMenu():
                self._change(effect)
            case _:
                assert_never(effect)

    def _utter(self, effect: Heard) -> None:
        """Something for the ear."""
        host = self._host
        match effect:
            case Sound(name):
                host.voice.sound(name)
            case Say(cues, receipt):
                host.voice.say(cues, host.game_words, receipt)
            case Ask(prompt):
                words = host.game_words
                host.voice.ask(prompt, host.session.snapshot.view, words(prompt.who))
                host.voice.expect(lambda: foreseen(host.session, words, host.voice.rules))
            case Again():
                host.voice.again()
            case Practise(language, voice, lines):
                host.voice.practise(practice(language)[:lines], language, voice)
            case _:
                assert_never(effect)

    def _play(self, effect: Played) -> None:
        """Something with the running game."""
        session, now = self._host.session, self._host.wall()
        match effect:
            case Give(answer, question):
                self._answer(session, answer, question)
            case Undo():
                self._take(self._staged(session.undo(now).cues))
            case Redo():
                self._take(self._staged(session.redo(now).cues))
            case Look(player):
                session.look(player, now)
            case Explain(cues, asked, answer, whose):
                self._host.explain(cues, asked, answer, whose)
            case TellOn(cues):
                host = self._host
                self._follow(moves.told_on(host.table, self._staged(cues), host.clock()))
            case Commit():
                said = session.said  # a game that fails at it has nothing written yet
                self._host.callers.look()
                session.commit()
                self._host.follow()
                self._host.wonder()
                self._lessons.follow(session, said)
            case Publish():
                self._host.callers.publish()
            case _:
                assert_never(effect)

    def _answer(self, session: Session, answer: Answer, question: str | None) -> None:
        """An answer is taken; dice for which somebody has pressed are seen turning first."""
        roll = session.rolling if question in (None, THROW) else None
        faces = tuple(session.drawn()) if roll is not None and not roll.private else ()
        snapshot = session.answer(answer, self._host.wall(), question)
        while self._host.table.together and snapshot.prompt and snapshot.prompt.name == "mix":
            snapshot = session.answer(answer, self._host.wall())
        staged = self._staged(snapshot.cues)
        if roll is not None and faces:
            staged = thrown(staged, roll, faces, snapshot.prompt)
        self._take(staged)

    def _take(self, staged: Staged) -> None:
        """What was brought about."""
        host = self._host
        if host.table.menus.page is not None:
            host.table = host.table.refreshed(host.facts(host.session))
        self._follow(moves.taken(host.table, host.playing(), staged, host.clock()))

    def _staged(self, cues: Cues) -> Staged:
        host = self._host
        return staged(cues, host.game_words(), host.face, host.voice.rules, host.callers.phones)

    def _judge(self, word: str, whose: str | None) -> None:
        """A word that no list has is asked about, a name refused; a missing list is told once."""
        table = self._host.table
        match self._doubts.about(word, self._host.language(whose)):
            case Refuse(code):
                self._follow(moves.refused(table, code))
            case lists:
                self._follow(moves.judged(table, word, lists))
        self._tell_news()

    def unlisted(self, word: str, language: str) -> tuple[str, ...]:
        """The lists of a language that do not have a word. Raises Refused if it is a name."""
        found = self._doubts.about(word, language)
        self._tell_news()
        if isinstance(found, Refuse):
            raise Refused(found.code)
        return found

    def _tell_news(self) -> None:
        """Of a language that has no lists."""
        for cue in self._doubts.news():
            self._host.tell(cue)

    def _keep(self, effect: Kept) -> None:
        """How the box is set, and whose phones it knows."""
        host = self._host
        match effect:
            case Set(values):
                host.set(values)
            case Silence():
                self._silence()
            case Admit(player):
                host.callers.admit(player)
            case Attend(wish):
                host.callers.attend(wish)
            case Forget(player):
                host.callers.forget(player)
            case Learn():
                self._lessons.take(effect)
            case _:
                assert_never(effect)

    def _silence(self) -> None:
        """Silence, or an end to it; what still mutes the box is shown."""
        host = self._host
        host.set({"silent": not host.settings["silent"]})
        cue = Cue("sound", {"how": host.voice.rules.muted or "on"})
        host.note(cue, seconds=NOTE)
        host.show()
        host.voice.say([cue], host.words)

    # --- in and out of games ---

    def _change(self, effect: Changed) -> None:
        """Another game, or none."""
        host = self._host
        match effect:
            case Begin():
                self._begin(effect)
            case Resume(number):
                self._resume(number)
            case Past(number):
                from companion.box import past  # noqa: PLC0415 - nothing heavy before it is needed

                host.note(past.fact(host.journal, number, host.words()))
            case Count():
                host.count()
            case About(who):
                host.look_at(who)
            case Leave():
                host.leave()
            case OpenMenu(page):
                facts = host.facts(host.session)
                host.table = moves.opened(host.table, facts, page)
            case _:
                assert_never(effect)

    def _begin(self, wish: Begin) -> None:
        from companion.play import begin  # noqa: PLC0415 - nothing heavy before it is needed

        host, mistakes = self._host, 0
        game, players, options = wish.game, wish.players, wish.options
        try:
            setup = begin.setup(game, players, options, host.folder, host.taught)
        except begin.EditionError as error:
            mistakes = len(error.mistakes)
            setup = begin.setup(game, players, options, None)
        host.set({"names": rules.remembered(host.settings["names"], wish.players)})
        setup = setup._replace(mixing=not host.settings["trust"])
        host.table = host.table._replace(together=wish.again)
        self._enter(begin.Session.begin(host.journal, setup, host.wall()), new=True)
        if mistakes:
            host.tell(Cue("edition", {"game": wish.game, "n": mistakes}))

    def _resume(self, number: int) -> None:
        from companion.play.session import recorded  # noqa: PLC0415 - nothing heavy before it is needed

        session, changed = recorded(self._host.journal, number, self._host.wall())
        self._enter(session)
        if changed is not None:
            self._host.note(Cue("rules_changed", {"answer": changed.answer}))

    def _enter(self, session: Session, *, new: bool = False) -> None:
        host, self._draft = self._host, None
        self._lessons.begin(session)
        host.sit_down(session)
        draft = found(host.journal, session.number, session.snapshot)
        begins = self._staged(session.opening) if new else None
        self._follow(moves.entered(host.table, host.playing(), draft, host.clock(), begins))
