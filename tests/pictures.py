"""Pictures that are not those that were looked at: before, after and difference, on a page.

The page is `build/pictures/index.html`, which CI keeps of a run that failed.
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
    """A picture of its file's bytes."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def save_differences(
    name: str, before: Path, after: bytes, folder: Path = DIFFERENCES_FOLDER
) -> Path:
    """Put a picture that changed on the page, whose file it is; `after` is a PNG, both of a size.

    Of two sizes the difference is on the larger one; a picture that was never looked at has none.
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
    """A table of all that lies in the folder: several workers of a run write into it."""
    names = sorted(path.name.removesuffix(".after.png") for path in folder.glob("*.after.png"))
    rows = ["<table><tr>" + "".join(f"<th>{kind}" for kind in PICTURE_KINDS)]
    for name in names:
        rows.append(f'<tr><td colspan="3"><code>{escape(name)}</code><tr>')
        for kind in PICTURE_KINDS:
            file = f"{name}.{kind}.png"
            there = (folder / file).exists()
            rows.append(f'<td><img src="{escape(file)}" alt="{kind}">' if there else "<td>none")
    return rows
