"""What the installer takes from the network: versions and checksums that are written down."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.systemd.test_updating import Machine

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINNED: Final = "requirements.txt", "build.txt"
HASH: Final = re.compile(r"--hash=sha256:[0-9a-f]{64}")
PYTHONS: Final = ("3.11", "3.13", "3.14")


class Pin(NamedTuple):
    """A line of such a file: what is installed, and how many files it may be."""

    requirement: Requirement
    hashes: int


def pins(file: str) -> list[Pin]:
    text = (ROOT / "systemd" / file).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [
        Pin(Requirement(line.partition("--hash")[0]), len(HASH.findall(line))) for line in lines
    ]


def wanted(names: list[str], python: str) -> list[Requirement]:
    """What some requirements come to on a Python, with the extras of our own in their place."""
    extras, found = PROJECT["project"]["optional-dependencies"], []
    environment = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    for requirement in map(Requirement, names):
        if requirement.name == PROJECT["project"]["name"]:
            for extra in requirement.extras:
                found += wanted(extras[extra], python)
        elif requirement.marker is None or requirement.marker.evaluate(environment):
            found.append(requirement)
    return found


@pytest.mark.parametrize("file", PINNED)
def test_every_line_has_one_version_and_its_checksums(file: str) -> None:
    found = pins(file)
    assert len(found) > 5
    for requirement, hashes in found:
        assert [part.operator for part in requirement.specifier] == ["=="], requirement
        assert hashes > 0, requirement


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("file", PINNED)
def test_what_the_project_needs_is_pinned_to_a_version_that_it_takes(
    file: str, python: str
) -> None:
    project = PROJECT["project"]
    needed = {
        "requirements.txt": [*project["dependencies"], f"{project['name']}[pi]"],
        "build.txt": PROJECT["build-system"]["requires"],
    }[file]
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    pinned = {
        canonicalize_name(requirement.name): next(iter(requirement.specifier)).version
        for requirement, _ in pins(file)
        if requirement.marker is None or requirement.marker.evaluate(environment)
    }
    for requirement in wanted(needed, python):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])


@pytest.fixture
def said(tmp_path: Path) -> Path:
    return tmp_path / "said"


def installed(root: Path, said: Path, wheels: str) -> list[str]:
    """What the Pythons of all environments are told, as a release is made."""
    (root / "bin").mkdir()
    programs = {
        "said": f'echo "$@" >>{said}',
        "python3": f'mkdir -p "$4/bin"; cp {root}/bin/said "$4/bin/python"',
        "sync": "exit 0",
    }
    for name, script in programs.items():
        path = root / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)
    machine = Machine.__new__(Machine)
    machine.root, machine.home, machine.state = root, root / "opt", root / "state"
    machine.do(f"home={root}/opt wheels={wheels}\nmake_release")
    return said.read_text("utf-8").splitlines()


@pytest.mark.parametrize("is_folder", [True, False])
def test_root_installs_nothing_but_wheels_whose_checksums_are_written_down(
    tmp_path: Path, said: Path, *, is_folder: bool
) -> None:
    (tmp_path / "tabletop_companion-1.whl").touch()
    told = installed(tmp_path, said, f"{tmp_path}" if is_folder else "''")
    assert all(line.startswith("-I -m pip --isolated ") for line in told)
    *before, last = told
    for line in before:
        is_ours = " wheel " in line
        assert ("--require-hashes" in line and "--only-binary :all:" in line) or is_ours, line
        assert ("--no-index --no-deps --no-build-isolation" in line) or not is_ours, line
    assert "--no-index --no-deps" in last
    assert "tabletop_companion-" in last
    assert len(told) == (2 if is_folder else 4)
