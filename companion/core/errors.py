"""What the companion itself raises; the file imports nothing."""

from __future__ import annotations


class CompanionError(Exception):
    """The root of everything that the companion itself raises."""


class Refused(CompanionError, ValueError):  # noqa: N818 - the house's word for it
    """An answer that the rules do not allow; nothing has changed.

    `code` names the reason for the words' sake, `facts` what the sentence mentions.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class UnknownGame(CompanionError, LookupError):  # noqa: N818 - likewise
    """No game of that name is in the box."""
