"""Tests of each request of the door with random values: done, or refused to its sender alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.remote.verbs import BOX_REQUESTS
from tests.door.callers import House
from tests.door.test_remote_clients import PROBE, playing
from tests.helpers import VIRTUAL_PARTS_OPTIONS

WORDS = st.sampled_from([
    "Ann", "Bob", "Zoe", "", "yes", "no", "stop", "who", "do", "game", "from", "n", "url", "name",
    "password", "title", "round", "state", "here", "goes", "http://10.0.0.7:80", "COMPANION",
    "correct", "interrupt", "roll", "throw", "1", "é" * 50, "\x00", "\x1b[2J", "{who}", "\u202e",
])  # fmt: skip
NUMBERS = st.sampled_from([0, 1, -1, 6, 2**31, 2**63, -(2**70), 10**400, 0.5, 1e300, -0.0])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.integers() | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=12,
)


def table(game: str) -> House:
    return playing(*([PROBE] if game == "probe" else [VIRTUAL_PARTS_OPTIONS]), game=game)


@pytest.mark.long
@pytest.mark.parametrize("verb", BOX_REQUESTS)
@given(data=st.data(), game=st.sampled_from(["barney-miller", "probe"]))
@settings(max_examples=5)
def test_whatever_a_verb_is_given_its_asker_is_answered_and_the_game_goes_on(
    verb: str, data: st.DataObject, game: str
) -> None:
    house = table(game)
    callers = house.caller(owner=True), house.phone("Ann"), house.caller()
    for _ in range(8):
        message: dict[str, Any] = {verb: data.draw(VALUES)}
        for name in BOX_REQUESTS[verb].fields:
            if data.draw(st.booleans()):
                message[name] = data.draw(VALUES)
        caller = data.draw(st.sampled_from(callers))
        said = caller.line(json.dumps(message).encode())
        assert "failed" not in [told.get("code") for told in said], message
        assert house.drive.loop.running_session is not None
        assert house.drive.frame
