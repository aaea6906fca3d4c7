"""The paths of files and folders, the language and the clocks of this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.figures.group import Day


STATE_FOLDER: Final = Path("/var/lib/companion")
"""The folder of the record of the installed service."""
SERVICE_SOCKET: Final = Path("/run/companion/door.sock")
"""The socket of the installed service."""


def companion_xdg_folder(variable: str, default: str) -> Path:
    """Return the folder `companion` in an XDG base directory."""
    return Path(os.environ.get(variable) or Path.home() / default) / "companion"


def record_folder() -> Path:
    """Return the folder of the record: systemd's state directory, else the user's data folder."""
    state = os.environ.get("STATE_DIRECTORY")
    return Path(state) if state else companion_xdg_folder("XDG_DATA_HOME", ".local/share")


def record_file() -> Path:
    """Return the path of the record that contains every game.

    Raise JournalError if root calls this function on an installed box. Commands that root can run
    call `record_owner.act_as_record_owner` instead.
    """
    if is_root_using_service_record():
        from companion.record.schema import JournalError  # noqa: PLC0415 - the page opens no record

        raise JournalError("of_service", folder=STATE_FOLDER)
    return _own_record()


def _own_record() -> Path:
    return record_folder() / "games.db"


def is_root_using_service_record() -> bool:
    """Return True if root calls this function on an installed box, but not in the service.

    The command then uses the record of the service.
    """
    return os.geteuid() == 0 and not os.environ.get("STATE_DIRECTORY") and STATE_FOLDER.is_dir()


def is_default_record(file: Path) -> bool:
    """Return True if `file` is this machine's default record."""
    return file.resolve() == _own_record().resolve()


def entered_boards_folder(file: Path) -> Path:
    """Return the folder with the printed boards that players entered in the games of a record."""
    return file.parent if is_default_record(file) else file.with_name(f"{file.stem}-taught")


def socket_of_record(record: Path) -> Path:
    """Return the socket of the box that uses a record.

    The socket is in systemd's runtime folder. Without systemd, the socket is beside the record.
    """
    service = os.environ.get("RUNTIME_DIRECTORY")
    return Path(service) / "door.sock" if service else record.with_suffix(".sock")


def box_socket() -> Path:
    """Return the socket of the running box.

    If only the service's socket exists, return this socket, else the socket of the user's record.
    """
    own_socket = socket_of_record(_own_record())
    return SERVICE_SOCKET if not own_socket.exists() and SERVICE_SOCKET.exists() else own_socket


def config_folder() -> Path:
    """Return the folder for files that users write, such as editions."""
    return companion_xdg_folder("XDG_CONFIG_HOME", ".config")


def word_list_cache_folder() -> Path:
    """Return the folder in which copies of the system's word lists are cached for fast look-up."""
    return companion_xdg_folder("XDG_CACHE_HOME", ".cache") / "words"


def packaged_games_cache_file() -> Path:
    """Return the cache file that lists the installed packages with games."""
    return companion_xdg_folder("XDG_CACHE_HOME", ".cache") / "packages.json"


def saved_first_screen_file() -> Path:
    """Return the path of the file with the screen that the next start shows first."""
    return companion_xdg_folder("XDG_CACHE_HOME", ".cache") / "first"


def system_language() -> str:
    """Return the first of this machine's languages that the box supports, else English."""
    names = (os.environ.get(name) for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    wished = (name[:2] for name in next(filter(None, names), "").split(":"))
    return next((name for name in wished if name in ("en", "fr")), "en")


def statistics_file_of_record(path: Path) -> Path:
    """Return the path of the file with the statistics of the record at `path`."""
    return path.with_name(f"{path.stem}-figures{path.suffix}")


def format_local_time(at: int) -> str:
    """Return a time (s since 1970) as local day, hour and minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def local_date(at: int) -> Day:
    """Return the local day of a time (s since 1970)."""
    then = time.localtime(at)
    return then.tm_year, then.tm_mon, then.tm_mday


RELEASE_TIME: Final = 1_795_219_200
"""Time of this program's release (2026-11-21) in seconds since 1970.

If the machine's clock shows an earlier time, the clock is not set yet.
"""


def is_clock_set() -> bool:
    """Return True if this machine's clock shows a time after this program's release.

    A Raspberry Pi that starts without a network can show a time in the past.
    """
    return time.time() >= RELEASE_TIME


def wall_time() -> int:
    """Return the seconds since 1970; return 0 (unknown) if the clock is not set."""
    return int(time.time()) if is_clock_set() else 0


def monotonic_time() -> float:
    """Return the seconds of a monotonic clock."""
    return time.monotonic()


def current_local_hour() -> int | None:
    """Return the local hour, 0 to 23; return None if the clock is not set."""
    return time.localtime().tm_hour if is_clock_set() else None


def next_local_time_at_hour(hour: int) -> str:
    """Return the next local time at which the hour is `hour`, such as `2026-11-21T22:00`.

    Return the present time if `hour` is -1.
    """
    here = time.localtime()
    later = 0 if hour < 0 else (hour - here.tm_hour - 1) % 24 + 1
    minute = here.tm_min if hour < 0 else 0
    then = time.localtime(time.mktime((*here[:3], here.tm_hour + later, minute, 0, 0, 0, -1)))
    return time.strftime("%Y-%m-%dT%H:%M", then)


def new_record_settings_file() -> Path:
    """Return the path of the file with the settings of a new record; the file can be missing."""
    return config_folder() / "settings.toml"


def owner_voices_folder() -> Path:
    """Return the folder for the owner's voices."""
    return config_folder() / "voices"


def sound_sets_folder() -> Path:
    """Return the folder for the owner's sound sets; each set has its own folder."""
    return config_folder() / "sounds"


def speech_cache_folder() -> Path:
    """Return the folder of the cache of spoken sentences."""
    return companion_xdg_folder("XDG_CACHE_HOME", ".cache") / "voice"
