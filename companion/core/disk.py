"""Functions that make sure that written files and folders are on the disk."""

from __future__ import annotations

import os
from pathlib import Path


def sync_to_disk(path: Path) -> None:
    """Write the cached data of a file or a folder to the disk. Raise OSError if writing fails."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
