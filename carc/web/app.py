"""The application: routes, shared state, and pages for errors."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from carc.arena.door import Door, Refused
from carc.arena.service import Arena
from carc.bots import SHIPPED
from carc.drawing.history import capitalized
from carc.errors import CarcError
from carc.puzzles import Puzzle
from carc.web import (
    api,
    author_pages,
    bot_pages,
    ladder_pages,
    live_pages,
    metrics,
    new_game_pages,
    puzzle_pages,
    remote_bots,
    replays,
    review_pages,
    solvers,
    table_pages,
    table_store,
    tournament_pages,
)
from carc.web.game_analyses import AnalysisQueue
from carc.web.guard import Guard
from carc.web.ladder_answers import Unknown
from carc.web.live_tables import LiveTables
from carc.web.rendering import render
from carc.web.reviews import FOLDER, Reviews
from carc.web.solvers import Solvers
from carc.web.spectators import Spectators
from carc.web.tournament_reader import TournamentFolder
from carc.web.uploads import UploadQueue

THREADS = 4
"""Pages that an arena makes at once: each thread more takes time from the answers of bots."""
_ROUTES = [
    *api.ROUTES,
    *ladder_pages.ROUTES,
    *live_pages.ROUTES,
    *tournament_pages.ROUTES,
    *bot_pages.ROUTES,
    *new_game_pages.ROUTES,
    *table_pages.ROUTES,
    *author_pages.ROUTES,
    *replays.ROUTES,
    *review_pages.ROUTES,
    *puzzle_pages.ROUTES,
    Mount("/static", StaticFiles(directory=str(files("carc.web") / "static"))),
]


def make_app(
    folder: Path,
    *,
    hosts: Sequence[str] = ("localhost", "127.0.0.1", "[::1]"),
    bots: Sequence[str] = tuple(SHIPPED),
    author: Callable[[str], str | None] | None = None,
    puzzles: Sequence[Puzzle] | None = None,
    arena: Arena | None = None,
) -> Starlette:
    """Return the application.

    Args:
        folder: The folder of the tournaments.
        hosts: The host names it answers to.
        bots: The bots that people may play against.
        author: Returns the author of a secret token, who may submit bots and read their logs.
        puzzles: The puzzles to solve; by default those that ship with carc.
        arena: The arena whose ladders these tournaments are.
    """
    live_tables = LiveTables(bots, folder=folder / table_store.FOLDER)
    uploads = UploadQueue(arena.submitted, arena.allow_upload) if arena else UploadQueue()
    tournaments, analyses = TournamentFolder(folder), AnalysisQueue()

    app = Starlette(
        routes=[*_ROUTES, *([*remote_bots.ROUTES, *metrics.ROUTES] if arena else ())],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(Guard),
        ],
        exception_handlers={HTTPException: _http_error, CarcError: _bad_request},
        lifespan=_lifespan,
    )
    app.state.live_tables = live_tables
    app.state.uploads = uploads
    app.state.tournaments = tournaments
    app.state.analyses, app.state.reviews = analyses, Reviews(folder / FOLDER)
    app.state.solvers = Solvers(folder / solvers.FOLDER, puzzles)
    app.state.author, app.state.arena = author, None
    app.state.spectators = Spectators(arena) if arena else None
    if arena:
        remote_bots.open_door(app, arena, Door(arena.settings.limits.connections))
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Read the tournaments, let workers reach remote bots, and close everything in the end."""
    state, arena = app.state, app.state.arena
    state.tournaments.read_all()
    if arena:
        current_default_thread_limiter().total_tokens = THREADS
    async with arena.relay.serving(arena.socket) if arena else nullcontext():
        yield
    state.live_tables.close()
    state.uploads.close()
    state.analyses.close()
    state.tournaments.reader.close()


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    message = error.detail
    if message == phrase:  # Starlette's own
        message = (
            "There is no such page." if error.status_code == 404 else f"{phrase.capitalize()}."
        )
        if error.status_code == 405:
            message = f"This address does not accept {request.method} requests."
    return _message(request, phrase.capitalize(), message, error.status_code)


async def _bad_request(request: Request, error: Exception) -> Response:
    message = f"{capitalized(str(error))}."
    if isinstance(error, Unknown):
        return _message(request, "Not found", message, 404)
    if isinstance(error, Refused):
        heading = HTTPStatus(error.code).phrase.capitalize()
        return _message(request, heading, message, error.code)
    return _message(request, "Bad request", message, 400)


def _message(request: Request, heading: str, message: str, code: int) -> Response:
    if request.url.path.startswith(api.PREFIX):
        return api.failure(message, code)
    return render(request, "message.html", heading=heading, message=message, code=code)
