"""How positions are shown: packages above `carc.base` register their renderers here.

`carc` registers `text` and `svg`, which `carc.drawing` draws.
"""

from collections.abc import Callable
from typing import Any

_renderers: dict[str, Callable[[Any], str]] = {}


def register(name: str, render: Callable[[Any], str]) -> None:
    """Let `render` show positions in the form of this name."""
    _renderers[name] = render


def render(name: str, state: Any) -> str:
    """Return a position in a form; without a renderer, its text (`State.to_text`)."""
    renderer = _renderers.get(name)
    return state.to_text() if renderer is None else renderer(state)
