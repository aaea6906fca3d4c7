"""What a seat that the box plays makes of a game of Kojak: piles as they could lie, and who leads.

Nothing here is given the game's own state. Both piles keep their order for ever (KO-8, KO-13), so
that who remembers the cards that went under one knows them when they come up again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Any, Final

from companion.core.prompts import Choose
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING,
    KOJAK,
    LOSE_TURN,
    RED,
    STAGES,
    TO_MISSION,
    TO_PLACE,
    TO_RED,
    TO_STATION,
    order_of,
    table_of,
)
from companion.games.kojak.rules.questions import SIX
from companion.games.kojak.rules.state import State, arrests, on_red

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from companion.core.game import Cue, Memory
    from companion.core.prompts import Answer, Question
    from companion.core.snapshot import View
    from companion.games.kojak.rules.board import Card, Pile, Table
    from companion.games.kojak.rules.state import Step

STEPS: Final[Mapping[str | None, Step]] = {
    "car": "car",
    "shuffle_missions": "shuffle_missions", "shuffle_traps": "shuffle_traps", "first": "first",
    "happened": "happened", "field": "field", "parked_first": "parked_first", None: "over",
}  # fmt: skip
"""What comes next, by the question; anything else is a roll."""
AIMS: Final = {
    TO_MISSION: "mission", TO_PLACE: "parked", TO_STATION: "station", HUNTING: "entrance",
}  # fmt: skip
"""What a car drives to, by its detective's stage (KO-7, KO-10, KO-11, KO-15)."""
NOBODY: Final = "nobody"
MISSIONS: Final = ("mission", "arrest", "corrected", "left")
"""Facts that tell of mission cards."""
WAY: Final = 0.15
"""What a stage on the way to an arrest is worth beside the arrest."""
NEAR: Final = 0.25
"""What it is worth beside it that the criminal stands on red already."""


def imagine(view: View, told: Memory, player: str, rng: Random) -> State:
    """A game that looks like this: the cards that nobody remembers lie in any order (KO-3)."""
    del player  # all see the same
    names, table = told.players, _table(view, told)
    closed = [view["files"][colour] for colour in COLOURS]
    held = tuple(view["mission"][who] for who in names)
    acts = names.index(view["to_act"]) if view["to_act"] else 0
    begun = view["phase"] != "opening"
    return State(
        table=table,
        step=STEPS.get(told.question, "roll" if begun else "high_roll"),
        missions=_pile(table.missions, held, _refused(told.recent(*MISSIONS)), rng),
        traps=_pile(table.traps, (), _obeyed(told.recent("trap")), rng),
        held=held,
        stages=tuple(view["stage"][who] for who in names),
        closed=tuple(None if who == "open" else names.index(who) for who in closed),
        circle=tuple(view["circle"][colour] for colour in COLOURS),
        rollers=() if begun else (acts,),
        turn=acts,
        rolled=view["roll"],
        sixes=_sixes(told, acts),
        missing=tuple(names.index(who) for who in view["lose_turn"]),
        race=tuple(names.index(who) for who in view["race"]),
        out=tuple(names.index(who) for who in view["out"]),
        unsure=(told.about["colour"], told.about["field"]) if told.question == "field" else None,
    )


def _sixes(told: Memory, acts: int) -> tuple[int, ...]:
    """KO-5: the seats that were reminded; the question shows whether `acts` was, told or not."""
    known = [told.players.index(c.facts["who"]) for c in told.facts if c.name == "six_rolled"]
    if told.question != "happened" or told.settings["die"] != "none" or acts in known:
        return tuple(known)
    return tuple(known) if SIX in told.choices else (*known, acts)


def _table(view: View, told: Memory) -> Table:
    """The table, with the cars of all, and what was said of its circles (KO-22)."""
    table = table_of(told.players, told.settings, told.edition)
    table = changed(table, cars=tuple(view["cars"].values()))
    if not any(table.unknown):
        return table
    reds = tuple(tuple(view["red"][colour]) for colour in COLOURS)
    left = (
        tuple(field for field in fields if field not in red)
        for fields, red in zip(table.unknown, reds, strict=True)
    )
    return changed(table, reds=reds, unknown=tuple(left))


def _pile(
    cards: tuple[tuple[Card, int], ...], held: Iterable[Card | None], under: list[Card], rng: Random
) -> Pile:
    """A pile: the cards that went under it last, in their order, below all others in any order.

    Cards that cannot have gone under it, by what lies elsewhere, were misremembered.
    """
    left = Counter(dict(cards)) - Counter(filter(None, held))
    known = under[-left.total() :] if left else []
    if Counter(known) - left:
        known = []
    rest = list((left - Counter(known)).elements())
    rng.shuffle(rest)
    return (*rest, *known)


def _refused(facts: Iterable[Cue]) -> list[Card]:
    """KO-8, KO-16: the mission cards that went under the pile, in order.

    A file that was put right may have brought back any number of cards: what came before is lost.
    """
    under: list[Card] = []
    for cue in facts:
        match cue.name:
            case "mission" if not cue.facts["kept"]:
                under.append(cue.facts["colour"])
            case "arrest":
                under += [cue.facts["colour"]] * (1 + len(cue.facts["lost"]))
            case "left" if cue.facts["mission"] is not None:
                under.append(cue.facts["mission"])
            case "corrected" if cue.facts["what"] == "arrest":
                under = []
    return under


def _obeyed(facts: Iterable[Cue]) -> list[Card]:
    """KO-13: the trap cards that went under the pile, in order."""
    return [_named(cue.facts["card"]) for cue in facts if cue.name == "trap"]


def _named(card: Mapping[str, Any]) -> Card:
    """A trap card by its name, from its parts."""
    if card["kind"] in (KOJAK, LOSE_TURN):
        return str(card["kind"])
    if card["kind"] == TO_RED:
        return order_of(card["colour"], RED)
    return ":".join(str(part) for part in card.values())


# --- What a detective would do --------------------------------------------------------------------


def estimate(state: State) -> tuple[float, ...]:
    """Who wins: by the arrests, and the way to the next one; who is ahead now leads (KO-18)."""
    if state.champion is not None:
        return tuple(float(seat == state.champion) for seat in state.table.seats)
    weights = [
        0.0 if seat in state.out else 4.0 ** (n + _way(state, seat))
        for seat, n in enumerate(arrests(state))
    ]
    return tuple(weight / sum(weights) for weight in weights)


def _way(state: State, seat: int) -> float:
    """How much of an arrest is done (KO-7 to KO-15)."""
    colour = state.held[seat]
    near = NEAR if colour is not None and on_red(state, colour) else 0.0
    return WAY * STAGES.index(state.stages[seat]) + near


def instinct(view: View, told: Memory, player: str, rng: Random) -> tuple[Answer, ...]:
    """A sure arrest is made (KO-15), the own cars come home first (KO-18), no car stands about.

    While the criminal is not on red there is nothing to do at the entrance: a trap card may be
    turned, or left to others. Who remembers nothing does not think of trap cards, and drives on.
    """
    if told.question == "parked_first":
        return (player,)
    if told.question != "happened":
        return ()
    stage = view["stage"][player]
    if stage == HUNTING and player not in view["may_arrest"]:
        either = ("trap", "nothing")
        return (rng.choice(either),) if told.span == 0 else either
    return (AIMS[stage],)


def habit(state: State, question: Question, rng: Random) -> Answer | None:
    """What detectives do offhand: they drive to where they have to go, and turn trap cards."""
    if not isinstance(question, Choose):
        return None
    if question.name == "parked_first":
        return question.who
    if question.name != "happened":
        return None
    stage = state.stages[state.turn]
    colour = state.held[state.turn]
    if stage == HUNTING and colour is not None and not on_red(state, colour):
        return rng.choice(("trap", "trap", "nothing"))
    return AIMS[stage]
