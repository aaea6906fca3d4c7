"""Barney Miller's facts: what each says, how it is told, and the clauses that stand behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.catalog.chapters import a_dict, a_list, maybe, one_of, text, truth, whole
from companion.games.barney_miller.board import IDENTIFICATION, INSUFFICIENT, TEN, UNKNOWN
from companion.say.facts import Fact, Facts, way_by, way_if

if TYPE_CHECKING:
    from companion.core.game import Cue
    from companion.say.words import Words

# --- in which way a fact is told ------------------------------------------------------------------


def _corrected(cue: Cue) -> str:
    """Return what the table has corrected (BM-13); both kinds of chips are reported alike."""
    what = str(cue.facts["what"])
    if what == "pawn" and cue.facts["kind"] == UNKNOWN:
        return "pawn.unknown"
    return "chips" if what in ("chip", "reserve") else what


def _dealt(cue: Cue) -> str:
    """Return how cards are dealt: to people with their own cards it is an order (BM-11)."""
    how = str(cue.facts["how"])
    return f"{how}.own" if cue.facts["own"] else how


def _desks(cue: Cue) -> str:
    """Whether each is called as the own desk is."""
    return "own" if all(who == desk for who, desk in cue.facts["desks"].items()) else ""


def _card_played(cue: Cue) -> str:
    """How a card is told: to a table that holds it, its total; else the card, and what it makes.

    The total of the last one is told as the round's end is; the first one is the total.
    """
    card = cue.facts
    value, total = card["value"], card["total"]
    if card["forced"]:
        return "forced.only" if value == total or total >= TEN else "forced"
    if card["own"]:
        return "last" if total >= TEN else ""
    if total >= TEN:
        return "dealt.ten" if value == total else "dealt.last"
    if value == total:
        return "dealt.first"
    return "dealt" if value else "dealt.zero"


def _game_won(cue: Cue) -> str:
    """Whether it is the last one who wins (BM-15)."""
    return "last" if cue.facts["how"] == "last" else ""


# --- the clauses behind a fact: each space of the track has a sentence of its own (BM-9) ----------


def _of_space(_: Words, cue: Cue) -> tuple[str, ...]:
    return (f"BM-9.{cue.facts['kind']}",)


def _of_move(words: Words, cue: Cue) -> tuple[str, ...]:
    return (*_of_space(words, cue), "BM-5")


def _of_card(_: Words, cue: Cue) -> tuple[str, ...]:
    return ("BM-7.forced",) if cue.facts["forced"] else ()


def _of_reserve(*_: object) -> tuple[str, ...]:
    return (f"BM-9.{IDENTIFICATION}",)


def _of_freed(*_: object) -> tuple[str, ...]:
    return (f"BM-9.{INSUFFICIENT}",)


# --- the table ------------------------------------------------------------------------------------

VALUE: Final = one_of(*range(11))
"""The number of a card."""
CHIPS: Final = {"who": text, "captured": whole, "reserve": whole}
WON: Final = {
    "who": text,
    "last": text,
    "value": VALUE,
    "how": one_of("over", "ten", "zero"),
    "total": whole,
    "round": whole,
}

FACTS: Final[Facts] = {
    "seated": Fact(says={"who": text, "detective": text}),
    "desks": Fact(says={"desks": a_dict(text)}, way=_desks, headline=True),
    "first_roll": Fact(
        says={"rolls": a_dict(whole), "tied": truth},
        way=way_if("tied"),
        sound="rolled",
        skippable=True,
        headline=True,
    ),
    "begins": Fact(says={"who": text}, sound="begins_barney_miller", headline=True),
    "rolled": Fact(
        says={"who": text, "dice": a_list(whole)}, sound="rolled", skippable=True, headline=True
    ),
    "moved": Fact(
        says={"who": text, "kind": text, "gang": maybe(text), "pips": maybe(whole)},
        way=way_by("kind"),
        priority=True,
        cites=_of_move,
    ),
    "unwanted": Fact(says={"who": text, "gang": text}, skippable=True),
    "dealt": Fact(
        says={
            "how": one_of("first", "half", "again", "rest"),
            "cards": whole,
            "deal": whole,
            "own": truth,
        },
        way=_dealt,
        sound="dealt",
        dealt=True,
        headline=True,
    ),
    "card_played": Fact(
        says={"who": text, "value": whole, "total": whole, "forced": truth, "own": truth},
        way=_card_played,
        silent=True,
        cites=_of_card,
    ),
    "card_played.last": Fact(skippable=True),
    "card_played.dealt.last": Fact(skippable=True),
    "card_played.dealt.ten": Fact(skippable=True),
    "card_played.forced": Fact(silent=False, headline=True),
    "card_played.forced.only": Fact(silent=False, headline=True),
    "too_many": Fact(
        says={"who": text, "value": VALUE, "n": whole, "count": whole},
        priority=True,
        headline=True,
    ),
    "ten": Fact(says={"who": text}, sound="total_reached", silent=True),
    "zero_played": Fact(says={"who": text, "total": one_of(TEN)}, sound="zero_played", silent=True),
    "picked_up": Fact(says={"who": text, "own": truth}, way=way_if("own"), addressed=True),
    "round_won": Fact(
        says=WON,
        way=way_by("how"),
        sound="round_won",
        priority=True,
        headline=True,
    ),
    "nobody_won": Fact(says=WON, priority=True, headline=True),
    "captured": Fact(
        says={**CHIPS, "suspect": text, "gang": text, "kind": text},
        sound="captured",
        priority=True,
        cites=_of_space,
    ),
    "freed": Fact(
        says={**CHIPS, "suspect": text, "gang": text},
        sound="freed",
        priority=True,
        cites=_of_freed,
    ),
    "reserve": Fact(says=CHIPS, sound="captured", priority=True, cites=_of_reserve),
    "nothing": Fact(
        says={"who": text, "kind": text, "gang": maybe(text)}, way=way_by("kind"), cites=_of_space
    ),
    "next_roller": Fact(says={"who": text}),
    "hand": Fact(silent=True),
    "corrected": Fact(
        says={
            "what": one_of("chip", "reserve", "turn", "pawn", "desk", "card"),
            "who": maybe(text),
            "suspect": maybe(text),
            "n": maybe(whole),
            "detective": maybe(text),
            "captured": maybe(whole),
            "reserve": maybe(whole),
            "kind": maybe(text),
            "gang": maybe(text),
            "total": maybe(whole),
        },
        way=_corrected,
        sound="captured",
        headline=True,
    ),
    "left": Fact(says={"who": text, "own": truth}, way=way_if("own"), priority=True, headline=True),
    "game_won": Fact(
        says={**CHIPS, "how": one_of("chips", "last")},
        way=_game_won,
        sound="won_barney_miller",
        priority=True,
        headline=True,
        ends=True,
    ),
}
