"""The command `carc levels`."""

import click

from carc.commands.options import BOTS, Numbers
from carc.tournaments.campaign import LEVELS, TEAMS, Tally, ratings, ratings_table, table, tally
from carc.tournaments.entrants import enter
from carc.tournaments.pool import cores
from carc.visible import visible


@click.command()
@click.option(
    "--bots",
    type=BOTS,
    default="careful",
    show_default=True,
    help="Bots by name, module:Class or folder; each makes teams of its own.",
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
    help="Sizes of team.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Games for each level and size.",
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    help="Decides the deals and the bots' seeds: who knows it knows the deals.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
def levels(
    *,
    bots: tuple[str, ...],
    levels: tuple[int, ...],
    players: tuple[int, ...],
    games: int,
    seed: int,
    jobs: int | None,
) -> None:
    """Print how often teams of a bot win each level of the co-operative game, as a Markdown table."""
    found: dict[str, list[Tally]] = {}
    for bot in [enter(name) for name in bots]:
        tallies = found[bot.name] = tally(
            bot, levels, players, games=games, seed=seed, jobs=jobs or cores()
        )
        click.echo(
            f"Games won by teams of `{visible(bot.name)}`, in per cent of {games} games, with 95 % intervals:\n"
        )
        click.echo(table(tallies) + "\n")
    click.echo(
        "Ratings of teams and levels: a team wins with the odds of the exponential of its own less the level's.\n"
    )
    for line in ratings_table(*ratings(found)).splitlines():
        click.echo(visible(line))


COMMANDS: list[click.Command] = [levels]
