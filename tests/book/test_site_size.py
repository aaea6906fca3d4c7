"""Tests of the HTML that a built edition omits."""

from __future__ import annotations

from pathlib import Path

from book import site_size

CODE = '<code class="docutils literal notranslate"><span class="pre">--for</span></code>'


def test_code_in_a_sentence_and_in_a_cell_loses_what_shows_nothing() -> None:
    html = f'<tr class="row-even"><td><p>{CODE}</p></td>\n    <td><p>a</p><p>b</p></td></tr>'
    cells = '<td><code class="literal notranslate">--for</code></td>\n<td><p>a</p><p>b</p></td>'
    assert site_size.page_without_redundant_html(html, "en") == f"<tr>{cells}</tr>"


def test_a_block_of_code_keeps_its_lines() -> None:
    block = "<pre>if one:\n    two\n\n</pre>"
    assert (
        site_size.page_without_redundant_html(f"<div>\n  {block}\n   </div>", "en")
        == f"<div>\n{block}\n</div>"
    )


def test_a_screen_reader_is_told_in_the_language_of_the_page() -> None:
    toggle = 'aria-label="Toggle navigation of Probe"'
    assert (
        site_size.page_without_redundant_html(toggle, "fr") == 'aria-label="Ouvrir ou fermer Probe"'
    )
    assert site_size.page_without_redundant_html(toggle, "en") == toggle


def test_what_both_editions_have_is_there_once(tmp_path: Path) -> None:
    for place, own in (("", "Search"), ("fr/", "Chercher")):
        static = tmp_path / f"{place}_static"
        static.mkdir(parents=True)
        (static / "book.css").write_text("h1 {}")
        (static / "words.js").write_text(own)
    inner = tmp_path / "fr" / "players" / "start.html"
    inner.parent.mkdir()
    inner.write_text(
        '<html data-content_root="../"><head>"../_static/book.css?v=1" "../_static/words.js"'
    )
    for _ in range(2):
        site_size.reduce_site_size(tmp_path / "fr", "fr")
        assert inner.read_text().endswith('"../../_static/book.css?v=1" "../_static/words.js"')
    assert not (tmp_path / "fr" / "_static" / "book.css").exists()
