"""Tests that whole games can be read across the table: at half resolution, in one bit, with noise.

A frame is halved at any of the four phases of its pixels, each block of four becomes light or dark,
and one pixel in ten is flipped. The reader knows only the fonts and the players' names. For each
name and each total, the reader takes the picture that fits best in any place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from companion.catalog import registry
from companion.core.prompts import Prompt, Spell, is_answered_by_box
from companion.draw import screens
from companion.draw.canvas import Canvas, load_font
from companion.draw.face import load_face
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.press.cursor import NO_SELECTION, Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.record.journal import Journal
from tests.helpers import session_words, setup_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.float32]

PLAYERS: Final = ("Fish", "Harris", "Dietrich", "Yemana")
FLIPPED: Final = 0.1
"""Share of pixels that the noise flips."""
ASKED: Final = 0.98
"""Minimum share of waiting frames whose active player and total must be read correctly."""
FACES: Final = ("tall", "wide", "medium", "small")
TOTALS: Final = tuple(map(str, range(11)))
GAMES: Final[tuple[tuple[str, Mapping[str, str], int], ...]] = (
    ("barney-miller", {"die": "press"}, 4),
    ("barney-miller", {"deck": "virtual", "die": "press"}, 3),
    ("barney-miller", {"deck": "own", "die": "real"}, 2),
    ("barney-miller", {"deck": "own"}, 4),
    ("kojak", {"die": "press"}, 4),
    ("kojak", {"die": "real", "deck": "own"}, 2),
    ("baretta", {"dice": "press"}, 4),
    ("baretta", {"dice": "real"}, 3),
    ("probe", {}, 4),
    ("probe", {"deck": "own", "words": "secret"}, 3),
)
"""Ten games: options that differ from the defaults, and the number of players."""


def pixels(frame: bytes) -> Pixels:
    """Return a frame as 64 rows of 128 pixels, each 0 or 1."""
    bits = np.frombuffer(frame, np.uint8).reshape(8, 1, 128)
    return np.unpackbits(bits, axis=1, bitorder="little").reshape(64, 128).astype(np.float32)


def halved(picture: Pixels, dy: int, dx: int) -> Pixels:
    """Return a picture at half its resolution, -1 dark and 1 light, at one of its phases."""
    moved = np.pad(picture, ((dy, dy), (dx, dx)))
    height, width = (n // 2 * 2 for n in moved.shape)
    blocks = moved[:height, :width].reshape(height // 2, 2, width // 2, 2).sum(axis=(1, 3))
    return np.where(blocks >= 2, 1.0, -1.0).astype(np.float32)


def seen(frame: bytes, random: Random) -> Pixels:
    """Return a frame as a player sees it from far."""
    picture = halved(pixels(frame), random.randrange(2), random.randrange(2))
    noise = np.array([random.random() < FLIPPED for _ in range(picture.size)])
    return np.where(noise.reshape(picture.shape), -picture, picture)


@cache
def templates(text: str, face: str) -> tuple[Pixels, ...]:
    """Return a text as it looks from far, once for each phase."""
    canvas = Canvas()
    canvas.draw_text(0, 0, text, face)
    letters = load_font(face)
    whole = pixels(canvas.frame)[: 8 * letters.pages, : len(text) * letters.width]
    return tuple(halved(whole, dy, dx) for dy in range(2) for dx in range(2))


def fit(picture: Pixels, text: str, face: str) -> float:
    """Return the fit of a text in a picture, in standard deviations above chance."""
    best = -np.inf
    for template in templates(text, face):
        height, width = template.shape
        if height > picture.shape[0] or width > picture.shape[1]:
            continue
        windows = np.lib.stride_tricks.sliding_window_view(picture, (height, width))
        agreed = np.einsum("yxhw,hw->yx", windows, template)
        best = max(best, float(agreed.max()) / float(np.sqrt(height * width)))
    return best


def player(picture: Pixels, players: tuple[str, ...]) -> str:
    """Return the player whose name fits best, in any font."""
    return max(players, key=lambda who: max(fit(picture, who.upper(), face) for face in FACES))


def total(picture: Pixels) -> int:
    """Return the total in the large figure at the left edge."""
    left = picture[4:25, :26]
    return int(max(TOTALS, key=lambda n: fit(left, n, "large")))


def frames(
    game: str, options: Mapping[str, str], seats: int, seed: int
) -> Iterator[tuple[bytes, str, int | None]]:
    """Yield each waiting frame of a random game, the active player, and the total or None."""
    usual = {option.name: option.values[0] for option in registry.find_game(game).options}
    setup = setup_for({**usual, **options}, game=game, players=PLAYERS[:seats])
    session, random = Session.begin(Journal(None), setup, 0), Random(seed)
    while (prompt := session.standing.pending_prompt) is not None:
        if prompt.who is not None and not is_answered_by_box(prompt):
            count = session.standing.snapshot.view.get("total")
            is_due = prompt.name in ("play_card", "zero")
            yield frame(session, prompt, random), prompt.who, count if is_due else None
        session.answer(random_answer(prompt, random), 0)


def frame(session: Session, prompt: Prompt, random: Random) -> bytes:
    """Draw a question with a random cursor, or the curtain of a private question."""
    snapshot, words = session.standing.snapshot, session_words(session, "en")
    text = prompt.samples[0][:3] if isinstance(prompt, Spell) else ""
    cursor = Cursor(at=random.randrange(len(wheel_answers_and_symbols(prompt, text))), text=text)
    if prompt.private:
        return screens.hand_over_request_frame(
            snapshot, str(prompt.who), prompt, Cursor(at=NO_SELECTION), words
        )
    return screens.question_frame(snapshot, prompt, cursor, words, load_face(words.game))


def share(game: tuple[str, Mapping[str, str], int], seed: int, every: int = 1) -> tuple[int, int]:
    """Return the number of correctly read frames of a game, and the number of read frames."""
    random, right, asked = Random(seed), 0, 0
    for n, (drawn, who, count) in enumerate(frames(*game, seed)):
        if n % every == 0:
            picture = seen(drawn, random)
            is_right = player(picture, PLAYERS[: game[2]]) == who
            right += is_right and (count is None or total(picture) == count)
            asked += 1
    return right, asked


def report(found: dict[Any, tuple[int, int]]) -> str:
    return ", ".join(f"{key}: {right}/{asked}" for key, (right, asked) in found.items())


@pytest.mark.long
def test_the_total_and_whose_card_it_is_are_read_across_the_table() -> None:
    right, asked = share(GAMES[0], 0, every=5)
    assert asked > 8
    assert right >= ASKED * asked


@pytest.mark.long
def test_each_of_ten_whole_games_is_read_across_the_table() -> None:
    found = {n: share(game, n) for n, game in enumerate(GAMES)}
    assert all(right >= ASKED * asked for right, asked in found.values()), report(found)
