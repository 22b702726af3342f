"""The settings of Sphinx for the site: `make site`."""

import re
from typing import Any

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
html_show_sourcelink = False  # furo's link to it is outside all landmarks
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


_LACKING = {
    'role="heading"': 'role="heading" aria-level="2"',
    "<pre>": '<pre tabindex="0">',  # so that keys scroll it
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}


def _complete(_app: Any, _page: str, _template: str, context: dict[str, Any], _: Any) -> None:
    """Add what accessibility asks for and the theme lacks."""
    for part in {"body", "furo_navigation_tree"} & set(context):
        for lacking, complete in _LACKING.items():
            context[part] = context[part].replace(lacking, complete)


def setup(app: Any) -> None:
    """Connect what completes the pages."""
    app.connect("html-page-context", _complete, priority=900)  # after furo
