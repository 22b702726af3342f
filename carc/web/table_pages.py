"""Pages of tables: playing, taking back, hints, the best move, records."""

import asyncio
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from carc.base.tiles.tile import Tile
from carc.base.turn.steps import CHANCE
from carc.bounded import whole_number
from carc.drawing import board_svg
from carc.drawing.descriptions import imperative, noun
from carc.drawing.geometry import SIZE
from carc.drawing.style import style
from carc.errors import CarcError
from carc.web import rules_cards, table_words
from carc.web.action_menu import ActionMenu, BoardChoice, action_menu
from carc.web.best_move import judge_last_move
from carc.web.feature_views import FeatureView, Place
from carc.web.live_table import LiveTable, StalePosition
from carc.web.live_tables import LiveTables
from carc.web.rendering import is_local, render
from carc.web.replays import download
from carc.web.table_view import TableView

WAIT = 20.0
"""Seconds that a request for news waits before the page asks again."""
_CHECK_INTERVAL = 2.0  # seconds after which a waiting request looks whether its visitor has gone
_PULSE = 0.1  # seconds of bots' moves that are shown at once
_PULSE_STEP = 0.005
_RING = 30  # around the middle of a choice
_WIDE = 8  # on the left, for a number of three characters
_ROOM = 16  # on the right and below; on the left and above it is that for the numbers


T = TypeVar("T")


def _tables(request: Request) -> LiveTables:
    tables: LiveTables = request.app.state.live_tables
    return tables


def _table(request: Request) -> tuple[LiveTable, int | None]:
    """Return the table and the visitor's seat that the address names, or raise 404."""
    table = _tables(request).find(request.path_params["table"])
    if table is None:
        raise HTTPException(404, "There is no such table. It may have been closed.")
    key = request.path_params.get("key")
    seat = None if key is None else table.seat_of(key)
    if key is not None and seat is None:
        raise HTTPException(404, "There is no such seat at this table.")
    return table, seat


def table(request: Request) -> Response:
    """Show a table."""
    live, seat = _table(request)
    if seat is not None and live.visit(seat):
        _tables(request).save(live)
    return _page(request, live, seat)


def _page(
    request: Request, live: LiveTable, seat: int | None, code: int = 200, **more: Any
) -> Response:
    return render(
        request,
        "table.html",
        **unchanging_values(live),
        free_seats={
            each: key
            for each, key in live.keys.items()
            if seat == min(live.keys) and each not in live.visited
        },
        origin=f"{request.url.scheme}://{request.url.netloc}",
        is_local=is_local(request),
        host=request.url.hostname,
        code=code,
        **{**_values(request, live, seat), **more},
    )


def unchanging_values(live: LiveTable) -> dict[str, Any]:
    """Return what the part of the page shows that does not change."""
    return {
        "definitions": board_svg.definitions(live.tiles, live.tiles),
        "style": style("auto"),
        "rules_title": rules_cards.title_of(live.match.rules.spec),
    }


def _values(request: Request, live: LiveTable, seat: int | None) -> dict[str, Any]:
    key = request.path_params.get("key", "")
    return table_values(live, live.view(seat), seat, f"/table/{live.id}/{key}".rstrip("/"))


def table_values(
    live: LiveTable, view: TableView, seat: int | None, address: str = ""
) -> dict[str, Any]:
    """Return what the part of the page that changes shows; it comes from an address."""
    enters = view.awaited == CHANCE and seat is not None and live.may_enter_draws(seat)
    decides = seat is not None and (view.awaited == seat or enters)
    offered = action_menu(live, view, seat) if decides and seat is not None else ActionMenu()
    data, last = view.data, view.data["tiles"][-1]
    box = _box(view, offered)
    x, y, width, height = _around(board_svg.view(box), offered.on_board)
    company, asks_name = table_words.greeting(live, seat)
    rules = live.match.rules
    terms = rules_cards.terms_of(rules.spec)
    met = table_words.met(live, view) if decides else []
    own = "" if seat is None else live.titles[seat]
    return {
        "table": live,
        "seat": seat,
        "address": address,
        "is_live": True,
        "again": "",
        "view": view,
        "offered": offered,
        "decides": decides,
        "absent": [each for each in live.keys if each not in live.visited],
        "mover": table_words.mover(live, view, seat),
        "status": table_words.status(live, view, seat, enters),
        "box": f"{x} {y} {width} {height}",
        "columns": width / SIZE,
        "rows": height / SIZE,
        "axes": board_svg.axes(box),
        "scene": "".join((*view.scene.tiles, *view.scene.pieces)),
        "last": board_svg.last_move(last["x"], last["y"]) if len(data["tiles"]) > 1 else "",
        "seat_of": {owner: its for its, owners in enumerate(rules.colours) for owner in owners},
        "noun": lambda kind: noun(kind, rules),
        "lately": next((turn for turn in view.turns if turn.player not in ("", own)), None),
        "tiles_left": sum(data["bag"].values()) - data["engine"]["unseen"],
        "hand": data["tile_in_hand"],
        "over": live.match.is_over,
        "breakdown": table_words.breakdown(live) if live.match.is_over else {},
        "clock": live.clock.left() if live.clock else {},
        "running": live.clock.running if live.clock else None,
        "rematch": live.rematch.get(-1 if seat is None else seat),
        "has_moved": any(move.player == seat for move in live.match.moves),
        "terms": terms,
        "explained": {name: (noun(name, rules), terms[name]) for name in met if name in terms},
        "company": company,
        "asks_name": asks_name,
    }


def _box(view: TableView, offered: ActionMenu) -> board_svg.Box:
    """Return the cells of the scene and those around them.

    The tile placed last counts when the next one is to be placed, so that the board stands still
    during a turn.
    """
    left, top, right, bottom = view.scene.box
    tiles = view.data["tiles"]
    if view.data["decision"] != "place" and len(tiles) > 1:
        tiles = tiles[:-1]
    xs, ys = [cell.x for cell in offered.cells], [cell.y for cell in offered.cells]
    for tile in tiles:
        xs += [tile["x"] - 1, tile["x"] + 1]
        ys += [tile["y"] - 1, tile["y"] + 1]
    return min(left, *xs), min(top, *ys), max(right, max(xs) + 1), max(bottom, max(ys) + 1)


def _around(
    view: tuple[int, int, int, int], some: Sequence[BoardChoice]
) -> tuple[int, int, int, int]:
    """Return the view box, with room for a follower at an edge, and every choice."""
    x, y, width, height = view
    x, width, height = x - _WIDE, width + _WIDE + _ROOM, height + _ROOM
    left = min([x, *(int(choice.x) - _RING for choice in some)])
    top = min([y, *(int(choice.y) - _RING for choice in some)])
    right = max([x + width, *(int(choice.x) + _RING for choice in some)])
    bottom = max([y + height, *(int(choice.y) + _RING for choice in some)])
    return left, top, right - left, bottom - top


async def news(request: Request) -> Response:
    """Return the changing part once it has changed since `since`; 204 if nothing happens."""
    live, seat = _table(request)
    since = request.query_params.get("since", "")
    end = time.monotonic() + WAIT
    try:
        while not await live.wait_for_change(since, _CHECK_INTERVAL, is_player=seat is not None):
            if live.stop_expired():
                _tables(request).advance(live)
            if time.monotonic() > end or await request.is_disconnected():
                return Response(status_code=204)
        await _wait_for_bots(live)
        if seat is None:
            return await _spectators_part(request, live)
    except asyncio.CancelledError:  # the server stops
        return Response(status_code=204)
    return await run_in_threadpool(_part, request, live, seat)


async def _wait_for_bots(live: LiveTable) -> None:
    """Let quick bots finish their moves, so that these are shown at once."""
    end = time.monotonic() + _PULSE
    while live.is_advancing and time.monotonic() < end:
        await asyncio.sleep(_PULSE_STEP)


async def _spectators_part(request: Request, live: LiveTable) -> Response:
    """Return what all spectators see. It is rendered once for all of them."""

    async def make() -> bytes:
        return bytes((await run_in_threadpool(_part, request, live, None)).body)

    second = int(time.monotonic()) if live.clock else 0  # it contains the clock
    return HTMLResponse(await live.spectators_part.get((live.version, second), make))


def _part(
    request: Request, live: LiveTable, seat: int | None, code: int = 200, **more: Any
) -> Response:
    # One thread for all of it: each change of threads may have to wait for a bot that thinks.
    return render(request, "_table.html", code=code, **{**_values(request, live, seat), **more})


async def act(request: Request) -> Response:
    """Play an action, take one back (`undo`), give a hint (`hint`), or take a name."""
    live, seat = _table(request)
    if seat is None:
        raise HTTPException(403, "Only the players of this table can act.")
    form = await request.form(max_files=0, max_fields=8)
    version = _version(form)
    more: dict[str, Any] = {}
    code = 200
    try:
        if "name" in form:
            live.rename(seat, str(form["name"]))
        else:
            more = await _do(request, live, seat, str(form.get("action", "")), version)
    except StalePosition as error:
        code, more["error"] = 409, str(error)
    except CarcError as error:
        code, more["error"] = 400, str(error)
    _tables(request).advance(live)
    if request.headers.get("x-carc") == "part":
        return await run_in_threadpool(_part, request, live, seat, code, **more)
    if code == 200 and not more:
        return RedirectResponse(live.rematch.get(seat, request.url.path), 303)
    return await run_in_threadpool(_page, request, live, seat, code, **more)


def _version(asked: Mapping[str, object]) -> int:
    """Return the version of the table that a request is about; -1 if it names none."""
    return whole_number(str(asked.get("version", "")), 8, -1)


async def _do(
    request: Request, live: LiveTable, seat: int, action: str, version: int
) -> dict[str, Any]:
    """Do what a player asks for. Return what the page shows about it."""
    tables = _tables(request)
    if live.stop_expired():
        raise StalePosition("your time is up")
    if action == "undo":
        await run_in_threadpool(live.undo, version)
    elif action == "rematch":
        await run_in_threadpool(tables.rematch, live)
    elif action == "hint":
        chosen, words, reason = await _ask(tables, live, lambda: live.hint(seat))
        return {"hint": {"action": chosen, "words": imperative(words), "reason": reason}}
    elif action == "best":
        return {"best": await _ask(tables, live, lambda: judge_last_move(live, seat))}
    else:
        await run_in_threadpool(live.act, seat, action, version)
    return {}


async def _ask(tables: LiveTables, live: LiveTable, question: Callable[[], T]) -> T:
    """Return the answer to a player's question, of which a table may have one at a time."""
    if live.is_asking:
        raise CarcError("the last question is still being answered")
    live.is_asking = True
    try:
        return await asyncio.wrap_future(tables.think(question))
    finally:
        live.is_asking = False


def preview(request: Request) -> Response:
    """Show what the features of the tile in hand would be, as a part of the page."""
    live, seat = _table(request)
    if seat is None:
        raise HTTPException(403, "Only the players of this table can do this.")
    version = _version(request.query_params)
    return preview_of_placement(request, live, seat, version)


def preview_of_placement(request: Request, live: LiveTable, seat: int, version: int) -> Response:
    """Show the features of the tile in hand as they would be after the action of a request."""
    action = request.query_params.get("action", "")
    kind = live.view(seat).data["tile_in_hand"]
    try:
        features = live.preview(seat, action, version)
    except StalePosition:
        return Response(status_code=204)  # the page is about to change
    return _features(request, features, live.tiles[kind], int(action[-1]))


def features(request: Request) -> Response:
    """Show what the features of a tile on the board are worth, as a part of the page."""
    return features_of_cell(request, _table(request)[0])


def features_of_cell(request: Request, live: LiveTable) -> Response:
    """Show the features of the tile on the cell that a request asks for."""
    match = re.fullmatch(r"(-?\d{1,3}),(-?\d{1,3})", request.query_params.get("cell", ""), re.ASCII)
    cell = (int(match[1]), int(match[2])) if match else None
    tiles = live.view().data["tiles"]
    placed = next((tile for tile in tiles if (tile["x"], tile["y"]) == cell), None)
    if cell is None or placed is None:
        return Response(status_code=204)
    found = live.features_at(cell)
    return _features(request, found, live.tiles[placed["kind"]], placed["rotation"])


def _features(
    request: Request, features: Mapping[Place, FeatureView], tile: Tile, rotation: int
) -> Response:
    """Return a list of a tile's features, those of most points first."""
    spots: dict[FeatureView, list[tuple[int, int]]] = {}
    for (x, y, segment), feature in features.items():
        at = board_svg.spot(tile, rotation, segment)
        spots.setdefault(feature, []).append((round(SIZE * x + at[0]), round(SIZE * y + at[1])))
    ordered = sorted(spots.items(), key=lambda each: -each[0].points)
    return render(request, "_preview.html", spots=dict(ordered))


def record(request: Request) -> Response:
    """Return the record to a player.

    Before the end only a person who plays alone or with real tiles gets it, since it contains the
    seed of the deal.
    """
    live, seat = _table(request)
    text, over = live.record()
    if not over and (seat is None or not (live.is_solo or live.match.by_hand)):
        raise HTTPException(403, "The record is available when the game is over.")
    return download(text, f"{live.id}.jsonl")


ROUTES = [
    Route("/table/{table}", table),
    Route("/table/{table}/features", features),
    Route("/table/{table}/news", news),
    Route("/table/{table}/record", record),
    Route("/table/{table}/{key}", table),
    Route("/table/{table}/{key}", act, methods=["POST"]),
    Route("/table/{table}/{key}/news", news),
    Route("/table/{table}/{key}/features", features),
    Route("/table/{table}/{key}/preview", preview),
    Route("/table/{table}/{key}/record", record),
]
