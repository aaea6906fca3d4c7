"""Tests of the commands as people type them, each in a process."""

from __future__ import annotations

import os
import pty
import random
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

from companion.cmd.commands import (
    COMMANDS_FOLDER,
    MODULES_WITHOUT_NAMESAKE_COMMAND,
    OTHER_COMMANDS_BY_MODULE,
    CommandNames,
    cli,
)
from companion.core.chance import Chance
from companion.core.prompts import legal_answers
from companion.core.version import installed_version
from companion.games.barney_miller import GAME
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Entry, Journal
from tests.typed import COMPANION_COMMAND, ROOT, run_companion

OWN: Final = {"deck": "own", "die": "companion", "track": "edition"}
NAMES: Final = ("Ann", "Bob", "Cy")


def test_every_module_has_the_command_of_its_name_or_is_said_to_have_none() -> None:
    modules = {file.stem for file in COMMANDS_FOLDER.glob("*.py")}
    assert modules >= MODULES_WITHOUT_NAMESAKE_COMMAND
    assert OTHER_COMMANDS_BY_MODULE.keys() <= modules
    assert {name: command.name for name, command in cli.commands.items()} == {
        name: name for name in CommandNames()
    }


class Home:
    """A folder with all files of a user. `run` runs a command there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = folder / "data" / "companion" / "games.db"
        self.edition = folder / "config" / "companion" / "editions" / "barney-miller.toml"
        own = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
               "XDG_CACHE_HOME": "cache"}  # fmt: skip
        self.cache = folder / "cache" / "companion" / "voice"
        places = {name: str(folder / place) for name, place in own.items()}
        self.env = {**os.environ, **places, "LC_ALL": "C.UTF-8"}
        self.env.pop("STATE_DIRECTORY", None)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = run_companion(*arguments, env=self.env, cwd=self.folder)
        said, wrong = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, said, wrong)

    def says(self, *arguments: str) -> str:
        """Return the output of a command. Fail unless the command succeeds."""
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def refuses(self, *arguments: str, status: int = 1) -> str:
        """Return the only error line of a command. Fail unless the command fails with `status`."""
        done = self.run(*arguments)
        assert done.returncode == status, done.stderr
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith("companion: ")
        return done.stderr.removeprefix("companion: ").strip()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


# --- usage ----------------------------------------------------------------------------------------


def test_each_mistake_of_a_board_file_has_its_line(home: Home) -> None:
    board = home.folder / "config" / "companion" / "board.toml"
    board.parent.mkdir(parents=True)
    board.write_text('like = "four-buttons"\ncolour = 3\n[buttons]\nup = 99\n', "utf-8")

    done = home.run("doctor")

    first, second = done.stderr.splitlines()
    assert first.startswith('companion: board.toml, line 2: "colour" is not a key here')
    assert second.startswith("companion: board.toml, line 4: buttons.up = 99 is not valid")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("plai",), "plai"),
        (("--nope",), "--nope"),
        (("play", "--face", "tty"), "terminal"),
        (("simulate", "barny"), "barney-miller"),
        (("simulate", "barney-miller", "--games", "0"), "0"),
        (("simulate", "barney-miller", "--seed", "x"), "x"),
        (("verify",), "'N'"),
        (("verify", "first"), "first"),
        (("edition",), "GAME"),
        (("edition", "barney-miller", "--check", "."), "."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_command_is_status_2_and_one_line(
    arguments: tuple[str, ...], hint: str, home: Home
) -> None:
    assert hint in home.refuses(*arguments, status=2)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_debug_anywhere_shows_the_traceback_and_the_same_status(place: int, home: Home) -> None:
    arguments = ["verify", "7"]
    arguments.insert(place, "--debug")
    done = home.run(*arguments)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "record.no_game (n: 7)" in done.stderr.splitlines()[-1]


def test_debug_shows_the_traceback_of_a_wrong_argument_too(home: Home) -> None:
    done = home.run("stdio", "barney-miller", "--seed", "x", "--debug")
    assert done.returncode == 2
    assert "Traceback" in done.stderr


def test_help_lists_every_command(home: Home) -> None:
    said = home.says("--help")
    assert all(
        name in said
        for name in ("play", "stdio", "simulate", "games", "history", "verify", "edition")
    )


# --- the box itself -------------------------------------------------------------------------------


def test_without_pins_and_without_a_terminal_the_box_says_what_to_wire_and_fails(
    home: Home,
) -> None:
    done = home.run()
    assert done.returncode != 0
    assert done.stdout == ""
    assert "GPIO" in done.stderr
    assert "companion play --face terminal" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_pins_the_terminal_is_offered_and_may_be_declined(home: Home) -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        COMPANION_COMMAND, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=home.env, cwd=ROOT, encoding="utf-8",
    ) as process:  # fmt: skip
        os.write(leader, b"n\n")
        said, wired = process.communicate(timeout=60)
    os.close(leader)
    os.close(follower)
    assert "GPIO" in wired
    assert "terminal" in said
    assert "Traceback" not in wired


# --- play and simulate ----------------------------------------------------------------------------


def test_play_without_a_terminal_tells_a_random_game_and_its_last_frame(home: Home) -> None:
    said = home.says("play")
    *told, frame = said.rstrip("\n").split("\n\n")
    assert re.search(r"CODE OF CHANCE: [0-9A-HJKMNP-TV-Z]{8}$", said, re.MULTILINE)
    assert re.search(r"\bwins\b|^A tie|: -?\d+\.$", told[-1].splitlines()[-1])
    assert len(frame.splitlines()) == 32
    assert {len(line) for line in frame.splitlines()} == {128}
    assert {*frame} == {*" ▀▄█\n"}
    assert not home.record.exists()


def test_simulate_prints_its_figures_and_the_same_seed_the_same_ones(home: Home) -> None:
    arguments = ("simulate", "barney-miller", "--games", "50", "--players", "Ann,Bob,Cy")
    said = home.says(*arguments)
    first, *lines = said.splitlines()
    figures = {
        what: float(n) for n, what in re.findall(r"^ +([\d.]+) ([a-z]\D*)$", said, re.MULTILINE)
    }
    usual = "deck=own, die=companion, track=edition, posters=seats, redeal=all"
    assert first == f"50 games of barney-miller, {usual}"
    assert [*figures] == [
        "games a second",
        "answers a second",
        "answers a game",
        "presses a game",
        "presses an answer",
    ]
    assert all(figures.values())
    assert figures["presses an answer"] <= 3.4
    assert [line.split()[-1] for line in lines if "won" in line] == [*NAMES]
    again = home.says(*arguments, "--seed", "1").splitlines()
    assert [line for line in again if "second" not in line] == [
        line for line in said.splitlines() if "second" not in line
    ]


def test_simulate_plays_the_options_that_are_set(home: Home) -> None:
    arguments = ("simulate", "barney-miller", "--games", "5", "--fast", "--set", "deck=virtual")
    said = home.says(*arguments)
    assert "deck=virtual" in said
    assert "presses" not in said


# --- history and verify ---------------------------------------------------------------------------


def play(session: Session, answers: int) -> None:
    rng = random.Random(1)
    while (prompt := session.standing.pending_prompt) is not None and answers:
        answers -= 1
        session.answer(rng.choice(legal_answers(prompt)), 1_763_700_000)
        session.commit()


def change_a_roll(lines: list[Entry]) -> None:
    place = [n for n, entry in enumerate(lines) if entry.kind == "box"][5]
    (die,) = lines[place].value
    lines[place] = lines[place]._replace(value=[die % 6 + 1])


@pytest.fixture
def record(home: Home, edition: dict[str, Any]) -> Home:
    """Return a record: game 1 is finished, 2 is unfinished, 3 is a copy of 1 with another roll."""
    home.record.parent.mkdir(parents=True)
    journal = Journal(home.record, 0)
    for answers in (10**6, 9):
        setup = GameSetup(GAME, NAMES, OWN, edition, Chance("c0ffee"), mixing=False)
        play(Session.begin(journal, setup, 1_763_700_000), answers)
    header, lines = journal.read_game_header_and_lines(1)
    change_a_roll(lines)
    journal.save_new_game(header, lines, 1_763_700_000)
    journal.close()
    return home


def test_a_history_without_a_record_says_that_there_is_none(home: Home) -> None:
    assert home.says("history") == "No game yet.\n"
    assert home.says("history") == "No game yet.\n"


def test_history_lists_the_newest_first_with_who_won(record: Home) -> None:
    lines = record.says("history").splitlines()
    assert [line.split()[0] for line in lines] == ["3", "2", "1"]
    assert all("barney-miller  Ann, Bob, Cy: " in line for line in lines)
    assert lines[1].endswith("not finished")
    assert re.search(r"won by (Ann|Bob|Cy)$", lines[2])


def test_a_straight_game_is_verified_with_its_seed(record: Home) -> None:
    first, second = record.says("verify", "1").splitlines()
    assert first == f"Game 1, code of chance {Chance('c0ffee').commitment_code}, seed c0ffee"
    assert re.fullmatch(
        r"The chance was fair: [1-9]\d* rolls and shuffles follow from the seed.", second
    )


def test_a_changed_roll_is_found(record: Home) -> None:
    said = record.refuses("verify", "3")
    assert re.fullmatch(
        r"The chance was not fair, line \d+: a roll or a shuffle does not follow from the seed\.",
        said,
    )


def test_the_seed_of_an_unfinished_game_stays_a_secret(record: Home) -> None:
    done = record.run("verify", "2")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr == "companion: Game 2 is not finished: its seed stays secret until the end.\n"
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", ["0", "4", "99999999999999999999999"])
def test_a_game_that_there_is_not_is_one_line_and_harms_nothing(number: str, record: Home) -> None:
    said = record.refuses("verify", number)
    assert said == f"There is no game {number}: `companion history` lists them."
    assert len(record.says("history").splitlines()) == 3


@pytest.mark.sampled(1)
@pytest.mark.parametrize("arguments", [("history",), ("verify", "1"), ("show", "2"), ("people",)])
def test_a_record_that_a_box_plays_with_can_be_looked_at(
    arguments: tuple[str, ...], record: Home
) -> None:
    expected = record.says(*arguments)
    with closing(Journal(record.record)):
        assert record.says(*arguments) == expected


# --- edition --------------------------------------------------------------------------------------


def printed(language: str) -> str:
    name = {"en": "edition.toml", "fr": "edition.fr.toml"}[language]
    return (ROOT / "companion" / "games" / "barney_miller" / "known" / name).read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_edition_prints_what_is_in_force_to_the_letter(home: Home, language: str) -> None:
    assert home.says("edition", "barney-miller", "--lang", language) == printed(language)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_new_edition_is_a_copy_to_change_that_is_checked_and_then_in_force(
    home: Home, language: str
) -> None:
    said = home.says("edition", "barney-miller", "--new", "--lang", language)
    assert str(home.edition) in said
    assert home.edition.read_text("utf-8") == printed(language)
    assert "no mistakes" in home.says("edition", "barney-miller", "--check", str(home.edition))
    home.edition.write_text(printed(language).replace("Cap Burglars", "Hat Burglars"), "utf-8")
    assert "Hat Burglars" in home.says("edition", "barney-miller")


def test_a_new_edition_does_not_overwrite_one(home: Home) -> None:
    home.edition.parent.mkdir(parents=True)
    home.edition.write_text("# mine\n", "utf-8")
    assert f"{home.edition} exists: change" in home.refuses("edition", "barney-miller", "--new")
    assert home.edition.read_text("utf-8") == "# mine\n"


def spoil(home: Home) -> None:
    home.edition.parent.mkdir(parents=True)
    spoilt = printed("en").replace('"gang:bears"', '"gang:bear"').replace("Fish", "")
    home.edition.write_text(spoilt, "utf-8")


def test_check_lists_every_mistake_with_its_line_and_fails(home: Home) -> None:
    spoil(home)
    done = home.run("edition", "barney-miller", "--check", str(home.edition))
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert len(lines) > 3
    assert all(re.match(r"barney-miller.toml, line \d+: ", line) for line in lines)


def test_check_warns_of_what_is_right_and_has_its_consequences(home: Home, tmp_path: Path) -> None:
    file, printed_cards = tmp_path / "mine.toml", home.says("edition", "kojak")
    file.write_text(printed_cards.replace("[1, 1, 2, 3]", "[1, 1, 3, 3]", 1), "utf-8")
    warning, end = home.says("edition", "kojak", "--check", str(file)).splitlines()
    assert re.match(r"Warning: mine.toml, line \d+: the red criminal can walk past red", warning)
    assert end == f"{file}: no mistakes."


def test_check_of_a_file_that_is_not_there_fails(home: Home) -> None:
    done = home.run("edition", "barney-miller", "--check", "nowhere.toml")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("nowhere.toml: ")


@pytest.mark.parametrize("command", ["stdio", "simulate"])
def test_a_game_with_a_spoilt_edition_is_one_line_that_says_how_to_see_all_mistakes(
    command: str, home: Home
) -> None:
    spoil(home)
    said = home.refuses(command, "barney-miller")
    assert said.startswith("barney-miller.toml, line ")
    assert f"companion edition barney-miller --check {home.edition}" in said


def unwritable(home: Home) -> None:
    home.edition.parents[2].write_text("a file where the folder should be", "utf-8")


def unreadable(home: Home) -> None:
    home.record.parents[1].write_text("a file where the folder should be", "utf-8")


@pytest.mark.parametrize(
    ("prepare", "arguments"),
    [(unwritable, ("edition", "barney-miller", "--new")), (unreadable, ("history",))],
    ids=["edition", "history"],
)
def test_what_the_system_refuses_is_one_line(
    prepare: Callable[[Home], None], arguments: tuple[str, ...], home: Home
) -> None:
    prepare(home)
    assert home.refuses(*arguments)


# --- voices ---------------------------------------------------------------------------------------


def test_the_voice_tells_how_much_is_always_the_same(home: Home) -> None:
    lines = home.says("voices").splitlines()
    assert [line.split(":")[0] for line in lines] == ["en", "fr"]
    assert all(re.fullmatch(r"\w\w: \d\d+ sentences never change\.", line) for line in lines)


def test_a_pipe_is_no_terminal_to_play_with_a_record_of_ones_own(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["play", "--journal", str(tmp_path / "own.db")])
    assert done.exit_code == 2
    assert "--face headless" in done.output
    assert not (tmp_path / "own.db").exists()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_game_as_lines_is_told_in_the_language_of_the_machine(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    command = cli.commands["stdio"]
    (lang,) = (param for param in command.params if param.name == "lang")
    assert lang.get_default(click.Context(command)) == language


def test_play_with_a_game_says_in_one_line_what_was_meant() -> None:
    for given, meant in (
        (("kojak",), "companion stdio kojak."),
        (("Barney_Miller",), "companion stdio barney-miller."),
        (("now", "please"), "no argument: now please."),
    ):
        done = CliRunner().invoke(cli, ["play", *given])
        assert done.exit_code == 2
        assert done.output.splitlines()[-1].endswith(meant)


def test_python_m_companion_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "companion", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"companion, version {installed_version()}\n"
