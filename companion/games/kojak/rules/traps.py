"""Kojak's trap cards (KO-13, KO-14): what they order, and the criminals who walk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.fold import replace
from companion.core.game import Cue, Cues, Said
from companion.games.kojak.rules.board import (
    ALL,
    BACK,
    COLOURS,
    KOJAK,
    LOSE_TURN,
    RED,
    TO_RED,
    Card,
    Colour,
    trap_card,
)
from companion.games.kojak.rules.piles import move_top_under, turn_up_top
from companion.games.kojak.rules.questions import is_expected
from companion.games.kojak.rules.state import (
    Result,
    State,
    closer_of,
    hunters,
    may_arrest,
    names,
    on_red,
    put,
)
from companion.games.kojak.rules.turns import (
    drawing_facts,
    next_turn,
    open_files,
    place_of,
    turn_context,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def on_trap(state: State) -> Result:
    """KO-13: the whole roll ended on a trap space."""
    if not state.table.own:
        return draw_trap(state)
    return replace(state, step="criminal"), ()


def on_criminal(state: State, value: str) -> Result:
    """KO-13: whom a card of your own names; KO-14: or it is Kojak's; or it costs a turn."""
    if value in (KOJAK, LOSE_TURN):
        return turn_over(state, value)
    return replace(state, step="order", named=value), ()


def on_order(state: State, card: Card) -> Result:
    """KO-13: what it orders."""
    return turn_over(replace(state, named=None), card)


def turn_over(state: State, card: Card) -> Result:
    """Own cards: the top card is turned up; if nobody expected it, the order is forgotten."""
    expected = is_expected(state, card)
    return draw_trap(replace(state, traps=turn_up_top(state.traps, card, expected=expected)))


def draw_trap(state: State) -> Result:
    """KO-13: the top card is obeyed, and goes under the pile; KO-14: a Kojak card."""
    card = state.traps[0]
    assert card is not None
    mine, trap = turn_context(state), trap_card(card)
    told = () if state.unsure else drawing_facts(state, "trap", trap)
    if (unsure := _unsure(state, mine["colour"], trap)) is not None:
        state = replace(state, step="field", unsure=unsure)
        after, cues = on_field(state, RED) if _must_be_red(state, *unsure) else (state, ())
        return after, (*told, *cues)
    state = replace(state, unsure=None, traps=move_top_under(state.traps))
    state, obeyed = _obey(state, mine, trap)
    walks = [_in_brief(cue) for cue in obeyed if cue.name == "advanced"]
    facts = {"who": mine["who"], "mission": mine["colour"], "card": trap, "walks": walks}
    sprung = Cue("trap", facts, "KO-14" if card == KOJAK else "KO-13")
    return next_turn(state, (*told, sprung, *obeyed))


def _in_brief(walk: Cue) -> dict[str, Any]:
    """Return which criminal walks from where to where, and on what circle."""
    return {name: walk.facts[name] for name in ("colour", "from", "to", "fields", "red")}


def _unsure(state: State, own: Colour, trap: Mapping[str, Any]) -> tuple[Colour, int] | None:
    """KO-22: a file, and a field of its circle, of which must be known whether it is red.

    That is where the card sends a criminal, or a field on the way to red.
    """
    if not any(state.table.unknown):
        return None
    named = own if trap["kind"] == KOJAK else trap.get("colour")
    colours = open_files(state) if named == ALL else [named] if named in COLOURS else []
    for colour in colours:
        if (
            closer_of(state, colour) is None
            and (field := _unknown(state, colour, trap)) is not None
        ):
            return colour, field
    return None


def _unknown(state: State, colour: Colour, trap: Mapping[str, Any]) -> int | None:
    """The field on which it depends what the card does to a criminal; None if that is known."""
    i = COLOURS.index(colour)
    field, size, unknown = state.circle[i], state.table.sizes[i], state.table.unknown[i]
    assert field is not None  # only open files are looked at
    if trap["kind"] not in (KOJAK, TO_RED):
        to = (field + _steps(state, colour, trap)) % size
        return to if to in unknown else None
    way = [(field + n) % size for n in range(size)]
    first = next((to for to in way if to in (*unknown, *state.table.reds[i])), None)
    return first if first in unknown else None


def _must_be_red(state: State, colour: Colour, field: int) -> bool:
    """KO-22: the last field of a circle without red is not asked about."""
    i = COLOURS.index(colour)
    return not state.table.reds[i] and state.table.unknown[i] == (field,)


def on_field(state: State, kind: str) -> Result:
    """KO-22: a player says whether a field is red; it is remembered, and the card obeyed."""
    assert state.unsure is not None  # it was asked about
    colour, field = state.unsure
    i, table = COLOURS.index(colour), state.table
    left = tuple(other for other in table.unknown[i] if other != field)
    reds = tuple(sorted((*table.reds[i], field))) if kind == RED else table.reds[i]
    table = replace(table, unknown=put(table.unknown, i, left), reds=put(table.reds, i, reds))
    path = ("file", table.printed[i], "circle", field)
    said = Said(path, kind, (table.players[state.turn],))
    return draw_trap(replace(state, table=table, said=(*state.said, said)))


def _obey(state: State, mine: Mapping[str, Any], trap: Mapping[str, Any]) -> Result:
    """KO-13: what the card orders; KO-14: Kojak's; KO-20: for a closed file nothing happens."""
    if trap["kind"] == KOJAK:
        return _walk(state, mine["colour"], _to_red(state, mine["colour"]), KOJAK)
    if trap["kind"] == LOSE_TURN:
        return replace(state, missing=(*state.missing, state.turn)), ()
    if trap["colour"] != ALL and closer_of(state, trap["colour"]) is not None:
        gone = Cue("no_criminal", {"who": mine["who"], "colour": trap["colour"]}, "KO-20")
        return state, (gone,)
    cues: Cues = ()
    for colour in open_files(state) if trap["colour"] == ALL else (trap["colour"],):
        state, moved = _walk(state, colour, _steps(state, colour, trap), trap["kind"])
        cues += moved
    return state, cues


def _steps(state: State, colour: Colour, trap: Mapping[str, Any]) -> int:
    """KO-13: how many fields a card moves a criminal, back below 0."""
    if trap["kind"] == TO_RED:
        return _to_red(state, colour)
    steps: int = trap.get("steps", 0)
    return -steps if trap["kind"] == BACK else steps


def _to_red(state: State, colour: Colour) -> int:
    """KO-14: the steps to the next red field; none for a criminal on red already (KO-20)."""
    i = COLOURS.index(colour)
    field, size = state.circle[i], state.table.sizes[i]
    assert field is not None  # a detective's own file is open
    return min((red - field) % size for red in state.table.reds[i])


def _walk(state: State, colour: Colour, steps: int, how: str) -> Result:
    """KO-13, KO-14: a criminal goes on clockwise, or back, onto red, off it, or neither (KO-15)."""
    i = COLOURS.index(colour)
    field, size, was_red = state.circle[i], state.table.sizes[i], on_red(state, colour)
    assert field is not None  # closed files are told apart before
    to = (field + steps) % size
    state = replace(state, circle=put(state.circle, i, to))
    after = alarm(state, colour, was_red=was_red)
    if not steps:
        return state, after
    facts = {
        "colour": colour, "place": place_of(state, colour), "from": field, "to": to,
        "steps": abs(steps), "how": how, "fields": size, "red": list(state.table.reds[i]),
    }  # fmt: skip
    return state, (Cue("advanced", facts, "KO-14" if how == KOJAK else "KO-13"), *after)


def alarm(state: State, colour: Colour, *, was_red: bool) -> Cues:
    """KO-15: a criminal stands on red now, or has left it."""
    is_red = on_red(state, colour)
    if not is_red and not was_red:
        return ()
    at = {"colour": colour, "place": place_of(state, colour)}
    if is_red:
        able = names(state, may_arrest(state, colour))
        return (Cue("on_red", {**at, "may_arrest": able, "already": was_red}, "KO-15"),)
    missed = names(state, hunters(state, colour))
    return (Cue("off_red", {**at, "hunters": missed}, "KO-15"),)
