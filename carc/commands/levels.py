"""The command `carc levels`."""

import click
from rich.console import Console

from carc.commands.options import BOTS, Numbers
from carc.commands.tournament_options import (
    VOIDED,
    out_option,
    resolve_seed,
    resolve_values,
    run,
    tournament_options,
)
from carc.escape import escape_unprintable
from carc.tournaments.campaign import LEVELS, TEAMS, campaign, table
from carc.tournaments.reports import board_table
from carc.tournaments.tournament import board


@click.command()
@tournament_options
@click.option(
    "--bots",
    type=BOTS,
    default="careful",
    show_default=True,
    help="Bots by name, module:Class or folder; each plays in teams of its own.",
)
@click.option(
    "--levels",
    type=Numbers("levels", LEVELS[0], LEVELS[-1]),
    default="1-6",
    show_default=True,
    help="Levels.",
)
@click.option(
    "--players",
    type=Numbers("sizes of team", TEAMS[0], TEAMS[-1]),
    default="1-5",
    show_default=True,
    help="Sizes of teams.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Games for each bot, level and size.",
)
@out_option("runs/levels")
@click.pass_context
def levels(ctx: click.Context, /, **_: object) -> None:
    """Play the levels of the cooperative game with teams of bots, and rate teams and levels.

    After a stop, --out alone continues.
    """
    values = resolve_values(ctx)
    configuration = campaign(
        values["bots"],
        values["levels"],
        values["players"],
        values["games"],
        resolve_seed(values),
        clock=values["clock"],
        isolation=values["isolation"],
        mirrored=values["mirrored"],
        title=values["title"],
    )
    run(ctx, configuration, values)
    leaderboard = board(values["out"])
    for bot in configuration.bots:
        click.echo(
            f"Games won by teams of `{escape_unprintable(bot.name)}`,"
            f" in percent of {values['games']} games, with 95 % intervals:\n"
        )
        click.echo(table(leaderboard, configuration, bot.name) + "\n")
    console = Console(markup=False, emoji=False)
    board_table.show(leaderboard, console, board_table.heading(values["out"]))
    if leaderboard.voids:
        raise SystemExit(VOIDED)


COMMANDS: list[click.Command] = [levels]
