"""Blocks of the pages in docs/: pictures and lists that the program writes into Markdown.

A block stands between two comments, so that GitHub shows its content:

    <!-- frame total_7 -->
    <img src="pictures/frame-total_7.png" width="256" alt="A running total of seven.">

    *A running total of seven.*

    <!-- end -->

The book puts the directive of that name (`book.extension`) in the place of a block.

    python -m book.blocks        write the content of all blocks, and docs/pictures, again
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Final

from book import case, cues, fronts, lines, lists, live, reference, wiring
from hardware.boards import board_file
from hardware.display.pixels import encode_png
from tests.scenes import draw_scene

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
PICTURES_FOLDER: Final = DOCS / "pictures"
"""Folder of the pictures that GitHub shows."""
FRONT_SCENE: Final = "total_7"
"""The frame on the boards that are drawn from the front."""
FRAME_SCALE: Final = 4
"""Size of a frame's pixel in its picture (pixels); browsers scale the picture down smoothly."""
HOSTING_PAGE: Final = "builders/web.md"
"""The page about hosting the box, to which a live box links on GitHub (see `live`)."""
BLOCK_PATTERN: Final = re.compile(
    r"^(?P<indent> *)<!-- (?P<name>[a-z]+)(?P<given>(?: [^\n]+?)?) -->\n"
    r"(?P<content>.*?)^(?P=indent)<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)
CAPTION_PATTERN: Final = re.compile(r"^\*(?P<caption>[^*].*)\*$", re.DOTALL | re.MULTILINE)
"""Matches the caption of a picture's block, which is written by hand."""
LINK_PATTERN: Final = re.compile(r"^- \[.*?\]\((?P<page>.+)\.md\)$", re.MULTILINE)
DEFINITION_PATTERN: Final = re.compile(r"^(`.+`)\n: ", re.MULTILINE)
"""Matches a definition, which GitHub does not support, so that it becomes a list item."""
FENCE_PATTERN: Final = re.compile(r"```text\n(?P<inside>.*)\n```", re.DOTALL)


# --- pictures -------------------------------------------------------------------------------------


def _frame(scene: str) -> bytes:
    return encode_png(draw_scene(scene, "en"), FRAME_SCALE)


def _box(scene: str) -> bytes:
    return encode_png(live.first_frame(scene, "en"), FRAME_SCALE)


def _wiring(board: str) -> bytes:
    return wiring.wiring_svg(board_file.load_board(board), "en").encode()


def _front(board: str) -> bytes:
    return fronts.front_svg(board, draw_scene(FRONT_SCENE, "en"), "en").encode()


def _case(name: str) -> bytes:
    return case.case_svg("en", case.CASES[name]).encode()


PICTURE_BLOCKS: Final[Mapping[str, tuple[Callable[[str], bytes], str, int]]] = {
    "frame": (_frame, "frame-{}.png", 256),
    "box": (_box, "box-{}.png", 384),
    "wiring": (_wiring, "wiring-{}.svg", 500),
    "front": (_front, "front-{}.svg", 500),
    "case": (_case, "case-{}.svg", 600),
}
"""For each kind of picture block: the drawing function, the file name, and the width on GitHub."""


def draw_pictures() -> dict[str, bytes]:
    """Return the picture files that the blocks of all pages need, by name."""
    return {
        name.format(given): draw(given)
        for kind, (draw, name, _) in PICTURE_BLOCKS.items()
        for given in sorted(_shown_names(kind))
    }


def _shown_names(kind: str) -> set[str]:
    """Return the names in the blocks of a kind; "" for a kind with a single picture."""
    blocks = (
        block for page in page_paths() for block in BLOCK_PATTERN.finditer(page.read_text("utf-8"))
    )
    return {
        name for block in blocks if block["name"] == kind for name in block["given"].split() or [""]
    }


def _render_block(block: re.Match[str], page: Path) -> str:
    """Return the images and the caption of a block."""
    _, name, width = PICTURE_BLOCKS[block["name"]]
    up = "../" * (len(page.relative_to(DOCS).parts) - 1)
    alt_text = escape(" ".join(_caption(block).replace("`", "").split()))
    shown = "\n".join(
        f'<img src="{up}pictures/{name.format(given)}" width="{width}"'
        f' alt="{alt_text if n == 0 else ""}">'
        for n, given in enumerate(block["given"].split() or [""])
    )
    if block["name"] == "box":
        shown = f'<a href="{up}{HOSTING_PAGE}">{shown}</a>'
    return f"{shown}\n\n*{_caption(block)}*\n"


def _caption(block: re.Match[str]) -> str:
    """Return the caption without its asterisks. Raise ValueError if there is none."""
    if (match := CAPTION_PATTERN.search(_plain(block))) is None:
        raise ValueError(f"{block[0]}: a *caption* is missing")
    return match["caption"]


# --- lists ----------------------------------------------------------------------------------------


def _cues(family: str) -> str:
    """Return the cues of a family as a table, each with a link to its file."""
    sound_folder = cues.sound_families()[family]
    rows = (
        f"| [`{cue.name}`](../../{sound_folder.file(cue.name).relative_to(ROOT).as_posix()})"
        f" | {cue.when} | {cue.rank} | {cue.seconds} |"
        for cue in cues.list_cues(family, "en")
    )
    return "\n".join(("| cue | when | rank | length |", "| --- | --- | --- | ---: |", *rows))


def _lines(given: str) -> str:
    game, section = given.split()
    return lines.format_section(game, section, "en")


def _api(given: str) -> str:
    return DEFINITION_PATTERN.sub(r"- \1: ", reference.format_module(*given.split()))


LIST_BLOCKS: Final[Mapping[str, Callable[[str], str]]] = {
    "command": lists.format_command,
    "options": lambda game: lists.format_options(game, "en"),
    "playthrough": lambda game: lists.playthrough_start(game, "en"),
    "lines": _lines,
    "cues": _cues,
    "fonts": lambda _: reference.format_fonts("en"),
    "api": _api,
}
"""For each kind of list block: the function that returns its content."""


def _contents(block: re.Match[str], page: Path) -> str:
    """Return the title of a table of contents, and its links with the titles of their pages."""

    def titled(link: re.Match[str]) -> str:
        file = (page.parent / link["page"]).with_suffix(".md")
        title = file.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        return f"- [{title}]({link['page']}.md)"

    links = "\n".join(titled(link) for link in LINK_PATTERN.finditer(_plain(block)))
    return f"**{block['given'].strip()}**\n\n{links}" if block["given"] else links


def _include_code(block: re.Match[str], page: Path) -> str:
    """Return a Python file as code."""
    code = (page.parent / block["given"].strip()).read_text("utf-8")
    return f"```python\n{code}```"


# --- pages ----------------------------------------------------------------------------------------


def page_paths() -> list[Path]:
    """Return the paths of the book's pages."""
    return sorted(DOCS.rglob("*.md"))


def rewrite_page(page: Path) -> str:
    """Return the page with the present content of its blocks."""
    return BLOCK_PATTERN.sub(lambda block: _rewritten(block, page), page.read_text("utf-8"))


def _rewritten(block: re.Match[str], page: Path) -> str:
    match block["name"]:
        case name if name in PICTURE_BLOCKS:
            content = _render_block(block, page)
        case name if name in LIST_BLOCKS:
            content = LIST_BLOCKS[name](block["given"].strip())
        case "toctree":
            content = _contents(block, page)
        case "literalinclude":
            content = _include_code(block, page)
        case _:  # `letters` blocks are written by hand
            content = _plain(block)
    text = f"<!-- {block['name']}{block['given']} -->\n\n{content.strip(chr(10))}\n\n<!-- end -->"
    return _indent(text, block["indent"])


def restore_directives(text: str) -> str:
    """Return a page's text where each block is replaced by its directive."""
    return BLOCK_PATTERN.sub(_directive, text)


def _directive(block: re.Match[str]) -> str:
    name, given = block["name"], block["given"]
    match name:
        case _ if name in PICTURE_BLOCKS:
            content = _caption(block)
        case "toctree":
            caption = [f":caption: {given.strip()}"] if given else []
            linked = (link["page"] for link in LINK_PATTERN.finditer(_plain(block)))
            given, content = "", "\n".join((*caption, ":maxdepth: 1", "", *linked))
        case "literalinclude":
            content = ":language: python"
        case "letters":
            content = _inside(_plain(block))
        case _:
            content = ""
    return _indent(f"```{{{name}}}{given}\n{content}\n```", block["indent"])


def _inside(text: str) -> str:
    """Return the content of the fence in a block. Raise ValueError if there is no fence."""
    if (match := FENCE_PATTERN.search(text)) is None:
        raise ValueError(f"{text}: a fence with text is missing")
    return match["inside"]


def _plain(block: re.Match[str]) -> str:
    """Return the content of a block without the block's indent."""
    return re.sub(rf"^{block['indent']}", "", block["content"], flags=re.MULTILINE)


def _indent(text: str, indent: str) -> str:
    return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE)


def write_pages() -> None:
    """Write all pages and all pictures, and remove the pictures that no page shows."""
    os.environ["LANGUAGE"] = "en"  # the help of commands uses the machine's language
    for page in page_paths():
        page.write_text(rewrite_page(page), "utf-8")
    PICTURES_FOLDER.mkdir(exist_ok=True)
    files = draw_pictures()
    for file in PICTURES_FOLDER.iterdir():
        if file.name not in files:
            file.unlink()
    for name, data in files.items():
        (PICTURES_FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    write_pages()
