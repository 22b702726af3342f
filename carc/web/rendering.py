"""Rendering of templates."""

from typing import Any

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

import carc
from carc.escape import escape_unprintable

LOCAL = ("localhost", "127.0.0.1", "::1")
"""Host names that lead nowhere from another computer."""


def _visible(value: object) -> object:
    """Return a value as a template shows it: text of strangers hides nothing."""
    is_plain = isinstance(value, str) and not isinstance(value, Markup)
    return escape_unprintable(value, keep="\t\n") if is_plain else value


_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("carc.web"),
    autoescape=True,
    finalize=_visible,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def compile_templates() -> None:
    """Compile all templates, which takes a moment, so that the first visitors need not wait."""
    for name in _TEMPLATES.list_templates():
        _TEMPLATES.get_template(name)


def is_local(request: Request) -> bool:
    """Return True if links to this server work on its own computer only."""
    return request.url.hostname in LOCAL


def filled(name: str, /, **values: Any) -> str:
    """Return a template with values filled in."""
    return _TEMPLATES.get_template(name).render(version=carc.__version__, **values)


def render(request: Request, name: str, *, code: int = 200, **values: Any) -> HTMLResponse:
    """Return a page, or a part of one that the browser swaps in."""
    uploads = request.app.state.author is not None
    return HTMLResponse(filled(name, uploads=uploads, **values), code)
