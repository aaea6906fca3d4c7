"""Tests that `companion stdio` and the box's socket respond alike to a line."""

from __future__ import annotations

import json
import random
from io import BytesIO, StringIO

from companion.door import messages
from companion.door.lines import Message
from companion.door.stdio import StdioGame
from companion.play.session import Session
from companion.play.simulate import random_answer
from tests.door.callers import kinds
from tests.door.test_remote_clients import playing
from tests.helpers import OWN_PARTS_OPTIONS, session_words
from tests.talks import begin

BARETTA = {"deck": "virtual", "dice": "companion", "wounded": "up"}


def stdio_reply(session: Session, line: Message) -> Message:
    """Return the last message that `companion stdio` sends after a line."""
    sink, source = StringIO(), BytesIO(json.dumps(line).encode() + b"\n")
    StdioGame(
        session, session_words(session, "en"), source=source, sink=sink, wall=lambda: 0, version="1"
    ).run()
    reply: Message = json.loads(sink.getvalue().splitlines()[-1])
    return reply


def test_why_explains_one_event_over_both_ways() -> None:
    house, rng = playing(OWN_PARTS_OPTIONS), random.Random(1)
    owner, explained = house.caller(owner=True), set()
    session = house.drive.session
    owner.say(watch=True)
    for _ in range(60):
        if kinds(owner.heard)[-1] == "over":
            break
        owner.answer(rng.choice(owner.asked["choices"])["value"])
        why = owner.say(why=True)[-1]
        assert stdio_reply(session, {"why": True}) == why
        explained.add(why["of"])
    assert len(explained) > 3


def test_a_look_loses_no_secret() -> None:
    session, rng = begin("baretta", BARETTA), random.Random(1)
    words = session_words(session, "en")
    for _ in range(2000):
        own = [cue for cue in session.standing.private_facts_of_all_players if cue.to == "Ann"]
        if len(own) > 1:
            break
        prompt = session.standing.pending_prompt
        assert prompt is not None
        session.answer(random_answer(prompt, rng), 0)
    look = messages.look_message(session.standing, "Ann", words)
    cards = [(secret["space"], secret["card"]) for secret in look["secrets"]]
    assert len(cards) > 1
    assert cards == [(cue.facts["space"], cue.facts["card"]) for cue in own]
    assert look["text"] == " ".join(secret["text"] for secret in look["secrets"])
