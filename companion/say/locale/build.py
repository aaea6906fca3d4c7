"""Build hook that compiles catalogues from `.po` files, which people edit, to `.mo` files."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hook that Hatchling calls before it collects the files of a wheel, even an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a `.mo` beside every `.po` of `companion/` and `packages/`. Raise ValueError."""
        del version, build_data
        root = Path(self.root)
        # the package cannot be imported while it is built
        write = run_path(str(root / "companion" / "say" / "catalogues.py"))["write_compiled"]
        for folder in ("companion", "packages"):
            for source in sorted((root / folder).rglob("locale/*/LC_MESSAGES/*.po")):
                write(source)
