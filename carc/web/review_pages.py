"""Pages on which visitors review games of theirs that were played elsewhere."""

import asyncio
import contextlib
from typing import Any, Final

import attrs
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.analysis.saved import saved_analysis
from carc.drawing import replay_page
from carc.errors import CarcError
from carc.web.game_analyses import AnalysisQueue, analyse_file
from carc.web.rendering import render
from carc.web.replays import download, read_replay, replay_values
from carc.web.reviews import MOST_AT_ONCE, Review, Reviews, read_games
from carc.web.visitors import keep_cookie

COOKIE: Final = "carc-visitor"
MOST_WAITING: Final = 60
"""Games of all visitors that may wait for their analysis."""
_reading = asyncio.Lock()  # one visitor's games are read at a time, so that no thread waits


@attrs.frozen
class _Row:
    """A game in the list of a visitor, with its players and scores, and what is known of it."""

    id: str
    title: str
    status: str


def _visitor(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _queue(request: Request) -> AnalysisQueue:
    queue: AnalysisQueue = request.app.state.analyses
    return queue


def own_games(request: Request) -> list[_Row]:
    """Return the games of the visitor, the latest first."""
    reviews: Reviews = request.app.state.reviews
    return _rows(reviews.games(_visitor(request)), _queue(request))


def _rows(games: list[Review], queue: AnalysisQueue) -> list[_Row]:
    rows = []
    for game in games:
        with contextlib.suppress(CarcError):  # of another version of the rules
            rows.append(_Row(game.id, game.title, _status(game, queue)))
    return rows


def _status(game: Review, queue: AnalysisQueue) -> str:
    if game.id in queue.waiting(game.folder):
        return "is being analysed"
    analysis = saved_analysis(game.folder, game.id)
    if analysis is None:
        return queue.failure(game.folder, game.id)
    marked = sum(bool(move.mark) for move in analysis.moves)
    return f"{marked} marked {'move' if marked == 1 else 'moves'}"


def reviews_page(request: Request, error: str = "", code: int = 200) -> Response:
    """Show the form and the visitor's games."""
    return render(request, "reviews.html", reviews=own_games(request), error=error, code=code)


async def bring(request: Request) -> Response:
    """Take links and files, and have their games analysed."""
    try:
        texts = await _texts(request)
        async with _reading:
            games = await run_in_threadpool(read_games, [each for each in texts if each[1]])
        reviews: Reviews = request.app.state.reviews
        visitor, names = await run_in_threadpool(reviews.add, _visitor(request), games)
    except CarcError as error:
        return await run_in_threadpool(reviews_page, request, str(error), 400)
    with contextlib.suppress(CarcError):  # too many are waiting: the page of each asks again
        _analyse(request, visitor, names)
    response = RedirectResponse(f"/review/{names[0]}" if len(names) == 1 else "/review", 303)
    keep_cookie(response, request, COOKIE, visitor)
    return response


async def _texts(request: Request) -> list[tuple[str, str]]:
    """Return the links and the texts of the files in a form, each with what messages call it.

    Raises `CarcError` if a file is no text.
    """
    async with request.form(max_files=MOST_AT_ONCE, max_fields=4) as form:
        texts = [("the link", str(form.get("links", "")).strip())]
        for file in form.getlist("files"):
            if isinstance(file, UploadFile) and file.filename:
                try:
                    texts.append((file.filename, (await file.read()).decode()))
                except UnicodeDecodeError:
                    raise CarcError(f"{file.filename} is not text in UTF-8") from None
    return texts


def _analyse(request: Request, visitor: str, names: list[str]) -> None:
    """Queue games of a visitor.

    Raises `CarcError` if too many are waiting, or while a tournament is played.
    """
    if playing := request.app.state.tournaments.being_played():
        raise CarcError(f"games are analysed when the tournament {playing} has ended")
    folder = request.app.state.reviews.folder(visitor)
    if folder is not None:
        _queue(request).add(folder, names, analyse_file, MOST_WAITING)


def _found(request: Request) -> Review:
    """Return the visitor's game that the address names."""
    reviews: Reviews = request.app.state.reviews
    game = reviews.find(_visitor(request), request.path_params["game"])
    if game is None:
        raise HTTPException(404, "There is no such game of yours. Was it another browser's?")
    return game


def review(request: Request) -> Response:
    """Show a game, with its marks once it is analysed."""
    game = _found(request)
    downloads = {
        "Save the game as a page": f"/review/{game.id}/replay.html",
        "Save the record": f"/review/{game.id}/game.jsonl",
    }
    replay = replay_values(*read_replay(game.record, game.folder, game.id), downloads)
    return render(request, "review.html", game=game, **replay, **_state(request, game))


def _state(request: Request, game: Review) -> dict[str, Any]:
    """Return what the bar shows."""
    queue = _queue(request)
    done, total = queue.progress(game.folder, game.id)
    return {
        "waiting": game.id in queue.waiting(game.folder),
        "failure": queue.failure(game.folder, game.id),
        "done": done,
        "total": total,
    }


def progress(request: Request) -> Response:
    """Return the bar of a game that is being analysed, or a link to what was found."""
    game = _found(request)
    return render(request, "_review_progress.html", game=game, **_state(request, game))


def analyse(request: Request) -> Response:
    """Have a game analysed that is not yet."""
    game = _found(request)
    _analyse(request, _visitor(request), [game.id])
    return RedirectResponse(f"/review/{game.id}", 303)


def remove(request: Request) -> Response:
    """Forget a game."""
    request.app.state.reviews.remove(_visitor(request), _found(request).id)
    return RedirectResponse("/review", 303)


def page_file(request: Request) -> Response:
    """Return the replay of a game as one file."""
    game = _found(request)
    replay = read_replay(game.record, game.folder, game.id)
    return download(replay_page.replay_page(*replay), "game.html")


def record_file(request: Request) -> Response:
    """Return the record of a game."""
    return download(_found(request).record, "game.jsonl")


ROUTES = [
    Route("/review", reviews_page),
    Route("/review", bring, methods=["POST"]),
    Route("/review/{game}", review),
    Route("/review/{game}/progress", progress),
    Route("/review/{game}/analyse", analyse, methods=["POST"]),
    Route("/review/{game}/remove", remove, methods=["POST"]),
    Route("/review/{game}/replay.html", page_file),
    Route("/review/{game}/game.jsonl", record_file),
]
