"""Fuzz an input, guided by coverage; needs atheris: `python -m tests.system.fuzz DOOR`.

DOOR is a key of `targets.TARGETS`. The variable SECONDS is the duration (default: 60). The folder
`fuzzed` receives the inputs that raise an exception, and for later runs those that reach new code.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

INSTRUMENTED: Final = ("companion", "checked_input", "hardware", "tomllib")
FOLDER: Final = Path("fuzzed")


def main(name: str) -> None:
    """Fuzz until the time is over, or the target raises an exception."""
    import atheris  # noqa: PLC0415 - has no wheels for a Raspberry Pi

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        from tests.system.fuzz.targets import CORPUS, TARGETS  # noqa: PLC0415 - instrumented

    corpus = FOLDER / name
    corpus.mkdir(parents=True, exist_ok=True)
    for n, text in enumerate(CORPUS[name]):
        (corpus / f"true-{n}").write_bytes(text)
    limits = (f"-max_total_time={os.environ.get('SECONDS') or 60}", "-max_len=4096")
    fuzzer: Any = atheris
    fuzzer.Setup(
        [sys.argv[0], str(corpus), f"-artifact_prefix={FOLDER}/{name}-", *limits], TARGETS[name]
    )
    fuzzer.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1])
