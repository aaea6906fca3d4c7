"""Tests of each request of the door with random values: done, or refused to its sender alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.prompts import legal_answers
from companion.door.lines import Message
from companion.remote.verbs import BOX_REQUESTS
from tests.door.callers import Caller, House, kinds
from tests.door.test_remote_clients import PROBE, REAL, playing
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


LANGUAGES = st.sampled_from([{}, {"lang": "en"}, {"lang": "fr"}, {"lang": "xx"}])
CONFIRM = st.sampled_from([{}, {"confirm": True}, {"confirm": False}, {"confirm": 1}])
READING = st.sampled_from([
    {"watch": True}, {"watch": True, "frames": True}, {"watch": True, "after": 1}, {"join": "Ann"},
    {"join": "Ann", "code": "000000"}, {"join": "Ann", "token": "x"}, {"leave": True},
    {"join": "Bob", "token": "TOKEN"}, {"fill": "correct"}, {"undo": True}, {"state": True},
    {"look": True},
])  # fmt: skip


@given(lines=st.lists(st.tuples(st.integers(0, 3), READING, LANGUAGES, CONFIRM), max_size=8))
def test_an_answer_reaches_each_subscriber_whatever_seats_and_languages_were_asked_for(
    lines: list[tuple[int, dict[str, Any], dict[str, str], dict[str, bool]]],
) -> None:
    house = playing(REAL)
    bob, subscribed = house.phone("Bob"), set[Caller]()
    callers = house.caller(owner=True), house.phone("Ann"), bob, house.caller()
    for place, message, language, confirm in lines:
        secret = {"token": bob.token} if message.get("token") == "TOKEN" else {}
        told = callers[place].say(**{**message, **language, **confirm, **secret})
        if "watch" in message and "error" not in kinds(told):
            subscribed.add(callers[place])
        if "left" in kinds(told):
            subscribed.discard(callers[place])
        subscribed -= {each for each in callers if "removed" in map(code, each.heard)}
        before = {caller: len(caller.heard) for caller in callers}
        prompt = house.drive.session.standing.pending_prompt
        assert prompt is not None
        house.caller(owner=True).say(answer=legal_answers(prompt)[0])
        assert {each for each in callers if each.heard[before[each] :]} == subscribed


def code(message: Message) -> Any:
    return message.get("code")
