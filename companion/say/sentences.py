"""Sentences of the box and its games in one language, looked up by key in the catalogues.

Each sentence is complete and has named placeholders. A counted noun agrees with its number: `{n}
{n:card|cards}`. A missing key always raises or reports an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from companion.catalog import packages, registry, services
from companion.core.errors import CompanionError, UnknownGame
from companion.say import catalogues, contractions
from companion.say.facts import SHARED_FACT_NAMES

BOX_CATALOGUES: Final = ("companion", "commands", "page")
"""Names of the catalogues of the box itself."""
CATALOGUE_OF_PREFIX: Final = {
    **dict.fromkeys(packages.RESERVED_NAMES, "companion"),
    "cmd": "commands",
    "page": "page",
}
"""Table from the first word of a key to the name of the box's catalogue that contains the key."""
SHARED_SENTENCE_NAMES: Final = frozenset(
    {
        *("agree_undo", "any", "choose", "keep_word", "leaves", "mix", "mix_together", "peep"),
        *("points", "program", "scores", "sure", "throw", "to_act"),
    }
)
"""Names of questions, answers and view fields for which a game can use the box's sentence."""
COUNTED_NOUN: Final = re.compile(r"\{(\w+):([^{}|]+)\|([^{}|]+)\}")
"""Pattern of a placeholder with a singular and a plural noun: `{n:card|cards}`."""


class MissingSentenceError(CompanionError, LookupError):
    """The error for a sentence that a catalogue lacks, or for a placeholder without a value."""


def load_compiled_catalogue(language: str, name: str) -> bytes:
    """Return the compiled catalogue `name`, which is a game or one of BOX_CATALOGUES.

    Raise MissingSentenceError if the catalogue cannot be read.
    """
    try:
        folder = (
            Path(__file__).parent
            if name in BOX_CATALOGUES
            else registry.game_file_path(name, "locale").parent
        )
        return catalogues.read_catalogue(folder, language, name)
    except (FileNotFoundError, UnknownGame, ValueError) as error:
        raise MissingSentenceError(str(error)) from error


@cache
def _catalogue(language: str, name: str) -> catalogues.SentenceCatalogue:
    return catalogues.SentenceCatalogue(load_compiled_catalogue(language, name))


@cache
def _of_service(folder: Path, language: str, name: str) -> catalogues.SentenceCatalogue | None:
    try:
        return catalogues.SentenceCatalogue(catalogues.read_catalogue(folder, language, name))
    except FileNotFoundError:
        return None


def _look_up_in_services(language: str, name: str, key: str) -> str:
    for folder in services.SERVICE_FOLDERS.values():
        catalogue = _of_service(folder, language, name)
        if catalogue is not None and (sentence := catalogue.gettext(key)) != key:
            return sentence
    return key


def box_and_service_sentences(language: str, name: str = "companion") -> Iterator[tuple[str, str]]:
    """Yield the keys and sentences of the box's catalogue `name`, and of each service's catalogue.

    Services are menu pages, web pages and background programs that installed packages add to the
    box.
    """
    yield from catalogues.SentenceCatalogue(load_compiled_catalogue(language, name)).items()
    for folder in services.SERVICE_FOLDERS.values():
        catalogue = _of_service(folder, language, name)
        yield from () if catalogue is None else catalogue.items()


def is_shared_sentence(name: str) -> bool:
    """Return True if a game that lacks the sentence `name` uses the box's sentence `name`."""
    use, _, rest = name.partition(".")
    about = rest.partition(".")[0] or use
    if use != "cue":
        return about in SHARED_SENTENCE_NAMES
    return about in SHARED_FACT_NAMES or services.owning_service_name(about) is not None


class Sentences:
    """The sentences in one language for one game, or for the box itself (game "box").

    If a sentence is missing or cannot be filled in, the function `missing` receives the sentence's
    key and the reason, and the key is returned instead of the sentence. If `missing` is None,
    MissingSentenceError is raised instead.
    """

    def __init__(
        self,
        language: str,
        game: str = "box",
        missing: Callable[[str, MissingSentenceError], None] | None = None,
    ) -> None:
        self.language, self.game, self._missing = language, game, missing
        self._owners = (
            {**CATALOGUE_OF_PREFIX, game: game}
            if registry.is_playable_game(game)
            else CATALOGUE_OF_PREFIX
        )
        self._keys: dict[tuple[str, ...], str] = {}
        self._texts: dict[str, str] = {}

    def has_sentence(self, key: str) -> bool:
        """Return True if the catalogues of this language have the sentence `key`."""
        return self._sentence(key) != key

    def _sentence(self, key: str) -> str:
        text = self._texts.get(key)
        if text is None:
            text = self._look_up(key)
            if text != key:
                self._texts[key] = text
        return text

    def _look_up(self, key: str) -> str:
        owner = key.partition(".")[0]
        name = self._owners.get(owner) or (
            owner if registry.is_playable_game(owner) else "companion"
        )
        try:
            sentence = _catalogue(self.language, name).gettext(key)
        except MissingSentenceError as error:
            return self._without(key, error)
        is_found = sentence != key or name not in BOX_CATALOGUES
        return sentence if is_found else _look_up_in_services(self.language, name, key)

    def __call__(self, key: str, **facts: object) -> str:
        """Return the sentence of `key` with its placeholders filled in.

        If the sentence or the value of a placeholder is missing, report the error to `missing` and
        return the key, or raise MissingSentenceError.
        """
        text = self._sentence(key)
        if text == key:
            problem = f"the {self.language} catalogue lacks the sentence {key}"
            return self._without(key, MissingSentenceError(problem))
        try:
            return self._filled(text, facts)
        except KeyError as error:
            problem = f"needs {error}"
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            problem = f"cannot be filled in: {error}"
        return self._without(key, MissingSentenceError(f"{self.language}: {key} {problem}"))

    def _filled(self, text: str, facts: Mapping[str, object]) -> str:
        if ":" in text:
            text = COUNTED_NOUN.sub(lambda match: match[2 + self._is_many(facts[match[1]])], text)
        if self.language != "fr":
            return text.format_map(facts)

        return contractions.fill_sentence_with_contractions(text, facts)

    def _is_many(self, n: object) -> bool:
        """Return True if a noun after the number `n` is plural.

        After 0, a noun is plural in English and singular in French.
        """
        number = abs(float(str(n).replace(",", ".")))
        return number >= 2 if self.language == "fr" else number != 1  # noqa: PLR2004

    def _without(self, key: str, error: MissingSentenceError) -> str:
        if self._missing is None:
            raise error
        self._missing(key, error)
        return key

    def sentence_for_count(self, key: str, n: int, **facts: object) -> str:
        """Return the sentence of `key` for a count `n`.

        If the catalogue has the key `KEY.N`, return the sentence of `KEY.N` instead.
        """
        key_of_count = f"{key}.{n}"
        return self(key_of_count if self.has_sentence(key_of_count) else key, n=n, **facts)

    def game_title(self, game: str) -> str:
        """Return a game's title; the game's name if no installed package has the title."""
        key = f"{game}.name"
        try:
            title = self(key)
        except MissingSentenceError:
            return game
        return game if title == key else title

    def game_or_shared_sentence(self, name: str) -> str:
        """Return the game's sentence `name`, or the box's sentence if the game has none."""
        return self(self._key(name))

    def find_game_or_shared_sentence(self, name: str) -> str | None:
        """Return the game's sentence `name`, or else the box's sentence, or else None."""
        key = self._key(name)
        return self(key) if self.has_sentence(key) else None

    def winners_sentence(self, winners: Sequence[str]) -> str:
        """Return the sentence that names the winners of a game, or states that nobody won."""
        who = ", ".join(winners)
        return self("box.past.won", who=who) if winners else self("box.past.nobody_won")

    def capitalised_number_word(self, n: int) -> str:
        """Return a number as a capitalised word ("Seven"), or in digits if it exceeds twenty."""
        key = f"number.{n}"
        return self(key) if self.has_sentence(key) else str(n)

    def game_option_value_label(self, game: str, option: str, value: str) -> str:
        """Return the label of an option's value for a new game.

        The catalogue key of the label is `GAME.setting.OPTION.VALUE`. Raise MissingSentenceError if
        the game has no label.
        """
        return self(f"{game}.setting.{option}.{value}")

    def game_option_value_description(self, game: str, option: str, value: str) -> str:
        """Return a text about the effect of a game option's value, or "" if the game has no text.

        The catalogue key of the text is `GAME.about.OPTION.VALUE`, or `GAME.about.OPTION` for all
        values of the option. The text has two rows.
        """
        keys = (f"{game}.about.{option}.{value}", f"{game}.about.{option}")
        return next((self(key) for key in keys if self.has_sentence(key)), "")

    def view_field_label(self, name: str) -> str:
        """Return the label of a field in a view, or the field's name if it has no label."""
        key = self._key(f"view.{name}")
        return self(key) if self.has_sentence(key) else name.replace("_", " ")

    def clause_text(self, name: str) -> str:
        """Return the text of a clause or of its part (`BM-9.gang`): one or two sentences."""
        return self(f"{self.game}.rule.{name}")

    def _key(self, *names: str) -> str:
        """Return the first of several catalogue keys that has a sentence.

        The game's keys for `names` are tried first, then the box's keys. If no key has a sentence,
        return the game's first key.
        """
        existing = self._keys.get(names)
        if existing is None:
            keys = [f"{self.game}.{name}" for name in names]
            keys += [
                f"box.{name}" for name in names if self.game == "box" or is_shared_sentence(name)
            ]
            existing = self._keys[names] = next(filter(self.has_sentence, keys), keys[0])
        return existing
