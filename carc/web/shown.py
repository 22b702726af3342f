"""The pages of tournaments: the leaderboard that lives, games, replays, what a bot wrote."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.drawing import page as replay
from carc.drawing.story import tell
from carc.tournaments.verdicts import OK
from carc.visible import visible
from carc.web.authors import author_of, may_read
from carc.web.pages import page
from carc.web.results import Tournament, Tournaments
from carc.web.shelf import Found, Game, Interval

PAGE = 50  # games on a page
MOST_CROSS = 30  # bots in the cross table: the best
_PATIENCE = 0.2  # seconds a first visitor waits for ratings


def _tournaments(request: Request) -> Tournaments:
    found: Tournaments = request.app.state.tournaments
    return found


async def _named(request: Request) -> Tournament:
    found = await run_in_threadpool(_tournaments(request).find, request.path_params["name"])
    if found is None:
        raise HTTPException(404, "There is no such tournament here.")
    return found


async def home(request: Request) -> Response:
    """Tournaments, and the way to a table."""
    found = await run_in_threadpool(_tournaments(request).all)
    return page(request, "home.html", tournaments=found, tables=len(request.app.state.rooms))


def _interval(one: Interval, digits: int = 2) -> str:
    value, low, high = one
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _stamp(found: Found | None) -> str:
    if found is None:
        return ""
    return "-".join(f"{a:x}.{b:x}" for a, b in found.stamp) + ("-rough" if found.rough else "")


def _board(one: Tournament, found: Found | None, wrong: str) -> dict[str, Any]:
    return {
        "one": one,
        "found": found,
        "wrong": wrong,
        "stamp": _stamp(found),
        "interval": _interval,
        "visible": visible,
        "best": found.board.lines[:MOST_CROSS] if found else (),
    }


async def board(request: Request) -> Response:
    """The leaderboard."""
    one = await _named(request)
    found, wrong = await run_in_threadpool(one.wait, _PATIENCE)
    return page(request, "board.html", **_board(one, found, wrong))


async def news(request: Request) -> Response:
    """The part of the leaderboard that changes; 204 if it has not since `since`."""
    one = await _named(request)
    found, wrong = await run_in_threadpool(one.latest)
    if request.query_params.get("since") == _stamp(found) and not wrong:
        return Response(status_code=204)
    return page(request, "_board.html", **_board(one, found, wrong))


async def games(request: Request) -> Response:
    """The games, by bot and what became of them."""
    one = await _named(request)
    found, wrong = await run_in_threadpool(one.wait, _PATIENCE)
    said = {key: request.query_params.get(key, "") for key in ("bot", "other", "verdict", "sort")}
    listed = [game for game in (found and found.games) or () if _wanted(game, said)]
    if said["sort"] == "margin":
        listed.sort(key=lambda game: -game.margin)
    number = request.query_params.get("page", "1")
    at = int(number) if number.isascii() and number.isdecimal() and len(number) < 7 else 1
    last = max(1, -(-len(listed) // PAGE))
    at = min(max(at, 1), last)
    shown = listed[PAGE * (at - 1) : PAGE * at]
    return page(
        request, "games.html", one=one, found=found, wrong=wrong, said=said, games=shown, count=len(listed),
        at=at, last=last, ok=OK, visible=visible, address=request.url.include_query_params, interval=_interval,
    )  # fmt: skip


def _wanted(game: Game, said: dict[str, str]) -> bool:
    if said["bot"] and said["bot"] not in game.seats:
        return False
    if said["other"] and said["other"] not in game.seats:
        return False
    faulty = game.verdict != OK or any(one != OK for one in game.verdicts)
    return {"faults": faulty, "clean": not faulty}.get(said["verdict"], True)


async def game(request: Request) -> Response:
    """A game's replay."""
    one = await _named(request)
    outcome = await run_in_threadpool(one.outcome, request.path_params["game"])
    if not outcome.record:
        raise HTTPException(404, f"Game {outcome.id} has no record: {outcome.verdict}.")
    story = await run_in_threadpool(tell, outcome.record, outcome.id, (), outcome.times)
    body = await run_in_threadpool(replay.replayer, story)
    author = author_of(request)
    logs = await run_in_threadpool(
        lambda: [seat for seat, name in enumerate(outcome.seats) if may_read(author, name)]
    )
    return page(
        request,
        "game.html",
        one=one,
        outcome=outcome,
        title=replay.title(story),
        body=body,
        logs=logs,
    )


async def log(request: Request) -> Response:
    """What a bot wrote in a game, for its author."""
    one = await _named(request)
    outcome = await run_in_threadpool(one.outcome, request.path_params["game"])
    seat = int(request.path_params["seat"])
    author = author_of(request)
    if seat >= len(outcome.seats) or not await run_in_threadpool(
        may_read, author, outcome.seats[seat]
    ):
        raise HTTPException(403, "What a bot wrote is for its author: sign in with your token.")
    faults = [str(fault["detail"]) for fault in outcome.faults if fault["seat"] == seat]
    written = outcome.stderr[seat] if outcome.stderr else ""
    return page(
        request, "log.html", one=one, outcome=outcome, bot=outcome.seats[seat],
        written=visible(written, keep="\t\n"), faults=[visible(one) for one in faults],
    )  # fmt: skip


async def asset(request: Request) -> Response:
    """A file of the replay page's own."""
    name = request.path_params["file"]
    kinds = {"replay.js": "text/javascript", "replay.css": "text/css"}
    if name not in kinds:
        raise HTTPException(404, "There is no such file.")
    return Response(replay.asset(name), media_type=kinds[name])


ROUTES = [
    Route("/", home),
    Route("/replay/{file}", asset),
    Route("/t/{name}", board),
    Route("/t/{name}/news", news),
    Route("/t/{name}/games", games),
    Route("/t/{name}/game/{game}", game),
    Route("/t/{name}/game/{game}/log/{seat:int}", log),
]
