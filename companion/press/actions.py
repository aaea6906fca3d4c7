"""The meanings of a press, as a closed set of frozen values.

`controls` makes an `Action` from edges and time. `table.moves.act` translates it into commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from companion.core.values import Value

if TYPE_CHECKING:
    from companion.core.prompts import Answer


class Enter(Value):
    """Answer the question in front with the option under the cursor."""

    answer: Answer


class UndoLast(Value):
    """Undo the last answer."""


class Clear(Value):
    """Erase all letters of the word that is being spelt."""


class AskWhy(Value):
    """Explain the moment on the display, or the last ruling."""


class Back(Value):
    """Go a page up in the menus, or open the menu of the game."""


class Uncover(Value):
    """Show a player's secret, after saving that it was seen."""

    player: str


class Hide(Value):
    """Cover the secret again."""


class Interrupt(Value):
    """Let a player interrupt."""

    player: str


class GoOn(Value):
    """Pass a moment, or another screen without a question."""


class Repeat(Value):
    """Repeat what was said last."""


class Help(Value):
    """Explain a button instead of executing it."""

    button: str


class ToggleMute(Value):
    """Mute or unmute the box."""


class ByEar(Value):
    """Switch audio mode on or off."""


class ShowStandings(Value):
    """Show the score, or close it again."""


class Hint(Value):
    """Give the active player a hint."""


class AtEnd(Value):
    """A step past the first or last place of a list."""


class Reject(Value):
    """Refuse a press; the code names the reason."""

    code: str


Action: TypeAlias = (
    Enter
    | UndoLast
    | Clear
    | AskWhy
    | Back
    | Uncover
    | Hide
    | Interrupt
    | GoOn
    | Repeat
    | ShowStandings
    | Hint
    | AtEnd
    | Help
    | ToggleMute
    | ByEar
    | Reject
)
"""The closed set of actions, so that mypy finds an action that is not handled."""
