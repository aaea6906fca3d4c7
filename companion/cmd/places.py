"""The files, folders, language and clocks of this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.figures.group import Day


STATE_FOLDER: Final = Path("/var/lib/companion")
"""The folder of the service's record."""
SERVICE_SOCKET: Final = Path("/run/companion/door.sock")
"""The socket of the service."""


def xdg_folder(variable: str, default: str) -> Path:
    """Return the companion's folder below an XDG base directory."""
    return Path(os.environ.get(variable) or Path.home() / default) / "companion"


def data_folder() -> Path:
    """Return the folder of the record: systemd's state directory, else the user's data."""
    state = os.environ.get("STATE_DIRECTORY")
    return Path(state) if state else xdg_folder("XDG_DATA_HOME", ".local/share")


def record_file() -> Path:
    """Return the path of the record, which has every game.

    Raise JournalError if root calls on an installed box: root must use `rights`.
    """
    if is_for_service():
        from companion.record.schema import JournalError  # noqa: PLC0415 - the page opens no record

        raise JournalError("of_service", folder=STATE_FOLDER)
    return _own_record()


def _own_record() -> Path:
    return data_folder() / "games.db"


def is_for_service() -> bool:
    """Return True if root calls on an installed box, so that the service's record is meant."""
    return os.geteuid() == 0 and not os.environ.get("STATE_DIRECTORY") and STATE_FOLDER.is_dir()


def is_default_record(file: Path) -> bool:
    """Return True if a record is this machine's, not one that was named on the command line."""
    return file.resolve() == _own_record().resolve()


def lessons_folder(file: Path) -> Path:
    """Return the folder with the boards that people described in the games of a record."""
    return file.parent if is_default_record(file) else file.with_name(f"{file.stem}-taught")


def socket_of_record(record: Path) -> Path:
    """Return the socket of a box with that record: in systemd's folder, or beside the record."""
    service = os.environ.get("RUNTIME_DIRECTORY")
    return Path(service) / "door.sock" if service else record.with_suffix(".sock")


def box_socket() -> Path:
    """Return the socket of the running box: beside the user's record, or the service's."""
    own_socket = socket_of_record(_own_record())
    return SERVICE_SOCKET if not own_socket.exists() and SERVICE_SOCKET.exists() else own_socket


def config_folder() -> Path:
    """Return the folder for files that users write, such as editions."""
    return xdg_folder("XDG_CONFIG_HOME", ".config")


def word_folder() -> Path:
    """Return the folder of the system's word lists in our format."""
    return xdg_folder("XDG_CACHE_HOME", ".cache") / "words"


def package_file() -> Path:
    """Return the file that caches which installed packages have games."""
    return xdg_folder("XDG_CACHE_HOME", ".cache") / "packages.json"


def first_screen_file() -> Path:
    """Return the file of the screen that the next start shows first."""
    return xdg_folder("XDG_CACHE_HOME", ".cache") / "first"


def system_language() -> str:
    """Return the first language of this machine that the box speaks, else English."""
    names = (os.environ.get(name) for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    wished = (name[:2] for name in next(filter(None, names), "").split(":"))
    return next((name for name in wished if name in ("en", "fr")), "en")


def statistics_file(path: Path) -> Path:
    """Return the file with the statistics of a record."""
    return path.with_name(f"{path.stem}-figures{path.suffix}")


def format_time(at: int) -> str:
    """Return a time (s since 1970) as local day, hour and minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def format_day(at: int) -> Day:
    """Return the local day of a time (s since 1970)."""
    then = time.localtime(at)
    return then.tm_year, then.tm_mon, then.tm_mday


RELEASE_TIME: Final = 1_795_219_200
"""The release of this program (2026-11-21) in seconds since 1970. A clock before it is not set."""


def is_clock_set() -> bool:
    """Return True if this machine's clock may be right. A Pi without a network has no time."""
    return time.time() >= RELEASE_TIME


def wall_time() -> int:
    """Return the seconds since 1970; 0, an unknown date, if the clock is not set."""
    return int(time.time()) if is_clock_set() else 0


def monotonic_time() -> float:
    """Return the seconds of a monotonic clock."""
    return time.monotonic()


def local_hour() -> int | None:
    """Return the local hour, 0 to 23; None if the clock is not set."""
    return time.localtime().tm_hour if is_clock_set() else None


def next_full_hour(hour: int) -> str:
    """Return the next local time at which it is `hour` o'clock (`2026-11-21T22:00`); now if -1."""
    here = time.localtime()
    later = 0 if hour < 0 else (hour - here.tm_hour - 1) % 24 + 1
    minute = here.tm_min if hour < 0 else 0
    then = time.localtime(time.mktime((*here[:3], here.tm_hour + later, minute, 0, 0, 0, -1)))
    return time.strftime("%Y-%m-%dT%H:%M", then)


def settings_file() -> Path:
    """Return the file with the settings of a new record; it may not exist."""
    return config_folder() / "settings.toml"


def voice_folder() -> Path:
    """Return the folder for the owner's voices."""
    return config_folder() / "voices"


def sound_folder() -> Path:
    """Return the folder for the owner's sound sets, one folder each."""
    return config_folder() / "sounds"


def voice_cache_folder() -> Path:
    """Return the folder of the cache of spoken sentences."""
    return xdg_folder("XDG_CACHE_HOME", ".cache") / "voice"
