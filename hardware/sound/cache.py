"""What was said before: WAV files in a folder, kept within a size."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from typing import Final

CACHE_BYTES: Final = 128 * 2**20
"""What the cache may take on the disk: some 2,500 sentences of espeak-ng, 1,000 of Piper."""
WORTH: Final = 24 * 3600 * 10**9
"""Nanoseconds by which a file counts as newer for each time that it was used: a day."""


class Cache:
    """Files by key in `folder`; beyond `limit` bytes the newest and the most used stay.

    What a file is worth is its time: that of its making, and a day more for every use.
    """

    def __init__(self, folder: Path, limit: int = CACHE_BYTES) -> None:
        self._folder = folder
        self._limit = limit

    def get(self, key: str) -> bytes | None:
        """Give the WAV kept under `key`; None if there is none, or a power cut left half of it."""
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

    def has(self, key: str) -> bool:
        """Whether there is a file under `key`; it does not count as used by that."""
        return os.path.exists(self._file(key))  # noqa: PTH110 - False, too, in a folder that is shut

    def put(self, key: str, content: bytes) -> None:
        """Keep `content`; a full or read-only disk costs time, never the sentence."""
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
        worth = max(file.stat().st_mtime_ns, time.time_ns()) + WORTH
        os.utime(file, ns=(worth, worth))

    def _shrink(self, newest: Path) -> None:
        """Delete the files that are worth least until the rest is within the limit."""
        files = [(file.stat(), file) for file in self._folder.iterdir()]
        files.sort(key=lambda entry: (entry[1] == newest, entry[0].st_mtime_ns), reverse=True)
        sizes = accumulate(stat.st_size for stat, _ in files)
        for (_, file), total in zip(files, sizes, strict=True):
            if total > self._limit:
                file.unlink(missing_ok=True)
