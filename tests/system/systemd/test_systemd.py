"""Tests of the service: notifications to systemd, watchdog, units and installer."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box import system
from companion.box.dimming_and_lock import DIM_AND_DARK_SECONDS
from companion.box.events import BoxQuitRequested
from companion.box.loop import Loop
from companion.box.system import Machine, WatchdogHeartbeat
from companion.cmd import first, repair_screens, start
from companion.draw.canvas import ELLIPSIS, wrap_text
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from hardware.mock import FakeBox
from hardware.ports import HardwareError
from tests.english import raises_english

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "systemd"
COLUMNS = 21


class Systemd:
    """The other end of the notification socket."""

    def __init__(self, address: str) -> None:
        self.wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.wire.bind(address)
        self.wire.setblocking(False)

    def heard(self) -> list[str]:
        words = []
        while True:
            try:
                words.append(self.wire.recv(1024).decode())
            except BlockingIOError:
                return words


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Systemd]:
    listening = Systemd(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    yield listening
    listening.wire.close()


# --- notifications to systemd ---------------------------------------------------------------------


def test_systemd_hears_what_it_is_told(systemd: Systemd) -> None:
    system.notify_systemd("READY=1")
    assert systemd.heard() == ["READY=1"]


def test_an_abstract_socket_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"companion-test-{os.getpid()}"
    listening = Systemd(f"\0{name}")
    monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
    system.notify_systemd("READY=1")
    assert listening.heard() == ["READY=1"]
    listening.wire.close()


def test_without_systemd_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    system.notify_systemd("READY=1")


def test_a_systemd_that_does_not_listen_ends_no_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    system.notify_systemd("READY=1")


@pytest.mark.parametrize(
    ("usec", "pid", "seconds"),
    [
        ("20000000", None, 10.0),
        pytest.param("20000000", str(os.getpid()), 10.0, id="own process"),
        ("20000000", "1", None),
        (None, None, None),
        ("soon", None, None),
    ],
)
def test_the_pulse_is_twice_as_quick_as_the_watchdog(
    monkeypatch: pytest.MonkeyPatch, usec: str | None, pid: str | None, seconds: float | None
) -> None:
    for name, value in (("WATCHDOG_USEC", usec), ("WATCHDOG_PID", pid)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert system.watchdog_heartbeat_interval() == seconds


def test_a_pulse_beats_when_it_is_due_and_not_before(systemd: Systemd) -> None:
    now = [100.0]
    pulse = WatchdogHeartbeat(lambda: now[0], 10)
    heard = []
    for now[0] in (100.0, 105.0, 109.9, 110.0, 125.0, 126.0):
        pulse.send_if_due()
        heard.append(len(systemd.heard()))
    assert heard == [1, 0, 0, 1, 1, 0]
    assert pulse.due == 135.0


def test_without_a_watchdog_nothing_beats(systemd: Systemd) -> None:
    pulse = WatchdogHeartbeat(lambda: 0.0)
    pulse.send_if_due()
    assert pulse.due is None
    assert systemd.heard() == []


def loop_with(pulse: WatchdogHeartbeat | None) -> Loop:
    return Loop(FakeBox().box, Journal(None), Machine(lambda: 0.0, lambda: 0, pulse=pulse))


def test_an_idle_loop_wakes_up_for_its_pulse_alone() -> None:
    pulse = WatchdogHeartbeat(lambda: 0.0, 10)
    pulse.due = 7.0
    watched, free = loop_with(pulse), loop_with(None)
    watched.start()
    free.start()
    assert watched.seconds_until_due == 7.0
    assert free.seconds_until_due == DIM_AND_DARK_SECONDS[0]  # when the display dims


def test_the_loop_itself_beats_and_the_box_says_when_it_is_up_and_when_it_leaves(
    systemd: Systemd,
) -> None:
    loop = loop_with(WatchdogHeartbeat(lambda: 0.0, 10))
    loop.inbox.put(BoxQuitRequested())
    start.run_box_loop(loop)
    assert systemd.heard() == ["READY=1", "WATCHDOG=1", "STOPPING=1"]


# --- power ----------------------------------------------------------------------------------------


def command(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a fake `systemctl` first in the path."""
    file = folder / "systemctl"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_the_machine_is_switched_off_by_systemd_without_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, monkeypatch, f'echo "$@" >{tmp_path}/said')
    system.power_off()
    assert (tmp_path / "said").read_text().split() == ["--no-ask-password", "poweroff"]


def test_a_machine_that_may_not_be_switched_off_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, monkeypatch, "echo 'Access denied' >&2; exit 1")
    with raises_english(HardwareError, match="Access denied") as raised:
        system.power_off()
    assert raised.value.part == "power"


def test_a_machine_without_systemd_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with raises_english(HardwareError, match="Not switched off"):
        system.power_off()


# --- the box has stopped --------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_box_says_whole_that_it_has_stopped(language: str) -> None:
    words = Words(language)
    assert len(wrap_text(words("box.stopped.text"), COLUMNS)) <= 2
    assert len(wrap_text(words("box.stopped.hint"), COLUMNS)) <= 3
    assert ELLIPSIS not in words("box.stopped.text")
    assert any(repair_screens.make_box_stopped_frame(words))


def test_it_speaks_the_boxs_language_and_the_machines_if_the_record_is_the_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    journal = Journal(tmp_path / "games.db")
    journal.save_setting("language", "fr", 0)
    journal.close()
    assert repair_screens.box_language() == "fr"
    journal = Journal(tmp_path / "games.db")
    journal.save_setting("language", "en", 0)
    assert repair_screens.box_language() == "en"  # although another process has the record open
    journal.close()


def test_the_notice_that_the_box_has_stopped_leaves_a_damaged_record_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    journal = Journal(tmp_path / "games.db")
    journal.save_setting("language", "fr", 0)
    journal.close()
    record = tmp_path / "games.db"
    record.write_bytes(bytes(100) + record.read_bytes()[100:])
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert repair_screens.box_language() == "fr"
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    record.unlink()
    assert repair_screens.box_language() == "en"


# --- the units ------------------------------------------------------------------------------------


def unit(name: str) -> dict[str, dict[str, list[str]]]:
    """Return the sections of a unit, with a list of values for each key."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in (FOLDER / name).read_text().splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value)
    return found


def test_the_service_is_watched_restarted_with_a_limit_and_told_about() -> None:
    sections = unit("companion.service")
    service, about = sections["Service"], sections["Unit"]
    assert service["Type"] == ["notify"]
    assert service["Restart"] == ["on-failure"]
    assert float(service["WatchdogSec"][0]) > 0
    assert int(about["StartLimitBurst"][0]) * float(service["RestartSec"][0]) < int(
        about["StartLimitIntervalSec"][0]
    )
    assert about["OnFailure"] == ["companion-stopped.service"]
    assert "companion-stopped.service" in listed("companion.service", "Conflicts")


def listed(name: str, key: str) -> set[str]:
    """Return all words of a key in a unit's section `Unit`."""
    return {word for value in unit(name)["Unit"].get(key, []) for word in value.split()}


def test_the_box_waits_for_nothing_that_starts_later() -> None:
    """systemd's default dependencies wait for most of the system's start."""
    name = "companion.service"
    assert unit(name)["Unit"]["DefaultDependencies"] == ["no"]
    waits = listed(name, "After") | listed(name, "Requires") | listed(name, "Wants")
    late = ("sysinit", "basic", "network", "sound", "time-", "multi-user", "dbus", "local-fs")
    assert not [other for other in waits if other.startswith(late)]
    assert "PrivateTmp" not in unit(name)["Service"]  # needs systemd-tmpfiles-setup.service
    for key in ("Conflicts", "Before"):  # the shutdown still needs these defaults
        assert "shutdown.target" in listed(name, key)


def test_the_box_waits_itself_for_its_devices_and_systemd_does_not() -> None:
    assert not [other for other in listed("companion.service", "After") if ".device" in other]
    service = unit("companion.service")["Service"]
    assert any(first.AWAITED_DEVICES_VARIABLE in line for line in service["Environment"])
    assert int(service["TimeoutStartSec"][0]) / 2 >= first.DEVICE_TIMEOUT_SECONDS


def test_no_unit_names_a_device_by_the_number_of_one_board_or_kernel() -> None:
    files = [file for file in FOLDER.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    assert len(files) > 10
    for file in files:
        named = re.findall(
            r"(?:i2c-|spidev|gpiochip|/dev/snd/|card|wlan|eth)[0-9]", file.read_text("utf-8")
        )
        assert not named, file.name


def test_the_box_is_let_to_kinds_of_devices_that_come_after_it() -> None:
    """A device name that the kernel does not know when the box starts stays forbidden."""
    i2c, spi, sound = "char-89", "char-153", "char-116"  # Documentation/admin-guide/devices.txt
    allowed = [line.split()[0] for line in unit("companion.service")["Service"]["DeviceAllow"]]
    gpio = "char-gpiochip"  # its number differs, but every kernel has it built in
    assert allowed == [gpio, i2c, spi, sound]


def test_no_unit_waits_for_a_network_or_has_one() -> None:
    for name in ("companion.service", "companion-stopped.service"):
        about = [value for values in unit(name)["Unit"].values() for value in values]
        assert "network" not in "".join(about)
        assert unit(name)["Service"]["PrivateNetwork"] == ["yes"]


def test_the_evening_has_a_network_and_nothing_of_the_box() -> None:
    """The evening has a network, and therefore no games, no pins and no permanent account."""
    service, box = (
        unit("companion-evening.service")["Service"],
        unit("companion.service")["Service"],
    )
    assert service["DynamicUser"] == ["yes"]
    assert "HOME=%S/companion-evening" in service["Environment"], "no home without it"
    assert service["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6"]
    assert "-/var/lib/companion" in service["InaccessiblePaths"][0].split()
    assert "PrivateNetwork" not in service
    assert {"DeviceAllow", "User", "CacheDirectory"}.isdisjoint(service)
    wakes = unit("companion-evening.socket")["Socket"]
    assert (wakes["SocketGroup"], wakes["SocketMode"]) == (["companion"], ["0660"])
    kept = {k for k in box if re.match("Private|Protect|Restrict|System", k)} - {"PrivateNetwork"}
    assert kept <= service.keys()


def test_what_plays_the_boxs_seats_has_no_network_and_nothing_of_the_box() -> None:
    service = unit("companion-seats.service")["Service"]
    evening = unit("companion-evening.service")["Service"]
    assert service["DynamicUser"] == service["PrivateNetwork"] == ["yes"]
    assert service["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert "-/var/lib/companion" in service["InaccessiblePaths"][0].split()
    assert {"DeviceAllow", "User", "CacheDirectory", "StateDirectory"}.isdisjoint(service)
    assert {k for k in evening if re.match("Private|Protect|Restrict|System", k)} <= service.keys()


def test_the_password_of_an_evening_is_read_by_its_service_alone() -> None:
    kept_in = "/etc/companion/evening.password"
    for name in ("page", "seats"):
        service = unit(f"companion-{name}.service")["Service"]
        assert f"-{kept_in}" in service["InaccessiblePaths"][0].split(), name
    assert unit("companion-evening.service")["Service"]["LoadCredential"] == [f"password:{kept_in}"]
    for page in (ROOT / "docs").rglob("*.md"):
        for line in page.read_text("utf-8").splitlines():
            if line.startswith("$ ") and kept_in in line:
                assert line == f"$ sudo install -m 600 /dev/stdin {kept_in}"


def test_seats_unit_has_room_for_three_engines_of_any_language() -> None:
    """A Java runtime has 30 to 80 threads; compilers write the memory that they run."""
    service = unit("companion-seats.service")["Service"]
    assert int(service["TasksMax"][0]) >= 3 * 80
    assert int(service["LimitNOFILE"][0]) >= 1024
    assert service["MemoryMax"] == ["50%"]
    assert int(service["OOMScoreAdjust"][0]) > 0
    assert "MemoryDenyWriteExecute" not in service


@pytest.mark.parametrize(
    "name", ["companion.service", "companion-stopped.service", "companion-stick@.service"]
)
def test_what_a_unit_writes_is_nobody_elses(name: str) -> None:
    service = unit(name)["Service"]
    assert service["UMask"] == ["0077"]
    assert service["StateDirectoryMode"] == ["0700"]
    assert service["LimitCORE"] == ["0"]
    assert service["User"] == ["companion"]


def test_the_page_has_a_user_of_its_own_and_sees_nothing_of_the_games() -> None:
    service, sockets = unit("companion-page.service")["Service"], unit("companion-page.socket")
    assert service["User"] == service["Group"] == ["companion-page"]
    assert "/var/lib/companion" in service["InaccessiblePaths"][0]
    assert service["SupplementaryGroups"] == ["companion"]  # for the door and wake.sock
    assert sockets["Socket"]["SocketGroup"] == ["companion"]
    assert not {key for key in service if key.endswith("Directory")}
    assert service["ProtectSystem"] == ["strict"]
    assert service["CapabilityBoundingSet"] == [""]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd-analyze: apt install systemd"
)
@pytest.mark.parametrize("name", ["page", "evening", "seats"])
def test_the_sandbox_of_what_visits_the_box_is_tight(name: str) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20"]
    path = str(FOLDER / f"companion-{name}.service")
    found = subprocess.run([*command, path], check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout[-200:]


def test_both_units_have_the_same_sandbox() -> None:
    both = [unit(name)["Service"] for name in ("companion.service", "companion-stopped.service")]
    first, second = (
        {k for k in s if re.match("Private|Protect|Restrict|System|Temp", k)} for s in both
    )
    assert first == second


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd-analyze: apt install systemd"
)
def test_the_units_are_verified(tmp_path: Path) -> None:
    names = [
        f"companion{part}" for part in ("", "-stopped", "-evening", "-seats", "-stick@", "-root")
    ]
    for name in (f"{name}.service" for name in names):
        text = (FOLDER / name).read_text()
        (tmp_path / name.replace("@", "@sda1")).write_text(
            re.sub("^Exec(.*?)=.*", r"Exec\1=/bin/true", text, flags=re.MULTILINE)
        )
    for name in ("evening", "seats"):
        shutil.copy(FOLDER / f"companion-{name}.socket", tmp_path)
    found = subprocess.run(
        ["systemd-analyze", "verify", *map(str, tmp_path.iterdir())],  # noqa: S607
        check=False,
        capture_output=True,
        text=True,
    )
    ours = [line for line in found.stderr.splitlines() if "companion" in line]
    assert ours == []


# --- the installer --------------------------------------------------------------------------------


def install(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FOLDER / "install.sh", *arguments], check=False, capture_output=True, text=True
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bus", "300"), "--bus must be 100 or 400"),
        (("--bus",), "--bus needs 100 or 400"),
        (("/nowhere/at/all",), "there is no '/nowhere/at/all'"),
        (("--forget-games",), "only together with --uninstall"),
        (("--faster",), "unknown option '--faster'"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_is_done(
    arguments: tuple[str, ...], said: str
) -> None:
    found = install(*arguments)
    assert found.returncode == 1
    assert said in found.stderr


def test_the_installer_explains_itself() -> None:
    found = install("--help")
    assert found.returncode == 0
    assert "--uninstall" in found.stdout


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("shellcheck") is None, reason="no shellcheck: apt install shellcheck"
)
def test_the_shell_scripts_are_clean() -> None:
    scripts = [
        *FOLDER.rglob("*.sh"),
        *ROOT.glob("tests/system/rig/*.sh"),
        ROOT / "tests/system/rig/inside/init",
    ]
    found = subprocess.run(
        ["shellcheck", "--external-sources", "--source-path", ROOT, *map(str, scripts)],  # noqa: S607
        check=False,
        capture_output=True,
        text=True,
    )
    assert found.stdout == ""


def test_nothing_in_the_callers_folder_is_run() -> None:
    """The installer must not run a `venv.py` of the caller's folder."""
    script = (FOLDER / "install.sh").read_text("utf-8")
    calls = [line.split("python3", 1)[1] for line in script.splitlines() if " python3 " in line]
    assert calls
    assert all(call.startswith(" -I ") for call in calls)
    assert script.index("\ncd / ") < script.index('\ncheck_machine "$@"')


def test_a_release_has_all_that_the_installer_needs() -> None:
    names = (
        "install.sh", "deb/build.py", "restart.conf",
        "companion.service", "companion-stopped.service",
        "companion-evening.service", "companion-evening.socket", "50-companion.rules", "README.md",
        "companion-seats.service", "companion-seats.socket",
        "companion-stick@.service", "60-companion-stick.rules",
        "companion-page.service", "companion-page.socket", "companion.avahi.xml",
        "companion-root.service", "root.sh",
    )  # fmt: skip
    for name in names:
        assert (FOLDER / name).exists()
    assert os.access(FOLDER / "install.sh", os.X_OK)
