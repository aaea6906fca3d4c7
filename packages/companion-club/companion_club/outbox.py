"""The results that a table has not published yet, computed from the box's recorded games.

The functions of this module have no side effects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.door.lines import Message
from companion_club import new_facts, topics
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state


class RecordedFinishedGame(NamedTuple):
    """A finished game in the box's record; a newer game has a higher `number`.

    `begun` and `ended` are times as in the box's list of games, "" if unknown.
    """

    number: int
    begun: str
    ended: str
    id: str
    game: str
    points: Mapping[str, int]

    def verification_fields(self, proof: Message) -> Message:
        """Return `proof`, the values that verify this game, with the game's id and name."""
        return {"id": self.id, "game": self.game, **proof}


def finished_games(games: Iterable[Message]) -> list[RecordedFinishedGame]:
    """Return the finished games in the box's list of games (a `past` message), oldest first."""
    finished = [
        RecordedFinishedGame(game["number"], game["begun"] or "", game["ended"] or "", game["id"],
               game["game"], dict(zip(game["players"], game["scores"], strict=True)))
        for game in games
        if game["over"] and len(game["scores"]) == len(game["players"])
    ]  # fmt: skip
    return sorted(finished)


def next_unpublished_result(
    claims: CurrentClaims,
    table: int,
    games: Iterable[RecordedFinishedGame],
    proofs: Mapping[tuple[str, str], Message],
) -> tuple[str, Message] | None:
    """Return topic and fact of the next result that this table must publish, or None.

    A recorded game belongs to the current round if the game's players sit at this table. If the box
    continued a published game and the points changed, the fact is a correction. `proofs`: table
    from a pair (a game's id and end) to the values with which people can verify the game.
    """
    games, reported = tuple(games), _reported_games(claims, table)
    if all(reported.get(game.id, (0, None))[1] == game.points for game in games):
        return None
    evening = compute_evening_state(claims)
    if evening.rules is None:
        return None
    for played in games:
        proof = played.verification_fields(proofs.get((played.id, played.ended), {}))
        if played.id in reported:
            number, points = reported[played.id]
            if points != played.points:
                fact = new_facts.points_correction_fact(
                    claims, number, table, played.points, seats_too=False
                )
                return topics.result_topic(number, table), {**fact, "game": proof}
        elif _fits(
            played,
            evening.rules["game"],
            evening.current_round_tables,
            table,
            evening.tables_without_result,
        ):
            topic = topics.result_topic(len(evening.rounds), table)
            if topic not in claims.heads:
                return topic, new_facts.result_fact(played.points, proof)
    return None


def _fits(
    played: RecordedFinishedGame,
    game: str,
    tables: tuple[tuple[str, ...], ...],
    table: int,
    waiting: tuple[int, ...],
) -> bool:
    if played.game != game or table not in waiting:
        return False
    return played.points.keys() == {*tables[table - 1]}


def _reported_games(claims: CurrentClaims, table: int) -> dict[str, tuple[int, dict[str, int]]]:
    reported = {}
    for topic, heads in claims.heads.items():
        place = topics.round_and_table_in_topic(topic)
        for head in heads if place is not None and place[1] == table else ():
            value = head.parsed_fact
            if place is not None and isinstance(value.get("game"), dict):
                reported[str(value["game"].get("id"))] = (place[0], value["points"])
    return reported
