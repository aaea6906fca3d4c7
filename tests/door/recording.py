"""Whole games over the text protocol and over the door, as they were said, byte for byte.

    .venv/bin/python -m tests.door.recording

records them again into `transcripts/`. Look at what has changed: programs of other people read it.
"""

from __future__ import annotations

import gzip
import json
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import companion
from companion.box import phones
from companion.catalog import registry
from companion.core.prompts import LEAVES, Form, Spell, choices
from companion.door import messages
from companion.play.begin import setup as fresh
from companion.play.session import AGREE, Session
from companion.record.journal import Journal
from companion.testing.protocol import Exchange, Referee, restless_bot
from companion.testing.table import tables
from tests.door.callers import House
from tests.helpers import begun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.prompts import Answer, Prompt, Question
    from companion.play.session import Setup
    from companion.testing.table import Table
    from tests.door.callers import Caller

HERE: Final = Path(__file__).parent / "transcripts"
EXAMPLES: Final = Path(companion.__file__).parents[1] / "examples"
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
SEATS: Final = 3
GAMES: Final = (*registry.NAMES, "running-tricks")
TURNS: Final = 90
"""What happens at a door besides answers, at most."""
LONGEST: Final = 600
ENDS: Final = ("stop", LEAVES)
"""Out of turn, and not said: the game would be over before it was recorded."""
KNOWS: Final = 0.8
"""How often the number of the question stands beside its answer."""
WORDS: Final = {"en": ("DETECTIVE", "XYZZY", "no1"), "fr": ("ENQUÊTE", "XYZZY", "no1")}


@contextmanager
def example(name: str = "running-tricks") -> Iterator[None]:
    """An example of docs/a-game.md is installed; its files are those of the tree."""
    module = f"companion_{name.replace('-', '_')}"
    with TemporaryDirectory() as folder:
        info = Path(folder) / f"{module}-1.0.0.dist-info"
        info.mkdir()
        about = f"Metadata-Version: 2.1\nName: companion-{name}\nVersion: 1.0.0\n"
        (info / "METADATA").write_text(about)
        (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {module}\n")
        path = [folder, str(EXAMPLES / name)]
        sys.path[:0] = path
        registry.outside.cache_clear()
        try:
            yield
        finally:
            for place in path:
                sys.path.remove(place)
            for loaded in [each for each in sys.modules if each.startswith(module)]:
                del sys.modules[loaded]
            registry.outside.cache_clear()


def seated(game: str, rng: Random, *, own: bool) -> Setup:
    """A table of that game: with the box's own cards and words, or with the table's."""
    found = registry.find(game)
    every = [*tables(found, {})]
    kinds = ("own", "real") if own else ("virtual", "secret")

    def fits(table: Table) -> tuple[int, bool, float]:
        values = [*table.options.values()]
        return sum(v in kinds for v in values), len(table.players) == SEATS, rng.random()

    table = max(every, key=fits)
    setup = fresh(game, NAMES[: len(table.players)], table.options, None)
    return setup._replace(chance=setup.chance._replace(seed=f"{game} {own}"), mixing=False)


# --- version 1 ------------------------------------------------------------------------------------


def streams(game: str, language: str, *, own: bool) -> Iterator[str]:
    """A restless program over standard input and output."""
    rng = Random(f"{game} {language} {own}")
    session = Session.begin(Journal(None), seated(game, rng, own=own), 0)
    referee = Referee(lambda _: None)
    said = Exchange(restless_bot(rng, session), referee).run(session, language)
    yield from said.written
    yield from (f"> {line!r}\n" for line in said.lines)


# --- version 2 ------------------------------------------------------------------------------------


class Evening:
    """A box, its owner, a guest who watches and a phone for each seat; `lines` were said."""

    def __init__(self, game: str, language: str, *, own: bool) -> None:
        self.rng = Random(f"door {game} {language} {own}")
        setup = seated(game, self.rng, own=own)
        self.house = House(begun(setup), language, self._known)
        self.house.drive.resume()
        self.lines: list[str] = []
        self._read: dict[int, int] = {}
        self.owner = self.house.caller(owner=True)
        self.guest = self.house.caller()
        self.phones = {name: self.house.phone(name) for name in setup.players}
        self.asleep: dict[str, int] = {}
        for caller in (self.owner, self.guest, *self.phones.values()):
            self._keep(caller, {"watch": True})

    def _known(self, word: str, language: str) -> bool:
        return word != "XYZZY" and language in ("en", "fr")

    @property
    def session(self) -> Session:
        """The running game."""
        return self.house.drive.session

    @property
    def out_of_turn(self) -> list[Question]:
        """What may be said though nobody asked."""
        return [question for question in self.session.anytime if question.name not in ENDS]

    def _keep(self, caller: Caller, line: dict[str, Any] | bytes) -> None:
        """A line to the door, and what is told by it, once for all who are told the same."""
        if isinstance(line, bytes):
            caller.line(line)
        else:
            caller.say(**line)
        self.lines.append(f"> {caller.peer.number} {line!r}\n")
        self.heard()

    def heard(self) -> None:
        """What was told since the last time."""
        found: dict[bytes, list[int]] = {}
        for number, told in self.house.wire.told.items():
            new = b"".join(told[self._read.get(number, 0) :])
            self._read[number] = len(told)
            if new:
                found.setdefault(new, []).append(number)
        for new, whose in found.items():
            self.lines.append(f"< {whose}\n{new.decode()}")

    def play(self) -> list[str]:
        """To its end, with all that may come between; then a little further."""
        self.heard()
        for turn in range(LONGEST):
            if self.session.prompt is None:
                break
            self.turn(restless=turn < TURNS)
        for line in ({"why": True}, {"state": True}, {"undo": True}, {"redo": True}):
            self._keep(self.owner, line)
        self._keep(self.guest, {"frame": True})
        self._keep(self.owner, {"quit": True})
        return self.lines

    def turn(self, *, restless: bool) -> None:
        """One thing that happens at the table."""
        prompt, rng = self.session.prompt, self.rng
        seat = rng.choice([*self.phones])
        luck = rng.random() if restless else 1.0
        if luck < 0.25:
            self.besides(seat)
        elif luck < 0.4 and self.out_of_turn and prompt != AGREE:
            self.interrupt(seat)
        elif luck < 0.5:
            self.house.drive.press(rng.choice(("ok", "up", "down")))
            self.lines.append("> box\n")
            self.heard()
        elif prompt is not None:
            who = self.phones[prompt.who or seat]
            if isinstance(prompt, Spell) and restless:
                for word in WORDS[self.house.drive.loop.settings["language"]]:
                    self._keep(who, {"check": word})
            caller = self.owner if not prompt.private and rng.random() < 0.3 else who
            asked = next((m for m in caller.heard[::-1] if m["type"] == "ask"), None)
            number = {"id": asked["id"]} if asked and rng.random() < KNOWS else {}
            self._keep(caller, {"answer": _any(prompt, rng), **number})

    def besides(self, seat: str) -> None:
        """What is no answer, and what is refused."""
        rng, phone = self.rng, self.phones[seat]
        words = WORDS[self.house.drive.loop.settings["language"]]
        every: list[Callable[[], None]] = [
            *[lambda: self._keep(phone, {"undo": True})] * 2,
            lambda: self._keep(phone, {"redo": True}),
            lambda: self._keep(phone, {"why": True}),
            lambda: self._keep(phone, {"look": True}),
            lambda: self._keep(phone, {"state": True}),
            lambda: self._keep(phone, {"check": words[0]}),
            lambda: self._keep(phone, {"answer": "nonsense"}),
            lambda: self._keep(phone, {"answer": 1, "id": 3}),
            lambda: self._keep(self.guest, {"answer": 1}),
            lambda: self._keep(self.owner, rng.choice((b"{", b'{"undo": 1}', b'{"look": true}'))),
            lambda: self.sleep(seat),
        ]  # fmt: skip
        rng.choice(every)()

    def interrupt(self, seat: str) -> None:
        """Something out of turn."""
        question = self.rng.choice(self.out_of_turn)
        value = _spoken(question, self.rng)
        who = value.get("who")
        self._keep(self.phones[who if who in self.phones else seat], {"interrupt": value})

    def sleep(self, seat: str) -> None:
        """A phone goes, and comes back with what it has heard last."""
        old = self.phones[seat]
        numbers = [message["event_id"] for message in old.heard if "event_id" in message]
        self.asleep[seat] = last = numbers[-1] if numbers else self.asleep.get(seat, 0)
        old.go()
        new = self.phones[seat] = self.house.caller()
        new.token = old.token
        self._keep(new, {"join": seat, "token": old.token})
        self._keep(new, {"watch": True, "after": last})


def _spoken(question: Question, rng: Random) -> dict[str, Any]:
    if not isinstance(question, Form):
        return {question.name: _any(question, rng)}
    given: dict[str, Any] = {}
    while (part := question.ask(given)) is not None:
        given[part.name] = _any(part, rng)
    return given if question.name == "interrupt" else {question.name: given}


def _any(prompt: Prompt, rng: Random) -> Answer:
    return rng.choice([*choices(prompt)])


def at_the_door(game: str, language: str, *, own: bool) -> Iterator[str]:
    """An evening at a box with a door."""
    rng = Random(1)
    with ExitStack() as stack:
        tokens = patch.object(phones, "fresh_token", lambda: f"{rng.getrandbits(128):032x}")
        codes = patch.object(phones, "fresh_code", lambda now: phones.Code("AB12", now + 120))
        stack.enter_context(tokens)
        stack.enter_context(codes)
        yield from Evening(game, language, own=own).play()


# --- all of them ----------------------------------------------------------------------------------

TRANSCRIPTS: Final = {
    f"{way.__name__}-{game}-{language}": (way, game, language, own)
    for game in GAMES
    for way, own in ((streams, game != "probe"), (at_the_door, game == "kojak"))
    for language, own in (("en", own), ("fr", not own))
}
"""Each with what makes it: every game in both ways, in one language with cards of its own."""


def said(name: str) -> str:
    """What is said today."""
    way, game, language, own = TRANSCRIPTS[name]
    with example(), patch.object(messages, "randbelow", lambda n: n // 2):
        return "".join(way(game, language, own=own))


def recorded(name: str) -> str:
    """What was said when it was recorded."""
    return gzip.decompress((HERE / f"{name}.gz").read_bytes()).decode()


def main() -> None:
    """Record all of them again."""
    for name in TRANSCRIPTS:
        data = gzip.compress(said(name).encode(), 9, mtime=0)
        (HERE / f"{name}.gz").write_bytes(data)
        sys.stdout.write(f"{json.dumps(name)}: {len(data)}\n")


if __name__ == "__main__":
    main()
