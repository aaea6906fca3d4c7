"""A terminal that only one program writes to, whatever its libraries have to say."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def own_screen() -> Iterator[None]:
    """Keep the screen to the face: libraries in C, such as ALSA's, write complaints over it.

    The face itself goes on writing to the terminal, under another number.
    """
    before = sys.__stderr__
    with (
        os.fdopen(os.dup(2), "w", encoding="utf-8") as screen,
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
    ):
        os.dup2(nowhere.fileno(), 2)
        sys.__stderr__ = screen  # type: ignore[misc]
        try:
            yield
        finally:
            sys.__stderr__ = before  # type: ignore[misc]
            screen.flush()
            os.dup2(screen.fileno(), 2)
