"""Frames of the box and of Barney Miller: each scene drives an app on the fake box."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.box.events import HardwareTrouble
from companion.catalog import editions
from companion.core.prompts import Answer, legal_answers
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.record.journal import Journal, RepairResult
from hardware.ports import HardwareError
from tests.door.callers import unvisited
from tests.helpers import (
    OWN_PARTS_OPTIONS,
    PLAYER_NAMES,
    VIRTUAL_PARTS_OPTIONS,
    Drive,
    begin_game,
    raise_full_disk,
    setup_for,
)

TOLD: Final = {"deck": "own", "die": "real", "track": "ask"}
FOUR: Final = (1, 2, 3, 6)  # Yemana rolls highest: Fish plays the first card
THREE: Final = (1, 2, 6)
HAND: Final = setup_for({**TOLD, "deck": "virtual"}, players=PLAYER_NAMES[:3], seed="tens 69")
"""Fish's hand is 3 4 4 4 6 6 7 10 10."""


def at(language: str, *answers: Any, options: dict[str, str] | None = None) -> Drive:
    """Return a box with four players and real cards, after `answers`."""
    setup = setup_for(options or TOLD, players=PLAYER_NAMES)
    drive = Drive(begin_game(setup, (*FOUR, *answers)), language)
    drive.resume()
    return drive


def resumed(language: str, *answers: Any) -> Drive:
    """Return the box of `at` as it resumes the game."""
    journal = begin_game(setup_for(TOLD, players=PLAYER_NAMES), (*FOUR, *answers))
    return home(language, "resume", journal=journal)


def told(language: str, *answers: Any) -> Drive:
    """Return the box of `at`, with the last answer given on the buttons."""
    drive = at(language, *answers[:-1])
    drive.choose(answers[-1])
    return drive


def hand(language: str) -> Drive:
    drive = Drive(begin_game(HAND, (*THREE, "gang:molls")), language)
    drive.resume()
    return drive


def looking(drive: Drive, button: str = "ok") -> Drive:
    drive.down(button)
    drive.wait(LOOK_HOLD_SECONDS)
    return drive


def home(language: str, *values: Any, journal: Journal | None = None) -> Drive:
    drive = Drive(journal, language, door=unvisited)
    drive.walk(*values)
    return drive


def played(n: int = 5, *, undone: bool = False) -> Journal:
    """Return a record with a whole game and an unfinished one.

    undone: undo the fifth answer once.
    """
    setup = setup_for(OWN_PARTS_OPTIONS, players=PLAYER_NAMES, seed="past")
    journal = Journal(None)
    session = Session.begin(journal, setup, 1_763_600_000)
    rng = random.Random(n)
    while session.standing.pending_prompt is not None:
        session.answer(random_answer(session.standing.pending_prompt, rng), 1_763_610_000)
        if undone and session.standing.history.last.answers == 5:
            session.undo(1_763_610_000)
            undone = False
        session.commit()
    return begin_game(setup_for(OWN_PARTS_OPTIONS, players=("Zoë", "Bartholomé")), (), journal)


def over(language: str) -> Drive:
    """Return a box after the last two presses of a whole game."""
    again = ("positive_identification", *WIN_AGAIN)
    return told(language, "positive_identification", *WIN, *again, *again, *again)


def past_the_deal(language: str) -> Drive:
    """Return a box on which two players have used up their hands (BM-11)."""
    answers: list[Any] = [1, 6]
    session = Session.begin(Journal(None), setup_for(TOLD), 0)
    rng = random.Random(3)
    for answer in answers:
        session.answer(answer, 0)
    while not any(cue.name == "dealt" for cue in session.standing.snapshot.cues):
        assert session.standing.pending_prompt is not None
        name = session.standing.pending_prompt.name
        answers.append(
            "start" if name == "space" else random_answer(session.standing.pending_prompt, rng)
        )
        session.answer(answers[-1], 0)
        session.commit()
    drive = Drive(begin_game(setup_for(TOLD), answers[:-1]), language)
    drive.resume()
    drive.choose(answers[-1])
    while drive.front.name != "dealt":
        drive.press("ok")
    return drive


def not_written(language: str) -> Drive:
    drive = at(language, "gang:molls")
    drive.journal.append_entries_to_game = raise_full_disk  # type: ignore[method-assign]
    drive.press("ok")
    return drive


def damaged(language: str) -> Drive:
    journal = Journal(None)
    journal.unannounced_repair = RepairResult(1234, 12, "games-damaged-2026-11-21-091345.db")
    return Drive(journal, language)


def no_sound(language: str) -> Drive:
    drive = at(language, "gang:molls")
    drive.loop.inbox.put(HardwareTrouble(HardwareError("no sound", "sound")))
    drive.pump()
    return drive


def edition_mistakes(language: str) -> Drive:
    with TemporaryDirectory() as folder:
        file = editions.user_edition_file("barney-miller", Path(folder))
        file.parent.mkdir(parents=True)
        file.touch()
        drive = Drive(None, language, folder=Path(folder))
        drive.walk("new", 2, "Fish", "Harris", "start")
    return drive


def our_board(language: str, *values: str | int, down: int = 0) -> Drive:
    """Return a box after answers about the kind of its board."""
    with TemporaryDirectory() as folder:
        drive = Drive(None, language, taught=Path(folder))
        drive.walk("new", 2, "Fish", "Harris", "start", *values)
        drive.press(*["down"] * down)
    return drive


TRACK: Final = ("gang:molls", "insufficient_evidence", "arrest_warrant", *["gang:caps"] * 4)


def press(drive: Drive, *buttons: str) -> Drive:
    drive.press(*buttons)
    return drive


def hold(drive: Drive, button: str, seconds: float) -> Drive:
    drive.down(button)
    drive.wait(seconds)
    return drive


def held(drive: Drive, button: str) -> Drive:
    drive.press(button, seconds=1.0)
    return drive


def silenced(drive: Drive) -> Drive:
    """Hold UP and DOWN together for a second."""
    drive.down("up")
    drive.down("down")
    drive.wait(1.0)
    drive.up("up")
    drive.up("down")
    return drive


def night(language: str) -> Drive:
    """Return the settings page of a quiet box at eleven in the evening."""
    drive = Drive(None, language)
    drive.hour = 23
    drive.walk("settings", "quiet_from", "22", "7")
    drive.turn_to("quiet_from")
    return drive


def _looked(drive: Drive) -> Drive:
    press(looking(drive), "down").up("ok")
    return drive


def seen_since(language: str) -> Drive:
    """Return a box on which an undo needs consent, because a second hand was seen."""
    setup = setup_for(VIRTUAL_PARTS_OPTIONS)
    session = Session.begin(Journal(None), setup, 0)
    answers, rng = [], random.Random(2)
    while not any(cue.name == "picked_up" for cue in session.standing.snapshot.cues):
        assert session.standing.pending_prompt is not None
        answers.append(random_answer(session.standing.pending_prompt, rng))
        session.answer(answers[-1], 0)
    picked = next(cue for cue in session.standing.snapshot.cues if cue.name == "picked_up")
    drive = Drive(begin_game(setup, answers), language)
    drive.resume()
    seat = f"seat{setup.players.index(picked.facts['who']) + 1}"
    looking(drive, seat).up(seat)
    return drive


def _peeping(language: str) -> Drive:
    drive = hand(language)
    drive.press("back")
    drive.choose("look")
    drive.choose("Wojehowicz")
    return drive


def _named() -> Journal:
    journal = Journal(None)
    journal.save_setting("names", ["Bartholomé", "Zoë"], 0)
    journal.save_setting("languages", {"Zoë": "fr"}, 0)
    return journal


def at_ten(language: str, *answers: str) -> Drive:
    """Return a box that asks for a 0 at ten, after these answers."""
    setup = setup_for(VIRTUAL_PARTS_OPTIONS)
    drive = Drive(begin_game(setup, _to_ten(setup, answers)), language)
    drive.resume()
    return looking(drive)


def _to_ten(setup: GameSetup, answers: tuple[str, ...]) -> list[Answer]:
    """Return the answers of a random game up to a question for a 0 at ten."""
    for seed in count():
        session, rng = Session.begin(Journal(None), setup, 0), random.Random(seed)
        given: list[Answer] = []
        while (prompt := session.standing.pending_prompt) is not None:
            if prompt.name == "zero" and tuple(legal_answers(prompt)) == answers:
                return given
            given.append(random_answer(prompt, rng))
            session.answer(given[-1], 0)
    raise AssertionError


def desks(language: str) -> Drive:
    """Return a box on which two players choose their desks."""
    setup = setup_for(OWN_PARTS_OPTIONS | {"posters": "choose"}, players=("Ann", "Zoë"))
    drive = Drive(begin_game(setup, ()), language)
    drive.resume()
    return drive


def who_sits_where(language: str) -> Drive:
    """Return a box that shows the chosen desks."""
    drive = desks(language)
    for detective in ("Harris", "Yemana"):
        drive.choose(detective)
        drive.press("ok")
    return drive


WIN: Final = (4, 5, 3)  # Fish, Harris; Wojehowicz goes over: Harris wins
WIN_AGAIN: Final = (5, 4, 0, 2)  # Yemana, Fish, Harris; Wojehowicz goes over: Harris wins
SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "home_first_time": home,
    "home_with_an_unfinished_game": lambda lang: home(lang, journal=played()),
    "unfinished_games": lambda lang: home(
        lang,
        "resume",
        journal=begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=PLAYER_NAMES), (), played()),
    ),
    "past_games": lambda lang: home(lang, "games", journal=played()),
    "past_game": lambda lang: home(lang, "games", "1", journal=played()),
    "past_game_curve": lambda lang: press(home(lang, "games", "1", journal=played()), "down"),
    "past_game_code": lambda lang: press(home(lang, "games", "1", journal=played()), "up", "up"),
    "past_game_seed": lambda lang: press(home(lang, "games", "1", journal=played()), "up"),
    "past_game_card": lambda lang: press(home(lang, "games", "1", journal=played()), *["down"] * 3),
    "past_game_taken_back": lambda lang: press(
        home(lang, "games", "1", journal=played(undone=True)), *["down"] * 7
    ),
    "delete_a_game": lambda lang: home(lang, "games", "delete", "1", journal=played()),
    "player_count": lambda lang: home(lang, "new"),
    "name_of_the_first": lambda lang: home(lang, "new", 3),
    "name_of_the_third": lambda lang: home(lang, "new", 3, "Fish", "Yemana"),
    "spelling_begins": lambda lang: home(lang, "new", 2, "spell"),
    "spelling": lambda lang: press(home(lang, "new", 2, "spell", "Z", "o"), "ok", "up"),
    "spelling_is_full": lambda lang: press(home(lang, "new", 2, "spell"), *["ok"] * 20),
    "options": lambda lang: press(home(lang, "new", 2, "Fish", "Harris"), "back", "down"),
    "setting_up": lambda lang: home(lang, "new", "these 3"),
    "shuffle_code": lambda lang: press(
        home(lang, "resume", journal=begin_game(setup_for(OWN_PARTS_OPTIONS, mixing=True))), "ok"
    ),
    "shuffle_code_pressed": lambda lang: press(
        home(lang, "resume", journal=begin_game(setup_for(OWN_PARTS_OPTIONS, mixing=True))),
        "ok",
        "ok",
    ),
    "total_0": lambda lang: at(lang, "gang:molls"),
    "total_7": lambda lang: at(lang, "gang:molls", 4, 3),
    "zero_at_ten": lambda lang: at(lang, "gang:molls", 8, 2),
    "zero_nothing_chosen": lambda lang: at_ten(lang, "play", "pass"),
    "zero_in_the_hand": lambda lang: press(at_ten(lang, "play", "pass"), "down"),
    "no_zero_in_the_hand": lambda lang: press(at_ten(lang, "pass"), "down"),
    "fifth_zero": lambda lang: told(lang, "gang:molls", *[0] * 5),
    "is_the_board_yours": our_board,
    "the_board": lambda lang: our_board(lang, "see", down=1),
    "walk_of_the_track": lambda lang: our_board(lang, "teach", *TRACK),
    "walk_of_a_poster": lambda lang: our_board(lang, "teach", *TRACK, "start", "caps"),
    "desks": desks,
    "who_sits_where": who_sits_where,
    "commit_list": lambda lang: at(lang, "arrest_warrant", *WIN),
    "free_list": lambda lang: at(
        lang, "gang:molls", *WIN, "gang:hoods", *WIN_AGAIN, "insufficient_evidence", *WIN_AGAIN
    ),
    "space_list": at,
    "real_die": lambda lang: at(lang, options={**TOLD, "track": "edition"}),
    "moved_to_a_gang": lambda lang: told(lang, "gang:molls"),
    "moved_to_insufficient_evidence": lambda lang: told(lang, "insufficient_evidence"),
    "moved_to_positive_identification": lambda lang: told(lang, "positive_identification"),
    "moved_to_arrest_warrant": lambda lang: told(lang, "arrest_warrant"),
    "went_over_and_captured": lambda lang: told(lang, "gang:molls", *WIN),
    "exactly_ten": lambda lang: press(told(lang, "positive_identification", 8, 2, "pass")),
    "last_zero": lambda lang: told(lang, "start", 8, 2, "play", "pass"),
    "set_free": lambda lang: told(lang, "gang:molls", *WIN, "insufficient_evidence", *WIN_AGAIN),
    "captured_by_choice": lambda lang: told(lang, "arrest_warrant", *WIN, "harris-molls"),
    "new_cards": past_the_deal,
    "game_over": lambda lang: press(over(lang), "ok"),
    "standing_at_first": lambda lang: home(
        lang,
        "resume",
        journal=begin_game(setup_for(OWN_PARTS_OPTIONS, players=("Ann", "Fish")), ()),
    ),
    "resumed": lambda lang: resumed(lang, "gang:molls", 4, 3),
    "resumed_after_a_round": lambda lang: resumed(lang, "start", *WIN),
    "standing": lambda lang: press(resumed(lang, "start", *WIN), "down"),
    "menu": lambda lang: press(at(lang, "gang:molls", 4), "back", "down", "down"),
    "why": lambda lang: held(told(lang, "gang:molls", *WIN), "ok"),
    "held_back": lambda lang: hold(at(lang, "gang:molls", 4), "back", 0.7),
    "held_a_second": lambda lang: hold(at(lang, "gang:molls", 4), "back", 1.0),
    "taken_back": lambda lang: held(at(lang, "gang:molls", 4), "back"),
    "help_of_back": lambda lang: hold(at(lang, "gang:molls", 4), "back", 2.0),
    "help_of_ok_in_the_menus": lambda lang: hold(home(lang), "ok", 2.0),
    "silenced": lambda lang: silenced(at(lang, "gang:molls", 4)),
    "silent": lambda lang: press(silenced(at(lang, "gang:molls", 4)), "ok"),
    "quiet_hours": night,
    "quiet_from": lambda lang: home(lang, "settings", "quiet_from"),
    "quiet_to": lambda lang: home(lang, "settings", "quiet_from", "22"),
    "curtain": hand,
    "hand_nothing_chosen": lambda lang: looking(hand(lang)),
    "hand_of_nine": lambda lang: press(looking(hand(lang)), "down"),
    "hand_and_a_card": lambda lang: press(looking(hand(lang)), "down", "down"),
    "curtain_ready": lambda lang: _looked(hand(lang)),
    "only_looking": lambda lang: looking(_peeping(lang)),
    "curtain_for_a_look": _peeping,
    "settings": lambda lang: home(lang, "settings"),
    "volume": lambda lang: home(lang, "settings", "volume"),
    "languages": lambda lang: home(lang, "settings", "languages", journal=_named()),
    "refusal": lambda lang: press(hand(lang), "ok"),
    "agree_to_undo": lambda lang: held(seen_since(lang), "back"),
    "not_written": not_written,
    "damage": damaged,
    "hardware_note": no_sound,
    "edition_with_mistakes": edition_mistakes,
}
