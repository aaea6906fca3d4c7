"""`companion arena` and `companion seat` as people type them, with a program of others."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from companion.cmd import seat as seats
from companion.cmd.commands import cli
from companion.cmd.seat import SeatProgram, engine_in, thinking_clock
from companion.core.errors import CompanionError
from companion.seat.player import LEVELS, LONGEST
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


def test_a_busy_machine_takes_little_thought_away_and_never_makes_an_answer_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def thought(seconds: float, share: float) -> tuple[float, float]:
        """Seconds by the wall and by the processor, which this thread has a share of."""
        now = 0.0
        monkeypatch.setattr(seats, "perf_counter", lambda: 100 + now)
        monkeypatch.setattr(seats, "thread_time", lambda: 7 + share * now)
        clock = thinking_clock(seconds)
        end = clock() + seconds
        while clock() < end:
            now += 0.001
        return now, share * now

    for effort in (level.effort for level in LEVELS.values()):
        if effort is not None:
            assert thought(effort.seconds, 1)[0] == pytest.approx(effort.seconds, abs=0.01)
            assert thought(effort.seconds, 0)[0] == pytest.approx(LONGEST, abs=0.01)
            assert thought(effort.seconds, 0.5)[1] > 0.6 * effort.seconds
    assert thought(LONGEST, 0.5)[0] == pytest.approx(LONGEST, abs=0.01)


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


# --- at a table -----------------------------------------------------------------------------------


def test_a_file_names_another_program_for_the_seats_of_the_box(tmp_path: Path) -> None:
    file = tmp_path / "seats.toml"
    assert engine_in(tmp_path) is None
    file.write_text(f'engine = "{ENGINE}"\n')
    assert engine_in(tmp_path) == Path(ENGINE)
    for wrong, found in (("engine = 3", "text"), ("motor = ''", "engine"), ("engine =", "1")):
        file.write_text(wrong)
        with pytest.raises(CompanionError, match=f"seats.toml.*{found}"):
            engine_in(tmp_path)


def test_a_program_that_does_not_start_or_answers_rubbish_is_told_in_one_line(
    tmp_path: Path,
) -> None:
    rubbish = tmp_path / "rubbish"
    rubbish.write_text("#!/bin/sh\necho rubbish\ncat > /dev/null\n")
    rubbish.chmod(0o700)
    ask = {"type": "ask", "who": "Ann", "id": 1, "choices": []}
    with ExitStack() as stack:
        for path, why in ((tmp_path / "none", "can not be started"), (rubbish, "has not answered")):
            with pytest.raises(CompanionError, match=why):
                SeatProgram(path, "probe", "Ann", "1", stack).take(ask)


def test_a_program_at_a_table_goes_on_when_the_end_is_taken_back() -> None:
    ask = {"type": "ask", "who": "Ann", "id": 1, "question": "throw"}
    with ExitStack() as stack:
        ann = SeatProgram(Path(ENGINE), "probe", "Ann", "1", stack, stays=True)
        assert ann.take({"type": "over"}) is None
        answer = ann.take({**ask, "choices": [{"value": "throw"}]})
    assert answer == {"answer": "throw", "id": 1}
