"""The text protocol: one JSON object a line, so that any program can sit at the table.

`docs/protocol.md` lists every message, question, event and state field. This face shows secrets at
once, each to its `who` alone; bots, tests, screen readers and house automation use it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TextIO

from companion.core import Cue, Outcome, Prompt, Refused, Spell, choices
from companion.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from companion.session import Session
    from companion.words import Words

PROTOCOL: Final = 1
LONGEST: Final = 64 * 1024
"""The longest line that is read, in bytes."""
KEYS: Final = frozenset({"answer", "id", "undo", "redo", "why", "interrupt", "quit"})
VERBS: Final = ("answer", "undo", "redo", "why", "interrupt", "quit")


class Mistake(ValueError):  # noqa: N818 - what it is
    """A line that can not be taken; its text is the error's message."""


class Stdio:
    """One game over two streams. `wall` gives seconds since 1970, `cards` the decks for `hello`."""

    def __init__(
        self,
        session: Session,
        words: Words,
        *,
        source: BinaryIO,
        sink: TextIO,
        wall: Callable[[], int],
        version: str,
    ) -> None:
        self._session, self._words, self._wall = session, words, wall
        self._source, self._sink, self._version = source, sink, version
        self._id = 0
        self._asked: Prompt | None = None

    def run(self, notices: tuple[Cue, ...] = ()) -> None:
        """Say hello and what stands; then take lines until `quit` or the end of the input."""
        self._hello()
        for cue in notices:
            self._tell(cue)
        self._commit()
        self._report()
        while (line := self._read()) is not None:
            try:
                if not self._take(self._parse(line)):
                    break
            except (Mistake, JournalError) as error:
                self._send("error", message=str(error))
            except Refused as refused:
                cue = Cue("refused", {"code": refused.code})
                self._send("error", message=self._words.text(cue))

    # --- reading ---

    def _read(self) -> bytes | None:
        """The next line; what is over-long is read to its end but not kept. None at the end."""
        line = self._source.readline(LONGEST + 1)
        if not line:
            return None
        if len(line) > LONGEST and not line.endswith(b"\n"):
            while (rest := self._source.readline(LONGEST)) and not rest.endswith(b"\n"):
                pass
        return line

    def _parse(self, line: bytes) -> dict[str, Any]:
        """A line as a message. Raises Mistake."""
        if len(line) > LONGEST:
            raise Mistake(f"A line may have {LONGEST} bytes at most.")
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            raise Mistake("That line is not one JSON object in UTF-8.") from None
        if not isinstance(message, dict):
            raise Mistake("A message is a JSON object.")
        unknown = sorted(message.keys() - KEYS)
        verbs = [verb for verb in VERBS if verb in message]
        if unknown or len(verbs) != 1:
            raise Mistake(f"A message has exactly one of {', '.join(VERBS)}.")
        return message

    def _take(self, message: dict[str, Any]) -> bool:
        """Do what a message says; whether to go on. Raises Mistake, Refused or JournalError."""
        if "answer" in message:
            self._answer(message)
        elif "interrupt" in message:
            self._interrupt(message["interrupt"])
        else:
            verb = next(verb for verb in VERBS if verb in message)
            if message[verb] is not True:
                raise Mistake(f'Say {{"{verb}": true}}.')
            if verb == "quit":
                return False
            self._do(verb)
        return True

    def _answer(self, message: dict[str, Any]) -> None:
        given = message.get("id", self._id)
        if type(given) is not int or given != self._id:
            raise Mistake(f"The question that stands has the id {self._id}.")
        self._session.answer(message["answer"], self._wall())
        self._commit()
        self._report()

    def _interrupt(self, value: Any) -> None:
        self._session.answer(value, self._wall(), "interrupt")
        self._commit()
        self._report()

    def _do(self, verb: str) -> None:
        if verb == "why":
            self._tell(self._session.why())
            return
        snapshot = getattr(self._session, verb)(self._wall())
        self._commit()
        self._report(only_ask=snapshot.prompt is not None and snapshot.prompt.name == "agree_undo")

    def _commit(self) -> None:
        self._session.tell_secrets(self._wall())
        self._session.commit()

    # --- writing ---

    def _send(self, kind: str, /, **fields: Any) -> None:
        self._sink.write(json.dumps({"type": kind, **fields}, ensure_ascii=False) + "\n")
        self._sink.flush()

    def _hello(self) -> None:
        setup = self._session.setup
        self._send(
            "hello",
            protocol=PROTOCOL,
            version=self._version,
            game=setup.game.name,
            players=list(setup.players),
            options=dict(setup.options),
            edition=dict(setup.game.decks(setup.edition)),
            commitment=setup.chance.commitment,
        )

    def _report(self, *, only_ask: bool = False) -> None:
        """What happened, the state, and what is asked next, or how it ended."""
        snapshot = self._session.snapshot
        if not only_ask:
            for cue in snapshot.cues:
                self._tell(cue)
            self._send("state", **snapshot.view)
        if snapshot.prompt is not None:
            self._ask(snapshot.prompt, snapshot.view)
        elif snapshot.outcome is not None:
            self._over(snapshot.outcome, snapshot.view)

    def _tell(self, cue: Cue) -> None:
        """A fact: to everybody, or to the only one who may know it."""
        facts = dict(cue.facts)
        if cue.to is not None:
            fields = {**facts, "who": cue.to, "event": cue.name, "text": self._words.text(cue)}
            self._send("secret", **fields)
            return
        if cue.name == "why":
            facts = {"of": facts["of"]}
        self._send(
            "tell",
            **{
                **facts,
                "event": cue.name,
                "text": self._words.text(cue),
                "speech": self._words.speech(cue),
                "cue": self._words.sound(cue),
                "clause": cue.clause,
            },
        )

    def _ask(self, prompt: Prompt, view: Any) -> None:
        self._id += 1
        fields: dict[str, Any] = {
            "id": self._id,
            "who": prompt.who,
            "question": prompt.name,
            "choices": [
                {"value": value, "label": self._words.label(prompt.name, value, view)}
                for value in choices(prompt)
            ],
            "text": self._words.question(prompt, view),
            "private": prompt.private,
        }
        if isinstance(prompt, Spell):
            fields |= {"free": True, "pattern": f"^.{{1,{prompt.longest}}}$"}
        self._send("ask", **fields)

    def _over(self, outcome: Outcome, view: Any) -> None:
        seed = self._session.setup.chance.seed
        self._send("over", winners=list(outcome.winners), state=dict(view), seed=seed)
