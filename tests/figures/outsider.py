"""Count the statistics of an export from its JSON Lines alone, without code of the project.

`python outsider.py games.jsonl` prints the result as JSON.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any


def games_of(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for text in path.read_text("utf-8").splitlines():
        line = json.loads(text)
        if line["type"] == "game":
            found.append(line | {"lines": []})
        elif line["type"] == "entry":
            found[-1]["lines"].append(line)
    return found


def at(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def table_time(game: dict[str, Any]) -> int:
    before, total = at(game["begun"]), 0.0
    for line in game["lines"]:
        if line["kind"] != "seen":
            pause = at(line["at"]) - before
            total += pause if 0 < pause <= 3600 else 0
            before = at(line["at"])
    return int(total)


def one(game: dict[str, Any]) -> dict[str, Any]:
    kinds = [line["kind"] for line in game["lines"]]
    rolls = [
        line["value"]
        for line in game["lines"]
        if line["kind"] == "box" and "roll" in line["question"]
    ]
    return {
        "id": game["id"],
        "answers": kinds.count("answer"),
        "undone": kinds.count("undo"),
        "corrected": sum(
            line["kind"] == "answer" and line["question"] == "correct" for line in game["lines"]
        ),
        "seconds": table_time(game),
        "faces": [sum(roll.count(face) for roll in rolls) for face in range(1, 7)],
        "winners": game["winners"],
        "scores": [game["scores"][who] for who in game["players"]] if game["scores"] else [],
    }


def streak(won: list[bool]) -> tuple[int, int]:
    runs = "".join("x" if one else " " for one in won).split(" ")
    return len(runs[-1]), max(map(len, runs))


def person(name: str, games: list[dict[str, Any]]) -> dict[str, Any]:
    mine = [game for game in games if game["ended"] and name in game["players"]]
    won = [name in game["winners"] for game in mine]
    kinds: dict[str, list[int]] = defaultdict(list)
    sizes: dict[str, list[int]] = defaultdict(list)
    scores: dict[str, list[int]] = defaultdict(list)
    against: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for game, win in zip(mine, won, strict=True):
        kinds[game["game"]].append(win)
        sizes[str(len(game["players"]))].append(win)
        scores[game["game"]].append(game["scores"][name])
        for other in game["players"]:
            if other != name:
                against[other].append((win, other in game["winners"]))
    now, longest = streak(won)
    return {
        "games": len(mine),
        "wins": sum(won),
        "rate": sum(won) / len(mine) if len(mine) >= 3 else None,
        "by_game": {kind: [len(wins), sum(wins)] for kind, wins in kinds.items()},
        "by_players": {size: [len(wins), sum(wins)] for size, wins in sizes.items()},
        "against": {
            other: [len(pairs), pairs.count((True, False)), pairs.count((False, True))]
            for other, pairs in against.items()
        },
        "scores": {kind: [sum(n) / len(n), max(n)] for kind, n in scores.items()},
        "streak": now,
        "longest": longest,
        "seconds": sum(table_time(game) for game in mine),
    }


def count(path: Path) -> dict[str, Any]:
    games = games_of(path)
    names = {name for game in games if game["ended"] for name in game["players"]}
    return {
        "games": [one(game) for game in games],
        "people": {name: person(name, games) for name in names},
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(count(Path(sys.argv[1]))))
