"""Tests of secrets: each connection receives only what its seat may know, byte by byte.

SECRECY: number of games of each kind (default: 3).
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.core.prompts import (
    INTERRUPT_FORM,
    LEAVING_PLAYER_QUESTION,
    Answer,
    Choose,
    Form,
    Prompt,
    Question,
    Shuffle,
    Spell,
    is_legal_answer,
    legal_answers,
)
from companion.door.lines import Message
from companion.door.private_questions import CHOICE_FIELDS
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT, Standing
from companion_testing.table import tables_of_all_option_combinations
from tests.door.callers import Caller, House, kinds
from tests.helpers import begin_game, long_lane_params, printed_edition, setup_for

GAMES: Final = int(os.environ.get("SECRECY", "3"))
FEW, STEPS = 40, 60
"""Numbers of steps of a game: in the quick tests, and in the long tests."""
LEAVING: Final = 0.302
"""Upper limit of `luck` for a leaving player: rare, because leaving ends a game of two."""
PLACES: Final = [
    *((game, 0, True, FEW) for game in registry.BUILT_IN_GAMES),
    *long_lane_params(
        (game, n, worded, STEPS)
        for game in registry.BUILT_IN_GAMES
        for n in range(GAMES)
        for worded in (False, True)
    ),
]
LANGUAGES: Final = ("en", "fr")
"""The languages of worded lines, assigned to the seats in turn."""


class Party:
    """A box, a phone for each seat, and a program that watches all frames.

    `worded`: True if the phones ask for sentences in their languages and fill forms step by step.
    """

    def __init__(self, game: str, seed: int, *, worded: bool) -> None:
        rng = random.Random(f"{game} {seed}")
        table = rng.choice(
            [*tables_of_all_option_combinations(registry.find_game(game), printed_edition(game))]
        )
        names = ("Ann", "Bob", "Cy", "Di")[: len(table.players)]
        setup = setup_for(table.options, game=game, players=names, seed=f"{seed}")
        self.house = House(begin_game(setup))
        self.house.drive.resume()
        self.phones = {name: self.house.phone(name) for name in names}
        self.everybody = self.house.caller()
        self.worded = worded
        langs = dict(zip(names, LANGUAGES * 2, strict=False))
        self.lang = {name: {"lang": langs[name]} if self.worded else {} for name in names}
        for name, caller in self.phones.items():
            caller.say(watch=True, **self.lang[name])
        self.everybody.say(watch=True, frames=True, **({"confirm": True} if self.worded else {}))
        self.gone: list[tuple[str | None, bytes]] = []
        self.last: dict[str, int] = {}

    @property
    def session(self) -> Session:
        return self.house.drive.session

    def told(self) -> dict[str | None, bytes]:
        """Return all bytes that each seat and the public received, without tokens."""
        found: dict[str | None, bytes] = {}
        for seat, raw in (*self.gone, *((who, c.raw) for who, c in self._now())):
            found[seat] = found.get(seat, b"") + raw
        tokens = [caller.token.encode() for caller in self.phones.values()]
        for token in tokens:
            found = {seat: raw.replace(token, b"") for seat, raw in found.items()}
        return found

    def _now(self) -> Iterator[tuple[str | None, Caller]]:
        yield None, self.everybody
        yield from self.phones.items()

    def public(self) -> Any:
        """Return the public data of the game, without the door."""
        snapshot, prompt = self.session.standing.snapshot, self.session.standing.pending_prompt
        asked = prompt and (
            prompt.name,
            prompt.who,
            () if prompt.private else [*legal_answers(prompt)],
        )
        cues = [cue for cue in snapshot.cues if cue.to is None]
        return asked, cues, snapshot.view, snapshot.outcome

    def come_back(self, seat: str) -> None:
        """Disconnect a seat's phone, and reconnect it with the last number that it received."""
        old = self.phones[seat]
        numbers = [message["event_id"] for message in old.heard if "event_id" in message]
        self.last[seat] = last = numbers[-1] if numbers else self.last[seat]
        self.gone.append((seat, old.raw))
        old.go()
        new = self.house.caller()
        new.token = old.token
        new.say(join=seat, token=old.token)
        new.say(watch=True, after=last, **self.lang[seat])
        self.phones[seat] = new

    def look_at_the_box(self) -> None:
        """Let the active player hold OK at the box to look at a secret."""
        self.house.drive.skip()
        self.house.drive.down("ok")
        self.house.drive.wait(0.7)
        self.house.drive.up("ok")

    def does(self, what: str, seat: str, value: Answer) -> None:
        phone = self.phones[seat]
        match what:
            case "answer":
                self.mean(phone, phone.say(answer=value))
            case "undo" | "redo" | "look" | "why":
                phone.say(**{what: True})
            case "sleep":
                self.come_back(seat)
            case "box":
                self.look_at_the_box()
            case "interrupt" if self.worded:
                self.fill(phone, value)
            case "interrupt":
                phone.say(interrupt=value)

    def fill(self, phone: Caller, value: Answer) -> None:
        """Fill a form out of turn: first without its last answer, then with all answers."""
        name, given = next(iter(value.items()))
        if name == "who":
            name, given = INTERRUPT_FORM, value
        given = given if isinstance(given, dict) else {name: given}
        phone.say(fill=name, given=dict([*given.items()][:-1]))
        self.mean(phone, phone.say(fill=name, given=given))

    def mean(self, phone: Caller, told: list[Message]) -> None:
        """If the box asks for a confirmation, answer yes."""
        if told and told[-1].get("sure"):
            phone.say(answer="yes", id=told[-1]["id"])


def chosen(party: Party, rng: random.Random) -> tuple[str, str, Answer]:
    """Return a random next step, its player, and its value."""
    session, names = party.session, [*party.phones]
    prompt, seat, luck = session.standing.pending_prompt, rng.choice(names), rng.random()
    if luck < 0.3 or prompt is None:
        what = rng.choice(["undo", "undo", "redo", "look", "why", "sleep", "box"])
        if what == "box" and (prompt is None or not prompt.private):
            what = "look"
        return what, seat, None
    said = [
        one
        for one in session.standing.out_of_turn_questions
        if one.name != LEAVING_PLAYER_QUESTION or luck < LEAVING
    ]
    if luck < 0.36 and said and prompt != UNDO_AGREEMENT:
        return "interrupt", *spoken(session, rng.choice(said), seat, rng)
    return "answer", prompt.who or seat, any_answer(prompt, rng)


def spoken(
    session: Session, question: Question, seat: str, rng: random.Random
) -> tuple[str, Answer]:
    """Return a random answer to a question out of turn, and its player."""
    if question.name == LEAVING_PLAYER_QUESTION:
        return seat, {LEAVING_PLAYER_QUESTION: seat}
    if not isinstance(question, Form):
        return seat, {question.name: any_answer(question, rng)}
    given: dict[str, Any] = {}
    while (part := question.ask(given)) is not None:
        given[part.name] = any_answer(part, rng)
    who = given["who"] if given.get("who") in session.game_setup.players else seat
    return who, given if question.name == "interrupt" else {question.name: given}


def any_answer(prompt: Prompt, rng: random.Random) -> Answer:
    return rng.choice([*legal_answers(prompt)])


PUBLIC: Final = ("hello", "state", "tell", "ask", "over", "offers", "frame", "error")
"""Types of lines without secrets."""


def is_for(message: Message, seat: str | None) -> bool:
    """Return True if a seat may receive this message, by the fields of the message."""
    if message["type"] in ("secret", "joined"):
        return message.get("who", message.get("seat")) == seat
    if message["type"] == "ask" and message["private"] and message["who"] != seat:
        return message["choices"] == [] and not message.keys() & {*CHOICE_FIELDS}
    return message["type"] in PUBLIC


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("game", "seed", "worded", "steps"), PLACES)
def test_no_connection_is_told_a_secret_or_choices_of_another_seat(
    game: str, seed: int, steps: int, *, worded: bool
) -> None:
    party, rng = Party(game, seed, worded=worded), random.Random(seed)
    for _ in range(steps):
        party.does(*chosen(party, rng))
    for seat, raw in party.told().items():
        messages = [json.loads(line) for line in raw.splitlines()]
        assert all(is_for(message, seat) for message in messages), (seat, kinds(messages))


# --- twins ---------------------------------------------------------------------------------------


@contextmanager
def other_cards(monkeypatch: pytest.MonkeyPatch, nth: int, rng: random.Random) -> Iterator[None]:
    """Swap two random places of shuffle `nth`."""
    drawn, left = Standing.box_answer_from_seed, [nth]

    def swapped(standing: Standing) -> Answer:
        value, prompt = drawn(standing), standing.question_of_rules
        if isinstance(prompt, Shuffle) and prompt.n > 1:
            left[0] -= 1
            if left[0] == -1:
                one, two = rng.sample(range(prompt.n), 2)
                value = [*value]
                value[one], value[two] = value[two], value[one]
        return value

    with monkeypatch.context() as patch:
        patch.setattr(Standing, "box_answer_from_seed", swapped)
        yield


def another(prompt: Prompt, value: Answer, rng: random.Random) -> Answer:
    """Return another answer to a question with secret answers, or `value` if there is none."""
    match prompt:
        case Spell():
            at = rng.randrange(len(value))
            word = f"{value[:at]}{rng.choice('AEIOU')}{value[at + 1 :]}"
            return word if is_legal_answer(prompt, word) else value
        case Choose(options=options):
            return rng.choice(options)
        case _:
            return value


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed", "worded", "steps"), PLACES)
def test_who_may_not_know_of_it_is_told_the_same_in_both_of_two_games(
    game: str, seed: int, steps: int, monkeypatch: pytest.MonkeyPatch, *, worded: bool
) -> None:
    """Two games differ in a secret. Only seats that know the secret may see a difference."""
    rng = random.Random(f"twins {game} {seed}")
    one = Party(game, seed, worded=worded)
    with other_cards(monkeypatch, rng.randrange(2), rng):
        two = Party(game, seed, worded=worded)
    knows: set[str | None] = set()
    covert = one.session.game_setup.game.covert
    for _ in range(steps):
        for name in one.phones:
            if secrets(one.session, name) != secrets(two.session, name):
                knows.add(name)
        if one.public() != two.public():
            return
        same(one, two, knows)
        what, seat, value = chosen(one, rng)
        other, prompt = value, one.session.standing.pending_prompt
        if what == "answer" and prompt is not None and prompt.name in covert:
            other = another(prompt, value, rng)
            if other != value:
                knows.add(seat)
        one.does(what, seat, value)
        two.does(what, seat, other)
        if (
            one.session.standing.snapshot.position != two.session.standing.snapshot.position
        ):  # another secret may make an answer illegal
            return


def secrets(session: Session, name: str) -> Any:
    """Return the data that only player `name` may know."""
    prompt = session.standing.pending_prompt
    own = prompt if prompt is not None and prompt.private and prompt.who == name else None
    return (
        [cue for cue in session.standing.private_facts_of_all_players if cue.to == name],
        session.standing.view_with_player_secrets(name),
        own,
    )


def same(one: Party, two: Party, knows: set[str | None]) -> None:
    """Check that seats that do not know the secret received equal bytes in both games."""
    ours, theirs = one.told(), two.told()
    for seat in ours:
        if seat not in knows:
            assert ours[seat] == theirs[seat], seat
