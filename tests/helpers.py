"""A box for tests: `Drive` presses and waits, `begin_game` makes a journal with a game."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import settings

from companion.box.events import HintReady, StatisticsReported
from companion.box.loop import Loop
from companion.box.services import Services
from companion.box.system import Machine
from companion.catalog import editions, entered_boards
from companion.catalog.registry import find_game
from companion.core.chance import Chance
from companion.core.game import Cue
from companion.core.prompts import Spell
from companion.draw.face import load_face
from companion.figures.group import Day
from companion.figures.lookup import find_rarest_fact_about_game, look_up_people_and_group
from companion.figures.statistics_cache import StatisticsCache
from companion.menus.commands import Command
from companion.menus.page import MenuPageState
from companion.play.answer_history import GameSetup
from companion.play.player_knowledge import PlayerKnowledge
from companion.play.session import Session
from companion.press.cursor import NO_SELECTION
from companion.press.wheel import letter_rows, should_up_select_larger, wheel_answers_and_symbols
from companion.record.journal import Journal, JournalError
from companion.remote.remote_clients import make_clients_opener
from companion.say.dictionary import Dictionary
from companion.say.words import Words
from companion.table.frames import table_frame
from companion.table.overlays import Overlay
from companion.table.table import Table
from hardware.mock import MIN_READING_SECONDS, FakeBox

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

    from companion.remote.doorway import Opener

NOW_SECONDS: Final = 1_763_700_000
"""The wall clock of all tests, in seconds since 1970."""
OWN_PARTS_OPTIONS: Final = {
    option.name: option.values[0] for option in find_game("barney-miller").options
}
VIRTUAL_PARTS_OPTIONS: Final = OWN_PARTS_OPTIONS | {"deck": "virtual"}
PLAYER_NAMES: Final = ("Fish", "Harris", "Wojehowicz", "Yemana")


@cache
def printed_edition(game: str = "barney-miller") -> Mapping[str, Any]:
    return editions.load_edition(game)


def describe_board(game: str, folder: Path, *spaces: int) -> None:
    """Save a description of a board that has only its number of spaces."""
    entered_boards.save_entered_board(
        game, folder, editions.built_in_edition_without_values(game, spaces), (), "2025-11-21"
    )


def setup_for(
    options: Mapping[str, str],
    *,
    game: str = "barney-miller",
    players: tuple[str, ...] = PLAYER_NAMES[:2],
    seed: str = "seed",
    mixing: bool = False,
) -> GameSetup:
    """Return the setup of a new game with a fixed seed."""
    return GameSetup(find_game(game), players, options, printed_edition(game), Chance(seed), mixing)


def begin_game(
    setup: GameSetup, answers: Iterable[Any] = (), journal: Journal | None = None
) -> Journal:
    """Return a journal with an unfinished game in it, after `answers`."""
    journal = journal or Journal(None)
    session = Session.begin(journal, setup, NOW_SECONDS - 100)
    for answer in answers:
        session.answer(answer, NOW_SECONDS - 60)
        session.commit()
    return journal


def session_words(session: Session, language: str) -> Words:
    """Return the words of a session's game, with the arguments that the box uses."""
    game, setup = session.game_setup.game.name, session.game_setup
    own = setup.options.get("deck") == "own"
    return Words(language, load_face(game), setup.edition, game=game, own=own)


def words_for(game: str, language: str, edition: Mapping[str, Any] | None = None) -> Words:
    """Return the words of a game, with the printed edition by default."""
    known = printed_edition(game) if edition is None else edition
    return Words(language, load_face(game), known, game=game)


def format_day(at: int) -> Day:
    """Return the day of a time (s since 1970), in UTC."""
    then = time.gmtime(at)
    return then.tm_year, then.tm_mon, then.tm_mday


def max_examples(n: int) -> int:
    """Return the number of Hypothesis examples in this lane; the long lane runs `n`."""
    return n * settings().max_examples // 100


def long_lane_params(values: Iterable[Any]) -> list[ParameterSet]:
    """Return pytest parameters that only the long lane runs."""
    every = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*value, marks=pytest.mark.long) for value in every]


def raise_full_disk(*_: Any, **__: Any) -> Any:
    """Replace a method of the journal, as if the disk were full."""
    raise JournalError("full")


def fail_to_save(drive: Drive) -> None:
    """Press OK while the disk is full, so that the answer cannot be saved."""
    append = drive.journal.append_entries_to_game
    drive.journal.append_entries_to_game = raise_full_disk  # type: ignore[method-assign]
    drive.press("ok")
    drive.journal.append_entries_to_game = append  # type: ignore[method-assign]


def documented_functions(module: ModuleType) -> list[str]:
    """Return the functions that a module's docstring lists, in their order."""
    return re.findall(r"^    +(\w+\.\w+)", str(module.__doc__), re.MULTILINE)


def called_documented_functions(told: list[str], do: Callable[[], object]) -> list[str]:
    """Return the functions of `told` that `do` calls, in the order of the calls."""
    way: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        module = str(frame.f_globals.get("__name__")).rpartition(".")[2]
        name = code.co_qualname if "." in code.co_qualname else f"{module}.{code.co_name}"
        if event == "call" and name in told and name not in way:
            way.append(name)

    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return way


class Drive:
    """A box on fake hardware. Time passes only by `press` and `wait`."""

    def __init__(
        self,
        journal: Journal | None = None,
        language: str = "en",
        *,
        start: bool = True,
        folder: Path | None = None,
        taught: Path | None = None,
        dictionary: Callable[[], Dictionary] | None = None,
        power_off: Callable[[], None] | None = None,
        door: Opener | None = None,
        counts: bool = True,
        fake: FakeBox | None = None,
    ) -> None:
        self.fake = fake or FakeBox()
        self.buttons, self.speaker = self.fake.buttons, self.fake.speaker
        self.journal = journal or Journal(None)
        self.hour: int | None = 12
        self._read = -MIN_READING_SECONDS
        self.outlook: PlayerKnowledge | None = None
        self.weighed: list[tuple[int, str]] = []
        machine = Machine(
            clock=lambda: self.buttons.now,
            wall=lambda: NOW_SECONDS,
            folder=folder,
            taught=taught,
            language=language,
            dictionary=dictionary,
            power_off=power_off,
            hour=lambda: self.hour,
            counting=self._count if counts else None,
            advising=self._advise,
            weighing=lambda number, language, _: self.weighed.append((number, language)),
        )
        connect = None if door is None else make_clients_opener(door)
        self.loop = Loop(self.fake.box, self.journal, machine, connect=connect)
        if start:
            self.loop.start()
            self.pump()

    def _advise(self, outlook: PlayerKnowledge, _: Callable[[HintReady], None]) -> None:
        self.outlook = outlook

    def _count(self, number: int | None, put: Callable[[StatisticsReported], None]) -> None:
        """Compute statistics at once; the box receives them after the press."""
        with closing(StatisticsCache(self.journal, None)) as shelf:
            one = (
                look_up_people_and_group(shelf, NOW_SECONDS, format_day, lambda _: None)
                if number is None
                else None
            )
            put(StatisticsReported(one or find_rarest_fact_about_game(shelf, number or 0)))

    @property
    def frame(self) -> bytes:
        """Return the newest frame."""
        return self.fake.display.frames[-1]

    @property
    def frames(self) -> list[bytes]:
        return self.fake.display.frames

    @property
    def services(self) -> Services:
        return self.loop._services

    def carry_out(self, *asked: Command) -> None:
        """Execute commands as if a phone had sent them."""
        self.loop.execute_commands(*asked)
        self.pump()

    @property
    def table(self) -> Table:
        return self.services.stands.table

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the settings of the box by name."""
        return self.services.basics.settings.now

    @property
    def is_locked(self) -> bool:
        """Return True if the box is locked."""
        return self.services.guard.locked

    @property
    def shown_frame(self) -> bytes:
        """Return the frame that the displays must show now, without the mute sign."""
        return self.services.screen.shown_frame

    def draw_table_frame(self) -> bytes:
        """Draw the frame of the game or menu, even if the displays show another frame."""
        return table_frame(
            self.table,
            self.services.wording.front_screen_words,
            self.services.stands.view_with_players_secrets,
        )

    @property
    def moments(self) -> tuple[Overlay, ...]:
        """Return the overlays in front of the question; the front overlay is first."""
        return self.table.overlays.queue

    @property
    def front(self) -> Cue:
        """Return the first fact of the front overlay."""
        return self.moments[0].lead_fact

    @property
    def session(self) -> Session:
        session = self.loop.running_session
        assert session is not None
        return session

    @property
    def page(self) -> str | None:
        """Return the name of the menus' open page; None if the menus are closed."""
        return self.table.menus.current_page and self.table.menus.current_page.page

    @property
    def state(self) -> MenuPageState:
        """Return the state of the menus, which must be open."""
        page = self.table.menus.current_page
        assert page is not None
        return page

    def pump(self) -> None:
        """Handle the events in the inbox, as the loop does."""
        while not self.loop.inbox.empty():
            self.loop.handle_event(self.loop.inbox.get())
            self.loop.draw_postponed_frame()

    def wait(self, seconds: float) -> None:
        """Let time pass; the loop wakes up at every due time."""
        end = self.buttons.now + seconds
        while (due := self.loop.seconds_until_due) is not None and self.buttons.now + due <= end:
            self.buttons.now = max(self.buttons.now + due, self.buttons.now + 1e-6)
            self.loop.tick(self.buttons.now)
        self.buttons.now = end

    def down(self, button: str) -> None:
        """Press and hold a button."""
        self.buttons.press_and_hold(button)
        self.pump()

    def up(self, button: str) -> None:
        """Release a button."""
        self.buttons.release(button)
        self.pump()
        self._read = self.buttons.now

    def press(self, *buttons: str, seconds: float = 0.08, gap: float = MIN_READING_SECONDS) -> None:
        """Press buttons in order, each for `seconds`, with `gap` seconds before the next."""
        for button in buttons:
            self.wait(max(0.0, self._read + gap - self.buttons.now))
            self.down(button)
            self.wait(seconds)
            self.up(button)
            self.wait(0.02)

    def choose(self, value: Any) -> None:
        """Turn to an option of the pending question and answer it."""
        self.turn_to(value)
        self.press("ok")

    def walk(self, *values: Any) -> None:
        """Answer the menus' pages one by one; "new" begins a new game of Barney Miller."""
        for value in values:
            if value == "new":
                self.new()
            else:
                self.choose(value)

    def new(self, game: str = "barney-miller") -> None:
        """Open a new game up to the page with the number of players."""
        self.choose("new")
        if self.page == "game":
            self.choose(game)

    def turn_to(self, value: Any) -> None:
        """Turn the cursor to an option by the shortest way."""
        prompt = self.table.menu_or_game_prompt
        assert prompt is not None
        if self.table.cursor.at == NO_SELECTION:
            self.press("down")
        cursor = self.table.cursor
        places = list(wheel_answers_and_symbols(prompt, cursor.text, cursor.row, cursor.back))
        if isinstance(prompt, Spell) and value not in places:  # choose the row before the letter
            self.choose(next(row for row in places if value in row))
            self.turn_to(value)
            return
        at = min(cursor.at, len(places) - 1)
        if not cursor.row and letter_rows(prompt, cursor.text, cursor.back):
            rows = places.index(value) - at
            self.press(*["down" if rows > 0 else "up"] * abs(rows))
            return
        away = (places.index(value) - at) % len(places)
        climbing = should_up_select_larger(prompt) and not self.table.ears.has_players
        more, less = ("up", "down") if climbing else ("down", "up")
        way = [more] * away if away * 2 <= len(places) else [less] * (len(places) - away)
        self.press(*way)

    def skip(self) -> None:
        """Close everything in front of the question."""
        while self.moments:
            self.press("ok")

    def resume(self) -> None:
        """Resume the newest unfinished game from the first screen."""
        self.choose("resume")
        self.skip()
