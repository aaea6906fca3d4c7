"""Rules told wrongly on purpose, a module a game: `python -m tests.mutate` sees who notices.

Each module has its `MUTANTS`; its name is that of the game's folder.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A rule told wrongly: the clause that it breaks, what holds instead, and how.

    `old` stands once in all of the game's folder, and becomes `new`.
    """

    clause: str
    claim: str
    old: str
    new: str
