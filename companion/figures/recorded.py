"""A recorded game as a data object, and its replay with the present rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from companion.play.answer_history import AnswerHistory, AnswerStep
from companion.play.record_header import rule_errors_as_outdated_game, setup_from_record_header
from companion.play.replay import replay_entry
from companion.record.entry import Entry, drop_cut_entries, winners_from_entries
from companion.record.journal import Journal

NOTES_SETTING: Final = "notes"
"""The key of the setting that stores users' notes about games by game number."""


class RecordedGame(NamedTuple):
    """A recorded game: its header, its start (s since 1970), and its lines after the header."""

    header: Mapping[str, Any]
    begun: int
    entries: tuple[Entry, ...]

    @property
    def id(self) -> str:
        """Return the identifier of the game, which is the same in every record."""
        return str(self.header["id"])

    @property
    def is_over(self) -> bool:
        """Return True if the game is finished."""
        return winners_from_entries(self.entries) is not None

    @property
    def is_without_seed(self) -> bool:
        """Return True if the record lacks the seed, from which the game's secrets follow.

        An unfinished game that was imported from an export lacks its seed.
        """
        return self.header["seed"] is None

    @property
    def end_time(self) -> int | None:
        """Return the end of the game (s since 1970); None for an unfinished game."""
        ends = [entry.at for entry in self.entries if entry.kind == "over"]
        return ends[-1] if self.is_over else None

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the winners' names; an empty tuple for an unfinished game."""
        values = [entry.value for entry in self.entries if entry.kind == "over"]
        return tuple(values[-1]) if self.is_over else ()


def chance_verification_values(game: RecordedGame) -> dict[str, str] | None:
    """Return the values with which anyone can verify the game's rolls and shuffles.

    - `commitment`: the SHA-256 of the seed. The box showed a short code of the commitment before
      the game.
    - `seed`: the seed of the game.
    - `line`: the SHA-256 of the header and of all lines up to the last "over", as JSON without
      spaces. The value of `line` is equal in all records of the game.

    Return None if the game is unfinished or the record lacks the seed.
    """
    if not game.is_over or game.is_without_seed:
        return None
    last = max(n for n, entry in enumerate(game.entries) if entry.kind == "over")
    header = {name: value for name, value in game.header.items() if name != "id"}
    lines = [header, *game.entries[: last + 1]]
    text = json.dumps(lines, sort_keys=True, separators=(",", ":"))
    line = hashlib.sha256(text.encode()).hexdigest()
    return {"commitment": header["commitment"], "seed": header["seed"], "line": line}


def load_recorded_game(journal: Journal, number: int) -> RecordedGame:
    """Return the recorded game with the number `number` from the record.

    Raise JournalError if the game cannot be read.
    """
    first, *entries = journal.read_lines_of_game(number)
    return RecordedGame(first.value, first.at, tuple(entries))


def load_game_note(journal: Journal, number: int) -> str:
    """Return the note that a user wrote about the game `number`; "" if there is none."""
    notes = journal.all_settings().get(NOTES_SETTING)
    note = notes.get(str(number)) if isinstance(notes, dict) else None
    return note if isinstance(note, str) else ""


def save_game_note(journal: Journal, number: int, text: str, now: int) -> None:
    """Save a user's note about the game `number`. If `text` is "", delete the note.

    `now`: the present time in seconds since 1970. Raise JournalError if saving fails.
    """
    saved = journal.all_settings().get(NOTES_SETTING)
    notes = {**(saved if isinstance(saved, dict) else {}), str(number): text}
    journal.save_setting(NOTES_SETTING, {n: note for n, note in notes.items() if note}, now)


def read_game_id(journal: Journal, number: int) -> str:
    """Return the identifier of the game with the number `number`.

    Raise JournalError if the game's first line cannot be read.
    """
    return str(journal.read_first_line_of_game(number).value["id"])


def replayed_lines_with_states(
    game: RecordedGame,
) -> Iterator[tuple[Entry, AnswerHistory, AnswerHistory]]:
    """Replay a game. Yield each line with the answer history before and after the line.

    The result includes undone lines, but no lines that a later "cut" line removed from the game.

    Raise RulesChangedError at the first line that the present rules refuse. Raise UnknownGame if
    the game is not installed, or if the present rules cannot set up the game.
    """
    setup = setup_from_record_header(game.header)
    with rule_errors_as_outdated_game():
        state = setup.game.setup(setup.players, setup.options, setup.edition)
        line = AnswerHistory(
            AnswerStep(None, Entry("game"), state, (), 0, 0), programs=setup.programs
        )
    for entry in drop_cut_entries(game.entries):
        before, line = line, replay_entry(setup.game, line, entry)
        yield entry, before, line
