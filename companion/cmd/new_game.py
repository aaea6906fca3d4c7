"""`companion new-game`: a game of two minutes, as a folder or as a package for others."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Final

from companion.catalog import packages, registry
from companion.cmd.tongue import said
from companion.core.errors import CompanionError
from companion.core.game import API

TEMPLATE: Final = Path(__file__).parent / "template"
LONGEST: Final = 19
"""Letters of a title that a line of the menu shows."""
FILES: Final = {
    "pyproject.toml.in": "pyproject.toml",
    "README.md.in": "README.md",
    "init.py.in": "$source$module/__init__.py",
    "rules.py.in": "$source$module/rules.py",
    "face.py.in": "$source$module/face.py",
    "en.po.in": "$source$module/locale/en/LC_MESSAGES/$name.po",
    "fr.po.in": "$source$module/locale/fr/LC_MESSAGES/$name.po",
    "test.py.in": "$tests",
    "hatch_build.py.in": "hatch_build.py",
    "gitignore.in": ".gitignore",
}
"""The files of a template, and where each goes."""
METADATA: Final = """\
readme = "README.md"
keywords = ["board game", "companion"]

[project.optional-dependencies]
test = ["pytest>=8.3"]
"""
"""What a package says of itself on an index, and a folder need not."""


class WrongName(CompanionError, ValueError):  # noqa: N818 - the fact
    """No game can be called that."""


class IsThere(CompanionError, FileExistsError):  # noqa: N818 - the fact
    """Something of that name is there already; it was left as it is."""


def write(name: str, folder: Path, *, package: bool) -> Path:
    """Write the game into a new folder of `folder`, and say which.

    `package` lays it out for an index. Raises WrongName, IsThere, or OSError.
    """
    _check(name)
    root = folder / (f"companion-{name}" if package else name)
    facts = _facts(name, package=package)
    try:
        root.mkdir()
    except FileExistsError:
        raise IsThere(said("new_game.is_there", folder=root)) from None
    for source, target in FILES.items():
        file = root / Template(target).substitute(facts)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = (TEMPLATE / source).read_text("utf-8")
        file.write_text(Template(text).substitute(facts), "utf-8")
    return root


def _check(name: str) -> None:
    """Raise WrongName with what is wrong with a name, if anything is."""
    if not packages.NAME.fullmatch(name) or len(name) > LONGEST:
        raise WrongName(said("new_game.no_name", name=repr(name), n=LONGEST))
    if name in packages.OWNERS or name in registry.names():
        raise WrongName(said("new_game.taken", name=name))


def _facts(name: str, *, package: bool) -> dict[str, str]:
    """What the template leaves open."""
    module, words = f"companion_{name.replace('-', '_')}", name.split("-")
    initials = "".join(word[0] for word in words) if len(words) > 1 else name[:2]
    return {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "module": module,
        "package": f"companion-{name}",
        "mark": initials[:2].upper(),
        "api": str(API),
        "companion": _least(version("tabletop-companion")),
        "source": "src/" if package else "",
        "tests": "tests/test_rules.py" if package else f"test_{module}.py",
        "metadata": METADATA if package else "",
    }


def _least(ours: str) -> str:
    """The least version that a game asks for: of a checkout's any that leads to the same release.

    A checkout counts its commits, and a clone need not have them all.
    """
    release, dev, _ = ours.partition("+")[0].partition(".dev")
    return f"{release}.dev0" if dev else release
