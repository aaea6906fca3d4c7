"""Scenes: moments of games with which the box in a web page can begin (`?scene=NAME`).

To reach a scene, the box plays a game with random answers until the scene's function `is_there`
returns True. These answers take less than a second. The box plays the game at each start, so a
scene always agrees with the current rules of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from companion.catalog import editions
from companion.core.chance import Chance
from companion.core.errors import CompanionError
from companion.core.prompts import Spell
from companion.play import begin
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.play.standing import Standing
from companion.record.journal import Journal

PLAYER_NAMES: Final = ("Ann", "Bob")
SECRET_WORDS: Final = {"Ann": ("PIANO", "CINEMA"), "Bob": ("ORANGE", "TABLE")}
"""Table from each player to secret words for Probe, which exist in English and in French."""
MAX_ANSWERS: Final = 400
"""Maximum number of random answers to reach a scene."""


class UnknownScene(CompanionError):
    """The error that a scene does not exist, or that the game never reaches the scene."""


class GameScene(NamedTuple):
    """A moment of a game with random answers.

    - game: the name of the game.
    - seed: the seed of the shuffles, the dice and the answers.
    - options: the game's options that differ from the proposed options, by name.
    - after: the minimum number of answers from the game's start to the scene.
    - is_there: a function that returns True if the game has reached the scene.
    """

    game: str
    seed: str
    options: Mapping[str, str]
    after: int
    is_there: Callable[[Standing], bool]


def record_game_at_scene(journal: Journal, name: str, now: int) -> int:
    """Record a new game that has reached the scene `name`; return the number of the game.

    Raise UnknownScene if the scene does not exist, or if its game does not reach the scene.
    """
    if name not in SCENES:
        raise UnknownScene(f"{name} is no scene: {', '.join(SCENES)}.")
    scene, rng = SCENES[name], Random(SCENES[name].seed)
    words = {player: [*theirs] for player, theirs in SECRET_WORDS.items()}
    session = Session.begin(journal, _setup(scene), now)
    for answers in range(MAX_ANSWERS):
        prompt = session.standing.pending_prompt
        if prompt is None:
            break
        if answers >= scene.after and scene.is_there(session.standing):
            return session.number
        value = (
            words[str(prompt.who)].pop(0)
            if isinstance(prompt, Spell)
            else random_answer(prompt, rng)
        )
        session.answer(value, now)
        session.commit()
    raise UnknownScene(f"{name} does not come about with the seed {scene.seed}.")


def _setup(scene: GameScene) -> GameSetup:
    setup = begin.new_game_setup(scene.game, PLAYER_NAMES, {}, editions.load_edition(scene.game))
    proposed = {option.name: option.proposed_value for option in setup.game.options}
    return setup._replace(
        options=proposed | dict(scene.options), chance=Chance(scene.seed), mixing=False
    )


def _asks(name: str, **view: Any) -> Callable[[Standing], bool]:
    def is_there(game: Standing) -> bool:
        seen, prompt = game.snapshot.view, game.pending_prompt
        asked = prompt is not None and prompt.name == name
        return asked and all(seen.get(key) == value for key, value in view.items())

    return is_there


def _alarm(game: Standing) -> bool:
    return bool(game.snapshot.view["may_arrest"])


SCENES: Final[Mapping[str, GameScene]] = {
    "barney-miller": GameScene(
        "barney-miller", "1", {"deck": "virtual"}, 10, _asks("play_card", total=7)
    ),
    "baretta": GameScene("baretta", "1", {}, 20, _asks("move_to")),
    "kojak": GameScene("kojak", "1", {}, 14, _alarm),
    "probe": GameScene("probe", "1", {"words": "secret"}, 16, _asks("ask_for")),
}
