"""The command `carc serve`."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import click

from carc.bots import SHIPPED, by_name
from carc.commands.options import BOTS
from carc.errors import CarcError

_SWITCH = 0.0005  # seconds after which a bot that thinks lets others go on: a click passes through several threads


@click.command("serve")
@click.argument(
    "folder", type=click.Path(path_type=Path, file_okay=False), default=Path("runs"), required=False
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--name", "names", multiple=True, help="A host name it is reached by, as often as needed."
)
@click.option("--bots", type=BOTS, help="Who may be played against.  [default: all shipped]")
@click.option(
    "--authors", type=click.Path(path_type=Path, dir_okay=False),
    help="A TOML file of AUTHOR = \"TOKEN\": who may submit bots and read their logs.",
)  # fmt: skip
def serve_command(
    *,
    folder: Path,
    host: str,
    port: int,
    names: tuple[str, ...],
    bots: tuple[str, ...] | None,
    authors: Path | None,
) -> None:
    """Show the tournaments in FOLDER, and play at tables, in a browser."""
    try:
        import uvicorn  # noqa: PLC0415 (the extra may be missing)

        from carc.web.app import make_app  # noqa: PLC0415
    except ImportError as error:
        raise CarcError(f"carc serve needs more ({error.name}): pip install 'carc[web]'") from None
    offered = list(bots or SHIPPED)
    for name in offered:
        by_name(name)  # a mistake shows at once
    app = make_app(
        folder,
        hosts=["localhost", "127.0.0.1", "[::1]", host, *names],
        bots=offered,
        authors=_authors(authors),
    )
    sys.setswitchinterval(_SWITCH)
    click.echo(f"carc serves {folder} at http://{host}:{port}/", err=True)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        limit_concurrency=2000,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        server_header=False,
    )


def _authors(path: Path | None) -> dict[str, str]:
    """Author by token."""
    if path is None:
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CarcError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CarcError(f"{path}: not TOML: {error}") from None
    for author, token in data.items():
        if not isinstance(token, str) or len(token) < 16:
            raise CarcError(f"{path}: the token of {author!r} is a text of 16 characters or more")
    if len(set(data.values())) < len(data):
        raise CarcError(f"{path}: two authors have one token")
    return {token: author for author, token in data.items()}


COMMANDS: list[click.Command] = [serve_command]
