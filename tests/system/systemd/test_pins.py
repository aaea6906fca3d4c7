"""Tests of the pinned versions and checksums of the files that a package downloads."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from systemd.deb import build

ROOT: Final = Path(__file__).parents[3]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINNED: Final = "requirements.txt", "build.txt"
HASH: Final = re.compile(r"--hash=sha256:[0-9a-f]{64}")
PYTHONS: Final = ("3.11", "3.13", "3.14")


class Pin(NamedTuple):
    """A line of a file with pins: a requirement, and the number of its checksums."""

    requirement: Requirement
    hashes: int


def pins(file: str) -> list[Pin]:
    text = (ROOT / "systemd" / file).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [
        Pin(Requirement(line.partition("--hash")[0]), len(HASH.findall(line))) for line in lines
    ]


def wanted(names: list[str], python: str) -> list[Requirement]:
    """Return the requirements for a Python version; replace our own extras by their contents."""
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


def test_a_package_holds_nothing_but_wheels_whose_checksums_are_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = tmp_path / "tabletop_companion-1.whl"
    ours.touch()
    told: list[str] = []
    monkeypatch.setattr(
        build, "run_program", lambda *command: told.append(" ".join(map(str, command)))
    )

    built = build.build_wheel(tmp_path)
    build.install_packages(
        tmp_path / "site", built, build.SUITES["trixie"], build.ARCHITECTURES["arm64"]
    )

    assert built == ours
    made, *piped = told
    assert made.endswith(f"-m venv {tmp_path}/venv")
    assert all(" -m pip --quiet --isolated " in line for line in piped)
    tools, wheel, others, own = piped
    for line in (tools, others):
        assert "--require-hashes" in line
        assert "--only-binary :all:" in line
    assert "--no-deps --no-build-isolation" in wheel
    assert own.endswith(f"--no-index --no-deps {ours}")
