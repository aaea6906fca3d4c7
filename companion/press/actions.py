"""What a press comes to: a closed set, so that mypy finds an action that nobody carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from companion.core.prompts import Answer


@dataclass(frozen=True, slots=True)
class Give:
    """An answer is given: to the standing question, or out of turn to the one named."""

    answer: Answer
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last answer is taken back."""


@dataclass(frozen=True, slots=True)
class Clear:
    """All letters of the word that is being spelt are erased."""


@dataclass(frozen=True, slots=True)
class Why:
    """The moment on the display, or the last ruling, is explained."""


@dataclass(frozen=True, slots=True)
class Back:
    """A page up in the menus; in a game, its menu."""


@dataclass(frozen=True, slots=True)
class Look:
    """A player looks at the own secret."""

    player: str


@dataclass(frozen=True, slots=True)
class Hide:
    """The secret is covered again."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A player interrupts."""

    player: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Past a moment, or past whatever else there is no question on."""


@dataclass(frozen=True, slots=True)
class Again:
    """What was said last is said once more."""


@dataclass(frozen=True, slots=True)
class Help:
    """A button is explained instead of obeyed."""

    button: str


@dataclass(frozen=True, slots=True)
class Silence:
    """The box is silenced, or heard again."""


@dataclass(frozen=True, slots=True)
class ByEar:
    """The box is played by ear from now on, or not any more."""


@dataclass(frozen=True, slots=True)
class Refuse:
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
    | ByEar
    | Refuse
)
