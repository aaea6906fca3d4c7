"""Write the manifest of our images for the Raspberry Pi Imager.

    python systemd/image/manifest.py dist

The manifest has the name, sizes, checksums and customisation of each `*.img.xz` in the folder.
Without a manifest, the Imager offers no settings. The fields are those of rpi-imager's
doc/json-schema/os-list-schema.json. If the folder has no image, no file is written.
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
MANIFEST_NAME: Final = "companion.rpi-imager-manifest"
BOARD_CAPABILITIES: Final = ["i2c", "spi"]
"""The interfaces that the Imager offers to enable, such as the display's bus."""
BOARD_NAMES: Final = {"pi5": "Raspberry Pi 5"}
"""The supported boards, as in config/companion.yaml."""
CUSTOMISATION_KINDS: Final = {"companion": "rpi-preseed", "companion-rota": "none"}
"""Table from an image to the format in which it reads the Imager's settings.

The image with two slots cannot read settings ("none").
"""
BLOCK_BYTES: Final = 1 << 20


def image_checksums(image: Path) -> dict[str, Any]:
    """Return the size and SHA-256 of an image, compressed and uncompressed."""
    inside, size = hashlib.sha256(), 0
    with lzma.open(image) as unpacked:
        while block := unpacked.read(BLOCK_BYTES):
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


def image_entry(image: Path, released: str, home: str) -> dict[str, Any]:
    """Return the Imager's entry of an image. `home` is the address of the release's page."""
    kind = image.name.removesuffix(".img.xz")
    slots = " Two slots: an update can go back." if kind == "companion-rota" else ""
    return {
        "name": "Companion" + (" (two slots)" if slots else ""),
        "description": f"A small box beside four board games of the 1970s.{slots}",
        "icon": "",
        "url": f"{home}/{image.name}",
        "website": home.partition("/releases/")[0],
        **image_checksums(image),
        "release_date": released,
        "devices": [*BOARD_NAMES],
        "architecture": "armv8",
        "init_format": CUSTOMISATION_KINDS[kind],
        "capabilities": BOARD_CAPABILITIES if CUSTOMISATION_KINDS[kind] != "none" else [],
    }


def make_manifest(images: list[Path], released: str, home: str) -> dict[str, Any]:
    """Return the manifest: the supported boards and the images."""
    boards = [
        {"name": name, "description": "64-bit", "tags": [tag], "capabilities": BOARD_CAPABILITIES}
        for tag, name in BOARD_NAMES.items()
    ]
    return {
        "imager": {"devices": boards},
        "os_list": [image_entry(image, released, home) for image in images],
    }


def main() -> None:
    """Write the manifest of the images in a folder. If there is no image, delete the manifest."""
    folder = Path(sys.argv[1])
    images = sorted(folder.glob("*.img.xz"), key=lambda path: path.name.split(".")[0])
    if not images:
        (folder / MANIFEST_NAME).unlink(missing_ok=True)
        return
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    tag = os.environ.get("TAG", "latest")
    where = "latest/download" if tag == "latest" else f"download/{tag}"
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    released = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    manifest = make_manifest(images, released, f"{urls['Releases']}/{where}")
    (folder / MANIFEST_NAME).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
