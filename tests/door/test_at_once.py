"""Tests of simultaneous questions: phones answer in any order, and the order stays secret."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from companion.door.lines import Message
from companion.menus.commands import GiveAnswer
from tests.door.callers import Caller, House
from tests.door.test_worded import PROBE, last, only, playing, watching

WORDS = {"Ann": "PROBE", "Bob": "FLAP", "Cy": "MANOEUVRE"}


def secret_words(house: House) -> dict[str, str]:
    """Return the secret words that the game has accepted."""
    session = house.drive.session
    return {
        who: word
        for who in WORDS
        for word in session.standing.view_with_player_secrets(who)["words"].values()
    }


def written(house: House) -> list[tuple[object, ...]]:
    """Return the recorded answers."""
    entries = house.drive.journal.read_game_header_and_lines(house.drive.session.number)[1]
    return [(e.kind, e.question, e.who, e.value, e.at) for e in entries if e.kind == "answer"]


def told(caller: Caller) -> list[Message]:
    """Return all received messages without their numbers."""
    return [
        {name: fact for name, fact in message.items() if name not in ("event_id", "id")}
        for message in caller.heard
    ]


def played(order: Sequence[str]) -> tuple[House, Caller]:
    """Return a game after three phones answered in an order, and a watching television."""
    house = playing("probe", PROBE)
    phones = {who: watching(house, who) for who in WORDS}
    television = watching(house)
    for who in order:
        phones[who].answer(WORDS[who])
    return house, television


def test_all_phones_are_asked_the_question_of_their_own_at_the_same_time() -> None:
    house = playing("probe", PROBE)
    for who in WORDS:
        asked = last(watching(house, who), "ask")
        assert (asked["who"], asked["question"], asked["at_once"]) == (who, "word", True)
        assert "spell" in asked
    others = last(watching(house), "ask")
    assert (others["who"], others["hidden"]) == ("Ann", True)


@pytest.mark.long
def test_the_record_and_all_that_is_told_are_the_same_whoever_is_first() -> None:
    found = [played(order) for order in permutations(WORDS)]
    lines = [(written(house), told(television)) for house, television in found]
    assert [line for line in lines if line != lines[0]] == []
    assert [who for _, _, who, *_ in lines[0][0]] == [*WORDS]
    assert secret_words(found[0][0]) == WORDS


@pytest.mark.sampled(1)
@pytest.mark.parametrize("first", ["Ann", "Bob", "Cy"])
def test_what_one_has_answered_is_told_to_that_phone_alone_until_all_have(first: str) -> None:
    house = playing("probe", PROBE)
    phones = {who: watching(house, who) for who in WORDS}
    television = watching(house)
    heard = {who: len(caller.heard) for who, caller in phones.items()} | {"": len(television.heard)}
    mine = only(phones[first].answer(WORDS[first]))
    assert (mine["kept"], mine["hidden"], mine["choices"]) == (True, True, [])
    assert WORDS[first] not in str(mine)
    others = {who: caller for who, caller in phones.items() if who != first} | {"": television}
    assert all(len(caller.heard) == heard[who] for who, caller in others.items())
    assert secret_words(house) == {}
    assert written(house) == []
    again = only(phones[first].say(answer="OTHER", id=mine["id"]))
    assert again["code"] == "late"


def test_who_has_no_phone_is_asked_at_the_box_and_the_phones_before_and_after_it_wait() -> None:
    house = playing("probe", PROBE)
    ann, cy = watching(house, "Ann"), watching(house, "Cy")
    ann.answer(WORDS["Ann"])
    assert secret_words(house) == {}, "no word counts before Cy answers"
    cy.answer(WORDS["Cy"])
    assert secret_words(house) == {"Ann": "PROBE"}
    assert house.drive.table.pending_game_question is not None
    assert house.drive.table.pending_game_question.who == "Bob"
    house.drive.loop._runner.execute_commands(GiveAnswer(WORDS["Bob"]))
    house.drive.loop._settle(pressed=True)
    assert secret_words(house) == WORDS


def test_a_phone_that_goes_away_is_waited_for_no_more() -> None:
    house = playing("probe", PROBE)
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    ann.answer(WORDS["Ann"])
    assert secret_words(house) == {}
    bob.go()
    assert secret_words(house) == {"Ann": "PROBE"}


def test_a_question_that_is_asked_at_once_keeps_its_number_while_others_answer() -> None:
    house = playing("probe", PROBE)
    bob = watching(house, "Bob")
    number = bob.asked["id"]
    house.drive.loop._runner.execute_commands(GiveAnswer(WORDS["Ann"]))
    assert bob.asked["id"] == number
    bob.say(answer=WORDS["Bob"], id=number)
    assert secret_words(house) == {"Ann": "PROBE", "Bob": "FLAP"}


def test_another_game_asks_everybody_anew() -> None:
    house = playing("probe", PROBE)
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    ann.answer(WORDS["Ann"])
    house.drive.services.games.leave_game()
    house.drive.resume()
    assert "kept" not in last(ann, "ask")
    bob.answer(WORDS["Bob"])
    assert secret_words(house) == {}
