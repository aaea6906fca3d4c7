"""The Sphinx directives and event handlers of the book, in English and in French.

The docstring of each directive class states the directive's name. The files in docs/ contain blocks
of the module `book.blocks` in place of directives, so that GitHub shows pictures and lists. The
content of a picture's directive is both the caption and the alternative text.
"""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from book import (
    blocks,
    case,
    catalogues,
    cues,
    fronts,
    lines,
    lists,
    live,
    reference,
    site_size,
    wiring,
)
from hardware.boards import board_file
from hardware.display.frame_conversions import encode_frame_as_png
from tests.scenes import draw_scene

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

DRAWINGS_FOLDER: Final = "drawings"
"""Name of the folder with the drawings that readers can open and print."""
FRENCH_SPACE_PATTERN: Final = re.compile("(?<=«) | (?=[:;!?»%])")
"""Pattern that matches the spaces beside French punctuation."""
ENGLISH_PAGE_NOTICE: Final = """# {title}

Cette page n’est pas traduite. <a href="{address}" lang="en" hreflang="en">La lire en anglais.</a>
"""


class picture_node(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes so
    """A document node with images and a caption.

    Each image in `sources` is a path relative to the root of the site, or a data URL.
    """


class _Picture(SphinxDirective):
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    kind: ClassVar[str]

    def run(self) -> list[nodes.Node]:
        sources = self.image_addresses(self.arguments[0].split() if self.arguments else [])
        figure = picture_node(sources=sources, kind=self.kind, docname=self.env.docname)
        self.state.nested_parse(self.content, self.content_offset, figure)
        return [figure]

    def image_addresses(self, names: list[str]) -> list[str]:
        raise NotImplementedError


class FrameDirective(_Picture):
    """The directive `frame`: frames of the display, drawn in the language of the book."""

    kind = "frames"

    def image_addresses(self, names: list[str]) -> list[str]:
        """Return a data URL for each frame."""
        language = str(self.config.language)
        pictures = (
            base64.b64encode(encode_frame_as_png(draw_scene(name, language), blocks.FRAME_SCALE))
            for name in names
        )
        return [f"data:image/png;base64,{data.decode()}" for data in pictures]


class LiveBoxDirective(_Picture):
    """The directive `box`: a still picture of a scene that links to a simulated box."""

    kind = "live"

    def image_addresses(self, names: list[str]) -> list[str]:
        """Return the first frame of the scene as a data URL, and the simulated box's address."""
        (scene,) = names
        language = str(self.config.language)
        still = base64.b64encode(
            encode_frame_as_png(live.scene_first_frame(scene, language), blocks.FRAME_SCALE)
        )
        return [f"data:image/png;base64,{still.decode()}", live.live_box_address(scene, language)]


class WiringDirective(_Picture):
    """The directive `wiring`: the wiring drawing of a board."""

    kind = "drawing"

    def image_addresses(self, names: list[str]) -> list[str]:
        """Return the paths of the drawings, relative to the root of the site."""
        boards = board_file.known_board_names()
        return [f"{DRAWINGS_FOLDER}/{boards[boards.index(name)]}.svg" for name in names]


class BoardFrontDirective(_Picture):
    """The directive `front`: the front view of a board with a colour LCD."""

    kind = "drawing"

    def image_addresses(self, names: list[str]) -> list[str]:
        """Return the paths of the drawings, relative to the root of the site."""
        return [f"{DRAWINGS_FOLDER}/{_front(name)}" for name in names]


def _front(name: str) -> str:
    return f"{name}-front.svg"


class CaseDirective(_Picture):
    """The directive `case`: the printable sheet of the case "plain" or "full" (all holes)."""

    kind = "drawing"

    def image_addresses(self, names: list[str]) -> list[str]:
        """Return the paths of the drawings, relative to the root of the site."""
        return [f"{DRAWINGS_FOLDER}/case-{name}.svg" for name in names]


class _Listed(SphinxDirective):
    optional_arguments = 1
    final_argument_whitespace = True
    translatable: ClassVar[bool] = False
    """True if the Markdown contains English text, which the French book must translate."""

    def run(self) -> list[nodes.Node]:
        text = self.format_markdown("".join(self.arguments), str(self.config.language))
        container = nodes.container()
        lines = StringList(text.splitlines(), self.env.docname)
        self.state.nested_parse(lines, 0, container, match_titles=True)
        for node in () if self.translatable else container.findall(nodes.Element):
            node["translatable"] = False
        return list(container.children)

    def format_markdown(self, name: str, language: str) -> str:
        raise NotImplementedError


class CommandDirective(_Listed):
    """The directive `command`: the usage, help and options of a command."""

    def format_markdown(self, name: str, language: str) -> str:
        """Return the usage, help and options of the command `name` as Markdown."""
        os.environ["LANGUAGE"] = language
        return lists.format_command_help(name)


class GameOptionsDirective(_Listed):
    """The directive `options`: the options of a game."""

    def format_markdown(self, name: str, language: str) -> str:
        """Return the options of the game `name` as a Markdown table."""
        return lists.format_game_options(name, language)


class ProtocolLinesDirective(_Listed):
    """The directive `lines`: a section about one game for the protocol reference."""

    def format_markdown(self, name: str, language: str) -> str:
        """Return a section about a game's protocol as Markdown.

        `name`: the game and the section, with a space between them.
        """
        game, section = name.split()
        return lines.format_protocol_section(game, section, language)


class PlaythroughDirective(_Listed):
    """The directive `playthrough`: the first round of a recorded game."""

    def format_markdown(self, name: str, language: str) -> str:
        """Return the first round of a recorded game as Markdown; `name` is the game's name."""
        return lists.format_playthrough_start(name, language)


class FontTableDirective(_Listed):
    """The directive `fonts`: the letters of all fonts."""

    def format_markdown(self, _: str, language: str) -> str:
        """Return the table of fonts as Markdown."""
        return reference.format_font_table(language)


class ApiReferenceDirective(_Listed):
    """The directive `api`: the reference of a module, made from the texts in the module."""

    translatable = True

    def format_markdown(self, name: str, _: str) -> str:
        """Return the reference of a module as Markdown.

        `name`: the module, then the public names to describe, separated by spaces. Without names,
        all public names are described.
        """
        return reference.format_module_reference(*name.split())


class TextDrawingDirective(SphinxDirective):
    """The directive `letters`: a drawing made of letters, translated as a whole."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the drawing as a code block, translated by the page's catalogue."""
        drawn = "\n".join(self.content)
        english = self.config.language == "en"
        if not english:
            drawn = catalogues.load_french_translations(self.env.docname).get(drawn) or drawn
        return [nodes.literal_block(drawn, drawn, language="text", translatable=english)]


def write_picture_start(html: HTML5Translator, node: picture_node) -> None:
    """Write the opening HTML of a picture, whose caption is also the alternative text."""
    up = "../" * node["docname"].count("/")
    alt_text = html.attval(node.astext())
    if node["kind"] == LiveBoxDirective.kind:
        still, address = node["sources"]
        html.body.append(live.live_figure_html_start(still, address, alt_text))
        return
    several = "one" if len(node["sources"]) == 1 else "several"
    html.body.append(f'<figure class="{node["kind"]} {several}">')
    for place, source in enumerate(node["sources"]):
        address = source if source.startswith("data:") else up + source
        image = f'<img src="{address}" alt="{alt_text if place == 0 else ""}">'
        html.body.append(image if address is source else f'<a href="{address}">{image}</a>')
    html.body.append("<figcaption>")


def write_picture_end(html: HTML5Translator, _: picture_node) -> None:
    """Write the closing HTML of a picture."""
    html.body.append("</figcaption></figure>\n")


def write_drawings_and_sounds(app: Sphinx) -> None:
    """Write the drawings and sounds of an HTML book as separate files."""
    if app.builder.format != "html":
        return
    folder, language = Path(app.outdir) / DRAWINGS_FOLDER, str(app.config.language)
    folder.mkdir(parents=True, exist_ok=True)
    for name, its in case.CASES.items():
        (folder / f"case-{name}.svg").write_text(case.case_sheet_svg(language, its), "utf-8")
    for name in board_file.known_board_names():
        (folder / f"{name}.svg").write_text(
            wiring.wiring_svg(board_file.load_known_board(name), language), "utf-8"
        )
    for name in fronts.FRONTS:
        front = fronts.board_front_svg(
            name, draw_scene(blocks.FRONT_SCENE_NAME, language), language
        )
        (folder / _front(name)).write_text(front, "utf-8")
    cues.write_sounds_and_spectrograms(Path(app.outdir))


def prepare_page_source(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the blocks in a page's Markdown source by directives.

    In the French book, also replace the page of rulings by its French version, and replace each
    untranslated page by a link to the English page.
    """
    source[0] = blocks.replace_blocks_by_directives(source[0])
    if app.config.language != "fr":
        return
    if page == "rulings":
        source[0] = (Path(app.srcdir) / "rulings.fr.md").read_text("utf-8")
    elif not (Path(app.srcdir) / "locale" / "fr" / "LC_MESSAGES" / f"{page}.po").exists():
        address = "../" * (page.count("/") + 1) + f"{page}.html"
        title = source[0].partition("\n")[0].removeprefix("# ")
        source[0] = ENGLISH_PAGE_NOTICE.format(title=title, address=address)


def make_french_spaces_nonbreaking(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the spaces beside French punctuation by non-breaking spaces."""
    if app.config.language != "fr":
        return
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, nodes.literal | nodes.literal_block | nodes.raw):
            text.parent.replace(
                text, nodes.Text(FRENCH_SPACE_PATTERN.sub("\N{NO-BREAK SPACE}", text))
            )


def exclude_code_from_translation(_: Sphinx, doctree: nodes.document) -> None:
    """Exclude paragraphs that contain only code from the translation, for example table cells."""
    kinds = (nodes.paragraph, nodes.title, nodes.term)
    for text in (node for kind in kinds for node in doctree.findall(kind)):
        prose = (child for child in text if not isinstance(child, nodes.literal))
        if not any(sign.isalnum() for node in prose for sign in node.astext()):
            text["translatable"] = False


def reduce_built_site_size(app: Sphinx, failed: Exception | None) -> None:
    """Reduce the size of an HTML book after a successful build."""
    if not failed and app.builder.format == "html":
        site_size.reduce_site_size(Path(app.outdir), str(app.config.language))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register all directives and event handlers of the book with Sphinx."""
    app.add_node(picture_node, html=(write_picture_start, write_picture_end))
    for name, directive in (
        ("frame", FrameDirective),
        ("box", LiveBoxDirective),
        ("wiring", WiringDirective),
        ("front", BoardFrontDirective),
        ("case", CaseDirective),
        ("command", CommandDirective),
        ("options", GameOptionsDirective),
        ("playthrough", PlaythroughDirective),
        ("lines", ProtocolLinesDirective),
        ("cues", cues.SoundListDirective),
        ("letters", TextDrawingDirective),
        ("fonts", FontTableDirective),
        ("api", ApiReferenceDirective),
    ):
        app.add_directive(name, directive)
    app.connect("builder-inited", write_drawings_and_sounds)
    app.connect("source-read", prepare_page_source)
    # run before Sphinx collects the titles of the pages
    app.connect("doctree-read", make_french_spaces_nonbreaking, priority=100)
    app.connect("doctree-read", exclude_code_from_translation)
    app.connect("build-finished", reduce_built_site_size)
    return {"parallel_read_safe": False, "version": "1", "env_version": 3}
