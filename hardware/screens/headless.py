"""A box without display and pins.

Lines of input press the box's buttons. Lines of output report sounds and sentences.

    {"press": "ok", "ms": 80}     press OK, and release OK after 80 milliseconds
    {"down": "ok"}, {"up": "ok"}  press OK; release OK
    {"wait": 500}                 wait 500 milliseconds before the next line
    {"quit": true}                end the box, like the end of the input

The output has three types of lines. A line `said` has a sentence. The line also has the key `ear`
if only one player hears the sentence. A line `sound` has the name of a sound. A line `error`
reports a line of input that is not valid. Test programs use this box, which runs in real time.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TextIO

from checked_input import strict_json
from hardware.ports import BUTTONS, Box, Edge
from hardware.sound.text_speaker import TextSpeaker

TAP_MILLISECONDS: Final = 80
"""Length of a press in milliseconds, if the line of input has no key `ms`."""
MAX_MILLISECONDS: Final = 600_000
"""Maximum length of a press or a pause in milliseconds."""


class _LineButtons:
    """Buttons that are pressed and released by lines of text on standard input."""

    def __init__(self) -> None:
        self._put: Callable[[Edge], None] = lambda _: None
        self._down: set[str] = set()

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Call `put` with every later edge of a button."""
        self._put = put

    def report_edge(self, button: str, *, down: bool) -> None:
        """Report that a button goes down or up.

        Raise ValueError if the button does not exist, or if the button is already down or already
        up.
        """
        if button not in BUTTONS or (button in self._down) == down:
            raise ValueError(f"{button!r} is no button that can do that now")
        self._down ^= {button}
        self._put(Edge(button, down, time.monotonic()))

    def close(self) -> None:
        """Stop reporting presses and releases of buttons."""
        self._put = lambda _: None


class HeadlessBox:
    """A box that reads lines of input from `source` and writes lines of output to `sink`.

    The attribute `box` contains the ports of the box. The box calls `on_quit` at the end of the
    input, or when the output cannot be written.
    """

    def __init__(self, source: TextIO, sink: TextIO, on_quit: Callable[[], None]) -> None:
        self._source, self._sink, self._on_quit = source, sink, on_quit
        self._writing, self._ended = threading.Lock(), threading.Event()
        self._buttons = _LineButtons()
        speaker = TextSpeaker(
            lambda sound: self.write_output_line("sound", name=sound),
            lambda text: self.write_output_line("said", text=text),
        )
        self.box: Final = Box(self._buttons, (), (speaker,), ear=self._ear)

    def _ear(self, who: str) -> TextSpeaker:
        return TextSpeaker(
            lambda _: None, lambda text: self.write_output_line("said", text=text, ear=who)
        )

    def write_output_line(self, kind: str, **facts: Any) -> None:
        """Write a line of output, or call `on_quit` if the reader of the output has ended."""
        with self._writing:
            try:
                self._sink.write(json.dumps({"type": kind, **facts}, ensure_ascii=False) + "\n")
                self._sink.flush()
            except OSError:
                self._on_quit()

    def run(self, work: Callable[[], None], begun: threading.Event) -> None:
        """Run `work` on this thread. Another thread reads the input as soon as `begun` is set."""
        reader = threading.Thread(target=self._read_lines, args=(begun,), name="lines", daemon=True)
        reader.start()
        try:
            work()
        finally:
            self._ended.set()

    def _read_lines(self, begun: threading.Event) -> None:
        begun.wait()
        for line in self._source:
            try:
                if self._obey(strict_json.parse_json(line.encode())):
                    break
            except ValueError as error:
                self.write_output_line("error", message=str(error))
        self._on_quit()

    def _obey(self, line: Any) -> bool:
        """Execute a line of input, and return True if the line ends the box.

        Raise ValueError if the line is not valid.
        """
        match line:
            case {"press": str(button), **rest} if rest.keys() <= {"ms"}:
                self._buttons.report_edge(button, down=True)
                self._wait(rest.get("ms", TAP_MILLISECONDS))
                self._buttons.report_edge(button, down=False)
            case {"down": str(button)} if len(line) == 1:
                self._buttons.report_edge(button, down=True)
            case {"up": str(button)} if len(line) == 1:
                self._buttons.report_edge(button, down=False)
            case {"wait": ms} if len(line) == 1:
                self._wait(ms)
            case {"quit": True} if len(line) == 1:
                return True
            case _:
                raise ValueError("a line is one of press, down, up, wait, quit")
        return False

    def _wait(self, ms: Any) -> None:
        if type(ms) is not int or not 0 <= ms <= MAX_MILLISECONDS:
            raise ValueError(f"{ms!r} is no number of milliseconds")
        self._ended.wait(ms / 1000)
