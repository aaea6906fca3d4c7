"""Commands: what the table, the menus and the door ask of the box, as frozen values.

A page of the menus asks for a `Wish`. The table grants it, and hands each `Command` to the box. The
box carries them out in their order; it shows the table before the first sound.
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
    """An answer is given: to the standing question, or out of turn to the one named."""

    answer: Answer
    question: str | None = None


class Undo(Value):
    """The last answer is taken back."""


class Look(Value):
    """A player looks at the own secret; that is written down before it is seen."""

    player: str


# --- what is shown and heard ----------------------------------------------------------------------


class PlaySound(Value):
    """A sound by itself is heard, such as the receipt of a press."""

    name: str


class Say(Value):
    """Facts are heard, after the receipt of the press behind them, and then what is asked."""

    cues: Cues
    receipt: str | None = None
    asks: Prompt | None = None


class TellOn(Value):
    """Facts that were held back while somebody looked alone are told now, and the question."""

    cues: Cues


class Tell(Value):
    """A fact stands in front of everything until OK, and is said; in the language of `whose`."""

    cue: Cue
    whose: str | None = None


class Judge(Value):
    """A word is judged by the lists of the language of `whose` it is, before it counts."""

    word: str
    whose: str | None = None


class Explain(Value):
    """Whatever stands behind these facts is explained, or, without any, behind the last ones.

    First of all what `answer` would do, if it is the one under the thumb of `whose`, to `question`.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


class OpenMenu(Value):
    """The menu is opened, with what the record has to say; or one page of it alone.

    who: the player whom that page is about.
    """

    page: str = "menu"
    who: str = ""


class Again(Value):
    """What was said last is said once more."""


class Silence(Value):
    """The box is silenced, or heard again."""


class Refuse(Value):
    """That cannot be done, by the name of the reason."""

    code: str


# --- what a page of the menus wishes for --------------------------------------------------------


class Set(Value):
    """Settings have other values: all of them, or none if they cannot be written down."""

    values: Mapping[str, Any]


class Begin(Value):
    """A new game; `again`: the same people have just played it.

    `programs` are the players whose seat the box plays, each with its level.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False
    programs: Mapping[str, str] = MappingProxyType({})


class Resume(Value):
    """A recorded game goes on."""

    number: int


class Past(Value):
    """A finished game is looked back at."""

    number: int


class CountGames(Value):
    """Everybody's figures are wanted."""


class Examine(Value):
    """The doctor is to look at the parts of the box."""


class About(Value):
    """A person's figures are looked at, or without a name those of the table as a whole."""

    who: str | None


class LeaveGame(Value):
    """Out of the game, to the first screen; it can go on later."""


class Why(Value):
    """The moment on the display, or the last ruling, is explained."""


class Close(Value):
    """Back to the game."""


class Standings(Value):
    """How the game stands is shown."""


class Redo(Value):
    """The last answer taken back is given again."""


class Peep(Value):
    """A player wants to look at the own secret: whoever holds the box hands it over."""

    player: str


class Practise(Value):
    """A voice is heard: it says so many of the sentences that all voices say."""

    language: str
    voice: str
    lines: int


class OutOfTurn(Value):
    """A question is answered that nobody has asked."""

    question: str


class Admit(Value):
    """A phone may have a player's seat."""

    player: str


class Attend(Value):
    """The process that looks after a club's evening is to do something: `do`, and what it needs."""

    wish: Mapping[str, Any]


class Advise(Value):
    """A hint is wanted: what the box would do for whoever is asked."""


class Sit(Value):
    """The box plays the seat of `player` on, at that level; without one a person does."""

    player: str
    level: str | None = None


class Restart(Value):
    """Start what plays the box's seats again."""


class Learn(Value):
    """What a game's board is like, which is kept for its next games.

    It is as assumed, these players say ("mine"); or they show theirs ("teach"), and it is `data`
    now; or what was taught is forgotten ("forget").
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
"""Commands that are no move of the running game."""
Command: TypeAlias = (
    Give | PlaySound | Say | Tell | TellOn | Look | Undo | Redo | Judge | Explain | Advise
    | Sit | Refuse | Beside
)  # fmt: skip
"""What the box carries out, each by one case of a `match`."""
Commands: TypeAlias = tuple[Command, ...]
Wish: TypeAlias = Command | Close | Standings | Peep | OutOfTurn | Why
"""What a page of the menus asks for: a command, or a change of the table alone."""
Wishes: TypeAlias = tuple[Wish, ...]
