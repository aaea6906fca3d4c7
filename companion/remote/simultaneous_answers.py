"""Questions to several seats at the same time, and the answers that arrive before a seat's turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.box.state import TableState
from companion.core.prompts import Answer
from companion.door.report import LineRecipient, SimultaneousQuestion
from companion.play.session import Session


class SimultaneousAnswers:
    """The questions that the box asks several seats at the same time, with the stored answers.

    number: the function that returns the `id` of the pending question.
    """

    def __init__(self, stands: TableState, number: Callable[[], int]) -> None:
        self._stands, self._number = stands, number
        self._kept: dict[str, SimultaneousQuestion] = {}
        self._session: Session | None = None

    @property
    def questions_by_seat(self) -> Mapping[str, SimultaneousQuestion]:
        """Return the simultaneous questions by seat, in turn order.

        As long as the text and the choices of a question stay the same, the question keeps its
        number and its stored answer.
        """
        session = self._stands.running_session
        before = self._kept if session is self._session else {}
        self._session = session
        self._kept = {
            seat: question
            if (question := before.get(seat)) is not None and question.prompt == prompt
            else SimultaneousQuestion(prompt, self._number())
            for seat, prompt in (
                {} if session is None else session.standing.simultaneous_prompts
            ).items()
        }
        return self._kept

    def question_of_seat(self, reader: LineRecipient) -> SimultaneousQuestion | None:
        """Return the simultaneous question for the recipient's seat.

        Return None if the seat has no simultaneous question.
        """
        return self.questions_by_seat.get(reader.seat or "")

    def store_answer(self, seat: str, value: Answer) -> None:
        """Store a seat's answer until the box executes the answer in turn order."""
        self._kept = {
            **self.questions_by_seat,
            seat: self.questions_by_seat[seat]._replace(answer=(value,)),
        }

    def forget_answer(self, seat: str) -> None:
        """Delete a seat's stored answer, so that the seat can answer its question again."""
        if (question := self.questions_by_seat.get(seat)) is not None:
            self._kept = {**self._kept, seat: question._replace(answer=())}
