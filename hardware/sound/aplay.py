"""A second sound output: a device that has an ALSA name.

The program `aplay` plays the sounds of this device.

In one process, pygame can use only one device, which is the loudspeaker. The program `aplay` is
part of alsa-utils. A headset of BlueALSA or PipeWire has an ALSA name, too. The command `aplay -L`
lists all names.
"""

from __future__ import annotations

import io
import signal
import subprocess
import tempfile
import wave
from array import array
from typing import IO, Final

from hardware.ports import HardwareError

DEVICE_TIMEOUT_SECONDS: Final = 5.0
"""Maximum number of seconds to wait for the end of the previous sound.

If the sound has not ended by then, the device counts as hanging.
"""


class AplaySoundDevice:
    """Sound device (see `playback_queue.SoundDevicePort`) for a device with an ALSA name.

    - `command`: the name of the program that plays sounds.
    - `quiet`: the maximum number of seconds to wait for the end of the previous sound.

    Only tests set `command` and `quiet`.
    """

    def __init__(
        self, device: str, command: str = "aplay", quiet: float = DEVICE_TIMEOUT_SECONDS
    ) -> None:
        self._device, self._command, self._quiet = device, command, quiet
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def play_wav(self, wav: bytes, volume: float) -> float:
        """Begin to play a 16-bit mono WAV file; return the length of the sound in seconds.

        `volume` is 0.0 to 1.0. Raise HardwareError if aplay is missing, if the WAV file cannot be
        read, or if aplay cannot receive the WAV file. Also raise HardwareError if the device has
        refused the previous sound, or hangs.
        """
        self._check()
        try:
            with wave.open(io.BytesIO(wav)) as read:
                rate, n = read.getframerate(), read.getnframes()
                samples = array("h", read.readframes(n))
            self._play(rate, array("h", (int(sample * volume) for sample in samples)))
        except (wave.Error, EOFError, ValueError, OSError) as error:
            self.close()
            if isinstance(error, HardwareError):
                raise
            raise HardwareError.from_reason("no_sound", "sound", why=error) from error
        return float(n / rate)

    def _play(self, rate: int, samples: array[int]) -> None:
        with tempfile.TemporaryFile() as content:  # aplay continues to read after this block
            with wave.open(content, "wb") as made:
                made.setparams((1, 2, rate, 0, "NONE", ""))
                made.writeframes(samples.tobytes())
            content.seek(0)
            self._said = tempfile.TemporaryFile()  # noqa: SIM115 - `_check` or `close` closes it
            words = [self._command, "-q", "-D", self._device, "-"]
            try:
                self._process = subprocess.Popen(words, stdin=content, stderr=self._said)
            except OSError as error:
                raise HardwareError.from_reason("no_aplay", "sound", why=error.strerror) from error

    def _check(self) -> None:
        """Raise HardwareError if the device has refused the previous sound, or hangs."""
        process, output = self._process, self._said
        self._process = self._said = None
        if process is None or output is None:
            return
        with output:
            try:
                status = process.wait(self._quiet)
            except subprocess.TimeoutExpired as error:
                process.kill()  # do not wait for the process: the sound driver may hang
                raise HardwareError.from_reason(
                    "ear_hangs", "sound", device=self._device
                ) from error
            output.seek(0)
            why = output.read().decode(errors="replace").strip().splitlines()
        if status not in (0, -signal.SIGTERM):
            reason = why[-1] if why else str(status)
            raise HardwareError.from_reason("no_ear", "sound", device=self._device, why=reason)

    def stop(self) -> None:
        """Interrupt the current sound of this device."""
        if self._process is not None:
            self._process.terminate()

    def close(self) -> None:
        """Release the device. Ignore an error of the last sound."""
        self.stop()
        if self._process is not None:
            try:
                self._process.wait(self._quiet)
            except subprocess.TimeoutExpired:
                self._process.kill()
        if self._said is not None:
            self._said.close()
        self._process = self._said = None
