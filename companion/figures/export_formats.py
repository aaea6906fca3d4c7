"""Export of statistics to other programs: as JSON, as CSV, for BG Stats and for BoardGameGeek."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import StringIO
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from companion.core.chance import Chance
from companion.core.errors import UnknownGame
from companion.figures import luck
from companion.figures.game_statistics import GameStatistics, ReplayStatistics
from companion.figures.people import PersonStatistics, PlayedAndWonCount
from companion.figures.times import format_utc_date, format_utc_time, format_utc_time_or_none
from companion.play import verify
from companion.record.journal import Journal

__all__ = [
    "bgstats_link",
    "boardgamegeek_fields",
    "check_game_chance",
    "format_utc_time",
    "game_details_as_dict",
    "game_results_as_csv",
    "game_statistics_as_json",
    "person_statistics_as_dict",
]

CSV_COLUMNS: Final = (
    "number", "id", "game", "begun", "ended", "seconds", "answers", "player", "seat", "first",
    "score", "won",
)  # fmt: skip
FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t")
"""The characters that begin a formula in a spreadsheet, and must not begin a CSV cell."""
BGSTATS_ADDRESS: Final = "https://app.bgstatsapp.com/createPlay.html?data="


def game_statistics_as_dict(played: GameStatistics) -> dict[str, Any]:
    """Return a game's statistics as a dictionary of JSON values.

    The times `begun` and `ended` are texts in UTC; an unknown time is None. The additional field
    `over` is True for a finished game. The field `left` contains names instead of seats.
    """
    times = {
        "begun": format_utc_time_or_none(played.begun),
        "ended": format_utc_time_or_none(played.ended),
    }
    left = [played.players[seat] for seat in played.left]
    return played._asdict() | times | {"over": played.ended is not None, "left": left}


def game_statistics_as_json(games: Sequence[GameStatistics]) -> str:
    """Return the statistics of games as the JSON text of a list."""
    return json.dumps([game_statistics_as_dict(game) for game in games], indent=2) + "\n"


def game_details_as_dict(played: GameStatistics, detail: ReplayStatistics) -> dict[str, Any]:
    """Return a game's statistics as a dictionary of JSON values, with all details.

    The details are the score curve, the verdicts on the fairness of dice and shuffles, and the
    numbers that the game's rules define.
    """
    tally = [
        {"who": who or None, "what": statistic, "n": n}
        for (who, statistic), n in detail.tally.items()
    ]
    curve = [{"answers": at, "scores": scores} for at, scores in detail.curve]
    return game_statistics_as_dict(played) | {"curve": curve, "tally": tally, **_luck(played)}


def check_game_chance(journal: Journal, number: int) -> dict[str, Any]:
    """Return a game's code, and the result of checking the game's rolls and shuffles.

    - `code`: the short code of the seed's hash, which the box showed before the game.
    - `straight`: True if the rolls and shuffles follow from the seed, False if not; None if the box
      cannot check the rolls and shuffles.

    Raise JournalError if the game cannot be read.
    """
    straight = None
    if journal.game_summary(number).winners is not None:
        with suppress(UnknownGame):
            straight = verify.verify_game_against_seed(journal, number).problem is None
    return {
        "code": Chance(journal.read_first_line_of_game(number).value["seed"] or "").commitment_code,
        "straight": straight,
    }


def _luck(played: GameStatistics) -> dict[str, str]:
    return {
        "dice": luck.dice_fairness_verdict(played.faces),
        "shuffled": played.shuffles.fairness_verdict,
    }


def person_statistics_as_dict(
    person: PersonStatistics, counts: Mapping[tuple[str, str], int] = MappingProxyType({})
) -> dict[str, Any]:
    """Return a person's statistics as a dictionary of JSON values.

    If the person has finished fewer than three games, the share of wins is None.

    `counts`: the person's numbers in the statistics that the games' rules define, by game and name
    of the statistic.
    """
    counted = [{"game": game, "what": statistic, "n": n} for (game, statistic), n in counts.items()]
    return {
        "name": person.name,
        **_count(person.all),
        "by_game": {name: _count(count) for name, count in person.by_game.items()},
        "by_players": {str(n): _count(count) for n, count in person.by_players.items()},
        "first": _count(person.first_turn_count),
        "against": {who: a._asdict() for who, a in person.against.items()},
        "scores": {
            g: {"average": s.average_score, "best": s.best} for g, s in person.scores.items()
        },
        "streak": person.streak,
        "longest": person.longest,
        "seconds": person.seconds,
        "last": format_utc_time_or_none(person.last),
        "nemesis": person.toughest_opponent,
        "favourite": person.easiest_opponent,
        "counted": counted,
    }


def _count(count: PlayedAndWonCount) -> dict[str, Any]:
    return {"games": count.games, "wins": count.wins, "rate": count.win_rate}


def game_results_as_csv(games: Sequence[GameStatistics]) -> str:
    """Return the results of games as CSV, with a row for each player of each game."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(CSV_COLUMNS)
    for played in games:
        values = game_statistics_as_dict(played)
        for seat, who in enumerate(played.players):
            score = played.scores[seat] if played.scores else ""
            row = [values[key] for key in CSV_COLUMNS[:7]]
            won = int(who in played.winners) if played.ended is not None else ""
            table.writerow([*row, _cell(who), seat + 1, int(who == played.first), score, won])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def bgstats_link(played: GameStatistics, title: str) -> str:
    """Return a link that adds a game's result to the app BG Stats.

    `title`: the displayed name of the game.
    """
    data = {
        "sourceName": "Companion",
        "sourcePlayId": played.id,
        "game": {"name": title, "sourceGameId": played.game, "highestWins": True},
        "players": [
            {
                "name": who,
                "startPlayer": who == played.first,
                "winner": who in played.winners,
                "score": str(played.scores[seat]) if played.scores else "",
                "sourcePlayerId": who,
            }
            for seat, who in enumerate(played.players)
        ],
        **_dated(
            "playDate", format_utc_time(played.begun).replace("T", " ").removesuffix("Z"), played
        ),
        "durationMin": round(played.seconds / 60),
    }
    return BGSTATS_ADDRESS + quote(json.dumps(data, separators=(",", ":")))


def _dated(key: str, date: str, played: GameStatistics) -> dict[str, str]:
    return {key: date} if played.begun else {}


def boardgamegeek_fields(played: GameStatistics) -> dict[str, Any]:
    """Return the fields of BoardGameGeek's form for a played game, except the game's id."""
    return {
        **_dated("playdate", format_utc_date(played.begun), played),
        "length": round(played.seconds / 60),
        "quantity": 1,
        "incomplete": int(played.ended is None),
        "players": [
            {
                "name": who,
                "startposition": str(seat + 1),
                "score": str(played.scores[seat]) if played.scores else "",
                "win": int(who in played.winners),
                "new": 0,
            }
            for seat, who in enumerate(played.players)
        ],
    }
