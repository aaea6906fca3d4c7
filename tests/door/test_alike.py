"""Tests that the messages about one game agree with one another."""

from __future__ import annotations

import random

from companion.door import messages
from companion.play.simulate import random_answer
from tests.helpers import session_words
from tests.talks import begin

BARETTA = {"deck": "virtual", "dice": "companion", "wounded": "up"}


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
