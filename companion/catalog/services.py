"""Services: what installed packages add to the box beside games.

A package registers a `Service` in the entry-point group companion.services. `installed_services`
reads the entry points at its first call, which is never before the first frame. Until then the
services of the last start are known by name and folder, from the setting `services`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.core.errors import log_error
from companion.core.plugins import installed_plugins

ENTRY_POINT_GROUP: Final = "companion.services"
KNOWN_FOLDERS: Final[dict[str, Path]] = {}
"""The known services by name, with the folders of their packages."""


class Service(NamedTuple):
    """The parts of a service. Functions import their part when the box needs it.

    - `name`: the first page of its menus, and the line of the first screen that leads there. The
      names of its other pages and of its facts begin with `<name>_`.
    - `folder`: has its `locale/` (catalogues `companion` and `page`), `templates/` and `static/`.
    - `pages`: returns its menu pages by name (`companion.menus.page.MenuPage`).
    - `client`: creates its side of the door (`companion.remote.services.ServiceClient`).
    - `routes`: returns the addresses of its pages for phones, each with its request handler.
    - `requests`: the lines that the door accepts for it, each with its allowed fields.
    - `program`: returns the `companion` command of its background program for a record, given as a
      path; None means this machine's own record.
    - `socket`: the socket at which systemd starts the background program.
    - `units`: its systemd units.
    """

    name: str
    folder: Path
    pages: Callable[[], Mapping[str, Any]]
    client: Callable[..., Any]
    routes: Callable[[], Sequence[tuple[str, type]]]
    requests: Mapping[str, frozenset[str]]
    program: Callable[[Path | None], tuple[str, ...]]
    socket: Path
    units: tuple[str, ...]


@cache
def installed_services() -> tuple[Service, ...]:
    """Return the services of all installed packages, by name. The search runs once."""
    services: dict[str, Service] = {}
    for plugin in installed_plugins(ENTRY_POINT_GROUP):
        if plugin.file is None:
            continue  # the package was uninstalled
        try:
            service = plugin.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a package is anybody's code
            log_error("catalog", f"the service {plugin.name} was left out: {error!r}", error)
        else:
            services[service.name] = service
    KNOWN_FOLDERS.clear()
    KNOWN_FOLDERS.update({service.name: service.folder for service in services.values()})
    return tuple(services.values())


def remember_folders(folders: Mapping[str, str]) -> None:
    """Use the services that the last start found, unless this start has searched for them.

    Removed services are ignored. So are folders that Python does not import from: a restored
    record may name any folder.
    """
    if not installed_services.cache_info().currsize:
        there = {name: Path(folder) for name, folder in folders.items()}
        KNOWN_FOLDERS.update(
            {name: folder for name, folder in there.items() if _is_installed(folder)}
        )


def _is_installed(folder: Path) -> bool:
    """Return True if the folder of a package is below sys.path and has sentences."""
    return str(folder.parent) in sys.path and (folder / "locale").is_dir()


def known_names() -> tuple[str, ...]:
    """Return the names of the known services."""
    return tuple(KNOWN_FOLDERS)


def find_service(name: str) -> Service:
    """Return a service by name. Raise KeyError if no service has that name."""
    return {service.name: service for service in installed_services()}[name]


def service_of_name(name: str) -> str | None:
    """Return the known service of a page or fact called `name`; None if it is no service's."""
    return next((s for s in KNOWN_FOLDERS if name == s or name.startswith(f"{s}_")), None)
