"""An answer out of turn on the buttons: its questions one after another, then all of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.prompts import Choose, Form

if TYPE_CHECKING:
    from companion.core.errors import Refused
    from companion.core.prompts import Answer, Prompt, Question


class Filling(NamedTuple):
    """A form, or a single question, with the answers given so far."""

    question: Question
    given: tuple[tuple[str, Answer], ...] = ()

    @property
    def prompt(self) -> Prompt | None:
        """What is asked next; None when nothing is missing."""
        if isinstance(self.question, Form):
            return self.question.ask(dict(self.given))
        return None if self.given else self.question

    @property
    def refusal(self) -> Refused | None:
        """What stands against the answers given so far; None if nothing does."""
        return self.question.refusal(dict(self.given)) if isinstance(self.question, Form) else None

    @property
    def answer(self) -> Answer:
        """The answer to the whole, when nothing is missing."""
        return dict(self.given) if isinstance(self.question, Form) else self.given[0][1]

    @property
    def interrupting(self) -> tuple[str, ...]:
        """Who interrupts; while that is asked, all of whom it may be."""
        if self.given:
            return (str(self.given[0][1]),)
        return self.prompt.options if isinstance(self.prompt, Choose) else ()

    def fill(self, value: Answer) -> Filling:
        """One answer more, and all those that leave no choice."""
        prompt = self.prompt
        assert prompt is not None  # noqa: S101 - somebody answered it
        filled = self._replace(given=(*self.given, (prompt.name, value)))
        match filled.prompt:
            case Choose(options=(only,)):
                return filled.fill(only)
            case _:
                return filled

    def back(self) -> Filling | None:
        """Without the last answer that somebody chose; None if there is none."""
        shorter = self
        while shorter.given:
            shorter = shorter._replace(given=shorter.given[:-1])
            match shorter.prompt:
                case Choose(options=(_,)):
                    continue
                case _:
                    return shorter
        return None
