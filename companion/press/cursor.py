"""The cursor of the buttons, and the scene to which a press applies. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.core.prompts import Answer, Prompt, Spell
from companion.press.wheel import likeliest_place, wheel_places
from hardware.ports import BACK

HOLD_SECONDS: Final = 1.0
"""The time in seconds for a hold: BACK undoes, OK explains, UP with DOWN mutes."""
HOLD_STEP_SECONDS: Final = (0.4, 0.6, 0.8, HOLD_SECONDS)
"""The times in seconds at which the bar of a hold grows."""
NO_SELECTION: Final = -1
"""The place of a cursor without a selection, as in secret questions."""
KEEP_WORD_QUESTION: Final = "keep_word"
"""Question that confirms a secret word that is in no list; the secret stays open during it."""


class Scene(NamedTuple):
    """The context of a press: the pending prompt, or the moment or curtain in front of it.

    - `players`: players with a secret, by seat; None for computer players.
    - `curtain`: the player whom the curtain names.
    - `holds`: an undo or an explanation exists, so that holding BACK or OK has a second meaning.
    - `looks`: the player who may hold OK during a public question to see a secret.
    - `seats`: all people by seat, if their buttons may select them.
    - `interrupts`: holding a seat's button begins an interruption.
    - `pages`: number of pages that UP and DOWN turn; with one page they close the moment.
    - `alone`: players whose secrets are spoken privately.
    - `home`: the first screen, where a long OK switches audio mode.
    - `ear`: audio mode, where DOWN always selects the next answer, also for numbers.
    """

    prompt: Prompt | None
    players: tuple[str | None, ...] = ()
    moment: bool = False
    curtain: str | None = None
    holds: bool = True
    looks: str | None = None
    seats: tuple[str | None, ...] = ()
    interrupts: bool = False
    pages: int = 1
    alone: frozenset[str] = frozenset()
    home: bool = False
    ear: bool = False


class Cursor(NamedTuple):
    """The state of the buttons and of the selection.

    - `at`: the index of the selected option; NO_SELECTION before a choice in a secret question.
    - `text`: the letters spelt so far. `row`: the open row of letters, or "". `back`: the number of
      letters behind the caret.
    - `held`: the pressed buttons with their times. `spent`: those whose hold has had its effect.
      `lone`: the button that was pressed alone, or "".
    - `bar`: the progress of a hold, 0 to 4. `means`: the effect of the hold.
    - `looking`: the player whose secret is shown. `looked`: the player of the curtain has seen the
      secret. `listening`: the secret is spoken and not shown. `opener`: the button that keeps it
      open.
    - `page`: the page of a picture that is shown.
    - `acted`: when a press caused the picture, or None. `shown`: when a picture came up by itself,
      or None. `repeated`: an early press has repeated its question. `touched`: the last edge.
    """

    at: int = 0
    text: str = ""
    row: str = ""
    back: int = 0
    held: tuple[tuple[str, float], ...] = ()
    spent: tuple[str, ...] = ()
    repeats: int = 0
    bar: int = 0
    means: str = ""
    looking: str | None = None
    looked: bool = False
    page: int = 0
    acted: float | None = None
    repeated: bool = False
    shown: float | None = None
    touched: float = 0.0
    listening: bool = False
    opener: str = ""
    lone: str = ""

    @property
    def seen(self) -> Cursor:
        """Return the parts of the cursor that change a frame; held buttons are left out."""
        return Cursor(
            self.at, self.text, self.row, self.back, bar=self.bar, means=self.means,
            looking=self.looking, looked=self.looked, page=self.page,
        )  # fmt: skip

    @property
    def before(self) -> str:
        """Return the letters before the caret."""
        return self.text[: len(self.text) - self.back]

    @property
    def is_spelling(self) -> bool:
        """Return True if a word has letters, or if the row of its first letter is open."""
        return bool(self.text or self.row)

    def since(self, button: str) -> float | None:
        """Return the time (s) at which a button was pressed; None if it is up."""
        return dict(self.held).get(button)


def cursor_on_likeliest(cursor: Cursor, prompt: Prompt | None) -> Cursor:
    """Return the cursor on the likeliest answer of a new prompt; held buttons are spent."""
    down = tuple([button for button, _ in cursor.held])
    aimed = Cursor(
        at=likeliest_place(prompt),
        held=cursor.held,
        spent=down,
        acted=cursor.acted,
        repeated=cursor.repeated,
        lone=cursor.lone,
        touched=cursor.touched,
    )
    if prompt is None or not prompt.private:
        return aimed
    if is_spelling_secret(cursor, prompt):
        return aimed._replace(looking=cursor.looking, looked=True, listening=cursor.listening)
    if cursor.listening and prompt.who == cursor.looking:
        return aimed._replace(looking=cursor.looking, looked=True, listening=True)
    return aimed if _stays(prompt) else aimed._replace(at=NO_SELECTION)


def guard_cursor(cursor: Cursor, now: float) -> Cursor:
    """Return the cursor after a press at `now` (s); presses right after it are too early."""
    return cursor._replace(acted=now, repeated=False)


def cursor_after_moment(cursor: Cursor, shown: float | None = None) -> Cursor:
    """Return the cursor after a moment closed. Held buttons except BACK have no further effect.

    shown: the time (s) at which the moment closed by itself; None if a press closed it.
    """
    down = tuple(button for button, _ in cursor.held if button != BACK)
    spent = tuple(dict.fromkeys((*cursor.spent, *down)))
    return cursor._replace(spent=spent, bar=0, page=0, shown=shown)


def ignore_older_presses(cursor: Cursor, before: float = math.inf) -> Cursor:
    """Return the cursor where buttons pressed before the time `before` (s) have no effect."""
    down = [button for button, since in cursor.held if since < before]
    if {*down} <= {*cursor.spent}:
        return cursor._replace(lone="") if down else cursor
    return cursor._replace(spent=tuple(dict.fromkeys((*cursor.spent, *down))), bar=0, lone="")


def current_answer(prompt: Prompt, cursor: Cursor) -> Answer:
    """Return the option under the cursor. Check `has_chosen` first."""
    places = reachable_places(prompt, cursor)
    return places[cursor.at % len(places)]


def reachable_places(prompt: Prompt, cursor: Cursor) -> Sequence[Answer]:
    """Return the places that the cursor can reach now."""
    return wheel_places(prompt, cursor.text, cursor.row, cursor.back)


def has_chosen(prompt: Prompt, cursor: Cursor) -> bool:
    """Return True if an answer is under the cursor; never for a word spelt in secret."""
    return cursor.at != NO_SELECTION and not (prompt.private and _stays(prompt))


def is_spelling_secret(cursor: Cursor, prompt: Prompt | None) -> bool:
    """Return True if a secret word is being spelt.

    It stays open, because spelling needs both hands.
    """
    if prompt is None or not prompt.private or prompt.who != cursor.looking:
        return False
    return _stays(prompt)


def stays_open(cursor: Cursor, prompt: Prompt | None) -> bool:
    """Return True if a secret stays open without a held button: it is spelt or spoken."""
    return (cursor.listening and cursor.looking is not None) or is_spelling_secret(cursor, prompt)


def _stays(prompt: Prompt) -> bool:
    """Return True if a secret stays open after its button is released."""
    return isinstance(prompt, Spell) or prompt.name == KEEP_WORD_QUESTION
