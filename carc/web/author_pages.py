"""Pages for authors of bots: signing in, submitting a bot, following its check."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.arena.door import Refused
from carc.tournaments.submission.registry import Registry
from carc.web.rendering import render
from carc.web.uploads import UploadQueue

COOKIE = "carc"
_SIGNED_IN = 30 * 24 * 3600  # seconds


def author_of(request: Request) -> str | None:
    """Return the author whose token a request carries."""
    return _author(request, bearer(request) or request.cookies.get(COOKIE, ""))


def bearer(request: HTTPConnection) -> str:
    """Return the token in the headers of a request; empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _author(request: Request, token: str) -> str | None:
    author: Callable[[str], str | None] | None = request.app.state.author
    return author(token) if author is not None else None


def may_read_log(author: str | None, bot: str) -> bool:
    """Return True if a bot is the author's."""
    name = bot.partition("@")[0]
    return author is not None and any(
        submission.name == name and submission.author == author
        for submission in Registry().submissions()
    )


def bots(request: Request, error: str = "", code: int = 200) -> Response:
    """Show the submitted bots, and the form to submit one."""
    return render(
        request,
        "bots.html",
        ladders=[each.name for each in request.app.state.tournaments.all() if each.is_ladder],
        submissions=[each for each in Registry().submissions() if not each.withdrawn],
        author=author_of(request),
        error=error,
        code=code,
    )


async def sign_in(request: Request) -> Response:
    """Sign an author in by a token, or out without one."""
    form = await request.form(max_files=0, max_fields=2)
    token = str(form.get("token", ""))
    if token and _author(request, token) is None:
        return await run_in_threadpool(bots, request, "This token is not known.", 403)
    response = RedirectResponse("/bots", 303)
    response.set_cookie(
        COOKIE,
        token,
        httponly=True,
        samesite="strict",
        max_age=_SIGNED_IN,
        secure=request.url.scheme == "https",
    )
    return response


async def upload(request: Request) -> Response:
    """Take a bot from a signed-in author."""
    author = author_of(request)
    if author is None:
        raise HTTPException(403, "Only authors can submit bots. Sign in with your token.")
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("bot")
        if not isinstance(file, UploadFile) or not file.filename:
            return await run_in_threadpool(
                bots, request, "Choose a zip archive of your bot's folder.", 400
            )
        archive = await file.read()
    queue: UploadQueue = request.app.state.uploads
    try:
        added = queue.add(author, archive, Registry())
    except Refused as error:
        return await run_in_threadpool(bots, request, str(error), error.code)
    return RedirectResponse(f"/bots/{added.id}", 303)


def progress(request: Request) -> Response:
    """Show the check of an upload to its author."""
    queue: UploadQueue = request.app.state.uploads
    current = queue.of(author_of(request), request.path_params["upload"])
    name = "_upload.html" if "part" in request.query_params else "upload.html"
    return render(request, name, upload=current)


ROUTES = [
    Route("/bots", bots),
    Route("/bots", upload, methods=["POST"]),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/bots/{upload}", progress),
]
