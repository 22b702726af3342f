"""The command `carc serve`."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carc.arena.door import author_of
from carc.bots import SHIPPED, by_name
from carc.bounded import parse_toml, read_named
from carc.commands.options import BOTS, FILE_PATH, FOLDER_PATH, PORT, with_options
from carc.errors import CarcError
from carc.puzzles.puzzle import read_puzzles

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

# Seconds after which a thinking bot yields to other threads: a click passes through several.
_SWITCH_INTERVAL = 0.0005
_LEAST_TOKEN = 16  # characters
SLOWEST = 60_000
"""Milliseconds after which who reads nothing of an answer is dropped."""
HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""The names that a server here has always."""


server_options = with_options(
    click.option("--host", default="127.0.0.1", help="Address to listen on."),
    click.option("--port", default=8000, type=PORT),
    click.option(
        "--name", "names", multiple=True, help="A host name of the server; may be given repeatedly."
    ),
)


@click.command("serve")
@click.argument("folder", type=FOLDER_PATH, default=Path("runs"), required=False)
@server_options
@click.option("--bots", type=BOTS, help="Bots to play against.  [default: all shipped]")
@click.option(
    "--authors",
    type=FILE_PATH,
    help='A TOML file of AUTHOR = "TOKEN": who may submit bots and read their logs.',
)
@click.option(
    "--puzzles",
    type=FILE_PATH,
    help="A file of puzzles to solve.  [default: those that ship with carc]",
)
def serve_command(
    *,
    folder: Path,
    host: str,
    port: int,
    names: tuple[str, ...],
    bots: tuple[str, ...] | None,
    authors: Path | None,
    puzzles: Path | None,
) -> None:
    """Serve the tournaments in FOLDER, and tables to play at, to browsers."""
    try:
        from carc.web.app import make_app  # noqa: PLC0415 (the extra may be missing)
    except ImportError as error:
        raise CarcError(f"carc serve needs {error.name}: pip install 'carc[web]'") from None
    offered = list(bots or SHIPPED)
    for name in offered:
        by_name(name)  # a mistake shows at once
    app = make_app(
        folder,
        hosts=[*HOSTS, host, *names],
        bots=offered,
        author=None if authors is None else _authors(authors),
        puzzles=None if puzzles is None else read_puzzles(puzzles),
    )
    place = listen(host, port)
    click.echo(f"carc serves {folder} at {address(place, host)}", err=True)
    server(app).run(sockets=[place])


def listen(host: str, port: int) -> socket.socket:
    """Return what listens on a port, or raise `CarcError`."""
    try:
        ((family, *_), *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        place = socket.create_server((host, port), family=family)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections have it from here
            place.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SLOWEST)
        return place
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise CarcError(f"cannot listen on {host}:{port}: {why}") from None


def address(place: socket.socket, host: str) -> str:
    """Return the address of what listens, for a browser."""
    return f"http://{host}:{place.getsockname()[1]}/"


def server(app: Starlette, **options: Any) -> uvicorn.Server:
    """Return the server of the application; the options are uvicorn's."""
    import uvicorn  # noqa: PLC0415 (the extra may be missing)

    from carc.web.rendering import compile_templates  # noqa: PLC0415

    compile_templates()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    usual = {"timeout_keep_alive": 30, "timeout_graceful_shutdown": 2}
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            limit_concurrency=2000,
            server_header=False,
            **{**usual, **options},
        )
    )


def _authors(path: Path) -> Callable[[str], str | None]:
    """Return what tells the author of a token."""
    try:
        data = parse_toml(read_named(path))
    except ValueError as error:
        raise CarcError(f"{path}: not TOML: {error}") from None
    for author, token in data.items():
        if not isinstance(token, str) or len(token) < _LEAST_TOKEN:
            raise CarcError(
                f"{path}: the token of {author!r} must be a string of at least"
                f" {_LEAST_TOKEN} characters"
            )
    if len(set(data.values())) < len(data):
        raise CarcError(f"{path}: two authors have the same token")
    hashes = {author: sha256(token.encode()).hexdigest() for author, token in data.items()}
    return partial(author_of, hashes=hashes)
