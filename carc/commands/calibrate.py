"""The command `carc calibrate`."""

import click

from carc.commands.options import Numbers
from carc.tournaments.calibration import Case, coverage, table
from carc.tournaments.pool import cores


@click.command()
@click.option(
    "--tables", type=Numbers("table sizes", 2, 5), default="2-5", show_default=True, help="Sizes."
)
@click.option(
    "--bots",
    type=Numbers("numbers of bots", 3, 12),
    default="4,8",
    show_default=True,
    help="How many.",
)
@click.option("--deals", default=30, show_default=True, type=click.IntRange(2), help="Of each.")
@click.option(
    "--tournaments", default=40, show_default=True, type=click.IntRange(1), help="Of each kind."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
def calibrate(
    *,
    tables: tuple[int, ...],
    bots: tuple[int, ...],
    deals: int,
    tournaments: int,
    jobs: int | None,
) -> None:
    """Print how often the board's 95 % intervals hold, in simulated tournaments of bots whose strengths are known."""
    cases = [
        Case(number, size, effect, deals)
        for size in tables
        for number in bots
        if number >= size
        for effect in (0.0, 0.8)
    ]
    click.echo(
        f"Intervals of 95 % that hold, in per cent, in {tournaments} tournaments of {deals} mirrored deals each:\n"
    )
    click.echo(table(coverage(cases, tournaments, jobs or cores())))


COMMANDS: list[click.Command] = [calibrate]
