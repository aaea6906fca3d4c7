"""The MQTT messages about one table for Home Assistant: discovery, sensor values and sounds.

The functions return topics and payloads, and other modules send the messages. The page
docs/home-assistant.md lists the sensors. The messages contain only public data of the game.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from companion.door.lines import Message
from companion_club.evening_state import EveningState
from companion_club.topics import ROOT_TOPIC, presence_topic

HOME_STATUS_TOPIC: Final = "homeassistant/status"
"""Topic of Home Assistant's status; after the status `online`, the box sends all messages again."""
SENSOR_ICONS: Final = {
    "game": "mdi:cards",
    "leader": "mdi:crown",
    "round": "mdi:counter",
    "table": "mdi:table-furniture",
    "total": "mdi:scoreboard",
}
"""The icon of each sensor in Home Assistant, by the sensor's name."""


class HomeAssistantDevice(NamedTuple):
    """A box as a device in Home Assistant; `sound_names` are the names of all sounds of the box."""

    evening: str
    box: str
    table: int
    version: str
    sound_names: tuple[str, ...]

    @property
    def state_topic(self) -> str:
        """Return the MQTT topic at which the box publishes all sensor values."""
        return f"{ROOT_TOPIC}-box/{self.box}/state"

    @property
    def sound_event_topic(self) -> str:
        """Return the MQTT topic of sound events; the broker does not retain these messages."""
        return f"{ROOT_TOPIC}-box/{self.box}/moment"

    def discovery_message(self) -> tuple[str, bytes]:
        """Return topic and payload of the discovery message that registers the device."""
        ident = f"{ROOT_TOPIC}-{self.box}"
        sensors = {
            name: {
                "platform": "sensor",
                "name": name.capitalize(),
                "unique_id": f"{ident}-{name}",
                "value_template": f"{{{{ value_json.{name} }}}}",
                "icon": icon,
            }
            for name, icon in SENSOR_ICONS.items()
        }
        moment = {
            "platform": "event",
            "name": "Moment",
            "unique_id": f"{ident}-moment",
            "state_topic": self.sound_event_topic,
            "event_types": [*self.sound_names],
        }
        device = {
            "identifiers": [ident],
            "name": f"Companion, table {self.table}",
            "manufacturer": "Companion",
            "model": "Tabletop Companion",
            "sw_version": self.version,
        }
        there = {
            "topic": f"{ROOT_TOPIC}/{self.evening}/{presence_topic(self.box)}",
            "value_template": "{{ 'online' if value_json.online else 'offline' }}",
        }
        payload = {
            "device": device,
            "origin": {"name": "Companion", "sw_version": self.version},
            "components": {**sensors, "moment": moment},
            "state_topic": self.state_topic,
            "availability": [there],
            "qos": 1,
        }
        return f"homeassistant/device/{ident}/config", json.dumps(payload).encode()

    def state_message(self, evening: EveningState, game: str | None) -> bytes:
        """Return the payload with the sensor values; `game` is None if no game is running."""
        most = max(evening.totals.values(), default=0)
        values = {
            "game": game or "none",
            "leader": ", ".join(evening.leaders) or "nobody",
            "round": len(evening.rounds),
            "table": self.table,
            "total": most if evening.leaders else 0,
        }
        return json.dumps(values).encode()

    def sound_event_message(self, line: Message) -> bytes | None:
        """Return the payload for the sound of a box's message; None if the message has no sound."""
        match line:
            case {"type": "tell", "cue": str(sound), "event": str(name)} if (
                sound in self.sound_names
            ):
                return json.dumps({"event_type": sound, "fact": name}).encode()
            case _:
                return None
