"""What the organiser orders, and the socket in the arena's folder by which a service is told.

Where no service runs, an order is carried out on the ledgers themselves.
"""

import json
import logging
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import attrs

from carc.arena.authors import Authors
from carc.arena.ladder import Ladder
from carc.arena.ledger import LadderLedger
from carc.arena.settings import (
    LOG,
    MOST_LOGGED,
    SUBMITTED,
    BadArena,
    LadderSettings,
    Settings,
    read_settings,
)
from carc.bots import class_path
from carc.bounded import parse_json
from carc.errors import BadBot, CarcError
from carc.files import new_socket
from carc.structured import structured
from carc.tournaments.ledger.file import locked
from carc.tournaments.running.log import logging_to
from carc.tournaments.schedule.entrants import Entrant, enter, is_folder, must_play
from carc.tournaments.submission.registry import Registry

_log = logging.getLogger(__name__)

SOCKET: Final = "arena.sock"
BAN, UNBAN = "ban", "unban"
REASONED: Final = ("remove", "void", BAN)
"""What needs a reason, which is published."""
# By verb: what of an order the method of that name is given, and what is told.
_VERBS: Final = {
    "enter": ((), "{what} plays in {ladder}"),  # given an entrant
    "remove": (("what", "why"), "{what} plays no more in {ladder}"),
    "void": (("what", "why"), "game {what} of {ladder} is void"),
    "pause": ((), "{ladder} is paused: no game begins"),
    "resume": ((), "{ladder} goes on"),
    BAN: (("what", "why"), "{what} is banned from {ladder}"),
    UNBAN: (("what",), "{what} may play in {ladder}"),
}
_LONGEST: Final = 1 << 16  # bytes of an order or an answer
_PATIENCE: Final = 300.0  # seconds; a bot's rules are tried before it is entered

Target = Ladder | LadderLedger
"""What an order changes: a ladder that is played, or the ledger of one that is not."""
Work = Callable[[Target], object]


@attrs.frozen
class Order:
    """What is to be done."""

    verb: str
    """`enter`, `remove`, `void`, `pause`, `resume`, `ban` or `unban`."""
    ladder: str
    """Where; empty for all ladders."""
    what: str = ""
    """A bot, a game or an author."""
    why: str = ""


def ladder_of(settings: Settings, name: str) -> LadderSettings:
    """Return the settings of a ladder; raise `BadArena` if there is none of that name."""
    for ladder in settings.ladders:
        if ladder.name == name:
            return ladder
    names = ", ".join(ladder.name for ladder in settings.ladders)
    raise BadArena(f"there is no ladder {name!r:.60}; there is {names}")


def carry_out(
    order: Order, settings: Settings, authors: Authors, do: Callable[[LadderSettings, Work], None]
) -> str:
    """Carry an order out, where `do` does some work in a ladder, and return what is to be told.

    Raises:
        CarcError: It cannot be carried out.
    """
    if order.verb not in _VERBS:
        raise BadArena(f"there is no order {order.verb!r:.40}; there are {', '.join(_VERBS)}")
    ladders = [ladder_of(settings, order.ladder)] if order.ladder else settings.ladders
    works = [_work(order, ladder) for ladder in ladders]
    if order.verb in (BAN, UNBAN):
        authors.ban(order.what, order.why)
    told = []
    for ladder, work in zip(ladders, works, strict=True):
        do(ladder, work)
        told.append(_VERBS[order.verb][1].format(what=order.what, ladder=ladder.name))
        _log.info("the organiser: %s%s", told[-1], order.why and f" ({order.why})")
    return "\n".join(told)


def _work(order: Order, ladder: LadderSettings) -> Work:
    """Return what carries an order out in a ladder, after all that takes time.

    Raises:
        CarcError: It cannot be carried out.
    """
    names, _ = _VERBS[order.verb]
    given: Sequence[object] = [getattr(order, name) for name in names]
    if order.verb == "enter":
        given = entrant_of(order.what, ladder)
    return lambda target: getattr(target, order.verb)(*given)


def entrant_of(spec: str, ladder: LadderSettings) -> tuple[Entrant, str]:
    """Return the entrant of a shipped or a submitted bot, and its author.

    Raises:
        BadBot: There is no such bot, or it does not play these rules.
    """
    if is_folder(spec) or (":" in spec and not class_path(spec)):
        raise BadBot(f"a ladder has shipped and submitted bots; submit {spec!r:.60} first")
    entrant = enter(spec)
    (rules,) = ladder.configuration.each_rules()
    must_play(entrant, rules)
    if entrant.isolation == "none":
        return entrant, ""
    ladder.require(SUBMITTED)
    return entrant, Registry().find(entrant.spec).author


def give(folder: Path, order: Order) -> str:
    """Have an order carried out, by the service if it runs, and return what is to be told.

    Raises:
        CarcError: It cannot be.
    """
    told = _send(folder, order)
    if told is not None:
        return told
    settings = read_settings(folder)

    def do(ladder: LadderSettings, work: Work) -> None:
        place = folder / ladder.name
        with LadderLedger.opening(place, ladder.configuration, settings.epoch) as ledger:
            work(ledger)

    with locked(folder), logging_to(folder / LOG, MOST_LOGGED):
        return carry_out(order, settings, Authors(folder), do)


# -- the socket -----------------------------------------------------------------------------------


@contextmanager
def office(folder: Path, obey: Callable[[Order], str]) -> Iterator[None]:
    """Take orders meanwhile, at a socket that only this user can reach.

    `obey` carries an order out, and returns what is to be told; it is called in threads.
    """

    class Desk(socketserver.StreamRequestHandler):
        timeout = _PATIENCE

        def handle(self) -> None:
            told: dict[str, str] = {}
            try:
                order = structured(Order, parse_json(self.rfile.readline(_LONGEST)), "an order")
                told["told"] = obey(order)
            except (CarcError, ValueError) as error:
                told["error"] = str(error)
            with suppress(OSError):
                self.wfile.write(json.dumps(told).encode() + b"\n")

    path = folder / SOCKET
    with new_socket(path):
        server = socketserver.ThreadingUnixStreamServer(str(path), Desk)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="office", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        path.unlink(missing_ok=True)


def _send(folder: Path, order: Order) -> str | None:
    """Send an order to the service, and return what it tells; None if none runs.

    Raises `CarcError` if it could not be carried out, or if the service ended meanwhile.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_PATIENCE)
        try:
            connection.connect(str(folder / SOCKET))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        try:
            connection.sendall(json.dumps(attrs.asdict(order)).encode() + b"\n")
            with connection.makefile("rb") as file:
                answer: dict[str, Any] = parse_json(file.readline(_LONGEST))
        except (OSError, ValueError):
            raise CarcError(
                "the service ended before it answered; carc arena status says"
            ) from None
    if "told" not in answer:
        raise CarcError(str(answer.get("error")))
    return str(answer["told"])
