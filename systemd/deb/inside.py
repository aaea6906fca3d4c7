"""The Python packages and native libraries in a Debian package, with their licences.

This module writes them as a bill of materials (a CycloneDX document), and writes the licences as
paragraphs of Debian's copyright file.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from typing import Final, NamedTuple

PACKAGE_SOURCES: Final = Path(__file__).parent
OWN_PACKAGE_NAME: Final = "tabletop-companion"
COMMON_LICENCES: Final = {
    "LGPL-2.1-only": "LGPL-2.1",
    "LGPL-2.1-or-later": "LGPL-2.1",
    "GPL-2.0-or-later OR LGPL-3.0-or-later": "GPL-2",
    "AFL-2.1 OR GPL-2.0-or-later": "GPL-2",
    "GPL-3.0-or-later WITH GCC-exception-3.1": "GPL-3",
}
"""Licences whose text every Debian system has, with the name of the text's file."""
PILLOW_LICENCES: Final = (
    "0BSD", "IJG AND BSD-3-Clause AND Zlib", "MIT", "libtiff",
)  # fmt: skip
"""Licences of Pillow's libraries whose text is in Pillow's LICENSE file."""


class PythonPackage(NamedTuple):
    """An included Python package: its name on PyPI, its version and its licence."""

    name: str
    version: str
    licence: str


class NativeLibrary(NamedTuple):
    """A native library: its file in the folder of packages, and its row in natives.toml."""

    name: str
    file: str
    licence: str
    owner: str
    source: str
    digest: str


def list_python_packages(site: Path) -> list[PythonPackage]:
    """Return the Python packages in the folder `site`, except our own."""
    packages = []
    for path in sorted(site.glob("*.dist-info/METADATA")):
        about = HeaderParser().parsestr(path.read_text("utf-8"))
        kinds = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier", []) if "License" in c]
        named = about["License-Expression"] or ", ".join(kinds) or about["License"]
        if about["Name"] != OWN_PACKAGE_NAME:
            packages.append(PythonPackage(about["Name"], about["Version"], named))
    return packages


def list_native_libraries(site: Path) -> list[NativeLibrary]:
    """Return the native libraries in the folder `site`.

    Raise ValueError if natives.toml has no row for a library.
    """
    rows = tomllib.loads((PACKAGE_SOURCES / "natives.toml").read_text("utf-8"))
    libraries = []
    for path in sorted(site.glob("*.libs/*")):
        names = [name for name in rows if path.name.startswith((f"{name}-", f"{name}."))]
        if not names:
            raise ValueError(f"{path.name} has no row in systemd/deb/natives.toml")
        name, file = max(names, key=len), path.relative_to(site).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        libraries.append(NativeLibrary(name, file, digest=digest, **rows[name]))
    return libraries


def bill_of_materials(site: Path, version: str) -> str:
    """Return the contents of `site` as a CycloneDX 1.6 document; equal input gives equal text."""
    ours = {"type": "application", "name": OWN_PACKAGE_NAME, "version": version}
    wheels = [
        {
            "type": "library", "name": part.name, "version": part.version,
            "purl": f"pkg:pypi/{part.name.lower()}@{part.version}",
            "licenses": [{"license": {"name": part.licence}}],
        }
        for part in list_python_packages(site)
    ]  # fmt: skip
    natives = [
        {
            "type": "library", "name": part.name, "bom-ref": part.file,
            "version": _version(part.file), "copyright": part.owner,
            "hashes": [{"alg": "SHA-256", "content": part.digest}],
            "licenses": [{"license": {"name": part.licence}}],
            "externalReferences": [{"type": "website", "url": part.source}],
            "properties": [{"name": "file", "value": part.file}],
        }
        for part in list_native_libraries(site)
    ]  # fmt: skip
    whole = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": ours}, "components": [*wheels, *natives],
    }  # fmt: skip
    return json.dumps(whole, indent=1) + "\n"


def _version(file: str) -> str:
    """Return the version at the end of a library's file name: `libogg-90c23b5e.so.0.8.5`."""
    before, _, after = Path(file).name.partition(".so")
    return after.lstrip(".") or before.rpartition("-")[2].partition(".")[2]


def licence_paragraphs(site: Path) -> str:
    """Return the paragraphs of Debian's copyright file about the native libraries."""
    libraries = list_native_libraries(site)
    rows = [
        f"\nFiles: usr/lib/companion/*/{library.file}\nCopyright: {library.owner}\n"
        f"License: {library.licence}\nComment: {library.name}, of {library.source}\n"
        for library in libraries
    ]
    used = {library.licence for library in libraries}
    for licence in sorted(used & COMMON_LICENCES.keys()):
        text = f" The text is in /usr/share/common-licenses/{COMMON_LICENCES[licence]}."
        rows.append(f"\nLicense: {licence}\n{text}\n")
    text = " The text is in the LICENSE of pillow-*.dist-info."
    rows += [f"\nLicense: {licence}\n{text}\n" for licence in sorted(used & {*PILLOW_LICENCES})]
    return "".join(rows) + ((PACKAGE_SOURCES / "licences").read_text("utf-8") if libraries else "")
