"""Piper, an engine like those of `engines.py` with neural voices, in a process of its own.

`hardware.sound.speech` runs this module, and only if such a voice is chosen. A request has a voice
file in place of a language. piper-tts is under the GPL: only this process imports it, and only text
and sound pass between this process and the box.

The process has a low priority, computes on one thread, and has a memory limit. After ten minutes
without a request it ends if it uses more than 60 MB; the next sentence starts it again.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import sys
from pathlib import Path
from typing import Final

from hardware.sound.engines import NoEngineError, SpeechEngine, serve_requests
from hardware.sound.voices import PIPER

NICE_VALUE: Final = 10
"""The nice value of this process: the box has priority."""
MAX_MEMORY_BYTES: Final = 768 * 2**20
"""The maximum memory of the process in bytes; a file that needs more is no voice."""
MAX_IDLE_BYTES: Final = 60 * 2**20
"""The memory in bytes above which an idle process ends."""
IDLE_AFTER_SECONDS: Final = 600.0
"""The time in seconds without a request after which the process is idle."""

PROCESS_ENVIRONMENT: Final = {
    "ORT_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Variables that are set before the libraries are imported. From 1.29 on onnxruntime would report
every model to its maker over the network, and store an identifier of this machine and a database in
its user's cache.
"""


def load_engine() -> SpeechEngine:
    """Import piper-tts, and return its engine. Raise NoEngineError."""
    try:
        from hardware.sound.piper_voices import PiperEngine  # noqa: PLC0415 - it may be missing, and is slow
    except ImportError as error:
        raise NoEngineError(str(error)) from error
    return PiperEngine()


def _memory_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def is_needed(quiet: float = IDLE_AFTER_SECONDS, held: int = MAX_IDLE_BYTES) -> bool:
    """Wait for a line.

    Return False if none came for `quiet` seconds and more than `held` bytes are used.
    """
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
    if not poll.poll(quiet * 1000):
        with contextlib.suppress(OSError):  # the system may not report it
            return _memory_bytes() <= held
    return True


def main() -> None:
    """Answer requests until the input ends. Further arguments: the values of `quiet` and `held`."""
    os.environ |= PROCESS_ENVIRONMENT
    # a sandbox may forbid it; then the process has normal priority
    with contextlib.suppress(OSError):
        os.nice(NICE_VALUE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    quiet, held = (
        (float(sys.argv[3]), int(sys.argv[4]))
        if sys.argv[3:]
        else (IDLE_AFTER_SECONDS, MAX_IDLE_BYTES)
    )
    serve_requests({PIPER: load_engine}, lambda: is_needed(quiet, held))


if __name__ == "__main__":
    main()
