"""A voice in Piper's format without training: every phoneme is a tone.

It shows that a voice loads, speaks, ends and fails correctly.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE: Final = 22_050
PHONEME: Final = 441
"""Samples of a phoneme. With the blanks between them, 25 phonemes take a second."""
PHONEMES: Final = "_^$ abcdefghijklmnopqrstuvwxyz.,!?:ɛɔəɪʊʌæɑɒɐɜʁɹθðŋʃʒɡøœ̃ˈˌː"


def write(folder: Path, name: str = "fr_FR-tones-low", loud: float = 0.3) -> Path:
    """Write a voice's two files. Return the larger one. `loud`: 1.0 is the maximum."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.onnx"
    save(_model(loud), str(file))
    beside(file, card(name.partition("-")[0]))
    return file


def beside(file: Path, told: Any) -> None:
    """Write the `.json` beside a voice."""
    file.with_name(f"{file.name}.json").write_text(json.dumps(told), "utf-8")


def card(code: str, **changes: Any) -> dict[str, Any]:
    """Return the contents of the `.json` beside a voice of a language."""
    return {
        "audio": {"sample_rate": RATE, "quality": "low"},
        "espeak": {"voice": code[:2]},
        "language": {"code": code},
        "inference": {"length_scale": 1.0},
        "phoneme_type": "espeak",
        "num_symbols": len(PHONEMES),
        "num_speakers": 1,
        "speaker_id_map": {},
        "phoneme_id_map": {phoneme: [n] for n, phoneme in enumerate(PHONEMES)},
        **changes,
    }


def _model(loud: float) -> Any:
    """Return a model with the inputs and the output of Piper's own models.

    Inputs: phonemes, their number and three scales. Output: samples. A phoneme sounds as sin(hertz
    * time) for a time that the second scale decides.
    """
    hertz = 2 * np.pi * (200.0 + 20.0 * np.arange(len(PHONEMES)))
    given: dict[str, NDArray[Any]] = {
        "hertz": hertz.astype(np.float32),
        "length": np.array([PHONEME], np.float32),
        "second": np.array([1], np.int64),
        "zero": np.array(0, np.float32),
        "one": np.array(1, np.float32),
        "rate": np.array([RATE], np.float32),
        "column": np.array([1, -1, 1], np.int64),
        "flat": np.array([1, 1, -1], np.int64),
        "point": np.array([], np.int64),
        "loud": np.array([loud], np.float32),
    }
    nodes = (
        ("Gather", ("scales", "second"), "scale"),
        ("Mul", ("scale", "length"), "samples"),
        ("Reshape", ("samples", "point"), "end"),
        ("Range", ("zero", "end", "one"), "steps"),
        ("Div", ("steps", "rate"), "time"),
        ("Gather", ("hertz", "input"), "tones"),
        ("Reshape", ("tones", "column"), "each"),
        ("Mul", ("each", "time"), "phase"),
        ("Sin", ("phase",), "wave"),
        ("Mul", ("wave", "loud"), "said"),
        ("Reshape", ("said", "flat"), "output"),
    )
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, [output]) for kind, inputs, output in nodes],
        "tones",
        [
            value("input", TensorProto.INT64, [1, "phonemes"]),
            value("input_lengths", TensorProto.INT64, [1]),
            value("scales", TensorProto.FLOAT, [3]),
        ],
        [value("output", TensorProto.FLOAT, [1, 1, "samples"])],
        [numpy_helper.from_array(array, name) for name, array in given.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
