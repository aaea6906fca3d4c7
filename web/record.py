"""The record in two files in turn, each with a checksum: an interrupted write loses nothing.

The tab may be closed while it writes a file of the browser's origin-private file system, so each
commit goes into the file that is not the newest. The page flushes a file after the frame, and
before it writes the other one: a power cut loses at most the last commit.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final

FILE_MAGIC: Final = b"CMPN"
FILE_HEADER: Final = struct.Struct("<4sQII")
"""Magic, number of the commit, length and CRC-32 of the data."""
FILE_COUNT: Final = 2


def pack_commit(number: int, data: bytes) -> bytes:
    """Return the contents of a file that holds commit `number`."""
    return FILE_HEADER.pack(FILE_MAGIC, number, len(data), zlib.crc32(data)) + data


def unpack_commit(file: bytes) -> tuple[int, bytes] | None:
    """Return the commit's number and data; None if the file is empty or not whole."""
    if len(file) < FILE_HEADER.size:
        return None
    magic, number, length, check = FILE_HEADER.unpack_from(file)
    data = file[FILE_HEADER.size : FILE_HEADER.size + length]
    whole = magic == FILE_MAGIC and len(data) == length and zlib.crc32(data) == check
    return (number, data) if whole else None


class AlternatingFiles:
    """Two files, 0 and 1: `read(n)` returns one, `write(n, contents)` replaces it."""

    def __init__(self, read: Callable[[int], bytes], write: Callable[[int, bytes], None]) -> None:
        self._write = write
        commits = [unpack_commit(read(n)) for n in range(FILE_COUNT)]
        numbers = [-1 if commit is None else commit[0] for commit in commits]
        self._newest = max(range(FILE_COUNT), key=numbers.__getitem__)
        self._number, self.data = commits[self._newest] or (0, b"")

    def store(self, data: bytes) -> None:
        """Write the data into the older file; then that is the newest."""
        self._write(1 - self._newest, pack_commit(self._number + 1, data))
        self._newest, self._number, self.data = 1 - self._newest, self._number + 1, data
