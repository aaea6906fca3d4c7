"""Checks of a game's catalogue keys: every key exists once in every language and is used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.catalog import registry
from companion.core.prompts import AGREE_UNDO_QUESTION, Choose
from companion.say import catalogues
from companion.say.catalogues import SentenceCatalogue
from companion.say.facts import SHARED_FACTS
from companion.say.sentences import load_compiled_catalogue
from companion.say.words import LANGUAGES, Words
from companion_testing.observed_games import ObservedGames

QUESTION_KEY_PARTS: Final = ("ask", "say", "alone", "phone", "curtain", "did", "legend", "sure")
"""Possible first parts of a catalogue key about a question; the question's name follows."""
ANSWER_KEY_PARTS: Final = ("option", "setting")
EVENT_KEY_ENDS: Final = ("title", "text", "alone", "speech", "short", "ear")
"""Possible last parts of a catalogue key about an event (a `Cue`)."""
BOX_KEY_PARTS: Final = frozenset(
    [
        "name",
        "status",
        "rule",
        "because",
        "view",
        "web",
        "menu",
        "figure",
        "any",
        "peep",
        "standing",
        "about",
        "walk",
    ]
)
"""Parts of catalogue keys that the box itself uses, such as `name` and `status`."""
KEY_SOURCE_SUFFIXES: Final = (".py", ".js", ".toml", ".html")
WORD_PATTERN: Final = re.compile(r"[^\W_]+")
FSTRING_PATTERN: Final = re.compile(r"""\bf(["'])((?:(?!\1)[\w.{}\[\]() +*-])*)\1""")
"""Pattern of a short f-string that can form a name or a key, such as `f"peg{n}"`."""
FIELD_PATTERN: Final = re.compile(r"\{[^{}]*\}")
ENGLISH_WORDS: Final = frozenset(
    {
        *("the", "of", "is", "and", "has", "with", "your", "you", "are", "who", "what", "whose"),
        *("which", "this", "that", "have", "not", "by", "from", "it"),
    }
)
"""Words that occur in English sentences and in no French sentence."""
FRENCH_WORDS: Final = frozenset(
    {
        *("le", "la", "les", "un", "une", "de", "des", "du", "et", "est", "à", "au", "aux", "qui"),
        *("que", "en", "pour", "il", "elle", "ne", "pas", "se", "sa", "son"),
    }
)
"""Words that occur in French sentences and in no English sentence."""
PAGE_JS_WORDS_CALL_PATTERN: Final = re.compile(r"""\bwords\(\s*(['"`])([\w.-]+)\1""")
"""Pattern of a call in `page.js` that names a sentence: `words('tricks')`."""
MSGID_LINE_PATTERN: Final = re.compile(r'^msgid "(.+)"$', re.MULTILINE)


def check_sentence_keys(met: ObservedGames, words: Words) -> Iterator[str]:
    """Every catalogue key exists once in each language, is used, and has one meaning."""
    game, language = words.game, words.language
    there = sentence_keys_of_game(game, language)
    for other in LANGUAGES:
        for key in sorted(sentence_keys_of_game(game, other) - there):
            yield f"{key} has a sentence in {other}, and none in {language}"
    for key, times in Counter(_source_keys(game, language)).items():
        if times > 1:
            yield f"{key} stands {times} times in the catalogue"
    yield from _unused_keys(met, game, there)
    yield from _missing_page_keys(game, there)
    if language == "fr":
        yield from _english_sentences(game)


def _english_sentences(game: str) -> Iterator[str]:
    """Yield a fault for each sentence in the French catalogue that is still in English."""
    for key, sentence in sorted(SentenceCatalogue(load_compiled_catalogue("fr", game)).items()):
        words = {*WORD_PATTERN.findall(FIELD_PATTERN.sub(" ", sentence).casefold())}
        if words & ENGLISH_WORDS and not words & FRENCH_WORDS:
            yield f"{key} is English in the French catalogue: {sentence!r}"


def sentence_keys_of_game(game: str, language: str) -> frozenset[str]:
    """Return all keys in a game's catalogue."""
    return frozenset(
        key for key, _ in SentenceCatalogue(load_compiled_catalogue(language, game)).items()
    )


def _source_keys(game: str, language: str) -> list[str]:
    """Return the keys in a `.po` file, or [] if only the compiled catalogue exists."""
    source = _source(language, game)
    return MSGID_LINE_PATTERN.findall(source.read_text("utf-8")) if source.exists() else []


def _source(language: str, game: str) -> Path:
    return catalogues.catalogue_source_file(
        registry.game_file_path(game, "locale").parent, language, game
    )


def _missing_page_keys(game: str, there: frozenset[str]) -> Iterator[str]:
    """Yield a fault for each sentence that `page.js` names and the catalogue lacks."""
    script = registry.game_file_path(game, "page.js")
    text = script.read_text("utf-8") if script.is_file() else ""
    for _, key in sorted({*PAGE_JS_WORDS_CALL_PATTERN.findall(text)}):
        if f"{game}.web.{key}" not in there:
            yield f"page.js needs the sentence {game}.web.{key}"


def _unused_keys(met: ObservedGames, game: str, there: frozenset[str]) -> Iterator[str]:
    files = [
        file for file in registry.game_folder(game).rglob("*") if file.suffix in KEY_SOURCE_SUFFIXES
    ]
    source = "\n".join(file.read_text("utf-8") for file in files)
    prompts = [prompt for prompt, *_ in met.asked.values()]
    asked = {prompt.name for prompt in prompts}
    offered = {
        str(option) for prompt in prompts if isinstance(prompt, Choose) for option in prompt.options
    }
    used = WORD_PATTERN.findall(" ".join((source, AGREE_UNDO_QUESTION, *offered)))
    parts = {*used, *BOX_KEY_PARTS, *QUESTION_KEY_PARTS, *ANSWER_KEY_PARTS, *EVENT_KEY_ENDS, "cue"}
    named = {*asked, *met.game.on, *(cue.name for cue in met.cues.values())}
    named |= {
        *re.findall(r"[\"'`]([\w-]+)[\"'`]", source),
        *SHARED_FACTS,
        "any",
        "peep",
        "standing",
    }
    named.add(AGREE_UNDO_QUESTION)  # counts as used: every game can ask for an agreement to an undo
    formatted = _fstring_pattern(source)
    begun = tuple(re.findall(rf"{game}\.[\w.-]+\.(?={{)", source))  # such as f"hearts.suit.{suit}"
    for key in sorted(there):
        first, *rest = key.removeprefix(f"{game}.").split(".")
        of_a_name = first in (*QUESTION_KEY_PARTS, *ANSWER_KEY_PARTS, "because", "cue", "view")
        wrong = not key.startswith(f"{game}.") or (
            of_a_name and rest[0] not in named and not formatted.fullmatch(rest[0])
        )
        wrong |= first == "cue" and rest[-1] not in EVENT_KEY_ENDS
        wrong |= first == "rule" and rest[0] not in source
        # skip keys about the box's own events
        ours = first == "cue" and rest[0] in SHARED_FACTS
        words = () if ours else WORD_PATTERN.findall(key.removeprefix(f"{game}."))
        read = key.startswith(begun) or all(
            word in parts or word.isdigit() or formatted.fullmatch(word) for word in words
        )
        if wrong or not read:
            yield f"{key} is not used"


def _fstring_pattern(source: str) -> re.Pattern[str]:
    """Return a pattern of all names that short f-strings in the game's source can form."""
    texts = {
        text for _, text in FSTRING_PATTERN.findall(source) if FIELD_PATTERN.sub("", text).strip()
    }
    names = {
        ".+".join(map(re.escape, FIELD_PATTERN.split(text)))
        for text in texts
        if FIELD_PATTERN.search(text)
    }
    return re.compile("|".join(sorted(names)) or r"(?!)")
