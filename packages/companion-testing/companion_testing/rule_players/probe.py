"""A rule player for Probe: ask for the most common letter, and guess the only possible word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.core.letters import capitals_without_accents
from companion.core.prompts import Answer
from companion.door.lines import Message
from companion.say import dictionary
from companion_testing.rule_players.base import RulePlayer

LETTERS_BY_FREQUENCY: Final = "EISARNTOLUCDMPGHBFVYQKXWZJ."
SAMPLE_WORDS: Final = ("GUESSING", "..SPELLING..", "ACTIVITIES", "INTERRUPTION")
MIN_LETTERS_TO_CALL, MAX_DOTS, MAX_COUNTED_WORDS, GUESS_WORD_LIMIT = 5, 5, 400, 8
"""Limits of the player.

- MIN_LETTERS_TO_CALL: minimum number of covered places for which the player guesses a word.
- MAX_DOTS: maximum number of dots at the ends of a possible word.
- MAX_COUNTED_WORDS: maximum number of possible words from which the player values letters.
- GUESS_WORD_LIMIT: number of possible words from which on the player guesses no word.
"""
MAX_EXAMINED_WORDS: Final = 200
"""Number of random words from which the player chooses its secret word."""


class VisibleRack(NamedTuple):
    """Public knowledge about the letters of a rack.

    - `open`: the visible letters, with "?" for each covered letter.
    - `refused`: the letters that players asked for and that the rack does not contain.
    """

    open: str
    refused: str


@cache
def load_words_by_length(folder: Path) -> dict[int, list[str]]:
    """Return the words of 4 to 12 letters in the word lists in `folder`, by number of letters.

    Omit proper names, and remove accents.
    """
    words: dict[int, list[str]] = {}
    for names in dictionary.WORD_LISTS.values():
        file = next((folder / name for name in names if (folder / name).exists()), None)
        for line in file.read_text("utf-8").splitlines() if file else ():
            if (
                line.isalpha()
                and line.islower()
                and 4 <= len(text := capitals_without_accents(line)) <= 12
            ):
                words.setdefault(len(text), []).append(text)
    return words


class RuleBasedPlayer(RulePlayer):
    """A player that lists the possible words of each rack, and asks for a common letter."""

    def forget_previous_game(self, hello: Message) -> None:
        """Forget the refused letters and the guesses of the previous game."""
        super().forget_previous_game(hello)
        self.refused: dict[str, set[str]] = {who: set() for who in self.players}
        self.called: set[str] = set()
        self._fitting: dict[str, tuple[VisibleRack, list[str]]] = {}

    def process_public_fact(self, fact: Message) -> None:
        """Store a letter that a player was asked for and does not have."""
        if fact["event"] == "said_no":
            self.refused[fact["whom"]].add(fact["asked"])

    def rank_answers(self, question: str, choices: Sequence[Answer]) -> Sequence[Answer]:
        """Return the answers in `choices`, best answer first."""
        match question:
            case "word":
                return [self._secret(), *SAMPLE_WORDS]
            case "ask_whom":
                return sorted(choices, key=lambda who: -max(self._letters(who).values()))
            case "ask_for":
                letters = self._letters(self.state["whom"])
                return sorted(
                    choices,
                    key=lambda letter: (-letters[letter], LETTERS_BY_FREQUENCY.index(letter)),
                )
            case "uncover":
                return sorted(choices, key=self._value)
        return super().rank_answers(question, choices)

    def out_of_turn_line(self) -> Message | None:
        """Return a line that guesses a rack's word if only one word is possible; else None."""
        for rack, places in self.state["racks"].items():
            owner = rack.partition(":")[0]
            if (
                owner == self.player
                or sum(place["covered"] for place in places) < MIN_LETTERS_TO_CALL
            ):
                continue
            fitting = [
                word for word in self._words(rack)[:GUESS_WORD_LIMIT] if word not in self.called
            ]
            if len(fitting) == 1 and len(self._words(rack)) < GUESS_WORD_LIMIT:
                (guess,) = fitting
                self.called.add(guess)
                return {
                    "interrupt": {"who": self.player, "whom": owner, "rack": rack, "guess": guess}
                }
        return None

    def _secret(self) -> str:
        """Return a long word with rare letters as the player's secret word.

        Often add a dot (a blank place) before or after the word.
        """
        words = [
            word
            for n, those in load_words_by_length(dictionary.LISTS_FOLDER).items()
            if n > 6
            for word in those
        ]
        if not words:
            return self.rng.choice(SAMPLE_WORDS)
        tried = [self.rng.choice(words) for _ in range(MAX_EXAMINED_WORDS)]
        word = max(
            tried, key=lambda text: sum(map(LETTERS_BY_FREQUENCY.index, {*text})) / len(text)
        )
        return word if len(word) > 11 else self.rng.choice((f"{word}.", f".{word}", word))

    def _value(self, choice: Answer) -> int:
        if choice == "none":
            return 0
        rack, _, place = str(choice).rpartition(":")
        value: int = self.state["racks"][rack or self.player][int(place) - 1]["value"]
        return value

    def _letters(self, whom: str) -> Counter[str]:
        """Return a table from each letter to the value of asking the player `whom` for this letter.

        The value is the mean of the letter's points over the possible words of the player's racks.
        """
        counts: Counter[str] = Counter()
        for rack, places in self.state["racks"].items():
            if rack.partition(":")[0] == whom and any(place["covered"] for place in places):
                fitting = self._words(rack)
                some = fitting[:: 1 + len(fitting) // MAX_COUNTED_WORDS]
                for word in some:
                    for letter, value in _hits(word, places).items():
                        counts[letter] += value * 1000 // len(some)
        for letter in LETTERS_BY_FREQUENCY:
            counts[letter] += letter not in self.refused[whom]
        return counts

    def _words(self, rack: str) -> list[str]:
        places = [place for place in self.state["racks"][rack] if place["used"]]
        letters = ("?" if place["covered"] else place["letter"] or "." for place in places)
        seen = VisibleRack("".join(letters), "".join(sorted(self.refused[rack.partition(":")[0]])))
        before, fitting = self._fitting.get(rack, (None, []))
        if before != seen:
            fitting = [word for word in fitting if _fits(seen, word)] or _fitting(seen)
            self._fitting[rack] = seen, fitting
        return fitting


def _hits(word: str, places: Sequence[Any]) -> dict[str, int]:
    """Return the points that each letter of the secret word `word` would earn.

    A letter counts only if one of its places is covered.
    """
    points: dict[str, int] = {}
    for letter, place in zip(word, places, strict=False):
        if place["covered"]:
            worth = place["value"] + 15
            points[letter] = min(worth, points.get(letter, worth))
    return points


def _fits(seen: VisibleRack, word: str) -> bool:
    return all(
        letter == place or (place == "?" and letter not in seen.refused)
        for letter, place in zip(word, seen.open, strict=True)
    )


def _fitting(seen: VisibleRack) -> list[str]:
    """Return the possible words of a rack. A dot in a Probe word is a blank place.

    Also return words with dots before or after the letters, but only with as few dots as possible.
    """
    words: list[str] = []
    by_length, n = load_words_by_length(dictionary.LISTS_FOLDER), len(seen.open)
    for dots in range(MAX_DOTS + 1):
        for before in range(dots + 1):
            core = seen.open[before : n - (dots - before)]
            ends = seen.open[:before] + seen.open[n - (dots - before) :]
            if ends.strip("?.") or ("?" in ends and "." in seen.refused):
                continue
            letter = f"[^{re.escape(seen.refused)}]" if seen.refused else "."
            pattern = re.compile("".join(letter if c == "?" else re.escape(c) for c in core))
            fitting = filter(pattern.fullmatch, by_length.get(len(core), ()))
            words += ["." * before + word + "." * (dots - before) for word in fitting]
        if words and dots:
            break
    return list(dict.fromkeys(words))
