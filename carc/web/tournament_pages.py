"""Pages of tournaments: leaderboards, lists of games, replays, logs of bots."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.analysis import GameAnalysis
from carc.drawing import plot, replay_page
from carc.drawing.animation import animation
from carc.drawing.history import MatchHistory
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.reports.sheets import interval
from carc.web import board_pictures
from carc.web.api import page_of
from carc.web.author_pages import author_of, may_read_log
from carc.web.board_cache import Board, GameRow, Snapshot
from carc.web.game_analyses import AnalysisQueue
from carc.web.ladder_answers import turned
from carc.web.rendering import render
from carc.web.replays import download, read_replay, replay_values
from carc.web.review_pages import own_games
from carc.web.suggestions import presets
from carc.web.tournament_reader import TournamentFolder, WatchedTournament

GAMES_ON_PAGE = 50
MOST_CROSS = 30
"""Bots in the cross table, the best ones."""
PATIENCE = 0.1
"""Seconds that a first visitor waits for ratings."""


def _tournaments(request: Request) -> TournamentFolder:
    tournaments: TournamentFolder = request.app.state.tournaments
    return tournaments


def tournament_of(request: Request) -> WatchedTournament:
    """Return the tournament that the address names."""
    tournament = _tournaments(request).find(request.path_params["name"])
    if tournament is None:
        raise HTTPException(404, "There is no such tournament.")
    return tournament


def home(request: Request) -> Response:
    """List the tournaments, and lead to a new table."""
    return render(
        request,
        "home.html",
        tournaments=_boards(_tournaments(request)),
        presets=presets(),
        reviews=own_games(request),
    )


def _boards(tournaments: TournamentFolder) -> list[tuple[WatchedTournament, Board | None]]:
    snapshots = [(each, each.latest()[0]) for each in tournaments.all()]
    return [(each, snapshot.board if snapshot else None) for each, snapshot in snapshots]


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
        "interval": interval,
        "bar": plot.bar,
        "colour": board_pictures.colour,
        "ends": board_pictures.span(snapshot.board) if snapshot and snapshot.board.rows else None,
        "best": snapshot.board.rows[:MOST_CROSS] if snapshot else (),
        "curves": board_pictures.curves,
        "places": [row.bot for row in snapshot.board.rows] if snapshot else [],
    }


def board(request: Request) -> Response:
    """Show the leaderboard."""
    tournament = tournament_of(request)
    return render(request, "board.html", **board_values(tournament, *tournament.wait(PATIENCE)))


def news(request: Request) -> Response:
    """Return the part of the leaderboard that changes; 204 if it has not since `since`."""
    tournament = tournament_of(request)
    snapshot, error = tournament.latest()
    if request.query_params.get("since") == stamp_of(snapshot) and not error:
        return Response(status_code=204)
    return render(request, "_board.html", **board_values(tournament, snapshot, error))


def games(request: Request) -> Response:
    """List the games, filtered by bot and faults."""
    tournament = tournament_of(request)
    snapshot, error = tournament.wait(PATIENCE)
    keys = ("bot", "other", "verdict", "sort")
    filters = {key: request.query_params.get(key, "") for key in keys}
    rows = [game for game in (snapshot and snapshot.games) or () if _is_wanted(game, filters)]
    if filters["sort"] == "margin":
        rows.sort(key=lambda game: -game.margin)
    number, last, first = turned(page_of(request), len(rows), GAMES_ON_PAGE)
    return render(
        request,
        "games.html",
        tournament=tournament,
        snapshot=snapshot,
        error=error,
        filters=filters,
        games=rows[first : first + GAMES_ON_PAGE],
        count=len(rows),
        number=number,
        last=last,
        ok=OK,
        address=request.url.include_query_params,
    )


def poster(request: Request) -> Response:
    """Return the leaderboard as a picture."""
    tournament = tournament_of(request)
    snapshot, error = tournament.wait(PATIENCE)
    if snapshot is None:
        raise HTTPException(404, error or "The games are not rated yet.")
    picture = board_pictures.poster(tournament.name, snapshot.board)
    return Response(picture, media_type="image/svg+xml")


def _is_wanted(game: GameRow, filters: dict[str, str]) -> bool:
    if filters["bot"] and filters["bot"] not in game.seats:
        return False
    if filters["other"] and filters["other"] not in game.seats:
        return False
    faulty = game.verdict != OK or any(verdict != OK for verdict in game.verdicts)
    return {"faults": faulty, "clean": not faulty}.get(filters["verdict"], True)


def _game(request: Request) -> tuple[WatchedTournament, Outcome]:
    """Return the tournament and the game that the address names."""
    tournament = tournament_of(request)
    outcome = tournament.outcome(request.path_params["game"])
    if not outcome.record:
        raise HTTPException(404, f"Game {outcome.id} has no record: {outcome.verdict}.")
    return tournament, outcome


def _replay(
    tournament: WatchedTournament, outcome: Outcome
) -> tuple[MatchHistory, GameAnalysis | None]:
    return read_replay(outcome.record, tournament.folder, outcome.id, outcome.id, outcome.times)


def game(request: Request) -> Response:
    """Show the replay of a game."""
    tournament, outcome = _game(request)
    replay = _replay(tournament, outcome)
    address = f"/t/{tournament.name}/game/{outcome.id}"
    downloads = {
        "Save the game as a page": f"{address}/replay.html",
        "Save the game as an animation (SVG)": f"{address}/animation.svg",
    }
    queue: AnalysisQueue = request.app.state.analyses
    author = author_of(request)
    return render(
        request,
        "game.html",
        **replay_values(*replay, downloads),
        tournament=tournament,
        outcome=outcome,
        waiting=outcome.id in queue.waiting(tournament.folder),
        logs=[seat for seat, name in enumerate(outcome.seats) if may_read_log(author, name)],
    )


def game_file(request: Request) -> Response:
    """Return the replay of a game as one file, to be sent to somebody: a page, or a picture."""
    tournament, outcome = _game(request)
    replay = _replay(tournament, outcome)
    name = f"{tournament.name}-{outcome.id[:8]}"
    if request.url.path.endswith(".svg"):
        return download(animation(replay[0]), f"{name}.svg")
    return download(replay_page.replay_page(*replay), f"{name}.html")


def log(request: Request) -> Response:
    """Show the log of a bot in a game to its author."""
    tournament = tournament_of(request)
    outcome = tournament.outcome(request.path_params["game"])
    seat = int(request.path_params["seat"])
    if seat >= len(outcome.seats) or not may_read_log(author_of(request), outcome.seats[seat]):
        raise HTTPException(403, "Only its author can read the log of a bot. Sign in first.")
    return render(
        request,
        "log.html",
        tournament=tournament,
        outcome=outcome,
        bot=outcome.seats[seat],
        written=outcome.stderr[seat] if outcome.stderr else "",
        faults=[str(fault["detail"]) for fault in outcome.faults if fault["seat"] == seat],
    )


ROUTES = [
    Route("/", home),
    Route("/t/{name}", board),
    Route("/t/{name}/news", news),
    Route("/t/{name}/games", games),
    Route("/t/{name}/poster.svg", poster),
    Route("/t/{name}/game/{game}", game),
    Route("/t/{name}/game/{game}/replay.html", game_file),
    Route("/t/{name}/game/{game}/animation.svg", game_file),
    Route("/t/{name}/game/{game}/log/{seat:int}", log),
]
