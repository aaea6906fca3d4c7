"""The user rights with which a command opens a record: the rights of the record's owner.

`sudo companion history` shows the games of the installed box. Root never creates a file in another
user's folder, for two reasons. A link in such a folder could lead root to any path. The box could
not open a file that root owns.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.cmd import places
from companion.record.files import FILE_SUFFIXES
from companion.record.owner_rights import find_non_root_path_owner

SERVICE_ENVIRONMENT: Final = {"XDG_CONFIG_HOME": "/etc", "XDG_CACHE_HOME": "/var/cache"}
"""Environment variables with the service's folders for configuration and cache."""


@contextmanager
def act_as_record_owner(file: Path | None) -> Iterator[Path]:
    """Act with the rights of a record's owner, and yield the record's path.

    `file`: the record, or None for this machine's record. Raise OSError if the owner cannot be
    determined.
    """
    path = _path(file)
    user, group = _other_owner(path)
    with ExitStack() as stack:
        if file is None and places.is_root_using_service_record():
            here = {**SERVICE_ENVIRONMENT, "STATE_DIRECTORY": str(places.STATE_FOLDER)}
            stack.enter_context(_environment(here))
        if user:
            stack.enter_context(_as_user(user, group))
        yield path


@contextmanager
def lend_file_to_record_owner(source: Path, file: Path | None) -> Iterator[Path]:
    """Yield a path at which the owner of the record `file` can read root's file `source`.

    Raise OSError if the file cannot be copied.
    """
    user, group = _other_owner(_path(file))
    if not user:
        yield source
        return
    with TemporaryDirectory(prefix="companion-") as folder:
        for tail in FILE_SUFFIXES:
            copy = f"{folder}/{source.name}{tail}"
            if Path(f"{source}{tail}").exists():
                shutil.copyfile(f"{source}{tail}", copy)
                os.chown(copy, user, group)
        os.chown(folder, user, group)
        yield Path(folder) / source.name


@contextmanager
def copy_record_of_other_user(
    file: Path | None, copy: Callable[[Path, Path], int]
) -> Iterator[Path]:
    """Yield a copy of another user's record; the copy is in a folder of root.

    `copy`: function that copies a record. `copy` runs with the owner's rights, and root only reads
    the bytes of the copy. Raise OSError if the record cannot be copied.
    """
    with TemporaryDirectory(prefix="companion-") as folder:
        borrowed = Path(folder) / "games.db"
        with act_as_record_owner(file) as path, TemporaryDirectory(prefix="companion-") as theirs:
            made = Path(theirs) / "games.db"
            copy(path, made)
            content = made.open("rb")
        with content, borrowed.open("wb") as written:
            shutil.copyfileobj(content, written)
        yield borrowed


def can_record_owner_create_file(target: Path, file: Path | None) -> bool:
    """Return True if the owner of a record can create a file in the folder of `target`."""
    with act_as_record_owner(file):
        return os.access(target.parent, os.W_OK | os.X_OK, effective_ids=True)


def is_other_users_record(file: Path | None) -> bool:
    """Return True if root runs this command and another user owns the record."""
    return _other_owner(_path(file)) != (0, 0)


def _path(file: Path | None) -> Path:
    if file is not None:
        return file
    return (
        places.STATE_FOLDER / "games.db"
        if places.is_root_using_service_record()
        else places.record_file()
    )


def _other_owner(path: Path) -> tuple[int, int]:
    """Return the user and the group of a path's owner.

    If root does not run this process, or if root owns the path, return (0, 0).
    """
    return find_non_root_path_owner(path) if os.geteuid() == 0 else (0, 0)


@contextmanager
def _environment(more: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _as_user(user: int, group: int) -> Iterator[None]:
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(group)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
