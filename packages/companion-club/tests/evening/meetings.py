"""Print how many other players each person meets in five games.

Run `python -m tests.evening.meetings`.
"""

from __future__ import annotations

import sys

from companion_club.seating.facts import SEATING_RULES
from tests.evening.test_evenings import share


def main() -> None:
    """Print a table of the mean of 400 evenings (40 of large ones), by players and rule."""
    print(f"{'players':>8}", *(f"{rule:>12}" for rule in SEATING_RULES))  # noqa: T201 - what it is for
    for players in (8, 12, 16, 24, 48):
        evenings = int(sys.argv[1]) if len(sys.argv) > 1 else 4800 // players
        shares = (f"{share(players, 5, evenings, rule):12.0%}" for rule in SEATING_RULES)
        print(f"{players:8}", *shares)  # noqa: T201 - likewise


if __name__ == "__main__":
    main()
