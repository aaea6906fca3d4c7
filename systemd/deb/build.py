"""Build the Debian packages of the box: `python systemd/deb/build.py FOLDER`.

A package contains the Python packages that Debian lacks or has in too old versions. The build
downloads them, and compares them with the checksums in requirements.txt and build.txt. Any machine
can build for any processor, and equal commits give equal bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
from email.utils import formatdate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))  # this file is run as a script
from systemd.deb import inside

PACKAGE_SOURCES: Final = Path(__file__).parent
SYSTEMD: Final = PACKAGE_SOURCES.parent
ROOT: Final = SYSTEMD.parent
INSTALL_FOLDER: Final = "/usr/lib/companion"
MAINTAINER: Final = "Companion <companion@users.noreply.github.com>"
MAINTAINER_SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm")
FIRST_UNSUPPORTED_PYTHON: Final = (3, 14)
"""The first version of Python with which this build refuses to run.

pip evaluates environment markers for the Python that runs pip, and would select pygame-ce.
"""
UNUSED_PATTERNS: Final = (
    "bin", "include", "share", "setuptools", "setuptools-*", "_distutils_hack",
    "distutils-precedence.pth", "pkg_resources", "**/*.pyi", "tornado/test",
    "*.dist-info/RECORD", "*.dist-info/direct_url.json", "*.dist-info/REQUESTED",
    # The box uses pygame for sound only: no camera, MIDI, fonts or image files.
    "pygame/docs", "pygame/examples", "pygame/tests", "pygame/_sdl2", "pygame/_camera.*",
    "pygame/_freetype.*", "pygame/gfxdraw.*", "pygame/imageext.*", "pygame/newbuffer.*",
    "pygame/pypm.*", "pygame/scrap.*", "pygame/*.ic*", "pygame/pygame_icon_mac.bmp",
    "pygame/font.*", "pygame/freesansbold.ttf", "pygame.libs/libSDL2_ttf-*",
    "pygame.libs/libbrotli*", "pygame.libs/libfreetype-*", "pygame.libs/libharfbuzz-*",
    "pygame.libs/libpng16-*",
    "pygame.libs/libSDL2_image-*", "pygame.libs/libjpeg-*", "pygame.libs/libportmidi-*",
    "pygame.libs/libsharpyuv-*", "pygame.libs/libtiff-*", "pygame.libs/libwebp-*",
    # luma draws on a Pillow image in memory: no fonts or image files.
    "PIL/_avif*", "PIL/_imagingcms.*", "PIL/_imagingft.*", "PIL/_imagingmath.*",
    "PIL/_imagingmorph.*", "PIL/_imagingtk.*", "PIL/_webp.*",
    "pillow.libs/libavif*", "pillow.libs/libbrotli*", "pillow.libs/libfreetype-*",
    "pillow.libs/libharfbuzz-*", "pillow.libs/liblcms2-*", "pillow.libs/libpng16-*",
    "pillow.libs/libsharpyuv-*", "pillow.libs/libwebp*",
)  # fmt: skip
"""Globs of files in the wheels that the box never imports."""
DOCUMENT_SUFFIXES: Final = (".md", ".svg", ".png", ".gif", ".py", ".toml", ".po", ".in", ".txt")
"""Suffixes of the documentation's files."""
EXCLUDED_DOCUMENTS: Final = ("CHANGELOG.md",)
"""Linked documents that the package has elsewhere or does not need."""
XZ_OPTIONS: Final = ("-Zxz", "-z6", "-Sextreme", "--threads-max=1")
"""Options of xz. A window above 8 MB saves 1 %, but unpacking it needs 64 MB on the Pi."""


class DebianSuite(NamedTuple):
    """A release of Debian: its number, its versions of Python and libraries, supported drop-ins."""

    number: int
    python: str
    libc: str
    glib: str
    drop_ins: tuple[str, ...] = ()

    @property
    def next_python(self) -> str:
        """Return the first version of Python that the package does not support."""
        major, minor = self.python.split(".")
        return f"{major}.{int(minor) + 1}"


class Architecture(NamedTuple):
    """A processor architecture, by its names in Debian and in wheels."""

    debian: str
    wheel: str


SUITES: Final = {
    "bookworm": DebianSuite(12, "3.11", "2.36", "libglib2.0-0"),
    "trixie": DebianSuite(13, "3.13", "2.41", "libglib2.0-0t64", ("restart.conf",)),
}
ARCHITECTURES: Final = {
    arch.debian: arch
    for arch in (Architecture("amd64", "x86_64"), Architecture("arm64", "aarch64"))
}


def run_program(*command: str | Path, **environment: str) -> str:
    """Return the output of a command. If the command fails, exit with an error message."""
    done = subprocess.run(
        [*map(str, command)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        sys.exit(f"build.py: {' '.join(map(str, command))} failed")
    return done.stdout


# --- our wheel and the wheels of dependencies -----------------------------------------------------


def build_wheel(folder: Path) -> Path:
    """Build our own wheel with the pinned tools; return its path."""
    run_program(sys.executable, "-I", "-m", "venv", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    pip = (python, "-I", "-m", "pip", "--quiet", "--isolated", "--disable-pip-version-check")
    pinned = ("--only-binary", ":all:", "--require-hashes", "--requirement", SYSTEMD / "build.txt")
    run_program(*pip, "install", *pinned)
    run_program(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    return next(folder.glob("tabletop_companion-*.whl"))


def wheel_platforms(suite: DebianSuite, arch: Architecture) -> list[str]:
    """Return pip's options for the wheel tags of a suite's C library, the newest tag first."""
    newest = int(suite.libc.split(".")[1])
    tags = [f"manylinux_2_{n}_{arch.wheel}" for n in range(newest, 16, -1)]
    return [word for tag in (*tags, f"manylinux2014_{arch.wheel}") for word in ("--platform", tag)]


def install_packages(site: Path, wheel: Path, suite: DebianSuite, arch: Architecture) -> None:
    """Install all Python packages for a suite into the folder `site`, without unused files."""
    quiet = ("--quiet", "--isolated", "--disable-pip-version-check")
    pip = (sys.executable, "-I", "-m", "pip", *quiet)
    there = ("install", "--no-compile", "--upgrade", "--target", site)
    tags = (
        "--implementation",
        "cp",
        "--python-version",
        suite.python,
        *wheel_platforms(suite, arch),
    )
    only = ("--only-binary", ":all:")
    pinned = ("--require-hashes", "--requirement", SYSTEMD / "requirements.txt")
    run_program(*pip, *there, *only, *tags, *pinned)
    run_program(*pip, *there, "--no-index", "--no-deps", wheel)
    for pattern in UNUSED_PATTERNS:
        for path in [*site.glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


# --- the tree -------------------------------------------------------------------------------------


def write_file(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a text file, and create its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)


def write_compressed(path: Path, text: str) -> None:
    """Write a text file compressed by gzip, without a time stamp."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def make_environment(tree: Path, suite: DebianSuite) -> Path:
    """Write a virtual environment into the folder `tree`; return its folder site-packages."""
    write_file(tree / "pyvenv.cfg", f"home = /usr/bin\nversion = {suite.python}\n")
    start = f"#!{INSTALL_FOLDER}/current/bin/python\nfrom companion.cmd.cli import main\n\nmain()\n"
    write_file(tree / "bin" / "companion", start, mode=0o755)
    (tree / "bin" / "python").symlink_to("/usr/bin/python3")
    site = tree / "lib" / f"python{suite.python}" / "site-packages"
    write_file(site / "games.pth", "/usr/local/lib/companion\n")
    return site


def unit_text(path: Path) -> str:
    """Return a file of systemd/ with the paths of the package."""
    return path.read_text("utf-8").replace("/opt/companion/venv", f"{INSTALL_FOLDER}/current")


def add_system(root: Path, tree: Path, suite: DebianSuite) -> None:
    """Write units, rules, users and the command companion-root into the folder `root`.

    Write copies of the units, and the README, into the folder `tree` of this version.
    """
    library = root / "usr" / "lib"
    for path in sorted(SYSTEMD.glob("*.*")):
        if path.suffix in (".service", ".socket", ".xml"):
            write_file(tree / "systemd" / path.name, unit_text(path))
        if path.suffix in (".service", ".socket"):
            write_file(library / "systemd" / "system" / path.name, unit_text(path))
    for name in suite.drop_ins:
        write_file(library / "systemd/system/companion.service.d" / name, unit_text(SYSTEMD / name))
    write_file(tree / "systemd" / "README.md", unit_text(SYSTEMD / "README.md"))
    write_file(root / "usr" / "sbin" / "companion-root", unit_text(SYSTEMD / "root.sh"), mode=0o755)
    for path in sorted(SYSTEMD.glob("60-*.rules")):
        write_file(library / "udev" / "rules.d" / path.name, unit_text(path))
    rule = root / "usr/share/polkit-1/rules.d/50-companion.rules"
    write_file(rule, unit_text(SYSTEMD / "50-companion.rules"))
    write_file(
        library / "sysusers.d" / "companion.conf", unit_text(PACKAGE_SOURCES / "sysusers.conf")
    )
    write_file(library / "modules-load.d" / "companion.conf", "i2c-dev\n")


def add_command(root: Path, site: Path) -> None:
    """Write the command, its shell completions and its manual pages."""
    path = root / "usr" / "bin" / "companion"
    path.parent.mkdir(parents=True)
    path.symlink_to("../lib/companion/current/bin/companion")
    main = (sys.executable, "-P", "-c", "from companion.cmd.cli import main; main()")

    def said(*arguments: str, language: str = "") -> str:
        python = {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        return run_program(*main, *arguments, **python, LC_ALL="C.UTF-8", LANGUAGE=language)

    share = root / "usr" / "share"
    write_compressed(share / "man" / "man1" / "companion.1.gz", said("manual"))
    write_compressed(
        share / "man" / "fr" / "man1" / "companion.1.gz", said("manual", language="fr")
    )
    write_compressed(
        share / "man/man8/companion-root.8.gz",
        (PACKAGE_SOURCES / "companion-root.8").read_text("utf-8"),
    )
    write_file(share / "bash-completion/completions/companion", said("completion", "bash"))
    write_file(share / "fish/vendor_completions.d/companion.fish", said("completion", "fish"))
    write_file(share / "zsh/vendor-completions/_companion", said("completion", "zsh"))


def add_documents(papers: Path) -> None:
    """Copy the README with all documents and pictures that it links to."""
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = {*re.findall(r"\]\(([^):#]+)\)", readme), *re.findall(r'src="([^":]+)"', readme)}
    for name in ("README.md", *sorted(linked)):
        files = sorted((ROOT / name).rglob("*")) if (ROOT / name).is_dir() else [ROOT / name]
        for path in files:
            if (
                path.is_file()
                and path.suffix in DOCUMENT_SUFFIXES
                and path.name not in EXCLUDED_DOCUMENTS
            ):
                target = papers / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())


def add_package_documents(root: Path, site: Path, version: str, suite: str, epoch: int) -> None:
    """Write the package's documents, its bill of materials, and the overrides for lintian."""
    papers = root / "usr" / "share" / "doc" / "companion"
    others = "\n".join(
        f" {name} {number}: {kind}." for name, number, kind in inside.list_python_packages(site)
    )
    text = (PACKAGE_SOURCES / "copyright").read_text("utf-8")
    licence = "\n".join(f" {line or '.'}" for line in (ROOT / "LICENSE").read_text().splitlines())
    write_file(
        papers / "copyright",
        text.replace("@OTHERS@", others).replace("@LICENCE@", licence)
        + inside.licence_paragraphs(site),
    )
    log = f"companion ({version}) {suite}; urgency=medium\n\n  * What is new: CHANGELOG.md.gz.\n"
    write_compressed(papers / "changelog.gz", f"{log}\n -- {MAINTAINER}  {formatdate(epoch)}\n")
    write_compressed(papers / "companion.cdx.json.gz", inside.bill_of_materials(site, version))
    add_documents(papers)
    write_compressed(papers / "CHANGELOG.md.gz", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    write_file(
        root / "usr/share/lintian/overrides/companion",
        (PACKAGE_SOURCES / "overrides").read_text("utf-8"),
    )


# --- the package ----------------------------------------------------------------------------------


def debian_version(ours: str, suite: DebianSuite) -> str:
    """Return a PEP 440 version for Debian, where a `~` sorts pre-releases before the release."""
    early = re.sub(r"\.?(dev|a|b|rc)(?=\d)", r"~\1", ours.replace("+", "."), count=1)
    return f"{early}+deb{suite.number}"


def maintainer_script(name: str, folder: str, size: int) -> str:
    """Return a maintainer script with the shell files that it needs, as one text.

    dpkg unpacks no other file for the script. `folder` is the name of the version's folder, and
    `size` is the installed size in KiB.
    """
    parts = [PACKAGE_SOURCES / "kept.sh", PACKAGE_SOURCES / f"{name}.sh"]
    if name == "postinst":
        parts.insert(1, PACKAGE_SOURCES / "change.sh")
    head = f"#!/bin/bash\nset -euo pipefail\numask 022\ncd /\nversion={folder} size={size}\n"
    return head + "".join(part.read_text("utf-8") for part in parts)


def control_text(version: str, suite: DebianSuite, arch: Architecture, size: int) -> str:
    """Return the control file of a package; `size` is the installed size in KiB."""
    text = (PACKAGE_SOURCES / "control").read_text("utf-8")
    values = {
        "VERSION": version, "ARCH": arch.debian, "SIZE": str(size), "MAINTAINER": MAINTAINER,
        "PYTHON": suite.python, "NEXT": suite.next_python, "LIBC": suite.libc, "GLIB": suite.glib,
    }  # fmt: skip
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def md5_of_file(path: Path) -> str:
    """Return the MD5 of a file for dpkg's md5sums, which detects accidental damage only."""
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def add_control(
    root: Path, version: str, folder: str, suite: DebianSuite, arch: Architecture
) -> None:
    """Write the files for dpkg: control, checksums, debconf questions and scripts."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    sums = [f"{md5_of_file(path)}  {path.relative_to(root)}\n" for path in files]
    debian = root / "DEBIAN"
    write_file(debian / "control", control_text(version, suite, arch, size))
    write_file(debian / "md5sums", "".join(sums))
    write_file(debian / "templates", (PACKAGE_SOURCES / "templates").read_text("utf-8"))
    for name in MAINTAINER_SCRIPTS:
        write_file(debian / name, maintainer_script(name, folder, size), mode=0o755)


def build_package(wheel: Path, target: Path, name: str, arch: Architecture, epoch: int) -> Path:
    """Build the package of a suite and an architecture; return its file."""
    suite, folder = SUITES[name], wheel.name.split("-")[1]
    version = debian_version(folder, suite)
    with TemporaryDirectory() as scratch:
        root = Path(scratch, "root")
        tree = Path(f"{root}{INSTALL_FOLDER}/{folder}")
        site = make_environment(tree, suite)
        install_packages(site, wheel, suite, arch)
        add_system(root, tree, suite)
        add_command(root, site)
        add_package_documents(root, site, version, name, epoch)
        for path in (root, *root.rglob("*")):
            if not path.is_symlink():
                is_run = path.is_dir() or (path.stat().st_mode & 0o100 and ".so" not in path.name)
                path.chmod(0o755 if is_run else 0o644)
        add_control(root, version, folder, suite, arch)
        file = target / f"companion_{version}_{arch.debian}.deb"
        make = ("dpkg-deb", "--root-owner-group", *XZ_OPTIONS, "--build", root, file)
        run_program(*make, SOURCE_DATE_EPOCH=str(epoch))
    return file


def commit_time() -> int:
    """Return the time of the commit in seconds since 1970, or SOURCE_DATE_EPOCH if that is set.

    An unpacked source archive has no `.git`: there every file has the time of its commit.
    """
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(epoch)
    if not (ROOT / ".git").exists():
        return int((ROOT / "pyproject.toml").stat().st_mtime)
    return int(run_program("git", "-C", ROOT, "log", "-1", "--format=%ct"))


def main() -> None:
    """Build the packages that the arguments select; by default all four."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="where the packages go")
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--arch", choices=ARCHITECTURES, action="append")
    parser.add_argument("--wheel", type=Path, help="our own, built already")
    asked = parser.parse_args()
    if sys.version_info >= FIRST_UNSUPPORTED_PYTHON:
        sys.exit("build.py: this needs a Python before 3.14, as that of the packages is")
    os.umask(0o022)
    asked.folder.mkdir(parents=True, exist_ok=True)
    epoch = commit_time()
    with TemporaryDirectory() as scratch:
        wheel = asked.wheel or build_wheel(Path(scratch))
        for suite in asked.suite or SUITES:
            for arch in asked.arch or ARCHITECTURES:
                print(build_package(wheel, asked.folder, suite, ARCHITECTURES[arch], epoch))


if __name__ == "__main__":
    main()
