"""What the organiser orders, and the socket in the arena's folder by which a service is told.

Where no service runs, an order is carried out on the ledger itself.
"""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import attrs

from carc.arena.ladder import Ladder
from carc.arena.ledger import LadderLedger
from carc.arena.settings import SUBMITTED, BadArena, LadderSettings, Settings, read_settings
from carc.bots import class_path
from carc.bounded import parse_json
from carc.errors import BadBot, CarcError
from carc.files import new_socket
from carc.structured import structured
from carc.tournaments.ledger.file import locked
from carc.tournaments.schedule.entrants import Entrant, enter, is_folder, must_play
from carc.tournaments.submission.registry import Registry

SOCKET: Final = "arena.sock"
_TOLD: Final = {
    "enter": "{} plays in {}",
    "rest": "{} plays no more in {}",
    "void": "game {} of {} is void",
}
_LONGEST: Final = 1 << 16  # bytes of an order or an answer
_PATIENCE: Final = 300.0  # seconds; a bot's rules are tried before it is entered


@attrs.frozen
class Order:
    """One order for a ladder."""

    verb: str
    """`enter`, `rest` or `void`."""
    ladder: str
    what: str
    """A bot or a game."""
    why: str = ""


def ladder_of(settings: Settings, name: str) -> LadderSettings:
    """Return the settings of a ladder; raise `BadArena` if there is none of that name."""
    for ladder in settings.ladders:
        if ladder.name == name:
            return ladder
    names = ", ".join(ladder.name for ladder in settings.ladders)
    raise BadArena(f"there is no ladder {name!r:.60}; there is {names}")


def prepared(order: Order, ladder: LadderSettings) -> Callable[[Ladder | LadderLedger], str]:
    """Return what carries an order out and tells it, after all that takes time.

    Raises:
        CarcError: The order cannot be carried out.
    """
    if order.verb not in _TOLD:
        raise BadArena(f"there is no order {order.verb!r:.40}; there are {', '.join(_TOLD)}")
    named = order.verb == "enter"
    what = entrant_of(order.what, ladder) if named else (order.what, order.why)

    def carry_out(target: Ladder | LadderLedger) -> str:
        getattr(target, order.verb)(*what)
        return _TOLD[order.verb].format(order.what, ladder.name)

    return carry_out


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
    ladder = ladder_of(settings, order.ladder)
    carry_out = prepared(order, ladder)
    with (
        locked(folder),
        LadderLedger.opening(folder / ladder.name, ladder.configuration, settings.epoch) as ledger,
    ):
        return carry_out(ledger)


# -- the socket -----------------------------------------------------------------------------------


@contextmanager
def office(folder: Path, obey: Callable[[Order], str]) -> Iterator[None]:
    """Take orders meanwhile, at a socket that only this user can reach.

    Args:
        folder: Of the arena; nobody else serves it.
        obey: Carries an order out, and returns what is to be told; called in threads.
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

    Raises:
        CarcError: The order could not be carried out, or the service ended meanwhile.
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
