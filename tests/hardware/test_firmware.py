"""Tests of the lines that boards need in the Pi's config.txt, and of writing them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hardware.boards import firmware
from hardware.boards.board_file import load_known_board
from hardware.wiring import DEFAULT_BOARD

STOCK: Final = "# For more options\n#dtparam=spi=on\ndtparam=audio=on\n"
WHOLE: Final = ["dtparam=spi=on", "dtoverlay=hifiberry-dac", "gpio=25=op,dh"]


def no(_: Path) -> bool:
    return False


def yes(_: Path) -> bool:
    return True


def test_a_board_needs_its_bus_if_that_is_missing_and_the_overlay_of_its_sound() -> None:
    pirate = load_known_board("pirate-audio")

    assert firmware.missing_config_lines(pirate, STOCK, no) == WHOLE
    assert firmware.missing_config_lines(pirate, STOCK, yes) == WHOLE[1:]
    assert (
        firmware.missing_config_lines(pirate, f"{STOCK}dtoverlay=hifiberry-dac # ours\n", yes)
        == WHOLE[2:]
    )
    assert (
        firmware.missing_config_lines(load_known_board("display-hat-mini"), STOCK, no) == WHOLE[:1]
    )
    assert firmware.missing_config_lines(DEFAULT_BOARD, STOCK, no) == []


def test_lines_are_added_whole_for_every_pi_and_once(tmp_path: Path) -> None:
    file = tmp_path / "config.txt"
    file.write_text(f"{STOCK}[pi4]\narm_boost=1", "utf-8")
    pirate = load_known_board("pirate-audio")

    copy = firmware.append_config_lines(
        file, firmware.missing_config_lines(pirate, file.read_text("utf-8"), no)
    )

    assert copy.read_text("utf-8") == f"{STOCK}[pi4]\narm_boost=1"
    assert file.read_text("utf-8").endswith("arm_boost=1\n[all]\n" + "\n".join(WHOLE) + "\n")
    assert firmware.missing_config_lines(pirate, file.read_text("utf-8"), no) == []
    assert {path.name for path in tmp_path.iterdir()} == {file.name, copy.name}


def test_the_first_copy_stays(tmp_path: Path) -> None:
    file = tmp_path / "config.txt"
    file.write_text(STOCK, "utf-8")

    firmware.append_config_lines(file, ["one=1"])
    copy = firmware.append_config_lines(file, ["two=2"])

    assert copy.read_text("utf-8") == STOCK


def test_the_file_is_where_the_system_has_it(tmp_path: Path) -> None:
    places = tmp_path / "firmware" / "config.txt", tmp_path / "config.txt"
    assert firmware.find_firmware_config_file(places) is None
    places[1].touch()
    assert firmware.find_firmware_config_file(places) == places[1]
