"""What the box answers to a roll or a shuffle, so that anybody can check it afterwards.

The box picks a secret seed and shows its commitment before it knows how the players will press; the
first presses of all players are mixed in; every draw then follows from (seed, presses, its name).
Neither the box nor a player could have known the first card. docs/chance.md has a worked example.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.prompts import Answer, Roll, Shuffle

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD: Final = 1 << 32
CODE: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that looks like a digit."""


def fresh_seed() -> str:
    """A secret seed: 32 random bytes as 64 hexadecimal digits."""
    return secrets.token_hex(32)


class Chance(NamedTuple):
    """The chance of one game. `presses`: a number for each player's first press, in order."""

    seed: str
    presses: tuple[int, ...] = ()

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed's text, hexadecimal: it may be shown before the game."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def code(self) -> str:
        """The commitment's first 40 bits as eight characters, for people to write down."""
        bits = int(self.commitment[:10], 16)
        return "".join(CODE[bits >> shift & 31] for shift in range(35, -1, -5))

    def name(self, question: str | None, who: str | None) -> str:
        """What a draw is called: what for, and whose it is. Draws of one name are counted, from 0.

        So nothing that is answered, or taken back, changes what another draw gives.
        """
        return f"{question}|{who or ''}|"

    def answer(self, prompt: Roll | Shuffle, n: int) -> Answer:
        """The box's answer to `prompt`, the `n`th draw of its name in this game, from 0."""
        words = self._words(f"{self.name(prompt.name, prompt.who)}{n}")
        if isinstance(prompt, Roll):
            return [_below(prompt.sides, words) + 1 for _ in range(prompt.dice)]
        order = list(range(prompt.n))
        for last in range(prompt.n - 1, 0, -1):  # Fisher and Yates, from the end
            other = _below(last + 1, words)
            order[last], order[other] = order[other], order[last]
        return order

    def _words(self, draw: str) -> Iterator[int]:
        """Endless 32-bit numbers: HMAC-SHA-256 of (presses, draw, block) under the seed."""
        presses, block = ",".join(map(str, self.presses)), 0
        while True:
            text = f"{presses}|{draw}|{block}"
            digest = hmac.digest(self.seed.encode(), text.encode(), "sha256")
            for i in range(0, len(digest), 4):
                yield int.from_bytes(digest[i : i + 4], "big")
            block += 1


def _below(n: int, words: Iterator[int]) -> int:
    """A number from 0 to n - 1, all equally likely: what would favour the low ones is dropped."""
    limit = WORD - WORD % n
    return next(word for word in words if word < limit) % n
