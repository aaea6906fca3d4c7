"""Tests that a port raises HardwareError or nothing, but never an error of another library.

The ports are those of `hardware` (buttons, display, speaker, lamps) and the ports behind them: the
pins, `Mixer`, `SpeechSynthesisPort` with its processes, `Panel` and `Wire`.
"""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tempfile
import threading
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Final, NoReturn

import gpiod
import pytest
from gpiozero import Device, GPIODeviceClosed, PinInvalidState
from gpiozero.pins.mock import MockFactory, MockPin
from luma.core import error as luma_error

import sounds
from hardware.display import luma
from hardware.display.bus import SpiConnection
from hardware.display.oled import OledPanel
from hardware.display.panel import ThreadedDisplay
from hardware.pins import pi
from hardware.pins.buttons import PinButtons
from hardware.pins.gpio import PinOutput
from hardware.pins.lamps import BLINK_SECONDS, LampBlinker
from hardware.ports import BLINK_QUICKLY, LAMP_OFF, LAMP_ON, HardwareError
from hardware.screens.headless import HeadlessBox
from hardware.sound import engine_client, voices
from hardware.sound.aplay import AplaySoundDevice
from hardware.sound.cache import SentenceWavCache
from hardware.sound.engine_client import SpeechEngineClient
from hardware.sound.speaker import PygameSoundDevice
from hardware.wiring import LumaDisplayWiring, OledWiring
from tests.english import raises_english

PATIENCE: Final = 30.0  # seconds for another thread or process
WAV: Final = sounds.find_sound_file("accepted").read_bytes()


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """Return a library's function that fails with `error`."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


# --- Mixer ----------------------------------------------------------------------------------------


@pytest.fixture
def hanging(tmp_path: Path) -> AplaySoundDevice:
    """Return a device whose aplay neither ends nor reacts to SIGTERM."""
    program = tmp_path / "aplay"
    program.write_text("#!/bin/sh\ntrap '' TERM\nexec sleep 600\n")
    program.chmod(0o755)
    return AplaySoundDevice("headset", str(program), quiet=0.01)


def process_of(mixer: AplaySoundDevice) -> subprocess.Popen[bytes]:
    assert mixer._process is not None
    return mixer._process


def test_an_ear_that_hangs_is_killed_and_reported(hanging: AplaySoundDevice) -> None:
    hanging.play_wav(WAV, 1.0)
    process = process_of(hanging)
    with raises_english(HardwareError, match="headset hangs"):
        hanging.play_wav(WAV, 1.0)
    assert process.wait(PATIENCE) < 0
    hanging.play_wav(WAV, 1.0)  # a new attempt
    again = process_of(hanging)
    hanging.close()
    assert again.wait(PATIENCE) < 0


def test_an_aplay_that_crashes_is_reported_and_one_that_was_stopped_is_not(
    tmp_path: Path,
) -> None:
    program = tmp_path / "aplay"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    mixer = AplaySoundDevice("headset", str(program))
    mixer.play_wav(WAV, 1.0)
    with raises_english(HardwareError, match="headset does not play"):
        mixer.play_wav(WAV, 1.0)
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    mixer.play_wav(WAV, 1.0)
    mixer.stop()
    mixer.play_wav(WAV, 1.0)
    mixer.close()


def odd() -> bytes:
    """Return an 8-bit sound with an odd number of bytes."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setparams((1, 1, 8000, 0, "NONE", ""))
        file.writeframes(b"\x00\x00\x00")
    return made.getvalue()


@pytest.mark.parametrize("wav", [b"", b"no WAV", WAV[:20], odd()])
def test_a_damaged_sound_is_a_hardware_error_of_every_mixer(
    wav: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(HardwareError):
        AplaySoundDevice("headset", str(tmp_path / "none")).play_wav(wav, 1.0)
    if wav != odd():  # pygame can play this one
        monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
        mixer = PygameSoundDevice()
        with pytest.raises(HardwareError):
            mixer.play_wav(wav, 1.0)
        mixer.close()


def test_a_full_disk_is_a_hardware_error_of_the_ear(monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(tempfile, "TemporaryFile", raising(full))
    with raises_english(HardwareError, match="No space left"):
        AplaySoundDevice("headset").play_wav(WAV, 1.0)


def test_a_loudspeaker_that_was_pulled_out_stops_without_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    mixer = PygameSoundDevice()
    mixer._mixer.quit()
    mixer.stop()
    with pytest.raises(HardwareError):
        mixer.play_wav(WAV, 1.0)
    mixer.close()


# --- Voices ---------------------------------------------------------------------------------------


def test_an_engine_that_shuts_its_output_and_lives_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_client, "_END", 0.01)
    engine = SpeechEngineClient(("sh", "-c", "exec 1>&-; exec sleep 600"), PATIENCE)
    with pytest.raises(HardwareError, match="mute_again"):
        engine.synthesise_wav("espeak-ng", "en", 160, "Hello.")
    engine.close()


def test_an_engine_whose_pipe_fails_is_a_hardware_error(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = SimpleNamespace(**vars(os) | {"write": raising(OSError(errno.EIO, "I/O error"))})
    monkeypatch.setattr(engine_client, "os", broken)
    engine = SpeechEngineClient(("sleep", "600"), PATIENCE)
    with pytest.raises(HardwareError, match="I/O error"):
        engine.synthesise_wav("espeak-ng", "en", 160, "Hello.")
    engine.close()


def test_a_text_that_is_no_unicode_is_said_without_its_bad_letter() -> None:
    engine = SpeechEngineClient(("cat",), 0.01)
    with pytest.raises(HardwareError, match="mute_again"):  # cat is not an engine
        engine.synthesise_wav("espeak-ng", "en", 160, "Ann\ud800a")
    engine.close()


def test_a_folder_that_is_shut_has_no_voices_and_no_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    denied = PermissionError(errno.EACCES, "Permission denied")
    with monkeypatch.context() as shut:
        shut.setattr(os, "stat", raising(denied))
        assert voices.voice_files_in_folder(tmp_path) == ()
        assert not SentenceWavCache(tmp_path).has_wav("Hello.")


# --- Pins -----------------------------------------------------------------------------------------


class LgpioError(Exception):
    """Like lgpio's error, which is not an OSError."""


FAULTS: Final = (
    GPIODeviceClosed("closed"),
    PinInvalidState("no such state"),
    OSError(errno.EIO, "I/O error"),
    RuntimeError("RPi.GPIO: cannot determine SOC peripheral base address"),
    gpiod.RequestReleasedError(),
    gpiod.ChipClosedError(),
    LgpioError("GPIO busy"),
)
fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda error: type(error).__name__)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    """Yield mock pins on a machine that has lgpio, too."""
    lgpio = ModuleType("lgpio")
    lgpio.__dict__["error"] = LgpioError
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.mark.sampled(1)
@fault
def test_a_fault_of_the_pins_is_a_hardware_error_of_the_buttons(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    assert factory
    buttons = PinButtons()
    with monkeypatch.context() as broken:
        broken.setattr(MockPin, "_set_pull", raising(fault))
        with pytest.raises(HardwareError) as raised:
            buttons.listen(lambda _: None)
    assert raised.value.part == "buttons"
    buttons.listen(lambda _: None)
    with monkeypatch.context() as broken:
        broken.setattr("gpiozero.DigitalInputDevice.close", raising(fault))
        buttons.close()
    buttons.close()


@fault
def test_a_chip_that_does_not_say_its_name_costs_a_line_and_no_evening(
    factory: MockFactory, capsys: pytest.CaptureFixture[str], fault: Exception
) -> None:
    factory.chip = SimpleNamespace(path="/dev/gpiochip0", get_info=raising(fault))
    assert PinButtons().next_start_recording_request() == ""
    assert capsys.readouterr().err.count("\n") == 1


@fault
def test_a_fault_of_the_pins_is_a_hardware_error_of_the_lamps(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    assert factory
    lamps = pi.PinLamps()
    with monkeypatch.context() as broken:
        broken.setattr(MockPin, "_set_state", raising(fault))
        with pytest.raises(HardwareError):
            lamps.show((LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    lamps.show((LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF))
    with monkeypatch.context() as broken:
        broken.setattr("gpiozero.DigitalOutputDevice.off", raising(fault))
        with pytest.raises(HardwareError):
            lamps.show((LAMP_OFF, LAMP_OFF, LAMP_OFF, LAMP_OFF))
        lamps.close()


def test_lamps_that_failed_while_they_blinked_are_told_and_blink_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BLINK_SECONDS, BLINK_QUICKLY, 0.001)
    lit, calls, broken = threading.Event(), list[int](), threading.Event()

    def light(_: object) -> None:
        calls.append(1)
        if broken.is_set():
            raise HardwareError("gone")
        lit.set()

    lamps = LampBlinker(light)
    lamps.show((BLINK_QUICKLY, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    thread = lamps._thread
    assert thread is not None
    broken.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    with pytest.raises(HardwareError, match="gone"):
        lamps.show((BLINK_QUICKLY, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    broken.clear()
    lamps.show((BLINK_QUICKLY, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    assert lamps._thread is not None
    broken.set()
    lamps.close()


# --- Displays -------------------------------------------------------------------------------------


@fault
def test_a_fault_of_the_pins_is_reported_by_the_display_once(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    assert factory
    reported, reports = threading.Event(), list[HardwareError]()

    def report(error: HardwareError) -> None:
        reports.append(error)
        reported.set()

    monkeypatch.setattr("gpiozero.DigitalOutputDevice.off", raising(fault))
    monkeypatch.setattr("hardware.display.bus.fcntl", SimpleNamespace(ioctl=lambda *_: None))
    wire = SpiConnection(OledWiring(bus="spi", port=0, dc=25), PinOutput)
    wire._path = os.devnull
    display = ThreadedDisplay(OledPanel("ssd1306", wire), report)
    display.show(bytes(1024))
    assert reported.wait(PATIENCE)
    display.close()
    assert len(reports) == 1


@pytest.mark.parametrize(
    "error",
    [
        luma_error.DeviceDisplayModeError("no such size"),
        luma_error.UnsupportedPlatform("none"),
        RuntimeError("no pygame"),
        TypeError("no such option"),
        ValueError("rotate"),
        ImportError("pygame"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_luma_says_of_a_panel_is_a_hardware_error(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("luma.oled.device.ssd1306.__init__", raising(error))
    with pytest.raises(HardwareError):
        luma.make_luma_device_and_contrast(LumaDisplayWiring("ssd1306", "i2c"), None)


# --- Lines ----------------------------------------------------------------------------------------


class FullDisk(io.StringIO):
    """An output on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, f"No space left on device for {len(text)}")


def test_a_headless_box_whose_output_is_full_ends_and_raises_nothing() -> None:
    ended: list[bool] = []
    face = HeadlessBox(io.StringIO(), FullDisk(), lambda: ended.append(True))
    face.box.speakers[0].play("accepted")
    assert ended == [True]
