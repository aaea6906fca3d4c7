"""The installed version of Companion."""

from __future__ import annotations

import sys
from pathlib import Path


def installed_version() -> str:
    """Return the installed version of Companion, from the name of its metadata folder.

    `importlib.metadata` would need 3 MB more memory. Raise LookupError if Companion is not
    installed.
    """
    for folder in map(Path, sys.path):
        for metadata in folder.glob("tabletop_companion-*.dist-info"):
            return metadata.stem.partition("-")[2]
    raise LookupError("tabletop-companion is not installed")
