"""The settings of Sphinx for the site: `make site`."""

import re

import carc
from carc.drawing.style import asset

project = "carc"
author = "the authors of carc"
version = release = carc.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
html_theme = "furo"


def _colours(tokens: str) -> dict[str, str]:
    """Return furo's variables for the colours of carc's own pages."""
    values = dict(re.findall(r"--(\w+):([^;}]+)", tokens))
    return {
        "font-stack": "system-ui, sans-serif",
        "color-brand-primary": values["main"],
        "color-brand-content": values["main"],
        "color-brand-visited": values["main"],
        "color-foreground-primary": values["ink"],
        "color-foreground-secondary": values["soft"],
        "color-background-primary": values["paper"],
        "color-background-secondary": values["ground"],
        "color-background-border": values["line"],
    }


_LIGHT, _DARK = re.findall(r"\.carc-theme\{([^}]*)\}", asset("theme.css"))
html_theme_options = {
    "light_css_variables": _colours(_LIGHT),
    "dark_css_variables": _colours(_DARK),
}
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
