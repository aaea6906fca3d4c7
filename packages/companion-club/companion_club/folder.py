"""A box's claims in a folder: one file per topic, with the content of its message.

Several processes may use one folder, such as a table's service and `companion evening add`. So
saving merges a topic with its file, and no claim is lost.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from companion.core.disk import sync_to_disk
from companion_club import claims
from companion_club.claims import ClaimHeads
from companion_club.known import InvalidClaim, KnownClaims

FILE_SUFFIX: Final = ".json"
MAX_NAME_LENGTH: Final = 200
"""Longest file name in letters; a file system allows 255 bytes."""
MAX_FILE_BYTES: Final = claims.MAX_MESSAGE_BYTES + 1000
"""Most bytes that are read of a file: a message with its topic, or one that is too long."""


def load_claims(folder: Path) -> tuple[KnownClaims, tuple[InvalidClaim, ...]]:
    """Return all claims of a folder, and the errors of invalid ones. Raise OSError."""
    heads: dict[str, ClaimHeads] = {}
    problems: list[InvalidClaim] = []
    for file in sorted(folder.glob(f"*{FILE_SUFFIX}")):
        topic, text = _topic(file)
        message = claims.parse_message(topic, text)
        if message.claims:
            heads[topic] = claims.merge_claims((*heads.get(topic, ()), *message.claims))
        problems += message.problems
    return KnownClaims(heads), tuple(problems)


def save_claims(folder: Path, topic: str, heads: ClaimHeads, *, durable: bool = True) -> ClaimHeads:
    """Merge a topic with its file, and return all its heads.

    durable: sync it to disk. Raise OSError, and InvalidClaim for claims that `load_claims` could
    not read; then the file is unchanged.
    """
    claims.read_claims(topic, claims.make_message(heads))
    folder.mkdir(parents=True, exist_ok=True)
    with _lock_folder(folder):
        target = _file(folder, topic)
        heads = claims.merge_claims((*heads, *_load_claims(target)))
        text = claims.make_message(heads)
        if claims.HASH_PATTERN.fullmatch(target.stem):
            text = f"{topic}\n".encode() + text
        new = target.with_suffix(".new")
        with new.open("wb") as file:
            file.write(text)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        new.replace(target)
        if durable:
            sync_to_disk(folder)
    return heads


def modification_time(folder: Path) -> int:
    """Return when a file of the folder was last replaced (ns); 0 if there is no folder.

    Raise OSError.
    """
    return folder.stat().st_mtime_ns if folder.exists() else 0


def _file(folder: Path, topic: str) -> Path:
    """Return the file of a topic; a topic too long for a file name uses its hash."""
    name = quote(topic, safe="")
    if len(name) > MAX_NAME_LENGTH:
        name = hashlib.sha256(topic.encode()).hexdigest()
    return folder / f"{name}{FILE_SUFFIX}"


def _load_claims(file: Path) -> ClaimHeads:
    """Return the valid claims of a file; () if it does not exist. Raise OSError."""
    return claims.parse_message(*_topic(file)).claims if file.exists() else ()


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock the folder against other writers. Raise OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _topic(file: Path) -> tuple[str, bytes]:
    """Return a file's topic and message; a long topic is the file's first line."""
    with file.open("rb") as opened:
        text = opened.read(MAX_FILE_BYTES)
    name = file.name.removesuffix(FILE_SUFFIX)
    if not claims.HASH_PATTERN.fullmatch(name):
        return unquote(name), text
    topic, _, text = text.partition(b"\n")
    return topic.decode("ascii", "replace"), text


def last_news_time(folder: Path) -> float:
    """Return when a new claim was last saved, in seconds of this machine's clock; 0: never.

    Raise OSError.
    """
    return max((file.stat().st_mtime for file in folder.glob(f"*{FILE_SUFFIX}")), default=0.0)


def load_box_name(folder: Path, name: str = "box") -> str:
    """Return this box's name in claims: random, and saved in the folder. Raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    with _lock_folder(folder):
        if not file.exists():
            file.write_text(secrets.token_hex(4), "ascii")
    return file.read_text("ascii").strip()
