"""What the Raspberry Pi Imager has to know of our images: one file beside them.

    python systemd/image/manifest.py dist

For each `*.img.xz` of the folder its name, sizes and checksums, and how it is customised: without
such a file the Imager takes an image to have no settings, and offers none. The fields are those of
rpi-imager's doc/json-schema/os-list-schema.json. No image, no file.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import sys
import time
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
NAME: Final = "companion.rpi-imager-manifest"
CAPABILITIES: Final = ["i2c", "spi"]
"""What the settings offer to switch on: the display's bus is one of them."""
DEVICES: Final = {"pi5": "Raspberry Pi 5"}
"""The boards that config/companion.yaml is for."""
CUSTOMISED: Final = {"companion": "rpi-preseed", "companion-rota": "none"}
"""Which images read what the Imager has asked: a system of two slots cannot be written to."""
BLOCK: Final = 1 << 20


def sums(image: Path) -> dict[str, Any]:
    """Sizes and checksums of an image as it is downloaded and as it is written to a card."""
    inside, size = hashlib.sha256(), 0
    with lzma.open(image) as unpacked:
        while block := unpacked.read(BLOCK):
            inside.update(block)
            size += len(block)
    with image.open("rb") as packed:
        outside = hashlib.file_digest(packed, "sha256")
    return {
        "extract_size": size,
        "extract_sha256": inside.hexdigest(),
        "image_download_size": image.stat().st_size,
        "image_download_sha256": outside.hexdigest(),
    }


def entry(image: Path, released: str, home: str) -> dict[str, Any]:
    """One image as the Imager lists it. `home` is the page of releases, with the version's tag."""
    kind = image.name.removesuffix(".img.xz")
    slots = " Two slots: an update can go back." if kind == "companion-rota" else ""
    return {
        "name": "Companion" + (" (two slots)" if slots else ""),
        "description": f"A small box beside four board games of the 1970s.{slots}",
        "icon": "",
        "url": f"{home}/{image.name}",
        "website": home.partition("/releases/")[0],
        **sums(image),
        "release_date": released,
        "devices": [*DEVICES],
        "architecture": "armv8",
        "init_format": CUSTOMISED[kind],
        "capabilities": CAPABILITIES if CUSTOMISED[kind] != "none" else [],
    }


def manifest(images: list[Path], released: str, home: str) -> dict[str, Any]:
    """The whole file: the boards with what they have, and the images."""
    boards = [
        {"name": name, "description": "64-bit", "tags": [tag], "capabilities": CAPABILITIES}
        for tag, name in DEVICES.items()
    ]
    return {
        "imager": {"devices": boards},
        "os_list": [entry(image, released, home) for image in images],
    }


def main() -> None:
    """Write the file of a folder's images; it goes with the last one of them."""
    folder = Path(sys.argv[1])
    images = sorted(folder.glob("*.img.xz"), key=lambda path: path.name.split(".")[0])
    if not images:
        (folder / NAME).unlink(missing_ok=True)
        return
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    tag = os.environ.get("TAG", "latest")
    where = "latest/download" if tag == "latest" else f"download/{tag}"
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    released = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    found = manifest(images, released, f"{urls['Releases']}/{where}")
    (folder / NAME).write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
