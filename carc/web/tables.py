"""The pages of tables: opening one, sitting at it, choosing, taking back, being advised, taking the record home."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.base.game.rules import COLOURS
from carc.base.game.spec import registered
from carc.drawing import art, svg
from carc.drawing.geometry import SIZE
from carc.drawing.story import tell
from carc.errors import CarcError
from carc.web.choices import Choices, Pick, choices
from carc.web.pages import page
from carc.web.rooms import PERSON, Room, Rooms, Stale, View

MOST_SEATS = 6
MOST_SPEC = 300  # characters
WAIT = 20.0  # seconds a page waits for news before it asks again
_LOOK_UP = 2.0  # seconds after which it is seen whether a visitor who waits has gone
_PULSE = 0.1  # what happens within so many seconds is shown at once
_RING = 30  # about the middle of a choice
_CLOSE = 250  # choices not further apart than this, in the table's coordinates, are looked at closely on a phone


def _rooms(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


def _room(request: Request) -> tuple[Room, int | None]:
    """The table and the visitor's seat there; 404 where there is none."""
    room = _rooms(request).find(request.path_params["table"])
    if room is None:
        raise HTTPException(404, "There is no such table: it was closed, or the address is wrong.")
    key = request.path_params.get("key")
    seat = None if key is None else room.seat_of(key)
    if key is not None and seat is None:
        raise HTTPException(404, "Nobody sits at this table by that address.")
    return room, seat


async def new(request: Request) -> Response:
    """The form that opens a table."""
    return _form(request, {}, "")


def _form(request: Request, said: dict[str, str], wrong: str) -> Response:
    known = sorted(name for name in registered())
    return page(
        request,
        "new.html",
        bots=_rooms(request).bots,
        seats=range(MOST_SEATS),
        person=PERSON,
        said=said,
        wrong=wrong,
        expansions=known,
        code=400 if wrong else 200,
    )


async def create(request: Request) -> Response:
    """Open a table and go to its first person's place."""
    async with request.form(max_files=1, max_fields=40) as form:
        said = {key: value for key, value in form.items() if isinstance(value, str)}
        try:
            room = await run_in_threadpool(_opened, _rooms(request), said, await _saved(form))
        except CarcError as error:
            return _form(request, said, str(error))
    return RedirectResponse(f"/table/{room.id}/{room.keys[min(room.keys)]}", 303)


async def _saved(form: FormData) -> str:
    file = form.get("saved")
    if not isinstance(file, UploadFile) or not file.filename:
        return ""
    data = await file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CarcError("the saved game is not a text file; is it a carc record?") from None


def _opened(rooms: Rooms, said: dict[str, str], saved: str) -> Room:
    story = tell(saved, "the saved game") if saved else None
    if story is not None and story.result is not None:
        raise CarcError("this game was played to its end; look at it with carc show or carc replay")
    spec = story.rules.spec if story else said.get("rules", "").strip() or "base"
    if len(spec) > MOST_SPEC:
        raise CarcError(f"a rules spec has up to {MOST_SPEC} characters")
    players = story.rules.players if story else MOST_SEATS
    seats = []
    for number in range(players):
        kind = said.get(f"seat{number}", "")
        if story is not None and kind == "":
            kind = story.seats[number] if story.seats[number] in rooms.bots else PERSON
        if kind:
            seats.append((kind, said.get(f"name{number}", "")))
    seed = said.get("seed", "").strip()
    if seed and not (seed.isascii() and seed.isdecimal() and len(seed) < 19):
        raise CarcError(f"the seed is a whole number of up to 18 digits, not {seed!r}")
    return rooms.open(
        spec,
        seats,
        seed=story.seed if story else int(seed) if seed else None,
        by_hand="by_hand" in said,
        adviser=said.get("adviser", "greedy"),
        saved=story,
    )


async def table(request: Request) -> Response:
    """The table's page."""
    room, seat = _room(request)
    if seat is not None:
        room.visited.add(seat)
    return await _whole(request, room, seat)


async def _whole(
    request: Request, room: Room, seat: int | None, code: int = 200, **more: Any
) -> Response:
    view = await run_in_threadpool(room.view)
    shown = await run_in_threadpool(_shown, room, view, seat)
    return page(
        request,
        "table.html",
        room=room,
        seat=seat,
        key=request.path_params.get("key", ""),
        definitions=await run_in_threadpool(svg.definitions, room.tiles, room.tiles),
        style=art.style("auto"),
        free_seats={
            room.table.names[one]: room.keys[one]
            for one in room.keys
            if seat == min(room.keys) and one not in room.visited
        },
        code=code,
        **{**shown, **more},
    )


def _shown(room: Room, view: View, seat: int | None) -> dict[str, Any]:
    """What the part of the page that changes shows."""
    telling = view.asked == -1 and seat is not None and room.may_tell(seat)
    mine = seat is not None and (view.asked == seat or telling)
    offered = choices(room, view, seat) if mine and seat is not None else Choices()
    cells = [(cell.x, cell.y) for cell in offered.cells]
    left, top, right, bottom = view.scene.box
    box = (
        min([left, *(x for x, _ in cells)]),
        min([top, *(y for _, y in cells)]),
        max([right, *(x + 1 for x, _ in cells)]),
        max([bottom, *(y + 1 for _, y in cells)]),
    )
    x, y, width, height = _around(svg.view(box), offered.picks)
    last = view.data["tiles"][-1]
    data = view.data
    return {
        "view": view,
        "offered": offered,
        "mine": mine,
        "status": _status(room, view, seat, telling),
        "box": f"{x} {y} {width} {height}",
        "columns": round(width / SIZE),
        "close": offered.picks and _wide(offered.picks) < _CLOSE,
        "axes": svg.axes(box),
        "scene": "".join((*view.scene.tiles, *view.scene.pieces)),
        "last": svg.last_move(last["x"], last["y"]) if len(data["tiles"]) > 1 else "",
        "owners": [
            {
                "colour": COLOURS[owner],
                "name": room.names[owner],
                "score": score,
                "supply": ", ".join(f"{n} {kind}" for kind, n in data["supplies"][owner].items()),
                "figure": art.figure("meeple", owner, False),
            }
            for owner, score in enumerate(data["scores"])
        ],
        "not_drawn": sum(data["bag"].values()),
        "hand": data["tile_in_hand"],
        "colours": COLOURS,
        "over": room.table.is_over,
    }


def _around(view: tuple[int, int, int, int], picks: Sequence[Pick]) -> tuple[int, int, int, int]:
    """The view box grown until all of every choice is in it."""
    x, y, width, height = view
    left = min([x, *(int(pick.x) - _RING for pick in picks)])
    top = min([y, *(int(pick.y) - _RING for pick in picks)])
    right = max([x + width, *(int(pick.x) + _RING for pick in picks)])
    bottom = max([y + height, *(int(pick.y) + _RING for pick in picks)])
    return left, top, right - left, bottom - top


def _wide(picks: Sequence[Pick]) -> float:
    """From the leftmost choice to the rightmost, in the table's coordinates."""
    return max(pick.x for pick in picks) - min(pick.x for pick in picks)


def _status(room: Room, view: View, seat: int | None, telling: bool) -> str:
    """What is going on, in a sentence."""
    table = room.table
    if table.is_over:
        winners = view.data["winners"]
        if not winners:
            return "The game is over. Nobody wins."
        if len(winners) == table.rules.players > 1 or winners == [seat]:
            return "The game is over. You win." if seat is not None else "The game is won by all."
        return f"The game is over. Won by {', '.join(table.names[one] for one in winners)}."
    if telling:
        return "Which tile was drawn?"
    if view.asked == -1:
        return "Waiting for the tile to be told."
    decision = view.data["decision"]
    if view.asked is not None and view.asked == seat:
        hand = f" {view.data['tile_in_hand']}" if decision == "place" else ""
        return f"Your turn: {decision}{hand}."
    if view.asked is not None:
        return f"Waiting for {table.names[view.asked]}."
    return f"{view.thinking or 'Chance'} is playing."


async def news(request: Request) -> Response:
    """The changing part as soon as it has changed since `since`; 204 where nothing happens for a while."""
    room, seat = _room(request)
    since = request.query_params.get("since", "")
    end = time.monotonic() + WAIT
    try:
        while not await room.changed(since, _LOOK_UP):
            if time.monotonic() > end or await request.is_disconnected():
                return Response(status_code=204)
        await asyncio.sleep(_PULSE)
    except asyncio.CancelledError:  # the server stops
        return Response(status_code=204)
    return await _part(request, room, seat)


async def _part(
    request: Request, room: Room, seat: int | None, code: int = 200, **more: Any
) -> Response:
    view = await run_in_threadpool(room.view)
    shown = await run_in_threadpool(_shown, room, view, seat)
    key = request.path_params.get("key", "")
    return page(request, "_table.html", room=room, seat=seat, key=key, code=code, **shown, **more)


async def act(request: Request) -> Response:
    """A choice, or taking back (`undo`), or asking what to do (`hint`)."""
    room, seat = _room(request)
    if seat is None:
        raise HTTPException(403, "Only who sits at the table chooses.")
    form = await request.form(max_files=0, max_fields=8)
    action = str(form.get("action", ""))
    version = str(form.get("version", ""))
    at = int(version) if version.isascii() and version.isdecimal() and len(version) < 9 else -1
    more: dict[str, Any] = {}
    code = 200
    try:
        if action == "undo":
            await run_in_threadpool(room.undo, seat, at)
        elif action == "hint":
            chosen, said, why = await run_in_threadpool(room.hint, seat)
            more["hint"] = {"action": chosen, "words": said, "why": why, "bot": room.adviser}
        else:
            await run_in_threadpool(room.act, seat, action, at)
    except Stale as error:
        code, more["wrong"] = 409, str(error)
    except CarcError as error:
        code, more["wrong"] = 400, str(error)
    _rooms(request).forward(room)
    if request.headers.get("x-carc") == "part":
        return await _part(request, room, seat, code, **more)
    if code == 200 and not more:
        return RedirectResponse(request.url.path, 303)
    return await _whole(request, room, seat, code, **more)


async def record(request: Request) -> Response:
    """The record, for who sits there; before the end only for who plays alone or on cardboard, since it tells the deal's seed."""
    room, seat = _room(request)
    text, over = await run_in_threadpool(room.record)
    if not over and (seat is None or not (room.alone or room.table.by_hand)):
        raise HTTPException(403, "The record is given out when the game is over.")
    headers = {"Content-Disposition": f'attachment; filename="{room.id}.jsonl"'}
    return Response(text, media_type="application/jsonl", headers=headers)


ROUTES = [
    Route("/play", new),
    Route("/open", create, methods=["POST"]),
    Route("/table/{table}", table),
    Route("/table/{table}/news", news),
    Route("/table/{table}/record", record),
    Route("/table/{table}/{key}", table),
    Route("/table/{table}/{key}", act, methods=["POST"]),
    Route("/table/{table}/{key}/news", news),
    Route("/table/{table}/{key}/record", record),
]
