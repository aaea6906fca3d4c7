"""The text protocol: one JSON object a line, so that any program can sit at the table.

`docs/protocol.md` lists every message, question, event and state field. This face shows secrets at
once, each to its `who` alone; bots, tests, screen readers and house automation use it.
"""

from __future__ import annotations

import json
from functools import cache
from secrets import randbelow
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeGuard

from companion.core.errors import Refused
from companion.core.game import Cue, Cues, Outcome
from companion.core.prompts import Answer, Number, Prompt, Spell, choices
from companion.play.session import AGREE
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import BinaryIO

    from companion.play.session import Session
    from companion.say.dictionary import Dictionary
    from companion.say.words import Words

PROTOCOL: Final = 1
LONGEST: Final = 64 * 1024
"""The longest line that is read, in bytes."""
VERBS: Final = ("answer", "undo", "redo", "why", "interrupt", "quit")
MOST: Final = 1000
"""Choices that are listed one by one; of more numbers a sample is shown."""


class Mistake(ValueError):  # noqa: N818 - what it is
    """A line that can not be taken: the sentence `stdio.` and its code, with these facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class Stdio:
    """One game over two streams. `wall` gives seconds since 1970, `version` is for `hello`.

    `dictionary` makes the word lists when the first word is looked up; without it none is doubted.
    """

    def __init__(
        self,
        session: Session,
        words: Words,
        *,
        source: BinaryIO,
        sink: TextIO,
        wall: Callable[[], int],
        version: str,
        dictionary: Callable[[], Dictionary] | None = None,
    ) -> None:
        self._session, self._words, self._wall = session, words, wall
        self._source, self._sink, self._version = source, sink, version
        self._dictionary = dictionary and cache(dictionary)
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
            except Mistake as error:
                self._send("error", message=self._words(f"stdio.{error.code}", **error.facts))
            except JournalError as error:
                self._send("error", message=self._words(f"box.record.{error.code}"))
            except Refused as refused:
                self._send("error", message=self._words.text(_refusal(refused)))

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
            raise Mistake("too_long", n=LONGEST)
        try:
            message = json.loads(
                line.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant
            )
        except (ValueError, RecursionError):
            raise Mistake("not_json") from None
        if not isinstance(message, dict):
            raise Mistake("not_json")
        if len(message.keys() - {"id"}) != 1 or message.keys().isdisjoint(VERBS):
            raise Mistake("one_verb", verbs=", ".join(VERBS))
        if "id" in message and "answer" not in message:
            raise Mistake("stray_id")
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
                raise Mistake("say_true", verb=verb)
            if verb == "quit":
                return False
            self._do(verb)
        return True

    def _answer(self, message: dict[str, Any]) -> None:
        given = message.get("id", self._id)
        if type(given) is not int or given != self._id:
            raise Mistake("other_id", id=self._id)
        prompt = self._session.prompt
        self._session.answer(message["answer"], self._wall())
        self._commit()
        self._report(doubts=self._doubts(prompt, message["answer"]))

    def _doubts(self, prompt: Prompt | None, text: Answer) -> Cues:
        """If a word that a list should have is in none: its speller's secrets, with that flag.

        It stands all the same: the program decides whether to take it back.
        """
        if not isinstance(prompt, Spell) or not prompt.listed or self._dictionary is None:
            return ()
        verdict = self._dictionary().judge(text, self._words.language)
        if verdict is None or verdict.known:
            return ()
        own = (cue for cue in self._session.secrets if cue.to == prompt.who)
        return tuple(cue._replace(facts={**cue.facts, "doubted": True}) for cue in own)

    def _interrupt(self, value: Any) -> None:
        """A single question by its name, `{"stop": true}`; else the game's form `interrupt`."""
        single = {question.name for question in self._session.anytime} - {"interrupt"}
        match list(value.items()) if isinstance(value, dict) else []:
            case [(str(name), answer)] if name in single:
                self._session.answer(answer, self._wall(), name)
            case _:
                self._session.answer(value, self._wall(), "interrupt")
        self._commit()
        self._report()

    def _do(self, verb: str) -> None:
        if verb == "why":
            self._why()
            return
        if verb == "redo" or self._session.prompt != AGREE:  # else the table is being asked already
            getattr(self._session, verb)(self._wall())
            self._commit()
        self._report(only_ask=self._session.prompt == AGREE)

    def _why(self) -> None:
        """The last ruling; before the first there is none to explain, and that is told."""
        try:
            cue = self._session.why()
        except Refused as refused:
            cue = _refusal(refused)
        self._send("tell", of=cue.facts.get("of"), **{**self._told(cue), "event": "why"})

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

    def _report(self, *, only_ask: bool = False, doubts: Cues = ()) -> None:
        """What happened, the state, and what is asked next, or how it ended."""
        snapshot = self._session.snapshot
        if not only_ask:
            for cue in (*snapshot.cues, *doubts):
                self._tell(cue)
            self._send("state", **snapshot.view)
        if snapshot.prompt is not None:
            self._ask(snapshot.prompt, snapshot.view)
        elif snapshot.outcome is not None:
            self._over(snapshot.outcome, snapshot.view)

    def _tell(self, cue: Cue) -> None:
        """A fact: to everybody, or to the only one who may know it."""
        told = self._told(cue)
        if cue.to is None:
            self._send("tell", **{**cue.facts, **told})
        else:
            whose = {"who": cue.to, "event": told["event"], "text": told["text"]}
            self._send("secret", **{**cue.facts, **whose})

    def _told(self, cue: Cue) -> dict[str, str | None]:
        return {
            "event": cue.name,
            "text": self._words.text(cue).replace("|", " "),  # the small screen's line breaks
            "speech": self._words.speech(cue),
            "cue": self._words.sound(cue),
            "clause": cue.clause,
        }

    def _ask(self, prompt: Prompt, view: Any) -> None:
        self._id += 1
        fields: dict[str, Any] = {
            "id": self._id,
            "who": prompt.who,
            "question": prompt.name,
            "choices": [
                {"value": value, "label": self._words.label(prompt.name, value, view)}
                for value in _offered(prompt)
            ],
            "text": self._words.question(prompt, view),
            "private": prompt.private,
            **prompt.facts,
        }
        if isinstance(prompt, Spell):
            pattern = prompt.pattern or f"^.{{1,{prompt.longest}}}$"
            fields |= {"free": True, "pattern": pattern}
        elif _is_wide(prompt):
            fields |= {"free": True, "pattern": "^[0-9]+$"}
        self._send("ask", **fields)

    def _over(self, outcome: Outcome, view: Any) -> None:
        seed = self._session.setup.chance.seed
        self._send("over", winners=list(outcome.winners), state=dict(view), seed=seed)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises ValueError if a name comes twice: nobody knows which one is meant."""
    pairs = list(pairs)
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice")
    return found


def _constant(name: str) -> None:
    """Raises ValueError: NaN and the infinities are Python's, not JSON's."""
    raise ValueError(name)


def _refusal(refused: Refused) -> Cue:
    return Cue("refused", {"code": refused.code})


def _is_wide(prompt: Prompt) -> TypeGuard[Number]:
    """Whether these are too many numbers to list: a player's press, in a record of the box's."""
    return isinstance(prompt, Number) and prompt.hi - prompt.lo > MOST


def _offered(prompt: Prompt) -> Sequence[Answer]:
    """The choices that are listed; of too many numbers one, which nobody could have known."""
    if _is_wide(prompt):
        return [prompt.lo + randbelow(prompt.hi - prompt.lo + 1)]
    return choices(prompt)
