"""The replay of a game's record: each entry of the record changes the game's answer history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.errors import Refused, UnplayableGame
from companion.core.fold import apply_answer
from companion.core.game import Cues, Game
from companion.core.prompts import is_legal_answer, is_rolled_by_press
from companion.play.answer_history import AnswerHistory, ComputerPlayerProgram, RulesChangedError
from companion.record.entry import Entry


def replay_entry(game: Game[Any], history: AnswerHistory, entry: Entry) -> AnswerHistory:
    """Return the answer history `history` after one entry of the record.

    Raise RulesChangedError if the entry does not fit the rules, or ExcludedGame if a package's game
    fails.
    """
    try:
        return _replayed(game, history, entry)
    except (RulesChangedError, UnplayableGame):
        raise
    except Exception as error:  # an entry can raise any exception if the rules have changed
        place = history.last.n + 1
        raise RulesChangedError(place, entry.question or entry.kind, None) from error


def _replayed(game: Game[Any], history: AnswerHistory, entry: Entry) -> AnswerHistory:
    match entry.kind:
        case "answer":
            return replay_answers(game, history, (entry,))[0]._replace(redo=None)
        case "box":
            return _drawn(game, history, entry)
        case "press":
            return history._replace(presses=(*history.presses, entry.value))
        case "seen":
            return history.with_secrets_seen(str(entry.who))
        case "undo":
            return history.with_answers_undone(
                history.undoable_answer_step(game.questions_people_answer_for_computer)
            )
        case "redo":
            if history.redo is None:
                raise Refused("nothing_to_redo")
            return replay_answers(game, history, history.redo.entries)[0]._replace(
                redo=history.redo.before
            )
        case "program":
            return history.with_computer_player(
                str(entry.who), entry.value and ComputerPlayerProgram(*entry.value)
            )
        case "over":
            return history  # change nothing, because the outcome follows from the answers
        case kind:
            raise RulesChangedError(history.last.n + 1, kind, None)


def _drawn(game: Game[Any], history: AnswerHistory, entry: Entry) -> AnswerHistory:
    """Return the answer history `history` after a roll or shuffle by the box.

    If a player's press started the roll, undone answers can no longer be redone.
    """
    if history.redo is not None and is_rolled_by_press(game.ask(history.last.state)):
        history = history._replace(redo=None)
    return replay_answers(game, history, (entry,))[0]


def replay_answers(
    game: Game[Any], history: AnswerHistory, entries: Iterable[Entry]
) -> tuple[AnswerHistory, Cues]:
    """Apply recorded answers to an answer history. Return the new history and the new events.

    Raise RulesChangedError if an answer does not fit the rules.
    """
    facts: Cues = ()
    for entry in entries:
        state, place, question = history.last.state, history.last.n + 1, str(entry.question)
        asked = [p for p in (game.ask(state), *game.anytime(state)) if p]
        prompt = next((p for p in asked if p.name == entry.question), None)
        if prompt is None or not is_legal_answer(prompt, entry.value):
            raise RulesChangedError(place, question, asked[0].name if asked else None)
        try:
            state, cues = apply_answer(game, state, entry.value, entry.question)
        except Refused as error:
            raise RulesChangedError(place, question, prompt.name) from error
        history = history.with_answer(entry, state, cues)
        facts = (*facts, *cues)
    return history, facts
