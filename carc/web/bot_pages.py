"""Pages of the bots of a tournament: one bot, two compared, analyses of games on request."""

from collections.abc import Collection, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.analysis.saved import FOLDER
from carc.errors import CarcError
from carc.tournaments.rating.ratings import Standing
from carc.web import bot_summary
from carc.web.board_cache import GameRow, Snapshot
from carc.web.bot_comparison import compare
from carc.web.bot_summary import Loss
from carc.web.game_analyses import AnalysisQueue
from carc.web.rendering import render
from carc.web.tournament_pages import PATIENCE, board_values, stamp_of, tournament_of
from carc.web.tournament_reader import WatchedTournament

ANALYSED_AT_ONCE = 5
"""Losses that one request has analysed."""


def _read(request: Request) -> tuple[WatchedTournament, Snapshot | None]:
    """Return the tournament that the address names, and what is known of it."""
    tournament = tournament_of(request)
    snapshot, error = tournament.wait(PATIENCE)
    if error:
        raise HTTPException(404, error)
    return tournament, snapshot


def _row(snapshot: Snapshot, name: str) -> Standing:
    """Return the row of a bot on the board."""
    for row in snapshot.board.rows:
        if row.bot == name:
            return row
    raise HTTPException(404, "There is no such bot, or it is not rated yet.")


def _bot_stamp(
    tournament: WatchedTournament,
    snapshot: Snapshot | None,
    waiting: Collection[str],
    playing: str,
) -> str:
    """Return a text that changes when the page of a bot does."""
    try:
        analyses = (tournament.folder / FOLDER).stat().st_mtime_ns
    except OSError:
        analyses = 0
    games = snapshot is not None and snapshot.games is not None
    return f"{stamp_of(snapshot)}-{games:d}-{analyses:x}-{len(waiting)}-{playing}"


def _bot(
    tournament: WatchedTournament,
    snapshot: Snapshot | None,
    name: str,
    queue: AnalysisQueue,
    playing: str,
) -> dict[str, Any]:
    """Return what the page of a bot shows."""
    games: Sequence[GameRow] = (snapshot and snapshot.games) or ()
    folder = tournament.folder
    losses = bot_summary.losses(name, games, folder)
    seats = bot_summary.results_by_seat(name, games)
    waiting = queue.waiting(folder)
    return {
        **board_values(tournament, snapshot, ""),
        "bot": name,
        "row": _row(snapshot, name) if snapshot else None,
        "games": snapshot and snapshot.games,
        "opponents": bot_summary.results_by_opponent(name, games),
        "seats": seats,
        "losses": losses,
        "lost": sum(each.games - each.wins for each in seats),
        "analysed": any(each.costly is not None for each in losses),
        "playing": playing,
        "to_analyse": [] if playing else _to_analyse(losses, waiting),
        "waiting": [each.game.id for each in losses if each.game.id in waiting],
        "failed": {each.game.id: queue.failure(folder, each.game.id) for each in losses},
        "versions": bot_summary.versions(name, snapshot.board) if snapshot else [],
        "stamp": _bot_stamp(tournament, snapshot, waiting, playing),
    }


def _to_analyse(losses: Sequence[Loss], waiting: Collection[str]) -> list[str]:
    """Return the worst losses that are not analysed; none while one waits for it."""
    if any(each.game.id in waiting for each in losses):
        return []
    return [each.game.id for each in losses if each.costly is None][:ANALYSED_AT_ONCE]


def bot(request: Request) -> Response:
    """Show the results of one bot; with `since`, only the part that changes, or 204."""
    tournament, snapshot = _read(request)
    name = request.query_params.get("bot", "")
    queue: AnalysisQueue = request.app.state.analyses
    playing = request.app.state.tournaments.being_played()
    since = request.query_params.get("since")
    if since == _bot_stamp(tournament, snapshot, queue.waiting(tournament.folder), playing):
        return Response(status_code=204)
    values = _bot(tournament, snapshot, name, queue, playing)
    return render(request, "bot.html" if since is None else "_bot.html", **values)


def comparison(request: Request) -> Response:
    """Show two bots side by side."""
    tournament, snapshot = _read(request)
    first, second = (request.query_params.get(key, "") for key in "ab")
    compared = None
    if snapshot is not None and snapshot.games is not None:
        _row(snapshot, first)
        _row(snapshot, second)
        if first == second:
            raise HTTPException(404, "Choose two different bots.")
        compared = compare(first, second, snapshot.board, snapshot.games)
    return render(
        request,
        "compare.html",
        **board_values(tournament, snapshot, ""),
        first=first,
        second=second,
        compared=compared,
    )


async def analyse(request: Request) -> Response:
    """Have a game analysed, or the worst losses of a bot, and lead back to the page."""
    form = await request.form(max_files=0, max_fields=2)
    game, name = str(form.get("game", "")), str(form.get("bot", ""))
    return await run_in_threadpool(_analyse, request, game, name)


def _analyse(request: Request, game: str, name: str) -> Response:
    tournament, snapshot = _read(request)
    queue: AnalysisQueue = request.app.state.analyses
    if playing := request.app.state.tournaments.being_played():
        raise CarcError(f"games can be analysed when the tournament {playing} has ended")
    if game:
        outcome = tournament.outcome(game)
        if not outcome.record:
            raise HTTPException(404, f"Game {game} has no record.")
        queue.add(tournament.folder, [outcome.id])
        return RedirectResponse(f"/t/{tournament.name}/game/{outcome.id}", 303)
    if snapshot is None or snapshot.games is None:
        raise HTTPException(404, "The games are still being read.")
    _row(snapshot, name)
    values = _bot(tournament, snapshot, name, queue, playing)
    queue.add(tournament.folder, values["to_analyse"])
    address = request.url_for("bot", name=tournament.name).include_query_params(bot=name)
    return RedirectResponse(f"{address.path}?{address.query}", 303)


def analysis_news(request: Request) -> Response:
    """Return what has become of the analysis of a game; 204 while it waits."""
    tournament = tournament_of(request)
    outcome = tournament.outcome(request.path_params["game"])
    queue: AnalysisQueue = request.app.state.analyses
    if outcome.id in queue.waiting(tournament.folder):
        return Response(status_code=204)
    failure = queue.failure(tournament.folder, outcome.id)
    return render(
        request, "_analysed.html", tournament=tournament, outcome=outcome, failure=failure
    )


ROUTES = [
    Route("/t/{name}/bot", bot, name="bot"),
    Route("/t/{name}/compare", comparison),
    Route("/t/{name}/analyse", analyse, methods=["POST"]),
    Route("/t/{name}/game/{game}/analysis", analysis_news),
]
