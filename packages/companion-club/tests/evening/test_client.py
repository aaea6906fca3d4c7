"""Tests of an evening at the box: lines of the attendant, menus, and requests of the box."""

from __future__ import annotations

import subprocess
import sys
from ast import literal_eval
from typing import Any

import pytest

from companion.record.journal import Journal
from companion_club.box.status import AWAY_STATUS, parse_evening_status
from tests.door.callers import Caller, House
from tests.door.test_remote_clients import PROBE, REAL, code_of, playing
from tests.evening.scenes import (
    FINISHED_STATE,
    FOUND_STATE,
    OFFLINE_STATE,
    RUNNING_STATE,
    SEATED_NAMES,
    WAITING_STATE,
)


def attended(house: House, status: dict[str, Any]) -> Caller:
    """Connect an attendant that reports `status`; return the attendant."""
    caller = house.caller(owner=True)
    caller.say(evening=status)
    return caller


def wishes(caller: Caller) -> list[dict[str, Any]]:
    """Return the requests that the box has sent to `caller`."""
    return [message["wish"] for message in caller.heard if message["type"] == "wish"]


def test_opening_the_menu_starts_the_process_and_has_it_look_around() -> None:
    house = House()
    assert house.attended == 0
    house.drive.choose("evening")
    assert house.attended == 1
    caller = attended(house, FOUND_STATE)
    assert wishes(caller) == [{"do": "look"}]
    house.drive.press("back")
    house.drive.choose("evening")
    assert wishes(caller) == [{"do": "look"}, {"do": "look"}]
    assert house.attended == 1


def test_a_found_evening_is_joined_with_the_number_of_the_table() -> None:
    house = House()
    caller = attended(house, FOUND_STATE)
    house.drive.walk("evening", "at 0", 2)
    assert wishes(caller)[-1] == {"do": "join", "id": "club-1", "tables": 3, "table": 2}
    assert house.drive.page == "evening"


def test_an_evening_is_opened_by_four_buttons() -> None:
    house = House()
    caller = attended(house, {"state": "none"})
    house.drive.walk("evening", "open")
    spell(house, "Club")
    house.drive.walk("probe", 3, "games", 5, 1)
    assert wishes(caller)[-1] == {
        "do": "open", "title": "Club", "game": "probe", "tables": 3, "games": 5, "table": 1,
        "seats": 4,
    }  # fmt: skip


def test_an_evening_may_go_until_an_hour_or_the_bell() -> None:
    for line, hour in (("until 22", 22), ("bell", None)):
        house = House()
        caller = attended(house, {"state": "none"})
        house.drive.walk("evening", "open")
        spell(house, "Club")
        house.drive.walk("probe", 3, line, 1)
        assert (wishes(caller)[-1]["games"], wishes(caller)[-1]["hour"]) == (None, hour)


def spell(house: House, word: str) -> None:
    for letter in word:
        house.drive.choose(letter)
    house.drive.choose("✓")


def test_a_code_and_the_names_of_those_who_play_are_spelt() -> None:
    house = House()
    caller = attended(house, FOUND_STATE)
    house.drive.walk("evening", "code")
    spell(house, "KEPLER"[:5])
    assert wishes(caller)[-1] == {"do": "code", "code": "KEPLE"}
    caller.say(evening=RUNNING_STATE)
    house.drive.skip()
    house.drive.walk("sign", "spell")
    spell(house, "Bea")
    assert wishes(caller)[-1] == {"do": "sign", "who": "Bea"}
    assert house.drive.page == "evening_sign"


def test_the_table_hears_who_goes_where_and_who_sits_here_once() -> None:
    house = House()
    caller = attended(house, RUNNING_STATE)
    told = " ".join(house.drive.speaker.heard)
    assert "Ada goes to table 3, Maximilien to table 1." in told
    assert "At table 2 sit Dora, Émile, Flo and Gus." in told
    assert [cue.lead_fact.name for cue in house.drive.moments] == ["evening_goes", "evening_here"]
    house.drive.skip()
    caller.say(evening=WAITING_STATE)
    assert not house.drive.moments


def test_a_box_that_starts_again_does_not_say_it_again_and_starts_its_process() -> None:
    journal = Journal(None)
    attended(House(journal), RUNNING_STATE)
    house = House(journal)
    assert house.attended == 1
    attended(house, RUNNING_STATE)
    assert not house.drive.moments


def test_the_game_is_begun_with_those_who_sit_here() -> None:
    house = House()
    attended(house, RUNNING_STATE)
    house.drive.skip()
    house.drive.walk("evening", "play")
    while house.drive.page in ("setup", "options"):
        house.drive.choose("start")
    assert house.drive.session.game_setup.players == tuple(SEATED_NAMES[1])
    assert house.drive.session.game_setup.game.name == "probe"


def test_more_than_a_game_takes_are_not_seated() -> None:
    house = House()
    crowd = [[f"P{n}" for n in range(9)]]
    attended(house, {**RUNNING_STATE, "table": 1, "seats": crowd, "goes": []})
    house.drive.skip()
    house.drive.walk("evening", "play")
    assert house.drive.front.facts["code"] == "evening_seats"


def test_the_end_is_told_and_leaving_asks_once_more() -> None:
    house = House()
    caller = attended(house, FINISHED_STATE)
    assert house.drive.front.name == "evening_over"
    house.drive.skip()
    house.drive.walk("evening", "leave", "no")
    assert {"do": "leave"} not in wishes(caller)
    house.drive.walk("leave", "yes")
    assert wishes(caller)[-1] == {"do": "leave"}
    assert house.drive.settings["service_data"]["evening"] == {}


def test_an_evening_that_was_left_by_itself_is_not_gone_on_with() -> None:
    house = House()
    caller = attended(house, FINISHED_STATE)
    assert house.drive.settings["service_data"]["evening"]["round"] == 0
    caller.say(evening={"state": "none"})
    assert house.drive.settings["service_data"]["evening"] == {}


def test_the_head_table_rings_the_bell() -> None:
    house = House()
    caller = attended(house, {**RUNNING_STATE, "table": 1, "goes": []})
    house.drive.skip()
    house.drive.walk("evening", "bell", "yes")
    assert wishes(caller)[-1] == {"do": "bell"}


def test_news_wait_until_nobody_looks_at_a_secret() -> None:
    house = playing(PROBE, game="probe")
    house.drive.skip()
    house.drive.press("down")
    house.drive.down("ok")
    house.drive.wait(1)
    house.drive.up("ok")
    assert house.drive.table.cursor.looking is not None
    attended(house, RUNNING_STATE)
    assert not house.drive.moments
    house.drive.down("ok")  # hides the secret again
    house.drive.wait(1.5)
    house.drive.up("ok")
    assert house.drive.table.cursor.looking is None
    assert house.drive.moments


def test_a_process_that_has_gone_leaves_no_evening_behind() -> None:
    house = House()
    caller = attended(house, OFFLINE_STATE)
    house.drive.skip()
    caller.go()
    house.drive.choose("evening")
    assert house.attended == 1
    assert house.drive.state.facts.services["evening"] == AWAY_STATUS


def test_what_a_phone_asks_goes_to_the_evening_and_back() -> None:
    house = playing(REAL)
    phone = house.caller()
    assert code_of(phone.say(wish={"do": "status"})) == "no_evening"
    caller = attended(house, RUNNING_STATE)
    phone.say(wish={"do": "status"})
    asked = caller.heard[-1]
    assert (asked["type"], asked["from"], asked["seat"]) == ("wish", phone.peer.number, None)
    caller.say(evening={"totals": {"Ada": 3}}, to=asked["from"])
    assert phone.heard[-1] == {"type": "evening", "totals": {"Ada": 3}}
    assert code_of(phone.say(evening={"totals": {}}, to=1)) == "not_so"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", [{}, {"key": ""}, {"key": "00" * 16}, {"key": 7}, {"key": "é"}])
def test_a_guest_speaks_for_no_evening_and_learns_nothing_of_it(how: dict[str, Any]) -> None:
    house = House()
    house.drive.choose("evening")
    stranger = house.caller()
    assert (
        code_of(stranger.say(evening={**RUNNING_STATE, "goes": [["Ann", 2]]}, **how)) == "not_yours"
    )
    house.drive.walk("code")
    spell(house, "KEPLE")
    assert wishes(stranger) == []
    assert house.drive.state.facts.services.get("evening", AWAY_STATUS) == AWAY_STATUS
    known = house.caller()
    known.say(evening=FOUND_STATE, key=house.key)
    assert wishes(known) == [{"do": "look"}, {"do": "code", "code": "KEPLE"}], "requests are lost"


def test_a_key_is_good_for_one_run_of_the_box() -> None:
    journal = Journal(None)
    house = House(journal)
    house.drive.choose("evening")
    house.caller().say(evening=RUNNING_STATE, key=house.key)
    later = House(journal)
    assert later.key != house.key
    assert code_of(later.caller().say(evening=RUNNING_STATE, key=house.key)) == "not_yours"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "change",
    [
        {"state": "else"}, {"round": -1}, {"round": True}, {"title": "x" * 41}, {"seats": [[1]]},
        {"seats": {}}, {"goes": [["Ada"]]}, {"places": [[1, "Ada", "2"]]}, {"trouble": "else"},
        {"found": {"id": "x"}}, {"leaders": ["a\nb"]}, {"signed": [" "]}, {"conflicts": 1.5},
    ],
)  # fmt: skip
def test_an_evening_that_can_not_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^[a-z]+$"):
        parse_evening_status({**RUNNING_STATE, **change})
    house = House()
    assert code_of(house.caller(owner=True).say(evening={**RUNNING_STATE, **change})) == "not_so"


def test_the_menu_of_a_game_leads_to_an_evening_only_while_one_runs() -> None:
    house = playing(REAL)
    house.drive.press("back")
    assert "evening" not in house.drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]
    house.drive.press("back")
    attended(house, WAITING_STATE)
    house.drive.skip()
    house.drive.press("back")
    house.drive.walk("evening", "standings")
    assert house.drive.page == "evening_standings"
    house.drive.press("ok", "back", "back")
    assert house.drive.page is None


@pytest.mark.long
def test_only_the_entry_point_is_imported_where_no_evening_is() -> None:
    code = (
        "import sys; from tests.door.callers import House; House(); "
        "print([name for name in sys.modules if name.startswith('companion_club') "
        "or name in ('segno', 'paho')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    service = "companion_club.box.service"
    assert {*literal_eval(run.stdout)} == {"companion_club", "companion_club.box", service}


def test_one_evening_that_can_not_be_shown_hides_no_other() -> None:
    (good,) = [each for each in FOUND_STATE["found"] if each["id"] == "club-1"][:1]
    odd = [{**good, "title": "a\nb"}, {**good, "game": ""}, {"id": "x"}, None, 7]
    shown = parse_evening_status({**FOUND_STATE, "found": [*odd, good, *odd]})
    assert [each.id for each in shown.found] == ["club-1"]
