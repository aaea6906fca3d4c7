"""Probe's facts: what each says, how it is told, and the clauses that stand behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from companion.catalog.chapters import a_dict, a_list, fields, maybe, one_of, text, truth, whole
from companion.say.facts import Fact, Facts, way_by, way_if

if TYPE_CHECKING:
    from companion.core.game import Cue
    from companion.say.words import Words

DOT: Final = "."
CARDS: Final = (
    "normal", "additional_turn", "left_uncovers", "right_uncovers", "own_dot", "times", "points",
)  # fmt: skip
"""The kinds of activity cards that are explained one by one."""

# --- in which way a fact is told ------------------------------------------------------------------


def _asked(cue: Cue) -> str:
    asked = cue.facts["asked"]
    return "table" if asked is None else "dot" if asked == DOT else "letter"


def _kind(cue: Cue) -> str:
    """The kind of a card; with two players *left* and *right* name a rack, not a neighbour."""
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


# --- the clauses behind a fact --------------------------------------------------------------------


def of_card(kind: str) -> tuple[str, ...]:
    """What explains an activity card: each kind has a sentence of its own (PR-5)."""
    return (f"PR-5.{kind}",) if kind in CARDS else ("PR-5",)


def _of_card(_: Words, cue: Cue) -> tuple[str, ...]:
    return of_card(cue.facts["card"]["kind"])


def _of_score(_: Words, cue: Cue) -> tuple[str, ...]:
    return ("PR-7.solved",) if cue.facts["why"] == "solved" else ()


# --- what a fact says -----------------------------------------------------------------------------

CARD: Final = fields(kind=one_of(*CARDS, "by_hand"), n=maybe(whole))


def letter(value: Any) -> bool:
    """A letter, or the dot."""
    return text(value) and re.fullmatch("[A-Z.]", value) is not None


SAID: Final = {"who": text, "whom": text, "asked": maybe(letter)}

# --- the table ------------------------------------------------------------------------------------

FACTS: Final[Facts] = {
    "word_stands": Fact(
        says={"who": text, "rack": text, "n": one_of(*range(4, 13))}, skippable=True, silent=True
    ),
    "words": Fact(way=_words),
    "begins": Fact(says={"who": text}, sound="begins_probe", skippable=True, headline=True),
    "shuffled": Fact(
        says={"n": whole, "own": truth},
        way=way_if("own"),
        sound="dealt",
        dealt=True,
        skippable=True,
        inline=True,
    ),
    "drawn": Fact(
        says={"who": text, "card": CARD, "rack": maybe(text)},
        way=_kind,
        sound="card_drawn",
        dealt=True,
        priority=True,
        headline=True,
        cites=_of_card,
    ),
    "drawn.normal": Fact(silent=True),
    "card_idle": Fact(
        says={"who": text, "card": CARD, "rack": maybe(text)},
        way=_kind,
        skippable=True,
        inline=True,
        cites=_of_card,
    ),
    "scored": Fact(
        says={"who": text, "points": whole, "total": whole, "why": text},
        way=_scored,
        priority=True,
        cites=_of_score,
    ),
    "said_yes": Fact(says=SAID, way=_asked, priority=True, headline=True),
    "said_yes.table": Fact(silent=True),
    "said_no": Fact(says=SAID, way=_asked, sound="said_no", priority=True, headline=True),
    "said_no.table": Fact(silent=True),
    "uncovered": Fact(
        says={
            "who": text,
            "rack": text,
            "place": one_of(*range(1, 13)),
            "letter": maybe(letter),
            "points": whole,
            "to": maybe(text),
            "times": one_of(1, 3, 4, 5),
            "because": one_of("hit", "forced", "own_dot"),
        },
        way=way_by("because"),
        sound="uncovered",
        priority=True,
    ),
    "uncovered.forced": Fact(headline=True),
    "uncovered.own_dot": Fact(headline=True),
    "word_open": Fact(
        says={"who": maybe(text), "whom": text, "rack": text, "word": maybe(text)},
        way=_open,
        sound="word_open",
        priority=True,
        headline=True,
    ),
    "nobody_to_ask": Fact(says={"who": text}, skippable=True, inline=True),
    "last_rounds": Fact(
        says={"who": text, "left": whole, "begins": truth},
        way=_last_rounds,
        sound="last_rounds",
        priority=True,
        headline=True,
    ),
    "last_rounds.goes_on": Fact(skippable=True),
    "survived": Fact(
        says={"who": text, "covered": whole},
        way=_survived,
        sound="word_kept",
        priority=True,
        headline=True,
    ),
    "revealed": Fact(
        says={
            "who": text,
            "rack": text,
            "places": a_list(whole),
            "word": maybe(text),
            "points": whole,
            "to": maybe(text),
        },
        way=_revealed,
        priority=True,
    ),
    "revealed.unknown": Fact(silent=True),
    "revealed.end": Fact(headline=True),
    "interrupted": Fact(
        says={"who": text, "whom": text, "rack": text, "right": truth},
        way=_interrupted,
        priority=True,
        headline=True,
    ),
    "interrupted.right": Fact(sound="interruption_right"),
    "interrupted.wrong": Fact(sound="interruption_wrong"),
    "moot": Fact(says={"who": text}, skippable=True),
    "misspelled": Fact(says={"who": text, "rack": text}, priority=True, headline=True),
    "corrected": Fact(says={"who": text, "points": whole}, priority=True, headline=True),
    "left": Fact(says={"who": text}, priority=True, headline=True),
    "stopped": Fact(says={}, priority=True, headline=True),
    "game_over": Fact(
        says={"winners": a_list(text), "scores": a_dict(whole)},
        way=_game_over,
        sound="won_probe",
        priority=True,
        headline=True,
        ends=True,
    ),
}
