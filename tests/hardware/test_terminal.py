"""Tests of the box in a terminal, and of frames as characters and as PNG."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import random
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from textual.drivers._writer_thread import WriterThread
from textual.drivers.headless_driver import HeadlessDriver

from hardware.display import frame_conversions
from hardware.ports import (
    BACK,
    BLANK_FRAME,
    BLINK_SLOWLY,
    DOWN,
    LAMP_OFF,
    LAMP_ON,
    OK,
    SEATS,
    UP,
    Edge,
    HardwareError,
)
from hardware.screens import terminal
from hardware.screens.terminal import TerminalBox, TerminalBoxApp
from hardware.screens.terminal_guard import LossTolerantTerminal, watch_for_terminal_loss
from tests.english import raises_english
from tests.hardware.frames import frame_from_rows

if TYPE_CHECKING:
    from textual.pilot import Pilot

    Play = Callable[[TerminalBox, Pilot[None]], Awaitable[None]]

pytestmark = pytest.mark.long  # a real terminal, with its timers

LABELS = {
    "title": "COMPANION",
    "keys": "U take back",
    "quit": "Q quit",
    "too_small": "Please make me larger.",
}
LARGE, SMALL, TINY = (140, 50), (80, 24), (60, 17)
NOISE = random.Random(1979).randbytes(1024)


def on_stage(
    play: Play, size: tuple[int, int] = SMALL, box: TerminalBox | None = None
) -> list[Edge]:
    """Run `play` in a terminal of this size. Return the edges of its presses."""
    box = box or TerminalBox(LABELS)
    edges: list[Edge] = []
    box.box.buttons.listen(edges.append)

    async def act() -> None:
        async with box.app.run_test(size=size) as pilot:
            await play(box, pilot)

    asyncio.run(act())
    return edges


def pressing(*keys: str, seats: int = 4) -> list[Edge]:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        for key in keys:
            box.app.simulate_key(key)
        await pilot.pause()

    return on_stage(play, box=TerminalBox(LABELS, seats=seats))


def moves(edges: list[Edge]) -> list[tuple[str, bool]]:
    return [(edge.button, edge.down) for edge in edges]


def screen(app: TerminalBoxApp) -> str:
    """Return the text on the terminal."""
    return "\n".join(
        "".join(segment.text for segment in strip)
        for strip in app.screen._compositor.render_strips()
    )


def headless(
    on_quit: Callable[[], None] = lambda: None, labels: dict[str, str] = LABELS
) -> TerminalBox:
    box = TerminalBox(labels, on_quit)
    box.app.driver_class = HeadlessDriver
    return box


def test_a_terminal_that_is_gone_takes_all_that_is_written_and_tells_it() -> None:
    leader, follower = pty.openpty()
    gone = threading.Event()
    with io.TextIOWrapper(
        io.BufferedWriter(LossTolerantTerminal(follower, gone.set)), "utf-8"
    ) as screen:
        writer = WriterThread(screen)
        writer.start()
        writer.write("a frame")
        assert os.read(leader, 100) == b"a frame"
        assert not gone.is_set()
        os.close(leader)
        evening = threading.Thread(target=lambda: [*map(writer.write, ["a frame"] * 100)])
        evening.daemon = True
        evening.start()
        evening.join(60)
        assert not evening.is_alive()
        writer.stop()
    assert gone.is_set()


def test_the_end_of_an_idle_terminal_is_told() -> None:
    leader, follower = pty.openpty()
    lost, quiet = pty.openpty()

    async def wait() -> None:
        gone, silent = asyncio.Event(), asyncio.Event()
        end = watch_for_terminal_loss(follower, gone.set)
        watch_for_terminal_loss(quiet, silent.set)()
        os.close(leader)
        os.close(lost)
        await asyncio.wait_for(gone.wait(), 60)
        end()
        assert not silent.is_set()

    asyncio.run(wait())
    for number in (follower, quiet):
        os.close(number)


KEYS = {
    **dict.fromkeys(("up", "k", "K"), UP),
    **dict.fromkeys(("down", "j"), DOWN),
    **dict.fromkeys(("enter", "space"), OK),
    **dict.fromkeys(("backspace", "escape", "left"), BACK),
    **dict(zip("1234", SEATS, strict=True)),
    **dict(zip(("ampersand", "é", "quotation_mark", "apostrophe"), SEATS, strict=True)),
}


def test_each_key_presses_its_button_and_lets_it_go() -> None:
    edges = pressing(*KEYS)

    assert moves(edges) == [(KEYS[key], down) for key in KEYS for down in (True, False)]
    assert all(
        0 < up.time - down.time < 0.1 for down, up in zip(edges[::2], edges[1::2], strict=True)
    )


def test_times_increase_however_fast_the_keys_come() -> None:
    times = [edge.time for edge in pressing("up", "up", "down", "enter", "escape", "1")]

    assert len(times) == 12
    assert all(early < late for early, late in pairwise(times))


def test_keys_without_a_button_do_nothing() -> None:
    assert pressing("x", "tab", "f5", "f3", "3", seats=2) == []


@pytest.mark.parametrize(("key", "button"), [("a", UP), ("s", DOWN), ("h", OK)])
def test_a_key_taps_a_button_while_back_is_held(key: str, button: str) -> None:
    pressed = [(BACK, True), (button, True), (button, False), (BACK, False)]
    assert moves(pressing(key)) == pressed


@pytest.mark.parametrize(("key", "button"), [("w", OK), ("u", BACK), ("U", BACK)])
def test_a_long_press_comes_up_by_a_timer_and_cannot_be_cut_short(
    key: str, button: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "LONG_PRESS_SECONDS", 3600.0)
    rings: list[Callable[[], None]] = []
    box = TerminalBox(LABELS)

    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        set_timer = box.app.set_timer

        def catch(delay: float, ring: Callable[[], None]) -> object:
            rings.append(ring)
            return set_timer(delay, ring)

        monkeypatch.setattr(box.app, "set_timer", catch)
        await pilot.press(key, "enter", key, "l", "up")
        assert "…" in screen(box.app)
        rings[0]()
        await pilot.pause()
        assert "…" not in screen(box.app)

    down, up = on_stage(play, box=box)

    assert (down.button, down.down, up.button, up.down) == (button, True, button, False)
    assert up.time - down.time == pytest.approx(3600)
    assert len(rings) == 1


def test_a_long_press_is_longer_than_the_second_that_it_stands_for() -> None:
    assert terminal.LONG_PRESS_SECONDS > 1.05


def test_a_held_button_comes_up_with_the_next_key_and_that_does_nothing_else() -> None:
    releases = ("l", "f1", "f2", "enter", "escape", "x", "w", "tab")
    keys = [key for held in terminal.LATCH_KEYS for end in releases for key in (held, end)]

    assert moves(pressing(*keys)) == [
        (button, down)
        for button in terminal.LATCH_KEYS.values()
        for _ in releases
        for down in (True, False)
    ]


def test_the_keys_that_hold_are_l_for_ok_and_the_function_keys_for_the_seats() -> None:
    assert (
        dict(zip(("l", "f1", "f2", "f3", "f4"), (OK, *SEATS), strict=True)) == terminal.LATCH_KEYS
    )


def test_up_and_down_move_on_while_a_button_is_held() -> None:
    assert moves(pressing("l", "down", "k", "l")) == [
        *((OK, True), (DOWN, True), (DOWN, False), (UP, True), (UP, False), (OK, False)),
    ]


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_mouse_holds_a_button_as_long_as_it_is_down(size: tuple[int, int]) -> None:
    async def play(_box: TerminalBox, pilot: Pilot[None]) -> None:
        await pilot.mouse_down("#ok")
        await pilot.press("up")
        await pilot.mouse_up("#up")

    assert moves(on_stage(play, size)) == [(OK, True), (UP, True), (UP, False), (OK, False)]


@pytest.mark.parametrize(
    ("size", "draw"),
    [
        (LARGE, frame_conversions.frame_as_half_block_lines),
        (SMALL, frame_conversions.frame_as_braille_lines),
    ],
)
def test_a_frame_shown_appears(size: tuple[int, int], draw: Callable[[bytes], list[str]]) -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        box.box.displays[0].show(NOISE)
        await pilot.pause()
        shown = screen(box.app)
        assert all(line in shown for line in draw(NOISE))
        assert all(text in shown for text in ("COMPANION", "U take back", "Q quit"))

    on_stage(play, size)


def test_what_was_shown_and_said_before_the_terminal_opened_is_there() -> None:
    box = TerminalBox(LABELS)
    box.box.displays[0].show(NOISE)
    box.box.speakers[0].say("Welcome.", "en")

    async def play(box: TerminalBox, _pilot: Pilot[None]) -> None:
        assert frame_conversions.frame_as_braille_lines(NOISE)[0] in screen(box.app)
        assert "Welcome." in screen(box.app)

    on_stage(play, box=box)


def test_a_terminal_that_grows_shows_the_frame_larger() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        box.box.displays[0].show(NOISE)
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        shown = screen(box.app)
        assert all(line in shown for line in frame_conversions.frame_as_half_block_lines(NOISE))

    on_stage(play, SMALL)


def test_a_thousand_frames_of_another_thread_are_few_refreshes_and_the_last_stays() -> None:
    drawn = []

    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        look = box.app.glass.take_shown_state
        box.app.glass.take_shown_state = lambda: drawn.append(1) or look()  # type: ignore[method-assign,func-returns-value]

        def show() -> None:
            for number in range(1, 1001):
                box.box.displays[0].show(number.to_bytes(2) * 512)

        with ThreadPoolExecutor() as pool:
            pool.submit(show).result()  # the app is blocked until all frames are shown
        await pilot.pause()
        assert frame_conversions.frame_as_braille_lines((1000).to_bytes(2) * 512)[0] in screen(
            box.app
        )

    on_stage(play)

    assert len(drawn) == 1


def test_a_display_dims_goes_dark_and_comes_back() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        colours = []
        for percent in (100, 20, 0, 100):
            box.box.displays[0].set_brightness(percent)
            await pilot.pause()
            colours.append(box.app.query_one(terminal._Oled).rich_style.color)
        assert colours[0] == colours[3]
        assert len({*colours}) == 3

    on_stage(play)


def test_a_seats_lamp_lights_its_button() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        lamps = box.box.lamps
        assert lamps is not None
        lamps.show((LAMP_OFF, LAMP_ON, LAMP_OFF, BLINK_SLOWLY))
        await pilot.pause()
        lit = [cap.id for cap in box.app.query(terminal._Cap) if cap.has_class("lit")]
        assert lit == [SEATS[1], SEATS[3]]
        lamps.close()
        await pilot.pause()
        assert not box.app.query(".lit")

    on_stage(play)


def test_a_frame_that_is_kept_stays_when_the_box_is_closed() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        for keep in (True, False):
            box.box.displays[0].show(NOISE)
            box.box.displays[0].close(keep=keep)
            await pilot.pause()
            assert (frame_conversions.frame_as_braille_lines(NOISE)[5] in screen(box.app)) is keep

    on_stage(play)


def test_a_frame_that_is_not_whole_is_refused_where_it_is_shown() -> None:
    with pytest.raises(ValueError, match="1024"):
        TerminalBox(LABELS).box.displays[0].show(b"")


def test_everything_said_and_played_is_written_newest_last() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        (speaker,) = box.box.speakers
        speaker.play("dealt")
        speaker.say("Deux cartes [bold]rouges[/].", "fr")
        speaker.stop_and_clear()
        speaker.set_volume(0)
        for number in range(300):
            speaker.say(f"line {number}", "en")
        await pilot.pause()
        lines = [line.plain for line in box.app._written]
        assert len(lines) == terminal.MAX_LOG_LINES
        assert lines[-1] == "line 299"
        assert "line 299" in screen(box.app)
        speaker.say("[bold]", "en")
        speaker.play("undo")
        await pilot.pause()
        assert "[bold]" in screen(box.app)
        assert "♪ undo" in screen(box.app)

    on_stage(play)


def test_a_tiny_terminal_says_so() -> None:
    async def play(box: TerminalBox, _pilot: Pilot[None]) -> None:
        assert "Please make me larger." in screen(box.app)
        assert "COMPANION" not in screen(box.app)

    on_stage(play, TINY)


def test_the_smallest_terminal_shows_the_whole_frame() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        box.box.displays[0].show(NOISE)
        await pilot.pause()
        assert all(
            line in screen(box.app) for line in frame_conversions.frame_as_braille_lines(NOISE)
        )

    on_stage(play, terminal.BRAILLE_TERMINAL_SIZE)


def test_quitting_lets_go_of_a_held_button_and_calls_on_quit_once() -> None:
    quits: list[str] = []

    async def play(_box: TerminalBox, pilot: Pilot[None]) -> None:
        await pilot.press("w", "q", "ctrl+c", "Q")

    edges = on_stage(play, box=TerminalBox(LABELS, lambda: quits.append("quit")))

    assert quits == ["quit"]
    assert moves(edges) == [(OK, True), (OK, False)]


def test_run_waits_after_quitting_for_the_work_to_end() -> None:
    inbox: SimpleQueue[str] = SimpleQueue()
    box = headless(lambda: inbox.put("quit"))
    done = []

    def work() -> None:
        box.app.call_from_thread(box.app.simulate_key, "q")
        done.append(inbox.get(timeout=60))
        box.box.displays[0].show(NOISE)

    box.run(work)
    box.box.displays[0].show(BLANK_FRAME)  # too late, but harmless

    assert done == ["quit"]


def test_a_question_mark_shows_every_key() -> None:
    seen: list[str] = []

    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        await pilot.press("?")
        seen.extend(note.message for note in box.app._notifications)

    on_stage(play, box=TerminalBox({**LABELS, "every_key": "u: back [for a second]"}))
    assert seen == ["u: back [for a second]"]


@pytest.mark.parametrize(
    ("key", "is_running", "told"),
    [("q", True, "The game is kept.\n"), ("q", False, ""), ("", True, "")],
)
def test_a_quit_during_a_game_prints_that_the_game_is_kept(
    key: str, told: str, capsys: pytest.CaptureFixture[str], *, is_running: bool
) -> None:
    inbox: SimpleQueue[str] = SimpleQueue()
    box = headless(lambda: inbox.put("quit"), {**LABELS, "kept": "The game is kept."})

    def work() -> bool:
        if key:
            box.app.call_from_thread(box.app.simulate_key, key)
            inbox.get(timeout=60)
        return is_running

    box.run(work)
    out = capsys.readouterr().out
    assert out.endswith(told)
    assert ("kept" in out) == bool(told)


def test_work_that_ends_by_itself_ends_the_app_without_a_quit() -> None:
    quits: list[str] = []

    headless(lambda: quits.append("quit")).run(lambda: None)

    assert quits == []


def test_an_exception_of_the_work_comes_out_of_run() -> None:
    def work() -> None:
        raise HardwareError("the wire broke")

    with raises_english(HardwareError, match="the wire broke"):
        headless().run(work)


def test_a_terminal_that_fails_before_the_work_is_a_hardware_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    box = TerminalBox({})  # without labels, the app cannot compose its screen
    box.app.driver_class = HeadlessDriver

    with raises_english(HardwareError, match="cannot show"):
        box.run(lambda: None)

    assert "KeyError" in capsys.readouterr().err


def test_closed_buttons_tell_nothing() -> None:
    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        box.box.buttons.close()
        box.box.buttons.close()
        await pilot.press("up")

    assert on_stage(play) == []


def test_rows_and_back_is_the_same_frame() -> None:
    assert frame_from_rows(frame_conversions.frame_as_pixel_rows(NOISE)) == NOISE
    assert frame_conversions.frame_as_pixel_rows(bytes([0b10]) + BLANK_FRAME[1:])[1][0]


def test_half_blocks_read_back_give_the_same_frame() -> None:
    lit = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = frame_conversions.frame_as_half_block_lines(NOISE)
    rows = [[lit[mark][half] for mark in line] for line in lines for half in (0, 1)]

    assert (len(lines), {len(line) for line in lines}) == (32, {128})
    assert frame_from_rows(rows) == NOISE


def test_braille_read_back_gives_the_same_frame() -> None:
    dots = ((0, 3), (1, 4), (2, 5), (6, 7))  # bits of the left and right dot, from the top
    lines = frame_conversions.frame_as_braille_lines(NOISE)
    rows = [
        [ord(mark) - 0x2800 >> bit & 1 for mark in line for bit in pair]
        for line in lines
        for pair in dots
    ]

    assert (len(lines), {len(line) for line in lines}) == (16, {64})
    assert frame_from_rows(rows) == NOISE


@pytest.mark.parametrize("scale", [1, 3])
def test_a_png_decodes_to_the_same_pixels(scale: int) -> None:
    image = Image.open(io.BytesIO(frame_conversions.encode_frame_as_png(NOISE, scale)))
    small = image.convert("L").resize((128, 64), Image.Resampling.NEAREST)
    grey = small.tobytes()

    assert image.size == (128 * scale, 64 * scale)
    assert set(grey) == {0, 255}
    assert frame_from_rows([grey[y * 128 : y * 128 + 128] for y in range(64)]) == NOISE


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(ValueError, match="1024 bytes, not 3"):
        frame_conversions.frame_as_pixel_rows(b"abc")
    with pytest.raises(ValueError, match="at least 1"):
        frame_conversions.encode_frame_as_png(BLANK_FRAME, 0)


def test_p_asks_how_a_phone_comes_to_the_table_and_presses_no_button() -> None:
    asked: list[str] = []
    box = TerminalBox(LABELS, on_phones=lambda: asked.append("phones"))

    async def play(_: TerminalBox, pilot: Pilot[None]) -> None:
        await pilot.press("p", "P")

    assert on_stage(play, box=box) == []
    assert asked == ["phones", "phones"]


@pytest.mark.parametrize(
    ("size", "seen"),
    [((140, 50), True), ((132, 44), True), ((132, 36), True), ((131, 36), False), (SMALL, False)],
)
def test_a_console_without_braille_shows_half_blocks_or_says_what_to_use(
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    seen: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setenv("TERM", "linux")

    async def play(box: TerminalBox, pilot: Pilot[None]) -> None:
        box.box.displays[0].show(NOISE)
        await pilot.pause()
        shown = screen(box.app)
        assert not {*shown} & {*map(chr, range(0x2801, 0x2900))}
        whole = [
            row for row in frame_conversions.frame_as_half_block_lines(NOISE) if row not in shown
        ]
        assert (whole == []) is seen
        assert ("Take a smaller font." in shown) is not seen

    on_stage(play, size, TerminalBox({**LABELS, "too_small_poor": "Take a smaller font."}))


def test_a_terminal_that_cannot_show_the_box_is_named_with_what_to_use() -> None:
    for term in ("dumb", ""):
        assert str(terminal.terminal_unfit_error({"TERM": term}, "utf-8")).startswith(
            "terminal_dumb"
        )
    latin = terminal.terminal_unfit_error({"TERM": "xterm"}, "iso8859-1")
    assert latin is not None
    assert latin.fields == {"encoding": "iso8859-1"}
    assert terminal.terminal_unfit_error({"TERM": "linux"}, "UTF-8") is None
