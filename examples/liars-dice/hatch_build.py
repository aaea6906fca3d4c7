"""Compile the catalogues of sentences from `.po` to `.mo` files while the package is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Sentences(BuildHookInterface[Any]):
    """The build hook that Hatchling runs before it collects the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a `.mo` file beside every `.po` file. Raise an error if a file is malformed."""
        del version, build_data
        locale = Path(self.root, "companion_liars_dice", "locale")
        for source in locale.glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as po, source.with_suffix(".mo").open("wb") as mo:
                write_mo(mo, read_po(po, abort_invalid=True))
