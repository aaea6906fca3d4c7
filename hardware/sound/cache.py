"""Cache of spoken sentences, which are WAV files in a folder of limited size."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from typing import Final

MAX_CACHE_BYTES: Final = 128 * 2**20
"""Maximum size of the cache in bytes: about 2,500 sentences of espeak-ng, or 1,000 of Piper."""
NANOSECONDS_PER_USE: Final = 24 * 3600 * 10**9
"""Nanoseconds (one day) by which a use of a file moves the file's modification time forward."""


class SentenceWavCache:
    """Cache of WAV files in `folder`. Each WAV file has a key, a text that identifies the file.

    If all files together have more than `limit` bytes, the cache deletes the files with the oldest
    modification times. Each use of a file sets its modification time to one day after the present
    time, or one day after the previous modification time if this time is later.
    """

    def __init__(self, folder: Path, limit: int = MAX_CACHE_BYTES) -> None:
        self._folder = folder
        self._limit = limit

    def read_wav(self, key: str) -> bytes | None:
        """Return the WAV file for `key`; None if the file is missing or damaged by a power cut."""
        file = self._file(key)
        try:
            content = file.read_bytes()
            self._use(file)
        except OSError:
            return None
        whole = content[:4] == b"RIFF" and len(content) == 8 + int.from_bytes(
            content[4:8], "little"
        )
        return content if whole else None

    def has_wav(self, key: str) -> bool:
        """Return True if the cache has a file for `key`.

        The check does not count as a use of the file.
        """
        return os.path.exists(self._file(key))  # noqa: PTH110 - also False in an unreadable folder

    def store_wav(self, key: str, content: bytes) -> None:
        """Store the WAV file `content` for `key`.

        Ignore a full or read-only disk, because the box can synthesise the sentence again.
        """
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as part:
                part.write(content)
            Path(part.name).replace(self._file(key))
            self._shrink(self._file(key))

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.wav"

    @staticmethod
    def _use(file: Path) -> None:
        worth = max(file.stat().st_mtime_ns, time.time_ns()) + NANOSECONDS_PER_USE
        os.utime(file, ns=(worth, worth))

    def _shrink(self, newest: Path) -> None:
        files = [(file.stat(), file) for file in self._folder.iterdir()]
        files.sort(key=lambda entry: (entry[1] == newest, entry[0].st_mtime_ns), reverse=True)
        sizes = accumulate(stat.st_size for stat, _ in files)
        for (_, file), total in zip(files, sizes, strict=True):
            if total > self._limit:
                file.unlink(missing_ok=True)
