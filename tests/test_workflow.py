"""What GitHub is told to run: only what there is, on all that is supported."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from packaging.specifiers import SpecifierSet

ROOT: Final = Path(__file__).parents[1]
WORKFLOW: Final = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text("utf-8"))
MAKEFILE: Final = (ROOT / "Makefile").read_text("utf-8")
JOBS: Final[dict[str, Any]] = WORKFLOW["jobs"]


def steps(job: str, key: str) -> list[str]:
    """What the steps of a job run or use."""
    return [step[key] for step in JOBS[job]["steps"] if key in step]


@pytest.mark.parametrize("job", JOBS)
def test_a_job_makes_what_the_makefile_has(job: str) -> None:
    made = re.findall(r"\bmake ([a-z-]+)", "\n".join(steps(job, "run")))
    assert made
    for target in made:
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


@pytest.mark.parametrize("job", JOBS)
def test_a_job_has_the_tag_that_the_version_comes_from(job: str) -> None:
    first, python, *_ = JOBS[job]["steps"]
    assert first["uses"].startswith("actions/checkout@v")
    assert first["with"] == {"fetch-depth": 0}
    assert python["uses"].startswith("actions/setup-python@v")


def test_every_python_that_is_supported_runs_the_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    tried = JOBS["test"]["strategy"]["matrix"]["python"]
    assert tried == ["3.11", "3.12", "3.13", "3.14"]
    supported = SpecifierSet(project["requires-python"])
    assert all(python in supported for python in tried)
    assert "3.10" not in supported


def test_what_the_packages_tests_need_is_installed() -> None:
    told = re.search(r"# Wheel and packages, .*?^package-test:", MAKEFILE, re.DOTALL | re.MULTILINE)
    assert told
    installed = steps("packages", "run")[0]
    needed = ("mmdebstrap", "apt-utils", "lintian", "qemu-user-static", "debian-archive-keyring")
    for package in needed:
        assert package in told[0]
        assert f" {package}" in installed


def test_nothing_is_written_with_a_right_that_is_not_needed() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}


def test_what_the_tests_need_is_announced_before_it_is_downloaded() -> None:
    rule = MAKEFILE.partition("\n$(VENV)/test: ")[2].partition("\n\n")[0]
    assert rule.index("about 700 MB") < rule.index("pip install")
