"""The join code that players type into phones, and the tokens of phones that have a seat."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The characters of join codes: capitals and digits, but not I, O, 0 or 1."""
CODE_LENGTH: Final = 4
CODE_LIFE_SECONDS: Final = 120.0
"""Seconds for which a join code is valid."""
MAX_WRONG_CODES: Final = 5
"""The number of wrong join codes after which the box pauses, and accepts no join code."""
FIRST_PAUSE_SECONDS: Final = 5
"""The length in seconds of the first pause after wrong codes.

Each further wrong code doubles the pause.
"""
MAX_PHONES: Final = 16
"""The maximum number of phones whose tokens the box stores."""


class JoinCode(NamedTuple):
    """The code that a player types into a phone to request a seat.

    - `text`: the characters of the code.
    - `until`: the monotonic time (s) at which the code expires.
    - `wrong`: the number of wrong codes that phones have sent so far.
    - `after`: the monotonic time (s) before which the box accepts no code; 0 if there is no pause.
    """

    text: str
    until: float
    wrong: int = 0
    after: float = 0.0

    def with_wrong_try(self, now: float) -> JoinCode:
        """Return the join code with one more wrong try, and with a pause after too many tries.

        now: the monotonic time (s).
        """
        more = self.wrong + 1 - MAX_WRONG_CODES
        after = now + FIRST_PAUSE_SECONDS * 2**more if more >= 0 else 0.0
        return self._replace(wrong=self.wrong + 1, after=after)

    def matches(self, text: str) -> bool:
        """Return True if `text` is the code, ignoring case."""
        return compare_digest(text.upper().encode(), self.text.encode())


def make_join_code(now: float) -> JoinCode:
    """Return a new random join code, which is valid for `CODE_LIFE_SECONDS`.

    now: the monotonic time (s).
    """
    return JoinCode(
        "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)), now + CODE_LIFE_SECONDS
    )


def make_phone_token() -> str:
    """Return a new token: 128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def hash_token(token: str) -> str:
    """Return the SHA-256 hash of a token in hexadecimal. The box stores only the hash."""
    return sha256(token.encode()).hexdigest()


def is_token_of_player(phones: Mapping[str, str], name: str, token: str) -> bool:
    """Return True if `token` is the token of the player `name`.

    phones: the hashes of tokens by player.
    """
    return compare_digest(phones.get(name, ""), hash_token(token))


def token_hashes_with_new_phone(phones: Mapping[str, str], name: str, token: str) -> dict[str, str]:
    """Return `phones` (hashes of tokens by player) with a player's new phone added.

    The new token replaces the player's previous token. If `phones` would have more than
    `MAX_PHONES` entries, the oldest entry is removed.
    """
    others = [(who, token_hash) for who, token_hash in phones.items() if who != name]
    return dict([*others, (name, hash_token(token))][-MAX_PHONES:])
