"""Compile the catalogues while the package is built: `.po`, which people edit, to `.mo`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls this before it gathers the files of a wheel, an editable one too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a `.mo` beside every `.po`. Raises ValueError at a broken catalogue."""
        del version, build_data
        for source in sorted(
            Path(self.root, "companion", "say", "locale").glob("*/LC_MESSAGES/*.po")
        ):
            with source.open("rb") as file:
                catalogue = read_po(file, abort_invalid=True)
            with source.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
