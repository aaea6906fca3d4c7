"""Kojak's events: the fields, sentence variants, sounds and clauses of each event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from checked_input.checks import (
    boolean,
    either,
    list_of,
    mapping_of,
    nullable,
    one_of,
    table,
    whole_number,
)
from companion.core.game import Cue
from companion.games.kojak.rules.board import ALL_COLOURS, BACK, KOJAK, LOSE_TURN, TO_RED
from companion.say.facts import (
    NAME_CHECK,
    FactPresentation,
    Facts,
    make_field_variant_function,
    make_flag_variant_function,
)
from companion.say.words import Words

# --- variants of a fact's sentence ----------------------------------------------------------------


def _mission(cue: Cue) -> str:
    why = str(cue.facts["why"])
    return f"{why}.own" if cue.facts["own"] else why


def _trap(cue: Cue) -> str:
    card = cue.facts["card"]
    way = criminal_walk_sentence_variant(card["kind"], card.get("steps"))
    return f"{ALL_COLOURS}.{way}" if card.get("colour") == ALL_COLOURS else way


def _advanced(cue: Cue) -> str:
    return criminal_walk_sentence_variant(cue.facts["how"], cue.facts["steps"])


def criminal_walk_sentence_variant(kind: str, steps: int | None) -> str:
    """Return the sentence variant for a criminal's move, such as `one`, `back.many`, `to_red`.

    - `kind`: the kind of order on the trap card.
    - `steps`: number of fields, or None for an order without a number.
    """
    if steps is None or kind in (KOJAK, TO_RED):
        return kind
    return f"{BACK}.{_count(steps)}" if kind == BACK else _count(steps)


def _count(n: int) -> str:
    return "one" if n == 1 else "many"


def _people(people: Sequence[str]) -> str:
    return _count(len(people)) if people else "nobody"


def _posted(cue: Cue) -> str:
    way = "beside" if cue.facts["with"] else "first"
    return f"{way}_red" if cue.facts["on_red"] else way


def _on_red(cue: Cue) -> str:
    way = _people(cue.facts["may_arrest"])
    return f"already.{way}" if cue.facts["already"] else way


def _off_red(cue: Cue) -> str:
    return "some" if cue.facts["hunters"] else "nobody"


def _accused(cue: Cue) -> str:
    return "open" if cue.facts["open"] else "last"


def _left(cue: Cue) -> str:
    """Return the sentence variant for a player who leaves, such as `warrant.card` (KO-23).

    The variant names the pieces that leave the board together with the player's cars.
    """
    facts = cue.facts
    n = facts["own"] and sum(card is not None for card in (facts["mission"], facts["drawn"]))
    cards = ("", "card", "cards")[n]
    return ".".join(filter(None, ("warrant" * facts["warrant"], cards)))


def _file_lost(cue: Cue) -> str:
    return _people(cue.facts["players"])


def _corrected(cue: Cue) -> str:
    facts = cue.facts
    if facts["what"] == "arrest":
        return "open" if facts["who"] == "nobody" else "arrest"
    if facts["what"] == "stage":
        return f"stage.{facts['stage']}"
    if facts["what"] == "criminal" and facts["n"] == 0:
        return "criminal.dot"
    return "no_file" if facts["colour"] == "none" else str(facts["what"])


# --- clauses that explain a fact ------------------------------------------------------------------


def clauses_explaining_trap_order(kind: str) -> tuple[str, ...]:
    """Return the clauses that explain the order of a trap card (KO-13, KO-14)."""
    return ("KO-14",) if kind == KOJAK else (f"KO-13.{kind}", "KO-13")


def _of_mission(_: Words, cue: Cue) -> tuple[str, ...]:
    return () if cue.facts["why"] == "free" else (f"KO-8.{cue.facts['why']}",)


def _of_trap(_: Words, cue: Cue) -> tuple[str, ...]:
    return clauses_explaining_trap_order(cue.facts["card"]["kind"])


def _of_advanced(_: Words, cue: Cue) -> tuple[str, ...]:
    return clauses_explaining_trap_order(cue.facts["how"])


def _of_turn_lost(*_: object) -> tuple[str, ...]:
    return clauses_explaining_trap_order(LOSE_TURN)


def _by_name(_: Words, cue: Cue) -> tuple[str, ...]:
    """Return the event's clause with the event's name, such as `KO-13.no_traps`."""
    return (f"{cue.clause}.{cue.name}",)


# --- schemas of facts -----------------------------------------------------------------------------

COLOUR_CHECK: Final = one_of("red", "yellow", "blue", "green")
PLACE_CHECK: Final = one_of("bank", "city_hall", "club", "hotel")
STAGE_CHECK: Final = one_of("to_mission", "to_place", "to_station", "hunting")
DETECTIVE_FIELDS: Final = {"who": NAME_CHECK, "colour": COLOUR_CHECK, "place": PLACE_CHECK}
CAR_FIELDS: Final = {**DETECTIVE_FIELDS, "car": COLOUR_CHECK}
FILE_FIELDS: Final = {"colour": COLOUR_CHECK, "place": PLACE_CHECK}
CANCELLING_FACTS: Final = frozenset(
    {"on_red", "off_red", "posted", "arrest", "file_lost", "corrected", "tied", "left", "game_won"}
)
"""Names of the events that can make a waiting announcement false (KO-15).

Such an announcement is about a criminal or a warrant. If one of these events happens, the box does
not speak the announcement.
"""
TRAP_COLOUR_CHECK: Final = one_of("red", "yellow", "blue", "green", "all")
TRAP_CARD_CHECK: Final = either(
    table(kind=one_of("advance", "back"), colour=TRAP_COLOUR_CHECK, steps=whole_number),
    either(
        table(kind=one_of("stay", "to_red"), colour=TRAP_COLOUR_CHECK),
        table(kind=one_of("kojak", "lose_turn")),
    ),
)
"""Schema of a trap card in an event: the kind of order, the criminal's colour, and the steps
(KO-13, KO-14).
"""

WALK_FIELDS: Final[Mapping[str, Any]] = {
    "colour": COLOUR_CHECK,
    "from": whole_number,
    "to": whole_number,
    "fields": whole_number,
    "red": list_of(whole_number),
}
"""Schema of a criminal's move: colour, start field, end field, number of fields, and red fields."""

# --- the table of facts ---------------------------------------------------------------------------

FACTS: Final[Facts] = {
    "first_roll": FactPresentation(
        fields={"rolls": mapping_of(whole_number), "tied": boolean},
        variant=make_flag_variant_function("tied"),
        sound="rolled",
        skippable=True,
        headline=True,
    ),
    "drives": FactPresentation(fields={"who": NAME_CHECK, "car": COLOUR_CHECK}, headline=True),
    "cars": FactPresentation(fields={"cars": mapping_of(COLOUR_CHECK)}, headline=True),
    "begins": FactPresentation(
        fields={"who": NAME_CHECK, "car": COLOUR_CHECK}, sound="begins_kojak", headline=True
    ),
    "no_traps": FactPresentation(
        fields={"players": list_of(NAME_CHECK)}, skippable=True, cites=_by_name
    ),
    "rolled": FactPresentation(
        fields={"who": NAME_CHECK, "dice": list_of(whole_number)},
        sound="rolled",
        skippable=True,
        silent=True,
    ),
    "six_rolled": FactPresentation(
        fields={"who": NAME_CHECK, "car": COLOUR_CHECK}, skippable=True, headline=True
    ),
    "blocked": FactPresentation(fields={"who": NAME_CHECK, "car": COLOUR_CHECK}, headline=True),
    "drawn": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "pile": one_of("mission", "trap"),
            "card": either(COLOUR_CHECK, TRAP_CARD_CHECK),
        },
        silent=True,
    ),
    "mission": FactPresentation(
        fields={
            **DETECTIVE_FIELDS,
            "kept": boolean,
            "why": one_of("free", "joined", "deadlock", "taken", "closed"),
            "others": list_of(NAME_CHECK),
            "own": boolean,
        },
        variant=_mission,
        sound="mission",
        priority=True,
        headline=True,
        cites=_of_mission,
    ),
    "mission.taken": FactPresentation(sound="dealt", sounds_like_dealing=True, skippable=True),
    "mission.closed": FactPresentation(sound="dealt", sounds_like_dealing=True, skippable=True),
    "mission.taken.own": FactPresentation(sound="dealt", sounds_like_dealing=True),
    "mission.closed.own": FactPresentation(sound="dealt", sounds_like_dealing=True),
    "no_mission": FactPresentation(fields={"who": NAME_CHECK}, headline=True),
    "joined": FactPresentation(
        fields={"who": NAME_CHECK, "colour": COLOUR_CHECK, "with": list_of(NAME_CHECK)},
        headline=True,
    ),
    "parked": FactPresentation(fields=CAR_FIELDS, headline=True),
    "posted": FactPresentation(
        fields={**CAR_FIELDS, "with": list_of(NAME_CHECK), "on_red": boolean},
        variant=_posted,
        until=CANCELLING_FACTS,
        about="colour",
        sound="warrant",
        priority=True,
        headline=True,
    ),
    "trap": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "mission": COLOUR_CHECK,
            "card": TRAP_CARD_CHECK,
            "walks": list_of(table(**WALK_FIELDS)),
        },
        variant=_trap,
        sound="drum_roll",
        sounds_like_dealing=True,
        priority=True,
        headline=True,
        cites=_of_trap,
    ),
    "trap.kojak": FactPresentation(sound="kojak", sounds_like_dealing=False),
    "turn_lost": FactPresentation(
        fields={"who": NAME_CHECK}, priority=True, headline=True, cites=_of_turn_lost
    ),
    "no_criminal": FactPresentation(
        fields={"who": NAME_CHECK, "colour": COLOUR_CHECK},
        sound="zero_played",
        skippable=True,
        inline=True,
    ),
    "advanced": FactPresentation(
        fields={
            **FILE_FIELDS,
            **WALK_FIELDS,
            "steps": whole_number,
            "how": one_of("advance", "back", "to_red", "kojak"),
        },
        variant=_advanced,
        sound="trap",
        headline=True,
        cites=_of_advanced,
    ),
    "on_red": FactPresentation(
        fields={**FILE_FIELDS, "may_arrest": list_of(NAME_CHECK), "already": boolean},
        variant=_on_red,
        until=CANCELLING_FACTS,
        about="colour",
        sound="alarm",
        priority=True,
        alarming=True,
        headline=True,
        cites=_by_name,
    ),
    "off_red": FactPresentation(
        fields={**FILE_FIELDS, "hunters": list_of(NAME_CHECK)},
        variant=_off_red,
        sound="alarm",
        priority=True,
        alarming=True,
        headline=True,
        cites=_by_name,
    ),
    "no_arrest": FactPresentation(
        fields=CAR_FIELDS, sound="zero_played", priority=True, headline=True, cites=_by_name
    ),
    "arrest": FactPresentation(
        fields={**CAR_FIELDS, "lost": list_of(NAME_CHECK), "arrests": whole_number},
        sound="handcuffs",
        priority=True,
        headline=True,
    ),
    "accused": FactPresentation(
        fields={**CAR_FIELDS, "open": list_of(COLOUR_CHECK)},
        variant=_accused,
        priority=True,
        headline=True,
    ),
    "file_lost": FactPresentation(
        fields={"players": list_of(NAME_CHECK), "colour": COLOUR_CHECK},
        variant=_file_lost,
        priority=True,
        headline=True,
    ),
    "tied": FactPresentation(
        fields={
            "players": list_of(NAME_CHECK),
            "cars": mapping_of(COLOUR_CHECK),
            "arrests": whole_number,
        },
        sound="race",
        priority=True,
        headline=True,
    ),
    "corrected": FactPresentation(
        fields={
            "what": one_of("turn", "criminal", "arrest", "file", "stage", "car"),
            "who": nullable(NAME_CHECK),
            "colour": nullable(one_of("red", "yellow", "blue", "green", "none")),
            "n": nullable(whole_number),
            "stage": nullable(STAGE_CHECK),
        },
        variant=_corrected,
        sound="dealt",
        sounds_like_dealing=True,
        headline=True,
    ),
    "left": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "car": COLOUR_CHECK,
            "mission": nullable(COLOUR_CHECK),
            "warrant": boolean,
            "drawn": nullable(one_of("mission", "trap")),
            "own": boolean,
        },
        priority=True,
        headline=True,
        variant=_left,
    ),
    "game_won": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "arrests": whole_number,
            "how": one_of("most", "short", "race", "last", "alone"),
        },
        variant=make_field_variant_function("how"),
        sound="won_kojak",
        priority=True,
        headline=True,
        shown_in_final_score=True,
    ),
}
