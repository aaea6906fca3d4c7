"""A simulated player who hears the box, sees nothing, and presses four buttons.

The listener knows the rules for buttons: UP and DOWN turn, OK chooses, OK held for a second at a
curtain plays the secret, BACK goes back. The listener also knows the words of menu lines.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, Protocol

from companion.menus.words import menu_words
from companion.record.journal import Journal
from companion.table.aloud import spoken_form_of_display_text
from hardware.mock import FakeBox
from hardware.ports import BACK, DOWN, OK, UP
from hardware.sound.text_speaker import TextSpeaker
from tests.helpers import Drive

PLACE_PATTERNS: Final = {"en": re.compile(r"^(.*?)[.?!…:] (\d+) of (\d+)$"),
                "fr": re.compile(r"^(.*?)[.?!…:] (\d+) sur (\d+)$")}  # fmt: skip
DETAILS: Final = re.compile(r"\s*[:,] ")
"""Matches the end of an option's name, before its details."""
SILENCE_SECONDS: Final = 40.0
"""Seconds of silence before the listener presses OK."""
WORDS_PER_SECOND: Final = 160 / 60
"""Words a second of the voice, if no engine measures the time."""
MAX_PRESSES: Final = 20_000
"""Maximum number of presses in a game."""


class Lost(AssertionError):
    """The listener does not know what to do. The text has the last sentences."""


class Heard(NamedTuple):
    """A spoken sentence. `ear`: the only player who hears it, or None for the room."""

    text: str
    ear: str | None = None


def _bare(text: str) -> str:
    """Return a line without its final punctuation."""
    return text.rstrip(".?!… \u00a0")


class Box(Protocol):
    """A box as the listener uses it: buttons, and sentences to hear."""

    heard: list[Heard]

    def press(self, button: str, seconds: float = 0.08) -> None:
        """Press a button for some seconds and release it."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""


class Option(NamedTuple):
    """The option at the cursor: its spoken text, its number, and the number of options."""

    what: str
    n: int
    of: int


class Listener:
    """A player who uses a box only by listening. `rng` makes the choices."""

    def __init__(self, box: Box, rng: Random, language: str) -> None:
        self.box, self.rng, self.language = box, rng, language
        self.presses = 0
        self.read = 0
        self.changes = 0.7  # probability of changing the proposed options
        self.look = 5  # number of answers before it reads the survey of the table
        self.patience = SILENCE_SECONDS
        self.surveyed: list[str] = []
        self._at: Option | None = None
        self._known: dict[str, Option] = {}
        self._words = menu_words(language)
        self._over = self._words("box.say.ear.over")
        self._hold = self._words("box.say.ear.curtain").lower()
        look = "box.cue.refused.look_first"
        self._look = {self._words(f"{look}.speech"), self._words(f"{look}.ear")}
        self._turn = self._words("box.say.ear.turn")
        throws = "box.say.throw", "box.say.throw.short"
        self._throws = [self._words(key, who="") for key in throws]

    # --- hands and ears ---

    def press(self, button: str, seconds: float = 0.08) -> list[Heard]:
        """Press a button for some seconds. Return the sentences that follow."""
        self.presses += 1
        if self.presses > MAX_PRESSES:
            raise Lost(f"the game does not end: {self.box.heard[-8:]}")
        self.box.press(button, seconds)
        said = self.listen()
        self._at = self._stands(said, {DOWN: 1, UP: -1}.get(button, 0))
        return said

    def listen(self) -> list[Heard]:
        """Wait 0.7 s. Return all new sentences."""
        self.box.wait(0.7)
        found = self.box.heard[self.read :]
        self.read = len(self.box.heard)
        return found

    def _stands(self, said: Sequence[Heard], step: int) -> Option | None:
        """Return the option at the cursor after a step: the newest place, or the next option.

        The box says the place when a list appears. After a step, the box says only the option.
        """
        if (found := self._placed(said)) is not None:
            return found
        if not step or self._at is None or not said:
            return self._echoed(said[-1].text) if said else None
        n = (self._at.n - 1 + step) % self._at.of + 1
        return Option(_bare(said[0].text), n, self._at.of)

    def _placed(self, said: Sequence[Heard]) -> Option | None:
        for one in reversed(said):
            if found := PLACE_PATTERNS[self.language].match(one.text):
                option = Option(found[1].strip(), int(found[2]), int(found[3]))
                self._known[option.what] = option
                return option
        return None

    def option(self, said: Sequence[Heard]) -> Option | None:
        """Return the newest option in `said`, or the option at the cursor."""
        if (found := self._placed(said)) is not None or not said:
            return found
        return self._at or self._known.get(_bare(said[-1].text))

    def _echoed(self, text: str) -> Option | None:
        """Return the option before the press if `text` repeats its name, else a known option."""
        name = _bare(text)
        if self._at is not None and DETAILS.split(self._at.what, maxsplit=1)[0] == name:
            return self._at
        return self._known.get(name)

    def settled(self, said: list[Heard]) -> list[Heard]:
        """Return the sentences up to the point where the listener must act."""
        waited = 0.0
        while self.option(said) is None and not self._is_told(said) and waited < self.patience:
            if said and said[-1].ear is not None:
                break  # an open secret: its last sentence is the answer that OK takes
            self.box.wait(2.0)
            waited += 2.0
            said = [*said, *self.listen()]
        self._at = self.option(said)
        return said

    def _is_told(self, said: Sequence[Heard]) -> bool:
        """Return True if the box asked for an action."""
        known = (self._over, self._turn, self._words("box.say.ear.go_on"),
                 self._words("box.say.ear.chosen"), self._words("box.say.ear.cover"))  # fmt: skip
        throws = any(one.text.endswith(text) for one in said for text in self._throws)
        return throws or any(one.text in known or self._is_curtain(one) for one in said)

    def _is_curtain(self, one: Heard) -> bool:
        told = one.text.lower().endswith(self._hold) or one.text in self._look
        return one.ear is None and told

    # --- menus ---

    def find(self, wanted: Callable[[str], bool], said: list[Heard]) -> list[Heard]:
        """Turn to a line and choose it."""
        self.turn_to(wanted, said)
        return self.press(OK)

    def turn_to(self, wanted: Callable[[str], bool], said: list[Heard]) -> None:
        at = self.option(self.settled(said))
        for _ in range((at.of if at else 0) + 1):
            if at is not None and wanted(at.what):
                return
            at = self.option(self.press(DOWN))
        raise Lost(f"there is no such line: {self.box.heard[-12:]}")

    def change(self) -> None:
        """Choose a line whose value changes in place."""
        at = self._at
        self.press(OK)
        self._at = self._at or at

    def line(self, key: str, said: list[Heard]) -> list[Heard]:
        """Choose a menu's line. Return the sentences that follow."""
        name = self._words(key).rstrip(".?!… \u00a0")
        return self.find(lambda what: what == name, said)

    def begin(self, title: str) -> list[Heard]:
        """Begin a new game from the first screen, with a random number of players."""
        said = self.line("box.option.home.new", self.listen())
        said = self.settled(self.find(lambda what: what == title, said))
        at = self.option(said)
        for _ in range(self.rng.randrange(at.of if at else 1)):
            said = self.press(DOWN)
        said = self.settled(self.press(OK))
        names = self._title("name")
        while any(one.text == names for one in said):
            said = self.settled(self.press(OK))
        if self.rng.random() < self.changes:
            said = self._change(said)
        titles = {self._title(page) for page in ("name", "options", "setup", "board")}
        while any(one.text in titles for one in said):
            said = self.settled(self.press(OK))
        return said

    def _change(self, said: list[Heard]) -> list[Heard]:
        """Go back from the setup to the options, change some options, and begin the game."""
        if any(one.text == self._title("setup") for one in said):
            said = self.settled(self.press(BACK))
        for _ in range(self.rng.randrange(6)):
            at = self.option(self.press(DOWN))
            plain = at is not None and at.what not in self._lines
            if plain and self.rng.random() < 0.5:
                self.change()
        return self.line("box.option.options.start", self.press(DOWN))

    @property
    def _lines(self) -> tuple[str, ...]:
        """Return the lines of the options page that lead to other pages or begin the game."""
        keys = "box.option.options.start", "box.option.options.setup"
        return tuple(map(self._words, keys))

    def _title(self, page: str) -> str:
        title = spoken_form_of_display_text(self._words(f"box.page.{page}"), self._words)
        return f"{title.rstrip('.?')}."

    # --- a game ---

    def play(self, said: list[Heard]) -> None:
        asked = 0
        while not any(one.text == self._over for one in said):
            said = self.settled(said)
            if any(one.text == self._over for one in said):
                return
            at = self.option(said)
            if at is None:
                said = self._told(said)
                continue
            asked += 1
            if asked >= self.look and not self.surveyed and said[-1].ear is None:
                said = self.survey()
                continue
            said = self.choose(at)

    def _told(self, said: list[Heard]) -> list[Heard]:
        """Follow the box's last instruction. The default is OK."""
        if said and any(self._is_curtain(one) for one in said[-2:]):
            return self.press(OK, 1.0)
        if said and said[-1].text == self._turn:
            return self.press(DOWN)
        return self.press(OK)

    def choose(self, at: Option) -> list[Heard]:
        """Choose the option at the cursor, or turn to another one first."""
        away = 0 if self.rng.random() < 0.4 else self.rng.randrange(at.of)
        button, said = DOWN if away * 2 <= at.of else UP, list[Heard]()
        for _ in range(min(away, at.of - away)):
            said = self.press(button)
            if not said:
                break  # an end of the rows of letters has only a sound
            now = self.option(said)
            if now is None or len(said) > 2:
                raise Lost(f"a step says more than its place: {said} after {at}")
        now = self.option(said)
        if now is not None and now.what.lower() == self._words("box.say.ear.dot"):
            self.press(DOWN)  # dots surround a word, and this word has none
        return self.press(OK)

    def survey(self) -> list[Heard]:
        """Read the whole survey of the table, and return to the game's question."""
        before = self.option(self.box.heard[-2:])
        if any(one.text == self._words("box.say.ear.look") for one in self.box.heard):
            at = self.option(self._from_the_menu())  # OK held would play a secret
        else:
            at = self.option(self.press(OK, 2.2))
            if at == before:  # the press came too early to count
                at = self.option(self.press(OK, 2.2))
        if at is None:
            raise Lost(f"nothing is there: {self.box.heard[-6:]}")
        found = [at.what]
        for _ in range(at.of - 1):
            at = self.option(self.press(DOWN))
            found.append(at.what if at else "")
        if "" in found:
            raise Lost(f"a sentence has no place: {found}")
        self.surveyed = found
        return self.press(OK)

    def _from_the_menu(self) -> list[Heard]:
        """Open the survey from the menu. From a form, the menu needs several presses of BACK."""
        for _ in range(3):
            said = self.press(BACK)
            if any(one.text == self._title("menu") for one in said):
                return self.line("box.option.menu.there", said)
        raise Lost(f"there is no menu: {self.box.heard[-6:]}")

    def look_back(self) -> list[str]:
        """Go from the end of a game to the first screen, and read the game there."""
        said = self.settled(self.press(OK))
        while self.option(said) is None:
            said = self.settled(self.press(OK))
        said = self.settled(self.line("box.option.home.games", said))
        at = self.option(self.settled(self.press(OK)))
        if at is None:
            raise Lost(f"nothing is told of the game: {self.box.heard[-6:]}")
        found = [at.what]
        for _ in range(at.of - 1):
            now = self.option(self.press(DOWN))
            found.append(now.what if now else "")
        if "" in found:
            raise Lost(f"a page says nothing: {found}")
        self.press(OK)
        self.press(BACK)
        return found


class Table:
    """A simulated box: fake hardware, simulated time, and recorded speakers."""

    def __init__(self, language: str, *, ear: bool = True) -> None:
        self.heard: list[Heard] = []
        fake = FakeBox()

        def speaker(who: str | None = None) -> TextSpeaker:
            return TextSpeaker(lambda _: None, lambda text: self.heard.append(Heard(text, who)))

        fake.box = fake.box._replace(
            speakers=(speaker(),), lamps=None, seats=0, ear=speaker if ear else None
        )
        journal = Journal(None)
        journal.save_settings({"ear": True, "language": language, "quiet_from": None}, 0)
        self.drive = Drive(journal, language, fake=fake)

    def press(self, button: str, seconds: float = 0.08) -> None:
        self.drive.down(button)
        self.drive.wait(seconds)
        self.drive.up(button)

    def wait(self, seconds: float) -> None:
        self.drive.wait(seconds)


def seconds_of(texts: Sequence[str], language: str, *, measured: bool) -> float:
    """Return the time (s) to speak some texts: measured with the engine, or estimated."""
    engine = shutil.which("espeak-ng") if measured else None
    if engine is None:
        return sum(len(text.split()) for text in texts) / WORDS_PER_SECOND
    command = (engine, "-v", language, "-s", "160", "--stdout")
    made = subprocess.run(command, input="\n".join(texts).encode(), capture_output=True, check=True)
    return (len(made.stdout) - 44) / 2 / 22_050
