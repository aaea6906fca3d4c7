"""What a page of the menus wishes for: a closed set, so that mypy finds a wish forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.press.actions import Again, Refuse, Undo, Why

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Set:
    """Settings have other values: all of them, or none if they can not be written down."""

    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Begin:
    """A new game; `again`: the same people have just played it."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """A recorded game goes on."""

    number: int


@dataclass(frozen=True, slots=True)
class Past:
    """A finished game is looked back at."""

    number: int


@dataclass(frozen=True, slots=True)
class Count:
    """Everybody's figures are wanted."""


@dataclass(frozen=True, slots=True)
class About:
    """A person's figures are looked at, or without a name those of the table as a whole."""

    who: str | None


@dataclass(frozen=True, slots=True)
class Leave:
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
class Learn:
    """A game's board is as assumed, these players say ("mine"); is taught ("teach"), with so many
    spaces, or fields in each circle; or what was taught is forgotten ("forget").
    """  # noqa: D205 - one list

    game: str
    how: str
    players: tuple[str, ...] = ()
    spaces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Forget:
    """A player's phone has no seat any more."""

    player: str


Wish: TypeAlias = (
    Admit | Attend | Forget | Learn | Set | Begin | Resume | Past | Count | About | Leave | Close
    | Standings
    | Undo | Redo | Why | Again | Peep | Practise | OutOfTurn | Refuse
)  # fmt: skip
Wishes: TypeAlias = tuple[Wish, ...]
