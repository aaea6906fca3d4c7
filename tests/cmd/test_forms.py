"""Tests of forms and confirmations over standard input and output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO, StringIO
from typing import Any

from companion.core.errors import Refused
from companion.door.answer_steps import NO_CONFIRMATIONS, Confirmations
from companion.door.lines import Message
from companion.door.stdio import StdioGame
from companion.draw.face import load_face
from tests.helpers import words_for
from tests.talks import begin

LISTED = {"PROBE", "FLAP", "MANOEUVRE"}
SECRET = {"words": "secret", "deck": "virtual", "remember": "no", "opens": "owner"}
SPELT = ({"answer": "PROBE"}, {"answer": "FLAP"}, {"answer": "MANOEUVRE"})


def unlisted(word: str) -> tuple[str, ...]:
    """Return () if `word` is in LISTED, else the names of the searched word lists."""
    if word == "FLORIDA":
        raise Refused("word_name")
    return () if word in LISTED else ("american-english",)


def replies(
    *lines: Message, confirm: bool = False, spelt: Sequence[Message] = SPELT
) -> list[list[Message]]:
    """Return the replies to each line in a game of Probe, after the lines `spelt`."""
    sink, told = StringIO(), []

    class Lines(BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            told.append(sink.getvalue())
            return super().readline(size)

    source = Lines(b"".join(json.dumps(line).encode() + b"\n" for line in (*spelt, *lines)))
    StdioGame(
        begin("probe", SECRET),
        words_for("probe", "en"),
        source=source,
        sink=sink,
        wall=lambda: 0,
        version="1",
        confirmations=Confirmations(load_face("probe").should_confirm_answer, unlisted)
        if confirm
        else NO_CONFIRMATIONS,
    ).run()
    pairs = zip(told[len(spelt) :], told[len(spelt) + 1 :], strict=False)
    return [[json.loads(line) for line in now[len(then) :].splitlines()] for then, now in pairs]


def test_a_form_is_asked_part_by_part_until_it_is_whole() -> None:
    (who,), (points,), corrected = replies({"fill": "correct"}, {"answer": "Bob"}, {"answer": 50})
    assert (who["form"], who["given"], who["back"]) == ("correct", {}, None)
    assert (points["given"], points["back"]) == ({"who": "Bob"}, {})
    assert [message.get("event") for message in corrected[:2]] == ["corrected", "scored"]


def test_a_form_that_is_given_whole_is_carried_out() -> None:
    (corrected,) = replies({"fill": "correct", "given": {"who": "Bob", "points": 50}})
    assert corrected[0]["event"] == "corrected"


def test_a_part_that_is_not_offered_is_refused_and_asked_on() -> None:
    _, (error,), (points,) = replies({"fill": "correct"}, {"answer": "Zoe"}, {"answer": "Bob"})
    assert error["type"] == "error"
    assert points["given"] == {"who": "Bob"}


def test_a_form_that_does_not_exist_or_is_no_form_is_one_error() -> None:
    lines: list[Any] = [{"fill": "cheat"}, {"fill": 1}, {"fill": "correct", "given": []}]
    for said in replies(*lines):
        assert [message["type"] for message in said] == ["error"]


def test_are_you_sure_is_asked_only_of_a_program_that_confirms() -> None:
    leaves = {"fill": "leaves", "given": {"leaves": "Ann"}}
    (left,) = replies(leaves)
    assert "left" in [message.get("event") for message in left]
    (sure,), no, (again,), yes = replies(
        leaves, {"answer": "no"}, leaves, {"answer": "yes"}, confirm=True
    )
    assert (sure["sure"], sure["choices"][0]["value"]) == (True, "no")
    assert sure["of"] == {"question": "leaves", "value": "Ann"}
    assert "left" not in [message.get("event") for message in no]
    assert again["sure"]
    assert "left" in [message.get("event") for message in yes]


def test_a_word_in_no_list_is_asked_about_if_the_program_confirms() -> None:
    lines: list[Message] = [{"answer": "FLOP"}, {"answer": "no"}, {"answer": "FLOP"}]
    (sure,), (again,), _, kept = replies(*lines, {"answer": "yes"}, confirm=True, spelt=())
    assert (sure["sure"], sure["lists"]) == (True, ["american-english"])
    assert sure["of"] == {"question": "word", "value": "FLOP"}
    assert again["question"] == "word"
    assert kept[0]["event"] == "word_stands"
    (name,) = replies({"answer": "FLORIDA"}, confirm=True, spelt=())
    assert [(line["type"], line["code"]) for line in name] == [("error", "word_name")]
    (plain,) = replies({"answer": "FLOP"}, spelt=())
    assert plain[0]["event"] == "word_stands"
