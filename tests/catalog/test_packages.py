"""Tests of games in packages: found, checked, cached, and named in the record."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from companion.catalog import packages, registry
from companion.core.chance import Chance
from companion.core.errors import ExcludedGame, GameNotInstalled, UnknownGame
from companion.core.game import API_VERSION, Game, SeatMemory
from companion.play.answer_history import GameSetup
from companion.play.session import Session, resume_recorded_game
from companion.record.journal import Journal
from companion.say.sentences import MissingSentenceError, load_compiled_catalogue
from tests.english import english_error, raises_english
from tests.helpers import NOW_SECONDS, begin_game, setup_for
from tests.installed import PackageShop, shop
from tests.typed import run_companion

PLAYERS = ("Ann", "Bob")


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    yield from shop(tmp_path / "site")


def why(name: str = "sum-up") -> str:
    return english_error(
        next(
            why
            for game in registry.packaged_games()
            if game.name == name and (why := game.exclusion_reason)
        )
    )


def sum_up() -> GameSetup:
    return GameSetup(registry.find_game("sum-up"), PLAYERS, {}, {}, Chance("seed"), mixing=False)


# --- found ----------------------------------------------------------------------------------------


def test_an_installed_game_stands_behind_the_built_in_ones(installed: PackageShop) -> None:
    assert registry.playable_game_names() == registry.BUILT_IN_GAMES
    installed.install()
    assert registry.playable_game_names() == (*registry.BUILT_IN_GAMES, "sum-up")
    assert registry.find_game("sum-up").names == ("Ann", "Bob", "Cy")
    assert registry.game_package_version("sum-up") == ("companion-sum-up", "1.0")
    assert registry.game_module_name("sum-up") == "companion_sum_up"


def test_a_command_finds_the_games_of_its_own_path_and_no_other_one_does(
    installed: PackageShop,
) -> None:
    folder = str(installed.install().parent)
    listed = [
        run_companion("games", env={**os.environ, "PYTHONPATH": path}) for path in ("", folder, "")
    ]
    assert [b"sum-up" in command.stdout for command in listed] == [False, True, False]


def test_an_installed_game_brings_its_sentences_and_its_sounds(installed: PackageShop) -> None:
    folder = installed.install()
    there = folder / "locale" / "en" / "LC_MESSAGES"
    there.mkdir(parents=True)
    (there / "sum-up.po").write_text('msgid "sum-up.name"\nmsgstr "Sum Up"\n', "utf-8")
    assert load_compiled_catalogue("en", "sum-up") == (there / "sum-up.mo").read_bytes()
    assert registry.game_sound_folders()[-1] == folder / "sounds"


def test_a_game_that_is_gone_has_no_folder_and_no_sounds(installed: PackageShop) -> None:
    folder = installed.install()
    known = registry.playable_game_names()
    shutil.rmtree(folder)
    installed.forget()
    assert registry.playable_game_names() == known
    assert len(registry.game_sound_folders()) == len(registry.BUILT_IN_GAMES)
    with raises_english(UnknownGame, match="The folder of 'sum-up' is gone"):
        registry.game_folder("sum-up")
    with pytest.raises(MissingSentenceError, match=r"game\.no_folder"):
        load_compiled_catalogue("en", "sum-up")


def test_a_built_in_game_is_found_without_a_look_at_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packages, "find_packaged_games", None)
    assert registry.find_game("probe").name == "probe"
    assert registry.game_package_version("probe") is None


def test_the_name_of_a_package_is_written_as_an_index_writes_it(installed: PackageShop) -> None:
    installed.install(package="Companion_Sum.Up")
    assert registry.game_package_version("sum-up") == ("companion-sum-up", "1.0")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_like_it", "ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("GAME = (", "SyntaxError"),
        ("", "AttributeError"),
        ("GAME = 7", "companion_sum_up.GAME is not a companion.core.game.Game"),
    ],
)
def test_a_broken_game_is_named_and_left_out(
    source: str, said: str, installed: PackageShop
) -> None:
    installed.install(source=source)
    assert said in why()
    assert "sum-up" not in registry.playable_game_names()
    with raises_english(ExcludedGame, match=r"sum-up of companion-sum-up 1\.0 cannot be played: "):
        registry.find_game("sum-up")


@pytest.mark.parametrize(
    ("api", "newer"),
    [
        (API_VERSION + 1, "install a newer Companion"),
        (API_VERSION - 1, "pip install --upgrade companion-sum-up"),
    ],
)
def test_a_game_for_another_api_says_what_to_upgrade(
    api: int, newer: str, installed: PackageShop
) -> None:
    installed.install(more=f"api={api}")
    assert why() == (f"it was written for API {api}, and this is API {API_VERSION}: {newer}")


def test_a_game_goes_by_the_name_of_its_entry_point(installed: PackageShop) -> None:
    folder = installed.install()
    text = (folder / "__init__.py").read_text().replace("sum-up", "sum-down")
    (folder / "__init__.py").write_text(text)
    assert why() == "companion_sum_up.GAME has the name 'sum-down' instead"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["Hearts", "he arts", "box", "-", "é", "a--b", "stdio"])
def test_a_name_that_would_not_do_on_the_command_line_is_left_out(
    name: str, installed: PackageShop
) -> None:
    installed.install(name)
    assert (
        why(name) == "a game's name has small letters and digits, and must not be a word of the box"
    )


def test_a_name_that_a_built_in_game_has_is_left_out(installed: PackageShop) -> None:
    installed.install("probe")
    assert why("probe") == "the box has a game of that name"
    assert registry.playable_game_names() == registry.BUILT_IN_GAMES
    assert registry.game_package_version("probe") is None


def test_two_packages_with_a_game_of_one_name_are_both_left_out(installed: PackageShop) -> None:
    installed.install()
    installed.install(package="companion-other")
    assert [
        (game.package, english_error(why))
        for game in registry.packaged_games()
        if (why := game.exclusion_reason)
    ] == [
        ("companion-other", "companion-sum-up has a game of that name too"),
        ("companion-sum-up", "companion-other has a game of that name too"),
    ]


def test_a_game_that_breaks_later_is_named_when_it_is_asked_for(installed: PackageShop) -> None:
    folder = installed.install()
    assert "sum-up" in registry.playable_game_names()
    (folder / "__init__.py").write_text("GAME = None")
    installed.forget()
    with raises_english(ExcludedGame, match=r"GAME is no"):
        registry.find_game("sum-up")


def test_a_name_that_is_nearly_right_is_told(installed: PackageShop) -> None:
    installed.install()
    with raises_english(UnknownGame, match=r"did you mean sum-up\?"):
        registry.find_game("sumup")


RULES = [
    name for name, kind in Game.__annotations__.items() if "Callable" in str(kind) and name != "on"
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_fails_is_told_with_its_place(rule: str, installed: PackageShop) -> None:
    folder = installed.install()
    with (folder / "__init__.py").open("a") as file:
        file.write(f"GAME = GAME._replace({rule}=lambda *_: 1 / 0)\n")
    failing = getattr(registry.find_game("sum-up"), rule)
    with raises_english(ExcludedGame, match=r"ZeroDivisionError: .* \(__init__\.py, line \d+\)$"):
        failing(None)


def test_a_computer_player_that_fails_is_told_with_its_place(installed: PackageShop) -> None:
    folder = installed.install()
    with (folder / "__init__.py").open("a") as file:
        file.write("from companion.core.game import ComputerPlayer\n")
        file.write("GAME = GAME._replace(computer=ComputerPlayer(lambda *_: 1 / 0))\n")
    computer = registry.find_game("sum-up").computer
    assert computer is not None
    with raises_english(ExcludedGame, match=r"ZeroDivisionError: .* \(__init__\.py, line \d+\)$"):
        computer.imagine({}, SeatMemory((), {}, {}), "Ann", Random(1))


def test_an_answer_at_which_the_game_fails_changes_nothing(installed: PackageShop) -> None:
    installed.install()
    installed.fail_at(3)
    session = Session.begin(Journal(None), sum_up(), NOW_SECONDS)
    session.answer(1, NOW_SECONDS)
    session.commit()
    with pytest.raises(ExcludedGame):
        session.answer(2, NOW_SECONDS)
    assert session.standing.snapshot.position == 1
    session.answer(3, NOW_SECONDS)
    session.commit()
    assert session.standing.snapshot.position == 2


def test_a_recorded_game_that_fails_is_not_sat_down_at(installed: PackageShop) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3,))
    installed.fail_at(3)
    with raises_english(ExcludedGame, match=r"ZeroDivisionError"):
        resume_recorded_game(journal, 1, NOW_SECONDS)


# --- cached ---------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that caches the packaged games."""
    monkeypatch.setattr(registry, "_KEPT", [])
    registry.set_packaged_games_cache_file(tmp_path / "cache" / "games.json")
    return tmp_path / "cache" / "games.json"


def looked(monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often one look-up reads the entry points."""
    reader = Mock(wraps=packages._installed)
    with monkeypatch.context() as patch:
        patch.setattr(packages, "_installed", reader)
        registry.packaged_games.cache_clear()
        registry.packaged_games()
    return reader.call_count


def test_what_was_found_is_kept_until_a_package_comes_or_goes(
    file: Path, installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    assert looked(monkeypatch) == 1
    assert [row[0] for row in json.loads(file.read_text())["games"]] == ["sum-up"]
    assert looked(monkeypatch) == 0
    assert registry.find_game("sum-up").name == "sum-up"
    installed.install("hearts", package="companion-hearts")
    assert looked(monkeypatch) == 1
    assert registry.playable_game_names()[-2:] == ("hearts", "sum-up")
    installed.remove("companion-hearts")
    assert looked(monkeypatch) == 1
    assert registry.playable_game_names()[-1] == "sum-up"


def test_a_good_game_that_was_kept_is_not_imported_before_it_is_played(
    file: Path, installed: PackageShop
) -> None:
    installed.install()
    registry.playable_game_names()
    installed.forget()
    registry.packaged_games.cache_clear()
    assert registry.playable_game_names()[-1] == "sum-up"
    assert file.exists()
    assert "companion_sum_up" not in sys.modules


def test_a_game_that_was_mended_is_back_without_an_installation(
    file: Path, installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = installed.install(source="GAME = None")
    good = installed.install("good", package="companion-good") / "__init__.py"
    assert "sum-up" not in registry.playable_game_names()
    assert file.exists()
    text = good.read_text().replace("'good'", "'sum-up'")
    (folder / "__init__.py").write_text(text)
    installed.forget()
    assert looked(monkeypatch) == 0
    assert "sum-up" in registry.playable_game_names()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"stamp": 1}', '{"stamp": null, "games": [[]]}', "\0"]
)
def test_what_was_kept_and_can_not_be_read_is_looked_up_again(
    text: str, file: Path, installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    file.parent.mkdir()
    file.write_text(text)
    assert looked(monkeypatch) == 1
    assert registry.playable_game_names()[-1] == "sum-up"
    assert looked(monkeypatch) == 0


def test_a_fifo_in_the_place_of_what_is_kept_is_replaced(
    file: Path, installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    file.parent.mkdir()
    for name in (file, file.with_suffix(".new")):
        os.mkfifo(name)
    assert looked(monkeypatch) == 1
    assert looked(monkeypatch) == 0


def test_what_was_kept_in_an_older_shape_is_looked_up_again(
    file: Path, installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    registry.playable_game_names()
    kept = json.loads(file.read_text())
    for older in ("", "the box has a game of that name"):
        file.write_text(json.dumps({**kept, "games": [[*kept["games"][0][:4], older]]}))
        assert looked(monkeypatch) == 1
        assert looked(monkeypatch) == 0


def test_the_reason_why_a_game_is_left_out_is_kept_by_its_name_and_facts(
    file: Path, installed: PackageShop
) -> None:
    installed.install(source="GAME = 7")
    found = registry.packaged_games()
    facts = {"module": "companion_sum_up"}
    assert json.loads(file.read_text())["games"][0][4] == {"reason": "no_game", "facts": facts}
    assert packages._read(file, packages._stamp()) == found


def test_a_place_that_can_not_be_written_costs_a_look_and_nothing_else(
    file: Path, installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    file.parent.write_text("no folder")
    assert looked(monkeypatch) == 1
    assert looked(monkeypatch) == 1
    assert registry.playable_game_names()[-1] == "sum-up"


# --- in the record --------------------------------------------------------------------------------


def header(journal: Journal) -> dict[str, Any]:
    return journal.read_game_header_and_lines(1)[0]


def test_a_record_names_the_package_and_its_version(installed: PackageShop) -> None:
    installed.install()
    journal = begin_game(sum_up())
    assert list(header(journal).items())[-2:] == [
        ("package", "companion-sum-up"),
        ("version", "1.0"),
    ]
    assert journal.game_summary(1).package == "companion-sum-up"


def test_the_record_of_a_built_in_game_names_no_package() -> None:
    journal = begin_game(setup_for({"deck": "own", "die": "companion", "track": "edition"}))
    assert not {"package", "version"} & {*header(journal)}
    assert journal.game_summary(1).package is None


def test_a_record_without_its_package_says_which_one_to_install(installed: PackageShop) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3,))
    installed.remove("companion-sum-up")
    with pytest.raises(GameNotInstalled) as missing:
        resume_recorded_game(journal, 1, NOW_SECONDS)
    assert english_error(missing.value) == (
        "sum-up was played with companion-sum-up 1.0, which is not installed: "
        "pip install companion-sum-up==1.0"
    )


def test_another_package_with_a_game_of_that_name_is_not_taken_for_it(
    installed: PackageShop,
) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3,))
    installed.remove("companion-sum-up")
    installed.install(package="companion-other")
    with pytest.raises(GameNotInstalled):
        resume_recorded_game(journal, 1, NOW_SECONDS)


def test_a_record_of_a_package_that_is_left_out_says_why(installed: PackageShop) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3,))
    installed.install(version="2.0", source="GAME = None")
    with raises_english(ExcludedGame, match=r"sum-up of companion-sum-up 2\.0 cannot be played: "):
        resume_recorded_game(journal, 1, NOW_SECONDS)


def test_a_game_that_came_into_the_box_does_not_take_the_records_of_its_package(
    installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3,))
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", ("sum-up",))
    registry.packaged_games.cache_clear()
    with raises_english(ExcludedGame, match="the box has a game of that name"):
        resume_recorded_game(journal, 1, NOW_SECONDS)


def test_a_newer_version_goes_on_where_its_rules_fit(installed: PackageShop) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3, 1))
    installed.install(version="2.0", target=9)
    session, changed = resume_recorded_game(journal, 1, NOW_SECONDS)
    assert changed is None
    assert session.standing.snapshot.view == {"total": 4}


def test_a_newer_version_with_one_option_more_takes_the_usual_value(installed: PackageShop) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3,))
    installed.install(version="2.0", options='Option("how", ("plainly", "boldly")),')
    session, changed = resume_recorded_game(journal, 1, NOW_SECONDS)
    assert changed is None
    assert session.game_setup.options == {"how": "plainly"}


def test_a_newer_version_whose_rules_do_not_fit_goes_on_from_before_that_answer(
    installed: PackageShop,
) -> None:
    installed.install()
    journal = begin_game(sum_up(), (3, 1))
    installed.install(version="2.0", target=2)
    session, changed = resume_recorded_game(journal, 1, NOW_SECONDS)
    assert changed is not None
    assert changed.answer == 2
    assert session.standing.snapshot.outcome is not None
    assert Session.resume(journal, 1, session.game_setup, NOW_SECONDS).standing.snapshot.view == {
        "total": 3
    }
