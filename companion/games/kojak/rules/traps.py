"""Kojak's trap cards (KO-13, KO-14): drawing a card, and moving criminals as the card orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.fold import replace
from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.games.kojak.rules.board import (
    ALL_COLOURS,
    BACK,
    COLOURS,
    KOJAK,
    LOSE_TURN,
    RED_FIELD,
    TO_RED,
    Card,
    Colour,
    parse_trap_card_name,
)
from companion.games.kojak.rules.piles import move_top_card_to_bottom, put_seen_card_on_top
from companion.games.kojak.rules.questions import can_card_be_on_top
from companion.games.kojak.rules.state import (
    Result,
    State,
    is_criminal_on_red,
    player_names,
    replace_tuple_item,
    seat_that_closed_case_file,
    seats_that_may_arrest,
    seats_with_posted_warrant,
)
from companion.games.kojak.rules.turns import (
    active_player_fact_fields,
    begin_next_turn,
    card_drawn_facts,
    place_of_crime,
    unclosed_case_file_colours,
)


def on_trap(state: State) -> Result:
    """Draw a trap card after a roll that ended exactly on a trap space (KO-13).

    In a game with real cards, ask which card the player turned up.
    """
    if not state.table.own:
        return obey_top_trap_card(state)
    return replace(state, step="criminal"), ()


def on_criminal(state: State, value: str) -> Result:
    """Apply the active player's answer to the question whom a real trap card names.

    The answer is a criminal's colour or "all" (KO-13), KOJAK for a Kojak card (KO-14), or the loss
    of a turn.
    """
    if value in (KOJAK, LOSE_TURN):
        return obey_turned_up_trap_card(state, value)
    return replace(state, step="order", named=value), ()


def on_order(state: State, card: Card) -> Result:
    """Apply the real trap card `card`, whose order the active player has entered (KO-13)."""
    return obey_turned_up_trap_card(replace(state, named=None), card)


def obey_turned_up_trap_card(state: State, card: Card) -> Result:
    """Put the turned-up real trap card `card` on top of the pile, and obey the card.

    If the box expected a different top card, all other cards of the pile become unknown.
    """
    expected = can_card_be_on_top(state, card)
    return obey_top_trap_card(
        replace(state, traps=put_seen_card_on_top(state.traps, card, expected=expected))
    )


def obey_top_trap_card(state: State) -> Result:
    """Obey the top trap card (KO-13, KO-14), and move the card to the bottom of the pile.

    If the card's effect depends on a field of unknown kind, first ask whether the field is red
    (KO-22).
    """
    card = state.traps[0]
    assert card is not None
    mine, trap = active_player_fact_fields(state), parse_trap_card_name(card)
    drawn = () if state.unsure else card_drawn_facts(state, "trap", trap)
    if (unsure := _unsure(state, mine["colour"], trap)) is not None:
        state = replace(state, step="field", unsure=unsure)
        after, cues = on_field(state, RED_FIELD) if _must_be_red(state, *unsure) else (state, ())
        return after, (*drawn, *cues)
    state = replace(state, unsure=None, traps=move_top_card_to_bottom(state.traps))
    state, obeyed = _obey(state, mine, trap)
    walks = [_in_brief(cue) for cue in obeyed if cue.name == "advanced"]
    facts = {"who": mine["who"], "mission": mine["colour"], "card": trap, "walks": walks}
    sprung = Cue("trap", facts, "KO-14" if card == KOJAK else "KO-13")
    return begin_next_turn(state, (*drawn, sprung, *obeyed))


def _in_brief(walk: Cue) -> dict[str, Any]:
    return {name: walk.facts[name] for name in ("colour", "from", "to", "fields", "red")}


def _unsure(state: State, own_colour: Colour, trap: Mapping[str, Any]) -> tuple[Colour, int] | None:
    """Return a case file and its unknown field that decides a trap card's effect (KO-22).

    Return None if the box knows all fields that decide the effect.
    """
    if not any(state.table.unknown):
        return None
    named = own_colour if trap["kind"] == KOJAK else trap.get("colour")
    colours = (
        unclosed_case_file_colours(state)
        if named == ALL_COLOURS
        else [named]
        if named in COLOURS
        else []
    )
    for colour in colours:
        if (
            seat_that_closed_case_file(state, colour) is None
            and (field := _unknown(state, colour, trap)) is not None
        ):
            return colour, field
    return None


def _unknown(state: State, colour: Colour, trap: Mapping[str, Any]) -> int | None:
    i = COLOURS.index(colour)
    field, size, unknown = state.circle[i], state.table.sizes[i], state.table.unknown[i]
    assert field is not None  # the criminal of an open case file always stands on a field
    if trap["kind"] not in (KOJAK, TO_RED):
        to = (field + _steps(state, colour, trap)) % size
        return to if to in unknown else None
    way = [(field + n) % size for n in range(size)]
    first = next((to for to in way if to in (*unknown, *state.table.reds[i])), None)
    return first if first in unknown else None


def _must_be_red(state: State, colour: Colour, field: int) -> bool:
    """Return True if a circle's last unknown field must be red, because no other field is red.

    Each circle has a red field (KO-4, KO-22).
    """
    i = COLOURS.index(colour)
    return not state.table.reds[i] and state.table.unknown[i] == (field,)


def on_field(state: State, kind: str) -> Result:
    """Save the kind of a field that the active player entered (KO-22), and obey the trap card."""
    assert state.unsure is not None  # while the game asks about a field, `unsure` names this field
    colour, field = state.unsure
    i, table = COLOURS.index(colour), state.table
    left = tuple(other for other in table.unknown[i] if other != field)
    reds = tuple(sorted((*table.reds[i], field))) if kind == RED_FIELD else table.reds[i]
    table = replace(
        table,
        unknown=replace_tuple_item(table.unknown, i, left),
        reds=replace_tuple_item(table.reds, i, reds),
    )
    path = ("file", table.printed[i], "circle", field)
    entered = EnteredBoardValue(path, kind, (table.players[state.turn],))
    return obey_top_trap_card(replace(state, table=table, said=(*state.said, entered)))


def _obey(state: State, mine: Mapping[str, Any], trap: Mapping[str, Any]) -> Result:
    """Apply the order of a trap card (KO-13, KO-14).

    An order to the criminal of a closed case file has no effect (KO-20).
    """
    if trap["kind"] == KOJAK:
        return _walk(state, mine["colour"], _to_red(state, mine["colour"]), KOJAK)
    if trap["kind"] == LOSE_TURN:
        return replace(state, missing=(*state.missing, state.turn)), ()
    if (
        trap["colour"] != ALL_COLOURS
        and seat_that_closed_case_file(state, trap["colour"]) is not None
    ):
        gone = Cue("no_criminal", {"who": mine["who"], "colour": trap["colour"]}, "KO-20")
        return state, (gone,)
    cues: Cues = ()
    for colour in (
        unclosed_case_file_colours(state) if trap["colour"] == ALL_COLOURS else (trap["colour"],)
    ):
        state, moved = _walk(state, colour, _steps(state, colour, trap), trap["kind"])
        cues += moved
    return state, cues


def _steps(state: State, colour: Colour, trap: Mapping[str, Any]) -> int:
    """Return how many fields a trap card moves a criminal; negative means backwards (KO-13)."""
    if trap["kind"] == TO_RED:
        return _to_red(state, colour)
    steps: int = trap.get("steps", 0)
    return -steps if trap["kind"] == BACK else steps


def _to_red(state: State, colour: Colour) -> int:
    """Return the number of fields to the next red field (KO-14).

    Return 0 if the criminal already stands on a red field (KO-20).
    """
    i = COLOURS.index(colour)
    field, size = state.circle[i], state.table.sizes[i]
    assert field is not None  # the criminal of an open case file always stands on a field
    return min((red - field) % size for red in state.table.reds[i])


def _walk(state: State, colour: Colour, steps: int, how: str) -> Result:
    """Move a criminal by `steps` fields; announce a criminal who reaches or leaves red (KO-15)."""
    i = COLOURS.index(colour)
    field, size, was_red = state.circle[i], state.table.sizes[i], is_criminal_on_red(state, colour)
    assert field is not None  # the criminal of an open case file always stands on a field
    to = (field + steps) % size
    state = replace(state, circle=replace_tuple_item(state.circle, i, to))
    after = red_field_alarm_facts(state, colour, was_red=was_red)
    if not steps:
        return state, after
    facts = {
        "colour": colour, "place": place_of_crime(state, colour), "from": field, "to": to,
        "steps": abs(steps), "how": how, "fields": size, "red": list(state.table.reds[i]),
    }  # fmt: skip
    return state, (Cue("advanced", facts, "KO-14" if how == KOJAK else "KO-13"), *after)


def red_field_alarm_facts(state: State, colour: Colour, *, was_red: bool) -> Cues:
    """Return the alarm event if the criminal is on red or has just left red (KO-15), else ().

    `was_red` is True if the criminal was on red before.
    """
    is_red = is_criminal_on_red(state, colour)
    if not is_red and not was_red:
        return ()
    at = {"colour": colour, "place": place_of_crime(state, colour)}
    if is_red:
        able = player_names(state, seats_that_may_arrest(state, colour))
        return (Cue("on_red", {**at, "may_arrest": able, "already": was_red}, "KO-15"),)
    missed = player_names(state, seats_with_posted_warrant(state, colour))
    return (Cue("off_red", {**at, "hunters": missed}, "KO-15"),)
