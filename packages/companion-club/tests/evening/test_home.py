"""Tests of the messages to Home Assistant: they are valid, and contain no secret."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion_club.commands.tables import _home
from companion_club.evening_state import EveningState, compute_evening_state
from companion_club.service import ResultPublisher
from tests.evening.boxes import open_facts, state_round
from tests.evening.evenings import PLAYER_NAMES
from tests.evening.mosquitto import Mosquitto, needs_broker, wait_until

SCHEMA: Final = json.loads((Path(__file__).parent / "home-assistant.schema.json").read_text())
HOME: Final = _home("club", "b0c5", 2)
PAGE: Final = Path(__file__).parents[4] / "docs" / "home-assistant.md"


def config() -> dict[str, Any]:
    return dict(json.loads(HOME.discovery_message()[1]))


def test_the_device_is_what_home_assistant_s_documentation_asks_for() -> None:
    jsonschema.validate(config(), SCHEMA)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("damage", [{"origin": {}}, {"components": {}}, {"device": {"name": "x"}}])
def test_the_schema_finds_what_is_missing(damage: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**config(), **damage}, SCHEMA)


def test_every_sensor_has_a_value_in_the_state() -> None:
    known = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    state = json.loads(HOME.state_message(compute_evening_state(known), "probe"))
    sensors = config()["components"].keys() - {"moment"}
    assert state.keys() == sensors
    assert (state["game"], state["round"], state["table"]) == ("probe", 2, 2)
    assert state["total"] == max(compute_evening_state(known).totals.values())


def test_before_anything_is_played_the_sensors_say_so() -> None:
    state = json.loads(HOME.state_message(EveningState(), None))
    assert (state["game"], state["leader"], state["total"]) == ("none", "nobody", 0)


def test_a_moment_is_a_sound_that_everybody_hears() -> None:
    line = {"type": "tell", "event": "on_red", "cue": "alarm", "text": "…"}
    assert json.loads(HOME.sound_event_message(line) or b"") == {
        "event_type": "alarm",
        "fact": "on_red",
    }
    assert "alarm" in config()["components"]["moment"]["event_types"]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "secret", "who": "Ann", "event": "look", "text": "zero", "cue": "secret_shown"},
        {"type": "tell", "event": "scores", "cue": None, "text": "…"},
        {"type": "tell", "event": "x", "cue": "no_such_sound"},
        {"type": "state", "racks": {}},
        {},
    ],
)
def test_a_secret_or_what_has_no_sound_is_no_moment(line: dict[str, Any]) -> None:
    assert HOME.sound_event_message(line) is None


def test_the_page_lists_the_sensors_and_has_automations_that_can_be() -> None:
    page = PAGE.read_text("utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert listed == config()["components"].keys()
    moments = set(re.findall(r"^ +state: (\w+)$", page, re.MULTILINE))
    assert len(re.findall(r"^- alias:", page, re.MULTILINE)) == 3
    assert moments == {"alarm"} <= {*HOME.sound_names}


@needs_broker
def test_home_assistant_is_told_again_when_it_begins(broker: Mosquitto, tmp_path: Path) -> None:
    member = broker.member(tmp_path / "box", "b0c5")
    service = ResultPublisher(
        member, 2, tmp_path / "no.sock", tmp_path / "box", time.monotonic, "", HOME
    )
    house, told = Client(CallbackAPIVersion.VERSION2), list[bytes]()
    house.username_pw_set("home", broker.passwords["home"])
    house.on_message = lambda _client, _data, message: told.append(bytes(message.payload))
    house.connect("127.0.0.1", broker.port)
    house.subscribe(HOME.discovery_message()[0])
    for wanted in (1, 2):
        wait_until([member], lambda: turned(service, house) and len(told) == wanted)  # noqa: B023 - called in this turn of the loop
        house.publish("homeassistant/status", b"online")
    assert told[0] == told[1] == HOME.discovery_message()[1]
    service.close()
    house.disconnect()


def turned(service: ResultPublisher, house: Client) -> bool:
    house.loop(0.002)
    return service.handle_messages(0.002) == []
