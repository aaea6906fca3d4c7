"""Frames of Baretta: each scene is a random game up to a moment, on the fake box."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from companion.core.prompts import Prompt
from companion.core.snapshot import Snapshot
from companion.games.baretta.shown.facts import FACTS
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.record.journal import Journal
from companion.say.facts import fact_variant_name
from tests.helpers import Drive, begin_game, session_words, setup_for

if TYPE_CHECKING:
    Stop = Callable[[Snapshot], bool]

NAMES: Final = ("Billy", "Rooster", "Brubaker", "Fats")
LONG: Final = ("Wojehowicz", "Bartholomé", "Maximilien", "Alexandrie")
VIRTUAL: Final = {
    "deck": "virtual",
    "dice": "companion",
    "wounded": "up",
    "criminals": "choose",
    "cutting": "yes",
}
OWN: Final = {
    "deck": "own",
    "dice": "real",
    "wounded": "up",
    "criminals": "choose",
    "cutting": "yes",
}


def table(options: Mapping[str, str], n: int, seed: int) -> Any:
    """Return a setup. Four players have the longest names, fewer players the proposed names."""
    return setup_for(
        options, game="baretta", players=(LONG if n == 4 else NAMES)[:n], seed=f"{seed}"
    )


@cache
def answers(stop: Stop, n: int, seed: int, *, own: bool) -> list[Any]:
    """Return one or more random answers, until `stop` returns True."""
    setup, rng = table(OWN if own else VIRTUAL, n, seed), random.Random(seed)
    session, given = Session.begin(Journal(None), setup, 0), list[Any]()
    while not given or not stop(session.standing.snapshot):
        prompt = session.standing.pending_prompt
        assert prompt is not None, "the game ends before this moment"
        given.append(_lively(prompt, rng))
        session.answer(given[-1], 0)
    return given


def _lively(prompt: Prompt, rng: random.Random) -> Any:
    """Return a random answer, but always *yes* to the cut."""
    return "yes" if prompt.name == "cut" else random_answer(prompt, rng)


def told(*names: str) -> Stop:
    """Return a condition: a fact of one of these names occurred."""
    return lambda now: any(fact_variant_name(FACTS, cue) in names for cue in now.cues)


def asked(question: str, about: str | None = None) -> Stop:
    return lambda now: (
        now.prompt is not None and now.prompt.name == question and now.view["asked"] == about
    )


def moves_on(now: Snapshot) -> bool:
    """Return True if a Move card asks for its steps."""
    return bool(now.prompt and now.prompt.name == "move_to" and now.view["moving"]["second"])


def marked(n: int) -> Stop:
    """Return a condition: `n` markers are on the board."""
    return lambda now: sum(s["marker"] is not None for s in now.view["spaces"].values()) == n


STOPS: Final = {name: told(name) for name in (
    "turned.move", "turned.stay_put", "turned.wounded", "turned.go_to", "turned.in_trouble",
    "turned.hunch", "guessed.arrest", "guessed.wrong", "unmarked", "in_vain",
    "not_arrest", "nothing.already", "placed.marked",
    "dealt.aside", "begins", "taken_back", "moved.place",
)}  # fmt: skip
"""The moments of the scenes by name. `answers` caches its result for each of them."""


def again(now: Snapshot) -> bool:
    """Return True if a player with three more cards on the board put a card down."""
    markers = [space["marker"] for space in now.view["spaces"].values()]
    return any(cue.to is not None and markers.count(cue.to) > 3 for cue in now.cues)


MARKED: Final = marked(6)
UNMARK: Final = asked("unmark")
GIVE_BACK: Final = asked("take_back", "corner")
TROUBLE: Final = asked("take_back", "trouble")
CARD: Final = {why: asked("card", why) for why in ("landed", "second", "guessed", "top")}
CUT: Final = asked("cut")
MOVE: Final = asked("move_to")
HUNCH: Final = asked("hunch")
ROLL: Final = asked("roll")


def played(language: str, stop: Stop, seed: int, n: int = 2, *, own: bool = False) -> Drive:
    """Return a box on which the last answer was given on the buttons."""
    *before, last = answers(stop, n, seed, own=own)
    drive = Drive(begin_game(table(OWN if own else VIRTUAL, n, seed), before), language)
    drive.resume()
    drive.choose(last)
    if drive.table.talk is not None:  # the box points at a card and asks for a confirmation
        drive.choose("yes")
    return drive


def shown(language: str, name: str, seed: int, n: int = 2, *, steps: int = 9) -> Drive:
    """Return the frame of a fact's moment, after some pictures of its movement."""
    drive = played(language, STOPS[name], seed, n)
    words = session_words(drive.session, "en")
    while words.fact_name_with_variant(drive.front) != name:
        drive.press("ok")
    return moving(drive, steps)


def moving(drive: Drive, steps: int) -> Drive:
    while drive.moments and drive.table.overlays.picture < min(
        steps, drive.moments[0].pictures - 1
    ):
        drive.wait(0.01)
    return drive


def question(
    language: str, stop: Stop, seed: int, n: int = 2, *presses: str, own: bool = False
) -> Drive:
    """Return the frame of a question without earlier moments, after some presses."""
    drive = played(language, stop, seed, n, own=own)
    drive.skip()
    drive.press(*presses)
    return drive


def press(drive: Drive, *buttons: str) -> Drive:
    drive.press(*buttons)
    return drive


def next_moment(drive: Drive, times: int = 1) -> Drive:
    for _ in range(times):
        front = drive.moments[:1]
        while drive.moments[:1] == front:
            drive.press("ok")
    return moving(drive, 9)


def putting_down(language: str, n: int = 2, seed: int = 6) -> Drive:
    """Return the curtain before a player who puts a card down."""
    return question(language, STOPS["placed.marked"], seed, n)


def looking(drive: Drive, button: str) -> Drive:
    drive.down(button)
    drive.wait(LOOK_HOLD_SECONDS)
    return drive


def later_look(language: str) -> Drive:
    drive = question(language, MARKED, 44)
    while drive.table.curtain:
        drive.press("back")
    drive.choose(drive.session.standing.pending_prompt.options[0])  # type: ignore[union-attr]
    drive.skip()
    while drive.table.curtain:
        drive.press("back")
    return looking(drive, "seat1")


def standing(language: str, stop: Stop, seed: int, n: int) -> Drive:
    given = answers(stop, n, seed, own=False)
    drive = Drive(begin_game(table(VIRTUAL, n, seed), given), language)
    drive.choose("resume")
    if drive.front.name == "resumed":
        drive.press("down")
    return drive


def options(language: str) -> Drive:
    drive = Drive(language=language)
    drive.choose("new")
    drive.choose("baretta")
    for value in (2, "Billy", "Rooster"):
        drive.choose(value)
    drive.press("back", "down")
    return drive


def accusing(language: str) -> Drive:
    drive = Drive(begin_game(table(VIRTUAL, 4, 1), ["killer"]), language)
    drive.resume()
    return drive


def another(language: str) -> Drive:
    """Return the frame of a card that the edition does not have."""
    drive = question(language, CARD["landed"], 0, 4, own=True)
    drive.choose("another")
    return drive


def correcting(language: str) -> Drive:
    """Return the frame of an out-of-turn correction with own cards."""
    drive = question(language, MOVE, 0, 4, own=True)
    drive.press("back")
    drive.choose("correct")
    return drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "baretta_options": options,
    "baretta_accused": accusing,
    "baretta_dealt": lambda lang: shown(lang, "dealt.aside", 0, 3),
    "baretta_cut": lambda lang: question(lang, CUT, 0, 4),
    "baretta_begins": lambda lang: shown(lang, "begins", 0, 4),
    "baretta_move_to": lambda lang: question(lang, MOVE, 1),
    "baretta_move_to_another": lambda lang: question(lang, MOVE, 1, 2, "down", "down"),
    "baretta_move_on": lambda lang: question(lang, moves_on, 3, 4, "up"),
    "baretta_real_dice": lambda lang: question(lang, ROLL, 0, 4, own=True),
    "baretta_move": lambda lang: shown(lang, "turned.move", 3, 4),
    "baretta_card_back": lambda lang: shown(lang, "turned.move", 3, 4, steps=0),
    "baretta_card_edge": lambda lang: shown(lang, "turned.move", 3, 4, steps=1),
    "baretta_stay_put": lambda lang: shown(lang, "turned.stay_put", 0, 4),
    "baretta_go_to": lambda lang: shown(lang, "turned.go_to", 26, 4),
    "baretta_corner": lambda lang: shown(lang, "moved.place", 26, 4),
    "baretta_wounded": lambda lang: shown(lang, "turned.wounded", 7, 4),
    "baretta_wounded_card": lambda lang: next_moment(shown(lang, "turned.wounded", 7, 4)),
    "baretta_in_trouble": lambda lang: shown(lang, "turned.in_trouble", 1, 4),
    "baretta_take_back_own": lambda lang: question(lang, TROUBLE, 33, 4),
    "baretta_hunch": lambda lang: shown(lang, "turned.hunch", 2, 4),
    "baretta_hunch_or_not": lambda lang: question(lang, HUNCH, 2, 4),
    "baretta_hunch_sure": lambda lang: question(lang, HUNCH, 2, 4, "down", "ok"),
    "baretta_hunch_points": lambda lang: question(lang, HUNCH, 2, 4, "down", "down", "down"),
    "baretta_guess_turns": lambda lang: shown(lang, "guessed.wrong", 13, 4, steps=1),
    "baretta_guess_turns_on": lambda lang: shown(lang, "guessed.wrong", 13, 4, steps=2),
    "baretta_guess_is_seen": lambda lang: shown(lang, "guessed.wrong", 13, 4, steps=3),
    "baretta_guessed_wrong": lambda lang: shown(lang, "guessed.wrong", 13, 4),
    "baretta_out": lambda lang: next_moment(shown(lang, "guessed.wrong", 13, 4)),
    "baretta_guessed_right": lambda lang: shown(lang, "guessed.arrest", 25, 4),
    "baretta_bars": lambda lang: moving(press(shown(lang, "guessed.arrest", 25, 4), "ok"), 1),
    "baretta_arrest": lambda lang: next_moment(shown(lang, "guessed.arrest", 25, 4)),
    "baretta_over": lambda lang: next_moment(shown(lang, "guessed.arrest", 25, 4), 2),
    "baretta_in_vain": lambda lang: shown(lang, "in_vain", 39, 4),
    "baretta_placed": lambda lang: shown(lang, "placed.marked", 0, 4),
    "baretta_curtain": putting_down,
    "baretta_secret": lambda lang: looking(putting_down(lang), "ok"),
    "baretta_secret_and_others": lambda lang: looking(question(lang, again, 45), "ok"),
    "baretta_secrets_later": later_look,
    "baretta_unmark": lambda lang: question(lang, UNMARK, 21, 4, "down"),
    "baretta_unmarked": lambda lang: shown(lang, "unmarked", 6),
    "baretta_give_back": lambda lang: question(lang, GIVE_BACK, 20, 4),
    "baretta_taken_back": lambda lang: shown(lang, "taken_back", 46, 4),
    "baretta_not_arrest": lambda lang: shown(lang, "not_arrest", 4, 4),
    "baretta_which_card": lambda lang: question(lang, CARD["landed"], 0, 4, own=True),
    "baretta_which_card_second": lambda lang: question(lang, CARD["second"], 17, 4, own=True),
    "baretta_which_card_guessed": lambda lang: question(lang, CARD["guessed"], 36, 4, own=True),
    "baretta_which_card_top": lambda lang: question(lang, CARD["top"], 0, 4, own=True),
    "baretta_another_card": another,
    "baretta_correct": correcting,
    "baretta_standing_at_first": lambda lang: standing(lang, CUT, 0, 4),
    "baretta_standing": lambda lang: standing(lang, MARKED, 44, 2),
    "baretta_standing_of_four": lambda lang: standing(lang, TROUBLE, 33, 4),
}
