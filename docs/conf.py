"""Settings of Sphinx for the documentation site: `make docs`.

The sources are the pages of the whole repository where they lie, so that each fact has one home and a link between two
pages works in a checkout, on a host of git repositories, and on the site.
"""

import sys
from pathlib import Path

from hilbridge import __version__

sys.path.insert(0, str(Path(__file__).parent))

project = "hilbridge"
author = "hilbridge contributors"
project_copyright = "hilbridge contributors, MIT licence"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "bench_here"]

# The Python API is what the docstrings say; types of annotations that have no page of their own are no missing links.
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
nitpick_ignore_regex = [("py:.*", ".*")]

source_suffix = {".md": "markdown"}
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "config/*.md",
    "config/reference/*.md",
    "daemon/*.md",
    "dbc/*.md",
    "docs/**.md",
    "sim/*.md",
    "systemd/*.md",
    "tests/*.md",
]
exclude_patterns = [".*", "build"]
highlight_language = "text"
nitpicky = True

# Anchors as hosts of git repositories make them; a link to one that is not there is a warning, and so an error.
myst_heading_anchors = 6
myst_links_external_new_tab = False

html_theme = "furo"
html_title = "hilbridge"
html_additional_pages = {"index": "start.html"}
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}

copybutton_exclude = ".linenos, .gp, .go"
