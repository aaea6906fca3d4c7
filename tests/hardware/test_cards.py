"""Tests of sound cards: the list, the choice, and the settings for SDL and ALSA."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from hardware.boards import board_file
from hardware.pins import pi
from hardware.ports import HardwareError
from hardware.sound import cards, speaker
from hardware.sound.cards import (
    alsa_name_of_card,
    board_text_with_sound_card,
    find_card_by_kernel_name,
)
from hardware.sound.playback_queue import SoundDevicePort
from hardware.sound.speaker import Loudspeaker, PygameSoundDevice, has_usable_sound_device
from hardware.wiring import BoardFileError
from tests.english import raises_english
from tests.hardware.chip import Chip, Kernel
from tests.hardware.quick import Quick

PI5 = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
 2 [Device         ]: USB-Audio - USB Audio Device
                      C-Media Electronics Inc. USB Audio Device at usb-xhci-hcd.0-1, full speed
10 [Webcam         ]: USB-Audio - A camera, with a microphone only
                      A camera at usb-xhci-hcd.0-2, high speed
"""


@pytest.fixture
def asound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return ALSA's folder of a Pi 5 with a USB speaker and a camera that has only a microphone."""
    folder = tmp_path / "asound"
    folder.mkdir()
    (folder / "cards").write_text(PI5)
    for number, stream in ((0, "pcm0p"), (1, "pcm0p"), (2, "pcm0p"), (2, "pcm0c"), (10, "pcm0c")):
        (folder / f"card{number}" / stream).mkdir(parents=True)
    monkeypatch.setattr(cards, "ALSA_FOLDER", folder)
    return folder


@pytest.mark.usefixtures("asound")
def test_cards_that_can_play_are_listed_by_the_kernels_names() -> None:
    assert [(card.number, card.name) for card in cards.playback_sound_cards()] == [
        (0, "vc4hdmi0"), (1, "vc4hdmi1"), (2, "Device"),
    ]  # fmt: skip


def test_a_machine_without_alsa_has_no_cards(tmp_path: Path) -> None:
    assert cards.playback_sound_cards(tmp_path) == ()
    (tmp_path / "cards").write_text("--- no soundcards ---\n")
    assert cards.playback_sound_cards(tmp_path) == ()


@pytest.mark.usefixtures("asound")
def test_a_card_is_opened_as_its_driver_wants_and_another_name_as_it_is() -> None:
    assert alsa_name_of_card("Device") == "sysdefault:CARD=Device"
    assert alsa_name_of_card("plughw:Device,1") == "plughw:Device,1"
    assert find_card_by_kernel_name("Webcam") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        'like = "pirate-audio"',
        'like = "four-buttons"\n[sound]\ndevice = "Old"\near = "b"\n[lamps]\nseat1 = 17\n',
    ],
)
def test_a_card_is_written_into_a_board_that_keeps_all_else(tmp_path: Path, text: str) -> None:
    file = tmp_path / "board.toml"
    file.write_text(board_text_with_sound_card(text, "Device"))
    board = board_file.read_board_file(file)
    assert board.device == "Device"
    if text:
        file.write_text(text)
        assert board._replace(device="") == board_file.read_board_file(file)._replace(device="")


def test_a_board_names_its_sound_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "board.toml"
    file.write_text('like = "four-buttons"\n[sound]\ndevice = "Device"\n')
    assert board_file.read_board_file(file).device == "Device"
    assert board_file.read_board_file(file).sound is None
    monkeypatch.setattr(pi, "is_raspberry_pi", lambda: True)
    with Kernel({0x3C: Chip()}).patched():
        box = pi.open_box_on_pins(print, tmp_path)
        box.close()
    assert box.sound_device == "Device"
    file.write_text('like = "four-buttons"\n[sound]\ndevice = 2\n')
    with raises_english(BoardFileError, match=r"sound\.device"):
        board_file.read_board_file(file)


@pytest.mark.usefixtures("asound")
def test_a_chosen_card_is_waited_for_though_others_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    (tmp_path / "pcmC0D0p").touch()
    assert has_usable_sound_device(tmp_path)
    assert has_usable_sound_device(tmp_path, "vc4hdmi0")
    assert not has_usable_sound_device(tmp_path, "Device")
    assert not has_usable_sound_device(tmp_path, "Gone")
    assert has_usable_sound_device(tmp_path, "plughw:Device")
    (tmp_path / "pcmC2D0p").touch()
    assert has_usable_sound_device(tmp_path, "Device")


@pytest.mark.usefixtures("asound")
def test_sdl_is_told_of_the_card_only_while_it_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.delenv("AUDIODEV", raising=False)
    seen: list[str | None] = []
    init = PygameSoundDevice()._mixer.init

    def watched(*args: object, **more: object) -> None:
        seen.append(os.environ.get("AUDIODEV"))
        init(*args, **more)

    monkeypatch.setattr("pygame.mixer.init", watched)
    PygameSoundDevice("Device").close()
    PygameSoundDevice().close()
    assert seen == ["sysdefault:CARD=Device", None]
    assert "AUDIODEV" not in os.environ


def test_a_card_that_does_not_open_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    with raises_english(HardwareError, match=r"Device does not answer.*Settings, Loudspeaker"):
        PygameSoundDevice("Device")


class Opened:
    """A mixer that logs its calls."""

    def __init__(self, device: str, log: list[str], sounded: threading.Semaphore) -> None:
        self._device, self._log, self._sounded = device, log, sounded
        log.append(f"open {device}")

    def play_wav(self, wav: bytes, volume: float) -> float:
        assert wav
        assert volume
        self._log.append(f"play {self._device}")
        self._sounded.release()
        return 0.0

    def stop(self) -> None:
        self._log.append("stop")

    def close(self) -> None:
        self._log.append(f"close {self._device}")


@pytest.mark.usefixtures("asound")
def test_another_card_is_heard_at_once_and_the_first_one_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, sounded = list[str](), threading.Semaphore(0)

    def opened(device: str = "") -> SoundDevicePort:
        return Opened(device, log, sounded)

    monkeypatch.setattr(speaker, "PygameSoundDevice", opened)
    room = Loudspeaker(lambda _: None, Quick(), device="vc4hdmi0")
    assert room.sound_card_names() == ("vc4hdmi0", "vc4hdmi1", "Device")
    room.play("accepted")
    assert sounded.acquire(timeout=30)
    for card in ("Device", ""):
        room.use_sound_card(card)
        room.play("accepted")
        assert sounded.acquire(timeout=30)
    thread = room._thread
    room.close()
    if thread is not None:
        thread.join(30)
    assert log == [
        "open vc4hdmi0", "play vc4hdmi0", "close vc4hdmi0",
        "open Device", "play Device", "close Device",
        "open vc4hdmi0", "play vc4hdmi0", "close vc4hdmi0",
    ]  # fmt: skip


def test_an_ear_has_no_card_to_choose() -> None:
    ear = Loudspeaker(lambda _: None, Quick(), open_mixer=lambda: pytest.fail("never"))
    assert ear.sound_card_names() == ()
    ear.use_sound_card("Device")
    assert ear._thread is None
