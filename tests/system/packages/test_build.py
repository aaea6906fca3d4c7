"""Tests of the functions that build the packages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from companion.say import catalogues
from systemd.deb import build, inside
from tests.system.packages.commands import run


@pytest.mark.parametrize(
    ("ours", "debian"),
    [
        ("0.1.0", "0.1.0+deb12"),
        ("0.1.1.dev5+gabc", "0.1.1~dev5.gabc+deb12"),
        ("1.0rc1", "1.0~rc1+deb12"),
    ],
)
def test_debian_orders_versions_as_python_does(ours: str, debian: str) -> None:
    assert build.debian_version(ours, build.SUITES["bookworm"]) == debian


def test_a_compiled_catalogue_does_not_say_when_it_was_made(tmp_path: Path) -> None:
    source = tmp_path / "x.po"
    source.write_text('msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "a"\nmsgstr "b"\n', "utf-8")
    catalogues.write_compiled_catalogue(source)
    made = source.with_suffix(".mo").read_bytes()
    assert b"-Date:" not in made


def test_the_packages_units_name_the_version_that_runs() -> None:
    for path in build.SYSTEMD.glob("*.service"):
        assert "/opt/" not in build.unit_text(path)


def test_the_cards_layer_asks_systemd_nothing_that_it_does_not_know_in_a_chroot() -> None:
    text = (build.SYSTEMD / "image" / "layer" / "companion.yaml").read_text("utf-8")
    assert set(re.findall(r"systemctl (\w+)", text)) <= {"enable", "disable"}


def unpacked(site: Path, wheel: Path, *_: object) -> None:
    """Unpack only our wheel; the wheels of other projects need a network."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)


@pytest.mark.long  # six seconds: hatchling and xz
def test_wheel_source_and_package_are_built_twice_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "install_packages", unpacked)
    suite, arch = "trixie", build.ARCHITECTURES["arm64"]
    made: list[dict[str, bytes]] = []
    for folder, mask, zone in (("one", 0o022, "UTC"), ("two", 0o077, "Asia/Tokyo")):
        monkeypatch.setenv("TZ", zone)
        before = os.umask(mask)
        try:
            run(sys.executable, "-m", "hatchling", "build", "--directory", tmp_path / folder)
        finally:
            os.umask(before)
        (wheel,) = (tmp_path / folder).glob("*.whl")
        build.build_package(wheel, tmp_path / folder, suite, arch, 1_700_000_000)
        made.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
    assert sorted(Path(name).suffix for name in made[0]) == [".deb", ".gz", ".whl"]
    assert [name for name in made[0] if made[0][name] != made[1].get(name)] == []


# --- contents -------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder of packages with another project's wheel and some native libraries."""
    about = tmp_path / "pygame-2.6.1.dist-info" / "METADATA"
    natives = ("libogg-90c23b5e.so.0.8.5", "libpulse-simple-d169.so.0.1.1", "libdw-0-46ed.176.so")
    about.parent.mkdir()
    about.write_text("Name: pygame\nVersion: 2.6.1\nLicense: LGPL\n")
    (tmp_path / "pygame.libs").mkdir()
    for name in natives:
        (tmp_path / "pygame.libs" / name).write_bytes(name.encode())
    return tmp_path


def test_every_native_library_is_listed_with_its_licence_and_checksum(site: Path) -> None:
    found = json.loads(inside.bill_of_materials(site, "0.1.0"))["components"]
    assert [(one["name"], one["version"]) for one in found] == [
        ("pygame", "2.6.1"),
        ("libdw", "176"),
        ("libogg", "0.8.5"),
        ("libpulse-simple", "0.1.1"),
    ]
    assert all(one["licenses"] for one in found)
    assert [len(one["hashes"][0]["content"]) for one in found[1:]] == [64, 64, 64]


def test_the_copyright_file_names_every_native_library_and_each_licence_once(site: Path) -> None:
    text = inside.licence_paragraphs(site)
    for path in (site / "pygame.libs").iterdir():
        assert f"/pygame.libs/{path.name}\nCopyright: " in text
    paragraphs = re.findall(r"^License: (.+)\n ", text, re.MULTILINE)
    assert len(paragraphs) == len({*paragraphs})
    assert {*re.findall(r"^License: (.+)\nComment", text, re.MULTILINE)} <= {*paragraphs}


def test_every_licence_of_a_native_library_has_its_text() -> None:
    rows = tomllib.loads((inside.PACKAGE_SOURCES / "natives.toml").read_text("utf-8")).values()
    written = re.findall(
        r"^License: (.+)$", (inside.PACKAGE_SOURCES / "licences").read_text(), re.MULTILINE
    )
    known = {*inside.COMMON_LICENCES, *inside.PILLOW_LICENCES, *written}
    assert [row["licence"] for row in rows if row["licence"] not in known] == []


def test_a_native_library_without_a_row_ends_the_build(site: Path) -> None:
    (site / "pygame.libs" / "libnew-12.so.3").touch()
    with pytest.raises(ValueError, match=r"libnew-12\.so\.3 has no row"):
        inside.licence_paragraphs(site)


def test_a_package_has_the_documents_and_pictures_that_its_readme_links_to(tmp_path: Path) -> None:
    build.add_documents(tmp_path)
    there = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    readme = (build.ROOT / "README.md").read_text("utf-8")
    linked = re.findall(r"\]\(((?:docs|systemd)/[^):#]+\.(?:md|gif|svg))\)", readme)
    assert len(linked) > 3
    assert {"README.md", *linked} <= there
    assert not [name for name in there if "__pycache__" in name]


# --- a source archive without `.git` --------------------------------------------------------------


def archive(folder: Path, tag: str) -> Path:
    """Commit and tag the files that decide the version, and unpack the `git archive`."""
    source, target = folder / "source", folder / "target"
    for each in (source, target):
        each.mkdir()
    for name in ("pyproject.toml", ".gitattributes", ".git_archival.txt"):
        (source / name).write_bytes((build.ROOT / name).read_bytes())
    git = ("git", "-C", source, "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    build.run_program(*git, "init", "--quiet")
    build.run_program(*git, "add", "--all")
    build.run_program(*git, "commit", "--quiet", "-m", "x", GIT_COMMITTER_DATE="1700000000 +0000")
    build.run_program(*git, "tag", tag)
    build.run_program(*git, "archive", "--output", folder / "source.tar", "HEAD")
    shutil.unpack_archive(folder / "source.tar", target, filter="data")
    return target


@pytest.mark.long
@pytest.mark.skipif(shutil.which("git") is None, reason="no git: apt install git")
def test_a_source_archive_has_the_version_and_time_of_its_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = archive(tmp_path, "v9.8.7")
    hatchling = (sys.executable, "-I", "-m", "hatchling", "version")
    told = subprocess.run(hatchling, cwd=target, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "9.8.7"
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setattr(build, "ROOT", target)
    assert build.commit_time() == 1_700_000_000
