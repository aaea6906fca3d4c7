"""The text protocol as docs/protocol.md has it: what a message may be, chapter by chapter."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import companion
from companion.games.registry import NAMES as NAMES_OF_GAMES
from companion.games.testing.protocol import Conversation, Referee

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.games.testing.protocol import Bot, Message

Check: TypeAlias = "Callable[[Any], bool]"

ROOT: Final = Path(companion.__file__).parents[1]

# --- what a value is ------------------------------------------------------------------------------


def text(value: Any) -> bool:
    return type(value) is str and bool(value.strip()) and "|" not in value


def spoken(value: Any) -> bool:
    return type(value) is str and "|" not in value


def whole(value: Any) -> bool:
    return type(value) is int


def truth(value: Any) -> bool:
    return type(value) is bool


def a_list(of: Check) -> Check:
    return lambda value: type(value) is list and all(map(of, value))


def a_dict(of: Check) -> Check:
    return lambda value: (
        type(value) is dict and all(map(text, value)) and all(map(of, [*value.values()]))
    )


def maybe(of: Check) -> Check:
    return lambda value: value is None or of(value)


def one_of(*values: Any) -> Check:
    return lambda value: any(type(value) is type(v) and value == v for v in values)


def fields(**checks: Check) -> Check:
    """Exactly these fields, each as it must be."""

    def check(value: Any) -> bool:
        assert type(value) is dict
        assert value.keys() == checks.keys(), value.keys() ^ checks.keys()
        for name, of in checks.items():
            assert of(value[name]), (name, value[name])
        return True

    return check


def named(kind: str, /, **checks: Check) -> Check:
    return fields(type=one_of(kind), **checks)


def short(value: Any) -> bool:
    """A number or a name: what most questions are answered with."""
    return whole(value) or text(value)


# --- what docs/protocol.md says -------------------------------------------------------------------


class Chapter(NamedTuple):
    """What docs/protocol.md says of one game, and how random programs play it.

    `events`, `questions` and `state` map names to what their facts, answers and fields must be.
    `rare` are events that random games do not come to, `more` are fields of the state that are
    there with some options only, `extra` are fields of some questions. `back` is what an answer
    that was taken back may be, and `unsaid` are events that may have no sentence. `ends` is what is
    true of the last message. `seats` are the numbers of players with whom restless games are
    played.
    """

    game: str
    clauses: frozenset[str]
    tables: tuple[Mapping[str, str], ...]
    state: Mapping[str, Check]
    events: Mapping[str, Mapping[str, Check]]
    questions: Mapping[str, Check]
    to_the_table: tuple[str, ...]
    ends: Callable[[Message], bool]
    secret: Check = lambda _: False
    rare: Mapping[str, set[str]] = {}
    more: Mapping[str, Check] = {}
    extra: Mapping[str, Mapping[str, Check]] = {}
    back: Check = short
    unsaid: frozenset[str] = frozenset()
    seats: tuple[int, ...] = (2, 4)

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
        """Whether a message is what the chapter says, field by field."""
        checks: Mapping[str, Check] = {
            "hello": _is_hello,
            "tell": self._is_tell,
            "ask": self._is_ask,
            "secret": self.secret,
            "state": lambda state: named("state", **self._state(state))(state),
            "error": named("error", message=text),
            "over": self._is_over,
        }
        return checks[message["type"]](message)

    def _state(self, state: Message) -> Mapping[str, Check]:
        return {**self.state, **{name: of for name, of in self.more.items() if name in state}}

    def _is_over(self, message: Message) -> bool:
        state = fields(**self._state(message["state"]))
        return named("over", winners=a_list(text), state=state, seed=text)(message)

    def _is_tell(self, message: Message) -> bool:
        event = message["event"]
        return named(
            "tell", event=text, text=spoken if event in self.unsaid else text, speech=spoken,
            cue=maybe(text), clause=maybe(self.clauses.__contains__), **self.all_events[event],
        )(message)  # fmt: skip

    def _is_ask(self, message: Message) -> bool:
        question = message["question"]
        choice = fields(value=self.questions[question], label=text)
        named(
            "ask", id=whole, who=maybe(text), question=text, text=text, private=truth,
            choices=a_list(choice), **self.extra.get(question, {}),
        )(message)  # fmt: skip
        values = [json.dumps(choice["value"]) for choice in message["choices"]]
        labels = [choice["label"] for choice in message["choices"]]
        assert len(values) > 1 or (message["private"] and values)
        assert len({*values}) == len(values)
        assert len({*labels}) == len(labels)
        assert (message["who"] is None) == (question in self.to_the_table)
        if "pattern" in message:
            assert all(re.match(message["pattern"], json.loads(value)) for value in values)
        return True


_is_hello: Final = named(
    "hello", protocol=one_of(1), version=text, game=text, players=a_list(text),
    options=a_dict(text), edition=a_dict(whole),
    commitment=lambda value: re.fullmatch("[0-9a-f]{64}", value) is not None,
)  # fmt: skip


def rows(heading: str, game: str) -> dict[str, set[str]]:
    """The table under a heading of docs/protocol.md: first cell -> the names in the second.

    Of the games' own headings those of `game`.
    """
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    chapters = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    others = {f"## {name}\n" for name in NAMES_OF_GAMES} - {f"## {game}\n"}
    text = "".join(part for part in chapters if not part.startswith(tuple(others)))
    section = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#|\Z)"
    (found,) = re.findall(section, text, re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^\| `(\w+)` \| ([^|]*)\|", found, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", cell)) for name, cell in lines}


def events(messages: Iterable[Message]) -> list[str]:
    return [message["event"] for message in messages if message["type"] == "tell"]


def seated(bot: Bot, chapter: Chapter) -> Conversation:
    """A bot over the text protocol; every message is held against the chapter."""
    return Conversation(bot, Referee(chapter.check))
