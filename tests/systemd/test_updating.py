"""The installer's change from one version to the next, on folders of its own and a fake systemd.

Root needs another user for this: `nobody` stands for the user `companion`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

INSTALLER: Final = Path(__file__).parents[2] / "systemd" / "install.sh"
BODY: Final = INSTALLER.read_text("utf-8").partition('\nread_arguments "$@"\n')[0]
IS_ROOT: Final = os.geteuid() == 0
NOBODY: Final = 65534
RUNUSER: Final = 'shift 3; exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"'
"""`runuser -u companion -- COMMAND...`, as root; anybody else runs the command as himself."""


class Machine:
    """Folders as on a machine with one version installed, and programs that note what they do."""

    def __init__(self, root: Path) -> None:
        self.root, self.state, self.home = root, root / "state", root / "opt"
        self.said = root / "systemctl.log"
        programs = {"runuser": RUNUSER if IS_ROOT else 'shift 3; exec "$@"'}
        programs["systemctl"] = f'echo "$@" >>{self.said}; case $* in *MainPID*) echo 7;; esac'
        programs["sleep"] = "exit 0"
        (root / "bin").mkdir()
        for name, script in programs.items():
            self.program(name, script)
        for version in ("old", "new"):
            (self.home / "releases" / version).mkdir(parents=True)
        (self.home / "venv").symlink_to(self.home / "releases" / "old")
        self.state.mkdir()
        (self.state / "games.db").write_bytes(b"games")
        self.state.chmod(0o700)
        root.chmod(0o755)
        self.give(self.state)
        self.give(self.state / "games.db")

    def program(self, name: str, script: str) -> None:
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    def give(self, path: Path) -> None:
        """To the box's user."""
        if IS_ROOT:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def do(self, commands: str) -> subprocess.CompletedProcess[str]:
        """Run commands of the installer, which has just made the release `new`."""
        places = f"home={self.home} state={self.state} release={self.home}/releases/new\n"
        places += f"before={self.home}/releases/old unit={self.root}/units\n"
        places += "install_units() { :; }\n"
        places += 'ln() { case $* in */usr/*) ;; *) command ln "$@" ;; esac; }\n'
        return subprocess.run(
            ["/bin/bash", "-c", f"{BODY}\n{places}{commands}", str(INSTALLER)],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.root,
            env={"PATH": f"{self.root}/bin:{os.environ['PATH']}"},
        )

    @property
    def running(self) -> str:
        """The version that starts the next time."""
        return (self.home / "venv").resolve().name


@pytest.fixture
def machine() -> Iterator[Machine]:
    """In a folder of its own: no other user may enter those of pytest."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Machine(Path(folder))


def test_the_games_are_backed_up_byte_for_byte(machine: Machine) -> None:
    found = machine.do("back_up new")
    assert found.returncode == 0, found.stderr
    assert (machine.state / "backups" / "new" / "games.db").read_bytes() == b"games"


@pytest.mark.skipif(not IS_ROOT, reason="only root can be led to write where others may not")
def test_a_planted_link_does_not_lead_root_out_of_the_boxs_folder(machine: Machine) -> None:
    precious = machine.root / "cron.d"
    precious.mkdir(mode=0o755)
    (machine.state / "backups").symlink_to(precious)
    machine.give(machine.state / "backups")

    assert machine.do("back_up new").returncode != 0
    assert not list(precious.iterdir())
    assert precious.stat().st_uid == 0


def test_a_crafted_name_deletes_nothing_but_old_backups(machine: Machine) -> None:
    (machine.root / "precious").mkdir()
    backups = machine.state / "backups"
    old = [f"2026010{n}-120000" for n in range(1, 6)]
    for name in (*old, "0 precious", "it's mine", "-rf", "1-\n."):
        (backups / name).mkdir(parents=True)
    for path in (backups, *backups.iterdir()):
        machine.give(path)

    found = machine.do("back_up 20260109-120000")

    assert found.returncode == 0, found.stderr
    assert (machine.root / "precious").is_dir()
    assert {path.name for path in backups.iterdir()} >= {"0 precious", "it's mine", *old[-2:]}
    assert not (backups / old[0]).exists()


@pytest.mark.parametrize("fails", ["as_companion", "point_to", "install_units", "sync"])
def test_whatever_fails_while_the_box_stands_still_brings_the_version_before_back(
    machine: Machine, fails: str
) -> None:
    once = f"{fails}() {{ unset -f {fails}; {fails}() {{ :; }}; return 1; }}"
    if fails == "point_to":  # it has changed something before it fails
        once = (
            'eval "real_$(declare -f point_to)"; point_to() { real_point_to "$1"; '
            '[ "$1" != "$release" ]; }'
        )

    found = machine.do(f"{once}\nchange_over\necho went on")

    assert found.returncode != 0
    assert "went on" not in found.stdout
    assert "The version before runs again." in found.stdout
    assert machine.running == "old"
    assert "start companion.service" in machine.said.read_text("utf-8").splitlines()
    assert (machine.state / "games.db").read_bytes() == b"games"


def test_a_new_version_that_does_not_start_gives_the_games_back_as_they_were(
    machine: Machine,
) -> None:
    spoil = f"printf spoilt >{machine.state}/games.db"
    first = "runs() { runs() { return 0; }; return 1; }"

    found = machine.do(f"{first}\nchange_over\n{spoil}\nprove_itself")

    assert found.returncode != 0
    assert machine.running == "old"
    assert (machine.state / "games.db").read_bytes() == b"games"
    assert not (machine.home / "releases" / "new").exists()


@pytest.mark.parametrize(
    "cut",
    ["exec >/dev/full 2>&1", "kill -HUP $$", "kill -TERM $$", "kill -INT $$"],
)
def test_an_update_whose_line_is_cut_brings_the_version_before_back(
    machine: Machine, cut: str
) -> None:
    spoilt = (
        f"install_units() {{ unset -f install_units; install_units() {{ :; }}; {cut}; return 1; }}"
    )

    found = machine.do(f"{spoilt}\nchange_over\ntouch {machine.root}/went-on")

    assert found.returncode != 0
    assert not (machine.root / "went-on").exists()
    assert machine.running == "old"
    said = machine.said.read_text("utf-8").splitlines()
    assert said.index("stop companion.service") < said.index("start companion.service")


def test_whoever_the_games_belong_to_gets_no_terminal_to_type_in(machine: Machine) -> None:
    found = machine.do('as_companion \'ps -o sid= -p "$$"; tty || echo none\'; echo "mine $$"')
    session, *rest = found.stdout.split()
    assert session not in rest
    assert "none" in rest
    scripts = [path.read_text("utf-8") for path in INSTALLER.parent.rglob("*.sh")]
    script = "".join(scripts)
    assert script.count("runuser ") == script.count("setsid --wait runuser ") == 1


def test_the_size_of_the_games_counts_as_space_that_is_needed(machine: Machine) -> None:
    (machine.state / "games.db").write_bytes(bytes(3 << 20))
    assert machine.do("games_size").stdout.strip() in ("3", "4")


@pytest.mark.skipif(shutil.which("python3") is None, reason="there is no python3 on the PATH")
def test_nothing_in_the_callers_folder_is_run(machine: Machine) -> None:
    """A `venv.py` or `urllib.py` that lies where the installer is called from."""
    for name in ("venv.py", "urllib.py"):
        (machine.root / name).write_text("open('ran', 'w')\n", "utf-8")
    script = INSTALLER.read_text("utf-8")
    calls = [line.split("python3", 1)[1] for line in script.splitlines() if " python3 " in line]
    assert calls
    assert all(call.startswith(" -I ") for call in calls)
    assert script.index("\ncd / ") < script.index('\ncheck_machine "$@"')


def test_what_an_update_left_that_lost_its_power_is_cleared_up(machine: Machine) -> None:
    (machine.home / "begun").symlink_to(machine.home / "releases" / "new")
    found = machine.do("clear_up")
    assert found.returncode == 0, found.stderr
    assert [path.name for path in (machine.home / "releases").iterdir()] == ["old"]
    assert machine.running == "old"
    assert machine.do("clear_up").returncode == 0


def test_a_release_that_runs_is_never_cleared_up(machine: Machine) -> None:
    (machine.home / "begun").symlink_to(machine.home / "releases" / "old")
    assert machine.do("clear_up").returncode == 0
    assert machine.running == "old"
    assert (machine.home / "releases" / "old").is_dir()
    assert not (machine.home / "begun").is_symlink()


@pytest.mark.parametrize("known", ["unit", "unit.new"])
def test_a_unit_is_on_the_disk_before_it_takes_the_place_of_the_one_before(
    machine: Machine, known: str
) -> None:
    for name, said in (("new", "new\n"), ("unit", "old\n"), (known, "old\n")):
        (machine.root / name).write_text(said)
    machine.program("sync", f'cat "$@" {machine.root}/unit >{machine.root}/seen; exit 1')
    done = machine.do(f"put {machine.root}/new {machine.root}/unit")
    assert done.returncode == 1
    assert (machine.root / "seen").read_text() == "new\nold\n"
    assert (machine.root / "unit").read_text() == "old\n"
    (machine.root / "bin" / "sync").unlink()
    assert machine.do(f"put {machine.root}/new {machine.root}/unit").returncode == 0
    assert (machine.root / "unit").read_text() == "new\n"
    assert not (machine.root / "unit.new").exists()


def test_games_that_come_back_are_on_the_disk_before_those_there_are_go(machine: Machine) -> None:
    assert machine.do("back_up new").returncode == 0
    (machine.state / "games.db").write_text("newer")
    (machine.state / "games.db-wal").write_text("newer")
    back = f"backup={machine.state}/backups/new; bring_games_back"
    machine.program("sync", "exit 1")
    assert machine.do(back).returncode == 1
    assert (machine.state / "games.db-wal").read_text() == "newer"
    (machine.root / "bin" / "sync").unlink()
    assert machine.do(back).returncode == 0
    assert (machine.state / "games.db").read_text() == "games"
    assert {path.name for path in machine.state.iterdir()} == {"games.db", "backups"}
