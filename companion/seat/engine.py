"""Engines: programs by other authors that each play one seat.

An engine can stop reading, write half a line, or leave processes behind. Every wait therefore has a
deadline. All processes of an engine form one process group, which is killed when the engine is
closed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.core.errors import TranslatedError
from companion.door.client import Disconnected
from companion.door.lines import Message, message_as_protocol_line
from companion.seat.seat_program import MAX_REFUSED

ANSWER_TIMEOUT_SECONDS: Final = 30.0
"""Seconds within which an engine must read and answer a line."""
EXIT_TIMEOUT_SECONDS: Final = 0.5
"""Seconds from the end of an engine's input until the box kills the engine's processes."""
MAX_LINE_BYTES: Final = 1 << 20
"""Maximum length in bytes of a line from an engine."""
CHUNK_BYTES: Final = 1 << 16
ENGINE_OUTPUT_LINE_TYPES: Final = frozenset({"answer", "interrupt"})
"""Types of the lines that an engine is allowed to write.

"answer" is an answer to a question, "interrupt" is an out-of-turn answer.
"""
INTERRUPT_KEY: Final = b'"interrupt"'
HANGUP_EVENT: Final = getattr(select, "POLLRDHUP", 0)
"""Poll event for a peer that closed its end of the socket; 0 if the system has no such event."""


class SeatEngineError(TranslatedError):
    """The error that an engine cannot start, ends early, is silent, or writes an invalid line."""

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(f"engine.{reason}", **fields)


class SeatEngine:
    """The process of the engine at `path`, which runs `PATH GAME --seat NAME --seed HEX`.

    - `clock`: a function that returns monotonic time in seconds.
    - `stays` is True if the engine continues after the line `over`, because players can still undo;
      False if the engine ends with the game.
    - `door`: the file descriptor of the connection to the box, or None if no box is connected.
      Every wait stops when the box closes this connection.
    - `patience`: seconds after which an engine without a reply is treated as hanging.
    - `grace`: seconds from the end of the engine's input until the engine's processes are killed.

    Raise SeatEngineError if the program cannot be started.
    """

    def __init__(
        self,
        path: Path,
        game: str,
        player: str,
        seed: str,
        *,
        clock: Callable[[], float],
        stays: bool = False,
        door: int | None = None,
        patience: float = ANSWER_TIMEOUT_SECONDS,
        grace: float = EXIT_TIMEOUT_SECONDS,
    ) -> None:
        self._path, self._player, self._stays, self._door = path, player, stays, door
        self._patience, self._grace, self._clock = patience, grace, clock
        self._question: object = None
        self._refused = 0
        self._came = bytearray()
        program = str(path.absolute())  # an absolute path stops Popen from searching PATH
        command = [program, game, "--seat", player, "--seed", seed.encode().hex()]
        try:
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(  # noqa: S603 - the owner of the box chose the program
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
            )
        except OSError as error:
            raise SeatEngineError("no_program", path=path, why=error) from error
        os.set_blocking(_pipe(self._process.stdin), False)

    def process_and_answer_line(self, message: Message) -> Message | None:
        """Write a message to the engine, and return the engine's answer.

        If the message is a question, wait for an answer and return this answer. The engine can give
        an out-of-turn answer (`{"interrupt": ...}`) instead. If the message is not a question, do
        not wait. Return an out-of-turn answer that the engine has already written, or else None.

        Raise SeatEngineError if the engine does not read or answer in time. Raise Disconnected if
        the box at `door` closed the connection.
        """
        if self._process is None:
            return None
        until = self._clock() + self._patience
        self._write(self._process, message_as_protocol_line(message).encode(), until)
        if message["type"] == "over" and not self._stays:
            self.close()
        if not self._expects_answer(message):
            return self._unasked()
        while (line := self._line()) is None:
            self._wait(self._process, until)
        return self._answer(line, until)

    def close(self) -> None:
        """Close the engine's input, and kill its process group after `grace` seconds.

        A second call of `close` does nothing.
        """
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            _file(process.stdin).close()
        _await_end(process, self._clock() + self._grace, self._clock)
        # kill the group: its leader is not reaped yet, so the process ID is still valid
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        _file(process.stdout).close()

    def _expects_answer(self, message: Message) -> bool:
        if message["type"] == "ask":
            is_own = message["who"] == self._player
            self._question, self._refused = message.get("id") if is_own else None, 0
            return bool(is_own)
        if message["type"] != "error" or self._question is None:
            return False
        self._refused += 1
        if self._refused > MAX_REFUSED + 1:
            raise SeatEngineError("refused", path=self._path, n=self._refused)
        return True

    def _write(self, process: subprocess.Popen[bytes], data: bytes, until: float) -> None:
        """Write all bytes and read the engine's output meanwhile, so that no process blocks."""
        while data:
            try:
                data = data[os.write(_pipe(process.stdin), data) :]
            except BlockingIOError:
                self._wait(process, until, writes=True)
            except BrokenPipeError as error:
                raise SeatEngineError("ended", path=self._path) from error

    def _wait(
        self, process: subprocess.Popen[bytes], until: float, *, writes: bool = False
    ) -> None:
        """Wait until the engine's output has bytes, and store these bytes.

        `writes`: if True, also stop waiting when the engine can read more input.
        """
        poll = select.poll()
        poll.register(_pipe(process.stdout), select.POLLIN)
        if writes:
            poll.register(_pipe(process.stdin), select.POLLOUT)
        if self._door is not None:
            poll.register(self._door, HANGUP_EVENT)
        left = until - self._clock()
        ready = [number for number, _ in poll.poll(left * 1000)] if left > 0 else []
        if not ready:
            raise SeatEngineError("silent", path=self._path, n=round(self._patience))
        if self._door in ready:
            raise Disconnected("the box has gone")
        if _pipe(process.stdout) not in ready:
            return
        data = os.read(_pipe(process.stdout), CHUNK_BYTES)
        if not data:
            raise SeatEngineError("ended", path=self._path)
        self._came += data
        if len(self._came) > MAX_LINE_BYTES:
            raise SeatEngineError("no_answer", path=self._path)

    def _line(self) -> bytes | None:
        end = self._came.find(b"\n") + 1
        line = bytes(self._came[:end])
        del self._came[:end]
        return line or None

    def _unasked(self) -> Message | None:
        """Return the engine's next line if it is an out-of-turn answer, else None."""
        if self._process is None:
            return None
        output = _pipe(self._process.stdout)
        poll = select.poll()
        poll.register(output, select.POLLIN)
        if poll.poll(0):
            self._came += os.read(output, CHUNK_BYTES)
        if INTERRUPT_KEY not in self._came[: self._came.find(b"\n") + 1]:
            return None
        line = self._line()
        assert line is not None
        return self._parsed(line)

    def _answer(self, line: bytes, until: float) -> Message:
        """Return the engine's answer to the pending question.

        Skip late answers to earlier questions.
        """
        while True:
            answer = self._parsed(line)
            if answer.get("id", self._question) == self._question:
                return answer
            while (following := self._line()) is None:
                assert self._process is not None
                self._wait(self._process, until)
            line = following

    def _parsed(self, line: bytes) -> Message:
        try:
            answer: Any = strict_json.parse_json(line)
        except InvalidJson as error:
            raise SeatEngineError("no_answer", path=self._path) from error
        if not isinstance(answer, dict) or not answer.keys() & ENGINE_OUTPUT_LINE_TYPES:
            raise SeatEngineError("no_answer", path=self._path)
        return answer


def _file(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # this assertion narrows the type for the type checker
    return pipe


def _pipe(pipe: IO[bytes] | None) -> int:
    return _file(pipe).fileno()


def _await_end(process: subprocess.Popen[bytes], until: float, clock: Callable[[], float]) -> None:
    """Wait until the time `until` (s), or until all the engine's processes close the output."""
    poll = select.poll()
    poll.register(_pipe(process.stdout), select.POLLIN)
    while (left := until - clock()) > 0 and poll.poll(left * 1000):
        if not os.read(_pipe(process.stdout), CHUNK_BYTES):
            return
