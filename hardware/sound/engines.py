"""The engines, in a process of their own: a line in, samples out; a voice stays loaded.

`speech.py` runs this file by its path, so that it pays for no import but its own. A request
is a line of UTF-8 with tabs: engine, language, words a minute, text. The answer is a header of
two 32-bit numbers, little end first, and a block of bytes: samples a second and the block's size,
then 16-bit mono samples, without silence around them and as loud as told on the command line.
In place of a rate, FAILED or MISSING tell that the block is a complaint.

espeak-ng is called in its library, for its program cannot be fed by lines: it holds back up to
4,095 bytes of a sentence until the next one comes, and marks no end. The process ends with its
input, thus with the box, and if it hangs, by its own alarm.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from array import array

TYPE_CHECKING = False  # typing is slow to import, and nothing of it is needed to talk
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol
else:
    Protocol = object

FAILED, MISSING = 0, 1
"""The engine could not say this sentence; the engine is not installed."""
LIBRARIES = ("libespeak-ng.so.1", "libespeak-ng.1.dylib", "libespeak-ng.dylib")
FILES = {"en": (b"gmw/en", b"en-gb", b"en"), "fr": (b"roa/fr", b"fr-fr", b"fr")}
"""espeak-ng's voices: their file, which is found whatever the version names them, and names."""
LANGUAGES = {"en": b"en-gb", "fr": b"fr"}
"""What a voice must speak if none of the names is known."""
MBROLA, MBROLA_RATE = "espeak-ng-mbrola", 16_000
"""The module of mbrola's voices, and their samples a second in English and French: before 0.12 it
tells the rate of espeak-ng's own, with which they would be heard a third too fast and too high."""
NORMAL = 160
"""Words a minute of the engines' own speed."""
NEAR = 0.4
"""Decibels too few to hear: a gain of less is left out."""
FULL, CEILING = 32_767, 29_000
"""The loudest sample there is, and the loudest that is let out: 1 dB less."""
SILENCE = 164
"""A sample too faint to hear: 46 dB less than the loudest one."""
FADE_MS = 4
"""Milliseconds in which a sentence rises from silence, and falls back to it."""

_SYNCHRONOUS, _DONT_EXIT, _RATE, _UTF8_AND_PAUSE = 2, 0x8000, 1, 0x1001
_BUFFER_MS = 200
_POINT = 14
"""Bits behind the point of a gain, which has two before it."""
_MOST = 3.9


class NoEngineError(Exception):
    """The engine is not installed, or not whole."""


class SpeakError(Exception):
    """The engine is there, but does not speak."""


class _Voice(ctypes.Structure):
    """`espeak_VOICE`, as far as a search needs it."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("languages", ctypes.c_char_p), ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte), ("age", ctypes.c_ubyte), ("variant", ctypes.c_ubyte),
        ("xx1", ctypes.c_ubyte), ("score", ctypes.c_int), ("spare", ctypes.c_void_p),
    )  # fmt: skip


class Espeak:
    """espeak-ng's library. Raises NoEngineError."""

    def __init__(self) -> None:
        self._library = _load()
        if self._library.espeak_Initialize(_SYNCHRONOUS, _BUFFER_MS, None, _DONT_EXIT) <= 0:
            raise NoEngineError("espeak-ng finds no data")
        self._chunks: list[bytes] = []
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        self._callback = kind(self._hear)  # as long as the library may call it
        self._library.espeak_SetSynthCallback(self._callback)
        self._library.espeak_Synth.argtypes = (
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint,
            ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p,
        )  # fmt: skip
        self._language = ""

    def speak(self, text: str, language: str, speed: int) -> tuple[int, bytes]:
        """Give samples a second, as the voice has them, and the samples. Raises SpeakError."""
        if language != self._language:
            self._choose(language)
        self._library.espeak_SetParameter(_RATE, speed, 0)
        self._chunks.clear()
        said = text.encode()
        wrong = self._library.espeak_Synth(
            said, len(said) + 1, 0, 1, 0, _UTF8_AND_PAUSE, None, None
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
        """Change to the voice of a language. Raises SpeakError."""
        self._language = ""
        wished = _Voice(languages=LANGUAGES[language])
        named = any(self._library.espeak_SetVoiceByName(name) == 0 for name in FILES[language])
        if not named and self._library.espeak_SetVoiceByProperties(ctypes.byref(wished)):
            raise SpeakError(f"espeak-ng has no voice for {language!r}")
        self._language = language


def _load() -> ctypes.CDLL:
    for name in LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise NoEngineError(f"there is no {LIBRARIES[0]}")


class Dispatcher:
    """An engine of speech-dispatcher: one of its modules, which stays, with the sound kept here.

    A module is told to hand over its samples (`audio_output_method=server`): a line of them, in
    which 0x7D stands before a byte that was changed by 0x20 lest it end the line.
    """

    def __init__(self) -> None:
        self._modules: dict[str, Any] = {}

    def speak(self, text: str, voice: str, speed: int) -> tuple[int, bytes]:
        """Give samples a second, and the samples. Raises SpeakError.

        `voice` is a language, the files of a module and of its settings, and the voice's name.
        """
        language, path, settings, name = voice.split(" ", 3)
        try:
            module = self._modules.get(path) or self._start_module(path, settings)
            rate = max(-100, min(100, 100 * (speed - NORMAL) // NORMAL))
            wished = f"language={language}\nsynthesis_voice={name}\nrate={rate}"
            self._ask(module, "SET", "203", wished)
            plain = text.translate({ord(sign): " " for sign in "<>&"})
            self._ask(module, "SPEAK", "200", f"<speak>{plain}</speak>")
            told, samples = self._read_speech(module)
            return MBROLA_RATE if path.endswith(MBROLA) else told, samples
        except (OSError, ValueError) as error:
            self.end(path)
            raise SpeakError(f"{path} of speech-dispatcher fails: {error}") from error

    def end(self, path: str) -> None:
        """End a module; the next sentence starts it again."""
        if (module := self._modules.pop(path, None)) is not None:
            module.kill()
            module.communicate()

    def _start_module(self, path: str, settings: str) -> Any:
        """Give a module that runs. Raises OSError or ValueError."""
        import subprocess  # noqa: PLC0415 - espeak-ng needs none of it, and it is slow

        module = subprocess.Popen(  # one of the modules that are installed
            (path, settings),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._modules[path] = module
        self._ask(module, "INIT", "299")
        self._ask(module, "AUDIO", "203", "audio_output_method=server")
        return module

    def _ask(self, module: Any, command: str, good: str, more: str = "") -> None:
        """Give a command, and what belongs to it, and await its last line. Raises ValueError."""
        module.stdin.write(f"{command}\n".encode())
        module.stdin.flush()
        if more:
            self._await(module, "20")  # it wants to hear more
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
        """Read events until the end; give samples a second, and the samples. Raises ValueError."""
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
    """The port of what makes samples of a text: `Espeak`, `Dispatcher`, and `Piper` elsewhere."""

    def speak(self, text: str, language: str, speed: int, /) -> tuple[int, bytes]:
        """Give samples a second, and the samples. Raises SpeakError."""


ENGINES: Mapping[str, Callable[[], SpeechEngine]] = {
    "espeak-ng": Espeak,
    "speech-dispatcher": Dispatcher,
}
"""What this process speaks with."""


def trim_silence(samples: bytes, rate: int) -> bytes:
    """Give 16-bit samples without the silence around them; faint noise counts as silence."""
    numbers, step = array("h", samples), rate // 100

    def is_heard(at: int) -> bool:
        part = numbers[at : at + step]
        return max(part) > SILENCE or min(part) < -SILENCE

    places = range(0, len(numbers), step)
    first = next(filter(is_heard, places), len(numbers))
    last = next(filter(is_heard, reversed(places)), 0)
    return samples[2 * first : 2 * (last + step)]


def loudness(samples: array[int], rate: int) -> float:
    """Measure the RMS of the loudest 200 ms in dBFS.

    `rate` is in samples a second. Silence gives minus infinity.
    """
    block, window = rate // 100, 20
    energies = [math.hypot(*samples[i : i + block]) ** 2 for i in range(0, len(samples), block)]
    energies += [0.0] * (window - len(energies))
    sums = [sum(energies[i : i + window]) for i in range(len(energies) - window + 1)]
    rms = math.sqrt(max(sums) / (window * block)) / FULL
    return 20 * math.log10(rms) if rms else -math.inf


def level_loudness(samples: bytes, rate: int, level: float) -> bytes:
    """Give 16-bit samples as loud as `level` (dBFS, see `loudness`), or a little less than to clip.

    Measures every eighth sample: the sum of so many squares is the same but for little.
    """
    measured = loudness(array("h", samples)[::8], rate // 8)
    if measured == -math.inf or abs(level - measured) < NEAR:
        return samples
    return amplify(samples, min(10 ** ((level - measured) / 20), _MOST))


def amplify(samples: bytes, gain: float) -> bytes:
    """Give 16-bit samples times `gain`, at most _MOST; the gain gives way to the ceiling."""
    top = int(CEILING / gain) >> 8
    if top < 128:  # noqa: PLR2004 - of a high byte's 256 values, half are positive
        quiet = bytes((*range(top), *range(256 - top, 256)))
        if samples[1::2].translate(None, quiet):
            gain = min(gain, CEILING / max(map(abs, array("h", samples))))
    factor, size = round(gain * (1 << _POINT)), 4 * _LANES
    parts = (samples[start : start + size] for start in range(0, len(samples), size))
    return b"".join(_times(part, factor)[: len(part)] for part in parts)


_LANES = 4096
_SIGN = 1 << 15
_EACH = int.from_bytes(b"\1\0\0\0" * _LANES, "little")
_LOWER, _UPPER, _SIGNS = 0xFFFF * _EACH, 0xFFFF0000 * _EACH, (_SIGN << 16 | _SIGN) * _EACH


def _times(part: bytes, factor: int) -> bytes:
    """Multiply up to 2 * _LANES samples by factor / 2**_POINT: a loop takes many times as long.

    The samples are one large number, with a lane of 32 bits for every second one. A sample s is
    held as u = s + _SIGN, which flips its sign bit and is never negative. Multiplied, its lane is

        u * factor + _SIGN * (2**_POINT - factor)  =  s * factor + _SIGN * 2**_POINT.

    `amplified` lets no product reach _SIGN * 2**_POINT = 2**29. So a lane is neither negative nor
    longer than 30 bits: none borrows from its neighbour or carries into it, and one multiplication
    serves them all. From bit _POINT on, 16 bits of it are floor(s * factor / 2**_POINT) + _SIGN:
    the product, its sign bit flipped, as the masks take it out.
    """
    level = _SIGN * ((1 << _POINT) - factor) * _EACH
    flipped = int.from_bytes(part, "little") ^ _SIGNS
    even = (flipped & _LOWER) * factor + level >> _POINT & _LOWER
    odd = (flipped >> 16 & _LOWER) * factor + level << 16 - _POINT & _UPPER
    return ((even | odd) ^ _SIGNS).to_bytes(4 * _LANES, "little")


def fade_ends(samples: bytes, rate: int) -> bytes:
    """Give 16-bit samples that rise from nothing and fall to it: no click stands at an end."""
    ramp = min(rate * FADE_MS // 1000, len(samples) // 4)
    begin, end = array("h", samples[: 2 * ramp]), array("h", samples[len(samples) - 2 * ramp :])
    for n in range(ramp):
        begin[n] = begin[n] * n // ramp
        end[-1 - n] = end[-1 - n] * n // ramp
    return begin.tobytes() + samples[2 * ramp : len(samples) - 2 * ramp] + end.tobytes()


class EngineServer:
    """Answers requests; an engine is loaded with the first one for it. `level` is in dBFS."""

    def __init__(
        self, level: float, engines: Mapping[str, Callable[[], SpeechEngine]] = ENGINES
    ) -> None:
        self._level = level
        self._known = engines
        self._engines: dict[str, SpeechEngine] = {}

    def answer(self, line: bytes) -> tuple[int, bytes]:
        """Give the answer's first number, and its block. Raises SpeakError or NoEngineError."""
        name, language, speed, text = line.decode().rstrip("\n").split("\t")
        try:
            if name not in self._engines:
                self._engines[name] = self._known[name]()
            rate, raw = self._engines[name].speak(text, language, int(speed))
            sound = trim_silence(raw, rate)
            if not sound and any(map(str.isalnum, text)):
                raise SpeakError(f"{name} makes no sound")  # noqa: TRY301 - as if it had said so
        except NoEngineError as error:
            return MISSING, str(error).encode()
        except SpeakError as error:
            return FAILED, str(error).encode()
        return rate, fade_ends(level_loudness(sound, rate, self._level), rate)


def serve(
    engines: Mapping[str, Callable[[], SpeechEngine]] = ENGINES,
    wait: Callable[[], bool] = lambda: True,
) -> None:
    """Answer until the input ends, or until `wait`, called before each line, says that it is over.

    Arguments of the program: the level in dBFS, seconds until a hang is one.
    """
    server, patience = EngineServer(float(sys.argv[1]), engines), math.ceil(float(sys.argv[2]))
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a library that chatters must not be heard
    system = ctypes.CDLL(None)
    while wait() and (line := sys.stdin.buffer.readline()):
        system.alarm(patience)
        first, block = server.answer(line)
        answer = first.to_bytes(4, "little") + len(block).to_bytes(4, "little") + block
        while answer:
            answer = answer[os.write(out, answer) :]
        system.alarm(0)


if __name__ == "__main__":
    serve()
