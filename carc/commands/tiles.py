"""The command `carc tiles`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from carc import tilesets
from carc.base.tiles.tile import TileSet
from carc.commands.options import tile_files_option
from carc.errors import CarcError


@click.command("tiles")
@click.option("--set", "name", default="base", show_default=True, help="Name of the tile set.")
@click.option(
    "--check",
    type=click.Path(path_type=Path),
    help="Check a tile file against the known facts about the printed tiles.",
)
@tile_files_option
def tiles_command(*, name: str, check: Path | None, tile_files: tuple[Path, ...]) -> None:
    """Print a set of tiles, and its statistics beside those of the base set."""
    if check is not None:
        _check(check)
        return
    tile_set = tilesets.by_name(name)
    for path in tile_files:
        tile_set = tilesets.read_file(path)
        if tile_set.name != name:
            raise CarcError(
                f"{path} holds the set {tile_set.name!r}; ask for it with --set {tile_set.name}"
            )
    _print(tile_set)


def _check(path: Path) -> None:
    contradictions = tilesets.contradictions(tilesets.read_file(path))
    for sentence in contradictions:
        click.echo(sentence)
    if contradictions:
        plural = "s" if len(contradictions) > 1 else ""
        raise CarcError(f"{path}: {len(contradictions)} contradiction{plural} of known facts")
    click.echo(f"{path}: no contradiction of known facts")


def _print(tile_set: TileSet) -> None:
    console = Console()
    statistics = tilesets.summarize(tile_set)
    title = f"{statistics.name}: {statistics.tiles} tiles, {len(statistics.rows)} kinds"
    tiles = Table(title=title)
    for column in ("tile", "no.", "n", "edges", "segments", "known", "reconstructed"):
        tiles.add_column(column, overflow="fold")
    for row in statistics.rows:
        tiles.add_row(*row.cells())
    console.print(tiles)
    comparison = Table(title="statistics")
    base = tilesets.summarize(tilesets.by_name("base"))
    for column in ("", statistics.name, "base"):
        comparison.add_column(column)
    for label, figure, base_figure in tilesets.compare(statistics, base):
        comparison.add_row(label, figure, base_figure)
    console.print(comparison)


COMMANDS: list[click.Command] = [tiles_command]
