"""The club's service for the box; an entry point in `pyproject.toml` registers the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.catalog.services import PackageService
from companion_club.box import SERVICE_NAME


def _pages() -> Mapping[str, Any]:
    from companion_club.box import menu  # noqa: PLC0415 - imported when the menu of evenings opens

    return menu.MENU_PAGES


def _client(*parts: Any) -> Any:
    from companion_club.box.client import AttendantConnection  # noqa: PLC0415 - imported on demand

    return AttendantConnection(*parts)


def _routes() -> Sequence[tuple[str, type]]:
    from companion_club.box import page  # noqa: PLC0415 - the box itself has no tornado

    return page.ROUTES


def _program(record: Path | None) -> tuple[str, ...]:
    """Return the command that starts the attendant.

    The evenings are stored beside the file `record`, or in the default folder if `record` is None.
    """
    command = ("evening", "attend")
    if record is None:
        return command
    return *command, "--folder", str(record.with_name(f"{record.stem}-evenings") / "evening")


SERVICE: Final = PackageService(
    name=SERVICE_NAME,
    folder=Path(__file__).parents[1],
    pages=_pages,
    client=_client,
    routes=_routes,
    requests={"evening": frozenset({"to", "key"}), "wish": frozenset()},
    program=_program,
    socket=Path("/run/companion-evening/wake.sock"),
    units=("companion-evening.socket", "companion-evening.service"),
)
