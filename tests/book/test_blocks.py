"""Tests of the generated blocks: pages contain what the program draws and lists today."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from book import blocks

AGAIN: Final = "python -m book.blocks writes it again"
NAMES: Final = [path.relative_to(blocks.DOCS).as_posix() for path in blocks.docs_page_paths()]
DIRECTIVE: Final = re.compile(r"^ *(?:`{3,}|:{3,})\{", re.MULTILINE)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_what_the_program_lists_today(name: str) -> None:
    page = blocks.DOCS / name
    assert blocks.page_text_with_updated_blocks(page) == page.read_text("utf-8"), AGAIN


@pytest.mark.long
def test_the_pictures_of_the_pages_are_those_drawn_today() -> None:
    stored = {file.name: file.read_bytes() for file in blocks.PICTURES_FOLDER.iterdir()}
    drawn = blocks.page_pictures_by_file_name()
    changed = {name for name in stored.keys() | drawn if stored.get(name) != drawn.get(name)}
    assert changed == set(), AGAIN


def test_no_page_has_a_directive_which_github_shows_as_code() -> None:
    texts = {file: file.read_text("utf-8") for file in blocks.docs_page_paths()}
    assert [file for file, text in texts.items() if DIRECTIVE.search(text)] == []


def test_every_picture_of_a_page_is_a_file() -> None:
    for page in blocks.docs_page_paths():
        sources = re.findall(r'src="([^":]+)"', page.read_text("utf-8"))
        assert [source for source in sources if not (page.parent / source).exists()] == []


def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> str:
    monkeypatch.setattr(blocks, "DOCS", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    return blocks.page_text_with_updated_blocks(page)


def test_a_block_of_frames_has_their_pictures_above_its_caption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "1. Look.\n\n   <!-- frame a b -->\n   *Two\n   `frames`.*\n   <!-- end -->\n"
    assert written(tmp_path, monkeypatch, text) == (
        "1. Look.\n\n   <!-- frame a b -->\n\n"
        '   <img src="pictures/frame-a.png" width="256" alt="Two frames.">\n'
        '   <img src="pictures/frame-b.png" width="256" alt="">\n\n'
        "   *Two\n   `frames`.*\n\n   <!-- end -->\n"
    )
    assert blocks.replace_blocks_by_directives(text) == (
        "1. Look.\n\n   ```{frame} a b\n   Two\n   `frames`.\n   ```\n"
    )


def test_a_live_box_is_a_picture_that_leads_to_how_it_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "<!-- box kojak -->\n*Play.*\n<!-- end -->\n"
    assert (blocks.DOCS / blocks.HOSTING_PAGE).is_file()
    shown = written(tmp_path, monkeypatch, text)
    assert '<a href="builders/web.md"><img src="pictures/box-kojak.png"' in shown


def test_a_picture_without_a_caption_is_refused() -> None:
    with pytest.raises(ValueError, match="caption"):
        blocks.replace_blocks_by_directives("<!-- case -->\n<!-- end -->\n")


def test_a_table_of_contents_has_the_titles_of_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.md").write_text("# Another page\n", "utf-8")
    text = "<!-- toctree For all -->\n- [old](other.md)\n<!-- end -->\n"
    shown = written(tmp_path, monkeypatch, text)
    assert "**For all**\n\n- [Another page](other.md)\n" in shown
    assert blocks.replace_blocks_by_directives(shown) == (
        "```{toctree}\n:caption: For all\n:maxdepth: 1\n\nother\n```\n"
    )


def test_a_drawing_made_of_letters_is_the_content_of_its_directive() -> None:
    text = "<!-- letters -->\n\n```text\n a\n   b\n```\n\n<!-- end -->\n"
    assert blocks.replace_blocks_by_directives(text) == "```{letters}\n a\n   b\n```\n"
