"""Visitors without a name: their tokens, which a cookie keeps, and how long they are known."""

import re
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

KNOWN: Final = 180 * 24 * 3600
"""Seconds for which a visitor is known who does not come back."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(16)


def is_token(text: str) -> bool:
    """Return whether a text could be a token, and so the name of a file."""
    return _TOKEN.fullmatch(text) is not None


def keep_cookie(response: Response, request: Request, name: str, token: str) -> None:
    """Let the browser keep a token."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, token, httponly=True, samesite="lax", max_age=KNOWN, secure=secure)


def forgotten(paths: Iterable[Path], most: int, seconds: float = KNOWN) -> Iterator[Path]:
    """Yield what was not touched for so many seconds, and the oldest of more than `most`."""
    times = sorted((path.stat().st_mtime, path) for path in paths)
    for number, (touched, path) in enumerate(times):
        if touched < time.time() - seconds or number < len(times) - most:
            yield path
