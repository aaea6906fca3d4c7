"""What a build of the packages comes to, without building one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion.say import catalogues
from systemd.deb import build

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("ours", "debian"),
    [
        ("0.1.0", "0.1.0+deb12"),
        ("0.1.1.dev5+gabc", "0.1.1~dev5.gabc+deb12"),
        ("1.0rc1", "1.0~rc1+deb12"),
    ],
)
def test_debian_orders_versions_as_python_does(ours: str, debian: str) -> None:
    assert build.debian_version(ours, build.SUITES["bookworm"]) == debian


def test_a_compiled_catalogue_does_not_say_when_it_was_made(tmp_path: Path) -> None:
    source = tmp_path / "x.po"
    source.write_text('msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "a"\nmsgstr "b"\n', "utf-8")
    catalogues.write(source)
    made = source.with_suffix(".mo").read_bytes()
    assert made.count(b"1970-01-01 00:00+0000") == made.count(b"-Date:") == 2


def test_the_packages_units_name_the_version_that_runs() -> None:
    for path in build.SYSTEMD.glob("*.service"):
        assert "/opt/" not in build.unit(path)


def test_the_cards_layer_asks_systemd_nothing_that_it_does_not_know_in_a_chroot() -> None:
    text = (build.SYSTEMD / "image" / "layer" / "companion.yaml").read_text("utf-8")
    assert set(re.findall(r"systemctl (\w+)", text)) <= {"enable", "disable"}
