"""Checks of undo, redo and resume over whole games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Final, NamedTuple

from companion.core.prompts import PRESSED_ROLL_QUESTION, Prompt
from companion.core.snapshot import View
from companion.play import verify
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.entry import drop_cut_entries
from companion.record.journal import Journal
from companion_testing.playing import Move, Playout
from companion_testing.table import Faults, GameFault, GamePlace, faults_with_place

RESUME_COUNT: Final = 2
"""Approximate number of times that a whole game is resumed from its record."""


class ViewAfterAnswer(NamedTuple):
    """The view and prompt after an answer.

    `showed` is True if the answer showed a secret to a player.
    """

    view: View
    prompt: Prompt | None
    showed: bool = False


def check_undo_and_redo(playout: Playout) -> Faults:
    """Undo, redo and resume restore all states; players must agree to undo a shown secret."""
    if playout.fault:
        return
    table = playout.table
    setup = GameSetup(*table, playout.chance, mixing=False)
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        _press_rolls(session)
        groups = [*_groups(playout)]
        places = [playout.place_of_move(n) for n, _ in groups]
        history = [_now(session)]
        for n, (_, group) in enumerate(groups):
            history.append(_give_answer(session, group))
            if n % max(1, len(groups) // RESUME_COUNT) == 0:
                yield from faults_with_place(places[n], _check_restart(journal, session))
        if history[-1].view != table.game.view(playout.last_state, None):
            fault_text = "the same answers do not lead to the same game in a session"
            yield GameFault(fault_text, playout.place_of_move(max(0, len(playout.moves) - 1)))
        yield from _check_replay(journal, session, history, places)
        yield from _undone(session, history, [group for _, group in groups], places)
        session.commit()
        yield from _redone(session, history, places)
        session.commit()
        verification = verify.verify_game_against_seed(journal, session.number)
        if verification.problem is not None:
            at = verification.last_verified_entry
            yield f"the record does not verify: {verification.problem}, line {at}"


def _groups(playout: Playout) -> Iterator[tuple[int, tuple[Move, ...]]]:
    """Yield the moves in groups: an answer of a person, and the box's answers after this answer.

    Each group is a pair: the number of the group's first move, and the group's moves.
    """
    group: list[Move] = []
    first = 0
    for n, move in enumerate(playout.moves):
        if not move.is_answered_by_box and group:
            yield first, tuple(group)
            group = []
        if group or not move.is_answered_by_box:
            first = first if group else n
            group.append(move)
    if group:
        yield first, tuple(group)


def _now(session: Session, *, showed: bool = False) -> ViewAfterAnswer:
    snapshot = session.standing.snapshot
    return ViewAfterAnswer(snapshot.view, snapshot.prompt, showed)


def _give_answer(session: Session, group: tuple[Move, ...]) -> ViewAfterAnswer:
    move = group[0]
    session.answer(move.value, 0, move.prompt.name if move.is_out_of_turn else None)
    session.mark_secrets_sent(0)
    _press_rolls(session)
    session.commit()
    showed = any(cue.reveals or cue.to is not None for each in group for cue in each.cues)
    return _now(session, showed=showed)


def _press_rolls(session: Session) -> None:
    """Answer the questions that ask for a press before the box rolls."""
    while (
        session.standing.pending_prompt is not None
        and session.standing.pending_prompt.name == PRESSED_ROLL_QUESTION
    ):
        session.answer(PRESSED_ROLL_QUESTION, 0)
        session.mark_secrets_sent(0)


def _same(first: ViewAfterAnswer, second: ViewAfterAnswer) -> bool:
    return first[:2] == second[:2]


def _undone(
    session: Session,
    history: list[ViewAfterAnswer],
    groups: list[tuple[Move, ...]],
    places: list[GamePlace],
) -> Faults:
    """Undo all answers, one after another.

    If the players must agree to an undo, the players agree. For every second answer, the players
    first refuse the undo once, and agree to the next request.
    """
    for n in range(len(groups), 0, -1):
        name, at = groups[n - 1][0].prompt.name, places[n - 1]
        session.undo(0)
        asked = session.standing.pending_prompt == UNDO_AGREEMENT
        if asked != history[n].showed:
            yield GameFault(
                f"an undo of {name} {'asks' if asked else 'does not ask'} the table", at
            )
        if asked and n % 2:
            session.answer("no", 0)
            if not _same(_now(session), history[n]):
                yield GameFault(f"an undo of {name} that the table refused changed something", at)
            session.undo(0)
        if asked:
            session.answer("yes", 0)
        yield from faults_with_place(at, _check_secret_words(session, groups[:n]))
        if not _same(_now(session), history[n - 1]):
            yield GameFault(f"after an undo of {name} the game is not as before", at)


def _check_secret_words(session: Session, groups: list[tuple[Move, ...]]) -> Iterator[str]:
    undo_text = json.dumps([cue.facts for cue in session.standing.snapshot.cues]).upper()
    moves, covert = [move for group in groups for move in group], session.game_setup.game.covert
    typed = [move for move in moves if move.prompt.name in covert and not move.is_out_of_turn]
    revealed = {
        word for move in typed if len(word := str(move.value)) > 3 and word.upper() in undo_text
    }  # skip short words, which could be part of a name
    if revealed:
        open_ = json.dumps([cue.facts for move in moves[:-1] for cue in move.public_facts]).upper()
        for word in sorted(word for word in revealed if word.upper() not in open_):
            yield f"an undo of {groups[-1][0].prompt.name} tells {word}"


def _redone(session: Session, history: list[ViewAfterAnswer], places: list[GamePlace]) -> Faults:
    """Redo all answers, and compare each state with the state before the undo."""
    for at, moment in zip(places, history[1:], strict=True):
        session.redo(0)
        session.mark_secrets_sent(0)
        if not _same(_now(session), moment):
            yield GameFault("after undo and redo the game is not as before", at)


def _check_replay(
    journal: Journal, session: Session, history: list[ViewAfterAnswer], places: list[GamePlace]
) -> Faults:
    """Yield a fault unless the record, replayed line by line, restores each state."""
    entries = drop_cut_entries(journal.read_game_header_and_lines(session.number)[1])
    again = Session(journal, session.number, session.game_setup)
    moments = iter(zip(history, places, strict=False))
    for line, entry in enumerate(entries, start=1):
        if entry.kind == "answer":
            moment, at = next(moments)
            if not _same(_now(again), moment):
                fault_text = (
                    f"resumed before line {line} of its record, the game is not where it was"
                )
                yield GameFault(fault_text, at)
                return
        again.replay_entry(entry)


def _check_restart(journal: Journal, session: Session) -> Iterator[str]:
    """Yield a fault unless a restarted box restores the game and keeps all secrets private."""
    again = Session.resume(journal, session.number, session.game_setup, 0)
    if not _same(_now(again), _now(session)):
        yield "a resumed game is not where it was"
    if any(cue.to is None for cue in again.standing.snapshot.cues):
        yield "a resumed game tells all what is one player's secret"
