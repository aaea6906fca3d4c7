"""How the book is built: `make docs`, for each language once (`-D language=fr`)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the frames are those of the tests' scenes

project = "Companion"
author = "the authors of Companion"
language = "en"
extensions = ["myst_parser", "book.extension"]
exclude_patterns = ["rulings.fr.md"]  # in French it stands in the place of rulings.md

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True
suppress_warnings = ["myst.header"]  # a game's clauses stand deeper than its reasons

locale_dirs = ["locale"]
gettext_compact = False
gettext_location = False

html_theme = "furo"
html_title = "Companion"
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["book.css"]
html_js_files = [("box.js", {"defer": "defer"})]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
