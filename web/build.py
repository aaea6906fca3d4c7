"""The command `python -m web.build FOLDER`, which builds the box's web page as a static site.

The command downloads Pyodide, the Python for browsers, at a fixed version with `npm`, and checks
the hash of the download. If `npm` is missing, use `--pyodide FOLDER` to name an unpacked package.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image, ImageDraw

from companion.core.version import installed_version
from companion.say import catalogues
from companion.say.words import LANGUAGES
from web.pack import ARCHIVE_TIME

ROOT: Final = Path(__file__).parents[1]
STATIC_FOLDER: Final = Path(__file__).parent / "static"
PYODIDE_PACKAGE: Final = "pyodide@314.0.7"
PYODIDE_HASH: Final = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
"""SHA-512 hash of the Pyodide package in the registry of `npm`, in base64."""
PYODIDE_FILES: Final = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
    "README.md", "package.json",
)  # fmt: skip
PROGRAM_FOLDERS: Final = ("companion", "hardware", "checked_input", "sounds", "web")
"""Folders of this repository that the web page's program includes."""
PACKAGED_GAMES: Final = ("score-pad",)
"""Names of the example games that the web page includes as installed packages."""
EXCLUDED_SUFFIXES: Final = frozenset({".po", ".pyc", ".mjs", ".new", ".js", ".css"})
EXCLUDED_NAMES: Final = frozenset({"scores.py"})
"""Names of the files with the scores of sounds. The web page needs only the WAV files."""
EXCLUDED_PREFIXES: Final = (
    "companion/cmd", "companion/page", "companion/door/async_client", "companion/door/link",
    "companion/door/line_fields", "companion/door/record_requests", "companion/door/server",
    "companion/seat/engine", "companion/seat/turning_point",
    "hardware/boards", "hardware/display", "hardware/mock", "hardware/pins", "hardware/sound",
    "hardware/screens/headless", "hardware/screens/terminal_guard", "hardware/screens/terminal",
    "sounds/compose", "sounds/instruments", "sounds/measure", "sounds/picture", "web/build",
    "web/static",
)  # fmt: skip
"""Path prefixes: the web page's program omits each file whose path begins with a prefix."""
WAV_HEADER_BYTES: Final = 64
"""Size (bytes) of the header of a WAV file, which contains the sound's length."""
LICENCES: Final = {
    "Companion": "LICENSE",
    "The sounds": "sounds/LICENSE",
    "The fonts": "companion/draw/fonts/LICENSE",
}
"""Licence files of the parts that come from this repository, by the name of the part."""
ICON_SIZES: Final = (192, 512)
"""Widths (pixels) of the square icons for phones."""
MIN_COMPRESSED_BYTES: Final = 1024
"""Minimum size (bytes) of a file for which the site also has a compressed file."""


class BuildFailed(Exception):
    """The error that the site cannot be built. The message of the error states the reason."""


def fetch_pyodide(folder: Path) -> Path:
    """Download Pyodide into `folder`, check its hash, and return the folder of its files.

    Raise BuildFailed if `npm` is missing or fails, or if the hash differs from PYODIDE_HASH.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            ["npm", "pack", "--silent", PYODIDE_PACKAGE],  # noqa: S607 - npm is found by PATH
            cwd=folder,
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildFailed(
            f"npm cannot fetch {PYODIDE_PACKAGE}: {error}. Install npm, or give --pyodide."
        ) from error
    archive = folder / done.stdout.decode().split()[-1]
    if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != PYODIDE_HASH:
        raise BuildFailed(f"{archive.name} is not the package that was pinned.")
    with tarfile.open(archive) as package:
        package.extractall(folder, filter="data")
    return folder / "package"


def write_program_archive(file: Path) -> None:
    """Write the web page's program into one ZIP file; of each WAV file, write only the header."""
    for source in (ROOT / "companion").rglob("locale/*/LC_MESSAGES/*.po"):
        catalogues.write_compiled_catalogue(source)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, about in (_about(), *_games()):
            archive.writestr(zipfile.ZipInfo(name, ARCHIVE_TIME), about)
        for path in _parts():
            info = zipfile.ZipInfo(str(path.relative_to(ROOT)), ARCHIVE_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            data = path.read_bytes()
            archive.writestr(info, data[:WAV_HEADER_BYTES] if path.suffix == ".wav" else data)


def compile_program_archive(file: Path, pyodide: Path) -> None:
    """Compile the Python modules in the ZIP file `file`, to save a third of the start time.

    Raise BuildFailed if node is missing, or if a module cannot be compiled.
    """
    command = [
        "node",
        str(Path(__file__).with_name("compile.mjs")),
        str(pyodide.resolve()),
        str(file),
    ]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", None) or error
        raise BuildFailed(f"node cannot compile the program: {str(why)[-300:]}") from error


def _about() -> tuple[str, str]:
    name = f"tabletop_companion-{installed_version()}.dist-info/METADATA"
    return (
        name,
        f"Metadata-Version: 2.1\nName: tabletop-companion\nVersion: {installed_version()}\n",
    )


def _games() -> Iterator[tuple[str, bytes | str]]:
    for name in PACKAGED_GAMES:
        folder = ROOT / "examples" / name
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        (module,) = project["entry-points"]["companion.games"].values()
        info = f"{module}-{project['version']}.dist-info"
        about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        yield f"{info}/METADATA", about
        yield f"{info}/entry_points.txt", f"[companion.games]\n{name} = {module}\n"
        for language in LANGUAGES:
            # this call also compiles the catalogue into a .mo file
            catalogues.read_catalogue(folder / module, language, name)
        for path in sorted((folder / module).rglob("*")):
            if path.is_file() and path.suffix not in EXCLUDED_SUFFIXES:
                yield str(path.relative_to(folder)), path.read_bytes()


def _parts() -> Iterator[Path]:
    for part in PROGRAM_FOLDERS:
        for path in sorted((ROOT / part).rglob("*")):
            inside = path.relative_to(ROOT).as_posix()
            if (
                path.is_file()
                and path.suffix not in EXCLUDED_SUFFIXES
                and path.name not in EXCLUDED_NAMES
                and not inside.startswith(EXCLUDED_PREFIXES)
            ):
                yield path


def build_site(site: Path, pyodide: Path) -> None:
    """Write the whole site into the folder `site`, which must not exist."""
    shutil.copytree(STATIC_FOLDER, site)
    (site / "pyodide").mkdir()
    for name in PYODIDE_FILES:
        shutil.copy(pyodide / name, site / "pyodide" / name)
    write_program_archive(site / "program.zip")
    compile_program_archive(site / "program.zip", pyodide)
    (site / "sounds").mkdir()
    for sound in sorted([*ROOT.glob("sounds/*.wav"), *ROOT.glob("companion/games/**/*.wav")]):
        shutil.copy(sound, site / "sounds" / sound.name)
    for side in ICON_SIZES:
        site_icon_image(side).save(site / f"icon-{side}.png", optimize=True)
    _licences(site)
    _service_worker(site)
    for file in [path for path in site.rglob("*") if path.is_file()]:
        if file.stat().st_size >= MIN_COMPRESSED_BYTES and file.suffix not in (
            ".zip",
            ".png",
            ".gz",
        ):
            file.with_name(f"{file.name}.gz").write_bytes(
                gzip.compress(file.read_bytes(), 9, mtime=0)
            )


def site_icon_image(side: int) -> Image.Image:
    """Return the square icon, `side` pixels wide: the box with its display and four buttons."""
    unit = side / 32
    picture = Image.new("RGB", (side, side), "#2c3034")
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((5 * unit, 6 * unit, 27 * unit, 18 * unit), 1.5 * unit, "#050607")
    for place, height in enumerate((3, 5, 6.5, 4)):
        left = (8 + 4 * place) * unit
        draw.rectangle((left, (15.5 - height) * unit, left + 2 * unit, 15.5 * unit), "#cfe6f7")
    for place in range(4):
        left = (5.5 + 5.5 * place) * unit
        draw.ellipse((left, 21 * unit, left + 4 * unit, 25 * unit), "#e6e2d8")
    return picture


def _licences(site: Path) -> None:
    package = json.loads((site / "pyodide" / "package.json").read_text("utf-8"))
    ours = [f"{name}:\n\n{(ROOT / file).read_text('utf-8')}" for name, file in LICENCES.items()]
    theirs = (
        f"{PYODIDE_PACKAGE}, Python for the browser: {package['license']}, {package['homepage']}\n"
        "In it: CPython (PSF-2.0), SQLite (public domain), zlib (Zlib), libffi (MIT),\n"
        "Emscripten's run-time library (MIT) with musl (MIT) and LLVM's (Apache-2.0 WITH\n"
        "LLVM-exception).\n"
    )
    (site / "LICENCES.txt").write_text("\n".join([*ours, theirs]), "utf-8")


def _service_worker(site: Path) -> None:
    files = sorted(str(path.relative_to(site)) for path in site.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for name in files:
        digest.update((site / name).read_bytes())
    worker = site / "sw.js"
    listed = json.dumps(["./", *(name for name in files if name != "sw.js")])
    text = worker.read_text("utf-8").replace('["@FILES@"]', listed)
    worker.write_text(text.replace("@VERSION@", digest.hexdigest()[:16]), "utf-8")


def main(arguments: list[str]) -> int:
    """Build the site into the folder that the first argument names; return the exit status."""
    parser = argparse.ArgumentParser("python -m web.build", description="Build the site.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", type=Path, help="an unpacked package, in the place of npm")
    given = parser.parse_args(arguments)
    site: Path = given.folder
    shutil.rmtree(site, ignore_errors=True)
    with TemporaryDirectory() as scratch:
        try:
            build_site(site, given.pyodide or fetch_pyodide(Path(scratch)))
        except BuildFailed as error:
            sys.stderr.write(f"{error}\n")
            return 1
    size = sum(path.stat().st_size for path in site.rglob("*") if path.suffix != ".gz")
    sys.stdout.write(f"{site}: {size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
