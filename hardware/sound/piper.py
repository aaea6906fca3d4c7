"""Piper in a process of its own: an engine like those of `engines.py`, with neural voices.

`hardware.sound.speech` runs this module, and only if such a voice is chosen. A request names a
voice file in place of a language. piper-tts is under the GPL: it is imported in this process alone,
and what goes between it and the box is text and sound.

The process has a low priority, computes on one thread, and may not fill the memory. After ten
quiet minutes it ends if it holds more than 60 MB; the next sentence starts it again.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.sound.engines import NoEngineError, serve
from hardware.sound.voices import PIPER

if TYPE_CHECKING:
    from hardware.sound.engines import SpeechEngine

NICE: Final = 10
"""By how much the box itself goes first."""
MEMORY: Final = 768 * 2**20
"""Bytes of data that the process may have: a file that wants more is no voice."""
HELD: Final = 60 * 2**20
"""Bytes that the process may hold while no sentence needs it."""
QUIET: Final = 600.0
"""Seconds without a sentence after which it counts as not needed."""

ENVIRONMENT: Final = {
    "ORT_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Set before the libraries are imported. From 1.29 on onnxruntime would tell its maker of every
model over the network, and keep a number of this machine and a database in its user's cache."""


def engine() -> SpeechEngine:
    """piper-tts, imported now that the environment is set. Raises NoEngineError."""
    try:
        from hardware.sound.piper_voices import Piper  # noqa: PLC0415 - it may be missing, and is slow
    except ImportError as error:
        raise NoEngineError(str(error)) from error
    return Piper()


def _memory_bytes() -> int:
    """Give the bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def is_needed(quiet: float = QUIET, held: int = HELD) -> bool:
    """Wait for a line; False if none came for so long and this process holds too much."""
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
    if not poll.poll(quiet * 1000):
        with contextlib.suppress(OSError):  # not every system tells
            return _memory_bytes() <= held
    return True


def main() -> None:
    """Speak until the input ends. Further arguments: quiet seconds, and bytes held then."""
    os.environ |= ENVIRONMENT
    with contextlib.suppress(OSError):  # a sandbox may forbid it; then it is as others are
        os.nice(NICE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    quiet, held = (float(sys.argv[3]), int(sys.argv[4])) if sys.argv[3:] else (QUIET, HELD)
    serve({PIPER: engine}, lambda: is_needed(quiet, held))


if __name__ == "__main__":
    main()
