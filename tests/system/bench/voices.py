"""Measure each installed voice: the time to the first sample, speed, memory and wakeups.

The voice of Piper speaks tones, and is written for the run: it uses the real piper-tts and
onnxruntime, but computes only the tones. `companion doctor` measures trained voices.
"""

from __future__ import annotations

import importlib.util
import io
import os
import time
import wave
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from hardware.sound.speech import VoiceSynthesiser
from hardware.sound.voices import DISPATCHER, ESPEAK, VoiceChoice
from tests.system.bench.heard import sentences
from tests.system.bench.outside import status, switches
from tests.system.bench.row import MissingTool, Row, find_tool, has_proc

TIMES: Final = 20


def engines(folder: Path) -> Iterator[Row]:
    """Yield the figures of espeak-ng, and of each installed voice of speech-dispatcher."""
    has_proc()
    find_tool(ESPEAK)
    found = VoiceSynthesiser(folder).voice_choices_for_language("en")
    for choice in found:
        yield from _measured(VoiceSynthesiser(folder / choice.name), choice)
    if not any(choice.engine == DISPATCHER for choice in found):
        raise MissingTool("a module of speech-dispatcher, such as speech-dispatcher-flite", None)


def tones(folder: Path) -> Iterator[Row]:
    """Yield the figures of a voice of tones in the real piper-tts."""
    has_proc()
    if not all(map(importlib.util.find_spec, ("piper", "onnx"))):
        raise MissingTool("piper-tts and onnx", None)
    from tests.hardware import tones as made  # noqa: PLC0415 - it needs onnx

    made.write(folder / "voices", "en_GB-tones-low")
    speech = VoiceSynthesiser(folder / "cache", voices=folder / "voices")
    yield from _measured(speech, speech.voice_choices_for_language("en")[0])


def _measured(speech: VoiceSynthesiser, choice: VoiceChoice) -> Iterator[Row]:
    make = speech.make_slow_voice_wav if choice.is_slow else speech.make_quick_voice_wav
    process = speech._piper if choice.is_slow else speech._engines
    speech.choose_voice(choice.language, choice.name)
    said = sentences()
    begun = time.perf_counter()
    make(next(said), choice.language)
    first = time.perf_counter() - begun
    waits, ratios = [], []
    for _ in range(TIMES):
        begun = time.perf_counter()
        content = make(next(said), choice.language)
        waits.append(time.perf_counter() - begun)
        ratios.append(waits[-1] / _seconds(content))
    group = _group(process.start_unless_running().pid)
    time.sleep(1)  # the engine may work after a sentence
    before = sum(map(switches, group))
    time.sleep(3)
    wakeups = sum(map(switches, group)) - before
    memory = sum(status(pid, pid, "VmRSS") for pid in group) / 1024
    speech.close()
    speech.end_slow_voice_process()
    if speech.take_last_failure() is not None:
        raise MissingTool(f"{choice.name} that speaks", None)
    name = f"{choice.engine}, {choice.name}" if choice.is_slow else choice.name
    figure = f"{median(waits) * 1e3:.1f} ms (the first one of all {first * 1e3:.0f} ms)"
    yield Row(f"{name}: sentence to first sample, p50", figure)
    yield Row("  seconds a second of sound, p50", f"{median(ratios):.4f}")
    more = f" ({len(group)} processes)" if len(group) > 1 else ""
    yield Row("  memory of its process", f"{memory:.1f} MB{more}")
    yield Row("  its wakeups in 3 s, a second after a sentence", str(wakeups), "0", wakeups == 0)


def _group(leader: int) -> tuple[int, ...]:
    """Return the processes of an engine and of the programs that it has started."""
    found = []
    for number in (int(file.name) for file in Path("/proc").iterdir() if file.name.isdigit()):
        with suppress(ProcessLookupError):  # a process may have ended
            found += [number] * (os.getpgid(number) == leader)
    return tuple(found)


def _seconds(content: bytes) -> float:
    with wave.open(io.BytesIO(content)) as sound:
        return float(sound.getnframes() / sound.getframerate())
