"""The events in the inbox of the box, except button edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from companion.core.prompts import Answer
from companion.menus.page import BoxPartDiagnosis
from hardware.ports import Edge, HardwareError

if TYPE_CHECKING:
    from companion.door.peers import Event
    from companion.figures.lookup import PeopleAndGroupStatistics, RarestFactFound
    from companion.play.player_knowledge import PlayerKnowledge


class BoxQuitRequested:
    """Event that ends the loop of the box."""


class HardwareTrouble:
    """Event that reports the failure of a hardware part, such as a display.

    A thread outside the event loop puts the event into the inbox.
    """

    def __init__(self, error: HardwareError) -> None:
        self.error = error


class GameFaceFailed:
    """Event that reports an exception in the pictures or sentences of the running game."""


class PhonesPageRequested:
    """Event that requests the menu page about phones. A key of a keyboard causes this event."""


class StatisticsReported:
    """Event with requested statistics, or with the progress of a computation of statistics.

    If `result` is a number, this number of games remains to be counted. If `result` is a text, the
    computation failed, and the text is the code of the reason.
    """

    def __init__(self, result: PeopleAndGroupStatistics | RarestFactFound | int | str) -> None:
        self.found = result


class DoctorFindingsReady:
    """Event with the findings of `companion doctor`."""

    def __init__(self, findings: tuple[BoxPartDiagnosis, ...]) -> None:
        self.findings = findings


class HintReady:
    """Event with the answer that a hint recommends.

    - `number`: the number of the game.
    - `position`: the number of the recorded entry after which the hint was computed.
    """

    def __init__(self, number: int, position: int, answer: Answer) -> None:
        self.number, self.position, self.answer = number, position, answer


class TurningPointReady:
    """Event with the sentences about a finished game's turning point.

    The sentences are None if the analysis failed.
    """

    def __init__(self, number: int, sentences: Mapping[str, str] | None) -> None:
        self.number, self.told = number, sentences


if TYPE_CHECKING:
    JobResult: TypeAlias = StatisticsReported | DoctorFindingsReady | HintReady | TurningPointReady
    """Union of the events that report the result of a computation outside the loop."""
    InboxEvent: TypeAlias = (
        Edge
        | BoxQuitRequested
        | HardwareTrouble
        | GameFaceFailed
        | PhonesPageRequested
        | JobResult
        | Event
    )
    Inbox: TypeAlias = SimpleQueue[InboxEvent]
    StatisticsJob: TypeAlias = Callable[[int | None, Callable[[StatisticsReported], None]], None]
    """Type of a function that computes statistics and puts the statistics into the inbox."""
    HintJob: TypeAlias = Callable[[PlayerKnowledge, Callable[[HintReady], None]], None]
    """Type of a function that computes a hint and puts the hint into the inbox."""
    TurningPointJob: TypeAlias = Callable[[int, str, Callable[[TurningPointReady], None]], None]
    """Type of a function that finds a game's turning point and puts the result into the inbox."""
