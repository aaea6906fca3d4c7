"""A real Mosquitto with its own folder and port, which tests can kill and restart."""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from companion.cmd.commands import cli
from companion_club.broker import BrokerAddress
from companion_club.evening_box import EveningBox

MOSQUITTO_PROGRAM: Final = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
MISSING_MOSQUITTO_REASON: Final = "there is no Mosquitto: apt install mosquitto"
TIMEOUT_SECONDS: Final = 60.0

needs_broker = pytest.mark.skipif(
    MOSQUITTO_PROGRAM is None and os.environ.get("MOSQUITTO") != "must",
    reason=MISSING_MOSQUITTO_REASON,
)
"""Mark of a test that needs Mosquitto: skipped without it, but failed if MOSQUITTO=must."""


def free_port() -> int:
    """Return a port that no process uses."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with closing(socket.socket()) as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port


class Mosquitto:
    """The broker as `companion evening host` configures it."""

    def __init__(self, folder: Path, tls: tuple[Path, Path] | None = None) -> None:
        self.port, self.folder = free_port(), folder
        secure = ["--key", str(tls[0]), "--cert", str(tls[1])] if tls else []
        arguments = ["evening", "host", str(folder), "--port", str(self.port), *secure]
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        lines = [line.split() for line in done.output.splitlines() if " is " in line]
        self.passwords = {line[3]: line[5] for line in lines if line[1] == "password"}
        for name in ("passwords", "acl", "mosquitto.conf"):
            (folder / name).chmod(0o644)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert MOSQUITTO_PROGRAM is not None, MISSING_MOSQUITTO_REASON
        with (self.folder / "mosquitto.conf").open("a") as file:
            if os.getuid() == 0 and not self.process:
                file.write("user root\n")
        self.process = subprocess.Popen(
            [MOSQUITTO_PROGRAM, "-c", str(self.folder / "mosquitto.conf")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            with closing(socket.socket()) as tried:
                if tried.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            select.select([], [], [], 0.01)
        raise AssertionError("mosquitto does not start")

    def kill(self, *, forget: bool = False) -> None:
        """Kill the broker with SIGKILL, optionally with the loss of its stored messages."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        if forget:
            (self.folder / "mosquitto.db").unlink(missing_ok=True)

    def flooded(self, times: int, payload: bytes) -> int:
        """Publish `times` retained messages; return the broker's memory (bytes)."""
        at = self.address()
        client = Client(CallbackAPIVersion.VERSION2, reconnect_on_failure=False)
        client.username_pw_set(at.user, at.password)
        client.connect(at.host, at.port)
        for n in range(times):
            client.publish(f"companion/club/junk/{len(payload)}/{n}", payload, qos=0, retain=True)
            if client.loop(0.001) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                client.reconnect()  # the broker has closed the connection
        client.disconnect()
        return self.memory

    @property
    def memory(self) -> int:
        """Return the broker's memory (bytes)."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(status.split("VmRSS:")[1].split()[0]) << 10

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def address(self, user: str = "box", password: str | None = None) -> BrokerAddress:
        word = self.passwords[user] if password is None else password
        return BrokerAddress("127.0.0.1", self.port, user, word)

    def member(self, folder: Path, box: str = "") -> EveningBox:
        return EveningBox(folder, self.address(), "club", time.monotonic, box)


def wait_until(
    members: Iterable[EveningBox], done: Callable[[], bool], patience: float = TIMEOUT_SECONDS
) -> None:
    """Let all members handle events until a condition holds."""
    members, end = [*members], time.monotonic() + patience
    while not done():
        assert time.monotonic() < end, [member.trouble for member in members]
        for member in members:
            member.handle_messages(0.002)
