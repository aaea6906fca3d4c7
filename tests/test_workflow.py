"""Tests of the workflows of GitHub: their targets, versions of Python and permissions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from book.notes import release_notes_of_version

ROOT: Final = Path(__file__).parents[1]
FILES: Final = sorted((ROOT / ".github/workflows").glob("*.yml"))
WORKFLOWS: Final = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in FILES}
MAKEFILE: Final = (ROOT / "Makefile").read_text("utf-8")
CHECK: Final[dict[str, Any]] = WORKFLOWS["check"]["jobs"]
RELEASE: Final[dict[str, Any]] = WORKFLOWS["release"]["jobs"]
JOBS: Final = {
    f"{name}/{key}": job for name, all_ in WORKFLOWS.items() for key, job in all_["jobs"].items()
}
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INDEX: Final = "https://pypi.org/simple"
HOME: Final[str] = PROJECT["urls"]["Source"]


def steps(job: dict[str, Any], key: str) -> list[str]:
    """Return the commands ("run") or actions ("uses") of a job's steps."""
    return [step[key] for step in job.get("steps", ()) if key in step]


def test_jobs_make_what_the_makefile_has() -> None:
    run = "\n".join(step for job in JOBS.values() for step in steps(job, "run"))
    made = {
        word for words in re.findall(r"\bmake ((?:[a-z-]+ )+)", run + " ") for word in words.split()
    }
    assert {"lint", "test-quick", "test-long", "docs-check", "package-test", "release"} <= made
    for target in made:
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


def test_what_is_made_has_the_tag_that_the_version_comes_from_and_nobodys_token() -> None:
    for name, job in JOBS.items():
        if not any("make " in line for line in steps(job, "run")):
            continue
        first, python, *_ = job["steps"]
        assert first["uses"].startswith("actions/checkout@"), name
        assert first["with"] == {"fetch-depth": 0, "persist-credentials": False}, name
        assert python["uses"].startswith("actions/setup-python@"), name


def test_actions_are_pinned_by_commit_and_one_release_of_each() -> None:
    used = [line for path in FILES for line in re.findall(r"uses: (.*)", path.read_text("utf-8"))]
    pins = {line for line in used if not line.startswith("./")}
    for line in pins:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    assert len({line.partition("@")[0] for line in pins}) == len(pins)


def test_every_python_that_is_supported_runs_all_tests() -> None:
    tried = CHECK["quick"]["strategy"]["matrix"]["python"]
    assert (
        tried == CHECK["long"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    )
    supported = SpecifierSet(PROJECT["requires-python"])
    assert all(python in supported for python in tried)
    assert "3.10" not in supported
    told = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if " :: 3." in line]
    assert told == tried


def test_each_folder_of_tests_stands_in_one_shard_of_the_long_ones() -> None:
    shards = CHECK["long"]["strategy"]["matrix"]["shard"]
    told = [word for shard in shards for word in shard["tests"].split()]
    folders = {
        path.relative_to(ROOT / "tests").parts[0]
        for path in (ROOT / "tests").glob("*/**/test_*.py")
    }
    has_tests = {f"tests/{name}" for name in folders}
    assert len(told) == len(set(told))
    assert has_tests | {"tests/test_*.py"} <= set(told)
    assert all([*ROOT.glob(word)] for word in told)


def test_what_the_packages_tests_need_is_installed() -> None:
    told = re.search(
        r"# Test the wheel and the packages .*?^package-test:", MAKEFILE, re.DOTALL | re.MULTILINE
    )
    assert told
    installed = steps(CHECK["packages"], "run")[0]
    needed = ("mmdebstrap", "apt-utils", "lintian", "qemu-user-static", "debian-archive-keyring")
    for package in needed:
        assert package in told[0]
        assert f" {package}" in installed


def test_nothing_is_written_with_a_right_that_is_not_needed() -> None:
    assert all(workflow["permissions"] == {} for workflow in WORKFLOWS.values())
    more = {
        name: job["permissions"]
        for name, job in JOBS.items()
        if job["permissions"] != {"contents": "read"}
    }
    assert more == {
        "release/pypi": {"id-token": "write"},
        "release/pages": {"pages": "write", "id-token": "write"},
        "release/github": {"contents": "write", "id-token": "write", "attestations": "write"},
    }


def test_a_release_passes_all_checks_and_knows_no_password() -> None:
    assert RELEASE["check"]["uses"] == "./.github/workflows/check.yml"
    assert [RELEASE[job]["needs"] for job in ("build", "pypi", "github")] == [
        ["check", "image"],
        "build",
        "build",
    ]
    text = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert "secrets." not in text
    assert {"environment"} <= RELEASE["pypi"].keys() & RELEASE["github"].keys()


def test_what_is_new_comes_from_the_changelog_and_only_with_a_date() -> None:
    later = "## Unreleased\n\n- Later.\n\n"
    text = f"{later}## 0.2.0 - 2027-01-31\n\n- New.\n\n## 0.1.0 - soon\n\n- Old.\n"
    assert release_notes_of_version(text, "0.2.0") == "- New.\n"
    with pytest.raises(LookupError, match=r"has no “## 0.1.0 - YYYY-MM-DD”"):
        release_notes_of_version(text, "0.1.0")


def test_the_lock_names_one_index_and_all_that_the_project_asks_for() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    sources = [package["source"] for package in lock]
    assert sources.count({"editable": "."}) == 1
    assert {source.get("registry", INDEX) for source in sources} == {INDEX}
    optional = PROJECT["optional-dependencies"].values()
    asked = [Requirement(line) for lines in (PROJECT["dependencies"], *optional) for line in lines]
    locked = {package["name"]: package.get("version", "0") for package in lock}
    for need in asked:
        if (name := canonicalize_name(need.name)) != "tabletop-companion":
            assert name in locked, f"{need}: uv lock --default-index {INDEX}"


def test_one_address_is_named_everywhere() -> None:
    commands = (f"companion/say/locale/{lang}/LC_MESSAGES/commands.po" for lang in ("en", "fr"))
    papers = ("README.md", "CITATION.cff", "docs/builders/releases.md", "systemd/deb/control")
    for name in (*papers, *commands):
        text = (ROOT / name).read_text("utf-8")
        named = set(re.findall(r"\bgithub\.com/[\w-]*companion[\w-]*/\w+", text))
        assert named == {HOME.removeprefix("https://")}, name


def test_what_the_tests_need_is_announced_before_it_is_downloaded() -> None:
    rule = MAKEFILE.partition("\n$(VENV)/test: ")[2].partition("\n\n")[0]
    assert rule.index("about 700 MB") < rule.index("pip install")
