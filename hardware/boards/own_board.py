"""The board of this box: the user's board file in the configuration folder, or else FOUR_BUTTONS.

`python -m hardware.boards.own_board FOLDER` prints the bus of the board's display. The installers
enable this bus.
"""

from __future__ import annotations

import sys
from pathlib import Path

from checked_input.files import is_regular_file
from hardware.boards import board_file
from hardware.wiring import FOUR_BUTTONS, Board


def own_board_file(folder: Path) -> Path:
    """Return the path of the user's board file in `folder`; this file may be missing."""
    return folder / "board.toml"


def load_own_board(folder: Path | None = None) -> Board:
    """Return the board that the user's file in `folder` describes; FOUR_BUTTONS without a file.

    Raise BoardError if the file is not valid.
    """
    if folder is None or not is_regular_file(own_board_file(folder)):
        return FOUR_BUTTONS

    return board_file.read_board(own_board_file(folder))


if __name__ == "__main__":
    sys.stdout.write(f"{load_own_board(Path(sys.argv[1])).display.bus}\n")
