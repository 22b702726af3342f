"""Protection against hostile requests: size, slowness, other sites, and headers for browsers."""

import asyncio
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from carc.arena.upload import MOST_ARCHIVE, PATH
from carc.bounded import whole_number

REFUSALS = {400: "this is no name of the server", 500: "the server failed"}
"""Why any request may be refused in plain text, by code."""
REFUSALS_OF_BODIES = {
    403: "the request came from another site",
    408: "the request did not arrive in time",
    413: "the request is too large",
}
"""Why one may be that changes something."""
MOST_BODY = 64 << 10
"""Bytes that an ordinary request may have."""
MOST_UPLOAD = {
    "/bots": MOST_ARCHIVE,
    PATH: MOST_ARCHIVE,
    "/open": 2 << 20,
    "/review": 8 << 20,
    "/arena/play": 128 << 10,
}
"""Bytes that a bot, a saved game, games of other programs and a remote bot's lines may have."""
PATIENCE = 15.0
"""Seconds within which a request's body must arrive."""
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class Guard:
    """Middleware that refuses requests from other sites, and those too large or too slow."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = POLICY
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._handle(scope, receive, send_with_headers)
        except Exception:
            if not begun:  # the error's page has the headers too
                await PlainTextResponse("Internal server error.", 500)(
                    scope, receive, send_with_headers
                )
            raise

    async def _handle(self, scope: Scope, receive: Receive, send_with_headers: Send) -> None:
        if scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send_with_headers)
            return
        body = await _checked_body(scope, receive)
        if not isinstance(body, bytes):
            await body(scope, receive, send_with_headers)
            return
        delivered = False

        async def receive_body() -> Message:
            nonlocal delivered
            if delivered:
                return await receive()
            delivered = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, receive_body, send_with_headers)


async def _checked_body(scope: Scope, receive: Receive) -> bytes | PlainTextResponse:
    """Return the body of a request that changes something, or the response that refuses it."""
    headers = Headers(scope=scope)
    if not is_same_site(headers):
        return PlainTextResponse(REFUSALS_OF_BODIES[403], 403)
    most = MOST_UPLOAD.get(scope["path"], MOST_BODY)
    try:
        body = await asyncio.wait_for(_body(headers, receive, most), PATIENCE)
    except TimeoutError:
        return PlainTextResponse(REFUSALS_OF_BODIES[408], 408)
    if body is None:
        return PlainTextResponse(f"this request may have at most {most} bytes", 413)
    return body


def is_same_site(headers: Headers) -> bool:
    """Return True if a request comes from one of our pages, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # it is no address
        return False


async def _body(headers: Headers, receive: Receive, most: int) -> bytes | None:
    """Return the whole body, or None if it is too large."""
    if whole_number(headers.get("content-length", "0"), 18, most + 1) > most:
        return None
    parts = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        if not message.get("more_body"):
            return b"".join(parts)
