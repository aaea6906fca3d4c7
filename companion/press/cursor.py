"""The cursor that buttons move, and the context of a press: a prompt, an overlay or a curtain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.core.prompts import Answer, Prompt, Spell
from companion.press.wheel import likeliest_answer_index, wheel_answers_and_symbols
from hardware.ports import BACK

HOLD_SECONDS: Final = 1.0
"""Seconds after which a hold of BACK, of OK, or of UP and DOWN executes its second function."""
HOLD_STEP_TIMES: Final = (0.4, 0.6, 0.8, HOLD_SECONDS)
"""Seconds from the press of a held button to each of the four steps of the button's bar."""
NO_SELECTION: Final = -1
"""Value of `Cursor.at` while no option is selected, as at the beginning of a secret question."""
CONFIRM_UNLISTED_WORD_QUESTION: Final = "keep_word"
"""Name of the question that confirms an unlisted secret word.

While a player answers this question, the secret stays open.
"""


class PressContext(NamedTuple):
    """The context of a press: the pending prompt, and an overlay or curtain in front of the prompt.

    - `players`: the people who may have a secret, by seat; None for a computer player's seat.
    - `curtain`: the player named on the curtain (the frame that hides a secret), or None.
    - `holds` is True if holding BACK or OK has a second function (undo or explanation).
    - `looks`: the player who can hold OK during a public question to see a secret.
    - `seats`: the people by seat, None for a computer player's seat; () without seat buttons.
    - `interrupts` is True if holding a seat button begins an out-of-turn answer.
    - `pages`: number of pages that UP and DOWN turn; with one page, UP and DOWN close the overlay.
    - `alone`: the players to whom the box speaks secrets privately.
    - `home` is True on the first screen, where holding OK for three seconds switches audio mode.
    - `ear` is True in audio mode, where DOWN selects the next answer, even if the answers are
      numbers.
    """

    prompt: Prompt | None
    players: tuple[str | None, ...] = ()
    overlay: bool = False
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
    """The state of the buttons, of the selection and of the shown secret.

    - `at`: the index of the selected option; NO_SELECTION before any choice in a secret question.
    - `text`: the letters that the player has spelt so far.
    - `row`: the letters of the row that the player has opened; "" if no row is open.
    - `back`: the number of letters after the caret.
    - `held`: the held buttons, each with the time (s) of its press.
    - `spent`: held buttons whose function has been executed.
    - `repeats`: the number of steps that holding UP or DOWN has repeated.
    - `lone`: the held button that was pressed while no other button was down, or "".
    - `bar`: the length of the bar that shows a hold, 0 to 4.
    - `means`: the name of the function that the hold will execute.
    - `looking`: the player whose secret is open, or None.
    - `looked` is True if the player named on the curtain has seen the secret.
    - `listening` is True if the open secret is spoken instead of shown.
    - `opener`: the button that keeps the secret open.
    - `page`: the index of the shown page in an overlay with pages.
    - `acted`: the time (s) of the press that caused the shown question, or None.
    - `shown`: the time (s) at which the screen appeared without a press, or None.
    - `repeated` is True if an early press has already repeated the question.
    - `touched`: the time (s) of the last button edge.
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
    def with_visible_fields_only(self) -> Cursor:
        """Return the cursor with only the fields that change a frame."""
        return Cursor(
            self.at, self.text, self.row, self.back, bar=self.bar, means=self.means,
            looking=self.looking, looked=self.looked, page=self.page,
        )  # fmt: skip

    @property
    def letters_before_caret(self) -> str:
        """Return the spelt letters before the caret."""
        return self.text[: len(self.text) - self.back]

    @property
    def has_begun_spelling(self) -> bool:
        """Return True if the player has spelt a letter, or has opened a row of letters."""
        return bool(self.text or self.row)

    def press_time_of_button(self, button: str) -> float | None:
        """Return the time (s) at which a held button was pressed; None if the button is up."""
        return dict(self.held).get(button)


def cursor_on_likeliest_answer(cursor: Cursor, prompt: Prompt | None) -> Cursor:
    """Return the cursor on the answer that the player most probably gives to a new prompt.

    If `prompt` is a secret choice, select no answer, unless the player listens to the secret. The
    player must release held buttons before these buttons act again.
    """
    down = tuple([button for button, _ in cursor.held])
    aimed = Cursor(
        at=likeliest_answer_index(prompt),
        held=cursor.held,
        spent=down,
        acted=cursor.acted,
        repeated=cursor.repeated,
        lone=cursor.lone,
        touched=cursor.touched,
    )
    if prompt is None or not prompt.private:
        return aimed
    if is_spelling_secret_word(cursor, prompt):
        return aimed._replace(looking=cursor.looking, looked=True, listening=cursor.listening)
    if cursor.listening and prompt.who == cursor.looking:
        return aimed._replace(looking=cursor.looking, looked=True, listening=True)
    return aimed if _stays(prompt) else aimed._replace(at=NO_SELECTION)


def cursor_rejecting_early_presses(cursor: Cursor, now: float) -> Cursor:
    """Return the cursor after a press at `now` (s).

    A further press soon afterwards is rejected, because it comes too early.
    """
    return cursor._replace(acted=now, repeated=False)


def cursor_after_overlay(cursor: Cursor, shown: float | None = None) -> Cursor:
    """Return the cursor after an overlay has closed.

    The player must release every held button except BACK before the button acts again.

    `shown`: the time (s) at which the overlay closed by itself; None if a press closed the overlay.
    """
    down = tuple(button for button, _ in cursor.held if button != BACK)
    spent = tuple(dict.fromkeys((*cursor.spent, *down)))
    return cursor._replace(spent=spent, bar=0, page=0, shown=shown)


def cursor_ignoring_older_presses(cursor: Cursor, before: float = math.inf) -> Cursor:
    """Return the cursor with older presses ignored, until the player releases these buttons.

    `before`: the time (s). A press is older if the button was pressed before this time. Without
    `before`, ignore all held buttons.
    """
    down = [button for button, since in cursor.held if since < before]
    if {*down} <= {*cursor.spent}:
        return cursor._replace(lone="") if down else cursor
    return cursor._replace(spent=tuple(dict.fromkeys((*cursor.spent, *down))), bar=0, lone="")


def selected_answer(prompt: Prompt, cursor: Cursor) -> Answer:
    """Return the answer or symbol under the cursor.

    Check `has_selected_answer` before calling this function.
    """
    places = reachable_answers_and_symbols(prompt, cursor)
    return places[cursor.at % len(places)]


def reachable_answers_and_symbols(prompt: Prompt, cursor: Cursor) -> Sequence[Answer]:
    """Return the answers and symbols that the cursor can reach now."""
    return wheel_answers_and_symbols(prompt, cursor.text, cursor.row, cursor.back)


def has_selected_answer(prompt: Prompt, cursor: Cursor) -> bool:
    """Return True if an answer is under the cursor; return False for a word spelt in secret."""
    return cursor.at != NO_SELECTION and not (prompt.private and _stays(prompt))


def is_spelling_secret_word(cursor: Cursor, prompt: Prompt | None) -> bool:
    """Return True if the player whose secret is open is asked for a secret word.

    The secret stays open without a held button, because spelling needs both hands.
    """
    if prompt is None or not prompt.private or prompt.who != cursor.looking:
        return False
    return _stays(prompt)


def is_secret_kept_open(cursor: Cursor, prompt: Prompt | None) -> bool:
    """Return True if a secret stays open although no button is held.

    A secret stays open while a player spells the secret, or while the box speaks the secret.
    """
    return (cursor.listening and cursor.looking is not None) or is_spelling_secret_word(
        cursor, prompt
    )


def _stays(prompt: Prompt) -> bool:
    return isinstance(prompt, Spell) or prompt.name == CONFIRM_UNLISTED_WORD_QUESTION
