"""Piper in a process of its own: an engine as those of `hardware.engines`, with neural voices.

`hardware.speech` runs this module, and only if somebody has chosen such a voice. A request names a
voice file in place of a language. piper-tts is under the GPL: it is imported in this process alone,
and what goes between it and the box is text and sound.

The process has a low priority, computes on one thread, and may not fill the memory. After ten
quiet minutes it ends if it holds more than 60 MB; the next sentence starts it again.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import resource
import select
import sys
from pathlib import Path
from typing import Any, Final

from hardware import HardwareError
from hardware.engines import NORMAL, NoEngineError, SpeakError, serve
from hardware.voices import PIPER, checked, config

NICE: Final = 10
"""By how much the box itself goes first."""
MEMORY: Final = 768 * 2**20
"""Bytes of data that the process may have: a file that wants more is no voice."""
HELD: Final = 60 * 2**20
"""Bytes that the process may hold while nobody needs it."""
QUIET: Final = 600.0
"""Seconds after which nobody needs it."""
LOADED: Final = 2
"""Voices that are kept in memory: one a language."""

ENVIRONMENT: Final = {
    "ORT_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Set before the libraries are imported. From 1.29 on onnxruntime would tell its maker of every
model over the network, and keep a number of this machine and a database in its user's cache."""

_FULL: Final = 32_767


class Piper:
    """piper-tts, and the voices that it has loaded. Raises NoEngineError."""

    def __init__(self) -> None:
        try:
            import numpy as np  # noqa: PLC0415 - it may be missing
            import onnxruntime  # noqa: PLC0415 - likewise
            import piper.config  # noqa: PLC0415 - likewise
        except ImportError as error:
            raise NoEngineError(str(error)) from error
        self._np, self._onnx, self._piper = np, onnxruntime, piper
        self._voices: dict[str, Any] = {}

    def speak(self, text: str, file: str, speed: int) -> tuple[int, bytes]:
        """Give samples a second, and the samples. Raises SpeakError."""
        try:
            voice = self._voices.get(file) or self._load(Path(file))
            scale = voice.config.length_scale * NORMAL / speed
            config = self._piper.config.SynthesisConfig(length_scale=scale)
            chunks = [chunk.audio_float_array for chunk in voice.synthesize(text, config)]
            sound = self._np.concatenate([self._np.atleast_1d(chunk) for chunk in chunks])
            return voice.config.sample_rate, (sound * _FULL).astype(self._np.int16).tobytes()
        except HardwareError as error:
            raise SpeakError(str(error)) from error
        except Exception as error:
            # A voice file is anybody's, and so is what the libraries make of it.
            raise SpeakError(f"{Path(file).name} does not speak: {_told(error)}") from error

    def _load(self, file: Path) -> Any:
        """Load a voice, in place of the one loaded first if there are too many."""
        checked(file)
        while len(self._voices) >= LOADED:
            del self._voices[next(iter(self._voices))]
            gc.collect()
        options = self._onnx.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        voice = self._piper.PiperVoice(
            config=self._piper.config.PiperConfig.from_dict(config(file)),
            session=self._onnx.InferenceSession(
                str(file), sess_options=options, providers=["CPUExecutionProvider"]
            ),
        )
        self._voices[str(file)] = voice
        return voice


def _told(error: Exception) -> str:
    """Give what a library says in one line that is not too long."""
    return re.sub(r"\s+", " ", f"{type(error).__name__} {error}")[:200]


def _held() -> int:
    """Give the bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def is_needed(quiet: float = QUIET, held: int = HELD) -> bool:
    """Wait for a line; False if none came for so long and this process holds too much."""
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
    if not poll.poll(quiet * 1000):
        with contextlib.suppress(OSError):  # not every system tells
            return _held() <= held
    return True


def main() -> None:
    """Speak until the input ends. Further arguments: quiet seconds, and bytes held then."""
    os.environ |= ENVIRONMENT
    with contextlib.suppress(OSError):  # a sandbox may forbid it; then it is as others are
        os.nice(NICE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    quiet, held = (float(sys.argv[3]), int(sys.argv[4])) if sys.argv[3:] else (QUIET, HELD)
    serve({PIPER: Piper}, lambda: is_needed(quiet, held))


if __name__ == "__main__":
    main()
