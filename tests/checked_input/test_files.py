"""Tests of reading files: only regular files, and no more bytes than the limit."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from checked_input import checks, source
from checked_input.files import (
    MAX_FILE_BYTES,
    MAX_LINE_LENGTH,
    UnreadableFile,
    may_file_exist,
    read_text,
)


@pytest.mark.parametrize("file", ["/dev/zero", "/dev/null", "."])
def test_what_is_no_ordinary_file_is_not_read(file: str) -> None:
    with pytest.raises(UnreadableFile, match="no_file"):
        read_text(Path(file))


def test_a_pipe_that_nobody_writes_to_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="no_file"):
        read_text(tmp_path / "pipe")


def test_a_file_may_be_so_large_and_no_larger(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("#\n" * (MAX_FILE_BYTES // 2), "utf-8")
    assert len(read_text(file)) == MAX_FILE_BYTES
    file.write_text("#\n" * (MAX_FILE_BYTES // 2) + "#", "utf-8")
    with pytest.raises(UnreadableFile, match="too_large, n: 32"):
        read_text(file)


def test_a_key_of_thousands_of_dots_is_not_parsed(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(f"# mine\n{'a.' * MAX_LINE_LENGTH}a = 1\n", "utf-8")
    with pytest.raises(UnreadableFile, match="long_line, n: 1000") as told:
        source.read_toml(file)
    assert told.value.line == 2


def test_what_is_not_text_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(b"# mine\n\xff = 1\n")
    with pytest.raises(UnreadableFile, match="no_utf8") as told:
        read_text(file)
    assert told.value.line == 2


def test_a_file_that_nobody_may_look_at_is_there(tmp_path: Path) -> None:
    (tmp_path / "turns").symlink_to("turns")
    # a link to itself fails like a folder that denies access
    assert may_file_exist(tmp_path / "turns" / "own.toml")
    assert not may_file_exist(tmp_path / "none" / "own.toml")
    (tmp_path / "file").touch()
    assert not may_file_exist(tmp_path / "file" / "own.toml")


def test_of_very_many_mistakes_the_first_are_told() -> None:
    judged = checks.find_mistakes(checks.table(), {f"key{n}": n for n in range(3000)})
    assert len(judged) == checks.MAX_MISTAKES


def test_the_lines_of_a_file_are_found_in_one_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.toml"
    file.write_text("".join(f"k{n} = {n}\n" for n in range(2000)), "utf-8")
    data, line_of = source.read_toml(file)
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("parsed again"))
    assert [line_of((f"k{n}",)) for n in range(2000)] == [*range(1, 2001)]
    assert len(data) == 2000


def test_every_kind_of_toml_has_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        '''a = """x
]"""  # ]
"q\\"k" = { x = 1, y = [1, 2,
  [3,
   4]] }
d.e = 1979-05-27 07:32:00
z = """"x""\"""
l = \'\'\'
=\'\'\'
[[t.u]]
x = 1.5
[t.u.v]
y = [ # ]
  "#",
]
[[t.u]]
[t.u.'w']
k = '"'
''',
        "utf-8",
    )
    _, line_of = source.read_toml(file)
    found = {
        ("a",): 1, ('q"k',): 3, ('q"k', "y"): 3, ('q"k', "y", 2): 4, ('q"k', "y", 2, 1): 5,
        ("d", "e"): 6, ("z",): 7, ("l",): 8, ("t",): 10, ("t", "u", 0, "x"): 11,
        ("t", "u", 0, "v", "y"): 13, ("t", "u", 0, "v", "y", 0): 14, ("t", "u", 1): 16,
        ("t", "u", 1, "w", "k"): 18, (): 0, ("t", "u", 1, "none"): 16,
    }  # fmt: skip
    assert {place: line_of(place) for place in found} == found
