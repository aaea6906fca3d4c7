"""Tests of Barney Miller over the text protocol: a player receives no cards of other players."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

import pytest

from companion.door.lines import Message
from companion_testing.lines import clause_numbers_of_game
from companion_testing.protocol import RefereedBotGame, random_bot
from tests import talks
from tests.talks import all_game_messages, events

VIRTUAL: Final = {"deck": "virtual", "die": "companion", "track": "edition"}
begin: Final = partial(talks.begin, "barney-miller", VIRTUAL)


@pytest.mark.long
def test_the_clauses_of_barney_miller_are_all_cited() -> None:
    cited = {m.get("clause") for messages in all_game_messages("barney-miller") for m in messages}
    assert cited == {None, *clause_numbers_of_game("barney-miller")} - {
        "BM-2",
        "BM-14",
        "BM-15",
    }  # clauses about pieces, untaught boards, and leaving


def hands_told(messages: Iterable[Message]) -> Iterator[tuple[str, list[int]]]:
    return ((m["who"], m["cards"]) for m in messages if m["type"] == "secret")


@pytest.mark.long
def test_each_hand_is_told_to_its_owner_at_deal_and_pick_up_and_holds_what_is_played_from_it() -> (
    None
):
    seen = RefereedBotGame(random_bot(random.Random(8))).run(begin(n=4)).referee.seen
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
            values = [choice["value"] for choice in message["choices"]]
            assert values == (["play", "pass"] if 0 in hands[message["who"]] else ["pass"])
    deals = events(seen).count("dealt") * 4
    assert len([*hands_told(seen)]) == deals + events(seen).count("picked_up")
