"""The verification of a finished game: its entries are compared with a replay from its seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Outcome
from companion.core.prompts import PRESSED_ROLL_QUESTION, is_answered_by_box, is_legal_answer
from companion.play.record_header import rule_errors_as_outdated_game, setup_from_record_header
from companion.play.session import Session
from companion.record.entry import drop_cut_entries
from companion.record.journal import Entry, Journal


class VerificationResult(NamedTuple):
    """The result of verifying a recorded game.

    - `problem`: the code of the first difference, or None if the game is fair.
    - `last_verified_entry`: the number of the last verified entry, from 1. If there is a
      difference, this entry contains the difference. `last_verified_entry` is 0 if the seed does
      not match the commitment.
    - `draws`: the number of verified rolls and shuffles.
    - `agreed_undos`: how many times the players agreed to undo an answer after a secret was seen.
    - `reopened` is True if the game continued after its seed was shown.
    - `corrected`: the number of corrections in the game.
    """

    problem: str | None
    last_verified_entry: int
    draws: int
    agreed_undos: int
    reopened: bool
    corrected: int = 0


def verify_game_against_seed(journal: Journal, number: int) -> VerificationResult:
    """Verify a recorded game against its seed.

    Raise JournalError if the record cannot be read. Raise UnknownGame if the game cannot be played
    on this machine.
    """
    return verify_entries_against_seed(journal, *journal.read_game_header_and_lines(number))[0]


def verify_entries_against_seed(
    journal: Journal, header: Mapping[str, Any], entries: Sequence[Entry]
) -> tuple[VerificationResult, Outcome | None]:
    """Verify a game given by its entries, without changing the record.

    Return the result, and the game's outcome if the game is fair. Raise UnknownGame if the game
    cannot be played on this machine.
    """
    setup = setup_from_record_header(header)
    with rule_errors_as_outdated_game():
        session = Session(journal, 0, setup)
    draws = agreed = corrected = 0
    is_over = reopened = False
    problem, line = _commitment(header["commitment"], setup.chance.seed_commitment), 0
    for n, entry in enumerate(drop_cut_entries(entries), start=1):
        if problem is not None:
            break
        line = n
        reopened |= is_over and entry.kind in ("answer", "undo", "redo")
        is_over = entry.kind == "over" or (is_over and entry.kind == "seen")
        draws += entry.kind == "box"
        corrected += entry.kind == "answer" and entry.question == "correct"
        agreed += entry.kind == "undo" and bool(entry.value)
        try:
            with rule_errors_as_outdated_game():
                problem = _problem(session, entry)
            session.replay_entry(entry)
        except CompanionError:
            problem = problem or "rules"
    verdict = VerificationResult(problem, line, draws, agreed, reopened, corrected)
    return verdict, None if problem else session.standing.snapshot.outcome


def _problem(session: Session, entry: Entry) -> str | None:
    """Return the code of an entry's fault, found before the entry is replayed; None if no fault.

    Raise CompanionError if the rules of the game fail.
    """
    prompt = session.standing.pending_prompt
    asked = prompt.name if prompt is not None else None
    match entry.kind:
        case "box":
            rolls = is_answered_by_box(prompt) or asked == PRESSED_ROLL_QUESTION
            return (
                None if rolls and session.standing.box_answer_from_seed() == entry.value else "draw"
            )
        case "answer":  # a roll or shuffle by the box must not be recorded as a player's answer
            its = (
                asked == PRESSED_ROLL_QUESTION
                and prompt is not None
                and prompt.facts["roll"] == entry.question
            )
            return "draw" if is_answered_by_box(prompt) or asked == "mix" or its else None
        case "press":
            fits = prompt is not None and is_legal_answer(prompt, entry.value)
            return None if asked == "mix" and fits else "press"
        case "undo":
            return "undo" if session.standing.undo_needs_agreement and not entry.value else None
        case "over":
            outcome = session.standing.snapshot.outcome
            winners = list(outcome.winners) if outcome else None
            return None if entry.value == winners else "winner"
        case _:
            return None


def _commitment(shown: str, of_seed: str) -> str | None:
    return None if shown == of_seed else "commitment"
