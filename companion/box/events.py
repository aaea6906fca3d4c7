"""What may stand in the inbox beside the edges of the buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from queue import SimpleQueue
    from typing import TypeAlias

    from companion.core.prompts import Answer
    from companion.door.peers import Event
    from companion.figures.lookup import Everybody, Remark
    from companion.menus.page import Diagnosis
    from companion.play.outlook import Outlook
    from hardware.ports import Edge, HardwareError


class Quit:
    """End the loop."""


class Trouble:
    """A piece of hardware that works by itself has failed."""

    def __init__(self, error: HardwareError) -> None:
        self.error = error


class FaceFailed:
    """Something in the face or in the words of the game that is played has failed."""


class OpenPhones:
    """The phones' page is wished for, from a keyboard."""


class Figured:
    """Figures that were asked for: everybody's, or a remark on one game.

    A number: so many games are still to be counted; a code: why there are none.
    """

    def __init__(self, found: Everybody | Remark | int | str) -> None:
        self.found = found


class Examined:
    """The doctor's findings on the parts of the box."""

    def __init__(self, findings: tuple[Diagnosis, ...]) -> None:
        self.findings = findings


class Advised:
    """What the box would answer at that position of that game."""

    def __init__(self, number: int, position: int, answer: Answer) -> None:
        self.number, self.position, self.answer = number, position, answer


class Weighed:
    """What decided a finished game, in sentences by what they tell; None if it cannot be said."""

    def __init__(self, number: int, told: Mapping[str, str] | None) -> None:
        self.number, self.told = number, told


if TYPE_CHECKING:
    Finding: TypeAlias = Figured | Examined | Advised | Weighed
    """What was found out beside the loop."""
    Happening: TypeAlias = Edge | Quit | Trouble | FaceFailed | OpenPhones | Finding | Event
    Inbox: TypeAlias = SimpleQueue[Happening]
    Counting: TypeAlias = Callable[[int | None, Callable[[Figured], None]], None]
    """Looks up what there is to say of a game, or of everybody; what it finds is put."""
    Advising: TypeAlias = Callable[[Outlook, Callable[[Advised], None]], None]
    """Finds out what the box would do; that is put."""
    Weighing: TypeAlias = Callable[[int, str, Callable[[Weighed], None]], None]
    """Finds out what decided a game, in a language; that is put."""
