"""Tests of the commands that list and show recorded games."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from companion.box.events import TurningPointReady
from companion.cmd import start
from companion.record.journal import Journal
from tests.cmd.test_commands import Home
from tests.figures.test_export import play


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a record with 24 finished games, and the unfinished game 25."""
    home = Home(tmp_path)
    home.record.parent.mkdir(parents=True)
    with closing(Journal(home.record)) as journal:
        for n in range(3):
            play(journal, "barney-miller", str(n), 10**5, players=("Ann", "Bob"))
        for n in range(21):
            first, *lines = journal.read_lines_of_game(1 + n % 3)
            journal.save_new_game({**first.value, "id": f"copy {n}"}, lines, first.at)
        play(journal, "kojak", "open", 10, players=("Ann", "Zoé"))
    return home


def test_history_shows_a_page_and_says_that_there_is_more(home: Home) -> None:
    *lines, last = home.says("history", "--lang", "fr").splitlines()
    assert len(lines) == 20
    assert lines[0].endswith("kojak  Ann, Zoé: pas finie")
    assert last == "Parties plus anciennes\u00a0: 5\u00a0; --all les montre."
    assert len(home.says("history", "--all").splitlines()) == 25
    assert len(json.loads(home.says("history", "--json"))) == 20
    assert len(json.loads(home.says("history", "--json", "--all"))) == 25
    titles, *rows = home.says("history", "--csv").splitlines()
    assert titles.startswith("number,id,game,begun,ended,")
    assert len(rows) == 50


def test_a_game_is_shown_in_both_languages_and_for_programs(home: Home) -> None:
    assert "Won by " in home.says("show", "1")
    assert "Gagnée par " in home.says("show", "1", "--lang", "fr")
    told = json.loads(home.says("show", "1", "--json"))
    assert told["curve"][-1]["scores"] == told["scores"]
    assert home.says("show", "1", "--bgstats").startswith("https://app.bgstatsapp.com/")
    assert json.loads(home.says("show", "1", "--bgg"))["quantity"] == 1
    assert home.refuses("show", "99").startswith("There is no game 99")


def test_people_are_renamed_merged_and_forgotten(home: Home) -> None:
    everybody = {one["name"]: one for one in json.loads(home.says("people", "--json"))}
    assert everybody.keys() == {"Ann", "Bob"}
    assert everybody["Ann"]["games"] == 24
    assert home.says("people", "Ann").splitlines()[0] == "Ann"
    assert home.says("people", "Ann", "--rename", "Anna") == ""
    assert home.says("people", "Bob", "--forget") == ""
    assert home.says("people", "Anna", "--rename", "Guest", "--game", "1") == ""
    assert home.refuses("people", "Anne", status=2).endswith("did you mean Anna?")
    assert "somebody" in home.says("history")
    assert "Bob" not in home.says("history", "--all") + home.says("people") + home.says("show", "2")
    assert home.says("verify", "2").startswith("Game 2")


def test_note_is_shown_with_its_game_until_it_is_deleted(home: Home) -> None:
    assert home.says("note", "2", "Rain. Ann brought cake.") == ""
    assert home.says("show", "2").splitlines()[-1] == "Note: Rain. Ann brought cake."
    assert json.loads(home.says("show", "2", "--json"))["note"] == "Rain. Ann brought cake."
    assert "Rain" not in home.says("show", "1")
    assert home.says("verify", "2").startswith("Game 2")
    assert home.says("note", "2") == ""
    assert "Note" not in home.says("show", "2")


def test_note_of_no_game_or_of_two_lines_is_refused(home: Home) -> None:
    assert home.refuses("note", "99", "Rain").startswith("There is no game 99")
    assert "up to 200 letters" in home.refuses("note", "2", "a\nb", status=2)


def test_nobody_is_renamed_by_half_a_command(home: Home) -> None:
    assert home.refuses("people", "--forget", status=2).startswith("Name the person:")
    assert "is not a valid name" in home.refuses("people", "Ann", "--rename", "a:b", status=2)


def test_a_game_is_told_again_move_by_move_with_its_rules(home: Home) -> None:
    told = home.says("show", "1", "--moves")
    assert "[BM-" in told
    numbers = [int(line.split()[0]) for line in told.splitlines()]
    with closing(Journal(home.record)) as journal:
        kinds = [entry.kind for entry in journal.read_lines_of_game(1)]
    assert max(numbers) == kinds.count("answer") - kinds.count("undo")
    assert told.count("One answer was undone.") == kinds.count("undo")
    french = home.says("show", "1", "--moves", "--lang", "fr")
    assert french.count("Une réponse a été annulée.") == kinds.count("undo")


def test_a_game_is_seen_again_as_the_display_showed_it(home: Home) -> None:
    lines = home.says("show", "1", "--frames").splitlines()
    pictures = [line for line in lines if len(line) == 64 and not line.isascii()]
    assert len(pictures) >= 16 * 20


def test_a_game_that_goes_on_tells_no_secret_move(home: Home) -> None:
    told = home.says("show", "25", "--moves")
    assert told
    assert "[KO-" in told


@pytest.mark.long
def test_what_decided_a_game_is_told_of_one_that_the_box_can_play(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.record.parent.mkdir(parents=True)
    with closing(Journal(home.record)) as journal:
        for deck in ("virtual", "own"):
            play(journal, "barney-miller", "1", 10**5, players=("Ann", "Bob"), deck=deck)
    told = home.says("show", "1", "--turning")
    assert told.startswith(
        ("Turning point: ", "Best move missed: ", "No single answer was decisive.")
    )
    assert home.refuses("show", "2", "--turning").startswith("The box cannot analyse game 2: ")
    by_name = json.loads(home.says("show", "1", "--turning", "--json"))
    begins = {"point": "Turning point: ", "missed": "Best move missed: "}
    # on a busy machine, any answer may be missing
    assert all(text.startswith(begins[name]) for name, text in by_name.items())


@pytest.mark.long
def test_a_box_weighs_the_games_of_the_very_record_that_it_plays_with(tmp_path: Path) -> None:
    file, found = tmp_path / "other.db", list[TurningPointReady]()
    with closing(Journal(file)) as journal:
        play(journal, "barney-miller", "1", 10**5, players=("Ann", "Bob"), deck="virtual")
        start._weigh(file, 1, "fr", found.append)
        start._weigh(file, 2, "fr", found.append)
    decided, nothing = found
    assert decided.told is not None
    assert all(text.startswith(("Tournant", "Chance manquée")) for text in decided.told.values())
    assert (decided.number, nothing.number, nothing.told) == (1, 2, None)
