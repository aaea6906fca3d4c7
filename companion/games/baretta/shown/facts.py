"""Baretta's events: the fields, sentence variants, sounds and clauses of each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from checked_input.checks import (
    boolean,
    condition,
    list_of,
    mapping_of,
    nullable,
    one_of,
    whole_number,
)
from companion.core.game import Cue
from companion.games.baretta.rules.board import (
    ARREST,
    BY_HAND_CARD,
    CRIMINALS,
    DRAW,
    GO_TO,
    HIDEOUT_ID,
    HUNCH,
    IN_TROUBLE,
    LOOK,
    LOSE_TURN,
    MOVE,
    NOTHING,
    ROLL_AGAIN,
    STAY_PUT,
    SWAP,
    TAKE_BACK,
    UNMARK,
)
from companion.games.baretta.shown.spaces import effect_of_space
from companion.say.facts import (
    NAME_CHECK,
    FactPresentation,
    Facts,
    make_field_variant_function,
    make_flag_variant_function,
)
from companion.say.words import Words

NO_EFFECT_REASONS: Final = ("no_own", "no_marked", "empty_pile", "full", "no_card")
"""Reasons why a corner or the Hideout has no effect.

The reasons are values of the field `why` in the event `nothing`.
"""
REASONS_WITH_SENTENCE: Final = ("empty_pile", "already", "empty", "no_marked")
"""Reasons why nothing happens. For each of these reasons, clause BA-17 has a sentence.

The reasons are values of the field `why` in the event `nothing`.
"""


def card_kind(name: str) -> str:
    """Return the kind of a card, such as "move" for the card "move:5"."""
    return name.partition(":")[0]


# --- variants of a fact's sentence ----------------------------------------------------------------


def _accused(cue: Cue) -> str:
    return "seated" if cue.facts["seated"] else "forced" if cue.facts["forced"] else ""


def _moved(cue: Cue) -> str:
    """Return the sentence variant for a move, which depends on the reached space and its effect.

    A variant omits each name that an earlier event has announced.
    """
    facts = cue.facts
    if facts["by"] == "guess":
        return "guess"
    if facts["vain"]:
        return "vain"
    if facts["kind"] == "outside":
        return "outside"
    idle, sent = facts["does"] in (None, NOTHING), facts["by"] in (GO_TO, "corner")
    if sent:
        return "sent_idle" if idle else "sent"
    return ("shortcut" if facts["kind"] == "shortcut" else "idle") if idle else "place"


def _nothing(cue: Cue) -> str:
    """Return the sentence variant for the reason why nothing happens, such as `here.no_own`."""
    why = cue.facts["why"]
    return f"here.{why}" if cue.clause in ("BA-10", "BA-11") and why != "corner" else str(why)


def _turned(cue: Cue) -> str:
    return card_kind(cue.facts["card"])


def _guessed(cue: Cue) -> str:
    return ARREST if card_kind(cue.facts["card"]) == ARREST else "wrong"


def _wounded(cue: Cue) -> str:
    return ARREST if card_kind(cue.facts["card"]) == ARREST else ""


def _placed(cue: Cue) -> str:
    if cue.to is not None:
        return "secret"
    marked = cue.facts["marked"]
    if cue.facts["up"]:
        return "up" if marked else "up_bare"
    return "marked" if marked else "bare"


def _looked(cue: Cue) -> str:
    return "public" if cue.to is None else "secret"


# --- clauses that explain a fact about a card, a corner or a move ---------------------------------


def clauses_explaining_card(name: str) -> tuple[str, ...]:
    """Return the clauses that explain a card."""
    of = card_kind(name)
    special = {HUNCH: "BA-13", ARREST: "BA-14", BY_HAND_CARD: "BA-2"}
    return (special.get(of, f"BA-12.{of}"),)


def clauses_explaining_space(words: Words, ident: str) -> tuple[str, ...]:
    """Return the clauses that explain a space, or () for a card space."""
    if ident.isdigit():
        return ()
    effect = effect_of_space(words, ident).partition(":")[0]
    if ident == HIDEOUT_ID:
        return (f"BA-10.{effect}", "BA-11")
    corners = {corner["id"] for corner in words.edition["corner"]}
    return (f"BA-10.{effect}", "BA-10") if ident in corners else ("BA-9",)


def _of_its_card(_: Words, cue: Cue) -> tuple[str, ...]:
    return (*clauses_explaining_card(cue.facts["card"]), *((cue.clause,) if cue.clause else ()))


def _of_move(words: Words, cue: Cue) -> tuple[str, ...]:
    by, there = cue.facts["by"], clauses_explaining_space(words, cue.facts["to"])
    return (*there, f"BA-12.{by}" if by in (MOVE, GO_TO) else cue.clause or "")


def _of_nothing(words: Words, cue: Cue) -> tuple[str, ...]:
    why = cue.facts["why"]
    vain = (f"BA-17.{why}",) if why in REASONS_WITH_SENTENCE else ()
    return (*vain, *clauses_explaining_space(words, cue.facts["space"]))


def _of(card: str = "", corner: str = "") -> Callable[[Words, Cue], tuple[str, ...]]:
    """Return a function that takes an event and returns the clauses about its card or its space."""

    def cites(_: Words, cue: Cue) -> tuple[str, ...]:
        if card and cue.clause == "BA-12":
            return (f"BA-12.{card}",)
        if corner and cue.clause in ("BA-10", "BA-11"):
            return (f"BA-10.{corner}", cue.clause)
        return ()

    return cites


# --- schemas of facts -----------------------------------------------------------------------------

CARD_KINDS: Final = (
    "stay_put",
    "hunch",
    "wounded",
    "in_trouble",
    "by_hand",
    "move",
    "go_to",
    "arrest",
)
DECLINABLE_EFFECTS: Final = (TAKE_BACK, UNMARK, LOOK, DRAW, SWAP)


def _is_card(value: object) -> bool:
    """Return True if `value` looks like a card's name; the edition need not contain the card."""
    return isinstance(value, str) and card_kind(value) in CARD_KINDS


def _is_face(value: object) -> bool:
    """Return True if `value` is `down` or `up:NAME`, the public side of a card."""
    return isinstance(value, str) and (
        value == "down" or (value.startswith("up:") and _is_card(value.removeprefix("up:")))
    )


CARD_CHECK: Final = condition(_is_card, "card")
CARD_SIDE_CHECK: Final = condition(_is_face, "down, up:card")
CRIMINAL_CHECK: Final = one_of(*CRIMINALS)
SPACE_FIELDS: Final = {"who": NAME_CHECK, "space": NAME_CHECK}
CARD_AND_SPACE_FIELDS: Final = {**SPACE_FIELDS, "card": CARD_CHECK}
SECRET_CARD_FIELDS: Final = {"space": NAME_CHECK, "card": CARD_CHECK}

# --- the table of facts ---------------------------------------------------------------------------

FACTS: Final[Facts] = {
    "accused": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "criminal": CRIMINAL_CHECK,
            "forced": boolean,
            "seated": boolean,
        },
        variant=_accused,
        skippable=True,
        silent=True,
    ),
    "accused.seated": FactPresentation(silent=False),
    "accused.forced": FactPresentation(silent=False),
    "dealt": FactPresentation(
        fields={"spaces": one_of(24), "pile": whole_number, "aside": one_of(0, 2)},
        variant=make_flag_variant_function("aside"),
        sound="dealt",
        sounds_like_dealing=True,
        headline=True,
    ),
    "cut": FactPresentation(
        fields={"piles": list_of(NAME_CHECK), "own": boolean},
        variant=make_flag_variant_function("own"),
        sound="dealt",
        sounds_like_dealing=True,
        skippable=True,
        headline=True,
    ),
    "first_roll": FactPresentation(
        fields={"rolls": mapping_of(whole_number), "tied": boolean},
        variant=make_flag_variant_function("tied"),
        sound="rolled",
        skippable=True,
        headline=True,
    ),
    "begins": FactPresentation(fields={"who": NAME_CHECK}, sound="begins_baretta", headline=True),
    "rolled": FactPresentation(
        fields={"who": NAME_CHECK, "dice": list_of(whole_number)},
        sound="rolled",
        skippable=True,
        silent=True,
    ),
    "moved": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "from": NAME_CHECK,
            "to": NAME_CHECK,
            "kind": one_of("outside", "shortcut", "corner", "hideout"),
            "does": nullable(NAME_CHECK),
            "by": one_of("roll", "move", "go_to", "corner", "guess"),
            "vain": boolean,
        },
        variant=_moved,
        silent=True,
        cites=_of_move,
    ),
    "moved.place": FactPresentation(priority=True, silent=False, headline=True),
    "moved.sent": FactPresentation(priority=True, silent=False, headline=True),
    "turned": FactPresentation(
        fields=CARD_AND_SPACE_FIELDS,
        variant=_turned,
        priority=True,
        headline=True,
        cites=_of_its_card,
    ),
    "turned.move": FactPresentation(sound="move_on"),
    "turned.stay_put": FactPresentation(sound="stay_put"),
    "turned.wounded": FactPresentation(sound="wounded"),
    "turned.go_to": FactPresentation(sound="go_to"),
    "turned.in_trouble": FactPresentation(sound="in_trouble"),
    "turned.hunch": FactPresentation(sound="hunch"),
    "turned.arrest": FactPresentation(sound="guess"),
    "turned.by_hand": FactPresentation(sound="move_on"),
    "marker_back": FactPresentation(fields=SPACE_FIELDS, skippable=True),
    "discarded": FactPresentation(fields={"space": NAME_CHECK, "card": CARD_CHECK}, silent=True),
    "placed": FactPresentation(
        fields={**SPACE_FIELDS, "marked": boolean, "left": whole_number, "up": boolean},
        variant=_placed,
        private_fields=SECRET_CARD_FIELDS,
        sound="placed",
        headline=True,
        shown_privately_at_once=True,
        cites=_of(card=STAY_PUT, corner=DRAW),
    ),
    "wounded": FactPresentation(
        fields={"who": NAME_CHECK, "card": CARD_CHECK},
        variant=_wounded,
        sound="card_turned",
        sounds_like_dealing=True,
        priority=True,
        headline=True,
        cites=_of_its_card,
    ),
    "taken_back": FactPresentation(
        fields={**SPACE_FIELDS, "owner": NAME_CHECK},
        sound="marker_off",
        headline=True,
        cites=_of(card=IN_TROUBLE, corner=TAKE_BACK),
    ),
    "unmarked": FactPresentation(fields=SPACE_FIELDS, sound="marker_off", cites=_of(corner=UNMARK)),
    "roll_again": FactPresentation(fields=SPACE_FIELDS, silent=True, cites=_of(corner=ROLL_AGAIN)),
    "declined": FactPresentation(
        fields={"who": NAME_CHECK, "question": one_of(*DECLINABLE_EFFECTS)},
        variant=make_field_variant_function("question"),
    ),
    **{f"declined.{effect}": FactPresentation(silent=True) for effect in DECLINABLE_EFFECTS},
    "not_arrest": FactPresentation(fields=SPACE_FIELDS, sound="zero_played"),
    "nothing": FactPresentation(
        fields={
            **SPACE_FIELDS,
            "why": one_of(
                *("shortcut", "corner", "no_marked", "no_own", "empty_pile", "already"),
                *("empty", "card", "no_card", "full"),
            ),
        },
        variant=_nothing,
        sound="zero_played",
        skippable=True,
        cites=_of_nothing,
    ),
    **{f"nothing.here.{why}": FactPresentation(headline=True) for why in NO_EFFECT_REASONS},
    **{f"nothing.{why}": FactPresentation(silent=True) for why in ("shortcut", "corner")},
    **{f"nothing.{why}": FactPresentation(inline=True) for why in ("empty", "card", "empty_pile")},
    "kept_quiet": FactPresentation(fields=SPACE_FIELDS, sound="zero_played", silent=True),
    "guessed": FactPresentation(
        fields=CARD_AND_SPACE_FIELDS,
        variant=_guessed,
        sound="guess",
        priority=True,
        headline=True,
        cites=_of_its_card,
    ),
    "out": FactPresentation(fields={"who": NAME_CHECK}, sound="out", priority=True, headline=True),
    "left": FactPresentation(fields={"who": NAME_CHECK}, sound="out", priority=True, headline=True),
    "hunch_down": FactPresentation(fields=SPACE_FIELDS, sound="placed"),
    "in_vain": FactPresentation(
        fields={**SPACE_FIELDS, "criminal": CRIMINAL_CHECK},
        sound="zero_played",
        priority=True,
        headline=True,
    ),
    "arrest": FactPresentation(
        fields={"space": NAME_CHECK, "criminal": CRIMINAL_CHECK, "winner": NAME_CHECK},
        sound="arrest",
        priority=True,
        headline=True,
    ),
    "game_won": FactPresentation(
        fields={"who": NAME_CHECK, "how": one_of("landed", "second", "guess", "last", "table")},
        variant=make_field_variant_function("how"),
        sound="won_baretta",
        priority=True,
        headline=True,
        shown_in_final_score=True,
    ),
    "next_turn": FactPresentation(fields={"who": NAME_CHECK}, silent=True),
    "one_too_many": FactPresentation(
        fields={"who": NAME_CHECK, "card": CARD_CHECK, "n": whole_number},
        sound="card_turned",
        sounds_like_dealing=True,
        priority=True,
        headline=True,
    ),
    "done_by_hand": FactPresentation(fields=SPACE_FIELDS, silent=True),
    "lose_turn": FactPresentation(fields=SPACE_FIELDS, silent=True, cites=_of(corner=LOSE_TURN)),
    "missed_turn": FactPresentation(
        fields={"who": NAME_CHECK},
        sound="zero_played",
        priority=True,
        headline=True,
        cites=_of(corner=LOSE_TURN),
    ),
    "looked": FactPresentation(
        fields=SPACE_FIELDS,
        variant=_looked,
        private_fields=SECRET_CARD_FIELDS,
        sound="card_turned",
        sounds_like_dealing=True,
        skippable=True,
        headline=True,
        shown_privately_at_once=True,
        cites=_of(corner=LOOK),
    ),
    "swapped": FactPresentation(
        fields={**SPACE_FIELDS, "to": NAME_CHECK},
        sound="placed",
        headline=True,
        cites=_of(corner=SWAP),
    ),
    "corrected": FactPresentation(
        fields={
            "what": one_of("baretta", "turn", "out", "in", "card", "pile"),
            "who": nullable(NAME_CHECK),
            "space": nullable(NAME_CHECK),
            "lies": nullable(NAME_CHECK),
            "n": nullable(whole_number),
            "card": nullable(CARD_SIDE_CHECK),
            "marker": nullable(NAME_CHECK),
        },
        variant=make_field_variant_function("what"),
        sound="card_turned",
        sounds_like_dealing=True,
        headline=True,
    ),
}
