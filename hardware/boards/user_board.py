"""Wiring of this box: the user's board file in the configuration folder, or DEFAULT_BOARD.

`python -m hardware.boards.user_board FOLDER` prints the bus of the board's display. The installers
run this command to enable the display's bus.
"""

from __future__ import annotations

import sys
from pathlib import Path

from checked_input.files import may_file_exist
from hardware.boards import board_file
from hardware.wiring import DEFAULT_BOARD, Board


def own_board_path(folder: Path) -> Path:
    """Return the path of the user's board file in `folder`; the file need not exist."""
    return folder / "board.toml"


def load_own_or_default_board(folder: Path | None = None) -> Board:
    """Return the wiring that the user's board file in `folder` describes.

    If `folder` is None or has no board file, return DEFAULT_BOARD. Raise BoardFileError if the
    user's file is not valid.
    """
    if folder is None or not may_file_exist(own_board_path(folder)):
        return DEFAULT_BOARD

    return board_file.read_board_file(own_board_path(folder))


if __name__ == "__main__":
    sys.stdout.write(f"{load_own_or_default_board(Path(sys.argv[1])).display.bus}\n")
