"""Tests of the distribution gpiozero-gpiod: built, installed alone, and found by gpiozero."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Final

import gpiozero
import pytest

from tests.system.packages.commands import run

FOLDER: Final = Path(__file__).parents[3] / "packages" / "gpiozero-gpiod"
BUILD: Final = (sys.executable, "-m", "hatchling", "build", "--directory")
FOUND: Final = """
import gpiozero_gpiod
from importlib.metadata import entry_points
(found,) = (e for e in entry_points(group="gpiozero_pin_factories") if e.name == "gpiod")
assert found.load() is gpiozero_gpiod.GpiodFactory
print(gpiozero_gpiod.__file__)
"""


pytestmark = pytest.mark.long


def test_the_wheel_and_the_sources_install_in_a_fresh_environment(tmp_path: Path) -> None:
    run(*BUILD, tmp_path, folder=FOLDER)
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv" / "lib").glob("python3*/site-packages")
    installed = Path(gpiozero.__file__).parents[1]
    for needed in ("colorzero", "gpiod", "gpiozero"):  # pip would download these
        (site / needed).symlink_to(installed / needed)
    for pack in ("gpiozero_gpiod-*.whl", "gpiozero_gpiod-*.tar.gz"):
        (file,) = tmp_path.glob(pack)
        if file.suffix == ".gz":  # pip would download hatchling to make a wheel
            run("tar", "-xzf", file, "-C", tmp_path)
            (unpacked,) = (path for path in tmp_path.glob("gpiozero_gpiod-*") if path.is_dir())
            run(*BUILD, tmp_path / "again", folder=unpacked)
            (file,) = (tmp_path / "again").glob("*.whl")
        install = ("-m", "pip", "install", "--quiet", "--isolated", "--no-index", "--no-deps")
        run(python, *install, "--force-reinstall", file)
        assert str(site) in run(python, "-I", "-c", FOUND, folder=tmp_path)


def test_the_wheel_of_the_box_has_the_same_module_and_no_other(tmp_path: Path) -> None:
    run(*BUILD, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    module = "gpiozero_gpiod/__init__.py"
    with zipfile.ZipFile(wheel) as files:
        assert files.read(module) == (FOLDER / module).read_bytes()
        assert [name for name in files.namelist() if "gpiod" in name and name.endswith(".py")] == [
            module
        ]
