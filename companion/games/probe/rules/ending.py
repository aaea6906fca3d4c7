"""The end of a game of Probe: the last rounds (PR-13), and the winners (PR-14)."""

from __future__ import annotations

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.probe.rules.board import (
    FIVE_COVERED_PLACES_POINTS,
    LAST_HIDDEN_WORD_POINTS,
    LAST_ROUND_COUNT,
    MIN_COVERED_PLACES,
    Seat,
)
from companion.games.probe.rules.state import (
    State,
    add_points,
    count_covered_places,
    fact_that_may_reveal_word,
    player_name,
    seats_of_remaining_players,
    seats_with_covered_places,
    total_place_value,
    uncover_rack,
    word_on_rack,
)


def end_game_or_begin_last_rounds(state: State, cues: Cues) -> tuple[State, Cues]:
    """End the game if no player has covered places (PR-14).

    If exactly one player has covered places, start the last rounds (PR-13). The current turn is not
    counted in the last rounds.
    """
    players = seats_with_covered_places(state)
    if not players:
        return end_game(state, cues)
    if len(players) > 1 or state.last is not None:
        return state, cues
    last = LAST_ROUND_COUNT * len(seats_of_remaining_players(state))
    state = replace(state, last=last, counts=False)
    return state, (*cues, last_rounds_fact(state, players[0], begins=True))


def last_rounds_fact(state: State, survivor: Seat, *, begins: bool) -> Cue:
    """Return the event that announces how many turns are left in the last rounds (PR-13).

    `survivor`: the seat of the only player with covered places.
    """
    facts = {"who": player_name(state, survivor), "left": state.last, "begins": begins}
    return Cue("last_rounds", facts, "PR-13")


def score_last_hidden_word(
    state: State, seat: Seat, cues: Cues, clause: str = "PR-14"
) -> tuple[State, Cues]:
    """Score the covered places of the last player with covered places, and end the game (PR-13).

    The player on `seat` scores the values of these places and 50 points. If five or more places are
    covered, the player scores another 100 points. The places on a player's two racks are counted
    together (PR-16). `clause`: the number of the rule by which the game ends, such as "PR-14".
    """
    n = count_covered_places(state, seat)
    values = sum(total_place_value(state.racks[rack].covered) for rack in state.table.held[seat])
    bonuses = [(values, "survivor_values"), (LAST_HIDDEN_WORD_POINTS, "survivor_secret")]
    if n >= MIN_COVERED_PLACES:
        bonuses.append((FIVE_COVERED_PLACES_POINTS, "survivor_five"))
    cues = (*cues, Cue("survived", {"who": player_name(state, seat), "covered": n}, "PR-13"))
    for points, why in bonuses:
        state, scored = add_points(state, seat, points, why, "PR-13")
        cues = (*cues, scored)
    return end_game(state, cues, clause)


def end_game(state: State, cues: Cues, clause: str = "PR-14") -> tuple[State, Cues]:
    """Turn up all flaps and end the game. The highest total wins (PR-14, PR-18).

    `clause`: the number of the rule by which the game ends, such as "PR-14".
    """
    for rack, (_, places) in enumerate(state.racks):
        if places:
            state, cue = reveal_word_on_rack(state, rack, None, 0, clause)
            cues = (*cues, cue)
    winners = players_with_highest_total(state)
    scores = dict(zip(state.table.players, state.scores, strict=True))
    state = replace(
        state, step="over", card=None, whom=None, letter=None, within=(), times=1, because=""
    )
    return state, (*cues, Cue("game_over", {"winners": winners, "scores": scores}, clause))


def players_with_highest_total(state: State) -> list[str]:
    """Return the names of the players in the game who have the highest total (PR-14, PR-18)."""
    top = max(state.scores[seat] for seat in seats_of_remaining_players(state))
    return [
        player_name(state, seat)
        for seat in seats_of_remaining_players(state)
        if state.scores[seat] == top
    ]


def reveal_word_on_rack(
    state: State, rack: int, to: Seat | None, points: int, clause: str
) -> tuple[State, Cue]:
    """Turn up all flaps of a rack. Return the state, and the event that shows the word.

    `points`: the points that the player on the seat `to` scores for the flaps. If `to` is None, no
    player scores.
    """
    state, places = uncover_rack(state, rack)
    facts = {
        "who": player_name(state, state.table.seat_owning_rack(rack)),
        "rack": state.table.racks[rack],
        "places": list(places),
        "word": word_on_rack(state, rack),
        "points": points,
        "to": None if to is None else player_name(state, to),
    }
    return state, fact_that_may_reveal_word(state, "revealed", facts, clause)
