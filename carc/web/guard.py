"""What stands between strangers and the application: sizes, slowness, other sites, and what a browser is told."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 << 10  # bytes of an ordinary request
MOST_UPLOAD = {"/bots": 20 << 20, "/open": 2 << 20}  # of a bot, of a saved game
PATIENCE = 15.0  # seconds until a request's body is there
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Guard:
    """Refuses requests that change something and come from elsewhere, are too large, or do not arrive."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = POLICY
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, tell)
            return
        headers = Headers(scope=scope)
        if not same_site(headers):
            await _refuse(403, "this request came from another site", scope, receive, tell)
            return
        most = MOST_UPLOAD.get(scope["path"], MOST_BODY)
        try:
            body = await asyncio.wait_for(_body(headers, receive, most), PATIENCE)
        except TimeoutError:
            await _refuse(408, "the request did not arrive in time", scope, receive, tell)
            return
        if body is None:
            await _refuse(413, f"at most {most} bytes are taken here", scope, receive, tell)
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, again, tell)


def same_site(headers: Headers) -> bool:
    """Whether a request that changes something comes from a page of ours, or from no browser's page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


async def _body(headers: Headers, receive: Receive, most: int) -> bytes | None:
    """The whole body; None if it is too large."""
    said = headers.get("content-length", "0")
    if not said.isdecimal() or int(said) > most:
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


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse(why, status)(scope, receive, send)
