"""The common parts of checks: the guest, its box, a folder, and a table of figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from companion.core.game import Outcome
from tests.system.rig.box import Box, Traffic
from tests.system.rig.guest import Guest


class Row(NamedTuple):
    """A row of the table; `met` is None without a limit."""

    what: str
    figure: str
    limit: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        verdict = {None: "", True: "ok", False: "NOT MET"}[self.met]
        return f"{self.what:<58} {self.figure:<26} {self.limit:<12} {verdict}".rstrip()


class Check(NamedTuple):
    """A claim. `needs` prepares the guest; `run` raises an exception if the claim is wrong."""

    run: Callable[[Bench], None]
    needs: Callable[[Bench], None]

    @property
    def name(self) -> str:
        """Return the claim in words."""
        return self.run.__name__.replace("_", " ")


class Bench:
    """One run of the rig. `folder` is for files on the host.

    `package` is the box's package, `pressed` the traffic of each press of the played game, and
    `outcome` the end of this game.
    """

    def __init__(self, guest: Guest, folder: Path) -> None:
        self.guest, self.folder = guest, folder
        self.box = Box(guest)
        self.rows: list[Row] = []
        self.package: Path | None = None
        self.pressed: list[Traffic] = []
        self.outcome: Outcome | None = None
        self._folders = 0

    def new_folder(self) -> Path:
        self._folders += 1
        return self.folder / str(self._folders)

    def sandboxed(self, name: str, command: str, unit: str = "companion") -> None:
        """Write a unit that runs a command in the sandbox of another unit."""
        other = ("Type", "Notify", "Watchdog", "Restart", "OnFailure", "Conflicts", "StartLimit")
        edits = [f"/^{word}/d" for word in (*other, "Requires")]
        edits.append(rf"s|^Exec.*|Type=oneshot\nRemainAfterExit=yes\nExecStart={command}|")
        self.guest.run(
            f"sed '{'; '.join(edits)}' /usr/lib/systemd/system/{unit}.service "
            f"> /run/systemd/system/{name}.service; systemctl daemon-reload"
        )

    def verify(self, exposure: float, *units: str) -> None:
        """Have systemd verify units, and check the exposure of the services."""
        said = self.guest.both(f"systemd-analyze verify {' '.join(units)}")
        assert said == (0, "")
        for unit in (each for each in units if each.endswith(".service")):
            told = self.guest.run(f"systemd-analyze --no-pager security {unit} | tail -1")
            found = re.search(r": ([0-9.]+) ", told)
            assert found, told
            self.most(f"systemd-analyze security {unit}", float(found[1]), exposure)

    def row(self, what: str, figure: str) -> None:
        """Add a figure without a limit."""
        self.rows.append(Row(what, figure))

    def most(self, what: str, figure: float, limit: float, unit: str = "") -> None:
        """Add a figure with an upper limit."""
        self.rows.append(Row(what, f"{figure:g} {unit}".strip(), f"<= {limit:g}", figure <= limit))

    def least(self, what: str, figure: float, limit: float, unit: str = "") -> None:
        """Add a figure with a lower limit."""
        self.rows.append(Row(what, f"{figure:g} {unit}".strip(), f">= {limit:g}", figure >= limit))
