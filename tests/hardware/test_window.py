"""The box in a window, on SDL's driver that needs no desktop."""

from __future__ import annotations

import random
import subprocess
import sys
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest

from hardware.display import pixels
from hardware.ports import BACK, DOWN, OK, OUT, SEATS, SLOW, STEADY, UP, Edge, HardwareError
from hardware.screens import window
from hardware.screens.glass import Glass, Seen
from hardware.screens.window import KEYS, SCALE, Window
from tests.english import raises

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LABELS = {"title": "COMPANION", "keys": "hold them as on the box", "quit": "Q quit"}
NOISE = random.Random(1979).randbytes(1024)
CODES = {mark: ord(mark) for mark in "kj1234pq&é\"'x"} | {
    "return": 13,
    "space": 32,
    "backspace": 8,
    "escape": 27,
    "left": 0x40000050,
    "down": 0x40000051,
    "up": 0x40000052,
    "keypad enter": 0x40000058,
}
"""SDL's codes of keys, by its names for them."""


@pytest.fixture(autouse=True)
def _no_desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    window._pygame().display.quit()


def event(made: Window, kind: str, **fields: object) -> Any:
    pygame = made._pygame
    return pygame.event.Event(getattr(pygame, kind), **fields)


def key(made: Window, name: str, *, down: bool) -> Any:
    return event(made, "KEYDOWN" if down else "KEYUP", key=CODES[name])


def mouse(made: Window, at: Sequence[int], *, down: bool, button: int = 1) -> Any:
    kind = "MOUSEBUTTONDOWN" if down else "MOUSEBUTTONUP"
    return event(made, kind, pos=tuple(at[:2]), button=button)


def after(made: Window, *events: Any) -> list[Edge]:
    """Post `events` while the window runs; the edges that came of them."""
    edges: list[Edge] = []
    inbox: SimpleQueue[Edge] = SimpleQueue()
    made.box.buttons.listen(edges.append)
    made.box.buttons.listen(inbox.put)

    def work() -> None:
        for posted in (*events, key(made, "up", down=True), key(made, "up", down=False)):
            made._pygame.event.post(posted)
        while inbox.get(timeout=60)[:2] != (UP, False):
            pass  # the last event has arrived

    made.run(work)
    return edges[:-2]


def moves(edges: list[Edge]) -> list[tuple[str, bool]]:
    return [(edge.button, edge.down) for edge in edges]


def test_each_key_is_its_button_down_and_up() -> None:
    made = Window(LABELS)
    names = [name for name in KEYS if KEYS[name] != UP]

    edges = after(made, *(key(made, name, down=down) for name in names for down in (True, False)))

    assert moves(edges) == [(KEYS[name], down) for name in names for down in (True, False)]
    times = [edge.time for edge in edges]
    assert times == sorted(set(times))


def test_the_keys_are_those_of_the_box() -> None:
    assert {KEYS[name] for name in ("up", "k")} == {UP}
    assert {KEYS[name] for name in ("down", "j")} == {DOWN}
    assert {KEYS[name] for name in ("return", "keypad enter", "space")} == {OK}
    assert {KEYS[name] for name in ("backspace", "escape", "left")} == {BACK}
    assert tuple(KEYS[digit] for digit in "1234") == SEATS


def test_a_key_that_repeats_is_one_press() -> None:
    made = Window(LABELS)
    downs = [key(made, "return", down=True)] * 5

    assert moves(after(made, *downs, key(made, "return", down=False))) == [(OK, True), (OK, False)]


def test_a_button_comes_up_with_the_last_of_its_keys() -> None:
    made = Window(LABELS)

    edges = after(
        made,
        *(key(made, name, down=True) for name in ("return", "space", "j")),
        *(key(made, name, down=False) for name in ("return", "j", "space")),
    )

    assert moves(edges) == [(OK, True), (DOWN, True), (DOWN, False), (OK, False)]


@pytest.mark.parametrize("seats", [0, 4])
def test_each_button_can_be_held_with_the_mouse(seats: int) -> None:
    made = Window(LABELS, seats=seats)
    buttons = [OK, DOWN, BACK, *SEATS[:seats]]

    edges = after(
        made,
        *(
            mouse(made, made._knobs[button] if down else (0, 0), down=down)
            for button in buttons
            for down in (True, False)
        ),
    )

    assert moves(edges) == [(button, down) for button in buttons for down in (True, False)]


def test_the_case_other_mouse_buttons_and_missing_seats_do_nothing() -> None:
    made = Window(LABELS, seats=2)
    ok = made._knobs[OK]

    edges = after(
        made,
        *(mouse(made, (400, 200), down=down) for down in (True, False)),
        *(mouse(made, ok, down=down, button=3) for down in (True, False)),
        *(key(made, name, down=down) for name in "3x" for down in (True, False)),
    )

    assert edges == []


def test_a_window_that_loses_the_focus_lets_go_of_everything() -> None:
    made = Window(LABELS)

    edges = after(
        made,
        key(made, "return", down=True),
        event(made, "WINDOWFOCUSLOST"),
        key(made, "return", down=False),
    )

    assert moves(edges) == [(OK, True), (OK, False)]


def test_buttons_do_not_overlap_and_are_all_on_the_case() -> None:
    knobs = [*window._knobs(4).values()]

    for place, one in enumerate(knobs):
        assert one.radius < one.x < window.SIZE[0] - one.radius
        assert not any(
            (one.x - other.x) ** 2 < (one.radius + other.radius) ** 2
            for other in knobs[place + 1 :]
        )


def lit(made: Window) -> bytes:
    """The frame that the window shows, read from the middles of its pixels."""
    left, top = window._GLASS_AT[:2]
    return pixels.from_rows(
        [
            [
                made._surface.get_at((left + SCALE * x + 2, top + SCALE * y + 2)).r > 150
                for x in range(128)
            ]
            for y in range(64)
        ]
    )


def watched(made: Window, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every frame that the window paints from now on."""
    painted: list[bytes] = []
    paint = made._painter.paint

    def watch(surface: Any, seen: Seen, held: frozenset[str]) -> None:
        painted.append(seen.frame)
        paint(surface, seen, held)

    monkeypatch.setattr(made._painter, "paint", watch)
    return painted


def test_a_dimmed_display_is_dimmer_and_a_dark_one_shows_nothing() -> None:
    made = Window(LABELS)
    display = made.box.displays[0]
    display.show(bytes([255]) * 1024)
    left, top = window._GLASS_AT[:2]
    brightness = []
    for percent in (100, 20, 0):
        display.light(percent)
        made._draw()
        brightness.append(made._surface.get_at((left + 2, top + 2)).r)
    assert brightness[0] > brightness[1] > brightness[2]
    display.light(100)
    made._draw()
    assert made._surface.get_at((left + 2, top + 2)).r == brightness[0]


def test_a_seats_lamp_is_lit_above_its_button() -> None:
    made = Window(LABELS)
    lamps = made.box.lamps
    assert lamps is not None
    knob = made._knobs[SEATS[1]]
    lamps.show((OUT, STEADY, OUT, OUT))
    made._draw()
    assert made._surface.get_at((knob.x, knob.y - 42))[:3] == window._LAMP
    lamps.show((SLOW, OUT, OUT, OUT))
    made._draw()
    assert made._surface.get_at((knob.x, knob.y - 42))[:3] != window._LAMP
    made.box.close(keep=True)
    made._draw()
    knob = made._knobs[SEATS[0]]
    assert made._surface.get_at((knob.x, knob.y - 42))[:3] != window._LAMP


def test_a_frame_shown_appears() -> None:
    made = Window(LABELS)
    made.box.displays[0].show(NOISE)

    seen: list[bytes] = []
    made.box.buttons.listen(lambda _: seen.append(lit(made)))
    after(made)

    assert seen[0] == NOISE


def test_the_last_of_a_thousand_frames_of_another_thread_stays() -> None:
    made = Window(LABELS)
    inbox: SimpleQueue[bytes] = SimpleQueue()
    made.box.buttons.listen(lambda _: inbox.put(lit(made)))
    seen: list[bytes] = []

    def work() -> None:
        for number in range(1, 1001):
            made.box.displays[0].show(number.to_bytes(2) * 512)
        made._pygame.event.post(key(made, "up", down=True))  # after the wake of the last frame
        seen.append(inbox.get(timeout=60))

    made.run(work)

    assert seen == [(1000).to_bytes(2) * 512]


def test_frames_that_nobody_took_wake_the_window_once() -> None:
    wakes: list[str] = []
    glass = Glass(lambda: wakes.append("wake"))
    glass.show(NOISE)
    assert wakes == []  # it is not open yet

    glass.take()
    for number in range(1000):
        glass.show(number.to_bytes(2) * 512)

    assert wakes == ["wake"]
    assert glass.take().frame == (999).to_bytes(2) * 512


def test_only_a_change_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Window(LABELS)
    painted = watched(made, monkeypatch)

    after(made, *(event(made, "MOUSEMOTION", pos=(x, 9)) for x in range(50)))

    assert len(painted) <= 4  # at first, when exposed, "up" down, "up" up


def test_a_held_button_looks_held() -> None:
    made = Window(LABELS)
    rim = made._knobs[UP].x - 20, made._knobs[UP].y
    made._draw()
    loose = tuple(made._surface.get_at(rim))

    made._fingers.press("mouse", UP)
    made._draw()

    assert tuple(made._surface.get_at(rim)) != loose


@pytest.mark.parametrize("way", ["close", "key"])
def test_quitting_lets_go_calls_on_quit_once_and_waits_for_the_work(way: str) -> None:
    inbox: SimpleQueue[str] = SimpleQueue()
    made = Window(LABELS, lambda: inbox.put("quit"))
    edges: list[Edge] = []
    made.box.buttons.listen(edges.append)
    quit_ = event(made, "QUIT") if way == "close" else key(made, "q", down=True)
    got: list[str] = []

    def work() -> None:
        for posted in (key(made, "return", down=True), quit_, quit_):
            made._pygame.event.post(posted)
        got.append(inbox.get(timeout=60))

    made.run(work)
    made.box.displays[0].show(NOISE)  # too late, and harmless

    assert got == ["quit"]
    assert inbox.empty()
    assert moves(edges) == [(OK, True), (OK, False)]


def test_an_exception_of_the_work_comes_out_of_run() -> None:
    def work() -> None:
        raise HardwareError("the wire broke")

    with raises(HardwareError, match="the wire broke"):
        Window(LABELS).run(work)


def test_a_failing_window_asks_the_work_to_end() -> None:
    inbox: SimpleQueue[str] = SimpleQueue()
    made = Window(LABELS, lambda: inbox.put("quit"))

    def fail(_: Edge) -> None:
        raise KeyboardInterrupt

    made.box.buttons.listen(fail)

    def work() -> None:
        made._pygame.event.post(key(made, "return", down=True))
        inbox.get(timeout=60)

    with pytest.raises(KeyboardInterrupt):
        made.run(work)


def test_no_desktop_is_a_hardware_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "none such")

    with raises(HardwareError, match="no desktop"):
        Window(LABELS)


def test_no_pygame_is_a_hardware_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pygame", None)
        with raises(HardwareError, match="pip install"):
            Window(LABELS)


def test_pygame_is_loaded_only_when_a_window_is_made() -> None:
    check = "import sys, hardware.screens.window; sys.exit('pygame' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_p_asks_how_a_phone_comes_to_the_table_and_presses_no_button() -> None:
    inbox: SimpleQueue[str] = SimpleQueue()
    made = Window(LABELS, on_phones=lambda: inbox.put("phones"))
    edges: list[Edge] = []
    made.box.buttons.listen(edges.append)
    got: list[str] = []

    def work() -> None:
        made._pygame.event.post(key(made, "p", down=True))
        got.append(inbox.get(timeout=60))

    made.run(work)
    assert (got, edges) == (["phones"], [])
