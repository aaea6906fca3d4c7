"""Blocks of the pages in docs/: generated pictures and lists in Markdown.

A block begins with an HTML comment such as `<!-- frame total_7 -->`, and ends with the comment
`<!-- end -->`. GitHub hides the comments and shows the content of the block. In the book, a
directive of the module `book.extension` replaces the block: the block of the example is replaced by
the directive `frame`.

The command `python -m book.blocks` writes the content of all blocks and the folder docs/pictures.
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
from hardware.display.frame_conversions import encode_frame_as_png
from tests.scenes import draw_scene

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
PICTURES_FOLDER: Final = DOCS / "pictures"
"""Path of the folder with the pictures that GitHub shows."""
FRONT_SCENE_NAME: Final = "total_7"
"""Name of the scene whose frame the front views of boards show."""
FRAME_SCALE: Final = 4
"""Width and height (pixels) of a frame's pixel in a picture. Browsers show the picture smaller."""
HOSTING_PAGE: Final = "builders/web.md"
"""Path of the page about hosting the box. On GitHub, pictures of live boxes link to this page."""
BLOCK_PATTERN: Final = re.compile(
    r"^(?P<indent> *)<!-- (?P<name>[a-z]+)(?P<given>(?: [^\n]+?)?) -->\n"
    r"(?P<content>.*?)^(?P=indent)<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)
CAPTION_PATTERN: Final = re.compile(r"^\*(?P<caption>[^*].*)\*$", re.DOTALL | re.MULTILINE)
"""Pattern of the caption in a picture block. People write captions by hand."""
LISTED_PAGE_PATTERN: Final = re.compile(r"^- \[.*?\]\((?P<page>.+)\.md\)$", re.MULTILINE)
DEFINITION_PATTERN: Final = re.compile(r"^(`.+`)\n: ", re.MULTILINE)
"""Pattern of a Markdown definition, which GitHub can only show as a list item."""
FENCED_TEXT_PATTERN: Final = re.compile(r"```text\n(?P<inside>.*)\n```", re.DOTALL)


# --- pictures -------------------------------------------------------------------------------------


def _frame(scene: str) -> bytes:
    return encode_frame_as_png(draw_scene(scene, "en"), FRAME_SCALE)


def _box(scene: str) -> bytes:
    return encode_frame_as_png(live.scene_first_frame(scene, "en"), FRAME_SCALE)


def _wiring(board: str) -> bytes:
    return wiring.wiring_svg(board_file.load_known_board(board), "en").encode()


def _front(board: str) -> bytes:
    return fronts.board_front_svg(board, draw_scene(FRONT_SCENE_NAME, "en"), "en").encode()


def _case(name: str) -> bytes:
    return case.case_sheet_svg("en", case.CASES[name]).encode()


PICTURE_BLOCKS: Final[Mapping[str, tuple[Callable[[str], bytes], str, int]]] = {
    "frame": (_frame, "frame-{}.png", 256),
    "box": (_box, "box-{}.png", 384),
    "wiring": (_wiring, "wiring-{}.svg", 500),
    "front": (_front, "front-{}.svg", 500),
    "case": (_case, "case-{}.svg", 600),
}
"""Table from a kind of picture block to three values.

The values are the function that draws a picture, the pattern of the file's name, and the width of
the picture (pixels).
"""


def page_pictures_by_file_name() -> dict[str, bytes]:
    """Return the content of all picture files that the pages show, by file name."""
    return {
        name.format(given): draw(given)
        for kind, (draw, name, _) in PICTURE_BLOCKS.items()
        for given in sorted(_shown_names(kind))
    }


def _shown_names(kind: str) -> set[str]:
    blocks = (
        block
        for page in docs_page_paths()
        for block in BLOCK_PATTERN.finditer(page.read_text("utf-8"))
    )
    return {
        name for block in blocks if block["name"] == kind for name in block["given"].split() or [""]
    }


def _render_block(block: re.Match[str], page: Path) -> str:
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
    if (match := CAPTION_PATTERN.search(_plain(block))) is None:
        raise ValueError(f"{block[0]}: a *caption* is missing")
    return match["caption"]


# --- lists ----------------------------------------------------------------------------------------


def _cues(family: str) -> str:
    folder = cues.sound_families_by_name()[family]

    def address(name: str) -> str:
        return "../../" + folder.sound_file_path(name).relative_to(ROOT).as_posix()

    rows = (
        f"| [`{cue.name}`]({address(cue.name)}) | {cue.when} | {cue.rank} | {cue.seconds} |"
        for cue in cues.list_sounds_of_family(family, "en")
    )
    return "\n".join(("| cue | when | rank | length |", "| --- | --- | --- | ---: |", *rows))


def _lines(given: str) -> str:
    game, section = given.split()
    return lines.format_protocol_section(game, section, "en")


def _api(given: str) -> str:
    return DEFINITION_PATTERN.sub(r"- \1: ", reference.format_module_reference(*given.split()))


LIST_FORMATTER_BY_BLOCK: Final[Mapping[str, Callable[[str], str]]] = {
    "command": lists.format_command_help,
    "options": lambda game: lists.format_game_options(game, "en"),
    "playthrough": lambda game: lists.format_playthrough_start(game, "en"),
    "lines": _lines,
    "cues": _cues,
    "fonts": lambda _: reference.format_font_table("en"),
    "api": _api,
}
"""Table from a kind of list block to the function that returns its content."""


def _contents(block: re.Match[str], page: Path) -> str:
    def titled(link: re.Match[str]) -> str:
        file = (page.parent / link["page"]).with_suffix(".md")
        title = file.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        return f"- [{title}]({link['page']}.md)"

    links = "\n".join(titled(link) for link in LISTED_PAGE_PATTERN.finditer(_plain(block)))
    return f"**{block['given'].strip()}**\n\n{links}" if block["given"] else links


def _include_code(block: re.Match[str], page: Path) -> str:
    code = (page.parent / block["given"].strip()).read_text("utf-8")
    return f"```python\n{code}```"


# --- pages ----------------------------------------------------------------------------------------


def docs_page_paths() -> list[Path]:
    """Return the paths of all pages in docs/."""
    return sorted(DOCS.rglob("*.md"))


def page_text_with_updated_blocks(page: Path) -> str:
    """Return a page's text with the newly generated content of all blocks."""
    return BLOCK_PATTERN.sub(lambda block: _rewritten(block, page), page.read_text("utf-8"))


def _rewritten(block: re.Match[str], page: Path) -> str:
    match block["name"]:
        case name if name in PICTURE_BLOCKS:
            content = _render_block(block, page)
        case name if name in LIST_FORMATTER_BY_BLOCK:
            content = LIST_FORMATTER_BY_BLOCK[name](block["given"].strip())
        case "toctree":
            content = _contents(block, page)
        case "literalinclude":
            content = _include_code(block, page)
        case _:  # blocks of the kind `letters` are not generated
            content = _plain(block)
    text = f"<!-- {block['name']}{block['given']} -->\n\n{content.strip(chr(10))}\n\n<!-- end -->"
    return _indent(text, block["indent"])


def replace_blocks_by_directives(text: str) -> str:
    """Return a page's text with each block replaced by its directive."""
    return BLOCK_PATTERN.sub(_directive, text)


def _directive(block: re.Match[str]) -> str:
    name, given = block["name"], block["given"]
    match name:
        case _ if name in PICTURE_BLOCKS:
            content = _caption(block)
        case "toctree":
            caption = [f":caption: {given.strip()}"] if given else []
            linked = (link["page"] for link in LISTED_PAGE_PATTERN.finditer(_plain(block)))
            given, content = "", "\n".join((*caption, ":maxdepth: 1", "", *linked))
        case "literalinclude":
            content = ":language: python"
        case "letters":
            content = _inside(_plain(block))
        case _:
            content = ""
    return _indent(f"```{{{name}}}{given}\n{content}\n```", block["indent"])


def _inside(text: str) -> str:
    if (match := FENCED_TEXT_PATTERN.search(text)) is None:
        raise ValueError(f"{text}: a fence with text is missing")
    return match["inside"]


def _plain(block: re.Match[str]) -> str:
    return re.sub(rf"^{block['indent']}", "", block["content"], flags=re.MULTILINE)


def _indent(text: str, indent: str) -> str:
    return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE)


def write_pages_and_pictures() -> None:
    """Write all pages and pictures, and delete the pictures that no page shows."""
    os.environ["LANGUAGE"] = "en"  # write the help of commands in English on every machine
    for page in docs_page_paths():
        page.write_text(page_text_with_updated_blocks(page), "utf-8")
    PICTURES_FOLDER.mkdir(exist_ok=True)
    files = page_pictures_by_file_name()
    for file in PICTURES_FOLDER.iterdir():
        if file.name not in files:
            file.unlink()
    for name, data in files.items():
        (PICTURES_FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    write_pages_and_pictures()
