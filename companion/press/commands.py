"""What is done at the box: one closed set of values for buttons, menus, the door and the loop.

A press comes to an `Action`; a page of the menus wishes for a `Wish`; and what the table needs from
outside is a `Command`, for each of which the box has one function. They are carried out in their
order: so whoever makes them says what comes first, the frame, the record or the sound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt

# --- what a press comes to ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Give:
    """An answer is given: to the standing question, or out of turn to the one named."""

    answer: Answer
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last answer is taken back."""


@dataclass(frozen=True, slots=True)
class Clear:
    """All letters of the word that is being spelt are erased."""


@dataclass(frozen=True, slots=True)
class Why:
    """The moment on the display, or the last ruling, is explained."""


@dataclass(frozen=True, slots=True)
class Back:
    """A page up in the menus; in a game, its menu."""


@dataclass(frozen=True, slots=True)
class Look:
    """A player looks at the own secret; that is written down before it is seen."""

    player: str


@dataclass(frozen=True, slots=True)
class Hide:
    """The secret is covered again."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A player interrupts."""

    player: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Past a moment, or past whatever else there is no question on."""


@dataclass(frozen=True, slots=True)
class Again:
    """What was said last is said once more."""


@dataclass(frozen=True, slots=True)
class Help:
    """A button is explained instead of obeyed."""

    button: str


@dataclass(frozen=True, slots=True)
class Silence:
    """The box is silenced, or heard again."""


@dataclass(frozen=True, slots=True)
class ByEar:
    """The box is played by ear from now on, or not any more."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """That can not be done, by the name of the reason."""

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
    | Help
    | Silence
    | ByEar
    | Refuse
)
"""What a press comes to: a closed set, so that mypy finds an action that is forgotten."""


# --- what is shown and heard ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Show:
    """The frame is shown as things are now."""


@dataclass(frozen=True, slots=True)
class PlaySound:
    """A sound by itself is heard, such as the receipt of a press."""

    name: str


@dataclass(frozen=True, slots=True)
class Say:
    """Facts are heard, after the receipt of the press behind them, and then what is asked."""

    cues: Cues
    receipt: str | None = None
    asks: Prompt | None = None


@dataclass(frozen=True, slots=True)
class TellOn:
    """Facts that were held back while somebody looked alone are told now, and the question."""

    cues: Cues


@dataclass(frozen=True, slots=True)
class Tell:
    """A fact stands in front of everything until OK, and is said; in the language of `whose`."""

    cue: Cue
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """A word is judged by the lists of the language of `whose` it is, before it counts."""

    word: str
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class Explain:
    """Whatever stands behind these facts is explained, or, without any, behind the last ones.

    First of all what `answer` would do, if it is the one under the thumb of `whose`, to `question`.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """The menu is opened, with what the record has to say; or one page of it alone."""

    page: str = "menu"


# --- what a page of the menus wishes for --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set:
    """Settings have other values: all of them, or none if they can not be written down."""

    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Begin:
    """A new game; `again`: the same people have just played it.

    `programs` are the players whose seat the box plays, each with its level.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False
    programs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resume:
    """A recorded game goes on."""

    number: int


@dataclass(frozen=True, slots=True)
class Past:
    """A finished game is looked back at."""

    number: int


@dataclass(frozen=True, slots=True)
class CountGames:
    """Everybody's figures are wanted."""


@dataclass(frozen=True, slots=True)
class Examine:
    """The doctor is to look at the parts of the box."""


@dataclass(frozen=True, slots=True)
class About:
    """A person's figures are looked at, or without a name those of the table as a whole."""

    who: str | None


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Out of the game, to the first screen; it can go on later."""


@dataclass(frozen=True, slots=True)
class Close:
    """Back to the game."""


@dataclass(frozen=True, slots=True)
class Standings:
    """How the game stands is shown."""


@dataclass(frozen=True, slots=True)
class Redo:
    """The last answer taken back is given again."""


@dataclass(frozen=True, slots=True)
class Peep:
    """A player wants to look at the own secret: whoever holds the box hands it over."""

    player: str


@dataclass(frozen=True, slots=True)
class Practise:
    """A voice is heard: it says so many of the sentences that all voices say."""

    language: str
    voice: str
    lines: int


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """A question is answered that nobody has asked."""

    question: str


@dataclass(frozen=True, slots=True)
class Admit:
    """A phone may have a player's seat."""

    player: str


@dataclass(frozen=True, slots=True)
class Attend:
    """The process that looks after a club's evening is to do something: `do`, and what it needs."""

    wish: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Advise:
    """A hint is wanted: what the box would do for whoever is asked."""


@dataclass(frozen=True, slots=True)
class Sit:
    """The box plays the seat of `player` on, at that level; without one a person does."""

    player: str
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Learn:
    """What a game's board is like, which is kept for its next games.

    It is as assumed, these players say ("mine"); or they show theirs ("teach"), and it is `data`
    now; or what was taught is forgotten ("forget").
    """

    game: str
    how: str
    players: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


Wish: TypeAlias = (
    Admit | Advise | Sit | Attend | Learn | Say | Set | Begin | Resume | Past | CountGames | Examine
    | About | LeaveGame | Close | Standings
    | Undo | Redo | Why | Again | Peep | Practise | OutOfTurn | Refuse
)  # fmt: skip
Wishes: TypeAlias = tuple[Wish, ...]
"""What a page of the menus wishes for."""
Command: TypeAlias = (
    Show | Tell | Judge | Refuse
    | Set | Silence | Admit | Attend | Learn | Sit | Advise
    | PlaySound | Say | Again | Practise
    | Give | Undo | Redo | Look | Explain | TellOn
    | Begin | Resume | Past | CountGames | Examine | About | LeaveGame | OpenMenu
)  # fmt: skip
"""What is carried out outside of the table."""
Commands: TypeAlias = tuple[Command, ...]
