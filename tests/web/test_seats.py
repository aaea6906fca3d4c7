"""Tests of the computer player of a box in a page, without a browser."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.catalog.registry import BUILT_IN_GAMES
from companion.door.peers import Event, PeerConnected, PeerDisconnected, PeerLineReceived
from companion.play import begin
from companion.remote.programs import (
    FIRST_RESTART_SECONDS,
    MAX_RESTART_SECONDS,
    SILENCE_TIMEOUT_SECONDS,
    STARTS_BEFORE_NOTICE,
)
from tests.web.duel import Duel
from tests.web.taps import SEED
from web.box import make_seed_source
from web.door import NUMBERS_PER_WORKER, ComputerPlayersDoor
from web.seats import ComputerPlayersInWorker

LINE = '{"seats": [{"seat": "Ada", "token": "a", "level": "friend"}]}'
WATCH = '{"watch": true}\n'


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Duel:
    monkeypatch.setattr(begin, "fresh_seed", make_seed_source(SEED))
    return Duel(str(tmp_path))


class Door(ComputerPlayersDoor):
    """A door that collects its events and its messages to the page."""

    def __init__(self) -> None:
        self.events, self.sent = list[Event](), list[dict[str, Any]]()
        super().__init__(
            self.events.append, lambda kind, **more: self.sent.append({"kind": kind, **more})
        )


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_game_against_the_box_is_played_to_its_end(duel: Duel, game: str) -> None:
    duel.begin(game, "learner")
    assert duel.play(random.Random(SEED)) > 3
    assert duel.session.standing.snapshot.outcome is not None
    duel.go_home()
    assert duel.opponent.worker is None
    assert duel.opponent.starts == 1


def test_a_game_of_people_starts_no_worker(duel: Duel) -> None:
    duel.begin("barney-miller")
    duel.wait(FIRST_RESTART_SECONDS)
    assert duel.opponent.starts == 0


def test_the_menu_offers_the_box_and_no_phones(duel: Duel) -> None:
    duel.begin("barney-miller", "friend")
    assert duel.asked is not None
    duel.press("back")
    page = duel.table.menus.current_page
    assert page is not None
    assert page.facts.can_seat_computer_players
    assert page.facts.phones is None


def test_a_game_left_before_its_end_ends_the_worker(duel: Duel) -> None:
    duel.begin("barney-miller", "friend")
    duel.hear()
    duel.leave()
    assert duel.opponent.worker is None


def test_a_dead_worker_is_replaced_and_answers_again(duel: Duel) -> None:
    duel.begin("barney-miller", "learner")
    duel.hear()
    duel.kill()
    duel.wait(FIRST_RESTART_SECONDS)
    assert duel.opponent.starts == 2
    duel.hear()
    assert duel.play(random.Random(SEED)) > 3


def test_workers_that_die_at_each_start_are_announced_once(duel: Duel) -> None:
    duel.begin("barney-miller", "learner")
    while duel.opponent.starts < STARTS_BEFORE_NOTICE:
        assert "program_away" not in duel.announced
        duel.kill()
        duel.wait(FIRST_RESTART_SECONDS)
    duel.kill()
    duel.wait(MAX_RESTART_SECONDS)
    assert duel.announced.count("program_away") == 1


def test_a_silent_worker_is_offered_a_replacement(duel: Duel) -> None:
    duel.begin("barney-miller", "learner")
    duel.hear()
    prompt = duel.asked
    assert prompt is not None
    duel.answer(prompt, random.Random(SEED))
    assert duel.asked is not None  # closes the overlays in front of the game
    duel.wait(SILENCE_TIMEOUT_SECONDS)
    assert duel.announced == ["program_silent"]
    assert duel.page == "stand_in"


def test_a_stored_game_goes_on_with_the_box_after_a_reload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(begin, "fresh_seed", make_seed_source(SEED))
    duel = Duel(str(tmp_path))
    duel.begin("baretta", "learner")
    duel.play(random.Random(SEED), lambda: len(duel.edges) > 100)
    position = duel.session.standing.snapshot.position
    duel.box.journal.close()

    reloaded = Duel(str(tmp_path))
    reloaded.press("ok")
    assert reloaded.session.standing.snapshot.position == position
    assert reloaded.play(random.Random(SEED)) > 3
    assert reloaded.session.standing.snapshot.outcome is not None


def test_the_first_line_of_a_player_opens_its_connection() -> None:
    door = Door()
    door.start_seat_worker(LINE)
    door.pass_line_to_box(NUMBERS_PER_WORKER, WATCH)
    door.pass_line_to_box(NUMBERS_PER_WORKER, WATCH)
    assert [type(event) for event in door.events] == [
        PeerConnected,
        PeerLineReceived,
        PeerLineReceived,
    ]


def test_lines_and_the_end_of_an_old_worker_are_ignored() -> None:
    door = Door()
    door.start_seat_worker(LINE)
    door.start_seat_worker(LINE)
    door.pass_line_to_box(2 * NUMBERS_PER_WORKER, WATCH)
    events = len(door.events)
    door.pass_line_to_box(NUMBERS_PER_WORKER, WATCH)
    door.close_connections_of_worker(NUMBERS_PER_WORKER)
    assert len(door.events) == events


def test_a_closed_connection_ends_the_worker() -> None:
    door = Door()
    door.start_seat_worker(LINE)
    door.pass_line_to_box(NUMBERS_PER_WORKER, WATCH)
    door.close_connection(NUMBERS_PER_WORKER)
    door.send([(NUMBERS_PER_WORKER, b"late\n")])
    assert isinstance(door.events[-1], PeerDisconnected)
    assert [message["kind"] for message in door.sent] == ["seats", "seats_end"]


def test_a_player_that_the_box_refuses_ends_its_worker() -> None:
    seats = ComputerPlayersInWorker(LINE, NUMBERS_PER_WORKER, lambda _number, _line: None)
    seats.store_received_text(NUMBERS_PER_WORKER, '{"type": "hello", "game": "kojak"}\n')
    assert seats.answer_stored_questions()
    seats.store_received_text(NUMBERS_PER_WORKER, '{"type": "error", "code": "refused"}\n')
    assert not seats.answer_stored_questions()
