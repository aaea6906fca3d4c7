"""Tests of forms in the text protocol: a program gets the whole form, a phone gets each step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.chance import Chance
from companion.door.lines import Message
from companion.play.answer_history import GameSetup
from tests.cups import GAME, install
from tests.door.callers import Caller, House
from tests.helpers import begin_game
from tests.installed import PackageShop, shop


@pytest.fixture(autouse=True)
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    for found in shop(tmp_path / "site"):
        install(found)
        yield found


def playing(*answers: object) -> House:
    """Return a box after `answers`, or at the first bid after all players have thrown."""
    setup = GameSetup(GAME, ("Ann", "Bob"), {}, {}, Chance("5eed"), mixing=False)
    house = House(begin_game(setup, answers or ("throw", "throw")))
    house.drive.resume()
    return house


def test_an_act_is_said_on_the_button_of_a_phone() -> None:
    answers = ("throw", "throw", {"count": 1, "face": 7}, {"count": 3, "face": 9}, "no", "no")
    house = playing(*answers)
    asked = ask(phone(house, confirm=True).heard)
    assert (asked["question"], asked["ok"]) == ("lift", "lift it")


def phone(house: House, **said: Any) -> Caller:
    caller = house.phone("Ann")
    caller.say(watch=True, **said)
    return caller


def ask(messages: list[Message]) -> Message:
    return next(message for message in messages[::-1] if message["type"] == "ask")


def bids(house: House) -> Any:
    return house.drive.session.standing.snapshot.view["bids"]


def test_a_program_without_confirmations_gives_a_whole_answer_among_the_choices() -> None:
    house = playing()
    caller = phone(house)
    asked = ask(caller.heard)
    assert (asked["question"], asked["text"], asked["private"]) == ("bid", "Ann: bid", False)
    assert asked["choices"][0] == {"value": {"count": 1, "face": 1}, "label": "1 times 1"}
    assert len(asked["choices"]) == 4 * 10
    assert "form" not in asked
    caller.say(answer={"count": 2, "face": 3}, id=asked["id"])
    assert bids(house) == [[2, 3]]


def test_a_phone_is_asked_part_by_part_and_the_last_part_completes_the_answer() -> None:
    house = playing()
    caller = phone(house, confirm=True)
    first = ask(caller.heard)
    assert (first["form"], first["given"], first["back"]) == ("bid", {}, None)
    assert (first["question"], first["look"]) == ("count", True)
    then = ask(caller.say(answer=2, id=first["id"]))
    assert (then["question"], then["given"], then["back"]) == ("face", {"count": 2}, {})
    assert bids(house) == []
    caller.say(answer=9, id=then["id"])
    assert bids(house) == [[2, 9]]


def test_a_phone_goes_back_by_fill_and_may_give_a_whole_answer_too() -> None:
    house = playing()
    caller = phone(house, confirm=True)
    first = ask(caller.heard)
    then = ask(caller.say(answer=2, id=first["id"]))
    again = ask(caller.say(fill="bid", given=then["back"]))
    assert (again["id"], again["question"]) == (first["id"], "count")
    assert ask(caller.say(fill="bid", given={"count": 3}))["question"] == "face"
    caller.say(answer={"count": 1, "face": 2}, id=first["id"])
    assert bids(house) == [[1, 2]]


def test_the_rest_of_a_form_is_late_once_another_face_has_answered_it() -> None:
    house = playing()
    caller = phone(house, confirm=True)
    then = ask(caller.say(answer=2, id=ask(caller.heard)["id"]))
    house.drive.choose(1)
    house.drive.choose(1)
    (error,) = caller.say(answer=9, id=then["id"])
    assert error["code"] == "late"
    assert bids(house) == [[1, 1]]


def test_only_who_is_asked_fills_the_form_that_stands() -> None:
    house = playing()
    caller = house.phone("Bob")
    caller.say(watch=True, confirm=True)
    (error,) = caller.say(fill="bid", given={"count": 2})
    assert error["code"] == "not_yours"
    (error,) = caller.say(answer=2, id=ask(caller.heard)["id"])
    assert error["code"] == "not_yours"


def test_a_part_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    house = playing()
    caller = phone(house, confirm=True)
    first = ask(caller.heard)
    for wrong in (0, 5, {"count": 2}, {"count": 2, "face": 3, "odd": 1}, {"count": 9, "face": 3}):
        replied = caller.say(answer=wrong, id=first["id"])
        assert bids(house) == []
        assert replied[-1]["type"] in ("error", "ask")
