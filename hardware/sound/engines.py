"""The server of the speech engines: a process that receives lines and sends samples.

`speech.py` runs this file by its path, so that it imports nothing else of this package. A request
is a line of UTF-8 with tabs: engine, language, words a minute, text. The answer is a header of two
little-endian 32-bit numbers, the sample rate and the size of the block, then the block: 16-bit mono
samples, without silence around them, at the loudness of the command line. If the first number is
FAILED_CODE or MISSING_CODE, the block is an error message.

espeak-ng is called as a library. Its program cannot serve lines: it holds back up to 4,095 bytes of
a sentence until the next one arrives, and marks no end. The process ends when its input ends, thus
with the box. A timer ends it if it hangs.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from array import array

TYPE_CHECKING = False  # importing typing is slow, and only type checkers need it
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol
else:
    Protocol = object

FAILED_CODE, MISSING_CODE = 0, 1
"""Codes of an answer: the engine failed for this sentence; the engine is not installed."""
ESPEAK_LIBRARIES = ("libespeak-ng.so.1", "libespeak-ng.1.dylib", "libespeak-ng.dylib")
ESPEAK_VOICE_FILES = {"en": (b"gmw/en", b"en-gb", b"en"), "fr": (b"roa/fr", b"fr-fr", b"fr")}
"""The voices of espeak-ng by language: their file, which all versions have, and their names."""
ESPEAK_LANGUAGES = {"en": b"en-gb", "fr": b"fr"}
"""The language that a voice of espeak-ng must speak if none of the names is known."""
MBROLA, MBROLA_RATE = "espeak-ng-mbrola", 16_000
"""The module of mbrola's voices, and their sample rate in English and French. Before version 0.12
the module reports the rate of espeak-ng, at which they sound a third too fast and too high.
"""
DEFAULT_WORDS_PER_MINUTE = 160
"""The engines' default speed in words a minute."""
INAUDIBLE_DECIBELS = 0.4
"""A gain below this many decibels is inaudible, and is not applied."""
MAX_SAMPLE, MAX_OUTPUT_SAMPLE = 32_767, 29_000
"""The largest 16-bit sample, and the largest one in the output: 1 dB less."""
SILENCE_AMPLITUDE = 164
"""The largest sample that counts as silence: 46 dB below the largest possible one."""
FADE_MS = 4
"""The milliseconds in which a sentence fades in and out."""

_SYNCHRONOUS, _DONT_EXIT, _RATE, _UTF8_AND_PAUSE = 2, 0x8000, 1, 0x1001
_BUFFER_MS = 200
_POINT = 14
"""The fractional bits of a gain, a fixed-point number with two integer bits."""
_MAX_SPEED_FACTOR = 3.9


class NoEngineError(Exception):
    """The engine is not installed, or its installation is incomplete."""


class SpeakError(Exception):
    """The engine is installed, but does not speak."""


class _Voice(ctypes.Structure):
    """`espeak_VOICE`, as far as a search needs it."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("languages", ctypes.c_char_p), ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte), ("age", ctypes.c_ubyte), ("variant", ctypes.c_ubyte),
        ("xx1", ctypes.c_ubyte), ("score", ctypes.c_int), ("spare", ctypes.c_void_p),
    )  # fmt: skip


class EspeakEngine:
    """The library of espeak-ng. Raise NoEngineError if it cannot be loaded."""

    def __init__(self) -> None:
        self._library = _load()
        if self._library.espeak_Initialize(_SYNCHRONOUS, _BUFFER_MS, None, _DONT_EXIT) <= 0:
            raise NoEngineError("espeak-ng finds no data")
        self._chunks: list[bytes] = []
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        self._callback = kind(self._hear)  # kept as long as the library may call it
        self._library.espeak_SetSynthCallback(self._callback)
        self._library.espeak_Synth.argtypes = (
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint,
            ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p,
        )  # fmt: skip
        self._language = ""

    def speak(self, text: str, language: str, speed: int) -> tuple[int, bytes]:
        """Return the voice's sample rate and the samples. Raise SpeakError."""
        if language != self._language:
            self._choose(language)
        self._library.espeak_SetParameter(_RATE, speed, 0)
        self._chunks.clear()
        encoded = text.encode()
        wrong = self._library.espeak_Synth(
            encoded, len(encoded) + 1, 0, 1, 0, _UTF8_AND_PAUSE, None, None
        )
        if wrong:
            raise SpeakError(f"espeak-ng gives error {wrong}")
        self._library.espeak_Synchronize()
        return self._library.espeak_ng_GetSampleRate(), b"".join(self._chunks)

    def _hear(self, wav: int | None, count: int, _events: int | None) -> int:
        if wav and count > 0:
            self._chunks.append(ctypes.string_at(wav, 2 * count))
        return 0

    def _choose(self, language: str) -> None:
        """Change to the voice of a language. Raise SpeakError."""
        self._language = ""
        wished = _Voice(languages=ESPEAK_LANGUAGES[language])
        named = any(
            self._library.espeak_SetVoiceByName(name) == 0 for name in ESPEAK_VOICE_FILES[language]
        )
        if not named and self._library.espeak_SetVoiceByProperties(ctypes.byref(wished)):
            raise SpeakError(f"espeak-ng has no voice for {language!r}")
        self._language = language


def _load() -> ctypes.CDLL:
    for name in ESPEAK_LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise NoEngineError(f"there is no {ESPEAK_LIBRARIES[0]}")


class DispatcherEngine:
    """An engine of speech-dispatcher: modules that keep running and send their samples back.

    A module is configured to return its samples (`audio_output_method=server`): one line, in which
    0x7D precedes a byte that was changed by 0x20 so that it does not end the line.
    """

    def __init__(self) -> None:
        self._modules: dict[str, Any] = {}

    def speak(self, text: str, voice: str, speed: int) -> tuple[int, bytes]:
        """Return the sample rate and the samples. Raise SpeakError.

        `voice` has, separated by spaces, a language, the files of a module and of its settings, and
        the voice's name.
        """
        language, path, settings, name = voice.split(" ", 3)
        try:
            module = self._modules.get(path) or self._start_module(path, settings)
            rate = max(
                -100, min(100, 100 * (speed - DEFAULT_WORDS_PER_MINUTE) // DEFAULT_WORDS_PER_MINUTE)
            )
            wished = f"language={language}\nsynthesis_voice={name}\nrate={rate}"
            self._ask(module, "SET", "203", wished)
            plain = text.translate({ord(sign): " " for sign in "<>&"})
            self._ask(module, "SPEAK", "200", f"<speak>{plain}</speak>")
            module_rate, samples = self._read_speech(module)
            return MBROLA_RATE if path.endswith(MBROLA) else module_rate, samples
        except (OSError, ValueError) as error:
            self.end_module(path)
            raise SpeakError(f"{path} of speech-dispatcher fails: {error}") from error

    def end_module(self, path: str) -> None:
        """End a module; the next sentence starts it again."""
        if (module := self._modules.pop(path, None)) is not None:
            module.kill()
            module.communicate()

    def _start_module(self, path: str, settings: str) -> Any:
        """Return a running module. Raise OSError or ValueError."""
        import subprocess  # noqa: PLC0415 - espeak-ng needs none of it, and it is slow

        module = subprocess.Popen(  # an installed module
            (path, settings),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._modules[path] = module
        self._ask(module, "INIT", "299")
        self._ask(module, "AUDIO", "203", "audio_output_method=server")
        return module

    def _ask(self, module: Any, command: str, good: str, more: str = "") -> None:
        """Send a command with its data, and wait for the reply's last line. Raise ValueError."""
        module.stdin.write(f"{command}\n".encode())
        module.stdin.flush()
        if more:
            self._await(module, "20")  # the module waits for data
            module.stdin.write(f"{more}\n.\n".encode())
            module.stdin.flush()
        self._await(module, good)

    @staticmethod
    def _await(module: Any, good: str) -> None:
        while (line := module.stdout.readline().decode(errors="replace"))[3:4] == "-":
            continue
        if not line.startswith(good):
            raise ValueError(line.strip() or "it ended")

    @staticmethod
    def _read_speech(module: Any) -> tuple[int, bytes]:
        """Read events until the end; return the sample rate and the samples. Raise ValueError."""
        rate, samples = 0, []
        while line := module.stdout.readline():
            if line.startswith(b"705-AUDIO\0"):
                raw = line[10:-1].split(b"\x7d")
                samples += [raw[0], *(bytes((part[0] ^ 0x20,)) + part[1:] for part in raw[1:])]
            elif line.startswith(b"705-sample_rate="):
                rate = int(line[16:])
            elif line.startswith((b"705-bits=", b"705-num_channels=")):
                if line.rstrip() not in (b"705-bits=16", b"705-num_channels=1"):
                    raise ValueError(f"it is no 16-bit mono sound: {line[4:].strip().decode()}")
            elif line[:4] in (b"702 ", b"703 "):
                return rate, b"".join(samples)
        raise ValueError("it ended")


class SpeechEngine(Protocol):
    """A source of samples for a text: `EspeakEngine`, `DispatcherEngine` or `PiperEngine`."""

    def speak(self, text: str, language: str, speed: int, /) -> tuple[int, bytes]:
        """Return the sample rate and the samples. Raise SpeakError."""


ENGINES: Mapping[str, Callable[[], SpeechEngine]] = {
    "espeak-ng": EspeakEngine,
    "speech-dispatcher": DispatcherEngine,
}
"""The engines of this process, by name."""


def trim_silence(samples: bytes, rate: int) -> bytes:
    """Return 16-bit samples without silence or faint noise at both ends."""
    numbers, step = array("h", samples), rate // 100

    def is_heard(at: int) -> bool:
        part = numbers[at : at + step]
        return max(part) > SILENCE_AMPLITUDE or min(part) < -SILENCE_AMPLITUDE

    places = range(0, len(numbers), step)
    first = next(filter(is_heard, places), len(numbers))
    last = next(filter(is_heard, reversed(places)), 0)
    return samples[2 * first : 2 * (last + step)]


def measure_loudness(samples: array[int], rate: int) -> float:
    """Return the RMS of the loudest 200 ms in dBFS; minus infinity for silence.

    `rate` is in samples a second.
    """
    block, window = rate // 100, 20
    energies = [math.hypot(*samples[i : i + block]) ** 2 for i in range(0, len(samples), block)]
    energies += [0.0] * (window - len(energies))
    sums = [sum(energies[i : i + window]) for i in range(len(energies) - window + 1)]
    rms = math.sqrt(max(sums) / (window * block)) / MAX_SAMPLE
    return 20 * math.log10(rms) if rms else -math.inf


def level_loudness(samples: bytes, rate: int, level: float) -> bytes:
    """Return 16-bit samples amplified to `level` (dBFS, as `measure_loudness`).

    The samples stay softer if they would clip.

    The loudness is measured on every eighth sample, which makes hardly any difference.
    """
    measured = measure_loudness(array("h", samples)[::8], rate // 8)
    if measured == -math.inf or abs(level - measured) < INAUDIBLE_DECIBELS:
        return samples
    return amplify(samples, min(10 ** ((level - measured) / 20), _MAX_SPEED_FACTOR))


def amplify(samples: bytes, gain: float) -> bytes:
    """Return 16-bit samples multiplied by `gain`, at most _MAX_GAIN, reduced so that none clips."""
    top = int(MAX_OUTPUT_SAMPLE / gain) >> 8
    if top < 128:  # noqa: PLR2004 - of a high byte's 256 values, half are positive
        quiet = bytes((*range(top), *range(256 - top, 256)))
        if samples[1::2].translate(None, quiet):
            gain = min(gain, MAX_OUTPUT_SAMPLE / max(map(abs, array("h", samples))))
    factor, size = round(gain * (1 << _POINT)), 4 * _LANES
    parts = (samples[start : start + size] for start in range(0, len(samples), size))
    return b"".join(_times(part, factor)[: len(part)] for part in parts)


_LANES = 4096
_SIGN = 1 << 15
_EACH = int.from_bytes(b"\1\0\0\0" * _LANES, "little")
_LOWER, _UPPER, _SIGNS = 0xFFFF * _EACH, 0xFFFF0000 * _EACH, (_SIGN << 16 | _SIGN) * _EACH


def _times(part: bytes, factor: int) -> bytes:
    """Multiply up to 2 * _LANES samples by factor / 2**_POINT, many times faster than a loop.

    The samples are one large integer, with a lane of 32 bits for every second sample. A sample s is
    stored as u = s + _SIGN, which flips its sign bit and is never negative. After the
    multiplication, its lane is

        u * factor + _SIGN * (2**_POINT - factor)  =  s * factor + _SIGN * 2**_POINT.

    `amplify` keeps every product below _SIGN * 2**_POINT = 2**29. So a lane is not negative and has
    at most 30 bits: no lane borrows from its neighbour or carries into it, and one multiplication
    serves all lanes. From bit _POINT on, 16 bits of a lane are floor(s * factor / 2**_POINT) +
    _SIGN: the product with its sign bit flipped, which the masks extract.
    """
    level = _SIGN * ((1 << _POINT) - factor) * _EACH
    flipped = int.from_bytes(part, "little") ^ _SIGNS
    even = (flipped & _LOWER) * factor + level >> _POINT & _LOWER
    odd = (flipped >> 16 & _LOWER) * factor + level << 16 - _POINT & _UPPER
    return ((even | odd) ^ _SIGNS).to_bytes(4 * _LANES, "little")


def fade_ends(samples: bytes, rate: int) -> bytes:
    """Return 16-bit samples faded in and out, so that no click is heard at either end."""
    ramp = min(rate * FADE_MS // 1000, len(samples) // 4)
    begin, end = array("h", samples[: 2 * ramp]), array("h", samples[len(samples) - 2 * ramp :])
    for n in range(ramp):
        begin[n] = begin[n] * n // ramp
        end[-1 - n] = end[-1 - n] * n // ramp
    return begin.tobytes() + samples[2 * ramp : len(samples) - 2 * ramp] + end.tobytes()


class EngineServer:
    """Answers requests. An engine is loaded at its first request. `level` is in dBFS."""

    def __init__(
        self, level: float, engines: Mapping[str, Callable[[], SpeechEngine]] = ENGINES
    ) -> None:
        self._level = level
        self._known = engines
        self._engines: dict[str, SpeechEngine] = {}

    def answer(self, line: bytes) -> tuple[int, bytes]:
        """Return the answer's first number and its block. Raise SpeakError or NoEngineError."""
        name, language, speed, text = line.decode().rstrip("\n").split("\t")
        try:
            if name not in self._engines:
                self._engines[name] = self._known[name]()
            rate, raw = self._engines[name].speak(text, language, int(speed))
            sound = trim_silence(raw, rate)
            if not sound and any(map(str.isalnum, text)):
                raise SpeakError(f"{name} makes no sound")  # noqa: TRY301 - as if it had said so
        except NoEngineError as error:
            return MISSING_CODE, str(error).encode()
        except SpeakError as error:
            return FAILED_CODE, str(error).encode()
        return rate, fade_ends(level_loudness(sound, rate, self._level), rate)


def serve_requests(
    engines: Mapping[str, Callable[[], SpeechEngine]] = ENGINES,
    wait: Callable[[], bool] = lambda: True,
) -> None:
    """Answer requests until the input ends, or until `wait` returns False before a line.

    Arguments of the program: the level in dBFS, and the seconds after which an engine hangs.
    """
    server, patience = EngineServer(float(sys.argv[1]), engines), math.ceil(float(sys.argv[2]))
    out = os.dup(1)
    # messages of a library must not mix with the samples
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    system = ctypes.CDLL(None)
    while wait() and (line := sys.stdin.buffer.readline()):
        system.alarm(patience)
        first, block = server.answer(line)
        answer = first.to_bytes(4, "little") + len(block).to_bytes(4, "little") + block
        while answer:
            answer = answer[os.write(out, answer) :]
        system.alarm(0)


if __name__ == "__main__":
    serve_requests()
