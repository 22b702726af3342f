"""The application: routes, what is shared by all requests, and pages for what goes wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from carc.bots import SHIPPED
from carc.errors import CarcError
from carc.web import authors as authors_
from carc.web import shown, tables
from carc.web.authors import Jobs
from carc.web.guard import Guard
from carc.web.pages import page
from carc.web.results import Tournaments
from carc.web.rooms import Rooms


def make_app(
    folder: Path,
    *,
    hosts: Sequence[str] = ("localhost", "127.0.0.1", "[::1]"),
    bots: Sequence[str] = tuple(SHIPPED),
    authors: Mapping[str, str] | None = None,
) -> Starlette:
    """The application over the tournaments in a folder.

    `hosts`: the names it answers to. `bots`: those that people may play against. `authors`: by secret token, who may submit
    bots and read what theirs wrote.
    """
    rooms, jobs, tournaments = Rooms(bots), Jobs(), Tournaments(folder)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        tournaments.begin()
        yield
        rooms.close()
        jobs.close()
        tournaments.reader.close()

    app = Starlette(
        routes=[
            *shown.ROUTES,
            *tables.ROUTES,
            *authors_.ROUTES,
            Mount("/static", StaticFiles(directory=str(files("carc.web") / "static"))),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(Guard),
        ],
        exception_handlers={HTTPException: _wrong, CarcError: _refused},
        lifespan=life,
    )
    app.state.rooms = rooms
    app.state.jobs = jobs
    app.state.tournaments = tournaments
    app.state.authors = dict(authors or {})
    return app


async def _wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    heading = {404: "Not here", 403: "Not allowed", 405: "Not so"}.get(error.status_code, "Wrong")
    return page(request, "message.html", heading=heading, said=error.detail, code=error.status_code)


async def _refused(request: Request, error: Exception) -> Response:
    return page(request, "message.html", heading="That cannot be", said=str(error), code=400)
