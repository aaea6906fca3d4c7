"""Words that fit a rack (PR-1): from installed word lists, and from the words in this package.

For each length, the words of a list are stored as one block of letters. For each letter and place,
one large integer has a bit for each word of the block. The bit is 1 if the word has this letter at
this place. The operator `&` combines these integers into the set of the words that fit a rack. Each
integer is computed when it is first needed.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from random import Random
from typing import Final, NamedTuple

from companion.core.letters import capitals_without_accents
from companion.core.prompts import COVERED_LETTER
from companion.games.probe.known.words_to_hide import (
    ENGLISH_WORDS_TO_HIDE,
    FRENCH_WORDS_TO_HIDE,
    WordsToHide,
)
from companion.games.probe.rules.board import DOT, MAX_DOTS, MIN_LETTERS, PLACE_COUNT, SAMPLE_WORDS
from companion.games.probe.rules.questions import LETTER_FREQUENCIES
from companion.say.dictionary import LISTS_FOLDER, WORD_LISTS

BUILT_IN_WORDS: Final = (
    *SAMPLE_WORDS,
    *dict.fromkeys(
        word for kind in (*ENGLISH_WORDS_TO_HIDE, *FRENCH_WORDS_TO_HIDE) for word in kind
    ),
)
"""Words in this package, which are used mainly if the system has no installed word list."""
LAST_LETTER_CODE: Final = ord("z")
WORD_LENGTHS: Final = range(MIN_LETTERS, PLACE_COUNT + 1)
MAX_TRIES_PER_FIT: Final = 16
"""Limit for trying random words.

If at least one word in MAX_TRIES_PER_FIT words fits, words are tried at random. If fewer words fit,
all fitting words are listed.
"""
BUILT_IN_WORDS_WEIGHT: Final = 0.02
"""Weight of BUILT_IN_WORDS in the random choice of a word; an installed word list has weight 1."""


class RackKnowledge(NamedTuple):
    """A player's knowledge about a rack: its open letters and its refused letters.

    - `open`: the letter of each place, or COVERED_LETTER for a covered place.
    - `refused`: the letters, or the dot, that are on no covered place of the rack.
    """

    open: str
    refused: str


class WordsFittingRack(NamedTuple):
    """Words of one list that fit a rack, with the same numbers of dots before and after the word.

    - `block`: the list's words that have the fitting length.
    - `before`, `after`: the numbers of dots before and after the word.
    - `fits`: the words that fit, as a number with one bit for each word of `block`.
    """

    block: WordsOfOneLength
    before: int
    after: int
    fits: int

    def list_words_with_dots(self) -> Iterator[str]:
        """Yield all words that fit the rack, each with its dots."""
        for n in _bits(self.fits):
            yield f"{DOT * self.before}{self.block.word_by_number(n)}{DOT * self.after}"

    def random_word_with_dots(self, rng: Random) -> str:
        """Return a random word that fits the rack, with its dots; all words are equally likely."""
        word = self.block.word_by_number(self.block.random_word_number(self.fits, rng))
        return f"{DOT * self.before}{word}{DOT * self.after}"


class WordsOfOneLength:
    """Words of one word list that have the same length.

    The methods represent a set of these words as a large integer, with one bit for each word.
    """

    def __init__(self, words: bytes, length: int) -> None:
        self.words, self.length = words, length
        self.count = len(words) // length
        self.all = (1 << self.count) - 1
        self._having: dict[tuple[int, str], int] = {}

    def word_by_number(self, n: int) -> str:
        """Return the word with the number `n` (from 0) in the block."""
        return self.words[n * self.length : (n + 1) * self.length].decode("ascii")

    def bitmask_of_words_with_letter(self, place: int, letter: str) -> int:
        """Return the words that have `letter` at `place`, as a number with one bit for each word.

        The first letter has the place 0.
        """
        key = place, letter
        if key not in self._having:
            column = self.words[place :: self.length][::-1]
            bits = column.translate(_ones(letter))
            self._having[key] = int(bits, 2) if bits else 0
        return self._having[key]

    def bitmask_of_fitting_words(self, core: str, refused: str) -> int:
        """Return the words with all open letters and no refused letter, as one bit for each word.

        `core`: the rack's letters without its dots, with COVERED_LETTER for a covered place.
        """
        fits = self.all
        for place, letter in enumerate(core):
            if letter != COVERED_LETTER:
                fits &= self.bitmask_of_words_with_letter(place, letter)
        for letter in refused if fits else "":
            for place, seen in enumerate(core):
                if seen == COVERED_LETTER:
                    fits &= ~self.bitmask_of_words_with_letter(place, letter)
        return fits

    def random_word_number(self, fits: int, rng: Random) -> int:
        """Return the number of a random word in the set `fits`; all words are equally likely."""
        n = fits.bit_count()
        if n * MAX_TRIES_PER_FIT < self.count:
            return _bits(fits)[rng.randrange(n)]
        while True:
            number = rng.randrange(self.count)
            if fits >> number & 1:
                return number


@cache
def _ones(letter: str) -> bytes:
    return bytes(ord("1") if code == ord(letter) else ord("0") for code in range(256))


@lru_cache(maxsize=64)
def _bits(number: int) -> tuple[int, ...]:
    indices = []
    while number:
        lowest = number & -number
        indices.append(lowest.bit_length() - 1)
        number ^= lowest
    return tuple(indices)


# --- sources of words -----------------------------------------------------------------------------


@cache
def load_words_by_length(name: str) -> tuple[WordsOfOneLength, ...]:
    """Return the words (no names) of an installed word list, grouped by length (PR-1).

    If the file cannot be read, every group is empty.
    """
    try:
        text = (LISTS_FOLDER / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    text = text.replace("œ", "oe").replace("æ", "ae")
    letters = text.encode("latin-1", errors="replace").translate(_plain_letters())
    blocks = []
    for n in WORD_LENGTHS:
        words = re.findall(rb"^[a-z]{%d}$" % n, letters, re.MULTILINE)
        blocks.append(WordsOfOneLength(b"".join(words).upper(), n))
    return tuple(blocks)


def _plain_letters() -> bytes:
    small = [chr(code) for code in range(256) if chr(code).islower()]
    table = {
        ord(letter): ord(capitals_without_accents(letter).lower())
        for letter in small
        if len(capitals_without_accents(letter)) == 1
    }
    return bytes(
        code if table.get(code, 256) > LAST_LETTER_CODE else table[code] for code in range(256)
    )


def installed_word_lists() -> tuple[str, ...]:
    """Return, for each language with an installed word list, the name of one list."""
    there = (
        next((name for name in names if (LISTS_FOLDER / name).exists()), "")
        for names in WORD_LISTS.values()
    )
    return tuple(filter(None, there))


def available_secret_words() -> WordsToHide:
    """Return the words that a computer player can hide.

    The words are French if the only installed word list is French, and English in all other cases.
    """
    return (
        FRENCH_WORDS_TO_HIDE
        if {*installed_word_lists()} == {*WORD_LISTS["fr"]}
        else ENGLISH_WORDS_TO_HIDE
    )


@lru_cache(maxsize=64)
def installed_words_fitting_rack(
    seen: RackKnowledge,
) -> tuple[tuple[WordsFittingRack, ...], tuple[float, ...]]:
    """Return the words of installed lists that fit a rack, and cumulative weights.

    Each WordsFittingRack contains the fitting words of one list with the same numbers of dots
    before and after the word. The cumulative weights serve to choose a WordsFittingRack at random.
    """
    weighted: list[tuple[WordsFittingRack, float]] = []
    for before, after, core in _parted(seen):
        dots = 1 / (1 + before + after)
        for name in installed_word_lists():
            whole = sum(block.count for block in load_words_by_length(name))
            block = load_words_by_length(name)[len(core) - MIN_LETTERS]
            if n := (fits := block.bitmask_of_fitting_words(core, seen.refused)).bit_count():
                weighted.append((WordsFittingRack(block, before, after, fits), n * dots / whole))
    return tuple(fitting for fitting, _ in weighted), tuple(
        accumulate(weight for _, weight in weighted)
    )


def _parted(seen: RackKnowledge) -> Iterator[tuple[int, int, str]]:
    """Yield each way to divide a rack's places into dots, the word, and more dots (PR-1)."""
    n, hidden = len(seen.open), DOT not in seen.refused
    can = [place == DOT or (place == COVERED_LETTER and hidden) for place in seen.open]
    for before in range(MAX_DOTS + 1):
        for after in range(MAX_DOTS + 1 - before):
            core = seen.open[before : n - after]
            if len(core) < MIN_LETTERS or DOT in core:
                continue
            if all(can[:before]) and all(can[n - after :] if after else ()):
                yield before, after, core


@lru_cache(maxsize=64)
def built_in_words_fitting_rack(seen: RackKnowledge) -> tuple[str, ...]:
    """Return the words in BUILT_IN_WORDS that fit a rack."""
    return tuple(text for text in BUILT_IN_WORDS if is_word_possible_on_rack(seen, text))


def random_word_for_rack(seen: RackKnowledge, rng: Random) -> str:
    """Return a random word that fits a rack: listed, of BUILT_IN_WORDS, or of random letters."""
    if COVERED_LETTER not in seen.open:
        return seen.open
    samples, (fitting, sums) = built_in_words_fitting_rack(seen), installed_words_fitting_rack(seen)
    listed = sums[-1] if sums else 0.0
    at = rng.random() * (listed + BUILT_IN_WORDS_WEIGHT * len(samples) / len(BUILT_IN_WORDS))
    if at < listed:
        return fitting[bisect(sums, at)].random_word_with_dots(rng)
    return rng.choice(samples) if samples else _invented(seen, rng)


def list_weighted_fitting_words(seen: RackKnowledge, most: int) -> dict[str, float]:
    """Return the words that fit a rack, each with its weight in a random choice.

    Return {} if more than `most` words of installed lists fit. Return {} if no list is installed,
    because words that are not in this package can also fit.
    """
    if not installed_word_lists():
        return {}
    listed, sums = installed_words_fitting_rack(seen)
    if sum(fitting.fits.bit_count() for fitting in listed) > most:
        return {}
    samples = built_in_words_fitting_rack(seen)
    weights = dict.fromkeys(samples, BUILT_IN_WORDS_WEIGHT / len(BUILT_IN_WORDS))
    for fitting, until, before in zip(listed, sums, (0.0, *sums), strict=False):
        for text in fitting.list_words_with_dots():
            weights[text] = weights.get(text, 0.0) + (until - before) / fitting.fits.bit_count()
    return weights


def is_word_possible_on_rack(seen: RackKnowledge, text: str) -> bool:
    """Return True if a word, with its dots, agrees with the knowledge about a rack."""
    return len(text) == len(seen.open) and all(
        letter == place or (place == COVERED_LETTER and letter not in seen.refused)
        for letter, place in zip(text, seen.open, strict=True)
    )


def _invented(seen: RackKnowledge, rng: Random) -> str:
    ways, letters, sums = _ways(seen)
    before, after, core = rng.choice(ways)
    drawn = rng.choices(letters, cum_weights=sums, k=len(core))
    spelt = (new if old == COVERED_LETTER else old for old, new in zip(core, drawn, strict=True))
    return f"{DOT * before}{''.join(spelt)}{DOT * after}"


@lru_cache(maxsize=64)
def _ways(seen: RackKnowledge) -> tuple[tuple[tuple[int, int, str], ...], str, tuple[int, ...]]:
    ways = [*_parted(seen)] or [*_parted(seen._replace(refused=""))] or [(0, 0, seen.open)]
    weights = {
        c: n for c, n in LETTER_FREQUENCIES.items() if c != DOT and c not in seen.refused
    } or {c: n for c, n in LETTER_FREQUENCIES.items() if c != DOT}
    return tuple(ways), "".join(weights), tuple(accumulate(weights.values()))
