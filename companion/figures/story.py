"""A recorded game step by step: each answer with its facts and the state after the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.core.game import Cue
from companion.core.prompts import Form, Roll, first_prompt
from companion.core.snapshot import Snapshot
from companion.figures import recorded
from companion.figures.recorded import RecordedGame
from companion.play.header import setup_of
from companion.play.line import Line, Setup
from companion.play.session import undo_fact
from companion.record.entry import Entry, effective_entries

UNEVENTFUL_KINDS: Final = ("press", "seen", "over")
"""Kinds of record lines that a review does not show."""


class StoryLine(NamedTuple):
    """A step of a recorded game: one entry with its facts and the state after the entry.

    - `n`: number of answers up to this step.
    - `at`: time of the entry (s since 1970).
    - `entry`: an answer, an action of the box, an undo or a redo.
    - `cues`: all public facts of the entry.
    - `after`: the public state after the entry.
    - `own`: the facts up to the box's next roll, which begins another move.
    """

    n: int
    at: int
    entry: Entry
    cues: tuple[Cue, ...]
    after: Snapshot
    own: tuple[Cue, ...]


def story_lines(game: RecordedGame) -> Iterator[StoryLine]:
    """Yield the steps of a game in order.

    Raise RulesChanged at an entry that the rules refuse now.
    """
    setup = setup_of(game.header)
    for entry, before, line in recorded.replay_game(game):
        if entry.kind not in UNEVENTFUL_KINDS:
            cues = _heard(before, line)
            if entry.kind == "undo":
                cues = (undo_fact(setup.game, before, line, agreed=bool(entry.value)),)
            is_roll = entry.kind == "box" and isinstance(setup.game.ask(before.last.state), Roll)
            own, after = () if is_roll else cues, _seen(setup, line, cues)
            yield StoryLine(line.last.answers, entry.at, entry, cues, after, own)


def reviewed_answers(game: RecordedGame) -> tuple[StoryLine, ...]:
    """Return the answers of a game; each answer includes the box's actions that followed."""
    found: list[StoryLine] = []
    for move in story_lines(game):
        if move.entry.kind != "box":
            found.append(move)
        elif found:
            before = found[-1]
            is_own = before.own == before.cues
            own = (*before.own, *move.own) if is_own else before.own
            found[-1] = before._replace(cues=(*before.cues, *move.cues), after=move.after, own=own)
    return tuple(found)


def count_answers(game: RecordedGame) -> int:
    """Return the number of answers that can be reviewed, including undone and redone answers."""
    return sum(
        entry.kind not in (*UNEVENTFUL_KINDS, "box") for entry in effective_entries(game.entries)
    )


def _heard(before: Line, after: Line) -> tuple[Cue, ...]:
    """Return the public facts of the steps that an entry added to the game, in order."""
    added, step = [], after.last
    while step is not before.last and step.before is not None:
        added.append(step.cues)
        step = step.before
    return tuple(cue for cues in reversed(added) for cue in cues if cue.to is None)


def _seen(setup: Setup, line: Line, cues: tuple[Cue, ...]) -> Snapshot:
    """Return the public snapshot of a moment in the game, without secrets."""
    rules, state = setup.game, line.last.state
    asked, outcome = rules.ask(state), rules.outcome(state)
    return Snapshot(
        game=rules.name,
        players=setup.players,
        options=setup.options,
        prompt=first_prompt(asked),
        view=rules.view(state, None),
        cues=cues,
        position=line.last.n,
        undoable=line.last.answers,
        redoable=0,
        outcome=outcome,
        code=setup.chance.code,
        seed=None,
        form=asked if isinstance(asked, Form) else None,
    )
