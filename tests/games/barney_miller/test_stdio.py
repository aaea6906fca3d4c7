"""Barney Miller over the text protocol: whose cards are told to whom."""

from __future__ import annotations

import itertools
import random
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from companion.core.chance import Chance
from companion.core.prompts import Roll, Shuffle
from tests import chapters
from tests.chapters import all_said
from tests.chapters.barney_miller import CHAPTER
from tests.protocol import Table, events, plain_bot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pytest

    from companion.core.prompts import Answer
    from companion.play.session import Session
    from tests.protocol import Bot, Message

VIRTUAL: Final = {"deck": "virtual", "die": "companion", "track": "edition"}
begin: Final = partial(chapters.begin, "barney-miller", VIRTUAL)


def test_the_clauses_of_barney_miller_are_all_cited() -> None:
    cited = {m.get("clause") for messages in all_said("barney-miller") for m in messages}
    assert cited == {None, *CHAPTER.clauses}


def hands_told(messages: Iterable[Message]) -> Iterator[tuple[str, list[int]]]:
    return ((m["who"], m["cards"]) for m in messages if m["type"] == "secret")


def test_each_hand_is_told_to_its_owner_at_deal_and_pick_up_and_holds_what_is_played_from_it() -> (
    None
):
    seen = Table(plain_bot(random.Random(8)), CHAPTER).run(begin(n=4)).referee.seen
    hands: dict[str, list[int]] = {}
    for message in seen:
        if message["type"] == "secret":
            assert not hands.get(message["who"])
            hands[message["who"]] = [*message["cards"]]
        elif message.get("event") in ("card_played", "zero_played"):
            hands[message["who"]].remove(message.get("value", 0))
        elif message.get("question") == "play_card":
            values = [choice["value"] for choice in message["choices"]]
            assert values == sorted(set(hands[message["who"]]))
        elif message.get("question") == "zero":
            assert 0 in hands[message["who"]]
    deals = events(seen).count("dealt") * 4
    assert len([*hands_told(seen)]) == deals + events(seen).count("picked_up")


def seen_by(player: str, messages: list[Message]) -> list[Message]:
    """What everybody sees, and this player's own secrets."""
    return [
        {**message, "choices": []}
        if message.get("private") and message["who"] != player
        else message
        for message in messages
        if message["type"] != "secret" or message["who"] == player
    ]


def avoiding(values: set[int], rng: random.Random) -> Bot:
    """Plays no card of these values, and undoes now and then; ends where it can not help it."""
    messages = yield {}
    for turn in itertools.count(1):
        choices = messages[-1].get("choices", ())
        free = [choice["value"] for choice in choices if choice["value"] not in values]
        if not free:
            return
        messages = yield {"answer": rng.choice(free)}
        if turn % 5 == 0 and messages[-1]["type"] == "ask":
            messages = yield {"undo": True}
            if messages[-1]["question"] == "agree_undo":
                messages = yield {"answer": rng.choice(("yes", "no"))}


def swap_in_the_deal(monkeypatch: pytest.MonkeyPatch, here: int, there: int) -> None:
    """The same shuffle but for two places of the deck."""
    straight = Chance.answer

    def swapped(self: Chance, prompt: Roll | Shuffle, position: int) -> Answer:
        order = straight(self, prompt, position)
        if isinstance(prompt, Shuffle):
            order[here], order[there] = order[there], order[here]
        return order

    monkeypatch.setattr(Chance, "answer", swapped)


def card_at(session: Session, place: int) -> Any:
    """With three players: two hands each of nine, dealt in turn; the last two are put aside."""
    state = session._line.last.state
    hands = (*state.hands, *state.seconds)
    return state.aside[place - 54] if place >= 54 else hands[place % 6][place // 6]


def compared(monkeypatch: pytest.MonkeyPatch, seed: str, here: int, there: int) -> tuple[int, bool]:
    """Play at two tables that differ in one swap: how much was alike to Ann, and was all alike."""
    cards = {card_at(begin(seed=seed), place) for place in (here, there)}
    if len(cards) == 1 or 0 in cards:
        return 0, True
    one, other = (
        Table(avoiding(cards, random.Random(0)), CHAPTER),
        Table(avoiding(cards, random.Random(0)), CHAPTER),
    )
    one.run(begin(seed=seed))
    with monkeypatch.context() as patch:
        swap_in_the_deal(patch, here, there)
        other.run(begin(seed=seed))
    known, also = (
        seen_by("Ann", [*takewhile(lambda m: not is_forced(m, cards), table.referee.seen)])
        for table in (one, other)
    )
    assert known == also
    return len(known), one.raw == other.raw


def is_forced(message: Message, cards: set[int]) -> bool:
    """The last card of a hand is played without a question: then all may see it."""
    return message.get("forced", False) and message["value"] in cards


def test_two_tables_that_differ_in_a_hidden_card_look_the_same_to_who_does_not_hold_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cards of Bob, of Cy, and of those put aside change places."""
    rng = random.Random(6)
    places = [place for place in range(56) if place >= 54 or place % 3]
    found = [compared(monkeypatch, f"{n:x}", *rng.sample(places, 2)) for n in range(60)]
    assert sum(alike > 30 for alike, _ in found) > 20
    assert sum(not all_alike for _, all_alike in found) > 20
