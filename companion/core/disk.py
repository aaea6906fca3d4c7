"""The transfer of written files and folders from the kernel's memory to the disk."""

from __future__ import annotations

import os
from pathlib import Path


def sync_to_disk(path: Path) -> None:
    """Sync a file or a folder to disk. Raise OSError if the sync fails."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
