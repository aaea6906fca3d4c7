"""A box in a terminal: a display of characters, a log of sounds and sentences, and keys as buttons.

A terminal does not report when a key is released. Most keys therefore press a button for a short
time. Some keys hold a button for LONG_PRESS_SECONDS, and other keys hold a button until the next
key is pressed. The terminal reports both press and release of a mouse button.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from typing import ClassVar, Final

from rich.segment import Segment
from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.driver import Driver
from textual.events import Key, MouseDown, MouseUp, Resize
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from hardware.display.frame_conversions import frame_as_braille_lines, frame_as_half_block_lines
from hardware.pins.lamps import LampBlinker
from hardware.ports import BACK, BLANK_FRAME, DISPLAY_WIDTH, DOWN, OK, SEATS, UP, Box, HardwareError
from hardware.screens.shared_display import KeyButtons, SharedDisplay
from hardware.screens.terminal_guard import (
    quit_on_signals,
    silence_other_terminal_output,
    watch_for_terminal_loss,
)
from hardware.sound.text_speaker import TextSpeaker

BRAILLE_TERMINAL_SIZE: Final = (66, 18)
"""Columns and rows of the smallest terminal for a display of braille characters."""
HALF_BLOCK_TERMINAL_SIZE: Final = (132, 44)
"""Columns and rows of the smallest terminal for a display of half-block characters."""
POOR_FONT_TERMINAL_SIZE: Final = (132, 36)
"""Columns and rows of the smallest terminal for the box, if the font lacks braille characters."""
TERMINALS_WITHOUT_BRAILLE: Final = frozenset(
    ("linux", "linux-16color", "cons25", "vt220", "vt320", "ansi")
)
"""Values of TERM for consoles whose fonts lack braille characters, but have half blocks."""
TERMINALS_WITHOUT_CURSOR: Final = frozenset(("", "dumb", "unknown"))
"""Values of TERM for terminals that cannot move the cursor, and therefore can only append lines."""
LONG_PRESS_SECONDS: Final = 1.1
"""Seconds for which a key of LONG_PRESS_KEYS holds its button."""
HELP_SECONDS: Final = 15.0
"""Seconds for which the list of all keys is visible."""
TAP_SECONDS: Final = 0.005
"""Seconds from press to release of a short press."""
MAX_LOG_LINES: Final = 200
"""Maximum number of lines in the log of sounds and sentences."""

PRESS_KEYS: Final = {
    "up": UP, "k": UP, "down": DOWN, "j": DOWN, "enter": OK, "space": OK,
    "backspace": BACK, "escape": BACK, "left": BACK,
    "1": SEATS[0], "2": SEATS[1], "3": SEATS[2], "4": SEATS[3],
    # keys 1 to 4 of a French keyboard without Shift
    "ampersand": SEATS[0], "é": SEATS[1], "quotation_mark": SEATS[2], "apostrophe": SEATS[3],
}  # fmt: skip
"""Table from textual's name of a key to the button that the key presses for TAP_SECONDS."""
LONG_PRESS_KEYS: Final = {"w": OK, "u": BACK}
"""Table from textual's name of a key to the button that the key presses for LONG_PRESS_SECONDS."""
LATCH_KEYS: Final = {"l": OK, "f1": SEATS[0], "f2": SEATS[1], "f3": SEATS[2], "f4": SEATS[3]}
"""Table from textual's name of a key to the button that the key holds down.

The next key releases the button, unless this next key presses UP or DOWN.
"""
KEYS_WITH_BACK: Final = {"a": UP, "s": DOWN, "h": OK}
"""Table from textual's name of a key to the button that the key presses together with BACK.

The key presses BACK, presses and releases the button, and releases BACK.
"""
QUIT_KEYS: Final = frozenset(("q", "ctrl+c", "ctrl+q"))
"""Textual's names of the keys that end the program."""
SHOW_KEYS_KEY: Final = "question_mark"
"""Textual's name of the key that shows the list of all keys."""
CONNECT_PHONE_KEY: Final = "p"
"""Textual's name of the key that shows how to connect a phone."""

_ENGRAVED: Final = {
    UP: ("▲", "↑"), DOWN: ("▼", "↓"), OK: ("OK", "↵"), BACK: ("BACK", "←"),
    **{seat: (str(number), f"F{number}") for number, seat in enumerate(SEATS, 1)},
}  # fmt: skip


def terminal_unfit_error(environment: Mapping[str, str], encoding: str) -> HardwareError | None:
    """Return an error with the reason why a terminal cannot show the box.

    Return None if the terminal can show the box.

    - `environment`: the environment variables of the process.
    - `encoding`: the encoding of standard output.
    """
    term = environment.get("TERM", "")
    if term in TERMINALS_WITHOUT_CURSOR:
        return HardwareError.from_reason("terminal_dumb", term=term or "-")
    if encoding.lower().replace("-", "") != "utf8":
        return HardwareError.from_reason("terminal_encoding", encoding=encoding)
    return None


def _nothing() -> None:
    """Do nothing, as the default of `on_quit` and `on_phones`."""


class _Log:
    """Log of the box's sounds and sentences as lines of text.

    `wake`: function that is called after each new line.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._lines: deque[Text] = deque(maxlen=MAX_LOG_LINES)
        self._wake = wake
        self.speaker: Final = TextSpeaker(
            lambda sound: self._write(Text(f"♪ {sound}", "dim")),
            lambda text: self._write(Text(text)),
        )

    def take_new_lines(self) -> list[Text]:
        """Return all lines since the last call of `take_new_lines`."""
        return [self._lines.popleft() for _ in range(len(self._lines))]

    def _write(self, line: Text) -> None:
        self._lines.append(line)
        self._wake()


@lru_cache(maxsize=4)
def _picture(frame: bytes, *, large: bool) -> list[str]:
    return frame_as_half_block_lines(frame) if large else frame_as_braille_lines(frame)


def _resumed_once(driver: type[Driver]) -> type[Driver]:
    """Return a subclass of the driver class that resumes the app only after a suspension.

    The signal SIGCONT also arrives without a suspension, for example when a window is closed. After
    such a signal, textual would start its threads a second time, and the process would never end.
    """

    class Once(driver):  # type: ignore[valid-type, misc]
        suspended = False

        def suspend_application_mode(self) -> None:
            self.suspended = True
            super().suspend_application_mode()

        def resume_application_mode(self) -> None:
            if self.suspended:
                self.suspended = False
                super().resume_application_mode()

    return Once


class _Oled(Widget):
    """Widget of the display, which redraws only the lines that changed.

    The widget shows half-block characters if the terminal is large enough, and braille characters
    otherwise.
    """

    _frame = BLANK_FRAME

    def draw(self, frame: bytes) -> None:
        """Draw `frame` in place of the previous frame."""
        before, self._frame = self.frame_text_lines, frame
        changed = [y for y, line in enumerate(self.frame_text_lines) if line != before[y]]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    @property
    def frame_text_lines(self) -> list[str]:
        """Return the lines of text that draw the frame."""
        return _picture(self._frame, large=self.size.width >= DISPLAY_WIDTH)

    def render_line(self, y: int) -> Strip:
        return Strip([Segment(line, self.rich_style) for line in self.frame_text_lines[y : y + 1]])


class _Cap(Static):
    """Widget of a button; a mouse click reports the press and the release of the button."""

    def __init__(self, button: str, text: Text, face: TerminalBoxApp) -> None:
        super().__init__(text, id=button)
        self._button, self._face = button, face

    def on_mouse_down(self, event: MouseDown) -> None:
        event.stop()
        self.capture_mouse()
        self._face.hold_or_release_button(self._button)

    def on_mouse_up(self, event: MouseUp) -> None:
        event.stop()
        self.release_mouse()
        self._face.release_unless_long_press()


class _Table(Vertical):
    """Widget that contains all other widgets, and adapts them to the size of the terminal."""

    def on_mount(self) -> None:
        self._fit_into(self.app.size)

    def on_resize(self, event: Resize) -> None:
        self._fit_into(event.size)

    def _fit_into(self, room: Size) -> None:
        width, height = room
        is_poor = self.app.has_class("poor")
        smallest, lowest = (
            (POOR_FONT_TERMINAL_SIZE, HALF_BLOCK_TERMINAL_SIZE[1])
            if is_poor
            else (BRAILLE_TERMINAL_SIZE, BRAILLE_TERMINAL_SIZE[1] + 6)
        )
        large = is_poor or (
            width >= HALF_BLOCK_TERMINAL_SIZE[0] and height >= HALF_BLOCK_TERMINAL_SIZE[1]
        )
        low = height < lowest
        self.set_class(large, "large")
        self.set_class(low, "low")
        self.set_class(
            not low
            and width >= (HALF_BLOCK_TERMINAL_SIZE if large else BRAILLE_TERMINAL_SIZE)[0] + 32,
            "beside",
        )
        self.set_class(width < smallest[0] or height < smallest[1], "tiny")
        self.query_one("#log").scroll_end(animate=False)


class TerminalBoxApp(App[None], inherit_bindings=False):
    """The textual app that draws the box in the terminal and handles keys and mouse."""

    ENABLE_COMMAND_PALETTE = False
    CSS: ClassVar[str] = """
    Screen { background: #14110f; color: #d9cbb8; }
    _Table { align: center middle; }
    #case { width: 68; height: auto; padding: 0 1; background: #2c231d; color: #c9b496;
            border: round #8a6a48; border-title-color: #f0dcb8; border-title-style: bold;
            border-subtitle-color: #a08868; }
    _Oled { width: 64; height: 16; background: #06090d; color: #cfe4ff; }
    #caps { height: 1; }
    _Cap { width: 1fr; height: 1; margin: 0 1; text-align: center;
           background: #40342b; color: #ecdcc2; }
    _Cap.lit { background: #7a2f22; color: #ffd9c2; }
    _Cap.held { background: #d9a441; color: #1d1712; text-style: bold; }
    _Oled.dim { color: #4f5a66; }
    _Oled.dark { color: #06090d; }
    #keys { height: 1; text-align: center; color: #a08868; }
    #log { width: 68; height: 1fr; padding: 0 1; scrollbar-size-vertical: 1;
           scrollbar-background: #14110f; scrollbar-color: #40342b; }
    #too_small { display: none; width: 100%; height: 100%; content-align: center middle;
                 text-align: center; }

    .large #case { width: 132; padding: 0; }
    .large _Oled { width: 130; height: 34; border: outer #120e0b; }
    .large #caps { height: 3; padding: 0 8; }
    .large _Cap { height: 3; margin: 0 2; border-top: tall #6f5a48; border-bottom: tall #1d1712; }
    .large _Cap.held { border-top: tall #8a6420; border-bottom: tall #ffd98a; }
    .large #log { width: 132; }
    .beside { layout: horizontal; }
    .beside #log { width: 1fr; max-width: 60; height: auto; max-height: 100%; margin: 0 0 0 1; }
    .low #case { width: 66; padding: 0; }
    .large.low #case { width: 132; }
    .low #caps, .low #keys { display: none; }
    .tiny #case, .tiny #log { display: none; }
    .tiny #too_small { display: block; }
    """

    def __init__(
        self,
        labels: Mapping[str, str],
        on_quit: Callable[[], None],
        seats: int,
        on_phones: Callable[[], None],
    ) -> None:
        super().__init__()
        self.set_class(os.environ.get("TERM") in TERMINALS_WITHOUT_BRAILLE, "poor")
        self.driver_class = _resumed_once(self.driver_class)
        self.buttons = KeyButtons()
        self.glass = SharedDisplay(lambda: self.call_later(self._look))
        self.heard = _Log(self.glass.wake_reader)
        self.work: Future[object] | None = None
        self.begin: Callable[[], Future[object]] | None = None
        self._labels, self._on_quit, self._on_phones = labels, on_quit, on_phones
        self._present = (UP, DOWN, OK, BACK, *SEATS[:seats])
        self._written: deque[Text] = deque(maxlen=MAX_LOG_LINES)
        self._held: str | None = None
        self._timer: Timer | None = None
        self._left = False
        self.is_quit = False
        self._watch_ends: Callable[[], None] = _nothing

    def compose(self) -> ComposeResult:
        """Yield the widgets: the box, the log, and the notice for a terminal that is too small."""
        with _Table():
            with Vertical(id="case") as case:
                case.border_title = self._labels["title"]
                case.border_subtitle = self._labels["quit"]
                yield _Oled()
                with Horizontal(id="caps"):
                    for button in self._present:
                        yield _Cap(button, self._engraving(button), self)
                yield Static(self._labels["keys"], id="keys", markup=False)
            with VerticalScroll(id="log", can_focus=False):
                yield Static()
            too_small = self._labels["too_small"]
            if self.has_class("poor"):
                too_small = self._labels.get("too_small_poor", too_small)
            yield Static(too_small, id="too_small", markup=False)

    def _engraving(self, button: str) -> Text:
        name, key = _ENGRAVED[button]
        return Text.assemble((self._labels.get(button, name), "bold"), (f" {key}", "dim"))

    def on_mount(self) -> None:
        """Draw the newest frame, and end the app when the terminal is lost."""
        self._look()
        if not self.is_headless and sys.__stdin__ is not None:
            self._watch_ends = watch_for_terminal_loss(
                sys.__stdin__.fileno(), self.request_quit_once
            )

    def on_ready(self) -> None:
        """Start the box's work on another thread; the end of the work ends the app."""
        if self.begin is not None:
            self.work = self.begin()
            self.work.add_done_callback(lambda _: self.call_later(self.exit))

    def on_unmount(self) -> None:
        """Stop drawing changes of the box, and end the watch for a lost terminal."""
        self.glass.stop_waking_reader()
        self._watch_ends()

    def _look(self) -> None:
        (frame, percent, lit), oled = self.glass.take_shown_state(), self.query_one(_Oled)
        oled.draw(frame)
        oled.set_class(0 < percent < 100, "dim").set_class(percent == 0, "dark")  # noqa: PLR2004
        for seat, on in zip(SEATS, lit, strict=False):
            self.query(f"#{seat}").set_class(on, "lit")
        if lines := self.heard.take_new_lines():
            self._written.extend(lines)
            self.query_one("#log Static", Static).update(Text("\n").join(self._written))
            self.query_one("#log").scroll_end(animate=False)

    def on_key(self, event: Key) -> None:
        """Handle a key; textual's own key bindings are switched off."""
        event.prevent_default()
        key = event.key.lower()
        if key in QUIT_KEYS:
            self._come_up()
            self.is_quit = True
            self.request_quit_once()
        elif key == SHOW_KEYS_KEY:
            self.notify(self._labels.get("every_key", ""), timeout=HELP_SECONDS, markup=False)
        elif self._timer is not None:
            return  # ignore this key during a long press
        elif self._held and PRESS_KEYS.get(key) not in (UP, DOWN):
            self.release_unless_long_press()
        elif PRESS_KEYS.get(key) in self._present or key in KEYS_WITH_BACK:
            self._tap(key)
        elif LATCH_KEYS.get(key) in self._present:
            self.hold_or_release_button(LATCH_KEYS[key])
        elif key in LONG_PRESS_KEYS:
            self.hold_or_release_button(LONG_PRESS_KEYS[key])
            self._timer = self.set_timer(
                LONG_PRESS_SECONDS, partial(self._come_up, LONG_PRESS_SECONDS)
            )
        elif key == CONNECT_PHONE_KEY:
            self._on_phones()

    def _tap(self, key: str) -> None:
        """Press and release the button of a key; for a key in KEYS_WITH_BACK, also hold BACK."""
        button, around = PRESS_KEYS.get(key) or KEYS_WITH_BACK[key], key in KEYS_WITH_BACK
        if around:
            self.buttons.report_edge(BACK, down=True)
        self.buttons.report_edge(button, down=True)
        self.buttons.report_edge(button, down=False, after=TAP_SECONDS)
        if around:
            self.buttons.report_edge(BACK, down=False, after=TAP_SECONDS)

    def hold_or_release_button(self, button: str) -> None:
        """If a button is held, release the held button. Otherwise, press and hold `button`."""
        if self._held:
            self.release_unless_long_press()
            return
        self._held = button
        self.buttons.report_edge(button, down=True)
        self._mark(f"{self._engraving(button).plain} …")

    def release_unless_long_press(self) -> None:
        """Release the held button, unless a key of LONG_PRESS_KEYS holds the button."""
        if self._timer is None:
            self._come_up()

    def _come_up(self, after: float = 0.0) -> None:
        button, self._held = self._held, None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if button:
            self.buttons.report_edge(button, down=False, after=after)
            self._mark(self._labels["quit"])

    def _mark(self, subtitle: str) -> None:
        self.query_one("#case").border_subtitle = subtitle
        for cap in self.query(_Cap):
            cap.set_class(cap.id == self._held, "held")

    def request_quit_once(self) -> None:
        """Call `on_quit` once, so that the box ends; the app ends after the box."""
        if not self._left:
            self._left = True
            self._on_quit()


class TerminalBox:
    """A box in this terminal. Only the main thread may call `run`.

    - `box`: the ports of the box.
    - `labels`: table from a key to a text of the app. The texts "title" and "quit" are in the
      border of the box. The text "keys" is the help below the buttons. The text "too_small"
      replaces a box that does not fit into the terminal. The text "too_small_poor" replaces
      "too_small" if the font has no braille. The optional text "every_key" follows a press of "?".
      The optional text "kept" is printed after the user has quit a running game. If the key of a
      text is a button's name, the text is shown on the button; these texts are optional.
    - `on_quit`: function that is called once when the user quits, and that asks the box to end.
    - `seats`: the number of seat buttons, 0 to 4.
    - `on_phones`: function that is called when the user asks how to connect a phone.
    """

    def __init__(
        self,
        labels: Mapping[str, str],
        on_quit: Callable[[], None] = _nothing,
        seats: int = len(SEATS),
        on_phones: Callable[[], None] = _nothing,
    ) -> None:
        self._kept: Final = labels.get("kept", "")
        self.app: Final = TerminalBoxApp(labels, on_quit, seats, on_phones)
        glass = self.app.glass
        lamps = LampBlinker(glass.set_lamps)
        self.box: Final = Box(self.app.buttons, (glass,), (self.app.heard.speaker,), lamps, seats)

    def run(self, work: Callable[[], object]) -> None:
        """Run `work` on another thread, and show the box on the main thread until `work` ends.

        If `work` returns a true value after the user has quit, print the text "kept".

        Raise the exception that `work` raises. Raise HardwareError if the app ends before `work`
        begins.
        """
        leaving = quit_on_signals(self.app.request_quit_once)
        with (
            silence_other_terminal_output(self.app.request_quit_once),
            leaving,
            ThreadPoolExecutor(1, "work") as pool,
        ):
            self.app.begin = partial(pool.submit, work)
            try:
                self.app.run()
            finally:
                if self.app.work is not None and not self.app.work.done():
                    self.app.request_quit_once()
        if self.app.work is None:
            raise HardwareError.from_reason("no_terminal")
        is_game_kept = self.app.work.result()
        if is_game_kept and self.app.is_quit and self._kept:
            sys.stdout.write(f"{self._kept}\n")
