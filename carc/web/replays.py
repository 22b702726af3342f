"""Replays of games that are over: with their analyses, as parts of pages and as files."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.analysis import GameAnalysis, read_analysis
from carc.analysis.saved import saved_analysis_text
from carc.drawing import replay_page
from carc.drawing.history import MatchHistory, read_history
from carc.drawing.style import asset
from carc.errors import CarcError
from carc.match.record import read_saved_game

_ASSETS: Final = dict.fromkeys(replay_page.STYLES, "text/css") | dict.fromkeys(
    replay_page.SCRIPTS, "text/javascript"
)
_MEDIA: Final = {".html": "text/html", ".jsonl": "application/jsonl", ".svg": "image/svg+xml"}


def read_replay(
    record: str,
    folder: Path,
    game: str,
    source: str = "the game",
    times: Sequence[Sequence[tuple[float, float]]] = (),
) -> tuple[MatchHistory, GameAnalysis | None]:
    """Return a game and its analysis, if one is saved.

    Args:
        record: Its record.
        folder: Where its analysis is saved, as in `saved_analysis_text`.
        game: Its name there.
        source: What error messages call it.
        times: As in `read_history`.
    """
    history = read_history(record, source, (), times)
    analysis = None
    if text := saved_analysis_text(folder, game):
        match, _ = read_saved_game(record, source)
        with suppress(CarcError):  # of another game or version: the replay goes without it
            analysis = read_analysis(text, match, history.rules, source)
    return history, analysis


def replay_values(
    history: MatchHistory, analysis: GameAnalysis | None, downloads: Mapping[str, str]
) -> dict[str, Any]:
    """Return what templates need of a replay; the downloads are as in `replay_page.replayer`."""
    return {
        "title": history.title,
        "body": replay_page.replayer(history, analysis, downloads=downloads),
        "analysed": analysis is not None,
        "scripts": replay_page.SCRIPTS,
    }


def download(text: str, name: str) -> Response:
    """Return a file that a browser saves under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=_MEDIA[Path(name).suffix], headers=headers)


def replay_asset(request: Request) -> Response:
    """Return a file that replays need."""
    name = request.path_params["file"]
    if name not in _ASSETS:
        raise HTTPException(404, "There is no such file.")
    return Response(asset(name), media_type=_ASSETS[name])


ROUTES = [Route("/replay/{file}", replay_asset)]
