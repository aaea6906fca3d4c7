"""Tests of the page that shows changed pictures."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from hardware.display.frame_conversions import encode_frame_as_png
from tests.pictures import load_picture, save_differences


def test_a_picture_that_changed_stands_on_a_page_before_after_and_as_a_difference(
    tmp_path: Path,
) -> None:
    before, after = bytes(1024), b"\x01" + bytes(1023)
    (tmp_path / "old.png").write_bytes(encode_frame_as_png(before))
    page = save_differences(
        "scene.en", tmp_path / "old.png", encode_frame_as_png(after), tmp_path / "pictures"
    )
    save_differences(
        "<new>.en", tmp_path / "missing.png", encode_frame_as_png(after), tmp_path / "pictures"
    )
    told = page.read_text("utf-8")
    for kind in ("before", "after", "difference"):
        assert f'src="scene.en.{kind}.png"' in told
    assert "&lt;new&gt;.en.after.png" in told
    assert "&lt;new&gt;.en.before.png" not in told
    changed = (
        load_picture((page.parent / "scene.en.difference.png").read_bytes()).convert("L").tobytes()
    )
    assert [n for n, light in enumerate(changed) if light] == [0]


def test_pictures_of_two_sizes_are_compared_on_the_larger_one(tmp_path: Path) -> None:
    Image.new("RGB", (4, 9), "white").save(tmp_path / "old.png")
    sheet = io.BytesIO()
    Image.new("RGB", (8, 2), "white").save(sheet, "PNG")
    page = save_differences("phone", tmp_path / "old.png", sheet.getvalue(), tmp_path)
    assert load_picture((page.parent / "phone.difference.png").read_bytes()).size == (8, 9)
