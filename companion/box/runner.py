"""The application of presses, elapsed time and commands to the box.

A press changes the table and returns commands. When a player releases OK, these functions pass the
answer on in this order:

- `Loop.handle_event` receives the button edge from the inbox.
- `ButtonGuard.is_edge_allowed` stops presses while the box is locked or dark.
- `Runner.handle_button_edge` calls `controls.cursor_and_action_after_edge`, which turns the edge
  into an action.
- `Runner._act` opens a change with `Turn.change`, which contains all following steps.
- `moves.apply_action` turns the action into the command that answers the game's question.
- `services.run_command` selects the service by the command's type, and calls `Answers.give_answer`.
- `Session.answer` applies the rules, and returns the next state, the events and the next question.
- `Answers._take` calls `moves.table_after_answer`, which adds the events to the table.
- `Screen.show_frame` draws the table with `frames.table_frame`, and shows the frame, unless another
  event waits in the inbox.
- `Session.commit` writes the answer to the record.
- `Screen.show_frame` shows the frame again if the frame has changed since the first call.
- `Voice.announce_facts` speaks the events, and then `Voice.speak_question` speaks the next
  question.
- `Connections.publish_game_state` sends the new state to the connections that watch the game.
"""

from __future__ import annotations

from functools import partial

from companion.box.services import Services, apply_table_change
from companion.core.errors import Refused, UnknownGame
from companion.core.game import Cue
from companion.menus import commands, menu_stack
from companion.press import actions, controls
from companion.press.cursor import Cursor, cursor_ignoring_older_presses, selected_answer
from companion.record.journal import JournalError
from companion.table import moves
from companion.table.table import Table
from hardware.ports import Edge


class Runner:
    """The service that applies presses, elapsed time, and commands of phones and programs."""

    def __init__(self, services: Services) -> None:
        self._box, self._turn, self._stands = services, services.turn, services.stands

    # --- edges and time ---

    @property
    def overlay_and_hold_due_times(self) -> tuple[float | None, ...]:
        """Return two times (s): when the front overlay changes, and when a held button acts."""
        table = self._stands.table
        return moves.overlay_change_due_at(table), controls.next_due_action_time(
            table.cursor, table.press_context
        )

    def handle_button_edge(self, edge: Edge) -> None:
        """Handle a button edge that the button guard has allowed.

        If an edge only reports that a button is already down, ignore the button until the player
        releases the button.
        """
        table = self._stands.table
        self._act(*controls.cursor_and_action_after_edge(table.cursor, edge, table.press_context))
        if edge.retained:
            self.ignore_held_buttons()

    def ignore_held_buttons(self) -> None:
        """Ignore each held button until the player releases the button."""
        self._act(cursor_ignoring_older_presses(self._stands.table.cursor), None)

    def tick(self, now: float) -> None:
        """Do the work that is due at `now` (s).

        Close or change the front overlay. Execute the functions of held buttons.
        """
        due = moves.overlay_change_due_at(self._stands.table)
        if due is not None and due <= now:
            with self._turn.change():
                self._turn.replace_table(moves.table_after_overlay_change(self._stands.table, now))
        self.execute_due_button_holds(now)

    def execute_due_button_holds(self, now: float) -> None:
        """Execute each held button's function that is due at the time `now` (s)."""
        while True:
            cursor, held = self._stands.table.cursor, self._stands.table.press_context
            due = controls.next_due_action_time(cursor, held)
            if due is None or due > now:
                return
            fresh = cursor_ignoring_older_presses(cursor, before=self._box.guard.began)
            if fresh != cursor:  # the held button was pressed before `began`: ignore the button
                self._act(fresh, None)
                continue
            self._act(*controls.process_due_action(cursor, now, held))

    def execute_two_button_action(self, action: actions.Action) -> None:
        """Execute the action of a gesture: a tap of a button while the player holds BACK."""
        self._act(self._stands.table.cursor, action)

    def _act(self, cursor: Cursor, action: actions.Action | None) -> None:
        before = self._stands.table._replace(cursor=cursor)
        try:
            with self._turn.change():
                turned = action is None and cursor.at != self._stands.table.cursor.at
                self._turn.replace_table(before)
                if action is not None:
                    self._obey(before, action)
                self._turn.replace_table(self._stands.table.with_spelt_secret_as_draft())
                if (
                    turned
                    and before.menus.current_page is not None
                    and before.menus.current_page.page == "volume"
                ):
                    volume = int(
                        selected_answer(menu_stack.page_question(before.menus.current_page), cursor)
                    )
                    self._turn.run_effect_at_end(
                        partial(self._box.voice.play_volume_sample, volume)
                    )
        except JournalError as error:
            self._leave(before, self._turn.failed_write_fact(error.code))
        except UnknownGame as error:
            self._leave(before, Cue(error.code, error.faulty_package))
        self._box.games.save_secret_word_draft()

    def _obey(self, table: Table, action: actions.Action) -> None:
        """Execute an action. If a command is refused, keep only the action's effect on the table.

        For example, a refused line of a menu closes the menu.
        """
        moved, asked = moves.apply_action(table, action, self._box.clock())
        try:
            apply_table_change(self._box, (moved, asked))
        except Refused as refused:
            refusal = moves.unchanged_table_and_refusal_command(moved, refused.code)
            apply_table_change(self._box, refusal)

    def _leave(self, before: Table, why: Cue) -> None:
        with self._turn.change():
            self._turn.replace_table(
                moves.table_before_failed_commit(before).with_spelt_secret_as_draft()
            )
            self._turn.announce_facts(why)

    def execute_commands(self, *asked: commands.Command) -> None:
        """Execute commands of a phone or a program.

        A press that began before these commands cannot answer the new question. Raise Refused,
        JournalError or UnknownGame if a command fails. The table and the game are then unchanged.
        """
        with self._turn.change():
            before = self._stands.table
            apply_table_change(self._box, (before, asked))
            if self._stands.table.playing is not before.playing:
                cursor = self._stands.table.cursor._replace(shown=self._box.clock())
                self._turn.replace_table(self._stands.table._replace(cursor=cursor))
        self._box.games.save_secret_word_draft()
