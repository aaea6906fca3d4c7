"""Words that may stand on a rack (PR-1), searched by what is seen of one.

The lists of the system, if there are any, and the game's samples. A list is kept as one block of
letters for each length; which of its words have a letter at a place is one large number, a bit a
word, made when it is asked for first. So all words that fit a rack are a few numbers joined by
`&`, however long the list is.
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.letters import strip_accents
from companion.core.prompts import UNSEEN
from companion.games.probe.rules.board import DOT, MAX_DOTS, MIN_LETTERS, PLACES, SAMPLES, VALUES
from companion.games.probe.rules.questions import COMMON
from companion.say.dictionary import FOLDER, LISTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

LAST: Final = ord("z")
LENGTHS: Final = range(MIN_LETTERS, PLACES + 1)
SAMPLING_RATIO: Final = 16
"""Of so many words one must fit at least, to be found by trying words at random."""
SAMPLED: Final = 0.02
"""How likely a word is one of the game's own, beside one of a list."""
SECRET_LENGTHS: Final = (7, 8, 9, 10)
"""Letters of a word that is hidden."""
CANDIDATES, SHORTLIST = 60, 5
"""So many words are looked at to hide one, and of so many common ones the best is taken."""
HARD_CANDIDATES: Final = 200
"""So many words are looked at to hide a hard one."""
RANK: Final = {c: n for n, c in enumerate(sorted(COMMON, key=lambda c: -COMMON[c]))}
"""The letters in the order in which they are asked for, the commonest first."""


class RackSeen(NamedTuple):
    """What is known of a rack: `open` has a letter for each place, UNSEEN where it is covered.

    `refused` are the letters, and the dot, that none of its covered places hides.
    """

    open: str
    refused: str


class Fitting(NamedTuple):
    """The words of one list that fit a rack with so many dots before and after them."""

    block: Block
    before: int
    after: int
    fits: int

    def words(self) -> Iterator[str]:
        """All of them, with their dots."""
        for n in _bits(self.fits):
            yield f"{DOT * self.before}{self.block.word(n)}{DOT * self.after}"

    def any(self, rng: Random) -> str:
        """One of them, with its dots, each as likely."""
        word = self.block.word(self.block.any_of(self.fits, rng))
        return f"{DOT * self.before}{word}{DOT * self.after}"


class Block:
    """The words of one length of one list."""

    def __init__(self, words: bytes, length: int) -> None:
        self.words, self.length = words, length
        self.count = len(words) // length
        self.all = (1 << self.count) - 1
        self._having: dict[tuple[int, str], int] = {}

    def word(self, n: int) -> str:
        """The `n`th word."""
        return self.words[n * self.length : (n + 1) * self.length].decode("ascii")

    def having(self, place: int, letter: str) -> int:
        """Which words have a letter at a place, from 0."""
        key = place, letter
        if key not in self._having:
            column = self.words[place :: self.length][::-1]
            bits = column.translate(_ones(letter))
            self._having[key] = int(bits, 2) if bits else 0
        return self._having[key]

    def fitting(self, core: str, refused: str) -> int:
        """Which words fit the places of a word without its dots."""
        fits = self.all
        for place, letter in enumerate(core):
            if letter != UNSEEN:
                fits &= self.having(place, letter)
        for letter in refused if fits else "":
            for place, seen in enumerate(core):
                if seen == UNSEEN:
                    fits &= ~self.having(place, letter)
        return fits

    def any_of(self, fits: int, rng: Random) -> int:
        """The number of one of some words, each as likely."""
        n = fits.bit_count()
        if n * SAMPLING_RATIO < self.count:
            return _bits(fits)[rng.randrange(n)]
        while True:
            found = rng.randrange(self.count)
            if fits >> found & 1:
                return found


@cache
def _ones(letter: str) -> bytes:
    """A table that makes a letter 1 and all others 0."""
    return bytes(ord("1") if code == ord(letter) else ord("0") for code in range(256))


@lru_cache(maxsize=64)
def _bits(number: int) -> tuple[int, ...]:
    """Which bits of a number are set."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return tuple(found)


# --- Where words come from ------------------------------------------------------------------------


@cache
def blocks(name: str) -> tuple[Block, ...]:
    """The words of a list of the system, by their length; no names, no shortened forms (PR-1).

    Nothing of a list that cannot be read.
    """
    try:
        text = (FOLDER / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    text = text.replace("œ", "oe").replace("æ", "ae")
    letters = text.encode("latin-1", errors="replace").translate(_plain_letters())
    found = []
    for n in LENGTHS:
        words = re.findall(rb"^[a-z]{%d}$" % n, letters, re.MULTILINE)
        found.append(Block(b"".join(words).upper(), n))
    return tuple(found)


def _plain_letters() -> bytes:
    """A table that takes the accents off small letters, and leaves all else."""
    small = [chr(code) for code in range(256) if chr(code).islower()]
    table = {
        ord(letter): ord(strip_accents(letter).lower())
        for letter in small
        if len(strip_accents(letter)) == 1
    }
    return bytes(code if table.get(code, 256) > LAST else table[code] for code in range(256))


def lists() -> tuple[str, ...]:
    """One list of each language that there is on this system."""
    there = (
        next((name for name in names if (FOLDER / name).exists()), "") for names in LISTS.values()
    )
    return tuple(filter(None, there))


@lru_cache(maxsize=64)
def words_fitting(seen: RackSeen) -> tuple[tuple[Fitting, ...], tuple[float, ...]]:
    """What fits a rack, list by list and with any dots, and how likely each of that is."""
    found: list[tuple[Fitting, float]] = []
    for before, after, core in _parted(seen):
        dots = 1 / (1 + before + after)
        for name in lists():
            whole = sum(block.count for block in blocks(name))
            block = blocks(name)[len(core) - MIN_LETTERS]
            if n := (fits := block.fitting(core, seen.refused)).bit_count():
                found.append((Fitting(block, before, after, fits), n * dots / whole))
    return tuple(one for one, _ in found), tuple(accumulate(weight for _, weight in found))


def _parted(seen: RackSeen) -> Iterator[tuple[int, int, str]]:
    """Each way in which a rack can be parted in dots, a word, and dots (PR-1)."""
    n, hidden = len(seen.open), DOT not in seen.refused
    can = [place == DOT or (place == UNSEEN and hidden) for place in seen.open]
    for before in range(MAX_DOTS + 1):
        for after in range(MAX_DOTS + 1 - before):
            core = seen.open[before : n - after]
            if len(core) < MIN_LETTERS or DOT in core:
                continue
            if all(can[:before]) and all(can[n - after :] if after else ()):
                yield before, after, core


@lru_cache(maxsize=64)
def samples(seen: RackSeen) -> tuple[str, ...]:
    """The game's own words that fit a rack."""
    return tuple(text for text in SAMPLES if fits(seen, text))


def draw_word(seen: RackSeen, rng: Random) -> str:
    """A word that can stand on a rack: the game's own, one of a list, or letters as they come."""
    if UNSEEN not in seen.open:
        return seen.open
    known, (found, sums) = samples(seen), words_fitting(seen)
    listed = sums[-1] if sums else 0.0
    at = rng.random() * (listed + SAMPLED * len(known) / len(SAMPLES))
    if at < listed:
        return found[bisect(sums, at)].any(rng)
    return rng.choice(known) if known else _invented(seen, rng)


def few_words(seen: RackSeen, most: int) -> dict[str, float]:
    """Return the words that fit a rack, each with its weight; none if they are more than `most`."""
    listed, sums = words_fitting(seen)
    if sum(one.fits.bit_count() for one in listed) > most:
        return {}
    own = samples(seen)
    weights = dict.fromkeys(own, SAMPLED / len(SAMPLES))
    for one, until, before in zip(listed, sums, (0.0, *sums), strict=False):
        for text in one.words():
            weights[text] = weights.get(text, 0.0) + (until - before) / one.fits.bit_count()
    return weights


def fits(seen: RackSeen, text: str) -> bool:
    """Whether a word with its dots can stand on a rack."""
    return len(text) == len(seen.open) and all(
        letter == place or (place == UNSEEN and letter not in seen.refused)
        for letter, place in zip(text, seen.open, strict=True)
    )


def _invented(seen: RackSeen, rng: Random) -> str:
    """Letters as common as they are in words; of a rack that nothing fits any more, any."""
    ways, letters, sums = _ways(seen)
    before, after, core = rng.choice(ways)
    drawn = rng.choices(letters, cum_weights=sums, k=len(core))
    spelt = (new if old == UNSEEN else old for old, new in zip(core, drawn, strict=True))
    return f"{DOT * before}{''.join(spelt)}{DOT * after}"


@lru_cache(maxsize=64)
def _ways(seen: RackSeen) -> tuple[tuple[tuple[int, int, str], ...], str, tuple[int, ...]]:
    """In which ways a rack can be parted, and by which letters it is filled, how likely each."""
    ways = [*_parted(seen)] or [*_parted(seen._replace(refused=""))] or [(0, 0, seen.open)]
    weights = {c: n for c, n in COMMON.items() if c != DOT and c not in seen.refused} or {
        c: n for c, n in COMMON.items() if c != DOT
    }
    return tuple(ways), "".join(weights), tuple(accumulate(weights.values()))


# --- A word to hide -------------------------------------------------------------------------------


def choose_secret(rng: Random, *, hard: bool = False) -> str:
    """A secret word of a list of the system, or one of the samples.

    A common one (many have a form with an S more, few rare ones do). Of several the one whose rare
    letters lie on the cheapest places (PR-2); `hard`: of many the one whose letters are asked for
    last, often with a dot, for which nobody likes to ask (PR-10).
    """
    if not hard or not lists():
        return min(_common(rng, CANDIDATES, SHORTLIST) or rng.sample(SAMPLES, SHORTLIST), key=_dear)
    text = max(_common(rng, HARD_CANDIDATES, HARD_CANDIDATES) or SAMPLES, key=_late)
    dots = (DOT, "") if len(text) < PLACES and DOT not in text else ("", "")
    before, after = rng.choice((dots, dots[::-1], ("", "")))
    return f"{before}{text}{after}"


def _common(rng: Random, tried: int, few: int) -> list[str]:
    """The first few common words among so many that are tried."""
    there, words = lists(), list[str]()
    by_length = blocks(there[0]) if there else ()
    for _ in range(tried if there else 0):
        n = rng.choice(SECRET_LENGTHS) - MIN_LETTERS
        if by_length[n].count:
            text = by_length[n].word(rng.randrange(by_length[n].count))
            if by_length[n + 1].fitting(f"{text}S", ""):
                words.append(text)
    return words[:few]


def _late(text: str) -> float:
    """How late a word's letters are asked for, if the commonest come first."""
    return sum(RANK[letter] for letter in {*text}) / len(text)


def _dear(text: str) -> float:
    """How much of what a word's places are worth lies under rare letters (PR-2)."""
    pairs = zip(text, VALUES, strict=False)
    return sum((value / COMMON[letter] for letter, value in pairs), 0.0) / len(text)
