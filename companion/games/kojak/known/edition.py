"""Checks of Kojak's file `edition.toml`: circles, case files and cards (KO-1 to KO-4, KO-13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from math import gcd
from typing import Any, Final

from checked_input.checks import (
    OptionalKey,
    ValueMistake,
    ValuePlace,
    distinct,
    exact_list,
    known_word,
    list_of,
    number,
    table,
    text,
)
from checked_input.mistakes import quote_value
from companion.catalog.editions import BoardTourPlan, Place
from companion.core.game import Edition
from companion.core.prompts import Choose
from companion.games.kojak.rules.board import (
    COLOURS,
    DOT_FIELD,
    MAX_TRAP_CARD_STEPS,
    MISSION_CARD_COUNT,
    PLACES,
    PLAIN_FIELD,
    RED_FIELD,
    TRAP_CARD_COUNT,
    UNKNOWN_FIELD,
    field_numbers_of_kind,
)

MIN_FIELDS, MAX_FIELDS = 2, 12
"""Minimum and maximum number of fields of a circle; the display has room for 12 fields."""


def _circle(circle: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    """Check that a circle starts with its only dot, and that the circle has a red field (KO-4)."""
    if not MIN_FIELDS <= len(circle) <= MAX_FIELDS:
        yield where.wrong_count(len(circle), f"{MIN_FIELDS}-{MAX_FIELDS}")
    if circle and circle[0] in (PLAIN_FIELD, RED_FIELD, UNKNOWN_FIELD):
        yield where.at(0).bad_value(circle[0], quote_value(DOT_FIELD))
    for i, field in enumerate(circle[1:], start=1):
        if field == DOT_FIELD:
            yield where.at(i).bad_value(
                DOT_FIELD, f"{quote_value(PLAIN_FIELD)}, {quote_value(RED_FIELD)}"
            )
    if all(field in (DOT_FIELD, PLAIN_FIELD) for field in circle):
        yield where.bad_value(circle, "a_red_space")


def _order(order: Any, where: ValuePlace) -> Iterable[ValueMistake]:
    """Check a trap card's order: a number of fields (0: stay, negative: back), or "red" (KO-13)."""
    if isinstance(order, str):
        return known_word("order", (RED_FIELD,))(order, where)
    if type(order) is int and abs(order) > MAX_TRAP_CARD_STEPS:
        return (where.bad_value(order, f"-{MAX_TRAP_CARD_STEPS} to {MAX_TRAP_CARD_STEPS}"),)
    return number(-MAX_TRAP_CARD_STEPS, MAX_TRAP_CARD_STEPS)(order, where)


def _totals(files: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    numbers = _cells(files, "missions")
    if numbers and all(type(n) is int for n in numbers) and sum(numbers) != MISSION_CARD_COUNT:
        yield _last(where, "missions").bad_value(
            sum(numbers), f"{MISSION_CARD_COUNT}_missions_in_all"
        )


def _piles(files: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    piles = [*_cells(files, "traps"), where.whole.get("all", [])]
    others = [where.whole.get("kojak"), where.whole.get("lose_turn", 0)]
    if any(type(count) is not int or not 0 <= count <= TRAP_CARD_COUNT for count in others):
        return
    if len(piles) > 1 and all(isinstance(pile, list) for pile in piles):
        cards = sum(others) + sum(map(len, piles))
        if cards != TRAP_CARD_COUNT:
            yield _last(where, "traps").bad_value(cards, f"{TRAP_CARD_COUNT}_trap_cards_in_all")


def _cells(files: list[Any], key: str) -> list[Any]:
    if len(files) != len(COLOURS):
        return []
    return [file.get(key) if isinstance(file, dict) else None for file in files]


def _last(where: ValuePlace, key: str) -> ValuePlace:
    return where.at(len(COLOURS) - 1, key)


_file = table(
    colour=text(known_word("colour", COLOURS), distinct),
    place=text(known_word("place", PLACES), distinct),
    circle=list_of(
        text(known_word("field", (DOT_FIELD, PLAIN_FIELD, RED_FIELD, UNKNOWN_FIELD))), _circle
    ),
    missions=number(1, MISSION_CARD_COUNT),
    traps=list_of(_order),
)
"""Schema of a case file: colour, place, circle, number of mission cards, and trap cards."""

EDITION = table(
    kojak=number(0, TRAP_CARD_COUNT),
    all=OptionalKey(list_of(_order)),
    lose_turn=OptionalKey(number(0, TRAP_CARD_COUNT)),
    cars=OptionalKey(exact_list(len(COLOURS), text(known_word("colour", COLOURS), distinct))),
    file=exact_list(len(COLOURS), _file, _piles, _totals),
)
"""Schema of edition.toml: trap cards that belong to no case file, car colours, four case files."""


# --- warnings about valid editions ----------------------------------------------------------------


def warnings(data: Edition) -> Iterator[ValueMistake]:
    """Yield a warning for each criminal who might never reach a red field.

    In a game, the trap cards keep their cyclic order (KO-13). The warning means: if the shuffle
    produces a certain order, a criminal never stops on red. The check ignores Kojak cards, which
    move a criminal to red.
    """
    warning = f"kojak.locked_out.{'rescued' if data['kojak'] else 'for_ever'}"
    rescue = "only a Kojak card puts him there" if data["kojak"] else "the game may have no end"
    for i, file in enumerate(data["file"]):
        if can_criminal_always_miss_red(file["circle"], [*file["traps"], *data.get("all", ())]):
            remark = (
                f"the {file['colour']} criminal can walk past red for ever, if the cards lie so"
            )
            bridge = ":" if data["kojak"] else ", and"
            facts = {"warning": warning, "colour": f"kojak.colour.{file['colour']}"}
            facts["what"] = f"{remark}{bridge} {rescue}"
            yield ValueMistake(("file", i, "traps"), "beware", facts)


def can_criminal_always_miss_red(circle: list[str], orders: list[int | str]) -> bool:
    """Return True if the trap cards can have an order in which a criminal never stops on red.

    Each pass through the pile moves the criminal by the sum of all `orders`. The local variable
    `part` is the greatest common divisor of this sum and the circle's number of fields. After
    enough passes, the criminal can have been moved by every multiple of `part` fields. The search
    therefore compares positions modulo `part`.
    """
    if RED_FIELD in orders:
        return False
    steps = [int(order) for order in orders]
    part = gcd(len(circle), sum(steps))
    red = {field % part for field in field_numbers_of_kind(circle)}

    @cache
    def escapes(at: int, left: tuple[tuple[int, int], ...]) -> bool:
        if at in red:
            return False
        rest = [(n, Counter(dict(left)) - Counter([n])) for n, _ in left]
        return not left or any(
            escapes((at + n) % part, tuple(sorted(others.items()))) for n, others in rest
        )

    cards = tuple(sorted(Counter(n % part for n in steps).items()))
    return any(escapes(start, cards) for start in range(part))


def _loops(data: Edition) -> tuple[Place, ...]:
    printed = [file["colour"] for file in data["file"]]
    return tuple(("file", printed.index(colour), "circle") for colour in COLOURS)


def _asks(data: Edition, place: Place, last: bool) -> Choose:  # noqa: FBT001
    """Ask whether a field of a circle is red (KO-22).

    Each circle has a red field (KO-4). If no other field is red, offer only "red" for the last
    possible field. If `last` is True and a field is red, also offer "dot": the circle is complete.
    """
    _, at, _, field = place
    file = data["file"][at]
    is_red = RED_FIELD in file["circle"]
    options = (RED_FIELD,) if field == MAX_FIELDS - 1 and not is_red else (PLAIN_FIELD, RED_FIELD)
    facts = {"colour": file["colour"], "field": field}
    return Choose(
        "field", None, (*options, *((DOT_FIELD,) if last and is_red else ())), facts=facts
    )


TEACHABLE: Final = BoardTourPlan(COLOURS, MIN_FIELDS, MAX_FIELDS, 4, _loops, asks=_asks)
"""Plan of the questions with which players enter whether the circles' fields are red (KO-22)."""


def blank(data: Edition, spaces: tuple[int, ...]) -> dict[str, Any]:
    """Return a copy of `data` with circles whose fields are unknown, except the dot.

    `spaces`: the number of fields of each circle, in the order of COLOURS.
    """
    size = dict(zip(COLOURS, spaces, strict=True))
    circles = ([DOT_FIELD, *[UNKNOWN_FIELD] * (size[file["colour"]] - 1)] for file in data["file"])
    files = zip(data["file"], circles, strict=True)
    return {**data, "file": [{**file, "circle": circle} for file, circle in files]}
