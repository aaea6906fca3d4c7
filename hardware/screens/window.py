"""The box in a window: its display, its buttons for the mouse, keys that are really held.

pygame is loaded when a Window is made, not before.
"""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hardware.display.pixels import HEIGHT, rows
from hardware.pins.lamps import Blinker
from hardware.ports import BACK, DOWN, OK, SEATS, UP, WIDTH, Box, HardwareError
from hardware.screens.glass import Glass, Keys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from hardware.screens.glass import Seen

SCALE: Final = 5
"""Sides of a pixel of the display, in pixels of the window."""
SIZE: Final = (760, 610)
"""Width and height of the window, in its pixels."""

KEYS: Final = {
    "up": UP, "k": UP, "down": DOWN, "j": DOWN,
    "return": OK, "keypad enter": OK, "space": OK,
    "backspace": BACK, "escape": BACK, "left": BACK,
    "1": SEATS[0], "2": SEATS[1], "3": SEATS[2], "4": SEATS[3],
    # The same four keys of a French keyboard, where digits are shifted.
    "&": SEATS[0], "é": SEATS[1], '"': SEATS[2], "'": SEATS[3],
}  # fmt: skip
"""Keys of the buttons, by SDL's names in lower case; each holds its button down."""
PHONES: Final = "p"
"""The key that shows how a phone comes to the table."""
QUIT: Final = "q"
"""The key that ends the evening, as closing the window does."""

Colour = tuple[int, int, int]
_TABLE: Final[Colour] = (20, 17, 15)
_CASE: Final[Colour] = (58, 42, 32)
_RIM: Final[Colour] = (92, 68, 50)
_SHADE: Final[Colour] = (33, 24, 18)
_GLASS: Final[Colour] = (6, 9, 13)
_LIT: Final[Colour] = (207, 228, 255)
_BUTTON: Final[Colour] = (84, 66, 54)
_LAMP: Final[Colour] = (206, 66, 40)
_PRESSED: Final[Colour] = (196, 144, 56)
_ENGRAVED: Final[Colour] = (236, 220, 194)
_PRINT: Final[Colour] = (176, 152, 124)

_GLASS_AT: Final = (60, 62, WIDTH * SCALE, HEIGHT * SCALE)
"""Left, top, width and height of the display in the window."""


class _Knob(NamedTuple):
    """A round button on the case: where its centre is, and how large."""

    x: int
    y: int
    radius: int

    def covers(self, x: int, y: int) -> bool:
        return (x - self.x) ** 2 + (y - self.y) ** 2 <= self.radius**2


def _knobs(seats: int) -> dict[str, _Knob]:
    """Where the buttons are: four across the case, or beside them as many as there are seats."""
    pitch, first = (100, 96) if seats else (150, 155)
    knobs = {
        button: _Knob(first + pitch * place, 460, 34)
        for place, button in enumerate((UP, DOWN, OK, BACK))
    }
    for place, seat in enumerate(SEATS[:seats]):
        knobs[seat] = _Knob(500 + 60 * place, 460, 22)
    return knobs


def _pygame() -> Any:
    """Load pygame without its greeting. Raises HardwareError if it is not there."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return import_module("pygame")
    except ImportError as error:
        raise HardwareError.of("no_pygame") from error


class _Painter:
    """Draws the case once, and what changes on top of it."""

    def __init__(self, pygame: Any, labels: Mapping[str, str], knobs: Mapping[str, _Knob]) -> None:
        self._pygame, self._knobs = pygame, knobs
        self._font = pygame.font.Font(None, 20)
        self._large = pygame.font.Font(None, 26)
        self._case = self._draw_case(labels)
        self._grid = self._draw_grid()

    def paint(self, surface: Any, seen: Seen, held: frozenset[str]) -> None:
        """Draw the whole window: the case, what the box shows, the buttons in `held` down."""
        surface.blit(self._case, (0, 0))
        surface.blit(self._picture(seen.frame, seen.percent), _GLASS_AT)
        lit = {seat for seat, on in zip(SEATS, seen.lit, strict=False) if on}
        for button, knob in self._knobs.items():
            if button in lit:
                self._pygame.draw.circle(surface, _LAMP, (knob.x, knob.y - 42), 6)
            self._draw_knob(surface, button, knob, down=button in held)

    def _draw_case(self, labels: Mapping[str, str]) -> Any:
        surface, draw = self._pygame.Surface(SIZE), self._pygame.draw
        left, top, width, height = _GLASS_AT
        surface.fill(_TABLE)
        draw.rect(surface, _SHADE, (16, 18, SIZE[0] - 28, SIZE[1] - 30), border_radius=26)
        draw.rect(surface, _CASE, (14, 12, SIZE[0] - 28, SIZE[1] - 30), border_radius=26)
        draw.rect(surface, _RIM, (14, 12, SIZE[0] - 28, SIZE[1] - 30), 2, border_radius=26)
        bezel = (left - 14, top - 14, width + 28, height + 28)
        draw.rect(surface, _SHADE, bezel, border_radius=12)
        draw.rect(surface, _RIM, bezel, 1, border_radius=12)
        self._write(surface, labels["title"], (SIZE[0] // 2, 31), _ENGRAVED, self._font)
        self._write(surface, labels["keys"], (SIZE[0] // 2, 546), _PRINT, self._font)
        self._write(surface, labels["quit"], (SIZE[0] // 2, 570), _PRINT, self._font)
        for button, knob in self._knobs.items():
            if button not in SEATS:
                text = labels.get(button, button.upper())
                self._write(surface, text, (knob.x, knob.y + 54), _PRINT, self._font)
        return surface

    def _draw_grid(self) -> Any:
        """The dark lines between the pixels, for laying over the display."""
        grid = self._pygame.Surface(_GLASS_AT[2:], self._pygame.SRCALPHA)
        for x in range(0, grid.get_width(), SCALE):
            grid.fill((*_GLASS, 150), (x + SCALE - 1, 0, 1, grid.get_height()))
        for y in range(0, grid.get_height(), SCALE):
            grid.fill((*_GLASS, 150), (0, y + SCALE - 1, grid.get_width(), 1))
        return grid

    def _picture(self, frame: bytes, percent: int) -> Any:
        """`frame` as it glows behind the glass: hard pixels, the grid, a little light around."""
        pygame, size = self._pygame, _GLASS_AT[2:]
        share = (percent / 100) ** 0.5
        glass = [round(d + (b - d) * share) for b, d in zip(_LIT, _GLASS, strict=True)]
        colours = b"".join(bytes(glass if lit else _GLASS) for row in rows(frame) for lit in row)
        small = pygame.image.frombuffer(colours, (WIDTH, HEIGHT), "RGB")
        large = pygame.transform.scale(small, size)
        large.blit(self._grid, (0, 0))
        glow = pygame.transform.smoothscale(small, (WIDTH // 2, HEIGHT // 2))
        glow = pygame.transform.smoothscale(glow, size)
        glow.fill((26, 32, 42), special_flags=pygame.BLEND_MULT)
        large.blit(glow, (0, 0), special_flags=pygame.BLEND_ADD)
        return large

    def _draw_knob(self, surface: Any, button: str, knob: _Knob, *, down: bool) -> None:
        circle, (x, y, radius) = self._pygame.draw.circle, knob
        circle(surface, _SHADE, (x, y + 3), radius + 4)
        y += 2 if down else 0
        circle(surface, _PRESSED if down else _RIM, (x, y), radius)
        circle(surface, _PRESSED if down else _BUTTON, (x, y + 1), radius - 2)
        self._engrave(surface, button, x, y, _SHADE if down else _ENGRAVED)

    def _engrave(self, surface: Any, button: str, x: int, y: int, colour: Colour) -> None:
        """The symbol on a button: triangles, a ring for OK, an arrow for BACK, a seat's number."""
        draw = self._pygame.draw
        if button == UP:
            draw.polygon(surface, colour, ((x - 12, y + 7), (x + 12, y + 7), (x, y - 12)))
        elif button == DOWN:
            draw.polygon(surface, colour, ((x - 12, y - 7), (x + 12, y - 7), (x, y + 12)))
        elif button == OK:
            draw.circle(surface, colour, (x, y), 12, 4)
        elif button == BACK:
            draw.polygon(surface, colour, ((x - 14, y), (x - 2, y - 10), (x - 2, y + 10)))
            draw.rect(surface, colour, (x - 3, y - 3, 16, 6))
        else:
            number = str(SEATS.index(button) + 1)
            self._write(surface, number, (x, y), colour, self._large)

    def _write(
        self, surface: Any, text: str, at: tuple[int, int], colour: Colour, font: Any
    ) -> None:
        """Write `text` with its middle `at` a point."""
        picture = font.render(text, True, colour)
        surface.blit(picture, picture.get_rect(center=at))


class _Fingers:
    """Fingers on the buttons: each is held by any number of keys and the mouse."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._holding: dict[object, str] = {}

    def held(self) -> frozenset[str]:
        return frozenset(self._holding.values())

    def press(self, finger: object, button: str) -> None:
        """Put a finger, which may be a key or the mouse, on a button."""
        if finger not in self._holding:
            known = button in self.held()
            self._holding[finger] = button
            if not known:
                self._keys.edge(button, down=True)

    def lift(self, finger: object) -> None:
        """Take a finger away; the button comes up if it was the last one on it."""
        button = self._holding.pop(finger, None)
        if button is not None and button not in self.held():
            self._keys.edge(button, down=False)

    def lift_all(self) -> None:
        """Take all fingers away: the window no longer hears what they do."""
        for finger in [*self._holding]:
            self.lift(finger)


def _nothing() -> None:
    """No-op: the default of `on_phones`."""


class Window:
    """A box in a window of the desktop: `box` for the work, `run` for the main thread.

    `labels` are the words on the case: "title" above the display, "keys" and "quit" under the
    buttons; a button's name, if it is there, replaces the word under it. `on_quit` is called
    once, when the user quits: it asks the work to end. `seats` is the number of seat buttons,
    0 to 4; `on_phones` is called when the user wants to know how a phone comes to the table. Raises
    HardwareError without pygame or without a desktop.
    """

    def __init__(
        self,
        labels: Mapping[str, str],
        on_quit: Callable[[], None] = _nothing,
        seats: int = len(SEATS),
        on_phones: Callable[[], None] = _nothing,
    ) -> None:
        self._pygame = _pygame()
        self._on_quit, self._on_phones = on_quit, on_phones
        self._left = False
        self._shown: tuple[Seen, frozenset[str]] | None = None
        self._knobs = _knobs(seats)
        self._open(labels["title"])
        self._painter = _Painter(self._pygame, labels, self._knobs)
        keys = Keys()
        self._fingers = _Fingers(keys)
        self._glass = Glass(self._wake)
        self.box: Final = Box(keys, (self._glass,), (), Blinker(self._glass.shine), seats)

    def _open(self, title: str) -> None:
        """Open the window. Only display and font: joysticks would make SDL poll."""
        pygame = self._pygame
        try:
            pygame.display.init()
            pygame.font.init()
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "no fast renderer")  # it is fast enough
                self._surface = pygame.display.set_mode(SIZE, pygame.SCALED | pygame.RESIZABLE)
        except (pygame.error, NotImplementedError) as error:  # no desktop; a pygame without fonts
            raise HardwareError.of("no_desktop", why=error) from error
        pygame.display.set_caption(title)
        self._woken = pygame.event.custom_type()

    def run(self, work: Callable[[], None]) -> None:
        """Show the box, in the main thread, while `work` runs in another; until that ends.

        Raises what `work` raises.
        """
        try:
            with ThreadPoolExecutor(1, "work") as pool:
                self._draw()
                future = pool.submit(work)
                future.add_done_callback(lambda _: self._wake())
                self._serve(future)
        finally:
            self._glass.stop()
            self._pygame.font.quit()
            self._pygame.display.quit()
        future.result()

    def _serve(self, work: Future[None]) -> None:
        """Wait for events until `work` is done; if this fails, ask it to end."""
        try:
            while not work.done():
                self._handle(self._pygame.event.wait())
        finally:
            if not work.done():
                self._leave()

    def _wake(self) -> None:
        self._pygame.event.post(self._pygame.event.Event(self._woken))

    def _draw(self) -> None:
        """Draw what there is to see, if the window does not show it already."""
        now = self._glass.take(), self._fingers.held()
        if now != self._shown:
            self._shown = now
            self._painter.paint(self._surface, *now)
            self._pygame.display.flip()

    def _handle(self, event: Any) -> None:
        pygame = self._pygame
        if event.type == pygame.QUIT:
            self._fingers.lift_all()
            self._leave()
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)
        elif event.type == pygame.KEYUP:
            self._fingers.lift(event.key)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._touch(*event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
            self._fingers.lift("mouse")
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._fingers.lift_all()
        elif event.type == pygame.WINDOWEXPOSED:
            self._shown = None
        self._draw()

    def _key(self, key: int) -> None:
        name = self._pygame.key.name(key, False).lower()  # pygame's own names have no "é"
        if name == QUIT:
            self._fingers.lift_all()
            self._leave()
        elif name == PHONES:
            self._on_phones()
        elif KEYS.get(name) in self._knobs:
            self._fingers.press(key, KEYS[name])

    def _touch(self, x: int, y: int) -> None:
        for button, knob in self._knobs.items():
            if knob.covers(x, y):
                self._fingers.press("mouse", button)

    def _leave(self) -> None:
        """Ask the work, once, to end; the window stays until it has."""
        if not self._left:
            self._left = True
            self._on_quit()
