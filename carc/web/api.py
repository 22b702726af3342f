"""The API: what pages of ladders show, as JSON, described at `/openapi.json`."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

import attrs
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from carc.arena import upload
from carc.arena.upload import Upload
from carc.bounded import whole_number
from carc.tournaments.submission.registry import Registry
from carc.web import feeds
from carc.web import ladder_answers as answers
from carc.web import ladder_data as data
from carc.web.author_pages import author_of
from carc.web.ladder_answers import Ask
from carc.web.openapi import NOT_MODIFIED, PLAIN, Operation, Parameter, document
from carc.web.tournament_reader import TournamentFolder, WatchedTournament
from carc.web.uploads import UploadQueue

PREFIX: Final = "/api/"
_LADDER: Final = (Parameter("ladder", "The name of a ladder."),)
_BOT: Final = Parameter(
    "bot", "A bot; of NAME without @VERSION the one that plays, or the latest.", required=True
)
_OF_BOT: Final = Parameter("bot", "Only games of this bot.")
_GAME: Final = Parameter("game", "The id of a game, or the beginning of it.")
_PAGE: Final = Parameter("page", "Which page; the last if there are fewer.", kind=int)
_FAULTS: Final = Parameter(
    "faults", "`true`: only the last 50 games in which they were at fault.", kind=bool
)
_CODES: Final = {400: "the question cannot be understood", 404: "that is not there"}
_OF_LADDER: Final = "/api/ladders/{ladder}"


@attrs.frozen
class Answer:
    """An operation about a ladder, and what answers it."""

    operation: Operation
    read: Callable[[Ask], Any]


def _about(
    name: str,
    path: str,
    summary: str,
    answer: type,
    read: Callable[[Ask], Any],
    *query: Parameter,
    game: bool = False,
    needs: str = "",
) -> Answer:
    parts = (*_LADDER, _GAME) if game else _LADDER
    codes = {**_CODES, **({401: "an author's token is wanted"} if needs else {})}
    operation = Operation(
        name, f"{_OF_LADDER}{path}", summary, answer, parts, query, needs, codes=codes
    )
    return Answer(operation, read)


ANSWERS: Final = (
    _about("ladder", "", "A ladder and the end of its chain.", data.Ladder, answers.ladder),
    _about("board", "/board", "The bots that play, best first.", data.Board, answers.board, _PAGE),
    _about("bot", "/bot", "How a bot stands.", data.Place, answers.bot, _BOT),
    _about(
        "versions", "/versions", "The versions of a bot, each with the history of its rating.",
        data.Versions, answers.versions, _BOT,
    ),
    _about(
        "games", "/games", "The games that have ended, the latest first.",
        data.Games, answers.games, _OF_BOT, _PAGE,
    ),
    _about(
        "game", "/games/{game}", "A game that has ended, with its record.",
        data.Game, answers.game, game=True,
    ),
    _about("live", "/live", "The games under way.", data.Live, answers.live),
    _about(
        "position", "/live/{game}", "A game under way, as far as it was played.",
        data.Position, answers.position, game=True,
    ),
    _about("queue", "/queue", "Who can be given a game now.", data.Queue, answers.queue),
    _about("activity", "/activity", "What happened last.", data.Activity, answers.activity),
    _about("head", "/head", "The end of the chain.", data.Head, answers.head),
    _about(
        "own", "/own", "The bots of the author who asks: games, faults, what they printed.",
        data.Own, answers.own, _OF_BOT, _PAGE, _FAULTS, needs="token",
    ),
)  # fmt: skip
LADDERS: Final = Operation("ladders", "/api/ladders", "All ladders.", data.Ladders)


def ladder_named(request: Request, name: str) -> WatchedTournament:
    """Return the ladder of a name, or raise 404."""
    tournaments: TournamentFolder = request.app.state.tournaments
    found = tournaments.find(name)
    if found is None or not found.is_ladder:
        raise HTTPException(404, "There is no such ladder.")
    return found


def ask_of(request: Request) -> Ask:
    """Return what a request asks of the ladder that its address names."""
    tournament = ladder_named(request, request.path_params["ladder"])
    return Ask(
        tournament,
        request.app.state.arena,
        request.app.state.spectators,
        bot=answers.full_name(tournament, request.query_params.get("bot", "")),
        page=page_of(request),
        game=request.path_params.get("game", ""),
        author=author_of(request),
        faults=request.query_params.get("faults") == "true",
    )


def page_of(request: Request) -> int:
    """Return the number of the page that a request asks for; the first if that is none."""
    return max(whole_number(request.query_params.get("page", ""), 6, 1), 1)


def _json(answer: attrs.AttrsInstance, code: int = 200) -> Response:
    return JSONResponse(attrs.asdict(answer), code)


def _route(answer: Answer) -> Route:
    def respond(request: Request) -> Response:
        ask = ask_of(request)
        if answer.operation.needs and ask.author is None:
            raise HTTPException(401, "An author's token is wanted.")
        for each in answer.operation.query:
            if each.required and each.name not in request.query_params:
                raise HTTPException(400, f"The address has no {each.name}.")
        return _json(answer.read(ask))

    return Route(answer.operation.path, respond)


def ladders(request: Request) -> Response:
    """List the ladders."""
    tournaments: TournamentFolder = request.app.state.tournaments
    found = (each for each in tournaments.all() if each.is_ladder)
    arena = request.app.state.arena
    return _json(data.Ladders(tuple(answers.ladder(Ask(each, arena)) for each in found)))


@attrs.frozen
class PlayableLadder:
    """A ladder that takes remote bots.

    Attributes:
        name: Its name.
        rules: The spec of the rules.
        rules_version: Their version.
        players: How many sit at a table.
        clock: The clock of each bot.
    """

    name: str
    rules: str
    rules_version: str
    players: int
    clock: str


@attrs.frozen
class Playable:
    """What remote bots can play.

    Attributes:
        ladders: The ladders.
        latency: Seconds of each answer that are put down to the network, at most.
    """

    ladders: tuple[PlayableLadder, ...]
    latency: float


@attrs.frozen
class Failure:
    """Why there is no answer.

    Attributes:
        error: A sentence.
    """

    error: str


_UPLOADED: Final = {401: "an author's token is wanted", 403: "the author may not submit bots"}
SUBMIT: Final = Operation(
    "submit", upload.PATH, "A bot, a zip archive of up to 20 MB, was taken and is checked.",
    Upload,
    needs="token", takes=upload.MEDIA, code=202,
    codes={
        **_UPLOADED, 409: "no bots are submitted here",
        429: "too many uploads",
    },
)  # fmt: skip
UPLOAD: Final = Operation(
    "upload", f"{upload.PATH}/{{upload}}", "An uploaded bot and its check, to its author.", Upload,
    (Parameter("upload", "The id of the upload."),),
    needs="token", codes={**_UPLOADED, 404: "that is not there"},
)  # fmt: skip
_AUTHOR: Final = Parameter("author", "The name of an author.")
_PLAYING: Final = (
    _BOT,
    Parameter("version", "The version of the bot.", required=True),
    Parameter("session", "A random text that stands for what the bot remembers.", required=True),
    Parameter("ladder", "Where it plays; everywhere if this is not given.", several=True),
)
_LINES: Final = "application/x-ndjson"
_REFUSED: Final = {400: "the address is not whole", 401: "the token is not known"}
OTHERS: Final = (
    Operation(
        "playable", "/arena/ladders", "What remote bots can play, where the arena runs.",
        Playable,
    ),
    Operation(
        "listen", "/arena/play", "The lines for a remote bot, as long as it is connected.",
        _LINES, query=_PLAYING, needs="token", refusal=PLAIN,
        codes={
            **_REFUSED, 403: "the author is banned", 409: "the bot cannot play so",
            429: "too many connections", 503: "the arena ends; come back later",
        },
    ),
    Operation(
        "speak", "/arena/play", "Take lines of a remote bot.",
        "", query=_PLAYING, needs="token", takes=_LINES, code=204, refusal=PLAIN,
        codes={**_REFUSED, 409: "the session is over"},
    ),
    Operation(
        "feed", f"{_OF_LADDER}/feed", "An Atom feed of the last results of a bot, or of an author.",
        feeds.TYPE, _LADDER, (attrs.evolve(_BOT, required=False), _AUTHOR),
        codes={**_CODES, NOT_MODIFIED: "nothing has changed since the answer of this ETag"},
    ),
)  # fmt: skip
DOCUMENT: Final = document(
    [LADDERS, *(each.operation for each in ANSWERS), *OTHERS, SUBMIT, UPLOAD], Failure
)


def _author_wanted(request: Request) -> str:
    if request.app.state.author is None:
        raise HTTPException(403, "This server has no authors, so it takes no bots.")
    author = author_of(request)
    if author is None:
        raise HTTPException(401, "This token is not known here; an author's token is wanted.")
    return author


async def submit(request: Request) -> Response:
    """Take a bot from an author, and begin its check."""
    author = await run_in_threadpool(_author_wanted, request)
    queue: UploadQueue = request.app.state.uploads
    return _json(queue.add(author, await request.body(), Registry()), 202)


def uploaded(request: Request) -> Response:
    """Tell an author how the check of a bot goes."""
    queue: UploadQueue = request.app.state.uploads
    return _json(queue.of(_author_wanted(request), request.path_params["upload"]))


def feed(request: Request) -> Response:
    """Return the results of a bot or of an author's bots as an Atom feed."""
    ask = ask_of(request)
    author = request.query_params.get("author", "")
    origin = f"{request.url.scheme}://{request.url.netloc}"
    bots, games = answers.results(ask, author)
    text = feeds.feed(origin, ask.tournament.name, author or ask.bot, bots, games)
    tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=NOT_MODIFIED, headers={"ETag": tag})
    return Response(text, media_type=feeds.TYPE, headers={"ETag": tag})


def description(request: Request) -> Response:
    """Describe the API; where no arena runs, without its addresses for remote bots."""
    arena = request.app.state.arena
    paths = {at: each for at, each in DOCUMENT["paths"].items() if arena or at.startswith(PREFIX)}
    return JSONResponse({**DOCUMENT, "paths": paths})


def failure(message: str, code: int) -> Response:
    """Return why there is no answer."""
    return _json(Failure(message), code)


ROUTES = [
    Route("/openapi.json", description),
    Route(LADDERS.path, ladders),
    Route(SUBMIT.path, submit, methods=["POST"]),
    Route(UPLOAD.path, uploaded),
    *map(_route, ANSWERS),
    Route(f"{_OF_LADDER}/feed", feed),
]
