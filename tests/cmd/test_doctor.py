"""Tests of `companion doctor` on fake hardware: every check with and without its part."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

import pytest
from click.testing import CliRunner

from companion.cmd import commands, doctor
from companion.menus.page import BoxPartDiagnosis
from companion.page import address
from companion.record import owner_rights
from companion.record.journal import Journal
from hardware.boards import board_file, user_board
from hardware.boards.board_file import load_known_board
from hardware.mock import FakeBox
from hardware.pins import pin_search
from hardware.ports import BACK, DISPLAY_WIDTH, DOWN, OK, UP, Box, Edge, HardwareError
from hardware.wiring import DEFAULT_BOARD

NO_DISPLAY = HardwareError("no display answers", "display")
NOBODY: Final = 65534
root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


class Pins:
    """Buttons that are held, or that cannot be opened."""

    def __init__(self, held: tuple[str, ...] = (), error: HardwareError | None = None) -> None:
        self.held, self.error, self.closed = held, error, False

    def listen(self, put: Callable[[Edge], None]) -> None:
        if self.error is not None:
            raise self.error
        for button in self.held:
            put(Edge(button, True, 0.0))

    def close(self) -> None:
        self.closed = True


# --- findings -------------------------------------------------------------------------------------


def test_a_finding_is_ok_in_one_line_or_says_below_what_to_do() -> None:
    assert (
        doctor.format_diagnosis(BoxPartDiagnosis("bus", "400 kHz")) == "OK    bus         400 kHz"
    )
    found = doctor.format_diagnosis(BoxPartDiagnosis("bus", "gone", "plug it in")).splitlines()
    assert found[0].startswith("NOT   bus")
    assert found[1].strip() == "plug it in"


# --- pins and bus ---------------------------------------------------------------------------------


def test_pins_that_can_be_had_are_well_and_given_back() -> None:
    pins = Pins()
    assert doctor.check_button_pins(lambda: pins, running=False).cure is None
    assert pins.closed


def test_a_button_that_hangs_is_named_with_its_wire() -> None:
    found = doctor.check_button_pins(lambda: Pins(held=(OK, UP)), running=False)
    assert "OK, UP" in found.text
    assert "wire" in str(found.cure)


def test_pins_that_somebody_else_has_are_told_with_the_group() -> None:
    pins = Pins(error=HardwareError("busy", "buttons"))
    found = doctor.check_button_pins(lambda: pins, running=False)
    assert (found.text, pins.closed) == ("busy", True)
    assert "gpio" in str(found.cure)


def test_the_running_box_is_not_disturbed_for_its_pins() -> None:
    def never() -> Any:
        raise AssertionError("the pins were opened")

    assert doctor.check_button_pins(never, running=True).cure is None


def test_a_bus_that_is_off_is_switched_on_with_one_command(tmp_path: Path) -> None:
    found = doctor.check_display_bus(tmp_path / "i2c-1", tmp_path / "clock")
    assert "do_i2c 0" in str(found.cure)


def test_a_bus_may_be_spi(tmp_path: Path) -> None:
    device = tmp_path / "spidev0.0"
    assert "do_spi 0" in str(doctor.check_display_bus(device, tmp_path / "clock").cure)
    device.touch()
    assert doctor.check_display_bus(device, tmp_path / "clock") == BoxPartDiagnosis(
        "bus", str(device)
    )


@pytest.mark.parametrize(("hertz", "text"), [(400_000, "400 kHz"), (100_000, "100 kHz (400")])
def test_a_bus_says_how_fast_it_is(tmp_path: Path, hertz: int, text: str) -> None:
    (tmp_path / "i2c-1").touch()
    (tmp_path / "clock").write_bytes(hertz.to_bytes(4, "big"))
    found = doctor.check_display_bus(tmp_path / "i2c-1", tmp_path / "clock")
    assert found.cure is None
    assert text in found.text


def test_a_bus_without_a_speed_runs_at_the_kernels(tmp_path: Path) -> None:
    (tmp_path / "i2c-1").touch()
    assert "100 kHz" in doctor.check_display_bus(tmp_path / "i2c-1", tmp_path / "clock").text


def test_a_bus_that_may_not_be_used_names_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "i2c-1").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "i2c" in str(doctor.check_display_bus(tmp_path / "i2c-1", tmp_path / "clock").cure)


# --- required settings of the firmware ------------------------------------------------------------


def asked_for(tmp_path: Path, answer: bool | None, text: str = "dtparam=audio=on\n") -> Any:  # noqa: FBT001
    """Check a Pirate Audio. Return the diagnosis, the config.txt, and the questions."""
    file, questions = tmp_path / "config.txt", []
    file.write_text(text, "utf-8")

    def ask(question: str) -> bool:
        questions.append(question)
        return bool(answer)

    board = load_known_board("pirate-audio")
    found = doctor.check_firmware_config(
        board, file, lambda _: False, ask if answer is not None else None
    )
    return found, file, questions


def test_what_the_firmware_lacks_is_named_and_written_when_somebody_says_yes(
    tmp_path: Path,
) -> None:
    found, file, questions = asked_for(tmp_path, answer=True)

    assert len(questions) == 1
    assert "dtoverlay=hifiberry-dac, gpio=25=op,dh" in questions[0]
    assert "dtparam=spi=on" in found.text
    assert "config.txt.before-companion" in found.text
    assert "sudo reboot" in str(found.cure)
    assert file.read_text("utf-8").count("dtoverlay=hifiberry-dac") == 1

    again, _, none = asked_for(tmp_path, answer=True, text=file.read_text("utf-8"))
    assert (again, none) == (None, [])


@pytest.mark.parametrize("answer", [False, None])
def test_nothing_is_written_unless_somebody_says_yes(tmp_path: Path, answer: bool | None) -> None:  # noqa: FBT001
    found, file, _ = asked_for(tmp_path, answer)

    assert "lacks" in found.text
    assert "sudo companion doctor" in found.cure
    assert file.read_text("utf-8") == "dtparam=audio=on\n"


def test_a_firmware_that_can_not_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(doctor, "append_config_lines", full)
    found, *_ = asked_for(tmp_path, answer=True)
    assert "Read-only" in found.text


def test_a_board_whose_sound_is_missing_names_its_overlay(tmp_path: Path) -> None:
    found = doctor.check_sound(
        (), heard_from(), None, load_known_board("pirate-audio"), tmp_path / "board.toml"
    )
    assert "dtoverlay=hifiberry-dac" in str(found.cure)


# --- the door -------------------------------------------------------------------------------------


def test_a_box_that_greets_has_its_door_open(tmp_path: Path) -> None:
    found = doctor.check_box_socket(tmp_path / "s", lambda: '{"type": "hello"}', running=True)
    assert (found.cure, "answers" in found.text) == (None, True)


def test_a_box_that_does_not_run_has_its_door_shut_and_nothing_is_wrong(tmp_path: Path) -> None:
    def never() -> str:
        raise AssertionError("the doctor connected to the door")

    assert doctor.check_box_socket(tmp_path / "s", never, running=False).cure is None


@pytest.mark.parametrize(
    ("error", "cure"),
    [(PermissionError(13, "no"), "usermod -aG companion"), (OSError(2, "gone"), "restart")],
)
def test_a_door_that_does_not_open_says_what_to_do(
    tmp_path: Path, error: OSError, cure: str
) -> None:
    def greet() -> str:
        raise error

    assert cure in str(doctor.check_box_socket(tmp_path / "s", greet, running=True).cure)


def test_whoever_listens_in_the_box_s_place_is_told(tmp_path: Path) -> None:
    assert doctor.check_box_socket(tmp_path / "s", lambda: "", running=True).cure is not None


# --- display --------------------------------------------------------------------------------------


def test_a_display_that_shows_the_whole_picture_is_well() -> None:
    fake = FakeBox()
    found = doctor.check_display(lambda _: fake.box, lambda _: True, DEFAULT_BOARD, running=False)
    assert found == BoxPartDiagnosis("display", "shows the whole picture")
    assert fake.display.frames == [doctor.make_test_frame()]
    assert fake.display.closed


def test_a_picture_that_is_shifted_or_snows_is_the_other_chip() -> None:
    found = doctor.check_display(
        lambda _: FakeBox().box, lambda _: False, DEFAULT_BOARD, running=False
    )
    assert "sh1106" in str(found.cure)


def test_without_a_person_nobody_is_asked() -> None:
    assert (
        doctor.check_display(lambda _: FakeBox().box, None, DEFAULT_BOARD, running=False).text
        == "answers"
    )


def test_the_running_boxs_picture_stays() -> None:
    fake = FakeBox()
    assert (
        doctor.check_display(lambda _: fake.box, lambda _: False, DEFAULT_BOARD, running=True).cure
        is None
    )
    assert fake.display.frames == []


def test_a_display_that_is_not_there_is_told_with_its_four_wires() -> None:
    def none(_: Any) -> Box:
        raise NO_DISPLAY

    found = doctor.check_display(none, None, DEFAULT_BOARD, running=False)
    assert found.text == "no display answers"
    assert "3V3, GND, SDA GPIO 2, SCL GPIO 3." in str(found.cure)
    hat = load_known_board("waveshare-oled-2in42")
    found = doctor.check_display(none, None, hat, running=False)
    assert "DIN GPIO 10, CLK GPIO 11, CS GPIO 8, DC GPIO 25, RST GPIO 27." in str(found.cure)


def test_a_display_that_fails_while_the_picture_is_sent_is_told_too() -> None:
    def failing(report: Callable[[HardwareError], None]) -> Box:
        report(NO_DISPLAY)
        return FakeBox().box

    assert (
        doctor.check_display(failing, lambda _: True, DEFAULT_BOARD, running=False).text
        == "no display answers"
    )


@pytest.mark.parametrize("locale", ["C.UTF-8", "fr_FR.UTF-8"])
def test_the_test_picture_has_a_line_along_every_edge(
    locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", locale)
    frame = doctor.make_test_frame()
    pages = [frame[start : start + DISPLAY_WIDTH] for start in range(0, len(frame), DISPLAY_WIDTH)]
    assert all(byte & 0x01 for byte in pages[0])
    assert all(byte & 0x80 for byte in pages[-1])
    assert all(page[0] == page[-1] == 0xFF for page in pages)
    assert all(any(page[1:-1]) for page in (pages[1], pages[6]))


# --- sound, voice, disk, service, dictionary ------------------------------------------------------


def heard_from(*silent: str, played: list[str] | None = None) -> Any:
    """Return a function that plays a chime on a card, and fails on the `silent` cards."""

    def chime(card: str) -> list[HardwareError]:
        if played is not None:
            played.append(card)
        return [HardwareError("busy", "sound")] if card in silent else []

    return chime


def sound(
    found: tuple[str, ...],
    answer: Callable[[str], bool] | None,
    file: Path = Path("/nowhere/board.toml"),
    *,
    device: str = "",
    chime: Any = None,
) -> BoxPartDiagnosis:
    board = DEFAULT_BOARD._replace(device=device)
    return doctor.check_sound(found, chime or heard_from(), answer, board, file)


def test_no_sound_card_is_told_before_a_sound_is_tried() -> None:
    found = sound((), None, chime=lambda _: pytest.fail("no card can sound"))
    assert found.text == "no sound card"
    assert found.cure is not None


def test_a_chime_that_goes_out_is_well_and_one_that_does_not_says_why() -> None:
    assert sound(("Headphones",), None).cure is None
    found = sound(("Headphones",), None, chime=heard_from(""))
    assert found.text == "busy"
    assert "aplay" in str(found.cure)


@pytest.mark.parametrize("heard", [True, False])
def test_only_a_person_knows_whether_the_chime_was_heard(heard: bool) -> None:  # noqa: FBT001
    assert (sound(("Headphones",), lambda _: heard).cure is None) == heard


CARDS: Final = ("vc4hdmi0", "vc4hdmi1", "Device")


@pytest.mark.parametrize("device", ["", "vc4hdmi1"])
def test_a_chime_nobody_hears_is_played_on_every_card(tmp_path: Path, device: str) -> None:
    file, played = tmp_path / "board.toml", list[str]()
    file.write_text('like = "four-buttons"\n[sound]\near = "plughw:Headphones"\n')
    found = sound(
        CARDS, lambda asked: "Device" in asked, file, device=device, chime=heard_from(played=played)
    )
    assert played == [device, *(card for card in CARDS if card != device)]
    assert "Device" in found.text
    assert user_board.load_own_or_default_board(tmp_path).device == "Device"
    assert user_board.load_own_or_default_board(tmp_path).ear == "plughw:Headphones"
    assert "restart" in str(found.cure)
    assert "device" not in (tmp_path / "board.toml.before").read_text()


def test_a_card_is_named_and_not_written_where_nobody_agrees(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    found = sound(CARDS, lambda asked: "from Device" in asked, file)
    assert not file.exists()
    assert "Device" in found.text
    assert 'device = "Device"' in str(found.cure)


def test_cards_that_fail_or_are_not_heard_are_not_offered(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(question: str) -> bool:
        asked.append(question)
        return False

    found = sound(CARDS, answer, tmp_path / "board.toml", chime=heard_from("vc4hdmi0"))
    assert not any("vc4hdmi0" in question for question in asked)
    assert "aplay" in str(found.cure)


def test_a_chosen_card_that_was_pulled_out_has_the_other_one_tried(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    found = sound(
        ("Headphones",), lambda _: True, file, device="Device", chime=heard_from("Device")
    )
    assert "Headphones" in found.text
    assert user_board.load_own_or_default_board(tmp_path).device == "Headphones"


def test_a_board_that_can_not_be_read_gets_no_card(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("like = 3\n")
    found = sound(CARDS, lambda asked: "usual" not in asked and "chime?" not in asked, file)
    assert file.read_text() == "like = 3\n"
    assert found.cure is not None


def test_a_clock_that_is_not_set_is_told_with_the_ways_to_set_it() -> None:
    found = doctor.check_clock(is_set=False, now="1970-01-01 01:00")
    assert "1970" in found.text
    assert "timedatectl" in str(found.cure)
    assert doctor.check_clock(is_set=True, now="2026-11-27 20:15").cure is None


def test_the_voice_is_found_or_its_package_named() -> None:
    assert doctor.check_voice(lambda name: f"/usr/bin/{name}").text == "/usr/bin/espeak-ng"
    assert doctor.check_voice(lambda _: None).cure == "sudo apt install espeak-ng"


def test_a_full_disk_and_a_harmed_record_are_told() -> None:
    assert (
        "MB are free" in doctor.check_disk_and_record(doctor.MIN_FREE_BYTES - 1, lambda: None).text
    )
    assert doctor.check_disk_and_record(doctor.MIN_FREE_BYTES, lambda: None).cure is None
    assert (
        doctor.check_disk_and_record(doctor.MIN_FREE_BYTES, lambda: "page 3 is torn").text
        == "page 3 is torn"
    )


def test_games_that_go_with_the_power_are_told(tmp_path: Path) -> None:
    assert "companion-root" in str(
        doctor.check_disk_and_record(doctor.MIN_FREE_BYTES, lambda: None, forgets=True).cure
    )
    mounts = tmp_path / "mounts"
    mounts.write_text("overlayroot / overlay rw,lowerdir=/media/root-ro 0 0\n", "utf-8")
    assert doctor.is_folder_only_in_memory(Path("/"), mounts)
    # /proc is another file system
    assert not doctor.is_folder_only_in_memory(Path("/proc"), mounts)
    mounts.write_text("overlay / overlay rw,lowerdir=/a 0 0\n", "utf-8")  # as in a container
    assert not doctor.is_folder_only_in_memory(Path("/"), mounts)
    assert not doctor.is_folder_only_in_memory(Path("/"), tmp_path / "none")


def test_games_that_only_the_box_may_read_ask_for_root() -> None:
    def closed() -> str:
        raise PermissionError

    assert "sudo companion doctor" in str(
        doctor.check_disk_and_record(doctor.MIN_FREE_BYTES, closed).cure
    )


RUNNING = {
    "LoadState": "loaded",
    "ActiveState": "active",
    "UnitFileState": "enabled",
    "NRestarts": "0",
}


@pytest.mark.parametrize(
    ("changes", "cure"),
    [
        ({}, None),
        ({"LoadState": "not-found"}, "install.sh"),
        ({"ActiveState": "failed"}, "journalctl"),
        ({"ActiveState": "inactive"}, "systemctl start"),
        ({"ActiveState": "activating"}, "Wait"),
        ({"UnitFileState": "disabled"}, "enable"),
        ({"NRestarts": "3"}, "journalctl"),
    ],
)
def test_each_state_of_the_service_has_its_cure(changes: dict[str, str], cure: str | None) -> None:
    found = doctor.check_box_service({**RUNNING, **changes})
    assert found.cure is None if cure is None else cure in str(found.cure)


def test_a_machine_without_systemd_has_no_service() -> None:
    assert doctor.check_box_service({}).text == "not installed"


@pytest.mark.parametrize(
    ("changes", "hotspot", "text", "cure"),
    [
        ({}, True, "starts with the first phone", None),
        ({}, False, "without NetworkManager", None),
        ({"ActiveState": "failed"}, True, "nobody listens", "companion-page.socket"),
        ({"LoadState": "not-found"}, True, "not installed", "install.sh"),
    ],
)
def test_each_state_of_the_page_has_its_cure(
    changes: dict[str, str],
    hotspot: bool,  # noqa: FBT001 - given by parametrize
    text: str,
    cure: str | None,
) -> None:
    found = doctor.check_phone_page({**RUNNING, **changes}, hotspot=hotspot)
    assert text in found.text
    assert found.cure is None if cure is None else cure in str(found.cure)


def test_the_page_is_told_with_its_address_and_its_port() -> None:
    where = ("192.168.1.5:8080", "box.local:8080")
    found = doctor.check_phone_page(RUNNING, where, hotspot=True)
    assert found.text.startswith("http://192.168.1.5:8080 · http://box.local:8080 · the page")


@pytest.mark.parametrize(
    ("listen", "port"), [("[::]:80 (Stream)", 80), ("0.0.0.0:8080 (Stream)", 8080), ("", None)]
)
def test_a_sockets_port_is_that_which_systemd_listens_at(listen: str, port: int | None) -> None:
    assert doctor.parse_listen_port(listen) == port


def test_a_name_is_told_only_where_something_answers_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(address, "own_reachable_addresses", lambda: ("10.0.0.7",))
    monkeypatch.setattr(address, "local_host_name", lambda: "box.local")
    for there, hosts in ((False, ("10.0.0.7:8080",)), (True, ("10.0.0.7:8080", "box.local:8080"))):
        monkeypatch.setattr(address, "is_local_host_name_announced", lambda there=there: there)
        assert doctor.phone_page_hosts(8080) == hosts
    assert doctor.phone_page_hosts(80) == ("10.0.0.7", "box.local")
    assert doctor.phone_page_hosts(None) == ()


def test_off_a_pi_it_is_said_first_that_none_of_it_is_needed(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert "You do not need the parts below" in str(doctor.not_a_pi_notice(model))
    model.write_bytes(b"Some PC\0")
    assert doctor.not_a_pi_notice(model) is not None
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert doctor.not_a_pi_notice(model) is None


@pytest.mark.parametrize(
    ("way", "cure"),
    [("package", "apt install --reinstall"), ("checkout", "install.sh"), ("release", "/releases")],
)
def test_what_is_not_installed_names_the_way_of_this_machine(way: str, cure: str) -> None:
    gone = {"LoadState": "not-found"}
    assert cure in str(doctor.check_box_service(gone, way).cure)
    assert cure in str(doctor.check_phone_page(gone, (), way, hotspot=True).cure)


def test_each_dictionary_that_is_missing_is_named(tmp_path: Path) -> None:
    for name in ("american-english", "british-english", "french"):
        assert name in doctor.check_word_lists(tmp_path).text
        (tmp_path / name).touch()
    assert doctor.check_word_lists(tmp_path).cure is None


# --- the record: the checks change nothing --------------------------------------------------------


def test_a_record_that_is_whole_or_not_there_yet_is_well(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    assert doctor._damage(file) is None
    Journal(file).close()
    assert doctor._damage(file) is None


def test_a_box_that_greets_without_end_is_heard_for_a_moment(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door.sock"))
        listener.listen()

        def talk() -> None:
            wire, _ = listener.accept()
            with wire, suppress(OSError):
                while True:
                    wire.sendall(b"x" * 65536)

        talking = threading.Thread(target=talk)
        talking.start()
        greeting = doctor._read_greeting(tmp_path / "door.sock")
        talking.join(60)
    assert owner_rights.MAX_REPLY_BYTES <= len(greeting) <= 2 * owner_rights.MAX_REPLY_BYTES


def test_what_is_no_file_is_no_record(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "games.db")
    assert "is not a file" in str(doctor._damage(tmp_path / "games.db"))


def test_no_letter_of_a_record_is_obeyed_by_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute('CREATE TABLE "\x1b[2J"(a)')
        db.execute('INSERT INTO "\x1b[2J" VALUES (NULL)')
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, '(a)', '(a NOT NULL)')")
        db.commit()
    assert "NULL value in \\x1b[2J" in str(doctor._damage(file))
    assert owner_rights.escape_and_shorten_for_terminal(
        "\x1b]0;x\x07\u202e\ud800 œ" + "x" * 999
    ).startswith(r"\x1b]0;x\x07\u202e\ud800 œ")


@root
def test_root_looks_at_a_user_s_record_as_that_user(tmp_path: Path) -> None:
    with TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "state"
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
        whose = owner_rights.run_as_path_owner(
            folder / "games.db", lambda: f"{os.getuid()} {os.getgroups()}", 60, monotonic
        )
        assert whose == f"{NOBODY} []"
        (Path(name) / "link").symlink_to(folder)
        assert owner_rights.find_non_root_path_owner(Path(name) / "link" / "games.db") == (
            NOBODY,
            NOBODY,
        )
        assert owner_rights.find_non_root_path_owner(tmp_path / "games.db") == (0, 0)
        with pytest.raises(PermissionError):
            owner_rights.run_as_path_owner(folder, (tmp_path / "closed").read_text, 60, monotonic)
        with pytest.raises(TimeoutError):
            owner_rights.run_as_path_owner(
                folder, lambda: str(threading.Event().wait()), 0.1, monotonic
            )


SWAP: Final = """
import os, sys
folder, real, link, spare = sys.argv[1:]
os.setgroups([]); os.setgid(65534); os.setuid(65534)
print("begun", flush=True)
while True:
    os.rename(folder, spare); os.rename(link, folder)
    os.rename(folder, link); os.rename(spare, folder)
"""
"""A user who replaces a folder by a link, and restores it, again and again."""


@pytest.fixture
def places() -> Iterator[tuple[Path, ...]]:
    """Return a user's folder with a record, a link, an unused name, and the link's target."""
    with TemporaryDirectory(dir="/tmp") as name:
        own, victim = Path(name) / "own", Path(name) / "victim"
        for folder in (Path(name), own, victim):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
        (own / "state").mkdir()
        (own / "link").symlink_to(victim)
        Journal(own / "state" / "games.db").close()
        shutil.copy(own / "state" / "games.db", victim / "games.db")
        for path in (own, *own.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        yield own / "state", own / "link", own / "spare", victim


@root
def test_root_makes_no_file_where_a_link_leads_that_a_user_makes_while_it_looks(
    places: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, link, spare, victim = places
    checked = doctor._check_database

    def swapped(file: Path) -> str:
        folder.rename(spare)
        link.rename(folder)
        return checked(file)

    monkeypatch.setattr(doctor, "_check_database", swapped)
    doctor._damage(folder / "games.db")
    assert folder.is_symlink()
    assert [file.name for file in victim.iterdir()] == ["games.db"]


@root
@pytest.mark.long
def test_root_makes_no_file_where_a_link_of_a_user_leads_now_and_then(
    places: tuple[Path, ...],
) -> None:
    folder, link, spare, victim = places
    with subprocess.Popen(
        [sys.executable, "-c", SWAP, *map(str, (folder, folder, link, spare))],
        stdout=subprocess.PIPE,
    ) as swapping:
        assert swapping.stdout is not None
        swapping.stdout.readline()
        try:
            for _ in range(200):
                doctor._damage(folder / "games.db")
        finally:
            swapping.kill()
    assert [file.name for file in victim.iterdir()] == ["games.db"]


def test_a_harmed_record_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    Journal(file).close()
    harmed = b"x" * 100 + file.read_bytes()[100:]
    file.write_bytes(harmed)
    assert "games.db" in str(doctor._damage(file))
    assert file.read_bytes() == harmed
    assert [path.name for path in tmp_path.glob("*-20*")] == []


def test_a_torn_page_is_found(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE line (text TEXT)")
        db.executemany("INSERT INTO line VALUES (?)", [("a" * 500,)] * 50)
    db.close()
    pages = bytearray(file.read_bytes())
    pages[4096:4200] = b"\xff" * 104
    file.write_bytes(pages)
    assert doctor._damage(file) is not None


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cure", "status"), [(None, 0), ("plug it in", 1)], ids=["all well", "one part missing"]
)
def test_the_exit_status_says_whether_all_is_well(
    monkeypatch: pytest.MonkeyPatch, cure: str | None, status: int
) -> None:
    found = [
        BoxPartDiagnosis("pins", "there"),
        BoxPartDiagnosis("bus", "so", cure),
        BoxPartDiagnosis("disk", "free"),
    ]
    monkeypatch.setattr(doctor, "run_doctor_checks", lambda _: iter(found))

    result = CliRunner().invoke(commands.cli, ["doctor"], standalone_mode=False)

    assert result.return_value == status
    lines = [line.split() for line in result.output.splitlines()]
    assert [line[1] for line in lines if line[0] in ("OK", "NOT")] == ["pins", "bus", "disk"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('like = "four-buttons"\n[display]\nchip = "sh1106"\n', "four-buttons, with your own di"),
        ('like = "adafruit-oled-bonnet"\n', "adafruit-oled-bonnet"),
        (board_file.known_board_path("waveshare-oled-hat").read_text("utf-8"), "the whole board"),
    ],
)
def test_a_valid_board_file_has_a_line_of_its_own(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = user_board.own_board_path(tmp_path)
    file.write_text(text, "utf-8")
    monkeypatch.setattr(doctor, "_config", lambda: tmp_path)

    line = doctor.format_diagnosis(next(doctor.run_doctor_checks(None)))

    assert line.startswith(f"OK    board file  {file}")
    assert said in line


def test_on_a_machine_that_is_no_pi_every_part_has_its_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(doctor, "_chime", list)

    parts = [finding.part for finding in doctor.run_doctor_checks(None)]

    assert parts == [
        "pins",
        "bus",
        "display",
        "sound",
        "voice",
        "disk",
        "clock",
        "service",
        "door",
        "phones",
        "dictionary",
    ]


# --- buttons --------------------------------------------------------------------------------------


def edges(button: str, *times: float) -> list[Edge]:
    """Return edges at these times, down and up in turn."""
    return [Edge(button, n % 2 == 0, time) for n, time in enumerate(times)]


def test_the_table_has_a_line_for_each_button_and_names_a_bad_switch() -> None:
    bad = [Edge(UP, n % 2 == 0, n / 1000) for n in range(41)]
    rows = doctor.button_report([*bad, *edges(OK, 0, 0.1)], (UP, DOWN, OK)).splitlines()
    assert [row.split()[:3] for row in rows[1:]] == [
        [UP, "1", "40"],
        [DOWN, "0", "0"],
        [OK, "1", "0"],
    ]
    assert "bad switch" in rows[1]
    assert "bad switch" not in rows[3]


def test_a_button_that_was_never_heard_of_may_be_elsewhere() -> None:
    assert "--find" in doctor.button_report([*edges(OK, 0, 0.1)], (UP, OK)).splitlines()[1]


# --- an unknown board -----------------------------------------------------------------------------


def test_the_buttons_of_an_unknown_board_are_found_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins = iter((4, 17, 27, 22, 23))

    class Listening:
        def __init__(self, _: object) -> None:
            pass

        def edges(self) -> Any:
            for pin in pins:
                yield Edge(str(pin), True, 0.0)

        def close(self) -> None:
            pass

    monkeypatch.setattr(pin_search, "FreePinListener", Listening)
    monkeypatch.setattr(doctor, "CONFIG_FOLDER", tmp_path)
    monkeypatch.setattr(doctor, "read_unit_properties", dict)
    arguments = ["doctor", "--find", "--like", "display-hat-mini"]
    told = CliRunner().invoke(commands.cli, arguments, input="y\nn\n")

    board = user_board.load_own_or_default_board(tmp_path)
    assert board.display == load_known_board("display-hat-mini").display
    assert {name: pins[0] for name, pins in board.buttons.items()} == {
        UP: 4, DOWN: 17, OK: 27, BACK: 22, "seat1": 23,
    }  # fmt: skip
    assert told.output.splitlines()[:4] == [
        "Press UP.", "The button is on GPIO 4.", "Press DOWN.", "The button is on GPIO 17.",
    ]  # fmt: skip
    assert "Press the button of seat 1." in told.output
    wrong = CliRunner().invoke(commands.cli, ["doctor", "--find", "--like", "display-hat"])
    assert "display-hat-mini" in wrong.output


# --- the owner's own voices ---


def own_voice(folder: Path, name: str = "fr_FR-tones-low", **changes: Any) -> Path:
    file = folder / f"{name}.onnx"
    file.write_bytes(b"model")
    told = {"audio": {"sample_rate": 22_050, "quality": "low"}, "language": {"code": name[:5]}}
    file.with_name(f"{file.name}.json").write_text(json.dumps({**told, **changes}), "utf-8")
    return file


def test_an_own_voice_is_named_with_its_card_and_its_speed(tmp_path: Path) -> None:
    (tmp_path / "MODEL_CARD").write_text("* License: CC0\n", "utf-8")
    found = doctor.check_owner_voice(own_voice(tmp_path), lambda: (0.5, 2.0))
    assert found == BoxPartDiagnosis(
        "own_voice", "fr_FR-tones-low: fr_FR, low, CC0; needs 0.25 s for a second of sound"
    )


def test_an_own_voice_without_a_card_or_of_another_language_says_so(tmp_path: Path) -> None:
    found = doctor.check_owner_voice(own_voice(tmp_path, "de_DE-tones-low"), lambda: (3.0, 2.0))
    assert found.text == (
        "de_DE-tones-low: de_DE, low, no licence file beside it; needs 1.5 s for a second of sound"
    )
    assert found.cure == "The box speaks English and French, so it does not use this voice."


def test_an_own_voice_that_can_not_be_used_says_what_is_wrong(tmp_path: Path) -> None:
    def broken() -> tuple[float, float]:
        raise HardwareError("piper fails: it does not speak", "own_voice")

    found = doctor.check_owner_voice(own_voice(tmp_path), broken)
    assert (found.text, found.cure is None) == ("piper fails: it does not speak", False)
    file = own_voice(tmp_path, language={"code": "en_GB"})
    assert "states the language 'en_GB'" in doctor.check_owner_voice(file, broken).text


def test_other_voices_stand_beside_espeak_ng() -> None:
    found = doctor.check_voice(
        lambda name: f"/usr/bin/{name}", ("sd flite kal16", "sd pico virginie")
    )
    assert (
        doctor.format_diagnosis(found)
        == "OK    voice       /usr/bin/espeak-ng, sd flite kal16, sd pico virginie"
    )
