"""Frames of Kojak with real cards and without a die, so that answers decide everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.helpers import Drive, begin_game, setup_for

TOLD: Final = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
FOUR: Final = ("Ann", "Bartholomé", "Stavros", "Wojehowicz")
NOTHING: Final = "nothing"


def at(language: str, *answers: Any, options: dict[str, str] | None = None, n: int = 2) -> Drive:
    """Return a box after `answers`. Ann begins."""
    setup = setup_for({**TOLD, **(options or {})}, game="kojak", players=FOUR[:n])
    drive = Drive(begin_game(setup, answers), language)
    drive.resume()
    return drive


def told(language: str, *answers: Any, n: int = 2, options: dict[str, str] | None = None) -> Drive:
    """Return the box of `at`, with the last answer given on the buttons."""
    drive = at(language, *answers[:-1], n=n, options=options)
    drive.choose(answers[-1])
    return drive


def until(drive: Drive, cue: str) -> Drive:
    """Close everything in front of a fact's moment."""
    while drive.front.name != cue:
        drive.press("ok")
    return drive


def wished(drive: Drive, value: str) -> Drive:
    """Choose a drive of the box's car."""
    drive.services.advice.announce_computer_choice(value)
    return drive


def moved(drive: Drive, pictures: int) -> Drive:
    """Skip some pictures of a movement."""
    last = drive.table.overlays.picture + pictures
    while drive.table.overlays.picture < last:
        drive.wait(0.02)
    return drive


def alone(*reached: Any) -> tuple[Any, ...]:
    """Return the answers of a game of two players in which only Ann reaches spaces."""
    found: list[Any] = ["Ann"]
    for answer in reached:
        found += [*(answer if isinstance(answer, tuple) else (answer,)), NOTHING]
    return tuple(found)


MISSION: Final = ("mission", "red")
HUNT: Final = (MISSION, "parked", "station")
"""Ann posts her warrant for the red file."""
TO_RED: Final = ("trap", "red", "advance:red:3")
ARREST: Final = (*HUNT, TO_RED, "entrance")


def board(language: str) -> Drive:
    """Return a box with four players in different stages."""
    both = ("mission", "red", "mission", "yellow", NOTHING, "mission", "blue")
    parked = ("parked", "parked", NOTHING, "parked")
    posted = ("station", NOTHING, "mission", "red", "station")
    red = ("trap", "red", "advance:red:3", NOTHING, NOTHING, "trap", "blue", "advance:blue:3")
    yellow = ("trap", "yellow", "advance:yellow:1")
    rest = (NOTHING, *yellow, "parked", "entrance", *yellow)
    answers = ("Ann", *both, *parked, *posted, *red, *rest)
    drive = at(language, *answers, n=4)
    drive.press("back")
    drive.choose("standing")
    return drive


def pressed(drive: Drive, *buttons: str) -> Drive:
    drive.press(*buttons)
    return drive


def tied(language: str) -> Drive:
    """Return a box with two arrests for each player. Buttons enter the last arrest."""
    answers: list[Any] = ["Ann"]
    for mine, other in (("red", "yellow"), ("blue", "green")):
        answers += ["mission", mine, "mission", other, "parked", "parked", "station", "station"]
        for colour in (mine, other):
            answers += ["trap", colour, f"advance:{colour}:3"]
        answers += ["entrance", "entrance"]
    return until(told(language, *answers), "tied")


def raced(language: str) -> Drive:
    drive = tied(language)
    drive.skip()
    return drive


def won(language: str) -> Drive:
    drive = raced(language)
    drive.choose("Ann")
    return drive


def agree_to_undo(language: str) -> Drive:
    """Return a box that asks for consent to undo a public draw."""
    drive = told(language, FOUR[0], "mission", options={"deck": "virtual"})
    drive.skip()
    drive.press("back", seconds=1.0)
    return drive


def begun_by_four(language: str) -> Drive:
    """Return a box that shows the car of each player."""
    drive = Drive(None, language)
    drive.new("kojak")
    drive.walk(4, "Crocker", "Rizzo", "Saperstein", "Stavros", "start")
    return drive


def _options(language: str) -> Drive:
    drive = Drive(None, language)
    for value in ("new", "kojak", 2, "Crocker", "Rizzo"):
        drive.choose(value)
    drive.press("back")
    return drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "kojak_cars": begun_by_four,
    "kojak_blocked": lambda lang: told(lang, "Ann", "blocked"),
    "kojak_wish": lambda lang: wished(at(lang, "Ann"), "mission"),
    "kojak_to_mission": lambda lang: at(lang, "Ann"),
    "kojak_mission_card": lambda lang: at(lang, *alone(), "mission"),
    "kojak_mission_kept": lambda lang: told(lang, *alone(), *MISSION),
    "kojak_mission_again": lambda lang: told(lang, "Ann", *MISSION, "mission", "red"),
    "kojak_hunting": lambda lang: at(lang, *alone(*HUNT)),
    "kojak_trap_cards": lambda lang: at(lang, *alone(*HUNT), "trap"),
    "kojak_trap_orders": lambda lang: at(lang, *alone(*HUNT), "trap", "red"),
    "kojak_trap_card_face_down": lambda lang: told(lang, *alone(*HUNT), *TO_RED),
    "kojak_trap_card": lambda lang: moved(told(lang, *alone(*HUNT), *TO_RED), 3),
    "kojak_kojak_card": lambda lang: moved(told(lang, *alone(*HUNT), "trap", "kojak"), 3),
    "kojak_walk": lambda lang: moved(until(told(lang, *alone(*HUNT), *TO_RED), "advanced"), 1),
    "kojak_walk_ends_on_red": lambda lang: moved(
        until(told(lang, *alone(*HUNT), *TO_RED), "advanced"), 3
    ),
    "kojak_alarm": lambda lang: moved(until(told(lang, *alone(*HUNT), *TO_RED), "on_red"), 3),
    "kojak_gone": lambda lang: moved(
        until(told(lang, *alone(*HUNT, TO_RED), "trap", "red", "advance:red:1"), "off_red"), 1
    ),
    "kojak_may_arrest": lambda lang: at(lang, *alone(*HUNT, TO_RED)),
    "kojak_no_arrest": lambda lang: told(lang, *alone(*HUNT), "entrance"),
    "kojak_warrant": lambda lang: told(lang, *alone(MISSION, "parked"), "station"),
    "kojak_arrest": lambda lang: moved(told(lang, *alone(*ARREST)[:-1]), 4),
    "kojak_file_closed": lambda lang: until(told(lang, *alone(*ARREST)[:-1]), "accused"),
    "kojak_closed_already": lambda lang: until(told(lang, *alone(*ARREST), *MISSION), "mission"),
    "kojak_six": lambda lang: told(lang, 6, 1, 6, options={"die": "real"}),
    "kojak_six_asked": lambda lang: at(lang, 6, 1, 6, options={"die": "real"}),
    "kojak_real_die": lambda lang: at(lang, 6, 1, options={"die": "real"}),
    "kojak_board": board,
    "kojak_board_of_another": lambda lang: pressed(board(lang), "down"),
    "kojak_race": lambda lang: moved(tied(lang), 3),
    "kojak_race_asked": raced,
    "kojak_over": won,
    "kojak_agree_to_undo": agree_to_undo,
    "kojak_options": _options,
}
