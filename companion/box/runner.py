"""What a press does: the table changes, and what it asks for is carried out, in its order.

OK is let go, and an answer goes this way; all else is only looked up beside it:

    Loop.handle           an edge comes from the inbox
    Guard.lets            nothing stands between it and the game
    Runner.press
    controls.press        with the time that it was held it is an action: an answer
    Runner._act
    Turn.change           all that follows is one change, which this function puts in order
    moves.act             on this table that is an answer to the question of the game
    Runner._run           by its type, the commands are told apart
    Runner._give
    Session.answer        the rules fold it: another state, facts, another question
    Runner._take          what it has brought about
    moves.taken           lies on the table; the change asks for no more, and so
    Screen.show           the table is shown
    frames.frame
    Session.commit        and written down: now it can no longer be lost,
    Voice.say             so it is heard,
    Voice.ask             and so is the next question;
    Nobody.publish        and whoever is connected is told, if anybody is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from companion.box.board_teaching import BoardTeaching
from companion.box.confirmations import Confirmations
from companion.box.drafts import found, keep
from companion.box.prefetch import foreseen
from companion.core.errors import Refused, UnknownGame
from companion.core.game import Cue
from companion.core.prompts import THROW
from companion.menus import commands, new_game, pages
from companion.menus.words import practice
from companion.play import begin
from companion.play.begin import program
from companion.play.session import recorded
from companion.press import controls
from companion.press.cursor import chosen, let_be
from companion.record.journal import JournalError
from companion.table import moves
from companion.table.overlays import NOTE, staged, thrown

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.box.host import Host
    from companion.core.game import Cues
    from companion.core.prompts import Answer
    from companion.play.session import Session
    from companion.press import actions
    from companion.press.cursor import Cursor
    from companion.say.dictionary import Dictionary
    from companion.table.overlays import Staged
    from companion.table.table import Table
    from hardware.ports import Edge


class Runner:
    """Acts for the host. `dictionary` is the `Loop`'s."""

    def __init__(self, host: Host, dictionary: Callable[[], Dictionary] | None) -> None:
        self._host = host
        self._confirmations = Confirmations(dictionary)
        self._draft: str | None = None  # the letters that were to be kept last; None: not known
        self._teaching = teaching = BoardTeaching(host)
        self._turn = host.turn
        self._turn.watchers.append(lambda session: partial(teaching.follow, session, session.said))

    # --- edges and time ---

    @property
    def due(self) -> tuple[float | None, ...]:
        """When time alone does something: to the moment, or to the buttons that are held."""
        table = self._host.table
        return moves.due(table), controls.deadline(table.cursor, table.scene)

    def press(self, edge: Edge) -> None:
        """Take an edge that the guard has let through; a retained level is no press."""
        table = self._host.table
        self._act(*controls.press(table.cursor, edge, table.scene))
        if edge.retained:
            self.let_be()

    def let_be(self) -> None:
        """Have the buttons that are held mean nothing any more."""
        self._act(let_be(self._host.table.cursor), None)

    def tick(self, now: float) -> None:
        """Do what is due at `now` (s): a moment is over, or a button is still held."""
        due = moves.due(self._host.table)
        if due is not None and due <= now:
            with self._turn.change():
                self._turn.put(moves.later(self._host.table, now))
        self.hold(now)

    def hold(self, now: float) -> None:
        """Carry out what holding buttons has come to by `now` (s)."""
        while True:
            cursor, held = self._host.table.cursor, self._host.table.scene
            due = controls.deadline(cursor, held)
            if due is None or due > now:
                return
            fresh = let_be(cursor, before=self._host.guard.began)
            if fresh != cursor:  # a hold needs an edge from after the start
                self._act(fresh, None)
                continue
            self._act(*controls.tick(cursor, now, held))

    def _act(self, cursor: Cursor, action: actions.Action | None) -> None:
        """Carry out what a press came to, as one change."""
        host, before = self._host, self._host.table._replace(cursor=cursor)
        try:
            with self._turn.change():
                turned = action is None and cursor.at != host.table.cursor.at
                self._turn.put(before)
                if action is not None:
                    self._obey(before, action)
                self._turn.put(host.table.drafted())
                if turned and before.menus.page is not None and before.menus.page.page == "volume":
                    volume = int(chosen(pages.ask(before.menus.page), cursor))
                    self._turn.at_last(partial(host.voice.try_out, volume))
        except JournalError as error:
            self._leave(before, self._turn.refusal(error.code))
        except UnknownGame as error:
            self._leave(before, Cue(error.code, error.facts))
        self._keep_draft()

    def _obey(self, table: Table, action: actions.Action) -> None:
        """Carry out an action; what the rules refuse is told, and the table stays as it is."""
        try:
            self._follow(moves.act(table, action, self._host.clock()))
        except Refused as refused:
            self._follow(moves.refused(self._host.table, refused.code))

    def _leave(self, before: Table, why: Cue) -> None:
        """Tell why a press has done nothing, and let it be pressed again."""
        with self._turn.change():
            self._turn.put(moves.unwritten(before).drafted())
            self._turn.tell(why)

    def _keep_draft(self) -> None:
        """The letters of a secret word are written down, as an answer is: after they are shown."""
        host, text = self._host, self._host.table.draft
        if host.running is None or text == self._draft:
            return
        self._draft, session = text, host.running
        try:
            keep(host.journal, session.number, session.snapshot, text, host.wall())
        except JournalError as error:
            host.turn.unwritten(error)

    def carry_out(self, *asked: commands.Command) -> None:
        """Carry out commands of a phone or a program.

        What comes up by it is not meant by a press that is on its way. Raises Refused, JournalError
        or UnknownGame; then nothing has changed.
        """
        host = self._host
        with self._turn.change():
            before = host.table
            self._follow((before, asked))
            if host.table.playing is not before.playing:
                cursor = host.table.cursor._replace(shown=host.clock())
                self._turn.put(host.table._replace(cursor=cursor))
        self._keep_draft()

    # --- commands ---

    def _follow(self, step: moves.Step) -> None:
        """The table as it is then, and what it asks for. Raises Refused or JournalError."""
        table, asked = step
        self._turn.put(table)
        for command in asked:
            self._run(command)

    def _run(self, command: commands.Command) -> None:  # noqa: C901, PLR0912 - a case a command
        """Carry out one command. Raises Refused, JournalError or UnknownGame."""
        host = self._host
        match command:
            case commands.Give():
                self._give(command)
            case commands.PlaySound(name):
                self._turn.then(partial(host.voice.sound, name))
            case commands.Say():
                self._say(command)
            case commands.Tell(cue, whose):
                host.turn.tell(cue, whose=whose)
            case commands.TellOn(cues):
                self._tell_on(cues)
            case commands.Look(player):
                self._look(player)
            case commands.Undo():
                self._undo()
            case commands.Redo():
                self._redo()
            case commands.Judge():
                self._judge(command)
            case commands.Explain(cues, question, answer, whose):
                host.explain(cues, question, answer, whose)
            case commands.Advise():
                host.advise()
            case commands.Sit(player, level):
                self._sit(player, level)
            case commands.Refuse(code):
                raise Refused(code)
            case _:
                self._run_beside(command)

    def _run_beside(self, command: commands.Beside) -> None:  # noqa: C901, PLR0912 - likewise
        """Carry out a command that is no move of the running game."""
        host = self._host
        match command:
            case commands.OpenMenu(page, who):
                self._open_menu(page, who)
            case commands.LeaveGame():
                host.leave()
            case commands.Begin():
                self._begin(command)
            case commands.Resume(number):
                self._resume(number)
            case commands.Past(number):
                host.look_back(number)
            case commands.CountGames():
                host.count()
            case commands.About(who):
                host.look_at(who)
            case commands.Again():
                self._turn.then(host.voice.again)
            case commands.Silence():
                self._silence()
            case commands.Practise(language, voice, lines):
                said = practice(language)[:lines]
                self._turn.then(partial(host.voice.practise, said, language, voice))
            case commands.Set(values):
                host.turn.set(values)
            case commands.Learn():
                self._teaching.take(command)
            case commands.Examine():
                host.examine()
            case commands.Restart():
                host.callers.restart()
            case commands.Admit(player):
                host.callers.admit(player)
            case commands.Attend(wish):
                host.callers.attend(wish)
            case _:
                assert_never(command)

    # --- what is shown, and what is heard ---

    def _say(self, command: commands.Say) -> None:
        self._turn.then(partial(self._speak, command))

    def _speak(self, command: commands.Say) -> None:
        host, words, asks = self._host, self._host.wording.game, command.asks
        host.voice.say(command.cues, words, command.receipt)
        if asks is not None:
            phones, theirs = host.table.phones, words(asks.who)
            there = host.table.phoned(asks)
            asks = asks._replace(who=", ".join(there)) if there else asks
            host.voice.ask(asks, host.session.snapshot.view, theirs, phone=bool(there))
            host.voice.expect(lambda: foreseen(host.session, words, host.rules_after(), phones))

    # --- the running game ---

    def _undo(self) -> None:
        self._take(self._staged(self._host.session.undo(self._host.wall()).cues))

    def _redo(self) -> None:
        self._take(self._staged(self._host.session.redo(self._host.wall()).cues))

    def _look(self, player: str) -> None:
        self._host.session.look(player, self._host.wall())
        self._turn.moves(seen_first=False)
        self._host.point()

    def _tell_on(self, cues: Cues) -> None:
        host = self._host
        table, heard = moves.told_on(host.table, self._staged(cues), host.clock())
        self._turn.put(table)
        self._say(heard)

    def _sit(self, player: str, level: str | None) -> None:
        """The box plays a seat on, or a person does: from now on, and in the record."""
        host = self._host
        if level is not None and not host.session.takes_stand_in:
            raise Refused("not_offered")
        how = None if level is None else program(level)
        host.session.play(player, how, host.wall())
        self._take(self._staged(()))
        host.turn.tell(Cue("box_sits" if how else "person_sits", {"who": player}))

    def _give(self, command: commands.Give) -> None:
        """Give an answer to the game; dice that were thrown by a press are seen turning first."""
        session, question = self._host.session, command.question
        roll = session.rolling if question in (None, THROW) else None
        faces = tuple(session.drawn()) if roll is not None and not roll.private else ()
        told = _told_of_program(session, question, command.answer)
        mixes = self._host.table.together and moves.is_mixing(session.snapshot)
        snapshot = session.answer(command.answer, self._host.wall(), question)
        while mixes and moves.is_mixing(snapshot):
            snapshot = session.answer(command.answer, self._host.wall())
        staged = self._staged((*told, *snapshot.cues))
        if roll is not None and faces:
            staged = thrown(staged, roll, faces, snapshot.prompt)
        self._take(staged)

    def _take(self, staged: Staged) -> None:
        """What was brought about is shown, written down, heard, and told at the door."""
        host = self._host
        if host.table.menus.page is not None:  # a phone has answered: the menu stays as it is
            self._turn.put(host.table.refreshed(host.facts(host.session)))
        table, heard = moves.taken(host.table, host.playing(), staged, host.clock())
        self._turn.put(table)
        self._turn.moves(seen_first=table.menus.page is None)
        self._say(heard)
        self._turn.tells()

    def _staged(self, cues: Cues) -> Staged:
        host = self._host
        alone = host.callers.phones | host.session.programs.keys()
        return staged(cues, host.wording.game(), host.face, host.voice.rules, alone)

    def _judge(self, command: commands.Judge) -> None:
        """A word that no list has is asked about, a name refused; a missing list is told once."""
        table, word = self._host.table, command.word
        match self._confirmations.about(word, self._host.wording.language(command.whose)):
            case commands.Refuse(code):
                self._follow(moves.refused(table, code))
            case lists:
                self._follow(moves.judged(table, word, lists))
        self._tell_news()

    def unlisted(self, word: str, language: str) -> tuple[str, ...]:
        """The lists of a language that do not have a word. Raises Refused if it is a name."""
        found = self._confirmations.about(word, language)
        self._tell_news()
        if isinstance(found, commands.Refuse):
            raise Refused(found.code)
        return found

    def _tell_news(self) -> None:
        """Of a language that has no lists."""
        for cue in self._confirmations.news():
            self._host.turn.tell(cue)

    # --- how the box is set, and what it knows ---

    def _silence(self) -> None:
        """Silence, or an end to it; what still mutes the box is shown."""
        host = self._host
        host.turn.set({"silent": not host.settings["silent"]})
        cue = Cue("sound", {"how": host.voice.muted or "on"})
        host.turn.note(cue, seconds=NOTE)
        self._turn.then(partial(host.voice.say, [cue], host.wording.front))

    # --- in and out of games ---

    def _open_menu(self, page: str, who: str = "") -> None:
        host = self._host
        facts = host.facts(host.session)
        self._turn.put(moves.opened(host.table, facts, page, who))

    def _begin(self, command: commands.Begin) -> None:
        host, mistakes = self._host, 0
        game, players, options = command.game, command.players, command.options
        try:
            setup = begin.setup(game, players, options, host.folder, host.taught, command.programs)
        except begin.EditionError as error:
            mistakes = len(error.mistakes)
            setup = begin.setup(game, players, options, None, programs=command.programs)
        host.turn.set({"names": new_game.remembered(host.settings["names"], setup.people)})
        setup = setup._replace(mixing=not host.settings["trust"])
        self._turn.put(host.table._replace(together=command.again))
        self._enter(begin.Session.begin(host.journal, setup, host.wall()), new=True)
        if mistakes:
            host.turn.tell(Cue("edition", {"game": command.game, "n": mistakes}))

    def _resume(self, number: int) -> None:
        session, changed = recorded(self._host.journal, number, self._host.wall())
        self._enter(session)
        if changed is not None:
            self._host.turn.note(Cue("rules_changed", {"answer": changed.answer}))

    def _enter(self, session: Session, *, new: bool = False) -> None:
        host, self._draft = self._host, None
        self._teaching.begin(session)
        host.sit_down(session)
        draft = found(host.journal, session.number, session.snapshot)
        begins = self._staged(session.opening) if new else None
        table, heard = moves.entered(host.table, host.playing(), draft, host.clock(), begins)
        self._turn.put(table)
        self._say(heard)
        self._turn.tells()
        if session.programs and host.callers.known is None:
            self._open_menu("seats")
            host.turn.tell(Cue("program_shut", {"who": next(iter(session.programs))}))


def _told_of_program(session: Session, question: str | None, value: Answer) -> Cues:
    """What a program answers, as a fact to show and to say; nothing of people's answers.

    A roll is seen by itself. Of what stays secret nothing is told but that it was answered.
    """
    prompt = session.prompt
    if prompt is None or session.thinks is None or question not in (None, prompt.name):
        return ()
    if prompt.name == THROW:
        return ()
    given = session.public(prompt, value)
    if given is None:
        return (Cue("program_kept", {"who": prompt.who}),)
    view = session.snapshot.view
    plain = {name: fact for name, fact in view.items() if isinstance(fact, (str, int))}
    asked = {"who": prompt.who, "question": prompt.name, "value": given}
    return (Cue("program", {**plain, **prompt.facts, **asked}),)
