"""`companion arena` and `companion seat` as people type them, with a program of others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from companion.cmd.commands import cli
from tests.typed import ROOT

if TYPE_CHECKING:
    from click.testing import Result

ENGINE = str(ROOT / "examples" / "engine.py")


def run(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(cli, arguments, input=lines)


@pytest.mark.long
def test_the_example_plays_in_the_arena_and_beats_one_that_plays_anything() -> None:
    told = run("arena", "barney-miller", "--seats", f"{ENGINE},random", "--games", "20", "--json")
    assert told.exit_code == 0, told.output
    found = json.loads(told.output)
    assert found["games"] == 20
    assert found["low"][f"0:{ENGINE}"] > 0.5
    assert sum(found["shares"].values()) == pytest.approx(1)


def test_the_same_seed_gives_the_same_shares() -> None:
    def shares() -> object:
        told = run("arena", "barney-miller", "--seats", "greedy,random", "--games", "4", "--json")
        return json.loads(told.output)["shares"]

    assert shares() == shares()


def test_who_can_not_play_is_named() -> None:
    own = run("arena", "barney-miller", "--seats", "random,random", "--set", "deck=own")
    nobody = run("arena", "barney-miller", "--seats", "random,nobody")
    assert (own.exit_code, nobody.exit_code) == (2, 2)


def test_a_seat_answers_what_it_is_asked_and_nothing_else() -> None:
    hello = {
        "type": "hello", "protocol": 1, "game": "barney-miller", "players": ["Ann", "Bob"],
        "options": {"deck": "virtual"},
    }  # fmt: skip
    throw = {"type": "ask", "who": "Ann", "question": "throw", "choices": [{"value": "throw"}]}
    asks = ({**throw, "id": 1, "who": "Bob"}, {**throw, "id": 2}, {**throw, "id": 3, "who": None})
    lines = "\n".join(map(json.dumps, (hello, *asks)))
    told = run("seat", "barney-miller", "--seat", "Ann", "--seconds", "0", lines=lines)
    assert told.output == '{"answer": "throw", "id": 2}\n'


def test_a_seat_says_with_which_options_it_can_not_play() -> None:
    hello = {"type": "hello", "game": "barney-miller", "players": [], "options": {"deck": "own"}}
    told = run("seat", "barney-miller", "--seat", "Ann", lines=json.dumps(hello))
    assert told.exit_code == 1
