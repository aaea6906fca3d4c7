"""A process of engines, seen from the box: a line goes to it, a header and a block come back.

It is started with the first request, and again after it has failed or ended by itself. What the two
tell each other stands in `hardware.sound.engines`.
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
"""Seconds that a process may take to end once it was killed, or has closed its output."""
_LONGEST: Final = 2000
"""Bytes of the longest text: it must fit a pipe that nobody reads."""
_HEADER: Final = 8
_PIPE: Final = 2**18
_MOST: Final = 2**23
"""Bytes of the longest answer: three minutes of speech."""
_RATES: Final = range(8_000, 48_001)
"""Samples a second that a voice can have."""
FAILED, MISSING = 0, 1
"""What an answer begins with in place of a rate: those of `engines.py`, slow to import."""


class MissingError(Exception):
    """The engine is not installed; the text says how to."""


class _DiedError(Exception):
    """The process ended, or gave no answer; the text says how."""


class EngineProcess:
    """A command, and the process that it is while there is something to say.

    `patience` is in seconds: a process that is silent for longer hangs. `part` is what its errors
    are about.
    """

    def __init__(self, command: tuple[str, ...], patience: float, part: str = "voice") -> None:
        self._command = command
        self._patience = patience
        self._part = part
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._lost = ""

    def say(self, engine: str, voice: str, speed: int, text: str) -> bytes:
        """Give a WAV of `text`; a process that failed is replaced once.

        Raises MissingError, or HardwareError if the engine does not speak.
        """
        line = f"{engine}\t{voice}\t{speed}\t{text}\n".encode(errors="replace")
        if len(line) > _LONGEST:
            raise HardwareError(f"a sentence of {len(line)} bytes is too long to say", self._part)
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                first, block = self.ask(line)
            except _DiedError as error:
                self._lost = reason = str(error)
                if self._stopped:
                    break
                continue
            if first == MISSING:
                raise MissingError(block.decode(errors="replace"))
            if first == FAILED:
                why = block.decode(errors="replace")
                raise HardwareError.of("mute", self._part, engine=engine, why=why)
            return _wav(first, block)
        facts = {"engine": engine, "n": _ATTEMPTS, "why": reason}
        raise HardwareError.of("mute_again", self._part, **facts)

    def take_exit_reason(self) -> str:
        """Give the reason for which a process ended since the last call, "" if none did."""
        lost, self._lost = self._lost, ""
        return lost

    def ask(self, line: bytes) -> tuple[int, bytes]:
        """Give the answer's first number and its block. Raises _DiedError, HardwareError."""
        process = self.start()
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

    def start(self) -> subprocess.Popen[bytes]:
        """Have the process run, and give it. Raises HardwareError."""
        if self._process is not None and self._process.poll() == 0:
            self.close()  # nobody has needed it for long: it has ended by itself
        self._process = self._process or self._start()
        return self._process

    def close(self) -> None:
        """Kill the process with its group, close its pipes and reap it; safe to call twice."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):  # the kernel holds it
                self._process.wait(_END)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None

    def stop(self) -> None:
        """Kill the process for good, from any thread; one that waits for it goes on at once."""
        self._stopped = True
        if (process := self._process) is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)

    def _read_bytes(self, process: subprocess.Popen[bytes], size: int, until: float) -> bytes:
        """Read so many bytes. Raises _DiedError if they do not come in time, or never will."""
        pipe, found = _pipe(process.stdout), bytearray()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while len(found) < size:
            if not poll.poll(max(until - time.monotonic(), 0) * 1000):
                raise _DiedError(f"it gave no answer within {self._patience:g} s")
            some = os.read(pipe, size - len(found))
            if not some:
                with contextlib.suppress(
                    subprocess.TimeoutExpired
                ):  # it has closed its output only
                    process.wait(_END)
                raise _DiedError("it ended")
            found += some
        return bytes(found)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # a fixed command; the text goes to its input
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                process_group=0,  # Ctrl-C is for the companion, which then ends this one
            )
        except OSError as error:
            raise HardwareError.of("no_voice", "voice", why=error) from error
        if sys.platform == "linux":
            with contextlib.suppress(OSError):  # a sentence goes through it at once, or in parts
                fcntl.fcntl(_pipe(process.stdout), fcntl.F_SETPIPE_SZ, _PIPE)
        return process


def _parse_header(head: bytes) -> tuple[int, int]:
    """Give an answer's first number and its size. Raises _DiedError if they cannot be."""
    first, size = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
    if first not in _RATES and first not in (FAILED, MISSING):
        raise _DiedError(f"it announced {first} samples a second")
    if size > _MOST:
        raise _DiedError(f"it announced {size} bytes")
    return first, size


def _pipe(file: IO[bytes] | None) -> int:
    """Give a pipe's number: Popen says that there is one only if asked."""
    assert file is not None  # always PIPE
    return file.fileno()


def _wav(rate: int, samples: bytes) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as wav:
        wav.setparams((1, 2, rate, 0, "NONE", ""))
        wav.writeframes(samples)
    return content.getvalue()
