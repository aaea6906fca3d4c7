"""The parts of the protocol reference about one game: its state, questions, events and sounds.

The names of events and fields come from the table `facts` of the game's `Face`. The sentences come
from the game's catalogue.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.pofile import read_po

from checked_input.checks import OptionalKey, first_mistake
from companion.catalog import registry
from companion.core.prompts import legal_answers
from companion.draw.face import load_face
from companion.say.facts import Facts, fact_variant_row
from tests.talks import TALKS, begin

STATE_FIELD_MEANINGS_FILE: Final = Path(__file__).with_name("fields.toml")
"""Path of the file with the meaning of each field of a game's state, in English and French."""
PROTOCOL_WORD_PATTERN: Final = re.compile(r'"?\b(?!true\b)([a-z]\w*(?::\w+)?)"?')
"""Pattern of a protocol word in a text. The reference shows protocol words as code."""
MAX_RANDOM_ANSWERS: Final = 60
"""Maximum number of random answers in a game that is played to collect the state's values."""
TYPE_TERMS: Final = {
    "en": {
        "whole_number": "number", "boolean": "boolean", "list": "list", "table": "object",
        "text": "text", "null": "null", "or": "or", "player": "player", "of": "list of",
        "cue": "Cue", "colon": ": ",
    },
    "fr": {
        "whole_number": "nombre", "boolean": "booléen", "list": "liste", "table": "objet",
        "text": "texte", "null": "null", "or": "ou", "player": "joueur", "of": "liste de",
        "cue": "Son", "colon": "\N{NO-BREAK SPACE}: ",
    },
}  # fmt: skip
SILENT_EVENTS_TEXTS: Final = {
    "en": "With your own cards, these events have no cue: {names}.",
    "fr": "Avec vos propres cartes, ces événements n’ont pas de son : {names}.",
}


def format_protocol_section(game: str, section: str, language: str) -> str:
    """Return a section of a game's reference as Markdown.

    `section` is State, Questions, Events, Values or Secrets.
    """
    facts, terms = load_face(game).facts, TYPE_TERMS[language]
    match section:
        case "State":
            return _list(terms, _state(game, language))
        case "Questions":
            return f"{_code(_questions(game, language))}\n"
        case "Events":
            names = ", ".join(f"`{name}`" for name in events_silent_with_own_cards(facts))
            events = _list(terms, _events(facts, language))
            return f"{events}\n{SILENT_EVENTS_TEXTS[language].format(names=names)}\n"
        case "Values":
            return _list(terms, _values_of_fields(facts, language))
        case "Secrets":
            return _list(terms, _secrets(facts, language))
        case _:
            raise KeyError(section)


def _list(terms: Mapping[str, str], rows: Iterable[tuple[str, str]]) -> str:
    colon = terms["colon"]
    return "".join(f"- {head}{colon}{tail}\n" if tail else f"- {head}\n" for head, tail in rows)


def _state(game: str, language: str) -> Iterator[tuple[str, str]]:
    meanings = load_state_field_meanings(game)
    for field, values in observe_state_field_values(game).items():
        yield f"`{field}` ({_shapes(values, TYPE_TERMS[language])})", meanings[field][language]


def load_state_field_meanings(game: str) -> Mapping[str, Mapping[str, str]]:
    """Return the meaning of each field of a game's state, by field and language."""
    every: Mapping[str, Any] = tomllib.loads(STATE_FIELD_MEANINGS_FILE.read_text("utf-8"))[game]
    return every


def _shapes(values: Iterable[Any], terms: Mapping[str, str]) -> str:
    null, none_yet = terms["null"], f"{terms['player']} → {terms['null']}"
    shapes = dict.fromkeys(_shape(value, terms) for value in values)
    return _join_types([null if shape == none_yet else shape for shape in shapes], terms)


def _join_types(kinds: Iterable[str], terms: Mapping[str, str]) -> str:
    null, kinds = terms["null"], dict.fromkeys(kinds)
    others = f" {terms['or']} ".join(kind for kind in kinds if kind != null)
    if not others or null not in kinds:
        return others or null
    return f"{others} {terms['or']} {null}" if others.endswith("`") else f"{others}?"


@cache
def observe_state_field_values(game: str) -> Mapping[str, list[Any]]:
    """Return a table from each state field to the values that the field had in random games.

    The function plays one game for each set of options.
    """
    field_values: dict[str, list[Any]] = {}
    for at, options in enumerate(TALKS[game].tables):
        rng = random.Random(at)  # noqa: S311 - a sample game
        session = begin(game, options)
        for _ in range(MAX_RANDOM_ANSWERS):
            for field, value in session.standing.snapshot.view.items():
                field_values.setdefault(field, []).append(value)
            if session.standing.pending_question is None:
                break
            session.answer(rng.choice([*legal_answers(session.standing.pending_question)]), 0)
            session.commit()
    return field_values


def _shape(value: Any, terms: Mapping[str, str]) -> str:
    match value:
        case None:
            return terms["null"]
        case bool():
            return terms["boolean"]
        case int():
            return terms["whole_number"]
        case list() | tuple():
            return terms["list"]
        case dict() if value and {*value} <= {"Ann", "Bob", "Cy"}:
            inner = dict.fromkeys(_shape(part, terms) for part in value.values())
            inner.pop(terms["null"], None)
            return f"{terms['player']} → {next(iter(inner), terms['null'])}"
        case dict():
            return terms["table"]
        case _:
            return terms["text"]


def _questions(game: str, language: str) -> Iterator[str]:
    prefix = f"{game}.ask."
    names = (key.removeprefix(prefix) for key in _keys(game, language) if key.startswith(prefix))
    return (name for name in names if "." not in name)


def _events(facts: Facts, language: str) -> Iterator[tuple[str, str]]:
    shared = _shared_values(facts, language)
    cues = {event: ", ".join(names) for event, names in _cues(facts).items()}
    for name, fact in facts.items():
        if fact.fields is not None:
            fields = _fields(fact.fields, language, shared)
            cue = f"{TYPE_TERMS[language]['cue']} {cues[name]}" if name in cues else ""
            yield f"`{name}`", ". ".join(part for part in (fields, cue) if part)


def _cues(facts: Facts) -> dict[str, list[str]]:
    variants: dict[tuple[str, str], list[str]] = {}
    for name, fact in facts.items():
        event, _, variant = name.partition(".")
        sound = fact_variant_row(facts, event, name).sound
        if sound and fact.sound:
            variants.setdefault((event, sound), []).append(variant)
    cues: dict[str, list[str]] = {}
    for (event, sound), names in variants.items():
        shown = "" if "" in names else f" ({_code(names)})"
        cues.setdefault(event, []).append(f"`{sound}`{shown}")
    return cues


def _values_of_fields(facts: Facts, language: str) -> Iterator[tuple[str, str]]:
    fields: dict[str, list[str]] = {}
    for name, values in sorted(_shared_values(facts, language).items()):
        fields.setdefault(values, []).append(name)
    for values, names in fields.items():
        if values:
            yield _code(names), values


def _shared_values(facts: Facts, language: str) -> dict[str, str]:
    kinds: dict[str, list[str]] = {}
    for fact in facts.values():
        for name, check in (fact.fields or {}).items():
            kinds.setdefault(name, []).append(_values(check, language))
    return {name: Counter(values).most_common(1)[0][0] for name, values in kinds.items()}


def _secrets(facts: Facts, language: str) -> Iterator[tuple[str, str]]:
    for name, fact in facts.items():
        if fact.private_fields is not None:
            yield f"`{name}`", _fields(fact.private_fields, language)


def events_silent_with_own_cards(facts: Facts) -> list[str]:
    """Return the names of the events that have no sound if players use their own cards."""
    event_names = ((name.partition(".")[0], name) for name in facts)
    rows = ((event, fact_variant_row(facts, event, name)) for event, name in event_names)
    return [
        *dict.fromkeys(event for event, fact in rows if fact.sound and fact.sounds_like_dealing)
    ]


def _fields(
    fields: Mapping[str, Any], language: str, shared: Mapping[str, str] | None = None
) -> str:
    plain = shared or dict.fromkeys(fields, "")
    values = {name: _values(check, language) for name, check in fields.items()}
    return ", ".join(
        f"`{name}`" if its == plain[name] else f"`{name}` ({its or TYPE_TERMS[language]['text']})"
        for name, its in values.items()
    )


def _values(check: Any, language: str) -> str:
    """Return a text that describes the valid values of a field, or "" if any text is valid.

    `check` accepts valid values of the field. The function passes 0.5 to `check`, because no check
    accepts 0.5. The error of `check` states the valid values.
    """
    terms = TYPE_TERMS[language]
    inner = check.check if isinstance(check, OptionalKey) else check
    slip = first_mistake(inner, 0.5)
    expected = str(slip.facts.get("expected", "")) if slip else ""
    kinds = [
        terms.get(expected, PROTOCOL_WORD_PATTERN.sub(r"`\1`", expected)),
        *_or_null(inner, terms),
    ]
    return "" if kinds == [terms["text"]] else _join_types(kinds, terms)


def _or_null(check: Any, terms: Mapping[str, str]) -> Iterable[str]:
    return () if first_mistake(check, None) else (terms["null"],)


@cache
def _keys(game: str, language: str) -> tuple[str, ...]:
    (file,) = (registry.game_file_path(game, "locale") / language / "LC_MESSAGES").glob("*.po")
    return tuple(str(m.id) for m in read_po(BytesIO(file.read_bytes())) if m.id)


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
