"""Corrections of a game's state: a row for each kind of value, and the form for all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, NamedTuple

from companion.core.errors import Refused
from companion.core.game import S
from companion.core.prompts import Answer, Choose, Form, JsonValues, Number, Prompt


def _never(*_: object) -> bool:
    return False


class Correction(NamedTuple, Generic[S]):
    """A kind of value that players can correct. S is the type of the game's state.

    The arguments of each function are the state, and the answers to the questions so far, in order.

    - `questions`: by the name of each question, in order, a function that returns the options of
      the question, or a prompt for a number. If the first function returns no options, players
      cannot correct the value now.
    - `apply`: returns the state with the corrected value.
    - `already`: returns True if the answers to all questions would change nothing (`Form.already`).
      The last question does not offer such answers.
    """

    questions: Mapping[str, Callable[..., Iterable[str] | Number]]
    apply: Callable[..., S]
    already: Callable[..., bool] = _never

    def answers(self, given: Mapping[str, Answer]) -> list[Answer]:
        """Return the answers in `given`, in the order of the questions."""
        return [given[name] for name in self.questions if name in given]

    def next_question(self, state: S, given: Mapping[str, Answer]) -> Prompt | None:
        """Return the question after the answers `given`, or None after the last question."""
        for name, question in self.questions.items():
            if name not in given:
                asked = question(state, *self.answers(given))
                return asked if isinstance(asked, Number) else Choose(name, None, tuple(asked))
        return None


def correction_form(corrections: Mapping[str, Correction[S]], state: S) -> Form:
    """Return the form `correct`, which asks for the kind of value (`what`), then for the value."""

    def ask(given: Mapping[str, Answer]) -> Prompt | None:
        if "what" in given:
            return corrections[given["what"]].next_question(state, given)
        firsts = {what: next(iter(row.questions.values())) for what, row in corrections.items()}
        return Choose("what", None, tuple(what for what, first in firsts.items() if first(state)))

    def already(given: Mapping[str, Answer]) -> bool:
        row = corrections.get(str(given["what"]))
        if row is None or row.questions.keys() - given.keys():
            return False
        return row.already(state, *row.answers(given))

    return Form("correct", None, ask, already=already)


def apply_correction(corrections: Mapping[str, Correction[S]], state: S, given: JsonValues) -> S:
    """Return the state after a correction. Raise Refused if the correction changes nothing."""
    row = corrections[given["what"]]
    corrected = row.apply(state, *row.answers(given))
    if corrected == state:
        raise Refused("nothing_to_correct")
    return corrected
