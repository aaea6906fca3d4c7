"""Tests of games of installed packages: in the menu, or excluded with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.catalog import packages, registry
from companion.core.chance import Chance
from companion.core.errors import ExcludedGame
from companion.core.game import Outcome
from companion.figures import sentences
from companion.menus import game_summaries
from companion.menus.commands import GiveAnswer
from companion.menus.words import menu_words
from companion.play.answer_history import GameSetup
from companion.record.journal import Journal
from companion.say.words import Words
from hardware.ports import OK
from tests.helpers import Drive, begin_game, raise_full_disk
from tests.installed import PackageShop, shop


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    yield from shop(tmp_path / "site")


def unfinished() -> Journal:
    """Return a journal with an unfinished game of `sum-up` whose total is 3."""
    game = registry.find_game("sum-up")
    return begin_game(GameSetup(game, ("Ann", "Bob"), {}, {}, Chance("seed"), mixing=False), (3,))


def shown(drive: Drive) -> tuple[str, dict[str, object]]:
    cue = drive.front
    return cue.name, dict(cue.facts)


def test_packages_are_looked_up_after_the_first_frame(
    installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install()
    drive = Drive(start=False)
    frames: list[int] = []
    found = packages.find_packaged_games

    def look(taken: tuple[str, ...], *kept: Path) -> tuple[packages.PackagedGame, ...]:
        frames.append(len(drive.frames))
        return found(taken, *kept)

    monkeypatch.setattr(packages, "find_packaged_games", look)
    drive.loop.start()
    assert frames == [1]
    drive.choose("new")
    assert drive.state.facts.games == (*registry.BUILT_IN_GAMES, "sum-up")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_package_that_is_left_out_is_named_once(installed: PackageShop, language: str) -> None:
    installed.install(source="GAME = None")
    journal = Journal(None)
    drive = Drive(journal, language)
    assert shown(drive) == ("left_out", {"package": "companion-sum-up", "version": "1.0"})
    assert any("package" in said or "installé" in said for said in drive.speaker.heard)
    drive.press(OK)
    assert (drive.page, len(drive.moments)) == ("home", 0)
    assert not Drive(journal).moments
    installed.install(source="GAME = None", version="1.1")
    assert shown(Drive(journal))[1]["version"] == "1.1"


def test_a_record_that_can_not_be_written_does_not_end_the_look(
    installed: PackageShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install(source="GAME = None")
    journal = Journal(None)

    monkeypatch.setattr(journal, "save_settings", raise_full_disk)
    drive = Drive(journal)
    drive.skip()
    assert drive.page == "home"


def test_a_game_whose_package_is_missing_stays_in_the_list_and_says_what_to_install(
    installed: PackageShop,
) -> None:
    installed.install()
    journal = unfinished()
    installed.remove("companion-sum-up")
    drive = Drive(journal)
    drive.choose("resume")
    assert shown(drive) == ("not_installed", {"package": "companion-sum-up", "version": "1.0"})
    assert "en: This game’s package is not installed." in drive.speaker.heard
    drive.press(OK)
    assert (drive.page, drive.loop.running_session) == ("home", None)
    drive.new()
    assert drive.page == "players"


def test_a_finished_game_whose_package_is_missing_says_what_to_install(
    installed: PackageShop,
) -> None:
    installed.install(target=3)
    journal = unfinished()
    installed.remove("companion-sum-up")
    drive = Drive(journal)
    drive.walk("games", "1")
    assert shown(drive)[0] == "not_installed"
    drive.press(OK)
    assert drive.page == "games"


def test_a_game_that_broke_since_it_was_listed_is_named_and_the_menu_stays(
    installed: PackageShop,
) -> None:
    folder = installed.install()
    drive = Drive()
    (folder / "__init__.py").write_text("GAME = None")
    installed.forget()
    drive.choose("new")
    drive.choose("sum-up")
    assert shown(drive) == ("left_out", {"package": "companion-sum-up", "version": "1.0"})
    drive.press(OK)
    assert drive.page == "game"


def test_a_game_that_fails_at_an_answer_is_named_and_the_question_stands(
    installed: PackageShop,
) -> None:
    installed.install()
    installed.fail_at(5)
    drive = Drive(unfinished())
    drive.resume()
    drive.choose(2)
    assert shown(drive)[0] == "left_out"
    drive.skip()
    assert drive.session.standing.snapshot.view["total"] == 3
    drive.choose(1)
    drive.skip()
    assert drive.session.standing.snapshot.view["total"] == 4


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rule", ["anytime", "secrets", "entered_board_values"])
def test_a_game_that_fails_after_an_answer_goes_on_before_it(
    rule: str, installed: PackageShop
) -> None:
    installed.install(more=f"{rule}=lambda state: () if state[1] != 4 else 1 / 0")
    drive = Drive(unfinished())
    drive.resume()
    drive.choose(1)
    assert shown(drive)[0] == "left_out"
    drive.skip()
    with pytest.raises(ExcludedGame):
        drive.loop._runner.execute_commands(GiveAnswer(1))
    assert drive.session.standing.snapshot.view["total"] == 3
    drive.choose(2)
    assert [entry.value for entry in drive.journal.read_lines_of_game(1)[1:3]] == [3, 2]


def test_a_recorded_game_that_fails_at_what_was_said_is_not_sat_down_at(
    installed: PackageShop,
) -> None:
    installed.install(more="entered_board_values=lambda state: 1 / 0")
    drive = Drive(unfinished())
    drive.choose("resume")
    assert shown(drive)[0] == "left_out"
    drive.skip()
    assert (drive.page, drive.loop.running_session) == ("home", None)


def test_a_game_that_fails_at_its_beginning_is_named_and_nothing_is_written(
    installed: PackageShop,
) -> None:
    installed.install()
    installed.fail_at(0)
    drive = Drive()
    drive.choose("new")
    drive.choose("sum-up")
    drive.choose(2)
    drive.walk("Ann", "Bob", "start")
    assert shown(drive)[0] == "left_out"
    assert not drive.journal.game_numbers()
    drive.skip()
    assert (drive.page, drive.loop.running_session) == ("options", None)


def test_a_recorded_game_that_fails_is_named_and_the_menu_stays(installed: PackageShop) -> None:
    installed.install()
    journal = unfinished()
    installed.fail_at(3)
    drive = Drive(journal)
    drive.choose("resume")
    assert shown(drive)[0] == "left_out"
    drive.skip()
    assert (drive.page, drive.loop.running_session) == ("home", None)


def test_a_game_that_all_lose_says_that_nobody_won_wherever_winners_are_named(
    installed: PackageShop,
) -> None:
    installed.install()
    game = registry.find_game("sum-up")
    lost = game._replace(
        outcome=lambda state: Outcome((), dict.fromkeys(state[0], 0)) if state[1] >= 5 else None
    )
    journal = begin_game(
        GameSetup(lost, ("Ann", "Bob"), {}, {}, Chance("seed"), mixing=False), (3, 2)
    )
    (number,) = journal.game_numbers()
    summary = journal.game_summary(number)
    assert summary.winners == ()
    words = menu_words("en")
    assert game_summaries.recorded_game_line_text(words, summary) == "sum-up ★ nobody"
    assert sentences.game_winners_text(words, summary.winners) == "won by nobody"
    assert words.winners_sentence(()) == "Nobody won."
    assert Words("fr").winners_sentence(()) == "Personne n’a gagné."
