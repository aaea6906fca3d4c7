"""The folder in which a box stores the claims of an evening, one file for each topic.

A file contains the message with the claims of its topic. Several processes can use one folder, such
as the attendant and `companion evening add`. Saving merges new claims with the claims in the file,
so no claim is lost.
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
from companion_club.current_claims import CurrentClaims, InvalidClaim

FILE_SUFFIX: Final = ".json"
MAX_NAME_LENGTH: Final = 200
"""Maximum length of a file name without suffix (characters); file systems allow 255 bytes."""
MAX_FILE_BYTES: Final = claims.MAX_MESSAGE_BYTES + 1000
"""Maximum number of bytes that are read from a file.

A file contains one message, and also the topic if the file's name is a hash of the topic.
"""


def load_claims_and_errors(folder: Path) -> tuple[CurrentClaims, tuple[InvalidClaim, ...]]:
    """Return all valid claims in a folder, and the errors of its invalid claims.

    Raise OSError if a file cannot be read.
    """
    heads: dict[str, ClaimHeads] = {}
    problems: list[InvalidClaim] = []
    for file in sorted(folder.glob(f"*{FILE_SUFFIX}")):
        topic, text = _topic(file)
        message = claims.parse_claims_and_errors(topic, text)
        if message.claims:
            heads[topic] = claims.unreplaced_claims((*heads.get(topic, ()), *message.claims))
        problems += message.problems
    return CurrentClaims(heads), tuple(problems)


def merge_claims_into_file(
    folder: Path, topic: str, heads: ClaimHeads, *, durable: bool = True
) -> ClaimHeads:
    """Merge claims of a topic into the topic's file, and return the merged claims.

    `durable`: if True, wait until the file is on the disk. Raise InvalidClaim and change nothing if
    `load_claims_and_errors` would refuse these claims in a file. Raise OSError if the file cannot
    be written.
    """
    claims.parse_valid_claims(topic, claims.make_claims_message(heads))
    folder.mkdir(parents=True, exist_ok=True)
    with _lock_folder(folder):
        target = _file(folder, topic)
        heads = claims.unreplaced_claims((*heads, *_load_claims(target)))
        text = claims.make_claims_message(heads)
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


def folder_modification_time(folder: Path) -> int:
    """Return the time (ns) at which a file in the folder was last created, replaced or deleted.

    Return 0 if the folder does not exist. Raise OSError if the folder cannot be read.
    """
    return folder.stat().st_mtime_ns if folder.exists() else 0


def _file(folder: Path, topic: str) -> Path:
    """Return the path of a topic's file.

    The file is named after the topic, or after a hash of the topic if the topic is too long.
    """
    name = quote(topic, safe="")
    if len(name) > MAX_NAME_LENGTH:
        name = hashlib.sha256(topic.encode()).hexdigest()
    return folder / f"{name}{FILE_SUFFIX}"


def _load_claims(file: Path) -> ClaimHeads:
    return claims.parse_claims_and_errors(*_topic(file)).claims if file.exists() else ()


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _topic(file: Path) -> tuple[str, bytes]:
    """Return the topic and the message that a file contains.

    The file's name encodes the topic. If the name is a hash, the file's first line is the topic.
    """
    with file.open("rb") as opened:
        text = opened.read(MAX_FILE_BYTES)
    name = file.name.removesuffix(FILE_SUFFIX)
    if not claims.HASH_PATTERN.fullmatch(name):
        return unquote(name), text
    topic, _, text = text.partition(b"\n")
    return topic.decode("ascii", "replace"), text


def newest_saved_claim_time(folder: Path) -> float:
    """Return the time (s since 1970) of the newest saved claim, or 0.0 if no claim is saved.

    Raise OSError if the folder cannot be read.
    """
    return max((file.stat().st_mtime for file in folder.glob(f"*{FILE_SUFFIX}")), default=0.0)


def load_or_create_box_name(folder: Path, name: str = "box") -> str:
    """Return this box's name in claims; the first call saves a random name in the folder.

    `name`: the name of the file in which the box's name is stored. Raise OSError if the file cannot
    be read or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    with _lock_folder(folder):
        if not file.exists():
            file.write_text(secrets.token_hex(4), "ascii")
    return file.read_text("ascii").strip()
