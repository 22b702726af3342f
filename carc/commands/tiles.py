"""The command `carc tiles`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from carc import tilesets
from carc.base.tiles.tile import TileSet
from carc.commands.options import ANY_PATH, tile_files_option
from carc.errors import CarcError


@click.command("tiles")
@click.option("--set", "name", default="base", help="Name of the tile set.")
@click.option(
    "--check",
    type=ANY_PATH,
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
    statistics = tilesets.summarize(tile_set)
    click.echo(f"{statistics.name}: {statistics.tiles} tiles, {len(statistics.rows)} kinds\n")
    heads = ("tile", "no.", "n", "edges", "segments", "known", "reconstructed")
    _print_table(heads, [row.cells() for row in statistics.rows])
    base = tilesets.summarize(tilesets.by_name("base"))
    click.echo("\nstatistics\n")
    _print_table(("", statistics.name, "base"), tilesets.compare(statistics, base))


def _print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = [heads, *rows]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    for row in table:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
