"""The command `python -m web.pack FOLDER FILE`, which packs a folder into one ZIP file."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Final

ARCHIVE_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""Modification time of all files in a ZIP file, so that the same files always give the same ZIP."""


def write_folder_as_zip(folder: Path, file: Path) -> None:
    """Write all files of `folder` into the ZIP file `file`.

    Inside the ZIP file, the files are in one folder, whose name is the name of the ZIP file.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(
                f"{file.stem}/{path.relative_to(folder).as_posix()}", ARCHIVE_TIME
            )
            info.external_attr = 0o644 << 16
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    write_folder_as_zip(Path(sys.argv[1]), Path(sys.argv[2]))
