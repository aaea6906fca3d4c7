"""What a page of the menus wishes for: a closed set, so that mypy finds a wish forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from companion.press.actions import Again, Refuse, Undo, Why

if TYPE_CHECKING:
    from collections.abc import Mapping


class Set(NamedTuple):
    """Settings have other values: all of them, or none if they can not be written down."""

    values: Mapping[str, Any]


class Begin(NamedTuple):
    """A new game; `again`: the same people have just played it."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    again: bool = False


class Resume(NamedTuple):
    """A recorded game goes on."""

    number: int


class Past(NamedTuple):
    """A finished game is looked back at."""

    number: int


class Count(NamedTuple):
    """Everybody's figures are wanted."""


class About(NamedTuple):
    """A person's figures are looked at, or without a name those of the table as a whole."""

    who: str | None


class Leave(NamedTuple):
    """Out of the game, to the first screen; it can go on later."""


class Close(NamedTuple):
    """Back to the game."""


class Standings(NamedTuple):
    """How the game stands is shown."""


class Redo(NamedTuple):
    """The last answer taken back is given again."""


class Peep(NamedTuple):
    """A player wants to look at the own secret: whoever holds the box hands it over."""

    player: str


class Practise(NamedTuple):
    """A voice is heard: it says so many of the sentences that all voices say."""

    language: str
    voice: str
    lines: int


class OutOfTurn(NamedTuple):
    """A question is answered that nobody has asked."""

    question: str


class Admit(NamedTuple):
    """A phone may have a player's seat."""

    player: str


class Attend(NamedTuple):
    """The process that looks after a club's evening is to do something: `do`, and what it needs."""

    wish: Mapping[str, Any]


class Learn(NamedTuple):
    """A game's board is as assumed, these players say ("mine"); is taught ("teach"), with so many
    spaces, or fields in each circle; or what was taught is forgotten ("forget").
    """  # noqa: D205 - one list

    game: str
    how: str
    players: tuple[str, ...] = ()
    spaces: tuple[int, ...] = ()


class Forget(NamedTuple):
    """A player's phone has no seat any more."""

    player: str


Wish: TypeAlias = (
    Admit | Attend | Forget | Learn | Set | Begin | Resume | Past | Count | About | Leave | Close
    | Standings
    | Undo | Redo | Why | Again | Peep | Practise | OutOfTurn | Refuse
)  # fmt: skip
Wishes: TypeAlias = tuple[Wish, ...]
