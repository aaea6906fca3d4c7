"""Commands from the table, the menus and the door to the box, as frozen values.

A menu page returns a `Wish`. The table translates it into commands. The box executes each `Command`
in order, and shows the table before the first sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Prompt
from companion.core.values import FrozenValue


class Request(FrozenValue):
    """The base class of commands and wishes.

    - `has_sound`: it makes a sound itself, so that its press needs no confirmation sound.
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
    """Show a player's secret. The record first stores that the player saw it."""

    player: str


# --- display and speech ---------------------------------------------------------------------------


class PlaySound(Request):
    """Play a sound, such as the confirmation of a press."""

    name: str


class SpeakFacts(Request):
    """Speak the sound of the press, facts, then the pending question."""

    cues: Cues
    receipt: str | None = None
    asks: Prompt | None = None


class AnnounceHeldFacts(Request):
    """Announce the facts that were held back while a player looked, then the question."""

    cues: Cues


class ShowFact(Request):
    """Show a fact in front of everything until OK, and speak it in the language of `whose`."""

    cue: Cue
    whose: str | None = None


class CheckWord(Request):
    """Look up a spelt word in the lists of the language of `whose`, before it is accepted."""

    word: str
    whose: str | None = None


class ExplainFacts(Request):
    """Show the rulings that explain these facts; None: the last facts.

    If an answer to `question` is under the cursor of `whose`, its effect is explained first.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


class OpenMenu(Request):
    """Open the game's menu with facts from the record, or open one of its pages.

    who: the player that the page is about.
    """

    page: str = "menu"
    who: str = ""


class RepeatSpeech(Request):
    """Repeat the last spoken sentences."""

    has_sound = True


class ToggleMute(Request):
    """Mute or unmute the box."""


class RefusePress(Request):
    """Reject a press; the code names the reason."""

    keeps_menu = True

    code: str


# --- requests of menu pages ---------------------------------------------------------------------


class ChangeSettings(Request):
    """Change settings. If they cannot be saved, none is changed."""

    keeps_menu = True

    values: Mapping[str, Any]


class BeginGame(Request):
    """Start a new game.

    `again`: the people have just played a game together. `programs` maps each computer player to
    its level.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False
    programs: Mapping[str, str] = MappingProxyType({})


class ResumeGame(Request):
    """Resume a recorded game.

    recaps: first show the last answer.
    """

    number: int
    recaps: bool = True


class ShowFinishedGame(Request):
    """Show a finished game."""

    number: int


class CountGames(Request):
    """Compute the statistics of all players."""


class StartDoctor(Request):
    """Start the doctor, which examines the parts of the box."""


class ShowStatistics(Request):
    """Show the statistics of a person; None: of the group."""

    who: str | None


class LeaveGame(Request):
    """Leave the game and open the first screen. The game can be resumed."""

    keeps_menu = True


class ExplainMoment(Request):
    """Explain the facts on the display, or show the last ruling."""

    has_sound = True


class CloseMenu(Request):
    """Return to the game."""


class ShowScore(Request):
    """Show the score."""


class RedoAnswer(Request):
    """Repeat the last undone answer."""

    has_sound = True


class LookAtOwnSecret(Request):
    """Hand the box to a player, who looks at that player's secret."""

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
    """Give a phone a player's seat."""

    keeps_menu = True

    player: str


class SendServiceRequest(Request):
    """Send a request to a service's background program. `do` names the request."""

    keeps_menu = True

    service: str
    wish: Mapping[str, Any]


class GiveHint(Request):
    """Show the active player a hint."""


class ChangeSeatPlayer(Request):
    """Give the seat of `player` to a computer player of `level`; None: to a person."""

    player: str
    level: str | None = None


class RestartComputerPlayers(Request):
    """Restart the process of the computer players."""


class SaveBoard(Request):
    """Save which board a game is played on.

    "mine": these players confirm the assumed board. "teach": they entered `data`. "forget": delete
    the entered board.
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
