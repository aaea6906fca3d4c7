"""What may stand in the inbox beside the edges of the buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from queue import SimpleQueue
    from typing import TypeAlias

    from companion.door.peers import Event
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


if TYPE_CHECKING:
    Inbox: TypeAlias = SimpleQueue[Edge | Quit | Trouble | Slip | OpenPhones | Event]
