"""What a press comes to: a closed set, so that mypy finds an action that nobody carries out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from companion.core.prompts import Answer


class Give(NamedTuple):
    """An answer is given: to the standing question, or out of turn to the one named."""

    answer: Answer
    question: str | None = None


class Undo(NamedTuple):
    """The last answer is taken back."""


class Clear(NamedTuple):
    """All letters of the word that is being spelt are erased."""


class Why(NamedTuple):
    """The moment on the display, or the last ruling, is explained."""


class Back(NamedTuple):
    """A page up in the menus; in a game, its menu."""


class Look(NamedTuple):
    """A player looks at the own secret."""

    player: str


class Hide(NamedTuple):
    """The secret is covered again."""


class Interrupt(NamedTuple):
    """A player interrupts."""

    player: str


class GoOn(NamedTuple):
    """Past a moment, or past whatever else there is no question on."""


class Again(NamedTuple):
    """What was said last is said once more."""


class Help(NamedTuple):
    """A button is explained instead of obeyed."""

    button: str


class Silence(NamedTuple):
    """The box is silenced, or heard again."""


class Refuse(NamedTuple):
    """That can not be done, by the name of the reason."""

    code: str


Action: TypeAlias = (
    Give
    | Undo
    | Clear
    | Why
    | Back
    | Look
    | Hide
    | Interrupt
    | GoOn
    | Again
    | Help
    | Silence
    | Refuse
)
