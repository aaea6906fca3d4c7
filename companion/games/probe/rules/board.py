"""Probe's racks, words and activity cards (PR-1, PR-2, PR-5, PR-16).

A dot is a blank place before or after the letters of a word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from companion.core.game import Edition
from companion.core.letters import capitals_without_accents

Seat: TypeAlias = int
Place: TypeAlias = int
"""Number of a place on a rack, from 1; a word and its dots start at place 1."""

PLACE_VALUES: Final = (5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5)
"""Points of each place on a rack (PR-2)."""
PLACE_COUNT: Final = len(PLACE_VALUES)
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DOT: Final = "."
NO_DOT_ANSWER: Final = "none"
"""Answer of a rack's owner that no covered place has a dot."""
MIN_LETTERS: Final = 4
"""Minimum number of letters of a word; dots are not counted (PR-1)."""
MAX_DOTS: Final = 5
LAST_PLACE_POINTS: Final = 50
"""Additional points for the player whose request uncovers the last covered place of a word (PR-7).
"""
MISSED_DOT_POINTS: Final = -50
"""Points (negative) of a player who requests a dot from a rack without a covered dot (PR-10)."""
MISSPELLED_POINTS: Final = -100
MIN_COVERED_PLACES: Final = 5
"""Minimum number of covered places for two rules: the guess of a word (PR-15), and the bonus for
the last player (PR-13).
"""
GUESSED_POINTS: Final = 100
WRONG_GUESS_POINTS: Final = -50
LAST_HIDDEN_WORD_POINTS: Final = 50
"""Points for the owner of the last hidden word, if the word is not open at the end (PR-13)."""
FIVE_COVERED_PLACES_POINTS: Final = 100
LAST_ROUND_COUNT: Final = 2
POINTS_STEP: Final = 5
"""Points that players enter are a multiple of this number."""

NORMAL, AGAIN = "normal", "additional_turn"
LEFT, RIGHT, OWN_DOT = "left_uncovers", "right_uncovers", "own_dot"
TIMES, POINTS = "times", "points"
BY_HAND: Final = "by_hand"
"""Kind of a card whose effect the players carry out themselves, by a correction of totals (PR-6).
"""
CARDS_WITHOUT_POINTS: Final = (
    NORMAL,
    AGAIN,
    LEFT,
    RIGHT,
    OWN_DOT,
    *(f"{TIMES} {n}" for n in (3, 4, 5)),
)
"""Names of the activity cards that neither add nor subtract points (PR-5)."""
WORD_PATTERN: Final = r"^(?=.{4,12}$)(?!(?:.*\.){6})\.*[A-Za-z]{4,12}\.*$"
"""Regular expression of a valid word without accents, for checks by clients.

The function `word_error_code` checks more.
"""
SAMPLE_WORDS: Final = (
    "PROBE", ".FLAP", "WORD.", "..RACK", "LETTER..", ".SECRET.", "GUESSING", "DOTS.....",
    ".....HIDE", "..SPELLING..", "ACTIVITIES", "INTERRUPTION",
)  # fmt: skip
"""Valid words with dots, from which players in random play choose a word to hide."""


class ActivityCard(NamedTuple):
    """An activity card (PR-5).

    `n`: the multiplier or the number of points, or None for a card without a number.
    """

    kind: str
    n: int | None = None


class Rack(NamedTuple):
    """A rack with a player's word, whose letters are under flaps.

    - `word`: the word with its dots, or "" before the word is entered. A letter that the box does
      not know is "?".
    - `covered`: the numbers of the covered places, in ascending order.
    """

    word: str = ""
    covered: tuple[Place, ...] = ()


@dataclass(frozen=True)
class TableSetup:
    """Setup of a game, which never changes: players, racks, cards and options.

    - `racks`: the name of each rack: the owner's name, in a game of two also the rack's side.
    - `held`: for each seat, the indices of the seat's racks.
    - `cards`, `counts`: the different cards, and how often each card is in the deck.
    - `secret` is True if the box knows the words.
    - `own` is True if the players use a real deck.
    - `remember` is True if the box lists the requested letters (PR-4).
    - `first`: the seat of the first player.
    - `opens`: how a place is chosen if several places have the requested letter (PR-3). "owner":
      the word's owner chooses. "cheapest" or "chance": the box chooses.
    """

    players: tuple[str, ...]
    racks: tuple[str, ...]
    held: tuple[tuple[int, ...], ...]
    cards: tuple[ActivityCard, ...]
    counts: tuple[int, ...]
    secret: bool
    own: bool
    remember: bool
    first: Seat = 0
    opens: str = "owner"

    def seat_owning_rack(self, rack: int) -> Seat:
        """Return the seat to which the rack with the index `rack` belongs."""
        return rack // len(self.held[0])


def make_table_setup(
    players: tuple[str, ...], options: Mapping[str, str], edition: Edition
) -> TableSetup:
    """Return the setup of a new game, from its players, options and edition.

    `edition`: the parsed file `edition.toml`.
    """
    two = len(players) == 2  # noqa: PLR2004 - PR-16
    racks = tuple(f"{who}:{side}" for who in players for side in ("left", "right"))
    each = 2 if two else 1
    printed = [entry for entry in edition["card"] if entry["count"]]
    return TableSetup(
        players=players,
        racks=racks if two else players,
        held=tuple(tuple(range(i * each, i * each + each)) for i in range(len(players))),
        cards=tuple(parse_activity_card(entry["name"]) for entry in printed),
        counts=tuple(entry["count"] for entry in printed),
        secret=options["words"] == "secret",
        own=options["deck"] == "own",
        remember=options["remember"] == "yes",
        first=(int(options.get("begins", "1")) - 1) % len(players),
        opens=options.get("opens", "owner"),
    )


def parse_activity_card(name: str) -> ActivityCard:
    """Return the activity card for a name such as `normal`, `times 3` or `points -10`."""
    kind, _, n = name.partition(" ")
    return ActivityCard(kind, int(n) if n else None)


@lru_cache(maxsize=64)
def activity_card_name(card: ActivityCard) -> str:
    """Return the name of an activity card, as used in the edition and in answers."""
    return card.kind if card.n is None else f"{card.kind} {card.n}"


def normalise_word(text: str) -> str:
    """Return a word as it is on a rack: in capitals, without accents, with its dots (PR-1)."""
    return capitals_without_accents(text)


def word_error_code(text: str) -> str | None:
    """Return the code of the first mistake in a word, or None if the word is valid (PR-1)."""
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
