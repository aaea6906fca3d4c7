"""The exceptions that the companion raises, and the log of errors."""

from __future__ import annotations


def log_error(room: str, text: str, error: BaseException | None = None) -> None:
    """Log an error of a package (`room`), with the traceback of `error` if there is one."""
    import logging  # noqa: PLC0415 - it takes as long as many other files

    logging.getLogger(f"companion.{room}").error("%s", text, exc_info=error)


class CompanionError(Exception):
    """The base of all exceptions that the companion raises."""


class ExplainedError(CompanionError):
    """An error with a sentence for people, in each language of the command line.

    - `key`: the sentence `cmd.wrong.<key>` of the catalogue.
    - `fields`: values for the sentence; a field may be another ExplainedError, which is the reason.

    `companion.say.errors` makes the sentence. Two errors with equal key and fields are equal.
    """

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields

    def __str__(self) -> str:
        """Return the key and fields, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.key} ({facts})" if facts else self.key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExplainedError):
            return NotImplemented
        return (self.key, self.fields) == (other.key, other.fields)

    def __hash__(self) -> int:
        return hash(str(self))


class Refused(CompanionError, ValueError):
    """An answer that the rules do not allow. The state has not changed.

    `code` is the key of the sentence with the reason, `facts` are its values.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class UnknownGame(ExplainedError, LookupError):
    """A game that is not installed or cannot be played; `reason` says which.

    `code` is the key of the sentence with the reason, `facts` are its values.
    """

    code = "unknown_game"

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(f"game.{reason}", **fields)

    @property
    def facts(self) -> dict[str, str]:
        """Return the package to blame; empty if there is none."""
        return {}


class OutdatedGame(UnknownGame):
    """A recorded game that the present rules cannot set up."""

    code = "outgrown"


class UnplayableGame(UnknownGame):
    """A game whose `package`, of that `version`, cannot be used."""

    def __init__(
        self, code: str, game: str, package: str, version: str, **why: ExplainedError
    ) -> None:
        super().__init__(code, game=game, package=package, version=version, **why)
        self.code, self.package, self.version = code, package, version

    @property
    def facts(self) -> dict[str, str]:
        """Return the package and its version."""
        return {"package": self.package, "version": self.version}


class GameNotInstalled(UnplayableGame):
    """A recorded game whose package is not installed here."""

    def __init__(self, game: str, package: str, version: str) -> None:
        super().__init__("not_installed", game, package, version)


class ExcludedGame(UnplayableGame):
    """A game of an installed package that cannot be played, with the reason `why`."""

    def __init__(self, game: str, package: str, version: str, why: ExplainedError) -> None:
        super().__init__("left_out", game, package, version, why=why)
        self.why = why
