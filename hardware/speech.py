"""Sentences as sound: espeak-ng gives a WAV file's bytes for a text.

One espeak-ng process is always alive: it has loaded its voice and waits for a sentence on its
standard input. It gets the sentence and the end of its input, answers with all the samples, and
ends; the next one is started at once and waits in its place. So a sentence pays for no start,
and its end is certain: the end of the stream and exit status 0, or it counts as failed.

Feeding many lines to a single process would save even that start, but espeak-ng 1.51 cannot be
read so: it holds back up to 4,095 bytes of a sentence until the next one comes, and neither
`--stdout` nor `-w` marks where one ends. Silence does not either: its own pauses last up to a
second. What is said often comes from the cache in any case, without any process.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import math
import re
import subprocess
import tempfile
import wave
from array import array
from itertools import accumulate
from pathlib import Path
from typing import Final

import sounds
from hardware import HardwareError

VOICES: Final = {"en": "en-gb", "fr": "fr-fr"}
"""The languages that can be spoken, and espeak-ng's voice for each."""
SPEED: Final = 160
"""Words a minute: espeak-ng's own 175 is too fast across a table."""
CACHE_BYTES: Final = 32 * 2**20
"""What the cache may take on the disk: some 400 sentences."""

_PATIENCE: Final = 3.0
_ATTEMPTS: Final = 2
_HEADER: Final = 44
_FULL: Final = 32_767
_CEILING: Final = 0.89
_MADE: Final = f"1 {sounds.LOUDNESS}"
"""Part of every cache key: to be changed with whatever changes the samples."""
# Inside [[ ]] espeak-ng reads phonemes, and after some control characters commands.
_UNSPEAKABLE: Final = re.compile(r"[\x00-\x1f\x7f]|\[{2,}")


class _DiedError(Exception):
    """The process ended badly, or not at all; the text says how."""


class Cache:
    """Files by key in `folder`; beyond `limit` bytes, what was longest unused is dropped."""

    def __init__(self, folder: Path, limit: int = CACHE_BYTES) -> None:
        self._folder = folder
        self._limit = limit

    def get(self, key: str) -> bytes | None:
        """Give the WAV kept under `key`; None if there is none, or a power cut left half of it."""
        file = self._file(key)
        try:
            content = file.read_bytes()
            file.touch()
        except OSError:
            return None
        whole = content[:4] == b"RIFF" and len(content) == 8 + int.from_bytes(
            content[4:8], "little"
        )
        return content if whole else None

    def put(self, key: str, content: bytes) -> None:
        """Keep `content`; a full or read-only disk costs time, never the sentence."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as part:
                part.write(content)
            Path(part.name).replace(self._file(key))
            self._shrink()

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.wav"

    def _shrink(self) -> None:
        """Delete the files that were longest unused until the rest is within the limit."""
        files = [(file.stat(), file) for file in self._folder.iterdir()]
        files.sort(key=lambda entry: entry[0].st_mtime_ns, reverse=True)
        sizes = accumulate(stat.st_size for stat, _ in files)
        for (_, file), total in zip(files, sizes, strict=True):
            if total > self._limit:
                file.unlink(missing_ok=True)


class Espeak:
    """espeak-ng, as `hardware.speaker.Voice`. Not to be shared between threads.

    `folder` keeps what was said before and is made when needed. `speed` is in words a minute.
    `program` and `patience` (seconds until a silent engine counts as hanging) are for tests.
    """

    def __init__(
        self,
        folder: Path,
        speed: int = SPEED,
        *,
        program: str = "espeak-ng",
        patience: float = _PATIENCE,
    ) -> None:
        self._cache = Cache(folder)
        self._speed = speed
        self._program = program
        self._patience = patience
        self._waiting: tuple[str, subprocess.Popen[bytes]] | None = None

    def wav(self, text: str, language: str) -> bytes:
        """Give `text` spoken in `language`, as loud as the cues: a 16-bit mono WAV file's bytes.

        Waits for the engine, unless the sentence was said before. Raises HardwareError if there
        is no engine or no such voice, or if it failed twice in a row.
        """
        if language not in VOICES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(VOICES)}")
        spoken = " ".join(_UNSPEAKABLE.sub(" ", text).split())
        key = "\0".join((_MADE, VOICES[language], str(self._speed), spoken))
        known = self._cache.get(key)
        if known is not None:
            return known
        content = _levelled(self._synthesise(spoken, VOICES[language]))
        self._cache.put(key, content)
        return content

    def close(self) -> None:
        """End the waiting process; safe to call twice."""
        if self._waiting is not None:
            _end(self._waiting[1])
            self._waiting = None

    def _synthesise(self, text: str, voice: str) -> bytes:
        """Give espeak-ng's own WAV for `text`; a process that failed is replaced once."""
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                raw = _ask(self._take(voice), text, self._patience)
            except _DiedError as error:
                reason = str(error)
                continue
            # Should there be no next one, the next sentence will tell; this one is complete.
            with contextlib.suppress(HardwareError):
                self._waiting = (voice, self._start(voice))
            return raw
        raise HardwareError(f"espeak-ng failed {_ATTEMPTS} times: {reason}", "voice")

    def _take(self, voice: str) -> subprocess.Popen[bytes]:
        """Give a process that waits with `voice` loaded; from here on it is the caller's."""
        if self._waiting is not None and self._waiting[0] == voice:
            process = self._waiting[1]
            self._waiting = None
            return process
        self.close()
        return self._start(voice)

    def _start(self, voice: str) -> subprocess.Popen[bytes]:
        options = ("-v", voice, "-s", str(self._speed), "-b", "1", "--stdin", "--stdout")
        try:
            return subprocess.Popen(  # noqa: S603 - a fixed command; the text goes to its input
                (self._program, *options),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,  # Ctrl-C is for the companion, which then ends this one
            )
        except FileNotFoundError:
            raise HardwareError("no espeak-ng: sudo apt install espeak-ng", "voice") from None
        except OSError as error:
            raise HardwareError(f"espeak-ng does not start: {error}", "voice") from error


def loudness(samples: array[int], rate: int) -> float:
    """Measure the RMS of the loudest 200 ms in dBFS, as `sounds/compose.py` does for the cues.

    `rate` is in samples a second. Silence gives minus infinity.
    """
    block, window = rate // 100, 20
    energies = [math.hypot(*samples[i : i + block]) ** 2 for i in range(0, len(samples), block)]
    energies += [0.0] * (window - len(energies))
    sums = [sum(energies[i : i + window]) for i in range(len(energies) - window + 1)]
    rms = math.sqrt(max(sums) / (window * block)) / _FULL
    return 20 * math.log10(rms) if rms else -math.inf


def _ask(process: subprocess.Popen[bytes], text: str, patience: float) -> bytes:
    """Have `process` say `text`, and end. Raises _DiedError unless it did both well."""
    try:
        raw, complaint = process.communicate(text.encode(), timeout=patience)
    except subprocess.TimeoutExpired:
        _end(process)
        raise _DiedError(f"it gave no answer within {patience:g} s") from None
    if process.returncode:
        lines = complaint.decode(errors="replace").strip().splitlines()
        raise _DiedError(lines[-1] if lines else f"it ended with status {process.returncode}")
    if raw and not (raw.startswith(b"RIFF") and len(raw) >= _HEADER):
        raise _DiedError("what it gave is no WAV")
    return raw


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill `process`, close its pipes and reap it."""
    process.kill()
    process.communicate()


def _trimmed(body: bytes) -> array[int]:
    """Give the 16-bit samples in `body` without the silence before and after them."""
    begin = (len(body) - len(body.lstrip(b"\0"))) // 2 * 2
    end = (len(body.rstrip(b"\0")) + 1) // 2 * 2
    return array("h", body[begin:end])


def _levelled(raw: bytes) -> bytes:
    """Give espeak-ng's WAV without the silence around it, as loud as a cue, with true sizes."""
    rate = int.from_bytes(raw[24:28], "little") or 22_050  # an empty text gives no WAV at all
    samples = _trimmed(raw[_HEADER:])
    if samples:
        low, high = min(samples), max(samples)
        wished = 10 ** ((sounds.LOUDNESS - loudness(samples, rate)) / 20)
        gain = min(wished, _CEILING * _FULL / max(-low, high))
        samples = array("h", [int(gain * sample) for sample in samples])
    content = io.BytesIO()
    with wave.open(content, "wb") as wav:
        wav.setparams((1, 2, rate, 0, "NONE", ""))
        wav.writeframes(samples.tobytes())
    return content.getvalue()
