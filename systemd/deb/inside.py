"""What a package carries of others: a list of Python packages and native libraries, with licences.

The list is a CycloneDX document; the licences are paragraphs of Debian's copyright file.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent
OURS: Final = "tabletop-companion"
COMMON: Final = {
    "LGPL-2.1-only": "LGPL-2.1",
    "LGPL-2.1-or-later": "LGPL-2.1",
    "GPL-2.0-or-later OR LGPL-3.0-or-later": "GPL-2",
    "AFL-2.1 OR GPL-2.0-or-later": "GPL-2",
    "GPL-3.0-or-later WITH GCC-exception-3.1": "GPL-3",
}
"""Licences of which Debian has the text, by the name of its file."""
OF_PILLOW: Final = (
    "0BSD", "IJG AND BSD-3-Clause AND Zlib", "MIT", "libtiff",
)  # fmt: skip
"""Licences whose text Pillow's own LICENSE has, beside the libraries that it carries."""


class Package(NamedTuple):
    """A Python package of others: its name on PyPI, its version and its licence."""

    name: str
    version: str
    licence: str


class Library(NamedTuple):
    """A native library: its file below the folder of packages, and what natives.toml says of it."""

    name: str
    file: str
    licence: str
    owner: str
    source: str
    digest: str


def packages(site: Path) -> list[Package]:
    """Return the Python packages of others in a folder of packages."""
    found = []
    for path in sorted(site.glob("*.dist-info/METADATA")):
        about = HeaderParser().parsestr(path.read_text("utf-8"))
        kinds = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier", []) if "License" in c]
        named = about["License-Expression"] or ", ".join(kinds) or about["License"]
        if about["Name"] != OURS:
            found.append(Package(about["Name"], about["Version"], named))
    return found


def libraries(site: Path) -> list[Library]:
    """Return the native libraries that wheels carry. Raises ValueError if one is not known."""
    rows = tomllib.loads((HERE / "natives.toml").read_text("utf-8"))
    found = []
    for path in sorted(site.glob("*.libs/*")):
        names = [name for name in rows if path.name.startswith((f"{name}-", f"{name}."))]
        if not names:
            raise ValueError(f"{path.name} has no row in systemd/deb/natives.toml")
        name, file = max(names, key=len), path.relative_to(site).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        found.append(Library(name, file, digest=digest, **rows[name]))
    return found


def bill(site: Path, version: str) -> str:
    """Return the list of all that is inside `site`, as CycloneDX 1.6; of one input, one text."""
    ours = {"type": "application", "name": OURS, "version": version}
    wheels = [
        {
            "type": "library", "name": one.name, "version": one.version,
            "purl": f"pkg:pypi/{one.name.lower()}@{one.version}",
            "licenses": [{"license": {"name": one.licence}}],
        }
        for one in packages(site)
    ]  # fmt: skip
    natives = [
        {
            "type": "library", "name": one.name, "bom-ref": one.file,
            "version": _version(one.file), "copyright": one.owner,
            "hashes": [{"alg": "SHA-256", "content": one.digest}],
            "licenses": [{"license": {"name": one.licence}}],
            "externalReferences": [{"type": "website", "url": one.source}],
            "properties": [{"name": "file", "value": one.file}],
        }
        for one in libraries(site)
    ]  # fmt: skip
    whole = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": ours}, "components": [*wheels, *natives],
    }  # fmt: skip
    return json.dumps(whole, indent=1) + "\n"


def _version(file: str) -> str:
    """The version of the library's interface, as the file has it: `libogg-90c23b5e.so.0.8.5`."""
    before, _, after = Path(file).name.partition(".so")
    return after.lstrip(".") or before.rpartition("-")[2].partition(".")[2]


def licences(site: Path) -> str:
    """Return the paragraphs of Debian's copyright file about the native libraries."""
    found = libraries(site)
    rows = [
        f"\nFiles: usr/lib/companion/*/{one.file}\nCopyright: {one.owner}\n"
        f"License: {one.licence}\nComment: {one.name}, of {one.source}\n"
        for one in found
    ]
    used = {one.licence for one in found}
    for licence in sorted(used & COMMON.keys()):
        text = f" The text is in /usr/share/common-licenses/{COMMON[licence]}."
        rows.append(f"\nLicense: {licence}\n{text}\n")
    text = " The text is in the LICENSE of pillow-*.dist-info."
    rows += [f"\nLicense: {licence}\n{text}\n" for licence in sorted(used & {*OF_PILLOW})]
    return "".join(rows) + ((HERE / "licences").read_text("utf-8") if found else "")
