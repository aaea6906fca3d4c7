"""Storage of the games' record in two files. An interrupted write damages at most one of the files.

The user can close the browser tab while the box writes a file. Each commit therefore replaces the
older of the two files, and has a checksum. The page flushes the written file to the disk before the
box writes the other file. A power cut loses at most the last commit. The files are in the browser's
origin-private file system.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final

FILE_MAGIC: Final = b"CMPN"
FILE_HEADER: Final = struct.Struct("<4sQII")
"""Format of the header of a file: magic bytes, commit number, length of the data, CRC-32."""
FILE_COUNT: Final = 2


def pack_commit(number: int, data: bytes) -> bytes:
    """Return the content of the file for the commit `number` with `data`."""
    return FILE_HEADER.pack(FILE_MAGIC, number, len(data), zlib.crc32(data)) + data


def unpack_commit(file: bytes) -> tuple[int, bytes] | None:
    """Return the commit in `file` as (number, data), or None if `file` is empty or damaged."""
    if len(file) < FILE_HEADER.size:
        return None
    magic, number, length, check = FILE_HEADER.unpack_from(file)
    data = file[FILE_HEADER.size : FILE_HEADER.size + length]
    whole = magic == FILE_MAGIC and len(data) == length and zlib.crc32(data) == check
    return (number, data) if whole else None


class AlternatingFiles:
    """Two files with the numbers 0 and 1, to which the commits of a record are written in turn.

    - `read(n)`: function that returns the content of file n.
    - `write(n, contents)`: function that replaces the content of file n.

    The attribute `data` has the bytes of the newest commit, or b"" without a valid commit.
    """

    def __init__(self, read: Callable[[int], bytes], write: Callable[[int, bytes], None]) -> None:
        self._write = write
        commits = [unpack_commit(read(n)) for n in range(FILE_COUNT)]
        numbers = [-1 if commit is None else commit[0] for commit in commits]
        self._newest = max(range(FILE_COUNT), key=numbers.__getitem__)
        self._number, self.data = commits[self._newest] or (0, b"")

    def replace_older_file(self, data: bytes) -> None:
        """Write `data` into the older file, which becomes the newer file."""
        self._write(1 - self._newest, pack_commit(self._number + 1, data))
        self._newest, self._number, self.data = 1 - self._newest, self._number + 1, data
