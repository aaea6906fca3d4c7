"""Kill the page again and again while a game is played by a phone and by buttons."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from companion.play import verify
from companion.record.journal import Journal
from tests.page.house import Page
from tests.page.wire import post, whole
from tests.system.bench.alive import Alive


class Killed(NamedTuple):
    """The result: the number of answers by phone and by buttons, and a fault of the record."""

    phone: int
    buttons: int
    problem: str | None


def kill(box: Alive, times: int) -> Killed:
    """Play a game with a phone and buttons. Kill the page after each answer of the phone."""
    random, given, pressed = Random(1), 0, 0
    page = Page(box.door)
    port, cookie = page.port, box.seat(page.port, "Ann")
    for _ in range(times):
        ask = whole(port, cookie)["ask"]
        if ask and ask["choices"] and ask["who"] in (None, "Ann"):
            chosen = random.choice(ask["choices"])["value"]
            given += "ok" in post(port, "/do", {"answer": chosen, "id": ask["id"]}, cookie)[0]
        page.process.kill()
        page.end()
        begun, shown = box.press_to_frame(random)
        pressed += shown > begun
        page = Page(box.door, port)
    page.end()
    return Killed(given, pressed, box.do(lambda: _problem(box.journal)))


def _problem(journal: Journal) -> str | None:
    """Return a problem in any game of a record, or None."""
    found = (
        verify.verify_game_against_seed(journal, number).problem
        for number in journal.game_numbers()
    )
    return next(filter(None, found), None)
