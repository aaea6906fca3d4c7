"""Checks of the fields in the text protocol's lines.

The table `facts` of a game's `Face` lists the fields of `tell` and `secret` lines. An `ask` line
must match the session's question, and a `state` line must match the session's view.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from checked_input.checks import (
    Check,
    OptionalKey,
    ValueMistake,
    ValuePlace,
    anything,
    boolean,
    condition,
    either,
    first_mistake,
    list_of,
    mapping_of,
    nullable,
    number,
    one_of,
    pattern,
    table,
    text,
    whole_number,
)
from companion.catalog import clauses
from companion.core.errors import CompanionError
from companion.core.prompts import (
    MAX_LISTED_ANSWERS,
    Form,
    Number,
    Question,
    Spell,
    first_prompt_of_form,
    legal_answers,
)
from companion.draw.face import load_face
from companion.play.session import Session
from companion.say.facts import NAME_CHECK, fact_row_or_default
from companion_testing.table import sample_evenly

Fields: TypeAlias = "Mapping[str, Check | OptionalKey]"
Message: TypeAlias = dict[str, Any]
MAX_CHECKED_CHOICES: Final = 60
"""Maximum number of choices whose fields are checked in one question."""


class ProtocolFault(CompanionError, ValueError):
    """The error for a line that breaks the text protocol."""


def raise_protocol_fault_unless(ok: bool, fault: str) -> None:  # noqa: FBT001 - like `assert`
    """Raise ProtocolFault with the text `fault` if `ok` is false."""
    if not ok:
        raise ProtocolFault(fault)


def _is_sentence(value: str) -> bool:
    return bool(value.strip()) and "|" not in value


def _is_answer(value: Any) -> bool:
    return value is None or type(value) in (int, str, bool, dict)


def _check_some(each: Check) -> Check:
    """Return a check that checks up to MAX_CHECKED_CHOICES elements of a list."""
    whole_list = list_of(each)

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        some = sample_evenly(value, MAX_CHECKED_CHOICES) if isinstance(value, list) else value
        return iter(whole_list(some, where))

    return judge


SENTENCE_CHECK: Final = text(condition(_is_sentence, "a sentence without |"))
BLANK_OR_SENTENCE_CHECK: Final = either(SENTENCE_CHECK, one_of(""))
OPTIONAL_TRUE_CHECK: Final = OptionalKey(one_of(True))
ANSWER_CHECK: Final = condition(_is_answer, "an answer")
CELL_CHECK: Final = either(BLANK_OR_SENTENCE_CHECK, mapping_of(BLANK_OR_SENTENCE_CHECK))
COMMITMENT_CHECK: Final = text(pattern(re.compile("[0-9a-f]{64}")))
SETTING_CHECK: Final = table(name=NAME_CHECK, value=NAME_CHECK, text=SENTENCE_CHECK)
HELLO_FIELD_CHECKS: Final[Fields] = {
    "protocol": one_of(1), "version": NAME_CHECK, "game": NAME_CHECK,
    "players": list_of(NAME_CHECK),
    "options": mapping_of(NAME_CHECK), "edition": mapping_of(whole_number),
    "commitment": COMMITMENT_CHECK,
    "printed": mapping_of(anything), "lang": NAME_CHECK, "title": SENTENCE_CHECK,
    "settings": list_of(SETTING_CHECK),
}  # fmt: skip
TELL_FIELD_CHECKS: Final[Fields] = {
    "event": NAME_CHECK,
    "text": BLANK_OR_SENTENCE_CHECK,
    "speech": BLANK_OR_SENTENCE_CHECK,
    "cue": nullable(NAME_CHECK),
    "sentence": BLANK_OR_SENTENCE_CHECK,
    "ruling": nullable(SENTENCE_CHECK),
}
SECRET_LINE_CHECK: Final[Fields] = {"who": NAME_CHECK, "event": NAME_CHECK, "text": SENTENCE_CHECK}
ASK_FIELD_CHECKS: Final[Fields] = {
    "id": whole_number,
    "who": nullable(NAME_CHECK),
    "question": NAME_CHECK,
    "text": SENTENCE_CHECK,
    "private": boolean,
    "sentence": SENTENCE_CHECK,
    "ok": SENTENCE_CHECK,
    "likely": nullable(number(0, MAX_LISTED_ANSWERS)),
    "choices": _check_some(table(value=ANSWER_CHECK, label=SENTENCE_CHECK)),
    "number": OptionalKey(table({"from": whole_number, "to": whole_number, "by": whole_number})),
    "spell": OptionalKey(table(longest=whole_number, open=text())),
    "at_once": OPTIONAL_TRUE_CHECK,
    "look": OPTIONAL_TRUE_CHECK,
}
FREE_CHOICE_FIELD_CHECKS: Final[Fields] = {"free": one_of(True), "pattern": text()}
ADDED_STATE_FIELD_CHECKS: Final[Fields] = {
    "facts": list_of(mapping_of(CELL_CHECK)),
    "named": mapping_of(SENTENCE_CHECK),
    "secrets": boolean,
}
"""Checks of the fields that a `state` line adds to the fields of the game's view."""
OVER_FIELD_CHECKS: Final[Fields] = {
    "winners": list_of(NAME_CHECK), "seed": NAME_CHECK, "scores": mapping_of(whole_number),
}  # fmt: skip
OFFERS_FIELD_CHECKS: Final[Fields] = {"forms": list_of(table(form=NAME_CHECK, text=SENTENCE_CHECK))}
COMMON_EVENT_FIELD_CHECKS: Final[Mapping[str, Fields]] = {
    "undone": {
        "who": nullable(NAME_CHECK),
        "question": NAME_CHECK,
        "value": ANSWER_CHECK,
        "agreed": boolean,
        "left": whole_number,
        "was": OptionalKey(whole_number),
        "total": OptionalKey(whole_number),
    },
    "redone": {"who": nullable(NAME_CHECK), "question": NAME_CHECK, "value": ANSWER_CHECK},
    "why": {"of": nullable(NAME_CHECK)},
}
"""Checks of the fields of events that every game can have, such as `undone`, by event."""


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
        mistake = first_mistake(
            self._of(kind, line), {key: line[key] for key in line if key != "type"}
        )
        if mistake is not None:
            where, facts = ".".join(map(str, mistake.place)), dict(mistake.facts)
            raise ProtocolFault(
                f"{kind} {line.get('event', line.get('question', ''))}: {where} {facts}"
            )
        if kind == "ask":
            _check_choices(line)

    def _of(self, kind: str, line: Message) -> Check:
        match kind:
            case "hello":
                return table(HELLO_FIELD_CHECKS)
            case "tell":
                return self._tell(str(line.get("event")))
            case "secret":
                return _with_facts(
                    SECRET_LINE_CHECK,
                    fact_row_or_default(self._facts, str(line.get("event"))).private_fields,
                )
            case "ask":
                return self._ask()
            case "state":
                return self._state()
            case "over":
                return table({**OVER_FIELD_CHECKS, "state": self._state()})
            case "error":
                return table(code=NAME_CHECK, message=SENTENCE_CHECK)
            case "offers":
                return table(OFFERS_FIELD_CHECKS)
            case _:
                raise ProtocolFault(f"{kind} is no kind of line")

    def _tell(self, event: str) -> Check:
        numbers = clause_numbers_of_game(self._game)
        clause = nullable(one_of(*numbers) if numbers else NAME_CHECK)
        event_fields = (
            COMMON_EVENT_FIELD_CHECKS.get(event) or fact_row_or_default(self._facts, event).fields
        )
        return _with_facts({**TELL_FIELD_CHECKS, "clause": clause}, event_fields)

    def _ask(self) -> Check:
        question = self._session.standing.pending_question if self._session else None
        if question is None:
            return table(ASK_FIELD_CHECKS, others=True)
        first = first_prompt_of_form(question)
        question_fields = {
            "who": question.who,
            "question": question.name,
            "private": first is not None and first.private,
        }
        return table(
            {
                **_equal(question.facts),
                **ASK_FIELD_CHECKS,
                **_free(question),
                **_equal(question_fields),
            }
        )

    def _state(self) -> Check:
        if self._session is None:
            return table(ADDED_STATE_FIELD_CHECKS, others=True)
        return table({**_equal(self._session.standing.snapshot.view), **ADDED_STATE_FIELD_CHECKS})


def _with_facts(fields: Fields, facts: Fields | None) -> Check:
    """Return a check of a line with the fields `fields` and the event's fields `facts`.

    If `facts` is None, the check also allows unknown fields.
    """
    return table({**(facts or {}), **fields}, others=facts is None)


def _equal(values: Mapping[str, Any]) -> Fields:
    """Return checks that accept only the given values, compared as JSON."""
    return {name: _exactly(json.dumps(value)) for name, value in values.items()}


def _exactly(written: str) -> Check:
    return condition(lambda value: json.dumps(value) == written, written)


def _free(question: Question) -> Fields:
    if isinstance(question, Spell):
        return FREE_CHOICE_FIELD_CHECKS
    if isinstance(question, Number) and (
        question.hi - question.lo > MAX_LISTED_ANSWERS or question.by > 1
    ):
        return FREE_CHOICE_FIELD_CHECKS
    if isinstance(question, Form):
        return {"free": OPTIONAL_TRUE_CHECK}
    values = json.dumps([*legal_answers(question)])
    return {
        "choices": condition(lambda choices: _values(choices) == values, values),
    }


def _values(choices: Any) -> str:
    """Return the values of a question's choices as JSON, or "" if `choices` is not a valid list."""
    whole_list = ASK_FIELD_CHECKS["choices"]
    assert not isinstance(whole_list, OptionalKey)
    wrong = first_mistake(whole_list, choices)
    return "" if wrong else json.dumps([choice["value"] for choice in choices])


def _check_choices(ask: Message) -> None:
    """Raise ProtocolFault if a question offers a choice twice, or has only one choice.

    An action and a private question are allowed to have one choice. Also raise ProtocolFault if two
    choices have the same label, or if a choice does not match the question's `pattern`.
    """
    name, offered = ask["question"], ask["choices"]
    values = [repr(choice["value"]) for choice in offered]
    labels = [choice["label"] for choice in offered]
    act = values == [repr(name)]
    raise_protocol_fault_unless(
        len(values) > 1 or act or bool(ask["private"] and values), f"{name} leaves no choice"
    )
    raise_protocol_fault_unless(len({*values}) == len(values), f"{name} offers an answer twice")
    raise_protocol_fault_unless(
        len({*labels}) == len(labels), f"{name} has two answers that read the same"
    )
    if "pattern" in ask:
        fits = all(re.search(ask["pattern"], str(choice["value"])) for choice in offered)
        raise_protocol_fault_unless(fits, f"{name} offers an answer that is not of its pattern")
