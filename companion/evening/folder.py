"""What a box knows, in a folder: a file for each topic, as its message is."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from companion.evening import claims
from companion.evening.known import Known, NotAClaim

if TYPE_CHECKING:
    from pathlib import Path

    from companion.evening.claims import Heads

ENDING = ".json"


def load(folder: Path) -> tuple[Known, tuple[NotAClaim, ...]]:
    """All that is in the folder, and what could not be used of it. Raises OSError."""
    known, problems = Known(), []
    for file in sorted(folder.glob(f"*{ENDING}")):
        topic = unquote(file.name.removesuffix(ENDING))
        try:
            known, _ = known.taken(topic, file.read_bytes()[: claims.LONGEST + 1])
        except NotAClaim as error:
            problems.append(error)
    return known, tuple(problems)


def save(folder: Path, topic: str, heads: Heads, *, durable: bool = True) -> None:
    """Write a topic down; `durable`: it is on disk when this returns. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{quote(topic, safe='')}{ENDING}"
    new = target.with_suffix(".new")
    with new.open("wb") as file:
        file.write(claims.message(heads))
        file.flush()
        if durable:
            os.fsync(file.fileno())
    new.replace(target)
    if durable:
        _sync(folder)


def _sync(folder: Path) -> None:
    """A name that is new in a folder is on disk when the folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def heard(folder: Path) -> float:
    """When something new was last written down, in seconds of this machine's clock; 0: never.

    Raises OSError.
    """
    return max((file.stat().st_mtime for file in folder.glob(f"*{ENDING}")), default=0.0)


def box(folder: Path, name: str = "box") -> str:
    """What this box is called in claims: drawn once, and kept in the folder. Raises OSError."""
    file = folder / name
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(secrets.token_hex(4), "ascii")
    return file.read_text("ascii").strip()
