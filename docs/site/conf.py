"""The settings of Sphinx for the site: `make site`."""

import carc

project = "carc"
author = "the authors of carc"
version = release = carc.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
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
napoleon_numpy_docstring = False
napoleon_use_ivar = True
nitpicky = False
suppress_warnings = ["myst.header"]
