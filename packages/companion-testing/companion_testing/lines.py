"""Checks of the text protocol's lines against the schema in `companion.door.line_fields`."""

from __future__ import annotations

import re
from functools import cache

from checked_input.checks import first_mistake
from companion.catalog import clauses
from companion.core.errors import CompanionError
from companion.door.line_fields import GameLineSchema
from companion.door.lines import Message
from companion.draw.face import load_face
from companion.play.session import Session


class ProtocolFault(CompanionError, ValueError):
    """The error for a line that breaks the text protocol."""


def raise_protocol_fault_unless(ok: bool, fault: str) -> None:  # noqa: FBT001 - like `assert`
    """Raise ProtocolFault with the text `fault` if `ok` is false."""
    if not ok:
        raise ProtocolFault(fault)


@cache
def clause_numbers_of_game(game: str) -> frozenset[str]:
    """Return the numbers of the game's clauses, or an empty set without a valid rule book.

    Raise UnknownGame if no installed package has the game.
    """
    try:
        parts = clauses.read_rule_sheet_sections(game)
    except clauses.InvalidClausesError:
        return frozenset()  # `check_cited_clauses_exist` reports the error
    return frozenset(clause.number for part in parts for clause in part.clauses)


class ProtocolLineChecks:
    """The checks of one game's lines.

    If `session` is given, each `ask` line must match the question that the session asks now, and
    each `state` line must match the session's present view. If no session is given, only the fields
    that are the same for all games are checked in `ask` and `state` lines.
    """

    def __init__(self, game: str, session: Session | None = None) -> None:
        self._game, self._session = game, session
        self._facts = load_face(game).facts

    def check_line(self, line: Message) -> None:
        """Raise ProtocolFault at the first field in `line` that is missing, unknown or wrong."""
        kind = str(line.get("type"))
        standing = self._session.standing if self._session else None
        schema = GameLineSchema(self._facts, clause_numbers_of_game(self._game), standing)
        try:
            check = schema.check_of_line(line)
        except KeyError:
            raise ProtocolFault(f"{kind} is no kind of line") from None
        mistake = first_mistake(check, line)
        if mistake is not None:
            where, facts = ".".join(map(str, mistake.place)), dict(mistake.facts)
            raise ProtocolFault(
                f"{kind} {line.get('event', line.get('question', ''))}: {where} {facts}"
            )
        if kind == "ask" and "hidden" not in line:
            _check_choices(line)


def _check_choices(ask: Message) -> None:
    """Raise ProtocolFault if a question offers a choice twice, or has only one choice.

    An action, a private question and a question out of turn are allowed to have one choice. Also
    raise ProtocolFault if two choices have the same label, or if a choice does not match the
    question's `pattern`.
    """
    name, offered = ask["question"], ask["choices"]
    values = [repr(choice["value"]) for choice in offered]
    labels = [choice["label"] for choice in offered]
    may_be_one = values == [repr(name)] or ask["private"] or "form" in ask
    raise_protocol_fault_unless(
        len(values) > 1 or bool(may_be_one and values), f"{name} leaves no choice"
    )
    raise_protocol_fault_unless(len({*values}) == len(values), f"{name} offers an answer twice")
    raise_protocol_fault_unless(
        len({*labels}) == len(labels), f"{name} has two answers that read the same"
    )
    if "pattern" in ask:
        fits = all(re.search(ask["pattern"], str(choice["value"])) for choice in offered)
        raise_protocol_fault_unless(fits, f"{name} offers an answer that is not of its pattern")
