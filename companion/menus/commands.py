"""Commands of the table, the menus and the door to the box, as frozen values.

A menu page requests a `Wish`. The table translates it and passes each `Command` to the box, which
executes them in order and shows the table before the first sound.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.core.values import FrozenValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt


class Request(FrozenValue):
    """The base of commands and wishes.

    - `has_sound`: it makes a sound, so that the press of a menu needs no confirmation.
    - `keeps_menu`: the menu of a running game stays open.
    """

    has_sound = False
    keeps_menu = False


# --- the running game ----------------------------------------------------------------------------


class GiveAnswer(Request):
    """Give an answer to the pending question, or to the out-of-turn question `name`."""

    has_sound = True

    answer: Answer
    question: str | None = None


class UndoAnswer(Request):
    """Undo the last answer."""

    has_sound = True


class LookAtSecret(Request):
    """Show a player's secret, after saving in the record that the player saw it."""

    player: str


# --- display and speech ---------------------------------------------------------------------------


class PlaySound(Request):
    """Play a sound, such as the confirmation of a press."""

    name: str


class SpeakFacts(Request):
    """Speak facts, after the sound of the press, then the pending question."""

    cues: Cues
    receipt: str | None = None
    asks: Prompt | None = None


class AnnounceHeldFacts(Request):
    """Announce the facts that were held back during a look, then the question."""

    cues: Cues


class ShowFact(Request):
    """Show a fact in front of everything until OK, and speak it, in the language of `whose`."""

    cue: Cue
    whose: str | None = None


class CheckWord(Request):
    """Look up a word in the lists of the language of `whose`, before it counts."""

    word: str
    whose: str | None = None


class ExplainFacts(Request):
    """Explain these facts; None: the last ones.

    The effect of `answer` to `question` comes first, if it is under the cursor of `whose`.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


class OpenMenu(Request):
    """Open the game's menu with facts from the record, or one page of it.

    who: the player that the page is about.
    """

    page: str = "menu"
    who: str = ""


class RepeatSpeech(Request):
    """Repeat what was said last."""

    has_sound = True


class ToggleMute(Request):
    """Mute or unmute the box."""


class RefusePress(Request):
    """Refuse a press; the code names the reason."""

    keeps_menu = True

    code: str


# --- requests of menu pages ---------------------------------------------------------------------


class ChangeSettings(Request):
    """Change settings: all of them, or none if they cannot be saved."""

    keeps_menu = True

    values: Mapping[str, Any]


class BeginGame(Request):
    """Start a new game. `again`: the same people have just played it.

    `programs` maps each computer player to its level.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False
    programs: Mapping[str, str] = MappingProxyType({})


class ResumeGame(Request):
    """Resume a recorded game. `recaps`: show the last answer first."""

    number: int
    recaps: bool = True


class ShowFinishedGame(Request):
    """Show a finished game."""

    number: int


class CountGames(Request):
    """Compute everybody's statistics."""


class StartDoctor(Request):
    """Start the doctor."""


class ShowStatistics(Request):
    """Show the statistics of a person; None: of the group."""

    who: str | None


class LeaveGame(Request):
    """Leave the game for the first screen; it can be resumed."""

    keeps_menu = True


class ExplainMoment(Request):
    """Explain the moment on the display, or the last ruling."""

    has_sound = True


class CloseMenu(Request):
    """Return to the game."""


class ShowScore(Request):
    """Show the score."""


class RedoAnswer(Request):
    """Repeat the last undone answer."""

    has_sound = True


class LookAtOwnSecret(Request):
    """Let a player look at that player's secret: the box is handed over."""

    player: str


class SpeakSamples(Request):
    """Speak some of the standard sentences with a voice."""

    has_sound = True
    keeps_menu = True

    language: str
    voice: str
    lines: int


class AnswerOutOfTurn(Request):
    """Answer a question out of turn."""

    question: str


class AdmitPhone(Request):
    """Let a phone have a player's seat."""

    keeps_menu = True

    player: str


class SendServiceRequest(Request):
    """Send a request to the background program of a service: `do`, and its values."""

    keeps_menu = True

    service: str
    wish: Mapping[str, Any]


class GiveHint(Request):
    """Give the active player a hint."""


class ChangeSeatPlayer(Request):
    """Let a computer player of `level` take over the seat of `player`; None: a person."""

    player: str
    level: str | None = None


class RestartComputerPlayers(Request):
    """Restart the process of the computer players."""


class SaveBoard(Request):
    """Save what the board of a game is like.

    "mine": these players confirm the assumed board. "teach": they entered `data`. "forget": what
    was entered is deleted.
    """

    game: str
    how: str
    players: tuple[str, ...] = ()
    data: Mapping[str, Any] = MappingProxyType({})


CommandOutsideGame: TypeAlias = (
    OpenMenu | LeaveGame | BeginGame | ResumeGame | ShowFinishedGame | CountGames | ShowStatistics
    | RepeatSpeech | ToggleMute | SpeakSamples | ChangeSettings | SaveBoard
    | StartDoctor | RestartComputerPlayers | AdmitPhone | SendServiceRequest
)  # fmt: skip
"""Commands that do not change the running game."""
Command: TypeAlias = (
    GiveAnswer | PlaySound | SpeakFacts | ShowFact | AnnounceHeldFacts | LookAtSecret | UndoAnswer
    | RedoAnswer | CheckWord | ExplainFacts | GiveHint | ChangeSeatPlayer | RefusePress
    | CommandOutsideGame
)  # fmt: skip
"""A command of the box; each has one case in a `match`."""
Commands: TypeAlias = tuple[Command, ...]
Wish: TypeAlias = (
    Command | CloseMenu | ShowScore | LookAtOwnSecret | AnswerOutOfTurn | ExplainMoment
)
"""A request of a menu page: a command, or a change of the table alone."""
Wishes: TypeAlias = tuple[Wish, ...]
