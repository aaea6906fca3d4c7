"""Kojak for the computer player: simulated game states, estimates and quick answers.

No function of this module receives the real state. The cards of both piles keep their cyclic order,
because a used card goes under its pile (KO-8, KO-13). A player who remembers the cards under a pile
can therefore predict when these cards return.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace as changed
from random import Random
from typing import Any, Final

from companion.core.game import Cue, SeatMemory
from companion.core.prompts import Answer, Choose, Question
from companion.core.snapshot import View
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING_STAGE,
    KOJAK,
    LOSE_TURN,
    RED_FIELD,
    STAGES,
    TO_MISSION_STAGE,
    TO_PLACE_STAGE,
    TO_RED,
    TO_STATION_STAGE,
    Card,
    Pile,
    TableSetup,
    make_table_setup,
    trap_card_name,
)
from companion.games.kojak.rules.questions import SIX_ANSWER
from companion.games.kojak.rules.state import State, Step, count_arrests_by_seat, is_criminal_on_red

STEP_OF_QUESTION: Final[Mapping[str | None, Step]] = {
    "car": "car",
    "shuffle_missions": "shuffle_missions", "shuffle_traps": "shuffle_traps", "first": "first",
    "happened": "happened", "field": "field", "parked_first": "parked_first", None: "over",
}  # fmt: skip
"""Table from the name of a pending question to the step of the simulated game.

If the pending question is not in the table, the simulated game starts with a roll.
"""
ARRIVAL_ANSWER_OF_STAGE: Final = {
    TO_MISSION_STAGE: "mission",
    TO_PLACE_STAGE: "parked",
    TO_STATION_STAGE: "station",
    HUNTING_STAGE: "entrance",
}
"""Table from a detective's stage to the answer which states that the car reached its target."""
MISSION_FACTS: Final = ("mission", "arrest", "corrected", "left")
"""Names of the events that show which mission cards went under the pile."""
STAGE_VALUE: Final = 0.15
"""Estimated value of each stage that a detective has completed, as a fraction of an arrest's value.
"""
CRIMINAL_ON_RED_VALUE: Final = 0.25
"""Estimated value for a detective whose criminal is on a red field, as a fraction of an arrest's
value.
"""


def imagine(view: View, memory: SeatMemory, player: str, rng: Random) -> State:
    """Return a complete game state that agrees with the player's view and memory.

    The cards that the player does not remember are in random order (KO-3).
    """
    del player  # Kojak has no secret cards in hand, so all players have the same view
    names, table = memory.players, _table(view, memory)
    closed = [view["files"][colour] for colour in COLOURS]
    held = tuple(view["mission"][who] for who in names)
    acts = names.index(view["to_act"]) if view["to_act"] else 0
    begun = view["phase"] != "opening"
    return State(
        table=table,
        step=STEP_OF_QUESTION.get(memory.question, "roll" if begun else "high_roll"),
        missions=_pile(
            table.missions, held, _refused(memory.recent_facts_with_names(*MISSION_FACTS)), rng
        ),
        traps=_pile(table.traps, (), _obeyed(memory.recent_facts_with_names("trap")), rng),
        held=held,
        stages=tuple(view["stage"][who] for who in names),
        closed=tuple(None if who == "open" else names.index(who) for who in closed),
        circle=tuple(view["circle"][colour] for colour in COLOURS),
        rollers=() if begun else (acts,),
        turn=acts,
        rolled=view["roll"],
        sixes=_sixes(memory, acts),
        missing=tuple(names.index(who) for who in view["lose_turn"]),
        race=tuple(names.index(who) for who in view["race"]),
        out=tuple(names.index(who) for who in view["out"]),
        unsure=(memory.about["colour"], memory.about["field"])
        if memory.question == "field"
        else None,
    )


def _sixes(memory: SeatMemory, acts: int) -> tuple[int, ...]:
    """Return the seats of the players who have seen the reminder about a 6 (KO-5).

    `acts`: the active player's seat. If the option `die` is "none", and the question `happened`
    does not offer SIX_ANSWER, the active player has seen the reminder.
    """
    reminded = [
        memory.players.index(c.facts["who"]) for c in memory.facts if c.name == "six_rolled"
    ]
    if memory.question != "happened" or memory.settings["die"] != "none" or acts in reminded:
        return tuple(reminded)
    return tuple(reminded) if SIX_ANSWER in memory.choices else (*reminded, acts)


def _table(view: View, memory: SeatMemory) -> TableSetup:
    """Return the setup with the players' cars and the red fields that players entered (KO-22)."""
    table = make_table_setup(memory.players, memory.settings, memory.edition)
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
    left = Counter(dict(cards)) - Counter(filter(None, held))
    remembered = under[-left.total() :] if left else []
    if Counter(remembered) - left:
        remembered = []
    rest = list((left - Counter(remembered)).elements())
    rng.shuffle(rest)
    return (*rest, *remembered)


def _refused(facts: Iterable[Cue]) -> list[Card]:
    """Return the mission cards that went under the pile, oldest first (KO-8, KO-16).

    After a correction of an arrest, forget all earlier cards, because the correction can move any
    mission card under the pile.
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
    """Return the trap cards that went under the pile, oldest first (KO-13)."""
    return [_named(cue.facts["card"]) for cue in facts if cue.name == "trap"]


def _named(card: Mapping[str, Any]) -> Card:
    if card["kind"] in (KOJAK, LOSE_TURN):
        return str(card["kind"])
    if card["kind"] == TO_RED:
        return trap_card_name(card["colour"], RED_FIELD)
    return ":".join(str(part) for part in card.values())


# --- the computer player's decisions --------------------------------------------------------------


def estimate(state: State) -> tuple[float, ...]:
    """Return each seat's chance of winning, estimated from its arrests and its stage (KO-18)."""
    if state.champion is not None:
        return tuple(float(seat == state.champion) for seat in state.table.all_seats)
    weights = [
        0.0 if seat in state.out else 4.0 ** (n + _way(state, seat))
        for seat, n in enumerate(count_arrests_by_seat(state))
    ]
    return tuple(weight / sum(weights) for weight in weights)


def _way(state: State, seat: int) -> float:
    colour = state.held[seat]
    near = (
        CRIMINAL_ON_RED_VALUE if colour is not None and is_criminal_on_red(state, colour) else 0.0
    )
    return STAGE_VALUE * STAGES.index(state.stages[seat]) + near


def answers_worth_analysing(
    view: View, memory: SeatMemory, player: str, rng: Random
) -> tuple[Answer, ...]:
    """Return the answers that are worth analysing, or () if all answers are worth analysing.

    At `parked_first`, return only the player. Otherwise usually return only the answer that the
    player's car reached its target. If the player has posted a warrant and the criminal is not on
    red, return "trap" and "nothing", because no arrest is possible at the entrance (KO-15); if
    `memory.span` is 0, return one of the two.
    """
    if memory.question == "parked_first":
        return (player,)
    if memory.question != "happened":
        return ()
    stage = view["stage"][player]
    if stage == HUNTING_STAGE and player not in view["may_arrest"]:
        either = ("trap", "nothing")
        return (rng.choice(either),) if memory.span == 0 else either
    return (ARRIVAL_ANSWER_OF_STAGE[stage],)


def quick_answer_in_simulation(state: State, question: Question, rng: Random) -> Answer | None:
    """Return a quick answer for a simulated game: the active player's car reaches its target.

    If no arrest is possible at the entrance (KO-15), return "trap" or "nothing". Return None for a
    question that is not about cars.
    """
    if not isinstance(question, Choose):
        return None
    if question.name == "parked_first":
        return question.who
    if question.name != "happened":
        return None
    stage = state.stages[state.turn]
    colour = state.held[state.turn]
    if stage == HUNTING_STAGE and colour is not None and not is_criminal_on_red(state, colour):
        return rng.choice(("trap", "trap", "nothing"))
    return ARRIVAL_ANSWER_OF_STAGE[stage]
