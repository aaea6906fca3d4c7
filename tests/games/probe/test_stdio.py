"""Probe over the text protocol: whose words are told to whom."""

from __future__ import annotations

import random

from companion.games.testing.protocol import plain_bot
from companion.play.session import Session
from companion.record.journal import Journal
from tests.chapters import CHAPTERS, begin, seated


def test_a_recorded_game_tells_each_player_the_own_words_alone() -> None:
    journal = Journal(None)
    options = {"words": "secret", "deck": "virtual", "remember": "no"}
    session = begin("probe", options, journal=journal)
    for word in ("PROBE", "FLAP", "RACK"):
        session.answer(word, 0)
        session.commit()
    again = Session.resume(journal, session.number, session.setup, 0)
    table = seated(plain_bot(random.Random(1)), CHAPTERS["probe"]).run(again)
    secrets = [message for message in table.referee.seen if message["type"] == "secret"]
    assert [(m["who"], m["words"]) for m in secrets] == [
        ("Ann", {"Ann": "PROBE"}), ("Bob", {"Bob": "FLAP"}), ("Cy", {"Cy": "RACK"}),
    ]  # fmt: skip
