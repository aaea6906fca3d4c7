"""Games of the box in a browser, played without a browser. `recorded` records each edge.

Only edges move the box's clock, so equal edges make equal games on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pytest

from companion.core.prompts import COVERED_LETTER, Answer, Prompt, Spell
from companion.play import begin
from companion.play.simulate import random_answer
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.cursor import NO_SELECTION
from companion.press.wheel import (
    DONE_PLACE,
    letter_rows,
    should_up_select_larger,
    wheel_answers_and_symbols,
)
from companion.table.table import Table
from tests.door.examples import example
from web.box import FIXED_TIME, SteppedBox, SteppedClock, make_seed_source
from web.build import PACKAGED_GAMES

SEED: Final = "c0ffee"
PLAYERS: Final = 2
OPTIONS: Final = {
    "barney-miller": {"deck": "virtual"},
    "baretta": {},
    "kojak": {"short": "yes"},
    "probe": {"words": "secret"},
    "score-pad": {"ends": "5", "size": "ones"},
}
"""Options of the games: short games, with secrets if possible."""
WORDS: Final = ("FLAP", "RACK", "WORD", "GAME")
"""Words for a secret rack, spelt letter by letter."""

PLAY: Final = '''
import hashlib, random, tempfile
from web.box import WebBox, messages_as_json, make_seed_source
from companion.play import begin

def play(seed, presses):
    """The messages of a box that is pressed at random, on a clock that is moved by hand."""
    rng, now, told = random.Random(seed), [100.0], []
    begin.fresh_seed = make_seed_source(seed)
    box = WebBox(tempfile.mkdtemp(), "en", lambda: now[0], lambda: 1767225600, told.extend, None)
    for _ in range(presses):
        button = rng.choices(("ok", "up", "down", "back"), (6, 3, 3, 1))[0]
        for down in (True, False):
            now[0] += 0.5
            box.tick()
            box.handle_button_edge(button, down)
        for message in [one for one in told if "number" in one][-1:]:
            box.handle_sound_end(message["number"])
    return hashlib.sha256(messages_as_json(told).encode()).hexdigest(), len(told)
'''


@contextmanager
def games_of_the_site() -> Iterator[None]:
    """Install the packaged games of the site during the block."""
    with ExitStack() as installed:
        for name in PACKAGED_GAMES:
            installed.enter_context(example(name))
        yield


class Recorded(NamedTuple):
    """Games that were played to their ends, one after another.

    edges: `("down", button)`, `("up", button)` and `("wait", seconds)`, in order.
    frames: the number of edges before each end of a game, and the frame at this end.
    secrets: the number of edges before each look at a secret. games: the export.
    """

    edges: tuple[tuple[str, Any], ...]
    frames: tuple[tuple[int, bytes], ...]
    secrets: tuple[int, ...]
    games: str


@cache
def recorded(language: str, *games: str) -> Recorded:
    """Play games with random answers, from the first screen to their ends and back."""
    with (
        games_of_the_site(),
        TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr(begin, "fresh_seed", make_seed_source(SEED))
        thumb, rng, frames = Thumb(folder, language), random.Random(SEED), []
        for game in games:
            thumb.begin(game)
            while (prompt := thumb.asked) is not None:
                thumb.answer(prompt, rng)
            frames.append((len(thumb.edges), thumb.frame))
            thumb.go_home()
        exported = thumb.box.export_games()
        return Recorded(tuple(thumb.edges), tuple(frames), tuple(thumb.secrets), exported)


def menu_presses(game: str, level: str, *, leaves: bool = False) -> tuple[str, ...]:
    """Return the buttons that begin a game against a computer player, or (`leaves`) leave it."""
    with TemporaryDirectory() as folder:
        thumb = Thumb(folder, "en")
        thumb.begin(game, level)
        begun = len(thumb.edges)
        if leaves:
            thumb.leave()
        edges = thumb.edges[begun:] if leaves else thumb.edges
        return tuple(button for kind, button in edges if kind == "down")


class Thumb:
    """A player who presses buttons by the state of the table, and records the edges."""

    def __init__(self, folder: str, language: str) -> None:
        self.edges: list[tuple[str, Any]] = []
        self.secrets: list[int] = []
        self.frame = b""
        self.box = SteppedBox(folder, language, SteppedClock(), lambda: FIXED_TIME, self._take)

    def _take(self, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            self.frame = message.get("frame", self.frame)

    @property
    def table(self) -> Table:
        return self.box.loop._services.stands.table

    @property
    def asked(self) -> Prompt | None:
        """Return the game's question after everything in front of it was closed."""
        while self.table.overlays.queue or self.table.curtain is not None:
            if not self.table.overlays.queue:
                self.look()
                self.up("ok")
            self.press("ok")
        return self.table.menu_or_game_prompt

    def look(self) -> None:
        """Hold OK at a curtain until the secret is open."""
        self.down("ok")
        self.wait(LOOK_HOLD_SECONDS + 0.05)
        self.secrets.append(len(self.edges))

    @property
    def page(self) -> str | None:
        """Return the open page of the menus."""
        page = self.table.menus.current_page
        return None if page is None else page.page

    def begin(self, game: str, level: str = "") -> None:
        """Begin a game of two players. With `level` the second one is a computer player."""
        self.turn_to("new")
        self.press("ok")
        self.turn_to(game)
        self.press("ok")
        self.turn_to(PLAYERS)
        self.press("ok")
        if level:
            self.press("ok")
            for choice in ("box", level):
                self.turn_to(choice)
                self.press("ok")
        while self.page == "name":
            self.press("ok")
        if self.page == "setup":
            self.press("back")
        for option, value in OPTIONS[game].items():
            self.turn_to(option)
            while (page := self.table.menus.current_page) and dict(page.options)[option] != value:
                self.press("ok")
        self.turn_to("start")
        self.press("ok")

    def leave(self) -> None:
        """Leave the game by its menu, before the end of the game."""
        assert self.asked is not None
        self.press("back")
        self.turn_to("leave")
        self.press("ok")

    def go_home(self) -> None:
        """Go from the end of a game back to the first screen."""
        while self.box.loop.running_session is not None:
            self.press("ok")

    def answer(self, prompt: Prompt, rng: random.Random) -> None:
        if isinstance(prompt, Spell):
            value: Answer = prompt.open.replace(COVERED_LETTER, "A") or rng.choice(WORDS)
        else:
            value = random_answer(prompt, rng)
        secret = self.table.press_context.curtain not in (None, self.table.cursor.looking)
        if secret:
            self.look()
        if isinstance(prompt, Spell):
            if secret:
                self.up("ok")
            for letter in (*str(value), DONE_PLACE):
                self.turn_to(letter)
                self.press("ok")
            return
        self.turn_to(value)
        if secret:
            self.up("ok")
        self.press("ok")

    def turn_to(self, value: Any) -> None:
        """Turn to an option, the shortest way."""
        prompt = self.table.menu_or_game_prompt
        assert prompt is not None
        if self.table.cursor.at == NO_SELECTION:
            self.press("down")
        cursor = self.table.cursor
        places = [*wheel_answers_and_symbols(prompt, cursor.text, cursor.row, cursor.back)]
        if isinstance(prompt, Spell) and value not in places:
            self.turn_to(next(row for row in places if value in row))
            self.press("ok")
            self.turn_to(value)
            return
        at = min(cursor.at, len(places) - 1)
        more, less = ("up", "down") if should_up_select_larger(prompt) else ("down", "up")
        away = places.index(value) - at
        if not cursor.row and letter_rows(prompt, cursor.text, cursor.back):
            more, less = "down", "up"
        elif away * 2 > len(places) or away * 2 <= -len(places):
            away -= len(places) if away > 0 else -len(places)
        for _ in range(abs(away)):
            self.press(more if away > 0 else less)

    def press(self, button: str) -> None:
        self.down(button)
        self.up(button)

    def down(self, button: str) -> None:
        self.edges.append(("down", button))
        self.box.handle_button_edge(button, True)

    def up(self, button: str) -> None:
        self.edges.append(("up", button))
        self.box.handle_button_edge(button, False)

    def wait(self, seconds: float) -> None:
        self.edges.append(("wait", seconds))
        self.box.advance_clock(seconds)
