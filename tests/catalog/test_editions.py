from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked_input.mistakes import FileMistake
from companion.catalog import editions
from companion.catalog.editions import EditionExistsError, InvalidEditionError
from companion.catalog.registry import BUILT_IN_GAMES
from companion.core.errors import CompanionError
from tests.english import mistake_text, mistake_with_place

BARNEY = "barney-miller"
BUILT_IN = re.sub("(?m)^#.*$", "#", editions.built_in_edition_file(BARNEY).read_text("utf-8"))
LANGUAGES = ("en", "fr")

every_game = pytest.mark.parametrize("game", BUILT_IN_GAMES)


def mistakes_of(folder: Path, text: str | bytes) -> list[FileMistake]:
    file = folder / f"{BARNEY}.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return editions.find_edition_file_mistakes(BARNEY, file)


def changed(*changes: tuple[str, str]) -> str:
    """Return the built-in edition with the first occurrence of each old text replaced."""
    text = BUILT_IN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def line_with(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if part in line)


# --- Loading --------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_built_in_edition_passes_the_check(game: str, language: str) -> None:
    file = editions.built_in_edition_file(game, language)

    assert file.name == {"en": "edition.toml", "fr": "edition.fr.toml"}[language]
    assert editions.find_edition_file_mistakes(game, file) == []


@every_game
def test_the_built_in_editions_hold_the_same_data_in_both_languages(game: str) -> None:
    english, french = (editions.built_in_edition_file(game, language) for language in LANGUAGES)

    assert tomllib.loads(english.read_text("utf-8")) == tomllib.loads(french.read_text("utf-8"))
    assert english.read_text("utf-8") != french.read_text("utf-8")


def test_without_a_user_file_the_built_in_edition_is_loaded(tmp_path: Path) -> None:
    built_in = tomllib.loads(BUILT_IN)

    assert editions.load_edition(BARNEY) == built_in
    assert editions.load_edition(BARNEY, tmp_path) == built_in


def test_the_users_file_replaces_the_built_in_edition(tmp_path: Path) -> None:
    file = editions.write_user_edition_template(BARNEY, tmp_path, "en")
    file.write_text(changed(("Fifth Gang", "Purse Snatcher")), encoding="utf-8")

    assert editions.load_edition(BARNEY, tmp_path)["gang"][4]["name"] == "Purse Snatcher"


def test_a_users_file_with_mistakes_is_refused_with_all_of_them(tmp_path: Path) -> None:
    file = editions.write_user_edition_template(BARNEY, tmp_path, "en")
    file.write_text(changed(("Fish", "Inspector Fish"), ("gang:caps", "cap")), encoding="utf-8")

    with pytest.raises(InvalidEditionError) as caught:
        editions.load_edition(BARNEY, tmp_path)

    assert [m.code for m in caught.value.mistakes] == ["unknown_word", "wrong_length"]
    assert str(caught.value) == "\n".join(
        map(str, editions.find_edition_file_mistakes(BARNEY, file))
    )
    assert isinstance(caught.value, (CompanionError, ValueError))


# --- Creating a new edition -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "comment"), [("en", "# What is"), ("fr", "# Ce qui"), ("de", "# What is")]
)
def test_a_new_edition_is_a_commented_copy_in_the_users_language(
    tmp_path: Path, language: str, comment: str
) -> None:
    file = editions.write_user_edition_template(BARNEY, tmp_path / "config", language)

    assert file == tmp_path / "config" / "editions" / "barney-miller.toml"
    assert file.read_text("utf-8").startswith(comment)
    assert editions.load_edition(BARNEY, tmp_path / "config") == editions.load_edition(BARNEY)


def test_writing_a_new_edition_refuses_to_overwrite_one(tmp_path: Path) -> None:
    file = editions.write_user_edition_template(BARNEY, tmp_path, "en")
    file.write_text("mine", encoding="utf-8")

    with pytest.raises(EditionExistsError, match="is there already: change that one") as caught:
        editions.write_user_edition_template(BARNEY, tmp_path, "fr")

    assert file.read_text("utf-8") == "mine"
    assert isinstance(caught.value, CompanionError)
    assert isinstance(caught.value, FileExistsError)


# --- One mistake ----------------------------------------------------------------------------------

SPACES = (
    '"start", "positive_identification", "arrest_warrant", "insufficient_evidence", "unknown", '
    '"gang:molls", "gang:caps", "gang:bears", "gang:hoods", "gang:fifth"'
)
MISTAKES = [  # [replaced text, replacement, part of the reported line, message]
    (
        '"gang:molls"',
        '"gang:mols"',
        "mols",
        '"gang:mols" is not a space; did you mean "gang:molls"?',
    ),
    ('"gang:molls"', '"START"', "START", '"START" is not a space; did you mean "start"?'),
    ('"gang:caps"', '"jail"', "jail", f'"jail" is not a space; expected: {SPACES}'),
    ('"gang:caps"', "7", "7,", "7 is the wrong kind of value; expected: text"),
    ('["caps"', '["cap"', '"cap"', '"cap" is not a gang; did you mean "caps"?'),
    ('["caps", ', "[", '["bears"', '"suspects" is a list of 3; expected: 4'),
    ('["caps"', '["caps"] #', '"caps"]', '"suspects" is a list of 1; expected: 4'),
    ('["caps"', '["molls", "caps"', '["molls"', '"suspects" is a list of 5; expected: 4'),
    ('["caps"', '4 # ["caps"', "4 #", "4 is the wrong kind of value; expected: list"),
    ('"Fish"', "[\n1]", "detective = [", "[...] is the wrong kind of value; expected: text"),
    ('"Fish"', "{a = 1}", "{a", "{...} is the wrong kind of value; expected: text"),
    ('"Fish"', "2020-01-01", "2020", "2020-01-01 is the wrong kind of value; expected: text"),
    ('"Fish"', "true", "true", "true is the wrong kind of value; expected: text"),
    ('"Fish"', "0x" + "f" * 900, "0xf", "... is the wrong kind of value; expected: text"),
    ('"Fish"', '""', '""', '"" is 0 characters long; expected: 1-10'),
    ('"Fish"', '"Philip Fish"', "Philip", '"Philip Fish" is 11 characters long; expected: 1-10'),
    ('"Fish"', '"Fi\\nsh"', "nsh", '"Fi\\nsh" is not valid; expected: text on one line'),
    ('"Fish"', '" Fish"', '" Fish"', '" Fish" is not valid; expected: text on one line'),
    ('"Fish"', '"HARRIS"', '"Harris"', '"Harris" appears twice'),
    ('"Cap B', '"Shopping Molls" # B', "# B", '"Shopping Molls" appears twice'),
    ('"Cap B', f'"{"x" * 40}', "xx", f'"{"x" * 37}..." is 47 characters long; expected: 1-14'),
    ("name = ", "nam = ", "nam =", '"nam" is not a key here; did you mean "name"?'),
    (
        'id = "caps"',
        'id = "caps"\nx = 1',
        "x =",
        '"x" is not a key here; expected: "id", "name", "french"',
    ),
    ('[[gang]]\nid = "caps"', '[[gang]] #\nid = "caps" #', "[[gang]] #", '"name" is missing'),
    ("track = [", "tracks = [", "tracks", '"tracks" is not a key here; did you mean "track"?'),
    ("[[gang]]", "[gangs]\n[[gang]]", "gangs", '"gangs" is not a key here; did you mean "gang"?'),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("old", "new", "there", "sentence"), MISTAKES)
def test_a_mistake_tells_its_line_what_was_found_and_what_was_expected(
    tmp_path: Path, old: str, new: str, there: str, sentence: str
) -> None:
    text = changed((old, new))
    if sentence == '"name" is missing':
        text = text.replace('name = "Cap Burglars"\n', "")

    found = mistakes_of(tmp_path, text)

    line = line_with(text, there)
    assert list(map(mistake_with_place, found)) == [f"barney-miller.toml, line {line}: {sentence}"]


def test_a_mistake_gives_the_nearest_word_as_a_fact_too(tmp_path: Path) -> None:
    (mistake,) = mistakes_of(tmp_path, changed(('"gang:molls"', '"gang:mols"')))

    assert mistake.code == "unknown_word"
    assert mistake.facts["found"] == '"gang:mols"'
    assert mistake.facts["kind"] == "space"
    assert mistake.facts["near"] == '"gang:molls"'
    assert '"gang:molls"' in mistake.facts["expected"]


@pytest.mark.parametrize("bad", ["Caps", "c_aps", "", "abcdefghijklmnopq", "càps"])
def test_an_id_has_up_to_16_small_letters_digits_and_hyphens(tmp_path: Path, bad: str) -> None:
    text = BUILT_IN.replace('"caps"', f'"{bad}"').replace("gang:caps", f"gang:{bad}")

    (mistake,) = mistakes_of(tmp_path, text)

    sentence = f'"{bad}" is not valid; expected: 1-16 letters a-z digits or hyphens'
    assert (mistake_text(mistake), mistake.line) == (sentence, line_with(text, f'id = "{bad}"'))


def test_a_sixth_gang_is_pointed_at_and_of_too_few_the_first(tmp_path: Path) -> None:
    sixth = f'{BUILT_IN}[[gang]]\nid = "sixth"\nname = "Sixth Gang"\n'
    four = BUILT_IN.split('#\n[[gang]]\nid = "fifth"')[0]

    (too_many,) = mistakes_of(tmp_path, sixth)
    too_few = mistakes_of(tmp_path, four.replace('"gang:fifth",', ""))

    assert mistake_text(too_many) == '"gang" is a list of 6; expected: 5'
    assert too_many.line == BUILT_IN.count("\n") + 1
    assert [(mistake_text(m), m.line) for m in too_few] == [
        ('"poster" is missing', 0),
        ('"gang" is a list of 4; expected: 5', line_with(four, 'id = "molls"') - 1),
    ]


def test_there_are_four_posters(tmp_path: Path) -> None:
    *three, _ = BUILT_IN.rsplit("[[poster]]", 1)

    (mistake,) = mistakes_of(tmp_path, "".join(three))

    assert mistake_text(mistake) == '"poster" is a list of 3; expected: 4'


def test_what_is_missing_from_the_top_is_a_mistake_of_the_file_as_a_whole(tmp_path: Path) -> None:
    found = mistakes_of(tmp_path, "# nothing\n")

    assert list(map(mistake_with_place, found)) == [
        f'barney-miller.toml: "{key}" is missing' for key in ("track", "gang", "poster")
    ]


def test_without_ids_nobody_is_told_that_gangs_are_unknown(tmp_path: Path) -> None:
    found = mistakes_of(tmp_path, changed(('id = "molls"', 'ids = "molls"')))

    assert [mistake.code for mistake in found] == ["unknown_key"]


# --- The track ------------------------------------------------------------------------------------


def with_track(*spaces: str) -> str:
    return f"track = {list(spaces)}\n" + BUILT_IN[BUILT_IN.index("[[gang]]") :]


GANGS = [f"gang:{gang}" for gang in ("molls", "caps", "bears", "hoods", "fifth")]


def test_an_untaught_track_is_empty(tmp_path: Path) -> None:
    assert mistakes_of(tmp_path, with_track()) == []


def test_a_taught_track_has_at_least_seven_spaces(tmp_path: Path) -> None:
    (mistake,) = mistakes_of(tmp_path, with_track("start", *GANGS))

    assert mistakes_of(tmp_path, with_track("start", *GANGS, "start")) == []
    assert (
        mistake_with_place(mistake)
        == 'barney-miller.toml, line 1: "track" is a list of 6; expected: 0, 7+'
    )


def test_a_taught_track_begins_with_start(tmp_path: Path) -> None:
    found = mistakes_of(tmp_path, with_track(*GANGS, *GANGS))

    assert [mistake_text(m) for m in found] == ['"gang:molls" is not valid; expected: "start"']


@pytest.mark.parametrize("chip", ["arrest_warrant", "positive_identification"])
def test_every_suspect_can_be_captured_by_gang_or_by_chip(tmp_path: Path, chip: str) -> None:
    endless = with_track("start", *GANGS[1:], "start", "insufficient_evidence")
    text = with_track("start", *GANGS[1:], "start", chip)

    found = mistakes_of(tmp_path, endless)

    assert mistakes_of(tmp_path, text) == []
    assert {mistake_text(m) for m in found} == {
        '"molls" is not valid; expected: a gang on the track'
    }
    assert [m.line for m in found] == [
        n for n, line in enumerate(endless.split("\n"), 1) if line.startswith('suspects = ["molls"')
    ]


# --- Files that cannot be read --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"track = []\n\ntrack 4\n", "line 3: is not TOML: Expected '=' after a key"),
        (b"track = []\ntrack = []\n", "line 2: is not TOML: Cannot overwrite a value"),
        (b"track = [\n\n'start',\n\n", "line 3: is not TOML: "),
        (b"x = 1\ny = " + b"1" * 5000, "toml, line 2: cannot be read: a line of more than 1000"),
        (b"x = " + b"[" * 990, "toml: is not TOML: "),
        (b"x = 1\n" * 10_000, "toml: cannot be read: larger than 32 KB"),
        (b"a = 1\n# caf\xe9\n", "line 2: cannot be read: not UTF-8"),
    ],
)
def test_a_broken_file_has_one_mistake_where_it_breaks(
    tmp_path: Path, text: bytes, message: str
) -> None:
    (mistake,) = mistakes_of(tmp_path, text)

    assert message in mistake_with_place(mistake)


def test_a_file_that_is_no_file_is_one_mistake(tmp_path: Path) -> None:
    (folder,) = editions.find_edition_file_mistakes(BARNEY, tmp_path)
    (nothing,) = editions.find_edition_file_mistakes(BARNEY, tmp_path / "none.toml")

    assert mistake_text(folder) == "cannot be read: not a file"
    assert mistake_with_place(nothing) == "none.toml: cannot be read: No such file or directory"


def test_windows_files_are_read_too(tmp_path: Path) -> None:
    text = changed(('"gang:molls"', '"gang:mols"')).replace("\n", "\r\n")

    assert mistakes_of(tmp_path, "\ufeff" + BUILT_IN.replace("\n", "\r\n")) == []
    assert [m.line for m in mistakes_of(tmp_path, "\ufeff" + text)] == [line_with(text, "mols")]


# --- Several mistakes in one file -----------------------------------------------------------------


def test_six_mistakes_are_all_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = changed(
        ('detective = "Harris"', ""),
        ('"fifth"]', '"fith"]'),
        ('name = "Riding Hoods"', 'nmae = "Riding Hoods"'),
        ('"Shopping Molls"', '"The Shopping Molls"'),
        ('"insufficient_evidence"', "4"),
        ('"gang:molls"', '"gang:mols"'),
    )

    found = mistakes_of(tmp_path, text)

    assert [(mistake.code, mistake.line) for mistake in found] == [
        ("unknown_word", line_with(text, "mols")),
        ("wrong_type", line_with(text, "4,")),
        ("wrong_length", line_with(text, "The Shopping")),
        ("unknown_key", line_with(text, "nmae")),
        ("unknown_word", line_with(text, "fith")),
        ("missing", line_with(text, 'suspects = ["molls"') - 2),
    ]


def test_lines_are_found_whatever_the_layout(tmp_path: Path) -> None:
    text = (
        'track = [ # ] [[gang]] """\n'
        "  'start', # \"\n"
        "\n"
        "  'a ] # [b', '''c\n"
        "]''', 'start'\n"
        "  , 1\n"
        "]\n"
        "gang.x = 1\n"
        'poster = [{detective = "A", suspects = [\n'
        "  2,\n"
        "]}]\n"
    )

    assert [(m.line, m.code, m.facts.get("found")) for m in mistakes_of(tmp_path, text)] == [
        (1, "wrong_count", '"track"'),
        (4, "unknown_word", '"a ] # [b"'),
        (4, "unknown_word", '"c\\n]"'),
        (6, "wrong_type", "1"),
        (8, "wrong_type", "{...}"),
        (9, "wrong_count", '"poster"'),
        (9, "wrong_count", '"suspects"'),
        (10, "wrong_type", "2"),
    ]


# --- Random files ---------------------------------------------------------------------------------

SIGNS = ["[", "]", "{", "}", '"', "'" * 3, '"' * 3, "\n", "#", "=", ".", ",", "\r", "\\", "\0", "é"]
PARTS = ["[[gang]]\n", "[poster]\n", "track = []\n", "id = 2\n", "x.y = {z = [[1]]}\n", "nan"]
SCRAPS = st.sampled_from([*SIGNS, *PARTS])


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw the built-in edition with one to four cuts, each filled with up to three scraps."""
    text = BUILT_IN
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 60))
        text = text[:start] + "".join(draw(st.lists(SCRAPS, max_size=3))) + text[end:]
    return text


def survives(file: Path, text: bytes) -> None:
    file.write_bytes(text)
    found = editions.find_edition_file_mistakes(BARNEY, file)

    lines = [mistake.line for mistake in found]
    assert lines == sorted(lines)
    assert all(0 <= line <= text.count(b"\n") + 1 for line in lines)
    assert len("\n".join(map(mistake_with_place, found)).splitlines()) == len(found)


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("editions") / "random.toml"


@given(text=mutated())
def test_no_change_to_an_edition_crashes_the_check(file: Path, text: str) -> None:
    survives(file, text.encode())


@given(text=st.binary() | st.lists(SCRAPS).map(lambda scraps: "".join(scraps).encode()))
def test_no_random_file_crashes_the_check(file: Path, text: bytes) -> None:
    survives(file, text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "name", "x"]), inner),
    max_leaves=8,
)


@given(data=st.dictionaries(st.sampled_from(["track", "gang", "poster", "x"]), VALUES))
def test_no_data_crashes_the_model(data: dict[str, Any]) -> None:
    for place, code, facts in editions._judge(BARNEY, data):
        assert mistake_text(FileMistake(Path("x"), len(place), code, facts))


# --- Probe ----------------------------------------------------------------------------------------


def cards(*entries: tuple[str, int]) -> str:
    return "".join(f'[[card]]\nname = "{name}"\ncount = {n}\n' for name, n in entries)


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        (cards(("normal", 11), ("points -35", 2), ("times 5", 0)), None, None),
        (cards(("normal", 1), ("times 6", 1)), 5, "unknown_word"),
        (cards(("normal", 1), ("points 12", 1)), 5, "bad_value"),
        (cards(("normal", 1), ("points 0", 1)), 5, "unknown_word"),
        (cards(("normal", 1), ("normal", 1)), 5, "repeated"),
        (cards(("normal", -1), ("own_dot", 1)), 3, "bad_value"),
        (cards(("normal", 100)), 3, "bad_value"),
        (cards(("normal", 0), ("additional_turn", 5)), 1, "bad_value"),
        ("", 0, "missing"),
    ],
)
def test_pr5_a_deck_of_probe_has_known_cards_once_each_and_lets_the_turn_pass(
    tmp_path: Path, text: str, line: int | None, code: str | None
) -> None:
    file = tmp_path / "probe.toml"
    file.write_text(text)
    found = [
        (mistake.line, mistake.code)
        for mistake in editions.find_edition_file_mistakes("probe", file)
    ]
    assert found == ([(line, code)] if code else [])


@given(data=st.dictionaries(st.sampled_from(["card", "x"]), VALUES))
def test_no_data_crashes_the_model_of_probe(data: dict[str, Any]) -> None:
    for place, code, facts in editions._judge("probe", data):
        assert mistake_text(FileMistake(Path("x"), len(place), code, facts))
