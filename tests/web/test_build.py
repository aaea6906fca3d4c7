"""Tests of the site's contents: the program without modules that a page never imports."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.say import catalogues
from tests.web.taps import PLAY
from web import build, pack


@pytest.mark.long
def test_the_program_of_the_page_plays_with_nothing_beside_it(tmp_path: Path) -> None:
    build.write_program_archive(tmp_path / "program.zip")
    with zipfile.ZipFile(tmp_path / "program.zip") as archive:
        archive.extractall(tmp_path / "program")
    path = f"import sys; sys.path.insert(0, {str(tmp_path / 'program')!r})"
    text = f"{path}\n{PLAY}\nfor seed in ('a1', 'b2', 'c3'): play(seed, 400)"
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-OO", "-c", text],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_every_catalogue_is_compiled_before_it_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    monkeypatch.setattr("web.build.catalogues.write_compiled_catalogue", written.append)
    build.write_program_archive(tmp_path / "program.zip")
    sources = {*build.ROOT.glob("companion/**/LC_MESSAGES/*.po")}
    assert sources == {*written}


def test_a_catalogue_that_is_being_written_is_in_no_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    monkeypatch.setattr(Path, "replace", lambda new, _: names.append(new.suffix))
    catalogues._keep(tmp_path / "companion.mo", b"")
    assert names == [".new"]
    assert build.EXCLUDED_SUFFIXES.issuperset(names)


@pytest.mark.long
def test_two_archives_of_one_program_are_the_same(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        build.write_program_archive(tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_the_icon_fills_its_square() -> None:
    for side in build.ICON_SIZES:
        drawn = build.site_icon_image(side)
        assert drawn.size == (side, side)
        assert drawn.getpixel((0, 0)) == drawn.getpixel((side - 1, side - 1))


def test_a_folder_is_packed_to_the_same_bytes_below_the_name_of_the_file(tmp_path: Path) -> None:
    files = {"index.html": b"box", "fr/index.html": b"boite"}
    packed = []
    for copy in ("one", "two"):
        for name, content in files.items():
            file = tmp_path / copy / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        target = tmp_path / f"{copy}.d" / "companion-book.zip"
        target.parent.mkdir()
        pack.write_folder_as_zip(tmp_path / copy, target)
        packed.append(target.read_bytes())
    assert packed[0] == packed[1]
    with zipfile.ZipFile(target) as archive:
        assert {name: archive.read(f"companion-book/{name}") for name in files} == files
