"""The MQTT topics of an evening, and the checks of the facts in their messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote

from checked_input.checks import (
    OptionalKey,
    both,
    condition,
    either,
    first_mistake,
    known_word,
    list_of,
    mapping_of,
    nullable,
    number,
    pair_of,
    pattern,
    size_between,
    table,
    text,
)
from companion.core.name_comparison import normalise_name
from companion_club.seating.facts import (
    MAX_NAME_LETTERS,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_ROUNDS,
    SEATING_RULES,
    TABLE_SEATS,
    TOTAL_KINDS,
)

Fact: TypeAlias = "Mapping[str, Any]"
"""Type of a fact about an evening: its fields by name."""
ROOT_TOPIC: Final = "companion"
GUEST_USER: Final = "guest"
"""User name of read-only guests; the broker disconnects a guest who publishes or sets a will."""
BOX_NAME_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""Pattern that matches the name of a box."""
RESULT_TOPIC_PATTERN: Final = re.compile(r"result/([1-9][0-9]{0,2})/([1-9][0-9]{0,3})")
BELL_TIME_PATTERN: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
"""Pattern that matches the time at which the bell rings, such as `2026-11-21T22:00`."""
SEED_PATTERN: Final = re.compile(r"[0-9a-f]{0,256}")
EVENING_NAME_PATTERN: Final = re.compile(r"[a-z0-9-]{1,40}")
"""Pattern that matches an evening's name in MQTT topics."""
ALLOWED_ROUND_NUMBERS: Final = range(1, MAX_ROUNDS + 1)


def person_topic(name: str) -> str:
    """Return the topic of the fact about a person; the name in the topic is percent-encoded."""
    return f"people/{quote(name, safe='')}"


def result_topic(number: int, table: int) -> str:
    """Return the topic of a table's result in round `number`; both numbers count from 1."""
    return f"result/{number}/{table}"


def presence_topic(box: str) -> str:
    """Return the topic of the message that states whether a box is online."""
    return f"box/{box}/online"


def person_in_topic(topic: str) -> str | None:
    """Return the person's name in a topic `people/…`; None for any other topic."""
    return unquote(topic.removeprefix("people/")) if topic.startswith("people/") else None


def round_and_table_in_topic(topic: str) -> tuple[int, int] | None:
    """Return the numbers of round and table in a topic `result/…`; None for any other topic."""
    match = RESULT_TOPIC_PATTERN.fullmatch(topic)
    return (int(match[1]), int(match[2])) if match else None


def box_in_topic(topic: str) -> str | None:
    """Return the name of the box in a topic `box/…/online`; None for any other topic."""
    parts = topic.split("/")
    match parts:
        case ["box", box, "online"] if BOX_NAME_PATTERN.fullmatch(box):
            return box
        case _:
            return None


def is_rules_person_result_topic(topic: str) -> bool:
    """Return True if the topic is about the rules, a person or a result of an evening."""
    name = person_in_topic(topic)
    if name is not None:
        return is_valid_person_name(name) and person_topic(name) == topic
    return topic == "rules" or round_and_table_in_topic(topic) is not None


def is_valid_fact_of_topic(topic: str, fact: Fact) -> bool:
    """Return True if the fact matches the schema of its topic."""
    if topic == "rules":
        return first_mistake(RULES_FACT_CHECK, fact) is None
    return (
        first_mistake(PERSON_CHECK if topic.startswith("people/") else RESULT_CHECK, fact) is None
    )


def shorten_title_for_display(text: str) -> str:
    """Return a title or a game's name as one line of up to 40 letters for the display.

    A non-breaking space, such as the space before a French "!", becomes a normal space.
    """
    line = "".join(filter(str.isprintable, " ".join(text.split())))
    return line[:MAX_NAME_LETTERS].strip()


def rules_with_short_titles(fact: Fact) -> Fact:
    """Return the evening's rules with the title and the game's name shortened for the display."""
    return {
        **fact,
        "title": shorten_title_for_display(fact["title"]),
        "game": shorten_title_for_display(fact["game"]),
    }


def is_valid_person_name(name: str) -> bool:
    """Return True if the text is a valid name of a person."""
    return (
        bool(name)
        and len(name) <= MAX_NAME_LETTERS
        and name.isprintable()
        and normalise_name(name) == name
    )


ROUND_CHECK: Final = number(ALLOWED_ROUND_NUMBERS[0], ALLOWED_ROUND_NUMBERS[-1])
SPANS_CHECK: Final = list_of(pair_of(ROUND_CHECK, nullable(ROUND_CHECK)))
NAME_CHECK: Final = text(condition(is_valid_person_name, "name"))
POINTS_CHECK: Final = mapping_of(
    number(-MAX_POINTS, MAX_POINTS),
    size_between(0, TABLE_SEATS[-1]),
    condition(lambda found: all(map(is_valid_person_name, found)), "names"),
)
RULES_FACT_CHECK: Final = table(
    title=text(),
    game=text(),
    rule=text(known_word("rule", SEATING_RULES)),
    games=nullable(ROUND_CHECK),
    which_total=text(known_word("total", TOTAL_KINDS)),
    seed=text(pattern(SEED_PATTERN)),
    seats=number(TABLE_SEATS[0], TABLE_SEATS[-1]),
    last=nullable(ROUND_CHECK),
    tables=OptionalKey(number(1, MAX_PLAYERS)),
    until=OptionalKey(nullable(text(pattern(BELL_TIME_PATTERN)))),
)
"""Schema of an evening's rules; `tables` and `until` exist only if the evening was opened at a box.
"""
PERSON_CHECK: Final = table(
    here=both(SPANS_CHECK, size_between(1, MAX_ROUNDS)),
    stay=SPANS_CHECK,
    plays_for=nullable(NAME_CHECK),
)
"""Schema of the fact about a person in an evening.

`here` lists the rounds in which the person plays; `stay` lists the rounds in which the person keeps
the table. `here` and `stay` are lists of [first round, last round]; None as the last round means an
open end. `plays_for` names the player whom the person replaces from the first round of `here` on.
"""
PROOF_CHECK: Final = table(
    id=text(),
    game=OptionalKey(text()),
    commitment=OptionalKey(text()),
    seed=OptionalKey(text()),
    line=OptionalKey(text()),
)
SLIP_CHECK: Final = table(slip=text(), box=text())
RESULT_CHECK: Final = table(
    points=POINTS_CHECK,
    before=OptionalKey(list_of(table(to=ROUND_CHECK, points=POINTS_CHECK))),
    game=OptionalKey(nullable(either(PROOF_CHECK, SLIP_CHECK))),
)
"""Schema of a table's result.

`points`: table from a player to the player's points. `before`: the points before each correction.
`game` is the proof of a recorded game, a scanned code, or None for typed points.
"""
