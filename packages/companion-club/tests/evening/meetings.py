"""Print the share of other players that each player meets in five games.

Run `python -m tests.evening.meetings [EVENINGS]`.
"""

from __future__ import annotations

import sys

from companion_club.seating.facts import SEATING_RULES
from tests.evening.test_evenings import share


def main() -> None:
    """Print the mean of `share` for each number of players and each seating rule.

    The number of simulated evenings is the first argument, or else 4,800 divided by the players.
    """
    print(f"{'players':>8}", *(f"{rule:>12}" for rule in SEATING_RULES))  # noqa: T201 - the command's output
    for players in (8, 12, 16, 24, 48):
        evenings = int(sys.argv[1]) if len(sys.argv) > 1 else 4800 // players
        shares = (f"{share(players, 5, evenings, rule):12.0%}" for rule in SEATING_RULES)
        print(f"{players:8}", *shares)  # noqa: T201 - the command's output


if __name__ == "__main__":
    main()
