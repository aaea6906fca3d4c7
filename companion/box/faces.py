"""What people perceive of the box: its displays, its lamps and its voice.

A face fails alone: it is told once on the others, the game goes on, and the next frame tries again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.draw.signs import signed
from companion.hear.voice import Voice
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.hear.policy import SaidBefore
    from hardware.ports import Box, Display, Speaker


class Faces:
    """The outward half of a box. `settings`, `hour`, `report` and `known` as for `Voice`."""

    def __init__(
        self,
        box: Box,
        settings: Callable[[], Mapping[str, Any]],
        hour: Callable[[], int | None],
        report: Callable[[HardwareError], None],
        known: Callable[[], SaidBefore],
    ) -> None:
        self._box, self._report = box, report
        self._speaking, self._known = (settings, hour, report), known
        self._shown = b""
        self._behind: tuple[Display, ...] = ()
        self._lit: tuple[str, ...] = ()
        self._percent = 100
        self._reported: set[str] = set()
        self.voice = Voice(box.speakers, *self._speaking, box.ear, known)

    def add(self, speaker: Speaker) -> None:
        """Let the voice be heard on one more speaker."""
        self._box = self._box._replace(speakers=(*self._box.speakers, speaker))
        self.voice = Voice(self._box.speakers, *self._speaking, self._box.ear, self._known)

    def show(self, frame: bytes) -> None:
        """Show a frame on every display that does not show it already; what mutes is marked."""
        frame = self.signed(frame)
        late = self._box.displays if frame != self._shown else self._behind
        self._shown = frame
        self._behind = self._each(late, lambda display: display.show(frame))

    def signed(self, frame: bytes) -> bytes:
        """A frame with the sign of what mutes the box, if anything does."""
        muted = self.voice.muted
        return signed(frame, muted) if muted else frame

    def dim(self, percent: int) -> None:
        """Make every display as bright as that, if it is not so already."""
        if percent != self._percent:
            self._percent = percent
            self._each(self._box.displays, lambda display: display.light(percent))

    def _each(
        self, displays: tuple[Display, ...], do: Callable[[Display], None]
    ) -> tuple[Display, ...]:
        """Do something with displays; those that fail, told after all have had their turn."""
        failed = []
        for display in displays:
            try:
                do(display)
            except HardwareError as error:
                failed.append((display, error))
        for _, failure in failed:
            self._report(failure)
        return tuple([display for display, _ in failed])

    def light(self, lit: Iterable[str]) -> None:
        """Light the seats' lamps, if the box has any and if they are not lit so already."""
        lit = tuple(lit)
        if self._box.lamps is None or lit == self._lit:
            return
        self._lit = lit
        try:
            self._box.lamps.show(lit)
        except HardwareError as error:
            self._report(error)

    def is_news(self, error: HardwareError) -> bool:
        """Whether this part's failure has not been told yet; from now on it has."""
        known = error.part in self._reported
        self._reported.add(error.part)
        return not known

    def can_show(self, error: HardwareError) -> bool:
        """Whether a display is left to show the error; an unseen note would swallow a press."""
        return error.part != "display" or len(self._box.displays) > 1

    @property
    def leaves(self) -> bool:
        """Whether the hardware can show a frame at the next power-on without the box."""
        return self._box.leave is not None

    def leave(self, frame: bytes, asks: str) -> None:
        """Leave a frame for the next power-on, and what it asks."""
        if self._box.leave is not None:
            self._box.leave(self.signed(frame), asks)

    def close(self, *, keep: bool = False) -> None:
        """Let the hardware go; safe to call twice. `keep`: the displays keep what they show."""
        self._box.close(keep=keep)
