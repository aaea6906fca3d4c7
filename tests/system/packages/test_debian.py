"""Tests of the Debian packages, installed from a repository into fresh Debians without systemd.

Here a version that does not start is a command that ends with an error. test_scripts.py tests
services that end, or never send READY, with a fake systemd.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.system.packages import debs
from tests.system.packages.commands import BOT, ROOT
from tests.system.packages.roots import Machine, over, root

SUITES: Final = ("bookworm", "trixie")
HOME: Final = "/usr/lib/companion"
GAMES: Final = "/var/lib/companion/games.db"
OLD: Final = "0.0.9"
BAD: Final = "99.1"
GOOD: Final = "99.2"
APT: Final = "apt-get -qq -o Dpkg::Use-Pty=0 -o APT::Sandbox::User=root"
PURGE: Final = f"{APT} purge companion"
FORGET: Final = "echo companion companion/forget-games boolean true | debconf-set-selections"
PLAYED: Final = f"runuser -u companion -- python3 -c {shlex.quote(BOT)}"


class Shelf(NamedTuple):
    """A suite's packages, and a Debian with the package of these sources."""

    suite: str
    ours: Path
    bare: Path
    layer: Path
    packages: Path
    """The repository's folder."""
    folder: Path


@pytest.fixture(scope="module", params=SUITES)
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Build the packages once for all tests of a suite."""
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        pytest.skip("not root, or no mmdebstrap: apt install mmdebstrap")
    folder = tmp_path_factory.mktemp(request.param)
    bare, ours = root(request.param), debs.ready(folder, request.param)
    old = debs.other(ours, OLD, folder)
    debs.repository(folder, ours, old)
    with over(folder / "installed", bare) as machine:
        offer(machine, folder / "apt")
        machine.do(f"{APT} install companion")
    layer = folder / "installed" / "upper"
    return Shelf(request.param, ours, bare, layer, folder / "apt", folder)


def offer(machine: Machine, packages: Path) -> None:
    """Register the repository and its key with a machine's apt."""
    shutil.copytree(packages, machine.folder / "srv" / "apt", dirs_exist_ok=True)
    shutil.copy(packages / "companion.asc", machine.folder / "etc/apt/keyrings/companion.asc")
    suite = "$(. /etc/os-release; echo $VERSION_CODENAME)"
    line = f"deb [signed-by=/etc/apt/keyrings/companion.asc] file:/srv/apt {suite} main"
    machine.do(f'echo "{line}" >/etc/apt/sources.list.d/companion.list; {APT} update')


@pytest.fixture
def bare(shelf: Shelf, tmp_path: Path) -> Iterator[Machine]:
    """Yield a fresh Debian that knows the repository."""
    with over(tmp_path / "bare", shelf.bare) as machine:
        offer(machine, shelf.packages)
        yield machine


@pytest.fixture
def box(shelf: Shelf, tmp_path: Path) -> Iterator[Machine]:
    """Yield a Debian with the package of these sources."""
    with over(tmp_path / "box", shelf.layer, shelf.bare) as machine:
        yield machine


def give(machine: Machine, package: Path) -> str:
    """Copy a package into a machine; return its path there."""
    shutil.copy(package, machine.folder / "root" / package.name)
    return f"/root/{package.name}"


def state(machine: Machine) -> str:
    """Return dpkg's state of the package."""
    return machine.do("dpkg-query -W -f '${db:Status-Status} ${Version}' companion")


def played(machine: Machine) -> None:
    """Give the box a record and a board file."""
    machine.do(
        "install -d -m700 -o companion -g companion /var/lib/companion;"
        f"echo games >{GAMES}; chown companion: {GAMES}; mkdir -p /etc/companion;"
        "echo mine >/etc/companion/board.toml"
    )


def python(machine: Machine, *lines: str, **environment: str) -> str:
    """Return the output of the box's own Python for some lines."""
    return machine.do(
        f"{HOME}/current/bin/python -c {shlex.quote(chr(10).join(lines))}", **environment
    )


def played_through(machine: Machine, sound: str) -> None:
    """Check that a sound, played into a file, has all samples."""
    heard = python(
        machine,
        "import io, wave",
        "from pathlib import Path",
        "import sounds",
        "from hardware.sound.speaker import PygameSoundDevice",
        f"wav = Path(sounds.__file__).parents[1].joinpath({sound!r}).read_bytes()",
        "mixer = PygameSoundDevice()",
        "mixer.start(wav, 1.0)",
        "while mixer._mixer.get_busy(): pass",
        "mixer.close()",
        "wave = wave.open(io.BytesIO(wav)).readframes(1 << 30)",
        "print(wave in Path('/root/heard').read_bytes())",
        SDL_AUDIODRIVER="disk",
        SDL_DISKAUDIOFILE="/root/heard",
        SDL_DISKAUDIODELAY="1",
    )
    assert heard.splitlines()[-1] == "True"


def kept(machine: Machine) -> bool:
    """Return True if the games and settings are unchanged."""
    return machine.do(f"cat {GAMES} /etc/companion/board.toml") == "games\nmine\n"


# --- installed ------------------------------------------------------------------------------------


def test_it_plays_a_whole_game(box: Machine) -> None:
    assert "won" in box.do(PLAYED)


def test_the_doctor_finds_voice_and_words_and_says_what_to_do(box: Machine) -> None:
    status, said = box.both("companion doctor")
    assert status == 1  # there is no box in a container
    assert "Traceback" not in said
    for part in ("voice", "dictionary"):
        assert f"OK    {part}" in said


def test_all_libraries_inside_are_there_to_be_loaded(box: Machine) -> None:
    names = "pygame.mixer, PIL.ImageDraw, luma.oled.device, gpiozero, gpiod, tornado, smbus2"
    box.do(f"{HOME}/current/bin/python -c 'import {names}, paho.mqtt.client'")
    asked = box.do(f"find {HOME}/current/ -name '*.so' ! -path '*.libs/*' -exec ldd {{}} +")
    assert "libSDL2_mixer" in asked
    assert "not found" not in asked


def test_a_sound_of_the_box_comes_out_whole(box: Machine) -> None:
    played_through(box, "sounds/dealt.wav")


def test_a_panel_of_luma_takes_a_picture(box: Machine) -> None:
    python(
        box,
        "from PIL import Image",
        "from luma.core.interface.serial import noop",
        "from luma.oled.device import sh1106",
        "sh1106(noop()).display(Image.frombytes('1', (128, 64), bytes(1024)))",
    )


def test_its_start_waits_for_no_compiler(box: Machine) -> None:
    tried = f"find {HOME}/current/ -name cli.*.pyc | grep -q companion/cmd"
    box.do(tried)
    assert box.do(f"stat -c '%U %a' {HOME}/current/bin/companion") == "root 755\n"


def test_the_manual_and_the_completion_are_where_they_are_looked_for(box: Machine) -> None:
    box.do("bash -c '. /usr/share/bash-completion/completions/companion; complete -p companion'")
    assert "companion" in box.do("zcat /usr/share/man/man1/companion.1.gz")


def test_its_users_have_the_groups_of_their_devices(box: Machine) -> None:
    assert {"companion", "gpio", "i2c", "spi", "audio"} <= {*box.do("id -Gn companion").split()}
    assert box.do("id -Gn companion-page").split() == ["companion-page"]


def test_systemd_starts_it_with_the_machine_and_understands_its_units(box: Machine) -> None:
    sockets = (f"companion-{name}.socket" for name in ("page", "evening", "seats"))
    for unit in ("companion.service", *sockets):
        assert box.do(f"systemctl is-enabled {unit}") == "enabled\n"
    said = box.do("systemd-analyze verify --man=no companion.service companion-page.service 2>&1")
    assert "companion" not in said, said


def test_a_game_of_a_package_is_found(box: Machine) -> None:
    folder = "/usr/local/lib/companion"
    info = f"{folder}/companion_sum-1.0.dist-info"
    box.do(
        f"mkdir -p {info}; printf 'Metadata-Version: 2.1\\nName: companion-sum\\nVersion: 1.0\\n'"
        f" >{info}/METADATA; printf '[companion.games]\\nsum = companion_sum\\n'"
        f" >{info}/entry_points.txt"
    )
    assert "companion-sum" in box.do("companion games")


# --- updated --------------------------------------------------------------------------------------


def test_an_update_keeps_games_and_settings(bare: Machine) -> None:
    bare.do(f"{APT} install companion={OLD}*")
    assert bare.do(f"readlink {HOME}/current") == f"{OLD}\n"
    played(bare)
    bare.do("systemctl disable companion-page.socket")

    bare.do(f"{APT} install companion")

    assert kept(bare)
    assert OLD not in bare.do(f"ls {HOME}; readlink {HOME}/current")
    assert bare.do(f"ls {HOME} | wc -l") == "2\n"  # the version, and the link to it
    assert bare.do("ls /etc/systemd/system/companion* 2>/dev/null || true") == ""
    assert bare.do("cat /var/lib/companion/backups/*/games.db") == "games\n"
    assert "disabled" in bare.both("systemctl is-enabled companion-page.socket")[1]
    assert "won" in bare.do(PLAYED)


@pytest.mark.parametrize("module", ["companion/cmd/cli.py", "companion/cmd/start.py"])
def test_a_version_that_does_not_start_is_not_taken(
    box: Machine, shelf: Shelf, tmp_path: Path, module: str
) -> None:
    played(box)
    before = box.do(f"readlink {HOME}/current").strip()
    bad = give(box, debs.other(shelf.ours, BAD, tmp_path, broken=module))

    status, said = box.both(f"{APT} install {bad}")

    assert status != 0
    assert "does not run here" in said
    assert "won" in box.do(PLAYED)
    assert kept(box)
    assert state(box).startswith(f"half-configured {BAD}")

    good = give(box, debs.other(shelf.ours, GOOD, tmp_path))
    box.do(f"{APT} install {good}")

    assert box.do(f"readlink {HOME}/current") == f"{GOOD}\n"
    assert state(box).startswith(f"installed {GOOD}")
    assert before not in box.do(f"ls {HOME}")


def test_what_runs_is_whole_until_the_new_version_is(
    box: Machine, shelf: Shelf, tmp_path: Path
) -> None:
    """The power fails between dpkg's two steps: the new version is unpacked, but not configured."""
    played(box)
    bad = give(box, debs.other(shelf.ours, BAD, tmp_path, broken="companion/cmd/cli.py"))

    box.do(f"dpkg --unpack {bad}")

    assert box.do(f"readlink {HOME}/current") == "before\n"
    assert "won" in box.do(PLAYED)
    units = box.do("cat /etc/systemd/system/companion.service")
    assert units.startswith("[Unit]")
    assert box.both("dpkg --configure companion")[0] != 0
    assert "won" in box.do(PLAYED)
    assert kept(box)


def test_a_package_that_is_cut_short_changes_nothing(box: Machine, shelf: Shelf) -> None:
    before = box.do(f"readlink {HOME}/current")
    cut = shelf.folder / "cut.deb"
    cut.write_bytes(debs.other(shelf.ours, BAD, shelf.folder).read_bytes()[:-3_000_000])

    assert box.both(f"dpkg --install {give(box, cut)}")[0] != 0

    assert box.do(f"readlink {HOME}/current") == before
    assert box.do("ls /etc/systemd/system/companion* 2>/dev/null || true") == ""
    assert "won" in box.do(PLAYED)


def test_the_installer_of_a_release_is_apt_with_a_package(
    bare: Machine, shelf: Shelf, tmp_path: Path
) -> None:
    install = "/root/release/systemd/install.sh"
    for package in (shelf.ours, debs.other(shelf.ours, OLD, tmp_path)):
        give(bare, package)
    (bare.folder / install[1:]).parent.mkdir(parents=True)
    shutil.copy(ROOT / "systemd" / "install.sh", bare.folder / install[1:])

    bare.do(f"{install} /root")  # installs the newest package of the folder
    assert state(bare).startswith("installed ")
    played(bare)
    bare.do(f"{install} /root/companion_{OLD}+*.deb")
    assert bare.do(f"readlink {HOME}/current") == f"{OLD}\n"
    bad = give(bare, debs.other(shelf.ours, BAD, tmp_path, broken="companion/cmd/cli.py"))
    for _ in range(2):  # the second try has an equal result
        status, said = bare.both(f"{install} {bad}")
        assert status == 1
        assert "it continues to run" in said
        assert "does not run here" in said
    bare.do(f"rm {bad}; {install} /root; {install} /root")
    assert OLD not in bare.do(f"ls {HOME}; readlink {HOME}/current")
    assert "won" in bare.do(PLAYED)

    assert "The games are in" in bare.do(f"{install} --uninstall")
    assert kept(bare)
    bare.do(f"{install} --uninstall --forget-games")
    assert bare.both("test -e /var/lib/companion -o -e /etc/companion")[0] == 1


# --- removed --------------------------------------------------------------------------------------


def test_what_is_removed_leaves_the_games_and_settings_alone(bare: Machine) -> None:
    before = bare.files()
    bare.do(f"{APT} install companion")
    played(bare)

    bare.do(f"{APT} remove companion")

    left = {line for line in bare.files() - before if "companion" in line}
    assert left == {"var/lib/companion", GAMES[1:], "etc/companion", "etc/companion/board.toml"}
    assert kept(bare)


def test_whoever_purges_without_being_asked_keeps_the_games(box: Machine) -> None:
    played(box)
    assert "The games stay in /var/lib/companion" in box.do(PURGE)
    assert kept(box)


def test_whoever_says_so_purges_the_games_and_nothing_is_left(bare: Machine) -> None:
    before = bare.files()
    bare.do(f"{APT} install companion")
    played(bare)

    bare.do(f"{FORGET}; {PURGE}")

    assert {line for line in bare.files() - before if not line.endswith("-")} <= {"etc/.pwd.lock"}
    for file in ("passwd", "group", "shadow"):
        assert "companion" not in bare.do(f"cat /etc/{file}")
