"""Pages of tournaments: leaderboards, lists of games, replays, logs of bots."""

from __future__ import annotations

import contextlib
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.analysis import GameAnalysis, read_analysis
from carc.analysis.saved import saved_analysis_text
from carc.drawing import plot, replay_page
from carc.drawing.animation import animation
from carc.drawing.history import MatchHistory, read_history
from carc.drawing.plot import Interval
from carc.drawing.style import asset
from carc.errors import CarcError
from carc.match import read_record
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.web import board_pictures
from carc.web.author_pages import author_of, may_read_log
from carc.web.board_cache import Board, GameRow, Snapshot
from carc.web.game_analyses import AnalysisQueue
from carc.web.rendering import render
from carc.web.review_pages import own_games
from carc.web.suggestions import presets
from carc.web.tournament_reader import TournamentFolder, WatchedTournament

GAMES_ON_PAGE = 50
MOST_CROSS = 30
"""Bots in the cross table, the best ones."""
PATIENCE = 0.2
"""Seconds that a first visitor waits for ratings."""
_ASSETS = dict.fromkeys(replay_page.STYLES, "text/css") | dict.fromkeys(
    replay_page.SCRIPTS, "text/javascript"
)


def _tournaments(request: Request) -> TournamentFolder:
    tournaments: TournamentFolder = request.app.state.tournaments
    return tournaments


async def tournament_of(request: Request) -> WatchedTournament:
    """Return the tournament that the address names."""
    name = request.path_params["name"]
    tournament = await run_in_threadpool(_tournaments(request).find, name)
    if tournament is None:
        raise HTTPException(404, "There is no such tournament.")
    return tournament


async def home(request: Request) -> Response:
    """List the tournaments, and lead to a new table."""
    return render(
        request,
        "home.html",
        tournaments=await run_in_threadpool(_boards, _tournaments(request)),
        presets=presets(),
        reviews=await own_games(request),
    )


def _boards(tournaments: TournamentFolder) -> list[tuple[WatchedTournament, Board | None]]:
    """Return the tournaments with the boards that are known."""
    snapshots = [(each, each.latest()[0]) for each in tournaments.all()]
    return [(each, snapshot.board if snapshot else None) for each, snapshot in snapshots]


def interval_text(interval: Interval, digits: int = 2) -> str:
    """Return a figure with the ends of its interval."""
    value, low, high = interval
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def stamp_of(snapshot: Snapshot | None) -> str:
    """Return a text that changes when a snapshot does."""
    if snapshot is None:
        return ""
    parts = "-".join(f"{time:x}.{size:x}" for time, size in snapshot.stamp)
    return f"{parts}-rough" if snapshot.rough else parts


def board_values(
    tournament: WatchedTournament, snapshot: Snapshot | None, error: str
) -> dict[str, Any]:
    """Return what templates need of a leaderboard."""
    return {
        "tournament": tournament,
        "snapshot": snapshot,
        "error": error,
        "stamp": stamp_of(snapshot),
        "interval": interval_text,
        "bar": plot.bar,
        "colour": board_pictures.colour,
        "ends": board_pictures.span(snapshot.board) if snapshot and snapshot.board.rows else None,
        "best": snapshot.board.rows[:MOST_CROSS] if snapshot else (),
        "curves": board_pictures.curves,
        "places": [row.bot for row in snapshot.board.rows] if snapshot else [],
    }


async def board(request: Request) -> Response:
    """Show the leaderboard."""
    tournament = await tournament_of(request)
    snapshot, error = await run_in_threadpool(tournament.wait, PATIENCE)
    return render(request, "board.html", **board_values(tournament, snapshot, error))


async def news(request: Request) -> Response:
    """Return the part of the leaderboard that changes; 204 if it has not since `since`."""
    tournament = await tournament_of(request)
    snapshot, error = await run_in_threadpool(tournament.latest)
    if request.query_params.get("since") == stamp_of(snapshot) and not error:
        return Response(status_code=204)
    return render(request, "_board.html", **board_values(tournament, snapshot, error))


async def games(request: Request) -> Response:
    """List the games, filtered by bot and faults."""
    tournament = await tournament_of(request)
    snapshot, error = await run_in_threadpool(tournament.wait, PATIENCE)
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
        address=request.url.include_query_params,
    )


async def poster(request: Request) -> Response:
    """Return the leaderboard as a picture."""
    tournament = await tournament_of(request)
    snapshot, error = await run_in_threadpool(tournament.wait, PATIENCE)
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


def _history(
    tournament: WatchedTournament, outcome: Outcome
) -> tuple[MatchHistory, GameAnalysis | None]:
    """Return a game and its analysis if one is saved."""
    history = read_history(outcome.record, outcome.id, (), outcome.times)
    analysis = None
    if text := saved_analysis_text(tournament.folder, outcome.id):
        match = read_record(outcome.record, outcome.id)
        with contextlib.suppress(CarcError):  # of another game: the replay goes without it
            analysis = read_analysis(text, match, history.rules, outcome.id)
    return history, analysis


async def _game(request: Request) -> tuple[WatchedTournament, Outcome]:
    """Return the tournament and the game that the address names."""
    tournament = await tournament_of(request)
    outcome = await run_in_threadpool(tournament.outcome, request.path_params["game"])
    if not outcome.record:
        raise HTTPException(404, f"Game {outcome.id} has no record: {outcome.verdict}.")
    return tournament, outcome


async def game(request: Request) -> Response:
    """Show the replay of a game."""
    tournament, outcome = await _game(request)
    history, analysis = await run_in_threadpool(_history, tournament, outcome)
    address = f"/t/{tournament.name}/game/{outcome.id}"
    downloads = {
        "Save the game as a page": f"{address}/replay.html",
        "Save the game as an animation (SVG)": f"{address}/animation.svg",
    }
    body = await run_in_threadpool(replay_page.replayer, history, analysis, downloads=downloads)
    queue: AnalysisQueue = request.app.state.analyses
    author = author_of(request)
    logs = await run_in_threadpool(
        lambda: [seat for seat, name in enumerate(outcome.seats) if may_read_log(author, name)]
    )
    return render(
        request,
        "game.html",
        tournament=tournament,
        outcome=outcome,
        title=history.title,
        body=body,
        analysed=analysis is not None,
        waiting=outcome.id in queue.waiting(tournament.folder),
        scripts=replay_page.SCRIPTS,
        logs=logs,
    )


async def game_file(request: Request) -> Response:
    """Return the replay of a game as one file, to be sent to somebody."""
    tournament, outcome = await _game(request)
    history, analysis = await run_in_threadpool(_history, tournament, outcome)
    page = await run_in_threadpool(replay_page.replay_page, history, analysis)
    return Response(page, media_type="text/html", headers=_download(tournament, outcome, "html"))


async def game_animation(request: Request) -> Response:
    """Return a game as an animated picture."""
    tournament, outcome = await _game(request)
    history, _ = await run_in_threadpool(_history, tournament, outcome)
    picture = await run_in_threadpool(animation, history)
    headers = _download(tournament, outcome, "svg")
    return Response(picture, media_type="image/svg+xml", headers=headers)


def _download(tournament: WatchedTournament, outcome: Outcome, ending: str) -> dict[str, str]:
    """Return the headers of a file that a browser saves."""
    name = f"{tournament.name}-{outcome.id[:8]}.{ending}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def log(request: Request) -> Response:
    """Show the log of a bot in a game to its author."""
    tournament = await tournament_of(request)
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
        written=written,
        faults=faults,
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
    Route("/t/{name}/poster.svg", poster),
    Route("/t/{name}/game/{game}", game),
    Route("/t/{name}/game/{game}/replay.html", game_file),
    Route("/t/{name}/game/{game}/animation.svg", game_animation),
    Route("/t/{name}/game/{game}/log/{seat:int}", log),
]
