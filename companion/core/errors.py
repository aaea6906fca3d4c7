"""What the companion itself raises; the file imports nothing."""

from __future__ import annotations


class CompanionError(Exception):
    """The root of everything that the companion itself raises."""


class Explained(CompanionError):  # noqa: N818 - what it is
    """One that a person may read, so each language of the command line has its sentence.

    `key` names that sentence (`record.full`), `facts` are its fields; `english` is the same for
    programs and logs. Two that say the same are equal: a value may hold one.
    """

    def __init__(self, key: str, english: str, **facts: object) -> None:
        super().__init__(english.format_map(facts))
        self.key, self.facts = key, facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explained) and (self.key, self.facts) == (other.key, other.facts)

    def __hash__(self) -> int:
        return hash(str(self))


class Refused(CompanionError, ValueError):  # noqa: N818 - the house's word for it
    """An answer that the rules do not allow; nothing has changed.

    `code` names the reason for the words' sake, `facts` what the sentence mentions.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class UnknownGame(CompanionError, LookupError):  # noqa: N818 - likewise
    """No game of that name is in the box.

    `code` names the reason for the words' sake, `facts` what the sentence mentions.
    """

    code = "unknown_game"

    @property
    def facts(self) -> dict[str, str]:
        """Nothing, if no package is to blame."""
        return {}


class Outgrown(UnknownGame):
    """A recorded game that the rules of today can not even set up; `why` is in English."""

    code = "outgrown"

    def __init__(self, why: str) -> None:
        super().__init__(f"This game was recorded with other rules, and can not go on: {why}")


class Unplayable(UnknownGame):
    """A game whose `package`, of that `version`, can not be used."""

    def __init__(self, code: str, message: str, package: str, version: str) -> None:
        super().__init__(message)
        self.code, self.package, self.version = code, package, version

    @property
    def facts(self) -> dict[str, str]:
        """The package and its version."""
        return {"package": self.package, "version": self.version}


class NotInstalled(Unplayable):
    """A recorded game whose package is not installed here: "not_installed"."""

    def __init__(self, game: str, package: str, version: str) -> None:
        message = (
            f"{game} was played with {package} {version}, which is not installed: "
            f"pip install {package}=={version}"
        )
        super().__init__("not_installed", message, package, version)


class LeftOut(Unplayable):
    """A game of an installed package that can not be played: "left_out". `why` is in English."""

    def __init__(self, game: str, package: str, version: str, why: str) -> None:
        message = f"{game} of {package} {version} can not be played: {why}"
        super().__init__("left_out", message, package, version)
        self.why = why
