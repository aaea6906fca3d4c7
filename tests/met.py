"""All that random games ask and tell, with names as long as names get: for the tests of words."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import step
from companion.core.forms import Filling
from companion.core.game import Cue
from companion.core.prompts import by_box
from companion.core.snapshot import Snapshot
from companion.games.registry import find
from companion.play.simulate import pick
from tests.helpers import printed, words_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Cues, Game
    from companion.core.prompts import Prompt
    from companion.say.words import Words

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
PLAYOUTS: Final = {"barney-miller": 10, "baretta": 3, "kojak": 3, "probe": 2}
"""Random games of every number of players with every option."""


OUT_OF_TURN: Final = 0.1
"""How often somebody speaks who was not asked."""
ENDS: Final = frozenset({"stop"})
"""Questions out of turn that end a game: they are told, and the game goes on all the same."""


def _barney_miller(edition: Mapping[str, Any]) -> dict[str, Any]:
    gangs = [{**gang, "name": name} for gang, name in zip(edition["gang"], GANGS, strict=True)]
    return {**edition, "gang": gangs}


def _baretta(edition: Mapping[str, Any]) -> dict[str, Any]:
    corners = [
        {**corner, "name": name} for corner, name in zip(edition["corner"], NAMES, strict=True)
    ]
    return {**edition, "corner": corners}


def _kojak(edition: Mapping[str, Any]) -> dict[str, Any]:
    """Circles of two to twelve fields, long walks, and one file that everybody gets into."""
    circle = ["dot", *["plain"] * 8, "red", "red", "plain"]
    changed = {
        "red": {"missions": 13, "circle": ["dot", "red"], "traps": [1, 9, 3]},
        "yellow": {"missions": 1, "circle": circle, "traps": [9, 9, 9, 8, 8]},
    }
    files = [{**file, "missions": 1, **changed.get(file["colour"], {})} for file in edition["file"]]
    return {**edition, "kojak": 4, "file": files}


RARE: Final[dict[str, Cues]] = {
    "baretta": (
        Cue("placed", {"who": NAMES[0], "space": "24", "marked": False, "left": 10}, "BA-8"),
    ),
}
"""Facts that so few games come to that they are met here."""


LONGEST: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "barney-miller": _barney_miller,
    "baretta": _baretta,
    "kojak": _kojak,
    "probe": dict,
}
"""An edition with the longest names that a board may have."""


@dataclass
class Met:
    """All that some random games asked and told.

    `prompts` has each question with the moment that it was asked in, and what its player sees;
    `anytime` the names of those out of turn; `ends` how the games stood at last.
    """

    prompts: dict[str, tuple[Prompt, Snapshot, Mapping[str, Any]]] = field(default_factory=dict)
    moments: dict[str, Cues] = field(default_factory=dict)
    cues: dict[str, Cue] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    anytime: set[str] = field(default_factory=set)
    ends: list[Snapshot] = field(default_factory=list)

    def ask(self, game: Game[Any], prompt: Prompt, state: Any, table: Snapshot) -> None:
        """Keep a question, unless the like of it has been kept."""
        view = game.view(state, None)
        key = f"{prompt} {view.get('total')}"
        if key not in self.prompts:
            snapshot = replace(table, prompt=prompt, view=view)
            self.prompts[key] = (prompt, snapshot, game.view(state, prompt.who))

    def tell(self, cues: Cues, words: Words) -> None:
        """Keep facts, and the frames that they make."""
        key = repr(cues)
        if key in self.told:
            return
        self.told.add(key)
        self.cues.update({f"{cue.name} {cue.facts} {cue.to}": cue for cue in cues})
        for frame in words.moments(cues):
            self.moments[str([(cue.name, cue.facts) for cue in frame])] = frame


@cache
def longest(game: str) -> Mapping[str, Any]:
    """The printed edition with the longest names that a board may have."""
    return LONGEST[game](printed(game))


@cache
def met(name: str) -> Met:
    """A few hundred whole games: every number of players with every option."""
    game, found, rng, words = find(name), Met(), random.Random(1977), every(name, "en")
    choices = [[(option.name, value) for value in option.values] for option in game.options]
    tables = [(n, dict(chosen)) for n in game.seats for chosen in product(*choices)]
    for n, options in tables:
        table = Snapshot(name, NAMES[:n], options, None, {}, (), 9, 9, 0, None, "ABCDEFGH", None)
        for _ in range(PLAYOUTS[name]):
            state = game.setup(NAMES[:n], options, longest(name))
            while (prompt := game.ask(state)) is not None:
                if not by_box(prompt):
                    found.ask(game, prompt, state, table)
                state, cues = step(game, state, prompt, pick(prompt, rng))
                found.tell(cues, words)
                state = _out_of_turn(game, state, table, found, rng, words)
            found.tell(game.secrets(state), words)
            view, outcome = game.view(state, None), game.outcome(state)
            found.ends.append(replace(table, view=view, outcome=outcome))
    for cue in RARE.get(name, ()):
        found.tell((cue,), words)
    return found


def _out_of_turn(
    game: Game[Any], state: Any, table: Snapshot, found: Met, rng: random.Random, words: Words
) -> Any:
    """Now and then somebody says something that was not asked."""
    questions = game.anytime(state)
    if not questions or rng.random() > OUT_OF_TURN:
        return state
    found.anytime |= {question.name for question in questions}
    filling = Filling(rng.choice(questions))
    while (prompt := filling.prompt) is not None:
        found.ask(game, prompt, state, table)
        filling = filling.fill(pick(prompt, rng))
    try:
        after, cues = step(game, state, filling.question, filling.answer)
    except Refused:
        return state
    found.tell(cues, words)
    return state if filling.question.name in ENDS else after


@cache
def every(game: str, language: str) -> Words:
    """The words of a game on its longest-named board."""
    return words_for(game, language, longest(game))
