"""A bot that its author submits to an arena: packed, sent, and followed until its check ends."""

import io
import zipfile
from collections.abc import Callable
from http.client import HTTPException
from time import sleep
from typing import Final

import attrs

from carc.arena.address import Address, reason, refusal
from carc.bounded import parse_json
from carc.errors import CarcError
from carc.structured import structured
from carc.tournaments.submission.checking import Step
from carc.tournaments.submission.content import Content

PATH: Final = "/api/bots"
MEDIA: Final = "application/zip"
MOST_ARCHIVE: Final = 20 << 20
"""Bytes that an archive may have."""
LOOK: Final = 0.5  # seconds between two looks at a check
_LONGEST: Final = 4 << 20  # bytes of an answer
_PLAIN_FILE: Final = 0o100000


@attrs.define
class Upload:
    """A bot that was uploaded, and its check. Who reads the outcome first knows the rest too.

    Attributes:
        id: Its name in addresses.
        author: Who uploaded it.
        outcome: How the check ended, in sentences; empty while it runs.
        steps: The steps of the check so far.
        bot: NAME@VERSION as which it is submitted; empty if it is not.
    """

    id: str
    author: str
    outcome: str
    steps: tuple[Step, ...]
    bot: str


def packed(content: Content) -> bytes:
    """Return a bot as a zip archive.

    Raises:
        CarcError: It is too large.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        for path, file in content.files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (_PLAIN_FILE | (0o755 if file.executable else 0o644)) << 16
            files.writestr(entry, file.data, zipfile.ZIP_DEFLATED)
    data = archive.getvalue()
    if len(data) > MOST_ARCHIVE:
        raise CarcError(
            f"packed, the bot has {len(data) / 2**20:.1f} MB, and an arena takes at most "
            f"{MOST_ARCHIVE >> 20}; exclude in bot.toml what it can do without"
        )
    return data


def submit(arena: Address, content: Content, say: Callable[[Step], None]) -> Upload:
    """Submit a bot, tell each step of its check, and return it when that has ended.

    Raises:
        CarcError: The arena is not reached, or does not take it.
    """
    current = _asked(arena, "POST", PATH, packed(content))
    told = 0
    while True:
        for step in current.steps[told:]:
            say(step)
        told = len(current.steps)
        if current.outcome:
            return current
        sleep(LOOK)
        try:
            current = _asked(arena, "GET", f"{PATH}/{current.id}")
        except CarcError as error:
            raise CarcError(
                f"{error}; call the command again to learn how the check ends"
            ) from None


def _asked(arena: Address, method: str, path: str, archive: bytes | None = None) -> Upload:
    connection, more = arena.connection(), {"Content-Type": MEDIA} if archive else {}
    try:
        connection.request(method, arena.path(path), archive, arena.headers | more)
        with connection.getresponse() as response:
            if archive and response.status in (404, 405):
                raise CarcError(f"{arena.url} is no arena of carc, or an older one")
            if response.status not in (200, 202):
                raise CarcError(f"{arena.url}: {refusal(response).removesuffix('.')}")
            text = response.read(_LONGEST)
    except (OSError, HTTPException) as error:
        raise CarcError(f"{arena.url} is not reached ({reason(error)})") from None
    finally:
        connection.close()
    try:
        return structured(Upload, parse_json(text), "an answer")
    except ValueError:
        raise CarcError(f"{arena.url} is no arena of carc") from None
