"""What a build of the packages comes to, without building one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.say import catalogues
from systemd.deb import build
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
    catalogues.write(source)
    made = source.with_suffix(".mo").read_bytes()
    assert b"-Date:" not in made


def test_the_packages_units_name_the_version_that_runs() -> None:
    for path in build.SYSTEMD.glob("*.service"):
        assert "/opt/" not in build.unit(path)


def test_the_cards_layer_asks_systemd_nothing_that_it_does_not_know_in_a_chroot() -> None:
    text = (build.SYSTEMD / "image" / "layer" / "companion.yaml").read_text("utf-8")
    assert set(re.findall(r"systemctl (\w+)", text)) <= {"enable", "disable"}


def unpacked(site: Path, wheel: Path, *_: object) -> None:
    """Our own wheel alone where a package has those of others too, which need a network."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)


@pytest.mark.long  # six seconds: hatchling and xz
def test_wheel_source_and_package_are_built_twice_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "install", unpacked)
    suite, arch = "trixie", build.ARCHES["arm64"]
    made: list[dict[str, bytes]] = []
    for folder, mask, zone in (("one", 0o022, "UTC"), ("two", 0o077, "Asia/Tokyo")):
        monkeypatch.setenv("TZ", zone)
        before = os.umask(mask)
        try:
            run(sys.executable, "-m", "hatchling", "build", "--directory", tmp_path / folder)
        finally:
            os.umask(before)
        (wheel,) = (tmp_path / folder).glob("*.whl")
        build.build(wheel, tmp_path / folder, suite, arch, 1_700_000_000)
        made.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
    assert sorted(Path(name).suffix for name in made[0]) == [".deb", ".gz", ".whl"]
    assert [name for name in made[0] if made[0][name] != made[1].get(name)] == []


# --- a source archive without `.git` --------------------------------------------------------------


def archive(folder: Path, tag: str) -> Path:
    """Commit what decides the version, tag it, and unpack what `git archive` gives of it."""
    source, target = folder / "source", folder / "target"
    for each in (source, target):
        each.mkdir()
    for name in ("pyproject.toml", ".gitattributes", ".git_archival.txt"):
        (source / name).write_bytes((build.ROOT / name).read_bytes())
    git = ("git", "-C", source, "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    build.run(*git, "init", "--quiet")
    build.run(*git, "add", "--all")
    build.run(*git, "commit", "--quiet", "-m", "x", GIT_COMMITTER_DATE="1700000000 +0000")
    build.run(*git, "tag", tag)
    build.run(*git, "archive", "--output", folder / "source.tar", "HEAD")
    shutil.unpack_archive(folder / "source.tar", target, filter="data")
    return target


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
