"""The installed version of Companion."""

from __future__ import annotations

import sys
from pathlib import Path


def installed_version() -> str:
    """Return the installed version, from the name of its metadata folder.

    `importlib.metadata` returns it too, but needs 3 MB. Raise LookupError if it is not installed.
    """
    for folder in map(Path, sys.path):
        for metadata in folder.glob("tabletop_companion-*.dist-info"):
            return metadata.stem.partition("-")[2]
    raise LookupError("tabletop-companion is not installed")
