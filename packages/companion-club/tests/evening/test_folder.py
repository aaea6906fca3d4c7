"""Tests of several processes that write into one folder of facts."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Final

from companion_club import claims, new_facts, topics
from companion_club import folder as files
from companion_club.broker import BrokerAddress
from companion_club.commands.tables import EditableEvening, EveningLocation
from companion_club.evening_box import MAX_RETRY_SECONDS, EveningBox
from companion_club.evening_state import compute_evening_state
from tests.evening.boxes import open_facts

NOWHERE: Final = BrokerAddress("127.0.0.1", 1)
NAMES: Final = ("Ann", "Bob", "Cy", "Di")
TOPIC: Final = topics.result_topic(1, 1)


class Clock:
    """A clock (s) that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def result(points: int) -> dict[str, Any]:
    return new_facts.result_fact(dict.fromkeys(NAMES, points))


def running_service(folder: Path, clock: Clock) -> EveningBox:
    """Return a table's service that has read the folder, and whose broker is down."""
    for topic, heads in open_facts(NAMES).heads.items():
        files.merge_claims_into_file(folder, topic, heads)
    member = EveningBox(folder, NOWHERE, "club", clock, "service")
    member.handle_messages(0)
    return member


def typed(folder: Path, points: int) -> None:
    """Save a result, as `companion evening add` does in another process without a broker."""
    EditableEvening(EveningLocation("club", folder, None), None).save_and_publish_fact(
        TOPIC, result(points)
    )


def test_a_running_service_learns_what_was_typed_while_the_broker_is_down(tmp_path: Path) -> None:
    clock = Clock()
    service = running_service(tmp_path, clock)
    typed(tmp_path, 10)
    assert TOPIC not in service.known_claims.heads
    clock.now += MAX_RETRY_SECONDS
    service.handle_messages(0)
    assert [head.parsed_fact for head in service.known_claims.heads[TOPIC]] == [result(10)]


def test_two_processes_that_say_different_results_are_shown_as_a_conflict(tmp_path: Path) -> None:
    """The service has not read the typed result, and must not overwrite it."""
    service = running_service(tmp_path, Clock())
    typed(tmp_path, 10)
    service.save_and_publish_fact(TOPIC, result(20))
    for known in (service.known_claims, files.load_claims_and_errors(tmp_path)[0]):
        (conflict,) = compute_evening_state(known).conflicts
        assert {head.parsed_fact["points"]["Ann"] for head in conflict.claims} == {10, 20}


def test_what_a_broker_tells_does_not_overwrite_what_was_typed(tmp_path: Path) -> None:
    service = running_service(tmp_path, Clock())
    typed(tmp_path, 10)
    other = service.known_claims.with_own_fact("other", TOPIC, result(20))
    service._hear(TOPIC, claims.make_claims_message(other.heads[TOPIC]))
    assert len(compute_evening_state(service.known_claims).conflicts) == 1
    assert len(files.load_claims_and_errors(tmp_path)[0].heads[TOPIC]) == 2


def test_a_folder_that_is_gone_ends_no_service(tmp_path: Path) -> None:
    folder, clock = tmp_path / "club", Clock()
    service = running_service(folder, clock)
    before = service.known_claims
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    clock.now += MAX_RETRY_SECONDS
    service.handle_messages(0)
    assert service.known_claims is before
    service.save_and_publish_fact(TOPIC, result(1))
    assert TOPIC in files.load_claims_and_errors(folder)[0].heads


def test_results_of_many_processes_are_all_in_the_file_of_their_topic(tmp_path: Path) -> None:
    known = open_facts(NAMES)
    rivals = [known.with_own_fact(f"box{n}", TOPIC, result(n)).heads[TOPIC] for n in range(12)]
    writers = [
        threading.Thread(target=files.merge_claims_into_file, args=(tmp_path, TOPIC, each))
        for each in rivals
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(files.load_claims_and_errors(tmp_path)[0].heads[TOPIC]) == 12


def test_two_processes_that_begin_at_once_have_one_name_of_the_box(tmp_path: Path) -> None:
    names: list[str] = []
    threads = [
        threading.Thread(
            target=lambda: names.append(files.load_or_create_box_name(tmp_path / "club"))
        )
        for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*names}) == 1
