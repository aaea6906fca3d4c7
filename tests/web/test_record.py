"""Tests of the box's record in a browser, which is written to two files in turn."""

from __future__ import annotations

import pytest

from web.record import FILE_HEADER, AlternatingFiles, pack_commit, unpack_commit


class Disk:
    """Two files. If `cut` is set, each write fails after `cut` bytes."""

    def __init__(self) -> None:
        self.files = [b"", b""]
        self.cut: int | None = None

    def read(self, n: int) -> bytes:
        return self.files[n]

    def write(self, n: int, contents: bytes) -> None:
        self.files[n] = contents if self.cut is None else contents[: self.cut]
        if self.cut is not None:
            raise OSError("the tab was closed")


def test_the_newest_commit_is_read_again() -> None:
    disk = Disk()
    for n in range(5):
        AlternatingFiles(disk.read, disk.write).replace_older_file(bytes([n]) * n)
        assert AlternatingFiles(disk.read, disk.write).data == bytes([n]) * n


def test_an_empty_record_has_no_data() -> None:
    disk = Disk()
    assert AlternatingFiles(disk.read, disk.write).data == b""


def test_a_write_that_is_cut_short_leaves_the_commit_before() -> None:
    whole = len(pack_commit(3, b"third"))
    for cut in range(whole):
        disk = Disk()
        files = AlternatingFiles(disk.read, disk.write)
        files.replace_older_file(b"first")
        files.replace_older_file(b"second")
        disk.cut = cut
        with pytest.raises(OSError, match="closed"):
            files.replace_older_file(b"third")
        assert AlternatingFiles(disk.read, disk.write).data == b"second", cut


def test_a_damaged_file_counts_for_nothing() -> None:
    file = pack_commit(7, b"answers")
    assert unpack_commit(file) == (7, b"answers")
    for at in range(len(file)):
        damaged = bytearray(file)
        damaged[at] ^= 1
        found = unpack_commit(bytes(damaged))
        # the number has no checksum: it only orders two valid files
        assert found is None or 4 <= at < FILE_HEADER.size - 8
