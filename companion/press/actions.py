"""The possible effects of a press: one frozen class for each action.

The module `controls` makes an `Action` from button edges and elapsed time. The module
`companion.table.moves` translates each action into commands.
"""

from __future__ import annotations

from typing import TypeAlias

from companion.core.frozen_value import FrozenValue
from companion.core.prompts import Answer


class EnterAnswer(FrozenValue):
    """Answer the shown question with `answer`."""

    answer: Answer


class UndoLastAnswer(FrozenValue):
    """Undo the last answer of the running game."""


class ClearWord(FrozenValue):
    """Erase all letters of the word that a player is spelling."""


class RequestRulingExplanation(FrozenValue):
    """Show the rulings that explain the game events on the display.

    If the display shows a question, explain the selected answer and the last game events.
    """


class GoBackOrOpenMenu(FrozenValue):
    """Go one page up in the menus, or open the menu of the running game."""


class UncoverSecret(FrozenValue):
    """Show a player's secret, after the record has saved that the player saw the secret."""

    player: str


class HideSecret(FrozenValue):
    """Hide a secret that was shown."""


class BeginOutOfTurnAnswer(FrozenValue):
    """Begin an out-of-turn answer of `player`."""

    player: str


class CloseScreen(FrozenValue):
    """Close an overlay or another screen that asks no question."""


class RequestSpeechRepeat(FrozenValue):
    """Repeat the sentences that the box spoke last."""


class ExplainButton(FrozenValue):
    """Explain the function of a held button instead of executing the function."""

    button: str


class ToggleSound(FrozenValue):
    """Mute or unmute the loudspeaker of the box."""


class ToggleAudioMode(FrozenValue):
    """Switch audio mode on or off."""


class ToggleScoreDisplay(FrozenValue):
    """Show the score, or close the shown score."""


class RequestHint(FrozenValue):
    """Show the active player a hint."""


class ReportListEnd(FrozenValue):
    """Report that the cursor cannot move beyond the first or last place of a list."""


class RejectPress(FrozenValue):
    """Reject a press; `code` is the code of the reason."""

    code: str


Action: TypeAlias = (
    EnterAnswer
    | UndoLastAnswer
    | ClearWord
    | RequestRulingExplanation
    | GoBackOrOpenMenu
    | UncoverSecret
    | HideSecret
    | BeginOutOfTurnAnswer
    | CloseScreen
    | RequestSpeechRepeat
    | ToggleScoreDisplay
    | RequestHint
    | ReportListEnd
    | ExplainButton
    | ToggleSound
    | ToggleAudioMode
    | RejectPress
)
"""Union of all action classes; mypy reports an action that no code handles."""
