"""Count the presses to begin a game, to begin again, and to spell.

`python -m tests.system.bench.pressed` prints the counts. UP and DOWN count once for each step, and
the code of chance counts once for each player. A game has the options that a new box proposes.
Its first move is the first answer of a player: the roll for the first turn, or in Probe the
length of a word. Its first turn begins after all rolls, with words of the proposed length.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from companion.catalog import editions, registry
from companion.core.prompts import Choose
from companion.core.snapshot import Snapshot
from companion.games.probe.rules.board import LETTERS
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.press.cursor import HOLD_SECONDS
from companion.press.wheel import split_letters_into_rows
from companion.record.journal import Journal
from companion_testing import Playout, play_random_game, tables_of_all_option_combinations
from hardware.mock import MIN_READING_SECONDS
from tests.helpers import VIRTUAL_PARTS_OPTIONS, Drive, begin_game, printed_edition, setup_for
from tests.system.bench.row import Row

START_LIMITS: Final = {2: 8, 3: 9}
"""Maximum presses from the first screen to a game's first move, by number of players."""
TABLE: Final = 8
"""Maximum presses to the first move of a rematch, with real cards and a real die."""
OWN_TABLE_LIMIT: Final = 14
"""Maximum presses from a new box's first screen to the first card, with own cards and dice."""
TURN_LIMIT: Final = 1
"""Maximum presses for a turn of Kojak in which the car reaches nothing, with an own die."""
BOARD_TOUR_LIMIT: Final = 70
"""Maximum presses for a tour of a board that is as assumed."""
GESTURE_LIMIT: Final = 2
"""Maximum presses to repeat the speech, to show the standings, or to get a hint with BACK held."""
REMATCH: Final = 3
NAMES: Final = {"Zoé": 25}
SECRETS: Final = {"JOURNEY": 35}
WORDS: Final = (
    "JOURNEY", "ZEBRA", "QUARTZ", "HOUSE", "PLANET", "WINDOW", "GARDEN", "MUSIC", "BRIDGE",
    "KITCHEN", "RHYTHM", "OXYGEN", "POLICE", "DETECTIVE", "TROPHY", "JACKET", "PUZZLE", "SUMMER",
    "CASTLE", "CHERRY", "MAISON", "JARDIN", "VOYAGE", "CHEVAL", "FENETRE", "SOLEIL", "FAMILLE",
    "MUSIQUE", "POISSON", "LUMIERE", "CUISINE", "PARAPLUIE", "TROTTOIR", "BIJOU",
)  # fmt: skip
"""Typical secret words of both languages, some of them difficult to spell."""

PRESS_SECONDS, LETTER_SECONDS, ROW_SECONDS = 0.28, 0.1, 0.35
"""A searching person's time (s) to press, to reject a letter, and to find a letter's row."""


class Counted(Drive):
    """A box whose presses are counted."""

    pressed = 0

    def press(self, *buttons: str, seconds: float = 0.08, gap: float = MIN_READING_SECONDS) -> None:
        """Count and press buttons."""
        self.pressed += len(buttons)
        super().press(*buttons, seconds=seconds, gap=gap)

    def to_the_question(self) -> None:
        """Accept each proposal until a game asks a question."""
        while (
            self.page is not None
            or self.moments
            or (prompt := self.session.standing.pending_prompt) is None
            or prompt.name == "mix"
        ):
            if self.table.overlays.until is not None:
                self.wait(10)
            else:
                self.press("ok")

    def spell(self, text: str) -> None:
        """Spell a text and end it."""
        for letter in text:
            self.choose(letter)
        self.press("ok", seconds=HOLD_SECONDS + 0.1)


def started(game: str, players: int, *, turn: bool = False) -> int:
    """Return the presses from a new box's first screen to a game's first move, or first turn."""
    drive = Counted()
    drive.choose("new")
    drive.choose(game)
    drive.choose(f"these {players}")
    drive.to_the_question()
    while turn and is_opening(drive.session.standing.snapshot):
        drive.press("ok")
        drive.to_the_question()
    return drive.pressed


def at_the_table(game: str, players: int = 2) -> int:
    """Return the presses to the first move of a rematch, with real cards and a real die."""
    ways = {o.name: o.values[0] for o in registry.find_game(game).options} | {"posters": "choose"}
    ways |= {"deck": "own", "die": "real"}
    known = {o.name: ways[o.name] for o in registry.find_game(game).options}
    drive = Counted(begin_game(setup_for(known, game=game, players=("Ann", "Bob", "Cy")[:players])))
    drive.choose("rematch")
    drive.to_the_question()
    drive.press("ok")
    return drive.pressed


def own_table(game: str, folder: Path) -> int:
    """Return the presses from a new box's first screen to the first card, with own cards and dice.

    The board is as assumed. If the players enter rolls, the first one has the likeliest number, and
    the second one has one more.
    """
    drive = Counted(taught=folder)
    for value in ("new", game, "these 2"):
        drive.choose(value)
    if drive.page == "setup":
        drive.press("back")
    if "own" in drive.table.menu_or_game_prompt.options:  # type: ignore[union-attr]
        drive.choose("own")
    drive.choose("start")
    if drive.page == "board":
        drive.choose("assumed")
    drive.to_the_question()
    while is_opening(drive.session.standing.snapshot):
        second = drive.session.standing.pending_prompt.who == drive.session.game_setup.players[1]  # type: ignore[union-attr]
        drive.press(*["up"] * second, "ok")
        drive.to_the_question()
    if drive.session.standing.pending_prompt.name == "roll":  # type: ignore[union-attr]
        drive.press("ok")
        drive.to_the_question()
    return drive.pressed


def kojak_turn(*, six: bool) -> int:
    """Return the presses for a turn of Kojak on the way to the mission space, with an own die."""
    options = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
    setup = setup_for(options, game="kojak")
    drive = Counted(begin_game(setup, setup.players[:1]))
    drive.resume()
    drive.to_the_question()
    drive.pressed = 0
    if six:
        drive.choose("six")
        drive.to_the_question()
    drive.choose("nothing")
    return drive.pressed


def walked(game: str, folder: Path, *, changed: int = 0) -> int:
    """Return the presses for a tour of a board; every `changed`th place is not as assumed."""
    drive = Counted(taught=folder)
    for value in ("new", game, "these 2"):
        drive.choose(value)
    if drive.page == "setup":
        drive.press("back")
    drive.choose("start")
    drive.choose("teach")
    drive.pressed = 0
    rng = Random(7)
    for n in count(1):
        if drive.page != "walk":
            return drive.pressed
        prompt = drive.table.menu_or_game_prompt
        assert isinstance(prompt, Choose)
        options = [value for value in prompt.options[:-1] if value != "start"]
        if changed and n % changed == 0:
            drive.choose(rng.choice(options))
        else:
            drive.press("ok")
    raise AssertionError


def is_opening(snapshot: Snapshot) -> bool:
    """Return True if no player has had a turn yet."""
    view, prompt = snapshot.view, snapshot.prompt
    begins = view.get("phase") == "opening" or view.get("roller", "") is None
    return begins or (prompt is not None and prompt.name == "length")


@cache
def _played(game: str, players: int) -> Playout:
    """Return the first random game that an answer ends, not a player who leaves."""
    every = tables_of_all_option_combinations(registry.find_game(game), printed_edition(game))
    table = next(table for table in every if len(table.players) == players)
    games = (play_random_game(table, seed) for seed in count(1))
    return next(played for played in games if played.moves[-1].is_answer_of_asked_person)


def over(game: str, players: int = 2) -> Journal:
    """Return a record with one finished game."""
    played = _played(game, players)
    journal, setup = Journal(None), GameSetup(*played.table, played.chance, mixing=False)
    session = Session.begin(journal, setup, 0)
    for move in played.moves:
        if not move.is_answered_by_box:
            session.answer(move.value, 0, move.prompt.name if move.is_out_of_turn else None)
            session.commit()
    return journal


def again(game: str, players: int = 2) -> int:
    """Return the presses from the first screen to the first question of a rematch."""
    drive = Counted(over(game, players))
    drive.choose("rematch")
    drive.to_the_question()
    return drive.pressed


def named(name: str, language: str = "en") -> int:
    """Return the presses to spell a name, on the page for names."""
    drive = Counted(language=language)
    for value in ("new", "barney-miller", 2, "spell"):
        drive.choose(value)
    drive.pressed = 0
    drive.spell(name)
    assert drive.page == "name", drive.page
    assert drive.state.players == (name,), drive.state.players
    return drive.pressed


def secret(word: str, language: str = "en") -> int:
    """Return the presses to spell a secret word."""
    options = {o.name: o.values[0] for o in registry.find_game("probe").options} | {
        "words": "secret"
    }
    drive = Counted(begin_game(setup_for(options, game="probe")), language)
    drive.resume()
    drive.down("ok")
    drive.wait(0.5)
    drive.up("ok")
    drive.pressed = 0
    asked = drive.session.standing.snapshot.position
    drive.spell(word)
    assert drive.session.standing.snapshot.position == asked + 1
    return drive.pressed


def searched(word: str, *, wraps: bool = False) -> tuple[int, float]:
    """Return the presses and the seconds of a person who looks for each letter of a secret word.

    The person knows the row, and reads its letters from the first one before the thumb moves. The
    thumb turns from the middle row to the letter's row, opens the row, and turns to the letter from
    the row's first letter. `wraps`: the thumb can also turn back from the first letter to the last.
    """
    found, taps, seconds = (
        split_letters_into_rows(LETTERS),
        1,
        PRESS_SECONDS,
    )  # hold OK to end the word
    start = (len(found) - 1) // 2
    for letter in word:
        n = next(n for n, row in enumerate(found) if letter in row)
        place, places = found[n].index(letter), len(found[n]) + (n == len(found) - 1)  # the dot
        turns = abs(n - start) + (min(place, places - place) if wraps else place)
        taps += turns + 2
        seconds += ROW_SECONDS + LETTER_SECONDS * (place + 1) + PRESS_SECONDS * (turns + 2)
    return taps, seconds


def gestures() -> dict[str, int]:
    """Return the presses for each tap while BACK is held, and check the effect."""
    taps, found = {"to say it again": "up", "to the standings": "down", "to a hint": "ok"}, {}
    for what, button in taps.items():
        drive = Counted(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, seed="2"), (6, 1)))
        drive.resume()
        drive.services.turn.save_settings({"hints": True})
        drive.pressed, said = 1, len(drive.speaker.heard)  # BACK
        drive.down("back")
        drive.press(button)
        drive.up("back")
        drive.wait(2)
        again, standing = len(drive.speaker.heard) > said, drive.table.overlays.is_score_in_front
        assert {"up": again, "down": standing, "ok": drive.outlook is not None}[button], what
        found[what] = drive.pressed
    return found


def _at_the_board(folder: Path) -> Iterator[Row]:
    """Yield the presses with own cards and dice, for the games with a printed board."""
    for game in filter(editions.board_tour_plan, registry.BUILT_IN_GAMES):
        found = own_table(game, folder / "own" / game)
        yield Row(
            f"Presses to the first card, own cards, {game}",
            str(found),
            str(OWN_TABLE_LIMIT),
            found <= OWN_TABLE_LIMIT,
        )
        found, other = walked(game, folder / game), walked(game, folder / "other" / game, changed=3)
        what = f"Presses round the board, {game} (every third place otherwise)"
        yield Row(what, f"{found} ({other})", str(BOARD_TOUR_LIMIT), found <= BOARD_TOUR_LIMIT)
    found, six = kojak_turn(six=False), kojak_turn(six=True)
    what = "Presses for a turn of kojak, own die (with a six)"
    yield Row(what, f"{found} ({six})", str(TURN_LIMIT), found <= TURN_LIMIT)
    for what, found in gestures().items():
        yield Row(f"Presses {what}", str(found), str(GESTURE_LIMIT), found <= GESTURE_LIMIT)


def counts(folder: Path) -> Iterator[Row]:
    """Yield the presses to begin, to begin again, and to spell."""
    for players, most in START_LIMITS.items():
        for game in registry.BUILT_IN_GAMES:
            found, turn = started(game, players), started(game, players, turn=True)
            what = f"Presses to the first move, {game}, {players} players"
            yield Row(what, f"{found} (first turn {turn})", str(most), found <= most)
    for game in registry.BUILT_IN_GAMES:
        found, what = at_the_table(game), "Presses to the first move, as last time, real cards"
        yield Row(f"{what}, {game}", str(found), str(TABLE), found <= TABLE)
    yield from _at_the_board(folder)
    for game in registry.BUILT_IN_GAMES:
        found = again(game)
        yield Row(f"Presses to a rematch, {game}", str(found), str(REMATCH), found <= REMATCH)
    yield from _spelling()


def _spelling() -> Iterator[Row]:
    """Yield the presses for names and secret words."""
    for language in ("en", "fr"):
        for name, most in NAMES.items():
            found = named(name, language)
            yield Row(f"Presses for {name}, {language}", str(found), str(most), found <= most)
        for word, most in SECRETS.items():
            found = secret(word, language)
            yield Row(f"Presses for {word}, {language}", str(found), str(most), found <= most)
        mean = sum(secret(word, language) / len(word) for word in WORDS) / len(WORDS)
        what = f"Presses a letter over {len(WORDS)} secret words, {language}"
        yield Row(what, f"{mean:.2f}")
    for word in SECRETS:
        for wraps, how in ((False, "turns onwards only"), (True, "turns the shorter way")):
            taps, seconds = searched(word, wraps=wraps)
            what = f"Seconds for {word}, by a person who searches and {how}"
            yield Row(what, f"{seconds:.1f} ({taps} presses)")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        for row in counts(Path(folder)):
            sys.stdout.write(f"{row.what:<70} {row.figure:<18} {row.limit}\n")
