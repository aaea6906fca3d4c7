"""Tests of liar's dice, the second example of docs/a-game.md, and of its pictures."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.core.chance import Chance
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.press.cursor import HOLD_SECONDS
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from hardware.display.frame_conversions import encode_frame_as_png, frame_as_half_block_lines
from hardware.ports import BACK, OK
from tests.door.examples import example
from tests.helpers import Drive, begin_game
from tests.installed import ROOT, StrangerAccount, add_to_path, clone_project, pip_install
from tests.page.browsers import chromium, phones
from tests.page.house import house
from tests.test_example import TO_BEGIN, in_terminal, row

EXAMPLE: Final = ROOT / "examples" / "liars-dice"
PICTURES: Final = EXAMPLE / "pictures"
SCALE: Final = 4
SIX: Final = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")
FIRST: Final = {"count": 4, "face": 5}
DOUBT: Final = {"call": "doubt"}
WHERE: Final = "import companion; print(companion.__file__)"


@pytest.fixture
def installed() -> Iterator[None]:
    with example("liars-dice"):
        yield


def setup() -> GameSetup:
    game = registry.find_game("liars-dice")
    options = {option.name: option.values[0] for option in game.options}
    return GameSetup(game, SIX, options, {}, Chance("d1ce"), mixing=False)


def at_table(language: str, *answers: Any) -> Drive:
    """Return a box at which six people play, after `answers`."""
    drive = Drive(begin_game(setup(), answers), language)
    drive.resume()
    return drive


def began(language: str) -> Drive:
    """Open the last page before a new game with six players."""
    drive = Drive(language=language)
    drive.choose("new")
    drive.walk("liars-dice", 6, *SIX)
    return drive


def looked(language: str) -> Drive:
    """Hold OK until the box shows Bob's dice."""
    drive = at_table(language, FIRST)
    drive.down(OK)
    drive.wait(HOLD_SECONDS + 0.1)
    return drive


def lifted(language: str) -> Drive:
    """Lift the first cup."""
    drive = at_table(language, FIRST, DOUBT)
    drive.press(OK)
    return drive


def decided(language: str) -> Drive:
    """Lift the last cup, and show if the bid was true and which player lost a die."""
    drive = at_table(language, FIRST, DOUBT, *["lift"] * 5)
    drive.press(OK)
    drive.press(OK)
    return drive


def standing(language: str) -> Drive:
    """Open the standings in the menu."""
    drive = at_table(language, FIRST)
    drive.press(BACK)
    drive.choose("standing")
    return drive


def played(language: str) -> Drive:
    """Play a game to its end: each bid is that all dice are sixes, then a doubt follows."""
    journal, answers = Journal(None), list[Any]()
    session = Session.begin(journal, setup(), 0)
    while (question := session.standing.snapshot.pending_question) is not None:
        many = sum(session.standing.snapshot.view["dice"].values())
        bid = {"count": many, "face": 6}
        answers.append(bid if question.name == "turn" else question.name)
        session.answer(answers[-1], 0)
        session.commit()
    drive = at_table(language, *answers[:-1])
    drive.press(OK)
    drive.skip()
    return drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "start": began,
    "bid": lambda language: at_table(language, FIRST),
    "look": looked,
    "lifted": lifted,
    "decided": decided,
    "standing": standing,
    "end": played,
}


def file(scene: str, language: str) -> Path:
    """Return the path of a scene's picture. The French book uses the French pictures."""
    return PICTURES / (f"{scene}.png" if language == "en" else f"{scene}.{language}.png")


@pytest.mark.long
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_the_pictures_of_the_example_are_what_the_box_shows(scene: str, language: str) -> None:
    picture = encode_frame_as_png(SCENES[scene](language).frame, SCALE)
    if os.environ.get("DRAW_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        file(scene, language).write_bytes(picture)
        pytest.fail("drawn again: check the picture")
    assert file(scene, language).read_bytes() == picture, "DRAW_PICTURES=yes draws it again"


# --- installed ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> StrangerAccount:
    """Return the account of a user who has installed all examples from a clone without tags."""
    folder = tmp_path_factory.mktemp("stranger")
    clone = clone_project(folder / "clone")
    for made in (clone / "pyproject.toml", *sorted(clone.glob("examples/*/pyproject.toml"))):
        pip_install(made.parent, folder / "site")
    for tests in clone.glob("examples/*/test_*.py"):
        shutil.copy(tests, folder)
    shutil.rmtree(clone)  # test the installed packages, not their source
    return StrangerAccount(folder)


@pytest.mark.long
def test_all_examples_are_listed_after_an_installation_from_a_clone_without_tags(
    stranger: StrangerAccount,
) -> None:
    games = json.loads(stranger.says("games", "--json"))
    assert [(game["name"], game["ok"]) for game in games[-3:]] == [
        ("liars-dice", True), ("running-tricks", True), ("score-pad", True),
    ]  # fmt: skip
    assert str(stranger.site) in stranger.run(sys.executable, "-c", WHERE)


@pytest.mark.long
def test_it_is_simulated_and_told_over_stdio(stranger: StrangerAccount) -> None:
    assert "20 games of liars-dice" in stranger.says("simulate", "liars-dice", "--games", "20")
    answers = "".join(json.dumps({"answer": one}) + "\n" for one in (FIRST, DOUBT, "lift"))
    said = stranger.says(
        "stdio", "liars-dice", "--players", "Ann,Bob", "--seed", "d1ce", said=answers
    )
    lines = [json.loads(line) for line in said.splitlines()]
    told = [line["event"] for line in lines if line["type"] == "tell"]
    assert told == ["shaken", "bid", "doubted", "lifted"]
    assert [line["who"] for line in lines if line["type"] == "secret"][:2] == ["Ann", "Bob"]


@pytest.mark.long
@pytest.mark.usefixtures("installed")
def test_it_is_played_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, frame = in_terminal("en", (*TO_BEGIN, "enter", "up", "enter"), monkeypatch)
    assert all(line.rstrip() in seen for line in frame_as_half_block_lines(frame))
    assert row(0, "Round 1") in frame
    assert "Ann, how many dice?" in seen


@pytest.mark.long
def test_its_own_tests_hold_the_kit_among_them(stranger: StrangerAccount) -> None:
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_liars_dice.py")
    assert re.search(r"\d+ passed", stranger.run(sys.executable, *tests))


@pytest.mark.long
def test_its_sounds_are_those_of_its_scores(stranger: StrangerAccount) -> None:
    pytest.importorskip("numpy")
    stranger.run(sys.executable, "-m", "sounds.compose", "--check", "companion_liars_dice.sounds")


@pytest.mark.long
def test_a_phone_offers_the_numbers_and_shows_the_own_dice(
    stranger: StrangerAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tornado")
    monkeypatch.setenv("PYTHONPATH", str(stranger.site))
    home = tmp_path / "companion"
    home.mkdir()
    names = ("Ann", "Bob")
    with (
        add_to_path(stranger.site),
        chromium() as chrome,
        house(home, "liars-dice", ",".join(names)) as (box, page),
    ):
        ann = phones(*chrome, page, box, names)["Ann"]
        counts = ann.tab.locator("[data-key=ask] .answers [data-do=answer]")
        counts.nth(9).wait_for()
        assert [one.strip() for one in counts.all_inner_texts()] == [str(n) for n in range(1, 11)]
        ann.tab.click("[data-do=keep]")
        ann.tab.wait_for_selector(".secret p:not(.covered)")
        assert re.fullmatch(r"Under your cup: [1-6 ]{9}\.", ann.tab.inner_text(".secret p"))
        ann.tab.screenshot(path=tmp_path / "phone.png", full_page=True)
        assert ann.slips == []
