"""The base exceptions of Companion, and the log of errors."""

from __future__ import annotations


def log_error(room: str, text: str, error: BaseException | None = None) -> None:
    """Log `text` and the traceback of `error` as an error, with the logger `companion.<room>`."""
    import logging  # noqa: PLC0415 - this import is slow

    logging.getLogger(f"companion.{room}").error("%s", text, exc_info=error)


class CompanionError(Exception):
    """The base class of most exceptions that Companion raises."""


class TranslatedError(CompanionError):
    """An error with a sentence for people, translated into each language of the command line.

    - `key`: the last part of the sentence's key in the catalogue, `cmd.wrong.<key>`.
    - `fields`: values for the sentence's placeholders. A value can be another TranslatedError,
      which states the cause.

    The module `companion.say.errors` builds the sentence from the key and the fields. Two errors
    are equal if their keys and fields are equal.
    """

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields

    def __str__(self) -> str:
        """Return the key and the fields of the error, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.key} ({facts})" if facts else self.key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TranslatedError):
            return NotImplemented
        return (self.key, self.fields) == (other.key, other.fields)

    def __hash__(self) -> int:
        return hash(str(self))


class Refused(CompanionError, ValueError):
    """The error for an answer that the rules do not allow. The state of the game stays unchanged.

    - `code`: the code of the reason, which selects the sentence that people read.
    - `facts`: values for the sentence's placeholders.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class UnknownGame(TranslatedError, LookupError):
    """The error for a game that is not installed or cannot be played.

    - `reason`: the last part of the error's `key`, which is `game.<reason>`.
    - `code`: the code that selects the sentence that people read.
    - `fields`: values for the sentence's placeholders.
    """

    code = "unknown_game"

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(f"game.{reason}", **fields)

    @property
    def faulty_package(self) -> dict[str, str]:
        """Return the name and version of the faulty package, or {} if no package is at fault."""
        return {}


class OutdatedRecordedGame(UnknownGame):
    """The error for a recorded game that the present rules cannot set up."""

    code = "outgrown"


class UnplayableGame(UnknownGame):
    """The error for a game whose package cannot be used.

    - `package`, `version`: the name and the version of this package.
    """

    def __init__(
        self, code: str, game: str, package: str, version: str, **why: TranslatedError
    ) -> None:
        super().__init__(code, game=game, package=package, version=version, **why)
        self.code, self.package, self.version = code, package, version

    @property
    def faulty_package(self) -> dict[str, str]:
        """Return the faulty package's name and version under the keys `package` and `version`."""
        return {"package": self.package, "version": self.version}


class GameNotInstalled(UnplayableGame):
    """The error for a recorded game whose package is not installed on this machine."""

    def __init__(self, game: str, package: str, version: str) -> None:
        super().__init__("not_installed", game, package, version)


class ExcludedGame(UnplayableGame):
    """The error for an installed game that cannot be played, with the reason `why`."""

    def __init__(self, game: str, package: str, version: str, why: TranslatedError) -> None:
        super().__init__("left_out", game, package, version, why=why)
        self.why = why
