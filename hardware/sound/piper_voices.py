"""The voices of Piper. Only the process of `piper.py` imports this module."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
import piper.config

from hardware.ports import HardwareError
from hardware.sound.engines import DEFAULT_WORDS_PER_MINUTE, SynthesisError
from hardware.sound.voices import check_voice_file, read_voice_config

MAX_LOADED_VOICES: Final = 2
"""Maximum number of voices in memory: one voice for each language."""

_FULL: Final = 32_767
"""Largest 16-bit sample."""


class PiperEngine:
    """The engine piper-tts with its loaded voices."""

    def __init__(self) -> None:
        self._voices: dict[str, Any] = {}

    def synthesise_samples(self, text: str, file: str, speed: int) -> tuple[int, bytes]:
        """Return the sample rate of the voice in `file`, and the samples of `text`.

        `speed` is in words a minute. Raise SynthesisError if the voice does not speak.
        """
        try:
            voice = self._voices.get(file) or self._load(Path(file))
            scale = voice.config.length_scale * DEFAULT_WORDS_PER_MINUTE / speed
            config = piper.config.SynthesisConfig(length_scale=scale)
            chunks = [chunk.audio_float_array for chunk in voice.synthesize(text, config)]
            sound = np.concatenate([np.atleast_1d(chunk) for chunk in chunks])
            return voice.config.sample_rate, (sound * _FULL).astype(np.int16).tobytes()
        except HardwareError as error:
            raise SynthesisError(str(error)) from error
        except Exception as error:
            # the libraries raise any kind of exception for a damaged voice file
            raise SynthesisError(
                f"{Path(file).name} does not speak: {_error_line(error)}"
            ) from error

    def _load(self, file: Path) -> Any:
        check_voice_file(file)
        while len(self._voices) >= MAX_LOADED_VOICES:
            del self._voices[next(iter(self._voices))]
            gc.collect()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        voice = piper.PiperVoice(
            config=piper.config.PiperConfig.from_dict(read_voice_config(file)),
            session=onnxruntime.InferenceSession(
                str(file), sess_options=options, providers=["CPUExecutionProvider"]
            ),
        )
        self._voices[str(file)] = voice
        return voice


def _error_line(error: Exception) -> str:
    return re.sub(r"\s+", " ", f"{type(error).__name__} {error}")[:200]
