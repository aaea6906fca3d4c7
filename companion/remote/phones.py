"""The phones of a table: the code, and the tokens of players' phones."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The letters and digits of a code, without those that look alike."""
CODE_LENGTH: Final = 4
CODE_LIFE_SECONDS: Final = 120.0
"""The time in seconds for which a code is valid."""
MAX_WRONG_CODES: Final = 5
"""The number of wrong codes before a pause."""
FIRST_PAUSE_SECONDS: Final = 5
"""The length of the first pause in seconds; each later one is twice as long."""
MAX_PHONES: Final = 16
"""The maximum number of phones."""


class JoinCode(NamedTuple):
    """The code that a phone enters to join, and its end.

    `wrong` counts wrong tries, `after` is the end of a pause.
    """

    text: str
    until: float
    wrong: int = 0
    after: float = 0.0

    def after_wrong_try(self, now: float) -> JoinCode:
        """Return the code after another wrong try."""
        more = self.wrong + 1 - MAX_WRONG_CODES
        after = now + FIRST_PAUSE_SECONDS * 2**more if more >= 0 else 0.0
        return self._replace(wrong=self.wrong + 1, after=after)

    def matches(self, text: str) -> bool:
        """Return True if `text` is the code, ignoring case."""
        return compare_digest(text.upper().encode(), self.text.encode())


def fresh_code(now: float) -> JoinCode:
    """Return a new random code."""
    return JoinCode(
        "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)), now + CODE_LIFE_SECONDS
    )


def fresh_token() -> str:
    """Return a new token: 128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def hash_token(token: str) -> str:
    """Return the hash of a token, which the box stores."""
    return sha256(token.encode()).hexdigest()


def has_token(phones: Mapping[str, str], name: str, token: str) -> bool:
    """Return True if a token belongs to a player's phone."""
    return compare_digest(phones.get(name, ""), hash_token(token))


def with_phone(phones: Mapping[str, str], name: str, token: str) -> dict[str, str]:
    """Return the phones with a new one; it replaces the player's old one, or else the oldest."""
    others = [(who, token_hash) for who, token_hash in phones.items() if who != name]
    return dict([*others, (name, hash_token(token))][-MAX_PHONES:])
