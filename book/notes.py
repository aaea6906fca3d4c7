"""The command `python -m book.notes v0.1.0`, which prints the release notes of a version."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

CHANGELOG_FILE: Final = Path(__file__).parents[1] / "CHANGELOG.md"


def release_notes_of_version(changelog: str, version: str) -> str:
    """Return the text of a version's section in the changelog, without the heading.

    Raise LookupError if the changelog has no dated section for the version.
    """
    heading = rf"^## \[?{re.escape(version)}\]? - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |^\[|\Z)"
    section = re.search(heading, changelog, re.MULTILINE | re.DOTALL)
    if section is None:
        raise LookupError(f"CHANGELOG.md has no “## {version} - YYYY-MM-DD”: write it, tag again")
    return section[1].strip() + "\n"


def main() -> None:
    """Print the release notes of a Git tag, or exit with a message if CHANGELOG.md has none."""
    try:
        sys.stdout.write(
            release_notes_of_version(
                CHANGELOG_FILE.read_text("utf-8"), sys.argv[1].removeprefix("v")
            )
        )
    except LookupError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
