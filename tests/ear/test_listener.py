"""Tests of whole games in audio mode, with a listener that knows only the spoken sentences."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.catalog import registry
from companion.menus.words import menu_words
from companion.play import begin
from tests.ear.listener import PLACE_PATTERNS, Listener, Table, seconds_of
from tests.helpers import long_lane_params
from tests.installed import ROOT, pip_install, shop
from tests.typed import COMPANION_COMMAND

GAMES: Final = int(os.environ.get("EAR", "2"))
"""Number of games of each kind in each language. `EAR=20` plays more."""
WELL: Final = "barney-miller"


@pytest.fixture(autouse=True)
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each game its own seed, equal in every run."""
    every: Iterator[int] = iter(range(1_000_000))
    monkeypatch.setattr(begin, "fresh_seed", lambda: f"{next(every):064x}")


def played(game: str, language: str, seed: int) -> tuple[Listener, list[str]]:
    """Play a game from the first screen to its end. Return the listener and the recorded lines."""
    listener = Listener(Table(language), Random(seed), language)
    listener.play(listener.begin(menu_words(language).game_title(game)))
    return listener, listener.look_back()


@pytest.mark.parametrize("language", ["en", *long_lane_params(["fr"])])
def test_a_whole_game_can_be_played_by_ear_and_read_again(language: str) -> None:
    listener, past = played(WELL, language, 3)
    assert len(past) > 5
    assert len(listener.surveyed) > 5


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", [*registry.BUILT_IN_GAMES])
def test_games_of_each_kind_are_played_by_ear(game: str, language: str) -> None:
    played_often(game, language)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Install the example games as pip does. Yield their names."""
    folder = tmp_path_factory.mktemp("examples")
    names = []
    for made in sorted((ROOT / "examples").glob("*/pyproject.toml")):
        project = made.parent
        copy = shutil.copytree(project, folder / "sources" / project.name)
        pip_install(copy, folder / "site")
        names.append(project.name)
    for _ in shop(folder / "site"):
        yield names


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_examples_are_played_by_ear_too(examples: list[str], language: str) -> None:
    for game in examples:
        played_often(game, language)


@pytest.mark.long
def test_the_headless_face_says_the_lines_of_the_contract(tmp_path: Path) -> None:
    words = ("play", "--face", "headless", "--set-box", "ear=yes")
    files = ("--journal", str(tmp_path / "g.db"), "--socket", str(tmp_path / "s"))
    lines = [{"press": "down"}, {"wait": 600}, {"press": "up"}, {"wait": 600}, {"quit": True}]
    done = subprocess.run(
        [*COMPANION_COMMAND, *words, *files],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    said = [line for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "said"]
    first = next(found[1] for line in said if (found := PLACE_PATTERNS["en"].match(line["text"])))
    assert [line["text"].rstrip(".") == first for line in said[-2:]] == [False, True], said


def played_often(game: str, language: str) -> None:
    """Play GAMES games and read them again. Print the numbers of presses and lines."""
    presses, lines = 0, 0
    talk = 0.0
    for seed in range(GAMES):
        listener, past = played(game, language, seed)
        assert past
        heard = listener.box.heard
        presses, lines = presses + listener.presses, lines + len(heard)
        talk += seconds_of([one.text for one in heard], language, measured="EAR" in os.environ)
    each = f"{presses / GAMES:.0f} presses, {lines / GAMES:.0f} lines, {talk / GAMES / 60:.0f} min"
    print(f"{game} {language}: {each} of talk a game")  # noqa: T201 - the requested figures
