"""Where remote bots connect: by WebSocket, or by plain HTTP as two streams of lines.

With plain HTTP a GET gets the lines for the bot, and each POST to the same address has lines of it.
"""

import asyncio
import logging
import re
import secrets
from contextlib import ExitStack, suppress
from typing import Any, Final

import attrs
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from carc.arena.door import Arena, Door, Refused
from carc.arena.relay import LONGEST
from carc.arena.seats import Connection
from carc.errors import CarcError
from carc.tournaments.outcomes.verdicts import MALFORMED, OUTPUT_LIMIT
from carc.web.author_pages import bearer
from carc.web.guard import is_same_site

PATH: Final = "/arena/play"
MOST_SENT: Final = 2 * LONGEST  # bytes of a message: more than a line, so that it gets a verdict
SERVER: Final[dict[str, Any]] = {
    "ws": "websockets-sansio",
    "ws_max_size": MOST_SENT,
    "ws_per_message_deflate": False,
    "timeout_keep_alive": 75,
}
"""Options of uvicorn that remote bots need."""

_SESSION: Final = re.compile(r"[\w-]{1,64}", re.ASCII)
_FAULTS: Final = {
    1002: (MALFORMED, "no frame of a WebSocket"),
    1007: (MALFORMED, "a text that is not UTF-8"),
    1009: (OUTPUT_LIMIT, f"a message of more than {MOST_SENT} bytes"),
}
"""Why the server closed a WebSocket, by the code."""


@attrs.frozen
class _Visitor:
    """Who asks to come in."""

    author: str
    bot: str
    version: str
    session: str
    ladders: tuple[str, ...]


def _visitor(request: HTTPConnection) -> _Visitor:
    author = _author(request)
    query = request.query_params
    for name in ("bot", "version"):
        if not query.get(name):
            raise Refused(400, f"the address has no {name}; it is {PATH}?bot=NAME&version=VERSION")
    session = query.get("session", secrets.token_hex(8))
    if not _SESSION.fullmatch(session):
        raise Refused(400, "a session is up to 64 letters, digits, _ and -")
    ladders = tuple(query.getlist("ladder"))
    return _Visitor(author, query["bot"], query["version"], session, ladders)


def _author(request: HTTPConnection) -> str:
    author = _arena(request).author(bearer(request))
    if author is None:
        raise Refused(401, "this token is not known here; an author's token is wanted")
    return author


def _arena(request: HTTPConnection) -> Arena:
    arena: Arena = request.app.state.arena
    return arena


async def _enter(request: HTTPConnection, visitor: _Visitor, stack: ExitStack) -> Connection:
    """Return the connection of a bot, left with the stack, or raise `CarcError`."""
    door: Door = request.app.state.door
    stack.enter_context(door.through(visitor.author))
    arena = _arena(request)
    spec = await run_in_threadpool(
        arena.admit, visitor.author, visitor.bot, visitor.version, visitor.ladders
    )
    connection = arena.relay.enter(spec, visitor.session, visitor.ladders)
    stack.callback(arena.relay.leave, connection)
    return connection


def _refusal(error: CarcError) -> Response:
    code = error.code if isinstance(error, Refused) else 409
    return PlainTextResponse(f"{error}\n", code)


# -- WebSocket -------------------------------------------------------------------------------------


async def talk(websocket: WebSocket) -> None:
    """Let a bot play over a WebSocket."""
    with ExitStack() as stack:
        try:
            if not is_same_site(websocket.headers):
                raise Refused(403, "this request came from another site")
            connection = await _enter(websocket, _visitor(websocket), stack)
        except CarcError as error:
            await websocket.send_denial_response(_refusal(error))
            return
        with suppress(OSError, RuntimeError, WebSocketDisconnect):  # it is gone
            await websocket.accept()
            hearing = asyncio.ensure_future(_hear(websocket, connection))
            sending = asyncio.ensure_future(_send(websocket, connection))
            await asyncio.wait({hearing, sending}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                sending.cancel()
                hearing.result()
            else:
                hearing.cancel()
                sending.result()
                await websocket.close()


async def _send(websocket: WebSocket, connection: Connection) -> None:
    async for line in connection.lines():
        await websocket.send_text(line.decode())


async def _hear(websocket: WebSocket, connection: Connection) -> None:
    relay = _arena(websocket).relay
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            if fault := _FAULTS.get(message.get("code", 0)):
                relay.fault(connection, *fault)
            return
        data = message.get("bytes")
        relay.hear(connection, message["text"].encode() if data is None else data)


# -- plain HTTP ------------------------------------------------------------------------------------


class _Stream(StreamingResponse):
    """The lines for a bot, until its connection is over."""

    def __init__(self, connection: Connection, stack: ExitStack) -> None:
        super().__init__(
            connection.lines(),
            media_type="application/x-ndjson",
            headers={"X-Accel-Buffering": "no"},  # for nginx
        )
        self._stack = stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._stack, suppress(asyncio.CancelledError):  # as when the server ends
            await super().__call__(scope, receive, send)


async def listen(request: Request) -> Response:
    """Send a bot its lines."""
    with ExitStack() as stack:
        try:
            visitor = _visitor(request)
            _require_session(request)
            connection = await _enter(request, visitor, stack)
        except CarcError as error:
            return _refusal(error)
        streams: dict[_Visitor, Connection] = request.app.state.streams
        streams[visitor] = connection
        stack.callback(_forget, streams, visitor, connection)
        return _Stream(connection, stack.pop_all())


async def speak(request: Request) -> Response:
    """Take lines from a bot."""
    try:
        visitor = _visitor(request)
        _require_session(request)
    except CarcError as error:
        return _refusal(error)
    connection = request.app.state.streams.get(visitor)
    if connection is None:
        return PlainTextResponse("this session is over; GET begins another\n", 409)
    _arena(request).relay.hear(connection, await request.body())
    return Response(status_code=204)


def _require_session(request: Request) -> None:
    if "session" not in request.query_params:
        raise Refused(400, "the address has no session, a random text that GET and POST share")


def _forget(streams: dict[_Visitor, Connection], visitor: _Visitor, connection: Connection) -> None:
    if streams.get(visitor) is connection:
        del streams[visitor]


async def ladders(request: Request) -> Response:
    """Tell what is played here."""
    arena = _arena(request)
    return JSONResponse({"ladders": list(arena.ladders()), "latency": arena.relay.latency})


ROUTES = [
    Route("/arena/ladders", ladders),
    Route(PATH, listen),
    Route(PATH, speak, methods=["POST"]),
    WebSocketRoute(PATH, talk),
]


def _is_news(record: logging.LogRecord) -> bool:
    """Return False of what uvicorn says whenever strangers send no UTF-8, or are refused."""
    return not record.getMessage().startswith(("Invalid UTF-8", "ASGI callable returned without"))


logging.getLogger("uvicorn.error").addFilter(_is_news)


def open_door(app: Starlette, arena: Arena, door: Door) -> None:
    """Let remote bots into an application with `ROUTES`."""
    app.state.arena, app.state.door, app.state.streams = arena, door, {}
