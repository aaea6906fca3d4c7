"""Wrong rules for `python -m tests.mutate`: one module for each game.

Each module is named after the game's folder, and has a tuple `MUTANTS`.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A wrong rule: the clause that it breaks, its claim, and its change of the code.

    The game's folder contains `old` once; `new` replaces `old`.
    """

    clause: str
    claim: str
    old: str
    new: str
