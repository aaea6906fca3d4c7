"""What the text protocol says of one game, as data: what each of its messages may be.

A game has it in its `chapter.py`, as `CHAPTER`; a game without one is held to what holds of all.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from companion.catalog import clauses, registry
from companion.core.errors import CompanionError
from companion.core.prompts import THROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    class Said(Protocol):
        """A row of a game's table of facts, as far as a chapter reads it."""

        @property
        def says(self) -> Mapping[str, Check] | None:
            """The fields of the fact; None for a way in which another row's fact is told."""


Message: TypeAlias = dict[str, Any]
Check: TypeAlias = "Callable[[Any], bool]"
"""Whether a value is as it must be; one that raises Fault says what is not."""


class Fault(CompanionError, ValueError):
    """Something was said that docs/protocol.md does not allow."""


def need(ok: bool, what: str) -> None:  # noqa: FBT001 - as `assert` has it
    """Raises Fault unless it is so."""
    if not ok:
        raise Fault(what)


# --- what a value is ------------------------------------------------------------------------------


def text(value: Any) -> bool:
    """Anything that can be read, on one line of a table."""
    return type(value) is str and bool(value.strip()) and "|" not in value


def spoken(value: Any) -> bool:
    """As `text`, but it may be empty."""
    return type(value) is str and "|" not in value


def whole(value: Any) -> bool:
    """A whole number."""
    return type(value) is int


def truth(value: Any) -> bool:
    """True or false."""
    return type(value) is bool


def a_list(of: Check) -> Check:
    """A list of such values."""
    return lambda value: type(value) is list and all(map(of, value))


def a_dict(of: Check) -> Check:
    """Such values by name."""
    return lambda value: (
        type(value) is dict and all(map(text, value)) and all(map(of, [*value.values()]))
    )


def maybe(of: Check) -> Check:
    """Such a value, or null."""
    return lambda value: value is None or of(value)


def one_of(*values: Any) -> Check:
    """One of these values, of the same type."""
    return lambda value: any(type(value) is type(v) and value == v for v in values)


def fields(**checks: Check) -> Check:
    """Exactly these fields, each as it must be."""

    def check(value: Any) -> bool:
        if type(value) is not dict:
            raise Fault(f"{value!r} has no fields")
        if others := value.keys() ^ checks.keys():
            raise Fault(f"fields too many or missing: {', '.join(sorted(others))}")
        for name, of in checks.items():
            if not of(value[name]):
                raise Fault(f"{name} is {value[name]!r}")
        return True

    return check


def named(kind: str, /, **checks: Check) -> Check:
    """A message of this type with exactly these fields."""
    return fields(type=one_of(kind), **checks)


def short(value: Any) -> bool:
    """A number or a name: what most questions are answered with."""
    return whole(value) or text(value)


def formed(value: Any) -> bool:
    """As `short`, or what was said out of turn, in several answers."""
    return short(value) or type(value) is dict


# --- what docs/protocol.md says -------------------------------------------------------------------


@cache
def _numbers(game: str) -> frozenset[str]:
    return frozenset(clause.number for part in clauses.read(game) for clause in part.clauses)


def _row(value: Any) -> bool:
    return spoken(value) or a_dict(spoken)(value)


WORDED: Final[Mapping[str, Check]] = {
    "facts": a_list(a_dict(_row)),
    "named": a_dict(text),
    "secrets": truth,
}
"""What every state says in words."""
ENTERED: Final = ("number", "spell", "at_once", "look")
"""How an answer is entered; `companion.door.messages` alone says it."""


class Chapter(NamedTuple):
    """What docs/protocol.md says of one game, and how random programs play it.

    `facts` is the game's table of facts; `questions` and `state` map names to what their answers
    and fields must be. `rare` are events that random games do not come to, `more` are fields of the
    state that are there with some options only, `extra` are fields of some questions. `back` is
    what an answer that was taken back may be, and `unsaid` are events that may have no sentence.
    `ends` is what is true of the last message. `seats` are the numbers of players with whom
    restless games are played.
    """

    game: str
    tables: tuple[Mapping[str, str], ...]
    state: Mapping[str, Check]
    facts: Mapping[str, Said]
    questions: Mapping[str, Check]
    to_the_table: tuple[str, ...]
    ends: Callable[[Message], bool]
    secret: Check = lambda _: False
    rare: frozenset[str] = frozenset()
    more: Mapping[str, Check] = {}
    extra: Mapping[str, Mapping[str, Check]] = {}
    back: Check = short
    unsaid: frozenset[str] = frozenset()
    seats: tuple[int, ...] = (2, 4)

    @property
    def clauses(self) -> frozenset[str]:
        """The numbers of the game's clauses. Raises UnknownGame."""
        return _numbers(self.game)

    @property
    def events(self) -> Mapping[str, Mapping[str, Check]]:
        """The fields of each of the game's facts."""
        return {name: fact.says for name, fact in self.facts.items() if fact.says is not None}

    @property
    def all_events(self) -> Mapping[str, Mapping[str, Check]]:
        """The game's own, and those of every game."""
        back = {"who": maybe(text), "question": text, "value": self.back}
        shared: dict[str, Mapping[str, Check]] = {
            "undone": {**back, "agreed": truth, "left": whole},
            "redone": back,
            "why": {"of": maybe(text)},
        }
        return {**self.events, **shared}

    def check(self, message: Message) -> bool:
        """Whether a message is what the chapter says, field by field. Raises Fault or KeyError."""
        checks: Mapping[str, Check] = {
            "hello": _is_hello,
            "tell": self._is_tell,
            "ask": self._is_ask,
            "secret": self.secret,
            "state": lambda state: named("state", **self._state(state))(state),
            "error": named("error", message=text),
            "over": self._is_over,
            "offers": named("offers", forms=a_list(fields(form=text, text=text))),
        }
        return checks[message["type"]](message)

    def _state(self, state: Message) -> Mapping[str, Check]:
        more = {name: of for name, of in self.more.items() if name in state}
        return {**WORDED, **self.state, **more}

    def _is_over(self, message: Message) -> bool:
        state = fields(**self._state(message["state"]))
        return named("over", winners=a_list(text), state=state, seed=text, scores=a_dict(whole))(
            message
        )

    def _is_tell(self, message: Message) -> bool:
        event = message["event"]
        return named(
            "tell", event=text, text=spoken if event in self.unsaid else text, speech=spoken,
            cue=maybe(text), clause=maybe(self.clauses.__contains__), sentence=spoken,
            ruling=maybe(text), **self.all_events[event],
        )(message)  # fmt: skip

    def _is_ask(self, message: Message) -> bool:
        question = message["question"]
        questions = {THROW: one_of(THROW), **self.questions}
        choice = fields(value=questions[question], label=text)
        shown = {name: value for name, value in message.items() if name not in ENTERED}
        named(
            "ask", id=whole, who=maybe(text), question=text, text=text, private=truth,
            sentence=text, ok=text, likely=maybe(whole),
            choices=a_list(choice), **{THROW: {"roll": text}, **self.extra}.get(question, {}),
        )(shown)  # fmt: skip
        need(
            (message["who"] is None) == (question in self.to_the_table), f"{question} is another's"
        )
        return True


_is_hello: Final = named(
    "hello", protocol=one_of(1), version=text, game=text, players=a_list(text),
    options=a_dict(text), edition=a_dict(whole), printed=lambda value: type(value) is dict,
    lang=text, title=text, settings=a_list(fields(name=text, value=text, text=text)),
    commitment=lambda value: re.fullmatch("[0-9a-f]{64}", value) is not None,
)  # fmt: skip


def chapter(game: str) -> Chapter | None:
    """What a game's `chapter.py` says; None if it has none. Raises UnknownGame."""
    module = registry.part(game, "chapter")
    found: Chapter | None = module.CHAPTER if module else None
    return found
