"""Services: menu pages, web pages and background programs that installed packages add to the box.

A package registers a `PackageService` in the entry-point group companion.services. At a start, the
box first uses the services in the setting `services`, which the last start saved. Later, the box
searches the packages for services.
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
SERVICE_FOLDERS: Final[dict[str, Path]] = {}
"""Table from the name of each known service to its folder."""


class PackageService(NamedTuple):
    """The parts of a service. Each function imports its part of the service only when it is called.

    - `name`: the name of the service, of its first menu page, and of the menu line that opens this
      page. The names of its other menu pages and of its events begin with `<name>_`.
    - `folder`: the folder that contains the service's `locale/`, `templates/` and `static/`.
    - `pages`: returns the service's menu pages by name (`companion.menus.page.MenuPage`).
    - `client`: creates the service's client in the box (`companion.remote.services.ServiceClient`).
    - `routes`: returns the URL paths of the service's web pages, each with its request handler.
    - `requests`: the names of the service's requests that the box's socket accepts, each with the
      fields that the request may have.
    - `program`: returns the `companion` command of the service's background program. The argument
      is the path of a record file; None means this machine's default record.
    - `socket`: the socket with which systemd starts the background program.
    - `units`: the names of the service's systemd units.
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
def installed_services() -> tuple[PackageService, ...]:
    """Return the services of all installed packages.

    The first call searches the packages; later calls return the stored result.
    """
    services: dict[str, PackageService] = {}
    for plugin in installed_plugins(ENTRY_POINT_GROUP):
        if plugin.source_file is None:
            continue  # ignore a service whose package was uninstalled
        try:
            service = plugin.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a package can raise anything
            log_error("catalog", f"the service {plugin.name} was left out: {error!r}", error)
        else:
            services[service.name] = service
    SERVICE_FOLDERS.clear()
    SERVICE_FOLDERS.update({service.name: service.folder for service in services.values()})
    return tuple(services.values())


def register_services_of_last_start(folders: Mapping[str, str]) -> None:
    """Register the services that the last start saved, unless this start has searched the packages.

    `folders`: the folder of each service by name.

    A folder is accepted only if Python imports modules from its parent folder. A record that was
    restored from another source may contain any folder, including a folder with foreign code.
    """
    if not installed_services.cache_info().currsize:
        there = {name: Path(folder) for name, folder in folders.items()}
        SERVICE_FOLDERS.update(
            {name: folder for name, folder in there.items() if _is_installed(folder)}
        )


def _is_installed(folder: Path) -> bool:
    return str(folder.parent) in sys.path and (folder / "locale").is_dir()


def known_service_names() -> tuple[str, ...]:
    """Return the names of the services that the box knows, without a search of the packages."""
    return tuple(SERVICE_FOLDERS)


def find_service(name: str) -> PackageService:
    """Return the service with the name `name`. Raise KeyError if no service has that name."""
    return {service.name: service for service in installed_services()}[name]


def owning_service_name(name: str) -> str | None:
    """Return the name of the service to which the menu page or the event `name` belongs.

    Return None if no known service has a page or an event with this name.
    """
    return next((s for s in SERVICE_FOLDERS if name == s or name.startswith(f"{s}_")), None)
