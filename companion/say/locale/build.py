"""Build hook that compiles `.po` catalogues, which people edit, to `.mo` files."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that Hatchling calls before it collects the files for a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a `.mo` file beside every `.po` file in `companion/` and `packages/`.

        Raise ValueError if a `.po` file is invalid.
        """
        del version, build_data
        root = Path(self.root)
        # run the file alone, because the build cannot import the package
        write = run_path(str(root / "companion" / "say" / "catalogues.py"))[
            "write_compiled_catalogue"
        ]
        for folder in ("companion", "packages"):
            for source in sorted((root / folder).rglob("locale/*/LC_MESSAGES/*.po")):
                write(source)
