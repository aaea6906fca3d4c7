"""Baretta over the text protocol: who is told of a card, and how it sounds."""

from __future__ import annotations

import itertools

from tests.chapters import all_said, said
from tests.chapters.baretta import TABLES


def test_what_a_player_puts_down_is_told_to_that_player_alone_and_only_by_the_box() -> None:
    for n, at in itertools.product((2, 4), range(len(TABLES))):
        messages = said("baretta", n, at, restless=False)
        virtual = TABLES[at]["deck"] == "virtual"
        placed = [m for m in messages if m.get("event") == "placed"]
        secrets = [m for m in placed if m["type"] == "secret"]
        public = [m for m in placed if m["type"] == "tell"]
        assert not any("card" in message for message in public)
        pairs = [(m["who"], m["space"]) for m in public]
        assert [(m["who"], m["space"]) for m in secrets] == (pairs if virtual else [])


def test_a_sound_is_told_with_every_kind_of_card() -> None:
    sounds: dict[str, set[str]] = {}
    for message in itertools.chain.from_iterable(all_said("baretta")):
        if message.get("event") == "turned":
            sounds.setdefault(message["card"].partition(":")[0], set()).add(message["cue"])
    assert len(sounds) == 7
    assert all(len(names) == 1 for names in sounds.values())
    assert len(set.union(*sounds.values())) == 7
