"""A box on fake hardware with a running game, and simulated presses.

The game has own cards and a real die, so nothing depends on a seed.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from companion.box.loop import Loop
from companion.box.system import Machine
from companion.catalog import editions
from companion.core.chance import Chance
from companion.core.prompts import Prompt
from companion.games.barney_miller import GAME
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion.remote.remote_clients import make_clients_opener
from companion.say.words import Words
from companion.table.table import Table as BoxTable
from hardware.mock import FakeButtons, FakeLamps, FakeSpeaker
from hardware.ports import BLANK_FRAME, OK, Box, Edge

if TYPE_CHECKING:
    from companion.remote.doorway import Opener
    from hardware.ports import Speaker

PLAYERS: Final = ("Ann", "Bob")
OPTIONS: Final = {"deck": "own", "die": "real", "track": "edition"}
SEED: Final = "ab" * 32


def begin(journal: Journal) -> int:
    """Begin a new game in a journal; return its number."""
    edition = editions.load_edition(GAME.name)
    setup = GameSetup(GAME, PLAYERS, OPTIONS, edition, Chance(SEED))
    return Session.begin(journal, setup, 0).number


class Screen:
    """A display that counts frames, and records the time of the first frame after `clear`."""

    def __init__(self) -> None:
        self.frames, self.last, self.when = 0, BLANK_FRAME, 0.0

    def clear(self) -> None:
        self.when = 0.0

    def show(self, frame: bytes) -> None:
        self.when = self.when or perf_counter()
        self.frames += 1
        self.last = frame

    def set_brightness(self, percent: int) -> None:
        """Ignore the brightness."""

    def close(self, *, keep: bool = False) -> None:
        """Do nothing."""


class Table:
    """A box with its journal, the resumed game and a displayed question."""

    def __init__(
        self,
        path: Path | None,
        languages: dict[str, str] | None = None,
        speaker: Speaker | None = None,
        door: Opener | None = None,
    ) -> None:
        self.journal = Journal(path)
        self.journal.save_setting("languages", languages or {}, 0)
        begin(self.journal)
        self.screen, self.buttons = Screen(), FakeButtons()
        box = Box(self.buttons, (self.screen,), (speaker or FakeSpeaker(),), FakeLamps())
        machine = Machine(lambda: self.buttons.now, lambda: 0)
        connect = None if door is None else make_clients_opener(door)
        self.loop = Loop(box, self.journal, machine, connect=connect)
        self.loop.start()
        self.to_question()

    @property
    def table(self) -> BoxTable:
        """Return the state of the box's table."""
        return self.loop._services.stands.table

    @property
    def prompt(self) -> Prompt | None:
        """Return the displayed question of the game; None if something else is displayed."""
        table = self.table
        return (
            None
            if table.menus.current_page or table.overlays.front_overlay
            else table.menu_or_game_prompt
        )

    @property
    def words(self) -> Words:
        return self.loop.shown_screen_words()

    @property
    def session(self) -> Any:
        return self.loop.running_session

    def drain(self) -> None:
        while not self.loop.inbox.empty():
            self.loop.handle_event(self.loop.inbox.get())

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.buttons.press(button)
            self.drain()

    def to_question(self) -> None:
        """Press OK until a game's question is displayed, in a new game if necessary."""
        while self.prompt is None:
            over = self.session is not None and self.session.standing.pending_prompt is None
            if over and self.table.overlays.front_overlay is None:
                begin(self.journal)
            self.press(OK)

    def aim(self, random: Random) -> Edge:
        """Turn the wheel a little and press OK; return the edge that will answer."""
        self.to_question()
        self.press(*random.choices(("up", "down"), k=1 + random.randrange(3)))
        self.buttons.press_and_hold(OK)
        self.drain()
        self.buttons.release(OK)
        edge = self.loop.inbox.get()
        assert isinstance(edge, Edge)
        return edge

    def answer(self, random: Random) -> float:
        """Turn the wheel a little and answer; return the seconds from OK to the frame."""
        edge = self.aim(random)
        self.screen.clear()
        begun = perf_counter()
        self.loop.handle_event(edge)
        return self.screen.when - begun
