"""Tests of every sentence in both languages, shown by random games and by all menu pages."""

from __future__ import annotations

import ast
import re
import string
import wave
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import chain, combinations_with_replacement, product
from pathlib import Path
from typing import Any, Final

import pytest

import companion.say.words
import sounds
from companion.catalog import board_tour, clauses, registry, services
from companion.catalog.clauses import AUTHORITY_MARKS
from companion.catalog.editions import board_tour_plan, built_in_edition_without_values
from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import (
    COMPUTER_CHOOSING_QUESTION,
    LEAVING_PLAYER_QUESTION,
    PRESSED_ROLL_QUESTION,
    Choose,
    Form,
    Number,
    Prompt,
    Spell,
    action_prompt,
    leaving_prompt,
    legal_answers,
)
from companion.door import messages
from companion.draw import screens
from companion.draw.canvas import load_font, shorten_text, wrap_text
from companion.draw.face import load_face
from companion.figures import luck, sentences
from companion.figures.people import PlayedAndWonCount
from companion.figures.rare import RareFact
from companion.games.barney_miller.rules.board import UNKNOWN_SPACE_OR_GANG
from companion.hear.policy import TURN_SOUND
from companion.menus import index
from companion.menus import menu_stack as menu
from companion.menus import text_pages as book
from companion.menus.page import BoxPartDiagnosis, MenuFacts, MenuPageState, PhoneFacts
from companion.menus.settings import DEFAULTS, SETTINGS
from companion.menus.words import menu_words
from companion.play.conversation import Conversation, UnconfirmedAnswer
from companion.play.standing import UNDO_AGREEMENT
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION, Cursor
from companion.press.wheel import DONE_PLACE, NAME_LETTERS, wheel_answers_and_symbols
from companion.record.journal import GameSummary
from companion.record.schema import REASON_CODES
from companion.say import catalogues
from companion.say.facts import SHARED_FACTS
from companion.say.sentences import (
    BOX_CATALOGUES,
    CATALOGUE_OF_PREFIX,
    COUNTED_NOUN,
    MissingSentenceError,
    Sentences,
)
from companion.say.words import LANGUAGES, VERBOSITIES, Words
from companion.table import statistics_pages
from companion.table.frames import menu_page_frame as menu_page
from companion_testing import FACE_CHECKS, LONG_NAMES
from companion_testing.face_recording import (
    RecordingCanvas,
    draw_frames_on_recording_canvas,
    has_too_long_spoken_sentence,
)
from companion_testing.observed_games import ObservedQuestion
from companion_testing.saying import has_capital_and_one_end_mark
from tests.figures.test_rare import FACTS
from tests.helpers import NOW_SECONDS, long_lane_params, words_for
from tests.met import (
    BLANK_CARDS,
    OTHER_EDITIONS,
    RARE_FACTS,
    longest_edition,
    observed_games,
    words_of_longest_edition,
)
from tests.scenes.figures import everybody
from tests.source import syntax_nodes

ROOT: Final = Path(companion.__file__).parent
FOLDERS: Final = dict.fromkeys(BOX_CATALOGUES, ROOT / "say") | {
    n: registry.game_file_path(n, "locale").parent for n in registry.BUILT_IN_GAMES
}
"""The folder of each catalogue of the box and of the games."""
ADDED: Final = tuple(product(("companion", "page"), services.SERVICE_FOLDERS.values()))
"""The catalogues of services, each with its folder."""
COLUMNS: Final = 21
QUIET: Final = (
    *(f"{game}.figure." for game in registry.BUILT_IN_GAMES),
    *(f"{game}.web." for game in registry.BUILT_IN_GAMES),
    *(
        "cmd.",
        "box.list.",
        "kojak.count.",
        "barney-miller.kind.unknown",  # of a board that players describe
        "kojak.locked_out.",
        "barney-miller.count.",
        "box.ask.spaces",
        "kojak.option.card.",
        "baretta.line.",
    ),
    "face.",
    "page.",
    "stdio.",
    "number.",
    "box.cue.ready.",
    "box.title",
    "box.goodbye",
    "box.stopped.",
    "box.chord.",
    "probe.cue.words.doubted.",
    "box.option.settings.heard.",
    "box.option.settings.trust.",
    # Sentences that the menu pages here do not show. Tests in tests/box and tests/play do.
    *("box.cue.refused.name_forbidden.", "box.cue.refused.name_taken."),
    *(f"box.cue.{name}." for name in ("box_sits", "hint", "person_sits")),
    *(f"box.{kind}.menu." for kind in ("hint", "option")),
    *(f"box.{kind}.board.go_on" for kind in ("hint", "option")),
    *(f"box.{kind}.{name}" for kind in ("ask", "page") for name in ("seats", "stand_in", "gone")),
    "box.option.gone.",
    *(
        "box.cue.program_even.",
        "box.cue.program_shut.",
        "box.hint.seats.",
        "box.option.settings.hints.",
    ),
    *("box.option.settings.nudge.", "box.option.settings.timer."),
    *("box.cue.help.ok.throw.", "box.hold.stay", "box.let_go.stay"),
    "box.option.settings.speech.",
    *("box.far.answers.", "box.figures.leads.1", "box.figures.against.1"),
    *("box.hint.menu.undo.1", "box.cue.undone.0."),
    *(
        "box.cue.ear.",
        "box.say.ear.",
        "box.cue.help.no_seat.",
        "box.cue.help.bare_seat.",
        "box.hold.look",
        "box.legend.act",
    ),
    *(
        "box.option.ear.",
        "box.option.settings.ear.",
        "box.option.settings.large.",
        "box.view.points",
    ),
    *("box.option.menu.said", "box.option.menu.there", "box.page.said", "box.page.there"),
    *("box.legend.list.look", "box.legend.throw.look", "box.legend.wheel.look"),  # of packages
    "barney-miller.cue.card_played.dealt.ten.speech",  # the test kit does not try this combination
    *("probe.cue.revealed.guessed.speech", "probe.cue.revealed.guessed.text"),  # nor this one
)
"""Sentences of commands and other faces (page., stdio., doubts), two buttons held, rare numbers."""
HELPS: Final = (
    *("turn", "moment", "seat", "letter", "row", "rows", "done", "ok.moment", "ok.page"),
    *(
        "ok.question",
        "ok.over",
        "ok.open",
        "back.left",
        "end",
        "erase",
        "known",
        "back.moment",
        "back.menu",
        "back.page",
    ),
    "back.home",
)
"""All effects of a button."""
LOOKED_UP: Final = re.compile(
    rf"""["']((?:box|face|{"|".join(registry.BUILT_IN_GAMES)})\.[a-zA-Z0-9_.-]+)["']"""
)


@cache
def entries(language: str) -> dict[str, str]:
    """Return the sentences of all catalogue files, by key."""
    found: dict[str, str] = {}
    for name, folder in (*FOLDERS.items(), *ADDED):
        for key, sentence in written(folder, language, name).items():
            assert key not in found, f"{key} is in two catalogues"
            owner = key.partition(".")[0]
            of_the_box = CATALOGUE_OF_PREFIX.get(owner, "companion")
            assert name == (owner if owner in registry.BUILT_IN_GAMES else of_the_box), key
            found[key] = sentence
    return found


def written(folder: Path, language: str, name: str) -> dict[str, str]:
    """Return the sentences of a catalogue file, by key."""
    text = catalogues.catalogue_source_file(folder, language, name).read_text("utf-8")
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', text, re.MULTILINE)
    assert len(pairs) == text.count("\nmsgid ") - text.count('\nmsgid ""\n'), "a sentence is split"
    return {key: said.replace('\\"', '"').replace("\\n", "\n") for key, said in pairs}


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


# --- the catalogues -------------------------------------------------------------------------------


def test_both_languages_have_the_same_keys() -> None:
    keys = {language: entries(language).keys() for language in LANGUAGES}
    every = set[str]().union(*keys.values())
    lacking = {language: sorted(every - there) for language, there in keys.items()}
    faults = [
        f"{language} lacks {', '.join(names)}" for language, names in lacking.items() if names
    ]
    assert not faults, "\n".join(faults)
    assert len(every) > 300


def test_a_sentence_has_the_same_fields_in_both_languages() -> None:
    french = entries("fr")
    pairs = {key: (sentence, french.get(key, "")) for key, sentence in entries("en").items()}
    assert not [key for key, pair in pairs.items() if not all(pair)]
    assert not [key for key, (one, other) in pairs.items() if fields(one) != fields(other)]


def test_the_compiled_catalogue_is_the_written_one() -> None:
    for language in LANGUAGES:
        words = Words(language)
        for key, sentence in entries(language).items():
            assert words._sentence(key) == sentence, f"compile {language}: {key}"


def test_french_sets_its_double_marks_off_with_a_no_break_space() -> None:
    faults = []
    for key, sentence in entries("fr").items():
        filled = re.sub(r"\{[^}]*\}|`[^`]*`", "x", sentence)
        if re.search(r"[^\u00a0][;?!]", sentence):
            faults.append(f"{key}: put U+00A0 before the mark ; ? or !: {sentence}")
        if re.search(r" :|\w:(?![\w/])", filled):
            faults.append(f"{key}: put U+00A0 before the colon: {sentence}")
    assert not faults, "\n".join(faults)


def test_the_box_has_one_name_in_french() -> None:
    assert not [key for key, sentence in entries("fr").items() if "boîtier" in sentence]


MENDED: Final = {
    "en": (
        *("what do you reach", "reached:", "what does the card order", "on the one before it"),
        *("no warrant yet. ", "may be driven back, all", "The highest roll again", "an own free"),
        *(
            "One goes free",
            "On Start nothing",
            "nobody else looks",
            "a zero, or none",
            ": the pawn?",
        ),
        *(
            "pick up your second hand",
            "{space}: nothing",
            "OK decided",
            "Who is wrong",
            "It is read out",
        ),
        *(
            "turns|are left",
            "’s right a place",
            "’s left, one",
            "draws plus",
            "no ●",
            "In no word list",
        ),
        *("A total is corrected", "The score is corrected", "BACK end", "How many?", "What shall"),
        *(
            "What do you want",
            "Put the table right",
            "What holds",
            "Own languages",
            "No rate below",
        ),
        *(
            "It stands so",
            "OK answer|",
            "OK rolled",
            "BACK edit",
            "the own Arrest card",
            "rolled no dice",
        ),
        *("Let go to cover it", "20 %", "cannot walk", "never found", "Other languages"),
        *(
            "sits at {",
            "now your second hand",
            "suspect {nth}",
            "where you say",
            "one space before",
        ),
        *("Warrant: fetched", "Those cars", "those cars", "cars: to traps"),
    ),
    "fr": (
        *("qu’atteignez", "bloquée", "qu’ordonne", "celle d’avant", "arrestation'", "L'", "Auto"),
        *("Ouverts", "ALERTE|", "Qui commence : {", "Les plus forts relancent", "Une libération"),
        *(
            "pour vos yeux seuls",
            "ou aucun, ou non",
            "pion ?",
            "Qui a quelle affiche",
            "en attente",
        ),
        *("ENCORE", "OK décidé", "est retournée et", "On lit à la boîte", "mêlé encore une"),
        *("marqueur", "à la Ruelle", "Quelle case s’ouvre", "tout est ouvert", "OK voir", "veut ◀"),
        *("non ●", "Un total est rectifié", "Combien ?|", "l’apprendre", "en jouant ce"),
        *("Corriger la table", "Ce qui vaut", "Voix : normale", "Minimum", "Pas de taux avant"),
        *("Repris", "Règles:", "aucun dé", "tours|restants", "Langues à part", "0 min"),
        *(
            "chez {detective}",
            "vont de côté",
            "classé",
            "clos par",
            "autos",
            "on n’en cherche plus",
        ),
        *("là où vous dites", "voitures en {", "à votre deuxième", "ce tour :", "T{n}"),
    ),
}
"""Phrases that the readers of two evenings did not understand, and that were replaced."""


def test_no_sentence_that_was_mended_has_come_back() -> None:
    for language, mended in MENDED.items():
        said = entries(language).items()
        back = {f"{key}: {old}" for old in mended for key, text in said if old in text}
        assert back == set(), language


COUNTS: Final = re.compile(r"\{\w+\} (?:\w+ )?(\w+)\b")
NOUNS: Final = {
    "en": "answers arrests bytes cards chips defeats games letters lines places players points "
    "rounds seconds spaces times turns",
    "fr": "arrestations cartes cases défaites dés jetons lettres lignes manches octets parties "
    "places points réponses secondes tours",
}
"""Nouns that sentences count."""
MANY: Final = (".many", ".figures.dice.few", "kojak.cue.arrest", "baretta.cue.moved.guess")
"""Sentences with a plural, and verbs that look like these nouns."""


def test_a_noun_agrees_with_the_number_before_it() -> None:
    for language, nouns in NOUNS.items():
        wrong = {
            f"{key}: {found[0]}"
            for key, sentence in entries(language).items()
            for found in COUNTS.finditer(sentence)
            if found[1] in nouns.split() and not any(many in key for many in MANY)
        }
        assert {one for one in wrong if not one.startswith(("cmd.", "face."))} == set(), language


def test_what_is_counted_is_one_or_many_for_0_1_and_2() -> None:
    singular = {"en": (False, True, False), "fr": (True, True, False)}
    for language, ones in singular.items():
        words = Words(language)
        for key, sentence in entries(language).items():
            for field, one, many in COUNTED_NOUN.findall(sentence):
                noun = partial(words._filled, f"{{{field}:{one}|{many}}}")
                assert [noun({field: n}) == one for n in range(3)] == [*ones], key
    assert words("box.figures.year", year=2026, n=1, hours="0,4", wins=2).startswith("2026")


def test_every_letter_of_every_sentence_is_in_the_fonts() -> None:
    for language in LANGUAGES:
        for key, sentence in entries(language).items():
            letters = set(re.sub(r"\{[^}]*\}", "", sentence)) - {"|"}
            if not key.startswith(("face.", "cmd.")):  # a terminal shows these
                assert all(letter in load_font("small") for letter in letters), key
            if key.endswith((".title", "box.title")):
                assert all(letter in load_font("medium") for letter in letters), key
    assert all(
        letter in load_font("small")
        for letter in f"{NAME_LETTERS}{NAME_LETTERS.lower()}{DONE_PLACE}◂▸▾▴▲▼█░★■□…"
    )
    assert all(
        letter in load_font("medium") for letter in f"{NAME_LETTERS}{NAME_LETTERS.lower()}★_…"
    )
    assert all(digit in load_font("large") for digit in string.digits + " ")


def test_a_game_without_a_title_is_called_by_its_name() -> None:
    reported: list[str] = []
    for missing in (None, lambda key, _: reported.append(key)):
        assert Sentences("en", missing=missing).game_title("hearts") == "hearts"
    assert reported == ["hearts.name"]


def test_a_missing_sentence_or_field_is_an_error() -> None:
    words = Words("en")
    with pytest.raises(MissingSentenceError, match=r"en catalogue lacks .* box\.nowhere"):
        words("box.nowhere")
    with pytest.raises(MissingSentenceError, match="needs 'who'"):
        words("box.secret.title")


# --- random games ---------------------------------------------------------------------------------

every_game = pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)

WORDS: Final = 6
"""Maximum number of words in a normal sentence without a shorter wording."""


@pytest.mark.sampled(1)
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_the_box_tells_has_three_wordings_each_a_whole_sentence(
    game: str, language: str
) -> None:
    words = words_of_longest_edition(game, language)
    for cue in notices(game):
        short, normal, teaching = (words.fact_speech(cue, verbosity) for verbosity in VERBOSITIES)
        if cue.name == "why" or not normal:
            continue
        assert all(map(has_capital_and_one_end_mark, (short, normal, teaching))), normal
        assert len(short) <= len(normal) <= len(teaching)
        if has_too_long_spoken_sentence(cue, words, WORDS):
            assert len(short.split()) < len(normal.split()), normal


@pytest.mark.sampled(1)
@every_game
def test_every_sound_of_the_box_is_a_file_that_plays(game: str) -> None:
    words = words_of_longest_edition(game, "en")
    wanted = {*filter(None, map(words.fact_sound_name, notices(game)))}
    literal = set()
    sources = (path for folder in ("box", "table") for path in (ROOT / folder).glob("*.py"))
    for source in (*sources, ROOT / "hear/voice.py"):
        for call in [node for node in syntax_nodes(source) if isinstance(node, ast.Call)]:
            called = (
                call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
            )
            is_sound = called in ("play_sound", "PlaySound")
            receipts = [key.value for key in call.keywords if key.arg == "receipt"]
            for argument in (*(call.args if is_sound else ()), *receipts):
                if isinstance(argument, ast.Constant):
                    literal.add(str(argument.value))
    assert {"accepted", "ready", "goodbye", "secret_shown", "secret_hidden"} <= literal
    for name in wanted | literal | {TURN_SOUND}:
        with wave.open(str(sounds.find_sound_file(name, FOLDERS[game] / "sounds"))) as sound:
            assert sound.getnframes() > 0


# --- moments --------------------------------------------------------------------------------------


@cache
def refusals(game: str = "box") -> frozenset[str]:
    """Return the codes of all refusals in the box's code and in the game's code."""
    own = registry.game_folder(game) if game in registry.BUILT_IN_GAMES else None
    found: set[str] = set()
    for path in ROOT.rglob("*.py"):
        if ROOT / "games" not in path.parents or own in path.parents:
            text = path.read_text("utf-8")
            for call in (
                r'(?:Refused|RefusePress|Reject)\(\s*"(\w+)"',
                r'"code": "(\w+)"',
                r'return "(word_\w+)"',
            ):
                found |= set(re.findall(call, text))
    return frozenset(found)


def notices(game: str = registry.BUILT_IN_GAMES[0]) -> Iterator[Cue]:
    """Yield every fact that the box can show, and every refusal of the game."""
    codes = {"over", "not_asked", "look_first", "choose_first", "word_name", *refusals(game)}
    for code in sorted(codes - {"record", "figures"}):
        yield Cue("refused", {"code": code})
    for code in ("unwritable", *sorted({*REASON_CODES.values()})):
        yield Cue("refused", {"code": "record", "message": f"box.record.{code}"})
    yield Cue("refused", {"code": "figures", "message": "box.record.figures"})
    for part in (
        "display",
        "buttons",
        "sound",
        "voice",
        "own_voice",
        "voice_again",
        "power",
        "box",
    ):
        yield Cue("hardware", {"part": part, "message": "A cable is loose."})
    yield Cue(
        "damaged", {"kept": 12345678, "lost": 123, "file": "games-damaged-2026-11-21-091345.db"}
    )
    yield Cue("rules_changed", {"answer": 1234})
    yield Cue("reset", {"n": 12})
    box = (
        "slip",
        "broken",
        "outgrown",
        "unknown_game",
        "record_moved",
        "record_narrowed",
        "stick_kept",
    )
    yield Cue("stick_failed")
    yield from map(Cue, box)
    for code in ("not_installed", "left_out"):
        yield Cue(code, {"package": "companion-tricks", "version": "1.10.2"})
    yield Cue("no_word_list", {"package": "wamerican"})
    yield Cue("door_shut", {"message": "games.sock cannot be opened: another box uses this socket"})
    yield Cue("new_address", {"url": "192.168.178.200:8080"})
    yield Cue("no_network")
    ways = {
        "help": ("does", tuple(HELPS)),
        "sound": ("how", ("silent", "nothing", "night", "on")),
        "stuck": ("button", ("up", "down", "ok", "back", "seat")),
    }
    for name, (fact, values) in ways.items():
        for value in values:
            yield Cue(name, {fact: value})
    yield Cue("edition", {"game": "barney-miller", "n": 12})
    for clause in sorted({cue.clause for cue in observed_games(game).cues.values() if cue.clause}):
        yield Cue("why", {"of": "round_won", "facts": {}}, clause)
    asked = {prompt.name: prompt for prompt, *_ in observed_games(game).asked.values()}
    for who in (LONG_NAMES[0], None):
        for question, prompt in asked.items():
            value = legal_answers(prompt)[-1]
            facts = {"who": who, "question": question, "value": value, "agreed": False, "left": 123}
            yield Cue("undone", facts)
            yield Cue("redone", facts)


def drawn(cues: Cues, words: Words) -> list[str]:
    """Return the words on rows 0 to 6 of the last picture of an overlay."""
    face = None if words.game == "box" else load_face(words.game)
    with draw_frames_on_recording_canvas():
        screens.fact_frame(
            cues, words, Cursor(), face, screens.count_animation_pictures(cues, face) - 1
        )
    return RecordingCanvas.last.words_above_bottom_row


def wanted(cues: Cues, words: Words) -> list[str]:
    texts = [
        words.fact_title(cues[0]),
        words.fact_text_below_title(cues[0]),
        *map(words.fact_text, cues[1:]),
    ]
    return [word for text in texts for word in re.split(r"[ |]", text) if word]


@pytest.mark.sampled(1)
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_notice_is_cut_off(game: str, language: str) -> None:
    words = words_of_longest_edition(game, language)
    for cue in notices(game):
        if "message" in cue.facts and cue.name == "refused":
            cue = cue._replace(facts={**cue.facts, "message": words(cue.facts["message"])})  # noqa: PLW2901
        if cue.name == "undone":  # row 0 shows the number of remaining answers
            assert {*wanted((cue,), words)} <= {*drawn((cue,), words)}, cue
            continue
        shown = "".join(drawn((cue,), words))
        assert shown.removeprefix(cue.clause or "") == "".join(wanted((cue,), words)), cue


@pytest.mark.sampled(1)
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_can_be_said(game: str, language: str) -> None:
    for words in (words_of_longest_edition(game, language), Words(language)):
        for cue in notices(game):
            if cue.name == "hardware" and cue.facts["part"] in ("sound", "voice", "box"):
                continue
            if cue.name in ("undone", "redone", "why") and words.game == "box":
                continue
            if cue.name == "sound" and cue.facts["how"] != "on":  # reports silence
                continue
            if words.game == "box" and cue.facts.get("code") not in {None, "record", *refusals()}:
                continue
            assert words.fact_speech(cue), cue


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_past_game_of_the_longest_names_is_told_whole(language: str) -> None:
    words = Words(language)
    players = ("Fish", "Harris", "Wojehowicz", "Yemana")
    for chance in ("straight", "crooked"):
        facts = {
            "GAME": "BARNEY MILLER",
            "players": ", ".join(players),
            "result": words("box.past.won", who=LONG_NAMES[0]),
            "chance": words(f"box.past.{chance}"),
        }
        cue = Cue("past", facts)
        assert drawn((cue,), words) == wanted((cue,), words)


# --- the menus ------------------------------------------------------------------------------------


def facts(**changes: Any) -> MenuFacts:
    players = LONG_NAMES
    summaries = (
        GameSummary(
            1, registry.BUILT_IN_GAMES[0], players, NOW_SECONDS - 10, NOW_SECONDS - 10, None
        ),
        GameSummary(
            2,
            registry.BUILT_IN_GAMES[0],
            players[:2],
            NOW_SECONDS - 10_000,
            NOW_SECONDS - 400,
            None,
        ),
        GameSummary(
            3,
            registry.BUILT_IN_GAMES[0],
            players,
            NOW_SECONDS - 10_000,
            NOW_SECONDS - 9_000,
            ("Maximilien",),
        ),
        GameSummary(
            4, registry.BUILT_IN_GAMES[0], players, 0, NOW_SECONDS - 90_000_000, ("Maximilien",)
        ),
    )
    found: dict[str, Any] = {
        "games": registry.BUILT_IN_GAMES,
        "settings": {**DEFAULTS, "names": ["Bartholomé"], "volume": 10},
        "unfinished": summaries[:2],
        "past": summaries,
        "now": NOW_SECONDS,
        "voices": {"en": ("espeak-ng", "sd flite kal16"), "fr": ("fr_FR-tones-low", "espeak-ng")},
        "outputs": ("vc4hdmi0", "ABCDEFGHIJKLMNO"),
        "sound_sets": ("bells", "ABCDEFGHIJKLMNO"),
        "has_clock": False,
        **changes,
    }
    return MenuFacts(**found)


SWITCHED_ON: Final = dict.fromkeys(("silent", "trust", "stick"), True)
"""Settings that are off by default."""
CUT: Final = ("unfinished", "games", "delete", "players", "name", "voices")
"""Pages whose lines have players' names, which may be cut."""


@cache
def pages() -> tuple[MenuPageState, ...]:
    """Return every menu page that answers lead to, with each pair of values of a game's options."""
    return tuple(_pages())


def _pages() -> Iterator[MenuPageState]:
    starts = (
        facts(),
        facts(unfinished=(), past=()),
        facts(past=facts().past[2:]),
        facts(games=(*registry.BUILT_IN_GAMES, *registry.BUILT_IN_GAMES)),
        facts(settings={**DEFAULTS, "languages": {"Zoë": "fr"}, "language": "fr"}),
        facts(games=("probe",), settings={**DEFAULTS, "effects": False, "voice": False}),
        facts(settings={**DEFAULTS, "quiet_from": 22, "quiet_to": 23, **SWITCHED_ON}),
        facts(games=("kojak",), board=lambda _: "assumed"),
        facts(games=("kojak",), board=lambda _: "taught"),
        facts(playing="kojak", book=True, undoable=123, redoable=1, secrets=LONG_NAMES),
        facts(
            phones=PhoneFacts("AB12", "http://192.168.178.200:8080", "companion.local"),
            settings={**DEFAULTS, "phones": dict.fromkeys(LONG_NAMES, "")},
            can_seat_computer_players=True,
        ),
        facts(playing="kojak", phones=PhoneFacts("AB12")),
        facts(phones=PhoneFacts()),
        facts(everybody=7),
        facts(everybody=everybody()),
    )
    asks = MenuPageState(starts[-1], "joining", who=LONG_NAMES[0])
    waiting = [asks, *(menu.first_menu_page(start) for start in starts)]
    seen: set[object] = set()
    while waiting:
        page = waiting.pop()
        if services.owning_service_name(page.page):  # the tests of its package open its pages
            continue
        given = page.facts
        known: tuple[object, ...] = (page.page, page.game and page.game.name, len(page.players))
        known += (given.board("kojak"), page.board)
        if page.page not in ("options", "setup"):
            known += (given.playing, id(given.games), given.phones)
            known += (type(given.everybody), not given.past)
        pairs = {(known, pair) for pair in combinations_with_replacement(page.options or ((),), 2)}
        if pairs <= seen:
            continue
        seen |= pairs
        yield page
        prompt = menu.page_question(page)
        offered = ["Zoë"] if isinstance(prompt, Spell) else list(wheel_answers_and_symbols(prompt))
        if page.page != "joining":  # this page covers other pages, and leads nowhere
            waiting += [menu.page_after_answer(page, answer)[0] for answer in offered]
        if page.page == "setup" and page.game is not None:  # BACK leads there
            waiting.append(page._replace(page="options"))


@pytest.mark.long
def test_the_walk_of_the_menus_comes_to_every_page() -> None:
    choices = {name for name, row in SETTINGS.items() if row.values}
    volumes = {"volume", "quietest", "loudest"}
    # These pages need a game in audio mode, or a player who leaves.
    in_a_game = {"said", "there", "seats", "stand_in", "gone"}
    every = {"home", *index.PAGES, *choices, *volumes}
    assert {page.page for page in pages()} == every - in_a_game


def in_language(language: str, page: MenuPageState) -> MenuPageState:
    """Return the page of a box in a language: the rule book has other pages in each language."""
    settings = {**page.facts.settings, "language": language}
    return page._replace(facts=page.facts._replace(settings=settings))


def too_long_texts(language: str, page: MenuPageState, places: Iterable[int]) -> list[str]:
    """Return a line for each text of a page that is too long, with the cursor at `places`."""
    words, faults = menu_words(language), dict[str, None]()
    prompt, view = menu.page_question(page), menu.page_placeholder_values(page)
    names = {words.answer_label("name", "spell"), shorten_text(", ".join(LONG_NAMES), COLUMNS)}
    for at in places:
        with draw_frames_on_recording_canvas():
            menu_page(page, prompt, Cursor(at=at), words)
        for _, _, text, _ in RecordingCanvas.last.texts:
            is_cut = text.endswith("…") and not text.endswith(", …")
            if is_cut and page.page not in CUT and text not in names:
                begin = text.removesuffix("…")
                full = [" = ".join(e) for e in entries(language).items() if e[1].startswith(begin)]
                faults[f"{' or '.join(full) or text} has more than {len(text)} letters"] = None
    if page.page != "leaf":  # this page has no question
        question = words.question_row(prompt, view)
        assert isinstance(question, str)
        limit = COLUMNS - (4 if isinstance(prompt, Number) else 0)
        for row in question.split("|"):  # the board tour has two rows, above the legend
            if len(row) > limit:
                faults[f"box.ask.{page.page} = {row} has more than {limit} letters"] = None
    return [f"{language}, page {page.page}: {fault}" for fault in faults]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_settings_page_shows_all_its_words(language: str) -> None:
    pages_of_values = {name: row.values for name, row in SETTINGS.items() if row.values}
    switches = [name for name, row in SETTINGS.items() if type(row.default) is bool]
    faults = []
    for n in range(max(map(len, pages_of_values.values()))):
        chosen = {name: values[n % len(values)] for name, values in pages_of_values.items()}
        switched = dict.fromkeys(switches, bool(n % 2))
        settings = {**DEFAULTS, **switched, **chosen, "quiet_from": (None, 22)[n % 2]}
        for name in ("settings", *pages_of_values, "volume", "quietest", "loudest"):
            page = in_language(language, MenuPageState(facts(settings=settings), name))
            places = range(len(wheel_answers_and_symbols(menu.page_question(page))))
            faults += too_long_texts(language, page, places)
    assert not faults, "\n".join(dict.fromkeys(faults))


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "step"), [("fr", 3), *long_lane_params(product(LANGUAGES, [1]))]
)
def test_every_page_of_the_menus_shows_all_its_words(language: str, step: int) -> None:
    """`step`: test only each `step`-th place of a page, from another start on each page."""
    faults = []
    for n, page in enumerate(in_language(language, page) for page in pages()):
        places = len(wheel_answers_and_symbols(menu.page_question(page)))
        start = n % step if places > step else 0
        faults += too_long_texts(language, page, range(start, places, step))
    assert not faults, "\n".join(faults)


@pytest.mark.long
def test_every_sentence_of_numbers_fits_its_page_above_its_clause() -> None:
    for game, language in product(registry.BUILT_IN_GAMES, LANGUAGES):
        words = words_for(game, language)
        told = [
            cue
            for cue in observed_games(game).cues.values()
            if cue.clause and words.fact_calculation_sentence(cue)
        ]
        assert len({words.fact_name_with_variant(cue) for cue in told}) > 7, game
        told.sort(key=lambda cue: len(str(words.fact_calculation_sentence(cue))))
        longest_of = {
            (words.fact_name_with_variant(cue), words.clauses_explaining_facts((cue,))): cue
            for cue in told
        }
        for (_, rulings), cue in longest_of.items():
            for name in rulings:
                facts = {"ruling": name, "argued": cue}
                why = Cue("why", facts, cue.clause)
                assert len(wrap_text(words.fact_text(why), COLUMNS)) <= 6, words.fact_text(why)


def spelling_legends(words: Words) -> set[str]:
    """Return all legends while a word is spelt, with the cursor at each place."""
    legends = set()
    prompt = Spell(
        "spell", None, 10, (), flaw=lambda text: "short" if len(text) == 1 else None,
        known=("Anna",), private=True,
    )  # fmt: skip
    few = prompt._replace(letters="ABC")
    spelt = ("", "", 0), ("A", "", 0), ("An", "", 0), ("An", "", 1), ("An", "", 2)
    for text, row, back in (*spelt, ("Aaaaaaaaaa", "", 0), ("A", "HIÎÏJKLMN", 0)):
        for of in (prompt, prompt._replace(private=False), *(() if row else (few,))):
            for at in range(len(wheel_answers_and_symbols(of, text, row, back))):
                cursor = Cursor(at, text, row, back)
                with draw_frames_on_recording_canvas():
                    screens.menu_frame(of, cursor, words, {"page": "spell"})
                legends |= {text for page, _, text, _ in RecordingCanvas.last.texts if page == 7}
    return legends


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_being_spelt_shows_what_ok_does(language: str) -> None:
    words = Words(language)
    left = (f"{kind}{more}" for kind in ("row", "letter", "end", "erase") for more in ("", ".left"))
    kinds = (*left, "spell", "done", "known", "row.end", "row.secret")
    assert spelling_legends(words) == {words(f"box.legend.{kind}") for kind in kinds}


@pytest.mark.parametrize("language", LANGUAGES)
def test_curtains_and_legends_fit_their_rows(language: str) -> None:
    for key, sentence in entries(language).items():
        if ".legend." in key or key.startswith(("box.curtain.", "box.page.")):
            assert len(sentence) <= COLUMNS, key
        if key.startswith("box.let_go."):
            assert len(sentence) <= COLUMNS, key
        if key.startswith("box.hold."):
            assert len(sentence) < COLUMNS - 4, key
        if key.startswith("box.mix.title"):
            assert len(sentence) <= COLUMNS, key
    words = menu_words(language)
    for who in LONG_NAMES:
        assert len(words("box.ask.mix", who=who)) <= COLUMNS
        assert len(words("box.ask.throw", who=who)) <= COLUMNS
    assert len(wrap_text(words("box.mix.text"), COLUMNS)) <= 3


# --- no unused sentence ---------------------------------------------------------------------------


def literals() -> Iterable[str]:
    for path in ROOT.rglob("*.py"):
        yield from LOOKED_UP.findall(path.read_text("utf-8"))


def ask_on_phones(asked: ObservedQuestion, words: Words) -> None:
    words.spoken_question(asked.prompt, asked.snapshot.view, phone=True)
    for name in ("keep_word", "other"):
        words.spoken_question(asked.prompt._replace(name=name, private=True), {}, phone=True)
    for there in ((str(asked.prompt.who),), ("Ann", "Bob")):
        screens.asked_on_phones_frame(asked.snapshot, there, asked.prompt, Cursor(), words)


COVERT_ANSWER: Final = {"question": "hide", "value": None, "agreed": False, "left": 10}


def say_all_of_the_box(words: Words, box: Words) -> None:
    game = words.game
    for means in ("back", "ok", "erase", "cover"):
        screens.held_button_legend(Cursor(means=means, bar=1), box)
        screens.held_button_legend(Cursor(means=means, bar=4), box)
    words.fact_speech(Cue("erased"))
    records = ("unwritable", *REASON_CODES.values(), "figures")
    dice = (f"figures.dice.{verdict}" for verdict in luck.VERDICTS[1:])
    shuffles = (f"figures.shuffles.{verdict}" for verdict in luck.VERDICTS[1:])
    for key in (
        *(f"record.{code}" for code in records),
        *(f"mark.{mark}" for mark in AUTHORITY_MARKS),
        *dice,
        *shuffles,
        *("figures.undo", "figures.redo", "past.redo"),
    ):
        box(f"box.{key}", n=0)
    for cue in (
        *notices(game),
        Cue("past", dict.fromkeys(("GAME", "players", "result", "chance"), "")),
        *(Cue("undone", {**COVERT_ANSWER, "who": who}) for who in ("Ann", None)),
    ):
        words.fact_text(cue)
        words.fact_sound_name(cue)
        words.fact_speech(cue, ear=True)
        for verbosity in VERBOSITIES:
            words.fact_speech(cue, verbosity)
    say_all_of_figures(box)
    for cue in (*notices(game), Cue("past", {"GAME": ""})):
        (words if cue.name == "why" else box).fact_title(cue)
    ask_all_of_the_box(words)


def show_all_pages(box: Words) -> None:
    for page in pages():
        prompt = menu.page_question(page)
        _ = page.page == "leaf" or box.question_row(
            prompt, menu.page_placeholder_values(page)
        )  # this page has no question
        for at in range(len(wheel_answers_and_symbols(prompt))):
            menu_page(page, prompt, Cursor(at=at), box)


def say_all_of_figures(box: Words) -> None:
    facts = {"game": "kojak", "who": "Ann", "last": "Bob", "n": 3, "of": 4}
    for kind in FACTS:
        cue = sentences.rarest_fact_announcement(RareFact(kind, 5, facts), box)
        for say in (box.fact_title, box.fact_text, box.fact_speech):
            say(cue)
    found = everybody()
    new = found.people[0]._replace(all=PlayedAndWonCount(1, 0))
    box.sentence_for_count("box.figures.year", 1, year="2026", hours="0.4", wins="Ann 1")
    for one in (None, *found.people):
        statistics_pages.person_or_group_statistics_pages(found, one and one.name, box)
    statistics_pages.person_or_group_statistics_pages(found._replace(people=(new,)), new.name, box)


def ask_all_of_the_box(words: Words) -> None:
    keep = UNDO_AGREEMENT._replace(
        name=CONFIRM_UNLISTED_WORD_QUESTION, facts={"word": "", "lists": ""}
    )
    zoe = UNDO_AGREEMENT._replace(name="mix", who="Zoë")
    for prompt in (keep._replace(who="Zoë", private=True), zoe._replace(name="", private=True)):
        words.spoken_question(prompt, {})
        words.reason_for_private_question(prompt, {})
    words.spoken_question(zoe._replace(name=""), {})
    roll = Choose(PRESSED_ROLL_QUESTION, "Zoë", (PRESSED_ROLL_QUESTION,))
    words.spoken_question(roll, {}, short=True)
    words.button_legend(roll, "list")
    words.spoken_question(zoe._replace(name="mix_together"), {})
    for prompt in (UNDO_AGREEMENT, zoe, keep, roll):
        words.question_row(prompt, {})
        words.spoken_question(prompt, {})
        for value in prompt.options:
            words.answer_label(prompt.name, value)


def write_all_at_the_door(game: str, words: Words) -> None:
    for asked in observed_games(game).asked.values():
        plain = Conversation(asked.prompt, is_pending=True)
        form = Form("correct", None, partial(ask_again, asked.prompt))
        for talk in (
            plain,
            Conversation(form),
            plain.with_unlisted_word_question("", ("french",)),
        ):
            messages.next_question_message(talk, asked.snapshot.view, words, 1)
        messages.state_message(asked.snapshot, words, secrets=True)
    roll = Conversation(
        Choose(PRESSED_ROLL_QUESTION, "Zoë", (PRESSED_ROLL_QUESTION,)), is_pending=True
    )
    messages.next_question_message(roll, {}, words, 1)


def ask_again(prompt: Prompt, _given: Mapping[str, Any]) -> Prompt:
    return prompt


def show_too_long(asked: ObservedQuestion, words: Words) -> None:
    prompt, snapshot, own, _ = asked
    cursor = Cursor(text="A" * (prompt.longest + 1))  # type: ignore[union-attr] # a word to spell
    screens.secret_frame(snapshot, Secret("", prompt, own), cursor, words, load_face(words.game))


def other_boards(game: str) -> Iterator[Mapping[str, Any]]:
    """Yield an edition with data that the printed one lacks, and one without any names."""
    if game in OTHER_EDITIONS:
        yield OTHER_EDITIONS[game](longest_edition(game))
    if board_tour_plan(game) is not None:
        yield built_in_edition_without_values(game, BLANK_CARDS[game])


def say_what_a_program_does(words: Words) -> None:
    """Show a computer player that is asked, thinks, answers, and may leave."""
    thinks = action_prompt(COMPUTER_CHOOSING_QUESTION, facts={"player": "Chip"})
    words.question_row(thinks, {})
    words.spoken_question(thinks, {})
    words.answer_label(COMPUTER_CHOOSING_QUESTION, COMPUTER_CHOOSING_QUESTION)
    messages.next_question_message(Conversation(thinks, is_pending=True), {}, words, 1)
    asked = next(iter(observed_games(words.game).asked.values()))
    value = wheel_answers_and_symbols(asked.prompt)[0]
    given = {**asked.prompt.facts, "who": "Chip", "question": asked.prompt.name, "value": value}
    plain = {name: fact for name, fact in asked.snapshot.view.items() if type(fact) in (str, int)}
    wishes = [
        Cue("wish", {**plain, **asked.prompt.facts, "who": "Chip", "question": name, "value": wish})
        for name in registry.find_game(words.game).questions_with_announced_choice
        for asked in observed_games(words.game).asked.values()
        if asked.prompt.name == name
        for wish in wheel_answers_and_symbols(asked.prompt)
    ]
    for cue in (
        Cue("program", {**plain, **given}),
        *(wishes or [Cue("wish", {**plain, **given})]),
        Cue("program_kept", {"who": "Chip"}),
        Cue("program_away", {"who": "Chip"}),
        Cue("program_silent", {"who": "Chip"}),
    ):
        words.fact_title(cue)
        words.fact_title_and_text(cue)
        for verbosity in VERBOSITIES:
            words.fact_speech(cue, verbosity)


def take_back_and_explain(game: str, words: Words) -> None:
    """Show the undo of each kind of answer, and the explanation of each verdict."""
    given = registry.find_game(game)
    answers: dict[str, Any] = {"roll": [1], **dict.fromkeys(given.covert)}
    answers |= {
        "correct": {"what": "turn", "who": "Ann", "points": 5},
        "interrupt": {"who": "Ann", "whom": "Bob", "rack": "Bob", "right": True},
    }
    for asked in observed_games(game).asked.values():
        if not isinstance(asked.prompt, Spell):
            answers.setdefault(asked.prompt.name, wheel_answers_and_symbols(asked.prompt)[0])
    for name in answers.keys() & given.on.keys():
        facts = {"who": "Ann", "question": name, "value": answers[name], "left": 2}
        words.fact_text(Cue("undone", facts))
    for cue in observed_games(game).cues.values():
        words.fact_calculation_sentence(cue)
        words.fact_title_and_text(cue)
    for say in (words.fact_text, words.fact_speech):
        say(Cue("refused", {"code": "not_asked", "question": LEAVING_PLAYER_QUESTION}))
    resumed = Cue("resumed", {"steps": ()})
    for say in (
        words.fact_text,
        words.fact_speech,
        words.fact_title,
        partial(words.fact_speech, ear=True),
    ):
        say(resumed)


CORRECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "barney-miller": ("turn", "chip", "reserve", "pawn", "desk", "card"),
    "baretta": ("baretta", "turn", "out", "in", "card", "pile"),
    "kojak": ("turn", "criminal", "arrest", "file", "stage", "car"),
    "probe": (),
}
"""Values that players can correct in a game (BM-13, BA-18, KO-21)."""
VALUES: Final[Mapping[str, Any]] = {
    "who": "Ann",
    "suspect": "fish-hoods",
    "detective": "Fish",
    "nth": "2",
    "n": 3,
    "total": 5,
    "space": "24",
    "lies": "down",
    "colour": "red",
    "stage": "to_place",
}
KINDS: Final = ("start", "positive_identification", "arrest_warrant", "insufficient_evidence")


def take_back_corrections(game: str, words: Words) -> None:
    """Show the undo of each kind of correction."""
    kinds = [{**VALUES, "what": what} for what in CORRECTIONS[game]]
    if game == "kojak":
        kinds += [
            {**VALUES, "what": "arrest", "who": "nobody"},
            {**VALUES, "what": "file", "colour": "none"},
        ]
    for value in kinds:
        facts = {"who": "Ann", "question": "correct"}
        words.fact_text(Cue("undone", {**facts, "value": value, "left": 2}))


def say_rare_corrections(game: str, words: Words) -> None:
    """Show a pawn on each kind of space (BM-13), and a card in each position (BA-18)."""
    facts = {**VALUES, "gang": None, "captured": None, "reserve": None}
    cues = {
        "barney-miller": [
            {**facts, "what": "pawn", "kind": kind} for kind in (UNKNOWN_SPACE_OR_GANG, *KINDS)
        ],
        "baretta": [
            {**facts, "what": "card", "card": card, "marker": marker}
            for card in ("down", "up:hunch")
            for marker in (None, "Ann")
        ],
    }
    for fact in cues.get(game, []):
        cue = Cue("corrected", fact)
        for say in (words.fact_title, words.fact_text, words.fact_speech):
            say(cue)
        words.fact_speech(cue, "short")


def show_the_last_game_again(box: Words) -> None:
    """Show the first screen with each combination of options of the last game."""
    for game in registry.BUILT_IN_GAMES:
        for options in every_way(game):
            past = (facts().past[0]._replace(game=game, options=dict(options)),)
            page = menu.first_menu_page(facts(past=past, unfinished=()))
            prompt = menu.page_question(page)
            menu_page(
                page, prompt, Cursor(at=wheel_answers_and_symbols(prompt).index("rematch")), box
            )


def show_the_checkup(box: Words) -> None:
    """Show the checkup without a result, without findings, and with a finding."""
    for findings in (None, (), (BoxPartDiagnosis("sound", "No card.", "Plug it in."),)):
        page = MenuPageState(facts(findings=findings), "checkup")
        menu_page(page, menu.page_question(page), Cursor(), box)


def show_the_walk(box: Words) -> None:
    """Show each board tour, and before it the fact that the board is a guess."""
    for cue, verbosity in product((Cue("assumed"), Cue("walk", {"walks": "kojak"})), VERBOSITIES):
        box.fact_title(cue)
        box.fact_text(cue)
        box.fact_speech(cue, verbosity)
    for game in filter(board_tour_plan, registry.BUILT_IN_GAMES):
        found = registry.find_game(game)
        page = MenuPageState(
            facts(),
            "walk",
            found,
            players=found.names[:2],
            shown=board_tour.edition_with_blank_board(game),
        )
        while page.page == "walk":
            prompt = menu.page_question(page)
            menu.load_menu_page("walk").said(box, page)
            for at in range(len(wheel_answers_and_symbols(prompt))):
                menu_page(page, prompt, Cursor(at=at), box)
            ends = {"start", "dot", "red"}.intersection(wheel_answers_and_symbols(prompt))
            page, _ = menu.page_after_answer(
                page, min(ends, default=wheel_answers_and_symbols(prompt)[0])
            )


def show_who_leaves(box: Words) -> None:
    """Show that a player leaves, with and without a computer player at the table."""
    state = facts(
        playing="kojak",
        seats=LONG_NAMES,
        stand_in=True,
        goes_on=True,
        can_seat_computer_players=True,
    )
    for who, programs in ((LONG_NAMES[0], ()), (LONG_NAMES[1], LONG_NAMES[1:2])):
        page = MenuPageState(state._replace(programs=programs), "stand_in", who=who)
        prompt = menu.page_question(page)
        for at in range(len(wheel_answers_and_symbols(prompt))):
            menu_page(page, prompt, Cursor(at=at), box)
    left, leaves = Cue("left", {"who": "Ann"}), leaving_prompt(LONG_NAMES)
    box.fact_text(left)
    box.fact_speech(left)
    messages.out_of_turn_questions_message((leaves,), box)
    sure = Conversation(leaves, unconfirmed_answer=UnconfirmedAnswer(leaves, LONG_NAMES[0]))
    messages.next_question_message(sure, {}, box, 1)


def every_way(game: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield each combination of a game's options."""
    options = registry.find_game(game).options
    return product(*([(option.name, value) for value in option.values] for option in options))


def tell_all_that_is_there(game: str, words: Words) -> None:
    for cue, verbosity in product(RARE_FACTS.get(game, ()), VERBOSITIES):
        words.fact_speech(cue, verbosity)
        words.fact_title_and_text(cue)
    for asked in observed_games(game).asked.values():
        load_face(game).spoken_state(words, asked.snapshot.view, asked.snapshot.players)
        load_face(game).spoken_summary(words, asked.snapshot.view, asked.snapshot.players)
    for end in observed_games(game).ends:
        load_face(game).spoken_summary(words, end.view, end.players)
    for cue in (
        *RARE_FACTS.get(game, ()),
        *chain(*observed_games(game).facts_by_answer.values()),
        *observed_games(game).cues.values(),
    ):
        words.fact_speech(cue, ear=True)
    for cue in (Cue("ten_seconds"), *(Cue("detail", {"how": how}) for how in VERBOSITIES)):
        words.fact_speech(cue)
        words.fact_title_and_text(cue)


@pytest.mark.long
def test_no_sentence_is_there_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    used, look_up = set(literals()), companion.say.sentences.Sentences._sentence

    def spy(words: Words, key: str) -> str:
        used.add(key)
        return look_up(words, key)

    monkeypatch.setattr(companion.say.sentences.Sentences, "_sentence", spy)
    show_all_pages(menu_words("en"))
    show_the_last_game_again(menu_words("en"))
    show_the_checkup(menu_words("en"))
    show_the_walk(menu_words("en"))
    show_who_leaves(menu_words("en"))
    spelling_legends(menu_words("en"))
    for game in registry.BUILT_IN_GAMES:
        words = words_for(game, "en", longest_edition(game))
        for proved in FACE_CHECKS.values():
            list(proved(observed_games(game), words))
        for board in other_boards(game):
            for name in ("frames", "sentences"):
                list(FACE_CHECKS[name](observed_games(game), words_for(game, "en", board)))
        screens.question_frame(
            observed_games(game).ends[0], UNDO_AGREEMENT, Cursor(), words, load_face(game)
        )
        for asked in observed_games(game).asked.values():
            ask_on_phones(asked, words)
            if isinstance(asked.prompt, Spell) and asked.prompt.private:  # too long for a wheel
                show_too_long(asked, words)
        tell_all_that_is_there(game, words)
        say_what_a_program_does(words)
        take_back_and_explain(game, words)
        take_back_corrections(game, words)
        say_rare_corrections(game, words)
        for name in observed_games(game).anytime - {LEAVING_PLAYER_QUESTION}:
            page = menu.first_menu_page(facts(playing=game, anytime=observed_games(game).anytime))
            menu_words("en").answer_label("menu", name, menu.page_placeholder_values(page))
        say_all_of_the_box(words, menu_words("en"))
        write_all_at_the_door(game, words)
        for options, n in product(every_way(game), registry.find_game(game).seats):
            book.setup_text_pages.__wrapped__(game, options, n, "en")
    added = {key for name, folder in ADDED for key in written(folder, "en", name)}
    dead = {key for key in entries("en").keys() - added - used if not key.startswith(QUIET)}
    assert not dead, " ".join(sorted(dead))


def test_the_code_looks_up_no_key_that_is_not_there() -> None:
    missing = {
        key
        for key in literals()
        if key not in entries("en") and not key.endswith((".", ".in", ".txt"))
    }
    assert not missing


@pytest.mark.sampled(1)
@every_game
def test_no_fact_of_the_box_has_the_name_of_a_games_fact(game: str) -> None:
    """A fact without its own sentence would use the box's sentence, as shared facts may."""
    shared = {*SHARED_FACTS, "left"}
    own = {key.split(".")[2] for key in entries("en") if key.startswith("box.cue.")}
    assert own & {cue.name for cue in observed_games(game).cues.values()} <= shared


@pytest.mark.sampled(1)
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_calls_one_player_or_nobody_at_all(game: str, language: str) -> None:
    words = words_of_longest_edition(game, language)
    wrong = []
    for asked in observed_games(game).asked.values():
        prompt, snapshot = asked.prompt, asked.snapshot
        for again in (False, True):
            said = words.spoken_question(prompt, snapshot.view, short=again)
            called = sum(len(re.findall(rf"\b{who}\b", said)) for who in snapshot.players)
            if called > 1 or "None" in said or (prompt.who is not None and called != 1):
                wrong.append(said)
    assert wrong == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("game", "facts", "said"),
    [
        ("baretta", {"question": "move_to", "value": "21"}, "Bob’s move to space 21"),
        ("baretta", {"question": "move_to", "value": "hideout"}, "Bob’s move to the Hideout"),
        ("baretta", {"question": "hunch", "value": "pass"}, "Bob kept quiet"),
        ("baretta", {"question": "hunch", "value": "9"}, "Bob pointed at space 9"),
        ("baretta", {"question": "cut", "value": "no"}, "nobody cut"),
        ("baretta", {"question": "correct", "value": {"what": "turn", "who": "Ann"}}, "Ann’s turn"),
        ("probe", {"question": "ask_for", "value": "."}, "Bob asked for a dot"),
        ("probe", {"question": "uncover", "value": "Bob:left:5"},
         "Bob uncovered place five, on the left"),
        ("barney-miller", {"question": "zero", "value": "pass"}, "Bob’s “no” to a zero"),
        ("kojak", {"question": "happened", "value": "blocked"}, "Bob’s move (blocked)"),
        ("kojak", {"question": "correct", "value": {"what": "criminal", "colour": "red", "n": 2}},
         "the red criminal, space 2"),
        ("kojak", {"question": "correct",
                   "value": {"what": "arrest", "colour": "red", "who": "Ann"}},
         "Ann’s arrest, red"),
        ("kojak", {"question": "correct",
                   "value": {"what": "arrest", "colour": "red", "who": "nobody"}},
         "the red file, open"),
        ("kojak", {"question": "correct",
                   "value": {"what": "stage", "who": "Ann", "stage": "hunting"}},
         "Ann’s stage, warrant posted"),
        ("barney-miller", {"question": "correct",
                           "value": {"what": "reserve", "who": "Ann", "n": 2}},
         "Ann’s reserve, 2"),
        ("barney-miller", {"question": "correct",
                           "value": {"what": "chip", "who": "Ann", "suspect": "fish-caps"}},
         "Ann’s suspect, Cap Burglars"),
    ],
)  # fmt: skip
def test_an_answer_taken_back_is_named_in_words(
    game: str, facts: dict[str, Any], said: str
) -> None:
    undone = Cue("undone", {"who": "Bob", "agreed": False, "left": 10, **facts})
    words = words_for(game, "en")
    assert words.fact_speech(undone, "normal") == f"Taken back: {said}."
    told = said[0].upper() + said[1:]
    assert words.fact_text(undone) == f"{told}.|10 more."


@pytest.mark.parametrize(
    ("language", "who", "said"),
    [("en", "Bob", "an answer of Bob"), ("fr", "Bob", "une réponse de Bob"),
     ("en", None, "an answer"), ("fr", None, "une réponse")],
)  # fmt: skip
def test_a_covert_answer_taken_back_is_named_without_its_value(
    language: str, who: str | None, said: str
) -> None:
    words = words_for("kojak", language)
    values: tuple[dict[str, int] | None, ...] = (None, {})
    for value in values:
        undone = Cue("undone", {**COVERT_ANSWER, "who": who, "value": value})
        assert said in words.fact_speech(undone, "normal")
        assert words.fact_text(undone).startswith(f"{said[0].upper()}{said[1:]}.|")


def test_who_leaves_before_play_begins_is_told_so_and_a_question_out_of_turn_as_before() -> None:
    words = words_for("probe", "en")
    early, other = (
        Cue("refused", {"code": "not_asked", "question": question})
        for question in ("leaves", "stop")
    )
    assert words.fact_speech(early, "normal") == "Nobody can leave before play begins."
    assert words.fact_speech(other, "normal") == "That is not asked now."


def test_clauses_and_headings_have_curly_apostrophes_alone() -> None:
    for game in registry.BUILT_IN_GAMES:
        for heading in clauses.read_rule_sheet_sections(game):
            texts = (heading.title, *(clause.text for clause in heading.clauses))
            assert not [text for both in texts for text in both.values() if "'" in text], game
