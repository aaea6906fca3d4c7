"""What a press of a button means, as a closed set of frozen values.

`controls` makes one `Action` of edges and time. `table.moves.act` translates it into commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from companion.core.values import Value

if TYPE_CHECKING:
    from companion.core.prompts import Answer


class Give(Value):
    """Answer the question in front with the option under the cursor."""

    answer: Answer


class Undo(Value):
    """The last answer is taken back."""


class Clear(Value):
    """All letters of the word that is being spelt are erased."""


class Why(Value):
    """The moment on the display, or the last ruling, is explained."""


class Back(Value):
    """A page up in the menus; in a game, its menu."""


class Look(Value):
    """A player looks at the own secret; that is written down before it is seen."""

    player: str


class Hide(Value):
    """The secret is covered again."""


class Interrupt(Value):
    """A player interrupts."""

    player: str


class GoOn(Value):
    """Past a moment, or past whatever else there is no question on."""


class Again(Value):
    """What was said last is said once more."""


class Help(Value):
    """A button is explained instead of obeyed."""

    button: str


class Silence(Value):
    """The box is silenced, or heard again."""


class ByEar(Value):
    """The box is played by ear from now on, or not any more."""


class ShowStandings(Value):
    """Show how the game stands, or put it away again."""


class Hint(Value):
    """Give the active player a hint."""


class AtEnd(Value):
    """A turn past the first or the last place of a list that has ends."""


class Refuse(Value):
    """That cannot be done, by the name of the reason."""

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
    | ShowStandings
    | Hint
    | AtEnd
    | Help
    | Silence
    | ByEar
    | Refuse
)
"""What a press comes to: a closed set, so that mypy finds an action that is forgotten."""
