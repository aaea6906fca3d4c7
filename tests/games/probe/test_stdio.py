"""Tests of Probe over the text protocol: a player receives no words of other players."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from companion.door.stdio import StdioGame
from companion.play.session import Session
from companion.record.journal import Journal
from companion.say.dictionary import Dictionary, WordVerdict
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


def doubts(lists: Dictionary, *words: str) -> list[dict[str, Any]]:
    """Return the private messages to players while they enter their words."""
    options = {"words": "secret", "deck": "virtual", "remember": "no"}
    session, sink = begin("probe", options), io.StringIO()
    lines = "".join(json.dumps({"answer": word}) + "\n" for word in words)

    def look_up(word: str) -> WordVerdict | None:
        return lists.look_up(word, "en")

    StdioGame(
        session, session_words(session, "en"), source=io.BytesIO(lines.encode()), sink=sink,
        wall=lambda: 0, version="1", look_up=look_up,
    ).run()  # fmt: skip
    told = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [message["event"] for message in told if message["type"] == "tell"][: len(words)] == [
        "word_stands"
    ] * len(words)
    for message in told:
        ProtocolLineChecks("probe").check_line(message)
    return [message for message in told if message["type"] == "secret"]


def test_a_word_that_is_in_no_list_is_doubted_to_its_player_alone_and_stands(
    tmp_path: Path,
) -> None:
    (tmp_path / "american-english").write_text("probe\nflap\n", "utf-8")
    lists = Dictionary(tmp_path / "cache", tmp_path)
    (doubt,) = doubts(lists, "..PROBE", "QXZJV", "FLAP")
    assert (doubt["who"], doubt["words"], doubt["doubted"]) == ("Bob", {"Bob": "QXZJV"}, True)
    assert "no word list" in doubt["text"]


def test_without_a_list_no_word_is_doubted(tmp_path: Path) -> None:
    assert doubts(Dictionary(tmp_path / "cache", tmp_path), "QXZJV") == []
