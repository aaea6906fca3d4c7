"""Commands of the table, the menus and the door to the box, as frozen values.

A menu page requests a `Wish`. The table translates it and passes each `Command` to the box, which
executes them in order and shows the table before the first sound.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.core.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt

# --- the running game ----------------------------------------------------------------------------


class Give(Value):
    """Give an answer to the pending question, or to the out-of-turn question `name`."""

    answer: Answer
    question: str | None = None


class Undo(Value):
    """Undo the last answer."""


class Look(Value):
    """Show a player's secret, after saving in the record that the player saw it."""

    player: str


# --- display and speech ---------------------------------------------------------------------------


class PlaySound(Value):
    """Play a sound, such as the confirmation of a press."""

    name: str


class Say(Value):
    """Speak facts, after the sound of the press, then the pending question."""

    cues: Cues
    receipt: str | None = None
    asks: Prompt | None = None


class TellOn(Value):
    """Announce the facts that were held back during a look, then the question."""

    cues: Cues


class Tell(Value):
    """Show a fact in front of everything until OK, and speak it, in the language of `whose`."""

    cue: Cue
    whose: str | None = None


class Judge(Value):
    """Look up a word in the lists of the language of `whose`, before it counts."""

    word: str
    whose: str | None = None


class Explain(Value):
    """Explain these facts; None: the last ones.

    The effect of `answer` to `question` comes first, if it is under the cursor of `whose`.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


class OpenMenu(Value):
    """Open the game's menu with facts from the record, or one page of it.

    who: the player that the page is about.
    """

    page: str = "menu"
    who: str = ""


class Again(Value):
    """Repeat what was said last."""


class Silence(Value):
    """Mute or unmute the box."""


class Refuse(Value):
    """Refuse a press; the code names the reason."""

    code: str


# --- requests of menu pages ---------------------------------------------------------------------


class Set(Value):
    """Change settings: all of them, or none if they cannot be saved."""

    values: Mapping[str, Any]


class Begin(Value):
    """Start a new game. `again`: the same people have just played it.

    `programs` maps each computer player to its level.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False
    programs: Mapping[str, str] = MappingProxyType({})


class Resume(Value):
    """Resume a recorded game. `recaps`: show the last answer first."""

    number: int
    recaps: bool = True


class Past(Value):
    """Show a finished game."""

    number: int


class CountGames(Value):
    """Compute everybody's statistics."""


class Examine(Value):
    """Start the doctor."""


class About(Value):
    """Show the statistics of a person; None: of the group."""

    who: str | None


class LeaveGame(Value):
    """Leave the game for the first screen; it can be resumed."""


class Why(Value):
    """Explain the moment on the display, or the last ruling."""


class Close(Value):
    """Return to the game."""


class Standings(Value):
    """Show the score."""


class Redo(Value):
    """Repeat the last undone answer."""


class Peep(Value):
    """Let a player look at that player's secret: the box is handed over."""

    player: str


class Practise(Value):
    """Speak some of the standard sentences with a voice."""

    language: str
    voice: str
    lines: int


class OutOfTurn(Value):
    """Answer a question out of turn."""

    question: str


class Admit(Value):
    """Let a phone have a player's seat."""

    player: str


class Attend(Value):
    """Send a request to the background program of a service: `do`, and its values."""

    service: str
    wish: Mapping[str, Any]


class Advise(Value):
    """Give the active player a hint."""


class Sit(Value):
    """Let a computer player of `level` take over the seat of `player`; None: a person."""

    player: str
    level: str | None = None


class Restart(Value):
    """Restart the process of the computer players."""


class Learn(Value):
    """Save what the board of a game is like.

    "mine": these players confirm the assumed board. "teach": they entered `data`. "forget": what
    was entered is deleted.
    """

    game: str
    how: str
    players: tuple[str, ...] = ()
    data: Mapping[str, Any] = MappingProxyType({})


Beside: TypeAlias = (
    OpenMenu | LeaveGame | Begin | Resume | Past | CountGames | About
    | Again | Silence | Practise | Set | Learn
    | Examine | Restart | Admit | Attend
)  # fmt: skip
"""Commands that do not change the running game."""
Command: TypeAlias = (
    Give | PlaySound | Say | Tell | TellOn | Look | Undo | Redo | Judge | Explain | Advise
    | Sit | Refuse | Beside
)  # fmt: skip
"""A command of the box; each has one case in a `match`."""
Commands: TypeAlias = tuple[Command, ...]
Wish: TypeAlias = Command | Close | Standings | Peep | OutOfTurn | Why
"""A request of a menu page: a command, or a change of the table alone."""
Wishes: TypeAlias = tuple[Wish, ...]
