"""The meanings of a press, as a closed set of frozen values.

`controls` makes an `Action` from edges and time. `table.moves.act` translates it into commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from companion.core.values import FrozenValue

if TYPE_CHECKING:
    from companion.core.prompts import Answer


class EnterAnswer(FrozenValue):
    """Answer the question in front with the option under the cursor."""

    answer: Answer


class UndoLast(FrozenValue):
    """Undo the last answer."""


class ClearWord(FrozenValue):
    """Erase all letters of the word that is being spelt."""


class AskWhy(FrozenValue):
    """Explain the moment on the display, or the last ruling."""


class GoBack(FrozenValue):
    """Go a page up in the menus, or open the menu of the game."""


class UncoverSecret(FrozenValue):
    """Show a player's secret, after saving that it was seen."""

    player: str


class HideSecret(FrozenValue):
    """Cover the secret again."""


class Interrupt(FrozenValue):
    """Let a player interrupt."""

    player: str


class PassScreen(FrozenValue):
    """Pass a moment, or another screen without a question."""


class AskRepeat(FrozenValue):
    """Repeat what was said last."""


class ExplainButton(FrozenValue):
    """Explain a button instead of executing it."""

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
    """A step past the first or last place of a list."""


class RejectPress(FrozenValue):
    """Refuse a press; the code names the reason."""

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
