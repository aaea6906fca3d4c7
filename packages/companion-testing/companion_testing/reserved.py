"""Checks of a game's numbers of players and of the names that a game defines.

`RESERVED_NAMES` contains names of the box's own questions, events and lines.
docs/reference/game-package.md lists these names, and the names with a meaning in every game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.core.game import Game
from companion.core.prompts import COMPUTER_CHOOSING_QUESTION, PRESSED_ROLL_QUESTION
from companion.draw.default_face import MAX_DRAWN_PLAYERS
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION
from companion.say.facts import SHARED_FACT_NAMES
from companion.say.words import LANGUAGES, Words
from companion_testing.observed_games import ObservedGames
from companion_testing.table import Faults, GameFault

RESERVED_NAMES: Final[Mapping[str, frozenset[str]]] = {
    "question": frozenset(
        {
            "agree_undo",
            CONFIRM_UNLISTED_WORD_QUESTION,
            "mix",
            "mix_together",
            "peep",
            COMPUTER_CHOOSING_QUESTION,
            "sure",
            PRESSED_ROLL_QUESTION,
        }
    ),
    "fact": SHARED_FACT_NAMES - {"left"},
    "fact of the view": frozenset({"event_id", "facts", "named", "secrets", "type"}),
    "option": frozenset({"board", "setup", "start"}),
    "form": frozenset(
        {
            *("again", "evening", "go_on", "leave", "look", "phones", "printed"),
            *("redo", "rules", "said", "settings", "setup", "standing", "there", "undo", "why"),
        }
    ),
}
"""The names that a game must not use, by kind of name."""


def check_seats_and_reserved_names(met: ObservedGames, words: Words) -> Faults:
    """The box has a seat for every player, and the game uses no reserved name."""
    if words.language == LANGUAGES[0]:  # check once: the result is the same in all languages
        yield from _seats(met.game)
        yield from _reserved_by_box(met)
        yield from _check_meanings(met)


def _seats(game: Game[object]) -> Iterator[str]:
    seats = [*game.seats]
    if not seats or seats != [*range(seats[0], seats[-1] + 1)] or seats[0] < 1:
        yield f"`seats` is {game.seats}, and no range of players such as range(2, 5)"
    elif seats[-1] > MAX_DRAWN_PLAYERS:
        yield f"the box has room for {MAX_DRAWN_PLAYERS} players, and {seats[-1]} can play"


def _reserved_by_box(met: ObservedGames) -> Iterator[str]:
    asked = {prompt.name for prompt, *_ in met.asked.values()}
    named = {
        "question": asked | {*met.game.on} - met.anytime,
        "fact": {cue.name for cue in met.cues.values()},
        "fact of the view": {
            name for _, now, own, *_ in met.asked.values() for name in (*now.view, *own)
        },
        "option": {option.name for option in met.game.options},
        "form": met.anytime,
    }
    for kind, names in named.items():
        for name in sorted(names & RESERVED_NAMES[kind]):
            yield f"a {kind} is called {name}, which is one of the box: give it another name"


def _check_meanings(met: ObservedGames) -> Faults:
    """Yield a fault if `who`, `points`, `scores` or `begins` has an unusual meaning."""
    for asked in met.asked.values():
        if "who" in asked.prompt.facts:
            fault_text = "has a fact `who`, in whose place the sentence names who is asked"
            yield GameFault(f"{asked.prompt.name} {fault_text}", asked.at)
        players = {*asked.snapshot.players}
        for name in ("points", "scores"):
            fact = asked.snapshot.view.get(name, dict.fromkeys(players))
            if not isinstance(fact, dict) or {*fact} != players:
                fault_text = f"`{name}` stands beside the names of the players, and is {fact!r}"
                yield GameFault(f"in the view {fault_text}", asked.at)
    for cue in met.cues.values():
        if cue.name == "begins" and not isinstance(cue.facts.get("who"), str):
            fault_text = "begins tells who plays first, and has no `who`"
            yield GameFault(fault_text, met.first_place_of_fact(cue), kind=fault_text)
