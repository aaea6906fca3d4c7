"""Tests of a second sound output for one player, which has a name in ALSA."""

from __future__ import annotations

import io
import sys
import wave
from pathlib import Path

import pytest

from companion.cmd import doctor
from hardware.boards import board_file
from hardware.ports import HardwareError
from hardware.sound.aplay import AplaySoundDevice
from hardware.wiring import BoardFileError
from tests.english import raises_english

FAKE = "#!{python}\nimport sys\ndata = sys.stdin.buffer.read()\n{rest}"


def sound(frames: int = 2205) -> bytes:
    """Return a WAV file with a tone of `frames` samples at 22,050 Hz."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setparams((1, 2, 22_050, 0, "NONE", ""))
        file.writeframes(b"\x00\x40" * frames)
    return made.getvalue()


def player(folder: Path, rest: str) -> str:
    """Write a fake aplay that runs the code `rest`. Return its path."""
    file = folder / "aplay"
    file.write_text(FAKE.format(python=sys.executable, rest=rest))
    file.chmod(0o755)
    return str(file)


def test_without_aplay_it_says_what_to_install() -> None:
    with raises_english(HardwareError, match="alsa-utils"):
        AplaySoundDevice("headset", "/nowhere/aplay").play_wav(sound(), 1.0)


@pytest.mark.long
def test_a_sound_goes_to_the_device_of_that_name_as_loud_as_it_is_asked(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    mixer = AplaySoundDevice("headset", player(tmp_path, f"open({str(heard)!r}, 'wb').write(data)"))
    assert mixer.play_wav(sound(), 0.5) == pytest.approx(0.1)
    mixer.play_wav(sound(), 0.5)  # begins after the first sound has ended
    with wave.open(io.BytesIO(heard.read_bytes())) as file:
        assert file.readframes(1) == b"\x00\x20"
    mixer.close()


@pytest.mark.long
def test_a_device_that_is_not_there_is_told_with_the_next_sound(tmp_path: Path) -> None:
    mixer = AplaySoundDevice("nowhere", player(tmp_path, "sys.exit('no such device')"))
    mixer.play_wav(sound(), 1.0)
    with raises_english(HardwareError, match=r"nowhere.*no such device"):
        mixer.play_wav(sound(), 1.0)


def test_a_board_names_its_ear(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text('like = "four-buttons"\n[sound]\near = "bluealsa"\n')
    assert board_file.read_board_file(file).ear == "bluealsa"
    file.write_text('like = "four-buttons"\n[sound]\near = 3\n')
    with raises_english(BoardFileError, match=r"sound\.ear"):
        board_file.read_board_file(file)


@pytest.mark.parametrize(("heard", "cured"), [(True, True), (False, False)])
def test_doctor_plays_into_the_ear_and_asks(heard: bool, cured: bool) -> None:  # noqa: FBT001
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return heard

    found = doctor.check_private_sound_output("headset", list, ask)
    assert "headset" in asked[0]
    assert (found.cure is None) == cured
    assert doctor.check_private_sound_output("headset", list, None).cure is None
