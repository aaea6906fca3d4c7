"""Hints for the active player, and announcements of the answers that computer players choose."""

from __future__ import annotations

from companion.box.events import HintReady
from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.errors import Refused
from companion.core.game import Cue
from companion.core.prompts import Answer, Prompt
from companion.play import player_knowledge
from companion.table import hints


class Advice:
    """The service that searches for a hint, and puts the cursor on the recommended answer."""

    def __init__(self, basics: Basics, turn: Turn) -> None:
        self._stands, self._turn, self._inbox = basics.stands, turn, basics.inbox
        self._advising, self._settings = basics.machine.advising, basics.settings
        self._hinted: tuple[Prompt, Answer] | None = None

    def start_hint_search(self) -> None:
        """Start the search for a hint for the active player.

        Raise Refused if the box gives no hint for the pending question.
        """
        running = self._stands.running_session
        knowledge = None if running is None else player_knowledge.active_player_knowledge(running)
        if knowledge is None or self._advising is None or not self._settings["hints"]:
            raise Refused("no_hint")
        self._advising(knowledge, self._inbox.put)

    def put_cursor_on_hint(self, event: HintReady) -> None:
        """If the question of a hint is still pending, put the cursor on the recommended answer.

        Announce the hint. For a secret question, move the cursor later, when the player opens it.
        """
        running = self._stands.running_session
        if running is None or running.number != event.number:
            return
        prompt = player_knowledge.hintable_question(running.standing)
        if prompt is None or running.standing.snapshot.position != event.position:
            return
        table = hints.table_with_cursor_on_hint(self._stands.table, prompt, event.answer)
        if table is not None:
            self._hinted = prompt, event.answer
            with self._turn.change():
                if not prompt.private:
                    self._turn.replace_table(table)
                asked = {"who": prompt.who, "question": prompt.name, "value": event.answer}
                facts = {} if prompt.private else {**prompt.facts, **asked}
                self._turn.announce_facts(Cue("hint", facts), whose=prompt.who)

    def put_cursor_on_hinted_secret_answer(self) -> None:
        """Put the cursor on the answer that a hint recommends for a secret question.

        Call this method when the player opens the secret question.
        """
        if self._hinted is not None:
            table = self._stands.table
            self._turn.replace_table(hints.table_with_cursor_on_hint(table, *self._hinted) or table)
            self._turn.run_effects_after_commit(self._forget_hint)

    def _forget_hint(self) -> None:
        self._hinted = None

    def announce_computer_choice(self, answer: Answer) -> None:
        """Announce the answer that a computer player chooses, and put the cursor on this answer."""
        prompt, table = (
            self._stands.session.standing.pending_prompt,
            self._stands.table,
        )
        assert prompt is not None  # noqa: S101 - a computer player chooses only for a question
        asked = {"who": prompt.who, "question": prompt.name, "value": answer}
        with self._turn.change():
            self._turn.replace_table(
                hints.table_with_cursor_on_hint(table, prompt, answer) or table
            )
            self._turn.announce_facts(Cue("wish", {**prompt.facts, **asked}))
