"""The meanings of a press, as a closed set of frozen values.

`controls` makes an `Action` from edges and time. `table.moves.act` translates it into commands.
"""

from __future__ import annotations

from typing import TypeAlias

from companion.core.prompts import Answer
from companion.core.values import FrozenValue


class EnterAnswer(FrozenValue):
    """Answer the question that is shown, with the option under the cursor."""

    answer: Answer


class UndoLast(FrozenValue):
    """Undo the last answer."""


class ClearWord(FrozenValue):
    """Erase all letters of the word that is being spelt."""


class AskWhy(FrozenValue):
    """Explain the facts on the display, or the last ruling."""


class GoBack(FrozenValue):
    """Go one page up in the menus, or open the menu of the game."""


class UncoverSecret(FrozenValue):
    """Show a player's secret. The record first stores that the player saw it."""

    player: str


class HideSecret(FrozenValue):
    """Cover the secret again."""


class Interrupt(FrozenValue):
    """Begin an out-of-turn answer of a player."""

    player: str


class PassScreen(FrozenValue):
    """Close a screen that asks no question."""


class AskRepeat(FrozenValue):
    """Repeat the last spoken sentences."""


class ExplainButton(FrozenValue):
    """Explain a button's function instead of executing it."""

    button: str


class ToggleSound(FrozenValue):
    """Mute or unmute the box."""


class ToggleAudioMode(FrozenValue):
    """Switch audio mode on or off."""


class ShowStandings(FrozenValue):
    """Show the score, or close it again."""


class AskHint(FrozenValue):
    """Give the active player a hint."""


class ReachListEnd(FrozenValue):
    """Report a step beyond the first or last place of a list."""


class RejectPress(FrozenValue):
    """Reject a press; the code names the reason."""

    code: str


Action: TypeAlias = (
    EnterAnswer
    | UndoLast
    | ClearWord
    | AskWhy
    | GoBack
    | UncoverSecret
    | HideSecret
    | Interrupt
    | PassScreen
    | AskRepeat
    | ShowStandings
    | AskHint
    | ReachListEnd
    | ExplainButton
    | ToggleSound
    | ToggleAudioMode
    | RejectPress
)
"""The closed set of actions, so that mypy finds an action that is not handled."""
