"""Tests of Probe over the text protocol: a player receives no words of other players."""

from __future__ import annotations

import io
import json
import random
import re

import pytest

from companion.door.stdio import StdioGame
from companion.play.session import Session
from companion.record.journal import Journal
from companion_testing.lines import ProtocolLineChecks
from companion_testing.protocol import RefereedBotGame, random_bot
from tests.helpers import session_words
from tests.talks import begin


@pytest.mark.long
def test_a_recorded_game_tells_each_player_the_own_words_alone() -> None:
    journal = Journal(None)
    options = {"words": "secret", "deck": "virtual", "remember": "no"}
    session = begin("probe", options, journal=journal)
    for word in ("PROBE", "FLAP", "RACK"):
        session.answer(word, 0)
        session.commit()
    again = Session.resume(journal, session.number, session.game_setup, 0)
    table = RefereedBotGame(random_bot(random.Random(1))).run(again)
    secrets = [message for message in table.referee.seen if message["type"] == "secret"]
    assert [(m["who"], m["words"]) for m in secrets] == [
        ("Ann", {"Ann": "PROBE"}), ("Bob", {"Bob": "FLAP"}), ("Cy", {"Cy": "RACK"}),
    ]  # fmt: skip


def test_pr5_more_points_are_taken_of_an_own_card_than_are_offered_and_the_question_says_so() -> (
    None
):
    options = {"words": "racks", "deck": "own", "remember": "no"}
    session, sink = begin("probe", options), io.StringIO()
    given = (8, 8, 8, "another", "points", 7)
    lines = "".join(json.dumps({"answer": value}) + "\n" for value in given)
    StdioGame(
        session, session_words(session, "en"), source=io.BytesIO(lines.encode()), sink=sink,
        wall=lambda: 0, version="1",
    ).run()  # fmt: skip
    said = [json.loads(line) for line in sink.getvalue().splitlines()]
    (asked,) = [line for line in said if line.get("question") == "card_points"]
    ProtocolLineChecks("probe").check_line(asked)
    assert (asked["free"], len(asked["choices"])) == (True, 41)
    assert re.fullmatch(asked["pattern"], "-7")
    assert [line["points"] for line in said if line.get("event") == "scored"] == [7]
