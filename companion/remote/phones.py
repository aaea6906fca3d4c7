"""The phones of a table as the box knows them: a code, an address, and whose phone is whose."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of a code: none that is taken for another."""
LENGTH: Final = 4
LIFE: Final = 120.0
"""Seconds that a code is good for."""
TRIES: Final = 5
"""Wrong codes before there is a pause."""
PAUSE: Final = 5
"""Seconds of the first pause; each is twice as long as the one before."""
MOST: Final = 16
"""Phones that a box knows."""


class Code(NamedTuple):
    """What a phone comes in with, until then; `wrong` counts, and `after` ends a pause."""

    text: str
    until: float
    wrong: int = 0
    after: float = 0.0

    def missed(self, now: float) -> Code:
        """After another wrong one."""
        more = self.wrong + 1 - TRIES
        after = now + PAUSE * 2**more if more >= 0 else 0.0
        return self._replace(wrong=self.wrong + 1, after=after)

    def fits(self, text: str) -> bool:
        """Whether this is the code, in capitals or not."""
        return compare_digest(text.upper().encode(), self.text.encode())


def fresh_code(now: float) -> Code:
    """A new random code."""
    return Code("".join(secrets.choice(LETTERS) for _ in range(LENGTH)), now + LIFE)


def fresh_token() -> str:
    """128 bits that only one phone knows, in hexadecimal."""
    return secrets.token_hex(16)


def hashed(token: str) -> str:
    """What the box keeps of a token."""
    return sha256(token.encode()).hexdigest()


def is_of(phones: Mapping[str, str], name: str, token: str) -> bool:
    """Whether a token is that of a player's phone."""
    return compare_digest(phones.get(name, ""), hashed(token))


def with_phone(phones: Mapping[str, str], name: str, token: str) -> dict[str, str]:
    """The phones with that one as the newest: a player has one, and the oldest has to go."""
    others = [(who, kept) for who, kept in phones.items() if who != name]
    return dict([*others, (name, hashed(token))][-MOST:])
