"""A recorded game as a value, and its lines done again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.play.header import of_other_rules, setup_of
from companion.play.line import Line, Step
from companion.play.replay import replay_entry
from companion.record.entry import Entry, effective_entries, winners_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.record.journal import Journal


class Recorded(NamedTuple):
    """A game of a record: its first line's value with its id, when it was begun, and its lines."""

    header: Mapping[str, Any]
    begun: int
    entries: tuple[Entry, ...]

    @property
    def id(self) -> str:
        """What the game is known by."""
        return str(self.header["id"])

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end."""
        return winners_of(self.entries) is not None

    @property
    def is_kept_back(self) -> bool:
        """Whether it was not over when it was exported, and its secrets stayed where it was."""
        return self.header["seed"] is None

    @property
    def end_time(self) -> int | None:
        """When it was over, in seconds since 1970; None if it is not."""
        ends = [entry.at for entry in self.entries if entry.kind == "over"]
        return ends[-1] if self.is_over else None

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won, by the record; nobody if it is not over."""
        values = [entry.value for entry in self.entries if entry.kind == "over"]
        return tuple(values[-1]) if self.is_over else ()


def proof(game: Recorded) -> dict[str, str] | None:
    """What a finished game can be checked with, wherever its record is; None if it is not over.

    `line` is the SHA-256 of its first line's value and of all lines up to the last "over", as JSON
    without spaces: the same in every record that has the game.
    """
    if not game.is_over or game.is_kept_back:
        return None
    last = max(n for n, entry in enumerate(game.entries) if entry.kind == "over")
    header = {name: value for name, value in game.header.items() if name != "id"}
    lines = [header, *game.entries[: last + 1]]
    text = json.dumps(lines, sort_keys=True, separators=(",", ":"))
    line = hashlib.sha256(text.encode()).hexdigest()
    return {"commitment": header["commitment"], "seed": header["seed"], "line": line}


def load_game(journal: Journal, number: int) -> Recorded:
    """A game of a journal. Raises JournalError."""
    first, *entries = journal.lines(number)
    return Recorded(first.value, first.at, tuple(entries))


def id_at(journal: Journal, number: int) -> str:
    """What a game of a journal is known by; only its first line is read. Raises JournalError."""
    return str(journal.first(number).value["id"])


def replay(game: Recorded) -> Iterator[tuple[Entry, Line, Line]]:
    """Each line that counts, with the game as it stood before and after it.

    Raises RulesChanged at the line that no longer fits the rules, UnknownGame before the first.
    """
    setup = setup_of(game.header)
    with of_other_rules():
        state = setup.game.setup(setup.players, setup.options, setup.edition)
        line = Line(Step(None, Entry("game"), state, (), 0, 0), programs=setup.programs)
    for entry in effective_entries(game.entries):
        before, line = line, replay_entry(setup.game, line, entry)
        yield entry, before, line
