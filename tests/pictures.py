"""A page of pictures that differ from the stored ones: before, after and difference.

The page is `build/pictures/index.html`, which CI stores after a failed run.
"""

from __future__ import annotations

import io
from html import escape
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

DIFFERENCES_FOLDER: Final = Path(__file__).parents[1] / "build" / "pictures"
PICTURE_KINDS: Final = ("before", "after", "difference")
PAGE_HEAD: Final = """<!doctype html><meta charset="utf-8"><title>Pictures that changed</title>
<style>body{font:1rem sans-serif;margin:1rem}table{border-spacing:1rem}th{text-align:left}
img{max-width:30vw;min-width:256px;image-rendering:pixelated;border:1px solid}</style>
<h1>Pictures that changed</h1>
<p>Black in the difference is as it was.</p>
"""


def load_picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def save_differences(
    name: str, before: Path, after: bytes, folder: Path = DIFFERENCES_FOLDER
) -> Path:
    """Add a changed picture to the page. `before` is a PNG file, `after` is PNG data.

    If the sizes differ, the difference has the larger size. A new picture has no difference.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new = load_picture(after)
    new.save(folder / f"{name}.after.png")
    if before.exists():
        old = load_picture(before.read_bytes())
        old.save(folder / f"{name}.before.png")
        size = (max(old.width, new.width), max(old.height, new.height))
        both = [Image.new("RGB", size) for _ in range(2)]
        for sheet, picture in zip(both, (old, new), strict=True):
            sheet.paste(picture)
        ImageChops.difference(*both).save(folder / f"{name}.difference.png")
    page = folder / "index.html"
    page.write_text(PAGE_HEAD + "\n".join(_rows(folder)), "utf-8")
    return page


def _rows(folder: Path) -> list[str]:
    """Return a table of all pictures in the folder: several test workers write into it."""
    names = sorted(path.name.removesuffix(".after.png") for path in folder.glob("*.after.png"))
    rows = ["<table><tr>" + "".join(f"<th>{kind}" for kind in PICTURE_KINDS)]
    for name in names:
        rows.append(f'<tr><td colspan="3"><code>{escape(name)}</code><tr>')
        for kind in PICTURE_KINDS:
            file = f"{name}.{kind}.png"
            there = (folder / file).exists()
            rows.append(f'<td><img src="{escape(file)}" alt="{kind}">' if there else "<td>none")
    return rows
