"""Pages of tournaments: leaderboards, lists of games, replays, logs of bots."""

from __future__ import annotations

import contextlib
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.analysis import read_analysis
from carc.analysis.saved import saved_analysis_text
from carc.drawing import replay_page
from carc.drawing.history import read_history
from carc.drawing.style import asset
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.match import read_record
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.web import board_pictures, bot_summary
from carc.web.author_pages import author_of, may_read_log
from carc.web.board_cache import GameRow, Interval, Snapshot
from carc.web.rendering import render
from carc.web.suggestions import suggestions
from carc.web.tournament_reader import TournamentFolder, WatchedTournament

GAMES_ON_PAGE = 50
MOST_CROSS = 30
"""Bots in the cross table, the best ones."""
_PATIENCE = 0.2  # seconds that a first visitor waits for ratings
_ASSETS = {"replay.css": "text/css"} | dict.fromkeys(replay_page.SCRIPTS, "text/javascript")


def _tournaments(request: Request) -> TournamentFolder:
    tournaments: TournamentFolder = request.app.state.tournaments
    return tournaments


async def _tournament(request: Request) -> WatchedTournament:
    """Return the tournament that the address names."""
    name = request.path_params["name"]
    tournament = await run_in_threadpool(_tournaments(request).find, name)
    if tournament is None:
        raise HTTPException(404, "There is no such tournament.")
    return tournament


async def home(request: Request) -> Response:
    """List the tournaments, and lead to a new table."""
    tournaments = await run_in_threadpool(_tournaments(request).all)
    tables = len(request.app.state.live_tables)
    presets = suggestions().presets
    return render(request, "home.html", tournaments=tournaments, tables=tables, presets=presets)


def _interval(interval: Interval, digits: int = 2) -> str:
    value, low, high = interval
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _stamp(snapshot: Snapshot | None) -> str:
    if snapshot is None:
        return ""
    parts = "-".join(f"{time:x}.{size:x}" for time, size in snapshot.stamp)
    return f"{parts}-rough" if snapshot.rough else parts


def _board(tournament: WatchedTournament, snapshot: Snapshot | None, error: str) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "snapshot": snapshot,
        "error": error,
        "stamp": _stamp(snapshot),
        "interval": _interval,
        "printable": escape_unprintable,
        "bar": board_pictures.interval_bar,
        "colour": board_pictures.colour,
        "ends": board_pictures.span(snapshot.board) if snapshot and snapshot.board.rows else None,
        "best": snapshot.board.rows[:MOST_CROSS] if snapshot else (),
    }


async def board(request: Request) -> Response:
    """Show the leaderboard."""
    tournament = await _tournament(request)
    snapshot, error = await run_in_threadpool(tournament.wait, _PATIENCE)
    return render(request, "board.html", **_board(tournament, snapshot, error))


async def news(request: Request) -> Response:
    """Return the part of the leaderboard that changes; 204 if it has not since `since`."""
    tournament = await _tournament(request)
    snapshot, error = await run_in_threadpool(tournament.latest)
    if request.query_params.get("since") == _stamp(snapshot) and not error:
        return Response(status_code=204)
    return render(request, "_board.html", **_board(tournament, snapshot, error))


async def games(request: Request) -> Response:
    """List the games, filtered by bot and faults."""
    tournament = await _tournament(request)
    snapshot, error = await run_in_threadpool(tournament.wait, _PATIENCE)
    keys = ("bot", "other", "verdict", "sort")
    filters = {key: request.query_params.get(key, "") for key in keys}
    rows = [game for game in (snapshot and snapshot.games) or () if _is_wanted(game, filters)]
    if filters["sort"] == "margin":
        rows.sort(key=lambda game: -game.margin)
    last = max(1, -(-len(rows) // GAMES_ON_PAGE))
    number = min(max(_page_number(request), 1), last)
    return render(
        request,
        "games.html",
        tournament=tournament,
        snapshot=snapshot,
        error=error,
        filters=filters,
        games=rows[GAMES_ON_PAGE * (number - 1) : GAMES_ON_PAGE * number],
        count=len(rows),
        number=number,
        last=last,
        ok=OK,
        printable=escape_unprintable,
        address=request.url.include_query_params,
        interval=_interval,
    )


async def bot(request: Request) -> Response:
    """Show the results of one bot."""
    tournament = await _tournament(request)
    snapshot, error = await run_in_threadpool(tournament.wait, _PATIENCE)
    name = request.query_params.get("bot", "")
    rows = {row.bot: row for row in snapshot.board.rows} if snapshot else {}
    if error or (snapshot and name not in rows):
        raise HTTPException(404, error or "There is no such bot, or it is not rated yet.")
    games, folder = snapshot.games if snapshot else None, tournament.folder
    lost = await run_in_threadpool(bot_summary.losses, name, games or (), folder)
    return render(
        request,
        "bot.html",
        **_board(tournament, snapshot, error),
        bot=name,
        row=rows.get(name),
        board=snapshot.board if snapshot else None,
        shares=snapshot.board.ahead.get(name, {}) if snapshot else {},
        games=games,
        seats=bot_summary.results_by_seat(name, games or ()),
        losses=lost,
        versions=bot_summary.versions(name, snapshot.board) if snapshot else [],
    )


async def poster(request: Request) -> Response:
    """Return the leaderboard as a picture."""
    tournament = await _tournament(request)
    snapshot, error = await run_in_threadpool(tournament.wait, _PATIENCE)
    if snapshot is None:
        raise HTTPException(404, error or "The games are not rated yet.")
    picture = board_pictures.poster(tournament.name, snapshot.board)
    return Response(picture, media_type="image/svg+xml")


def _page_number(request: Request) -> int:
    text = request.query_params.get("page", "1")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1


def _is_wanted(game: GameRow, filters: dict[str, str]) -> bool:
    if filters["bot"] and filters["bot"] not in game.seats:
        return False
    if filters["other"] and filters["other"] not in game.seats:
        return False
    faulty = game.verdict != OK or any(verdict != OK for verdict in game.verdicts)
    return {"faults": faulty, "clean": not faulty}.get(filters["verdict"], True)


def _replay(tournament: WatchedTournament, outcome: Outcome) -> tuple[str, str]:
    """Return the title and the replay of a game, with its analysis if one is saved."""
    history = read_history(outcome.record, outcome.id, (), outcome.times)
    analysis = None
    if text := saved_analysis_text(tournament.folder, outcome.id):
        match = read_record(outcome.record, outcome.id)
        with contextlib.suppress(CarcError):  # of another game: the replay goes without it
            analysis = read_analysis(text, match, history.rules, outcome.id)
    return history.title, replay_page.replayer(history, analysis)


async def game(request: Request) -> Response:
    """Show the replay of a game."""
    tournament = await _tournament(request)
    outcome = await run_in_threadpool(tournament.outcome, request.path_params["game"])
    if not outcome.record:
        raise HTTPException(404, f"Game {outcome.id} has no record: {outcome.verdict}.")
    title, body = await run_in_threadpool(_replay, tournament, outcome)
    author = author_of(request)
    logs = await run_in_threadpool(
        lambda: [seat for seat, name in enumerate(outcome.seats) if may_read_log(author, name)]
    )
    return render(
        request,
        "game.html",
        tournament=tournament,
        outcome=outcome,
        title=title,
        body=body,
        scripts=replay_page.SCRIPTS,
        logs=logs,
    )


async def log(request: Request) -> Response:
    """Show the log of a bot in a game to its author."""
    tournament = await _tournament(request)
    outcome = await run_in_threadpool(tournament.outcome, request.path_params["game"])
    seat = int(request.path_params["seat"])
    author = author_of(request)
    if seat >= len(outcome.seats) or not await run_in_threadpool(
        may_read_log, author, outcome.seats[seat]
    ):
        raise HTTPException(403, "Only its author can read the log of a bot. Sign in first.")
    faults = [str(fault["detail"]) for fault in outcome.faults if fault["seat"] == seat]
    written = outcome.stderr[seat] if outcome.stderr else ""
    return render(
        request,
        "log.html",
        tournament=tournament,
        outcome=outcome,
        bot=outcome.seats[seat],
        written=escape_unprintable(written, keep="\t\n"),
        faults=[escape_unprintable(each) for each in faults],
    )


async def replay_asset(request: Request) -> Response:
    """Return a file that replays need."""
    name = request.path_params["file"]
    if name not in _ASSETS:
        raise HTTPException(404, "There is no such file.")
    return Response(asset(name), media_type=_ASSETS[name])


ROUTES = [
    Route("/", home),
    Route("/replay/{file}", replay_asset),
    Route("/t/{name}", board),
    Route("/t/{name}/news", news),
    Route("/t/{name}/games", games),
    Route("/t/{name}/bot", bot),
    Route("/t/{name}/poster.svg", poster),
    Route("/t/{name}/game/{game}", game),
    Route("/t/{name}/game/{game}/log/{seat:int}", log),
]
