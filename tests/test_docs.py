"""Tests of the docs: run the examples, and look up clauses, commands and links."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

import companion
from companion.catalog import registry
from companion.catalog.clauses import (
    AUTHORITY_MARKS,
    read_rule_sheet_sections,
)
from companion.cmd.commands import cli
from companion.core.chance import Chance
from companion.core.prompts import Roll, Shuffle
from companion.games.barney_miller.rules.board import CARD_COUNTS, DECK
from companion.say.words import LANGUAGES, Words
from companion_testing.playing import play_random_game
from companion_testing.table import tables_of_all_option_combinations
from tests.helpers import printed_edition, words_for
from tests.rulings import RULING_BOOKS, table_in_book

ROOT: Final = Path(companion.__file__).parents[1]
IMPORT: Final = re.compile(r"(?m)^`?(from (?:companion|hardware)[\w.]* import [\w, ]+)`?$")
OURS: Final = ("protocol", "chance", "rulings", "a-game", "voices")


def doc(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def blocks(name: str) -> list[tuple[str, str]]:
    """Return the language and the text of each fenced block of a page."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", doc(name), re.DOTALL | re.MULTILINE)


def test_the_worked_example_prints_what_the_page_says() -> None:
    space: dict[str, Any] = {}
    said = io.StringIO()
    expected = "".join(body for kind, body in blocks("chance") if kind == "text")
    with contextlib.redirect_stdout(said):
        for kind, body in blocks("chance"):
            if kind == "python":
                exec(body, space)  # noqa: S102 - run the page's example
    assert len(expected.splitlines()) == 6
    assert said.getvalue() == expected


def test_the_worked_example_is_a_handful_of_lines_of_the_standard_library() -> None:
    first = next(body for kind, body in blocks("chance") if kind == "python")
    assert len(list(filter(None, first.splitlines()))) < 12
    assert re.findall(r"^(?:import|from) .*", doc("chance"), re.MULTILINE) == [
        "import hashlib, hmac"
    ]


def test_the_worked_example_is_what_the_box_does() -> None:
    space: dict[str, Any] = {}
    first, _, shuffle, *_ = [body for kind, body in blocks("chance") if kind == "python"]
    exec(first, space)  # noqa: S102 - run the page's example
    chance = Chance(space["seed"], tuple(map(int, space["presses"].split(","))))
    assert (chance.seed_commitment, chance.commitment_code) == (space["commitment"], space["code"])
    for n in range(50):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(shuffle.replace("shuffle||0", f"shuffle||{n}"), space)  # noqa: S102
        assert space["deck"] == [
            DECK[i] for i in chance.drawn_answer_to_prompt(Shuffle("shuffle", 56), n)
        ]
        value = space["below"](6, space["words"](f"roll|Ann|{n}")) + 1
        assert [value] == chance.drawn_answer_to_prompt(Roll("roll", "Ann"), n)


def test_the_deck_in_the_docs_is_the_deck() -> None:
    assert str(CARD_COUNTS) in doc("chance")


@pytest.mark.long
def test_the_smallest_bot_of_the_protocol_page_plays_a_game(tmp_path: Path) -> None:
    (bot,) = [body for kind, body in blocks("protocol") if kind == "python"]
    start = f"[{sys.executable!r}, '-c', 'from companion.cmd.cli import main; main()',"
    bot = bot.replace('["companion",', start)
    assert start in bot
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", bot], capture_output=True, env=env, cwd=ROOT, timeout=60, check=True
    )
    assert done.stdout.decode() in ("Fish won\n", "Harris won\n")


CLAUSES: Final = {"barney-miller": ("BM", 15), "baretta": ("BA", 20), "kojak": ("KO", 23)}
CLAUSES["probe"] = ("PR", 18)
"""The prefix of each game's clauses, and the number of clauses."""
every_game = pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)


def clauses() -> set[str]:
    return set(re.findall(r"^\| ([A-Z]{2}-\d+) \|", doc("rulings"), re.MULTILINE))


def cited(game: str, pattern: str) -> set[str]:
    """Return the clauses that the code of a game cites."""
    folder = ROOT / registry.game_module_name(game).replace(".", "/")
    code = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    return {*re.findall(pattern.format(CLAUSES[game][0]), code)}


def test_every_clause_stands_in_the_book_of_rulings_with_its_mark() -> None:
    ranges = [CLAUSES[game] for game in registry.BUILT_IN_GAMES]
    assert clauses() == {f"{mark}-{n}" for mark, last in ranges for n in range(1, last + 1)}
    marks = re.findall(r"^\| [A-Z]{2}-\d+ \| (\w+) \|", doc("rulings"), re.MULTILINE)
    known = re.findall(r"^\| (\w+) \| [^|]+\|$", doc("rulings").partition("##")[0], re.MULTILINE)
    assert {*marks} <= {*known} - {"mark"} == {*AUTHORITY_MARKS}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_books_of_rulings_are_those_of_the_games(language: str) -> None:
    book = RULING_BOOKS[language].read_text("utf-8")
    assert table_in_book(book, language) == book, "python -m tests.rulings writes them again"


@every_game
def test_a_clause_is_a_sentence_of_its_own_in_each_language(game: str) -> None:
    for heading in read_rule_sheet_sections(game):
        for texts in (heading.title, *(clause.text for clause in heading.clauses)):
            assert {*texts} == {*LANGUAGES}
            assert all(texts.values())
        for clause in heading.clauses:
            assert clause.text["en"] != clause.text["fr"]
            assert all(text[-1] in ".?!»" for text in clause.text.values()), clause.number


@every_game
def test_every_clause_that_the_code_or_a_sentence_cites_stands_in_the_book(game: str) -> None:
    catalogue = registry.game_file_path(game, "locale") / "en" / "LC_MESSAGES" / f"{game}.po"
    sentences = catalogue.read_text("utf-8")
    mark = CLAUSES[game][0]
    found = cited(game, r"\b{}-\d+\b") | {*re.findall(rf"\.rule\.({mark}-\d+)", sentences)}
    assert len(found) > 9
    assert found <= clauses()


@every_game
def test_every_clause_that_a_tell_can_cite_has_a_sentence_in_both_languages(game: str) -> None:
    assert (found := cited(game, r'"({}-\d+)"'))
    for language in ("en", "fr"):
        assert all(words_for(game, language).clause_text(clause) for clause in found)


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_the_options_in_the_book_are_the_options_of_the_game(game: str, language: str) -> None:
    _, *books = re.split(r"^## ", RULING_BOOKS[language].read_text("utf-8"), flags=re.MULTILINE)
    book = next(text for text in books if text.startswith(Words(language)(f"{game}.name")))
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+)\|", book, re.MULTILINE)
    found = {name: tuple(re.findall(r"`([\w.]+)`", cell)) for name, cell in rows}
    assert found == {option.name: option.values for option in registry.find_game(game).options}


@pytest.mark.sampled(1)
@every_game
def test_every_draw_of_a_game_has_its_name_on_the_page_of_chance(game: str) -> None:
    """The box itself answers the question of a draw: a roll or a shuffle."""
    asked = {
        move.prompt.name
        for n, table in enumerate(
            tables_of_all_option_combinations(registry.find_game(game), printed_edition(game))
        )
        for move in play_random_game(table, n).moves
        if isinstance(move.prompt, (Roll, Shuffle))
    }
    purposes = doc("chance").partition("The purpose in the name of a draw")[2]
    named = set(re.findall(r"`(\w+)`", purposes))
    assert asked - {"high_roll"} <= named


@pytest.mark.parametrize("page", OURS)
def test_every_command_in_the_docs_exists_with_its_flags(page: str) -> None:
    found = re.findall(
        r"companion (stdio|simulate|games|verify|edition|play|check|new-game)\b([^`\n]*)", doc(page)
    )
    for name, rest in found:
        known = {flag for option in cli.commands[name].params for flag in option.opts}
        assert {*re.findall(r"--[a-z]+(?:-[a-z]+)*", rest)} <= known, (name, rest)


@pytest.mark.parametrize("page", OURS)
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", doc(page))
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


@pytest.mark.parametrize("page", OURS)
def test_a_page_names_no_place_of_the_machine_that_it_was_written_on(page: str) -> None:
    text = doc(page).replace("/usr/local/lib/companion", "")  # exists on every box
    assert re.findall(r"(?<![\w.~])/(?:home|root|tmp|work|usr|var)\b", text) == []


def test_the_sheet_to_print_is_the_board_of_the_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = ROOT / "docs" / "baretta-board.svg"
    done = CliRunner().invoke(cli, ["edition", "baretta", "--sheet"])
    assert done.output == file.read_text("utf-8")
    assert re.findall(r">(\d+)</text>", done.output) == [str(n) for n in range(1, 25)]


def test_a_game_without_a_sheet_says_so() -> None:
    done = CliRunner().invoke(cli, ["edition", "barney-miller", "--sheet"])
    assert done.exit_code == 2
    assert "barney-miller has no sheet to print." in done.output


def test_no_page_promises_that_ok_twice_says_a_question_again_that_its_first_tap_answers() -> None:
    pages = {name: doc(f"players/{name}").casefold() for name in ("start", "sound", "ear")}
    assert [name for name, text in pages.items() if "twice: say it again" in text] == []
    assert "say it again" in pages["sound"]
    assert "say it again" in pages["start"]


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.stem)
def test_a_page_imports_only_what_is_there(page: Path) -> None:
    for line in IMPORT.findall(page.read_text("utf-8")):
        exec(line, {})  # noqa: S102 - a line of our own docs
