"""Commands to the box, as frozen values. Presses, menus and connected programs cause commands.

A menu page returns requests of the type `MenuRequest`, which `companion.table` translates into
commands. The box executes the commands in order, and shows the new frame before the first sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from companion.core.frozen_value import FrozenValue
from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Prompt


class BaseCommand(FrozenValue):
    """The base class of commands and of requests from menu pages.

    - `has_sound`: if True, the command plays a sound, so that the press needs no confirmation
      sound.
    - `keeps_menu`: if True, the menu of a running game stays open after the command.
    """

    has_sound = False
    keeps_menu = False


# --- the running game ----------------------------------------------------------------------------


class GiveAnswer(BaseCommand):
    """Give an answer to the pending question, or to the out-of-turn question `question`."""

    has_sound = True

    answer: Answer
    question: str | None = None


class UndoAnswer(BaseCommand):
    """Undo the last answer of the running game."""

    has_sound = True


class RecordAndShowSecret(BaseCommand):
    """Save in the record that a player sees a secret, and then show the secret."""

    player: str


# --- display and speech ---------------------------------------------------------------------------


class PlaySound(BaseCommand):
    """Play the sound `name`, such as the confirmation of a press."""

    name: str


class SpeakFacts(BaseCommand):
    """Play the sound `receipt`, speak the events `cues`, and then speak the question `asks`."""

    cues: Cues
    receipt: str | None = None
    asks: Prompt | None = None


class AnnounceWithheldFacts(BaseCommand):
    """Announce the events and the question that the box withheld before a look at a secret."""

    cues: Cues


class ShowFact(BaseCommand):
    """Show the event `cue` in an overlay until a press closes the overlay, and speak the event.

    - `whose`: the player in whose language the event is, or None for the language of the box.
    """

    cue: Cue
    whose: str | None = None


class CheckWord(BaseCommand):
    """Look up a spelt word in the word lists for the language of the player `whose`."""

    word: str
    whose: str | None = None


class ShowRulings(BaseCommand):
    """Show the rulings that explain the game events `cues`, or the last events if `cues` is ().

    If `question` is given, first explain the effect of the answer `answer` to this question. Use
    the language of the player `whose`.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


class OpenMenu(BaseCommand):
    """Open the menu page `page`. The default page is the menu of the running game.

    - `who`: the player who is the subject of the menu page.
    """

    page: str = "menu"
    who: str = ""


class RepeatSpeech(BaseCommand):
    """Repeat the last spoken sentences."""

    has_sound = True


class ToggleMute(BaseCommand):
    """Mute or unmute the loudspeaker of the box."""


class RefusePress(BaseCommand):
    """Reject a press. `code` names the reason."""

    keeps_menu = True

    code: str


# --- requests of menu pages ---------------------------------------------------------------------


class ChangeSettings(BaseCommand):
    """Change settings. If the settings cannot be saved, all settings stay unchanged."""

    keeps_menu = True

    values: Mapping[str, Any]


class BeginGame(BaseCommand):
    """Start a new game with these players and options.

    - `again`: if True, the people have just played a game together.
    - `programs`: the level of each computer player, by the player's name.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False
    programs: Mapping[str, str] = MappingProxyType({})


class ResumeGame(BaseCommand):
    """Resume a recorded game by its number.

    If `recaps` is True, first show the last answer.
    """

    number: int
    recaps: bool = True


class ShowFinishedGameReview(BaseCommand):
    """Show the review of the finished game `number`."""

    number: int


class ComputeStatistics(BaseCommand):
    """Start computing the statistics of all players."""


class StartBoxDiagnosis(BaseCommand):
    """Start `companion doctor`, which examines all parts of the box."""


class ShowPersonOrGroupStatistics(BaseCommand):
    """Show the statistics of the person `who`, or of the whole group if `who` is None."""

    who: str | None


class LeaveGameForFirstScreen(BaseCommand):
    """Leave the running game and open the first screen.

    Players can resume an unfinished game later.
    """

    keeps_menu = True


class ExplainShownFacts(BaseCommand):
    """Show the rulings that explain the game events on the display.

    If the display shows no game events, explain the last game events.
    """

    has_sound = True


class CloseMenu(BaseCommand):
    """Close the menus and return to the running game."""


class ShowScore(BaseCommand):
    """Show the score of the running game."""


class RedoAnswer(BaseCommand):
    """Redo the last undone answer."""

    has_sound = True


class HandOverBoxForSecret(BaseCommand):
    """Ask the players to hand the box to `player`, who can then look at a secret."""

    player: str


class SpeakVoiceSamples(BaseCommand):
    """Speak sample sentences with a voice, so that people can judge the voice.

    - `lines`: the number of sentences.
    """

    has_sound = True
    keeps_menu = True

    language: str
    voice: str
    lines: int


class OpenOutOfTurnQuestion(BaseCommand):
    """Begin the answer to an out-of-turn question of the game."""

    question: str


class GiveSeatToPhone(BaseCommand):
    """Give the seat of `player` to the phone that asks to join."""

    keeps_menu = True

    player: str


class SendServiceRequest(BaseCommand):
    """Send a request to the background program of a service that a package added.

    `wish["do"]` is the name of the requested work.
    """

    keeps_menu = True

    service: str
    wish: Mapping[str, Any]


class GiveHint(BaseCommand):
    """Show the active player a hint."""


class ChangeSeatPlayer(BaseCommand):
    """Give the seat of `player` to a computer player of `level`.

    If `level` is None, give the seat to a person.
    """

    player: str
    level: str | None = None


class RestartComputerPlayers(BaseCommand):
    """Restart the process of the computer players."""


class SavePrintedBoardDecision(BaseCommand):
    """Save the players' decision about the printed board of a game.

    - `how`: "mine" if players confirm the assumed board, "teach" if players entered `data`, or
      "forget" to delete the entered board.
    """

    game: str
    how: str
    players: tuple[str, ...] = ()
    data: Mapping[str, Any] = MappingProxyType({})


CommandOutsideGame: TypeAlias = (
    OpenMenu | LeaveGameForFirstScreen | BeginGame | ResumeGame | ShowFinishedGameReview
    | ComputeStatistics | ShowPersonOrGroupStatistics | RepeatSpeech | ToggleMute
    | SpeakVoiceSamples | ChangeSettings | SavePrintedBoardDecision
    | StartBoxDiagnosis | RestartComputerPlayers | GiveSeatToPhone | SendServiceRequest
)  # fmt: skip
"""Union of the commands for menus, settings, statistics, services, and the choice of a game."""
Command: TypeAlias = (
    GiveAnswer | PlaySound | SpeakFacts | ShowFact | AnnounceWithheldFacts | RecordAndShowSecret
    | UndoAnswer | RedoAnswer | CheckWord | ShowRulings | GiveHint | ChangeSeatPlayer | RefusePress
    | CommandOutsideGame
)  # fmt: skip
"""Union of all command classes. `run_command` has one `case` for each class."""
Commands: TypeAlias = tuple[Command, ...]
MenuRequest: TypeAlias = (
    Command
    | CloseMenu
    | ShowScore
    | HandOverBoxForSecret
    | OpenOutOfTurnQuestion
    | ExplainShownFacts
)
"""Union of all requests from a menu page: commands, and requests that `companion.table` handles."""
Wishes: TypeAlias = tuple[MenuRequest, ...]
