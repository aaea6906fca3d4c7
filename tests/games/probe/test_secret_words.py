"""Tests of secret words on the box: they stay secret during spelling, looking and undoing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest

from companion.core.chance import Chance
from companion.core.prompts import Prompt
from companion.door.stdio import StdioGame
from companion.games.probe import GAME
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.cursor import HOLD_SECONDS
from companion.press.wheel import DONE_PLACE
from companion.record.journal import Journal
from hardware.ports import BACK, OK
from tests.helpers import Drive, begin_game, printed_edition, session_words, setup_for

NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
SECRET: Final = {"words": "secret", "deck": "virtual", "remember": "no"}


def spelled(word: str, other: str) -> tuple[list[bytes], list[bytes], Drive]:
    """Spell a word twice, and show all other screens. Return public frames and secret frames.

    `other` is Bob's word.
    """
    own = {**SECRET, "deck": "own"}
    drive = Drive(begin_game(setup_for(own, game="probe", players=NAMES[:2])))
    free: list[bytes] = []
    closed: list[bytes] = []
    show = drive.fake.display.show

    def sorted_show(frame: bytes) -> None:
        (closed if drive.table.cursor.looking else free).append(frame)
        show(frame)

    drive.fake.display.show = sorted_show  # type: ignore[method-assign]
    drive.resume()
    for text in (word, other, word, other):
        if drive.table.cursor.looking is None:
            drive.down(OK)
            drive.wait(LOOK_HOLD_SECONDS)
            drive.up(OK)
        for letter in (*text, DONE_PLACE):
            drive.choose(letter)
        drive.skip()
    for value in ("normal", "Z"):
        drive.choose(value)
        drive.skip()
    drive.down("seat2")
    drive.wait(LOOK_HOLD_SECONDS)
    drive.up("seat2")
    drive.press(BACK, seconds=HOLD_SECONDS + 0.1)
    drive.skip()
    if drive.table.menu_or_game_prompt and drive.table.menu_or_game_prompt.name == "agree_undo":
        drive.choose("yes")
        drive.skip()
    return free, closed, drive


@pytest.mark.long
def test_a_word_that_is_typed_is_in_no_frame_or_sound_that_others_get() -> None:
    one, two = spelled("ABCD", "EFGH"), spelled("KLMN", "PQRS")
    assert one[2].session.standing.view_with_player_secrets("Ann") != two[
        2
    ].session.standing.view_with_player_secrets("Ann")
    heard = [[s for s in drive.speaker.heard if s != "hush"] for _, _, drive in (one, two)]
    assert heard[0] == heard[1]
    assert one[0] == two[0]
    assert one[1] != two[1]


def prompt_of(drive: Drive) -> Prompt:
    prompt = drive.table.menu_or_game_prompt
    assert prompt is not None
    return prompt


@pytest.mark.parametrize(("words", "asks"), [("secret", True), ("racks", False)])
def test_taking_back_an_uncovering_needs_the_tables_yes_with_secret_words(
    words: str, *, asks: bool
) -> None:
    options = {**SECRET, "words": words, "deck": "own"}
    first: tuple[Any, ...] = ("PROBE", "FLAP", "RACK") if asks else (5, 4, 4)
    hit: tuple[Any, ...] = ("normal", "Bob", "F", 1) if asks else ("normal", "Bob", "yes", 1)
    drive = Drive(begin_game(setup_for(options, game="probe", players=NAMES[:3]), (*first, *hit)))
    drive.resume()
    score = drive.session.standing.snapshot.view["scores"]["Ann"]
    assert score == 5
    drive.press(BACK, seconds=HOLD_SECONDS + 0.1)
    drive.skip()
    assert (prompt_of(drive).name == "agree_undo") == asks
    if asks:
        assert drive.session.standing.snapshot.view["scores"]["Ann"] == 5
        drive.choose("yes")
        drive.skip()
    assert drive.session.standing.snapshot.view["scores"]["Ann"] == 0


def test_a_word_that_is_taken_back_and_given_again_is_told_to_nobody() -> None:
    def bot() -> Iterator[bytes]:
        for line in ({"answer": "QXZJV"}, {"undo": True}, {"redo": True}):
            yield json.dumps(line).encode() + b"\n"
        yield b""

    lines, source = [], bot()

    class Pipe:
        def readline(self, _: int) -> bytes:
            return next(source)

        def write(self, line: str) -> None:
            lines.append(line)

        def flush(self) -> None:
            pass

    setup = GameSetup(
        GAME, NAMES[:3], SECRET, printed_edition("probe"), Chance("5eed"), mixing=False
    )
    session, pipe = Session.begin(Journal(None), setup, 0), Pipe()
    face: Any = pipe
    StdioGame(
        session, session_words(session, "en"), source=face, sink=face, wall=lambda: 0, version="1"
    ).run()
    assert any('"undone"' in line for line in lines)
    assert any('"redone"' in line for line in lines)
    assert not [line for line in lines if "QXZJV" in line.upper()]


def test_a_guess_that_is_taken_back_is_no_longer_told() -> None:
    setup = setup_for(SECRET, game="probe", players=NAMES[:3])
    journal = begin_game(setup, ["VKQNFR", "FLAPS", "MANOEUVRE"])
    session = Session.resume(journal, 1, setup, 0)
    given = {"who": "Bob", "whom": "Ann", "rack": "Ann"}
    session.answer({**given, "guess": "VKQNFR"}, 0, "interrupt")
    session.undo(0)
    (undone,) = session.answer("yes", 0).cues
    assert (undone.name, undone.facts["value"]) == ("undone", given)
