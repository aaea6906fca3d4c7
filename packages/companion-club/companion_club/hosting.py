"""The configuration of the broker Mosquitto for evenings: settings, access and passwords."""

from __future__ import annotations

import base64
import hashlib
import secrets
from pathlib import Path
from typing import Final, NamedTuple

from companion_club.claims import MAX_MESSAGE_BYTES
from companion_club.topics import GUEST_USER

BROKER_USERS: Final = ("box", GUEST_USER, "home")
ACCESS_RULES: Final = """\
# A box tells and hears all of every evening, and tells a house that listens.
user box
topic readwrite companion/#
topic readwrite companion-box/#
topic write homeassistant/device/#
topic read homeassistant/status

# A guest only looks on.
user guest
topic read companion/#

# Home Assistant.
user home
topic read companion-box/#
topic read companion/+/box/+/online
topic readwrite homeassistant/#
"""
BROKER_SETTINGS: Final = """\
# Companion: an evening at many tables. Nobody without a password hears anything.
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl

# A power cut costs what is newer than this, in seconds; the boxes say that again.
autosave_interval 30

# A fact is small, and somebody waits for it.
set_tcp_nodelay true

# A box that joins late gets everything that was said; a large evening has more than 1000 facts.
max_queued_messages 0

# Bytes: no message of an evening is longer.
message_size_limit {longest}
"""
PERSISTENCE_SETTINGS: Final = """
persistence true
persistence_location {data}/
"""
AVAHI_SERVICE_TYPE: Final = "_companion-evening._tcp"
"""The DNS-SD service type under which avahi announces a broker of evenings."""
AVAHI_SERVICE_TEMPLATE: Final = """\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">Evenings on %h</name>
  <service>
    <type>{service}</type>
    <port>{port}</port>
  </service>
</service-group>
"""
"""Template of the avahi service file that announces the broker to boxes in the network."""
SALT_BYTES, HASH_BYTES, HASH_ROUNDS = 12, 64, 101


class TlsFiles(NamedTuple):
    """Paths of the files with a TLS certificate and its private key."""

    certificate: Path
    key: Path


def mosquitto_configuration(
    folder: Path, data: Path | None, port: int, tls: TlsFiles | None
) -> str:
    """Return the text of Mosquitto's configuration file.

    - `folder`: the folder with the files of passwords and access rules.
    - `data`: the folder in which Mosquitto stores messages, or None if another configuration file
      names this folder.
    """
    text = BROKER_SETTINGS.format(folder=folder, longest=MAX_MESSAGE_BYTES)
    text += "" if data is None else PERSISTENCE_SETTINGS.format(data=data)
    text += f"\nlistener {port}\n"
    return text if tls is None else f"{text}certfile {tls.certificate}\nkeyfile {tls.key}\n"


def avahi_service_text(service: str, port: int) -> str:
    """Return the text of the avahi service file that announces the broker to boxes."""
    return AVAHI_SERVICE_TEMPLATE.format(service=service, port=port)


def mosquitto_password_line(user: str, password: str, salt: bytes = b"") -> str:
    """Return the line for a user in Mosquitto's password file.

    The line contains the password's PBKDF2 hash with SHA-512, in the format of mosquitto_passwd. If
    `salt` is empty, the salt is random.
    """
    salt = salt or secrets.token_bytes(SALT_BYTES)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, HASH_ROUNDS, HASH_BYTES)
    parts = [base64.b64encode(part).decode() for part in (salt, key)]
    return f"{user}:$7${HASH_ROUNDS}${parts[0]}${parts[1]}"
