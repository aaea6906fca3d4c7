"""Where things are on this machine, and what it says of language and time."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.figures.group import Day


STATE: Final = Path("/var/lib/companion")
"""Where the service keeps the games."""
SERVICE: Final = Path("/run/companion/door.sock")
"""Where the service has its socket."""


def folder(variable: str, default: str) -> Path:
    """The companion's folder under an XDG base directory."""
    return Path(os.environ.get(variable) or Path.home() / default) / "companion"


def data_folder() -> Path:
    """Where the games are: systemd's state directory, else the user's data."""
    state = os.environ.get("STATE_DIRECTORY")
    return Path(state) if state else folder("XDG_DATA_HOME", ".local/share")


def record() -> Path:
    """The file that holds every game.

    Raises JournalError if root calls on an installed box: `rights` are for that.
    """
    if is_for_service():
        from companion.record.store import JournalError  # noqa: PLC0415 - the page opens no record

        raise JournalError("of_service", folder=STATE)
    return _own_record()


def _own_record() -> Path:
    return data_folder() / "games.db"


def is_for_service() -> bool:
    """Return True if root calls on an installed box: the games that are meant are the service's."""
    return os.geteuid() == 0 and not os.environ.get("STATE_DIRECTORY") and STATE.is_dir()


def is_own(file: Path) -> bool:
    """Return True if a record is the one of this machine, and not another that was named."""
    return file.resolve() == _own_record().resolve()


def lessons_folder(file: Path) -> Path:
    """Return the folder of the boards that were taught in the games of a record."""
    return file.parent if is_own(file) else file.with_name(f"{file.stem}-taught")


def socket_of_record(record: Path) -> Path:
    """The socket of a box that plays with that record: in systemd's folder, or beside it."""
    service = os.environ.get("RUNTIME_DIRECTORY")
    return Path(service) / "door.sock" if service else record.with_suffix(".sock")


def socket() -> Path:
    """The socket of the box that runs here: beside the record of whoever asks, or the service's."""
    own = socket_of_record(_own_record())
    return SERVICE if not own.exists() and SERVICE.exists() else own


def config_folder() -> Path:
    """Where users keep what they write themselves, such as editions."""
    return folder("XDG_CONFIG_HOME", ".config")


def word_folder() -> Path:
    """Where the system's word lists are kept as the companion folds them."""
    return folder("XDG_CACHE_HOME", ".cache") / "words"


def package_file() -> Path:
    """Where it is kept which installed packages bring games."""
    return folder("XDG_CACHE_HOME", ".cache") / "packages.json"


def first_file() -> Path:
    """What the display shows at the next power-on, until the box is there."""
    return folder("XDG_CACHE_HOME", ".cache") / "first"


def language() -> str:
    """The first language of this machine that the box speaks; English if it speaks none."""
    names = (os.environ.get(name) for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    wished = (name[:2] for name in next(filter(None, names), "").split(":"))
    return next((name for name in wished if name in ("en", "fr")), "en")


def statistics_file(path: Path) -> Path:
    """Where the figures of a record are kept."""
    return path.with_name(f"{path.stem}-figures{path.suffix}")


def format_time(at: int) -> str:
    """A time as people are told it: its day, hour and minute where this machine stands."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def day(at: int) -> Day:
    """The day of a time, where this machine stands."""
    then = time.localtime(at)
    return then.tm_year, then.tm_mon, then.tm_mday


RELEASED: Final = 1_795_219_200
"""The release of this program (2026-11-21), in seconds since 1970: a set clock is past it."""


def is_set() -> bool:
    """Return True if this machine's clock can be right. A Pi without a network has none."""
    return time.time() >= RELEASED


def wall_time() -> int:
    """Return the seconds since 1970; 0, an unknown date, if the clock is not set."""
    return int(time.time()) if is_set() else 0


def monotonic() -> float:
    """Seconds that only grow."""
    return time.monotonic()


def hour() -> int | None:
    """Return the hour of this room's clock, 0 to 23; None if the clock is not set."""
    return time.localtime().tm_hour if is_set() else None


def next_full_hour(hour: int) -> str:
    """When it is next `hour` o'clock in this room (`2026-11-21T22:00`); now, if `hour` is -1."""
    here = time.localtime()
    later = 0 if hour < 0 else (hour - here.tm_hour - 1) % 24 + 1
    minute = here.tm_min if hour < 0 else 0
    then = time.localtime(time.mktime((*here[:3], here.tm_hour + later, minute, 0, 0, 0, -1)))
    return time.strftime("%Y-%m-%dT%H:%M", then)


def settings_file() -> Path:
    """Return the file with the settings of a new record, which need not be there."""
    return config_folder() / "settings.toml"


def voice_folder() -> Path:
    """Where users put voices of their own."""
    return config_folder() / "voices"


def sound_folder() -> Path:
    """Where users put sets of sounds of their own, a folder each."""
    return config_folder() / "sounds"


def voice_cache() -> Path:
    """Where it is kept what voices have said before."""
    return folder("XDG_CACHE_HOME", ".cache") / "voice"
