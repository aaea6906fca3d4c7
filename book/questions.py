"""The questions and forms of a game in the protocol reference: choices, fields, needed options.

The prompts of sample games contain the choices and the fields. The catalogue contains the labels.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.pofile import read_po

from book.field_types import TYPE_TERMS, format_code_list, type_of_values
from book.observed import ObservedGame, observe_sample_games
from companion.catalog import registry
from companion.core.prompts import (
    PRESSED_ROLL_QUESTION,
    Answer,
    Number,
    Prompt,
    Roll,
    Spell,
    legal_answers,
)
from tests.talks import PLAYER_NAMES

FIELD_MEANINGS_FILE: Final = Path(__file__).with_name("fields.toml")
"""Path of the file with the meaning of each field of a state or question, in two languages."""
MAX_LISTED_WORDS: Final = 12
"""Maximum number of words that the reference lists as the choices of a question."""
WORD_PATTERN: Final = re.compile("[a-z_]+")
PART_PATTERN: Final = re.compile("[^: ]+")
"""Pattern of a part of an answer such as `advance:red:3` or `points -10`."""


def question_rows(game: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the questions of a game: names with needed options, then choices and fields.

    Questions with the same choices and fields have one row. The choices of `what` are in the lines
    of `form_rows`.
    """
    observed, terms = observe_sample_games(game), TYPE_TERMS[language]
    rows: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for name in question_names(game, language):
        prompts = observed.prompts.get(name, [])
        needed = format_code_list(observed.needed_options(name)) if prompts else ""
        choices = "" if name == "what" else _choices(prompts, observed, terms)
        added = dict.fromkeys(field for prompt in prompts for field in prompt.facts)
        rows.setdefault((needed, choices, tuple(added)), []).append(name)
    explained: set[str] = set()
    for (needed, choices, fields), names in rows.items():
        about = filter(None, (choices, _fields(game, fields, language, explained)))
        yield format_code_list(names) + (f" ({needed})" if needed else ""), ". ".join(about)


def question_names(game: str, language: str) -> Iterator[str]:
    """Yield the names of the game's questions, in the order of the game's catalogue."""
    prefix = f"{game}.ask."
    names = (
        key.removeprefix(prefix) for key in _sentences(game, language) if key.startswith(prefix)
    )
    return (name for name in names if "." not in name)


def load_ask_field_meanings(game: str) -> Mapping[str, Mapping[str, str]]:
    """Return the meaning of each field that a game adds to `ask`, by field and language."""
    every: Mapping[str, Any] = tomllib.loads(FIELD_MEANINGS_FILE.read_text("utf-8"))["ask"][game]
    return every


def _fields(game: str, names: tuple[str, ...], language: str, explained: set[str]) -> str:
    """Return the fields `names` of a question as one text.

    The text explains each field that is not in `explained`. Then add `names` to `explained`.
    """
    terms, meanings = TYPE_TERMS[language], load_ask_field_meanings(game)
    values = ask_field_values(game)
    fields = [
        f"`{name}`"
        if name in explained
        else f"`{name}` ({type_of_values(values[name], terms)}, {meanings[name][language]})"
        for name in names
    ]
    explained.update(names)
    return f"{terms['has']} {', '.join(fields)}" if names else ""


def ask_field_values(game: str) -> Mapping[str, list[Any]]:
    """Return a table from each field that a game adds to `ask` to its values in sample games."""
    values: dict[str, list[Any]] = {}
    for name, prompts in observe_sample_games(game).prompts.items():
        for prompt in prompts if name != PRESSED_ROLL_QUESTION else ():
            for field, value in prompt.facts.items():
                values.setdefault(field, []).append(value)
    return values


# --- choices --------------------------------------------------------------------------------------


def _choices(prompts: Iterable[Prompt], observed: ObservedGame, terms: Mapping[str, str]) -> str:
    """Return the choices that a question had in the sample games, as one text."""
    pieces: dict[str, None] = {}
    options: dict[Answer, None] = {}
    lo_hi: list[int] = []
    for prompt in prompts:
        match prompt:
            case Number(lo=lo, hi=hi):
                lo_hi += [lo, hi]
            case Roll(dice=dice, sides=sides):
                lo_hi += [dice, dice * sides]
            case Spell():
                pieces[terms["word"]] = None
            case _:
                options.update(dict.fromkeys(legal_answers(prompt)))
    numbers = [option for option in options if type(option) is int] + lo_hi
    if numbers:
        pieces[f"{min(numbers)} {terms['to']} {max(numbers)}"] = None
    pieces |= dict.fromkeys(_option_pieces([*options], observed, terms))
    return f" {terms['or']} ".join(pieces)


def _option_pieces(
    options: list[Answer], observed: ObservedGame, terms: Mapping[str, str]
) -> Iterator[str]:
    words = [option for option in options if isinstance(option, str)]
    yield from (f"`{str(option).lower()}`" for option in options if isinstance(option, bool))
    players = [word for word in words if word in PLAYER_NAMES]
    key_field, keys = _field_with_keys({*words} - {*players}, observed)
    if key_field:
        yield f"{terms['key']} `{key_field}`"
    elif players:
        yield terms["player"]
    rest = [word for word in words if word not in keys and word not in players]
    letters = sorted(word for word in rest if len(word) == 1 and word.isalpha())
    if len(letters) > MAX_LISTED_WORDS:
        yield f"`{letters[0]}` {terms['to']} `{letters[-1]}`"
        rest = [word for word in rest if word not in letters]
        yield from map("`{}`".format, rest)
    elif fixed := dict.fromkeys(filter(None, map(_fixed_word, rest))):
        yield format_code_list(
            word for word in fixed if re.sub("N$", "…", word) not in {*fixed} - {word}
        )
    elif rest:
        yield terms["text"]


def _field_with_keys(words: set[str], observed: ObservedGame) -> tuple[str, set[str]]:
    """Return the state field whose keys contain all names in `words`, and all keys of the field.

    A name does not match WORD_PATTERN. Return "" and an empty set if no field has these keys.
    """
    names = {word for word in words if not WORD_PATTERN.fullmatch(word)}
    for field, values in observed.state_values.items():
        keys = {key for value in values if isinstance(value, dict) for key in value}
        if names and names <= keys:
            return field, keys
    return "", set()


def _fixed_word(word: str) -> str:
    """Return an answer with placeholders (`advance:…:N`), or "" for a name from the edition."""
    first, *more = PART_PATTERN.findall(word)
    if WORD_PATTERN.fullmatch(word):
        return word
    if not more:
        return '"N"' if word.isdecimal() else ""
    kept = _placeholder(first) if first in PLAYER_NAMES else first
    parts = iter([kept, *map(_placeholder, more)])
    return PART_PATTERN.sub(lambda _: next(parts), word)


def _placeholder(part: str) -> str:
    if part in PLAYER_NAMES:
        return "PLAYER"
    return "N" if part.lstrip("-").isdecimal() else "…"


# --- forms ----------------------------------------------------------------------------------------


def form_rows(game: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the value and the label of each out-of-turn question and of each correction."""
    observed, sentences = observe_sample_games(game), _sentences(game, language)
    for name, ways in sorted(observed.parts.items()):
        form, _, thing = name.partition(".")
        label = sentences.get(f"{game}.option.what.{thing}" if thing else f"{game}.menu.{form}")
        for parts in ways if label else ():
            needed = observed.needed_options(name) or observed.needed_options(parts[-1])
            options = f" ({format_code_list(needed)})" if needed else ""
            yield f"`{_shorthand(form, thing, parts)}`{options}", str(label)


def _shorthand(form: str, thing: str, parts: tuple[str, ...]) -> str:
    if parts == (form,):
        return f'{{"{form}"}}'
    given = [f'"what": "{thing}"' if part == "what" else f'"{part}"' for part in parts]
    inner = f"{{{', '.join(given)}}}"
    return inner if thing or form == "interrupt" else f'{{"{form}": {inner}}}'


def _sentences(game: str, language: str) -> dict[str, str]:
    (file,) = (registry.game_file_path(game, "locale") / language / "LC_MESSAGES").glob("*.po")
    catalogue = read_po(BytesIO(file.read_bytes()))
    return {str(entry.id): str(entry.string) for entry in catalogue if entry.id}
