"""Sentences as sound: an engine gives a WAV file's bytes for a text.

One process of our own talks (`hardware/talker.py`): it keeps espeak-ng's voice loaded, takes a line
a sentence, and answers with samples that are as loud as the cues. So a sentence starts no process,
its end is certain, and what is slow happens beside the box's own work. pico2wave is the second
engine; whichever is not installed is stood in for by the other. What was said before comes from
the cache, without any process.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import wave
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import sounds
from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hardware import Names

ENGINES: Final = ("espeak-ng", "pico2wave")
LANGUAGES: Final = ("en", "fr")
"""The languages that can be spoken."""
SPEED: Final = 160
"""Words a minute: espeak-ng's own 175 is too fast across a table."""
CACHE_BYTES: Final = 128 * 2**20
"""What the cache may take on the disk: some 2,500 sentences."""

_TALKER: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("talker.py")))
_PATIENCE: Final = 3.0
_ATTEMPTS: Final = 2
_LONGEST: Final = 2000
"""Bytes of the longest text: it must fit a pipe that nobody reads."""
_HEADER: Final = 8
_PIPE: Final = 2**18
_MOST: Final = 2**23
"""Bytes of the longest answer: three minutes of speech."""
_RATES: Final = range(8_000, 48_001)
"""Samples a second that a voice can have."""
_FAILED, _MISSING = 0, 1
"""What an answer begins with in place of a rate: `hardware.talker`, which is too slow to import."""
_MADE: Final = f"2 {sounds.LOUDNESS}"
"""Part of every cache key: to be changed with whatever changes the samples."""
# Control characters would end a line, and [[ ]] is phonemes to some builds of espeak-ng.
_UNSPEAKABLE: Final = re.compile(r"[\x00-\x1f\x7f]|\[{2,}")
_END: Final = re.compile(r"(?<=[.!?…])\s+(?=[0-9A-ZÀ-ÖØ-ÞŒ«“])")


def parts(text: str) -> list[str]:
    """Give the sentences of `text`, which are made, kept and heard one by one.

    So the first one is heard before the last one is made, and what follows a fact (its rule) is
    made once for all facts. A lower-case letter begins no sentence: "Stavros… the green file".
    """
    return [part for part in _END.split(text.strip()) if part]


class _DiedError(Exception):
    """The process ended, or gave no answer; the text says how."""


class _MissingError(Exception):
    """The engine is not installed; the text says how to."""


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


class Speech:
    """The engines, as `hardware.speaker.Voice`. Not to be shared between threads.

    `folder` keeps what was said before and is made when needed. `engine` is the one that is
    preferred, `speed` is in words a minute. `talker`, a command, and `patience`
    (seconds until a silent engine counts as hanging) are for tests.
    """

    def __init__(
        self,
        folder: Path,
        engine: str = ENGINES[0],
        speed: int = SPEED,
        *,
        talker: tuple[str, ...] = _TALKER,
        patience: float = _PATIENCE,
    ) -> None:
        self._cache = Cache(folder)
        self._unsaved: dict[str, bytes] = {}
        self._engines = _preferring(engine)
        self._speed = speed
        self._names: dict[str, _Names] = {}
        self._talker = _Talker((*talker, str(sounds.LOUDNESS), str(patience)), patience)

    def wav(self, text: str, language: str) -> bytes:
        """Give `text` spoken in `language`, as loud as the cues: a 16-bit mono WAV file's bytes.

        Waits for the engine, unless the sentence was said before. Raises HardwareError if there
        is no engine or no such voice, or if it failed twice in a row.
        """
        spoken = self.spoken(text, language)
        reasons = []
        for engine in self._engines:
            key = "\0".join((_MADE, engine, language, str(self._speed), spoken))
            known = self._unsaved.get(key) or self._cache.get(key)
            if known is not None:
                return known
            try:
                content = self._synthesise(engine, language, spoken)
            except _MissingError as error:
                reasons.append(str(error))
                continue
            self._engines = _preferring(engine)  # it is asked first from now on
            self._unsaved[key] = content
            return content
        raise HardwareError(reasons[0], "voice")

    def pronounce(self, names: Names) -> None:
        """Respell these names too for the engine, from now on; from any thread."""
        known = {language: own.said for language, own in self._names.items()}
        self._names = self._names | {
            language: _Names({**known.get(language, {}), **given})
            for language, given in names.items()
        }

    def spoken(self, text: str, language: str) -> str:
        """Give what the engine is told for `text`. Raises HardwareError for another language."""
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        names = self._names.get(language)
        said = " ".join(_UNSPEAKABLE.sub(" ", text).split())
        return names.respell(said) if names else said

    def render(self, sentences: Iterable[tuple[str, str]]) -> int:
        """Put texts, each with its language, into the cache by parts; give their size in bytes.

        Raises HardwareError as `wav` does.
        """
        size = 0
        for text, language in sentences:
            size += sum(len(self.wav(part, language)) for part in parts(text))
            self._keep()
        return size

    def save(self) -> None:
        """Put into the cache what was made since, and have the process ready for what is not in it.

        Neither need delay a sentence.
        """
        self._keep()
        with contextlib.suppress(HardwareError):  # the next sentence that needs it will tell
            self._talker.start()

    def close(self) -> None:
        """End the process; safe to call twice, and a later sentence starts it again."""
        self._keep()
        self._talker.close()

    def _keep(self) -> None:
        while self._unsaved:
            self._cache.put(*self._unsaved.popitem())

    def _synthesise(self, engine: str, language: str, text: str) -> bytes:
        """Give a WAV of `text`; a process that failed is replaced once. Raises _MissingError."""
        line = f"{engine}\t{language}\t{self._speed}\t{text}\n".encode()
        if len(line) > _LONGEST:
            raise HardwareError(f"a sentence of {len(line)} bytes is too long to say", "voice")
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                first, block = self._talker.ask(line)
            except _DiedError as error:
                reason = str(error)
                continue
            if first == _MISSING:
                raise _MissingError(block.decode(errors="replace"))
            if first == _FAILED:
                raise HardwareError(f"{engine} fails: {block.decode(errors='replace')}", "voice")
            return _wav(first, block)
        raise HardwareError(f"{engine} failed {_ATTEMPTS} times: {reason}", "voice")


def _preferring(engine: str) -> tuple[str, ...]:
    return tuple(sorted(ENGINES, key=lambda name: name != engine))


class _Names:
    """Names to be respelled: as whole words, whatever their case, the longest first."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.said = {name.casefold(): said for name, said in names.items()}
        longest = sorted(self.said, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest)) or "(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)

    def respell(self, text: str) -> str:
        return self._pattern.sub(lambda found: self.said[found[0].casefold()], text)


class _Talker:
    """The talking process: started with the first request, and again after it has failed."""

    def __init__(self, command: tuple[str, ...], patience: float) -> None:
        self._command = command
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, line: bytes) -> tuple[int, bytes]:
        """Give the answer's first number and its block. Raises _DiedError, HardwareError."""
        process = self.start()
        until = time.monotonic() + self._patience
        try:
            os.write(_pipe(process.stdin), line)
            head = self._read(process, _HEADER, until)
            first, size = _announced(head)
            return first, self._read(process, size, until)
        except (_DiedError, BrokenPipeError) as error:
            status = process.poll()
            self.close()
            ended = status is not None or isinstance(error, BrokenPipeError)
            raise _DiedError(f"it ended with status {status}" if ended else str(error)) from None

    def start(self) -> subprocess.Popen[bytes]:
        """Have the process run, and give it. Raises HardwareError."""
        self._process = self._process or self._start()
        return self._process

    def close(self) -> None:
        """Kill the process with its group, close its pipes and reap it; safe to call twice."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def _read(self, process: subprocess.Popen[bytes], size: int, until: float) -> bytes:
        """Read so many bytes. Raises _DiedError if they do not come in time, or never will."""
        pipe, found = _pipe(process.stdout), bytearray()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while len(found) < size:
            if not poll.poll(max(until - time.monotonic(), 0) * 1000):
                raise _DiedError(f"it gave no answer within {self._patience:g} s")
            some = os.read(pipe, size - len(found))
            if not some:
                process.wait()
                raise _DiedError("it ended")
            found += some
        return bytes(found)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed command; the text goes to its input
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                process_group=0,  # Ctrl-C is for the companion, which then ends this one
            )
        except OSError as error:
            raise HardwareError(f"the voice does not start: {error}", "voice") from error
        if sys.platform == "linux":
            import fcntl  # noqa: PLC0415 - not every system has it

            with contextlib.suppress(OSError):  # a sentence goes through it at once, or in parts
                fcntl.fcntl(_pipe(process.stdout), fcntl.F_SETPIPE_SZ, _PIPE)
        return process


def _announced(head: bytes) -> tuple[int, int]:
    """Give an answer's first number and its size. Raises _DiedError if they can not be."""
    first, size = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
    if first not in _RATES and first not in (_FAILED, _MISSING):
        raise _DiedError(f"it announced {first} samples a second")
    if size > _MOST:
        raise _DiedError(f"it announced {size} bytes")
    return first, size


def _pipe(file: IO[bytes] | None) -> int:
    """Give a pipe's number: Popen says that there is one only if asked."""
    assert file is not None  # noqa: S101 - always PIPE
    return file.fileno()


def _wav(rate: int, samples: bytes) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as wav:
        wav.setparams((1, 2, rate, 0, "NONE", ""))
        wav.writeframes(samples)
    return content.getvalue()
