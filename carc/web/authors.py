"""Who is signed in as an author of bots, and what authors may do: read what their bots wrote, submit new ones."""

from __future__ import annotations

import io
import secrets
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import attrs
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.errors import BadBot, CarcError
from carc.match import Void
from carc.tournaments.checking import GAMES, Step, check
from carc.tournaments.content import read
from carc.tournaments.isolation import host
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.registry import Registry
from carc.visible import visible
from carc.web.pages import page

COOKIE = "carc"
MOST_FILES = 200
MOST_UNPACKED = 40 << 20
MOST_WAITING = 8  # uploads being checked or waiting


def author_of(request: Request) -> str | None:
    """The author whose token the request carries."""
    token = request.cookies.get(COOKIE, "")
    found = None
    for known, author in request.app.state.authors.items():
        if secrets.compare_digest(known.encode(), token.encode()):
            found = str(author)
    return found


def may_read(author: str | None, bot: str) -> bool:
    """Whether a bot is the author's."""
    name = bot.partition("@")[0]
    return author is not None and any(
        each.name == name and each.author == author for each in Registry().submissions()
    )


async def bots(request: Request) -> Response:
    """The submitted bots, and the form to submit one."""
    return await _bots(request, "")


async def _bots(request: Request, wrong: str, code: int = 200) -> Response:
    found = await run_in_threadpool(Registry().submissions)
    return page(
        request, "bots.html", submissions=[one for one in found if not one.withdrawn], author=author_of(request),
        wrong=wrong, visible=visible, code=code,
    )  # fmt: skip


async def sign_in(request: Request) -> Response:
    """Take a token, or sign out with none."""
    form = await request.form(max_files=0, max_fields=2)
    token = str(form.get("token", ""))
    if token and token not in request.app.state.authors:
        return await _bots(request, "this token is nobody's", 403)
    answer = RedirectResponse("/bots", 303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=30 * 24 * 3600)
    return answer


@attrs.define
class Job:
    """An upload being checked."""

    id: str
    author: str
    steps: list[Step] = attrs.Factory(list)
    done: str = ""
    """How it ended."""


class Jobs:
    """Uploads, checked one after another in a thread of their own."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="uploads")

    def find(self, name: str) -> Job | None:
        """The upload of this name."""
        return self._jobs.get(name)

    def add(self, author: str, archive: bytes, registry: Registry) -> Job:
        """Check an archive and store the bot in it if it passes. Raises `BadBot` if too many wait."""
        with self._lock:
            waiting = sum(not job.done for job in self._jobs.values())
            if waiting >= MOST_WAITING:
                raise BadBot(f"{waiting} bots are being checked; try again later")
            while len(self._jobs) >= 100:
                del self._jobs[next(iter(self._jobs))]
            job = Job(secrets.token_urlsafe(12), author)
            self._jobs[job.id] = job
        self._worker.submit(_checked, job, archive, registry)
        return job

    def close(self) -> None:
        """Wait for nothing."""
        self._worker.shutdown(wait=False, cancel_futures=True)


def _checked(job: Job, archive: bytes, registry: Registry) -> None:
    """Unpack, check, store."""
    try:
        with tempfile.TemporaryDirectory(prefix="carc-upload-") as room:
            content = read(unpack(archive, Path(room) / "bot"))
        held = registry.known(content, job.author)
        if held is None:
            for step in check(content, host.strongest(), Clock(), GAMES, seed=secrets.randbits(52)):
                job.steps.append(step)
            if not all(step.passed for step in job.steps):
                job.done = "Not submitted."
                return
            held = registry.add(content, job.author)
            job.done = f"Submitted {held.spec}, digest {held.digest}."
        else:
            job.done = f"This very content is {held.spec}. Nothing is stored."
    except Void as error:
        job.done = f"Void: {error}; try again when the machine is less busy."
    except CarcError as error:
        job.done = f"Not submitted: {error}"
    except Exception:
        job.done = "Not submitted: the server failed."
        raise


def unpack(archive: bytes, target: Path) -> Path:
    """The folder of a bot in a zip archive: plain files of modest size inside `target`. Raises `BadBot`."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            entries = [one for one in files.infolist() if not one.is_dir()]
            if len(entries) > MOST_FILES:
                raise BadBot(
                    f"the archive holds {len(entries)} files; at most {MOST_FILES} are taken"
                )
            size = 0
            for entry in entries:
                place = _inside(entry)
                size += entry.file_size
                if size > MOST_UNPACKED:
                    raise BadBot(f"unpacked it is larger than {MOST_UNPACKED >> 20} MB")
                with files.open(entry) as packed:
                    data = packed.read(entry.file_size + 1)
                if len(data) != entry.file_size:
                    raise BadBot("the archive is damaged")
                path = target / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                if entry.external_attr >> 16 & 0o111:
                    path.chmod(0o755)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise BadBot("the file is no zip archive that can be unpacked") from None
    return _manifested(target)


def _inside(entry: zipfile.ZipInfo) -> PurePosixPath:
    place = PurePosixPath(entry.filename)
    kind = entry.external_attr >> 28
    if place.is_absolute() or ".." in place.parts or "\\" in entry.filename or kind not in (0, 8):
        raise BadBot("the archive names places outside of it or holds links; plain files are taken")
    return place


def _manifested(target: Path) -> Path:
    """The folder with the manifest: the archive's own, or the one folder in it."""
    if not target.is_dir():
        raise BadBot("the archive is empty")
    inner = list(target.iterdir())
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else target


async def upload(request: Request) -> Response:
    """Take a bot from a signed-in author."""
    author = author_of(request)
    if author is None:
        raise HTTPException(403, "Only authors submit bots: sign in with your token.")
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("bot")
        if not isinstance(file, UploadFile) or not file.filename:
            return await _bots(request, "choose a zip archive of your bot's folder", 400)
        archive = await file.read()
    jobs: Jobs = request.app.state.jobs
    try:
        job = jobs.add(author, archive, Registry())
    except BadBot as error:
        return await _bots(request, str(error), 429)
    return RedirectResponse(f"/bots/{job.id}", 303)


async def progress(request: Request) -> Response:
    """How far the check of an upload is."""
    job = request.app.state.jobs.find(request.path_params["job"])
    if job is None or job.author != author_of(request):
        raise HTTPException(404, "There is no such upload.")
    name = "_upload.html" if "part" in request.query_params else "upload.html"
    return page(request, name, job=job, lines=list(_lines(job)), visible=visible)


def _lines(job: Job) -> Iterator[str]:
    for step in list(job.steps):
        yield visible(f"{'pass' if step.passed else 'FAIL'}  {step.name}: {step.detail}")
        for line in step.printed.splitlines():
            yield "      | " + visible(line, keep="\t")


ROUTES = [
    Route("/bots", bots),
    Route("/bots", upload, methods=["POST"]),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/bots/{job}", progress),
]
