"""Probe's events: the fields, sentence variants, sounds and clauses of each event."""

from __future__ import annotations

import re
from typing import Final

from checked_input.checks import (
    OptionalKey,
    boolean,
    list_of,
    mapping_of,
    nullable,
    number,
    one_of,
    pattern,
    table,
    text,
    whole_number,
)
from companion.core.game import Cue
from companion.say.facts import (
    NAME_CHECK,
    FactPresentation,
    Facts,
    make_field_variant_function,
    make_flag_variant_function,
)
from companion.say.words import Words

DOT: Final = "."
EXPLAINED_CARD_KINDS: Final = (
    "normal", "additional_turn", "left_uncovers", "right_uncovers", "own_dot", "times", "points",
)  # fmt: skip
"""Kinds of activity cards that have an explanation of their own (PR-5)."""

# --- variants of a fact's sentence ----------------------------------------------------------------


def _asked(cue: Cue) -> str:
    asked = cue.facts["asked"]
    return "table" if asked is None else "dot" if asked == DOT else "letter"


def _kind(cue: Cue) -> str:
    """Return the sentence variant for an activity card, such as `left_uncovers.two` (PR-5).

    In a game of two players, *left* and *right* on the card mean racks of the opponent (PR-16).
    """
    kind, rack = cue.facts["card"]["kind"], cue.facts["rack"]
    return f"{kind}.two" if rack is not None and ":" in rack else str(kind)


def _scored(cue: Cue) -> str:
    if cue.facts["why"] == "correction":
        return "corrected"
    return "gain" if cue.facts["points"] > 0 else "loss"


def _open(cue: Cue) -> str:
    if cue.facts["who"] is None:
        return "shown"
    return "solved" if cue.facts["word"] else "guessed"


def _last_rounds(cue: Cue) -> str:
    return "begins" if cue.facts["begins"] else "goes_on"


def _words(cue: Cue) -> str:
    return "doubted" if cue.facts.get("doubted") else ""


def _interrupted(cue: Cue) -> str:
    return "right" if cue.facts["right"] else "wrong"


def _revealed(cue: Cue) -> str:
    if cue.facts["word"] is None:
        return "unknown"
    return "guessed" if cue.clause == "PR-15" else "end"


def _survived(cue: Cue) -> str:
    return "one" if cue.facts["covered"] == 1 else ""


def _game_over(cue: Cue) -> str:
    return "tied" if len(cue.facts["winners"]) > 1 else "alone"


# --- clauses that explain a fact ------------------------------------------------------------------


def clauses_explaining_activity_card(kind: str) -> tuple[str, ...]:
    """Return the clauses that explain an activity card (PR-5)."""
    return (f"PR-5.{kind}",) if kind in EXPLAINED_CARD_KINDS else ("PR-5",)


def _of_card(_: Words, cue: Cue) -> tuple[str, ...]:
    return clauses_explaining_activity_card(cue.facts["card"]["kind"])


def _of_score(_: Words, cue: Cue) -> tuple[str, ...]:
    return ("PR-7.solved",) if cue.facts["why"] == "solved" else ()


# --- schemas of facts -----------------------------------------------------------------------------

CARD_CHECK: Final = table(kind=one_of(*EXPLAINED_CARD_KINDS, "by_hand"), n=nullable(whole_number))
LETTER_CHECK: Final = text(pattern(re.compile("[A-Z.]")))
"""Schema of a letter (A to Z) or the dot."""
LETTER_REPLY_FIELDS: Final = {
    "who": NAME_CHECK,
    "whom": NAME_CHECK,
    "asked": nullable(LETTER_CHECK),
}

# --- the table of facts ---------------------------------------------------------------------------

FACTS: Final[Facts] = {
    "word_stands": FactPresentation(
        fields={"who": NAME_CHECK, "rack": NAME_CHECK, "n": number(4, 12)},
        skippable=True,
        silent=True,
    ),
    "words": FactPresentation(
        private_fields={"words": mapping_of(NAME_CHECK), "doubted": OptionalKey(one_of(True))},
        variant=_words,  # PR-1
    ),
    "begins": FactPresentation(
        fields={"who": NAME_CHECK}, sound="begins_probe", skippable=True, headline=True
    ),
    "shuffled": FactPresentation(
        fields={"n": whole_number, "own": boolean},
        variant=make_flag_variant_function("own"),
        sound="dealt",
        sounds_like_dealing=True,
        skippable=True,
        inline=True,
    ),
    "drawn": FactPresentation(
        fields={"who": NAME_CHECK, "card": CARD_CHECK, "rack": nullable(NAME_CHECK)},
        variant=_kind,
        sound="card_drawn",
        sounds_like_dealing=True,
        priority=True,
        headline=True,
        cites=_of_card,
    ),
    "drawn.normal": FactPresentation(silent=True),
    **{
        f"drawn.{side}_uncovers{racks}": FactPresentation(
            until=frozenset({"uncovered", "card_idle"})
        )
        for side in ("left", "right")
        for racks in ("", ".two")
    },
    "card_idle": FactPresentation(
        fields={"who": NAME_CHECK, "card": CARD_CHECK, "rack": nullable(NAME_CHECK)},
        variant=_kind,
        skippable=True,
        inline=True,
        cites=_of_card,
    ),
    "scored": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "points": whole_number,
            "total": whole_number,
            "why": NAME_CHECK,
        },
        variant=_scored,
        until=frozenset({"scored"}),
        about="who",
        priority=True,
        cites=_of_score,
    ),
    "said_yes": FactPresentation(
        fields=LETTER_REPLY_FIELDS, variant=_asked, priority=True, headline=True
    ),
    "said_yes.table": FactPresentation(silent=True),
    "said_no": FactPresentation(
        fields=LETTER_REPLY_FIELDS, variant=_asked, sound="said_no", priority=True, headline=True
    ),
    "said_no.table": FactPresentation(silent=True),
    "uncovered": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "rack": NAME_CHECK,
            "place": number(1, 12),
            "letter": nullable(LETTER_CHECK),
            "points": whole_number,
            "to": nullable(NAME_CHECK),
            "times": one_of(1, 3, 4, 5),
            "because": one_of("hit", "forced", "own_dot"),
        },
        variant=make_field_variant_function("because"),
        sound="uncovered",
        priority=True,
    ),
    "uncovered.forced": FactPresentation(headline=True),
    "uncovered.own_dot": FactPresentation(headline=True),
    "word_open": FactPresentation(
        fields={
            "who": nullable(NAME_CHECK),
            "whom": NAME_CHECK,
            "rack": NAME_CHECK,
            "word": nullable(NAME_CHECK),
        },
        variant=_open,
        sound="word_open",
        priority=True,
        headline=True,
    ),
    "word_open.shown": FactPresentation(priority=False),
    "nobody_to_ask": FactPresentation(fields={"who": NAME_CHECK}, skippable=True, inline=True),
    "last_rounds": FactPresentation(
        fields={"who": NAME_CHECK, "left": whole_number, "begins": boolean},
        variant=_last_rounds,
        sound="last_rounds",
        priority=True,
        headline=True,
    ),
    "last_rounds.goes_on": FactPresentation(skippable=True),
    "survived": FactPresentation(
        fields={"who": NAME_CHECK, "covered": whole_number},
        variant=_survived,
        sound="word_kept",
        priority=True,
        headline=True,
    ),
    "revealed": FactPresentation(
        fields={
            "who": NAME_CHECK,
            "rack": NAME_CHECK,
            "places": list_of(whole_number),
            "word": nullable(NAME_CHECK),
            "points": whole_number,
            "to": nullable(NAME_CHECK),
        },
        variant=_revealed,
        priority=True,
    ),
    "revealed.unknown": FactPresentation(silent=True),
    "revealed.end": FactPresentation(priority=False, headline=True),
    "interrupted": FactPresentation(
        fields={"who": NAME_CHECK, "whom": NAME_CHECK, "rack": NAME_CHECK, "right": boolean},
        variant=_interrupted,
        priority=True,
        headline=True,
    ),
    "interrupted.right": FactPresentation(sound="interruption_right"),
    "interrupted.wrong": FactPresentation(sound="interruption_wrong"),
    "moot": FactPresentation(fields={"who": NAME_CHECK}, skippable=True),
    "misspelled": FactPresentation(
        fields={"who": NAME_CHECK, "rack": NAME_CHECK}, priority=True, headline=True
    ),
    "corrected": FactPresentation(
        fields={"who": NAME_CHECK, "points": whole_number}, priority=True, headline=True
    ),
    "left": FactPresentation(fields={"who": NAME_CHECK}, priority=True, headline=True),
    "stopped": FactPresentation(fields={}, priority=True, headline=True),
    "game_over": FactPresentation(
        fields={"winners": list_of(NAME_CHECK), "scores": mapping_of(whole_number)},
        variant=_game_over,
        sound="won_probe",
        priority=True,
        headline=True,
        shown_in_final_score=True,
    ),
}
