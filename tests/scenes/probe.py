"""Frames of Probe: real racks with four players, secret words with two, out-of-turn answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.wheel import DONE_PLACE
from companion.say.dictionary import Dictionary
from tests.helpers import Drive, begin_game, setup_for

RACKS: Final = {"words": "racks", "deck": "own", "remember": "no"}
REMEMBER: Final = {**RACKS, "remember": "yes"}
SECRET: Final = {**RACKS, "words": "secret"}
FOUR: Final = ("Ada", "Bartholomé", "Emily", "Wojehowicz")
TWO: Final = FOUR[:2]
LENGTHS: Final = (7, 12, 4, 9)
WORDS: Final = ("PROBE", "..FLAP.", "MANOEUVRE", "ELEPHANT..")
NORMAL: Final = (*LENGTHS, "normal")


def at(
    language: str,
    *answers: Any,
    players: tuple[str, ...] = FOUR,
    options: dict[str, str] = RACKS,
    dictionary: Callable[[], Dictionary] | None = None,
) -> Drive:
    """Return a box with real cards, after `answers`."""
    setup = setup_for(options, game="probe", players=players)
    drive = Drive(begin_game(setup, answers), language, dictionary=dictionary)
    drive.resume()
    return drive


def told(language: str, *answers: Any, **table: Any) -> Drive:
    """Return the box of `at`, with the last answer given on the buttons, after its movement."""
    drive = at(language, *answers[:-1], **table)
    drive.choose(answers[-1])
    return ended(drive)


def turning(language: str) -> Drive:
    """Return the frame of a card that is being turned."""
    drive = at(language, *LENGTHS)
    drive.choose("times 3")
    return drive


def ended(drive: Drive) -> Drive:
    while drive.moments and drive.table.overlays.picture + 1 < drive.moments[0].pictures:
        drive.wait(0.4)
    return drive


def secret(language: str, *answers: Any) -> Drive:
    return at(language, *WORDS, *answers, players=TWO, options=SECRET)


def looking(drive: Drive, button: str = "ok") -> Drive:
    drive.down(button)
    drive.wait(LOOK_HOLD_SECONDS)
    return drive


def chosen(drive: Drive) -> Drive:
    """Look as the owner, and turn to the first answer."""
    drive = looking(drive)
    drive.press("down")
    return drive


def spelt(drive: Drive, text: str, *, done: bool = False) -> Drive:
    """Spell a text on the letter wheel."""
    for letter in (*text, *([DONE_PLACE] if done else [])):
        drive.choose(letter)
    return drive


def spelling(language: str) -> Drive:
    drive = looking(at(language, players=TWO, options=SECRET))
    drive.up("ok")
    return drive


class _Lists(Dictionary):
    """Word lists without words."""

    def __init__(self) -> None: ...

    def _folded(self, name: str) -> tuple[Path, Path]:
        raise NotImplementedError(name)

    def look_up(self, word: str, language: str) -> Any:
        """Return no words."""
        from companion.say.dictionary import WORD_LISTS, WordVerdict  # noqa: PLC0415 - only here

        return WordVerdict(known=not word, lists=tuple(WORD_LISTS[language]))


def unlisted(language: str) -> Drive:
    drive = looking(at(language, players=TWO, options=SECRET, dictionary=_Lists))
    drive.up("ok")
    return spelt(drive, "PROBES", done=True)


def press(drive: Drive, *buttons: str) -> Drive:
    drive.press(*buttons)
    return drive


def menu(drive: Drive, *values: Any) -> Drive:
    drive.press("back")
    for value in values:
        drive.choose(value)
    return ended(drive)


def uncovered(language: str) -> Drive:
    """Return a box at the only fitting place, after a look behind the curtain."""
    drive = chosen(secret(language, "times 4", "U"))
    drive.up("ok")
    drive.press("ok")
    return ended(drive)


HIT: Final = (*NORMAL, "Bartholomé", "yes")
OVER: Final = (*NORMAL[:4], "times 3", "Emily", "yes", 3, "Bartholomé", "yes", 1, "Emily", "no")
SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "probe_length": lambda lang: at(lang, 7),
    "probe_length_of_two": lambda lang: at(lang, 7, players=TWO),
    "probe_own_card": lambda lang: at(lang, *LENGTHS),
    "probe_another_card": lambda lang: at(lang, *LENGTHS, "another"),
    "probe_another_cards_points": lambda lang: at(lang, *LENGTHS, "another", "points"),
    "probe_by_hand": lambda lang: told(lang, *LENGTHS, "another", "by_hand"),
    "probe_card_turns": turning,
    "probe_times": lambda lang: told(lang, *LENGTHS, "times 3"),
    "probe_points": lambda lang: told(lang, *LENGTHS, "points -10"),
    "probe_left_uncovers": lambda lang: told(lang, *LENGTHS, "left_uncovers"),
    "probe_ask_whom": lambda lang: at(lang, *NORMAL),
    "probe_ask_whom_later": lambda lang: at(lang, *HIT, 3, "Emily", "yes", 2),
    "probe_answer": lambda lang: at(lang, *LENGTHS, "times 5", "Bartholomé"),
    "probe_answer_no_dot": lambda lang: press(at(lang, *NORMAL, "Bartholomé"), "up"),
    "probe_answer_of_two": lambda lang: at(lang, *NORMAL, players=TWO),
    "probe_uncover": lambda lang: press(at(lang, *HIT), "down", "down"),
    "probe_uncover_of_two": lambda lang: press(at(lang, *NORMAL, "yes", players=TWO), "up"),
    "probe_own_dot": lambda lang: at(lang, *LENGTHS, "own_dot"),
    "probe_hit": lambda lang: told(lang, *LENGTHS, "times 3", "Bartholomé", "yes", 3),
    "probe_no_dot": lambda lang: told(lang, *NORMAL, "Bartholomé", "no_dot"),
    "probe_asked_before": lambda lang: press(
        at(lang, *NORMAL, "Emily", "E", "yes", 1, "Emily", options=REMEMBER), *["up"] * 4
    ),
    "probe_standing": lambda lang: menu(at(lang, *HIT, 3), "standing"),
    "probe_points_of_a_player": lambda lang: press(menu(at(lang, *OVER), "standing"), "down"),
    "probe_interrupt": lambda lang: menu(at(lang, *NORMAL), "interrupt"),
    "probe_interrupt_verdict": lambda lang: menu(
        at(lang, *NORMAL), "interrupt", "Ada", "Bartholomé"
    ),
    "probe_too_few": lambda lang: menu(at(lang, *NORMAL), "interrupt", "Ada", "Emily"),
    "probe_interrupt_right": lambda lang: menu(
        at(lang, *NORMAL), "interrupt", "Ada", "Bartholomé", True
    ),
    "probe_which_rack": lambda lang: menu(secret(lang, "normal"), "interrupt", "Ada"),
    "probe_guess": lambda lang: spelt(
        menu(secret(lang, "normal"), "interrupt", "Ada", "Bartholomé:left"), "MANO"
    ),
    "probe_guess_sure": lambda lang: spelt(
        menu(secret(lang, "normal"), "interrupt", "Ada", "Bartholomé:left"), "MANOEUVRE", done=True
    ),
    "probe_correct": lambda lang: menu(at(lang, *NORMAL), "correct", "Emily"),
    "probe_corrected": lambda lang: menu(at(lang, *NORMAL), "correct", "Emily", -25),
    "probe_misspelled": lambda lang: menu(at(lang, *NORMAL), "misspelled"),
    "probe_stop": lambda lang: menu(at(lang, *NORMAL), "stop"),
    "probe_word_curtain": lambda lang: at(lang, players=TWO, options=SECRET),
    "probe_word_begins": spelling,
    "probe_word_too_short": lambda lang: spelt(spelling(lang), "..FL"),
    "probe_word": lambda lang: spelt(spelling(lang), "..FLAP"),
    "probe_word_in_no_list": unlisted,
    "probe_own_words": lambda lang: looking(secret(lang, "normal"), "seat2"),
    "probe_ask_for": lambda lang: press(secret(lang, "normal", "E", "Bartholomé:right:1"), "up"),
    "probe_which_copy": lambda lang: chosen(secret(lang, "normal", "E")),
    "probe_nothing_chosen": lambda lang: looking(secret(lang, "normal", "E")),
    "probe_secret_yes": lambda lang: told(lang, *WORDS, "normal", "E", players=TWO, options=SECRET),
    "probe_secret_no": lambda lang: told(lang, *WORDS, "normal", "Z", players=TWO, options=SECRET),
    "probe_secret_hit": uncovered,
    "probe_secret_only_place": lambda lang: chosen(secret(lang, "times 4", "U")),
    "probe_secret_no_own_dot": lambda lang: chosen(
        at(lang, "PROBE", "FLAP", *WORDS[2:], "own_dot", players=TWO, options=SECRET)
    ),
    "probe_stopped": lambda lang: menu(secret(lang, "normal"), "stop", "yes"),
    "probe_revealed": lambda lang: press(menu(secret(lang, "normal"), "stop", "yes"), "ok"),
    "probe_over": lambda lang: press(menu(at(lang, *OVER), "stop", "yes"), "ok"),
}
