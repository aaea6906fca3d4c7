"""The presentation of a game's facts: one table for each game, one row for each fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from checked_input.checks import Check, OptionalKey, line_of_text, text
from companion.core.game import Cue, Cues
from companion.core.prompts import LEAVES_QUESTION

NAME_CHECK: Final = text(line_of_text(1, 100))
"""Check for a name or another short text of at most 100 letters on one line."""


class Fact(NamedTuple):
    """A row of a game's table of facts. A field that is None has no effect.

    Fields of lines: `says` has the fields of a public fact with their checks, `secret` those of a
    private fact.

    Variants: `way(cue)` returns the variant of a fact, such as "kojak"; "" or None is the fact
    itself. The sentences and the row of a variant have the name `trap.kojak`. The row of a variant
    has only the differences. `says`, `secret`, `way` and `cites` belong to the row of the fact.

    Sound and speech:

    - `sound`: the name of a sound.
    - `dealt`: the sound belongs to cards that the box deals; tables with their own cards do not
      hear it.
    - `priority`: it is spoken even if newer facts wait.
    - `skippable`: it is the first to be dropped.
    - `alarming`: it interrupts older sentences.
    - `addressed`: it concerns only its `who`: it is spoken in that player's language and shown
      alone.
    - `until`: the facts after which its waiting sentence is dropped, if their field `about` has an
      equal value.

    Display:

    - `silent`: it is not shown.
    - `headline`: it begins a new picture.
    - `inline`: it is shown only below another fact.
    - `news`: a private fact that its player is shown at once.
    - `ends`: the last standing of a game shows it.

    `cites(words, cue)` returns the clauses behind the fact, the most specific first: `BM-9`, or a
    part with its own sentence (`BM-9.gang`). Without clauses, `Cue.clause` is used.
    """

    says: Mapping[str, Check | OptionalKey] | None = None
    secret: Mapping[str, Check | OptionalKey] | None = None
    way: Callable[[Cue], str | None] | None = None
    sound: str | None = None
    dealt: bool | None = None
    priority: bool | None = None
    skippable: bool | None = None
    alarming: bool | None = None
    addressed: bool | None = None
    until: frozenset[str] | None = None
    about: str | None = None
    silent: bool | None = None
    headline: bool | None = None
    inline: bool | None = None
    news: bool | None = None
    ends: bool | None = None
    cites: Callable[[Any, Cue], tuple[str, ...]] | None = None

    def overridden_by(self, other: Fact) -> Fact:
        """Return this row with the fields that `other` sets."""
        fields = other._asdict().items()
        return self._replace(**{name: value for name, value in fields if value is not None})


Facts: TypeAlias = "Mapping[str, Fact]"
"""Table of facts of a game: one row for each fact or variant, by name.

The row "" is used for all facts that have no row.
"""
EMPTY_ROW: Final = Fact()
"""Row of a fact that is not in the table of facts."""


def variant_name(facts: Facts, cue: Cue) -> str:
    """Return the name of a fact with its variant, such as `trap.kojak`."""
    find = fact_row(facts, cue.name).way
    way = find(cue) if find else None
    return f"{cue.name}.{way}" if way else cue.name


def variant_row(facts: Facts, name: str, variant: str) -> Fact:
    """Return the row of a fact's variant; fields that are None come from the fact's row."""
    row = fact_row(facts, name)
    return row.overridden_by(facts[variant]) if variant != name and variant in facts else row


def fact_row(facts: Facts, name: str) -> Fact:
    """Return the row of a fact, without the rows of its variants."""
    return facts.get(name) or facts.get("", EMPTY_ROW)


def variant_by_field(field: str) -> Callable[[Cue], str]:
    """Return a function that returns the value of `field` as the variant, "" if it is missing."""
    return lambda cue: str(cue.facts.get(field, ""))


def variant_if_flag(flag: str) -> Callable[[Cue], str]:
    """Return a function that returns `flag` as the variant if the fact's field `flag` is true."""
    return lambda cue: flag if cue.facts[flag] else ""


def _refused(cue: Cue) -> str:
    """Return the variant for a refusal; a player who cannot leave yet has a special one."""
    code, question = cue.facts.get("code", ""), cue.facts.get("question")
    return (
        f"{code}.{LEAVES_QUESTION}"
        if (code, question) == ("not_asked", LEAVES_QUESTION)
        else str(code)
    )


PLAY_FACTS: Final[Facts] = {
    "undone": Fact(sound="undo", way=variant_by_field("left")),
    "redone": Fact(sound="redo"),
    "resumed": Fact(),
    "program": Fact(sound="accepted", headline=True, way=variant_by_field("question")),
    "wish": Fact(sound="accepted", headline=True, way=variant_by_field("value")),
    "hint": Fact(sound="accepted", way=lambda cue: "open" if "value" in cue.facts else ""),
    "why": Fact(sound="accepted"),
}
"""Table of the box's facts that name a question, an answer or a ruling of the game."""
BOX_FACTS: Final[Facts] = {
    "erased": Fact(sound="undo"),
    "refused": Fact(sound="refused", way=_refused),
    "program_kept": Fact(sound="accepted", headline=True),
    "program_away": Fact(),
    "program_silent": Fact(),
    "program_shut": Fact(),
    "program_even": Fact(),
    "box_sits": Fact(),
    "person_sits": Fact(),
    "help": Fact(sound="accepted", way=variant_by_field("does")),
    "sound": Fact(way=variant_by_field("how")),
    "sound.on": Fact(sound="accepted"),
    "ear": Fact(sound="accepted", way=variant_by_field("how")),
    "detail": Fact(sound="accepted", way=variant_by_field("how")),
    "hardware": Fact(way=variant_by_field("part")),
    "stuck": Fact(way=variant_by_field("button")),
    "rare": Fact(skippable=True, way=variant_by_field("what")),
    "assumed": Fact(sound="accepted"),
    "ten_seconds": Fact(),
    "walk": Fact(sound="accepted"),
}
"""Table of the box's facts that are announced without a game, too."""
SHARED_FACTS: Final[Facts] = {**PLAY_FACTS, **BOX_FACTS}
"""Table of the box's facts, which is part of every game's table."""
NOTICES: Final = frozenset(
    {
        *("broken", "damaged", "door_shut", "edition", "left_out", "new_address", "no_network"),
        *("no_word_list", "not_installed", "outgrown", "past", "people", "ready", "record_moved"),
        *("record_narrowed", "reset", "rules_changed", "slip", "stick_failed", "stick_kept"),
        "unknown_game",
    }
)
"""Names of the box's facts that have sentences but no row: notices shown beside any game."""
FACTS_OF_ANY_GAME: Final = frozenset(
    {*(name for name in SHARED_FACTS if "." not in name), *NOTICES, "left"}
)
"""Names of the facts for which the box has a sentence if a game has none."""


class FactTable:
    """The rows of one game. `deals`: the box deals the cards."""

    def __init__(self, facts: Facts, *, deals: bool) -> None:
        self._facts: Facts = {**SHARED_FACTS, **facts}
        self._deals = deals
        self._rows: dict[str, Fact] = {}

    def group_moments(self, cues: Cues) -> list[Cues]:
        """Return the public facts in groups: each group is shown as one picture."""
        moments: list[Cues] = []
        for cue in cues:
            fact = self.fact(cue)
            if cue.to is not None or fact.silent or (fact.inline and not moments):
                continue
            if not moments or fact.headline or fact.addressed:
                moments.append((cue,))
            else:
                moments[-1] = (*moments[-1], cue)
        return moments

    def variant(self, cue: Cue) -> str:
        """Return the name of a fact and its variant, such as `trap.kojak`."""
        return variant_name(self._facts, cue)

    def fact(self, cue: Cue) -> Fact:
        """Return the row of a fact's variant."""
        variant = self.variant(cue)
        if variant not in self._rows:
            self._rows[variant] = variant_row(self._facts, cue.name, variant)
        return self._rows[variant]

    def is_news(self, cue: Cue) -> bool:
        """Return True if a private fact is shown to its player at once."""
        return cue.to is not None and bool(self.fact(cue).news)

    def addressee(self, cue: Cue) -> str | None:
        """Return the only player whom a public fact concerns; None for everybody."""
        who: str | None = cue.facts.get("who") if self.fact(cue).addressed else None
        return who

    def sound(self, cue: Cue) -> str | None:
        """Return the name of a fact's sound; None if the fact has no sound.

        If the players deal their own cards, a variant with a dealing sound has the sound of its
        fact.
        """
        heard = (self.fact(cue), fact_row(self._facts, cue.name))
        return next((fact.sound for fact in heard if self._deals or not fact.dealt), None)

    def disputed_fact(self, cues: Cues) -> Cue:
        """Return the fact that *Why?* explains first: the last headline, or else the last fact."""
        return next(filter(self._leads, reversed(cues)), cues[-1])

    def _leads(self, cue: Cue) -> bool:
        return bool(fact_row(self._facts, cue.name).headline)
