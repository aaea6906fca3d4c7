"""The parts of the protocol reference about one game: its state, questions, events and sounds.

The names of events and fields come from the table `facts` of the game's `Face`. The sentences come
from the game's catalogue.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from book.field_types import TYPE_TERMS, format_code_list, join_types, type_of_values
from book.observed import observe_sample_games
from book.questions import FIELD_MEANINGS_FILE, form_rows, question_rows
from checked_input.checks import OptionalKey, first_mistake
from companion.door.line_fields import COMMON_EVENT_FIELD_CHECKS, START_EVENT_FIELD_CHECKS
from companion.draw.face import load_face
from companion.say.facts import SHARED_FACTS, Facts, fact_variant_row

PROTOCOL_WORD_PATTERN: Final = re.compile(r'"?\b(?!true\b)([a-z]\w*(?::\w+)?)"?')
"""Pattern of a protocol word in a text. The reference shows protocol words as code."""
EVERY_GAME: Final = "every"
"""The name of the sections about all games."""
REFUSED_AS: Final = {"why": ("refused",)}
"""Events of the box whose cue an event of every game can also have."""
SILENT_EVENTS_TEXTS: Final = {
    "en": "With your own cards, these events have no cue: {names}.",
    "fr": "Avec vos propres cartes, ces événements n’ont pas de son : {names}.",
}


def format_protocol_section(game: str, section: str, language: str) -> str:
    """Return a section of a game's reference as Markdown.

    `section` is State, Questions, Forms, Events, Values or Secrets. If `game` is EVERY_GAME,
    `section` is the type of a line, `form` or `events`.
    """
    if game == EVERY_GAME:
        return format_line_section(section, language)
    facts, terms = load_face(game).facts, TYPE_TERMS[language]
    match section:
        case "State":
            return _list(terms, _state(game, language))
        case "Questions":
            return _list(terms, question_rows(game, language))
        case "Forms":
            return f"{_open_at(game, language)}{_list(terms, form_rows(game, language))}"
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


def format_line_section(section: str, language: str) -> str:
    """Return the fields of a line type, or the events of every game, as Markdown."""
    terms, meanings = TYPE_TERMS[language], load_line_field_meanings(section)
    rows = ((name, meaning[language]) for name, meaning in meanings.items())
    if section == "events":
        return _list(terms, ((f"`{name}`", _event(name, text, terms)) for name, text in rows))
    return _list(terms, ((format_code_list(name.split(", ")), text) for name, text in rows))


def load_line_field_meanings(section: str) -> Mapping[str, Mapping[str, str]]:
    """Return the meanings of a line type's fields, by the names of the fields, then by language.

    Fields that are explained together are one entry, such as `text, sentence`.
    """
    every: Mapping[str, Any] = tomllib.loads(FIELD_MEANINGS_FILE.read_text("utf-8"))["line"]
    rows: Mapping[str, Mapping[str, str]] = every[section]
    return rows


def _event(name: str, text: str, terms: Mapping[str, str]) -> str:
    fields = format_code_list({**COMMON_EVENT_FIELD_CHECKS, **START_EVENT_FIELD_CHECKS}[name])
    shared = (SHARED_FACTS.get(fact) for fact in (name, *REFUSED_AS.get(name, ())))
    sounds = [fact.sound for fact in shared if fact]
    cue = f"{terms['cue']} {format_code_list(filter(None, sounds))}" if any(sounds) else ""
    about = f"{text[0].upper()}{text[1:]}" if fields else text
    return ". ".join(part for part in (fields, about, cue) if part)


def _list(terms: Mapping[str, str], rows: Iterable[tuple[str, str]]) -> str:
    colon = terms["colon"]
    return "".join(f"- {head}{colon}{tail}\n" if tail else f"- {head}\n" for head, tail in rows)


def _state(game: str, language: str) -> Iterator[tuple[str, str]]:
    meanings = load_state_field_meanings(game)
    for field, values in observe_sample_games(game).state_values.items():
        yield (
            f"`{field}` ({type_of_values(values, TYPE_TERMS[language])})",
            meanings[field][language],
        )


def _open_at(game: str, language: str) -> str:
    """Return a heading that lists the questions during which a correction is possible.

    Return "" if corrections are possible during all questions.
    """
    observed = observe_sample_games(game)
    if observed.open_at >= observed.asked:
        return ""
    names = format_code_list(sorted(observed.open_at))
    return f"{TYPE_TERMS[language]['open_at'].format(names=names)}\n\n"


def load_state_field_meanings(game: str) -> Mapping[str, Mapping[str, str]]:
    """Return the meaning of each field of a game's state, by field and language."""
    every: Mapping[str, Any] = tomllib.loads(FIELD_MEANINGS_FILE.read_text("utf-8"))[game]
    return every


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
        shown = "" if "" in names else f" ({format_code_list(names)})"
        cues.setdefault(event, []).append(f"`{sound}`{shown}")
    return cues


def _values_of_fields(facts: Facts, language: str) -> Iterator[tuple[str, str]]:
    fields: dict[str, list[str]] = {}
    for name, values in sorted(_shared_values(facts, language).items()):
        fields.setdefault(values, []).append(name)
    for values, names in fields.items():
        if values:
            yield format_code_list(names), values


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
    return "" if kinds == [terms["text"]] else join_types(kinds, terms)


def _or_null(check: Any, terms: Mapping[str, str]) -> Iterable[str]:
    return () if first_mistake(check, None) else (terms["null"],)
