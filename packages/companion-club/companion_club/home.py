"""Messages to Home Assistant about a table: MQTT discovery of a device, its state, its sounds.

Pure: topics and payloads; docs/home-assistant.md lists the sensors. Only public facts are sent, as
the door sends to guests.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.door.lines import Message
from companion_club.topics import ROOT_TOPIC, presence_topic

if TYPE_CHECKING:
    from companion_club.fold import Evening

HOME_STATUS_TOPIC: Final = "homeassistant/status"
"""Topic where Home Assistant publishes `online` at its start; then all messages are sent again."""
SENSOR_ICONS: Final = {
    "game": "mdi:cards",
    "leader": "mdi:crown",
    "round": "mdi:counter",
    "table": "mdi:table-furniture",
    "total": "mdi:scoreboard",
}
"""The sensors of a table, with their icons."""


class HomeDevice(NamedTuple):
    """A box as a device of Home Assistant. `moments` are all sounds that a table can hear."""

    evening: str
    box: str
    table: int
    version: str
    moments: tuple[str, ...]

    @property
    def state_topic(self) -> str:
        """Return the topic of all sensor values."""
        return f"{ROOT_TOPIC}-box/{self.box}/state"

    @property
    def moment_topic(self) -> str:
        """Return the topic of sounds, which are not retained."""
        return f"{ROOT_TOPIC}-box/{self.box}/moment"

    def discovery_message(self) -> tuple[str, bytes]:
        """Return the retained message that makes the device known."""
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
            "state_topic": self.moment_topic,
            "event_types": [*self.moments],
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

    def state_message(self, evening: Evening, game: str | None) -> bytes:
        """Return the sensor values: the running game, and the evening's state."""
        most = max(evening.totals.values(), default=0)
        values = {
            "game": game or "none",
            "leader": ", ".join(evening.leaders) or "nobody",
            "round": len(evening.rounds),
            "table": self.table,
            "total": most if evening.leaders else 0,
        }
        return json.dumps(values).encode()

    def moment_message(self, line: Message) -> bytes | None:
        """Return the event for a public line of the box; None if it has no sound."""
        match line:
            case {"type": "tell", "cue": str(sound), "event": str(name)} if sound in self.moments:
                return json.dumps({"event_type": sound, "fact": name}).encode()
            case _:
                return None
