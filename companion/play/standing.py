"""The position in a game after some answers, and all values that follow from this position.

A `Standing` is an immutable value that consists of a setup and an answer history. A session stores
earlier `Standing` values, so that the session can return to an earlier position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from companion.core.errors import CompanionError, Refused
from companion.core.fold import apply_answer, simultaneous_prompts
from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.core.prompts import (
    AGREE_UNDO_QUESTION,
    LEAVING_PLAYER_QUESTION,
    PRESSED_ROLL_QUESTION,
    Answer,
    Choose,
    Form,
    Number,
    Prompt,
    Question,
    Roll,
    Shuffle,
    action_prompt,
    first_prompt_of_form,
    is_answered_by_box,
    is_rolled_by_press,
    legal_answers,
)
from companion.core.snapshot import Snapshot
from companion.play.answer_history import (
    AnswerHistory,
    AnswerStep,
    ComputerPlayerProgram,
    GameSetup,
)
from companion.record.entry import Entry

UNDO_AGREEMENT: Final = Choose(AGREE_UNDO_QUESTION, None, ("yes", "no"), weights=(1, 2))
"""Question to all players whether to undo an answer, although the answer revealed a secret."""
MIX_QUESTION: Final = "mix"
"""Name of the question that asks a player to press OK.

The time of the press is mixed into the chance, so that the box cannot choose rolls and shuffles.
"""
MAX_PRESS_TIME_IN_CHANCE: Final = (1 << 32) - 1
"""Highest number that a press mixes into the chance: 32 bits of the press's time (ns)."""


class Standing:
    """A game's position after some answers.

    Properties that every display needs are computed once and then cached.
    """

    def __init__(self, setup: GameSetup, history: AnswerHistory) -> None:
        self.setup, self.history = setup, history

    def with_answer_history(self, history: AnswerHistory) -> Standing:
        """Return the game position with another answer history."""
        standing = Standing(self.setup, history)
        if history.last.state is self.history.last.state and "question_of_rules" in vars(self):
            standing.question_of_rules = self.question_of_rules
        return standing

    # --- questions ---

    @cached_property
    def question_of_rules(self) -> Question | None:
        """Return the question that the rules ask after the last answer; None after the end."""
        return self.setup.game.ask(self.history.last.state)

    @cached_property
    def pending_question(self) -> Question | None:
        """Return the pending question; None after the end of the game.

        The question is usually a question of the rules. Before a roll or shuffle by the box, the
        question can request a press. Before an undo, the question can request the players'
        agreement.
        """
        if self.history.is_undo_question_pending:
            return UNDO_AGREEMENT
        prompt = self.question_of_rules
        if is_answered_by_box(prompt) and self.chance_needs_press_time:
            return Number(
                MIX_QUESTION,
                self.setup.human_players[len(self.history.presses)],
                0,
                MAX_PRESS_TIME_IN_CHANCE,
                0,
            )
        if is_rolled_by_press(prompt):
            return action_prompt(
                PRESSED_ROLL_QUESTION, prompt.who, facts={"roll": prompt.name}, look=prompt.look
            )
        return prompt

    @cached_property
    def pending_prompt(self) -> Prompt | None:
        """Return the pending prompt; if the question is a form, return the form's first prompt."""
        return first_prompt_of_form(self.pending_question)

    @property
    def chance_needs_press_time(self) -> bool:
        """Return True while the chance still needs the time of a person's press."""
        return self.setup.mixing and len(self.history.presses) < len(self.setup.human_players)

    @property
    def out_of_turn_questions(self) -> tuple[Question, ...]:
        """Return the questions that a player can answer out of turn now."""
        if self._waits:
            return ()
        return self.setup.game.anytime(self.history.last.state)

    @property
    def _waits(self) -> bool:
        return self.pending_prompt is not None and self.pending_prompt.name in (
            UNDO_AGREEMENT.name,
            MIX_QUESTION,
        )

    @property
    def simultaneous_prompts(self) -> Mapping[str, Prompt]:
        """Return the prompts that players can answer simultaneously, by player; {} if none."""
        if (
            not getattr(self.question_of_rules, "at_once", False)
            or self.pending_question is not self.question_of_rules
        ):
            return {}
        return simultaneous_prompts(self.setup.game, self.history.last.state)

    @property
    def roll_awaiting_press(self) -> Roll | None:
        """Return the roll that waits for a player's press; None if no roll is waiting."""
        stands = (
            self.pending_prompt is not None and self.pending_prompt.name == PRESSED_ROLL_QUESTION
        )
        return (
            self.question_of_rules
            if stands and is_rolled_by_press(self.question_of_rules)
            else None
        )

    def box_answer_from_seed(self) -> Answer:
        """Return the result of the pending roll or shuffle by the box, computed from the seed."""
        chance = self.setup.chance._replace(presses=self.history.presses)
        assert isinstance(self.question_of_rules, (Roll, Shuffle))
        return chance.drawn_answer_to_prompt(
            self.question_of_rules,
            self.history.count_draws_for_prompt(chance, self.question_of_rules),
        )

    # --- public state ---

    @cached_property
    def snapshot(self) -> Snapshot:
        """Return the public state of the game, for the display and for connected programs."""
        history, setup = self.history, self.setup
        outcome, question = setup.game.outcome(history.last.state), self.pending_question
        return Snapshot(
            game=setup.game.name,
            players=setup.players,
            options=setup.options,
            prompt=self.pending_prompt,
            view=setup.game.view(history.last.state, None),
            cues=history.cues,
            position=history.last.n,
            undoable=history.last.answers,
            redoable=history.redo.n if history.redo else 0,
            outcome=outcome,
            code=setup.chance.commitment_code,
            seed=setup.chance.seed if outcome else None,
            form=question if isinstance(question, Form) else None,
        )

    @property
    def opening_facts(self) -> Cues:
        """Return the public facts (events) of the game's opening, before the first question."""
        *_, first = self.history.steps_and_start_latest_first()
        return tuple(cue for cue in first.cues if cue.to is None)

    @property
    def entered_board_values(self) -> tuple[EnteredBoardValue, ...]:
        """Return the values of the printed board that players entered during this game."""
        return self.setup.game.entered_board_values(self.history.last.state)

    def explanation_of_latest_clause(self, argued: Callable[[Cues], Cue]) -> Cue:
        """Return the event `why`, which explains the latest event that has a clause.

        - `argued`: function that chooses one event if an answer caused several events with a
          clause.

        Raise Refused if no event of the game has a clause.
        """
        if not (rulings := self.history.latest_events_with_clause()):
            raise Refused("nothing_to_explain")
        cue = argued(rulings)
        return Cue("why", {"of": cue.name, "facts": cue.facts}, cue.clause)

    def public_part_of_answer(self, prompt: Prompt, value: Answer) -> Answer:
        """Return the public part of an answer; None if all players answer secretly at once."""
        waits = prompt.private and getattr(prompt, "at_once", False)
        return None if waits else self.setup.game.public_answer(prompt.name, value)

    # --- a player's secrets ---

    @property
    def private_facts_of_all_players(self) -> Cues:
        """Return the private facts (events) with the present secrets of each player."""
        return tuple(self.setup.game.secrets(self.history.last.state))

    def view_with_player_secrets(self, player: str) -> Mapping[str, Any]:
        """Return the view of the game with the secrets of `player`.

        Call `Session.mark_secrets_seen` first, which records that the player saw the secrets.
        """
        return self.setup.game.view(self.history.last.state, player)

    @property
    def possible_secret_holders(self) -> tuple[str, ...]:
        """Return the players who may have a secret now.

        If the game has secrets now, return all present people in seat order; otherwise, return ().
        """
        if not self.private_facts_of_all_players:
            return ()
        return tuple(
            [who for who in self.present_players if who not in self.present_computer_players]
        )

    def facts_received_by(self, player: str) -> Cues:
        """Return the facts (events) that `player` received; the present secrets come last."""
        *_, first = self.history.steps_and_start_latest_first()
        steps = (first, *[*self.history.steps_latest_first()][::-1])
        received = (cue for step in steps for cue in step.cues if cue.to in (None, player))
        return (*received, *(cue for cue in self.private_facts_of_all_players if cue.to == player))

    # --- players and programs ---

    @property
    def present_players(self) -> tuple[str, ...]:
        """Return the players who have not left the game, in seat order.

        While the players decide about an undo, return all players of the setup.
        """
        asked = (
            question
            for question in self.out_of_turn_questions
            if question.name == LEAVING_PLAYER_QUESTION
        )
        stays = next((legal_answers(question) for question in asked), self.setup.players)
        return tuple(stays)

    @property
    def present_computer_players(self) -> Mapping[str, ComputerPlayerProgram]:
        """Return the present computer players, by the name of the player."""
        return self.history.programs

    @property
    def computer_player_to_answer(self) -> str | None:
        """Return the computer player that must answer the pending question, or None."""
        prompt = self.pending_prompt
        if prompt is None or prompt.name in self.setup.game.questions_people_answer_for_computer:
            return None
        if isinstance(prompt, Roll):  # people roll real dice: announce nothing
            return None
        return prompt.who if prompt.who in self.present_computer_players else None

    @property
    def computer_player_announcing_choice(self) -> str | None:
        """Return the computer player whose choice the box announces now, or None.

        People carry out the choice on the table, and enter the result.
        """
        prompt = self.pending_prompt
        if prompt is None or prompt.name not in self.setup.game.questions_with_announced_choice:
            return None
        return prompt.who if prompt.who in self.present_computer_players else None

    @property
    def can_add_computer_player(self) -> bool:
        """Return True if the box can now give a person's seat to a computer player."""
        playable = self.setup.game.can_box_play_seat
        return self.pending_prompt is not None and not self._waits and playable(self.setup.options)

    # --- possible changes ---

    @property
    def undoable_answer_step(self) -> AnswerStep:
        """Return the step of the answer that an undo would remove.

        Raise Refused if there is no answer to undo.
        """
        return self.history.undoable_answer_step(
            self.setup.game.questions_people_answer_for_computer
        )

    @property
    def undo_needs_agreement(self) -> bool:
        """Return True if the players must agree to an undo.

        Raise Refused if there is nothing to undo.

        The players must agree if the undo would remove an answer that revealed a secret. A secret
        counts only if a player already knows this secret.
        """
        return self.history.has_known_secret_since(self.undoable_answer_step.n)

    def with_answer(
        self, value: Answer, now: int, question: str | None = None, kind: str = "answer"
    ) -> Standing:
        """Return the game position after one more answer.

        - `now`: the time of the answer in seconds since 1970.
        - `question`: the name of an out-of-turn question, or None for the pending question.
        - `kind`: "answer" for a player's answer, or "box" for a roll or shuffle by the box.

        Raise Refused if the rules do not allow the answer.
        """
        history, prompt = self.history, self.question_of_rules
        state, cues = apply_answer(self.setup.game, history.last.state, value, question)
        asked = question or (prompt.name if prompt else None)
        # record no player for an out-of-turn question
        whose = prompt.who if prompt and prompt.name == asked else None
        further = history.with_answer(Entry(kind, asked, whose, value, now), state, cues)
        if kind == "box":
            return self.with_answer_history(further._replace(cues=(*history.cues, *cues)))
        return self.with_answer_history(further._replace(cues=cues, step_before_cues=history.last))

    def snapshot_after_answer(self, value: Answer) -> Snapshot | None:
        """Return the snapshot after an answer to the pending question; None for an illegal answer.

        Rolls and shuffles that the box would make after the answer are not included. Return None if
        the box waits for a press or for the players' agreement.
        """
        if (
            self._waits
            or self.pending_prompt is None
            or self.pending_prompt.name == PRESSED_ROLL_QUESTION
        ):
            return None
        try:
            return self.with_answer(value, 0).snapshot
        except CompanionError:
            return None
