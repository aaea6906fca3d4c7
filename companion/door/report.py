"""What is told of a game to each who may know it; once made for all who may know the same."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.door import messages
from companion.door.lines import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.game import Cues
    from companion.door.lines import Message
    from companion.play.session import Session
    from companion.say.words import Words


class Told(NamedTuple):
    """A line; `own`: it is for nobody but the seat."""

    text: str
    own: bool


class Report:
    """Facts, the state, and what is asked. `session` is None if nobody plays.

    `number` is the question's; `words` gives those of a player's language, or the box's; `hello`
    stands in front if another game is played than before. `only_ask`: nothing has happened.
    """

    def __init__(
        self,
        session: Session | None,
        number: int,
        words: Callable[[str | None], Words],
        *,
        cues: Cues = (),
        hello: Message | None = None,
        only_ask: bool = False,
    ) -> None:
        self._session, self._number, self._words = session, number, words
        self._cues, self._hello, self._only_ask = cues, hello, only_ask
        self._made: dict[tuple[object, ...], str] = {}

    def lines(self, seat: str | None) -> Iterator[Told]:
        """What a player is told, in order; None is everybody."""
        if self._hello is not None:
            yield self._shared(("hello",), lambda: self._hello or {})
        if self._session is None:
            return
        snapshot = self._session.snapshot
        if not self._only_ask:
            yield from self._facts(seat)
            yield self._shared(("state",), lambda: messages.state(snapshot.view))
        if snapshot.outcome is not None and snapshot.prompt is None:
            end = messages.over(snapshot.outcome, snapshot.view, snapshot.seed)
            yield self._shared(("over",), lambda: end)
        elif snapshot.prompt is not None:
            yield self._question(seat)

    def question(self, seat: str | None) -> Message | None:
        """The question that stands, as a player may see it."""
        prompt = None if self._session is None else self._session.prompt
        if self._session is None or prompt is None:
            return None
        view = self._session.snapshot.view
        asked = messages.ask(prompt, view, self._words(seat), self._number)
        return messages.hidden(asked) if prompt.private and prompt.who != seat else asked

    def _question(self, seat: str | None) -> Told:
        prompt = None if self._session is None else self._session.prompt
        if prompt is not None and prompt.private and prompt.who == seat:
            return Told(written(self.question(seat) or {}), own=True)
        return self._shared(("ask", self._language(seat)), lambda: self.question(seat) or {})

    def _facts(self, seat: str | None) -> Iterator[Told]:
        words = self._words(seat)
        for n, cue in enumerate(self._cues):
            tell = partial(messages.told, cue, words)
            if cue.to is None:
                yield self._shared(("tell", n, words.language), tell)
            elif cue.to == seat:
                yield Told(written(tell()), own=True)

    def _language(self, seat: str | None) -> str:
        return self._words(seat).language

    def _shared(self, key: tuple[object, ...], make: Callable[[], Message]) -> Told:
        """A line that others are told, too."""
        if key not in self._made:
            self._made[key] = written(make())
        return Told(self._made[key], own=False)
