"""Rules of Kojak's turns (docs/rulings.md): cars, missions, warrants and arrests.

The cars drive on the real board, and players enter the kind of space that a car reached. Players
who use real cards also enter the name of each card that they turn up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.core.prompts import DIE_SIDES, Answer, rolled_numbers
from companion.games.kojak.rules import traps
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING_STAGE,
    TO_MISSION_STAGE,
    TO_PLACE_STAGE,
    TO_STATION_STAGE,
    Card,
    Colour,
    Seat,
)
from companion.games.kojak.rules.opening import on_high_roll
from companion.games.kojak.rules.piles import move_top_card_to_bottom, put_seen_card_on_top
from companion.games.kojak.rules.questions import SIX_ANSWER, can_card_be_on_top
from companion.games.kojak.rules.state import (
    Result,
    State,
    can_keep_mission_card,
    car_colour,
    car_colour_by_player,
    count_arrests_by_seat,
    first_step_of_turn,
    is_criminal_on_red,
    mission_colours_in_pile,
    player_name,
    player_names,
    replace_tuple_item,
    seat_of_player,
    seat_that_closed_case_file,
    seats_clockwise_after_seat,
    seats_holding_mission_card,
    seats_with_posted_warrant,
)
from companion.games.kojak.rules.turns import (
    active_player_fact_fields,
    begin_next_turn,
    card_drawn_facts,
    place_of_crime,
    unclosed_case_file_colours,
)

FREE, JOINED, DEADLOCK, TAKEN, CLOSED = "free", "joined", "deadlock", "taken", "closed"
MISSION_REFUSAL_REASONS: Final = (TAKEN, CLOSED)
"""Reasons for which a mission card is refused and goes under the pile (KO-8)."""
WIN_CLAUSES: Final = {"short": "KO-19", "last": "KO-23", "alone": "KO-23"}
"""Table from the kind of win to its clause; kinds that are not in the table have clause KO-18."""


# --- a turn (KO-5, KO-7, KO-10, KO-11) ------------------------------------------------------------


def on_roll(state: State, value: Answer) -> Result:
    """Apply a roll that decides who begins (KO-3), or that moves a car on the real board (KO-5)."""
    n = sum(rolled_numbers(value))
    if state.step == "high_roll":
        return on_high_roll(state, n)
    who = state.table.players[state.turn]
    rolled = Cue("rolled", {"who": who, "dice": [n]}, "KO-5")
    state = replace(state, step="parked_first" if state.race else "happened", rolled=n)
    if n != DIE_SIDES or state.turn in state.sixes:
        return state, (rolled,)
    state, six = _six(state)
    return state, (rolled, *six)


def _six(state: State) -> Result:
    """Remind the active player, once in a game, that a car may drive backwards after a 6 (KO-5)."""
    six = Cue(
        "six_rolled",
        {"who": player_name(state, state.turn), "car": car_colour(state, state.turn)},
        "KO-5",
    )
    return replace(state, rolled=DIE_SIDES, sixes=(*state.sixes, state.turn)), (six,)


def on_happened(state: State, value: str) -> Result:
    """Apply the rule for the space that the active player's car reached on the real board."""
    return (
        begin_next_turn(state, ()) if value == "nothing" else RULE_FUNCTION_OF_ANSWER[value](state)
    )


def _block(state: State) -> Result:
    """End the turn of a player whose car cannot pass a block of two cars (KO-6)."""
    facts = {"who": player_name(state, state.turn), "car": car_colour(state, state.turn)}
    return begin_next_turn(state, (Cue("blocked", facts, "KO-6"),))


def on_card(state: State, card: Card) -> Result:
    """Apply the real mission card `card` that the active player has turned up and entered."""
    missions = put_seen_card_on_top(state.missions, card, expected=can_card_be_on_top(state, card))
    return _draw_missions(replace(state, missions=missions))


# --- missions and warrants (KO-7 to KO-12) --------------------------------------------------------


def _on_mission(state: State) -> Result:
    """Start drawing a mission card for a car that reached the mission space (KO-7).

    If no mission card in the pile belongs to an open case file, the turn ends (KO-8).
    """
    if all(
        seat_that_closed_case_file(state, colour) is not None
        for colour in mission_colours_in_pile(state)
    ):
        nothing = Cue("no_mission", {"who": player_name(state, state.turn)}, "KO-8")
        return begin_next_turn(state, (nothing,))
    return (replace(state, step="card"), ()) if state.table.own else _draw_missions(state)


def _draw_missions(state: State) -> Result:
    """Draw mission cards until the player can keep a card (KO-8).

    In a game with real cards, handle only the card that the player has entered.
    """
    cues: Cues = ()
    while True:
        card = state.missions[0]
        assert card is not None
        mission_cues, is_kept = _mission(state, card)
        cues += mission_cues
        if is_kept:
            return _keep(state, card, cues)
        state = replace(state, missions=move_top_card_to_bottom(state.missions))
        if state.table.own:
            return state, cues


def _mission(state: State, card: Colour) -> tuple[Cues, bool]:
    """Return the events of drawing `card`, and True if the player keeps `card` (KO-7, KO-8)."""
    why, others = _verdict(state, card)
    is_kept = why not in MISSION_REFUSAL_REASONS
    facts = {
        "who": player_name(state, state.turn),
        "colour": card,
        "place": place_of_crime(state, card),
        "kept": is_kept,
        "why": why,
        "others": player_names(state, others),
        "own": state.table.own,
    }
    fact = Cue("mission", facts, "KO-7" if why == FREE else "KO-8")
    return (*card_drawn_facts(state, "mission", card), fact), is_kept


def _verdict(state: State, colour: Colour) -> tuple[str, list[Seat]]:
    """Return why a mission card is kept or refused, and the seats that the reason concerns.

    If the player could keep no card of the pile, the player keeps this card (KO-8).
    """
    closed_by = seat_that_closed_case_file(state, colour)
    if closed_by is not None:
        return CLOSED, [closed_by]
    others = seats_holding_mission_card(state, colour)
    if can_keep_mission_card(state, colour):
        return (JOINED if others else FREE), others
    return (
        TAKEN
        if any(can_keep_mission_card(state, c) for c in mission_colours_in_pile(state))
        else DEADLOCK
    ), others


def _keep(state: State, colour: Colour, cues: Cues) -> Result:
    """Give the active player a mission card, which the player holds until the arrest (KO-9).

    If other detectives have the case file, announce that the player joins the chase (KO-8).
    """
    seat, others = state.turn, seats_holding_mission_card(state, colour)
    state = replace(
        state,
        missions=state.missions[1:],
        held=replace_tuple_item(state.held, seat, colour),
        stages=replace_tuple_item(state.stages, seat, TO_PLACE_STAGE),
    )
    if others:
        facts = {
            "who": player_name(state, seat),
            "colour": colour,
            "with": player_names(state, others),
        }
        cues = (*cues, Cue("joined", facts, "KO-8"))
    return begin_next_turn(state, cues)


def _park(state: State) -> Result:
    """Park the active player's first car, or post the player's warrant (KO-10 to KO-12).

    If the setup's `at_once` is True, and another warrant is posted for the case file, post the
    warrant. Otherwise, park the first car, so that the second car drives next.
    """
    mine = active_player_fact_fields(state)
    if state.table.at_once and seats_with_posted_warrant(state, mine["colour"]):
        return _post(state)
    cue = Cue("parked", mine, "KO-10")
    return begin_next_turn(
        replace(state, stages=replace_tuple_item(state.stages, state.turn, TO_STATION_STAGE)),
        (cue,),
    )


def _post(state: State) -> Result:
    """Post the active player's warrant for the case file (KO-11), beside other warrants (KO-12)."""
    mine = active_player_fact_fields(state)
    others = player_names(state, seats_with_posted_warrant(state, mine["colour"]))
    facts = {**mine, "with": others, "on_red": is_criminal_on_red(state, mine["colour"])}
    cue = Cue("posted", facts, "KO-12" if others else "KO-11")
    return begin_next_turn(
        replace(state, stages=replace_tuple_item(state.stages, state.turn, HUNTING_STAGE)), (cue,)
    )


# --- arrests and the end (KO-15 to KO-19) ---------------------------------------------------------


def _enter(state: State) -> Result:
    """Arrest the active player's criminal if the criminal is on red; else end the turn (KO-15)."""
    mine = active_player_fact_fields(state)
    if is_criminal_on_red(state, mine["colour"]):
        return _arrest(state, mine)
    return begin_next_turn(state, (Cue("no_arrest", mine, "KO-15"),))


def _arrest(state: State, mine: Mapping[str, Any]) -> Result:
    """Arrest the active player's criminal (KO-16); other detectives lose the case file (KO-17)."""
    seat, colour = state.turn, mine["colour"]
    *lost, _ = seats_holding_mission_card(state, colour)
    state = close_case_file(state, seat, colour)
    losers, count = player_names(state, lost), state.closed.count(seat)
    arrest = Cue("arrest", {**mine, "lost": losers, "arrests": count}, "KO-15")
    accused = Cue("accused", {**mine, "open": unclosed_case_file_colours(state)}, "KO-16")
    over = end_if_last_arrest(state, seat, (arrest,), accused)
    if over is not None:
        return over
    cues: Cues = (arrest, accused)
    if losers:
        cues = (*cues, Cue("file_lost", {"players": losers, "colour": colour}, "KO-17"))
    return begin_next_turn(state, cues)


def close_case_file(state: State, seat: Seat, colour: Colour) -> State:
    """Close a case file, because the player on `seat` has made the arrest (KO-16).

    All detectives with this case file need a new mission (KO-17).
    """
    team, i = seats_holding_mission_card(state, colour), COLOURS.index(colour)
    return replace(
        state,
        closed=replace_tuple_item(state.closed, i, seat),
        circle=replace_tuple_item(state.circle, i, None),
        missions=state.missions + (colour,) * len(team),
        held=tuple(None if s in team else held for s, held in enumerate(state.held)),
        stages=tuple(TO_MISSION_STAGE if s in team else st for s, st in enumerate(state.stages)),
    )


def end_if_last_arrest(state: State, seat: Seat, cues: Cues, *accused: Cue) -> Result | None:
    """After an arrest, end a short game (KO-19), or a game with all case files closed (KO-18).

    If several players have the most arrests, start a race. Return None if case files are still
    open. `accused`: events that are announced only if a race follows.
    """
    if state.table.short:
        return end_game_with_winner(state, seat, "short", cues)
    return None if None in state.closed else _most(state, seat, cues, *accused)


def _most(state: State, last: Seat, cues: Cues, *accused: Cue) -> Result:
    """End the game, won by the player with the most arrests, or start a race after a tie (KO-18).

    The first tied player after the seat `last`, clockwise, begins the race (KO-20). `accused`:
    events that are announced only if a race follows.
    """
    count, there = count_arrests_by_seat(state), seats_clockwise_after_seat(state, last)
    most = max(count[seat] for seat in there)
    tied = [seat for seat in there if count[seat] == most]
    if len(tied) == 1:
        return end_game_with_winner(state, tied[0], "most", cues)
    facts = {
        "players": player_names(state, tied),
        "cars": car_colour_by_player(state, tied),
        "arrests": most,
    }
    cue = Cue("tied", facts, "KO-18")
    state = replace(state, race=tuple(tied), turn=tied[0], rolled=None)
    return replace(state, step=first_step_of_turn(state)), (*cues, *accused, cue)


def on_parked_first(state: State, who: str) -> Result:
    """Apply the answer to the question which tied player has both cars home (KO-18).

    If `who` is "nobody", give the turn to the next tied player. Otherwise, `who` wins the race.
    """
    if who != "nobody":
        return end_game_with_winner(state, seat_of_player(state, who), "race", ())
    after = state.race[(state.race.index(state.turn) + 1) % len(state.race)]
    return replace(state, turn=after, step=first_step_of_turn(state), rolled=None), ()


def end_game_with_winner(state: State, seat: Seat, how: str, cues: Cues) -> Result:
    """End the game with the player on `seat` as the winner (KO-18, KO-19, KO-23).

    - `how`: the kind of win.
    - "most": the winner has the most arrests.
    - "short": the winner made the first arrest of the short game.
    - "race": the winner was home first in the race.
    - "last": all other players have left the game.
    - "alone": all other tied players have left the race.
    """
    facts = {"who": player_name(state, seat), "arrests": state.closed.count(seat), "how": how}
    won = Cue("game_won", facts, WIN_CLAUSES.get(how, "KO-18"))
    return replace(state, step="over", champion=seat, rolled=None), (*cues, won)


RULE_FUNCTION_OF_ANSWER: Final[Mapping[str, Callable[[State], Result]]] = {
    "mission": _on_mission,
    "trap": traps.on_trap,
    "parked": _park,
    "station": _post,
    "entrance": _enter,
    "blocked": _block,
    SIX_ANSWER: _six,
}
