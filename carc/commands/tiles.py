"""The command `carc tiles`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from carc import tilesheet
from carc.commands.options import tile_files_option
from carc.errors import CarcError


@click.command("tiles")
@click.option(
    "--set", "name", default="base", show_default=True,
    help="Which set, of any expansion installed.",
)  # fmt: skip
@click.option(
    "--check", type=click.Path(path_type=Path), help="Say what contradicts the known facts."
)
@tile_files_option
def tiles_command(*, name: str, check: Path | None, tile_files: tuple[Path, ...]) -> None:
    """Print a set of tiles, with shares of edges beside the base set's."""
    if check is not None:
        asked = tilesheet.read(check)
        found = tilesheet.check(asked)
        for sentence in found:
            click.echo(sentence)
        if found:
            raise CarcError(
                f"{check}: {len(found)} contradiction{'s'[: len(found) > 1]} to what is known of the tiles"
            )
        click.echo(f"{check}: nothing contradicts what is known of the tiles")
        return
    one = tilesheet.shipped(name)
    for path in tile_files:
        one = tilesheet.read(path)
        if one.name != name:
            raise CarcError(f"{path} holds the set {one.name!r}; ask for it with --set {one.name}")
    console = Console()
    sheet = tilesheet.sheet(one)
    table = Table(title=f"{one.name}: {sheet.tiles} tiles, {len(sheet.rows)} kinds")
    for column in ("tile", "no.", "n", "edges", "segments", "known", "reconstructed"):
        table.add_column(column, overflow="fold")
    for row in sheet.rows:
        table.add_row(*row.cells())
    console.print(table)
    shares = Table(title="counts and shares")
    base = tilesheet.sheet(tilesheet.shipped("base"))
    for column in ("", one.name, "base"):
        shares.add_column(column)
    for label, mine, theirs in tilesheet.compare(sheet, base):
        shares.add_row(label, mine, theirs)
    console.print(shares)


COMMANDS: list[click.Command] = [tiles_command]
