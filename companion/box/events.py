"""What may stand in the inbox beside the edges of the buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from queue import SimpleQueue
    from typing import TypeAlias

    from companion.door.peers import Event
    from companion.figures.lookup import Everybody, Remark
    from hardware import Edge, HardwareError


class Quit:
    """End the loop."""


class Trouble(NamedTuple):
    """A piece of hardware that works by itself has failed."""

    error: HardwareError


class Slip:
    """Something in the face or in the words of the game that is played has failed."""


class OpenPhones:
    """The phones' page is wished for, from a keyboard."""


class Figured(NamedTuple):
    """Figures that were asked for: everybody's, or a remark on one game.

    A number: so many games are still to be counted; a code: why there are none.
    """

    found: Everybody | Remark | int | str


if TYPE_CHECKING:
    Inbox: TypeAlias = SimpleQueue[Edge | Quit | Trouble | Slip | OpenPhones | Figured | Event]
    Counting: TypeAlias = Callable[[int | None, Callable[[Figured], None]], None]
    """Looks up what there is to say of a game, or of everybody; what it finds is put."""
