"""Barney Miller's events: the fields, sentence variants, sounds and clauses of each event."""

from __future__ import annotations

from typing import Final

from checked_input.checks import (
    boolean,
    list_of,
    mapping_of,
    nullable,
    number,
    one_of,
    whole_number,
)
from companion.core.game import Cue
from companion.games.barney_miller.rules.board import (
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    TARGET_TOTAL,
    UNKNOWN_SPACE_OR_GANG,
)
from companion.say.facts import (
    NAME_CHECK,
    FactPresentation,
    Facts,
    make_field_variant_function,
    make_flag_variant_function,
)
from companion.say.words import Words

# --- variants of a fact's sentence ----------------------------------------------------------------


def _corrected(cue: Cue) -> str:
    """Return the sentence variant for a correction (BM-13), such as `pawn.unknown`."""
    what = str(cue.facts["what"])
    if what == "pawn" and cue.facts["kind"] == UNKNOWN_SPACE_OR_GANG:
        return "pawn.unknown"
    return "chips" if what in ("chip", "reserve") else what


def _dealt(cue: Cue) -> str:
    """Return the sentence variant for a deal (BM-11), such as `again` or `again.own`."""
    how = str(cue.facts["how"])
    return f"{how}.own" if cue.facts["own"] else how


def _desks(cue: Cue) -> str:
    """Return the variant "own" if each player's name is the name of the player's desk, else ""."""
    return "own" if all(who == desk for who, desk in cue.facts["desks"].items()) else ""


def _card_played(cue: Cue) -> str:
    """Return the sentence variant for a played card (BM-7), such as `forced` or `own.ten`.

    If the card ends the round, the sentence omits the total. A later event announces the total.
    """
    card = cue.facts
    value, total = card["value"], card["total"]
    if card["forced"]:
        return "forced.only" if value == total or total >= TARGET_TOTAL else "forced"
    whose = "own" if card["own"] else "dealt"
    if total >= TARGET_TOTAL:
        return f"{whose}.ten" if value == total else f"{whose}.last"
    if value == total:
        return f"{whose}.first"
    return whose if value else f"{whose}.zero"


def _game_won(cue: Cue) -> str:
    """Return the variant "last" if the winner is the last player in the game (BM-15), else ""."""
    return "last" if cue.facts["how"] == "last" else ""


# --- clauses that explain a fact: each space of the track has its own sentence (BM-9) -------------


def _of_space(_: Words, cue: Cue) -> tuple[str, ...]:
    return (f"BM-9.{cue.facts['kind']}",)


def _of_move(words: Words, cue: Cue) -> tuple[str, ...]:
    return (*_of_space(words, cue), "BM-5")


def _of_card(_: Words, cue: Cue) -> tuple[str, ...]:
    return ("BM-7.forced",) if cue.facts["forced"] else ()


def _of_reserve(*_: object) -> tuple[str, ...]:
    return (f"BM-9.{IDENTIFICATION}",)


def _of_freed(*_: object) -> tuple[str, ...]:
    return (f"BM-9.{INSUFFICIENT_EVIDENCE}",)


# --- the table of facts ---------------------------------------------------------------------------

VALUE_CHECK: Final = number(0, 10)
"""Schema of a card's value (0 to 10)."""
CHIP_FIELDS: Final = {"who": NAME_CHECK, "captured": whole_number, "reserve": whole_number}
ROUND_WON_FIELDS: Final = {
    "who": NAME_CHECK,
    "last": NAME_CHECK,
    "value": VALUE_CHECK,
    "how": one_of("over", "ten", "zero"),
    "total": whole_number,
    "round": whole_number,
}

FACTS: Final[Facts] = {
    "seated": FactPresentation(fields={"who": NAME_CHECK, "detective": NAME_CHECK}),
    "desks": FactPresentation(
        fields={"desks": mapping_of(NAME_CHECK)}, variant=_desks, headline=True
    ),
    "first_roll": FactPresentation(
        fields={"rolls": mapping_of(whole_number), "tied": boolean},
        variant=make_flag_variant_function("tied"),
        sound="rolled",
        skippable=True,
        headline=True,
    ),
    "begins": FactPresentation(
        fields={"who": NAME_CHECK}, sound="begins_barney_miller", headline=True
    ),
    "rolled": FactPresentation(
        fields={"who": NAME_CHECK, "dice": list_of(whole_number)},
        sound="rolled",
        skippable=True,
        headline=True,
    ),
    "moved": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "kind": NAME_CHECK,
            "gang": nullable(NAME_CHECK),
            "pips": nullable(whole_number),
        },
        variant=make_field_variant_function("kind"),
        priority=True,
        cites=_of_move,
    ),
    "unwanted": FactPresentation(fields={"who": NAME_CHECK, "gang": NAME_CHECK}, skippable=True),
    "dealt": FactPresentation(
        fields={
            "how": one_of("first", "half", "again", "rest"),
            "cards": whole_number,
            "deal": whole_number,
            "own": boolean,
        },
        variant=_dealt,
        sound="dealt",
        sounds_like_dealing=True,
        headline=True,
    ),
    "card_played": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "value": whole_number,
            "total": whole_number,
            "forced": boolean,
            "own": boolean,
        },
        variant=_card_played,
        silent=True,
        cites=_of_card,
    ),
    "card_played.own.last": FactPresentation(skippable=True),
    "card_played.own.ten": FactPresentation(skippable=True),
    "card_played.dealt.last": FactPresentation(skippable=True),
    "card_played.dealt.ten": FactPresentation(skippable=True),
    "card_played.forced": FactPresentation(silent=False, headline=True),
    "card_played.forced.only": FactPresentation(silent=False, headline=True),
    "too_many": FactPresentation(
        fields={"who": NAME_CHECK, "value": VALUE_CHECK, "n": whole_number, "count": whole_number},
        priority=True,
        headline=True,
    ),
    "ten": FactPresentation(fields={"who": NAME_CHECK}, sound="total_reached", silent=True),
    "zero_played": FactPresentation(
        fields={"who": NAME_CHECK, "total": one_of(TARGET_TOTAL)}, sound="zero_played", silent=True
    ),
    "picked_up": FactPresentation(
        fields={"who": NAME_CHECK, "own": boolean},
        variant=make_flag_variant_function("own"),
        addressed=True,
    ),
    "round_won": FactPresentation(
        fields=ROUND_WON_FIELDS,
        variant=make_field_variant_function("how"),
        sound="round_won",
        priority=True,
        headline=True,
    ),
    "round_won.over": FactPresentation(sound="over_ten"),
    "nobody_won": FactPresentation(
        fields=ROUND_WON_FIELDS, sound="over_ten", priority=True, headline=True
    ),
    "captured": FactPresentation(
        fields={**CHIP_FIELDS, "suspect": NAME_CHECK, "gang": NAME_CHECK, "kind": NAME_CHECK},
        sound="captured",
        priority=True,
        cites=_of_space,
    ),
    "freed": FactPresentation(
        fields={**CHIP_FIELDS, "suspect": NAME_CHECK, "gang": NAME_CHECK},
        sound="freed",
        priority=True,
        cites=_of_freed,
    ),
    "reserve": FactPresentation(
        fields=CHIP_FIELDS, sound="captured", priority=True, cites=_of_reserve
    ),
    "nothing": FactPresentation(
        fields={"who": NAME_CHECK, "kind": NAME_CHECK, "gang": nullable(NAME_CHECK)},
        variant=make_field_variant_function("kind"),
        cites=_of_space,
    ),
    "next_roller": FactPresentation(fields={"who": NAME_CHECK}),
    "hand": FactPresentation(private_fields={"cards": list_of(VALUE_CHECK)}, silent=True),
    "corrected": FactPresentation(
        fields={
            "what": one_of("chip", "reserve", "turn", "pawn", "desk", "card"),
            "who": nullable(NAME_CHECK),
            "suspect": nullable(NAME_CHECK),
            "n": nullable(whole_number),
            "detective": nullable(NAME_CHECK),
            "captured": nullable(whole_number),
            "reserve": nullable(whole_number),
            "kind": nullable(NAME_CHECK),
            "gang": nullable(NAME_CHECK),
            "total": nullable(whole_number),
        },
        variant=_corrected,
        sound="captured",
        headline=True,
    ),
    "left": FactPresentation(
        fields={"who": NAME_CHECK, "own": boolean},
        variant=make_flag_variant_function("own"),
        priority=True,
        headline=True,
    ),
    "game_won": FactPresentation(
        fields={**CHIP_FIELDS, "how": one_of("chips", "last")},
        variant=_game_won,
        sound="won_barney_miller",
        priority=True,
        headline=True,
        shown_in_final_score=True,
    ),
}
