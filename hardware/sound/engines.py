"""Server of the speech engines: a process that receives lines of text and sends sound samples.

`speech.py` runs this file by its path, so that the process imports nothing else of this package.

A request is a line of UTF-8 with four fields, separated by tabs: engine, language, words a minute,
text. An answer is a header and a block. The header has two little-endian 32-bit numbers: the sample
rate, and the size of the block in bytes. The block has 16-bit mono samples without silence at their
ends. An argument of the command line sets the loudness of all blocks. If the first number is
FAILED_CODE or MISSING_CODE, the block is an error message.

This process calls espeak-ng as a library, because the program espeak-ng cannot serve lines. The
program espeak-ng delays up to 4,095 bytes of a sentence until the next sentence arrives, and does
not mark the end of a sentence.

When the box ends, the input of the process ends. At the end of the input, the process ends. A timer
ends a process that hangs.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from array import array

TYPE_CHECKING = False  # avoids the slow import of typing, which only type checkers need
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol
else:
    Protocol = object

FAILED_CODE, MISSING_CODE = 0, 1
"""Codes in the header of an answer.

FAILED_CODE means that the engine failed. MISSING_CODE means that the engine is not installed.
"""
ESPEAK_LIBRARIES = ("libespeak-ng.so.1", "libespeak-ng.1.dylib", "libespeak-ng.dylib")
ESPEAK_VOICE_NAMES = {"en": (b"gmw/en", b"en-gb", b"en"), "fr": (b"roa/fr", b"fr-fr", b"fr")}
"""Table from a language to names of espeak-ng's voices.

The first name is the file of a voice. All versions of espeak-ng have this file.
"""
ESPEAK_LANGUAGE_CODES = {"en": b"en-gb", "fr": b"fr"}
"""Table from a language to a language code of espeak-ng.

The code selects a voice if espeak-ng has no voice of ESPEAK_VOICE_NAMES.
"""
MBROLA, MBROLA_RATE = "espeak-ng-mbrola", 16_000
"""MBROLA: name of speech-dispatcher's module for mbrola. MBROLA_RATE: sample rate of mbrola in Hz.

MBROLA_RATE is the rate of the English and French voices. Before version 0.12, the module reports a
wrong sample rate. At the wrong rate, the voices would sound a third too fast and too high.
"""
DEFAULT_WORDS_PER_MINUTE = 160
"""Default speed of the engines in words a minute."""
INAUDIBLE_CHANGE_DECIBELS = 0.4
"""Largest change of loudness (dB) that people cannot hear. Smaller corrections are omitted."""
MAX_SAMPLE, MAX_OUTPUT_SAMPLE = 32_767, 29_000
"""MAX_SAMPLE: largest 16-bit sample. MAX_OUTPUT_SAMPLE: largest sample in the output (1 dB less).
"""
SILENCE_AMPLITUDE = 164
"""Largest sample that counts as silence: 46 dB softer than the largest 16-bit sample."""
FADE_MS = 4
"""Milliseconds in which a sentence fades in, and in which a sentence fades out."""

_SYNCHRONOUS, _DONT_EXIT, _RATE, _UTF8_AND_PAUSE = 2, 0x8000, 1, 0x1001
_BUFFER_MS = 200
_POINT = 14
"""Number of fractional bits of a gain. A gain is a fixed-point number with two integer bits."""
_MAX_GAIN = 3.9


class EngineNotInstalledError(Exception):
    """The speech engine is not installed, or its installation is incomplete."""


class SynthesisError(Exception):
    """The speech engine is installed, but does not synthesise the text."""


class _Voice(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("languages", ctypes.c_char_p), ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte), ("age", ctypes.c_ubyte), ("variant", ctypes.c_ubyte),
        ("xx1", ctypes.c_ubyte), ("score", ctypes.c_int), ("spare", ctypes.c_void_p),
    )  # fmt: skip


class EspeakEngine:
    """Speech engine espeak-ng, called as a library.

    Raise EngineNotInstalledError if the library or its data cannot be loaded.
    """

    def __init__(self) -> None:
        self._library = _load()
        if self._library.espeak_Initialize(_SYNCHRONOUS, _BUFFER_MS, None, _DONT_EXIT) <= 0:
            raise EngineNotInstalledError("espeak-ng finds no data")
        self._chunks: list[bytes] = []
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        self._callback = kind(self._hear)  # keep a reference, or Python would delete the callback
        self._library.espeak_SetSynthCallback(self._callback)
        self._library.espeak_Synth.argtypes = (
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint,
            ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p,
        )  # fmt: skip
        self._language = ""

    def synthesise_samples(self, text: str, language: str, speed: int) -> tuple[int, bytes]:
        """Return the sample rate of the voice, and the samples of `text` at `speed` words a minute.

        Raise SynthesisError if espeak-ng does not synthesise the text.
        """
        if language != self._language:
            self._choose(language)
        self._library.espeak_SetParameter(_RATE, speed, 0)
        self._chunks.clear()
        encoded = text.encode()
        wrong = self._library.espeak_Synth(
            encoded, len(encoded) + 1, 0, 1, 0, _UTF8_AND_PAUSE, None, None
        )
        if wrong:
            raise SynthesisError(f"espeak-ng gives error {wrong}")
        self._library.espeak_Synchronize()
        return self._library.espeak_ng_GetSampleRate(), b"".join(self._chunks)

    def _hear(self, wav: int | None, count: int, _events: int | None) -> int:
        if wav and count > 0:
            self._chunks.append(ctypes.string_at(wav, 2 * count))
        return 0

    def _choose(self, language: str) -> None:
        self._language = ""
        wished = _Voice(languages=ESPEAK_LANGUAGE_CODES[language])
        named = any(
            self._library.espeak_SetVoiceByName(name) == 0 for name in ESPEAK_VOICE_NAMES[language]
        )
        if not named and self._library.espeak_SetVoiceByProperties(ctypes.byref(wished)):
            raise SynthesisError(f"espeak-ng has no voice for {language!r}")
        self._language = language


def _load() -> ctypes.CDLL:
    for name in ESPEAK_LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise EngineNotInstalledError(f"there is no {ESPEAK_LIBRARIES[0]}")


class SpeechDispatcherEngine:
    """Modules of speech-dispatcher: programs that keep running and return samples.

    The setting `audio_output_method=server` makes a module return its samples instead of playing
    them. A module returns the samples in one line. If a byte of the samples would end the line, the
    module sends 0x7D, and then this byte with the bit 0x20 inverted.
    """

    def __init__(self) -> None:
        self._modules: dict[str, Any] = {}

    def synthesise_samples(self, text: str, voice: str, speed: int) -> tuple[int, bytes]:
        """Return the sample rate of the voice, and the samples of `text` at `speed` words a minute.

        `voice` has four parts, with spaces between them: a language, the path of a module's file,
        the path of the module's settings file, and the voice's name. Raise SynthesisError if the
        module fails.
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
            self.end_module_process(path)
            raise SynthesisError(f"{path} of speech-dispatcher fails: {error}") from error

    def end_module_process(self, path: str) -> None:
        """End the module with the file `path`; the next sentence starts the module again."""
        if (module := self._modules.pop(path, None)) is not None:
            module.kill()
            module.communicate()

    def _start_module(self, path: str, settings: str) -> Any:
        """Start and configure a module, and return the module's process.

        Raise OSError or ValueError if the module does not start or does not answer.
        """
        import subprocess  # noqa: PLC0415 - slow to import, and espeak-ng does not need it

        module = subprocess.Popen(  # safe: the command is an installed module
            (path, settings),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._modules[path] = module
        self._ask(module, "INIT", "299")
        self._ask(module, "AUDIO", "203", "audio_output_method=server")
        return module

    def _ask(self, module: Any, command: str, good: str, more: str = "") -> None:
        """Send a command with its data to a module, and wait for the last line of the reply.

        Raise ValueError if the last line does not begin with the code `good`.
        """
        module.stdin.write(f"{command}\n".encode())
        module.stdin.flush()
        if more:
            self._await(module, "20")  # code 20 means: send the data now
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
        """Read a module's events until its speech ends; return the sample rate and the samples.

        Raise ValueError if the module ends, or if its sound is not 16-bit mono.
        """
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
    """Protocol of the speech engines, which return samples for a text.

    `EspeakEngine`, `SpeechDispatcherEngine` and `PiperEngine` implement the protocol.
    """

    def synthesise_samples(self, text: str, language: str, speed: int, /) -> tuple[int, bytes]:
        """Return the sample rate, and the samples of `text` at `speed` words a minute.

        Raise SynthesisError if the engine does not synthesise the text.
        """


ENGINES: Mapping[str, Callable[[], SpeechEngine]] = {
    "espeak-ng": EspeakEngine,
    "speech-dispatcher": SpeechDispatcherEngine,
}
"""Table from an engine's name to its class, for the engines that this process can run."""


def trim_silence(samples: bytes, rate: int) -> bytes:
    """Return 16-bit samples without silence and faint noise at the beginning and at the end."""
    numbers, step = array("h", samples), rate // 100

    def is_heard(at: int) -> bool:
        part = numbers[at : at + step]
        return max(part) > SILENCE_AMPLITUDE or min(part) < -SILENCE_AMPLITUDE

    places = range(0, len(numbers), step)
    first = next(filter(is_heard, places), len(numbers))
    last = next(filter(is_heard, reversed(places)), 0)
    return samples[2 * first : 2 * (last + step)]


def loudest_rms_level(samples: array[int], rate: int) -> float:
    """Return the RMS level (dBFS) of the loudest 200 ms of `samples`.

    Return minus infinity for silence. `rate` is the number of samples a second.
    """
    block, window = rate // 100, 20
    energies = [math.hypot(*samples[i : i + block]) ** 2 for i in range(0, len(samples), block)]
    energies += [0.0] * (window - len(energies))
    sums = [sum(energies[i : i + window]) for i in range(len(energies) - window + 1)]
    rms = math.sqrt(max(sums) / (window * block)) / MAX_SAMPLE
    return 20 * math.log10(rms) if rms else -math.inf


def normalise_loudness(samples: bytes, rate: int, level: float) -> bytes:
    """Return 16-bit samples, amplified to the loudness `level` (dBFS, see `loudest_rms_level`).

    If samples at this level would clip, the result is softer. The function measures only every
    eighth sample, which hardly changes the result.
    """
    measured = loudest_rms_level(array("h", samples)[::8], rate // 8)
    if measured == -math.inf or abs(level - measured) < INAUDIBLE_CHANGE_DECIBELS:
        return samples
    return amplify_without_clipping(samples, min(10 ** ((level - measured) / 20), _MAX_GAIN))


def amplify_without_clipping(samples: bytes, gain: float) -> bytes:
    """Return 16-bit samples multiplied by `gain`, or by a smaller gain if a sample would clip."""
    top = int(MAX_OUTPUT_SAMPLE / gain) >> 8
    if top < 128:  # noqa: PLR2004 - the high byte of a positive sample is below 128
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

    The samples with even numbers form one large integer with lanes of 32 bits, and the samples with
    odd numbers form another. A lane holds one sample. A sample s is stored as u = s + _SIGN, which
    flips the sign bit of s and is never negative. After the multiplication, the lane of a sample
    holds this value:

        u * factor + _SIGN * (2**_POINT - factor)  =  s * factor + _SIGN * 2**_POINT.

    `amplify_without_clipping` keeps every product below _SIGN * 2**_POINT = 2**29. The value of a
    lane is therefore not negative and has at most 30 bits. No lane borrows from or carries into its
    neighbour, so one multiplication serves all lanes. The 16 bits of a lane from bit _POINT on are
    floor(s * factor / 2**_POINT) + _SIGN, which is the product with a flipped sign bit. The masks
    extract the 16 bits of all lanes.
    """
    level = _SIGN * ((1 << _POINT) - factor) * _EACH
    flipped = int.from_bytes(part, "little") ^ _SIGNS
    even = (flipped & _LOWER) * factor + level >> _POINT & _LOWER
    odd = (flipped >> 16 & _LOWER) * factor + level << 16 - _POINT & _UPPER
    return ((even | odd) ^ _SIGNS).to_bytes(4 * _LANES, "little")


def fade_ends(samples: bytes, rate: int) -> bytes:
    """Return 16-bit samples that fade in and fade out, so that no clicks are audible."""
    ramp = min(rate * FADE_MS // 1000, len(samples) // 4)
    begin, end = array("h", samples[: 2 * ramp]), array("h", samples[len(samples) - 2 * ramp :])
    for n in range(ramp):
        begin[n] = begin[n] * n // ramp
        end[-1 - n] = end[-1 - n] * n // ramp
    return begin.tobytes() + samples[2 * ramp : len(samples) - 2 * ramp] + end.tobytes()


class SynthesisServer:
    """Server that answers requests for samples.

    The first request for an engine loads the engine. `level`: the loudness (dBFS) of all answers.
    """

    def __init__(
        self, level: float, engines: Mapping[str, Callable[[], SpeechEngine]] = ENGINES
    ) -> None:
        self._level = level
        self._known = engines
        self._engines: dict[str, SpeechEngine] = {}

    def answer_request(self, line: bytes) -> tuple[int, bytes]:
        """Return the answer to the request `line`: a sample rate, and a block of samples.

        If the engine fails, return FAILED_CODE and an error message. If the engine is not
        installed, return MISSING_CODE and an error message.
        """
        name, language, speed, text = line.decode().rstrip("\n").split("\t")
        try:
            if name not in self._engines:
                self._engines[name] = self._known[name]()
            rate, raw = self._engines[name].synthesise_samples(text, language, int(speed))
            sound = trim_silence(raw, rate)
            if not sound and any(map(str.isalnum, text)):
                raise SynthesisError(f"{name} makes no sound")  # noqa: TRY301 - handled like an error of the engine
        except EngineNotInstalledError as error:
            return MISSING_CODE, str(error).encode()
        except SynthesisError as error:
            return FAILED_CODE, str(error).encode()
        return rate, fade_ends(normalise_loudness(sound, rate, self._level), rate)


def answer_requests_on_stdin(
    engines: Mapping[str, Callable[[], SpeechEngine]] = ENGINES,
    wait: Callable[[], bool] = lambda: True,
) -> None:
    """Answer requests on standard input, until the input ends or `wait` returns False.

    The program's first argument is the loudness in dBFS. The program's second argument is the
    number of seconds after which a timer ends an engine that hangs.
    """
    server, patience = SynthesisServer(float(sys.argv[1]), engines), math.ceil(float(sys.argv[2]))
    out = os.dup(1)
    # discard messages of the libraries, which would mix with the samples
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    system = ctypes.CDLL(None)
    while wait() and (line := sys.stdin.buffer.readline()):
        system.alarm(patience)
        first, block = server.answer_request(line)
        answer = first.to_bytes(4, "little") + len(block).to_bytes(4, "little") + block
        while answer:
            answer = answer[os.write(out, answer) :]
        system.alarm(0)


if __name__ == "__main__":
    answer_requests_on_stdin()
