"""Tests of the commands `companion evening …`, most of them in separate processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from companion.cmd.commands import cli
from companion_club.commands import tables
from tests.typed import COMPANION_COMMAND, ROOT, run_companion

if TYPE_CHECKING:
    from click.testing import Result


pytestmark = pytest.mark.long  # each command is a process


def run(given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return run_companion("evening", *arguments, given=given)


def test_the_page_about_evenings_shows_what_the_command_prints() -> None:
    page = (ROOT / "docs" / "evening.md").read_text("utf-8")
    given, shown = re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[:2]
    done = run(given.encode(), "plan")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == json.loads(shown)


@pytest.mark.parametrize("given", [b"", b"{}", b"\xff", b'{"players": ["Ann"]}', b"[" * 10**5])
def test_facts_that_are_none_get_one_error_object_and_status_1(given: bytes) -> None:
    done = run(given, "plan")
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["error"] == "impossible"
    assert done.stdout.count(b"\n") == 1


def told(folder: Path, *arguments: str, status: int = 0, given: bytes = b"") -> str:
    """Run a command on a folder of facts; return its output, or its error if `status` is not 0."""
    done = run(given, *arguments, "--folder", str(folder))
    assert done.returncode == status, done.stderr
    return (done.stdout if status == 0 else done.stderr).decode()


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Return the folder of an evening of eight people at two tables, without a broker."""
    told(tmp_path, "open", "Club", "--games", "2")
    told(tmp_path, "sign", "Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Zoé +#/%")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (("status", "--broker", "localhost"), "en"),
        (("serve", "--table", "1", "--broker", "localhost"), "fr"),
        (("attend",), "fr"),
        (("forget", "--broker", "localhost"), "en"),
    ],
)
def test_a_command_that_lacks_paho_says_in_one_line_what_to_install(
    tmp_path: Path, arguments: tuple[str, ...], language: str
) -> None:
    done = without_paho(tmp_path, *arguments, language=language)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.endswith(": pip install 'paho-mqtt>=2.1,<3'")
    assert ("Il faut paho-mqtt" in line) == (language == "fr")


def test_an_evening_without_a_broker_needs_no_paho(tmp_path: Path) -> None:
    for command in (("open", "Club"), ("sign", "Ann", "Bob", "Cy"), ("status",)):
        assert without_paho(tmp_path, *command).returncode == 0, command


def without_paho(
    folder: Path, *arguments: str, language: str = "en"
) -> subprocess.CompletedProcess[str]:
    """Run a command that cannot import paho."""
    (folder / "paho.py").write_text("raise ModuleNotFoundError(name='paho')\n", "utf-8")
    env = {**os.environ, "PYTHONPATH": str(folder), "LC_ALL": f"{language}.UTF-8"}
    return subprocess.run(
        [*COMPANION_COMMAND, "evening", *arguments, "--folder", str(folder / "club")],
        env=env, capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


def seating(folder: Path) -> list[list[str]]:
    return list(json.loads(told(folder, "status", "--json"))["tables"])


def played(folder: Path, number: int) -> None:
    """Save a result of each table of the round: 0, 1, 2, … points in order of the seats."""
    for n, names in enumerate(seating(folder), 1):
        told(folder, "add", str(number), str(n), *(f"{name}={i}" for i, name in enumerate(names)))


def test_an_evening_without_a_broker_is_played_to_its_end(club: Path) -> None:
    assert sum(map(len, seating(club))) == 8
    played(club, 1)
    played(club, 2)
    assert "is over, after 2 rounds" in told(club, "status")
    assert "Faults: 0." in told(club, "verify")
    assert told(club, "export", "--csv").count("\n") == 17
    assert told(club, "standings").splitlines()[0].split()[0] == "1"


def test_who_goes_and_who_stays_is_seated_so(club: Path) -> None:
    stays = seating(club)[0][-1]
    goes = next(name for name in seating(club)[1] if name != "Zoé +#/%")
    assert "from round 1 on" in told(club, "stay", stays)
    played(club, 1)
    seated = seating(club)
    assert "from round 3 on" in told(club, "leave", goes)
    assert seating(club) == seated, "the round has new seats"
    told(club, "sign", "Hal", "--round", "2", "--yes")
    shown = told(club, "leave", goes, "--round", "2", given=b"n\n")
    assert "This moves" in shown
    assert goes in {name for table in seating(club) for name in table}, "declined, but saved"
    told(club, "leave", goes, "--round", "2", "--yes")
    assert stays in seating(club)[0]
    now = {name for table in seating(club) for name in table}
    assert ("Hal" in now, goes in now) == (True, False)


def test_who_does_not_come_is_taken_off_before_the_first_result_and_shown_in_advance(
    club: Path,
) -> None:
    before, (absent, *_) = seating(club), seating(club)[0]
    shown = told(club, "leave", absent, given=b"n\n")
    assert "This moves" in shown
    assert seating(club) == before, "declined, but saved"
    assert "from round 1 on" in told(club, "leave", absent, "--yes")
    assert sum(map(len, seating(club))) == 7
    assert absent not in told(club, "standings")
    told(club, "sign", absent)
    assert seating(club) == before
    told(club, "leave", absent, "--yes")
    played(club, 1)
    assert sum(map(len, seating(club))) == 7
    assert "Faults: 0." in told(club, "verify")


def test_nobody_comes_goes_or_stays_in_a_round_that_is_over(club: Path) -> None:
    played(club, 1)
    before = seating(club)
    for how in ("sign", "leave", "stay"):
        wrong = told(club, how, "Ann", "--round", "1", status=2)
        assert "Round 1 is over: --round takes 2" in wrong
    assert seating(club) == before


def test_a_late_comer_who_does_not_come_is_taken_off_before_the_own_first_round(
    club: Path,
) -> None:
    played(club, 1)
    seated = seating(club)
    told(club, "sign", "Hal", "--round", "2", "--yes")
    assert seating(club) != seated
    told(club, "leave", "Hal", "--round", "2", "--yes")
    assert seating(club) == seated


def test_a_correction_says_who_would_move_before_anybody_does(club: Path) -> None:
    played(club, 1)
    before = seating(club)
    first = json.loads(told(club, "status", "--json"))["results"][:4]
    other = [f"{row['player']}={-row['points']}" for row in first]
    shown = told(club, "add", "1", "1", *other, "--seats-too", given=b"n\n")
    assert "This moves" in shown
    assert seating(club) == before
    told(club, "add", "1", "1", *other, "--seats-too", "--yes")
    assert seating(club) != before


def test_the_bell_makes_the_round_that_is_played_the_last_one(club: Path) -> None:
    told(club, "bell")
    played(club, 1)
    assert "is over, after one round" in told(club, "status")


def test_a_fact_on_disk_that_was_changed_is_a_fault(club: Path) -> None:
    file = club / "rules.json"
    file.write_text(file.read_text().replace('"games":2', '"games":9'))
    assert "hash" in run(b"", "verify", "--folder", str(club)).stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("open", "Again"), "open already"),
        (("leave", "Nobody"), "not signed up"),
        (("sign", "A" * 41), "1 to 40 letters"),
        (("add", "1", "1"), "--broken-off"),
        (("add", "1", "1", "Ann"), "NAME=POINTS"),
        (("add", "1", "1", "Ann=1", "Ann=2"), "NAME=POINTS"),
        (("add", "1", "1", "Ann=1.5"), "NAME=POINTS"),
        (("status", "--broker", "host:port"), "HOST:PORT"),
        (("status", "--evening", "No Such/Name"), "small letters"),
        (("host", "--cert", "/dev/null"), "together"),
    ],
)
def test_what_is_wrong_is_one_line(club: Path, arguments: tuple[str, ...], wrong: str) -> None:
    done = run(b"", *arguments, *(() if arguments[0] == "host" else ("--folder", str(club))))
    assert done.returncode != 0
    assert done.stderr.count(b"\n") == 1
    assert wrong in done.stderr.decode()


def away(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """Run a command whose broker does not answer."""
    monkeypatch.setattr(tables, "BROKER_TIMEOUT_SECONDS", 0.1)
    monkeypatch.setenv("LANG", "C.UTF-8")
    told = ["evening", *arguments, "--broker", "127.0.0.1:1", "--folder", str(folder)]
    return CliRunner().invoke(cli, told)


def test_a_broker_that_is_not_there_is_one_line_where_nothing_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = away(tmp_path, monkeypatch, "status")
    assert done.exit_code != 0
    assert done.stderr.count("\n") == 1
    assert "broker cannot be used" in done.stderr


def test_a_result_whose_broker_is_away_is_stored_and_the_person_is_told(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = [f"{name}=10" for name in seating(club)[0]]
    done = away(club, monkeypatch, "add", "1", "1", *points)
    assert done.exit_code == 0, done.output
    assert done.stderr.count("\n") == 1
    assert "sends it when the broker is back" in done.stderr
    assert json.loads(told(club, "status", "--json"))["waiting"] == [2]
    assert "has a result" in away(club, monkeypatch, "status").stdout
