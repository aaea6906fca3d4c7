"""Tests of sentences: French contractions before any name, and one name for each thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import Final

import pytest

from companion.catalog import clauses, editions, registry
from companion.core.game import Cue
from companion.core.letters import capitals_without_accents
from companion.say.catalogues import SentenceCatalogue
from companion.say.contractions import fill_sentence_with_contractions
from companion.say.fixed_sentences import is_spoken_key
from companion.say.printed_names import printed_entry_name
from companion.say.sentences import (
    BOX_CATALOGUES,
    COUNTED_NOUN,
    box_and_service_sentences,
    load_compiled_catalogue,
)
from companion.say.words import Words
from tests.helpers import long_lane_params, words_for

NAMES = (
    *("Ada", "Bob", "Cy", "Dee", "Émile", "Fish", "Gus", "Harris", "Hélène", "Inès", "Jo", "Katy"),
    *("Lou", "Max", "Noé", "Odile", "Œdipe", "Paul", "Quinn", "Rose", "Sam", "Tom", "Ursule"),
    *("Vic", "Wil", "Xi", "Yann", "Yves", "Zoé", "ADA", "ÉMILE", "HUBERT"),
)
QUICK = ("Ada", "Bob", "Émile", "Hélène", "Yves", "HUBERT")
"""One name for each first sound of a name."""
SOUNDS = (*QUICK, *long_lane_params(name for name in NAMES if name not in QUICK))
FIELD = re.compile("{")
TORN = re.compile(r"(?i)\b(?:de|le|la|que|je|ne|se|jusque) (?:[aeiouéèêœ]\w|Yves|Hélène|Hubert)")
OTHERS = re.compile(r"(?i)\b(?:de|à) les? \w")


MEN = re.compile(
    r"(?i)éliminée?s?\b|(?<!en )\bgagnante?s?\b|\bperdante?s?\b|vous seule?\b|êtes(?:-vous)? prête?"
)
"""Matches words that state a player's gender. Names of things have their own gender."""


SECOND: Final = re.compile(
    r"(?i)\b(?:boîtier|champ|chevalet|bande|inspecteur|identification formelle|en difficulté)s?\b"
)
"""Matches second names: of the box, a space, a rack, a gang, a detective, a space and a card."""


def entries(language: str) -> Iterator[tuple[str, str]]:
    for name in BOX_CATALOGUES:
        yield from box_and_service_sentences(language, name)
    for name in registry.BUILT_IN_GAMES:
        yield from SentenceCatalogue(load_compiled_catalogue(language, name)).items()


def sentences(language: str = "fr") -> Iterator[str]:
    yield from (sentence for _, sentence in entries(language))


@pytest.mark.parametrize(
    ("sentence", "word", "said"),
    [
        ("le mot de {who}", "Ada", "le mot d’Ada"),
        ("le mot de {who}", "Émile", "le mot d’Émile"),
        ("le mot de {who}", "Hélène", "le mot d’Hélène"),
        ("le mot de {who}", "Harris", "le mot de Harris"),
        ("le mot de {who}", "Yves", "le mot d’Yves"),
        ("le mot de {who}", "Yann", "le mot de Yann"),
        ("le mot de {who}", "Œdipe", "le mot d’Œdipe"),
        ("TOUR DE {who}", "ÉMILE", "TOUR D’ÉMILE"),
        ("un membre de {who}", "le Cinquième Gang", "un membre du Cinquième Gang"),
        ("une de {who}", "les Shopping Molls", "une des Shopping Molls"),
        ("à {who} de jouer", "les Ours", "aux Ours de jouer"),
        ("À {who}", "le Gang", "Au Gang"),
        ("dit que {who} joue", "Ada", "dit qu’Ada joue"),
        ("le {who}", "escroc", "l’escroc"),
        ("combien de {who}", "A", "combien de A"),
        ("avance de {who}", "onze", "avance de onze"),
        ("avance de {who}", "huit", "avance de huit"),
        ("plus de {who}", "7", "plus de 7"),
        ("{who} de 3", "Ada", "Ada de 3"),
        ("monde {who}", "Ada", "monde Ada"),
        ("{{de {who}}}", "Ada", "{d’Ada}"),
        ("de {who:>4}", "Bob", "de  Bob"),
    ],
)
def test_small_words_are_joined_with_what_follows(sentence: str, word: str, said: str) -> None:
    assert fill_sentence_with_contractions(sentence, {"who": word}) == said


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", SOUNDS)
def test_no_sentence_leaves_a_small_word_before_a_name_it_joins(name: str) -> None:
    for sentence in filter(FIELD.search, sentences()):
        sentence = COUNTED_NOUN.sub(r"\3", sentence)  # noqa: PLW2901
        fields = {field for _, field, _, _ in Formatter().parse(sentence) if field}
        said = fill_sentence_with_contractions(sentence, dict.fromkeys(fields, name))
        assert not TORN.search(said)
        assert not OTHERS.search(said)
        assert "{" not in said
        assert "OK" in said or "  " not in said  # the last row has two ends


def test_the_names_begin_with_every_letter() -> None:
    assert {capitals_without_accents(name)[0] for name in NAMES} == {*"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", SOUNDS)
def test_no_english_sentence_is_torn_by_a_name(name: str) -> None:
    for sentence in filter(FIELD.search, sentences("en")):
        sentence = COUNTED_NOUN.sub(r"\3", sentence)  # noqa: PLW2901
        fields = {field for _, field, _, _ in Formatter().parse(sentence) if field}
        said = sentence.format_map(dict.fromkeys(fields, name))
        assert "{" not in said
        assert not re.search(r"[ (|] [,.:;!?]|\.\.(?!\.)(?<!\.\.\.)", said), said
        assert "OK" in said or "  " not in said or "bounces" in said  # last row, and a table


@pytest.mark.parametrize(
    ("language", "shown", "said"), [("en", "↩", "↩"), ("fr", "BACK|RETOUR|Retour ", "BACK|↩")]
)
def test_a_button_has_one_name_in_all_places(language: str, shown: str, said: str) -> None:
    """Names as engraved: BACK in English; in French the arrow, which is spoken as *Retour*."""
    for key, sentence in entries(language):
        if not key.startswith(("cmd.", "face.")):  # commands, and the keys of a keyboard
            other = said if is_spoken_key(key) and not key.endswith("text") else shown
            assert not re.search(other, sentence.replace("RETOUR AU PAQUET", "")), key


def test_ok_takes_what_stands_under_the_cursor_and_never_says_yes() -> None:
    """The cursor may be on a *no*."""
    legends = {key: text for key, text in entries("fr") if ".legend." in key}
    assert "OK valider" in legends["box.legend.list"]
    assert not [key for key, text in legends.items() if re.search(r"OK\s+(?:oui|non)\b", text)]


def test_who_loses_a_file_in_kojak_has_not_lost_the_game() -> None:
    facts = {"who": "Ada", "colour": "red", "players": ["Bob"]}
    words, cue = words_for("kojak", "fr"), Cue("file_lost", facts, "KO-17")
    assert words.fact_title(cue) == "DOSSIER PERDU"
    assert "le dossier" in words.fact_text(cue)
    assert "le dossier" in words.fact_speech(cue)
    assert not any(
        re.match("(?i)perdu", text)
        for text in (words.fact_text(cue), words.fact_text_below_title(cue))
    )


@pytest.mark.parametrize("game", ["barney-miller", "baretta"])
def test_corners_and_gangs_have_a_name_in_both_languages(game: str) -> None:
    edition = editions.load_edition(game)
    for entry in edition["corner" if game == "baretta" else "gang"]:
        english, french = (
            printed_entry_name(words_for(game, language), entry) for language in ("en", "fr")
        )
        assert english == entry["name"]
        assert entry["french"].endswith(french)
        assert entry["french"] != french


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_thing_has_one_name_in_frames_in_the_rules_and_in_editions(game: str) -> None:
    """The name is the one on the French sheet, if there is a French sheet."""
    folder = registry.game_file_path(game, "locale").parent
    told = (folder / f"locale/fr/LC_MESSAGES/{game}.po").read_text("utf-8")
    rules = [
        clause.text["fr"]
        for heading in clauses.read_rule_sheet_sections(game)
        for clause in heading.clauses
    ]
    written = registry.game_file_path(game, "edition.fr.toml").read_text("utf-8")
    found = {name for text in (told, *rules, written) for name in SECOND.findall(text)}
    assert not found


def test_no_sentence_assumes_that_a_player_is_a_man() -> None:
    for sentence in sentences():
        assert not MEN.search(sentence), sentence
        assert not re.search(r"(?i)\b(?:le|du|quel) joueur\b", sentence), sentence
    for game in registry.BUILT_IN_GAMES:
        for heading in clauses.read_rule_sheet_sections(game):
            for clause in heading.clauses:
                assert not MEN.search(clause.text["fr"]), clause.number


def test_english_is_filled_in_as_it_is_written() -> None:
    assert Words("en")("box.hint.menu.undo", n=3).endswith("3.")


LEFT: Final = "Ada:left"
RIGHT: Final = "Émile:right"
ON_RED: Final = "Le criminel rouge est déjà sur la partie rouge."


@pytest.mark.parametrize(
    ("game", "cue", "english", "french"),
    [
        (
            "probe", Cue("word_stands", {"who": "Ada", "rack": LEFT}, "PR-1"),
            "Ada’s left-hand word is in.", "Le mot de gauche d’Ada est en place.",
        ),
        (
            "probe", Cue("misspelled", {"who": "Émile", "rack": RIGHT, "word": "WIZZARD"}, "PR-14"),
            "Émile’s right-hand word was misspelled.", "Le mot de droite d’Émile était mal écrit.",
        ),
        (
            "probe", Cue("uncovered", {"who": "Ada", "rack": LEFT, "place": 2, "letter": "E",
                                       "because": "forced"}, "PR-5"),
            "Ada uncovers place two, on the left.", "Ada découvre la case deux, à gauche.",
        ),
        (
            "probe", Cue("scored", {"who": "Ada", "points": 10, "total": -30, "why": "hit"}),
            "Ten for Ada: minus 30 in all.", "Dix pour Ada : moins 30 en tout.",
        ),
        (
            "probe", Cue("drawn", {"who": "Ada", "card": {"kind": "points", "n": 25},
                                   "rack": None}, "PR-5"),
            "Ada’s card: plus 25 points.", "La carte d’Ada : plus 25 points.",
        ),
        (
            "probe", Cue("last_rounds", {"who": "Ada", "left": 4, "begins": True}, "PR-13"),
            "Only Ada’s places are still covered: two more turns each.",
            "Seules les cases d’Ada restent couvertes : encore deux tours chacun.",
        ),
        (
            "baretta", Cue("wounded", {"who": "Ada", "card": "arrest:safecracker"}, "BA-12"),
            "Ada turns up an Arrest card: the Safecracker!",
            "Ada retourne une carte d’arrestation : le Perceur de coffres !",
        ),
        (
            "kojak", Cue("on_red", {"colour": "red", "place": "bank", "may_arrest": [],
                                    "already": True}, "KO-15"),
            "Alarm! The red criminal is already on red. Nobody may arrest him yet.",
            f"Alerte ! {ON_RED} Personne ne peut encore l’arrêter.",
        ),
        (
            "barney-miller", Cue("nothing", {"who": "Ada", "kind": "gang", "gang": "molls"}),
            "No Shopping Molls suspect to catch.", "Personne à prendre chez les Shopping Molls.",
        ),
        (
            "barney-miller",
            Cue("dealt", {"how": "again", "cards": 7, "deal": 2, "own": False}, "BM-11"),
            "All cards are shuffled: 7 each.", "Toutes les cartes sont battues : 7 par personne.",
        ),
    ],
)  # fmt: skip
def test_facts_are_told_as_a_native_tells_them(
    game: str, cue: Cue, english: str, french: str
) -> None:
    told = [words_for(game, language).fact_speech(cue, "normal") for language in ("en", "fr")]
    assert [text.replace("\u00a0", " ") for text in told] == [english, french]
