"""Every sentence, in both languages, in its place: met by random games and walks of the menus."""

from __future__ import annotations

import ast
import random
import re
import string
import wave
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import companion.words
import sounds
from companion import games, screens
from companion.canvas import Canvas, font, short, wrap
from companion.controls import ALPHABET, DONE, ERASE, Cursor, is_wheel, wheel
from companion.core import Cue, Number, Spell, by_box, step
from companion.games.barney_miller import GAME
from companion.home import rules as home
from companion.journal import Summary
from companion.session import AGREE
from companion.simulate import pick
from companion.words import LANGUAGES, VERBOSITIES, MissingWords, Words
from tests.helpers import NOW, printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from companion.core import Cues, Prompt
    from companion.games.barney_miller.rules import State

ROOT: Final = Path(companion.words.__file__).parent
SOUNDS: Final = Path(sounds.__file__).parent
NAMES: Final = ("Wojehowicz", "Bartholomé", "Maximilien", "Alexandrie")
"""Ten letters each: as long as a name gets."""
GANGS: Final = (
    "Shopping Molls",
    "Warehouse Gang",
    "Dockland Mafia",
    "Night Watchmen",
    "Fur Collectors",
)
"""Fourteen letters each: as long as a gang's name gets."""
PLAYOUTS: Final = 10
KINDS: Final = ("start", "positive_identification", "arrest_warrant", "insufficient_evidence")
COLUMNS: Final = 21
LIST, NARROW_LIST = 19, 11
QUIET: Final = ("face.", "stdio.", "number.", "box.cue.ready.", "box.title", "box.goodbye")
"""Sentences that other faces use (face., stdio.), and numbers that no random game may come to."""
LOOKED_UP: Final = re.compile(r"""["']((?:box|barney-miller|rule|face)\.[a-zA-Z0-9_.-]+)["']""")


def entries(language: str) -> dict[str, str]:
    """The catalogue as it is written, key by key."""
    text = (ROOT / "locale" / language / "LC_MESSAGES" / "companion.po").read_text("utf-8")
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', text, re.MULTILINE)
    assert len(pairs) == len({key for key, _ in pairs}), "a key stands twice"
    assert len(pairs) == text.count("\nmsgid ") - text.count('\nmsgid ""\n'), "a sentence is split"
    return dict(pairs)


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


# --- the catalogues -------------------------------------------------------------------------------


def test_both_languages_have_the_same_keys() -> None:
    english, french = map(entries, LANGUAGES)
    assert english.keys() == french.keys()
    assert len(english) > 300


@pytest.mark.parametrize("key", sorted(entries("en")))
def test_a_sentence_has_the_same_fields_in_both_languages(key: str) -> None:
    english, french = (entries(language)[key] for language in LANGUAGES)
    assert english
    assert french
    # a title that names nobody may need a field less, but never one that is not given
    assert fields(english) == fields(french)


def test_the_compiled_catalogue_is_the_written_one() -> None:
    for language in LANGUAGES:
        words = Words(language)
        for key, sentence in entries(language).items():
            assert words._catalogue.gettext(key) == sentence, f"compile {language}: {key}"


def test_french_sets_its_double_marks_off_with_a_no_break_space() -> None:
    for key, sentence in entries("fr").items():
        bare = sentence.replace("OK suite tenu: règle", "").replace("tenu: revoir", "")
        assert not re.search(r"[^\u00a0][;?!]", bare), f"{key}: {sentence}"
        assert not re.search(r" :|\w:(?!\w)", re.sub(r"\{[^}]*\}", "x", bare)), f"{key}: {sentence}"


def test_every_letter_of_every_sentence_is_in_the_fonts() -> None:
    for language in LANGUAGES:
        for key, sentence in entries(language).items():
            letters = set(re.sub(r"\{[^}]*\}", "", sentence)) - {"|"}
            if not key.startswith("face."):
                assert all(letter in font("small") for letter in letters), key
            if key.endswith((".title", "box.title")):
                assert all(letter in font("medium") for letter in letters), key
    assert all(letter in font("small") for letter in f"{ALPHABET}{DONE}{ERASE}◂▸▾▴▲▼█░★■□…")
    assert all(letter in font("medium") for letter in f"{ALPHABET}{ALPHABET.lower()}★_…")
    assert all(digit in font("large") for digit in string.digits + " ")


def test_a_missing_sentence_or_field_is_an_error() -> None:
    words = Words("en")
    with pytest.raises(MissingWords, match=r"en: box\.nowhere"):
        words("box.nowhere")
    with pytest.raises(MissingWords, match="needs 'who'"):
        words("box.secret.title")


# --- what random games meet -----------------------------------------------------------------------


@dataclass
class Met:
    """All that some random games asked and told."""

    prompts: dict[str, tuple[Prompt, Mapping[str, Any]]] = field(default_factory=dict)
    moments: dict[str, Cues] = field(default_factory=dict)
    cues: dict[str, Cue] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    def ask(self, prompt: Prompt, state: State) -> None:
        key = f"{prompt.name} {prompt.who} {prompt} {state.total}"
        if key not in self.prompts:
            self.prompts[key] = (prompt, GAME.view(state, None))

    def tell(self, cues: Cues) -> None:
        key = repr(cues)
        if key in self.told:
            return
        self.told.add(key)
        self.cues.update({f"{cue.name} {cue.facts}": cue for cue in cues})
        for frame in Words("en", GAME.name, board()).moments(cues):
            self.moments[str([(cue.name, cue.facts) for cue in frame])] = frame


@cache
def board() -> dict[str, Any]:
    """The printed board with the longest names that a board may have."""
    edition = printed()
    named: Iterable[tuple[dict[str, Any], str]] = zip(edition["gang"], GANGS, strict=True)
    return {**edition, "gang": [{**gang, "name": name} for gang, name in named]}


@cache
def met() -> Met:
    """A few hundred whole games: every number of players with every option."""
    found, rng = Met(), random.Random(1977)
    choices = [[(option.name, value) for value in option.values] for option in GAME.options]
    tables = [(n, dict(chosen)) for n in GAME.seats for chosen in product(*choices)]
    for n, options in tables:
        for _ in range(PLAYOUTS):
            state = GAME.setup(NAMES[:n], options, board())
            while (prompt := GAME.ask(state)) is not None:
                if not by_box(prompt):
                    found.ask(prompt, state)
                state, cues = step(GAME, state, prompt, pick(prompt, rng))
                found.tell(cues)
    return found


def every(language: str) -> Words:
    return Words(language, GAME.name, board())


def test_random_games_meet_every_fact_and_question_of_the_game() -> None:
    assert {prompt.name for prompt, _ in met().prompts.values()} == {
        *("roll", "space", "play_card", "zero", "commit_suspect", "free_suspect")
    }
    assert {cue.name for cue in met().cues.values()} == {
        *("begins", "captured", "card_played", "dealt", "first_roll", "freed", "game_won", "hand"),
        *("moved", "next_roller", "nothing", "picked_up", "reserve", "rolled", "round_won", "ten"),
        *("unwanted", "zero_played"),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_fits_its_row_beside_its_wheel(language: str) -> None:
    words = every(language)
    for prompt, view in met().prompts.values():
        room = COLUMNS - 4 if is_wheel(prompt) else COLUMNS
        assert len(words.question(prompt, view)) <= room, words.question(prompt, view)
        for kind in ("wheel", "list"):
            assert len(words.legend(prompt, kind)) <= COLUMNS
        assert isinstance(words.asked(prompt, view), str)
    assert len(words.question(AGREE, {})) <= COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_fits_its_line(language: str) -> None:
    words = every(language)
    for prompt, view in met().prompts.values():
        room = NARROW_LIST - 1 if prompt.name == "zero" else LIST
        for value in wheel(prompt):
            label = words.label(prompt.name, value, view)
            assert 0 < len(label) <= (2 if is_wheel(prompt) else room), label


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_space_and_seat_fits_the_top_row(language: str) -> None:
    words = every(language)
    for kind in KINDS:
        place = words(f"barney-miller.kind.{kind}")
        assert len(words("barney-miller.round", n=99)) + len(place) < COLUMNS
    for seat in NAMES:
        assert len(words("barney-miller.turn", who=seat)) <= COLUMNS
        assert len(words("box.secret.title", who=seat)) <= COLUMNS
        assert len(words("barney-miller.secret.total", n=10)) <= COLUMNS
    for n in (1, 9):
        assert len(words("barney-miller.cards", n=n)) <= 12
        assert len(words("barney-miller.second", n=n)) <= 12


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verbosity", VERBOSITIES)
def test_every_fact_can_be_said(language: str, verbosity: str) -> None:
    words = every(language)
    for cue in met().cues.values():
        said = words.speech(cue, verbosity)
        assert "|" not in said
        assert "■" not in said
        assert not said or said[-1] in ".!", said
        if cue.to is None and cue.clause and said and verbosity == "teaching":
            assert said.endswith(words.ruling(cue.clause))


def test_what_is_said_short_is_never_longer() -> None:
    for language in LANGUAGES:
        words = every(language)
        for cue in met().cues.values():
            lengths = [len(words.speech(cue, verbosity)) for verbosity in VERBOSITIES]
            assert lengths == sorted(lengths)


def test_every_sound_is_a_file_that_plays() -> None:
    words = every("en")
    wanted = {words.sound(cue) for cue in (*met().cues.values(), *notices())} - {None}
    literal = set()
    for source in (ROOT / "app.py", ROOT / "voice.py"):
        tree = ast.parse(source.read_text("utf-8"))
        for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
            is_sound = isinstance(call.func, ast.Attribute) and call.func.attr in ("sound", "play")
            receipts = [key.value for key in call.keywords if key.arg == "receipt"]
            for argument in (*(call.args if is_sound else ()), *receipts):
                if isinstance(argument, ast.Constant):
                    literal.add(str(argument.value))
    assert {"accepted", "ready", "goodbye", "secret_shown", "secret_hidden"} <= literal
    for name in wanted | literal:
        with wave.open(str(SOUNDS / f"{name}.wav")) as sound:
            assert sound.getnframes() > 0


# --- moments --------------------------------------------------------------------------------------


class Written(Canvas):
    """A canvas that remembers what was written where."""

    texts: list[tuple[int, int, str, str]]

    def __init__(self) -> None:
        super().__init__()
        Written.texts = []

    def text(self, page: int, x: int, text: str, face: str = "small") -> None:
        assert page + font(face).pages <= 8
        assert x >= 0
        assert x + len(text) * font(face).width <= 128, f"{text!r} is cut off"
        Written.texts.append((page, x, text, face))
        super().text(page, x, text, face)


def notices() -> Iterator[Cue]:
    """Every fact that the box itself can show."""
    texts = " ".join(path.read_text("utf-8") for path in ROOT.rglob("*.py"))
    codes = set(re.findall(r'Refused\(\s*"(\w+)"', texts)) | set(
        re.findall(r'"code": "(\w+)"', texts)
    )
    codes |= {"over", "not_asked", "look_first"}
    for code in sorted(codes - {"record"}):
        yield Cue("refused", {"code": code})
    for code in ("full", "unwritable", "damaged"):
        yield Cue("refused", {"code": "record", "message": f"box.record.{code}"})
    for part in ("display", "buttons", "sound", "voice", "box"):
        yield Cue("hardware", {"part": part, "message": "A cable is loose."})
    yield Cue(
        "damaged", {"kept": 12345678, "lost": 123, "file": "games-damaged-2026-11-21-091345.db"}
    )
    yield Cue("rules_changed", {"answer": 1234})
    yield Cue("edition", {"game": "barney-miller", "n": 12})
    for clause in sorted({cue.clause for cue in met().cues.values() if cue.clause}):
        yield Cue("why", {"of": "round_won", "facts": {}}, clause)
    values = {"roll": 6, "space": "gang:molls", "zero": "pass", "commit_suspect": "fish-caps"}
    for who in (NAMES[0], None):
        for question, value in values.items():
            facts = {"who": who, "question": question, "value": value, "agreed": False, "left": 123}
            yield Cue("undone", facts)
            yield Cue("redone", facts)


def drawn(cues: Cues, words: Words, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words on rows 0 to 6 of a moment."""
    monkeypatch.setattr(screens, "Canvas", Written)
    screens.moment(cues, words, Cursor())
    return [word for page, _, text, _ in Written.texts if page < 7 for word in text.split(" ")]


def wanted(cues: Cues, words: Words) -> list[str]:
    texts = [words.title(cues[0]), words.alone(cues[0]), *map(words.text, cues[1:])]
    return [word for text in texts for word in re.split(r"[ |]", text) if word]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_moment_is_cut_off(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = every(language)
    for cues in met().moments.values():
        shown = drawn(cues, words, monkeypatch)
        assert [word for word in shown if not word.startswith("BM-")] == wanted(cues, words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_notice_is_cut_off(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = every(language)
    for cue in notices():
        if "message" in cue.facts and cue.name == "refused":
            cue = cue._replace(facts={**cue.facts, "message": words(cue.facts["message"])})  # noqa: PLW2901
        shown = "".join(drawn((cue,), words, monkeypatch))
        assert shown.removeprefix(cue.clause or "") == "".join(wanted((cue,), words)), cue


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_can_be_said(language: str) -> None:
    for words in (every(language), Words(language)):
        for cue in notices():
            if cue.name == "hardware" and cue.facts["part"] in ("sound", "voice", "box"):
                continue
            if cue.name in ("undone", "redone") and words.game == "box":
                continue
            assert words.speech(cue), cue


def test_titles_fit_two_rows() -> None:
    for language in LANGUAGES:
        words = every(language)
        for cues in met().moments.values():
            assert len(wrap(words.title(cues[0]), 16)) <= 2
            assert all(len(word) <= 16 for word in re.split(r"[ |]", words.title(cues[0])))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_past_game_of_the_longest_names_is_told_whole(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Words(language)
    players = ("Fish", "Harris", "Wojehowicz", "Yemana")
    for chance in ("straight", "crooked"):
        facts = {
            "GAME": "BARNEY MILLER",
            "players": ", ".join(players),
            "result": words("box.past.won", who=NAMES[0]),
            "chance": words(f"box.past.{chance}"),
        }
        cue = Cue("past", facts)
        assert drawn((cue,), words, monkeypatch) == wanted((cue,), words)


# --- the menus ------------------------------------------------------------------------------------


def facts(**changes: Any) -> home.Facts:
    players = NAMES
    summaries = (
        Summary(1, GAME.name, players, NOW - 10, NOW - 10, None),
        Summary(2, GAME.name, players[:2], NOW - 10_000, NOW - 400, None),
        Summary(3, GAME.name, players, NOW - 10_000, NOW - 9_000, ("Maximilien",)),
        Summary(4, GAME.name, players, 0, NOW - 90_000_000, ("Maximilien",)),
    )
    found: dict[str, Any] = {
        "games": games.GAMES,
        "settings": {**home.DEFAULTS, "names": ["Bartholomé"], "volume": 10},
        "unfinished": summaries[:2],
        "past": summaries,
        "now": NOW,
        **changes,
    }
    return home.Facts(**found)


def pages() -> Iterator[home.State]:
    """Every page of the menus, reached by answering."""
    starts = (
        facts(),
        facts(unfinished=(), past=()),
        facts(games=(*games.GAMES, *games.GAMES)),
        facts(settings={**home.DEFAULTS, "languages": {"Zoë": "fr"}, "language": "fr"}),
        facts(playing=True, undoable=123, redoable=1, secrets=NAMES),
    )
    waiting, seen = [home.setup(start) for start in starts], set()
    while waiting:
        page = waiting.pop()
        known = (
            page.page,
            len(page.players),
            page.options,
            page.facts.playing,
            id(page.facts.games),
        )
        if known in seen:
            continue
        seen.add(known)
        yield page
        prompt = home.ask(page)
        answers = ["Zoë"] if isinstance(prompt, Spell) else list(wheel(prompt))
        waiting += [home.on(page, answer)[0] for answer in answers]


def test_the_walk_of_the_menus_comes_to_every_page() -> None:
    assert {page.page for page in pages()} == {
        *("home", "menu", "unfinished", "games", "game", "players", "name", "spell", "options"),
        *("look", "settings", "volume", "quietest", "loudest", "heard", "speech", "languages"),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_the_menus_shows_all_its_words(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Words(language)
    monkeypatch.setattr(screens, "Canvas", Written)
    for page in pages():
        prompt, view = home.ask(page), home.view(page)
        places = len(wheel(prompt))
        for at in range(places):
            screens.menu(prompt, Cursor(at=at), words, view)
            cut = [text for _, _, text, _ in Written.texts if text.endswith("…")]
            names = {words.label("name", "spell"), short(", ".join(NAMES), COLUMNS)}
            if page.page not in ("unfinished", "games"):  # lists of players may be cut
                assert set(cut) <= names, cut
        assert isinstance(words.question(prompt, view), str)
        assert len(words.question(prompt, view)) <= COLUMNS - (
            4 if isinstance(prompt, Number) else 0
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_being_spelt_shows_what_ok_does(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, prompt = Words(language), Spell("spell", None, 10, ())
    monkeypatch.setattr(screens, "Canvas", Written)
    legends = set()
    for text in ("", "A", "Aaaaaaaaaa"):
        for at in range(len(wheel(prompt, text))):
            screens.menu(prompt, Cursor(at=at, text=text), words, {"page": "spell"})
            legends |= {text for page, _, text, _ in Written.texts if page == 7}
    assert legends == {words(f"box.legend.{kind}") for kind in ("spell", "done", "erase")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_curtains_and_legends_fit_their_rows(language: str) -> None:
    for key, sentence in entries(language).items():
        if key.startswith(("box.legend.", "box.curtain.", "barney-miller.legend.", "box.page.")):
            assert len(sentence) <= COLUMNS, key
        if key.startswith("box.hold."):
            assert len(sentence) < COLUMNS - 4, key
        if key.startswith("box.mix.title"):
            assert len(sentence) <= COLUMNS, key
    words = Words(language)
    for who in NAMES:
        assert len(words("box.ask.mix", who=who)) <= COLUMNS
    assert len(wrap(words("box.mix.text"), COLUMNS)) <= 3


# --- nothing is there for nothing -----------------------------------------------------------------


class Heard:
    """A catalogue that remembers which keys were looked up."""

    def __init__(self, catalogue: Any) -> None:
        self.catalogue, self.keys = catalogue, set[str]()

    def gettext(self, key: str) -> str:
        self.keys.add(key)
        return str(self.catalogue.gettext(key))


def literals() -> Iterable[str]:
    for path in ROOT.rglob("*.py"):
        yield from LOOKED_UP.findall(path.read_text("utf-8"))


def say_all_of_the_game(words: Words) -> None:
    for prompt, view in met().prompts.values():
        words.question(prompt, view)
        words.asked(prompt, view)
        words.legend(prompt, "wheel")
        words.legend(prompt, "list")
        words.status(view)
        for value in wheel(prompt):
            words.label(prompt.name, value, view)
    for kind in KINDS:
        words(f"barney-miller.kind.{kind}")
    for cues in met().moments.values():
        words.title(cues[0])
        words.alone(cues[0])
    for cue in met().cues.values():
        words.text(cue)
        words.sound(cue)
        for verbosity in VERBOSITIES:
            words.speech(cue, verbosity)


def say_all_of_the_box(words: Words, box: Words) -> None:
    for button in ("back", "ok"):
        screens.holding(Cursor(held=((button, 0.0),), bar=1), box)
    for code in ("full", "unwritable", "damaged"):
        box(f"box.record.{code}")
    for cue in (
        *notices(),
        Cue("past", dict.fromkeys(("GAME", "players", "result", "chance"), "")),
    ):
        words.text(cue)
        words.sound(cue)
        for verbosity in VERBOSITIES:
            words.speech(cue, verbosity)
    for cue in (*notices(), Cue("past", {"GAME": ""})):
        box.title(cue)
    for page in pages():
        prompt = home.ask(page)
        box.question(prompt, home.view(page))
        for at in range(len(wheel(prompt))):
            screens.menu(prompt, Cursor(at=at), box, home.view(page))
    for prompt in (AGREE, AGREE._replace(name="mix", who="Zoë")):
        words.question(prompt, {})
        words.asked(prompt, {})
        for value in AGREE.options:
            words.label(prompt.name, value)


def test_no_sentence_is_there_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard(companion.words._catalogue("en"))
    monkeypatch.setattr(companion.words, "_catalogue", lambda _: heard)
    words, box = every("en"), Words("en")
    say_all_of_the_game(words)
    say_all_of_the_box(words, box)
    used = heard.keys | set(literals())
    dead = {key for key in entries("en") if key not in used and not key.startswith(QUIET)}
    assert not dead


def test_the_code_looks_up_no_key_that_is_not_there() -> None:
    missing = {key for key in literals() if key not in entries("en") and not key.endswith(".")}
    assert not missing
