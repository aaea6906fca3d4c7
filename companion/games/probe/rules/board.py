"""Racks, words and activity cards of Probe (PR-1, PR-2, PR-5, PR-16)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from companion.core.game import Edition
from companion.core.letters import strip_accents

Seat: TypeAlias = int
Place: TypeAlias = int
"""A place on a rack, from 1; a word starts at place 1 with its dots."""

PLACE_VALUES: Final = (5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5)
"""Points of each place (PR-2)."""
PLACE_COUNT: Final = len(PLACE_VALUES)
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DOT: Final = "."
NO_DOT_ANSWER: Final = "none"
"""The answer of a player who has no dot to uncover."""
MIN_LETTERS: Final = 4
"""Minimum number of letters of a word (PR-1)."""
MAX_DOTS: Final = 5
SOLVED_POINTS: Final = 50
"""Points for guessing the last covered place of a word (PR-7)."""
NO_DOT_POINTS: Final = -50
"""Points for asking for a dot that does not exist (PR-10)."""
MISSPELLED_POINTS: Final = -100
MIN_GUARDED_PLACES: Final = 5
"""From this number of covered places a word can be guessed whole, and earns more at the end."""
GUESSED_POINTS: Final = 100
WRONG_GUESS_POINTS: Final = -50
SECRET_WORD_POINTS: Final = 50
"""Points for a word that is not open at the end (PR-13)."""
WELL_GUARDED_POINTS: Final = 100
LAST_ROUND_COUNT: Final = 2
POINTS_STEP: Final = 5
"""Step by which players change a number of points that they enter."""

NORMAL, AGAIN = "normal", "additional_turn"
LEFT, RIGHT, OWN_DOT = "left_uncovers", "right_uncovers", "own_dot"
TIMES, POINTS = "times", "points"
BY_HAND: Final = "by_hand"
"""Kind of a card whose effect the players carry out by correcting the totals (PR-6)."""
CARDS_WITHOUT_POINTS: Final = (
    NORMAL,
    AGAIN,
    LEFT,
    RIGHT,
    OWN_DOT,
    *(f"{TIMES} {n}" for n in (3, 4, 5)),
)
"""Kinds of cards without points, by their names (PR-5)."""
WORD_PATTERN: Final = r"^(?=.{4,12}$)(?!(?:.*\.){6})\.*[A-Za-z]{4,12}\.*$"
"""Pattern of a word without accents, for programs; `word_error` is the complete check."""
SAMPLE_WORDS: Final = (
    "PROBE", ".FLAP", "WORD.", "..RACK", "LETTER..", ".SECRET.", "GUESSING", "DOTS.....",
    ".....HIDE", "..SPELLING..", "ACTIVITIES", "INTERRUPTION",
)  # fmt: skip
"""Valid words with dots, from which random players choose."""


class Card(NamedTuple):
    """An activity card; `n` is the multiplier or the points, for those kinds (PR-5)."""

    kind: str
    n: int | None = None


class Rack(NamedTuple):
    """A word under its flaps.

    `word`: the word with its dots. "?" stands for a letter that the box does not know; "" means
    that no word was entered. `covered`: the places that are covered, in order.
    """

    word: str = ""
    covered: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Table:
    """The data that never change during a game: players, racks, cards and options.

    `held`: the numbers of each seat's racks. `opens`: the way to choose which place of a secret
    word is uncovered. "owner": the owner chooses. "cheapest" or "chance": the box takes the
    cheapest place, or a random place.
    """

    players: tuple[str, ...]
    racks: tuple[str, ...]
    held: tuple[tuple[int, ...], ...]
    cards: tuple[Card, ...]
    counts: tuple[int, ...]
    secret: bool
    own: bool
    remember: bool
    first: Seat = 0
    opens: str = "owner"

    def owner(self, rack: int) -> Seat:
        """Return the seat that owns a rack."""
        return rack // len(self.held[0])


def make_table(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> Table:
    """Return the players, racks, cards and options of a new game as a Table.

    `edition`: the parsed file edition.toml.
    """
    two = len(players) == 2  # noqa: PLR2004 - PR-16
    racks = tuple(f"{who}:{side}" for who in players for side in ("left", "right"))
    each = 2 if two else 1
    printed = [entry for entry in edition["card"] if entry["count"]]
    return Table(
        players=players,
        racks=racks if two else players,
        held=tuple(tuple(range(i * each, i * each + each)) for i in range(len(players))),
        cards=tuple(parse_card(entry["name"]) for entry in printed),
        counts=tuple(entry["count"] for entry in printed),
        secret=options["words"] == "secret",
        own=options["deck"] == "own",
        remember=options["remember"] == "yes",
        first=(int(options.get("begins", "1")) - 1) % len(players),
        opens=options.get("opens", "owner"),
    )


def parse_card(name: str) -> Card:
    """Return the card with a name of the edition: `normal`, `times 3`, `points -10`."""
    kind, _, n = name.partition(" ")
    return Card(kind, int(n) if n else None)


@lru_cache(maxsize=64)
def card_name(card: Card) -> str:
    """Return a card's name in the edition and in answers."""
    return card.kind if card.n is None else f"{card.kind} {card.n}"


def normalise_word(text: str) -> str:
    """Return a word as a rack shows it: capitals without accents, dots at the ends (PR-1)."""
    return strip_accents(text)


def word_error(text: str) -> str | None:
    """Return the code of a word's fault, or None if the word is valid (PR-1)."""
    word = normalise_word(text)
    letters = word.strip(DOT)
    if re.fullmatch(r"[A-Z.]*", word) is None:
        return "word_letters"
    if DOT in letters:
        return "word_dot_inside"
    if len(letters) < MIN_LETTERS:
        return "word_short"
    if len(word) > PLACE_COUNT:
        return "word_long"
    if len(word) - len(letters) > MAX_DOTS:
        return "word_dots"
    return None
