"""Answers that several seats owe at the same time: each is kept until its turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.door.report import Early

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.box.state import Stands
    from companion.core.prompts import Answer
    from companion.door.report import Recipient
    from companion.play.session import Session


class EarlyAnswers:
    """What seats are asked at the same time. `number` returns the standing question's number."""

    def __init__(self, stands: Stands, number: Callable[[], int]) -> None:
        self._stands, self._number = stands, number
        self._kept: dict[str, Early] = {}
        self._session: Session | None = None

    @property
    def now(self) -> Mapping[str, Early]:
        """The questions by seat, in the order of play; a question that stands keeps its number."""
        session = self._stands.running
        before = self._kept if session is self._session else {}
        self._session = session
        self._kept = {
            seat: one
            if (one := before.get(seat)) is not None and one.prompt == prompt
            else Early(prompt, self._number())
            for seat, prompt in ({} if session is None else session.standing.at_once).items()
        }
        return self._kept

    def of(self, reader: Recipient) -> Early | None:
        """Return what the seat of `reader` is asked at the same time as others."""
        return self.now.get(reader.seat or "")

    def keep(self, seat: str, value: Answer) -> None:
        """Keep an answer until its turn."""
        self._kept = {**self.now, seat: self.now[seat]._replace(answer=(value,))}

    def forget(self, seat: str) -> None:
        """Drop a seat's kept answer, if there is one."""
        if (one := self.now.get(seat)) is not None:
            self._kept = {**self._kept, seat: one._replace(answer=())}
