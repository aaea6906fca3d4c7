"""The board of this box: a user's own file in the configuration folder, else FOUR_BUTTONS.

`python -m hardware.boards.own_board FOLDER` prints the bus of its display: the installers switch
that on.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from checked_input.files import is_there
from hardware.boards import board_file
from hardware.wiring import FOUR_BUTTONS

if TYPE_CHECKING:
    from hardware.wiring import Board


def own_file(folder: Path) -> Path:
    """Where a user's own board is, or would be, in the configuration folder."""
    return folder / "board.toml"


def load(folder: Path | None = None) -> Board:
    """The user's own board, else FOUR_BUTTONS. Raises BoardError."""
    if folder is None or not is_there(own_file(folder)):
        return FOUR_BUTTONS

    return board_file.read(own_file(folder))


if __name__ == "__main__":
    sys.stdout.write(f"{load(Path(sys.argv[1])).display.bus}\n")
