"""Tests of the images' manifest for Raspberry Pi Imager, and of the images' layers."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
import yaml

from companion.record.journal import Journal
from companion.record.schema import VERSION
from tests.helpers import OWN_PARTS_OPTIONS, begin_game, setup_for

IMAGE: Final = Path(__file__).parents[3] / "systemd" / "image"
TEXT: Final = {"type": "string"}
SIZE: Final = {"type": "integer", "minimum": 1}
SUM: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
ENTRY: Final[dict[str, Any]] = {
    "name": TEXT, "description": TEXT, "icon": TEXT, "url": {"type": "string", "pattern": "^https://"},
    "extract_size": SIZE, "extract_sha256": SUM, "image_download_size": SIZE,
    "release_date": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
    "devices": {"type": "array", "items": TEXT, "minItems": 1},
}  # fmt: skip
"""The rules for an image in doc/json-schema/os-list-schema.json of rpi-imager."""
FORMATS: Final = ["systemd", "cloudinit", "cloudinit-rpi", "rpi-preseed", "none"]
SCHEMA: Final = {
    "type": "object",
    "required": ["imager", "os_list"],
    "properties": {
        "os_list": {
            "type": "array",
            "items": {
                "type": "object",
                "required": [*ENTRY],
                "properties": {**ENTRY, "init_format": {"enum": FORMATS}},
            },
        }
    },
}


def written(folder: Path) -> dict[str, Any] | None:
    """Return the manifest that `make release` writes into a folder; None without an image."""
    command = (sys.executable, IMAGE / "manifest.py", folder)
    subprocess.run(command, check=True, env={"TAG": "v9.9.9", "SOURCE_DATE_EPOCH": "1800000000"})
    file = folder / "companion.rpi-imager-manifest"
    return json.loads(file.read_text("utf-8")) if file.exists() else None


@pytest.mark.long
def test_the_manifest_has_each_image_with_its_sizes_sums_and_what_the_imager_sets(
    tmp_path: Path,
) -> None:
    assert written(tmp_path) is None
    inside = bytes(100_000)
    for name in ("companion", "companion-rota"):
        (tmp_path / f"{name}.img.xz").write_bytes(lzma.compress(inside))
    told = written(tmp_path)
    jsonschema.validate(told, SCHEMA)
    assert told is not None
    one, two = told["os_list"]
    packed = (tmp_path / "companion.img.xz").read_bytes()
    assert one["extract_size"] == len(inside)
    assert one["extract_sha256"] == hashlib.sha256(inside).hexdigest()
    assert one["image_download_size"] == len(packed)
    assert one["image_download_sha256"] == hashlib.sha256(packed).hexdigest()
    assert one["url"].endswith("/releases/download/v9.9.9/companion.img.xz")
    assert one["release_date"] == "2027-01-15"
    assert (one["init_format"], one["capabilities"]) == ("rpi-preseed", ["i2c", "spi"])
    assert (two["init_format"], two["capabilities"]) == ("none", [])
    tags = {
        tag: board["capabilities"] for board in told["imager"]["devices"] for tag in board["tags"]
    }
    assert all(set(one["capabilities"]) <= set(tags[device]) for device in one["devices"])


@pytest.mark.parametrize("name", ["companion", "companion-rota"])
def test_a_configuration_names_a_layer_that_lies_here_and_needs_the_boxs(name: str) -> None:
    config = yaml.safe_load((IMAGE / "config" / f"{name}.yaml").read_text("utf-8"))
    assert config["image"]["name"] == name
    layer = (IMAGE / "layer" / f"{config['layer']['base']}.yaml").read_text("utf-8")
    assert f"# X-Env-Layer-Name: {config['layer']['base']}\n" in layer
    assert "# X-Env-Layer-Requires: companion\n" in layer
    assert yaml.safe_load(layer)["mmdebstrap"]["customize-hooks"]


def test_two_slots_share_the_games_the_settings_and_the_cache() -> None:
    (hook,) = (
        line for line in (IMAGE / "layer/companion-rota.yaml").read_text().splitlines()
        if "Version=1" in line
    )  # fmt: skip
    for folder in ("/var/lib/companion", "/etc/companion", "/var/cache/companion"):
        assert f"Path={folder}\\n" in hook


@pytest.mark.long
@pytest.mark.parametrize("arguments", [("history",), ("play", "--face", "headless")])
def test_an_older_program_says_which_format_a_record_has_and_leaves_it(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "companion"
    folder.mkdir()
    file = folder / "games.db"
    begin_game(setup_for(OWN_PARTS_OPTIONS), journal=Journal(file)).close()
    newer = bytearray(file.read_bytes())
    newer[60:64] = (VERSION + 1).to_bytes(4, "big")  # SQLite's user_version
    file.write_bytes(newer)
    command = [sys.executable, "-c", "from companion.cmd.cli import main; main()", *arguments]
    own = {"XDG_DATA_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    said = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=own
    )
    assert said.returncode == 1
    formats = f"(format {VERSION + 1}; this version reads up to {VERSION}): update this companion."
    assert formats in said.stderr + said.stdout
    assert file.read_bytes() == newer
