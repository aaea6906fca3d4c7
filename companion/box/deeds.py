"""What a press does: the table changes, and what it asks for is carried out, in its order.

The frame leaves first, the record is written next, and only then the sound is heard: what the
table has heard can no longer be lost. That order is `moves`'; what it comes to is found out here,
and handed back to the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.box import moves
from companion.box.doubts import Doubts
from companion.box.effects import Ask, Commit, Explain, Judge, OpenMenu, Say, Show, Tell
from companion.box.foresight import foreseen
from companion.box.menus import rules
from companion.box.menus.wishes import Begin, Leave, Past, Practise, Redo, Resume, Set
from companion.box.menus.words import practice
from companion.box.moments import NOTE
from companion.box.scenes import scene
from companion.box.staging import staged
from companion.core.errors import Refused, UnknownGame
from companion.core.game import Cue
from companion.hear.policy import Sound
from companion.press import controls
from companion.press.actions import Again, Give, Look, Refuse, Silence, Undo
from companion.press.cursor import chosen, let_be
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.box.effects import Changed, Effect, Heard, Played
    from companion.box.host import Host
    from companion.core.prompts import Spell
    from companion.core.snapshot import Snapshot
    from companion.play.session import Session
    from companion.press.actions import Action
    from companion.press.cursor import Cursor
    from companion.say.dictionary import Dictionary
    from hardware import Edge


class Deeds:
    """Acts for the host. `folder` and `dictionary` are the `Loop`'s."""

    def __init__(
        self, host: Host, folder: Path | None, dictionary: Callable[[], Dictionary] | None
    ) -> None:
        self._host, self._folder = host, folder
        self._doubts = Doubts(dictionary)

    # --- edges and time ---

    @property
    def due(self) -> tuple[float | None, ...]:
        """When time alone does something: to the moment, or to the buttons that are held."""
        table = self._host.table
        return moves.due(table), controls.deadline(table.cursor, scene(table))

    def press(self, edge: Edge) -> None:
        """An edge that means what it says."""
        table = self._host.table
        self._act(*controls.press(table.cursor, edge, scene(table)))

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
            cursor, held = self._host.table.cursor, scene(self._host.table)
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
            host.table = moves.unwritten(before)
            host.tell(Cue(error.code, error.facts))
        host.show()
        if turned and before.menus.page is not None and before.menus.page.page == "volume":
            host.voice.try_out(int(chosen(rules.ask(before.menus.page), cursor)))

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
                self._host.tell(cue, whose)
            case Judge(prompt, word):
                self._judge(prompt, word)
            case Refuse(code):
                raise Refused(code)
            case Set(values):
                self._host.set(values)
            case Silence():
                self._silence()
            case Sound() | Say() | Ask() | Again() | Practise():
                self._utter(effect)
            case Give() | Undo() | Redo() | Look() | Explain() | Commit():
                self._play(effect)
            case Begin() | Resume() | Past() | Leave() | OpenMenu():
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
                host.voice.say(cues, host.words, receipt)
            case Ask(prompt):
                host.voice.ask(prompt, host.session.snapshot.view, host.words(prompt.who))
                host.voice.expect(lambda: foreseen(host.session, host.words, host.voice.rules))
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
                self._take(session.answer(answer, now, question))
            case Undo():
                self._take(session.undo(now))
            case Redo():
                self._take(session.redo(now))
            case Look(player):
                session.look(player, now)
            case Explain(cue):
                self._host.tell(session.why(cue))
            case Commit():
                session.commit()
                self._host.follow()
            case _:
                assert_never(effect)

    def _take(self, snapshot: Snapshot) -> None:
        """What an answer brought about."""
        host = self._host
        moments, curtain = staged(snapshot.cues, host.words(), host.face)
        self._follow(moves.taken(host.table, host.playing(), moments, curtain, host.clock()))

    def _judge(self, prompt: Spell, word: str) -> None:
        """A word that no list has is asked about; that there is no list is told once."""
        doubt = self._doubts.about(prompt, word, self._host.settings["language"])
        self._follow(moves.judged(self._host.table, word, doubt))
        for cue in self._doubts.news():
            self._host.tell(cue)

    def _silence(self) -> None:
        """Silence, or an end to it; what still mutes the box is shown."""
        host = self._host
        host.set({"silent": not host.settings["silent"]})
        cue = Cue("sound", {"how": host.voice.rules.muted or "on"})
        host.note(cue, NOTE)
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
            case Leave():
                host.go_home()
            case OpenMenu():
                facts = host.facts(host.session)
                host.table = moves.opened(host.table, facts)
            case _:
                assert_never(effect)

    def _begin(self, wish: Begin) -> None:
        from companion.play import begin  # noqa: PLC0415 - nothing heavy before it is needed

        host, mistakes = self._host, 0
        try:
            setup = begin.setup(*wish, self._folder)
        except begin.EditionError as error:
            mistakes = len(error.mistakes)
            setup = begin.setup(*wish, None)
        host.set({"names": rules.remembered(host.settings["names"], wish.players)})
        setup = setup._replace(mixing=not host.settings["trust"])
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
        self._host.sit_down(session)
        self._follow(moves.entered(self._host.table, self._host.playing(), new=new))
