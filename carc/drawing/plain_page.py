"""Pages of text, tables and pictures that need no other file."""

from collections.abc import Iterable, Sequence
from html import escape

from carc.drawing.style import asset
from carc.escape import escape_unprintable

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;
margin:auto;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line)}
th:nth-child(-n+1),td:nth-child(-n+1){text-align:left}
"""


def page(title: str, parts: Iterable[str], style: str = "") -> str:
    """Return a page.

    Args:
        title: What it is called, as text.
        parts: What is below that, as HTML.
        style: What its style sheet has beside that of all such pages.
    """
    body = "\n".join(parts)
    return (
        '<!doctype html><html lang="en" class="carc-theme"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<title>{text(title)}</title><link rel="icon" href="data:,">'
        f"<style>{asset('theme.css')}{_STYLE}{style}</style></head><body><main>\n"
        f"<h1>{text(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def section(title: str, body: str) -> str:
    """Return a heading and what is below it, which scrolls where it is too wide."""
    group = f'class="wide" tabindex="0" role="group" aria-label="{text(title)}"'
    return f"<h2>{text(title)}</h2><div {group}>{body}</div>"


def table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a table of texts."""

    def cells(values: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{text(value)}</{tag}>" for value in values) + "</tr>"

    body = "".join(cells(row, "td") for row in rows)
    return f"<table><thead>{cells(heads, 'th')}</thead><tbody>{body}</tbody></table>"


def text(value: object) -> str:
    """Return a text as HTML, with what cannot be seen as escapes."""
    return escape(escape_unprintable(value))
