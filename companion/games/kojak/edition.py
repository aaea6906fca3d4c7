"""What a Kojak edition must be (KO-1 to KO-4, KO-13): the model behind edition.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo, WrapValidator

from companion.games.editions import (
    Handler,
    Slip,
    distinct,
    entries,
    shown,
    slip,
    together,
    word,
    wrong_count,
)
from companion.games.kojak.board import COLOURS, DOT, MISSIONS, PLACES, PLAIN, RED, TRAPS

if TYPE_CHECKING:
    from collections.abc import Callable

SHORTEST, LONGEST = 2, 12
"""Fields of a circle: one to begin on and one to be arrested on, and what a screen can show."""
MOST_STEPS: Final = 9


def _one_of(kind: str, known: tuple[str, ...]) -> Callable[[str], str]:
    return lambda found: word(found, kind, known)


def _number(lo: int, hi: int) -> Callable[[int], int]:
    """A validator of a whole number from `lo` to `hi`."""

    def check_number(found: int) -> int:
        if not lo <= found <= hi:
            raise slip("bad_value", found=shown(found), expected=f"{lo}-{hi}")
        return found

    return check_number


Field: TypeAlias = Annotated[str, AfterValidator(_one_of("field", (DOT, PLAIN, RED)))]


def _circle(found: Any, handler: Handler, info: ValidationInfo) -> Any:
    """KO-4: one dot, where the criminal begins, and somewhere on the way round red."""
    slips: list[Slip] = []
    if isinstance(found, list):
        if not SHORTEST <= len(found) <= LONGEST:
            slips.append(((), wrong_count(found, info, f"{SHORTEST}-{LONGEST}")))
        if found and found[0] in (PLAIN, RED):
            slips.append(((0,), slip("bad_value", found=shown(found[0]), expected=shown(DOT))))
        others = f"{shown(PLAIN)}, {shown(RED)}"
        for i, field in enumerate(found[1:], start=1):
            if field == DOT:
                slips.append(((i,), slip("bad_value", found=shown(DOT), expected=others)))
        if all(field in (DOT, PLAIN) for field in found):
            slips.append(((), slip("bad_value", found=shown(found), expected="a_red_field")))
    return together(found, handler, slips)


def _odd(found: list[int]) -> list[int]:
    """KO-13: the pile is a fixed cycle; an even sum can lock a colour out of red."""
    if sum(found) % 2 == 0:
        sums = f"{' + '.join(map(shown, found))} = {shown(sum(found))}" if found else "[]"
        raise slip("bad_value", found=sums, expected="an_odd_sum")
    return found


def _totals(found: Any, handler: Handler) -> Any:
    """The rule sheet counts the mission cards; each is one of four files'."""
    slips: list[Slip] = []
    numbers = _cells(found, "missions")
    if numbers and all(type(n) is int for n in numbers) and sum(numbers) != MISSIONS:
        slips.append(_total("missions", sum(numbers), f"{MISSIONS}_missions_in_all"))
    return together(found, handler, slips)


def _piles(found: Any, handler: Handler, info: ValidationInfo) -> Any:
    """The rule sheet counts the trap cards too; some of them are Kojak's."""
    slips: list[Slip] = []
    piles, kojak = _cells(found, "traps"), info.data.get("kojak")
    if piles and kojak is not None and all(isinstance(pile, list) for pile in piles):
        cards = kojak + sum(map(len, piles))
        if cards != TRAPS:
            slips.append(_total("traps", cards, f"{TRAPS}_trap_cards_in_all"))
    return together(found, handler, slips)


def _cells(found: Any, key: str) -> list[Any]:
    """What stands under a key of each of the four files; nothing if they are not four."""
    if not isinstance(found, list) or len(found) != len(COLOURS):
        return []
    return [file.get(key) if isinstance(file, dict) else None for file in found]


def _total(key: str, cards: int, expected: str) -> Slip:
    return (len(COLOURS) - 1, key), slip("bad_value", found=shown(cards), expected=expected)


Steps: TypeAlias = Annotated[int, AfterValidator(_number(1, MOST_STEPS))]


class Table(BaseModel):
    """Nothing but its keys, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="forbid")


class File(Table):
    """A file: its colour, the place, the criminal's circle, and the cards that name it."""

    colour: Annotated[str, AfterValidator(_one_of("colour", COLOURS)), AfterValidator(distinct)]
    place: Annotated[str, AfterValidator(_one_of("place", PLACES)), AfterValidator(distinct)]
    circle: Annotated[list[Field], WrapValidator(_circle)]
    missions: Annotated[int, AfterValidator(_number(1, MISSIONS))]
    traps: Annotated[list[Steps], AfterValidator(_odd)]


class Edition(Table):
    """A board and its cards: how many of the trap cards are Kojak's, and the four files."""

    kojak: Annotated[int, AfterValidator(_number(0, TRAPS))]
    file: Annotated[
        list[File],
        WrapValidator(entries(len(COLOURS))),
        WrapValidator(_totals),
        WrapValidator(_piles),
    ]
