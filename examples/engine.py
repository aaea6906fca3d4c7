#!/usr/bin/env python3
"""A program that plays one seat of Barney Miller with a simple rule.

    companion arena barney-miller --seats examples/engine.py,random --games 20

The program plays a card that makes the total ten, or else its lowest card. The arena starts it as
`engine.py GAME --seat NAME --seed HEX`. It reads the lines that player NAME receives, and writes an
answer to each question to NAME. It ends at the end of its input.
"""

import json
import sys
from typing import Any

TEN = 10


def answer(question: str, choices: list[Any], total: int) -> object:
    """Return the answer to a question. `total` is the sum of the cards on the table."""
    if question == "play_card":
        below = [value for value in choices if total + value <= TEN]
        return TEN - total if TEN - total in choices else min(below or choices)
    return choices[0]


def main() -> None:
    """Read the messages for this seat, and answer each of its questions until the input ends."""
    seat = sys.argv[sys.argv.index("--seat") + 1]
    total, asked = 0, None
    refused: list[Any] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "state":
            total = message["total"]
        elif message["type"] == "ask" and message["who"] == seat:
            asked, refused = message, []
        elif message["type"] != "error":
            continue
        if message["type"] != "state" and asked is not None:
            choices = [choice["value"] for choice in asked["choices"]]
            left = [value for value in choices if value not in refused]
            refused.append(answer(asked["question"], left or choices, total))
            written = json.dumps({"answer": refused[-1], "id": asked["id"]})
            sys.stdout.write(f"{written}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
