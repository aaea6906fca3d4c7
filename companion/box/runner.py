"""What a press does: the table changes, and what it asks for is carried out, in its order.

OK is let go, and an answer goes this way; all else is only looked up beside it:

    Loop.handle           an edge comes from the inbox
    Guard.lets            nothing stands between it and the game
    Runner.press
    controls.press        with the time that it was held it is an action: an answer
    Runner._act
    Turn.change           all that follows is one change, which this function puts in order
    moves.act             on this table that is an answer to the question of the game
    services.run          the commands are told apart by their types
    Answers.give
    Session.answer        the rules fold it: another state, facts, another question
    Answers._take         what it has brought about
    moves.after_answer    lies on the table; the change asks for no more, and so
    Screen.show           the table is shown
    frames.frame
    Session.commit        and written down: now it can no longer be lost,
    Voice.say             so it is heard,
    Voice.ask             and so is the next question;
    Nobody.publish        and whoever is connected is told, if anybody is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.box.services import follow
from companion.core.errors import Refused, UnknownGame
from companion.core.game import Cue
from companion.menus import pages
from companion.press import controls
from companion.press.cursor import current_answer, let_be
from companion.record.journal import JournalError
from companion.table import moves

if TYPE_CHECKING:
    from companion.box.services import Services
    from companion.menus import commands
    from companion.press import actions
    from companion.press.cursor import Cursor
    from companion.table.table import Table
    from hardware.ports import Edge


class Runner:
    """Turns presses, time and the commands of phones into changes of the box."""

    def __init__(self, services: Services) -> None:
        self._box, self._turn, self._stands = services, services.turn, services.stands

    # --- edges and time ---

    @property
    def due(self) -> tuple[float | None, ...]:
        """When time alone does something: to the moment, or to the buttons that are held."""
        table = self._stands.table
        return moves.due(table), controls.deadline(table.cursor, table.scene)

    def press(self, edge: Edge) -> None:
        """Take an edge that the guard has let through; a retained level is no press."""
        table = self._stands.table
        self._act(*controls.press(table.cursor, edge, table.scene))
        if edge.retained:
            self.let_be()

    def let_be(self) -> None:
        """Have the buttons that are held mean nothing any more."""
        self._act(let_be(self._stands.table.cursor), None)

    def tick(self, now: float) -> None:
        """Do what is due at `now` (s): a moment is over, or a button is still held."""
        due = moves.due(self._stands.table)
        if due is not None and due <= now:
            with self._turn.change():
                self._turn.put(moves.later(self._stands.table, now))
        self.hold(now)

    def hold(self, now: float) -> None:
        """Carry out what holding buttons has come to by `now` (s)."""
        while True:
            cursor, held = self._stands.table.cursor, self._stands.table.scene
            due = controls.deadline(cursor, held)
            if due is None or due > now:
                return
            fresh = let_be(cursor, before=self._box.guard.began)
            if fresh != cursor:  # a hold needs an edge from after the start
                self._act(fresh, None)
                continue
            self._act(*controls.tick(cursor, now, held))

    def act(self, action: actions.Action) -> None:
        """Carry out a gesture of both hands."""
        self._act(self._stands.table.cursor, action)

    def _act(self, cursor: Cursor, action: actions.Action | None) -> None:
        """Carry out what a press came to, as one change."""
        before = self._stands.table._replace(cursor=cursor)
        try:
            with self._turn.change():
                turned = action is None and cursor.at != self._stands.table.cursor.at
                self._turn.put(before)
                if action is not None:
                    self._obey(before, action)
                self._turn.put(self._stands.table.save_draft())
                if turned and before.menus.page is not None and before.menus.page.page == "volume":
                    volume = int(current_answer(pages.ask(before.menus.page), cursor))
                    self._turn.at_last(partial(self._box.voice.try_out, volume))
        except JournalError as error:
            self._leave(before, self._turn.refusal(error.code))
        except UnknownGame as error:
            self._leave(before, Cue(error.code, error.facts))
        self._box.games.keep_draft()

    def _obey(self, table: Table, action: actions.Action) -> None:
        """Carry out an action; what the rules refuse is told, and the table stays as it is."""
        try:
            follow(self._box, moves.act(table, action, self._box.clock()))
        except Refused as refused:
            follow(self._box, moves.show_refusal(self._stands.table, refused.code))

    def _leave(self, before: Table, why: Cue) -> None:
        """Tell why a press has done nothing, and let it be pressed again."""
        with self._turn.change():
            self._turn.put(moves.unwritten(before).save_draft())
            self._turn.tell(why)

    def carry_out(self, *asked: commands.Command) -> None:
        """Carry out commands of a phone or a program.

        What comes up by it is not meant by a press that is on its way. Raises Refused, JournalError
        or UnknownGame; then nothing has changed.
        """
        with self._turn.change():
            before = self._stands.table
            follow(self._box, (before, asked))
            if self._stands.table.playing is not before.playing:
                cursor = self._stands.table.cursor._replace(shown=self._box.clock())
                self._turn.put(self._stands.table._replace(cursor=cursor))
        self._box.games.keep_draft()
