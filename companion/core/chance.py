"""The box's dice and shuffles, which players can verify after the game.

The box picks a secret seed. Before the players press a button, the box shows the seed's commitment
(its hash). Three things determine each random result (draw): the seed, the times of the players'
first presses, and the name of the draw. Neither the box nor a player can therefore choose the first
card. The page docs/chance.md has a worked example.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.core.prompts import Answer, Roll, Shuffle

NUMBER_OF_32_BIT_VALUES: Final = 1 << 32
CODE_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters of Crockford's base 32, which has no letter that looks like a digit."""


def fresh_seed() -> str:
    """Return a new secret seed: 32 random bytes as 64 hexadecimal digits."""
    return secrets.token_hex(32)


class Chance(NamedTuple):
    """The source of all rolls and shuffles in one game.

    - `seed`: the secret number from which the random results follow, in hexadecimal digits.
    - `presses`: one number for each player, computed from the time of the player's first press.
    """

    seed: str
    presses: tuple[int, ...] = ()

    @property
    def seed_commitment(self) -> str:
        """Return the commitment of the seed: the SHA-256 of its text, in hexadecimal.

        The box can show the commitment before the game, because the commitment does not reveal the
        seed.
        """
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def commitment_code(self) -> str:
        """Return a short code of the commitment: its first 40 bits as eight characters.

        People can write down this code before the game.
        """
        bits = int(self.seed_commitment[:10], 16)
        return "".join([CODE_ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5)])

    def name_of_draw(self, question: str | None, who: str | None) -> str:
        """Return the name of a random draw, made from the question's name and the player's name.

        Draws with the same name are numbered from 0. An answer or an undo therefore never changes a
        draw with another name.
        """
        return f"{question}|{who or ''}|"

    def drawn_answer_to_prompt(self, prompt: Roll | Shuffle, n: int) -> Answer:
        """Return the box's answer to `prompt`, which asks for a roll or a shuffle.

        `n`: the number of earlier draws with the same name.
        """
        words = self._words(f"{self.name_of_draw(prompt.name, prompt.who)}{n}")
        if isinstance(prompt, Roll):
            return [_below(prompt.sides, words) + 1 for _ in range(prompt.dice)]
        order = list(range(prompt.n))
        # Fisher-Yates shuffle, from the last card to the first
        for last in range(prompt.n - 1, 0, -1):
            other = _below(last + 1, words)
            order[last], order[other] = order[other], order[last]
        return order

    def _words(self, draw: str) -> Iterator[int]:
        """Yield an endless series of random 32-bit numbers for the draw named `draw`.

        The numbers are the parts of the HMAC-SHA-256 of the presses, the draw and a block number.
        """
        presses, block = ",".join(map(str, self.presses)), 0
        while True:
            text = f"{presses}|{draw}|{block}"
            digest = hmac.digest(self.seed.encode(), text.encode(), "sha256")
            for i in range(0, len(digest), 4):
                yield int.from_bytes(digest[i : i + 4], "big")
            block += 1


def _below(n: int, words: Iterator[int]) -> int:
    """Return a number from 0 to n - 1; all numbers are equally likely.

    `words`: random 32-bit numbers. Numbers that would make low results more likely are skipped.
    """
    limit = NUMBER_OF_32_BIT_VALUES - NUMBER_OF_32_BIT_VALUES % n
    return next(word for word in words if word < limit) % n
