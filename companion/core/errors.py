"""What the companion itself raises, and how it is logged."""

from __future__ import annotations


def log(room: str, text: str, error: BaseException | None = None) -> None:
    """Log what went wrong in a room, with the traceback of an error."""
    import logging  # noqa: PLC0415 - it takes as long as many other files

    logging.getLogger(f"companion.{room}").error("%s", text, exc_info=error)


class CompanionError(Exception):
    """The root of everything that the companion itself raises."""


class Explained(CompanionError):
    """One that a person may read, so each language of the command line has its sentence.

    `key` names that sentence (`record.full`: `cmd.wrong.record.full` in the catalogue), `fields`
    fill it in: facts, or another one that is the reason. `companion.say.errors` words it. Two that
    say the same are equal: a value may hold one.
    """

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields

    def __str__(self) -> str:
        """Key and fields, for a traceback or a log."""
        facts = ", ".join(f"{name}: {field}" for name, field in self.fields.items())
        return f"{self.key} ({facts})" if facts else self.key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Explained):
            return NotImplemented
        return (self.key, self.fields) == (other.key, other.fields)

    def __hash__(self) -> int:
        return hash(str(self))


class Refused(CompanionError, ValueError):
    """An answer that the rules do not allow; nothing has changed.

    `code` names the reason for the words' sake, `facts` what the sentence mentions.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class UnknownGame(Explained, LookupError):
    """No game of that name is in the box, or none that can be played, for a `reason`.

    `code` names the reason for the words' sake, `facts` what the sentence mentions.
    """

    code = "unknown_game"

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(f"game.{reason}", **fields)

    @property
    def facts(self) -> dict[str, str]:
        """Nothing, if no package is to blame."""
        return {}


class Outgrown(UnknownGame):
    """A recorded game that the rules of today cannot even set up."""

    code = "outgrown"


class Unplayable(UnknownGame):
    """A game whose `package`, of that `version`, cannot be used."""

    def __init__(self, code: str, game: str, package: str, version: str, **why: Explained) -> None:
        super().__init__(code, game=game, package=package, version=version, **why)
        self.code, self.package, self.version = code, package, version

    @property
    def facts(self) -> dict[str, str]:
        """The package and its version."""
        return {"package": self.package, "version": self.version}


class NotInstalled(Unplayable):
    """A recorded game whose package is not installed here: "not_installed"."""

    def __init__(self, game: str, package: str, version: str) -> None:
        super().__init__("not_installed", game, package, version)


class LeftOut(Unplayable):
    """A game of an installed package that cannot be played: "left_out", and `why`."""

    def __init__(self, game: str, package: str, version: str, why: Explained) -> None:
        super().__init__("left_out", game, package, version, why=why)
        self.why = why
