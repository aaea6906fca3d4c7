"""The schema of the protocol's lines: a check for each field of each line that the box sends.

The fields of a question come from the pending prompt. The fields of an event come from the game's
table of facts. Tests, the test kit and the pages in docs/ use the schema; the box never imports it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from checked_input.checks import (
    Check,
    OptionalKey,
    ValueMistake,
    ValuePlace,
    anything,
    boolean,
    both,
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
from companion.core.prompts import (
    LEAVING_PLAYER_QUESTION,
    MAX_LISTED_ANSWERS,
    Answer,
    Form,
    Number,
    Question,
    Roll,
    Spell,
    first_prompt_of_form,
    legal_answers,
)
from companion.door.lines import Message
from companion.play.conversation import UnconfirmedAnswer
from companion.play.standing import Standing
from companion.say.facts import NAME_CHECK, Facts, fact_row_or_default

Fields: TypeAlias = "Mapping[str, Check | OptionalKey]"
"""Type of a table from the name of a field to the check of its value."""
MutableFields: TypeAlias = "dict[str, Check | OptionalKey]"
"""Type of a table of fields that a function builds."""
MAX_CHECKED_CHOICES: Final = 60
"""Number of choices above which the schema checks only a sample of a question's choices."""


def _is_sentence(value: str) -> bool:
    return bool(value.strip()) and "|" not in value


def _is_answer(value: Any) -> bool:
    return value is None or type(value) in (int, str, bool, dict)


def _check_some(each: Check) -> Check:
    """Return a check of a list. In a long list, check only about MAX_CHECKED_CHOICES entries."""
    whole_list = list_of(each)

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        some = value[:: len(value) // MAX_CHECKED_CHOICES + 1] if isinstance(value, list) else value
        return whole_list(some, where)

    return judge


SENTENCE_CHECK: Final = text(condition(_is_sentence, "a sentence without |"))
BLANK_OR_SENTENCE_CHECK: Final = either(SENTENCE_CHECK, one_of(""))
TRUE_CHECK: Final = one_of(True)
ANSWER_CHECK: Final = condition(_is_answer, "an answer")
ANSWERS_CHECK: Final = mapping_of(ANSWER_CHECK)
CELL_CHECK: Final = either(BLANK_OR_SENTENCE_CHECK, mapping_of(BLANK_OR_SENTENCE_CHECK))
COMMITMENT_CHECK: Final = text(pattern(re.compile("[0-9a-f]{64}")))
SETTING_CHECK: Final = table(name=NAME_CHECK, value=NAME_CHECK, text=SENTENCE_CHECK)
CHOICES_CHECK: Final = _check_some(table(value=ANSWER_CHECK, label=SENTENCE_CHECK))
RECORDED_GAME_CHECK: Final = mapping_of(anything)
PEOPLE_CHECK: Final = list_of(mapping_of(anything))
HELLO_FIELD_CHECKS: Final[Fields] = {
    "protocol": one_of(1), "version": NAME_CHECK, "game": NAME_CHECK,
    "players": list_of(NAME_CHECK),
    "options": mapping_of(NAME_CHECK), "edition": mapping_of(whole_number),
    "commitment": COMMITMENT_CHECK,
    "printed": mapping_of(anything), "lang": NAME_CHECK, "title": SENTENCE_CHECK,
    "settings": list_of(SETTING_CHECK),
}  # fmt: skip
NO_GAME_CHECK: Final = one_of()
"""A check that accepts no value. `hello` has null in three fields while no game runs."""
IDLE_HELLO_FIELD_CHECKS: Final[Fields] = {
    **HELLO_FIELD_CHECKS,
    **dict.fromkeys(("game", "commitment", "title"), nullable(NO_GAME_CHECK)),
}
TELL_FIELD_CHECKS: Final[Fields] = {
    "event": NAME_CHECK,
    "text": BLANK_OR_SENTENCE_CHECK,
    "speech": BLANK_OR_SENTENCE_CHECK,
    "cue": nullable(NAME_CHECK),
    "sentence": BLANK_OR_SENTENCE_CHECK,
    "ruling": nullable(SENTENCE_CHECK),
}
SECRET_FIELD_CHECKS: Final[Fields] = {
    "who": NAME_CHECK, "event": NAME_CHECK, "text": SENTENCE_CHECK,
}  # fmt: skip
ASK_FIELD_CHECKS: Final[Fields] = {
    "id": whole_number,
    "who": nullable(NAME_CHECK),
    "question": NAME_CHECK,
    "text": SENTENCE_CHECK,
    "private": boolean,
    "sentence": SENTENCE_CHECK,
    "ok": SENTENCE_CHECK,
    "likely": nullable(number(0, MAX_LISTED_ANSWERS)),
    "choices": CHOICES_CHECK,
}
"""Checks of the fields of every `ask` line."""
ADDED_ASK_FIELD_CHECKS: Final[Mapping[str, Check]] = {
    "free": TRUE_CHECK,
    "pattern": text(),
    "number": table({"from": whole_number, "to": whole_number, "by": whole_number}),
    "spell": table(longest=whole_number, open=text()),
    "look": TRUE_CHECK,
    "at_once": TRUE_CHECK,
    "hidden": TRUE_CHECK,
    "kept": TRUE_CHECK,
    "form": NAME_CHECK,
    "given": ANSWERS_CHECK,
    "back": nullable(ANSWERS_CHECK),
    "sure": TRUE_CHECK,
    "of": table(question=NAME_CHECK, value=ANSWER_CHECK),
    "lists": list_of(NAME_CHECK),
}
"""Checks of the fields that an `ask` line has only for some questions or some recipients."""
ADDED_STATE_FIELD_CHECKS: Final[Fields] = {
    "facts": list_of(mapping_of(CELL_CHECK)),
    "named": mapping_of(SENTENCE_CHECK),
    "secrets": boolean,
}
"""Checks of the fields that a `state` line adds to the fields of the game's view."""
OVER_FIELD_CHECKS: Final[Fields] = {
    "winners": list_of(NAME_CHECK), "seed": NAME_CHECK, "scores": mapping_of(whole_number),
}  # fmt: skip
OFFERS_CHECK: Final = list_of(table(form=NAME_CHECK, text=SENTENCE_CHECK))
ERROR_FIELD_CHECKS: Final[Fields] = {"message": SENTENCE_CHECK, "code": NAME_CHECK}
ADDED_ERROR_FIELD_CHECKS: Final[Mapping[str, Fields]] = {
    "late": {"ask": nullable(mapping_of(anything))},
    "slow_down": {"seconds": whole_number},
}
"""Checks of the fields that an `error` line adds, by the code of the error."""
REPLY_FIELD_CHECKS: Final[Mapping[str, Fields]] = {
    "joined": {"seat": NAME_CHECK, "token": NAME_CHECK},
    "left": {"seat": NAME_CHECK},
    "frame": {"png": text()},
    "checked": {"known": nullable(boolean), "flaw": nullable(SENTENCE_CHECK)},
    "people": {"people": PEOPLE_CHECK},
    "group": {
        "years": mapping_of(mapping_of(anything)),
        "records": mapping_of(mapping_of(nullable(RECORDED_GAME_CHECK))),
        "hardest": list_of(table(word=NAME_CHECK, asked=whole_number)),
        "a_year_ago": list_of(RECORDED_GAME_CHECK),
        "people": PEOPLE_CHECK,
    },
}
"""Checks of the fields of the door's replies whose fields are always the same, by line type."""
PAST_GAME_FIELD_CHECKS: Final[Fields] = {"game": RECORDED_GAME_CHECK}
PAST_GAMES_FIELD_CHECKS: Final[Fields] = {"games": list_of(RECORDED_GAME_CHECK), "of": whole_number}
SUBSCRIBED_LINE_TYPES: Final = frozenset(
    ("hello", "tell", "secret", "state", "ask", "over", "offers", "frame")
)
"""Types of the lines that have an `event_id` if the box sends them to subscribers."""
LOOK_EVENT: Final = "look"
"""The event of the `secret` line that answers the request `look`."""
EVENT_ID_CHECK: Final[Fields] = {"event_id": OptionalKey(whole_number)}
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
START_EVENT_FIELD_CHECKS: Final[Mapping[str, Fields]] = {
    "damaged": {"kept": whole_number, "lost": whole_number, "file": NAME_CHECK},
    "rules_changed": {"answer": whole_number},
    "outgrown": {},
    "record_narrowed": {},
}
"""Checks of the fields of the events that report about the journal at the start, by event."""


class GameLineSchema(NamedTuple):
    """The schema of one game's lines.

    - `facts`: the game's table of facts.
    - `clauses`: the numbers of the game's clauses; empty if the game has no valid rule book.
    - `standing`: the position of the game. A question must be pending in this position, or be part
      of a form that this position offers. A `state` line must contain the position's view. If
      `standing` is None, the schema checks only the fields that are the same for all questions and
      all games.
    """

    facts: Facts
    clauses: frozenset[str] = frozenset()
    standing: Standing | None = None

    def check_of_line(self, line: Message) -> Check:
        """Return the check of all fields of `line`. Raise KeyError if this type is unknown."""
        fields = {"type": NAME_CHECK, **self._fields_of_line(line)}
        if line["type"] in SUBSCRIBED_LINE_TYPES:
            fields |= EVENT_ID_CHECK
        return table(fields, others=self._may_have_others(line))

    def _fields_of_line(self, line: Message) -> Fields:
        match line["type"]:
            case "hello":
                return HELLO_FIELD_CHECKS if line.get("game") else IDLE_HELLO_FIELD_CHECKS
            case "tell":
                return self._tell(str(line.get("event")))
            case "secret":
                return self._secret(str(line.get("event")))
            case "ask":
                return self._ask(line)
            case "state":
                return self._state(line)
            case "over":
                state = table(self._state(line), others=self.standing is None)
                return {**OVER_FIELD_CHECKS, "state": state}
            case "offers":
                return self._offers()
            case "error":
                return self._error(line)
            case "past":
                return PAST_GAME_FIELD_CHECKS if "game" in line else PAST_GAMES_FIELD_CHECKS
            case kind:
                return REPLY_FIELD_CHECKS[kind]

    def _may_have_others(self, line: Message) -> bool:
        """Return True if the schema does not know all fields of `line`."""
        kind, row = line["type"], fact_row_or_default(self.facts, str(line.get("event")))
        if kind == "tell":
            return self._common_event(str(line.get("event"))) is None and row.fields is None
        if kind == "secret":
            return row.private_fields is None and line.get("event") != LOOK_EVENT
        return kind in ("ask", "state") and self.standing is None

    @staticmethod
    def _common_event(event: str) -> Fields | None:
        return COMMON_EVENT_FIELD_CHECKS.get(event, START_EVENT_FIELD_CHECKS.get(event))

    def _tell(self, event: str) -> Fields:
        clause = nullable(one_of(*self.clauses) if self.clauses else NAME_CHECK)
        facts = self._common_event(event)
        if facts is None:
            facts = fact_row_or_default(self.facts, event).fields
        return {**(facts or {}), **TELL_FIELD_CHECKS, "clause": clause}

    def _secret(self, event: str) -> Fields:
        if event == LOOK_EVENT:
            return {**SECRET_FIELD_CHECKS, "text": BLANK_OR_SENTENCE_CHECK, "secrets": self._looked}
        facts = fact_row_or_default(self.facts, event).private_fields
        return {**(facts or {}), **SECRET_FIELD_CHECKS}

    def _looked(self, secrets: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        """Yield the mistakes in the field `secrets` of the reply to `look`."""

        def judge(secret: Any, at: ValuePlace) -> Iterable[ValueMistake]:
            event = secret.get("event") if isinstance(secret, dict) else None
            facts = fact_row_or_default(self.facts, str(event)).private_fields
            fields = {**(facts or {}), **SECRET_FIELD_CHECKS, "who": OptionalKey(NAME_CHECK)}
            return table(fields, others=facts is None)(secret, at)

        return list_of(judge)(secrets, where)

    def _state(self, line: Message) -> Fields:
        if self.standing is None:
            no_game = line.keys() <= {"type", "event_id"}
            return {} if no_game else ADDED_STATE_FIELD_CHECKS
        return {**_equal(self.standing.snapshot.view), **ADDED_STATE_FIELD_CHECKS}

    def _offers(self) -> Fields:
        if self.standing is None:
            return {"forms": OFFERS_CHECK}
        names = [question.name for question in self.standing.out_of_turn_questions]
        return {"forms": both(OFFERS_CHECK, _has_forms(names))}

    def _error(self, line: Message) -> Fields:
        added = ADDED_ERROR_FIELD_CHECKS.get(line.get("code", ""), {})
        if isinstance(line.get("ask"), dict):
            added = {"ask": self.check_of_line({**line["ask"], "type": "ask"})}
        return {**ERROR_FIELD_CHECKS, **added}

    def _ask(self, line: Message) -> Fields:
        if self.standing is None:
            added = {name: OptionalKey(check) for name, check in ADDED_ASK_FIELD_CHECKS.items()}
            return {**ASK_FIELD_CHECKS, **added}
        question = question_of_line(self.standing, line)
        if question is None:
            return {**ASK_FIELD_CHECKS, "question": condition(_never, "a pending question")}
        # `of` contains the other facts of a confirmation
        added = {
            name: fact
            for name, fact in question.facts.items()
            if "sure" not in line or name == "lists"
        }
        return {
            **_equal(added),
            **ASK_FIELD_CHECKS,
            **_asked_fields(question),
            **_conversation_fields(line),
            **_answer_fields(question, line),
        }


def question_of_line(standing: Standing, line: Message) -> Question | None:
    """Return the question that an `ask` line asks, or None if the game does not ask the question.

    The question is pending, is asked out of turn, is part of a form, asks a seat at the same time
    as other seats, or asks for the confirmation of an answer.
    """
    question = _question_or_part(standing, line)
    answer = line.get("of")
    if "sure" not in line or question is None or not isinstance(answer, dict):
        return question
    prompt = first_prompt_of_form(question)
    if prompt is None or answer.get("question") != prompt.name:
        return None
    lists = tuple(line.get("lists", ()))
    return UnconfirmedAnswer(prompt, answer.get("value"), lists).confirmation_prompt


def _question_or_part(standing: Standing, line: Message) -> Question | None:
    pending = standing.pending_question
    if "form" in line:
        offered = (pending, *standing.out_of_turn_questions)
        form = next((form for form in offered if form and form.name == line["form"]), None)
        return form.ask(line.get("given", {})) if isinstance(form, Form) else form
    if "at_once" in line:
        return standing.simultaneous_prompts.get(str(line.get("who")))
    return pending


def _asked_fields(question: Question) -> MutableFields:
    prompt = first_prompt_of_form(question)
    private = prompt is not None and prompt.private
    return _equal({"who": question.who, "question": question.name, "private": private})


def _conversation_fields(line: Message) -> MutableFields:
    """Return the checks of the fields about a form and about a confirmation."""
    names = [
        *(("form", "given", "back") if "form" in line else ()),
        *(("sure", "of") if "sure" in line else ()),
    ]
    return {name: ADDED_ASK_FIELD_CHECKS[name] for name in names}


def _answer_fields(question: Question, line: Message) -> MutableFields:
    """Return the checks of the fields about the answer: choices, ranges and marks."""
    marks = [] if isinstance(question, Form) else ["at_once", "look"]
    names = [name for name in marks if getattr(question, name, False)]
    if "hidden" in line:
        names += ["hidden", *(["kept"] if "kept" in line else [])]
        return {"choices": _exactly("[]"), **dict.fromkeys(names, TRUE_CHECK)}
    free = _is_free(question)
    shape = "spell" if isinstance(question, Spell) else "number"
    if isinstance(question, Spell | Number | Roll):
        names.append(shape)
    names += ["free", "pattern"] if free else []
    fields: MutableFields = {name: ADDED_ASK_FIELD_CHECKS[name] for name in names}
    if isinstance(question, Form):
        return {**fields, "free": OptionalKey(TRUE_CHECK)}
    return fields if free else {**fields, "choices": _choices_check(question, line)}


def _is_free(question: Question) -> bool:
    """Return True if `choices` lists only samples of the accepted answers."""
    if isinstance(question, Number):
        return question.hi - question.lo > MAX_LISTED_ANSWERS or question.by > 1
    return isinstance(question, Spell)


def _choices_check(question: Question, line: Message) -> Check:
    """Return a check that the choices are the question's answers.

    A confirmation lists the harmless answer first. If the question asks which player leaves, the
    line may list only some of the answers.
    """
    answers = [*legal_answers(question)]
    if question.name == LEAVING_PLAYER_QUESTION:
        return both(CHOICES_CHECK, _are_among(answers))
    values = json.dumps(sorted(answers) if "sure" in line else answers)
    return condition(lambda choices: _values(choices) == values, values)


def _values(choices: Any) -> str:
    """Return the values of a question's choices as JSON, or "" if `choices` is not a valid list."""
    wrong = first_mistake(CHOICES_CHECK, choices)
    return "" if wrong else json.dumps([choice["value"] for choice in choices])


def _has_forms(names: list[str]) -> Check:
    return condition(lambda forms: [form["form"] for form in forms] == names, ", ".join(names))


def _are_among(answers: list[Answer]) -> Check:
    return condition(
        lambda choices: all(choice["value"] in answers for choice in choices), json.dumps(answers)
    )


def _equal(values: Mapping[str, Any]) -> MutableFields:
    """Return checks that accept only the given values, compared as JSON."""
    return {name: _exactly(json.dumps(value)) for name, value in values.items()}


def _exactly(written: str) -> Check:
    return condition(lambda value: json.dumps(value) == written, written)


def _never(_: object) -> bool:
    return False
