"""Tests that a frame draws the option at the cursor: a card, a criminal, a place in a rack."""

from __future__ import annotations

from tests.helpers import Drive
from tests.scenes import kojak, probe


def part(frame: bytes, pages: range, columns: range) -> list[bytes]:
    """Return some rows of some columns of a frame."""
    return [frame[128 * page + columns.start : 128 * page + columns.stop] for page in pages]


def put_right(drive: Drive) -> Drive:
    """Open the correction of the red criminal's place."""
    drive.press("back")
    for value in ("correct", "criminal", "red"):
        drive.choose(value)
    return drive


def test_a_criminal_who_is_put_right_stands_where_the_number_says_while_one_turns() -> None:
    drive, circles = put_right(kojak.at("en", *kojak.alone(*kojak.HUNT))), set[bytes]()
    for field in range(4):
        drive.turn_to(field)
        circles.add(b"".join(part(drive.frame, range(1, 6), range(20, 60))))
    assert len(circles) == 4


def test_a_criminal_who_is_put_on_red_raises_the_alarm_as_one_who_walked_there() -> None:
    drive = put_right(kojak.at("en", *kojak.alone(*kojak.HUNT)))
    drive.choose(3)
    assert [moment.lead_fact.name for moment in drive.moments] == ["corrected", "on_red"]
    assert drive.speaker.heard.count("♪ alarm") == 1
    assert "en: Alarm! The red criminal is on red. Ann may arrest him now!" in drive.speaker.heard


def test_the_rack_stands_under_the_places_and_an_arrow_follows_the_wheel() -> None:
    drive = probe.SCENES["probe_uncover_of_two"]("en")
    racks = set[bytes]()
    for _ in range(6):
        drive.press("down")
        racks.add(b"".join(part(drive.frame, range(5, 6), range(128))))
        assert any(b"".join(part(drive.frame, range(3, 5), range(128))))
    assert len(racks) > 3
