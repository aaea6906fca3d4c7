"""The events in the box's inbox, besides button edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from companion.core.prompts import Answer
from companion.menus.page import Diagnosis
from hardware.ports import Edge, HardwareError

if TYPE_CHECKING:
    from companion.door.peers import Event
    from companion.figures.lookup import PeopleReport, Remark
    from companion.play.outlook import PlayerKnowledge


class Quit:
    """End the loop."""


class HardwareTrouble:
    """A failure of a hardware part that runs in a thread of its own."""

    def __init__(self, error: HardwareError) -> None:
        self.error = error


class FaceFailed:
    """An exception in the pictures or sentences of the running game."""


class OpenPhones:
    """A request to open the page about phones, from a keyboard."""


class StatisticsReady:
    """Statistics that were requested: those of all players, or a remark on one game.

    A number is the number of games that are still to be counted. A code is the reason why there are
    no statistics.
    """

    def __init__(self, result: PeopleReport | Remark | int | str) -> None:
        self.found = result


class FindingsReady:
    """The doctor's findings."""

    def __init__(self, findings: tuple[Diagnosis, ...]) -> None:
        self.findings = findings


class HintReady:
    """The hint for a position of a game."""

    def __init__(self, number: int, position: int, answer: Answer) -> None:
        self.number, self.position, self.answer = number, position, answer


class TurningPointReady:
    """The turning point of a finished game as sentences; None if there is none."""

    def __init__(self, number: int, sentences: Mapping[str, str] | None) -> None:
        self.number, self.told = number, sentences


if TYPE_CHECKING:
    JobResult: TypeAlias = StatisticsReady | FindingsReady | HintReady | TurningPointReady
    """The result of work outside of the loop."""
    InboxEvent: TypeAlias = (
        Edge | Quit | HardwareTrouble | FaceFailed | OpenPhones | JobResult | Event
    )
    Inbox: TypeAlias = SimpleQueue[InboxEvent]
    StatisticsJob: TypeAlias = Callable[[int | None, Callable[[StatisticsReady], None]], None]
    """Computes the statistics of all players, or of one game, and puts them into the inbox."""
    HintJob: TypeAlias = Callable[[PlayerKnowledge, Callable[[HintReady], None]], None]
    """Finds the answer for a hint, and puts it into the inbox."""
    TurningPointJob: TypeAlias = Callable[[int, str, Callable[[TurningPointReady], None]], None]
    """Finds a game's turning point, in a language, and puts its sentences into the inbox."""
