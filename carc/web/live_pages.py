"""Pages of the games of an arena that are under way."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from carc.drawing import board_svg
from carc.drawing.style import style
from carc.match import read_record
from carc.tournaments.ledger.file import BadLedger
from carc.tournaments.outcomes.outcome import Outcome
from carc.web import rules_cards
from carc.web.live_table import LiveTable
from carc.web.rendering import render
from carc.web.spectators import Spectators, Watched
from carc.web.table_pages import WAIT, features_of_cell, table_values
from carc.web.tournament_reader import TournamentFolder, WatchedTournament

LOOK = 0.5
"""Seconds between two looks at a game."""


async def _look(request: Request) -> Watched | None:
    spectators: Spectators | None = request.app.state.spectators
    if spectators is None:
        return None
    return await run_in_threadpool(spectators.look, request.path_params["game"])


async def _watched(request: Request) -> Watched:
    """Return the game that the address names, or raise 404."""
    found = await _look(request)
    if found is None:
        raise HTTPException(404, "This game is not under way.")
    return found


async def game(request: Request) -> Response:
    """Show a game under way; one that has ended is led to its replay."""
    found = await _look(request)
    if found is None:
        return await _replay(request)
    return await run_in_threadpool(_shown, request, found)


def _shown(request: Request, found: Watched) -> Response:
    return render(
        request,
        "live_game.html",
        **_values(found.table),
        ladder=found.ladder,
        definitions=board_svg.definitions(found.table.tiles, found.table.tiles),
        style=style("auto"),
        rules_title=rules_cards.title_of(found.table.match.rules.spec),
    )


def _values(table: LiveTable) -> dict[str, Any]:
    return {
        **table_values(table, table.view(), None),
        "table": table,
        "seat": None,
        "address": f"/live/{table.id}",
        "is_live": True,
        "again": "",
    }


async def _ended(request: Request) -> tuple[WatchedTournament, Outcome]:
    """Return a game that has ended, and its ladder, or raise 404."""
    tournaments: TournamentFolder = request.app.state.tournaments

    def find() -> tuple[WatchedTournament, Outcome] | None:
        for ladder in (each for each in tournaments.all() if each.is_ladder):
            with suppress(BadLedger):
                return ladder, ladder.outcome(request.path_params["game"])
        return None

    found = await run_in_threadpool(find)
    if found is None or not found[1].record:
        raise HTTPException(404, "There is no such game.")
    return found


async def _replay(request: Request) -> Response:
    ladder, outcome = await _ended(request)
    return RedirectResponse(f"/t/{ladder.name}/game/{outcome.id}", 303)


async def news(request: Request) -> Response:
    """Return the changing part once it has changed since `since`; 204 if nothing happens."""
    since = request.query_params.get("since", "")
    end = time.monotonic() + WAIT
    while True:
        found = await _look(request) or await _finished(request)
        if str(found.table.version) != since:
            return await _part(request, found.table)
        if time.monotonic() > end or await request.is_disconnected():
            return Response(status_code=204)
        await asyncio.sleep(LOOK)


async def _finished(request: Request) -> Watched:
    """Return a game that somebody looked at and that has ended since, or raise 404."""
    spectators: Spectators | None = request.app.state.spectators
    _, outcome = await _ended(request)
    actions = (await run_in_threadpool(read_record, outcome.record, outcome.id)).actions
    found = None
    if spectators is not None:
        found = await run_in_threadpool(spectators.finish, outcome.id, actions)
    if found is None:
        raise HTTPException(404, "This game has ended.")
    return found


async def _part(request: Request, table: LiveTable) -> Response:
    """Return what all spectators see. It is rendered once for all of them."""

    def make() -> bytes:
        return bytes(render(request, "_table.html", **_values(table)).body)

    return HTMLResponse(
        await table.spectators_part.get(table.version, lambda: run_in_threadpool(make))
    )


async def features(request: Request) -> Response:
    """Show what the features of a tile on the board are worth, as a part of the page."""
    return await features_of_cell(request, (await _watched(request)).table)


async def record(request: Request) -> Response:
    """Return the record of a game that has ended; before that it would tell its deal."""
    _, outcome = await _ended(request)
    headers = {"Content-Disposition": f'attachment; filename="{outcome.id[:8]}.jsonl"'}
    return Response(outcome.record, media_type="application/jsonl", headers=headers)


ROUTES = [
    Route("/live/{game}", game),
    Route("/live/{game}/news", news),
    Route("/live/{game}/features", features),
    Route("/live/{game}/record", record),
]
