"""How a game's facts are told: one table a game, one row a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from checked_input.checks import label, text
from companion.core.prompts import LEAVES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from checked_input.checks import Check, May
    from companion.core.game import Cue, Cues

NAME: Final = text(label(1, 100))
"""A name or another short text: the check of most fields of a fact."""


class Fact(NamedTuple):
    """How one fact is told; what a row leaves out is not so.

    `says` has the fields of a public fact, each with the check of its value, and `secret` those of
    a fact that one player alone is sent. A fact that is told in several ways has a `way(cue)`: its
    sentences then stand under the fact's name and that way, `trap.kojak`; "" or None is the fact's
    own name. A row of such a name says only what differs from the fact's own row, which alone has
    `says`, `secret`, `way` and `cites`.

    Heard: `sound` is the name of a sound; `dealt`: the sound is of the box as it deals and draws,
    so that a table with cards of its own does not hear it. A `priority` fact (danger, money) is
    said whatever comes after it; a `skippable` one is the first to go unsaid, whatever else it is;
    an `alarming` one interrupts all that is older. `addressed`: the fact concerns its `who` alone:
    it is said in that player's language, and shown by itself.

    `until` names facts after which its sentence is true no longer, and is not said if it still
    waits: those that have the same value of the field `about`, or none.

    Shown: a `silent` fact makes no moment, a `headline` begins one, an `inline` one only stands
    under another. `news`: a private fact that its player wants to see at once. `ends`: the standing
    of the finished game shows the fact by itself.

    `cites(words, cue)`, with the game's `Words`, gives the parts of the rules behind the fact, the
    most particular first: a clause (`BM-9`), or a part of one that has a sentence of its own
    (`BM-9.gang`). Without it, or if it gives none, that is the fact's own clause.
    """

    says: Mapping[str, Check | May] | None = None
    secret: Mapping[str, Check | May] | None = None
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

    def but(self, other: Fact) -> Fact:
        """This row, but for what the other one says."""
        said = other._asdict().items()
        return self._replace(**{name: value for name, value in said if value is not None})


Facts: TypeAlias = "Mapping[str, Fact]"
"""The rows of a game, by the names of facts, and of the ways in which they are told; the row "" is
that of all facts which have none.
"""
UNTOLD: Final = Fact()
"""The row of a fact that has none."""


def variant(facts: Facts, cue: Cue) -> str:
    """The name of a fact with the way in which it is told, `trap.kojak`: that of its sentences."""
    find = own_row(facts, cue.name).way
    way = find(cue) if find else None
    return f"{cue.name}.{way}" if way else cue.name


def row(facts: Facts, name: str, variant: str) -> Fact:
    """How a fact of that name is told in that way."""
    own = own_row(facts, name)
    return own.but(facts[variant]) if variant != name and variant in facts else own


def own_row(facts: Facts, name: str) -> Fact:
    """The row of a fact itself, in whatever way it is told."""
    return facts.get(name) or facts.get("", UNTOLD)


def way_by(field: str) -> Callable[[Cue], str]:
    """The way that a field of the fact names, if it is there."""
    return lambda cue: str(cue.facts.get(field, ""))


def way_if(flag: str) -> Callable[[Cue], str]:
    """The way that is called as a field of the fact, where that field is true."""
    return lambda cue: flag if cue.facts[flag] else ""


def _refused(cue: Cue) -> str:
    """Why an answer is refused; that a player cannot leave yet has a way of its own."""
    code, question = cue.facts.get("code", ""), cue.facts.get("question")
    return f"{code}.{LEAVES}" if (code, question) == ("not_asked", LEAVES) else str(code)


OF_PLAY: Final[Facts] = {
    "undone": Fact(sound="undo", way=way_by("left")),
    "redone": Fact(sound="redo"),
    "program": Fact(sound="accepted", headline=True, way=way_by("question")),
    "wish": Fact(sound="accepted", headline=True, way=way_by("value")),
    "why": Fact(sound="accepted"),
}
"""The facts of the box that name a question, an answer or a ruling of the game."""
OF_THE_BOX: Final[Facts] = {
    "erased": Fact(sound="undo"),
    "refused": Fact(sound="refused", way=_refused),
    "program_kept": Fact(sound="accepted", headline=True),
    "program_away": Fact(),
    "program_silent": Fact(),
    "program_shut": Fact(),
    "box_sits": Fact(),
    "person_sits": Fact(),
    "hint": Fact(sound="accepted"),
    "help": Fact(sound="accepted", way=way_by("does")),
    "sound": Fact(way=way_by("how")),
    "sound.on": Fact(sound="accepted"),
    "ear": Fact(sound="accepted", way=way_by("how")),
    "detail": Fact(sound="accepted", way=way_by("how")),
    "hardware": Fact(way=way_by("part")),
    "stuck": Fact(way=way_by("button")),
    "rare": Fact(skippable=True, way=way_by("what")),
    "assumed": Fact(sound="accepted"),
    "ten_seconds": Fact(),
    "walk": Fact(sound="accepted"),
    "evening_trouble": Fact(way=way_by("why")),
}
"""The facts of the box that need no game."""
SHARED: Final[Facts] = {**OF_PLAY, **OF_THE_BOX}
"""The facts of the box, which every game has too."""
NOTICES: Final = frozenset(
    {
        *("broken", "damaged", "door_shut", "edition", "evening_conflict", "evening_goes"),
        *("evening_here", "evening_over", "left_out", "new_address", "no_network", "no_word_list"),
        *("not_installed", "outgrown", "past", "people", "ready", "record_moved"),
        *("record_narrowed", "reset", "rules_changed", "slip", "stick_failed", "stick_kept"),
        "unknown_game",
    }
)
"""Facts of the box that have sentences and no row: notices that are shown beside any game."""
FACTS_OF_ANY_GAME: Final = frozenset(
    {*(name for name in SHARED if "." not in name), *NOTICES, "left"}
)
"""The facts that the box words for a game without a sentence: its own, and `left`."""


class FactTable:
    """How the facts of one game are told. `deals`: the box deals the cards of the game."""

    def __init__(self, facts: Facts, *, deals: bool) -> None:
        self._facts: Facts = {**SHARED, **facts}
        self._deals = deals
        self._rows: dict[str, Fact] = {}

    def moments(self, cues: Cues) -> list[Cues]:
        """The facts that everybody may read: each time one that leads, and what follows it."""
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
        """The name of a fact with the way in which it is told."""
        return variant(self._facts, cue)

    def fact(self, cue: Cue) -> Fact:
        """How a fact is told."""
        told = self.variant(cue)
        if told not in self._rows:
            self._rows[told] = row(self._facts, cue.name, told)
        return self._rows[told]

    def is_news(self, cue: Cue) -> bool:
        """Whether a private fact is one that its player wants to see at once."""
        return cue.to is not None and bool(self.fact(cue).news)

    def addressed(self, cue: Cue) -> str | None:
        """The player whom alone a public fact concerns; None if it is everybody's."""
        who: str | None = cue.facts.get("who") if self.fact(cue).addressed else None
        return who

    def sound(self, cue: Cue) -> str | None:
        """The name of the sound of a fact, if it has one.

        Where the table deals, a way of telling that sounds of dealing sounds as its fact does.
        """
        heard = (self.fact(cue), own_row(self._facts, cue.name))
        return next((fact.sound for fact in heard if self._deals or not fact.dealt), None)

    def argued(self, cues: Cues) -> Cue:
        """The fact that people argue about: the last that leads a frame, or else the last."""
        return next(filter(self._leads, reversed(cues)), cues[-1])

    def _leads(self, cue: Cue) -> bool:
        return bool(own_row(self._facts, cue.name).headline)
