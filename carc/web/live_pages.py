"""Pages of the games of an arena that are under way."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from carc.match import read_record
from carc.tournaments.ledger.file import BadLedger
from carc.tournaments.outcomes.outcome import Outcome
from carc.web.live_table import LiveTable
from carc.web.rendering import render
from carc.web.replays import download
from carc.web.spectators import Spectators, Watched
from carc.web.table_pages import WAIT, features_of_cell, table_values, unchanging_values
from carc.web.tournament_reader import TournamentFolder, WatchedTournament


def _look(request: Request) -> Watched | None:
    spectators: Spectators | None = request.app.state.spectators
    return None if spectators is None else spectators.look(request.path_params["game"])


def game(request: Request) -> Response:
    """Show a game under way; one that has ended is led to its replay."""
    found = _look(request)
    if found is None:
        ladder, outcome = _ended(request)
        return RedirectResponse(f"/t/{ladder.name}/game/{outcome.id}", 303)
    table, name = found.table, found.ladder

    def make() -> bytes:
        values = {**_values(table), **unchanging_values(table)}
        return bytes(render(request, "live_game.html", **values, ladder=name).body)

    return HTMLResponse(found.page(make))


def _values(table: LiveTable) -> dict[str, Any]:
    return table_values(table, table.view(), None, f"/live/{table.id}")


def _ended(request: Request) -> tuple[WatchedTournament, Outcome]:
    """Return a game that has ended, and its ladder, or raise 404."""
    tournaments: TournamentFolder = request.app.state.tournaments
    for ladder in (each for each in tournaments.all() if each.is_ladder):
        with suppress(BadLedger):
            outcome = ladder.outcome(request.path_params["game"])
            if outcome.record:
                return ladder, outcome
    raise HTTPException(404, "There is no such game.")


async def news(request: Request) -> Response:
    """Return the changing part once it has changed since `since`; 204 if nothing happens."""
    spectators: Spectators | None = request.app.state.spectators
    if spectators is None:
        raise HTTPException(404, "Nothing is played here.")
    since = request.query_params.get("since", "")
    end = time.monotonic() + WAIT
    with spectators.waits():
        while True:
            seen = spectators.seen(request.path_params["game"])
            table = seen.table if seen else await run_in_threadpool(_now, request)
            if str(table.version) != since:
                return await _part(request, table)
            if time.monotonic() > end or await request.is_disconnected():
                return Response(status_code=204)
            await asyncio.sleep(spectators.pace)


def _now(request: Request) -> LiveTable:
    """Return a game under way, or one that somebody looked at and that has ended since."""
    found = _look(request)
    if found is None:
        spectators: Spectators | None = request.app.state.spectators
        game = request.path_params["game"]
        found = spectators.finish(game, partial(_played, request)) if spectators else None
    if found is None:
        raise HTTPException(404, "This game has ended.")
    return found.table


def _played(request: Request) -> Sequence[str]:
    _, outcome = _ended(request)
    return read_record(outcome.record, outcome.id).actions


async def _part(request: Request, table: LiveTable) -> Response:
    """Return what all spectators see. It is rendered once for all of them."""

    def make() -> bytes:
        return bytes(render(request, "_table.html", **_values(table)).body)

    return HTMLResponse(
        await table.spectators_part.get(table.version, lambda: run_in_threadpool(make))
    )


def features(request: Request) -> Response:
    """Show what the features of a tile on the board are worth, as a part of the page."""
    found = _look(request)
    if found is None:
        raise HTTPException(404, "This game is not under way.")
    return features_of_cell(request, found.table)


def record(request: Request) -> Response:
    """Return the record of a game that has ended; before that it would tell its deal."""
    _, outcome = _ended(request)
    return download(outcome.record, f"{outcome.id[:8]}.jsonl")


ROUTES = [
    Route("/live/{game}", game),
    Route("/live/{game}/news", news),
    Route("/live/{game}/features", features),
    Route("/live/{game}/record", record),
]
