"""The join code for phones, and the tokens of phones with a seat."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The characters of a join code: capitals and digits, without I, O, 0 and 1."""
CODE_LENGTH: Final = 4
CODE_LIFE_SECONDS: Final = 120.0
"""Seconds for which a join code is valid."""
MAX_WRONG_CODES: Final = 5
"""The number of wrong codes after which the box pauses."""
FIRST_PAUSE_SECONDS: Final = 5
"""Seconds of the first pause; each later pause is twice as long as the pause before."""
MAX_PHONES: Final = 16
"""The maximum number of phones with a seat."""


class JoinCode(NamedTuple):
    """The code that a player types into a phone to join.

    - `text`: the characters of the code.
    - `until`: the time (s) at which the code becomes invalid.
    - `wrong`: the number of wrong codes that phones have sent so far.
    - `after`: the time (s) at which the pause after wrong codes ends.
    """

    text: str
    until: float
    wrong: int = 0
    after: float = 0.0

    def with_wrong_try(self, now: float) -> JoinCode:
        """Return the join code with one more wrong try counted."""
        more = self.wrong + 1 - MAX_WRONG_CODES
        after = now + FIRST_PAUSE_SECONDS * 2**more if more >= 0 else 0.0
        return self._replace(wrong=self.wrong + 1, after=after)

    def matches(self, text: str) -> bool:
        """Return True if `text` is the code, ignoring case."""
        return compare_digest(text.upper().encode(), self.text.encode())


def make_join_code(now: float) -> JoinCode:
    """Return a new random join code. `now` is the present time (s)."""
    return JoinCode(
        "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)), now + CODE_LIFE_SECONDS
    )


def make_phone_token() -> str:
    """Return a new token: 128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def hash_token(token: str) -> str:
    """Return the SHA-256 hash of a token. The box stores only the hash."""
    return sha256(token.encode()).hexdigest()


def is_phone_token(phones: Mapping[str, str], name: str, token: str) -> bool:
    """Return True if `phones` has the hash of this token for the player `name`."""
    return compare_digest(phones.get(name, ""), hash_token(token))


def add_phone(phones: Mapping[str, str], name: str, token: str) -> dict[str, str]:
    """Return the phones with a player's new phone added.

    The new phone replaces the player's old phone. If there are more than `MAX_PHONES` phones, the
    oldest phone is removed.
    """
    others = [(who, token_hash) for who, token_hash in phones.items() if who != name]
    return dict([*others, (name, hash_token(token))][-MAX_PHONES:])
