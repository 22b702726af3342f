"""Where an arena is, as its authors' programs reach it: the standard library is enough."""

from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from carc.bounded import parse_json
from carc.errors import CarcError

SILENCE: Final = 45.0  # seconds without a byte
LATER: Final = (429, 500, 502, 503, 504)  # codes of HTTP that are not for ever


class Address:
    """An arena's address and an author's token; raises `CarcError` if they cannot be."""

    def __init__(self, url: str, token: str) -> None:
        if not _is_address(url):
            raise CarcError(f"an arena's address is such as https://arena.example, not {url!r}")
        if not (token.isascii() and token.isprintable()):
            raise CarcError("a token is one line of ASCII characters, as the organiser gave it")
        self.url, self._place = url, urlsplit(url)
        self.headers = {"Authorization": f"Bearer {token}"}

    def connection(self) -> HTTPConnection:
        """Return a new connection."""
        kind = HTTPSConnection if self._place.scheme == "https" else HTTPConnection
        return kind(self._place.hostname or "", self._place.port, timeout=SILENCE)

    def path(self, rest: str) -> str:
        """Return what a request asks for, as `/arena/ladders`."""
        return self._place.path.rstrip("/") + rest


def reason(error: Exception) -> object:
    """Return why there is no connection, in words."""
    return getattr(error, "strerror", None) or error or type(error).__name__


def refusal(response: HTTPResponse) -> str:
    """Return why an arena, or what stands before it, says no."""
    kind = response.headers.get_content_type()
    text = response.read(1 << 12).decode(errors="replace").strip()
    if kind == "text/plain":
        return text
    if kind == "application/json":
        try:
            return str(parse_json(text.encode())["error"])
        except (ValueError, LookupError, TypeError):
            pass  # of something else
    return f"{response.status} {response.reason}"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")
    except ValueError:
        return False
    return is_whole and parts.scheme in ("http", "https")
