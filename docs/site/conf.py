"""How Sphinx makes the site: `make site`."""

import carc

project = "carc"
author = "the authors of carc"
version = release = carc.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
html_theme = "furo"
html_title = "carc"
html_static_path: list[str] = []
templates_path: list[str] = []

myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True, "undoc-members": False}
nitpicky = False
suppress_warnings = ["myst.header"]
