"""Client of a process that runs speech engines. The client sends text and receives sound samples.

The first request starts the process. If the process has failed or ended, a later request starts the
process again. `hardware.sound.engines` describes the protocol.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import subprocess
import sys
import time
import wave
from typing import IO, Final

from hardware.ports import HardwareError

if sys.platform == "linux":
    import fcntl

_ATTEMPTS: Final = 2
_END: Final = 1.0
"""Maximum number of seconds to wait for the killed process to end."""
_MAX_TEXT_LENGTH: Final = 2000
"""Maximum size of a request in bytes.

A pipe to the process must be able to store the whole request, because the process may be busy.
"""
_HEADER: Final = 8
_PIPE: Final = 2**18
_MAX_ANSWER_BYTES: Final = 2**23
"""Maximum size of an answer in bytes: three minutes of speech."""
_RATES: Final = range(8_000, 48_001)
"""Valid sample rates of a voice in hertz."""
FAILED_CODE, MISSING_CODE = 0, 1
"""Codes in the header of an answer, in place of a sample rate.

FAILED_CODE means that the engine failed. MISSING_CODE means that the engine is not installed. The
module `engines.py` defines the same codes. This module does not import `engines.py`, because the
import is slow.
"""


class EngineMissingError(Exception):
    """The speech engine is not installed; the message states how to install the engine."""


class _DiedError(Exception):
    """The engine process has ended or does not answer. The message states the reason."""


class SpeechEngineClient:
    """Client of a process with speech engines. The first request starts the process.

    - `command`: the command that starts the process.
    - `patience`: the number of seconds without an answer after which the process counts as hanging.
    - `part`: the attribute `part` of each HardwareError that the methods raise.
    """

    def __init__(self, command: tuple[str, ...], patience: float, part: str = "voice") -> None:
        self._command = command
        self._patience = patience
        self._part = part
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._lost = ""

    def synthesise_wav(self, engine: str, voice: str, speed: int, text: str) -> bytes:
        """Return a WAV file in which `voice` of `engine` speaks `text` at `speed` words a minute.

        If the process fails, start a new process and try once more. Raise EngineMissingError if the
        engine is not installed, and HardwareError if the engine does not speak.
        """
        line = f"{engine}\t{voice}\t{speed}\t{text}\n".encode(errors="replace")
        if len(line) > _MAX_TEXT_LENGTH:
            raise HardwareError(f"a sentence of {len(line)} bytes is too long to say", self._part)
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                first, block = self.send_request_and_receive_answer(line)
            except _DiedError as error:
                self._lost = reason = str(error)
                if self._stopped:
                    break
                continue
            if first == MISSING_CODE:
                raise EngineMissingError(block.decode(errors="replace"))
            if first == FAILED_CODE:
                why = block.decode(errors="replace")
                raise HardwareError.from_reason("mute", self._part, engine=engine, why=why)
            return _wav(first, block)
        facts = {"engine": engine, "n": _ATTEMPTS, "why": reason}
        raise HardwareError.from_reason("mute_again", self._part, **facts)

    def take_exit_reason(self) -> str:
        """If the process has failed since the last call, return the reason, otherwise ""."""
        lost, self._lost = self._lost, ""
        return lost

    def send_request_and_receive_answer(self, line: bytes) -> tuple[int, bytes]:
        """Send the request `line` to the process; return the answer's first number and block.

        The first number is a sample rate or a code.

        Raise _DiedError if the process ends or does not answer. Raise HardwareError if the process
        cannot start.
        """
        process = self.start_unless_running()
        until = time.monotonic() + self._patience
        try:
            os.write(_pipe(process.stdin), line)
            head = self._read_bytes(process, _HEADER, until)
            first, size = _parse_header(head)
            return first, self._read_bytes(process, size, until)
        except (_DiedError, OSError) as error:
            status = process.poll()
            self.close()
            ended = status is not None or isinstance(error, BrokenPipeError)
            raise _DiedError(f"it ended with status {status}" if ended else str(error)) from None

    def start_unless_running(self) -> subprocess.Popen[bytes]:
        """Start the process unless it is running, and return the process.

        Raise HardwareError if the process cannot start.
        """
        if self._process is not None and self._process.poll() == 0:
            self.close()  # exit status 0: the idle process ended by itself
        self._process = self._process or self._start()
        return self._process

    def close(self) -> None:
        """Kill the process and its child processes, and close its pipes; safe to call twice."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with contextlib.suppress(
                subprocess.TimeoutExpired
            ):  # ignore a process that does not end in time
                self._process.wait(_END)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None

    def kill_for_good(self) -> None:
        """Kill the process, and never start another process. Any thread may call this method.

        A thread that waits for an answer of the process continues at once.
        """
        self._stopped = True
        if (process := self._process) is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)

    def _read_bytes(self, process: subprocess.Popen[bytes], size: int, until: float) -> bytes:
        """Return the next `size` bytes of the process's output.

        Raise _DiedError if the bytes do not arrive before the monotonic time `until` (s), or if the
        process closes its output.
        """
        pipe, content = _pipe(process.stdout), bytearray()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while len(content) < size:
            if not poll.poll(max(until - time.monotonic(), 0) * 1000):
                raise _DiedError(f"it gave no answer within {self._patience:g} s")
            some = os.read(pipe, size - len(content))
            if not some:
                with contextlib.suppress(
                    subprocess.TimeoutExpired
                ):  # ignore a process that still runs without output
                    process.wait(_END)
                raise _DiedError("it ended")
            content += some
        return bytes(content)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # safe: the command contains no text to speak
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                process_group=0,  # Ctrl-C does not end the process: Companion ends it
            )
        except OSError as error:
            raise HardwareError.from_reason("no_voice", "voice", why=error) from error
        if sys.platform == "linux":
            with contextlib.suppress(OSError):  # on error, the default pipe size is enough
                fcntl.fcntl(_pipe(process.stdout), fcntl.F_SETPIPE_SZ, _PIPE)
        return process


def _parse_header(head: bytes) -> tuple[int, int]:
    """Return the first number of an answer, and the size of the answer's block in bytes.

    Raise _DiedError if a number is out of range.
    """
    first, size = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
    if first not in _RATES and first not in (FAILED_CODE, MISSING_CODE):
        raise _DiedError(f"it announced {first} samples a second")
    if size > _MAX_ANSWER_BYTES:
        raise _DiedError(f"it announced {size} bytes")
    return first, size


def _pipe(file: IO[bytes] | None) -> int:
    assert file is not None  # for type checkers: Popen types every pipe as optional
    return file.fileno()


def _wav(rate: int, samples: bytes) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as wav:
        wav.setparams((1, 2, rate, 0, "NONE", ""))
        wav.writeframes(samples)
    return content.getvalue()
