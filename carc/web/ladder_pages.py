"""Pages of ladders: the board as it is now, games, activity, bots, and an author's own page."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.history import HistoryPoint
from carc.web import board_pictures
from carc.web import ladder_answers as answers
from carc.web.api import ask_of
from carc.web.ladder_answers import Ask
from carc.web.ladder_data import Version
from carc.web.rendering import render


def _page(path: str, template: str, read: Callable[[Ask], dict[str, Any]]) -> Route:
    """Return the route of a page whose changing part a script asks for, with `since`."""
    return Route(f"/ladder/{{ladder}}{path}", partial(_shown, template, read))


def _shown(template: str, read: Callable[[Ask], dict[str, Any]], request: Request) -> Response:
    ask = ask_of(request)
    values = read(ask)
    stamp = hashlib.sha256(repr(values).encode()).hexdigest()[:16]
    since = request.query_params.get("since")
    if since == stamp:
        return Response(status_code=204)

    def link(**changes: object) -> str:
        url = request.url.remove_query_params("since").include_query_params(**changes)
        return f"{url.path}?{url.query}"

    return render(
        request,
        template if since is None else f"_{template}",
        **values,
        ask=ask,
        ok=OK,
        link=link,
        news=link(since=stamp),
    )


def _board(ask: Ask) -> dict[str, Any]:
    return {"board": answers.board(ask), "live": len(answers.live(ask).games)}


def _live(ask: Ask) -> dict[str, Any]:
    return {"live": answers.live(ask), "queue": answers.queue(ask)}


def _bot(ask: Ask) -> dict[str, Any]:
    versions = answers.versions(ask).versions
    return {
        "bot": next(each.standing for each in versions if each.standing.bot == ask.bot),
        "versions": [each.standing for each in versions],
        "curves": _curves(versions),
        "games": answers.games(ask).games,
    }


def _curves(versions: Sequence[Version]) -> str:
    """Return a picture of the ratings of a bot's versions, each over its own games."""
    named = {each.standing.bot: each.history for each in versions if each.history}
    marks = sorted({point.games for history in named.values() for point in history})
    points = [
        HistoryPoint(
            games,
            {
                bot: max(
                    (point for point in history if point.games <= games), key=attrgetter("games")
                ).mu
                for bot, history in named.items()
                if history[0].games <= games
            },
        )
        for games in marks
    ]
    # The latest are drawn: those that play are among them.
    bots = list(named)[-board_pictures.MOST_CURVES :]
    return board_pictures.curves(points, bots, bots)


def _own(ask: Ask) -> dict[str, Any]:
    if ask.author is None:
        raise HTTPException(403, "Only an author has a page of their own. Sign in first.")
    return {"own": answers.own(ask)}


ROUTES = [
    _page("", "ladder.html", _board),
    _page("/games", "ladder_games.html", lambda ask: {"games": answers.games(ask)}),
    _page("/live", "ladder_live.html", _live),
    _page("/activity", "ladder_activity.html", lambda ask: {"activity": answers.activity(ask)}),
    _page("/bot", "ladder_bot.html", _bot),
    _page("/own", "ladder_own.html", _own),
]
