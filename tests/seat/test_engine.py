"""Tests of `companion arena` and `companion seat`, with another program as an engine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import repeat
from pathlib import Path
from select import select
from time import monotonic
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import pytest
from click.testing import CliRunner

from companion.cmd import seat as seats
from companion.cmd.commands import cli
from companion.cmd.seat import RunningEngines, make_thinking_clock, read_replacement_engine_path
from companion.core.errors import CompanionError
from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.seat.engine import SeatEngine, SeatEngineError
from companion.seat.player import LEVELS, MAX_ANSWER_SECONDS
from companion.seat.seat_client import SeatAssignment, SeatClient
from tests.typed import COMPANION_COMMAND, ROOT

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


@pytest.mark.long
def test_the_same_seed_gives_the_same_shares() -> None:
    def shares() -> object:
        told = run("arena", "barney-miller", "--seats", "greedy,random", "--games", "4", "--json")
        return json.loads(told.output)["shares"]

    assert shares() == shares()


def test_a_busy_machine_takes_little_thought_away_and_never_makes_an_answer_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def thought(seconds: float, share: float) -> tuple[float, float]:
        """Return wall time and processor time (s), if the thread gets `share` of a processor."""
        now = 0.0
        monkeypatch.setattr(seats, "perf_counter", lambda: 100 + now)
        monkeypatch.setattr(seats, "thread_time", lambda: 7 + share * now)
        clock = make_thinking_clock(seconds)
        end = clock() + seconds
        while clock() < end:
            now += 0.001
        return now, share * now

    for effort in (level.effort for level in LEVELS.values()):
        if effort is not None:
            assert thought(effort.seconds, 1)[0] == pytest.approx(effort.seconds, abs=0.01)
            assert thought(effort.seconds, 0)[0] == pytest.approx(MAX_ANSWER_SECONDS, abs=0.01)
            assert thought(effort.seconds, 0.5)[1] > 0.6 * effort.seconds
    assert thought(MAX_ANSWER_SECONDS, 0.5)[0] == pytest.approx(MAX_ANSWER_SECONDS, abs=0.01)


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
    assert read_replacement_engine_path(tmp_path) is None
    file.write_text(f'engine = "{ENGINE}"\n')
    assert read_replacement_engine_path(tmp_path) == Path(ENGINE)
    file.write_text('engine = "engines/engine.py"\n')
    assert read_replacement_engine_path(tmp_path) == tmp_path / "engines" / "engine.py"
    for wrong, found in (("engine = 3", "text"), ("motor = ''", "engine"), ("engine =", "1")):
        file.write_text(wrong)
        with pytest.raises(CompanionError, match=f"seats.toml.*{found}"):
            read_replacement_engine_path(tmp_path)


ASK: Final = {"type": "ask", "who": "Ann", "id": 2, "choices": []}


def program(folder: Path, script: str) -> Path:
    """Write an engine as a shell script."""
    file = folder / "engine"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o700)
    return file


@contextmanager
def playing(path: Path, **named: Any) -> Iterator[SeatEngine]:
    with closing(
        SeatEngine(path, "probe", "Ann", "1", clock=monotonic, grace=0.01, **named)
    ) as engine:
        yield engine


def fails(path: Path, message: Message, why: str, patience: float = 0.05) -> None:
    """Check that the engine fails at `message` with an error that matches `why`."""
    many = repeat(message, 10_000)  # a pipe accepts lines until its reader has ended
    with playing(path, patience=patience) as engine, pytest.raises(SeatEngineError, match=why):
        deque(map(engine.process_and_answer_line, many))


@contextmanager
def ends(pid: int) -> Iterator[None]:
    """Check that the process ends in the block, or up to five seconds later."""
    process = os.pidfd_open(pid)
    try:
        yield
        assert select([process], (), (), 5)[0], f"{pid} still runs"
    finally:
        os.close(process)


def test_an_engine_that_does_not_start_or_ends_or_writes_rubbish_is_named(tmp_path: Path) -> None:
    state = {"type": "state"}
    for script, message, why in (
        ("echo rubbish; cat", ASK, "no_answer"),
        ('echo "[1]"; cat', ASK, "no_answer"),
        ("exit 3", ASK, "ended"),
        ("exec <&-; sleep 9", state, "ended"),
    ):
        fails(program(tmp_path, script), message, why, patience=9)
    with pytest.raises(SeatEngineError, match="no_program"):
        SeatEngine(tmp_path / "none", "probe", "Ann", "1", clock=monotonic)


def test_an_engine_that_is_silent_or_stops_in_a_line_has_a_deadline(tmp_path: Path) -> None:
    for script in ("cat >/dev/null", "printf '{\"answer\": '; cat >/dev/null", "sleep 9"):
        fails(program(tmp_path, script), ASK, "silent")


def test_an_engine_that_reads_nothing_has_a_deadline(tmp_path: Path) -> None:
    state = {"type": "state", "much": "x" * (1 << 20)}  # more than a pipe holds
    fails(program(tmp_path, "sleep 9"), state, "silent")


def test_an_engine_that_writes_old_answers_for_ever_has_a_deadline(tmp_path: Path) -> None:
    old = """while echo '{"answer": 1, "id": 1}'; do :; done"""
    fails(program(tmp_path, old), ASK, "silent|no_answer")


def test_an_answer_to_an_earlier_question_is_skipped(tmp_path: Path) -> None:
    script = """read ask; echo '{"answer": 1, "id": 1}'; echo '{"answer": 2, "id": 2}'; cat"""
    with playing(program(tmp_path, script)) as engine:
        assert engine.process_and_answer_line(ASK) == {"answer": 2, "id": 2}


def test_an_engine_is_waited_for_only_while_the_box_is_there(tmp_path: Path) -> None:
    ours, box = socket.socketpair()
    with ours, playing(program(tmp_path, "cat >/dev/null"), door=ours.fileno()) as engine:
        box.close()
        with pytest.raises(Disconnected):
            engine.process_and_answer_line(ASK)


def test_an_engine_that_does_not_end_with_its_input_is_killed_with_its_children(
    tmp_path: Path,
) -> None:
    pids = """sleep 99 & echo "{\\"answer\\": [$$, $!]}"; while :; do wait; done"""
    with playing(program(tmp_path, pids)) as engine:
        answer = engine.process_and_answer_line(ASK)
        assert answer is not None
        leader, child = answer["answer"]
        with ends(leader), ends(child):
            engine.close()


def test_an_engine_in_the_arena_ends_with_its_game(tmp_path: Path) -> None:
    with playing(program(tmp_path, """echo "{\\"answer\\": $$}"; cat""")) as engine:
        answer = engine.process_and_answer_line(ASK)
        assert answer is not None
        with ends(answer["answer"]):
            engine.process_and_answer_line({"type": "over"})


@pytest.mark.long
def test_a_signal_that_ends_the_command_ends_its_engines(tmp_path: Path) -> None:
    engine = program(tmp_path, f"read line; echo $$ >{tmp_path}/pipe; cat >/dev/null; sleep 99")
    os.mkfifo(tmp_path / "pipe")
    command = [*COMPANION_COMMAND, "arena", "barney-miller", "--seats", f"{engine},random"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as arena:
        pid = int((tmp_path / "pipe").read_text())
        with ends(pid):
            arena.terminate()


def test_a_signal_while_an_engine_starts_ends_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupted_popen(*given: Any, **named: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*given, **named))
        signal.raise_signal(signal.SIGTERM)
        return started[-1]

    popen, before = subprocess.Popen, signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(subprocess, "Popen", interrupted_popen)
    with pytest.raises(SystemExit), RunningEngines() as engines:
        engines.start_engine(program(tmp_path, "cat"), "probe", "Ann", "1", grace=0.01)
    assert started[0].returncode is not None
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_engine_without_a_folder_is_not_looked_up_in_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, """read ask; echo '{"answer": 7}'; cat""")
    monkeypatch.chdir(tmp_path)
    with playing(Path("./engine")) as engine:
        assert engine.process_and_answer_line(ASK) == {"answer": 7}


def test_an_engine_may_call_instead_of_an_answer_or_unasked(tmp_path: Path) -> None:
    call = {"interrupt": {"who": "Ann", "whom": "Bob", "rack": "Bob", "guess": "PROBE"}}
    line = json.dumps(call)
    script = f"""read ask; printf '%s\\n%s\\n' '{line}' '{line}'; cat"""  # both calls in one write
    with playing(program(tmp_path, script)) as engine:
        assert engine.process_and_answer_line(ASK) == call
        assert engine.process_and_answer_line({"type": "state"}) == call
        assert engine.process_and_answer_line({"type": "state"}) is None


@pytest.mark.long
def test_an_engine_at_a_table_goes_on_when_the_end_is_taken_back() -> None:
    ask = {"type": "ask", "who": "Ann", "id": 1, "question": "throw"}
    with playing(Path(ENGINE), stays=True) as ann:
        assert ann.process_and_answer_line({"type": "over"}) is None
        answer = ann.process_and_answer_line({**ask, "choices": [{"value": "throw"}]})
    assert answer == {"answer": "throw", "id": 1}


# --- at the door of a box -------------------------------------------------------------------------


class Chair:
    """A fake engine that records the types of its messages."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_open = True

    def process_and_answer_line(self, message: Message) -> Message | None:
        self.lines.append(message["type"])
        return None

    def close(self) -> None:
        self.is_open = False


def sat_down(*lines: Message) -> list[Chair]:
    """Let a seat follow these messages of a box. Return every chair that the seat made."""
    chairs: list[Chair] = []

    def make(game: str, place: SeatAssignment, door: int) -> Chair:
        del game, place, door
        chairs.append(Chair())
        return chairs[-1]

    client: Any = SimpleNamespace(
        receive_messages=lambda: lines, fileno=lambda: 0, send=lambda _: None
    )
    SeatClient(client, SeatAssignment("Ann", "token", "friend"), make).answer_received_lines()
    return chairs


HELLO: Final = {"type": "hello", "game": "probe"}
JOINED: Final = {"type": "joined", "seat": "Ann", "token": "token"}


def test_a_seat_starts_its_engine_once_for_one_game() -> None:
    (chair,) = sat_down(HELLO, JOINED, HELLO, {"type": "state"})
    assert chair.lines == ["hello", "state"]


def test_a_seat_ends_the_engine_of_the_game_before() -> None:
    first, second = sat_down(JOINED, HELLO, HELLO)
    assert (first.is_open, second.is_open) == (False, True)
    (only,) = sat_down(JOINED, HELLO, {"type": "hello", "game": None})
    assert not only.is_open


def test_a_seat_whose_token_is_refused_goes_instead_of_being_silent() -> None:
    with pytest.raises(Disconnected):
        sat_down(HELLO, {"type": "error", "code": "wrong_token", "message": ""})
