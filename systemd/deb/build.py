"""Debian packages of the box, with all inside that Debian has too old or not at all.

Built on any machine for any other: `python systemd/deb/build.py FOLDER`. Of the network it takes
what requirements.txt and build.txt name, by checksums. The same commit gives the same bytes.
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

sys.path.insert(0, str(Path(__file__).parents[2]))  # it is run as a file
from systemd.deb import inside

HERE: Final = Path(__file__).parent
SYSTEMD: Final = HERE.parent
ROOT: Final = SYSTEMD.parent
HOME: Final = "/usr/lib/companion"
MAINTAINER: Final = "Companion <companion@users.noreply.github.com>"
SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm")
MARKERS_READ_RIGHT: Final = (3, 14)
"""pip reads markers as of the Python that runs it; from here on they ask for pygame-ce."""
UNUSED: Final = (
    "bin", "include", "share", "setuptools", "setuptools-*", "_distutils_hack",
    "distutils-precedence.pth", "pkg_resources", "**/*.pyi", "tornado/test",
    "*.dist-info/RECORD", "*.dist-info/direct_url.json", "*.dist-info/REQUESTED",
    # pygame is the speaker: no camera, MIDI, letters or files of pictures.
    "pygame/docs", "pygame/examples", "pygame/tests", "pygame/_sdl2", "pygame/_camera.*",
    "pygame/_freetype.*", "pygame/gfxdraw.*", "pygame/imageext.*", "pygame/newbuffer.*",
    "pygame/pypm.*", "pygame/scrap.*", "pygame/*.ic*", "pygame/pygame_icon_mac.bmp",
    "pygame/font.*", "pygame/freesansbold.ttf", "pygame.libs/libSDL2_ttf-*",
    "pygame.libs/libbrotli*", "pygame.libs/libfreetype-*", "pygame.libs/libharfbuzz-*",
    "pygame.libs/libpng16-*",
    "pygame.libs/libSDL2_image-*", "pygame.libs/libjpeg-*", "pygame.libs/libportmidi-*",
    "pygame.libs/libsharpyuv-*", "pygame.libs/libtiff-*", "pygame.libs/libwebp-*",
    # Pillow is what luma draws on: a picture in memory, without letters or files.
    "PIL/_avif*", "PIL/_imagingcms.*", "PIL/_imagingft.*", "PIL/_imagingmath.*",
    "PIL/_imagingmorph.*", "PIL/_imagingtk.*", "PIL/_webp.*",
    "pillow.libs/libavif*", "pillow.libs/libbrotli*", "pillow.libs/libfreetype-*",
    "pillow.libs/libharfbuzz-*", "pillow.libs/liblcms2-*", "pillow.libs/libpng16-*",
    "pillow.libs/libsharpyuv-*", "pillow.libs/libwebp*",
)  # fmt: skip
"""What comes with the wheels, and nothing here imports: globs."""
DOCUMENTS: Final = (".md", ".svg", ".png", ".gif", ".py", ".toml", ".po", ".in", ".txt")
"""Files of the documentation, by the end of their names."""
WITH_COPYRIGHT: Final = ("CHANGELOG.md", "axe.LICENSE.md")
"""Documents that the package has elsewhere, or that are of no file in it."""
XZ: Final = ("-Zxz", "-z6", "-Sextreme", "--threads-max=1")
"""A wider window than 8 MB saves a hundredth, and takes 64 MB of the Pi that unpacks."""


class Suite(NamedTuple):
    """A release of Debian: its number, Python and libraries, and drop-ins that it understands."""

    number: int
    python: str
    libc: str
    glib: str
    drop_ins: tuple[str, ...] = ()

    @property
    def next_python(self) -> str:
        """The first one that does not do."""
        major, minor = self.python.split(".")
        return f"{major}.{int(minor) + 1}"


class Arch(NamedTuple):
    """A kind of processor: how Debian and wheels call it."""

    debian: str
    wheel: str


SUITES: Final = {
    "bookworm": Suite(12, "3.11", "2.36", "libglib2.0-0"),
    "trixie": Suite(13, "3.13", "2.41", "libglib2.0-0t64", ("restart.conf",)),
}
ARCHES: Final = {arch.debian: arch for arch in (Arch("amd64", "x86_64"), Arch("arm64", "aarch64"))}


def run(*command: str | Path, **environment: str) -> str:
    """What a command prints. It ends the build with what it said if it fails."""
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


# --- our wheel, and those of others ---------------------------------------------------------------


def built_wheel(folder: Path) -> Path:
    """Build our own wheel with the pinned tools."""
    run(sys.executable, "-I", "-m", "venv", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    pip = (python, "-I", "-m", "pip", "--quiet", "--isolated", "--disable-pip-version-check")
    pinned = ("--only-binary", ":all:", "--require-hashes", "--requirement", SYSTEMD / "build.txt")
    run(*pip, "install", *pinned)
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    return next(folder.glob("tabletop_companion-*.whl"))


def platforms(suite: Suite, arch: Arch) -> list[str]:
    """The tags of wheels that run on that suite's C library, the newest first."""
    newest = int(suite.libc.split(".")[1])
    tags = [f"manylinux_2_{n}_{arch.wheel}" for n in range(newest, 16, -1)]
    return [word for tag in (*tags, f"manylinux2014_{arch.wheel}") for word in ("--platform", tag)]


def install(site: Path, wheel: Path, suite: Suite, arch: Arch) -> None:
    """Fill a folder of packages for another machine, without what is not used."""
    quiet = ("--quiet", "--isolated", "--disable-pip-version-check")
    pip = (sys.executable, "-I", "-m", "pip", *quiet)
    there = ("install", "--no-compile", "--upgrade", "--target", site)
    tags = ("--implementation", "cp", "--python-version", suite.python, *platforms(suite, arch))
    only = ("--only-binary", ":all:")
    pinned = ("--require-hashes", "--requirement", SYSTEMD / "requirements.txt")
    run(*pip, *there, *only, *tags, *pinned)
    run(*pip, *there, "--no-index", "--no-deps", wheel)
    for pattern in UNUSED:
        for path in [*site.glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


# --- the tree -------------------------------------------------------------------------------------


def put(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)


def pack(path: Path, text: str) -> None:
    """Write a compressed file, without a date in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def environment(tree: Path, suite: Suite) -> Path:
    """Lay out a version's folder as a virtual environment; where its packages go."""
    put(tree / "pyvenv.cfg", f"home = /usr/bin\nversion = {suite.python}\n")
    start = f"#!{HOME}/current/bin/python\nfrom companion.cmd.cli import main\n\nmain()\n"
    put(tree / "bin" / "companion", start, mode=0o755)
    (tree / "bin" / "python").symlink_to("/usr/bin/python3")
    site = tree / "lib" / f"python{suite.python}" / "site-packages"
    put(site / "games.pth", "/usr/local/lib/companion\n")
    return site


def unit(path: Path) -> str:
    """A file of systemd/ with the package's places in it."""
    return path.read_text("utf-8").replace("/opt/companion/venv", f"{HOME}/current")


def add_system(root: Path, tree: Path, suite: Suite) -> None:
    """Units, rules and users: in their places, and beside the version that they came with."""
    library = root / "usr" / "lib"
    for path in sorted(SYSTEMD.glob("*.*")):
        if path.suffix in (".service", ".socket", ".xml"):
            put(tree / "systemd" / path.name, unit(path))
        if path.suffix in (".service", ".socket"):
            put(library / "systemd" / "system" / path.name, unit(path))
    for name in suite.drop_ins:
        put(library / "systemd/system/companion.service.d" / name, unit(SYSTEMD / name))
    put(tree / "systemd" / "README.md", unit(SYSTEMD / "README.md"))
    put(root / "usr" / "sbin" / "companion-root", unit(SYSTEMD / "root.sh"), mode=0o755)
    for path in sorted(SYSTEMD.glob("60-*.rules")):
        put(library / "udev" / "rules.d" / path.name, unit(path))
    rule = root / "usr/share/polkit-1/rules.d/50-companion.rules"
    put(rule, unit(SYSTEMD / "50-companion.rules"))
    put(library / "sysusers.d" / "companion.conf", unit(HERE / "sysusers.conf"))
    put(library / "modules-load.d" / "companion.conf", "i2c-dev\n")


def add_command(root: Path, site: Path) -> None:
    """The command on the path, what shells complete of it, and its manual."""
    path = root / "usr" / "bin" / "companion"
    path.parent.mkdir(parents=True)
    path.symlink_to("../lib/companion/current/bin/companion")
    main = (sys.executable, "-P", "-c", "from companion.cmd.cli import main; main()")

    def said(*arguments: str, language: str = "") -> str:
        python = {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        return run(*main, *arguments, **python, LC_ALL="C.UTF-8", LANGUAGE=language)

    share = root / "usr" / "share"
    pack(share / "man" / "man1" / "companion.1.gz", said("manual"))
    pack(share / "man" / "fr" / "man1" / "companion.1.gz", said("manual", language="fr"))
    pack(share / "man/man8/companion-root.8.gz", (HERE / "companion-root.8").read_text("utf-8"))
    put(share / "bash-completion/completions/companion", said("completion", "bash"))
    put(share / "fish/vendor_completions.d/companion.fish", said("completion", "fish"))
    put(share / "zsh/vendor-completions/_companion", said("completion", "zsh"))


def add_documents(papers: Path) -> None:
    """Lay the README down with the documents and pictures that it links to, at their places."""
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = {*re.findall(r"\]\(([^):#]+)\)", readme), *re.findall(r'src="([^":]+)"', readme)}
    for name in ("README.md", *sorted(linked)):
        files = sorted((ROOT / name).rglob("*")) if (ROOT / name).is_dir() else [ROOT / name]
        for path in files:
            if path.is_file() and path.suffix in DOCUMENTS and path.name not in WITH_COPYRIGHT:
                target = papers / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())


def add_papers(root: Path, site: Path, version: str, suite: str, epoch: int) -> None:
    """Copyright, what changed, and what lintian is to know."""
    papers = root / "usr" / "share" / "doc" / "companion"
    others = "\n".join(f" {name} {number}: {kind}." for name, number, kind in inside.packages(site))
    text = (HERE / "copyright").read_text("utf-8")
    licence = "\n".join(f" {line or '.'}" for line in (ROOT / "LICENSE").read_text().splitlines())
    put(
        papers / "copyright",
        text.replace("@OTHERS@", others).replace("@LICENCE@", licence) + inside.licences(site),
    )
    log = f"companion ({version}) {suite}; urgency=medium\n\n  * What is new: CHANGELOG.md.gz.\n"
    pack(papers / "changelog.gz", f"{log}\n -- {MAINTAINER}  {formatdate(epoch)}\n")
    pack(papers / "companion.cdx.json.gz", inside.bill(site, version))
    add_documents(papers)
    pack(papers / "CHANGELOG.md.gz", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    put(root / "usr/share/lintian/overrides/companion", (HERE / "overrides").read_text("utf-8"))


# --- the package ----------------------------------------------------------------------------------


def debian_version(ours: str, suite: Suite) -> str:
    """How Debian orders a version as PEP 440 does: what is before a release has a `~`."""
    early = re.sub(r"\.?(dev|a|b|rc)(?=\d)", r"~\1", ours.replace("+", "."), count=1)
    return f"{early}+deb{suite.number}"


def script(name: str, folder: str, size: int) -> str:
    """A maintainer script: one file, as dpkg has nothing else while it runs. `size` is in KiB."""
    parts = [HERE / "kept.sh", HERE / f"{name}.sh"]
    if name == "postinst":
        parts.insert(1, HERE / "change.sh")
    head = f"#!/bin/bash\nset -euo pipefail\numask 022\ncd /\nversion={folder} size={size}\n"
    return head + "".join(part.read_text("utf-8") for part in parts)


def control(version: str, suite: Suite, arch: Arch, size: int) -> str:
    """What apt knows of the package."""
    text = (HERE / "control").read_text("utf-8")
    values = {
        "VERSION": version, "ARCH": arch.debian, "SIZE": str(size), "MAINTAINER": MAINTAINER,
        "PYTHON": suite.python, "NEXT": suite.next_python, "LIBC": suite.libc, "GLIB": suite.glib,
    }  # fmt: skip
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def digest(path: Path) -> str:
    """A file's checksum as dpkg has it, against accidents and not against people."""
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def add_control(root: Path, version: str, folder: str, suite: Suite, arch: Arch) -> None:
    """What dpkg reads: control, checksums, questions and scripts."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    sums = [f"{digest(path)}  {path.relative_to(root)}\n" for path in files]
    debian = root / "DEBIAN"
    put(debian / "control", control(version, suite, arch, size))
    put(debian / "md5sums", "".join(sums))
    put(debian / "templates", (HERE / "templates").read_text("utf-8"))
    for name in SCRIPTS:
        put(debian / name, script(name, folder, size), mode=0o755)


def build(wheel: Path, target: Path, name: str, arch: Arch, epoch: int) -> Path:
    """Build one package; its file."""
    suite, folder = SUITES[name], wheel.name.split("-")[1]
    version = debian_version(folder, suite)
    with TemporaryDirectory() as scratch:
        root = Path(scratch, "root")
        tree = Path(f"{root}{HOME}/{folder}")
        site = environment(tree, suite)
        install(site, wheel, suite, arch)
        add_system(root, tree, suite)
        add_command(root, site)
        add_papers(root, site, version, name, epoch)
        for path in (root, *root.rglob("*")):
            if not path.is_symlink():
                is_run = path.is_dir() or (path.stat().st_mode & 0o100 and ".so" not in path.name)
                path.chmod(0o755 if is_run else 0o644)
        add_control(root, version, folder, suite, arch)
        file = target / f"companion_{version}_{arch.debian}.deb"
        make = ("dpkg-deb", "--root-owner-group", *XZ, "--build", root, file)
        run(*make, SOURCE_DATE_EPOCH=str(epoch))
    return file


def commit_time() -> int:
    """Return the time of the commit in seconds since 1970, or SOURCE_DATE_EPOCH if that is set.

    An unpacked source archive has no `.git`: there every file has the time of its commit.
    """
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    if not (ROOT / ".git").exists():
        return int((ROOT / "pyproject.toml").stat().st_mtime)
    return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))


def main() -> None:
    """Build what is asked for, or all four packages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="where the packages go")
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--arch", choices=ARCHES, action="append")
    parser.add_argument("--wheel", type=Path, help="our own, built already")
    asked = parser.parse_args()
    if sys.version_info >= MARKERS_READ_RIGHT:
        sys.exit("build.py: this needs a Python before 3.14, as that of the packages is")
    os.umask(0o022)
    asked.folder.mkdir(parents=True, exist_ok=True)
    epoch = commit_time()
    with TemporaryDirectory() as scratch:
        wheel = asked.wheel or built_wheel(Path(scratch))
        for suite in asked.suite or SUITES:
            for arch in asked.arch or ARCHES:
                print(build(wheel, asked.folder, suite, ARCHES[arch], epoch))


if __name__ == "__main__":
    main()
