"""Tests of the legends on row 7: each button does exactly what the legend states.

LEGENDS: number of random games of each kind (default: 5).
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import companion.say
import companion_testing as testing
from companion.catalog import editions, registry
from companion.core.prompts import Spell, is_legal_answer
from companion.draw.canvas import Canvas
from companion.menus.commands import ShowRulings
from companion.play.session import Session
from companion.press import controls
from companion.press.actions import (
    Action,
    CloseScreen,
    EnterAnswer,
    GoBackOrOpenMenu,
    HideSecret,
    RejectPress,
    RequestRulingExplanation,
    UncoverSecret,
)
from companion.press.cursor import HOLD_SECONDS, Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.record.journal import Journal
from companion.table import moves
from companion.table.table import Table
from companion_testing.playing import RandomPlayer
from hardware.ports import BACK, BUTTONS, DOWN, OK, SEATS, UP, Edge
from tests.helpers import NOW_SECONDS, Drive, long_lane_params, setup_for

GAMES: Final = int(os.environ.get("LEGENDS", "5"))
PRESSES: Final = 30
LONGEST: Final = 150
"""Maximum number of answers before the presses begin."""
STRIDE: Final = 5
"""Step from one table to the next, so that few games cover many players and options."""
ROW: Final = 7
TAP: Final = re.compile(r"(?<!hold )OK (?!to )")
"""A legend that states the effect of a short press of OK."""


class Try:
    """Presses on a copy of the cursor. The table does not change."""

    def __init__(self, table: Table, now: float) -> None:
        self.scene, self.cursor, self.now = table.press_context, table.cursor, now
        self.actions: list[Action] = []

    def _note(self, result: tuple[Cursor, Action | None]) -> None:
        self.cursor, action = result
        self.actions += [action] if action is not None else []

    def press(self, button: str, seconds: float = 0.08) -> Try:
        self._note(
            controls.cursor_and_action_after_edge(
                self.cursor, Edge(button, True, self.now), self.scene
            )
        )
        end = self.now + seconds
        while (
            due := controls.next_due_action_time(self.cursor, self.scene)
        ) is not None and due <= end:
            self._note(controls.process_due_action(self.cursor, due, self.scene))
        self.now = end
        return self.let_go(button)

    def let_go(self, button: str) -> Try:
        self._note(
            controls.cursor_and_action_after_edge(
                self.cursor, Edge(button, False, self.now), self.scene
            )
        )
        return self

    @property
    def place(self) -> tuple[int, str, str, int]:
        return self.cursor.at, self.cursor.text, self.cursor.row, self.cursor.page

    def did(self, *kinds: type) -> bool:
        return any(isinstance(action, kinds) for action in self.actions)


def lies(drive: Drive, legend: str) -> Iterator[str]:
    """Yield the parts of the frame's legend that do not match the effect of a button."""
    table = drive.table
    if table.cursor.held:
        if "let go" in legend and not Try(table, drive.buttons.now).let_go(held(table)).did(
            HideSecret
        ):
            yield "let go"
        return

    def tried(button: str, seconds: float = 0.08) -> Try:
        return Try(table, drive.buttons.now + 10).press(button, seconds)

    yield from _turning(table, legend, tried(UP), tried(DOWN))
    before, ok, back = table.cursor, tried(OK), tried(BACK)
    taps = ok.did(EnterAnswer, CloseScreen) or ok.place != Try(table, 0).place
    mixes, why = "any button" in legend, "hold: why?" in legend
    for said, told, true in (
        ("any button", mixes, all(tried(button).did(EnterAnswer) for button in BUTTONS)),
        ("OK", bool(TAP.search(legend)), taps and not ok.did(RejectPress)),
        ("hold: why?", why, why and explains(drive, tried(OK, HOLD_SECONDS))),
        ("hold: done", "hold: done" in legend, _ends(table, tried(OK, HOLD_SECONDS))),
        ("hold OK", "hold OK" in legend, tried(OK, HOLD_SECONDS).did(UncoverSecret)),
        ("BACK erase", "BACK erase" in legend, len(back.cursor.text) == len(before.text) - 1),
        ("BACK rows", "BACK rows" in legend, bool(before.row) and not back.cursor.row),
        (
            "BACK",
            bool(re.search(r"BACK (end|cover)", legend)),
            back.did(GoBackOrOpenMenu, HideSecret),
        ),
    ):
        if told and not true:
            yield said
    if "OK" not in legend and not mixes and ok.did(EnterAnswer):
        yield "an OK that is not told"


def _ends(table: Table, tried: Try) -> bool:
    """Return True if a hold ends the word, and the word is legal."""
    given = [action.answer for action in tried.actions if isinstance(action, EnterAnswer)]
    return (
        table.menu_or_game_prompt is not None
        and all(is_legal_answer(table.menu_or_game_prompt, word) for word in given)
        and bool(given)
    )


def _turning(table: Table, legend: str, *turned: Try) -> Iterator[str]:
    """Yield a finding if UP and DOWN turn without ▲▼ in the legend, or do not turn with ▲▼."""
    before, prompt = Try(table, 0).place, table.menu_or_game_prompt
    alone = (
        prompt is not None
        and len(wheel_answers_and_symbols(prompt, table.cursor.text, table.cursor.row)) == 1
    )
    if "▲▼" in legend and not alone and before in (each.place for each in turned):
        yield "▲▼"
    if "▲▼" not in legend and any(before != each.place for each in turned):
        yield "a turn that is not told"


def held(table: Table) -> str:
    return table.cursor.held[0][0]


def explains(drive: Drive, tried: Try) -> bool:
    """Return True if a hold asks for an explanation and the box has one."""
    if not tried.did(RequestRulingExplanation):
        return False
    _, effects = moves.apply_action(drive.table, RequestRulingExplanation(), 0)
    asked = [effect for effect in effects if isinstance(effect, ShowRulings)]
    if len(asked) != 1:
        return False
    (ask,), words = asked, drive.loop.shown_screen_words(asked[0].whose)
    view = drive.session.standing.snapshot.view
    would = words.clauses_for_answer_effect(ask.question, ask.answer, view) if ask.question else ()
    return bool(
        would
        or words.clauses_explaining_facts(
            ask.cues or drive.session.standing.history.latest_events_with_clause()
        )
    )


def begun(game: str, n: int) -> Drive:
    """Return a random unfinished game. `n` chooses the table and its options."""
    rng = random.Random(f"{game} {n}")
    every = [
        *testing.tables_of_all_option_combinations(
            registry.find_game(game), editions.load_edition(game)
        )
    ]
    table = every[n * STRIDE % len(every)]
    setup = setup_for(
        table.options, game=game, players=table.players, seed=str(n), mixing=n % 3 == 0
    )
    journal, player = Journal(None), RandomPlayer(rng)
    session = Session.begin(journal, setup, NOW_SECONDS)
    for _ in range(rng.randrange(LONGEST)):
        if session.standing.pending_prompt is None:
            break
        session.answer(player.choose_answer(session.standing.pending_prompt), NOW_SECONDS)
        session.commit()
    drive = Drive(journal)
    if session.standing.pending_prompt is not None:
        drive.resume()
    return drive


@pytest.mark.long
@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "game", ["barney-miller", "baretta", *long_lane_params(["kojak", "probe"])]
)
def test_what_row_7_says_of_the_buttons_is_what_they_do(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    legends: list[str] = []
    write = Canvas.draw_text

    def spy(canvas: Canvas, page: int, x: int, text: str, *rest: Any, **more: Any) -> Any:
        legends.extend([text] if page == ROW else [])
        return write(canvas, page, x, text, *rest, **more)

    monkeypatch.setattr(Canvas, "draw_text", spy)
    found: set[tuple[str, str, str]] = set()
    for n in range(GAMES):
        drive, thumb = begun(game, n), random.Random(n)
        for _ in range(PRESSES):
            legends.clear()
            drive.draw_table_frame()
            legend = legends[-1]
            if not drive.table.cursor.bar:
                found |= {(legend, lie, what(drive)) for lie in lies(drive, legend)}
            push(drive, thumb)
    assert not found


def what(drive: Drive) -> str:
    """Describe the shown overlay and prompt for the report of a finding."""
    front, prompt = drive.table.overlays.front_overlay, drive.table.menu_or_game_prompt
    spelt = drive.table.cursor.text if isinstance(prompt, Spell) else ""
    return f"{front and front.lead_fact.name} {prompt and prompt.name} {spelt}"


def push(drive: Drive, thumb: random.Random) -> None:
    """Press a random button for a random time. Prefer to uncover secrets, because they have
    choices.
    """
    if drive.table.cursor.held:
        drive.press(thumb.choice((UP, DOWN)))
        if thumb.random() < 0.5:
            drive.up(held(drive.table))
        return
    button = thumb.choice((OK, OK, OK, UP, DOWN, BACK, SEATS[0], SEATS[1]))
    if thumb.random() < 0.3 and button in (OK, *SEATS):
        drive.down(button)
        drive.wait(thumb.choice((0.4, 1.0)))
        if drive.table.cursor.looking is None or thumb.random() < 0.3:
            drive.up(button)
        return
    drive.press(button, seconds=thumb.choice((0.08, 0.08, 0.08, HOLD_SECONDS)))


@pytest.mark.parametrize("name", ["companion", *registry.BUILT_IN_GAMES])
def test_a_french_legend_names_the_same_buttons(name: str) -> None:
    """The other tests check only the English legends."""
    told = [legends_of(language, name) for language in ("en", "fr")]
    assert told[0] == told[1]


def legends_of(language: str, name: str) -> dict[str, tuple[bool, ...]]:
    """Return for each legend if it names ▲▼, OK, BACK, and a hold."""
    folder = (
        Path(companion.say.__file__).parent
        if name == "companion"
        else registry.game_file_path(name, "locale").parent
    )
    text = (folder / f"locale/{language}/LC_MESSAGES/{name}.po").read_text("utf-8")
    entries = re.findall(r'msgid "(\S*\.legend\.\S*)"\nmsgstr "(.*)"', text)
    marks = ("▲▼", "OK", "BACK|↩", "hold|long|tenez")
    return {
        key: tuple(bool(re.search(mark, legend)) for mark in marks)
        for key, legend in entries
        if not key.endswith((".holding", ".locked"))
    }
