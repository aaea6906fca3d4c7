"""The presentation of a game's events: a table of facts has one row for each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from checked_input.checks import Check, OptionalKey, line_of_text, text
from companion.core.game import Cue, Cues
from companion.core.prompts import LEAVING_PLAYER_QUESTION

NAME_CHECK: Final = text(line_of_text(1, 100))
"""Check of an event's field that must be one line of text with 1 to 100 letters, such as a name."""


class FactPresentation(NamedTuple):
    """A row in a game's table of facts: how the box presents one kind of event.

    A field of the row that is None has no effect.

    Checks of the event's data:

    - `fields`: table from each field of the public event to its check.
    - `private_fields`: table from each field of the private event to its check.

    Variants:

    - `variant(cue)`: returns the variant of the event, such as "kojak". The values "" and None mean
      no variant.

    The sentences and the row of a variant are named after the event and the variant, as in
    `trap.kojak`. A variant's row contains only fields that differ from the event's row. The fields
    `fields`, `private_fields`, `variant` and `cites` have an effect only in the event's row.

    Sound and speech:

    - `sound`: the name of the event's sound.
    - `sounds_like_dealing`: if True, the sound imitates cards that the box deals. The box does not
      play the sound if the players use their own cards.
    - `priority`: if True, the box speaks about the event even if newer events wait.
    - `skippable`: if True, the box drops this event first when too many events wait.
    - `alarming`: if True, the event interrupts the speech about older events.
    - `addressed`: if True, the event concerns only the player in its field `who`. The box speaks in
      the player's language, and shows the event alone.
    - `until`: names of later events. If one of these later events concerns the same subject, the
      box drops the waiting speech about the earlier event.
    - `about`: the name of the field with the event's subject, such as a player or a colour.

    Display:

    - `silent`: if True, the display does not show the event.
    - `headline`: if True, the event begins a new picture.
    - `inline`: if True, the display shows the event only below another event.
    - `shown_privately_at_once`: if True, the box shows the private event to its player at once.
    - `shown_in_final_score`: if True, the final score of a game shows the event.

    Clauses:

    - `cites(words, cue)`: returns the clauses that explain the event, the most specific clause
      first. A clause is `BM-9`, or a part with its own sentence (`BM-9.gang`). If `cites` returns
      no clause, the clause in `Cue.clause` explains the event.
    """

    fields: Mapping[str, Check | OptionalKey] | None = None
    private_fields: Mapping[str, Check | OptionalKey] | None = None
    variant: Callable[[Cue], str | None] | None = None
    sound: str | None = None
    sounds_like_dealing: bool | None = None
    priority: bool | None = None
    skippable: bool | None = None
    alarming: bool | None = None
    addressed: bool | None = None
    until: frozenset[str] | None = None
    about: str | None = None
    silent: bool | None = None
    headline: bool | None = None
    inline: bool | None = None
    shown_privately_at_once: bool | None = None
    shown_in_final_score: bool | None = None
    cites: Callable[[Any, Cue], tuple[str, ...]] | None = None

    def overridden_by(self, other: FactPresentation) -> FactPresentation:
        """Return this row with the fields of `other` that are not None."""
        fields = other._asdict().items()
        return self._replace(**{name: value for name, value in fields if value is not None})


Facts: TypeAlias = "Mapping[str, FactPresentation]"
"""Type of a game's table of facts, which has one row for each event or variant, by name.

The row "" is used for all events that have no row.
"""
EMPTY_ROW: Final = FactPresentation()
"""Row for an event if the table has neither a row for this event nor the row ""."""


def fact_variant_name(facts: Facts, cue: Cue) -> str:
    """Return the name of an event with its variant, such as `trap.kojak`."""
    find = fact_row_or_default(facts, cue.name).variant
    way = find(cue) if find else None
    return f"{cue.name}.{way}" if way else cue.name


def fact_variant_row(facts: Facts, name: str, variant: str) -> FactPresentation:
    """Return the row for an event or its variant.

    A field that the variant's row lacks has the value from the event's row.
    """
    row = fact_row_or_default(facts, name)
    return row.overridden_by(facts[variant]) if variant != name and variant in facts else row


def fact_row_or_default(facts: Facts, name: str) -> FactPresentation:
    """Return the row for the event `name`, or else the row "", or else an empty row."""
    return facts.get(name) or facts.get("", EMPTY_ROW)


def make_field_variant_function(field: str) -> Callable[[Cue], str]:
    """Return a function that returns the value of an event's field as the name of the variant.

    The returned function returns "" if the event lacks the field.
    """
    return lambda cue: str(cue.facts.get(field, ""))


def make_flag_variant_function(flag: str) -> Callable[[Cue], str]:
    """Return a function that returns the variant of an event.

    The variant is `flag` if the event's field `flag` is true, otherwise "". The returned function
    raises KeyError if the event lacks the field.
    """
    return lambda cue: flag if cue.facts[flag] else ""


def _refused(cue: Cue) -> str:
    """Return the catalogue variant for an answer that the box refuses.

    The variant is the code of the refusal. For the answer to leave the game, the code `not_asked`
    has a special variant.
    """
    code, question = cue.facts.get("code", ""), cue.facts.get("question")
    return (
        f"{code}.{LEAVING_PLAYER_QUESTION}"
        if (code, question) == ("not_asked", LEAVING_PLAYER_QUESTION)
        else str(code)
    )


BOX_PLAY_FACTS: Final[Facts] = {
    "undone": FactPresentation(sound="undo", variant=make_field_variant_function("left")),
    "redone": FactPresentation(sound="redo"),
    "resumed": FactPresentation(),
    "program": FactPresentation(
        sound="accepted", headline=True, variant=make_field_variant_function("question")
    ),
    "wish": FactPresentation(
        sound="accepted", headline=True, variant=make_field_variant_function("value")
    ),
    "hint": FactPresentation(
        sound="accepted", variant=lambda cue: "open" if "value" in cue.facts else ""
    ),
    "why": FactPresentation(sound="accepted"),
}
"""Table of events of the box itself that concern a question, an answer or a clause of the game."""
BOX_FACTS: Final[Facts] = {
    "erased": FactPresentation(sound="undo"),
    "refused": FactPresentation(sound="refused", variant=_refused),
    "program_kept": FactPresentation(sound="accepted", headline=True),
    "program_away": FactPresentation(),
    "program_silent": FactPresentation(),
    "program_shut": FactPresentation(),
    "program_even": FactPresentation(),
    "box_sits": FactPresentation(),
    "person_sits": FactPresentation(),
    "help": FactPresentation(sound="accepted", variant=make_field_variant_function("does")),
    "sound": FactPresentation(variant=make_field_variant_function("how")),
    "sound.on": FactPresentation(sound="accepted"),
    "ear": FactPresentation(sound="accepted", variant=make_field_variant_function("how")),
    "detail": FactPresentation(sound="accepted", variant=make_field_variant_function("how")),
    "hardware": FactPresentation(variant=make_field_variant_function("part")),
    "stuck": FactPresentation(variant=make_field_variant_function("button")),
    "rare": FactPresentation(skippable=True, variant=make_field_variant_function("what")),
    "assumed": FactPresentation(sound="accepted"),
    "ten_seconds": FactPresentation(),
    "walk": FactPresentation(sound="accepted"),
}
"""Table of events of the box itself that the box can announce even if no game is running."""
SHARED_FACTS: Final[Facts] = {**BOX_PLAY_FACTS, **BOX_FACTS}
"""Table of all events of the box itself. The table of every game includes these rows."""
FACT_NAMES_WITHOUT_PRESENTATION: Final = frozenset(
    {
        *("broken", "damaged", "door_shut", "edition", "left_out", "new_address", "no_network"),
        *("no_word_list", "not_installed", "outgrown", "past", "people", "ready", "record_moved"),
        *("record_narrowed", "reset", "rules_changed", "slip", "stick_failed", "stick_kept"),
        "unknown_game",
    }
)
"""Names of events of the box itself that have sentences, but no row in a table of facts."""
SHARED_FACT_NAMES: Final = frozenset(
    {*(name for name in SHARED_FACTS if "." not in name), *FACT_NAMES_WITHOUT_PRESENTATION, "left"}
)
"""Names of events for which the box's catalogue has a sentence if the game's catalogue has none."""


class FactTable:
    """The table of facts for one game.

    `deals` is True if the box deals the cards, False if the players use their own cards.
    """

    def __init__(self, facts: Facts, *, deals: bool) -> None:
        self._facts: Facts = {**SHARED_FACTS, **facts}
        self._deals = deals
        self._rows: dict[str, FactPresentation] = {}

    def group_facts_by_picture(self, cues: Cues) -> list[Cues]:
        """Return the visible public events in groups, one group for each picture."""
        moments: list[Cues] = []
        for cue in cues:
            fact = self.variant_row_of_fact(cue)
            if cue.to is not None or fact.silent or (fact.inline and not moments):
                continue
            if not moments or fact.headline or fact.addressed:
                moments.append((cue,))
            else:
                moments[-1] = (*moments[-1], cue)
        return moments

    def fact_name_with_variant(self, cue: Cue) -> str:
        """Return the name of an event with its variant, such as `trap.kojak`."""
        return fact_variant_name(self._facts, cue)

    def variant_row_of_fact(self, cue: Cue) -> FactPresentation:
        """Return the row for an event or its variant.

        A field that the variant's row lacks has the value from the event's row.
        """
        variant = self.fact_name_with_variant(cue)
        if variant not in self._rows:
            self._rows[variant] = fact_variant_row(self._facts, cue.name, variant)
        return self._rows[variant]

    def is_private_fact_shown_immediately(self, cue: Cue) -> bool:
        """Return True if the box shows a private event to its player at once."""
        return cue.to is not None and bool(self.variant_row_of_fact(cue).shown_privately_at_once)

    def addressee_of_public_fact(self, cue: Cue) -> str | None:
        """Return the only player whom a public event concerns.

        Return None if the event concerns all players.
        """
        who: str | None = cue.facts.get("who") if self.variant_row_of_fact(cue).addressed else None
        return who

    def fact_sound_name(self, cue: Cue) -> str | None:
        """Return the name of an event's sound, or None if the event has no sound.

        Prefer the sound in the variant's row. If the players use their own cards, ignore a row with
        a sound of dealing cards.
        """
        heard = (self.variant_row_of_fact(cue), fact_row_or_default(self._facts, cue.name))
        return next(
            (fact.sound for fact in heard if self._deals or not fact.sounds_like_dealing), None
        )

    def fact_to_explain_first(self, cues: Cues) -> Cue:
        """Return the event that *Why?* explains first: the last event that began a new picture.

        If no event began a picture, return the last event.
        """
        return next(filter(self._leads, reversed(cues)), cues[-1])

    def _leads(self, cue: Cue) -> bool:
        return bool(fact_row_or_default(self._facts, cue.name).headline)
