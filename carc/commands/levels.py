"""The command `carc levels`."""

import click

from carc.commands.options import BOTS, COUNT, numbers
from carc.commands.tournament_options import (
    out_option,
    resolve_seed,
    resolve_values,
    run,
    settings_of,
    show_board,
    tournament_options,
)
from carc.escape import escape_unprintable
from carc.tournaments.campaign import LEVELS, TEAMS, campaign, table
from carc.tournaments.tournament import board


@click.command()
@tournament_options
@click.option(
    "--bots",
    type=BOTS,
    default="careful",
    help="Bots by name, module:Class or folder; each plays in teams of its own.",
)
@click.option(
    "--levels", type=numbers("levels", LEVELS[0], LEVELS[-1]), default="1-6", help="Levels."
)
@click.option(
    "--players",
    type=numbers("sizes of team", TEAMS[0], TEAMS[-1]),
    default="1-5",
    help="Sizes of teams.",
)
@click.option("--games", type=COUNT, default=200, help="Games for each bot, level and size.")
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
        **settings_of(values),
    )
    run(ctx, configuration, values)
    leaderboard = board(values["out"])
    for bot in configuration.bots:
        click.echo(
            f"Games won by teams of `{escape_unprintable(bot.name)}`,"
            f" in percent of {values['games']} games, with 95 % intervals:\n"
        )
        click.echo(table(leaderboard, configuration, bot.name) + "\n")
    show_board(leaderboard, values["out"])
