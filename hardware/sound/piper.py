"""Process that runs Piper, a speech engine with neural voices (see `SynthesisServer`).

`hardware.sound.speech` starts this process only if the user has chosen a voice of Piper. The
process serves requests with `SynthesisServer` of `engines.py`. A request contains the path of a
voice file in place of a language.

The library piper-tts has the licence GPL. For this reason, only this process imports piper-tts, and
the process and the box exchange only text and sound.

The process has a low priority, one computing thread and a memory limit. If the process uses more
than 60 MB of memory, the process ends after ten minutes without a request. The next sentence starts
the process again.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import sys
from pathlib import Path
from typing import Final

from hardware.sound.engines import EngineNotInstalledError, SpeechEngine, answer_requests_on_stdin
from hardware.sound.voices import PIPER

NICE_VALUE: Final = 10
"""Nice value of this process, which gives the box a higher priority."""
MAX_MEMORY_BYTES: Final = 768 * 2**20
"""Maximum memory of this process in bytes; a valid voice file needs less."""
MAX_IDLE_BYTES: Final = 60 * 2**20
"""Limit in bytes: an idle process that uses more memory than this limit ends."""
IDLE_AFTER_SECONDS: Final = 600.0
"""Seconds without a request after which this process counts as idle."""

PROCESS_ENVIRONMENT: Final = {
    "ORT_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Environment variables that this process sets before the import of the libraries.

Without ORT_DISABLE_TELEMETRY, the library onnxruntime (from version 1.29 on) sends a report about
every model to the library's maker, and stores an identifier of this machine in the user's cache.
The other variables limit the libraries to one computing thread.
"""


def load_piper_engine() -> SpeechEngine:
    """Import piper-tts, and return its engine.

    Raise EngineNotInstalledError if piper-tts is not installed.
    """
    try:
        from hardware.sound.piper_voices import PiperEngine  # noqa: PLC0415 - it may be missing, and is slow
    except ImportError as error:
        raise EngineNotInstalledError(str(error)) from error
    return PiperEngine()


def _memory_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def wait_for_request_until_idle(
    quiet: float = IDLE_AFTER_SECONDS, held: int = MAX_IDLE_BYTES
) -> bool:
    """Wait for the next request. Return False if the process should end.

    The process should end if no request arrives within `quiet` seconds and the process uses more
    than `held` bytes of memory.
    """
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
    if not poll.poll(quiet * 1000):
        with contextlib.suppress(OSError):  # some systems do not report memory use
            return _memory_bytes() <= held
    return True


def main() -> None:
    """Answer requests until the input ends, or until the process is idle for too long.

    The third and fourth arguments of the program replace the defaults of `quiet` and `held` in
    `wait_for_request_until_idle`.
    """
    os.environ |= PROCESS_ENVIRONMENT
    # a sandbox may forbid this call: keep the normal priority
    with contextlib.suppress(OSError):
        os.nice(NICE_VALUE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    quiet, held = (
        (float(sys.argv[3]), int(sys.argv[4]))
        if sys.argv[3:]
        else (IDLE_AFTER_SECONDS, MAX_IDLE_BYTES)
    )
    answer_requests_on_stdin(
        {PIPER: load_piper_engine}, lambda: wait_for_request_until_idle(quiet, held)
    )


if __name__ == "__main__":
    main()
