"""A recorded game step by step, for the review of a past game on the display."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.core.game import Cue
from companion.core.prompts import Form, Roll, first_prompt_of_form
from companion.core.snapshot import Snapshot
from companion.figures import recorded
from companion.figures.recorded import RecordedGame
from companion.play.answer_history import AnswerHistory, GameSetup
from companion.play.record_header import setup_from_record_header
from companion.play.session import fact_of_undone_answer
from companion.record.entry import Entry, drop_cut_entries

UNREVIEWED_ENTRY_KINDS: Final = ("press", "seen", "over")
"""The kinds of record lines that a review of a past game does not show."""


class RecordedStep(NamedTuple):
    """A step in the review of a recorded game.

    - `n`: the number of answers up to this step, without undone answers.
    - `at`: the time of the entry (s since 1970).
    - `entry`: the line of the record: an answer, an action of the box, an undo or a redo. If a
      computer player takes over or returns a seat, this line is a step too.
    - `cues`: the public events of the step.
    - `after`: the public state after the step.
    - `own`: the public events of the step that happened before the box's first roll in this step.
    """

    n: int
    at: int
    entry: Entry
    cues: tuple[Cue, ...]
    after: Snapshot
    own: tuple[Cue, ...]


def recorded_steps(game: RecordedGame) -> Iterator[RecordedStep]:
    """Yield the steps of a recorded game in order.

    Raise RulesChangedError at the first entry that the present rules refuse.
    """
    setup = setup_from_record_header(game.header)
    for entry, before, line in recorded.replayed_lines_with_states(game):
        if entry.kind not in UNREVIEWED_ENTRY_KINDS:
            cues = _heard(before, line)
            if entry.kind == "undo":
                cues = (fact_of_undone_answer(setup.game, before, line, agreed=bool(entry.value)),)
            is_roll = entry.kind == "box" and isinstance(setup.game.ask(before.last.state), Roll)
            own, after = () if is_roll else cues, _seen(setup, line, cues)
            yield RecordedStep(line.last.answers, entry.at, entry, cues, after, own)


def review_steps(game: RecordedGame) -> tuple[RecordedStep, ...]:
    """Return the steps for a review, each with the box's actions after the step, such as rolls."""
    found: list[RecordedStep] = []
    for move in recorded_steps(game):
        if move.entry.kind != "box":
            found.append(move)
        elif found:
            before = found[-1]
            is_own = before.own == before.cues
            own = (*before.own, *move.own) if is_own else before.own
            found[-1] = before._replace(cues=(*before.cues, *move.cues), after=move.after, own=own)
    return tuple(found)


def count_review_steps(game: RecordedGame) -> int:
    """Return the number of steps in a game's review, including undone answers."""
    return sum(
        entry.kind not in (*UNREVIEWED_ENTRY_KINDS, "box")
        for entry in drop_cut_entries(game.entries)
    )


def _heard(before: AnswerHistory, after: AnswerHistory) -> tuple[Cue, ...]:
    added, step = [], after.last
    while step is not before.last and step.before is not None:
        added.append(step.cues)
        step = step.before
    return tuple(cue for cues in reversed(added) for cue in cues if cue.to is None)


def _seen(setup: GameSetup, line: AnswerHistory, cues: tuple[Cue, ...]) -> Snapshot:
    rules, state = setup.game, line.last.state
    asked, outcome = rules.ask(state), rules.outcome(state)
    return Snapshot(
        game=rules.name,
        players=setup.players,
        options=setup.options,
        prompt=first_prompt_of_form(asked),
        view=rules.view(state, None),
        cues=cues,
        position=line.last.n,
        undoable=line.last.answers,
        redoable=0,
        outcome=outcome,
        code=setup.chance.commitment_code,
        seed=None,
        form=asked if isinstance(asked, Form) else None,
    )
