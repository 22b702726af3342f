"""The command `carc levels`."""

from collections.abc import Sequence

import click

from carc.bots import by_name
from carc.errors import CarcError
from carc.tournaments.campaign import LEVELS, TEAMS, table, tally
from carc.tournaments.pool import cores


def _numbers(text: str, allowed: Sequence[int], what: str) -> list[int]:
    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or not set(found) <= set(allowed):
        raise CarcError(
            f"{what} are numbers from {allowed[0]} to {allowed[-1]}, such as 1,2, not {text!r}"
        )
    return found


@click.command()
@click.option(
    "--bots",
    default="careful",
    show_default=True,
    help="Bots, comma-separated; each makes teams of its own.",
)
@click.option("--levels", default="1,2,3,4,5,6", show_default=True, help="Levels, comma-separated.")
@click.option(
    "--players", default="1,2,3,4,5", show_default=True, help="Sizes of team, comma-separated."
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Games for each level and size.",
)
@click.option("--seed", default=1, show_default=True, help="Decides the deals and the bots' seeds.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
def levels(
    *, bots: str, levels: str, players: str, games: int, seed: int, jobs: int | None
) -> None:
    """Print how often teams of a bot win each level of the co-operative game, as a Markdown table."""
    chosen = _numbers(levels, LEVELS, "levels")
    teams = _numbers(players, TEAMS, "sizes of team")
    workers = jobs or cores()
    for bot in [name.strip() for name in bots.split(",") if name.strip()]:
        by_name(bot)
        tallies = tally(bot, chosen, teams, games=games, seed=seed, jobs=workers)
        click.echo(
            f"Games won by teams of `{bot}`, in per cent of {games} games, with 95 % intervals:\n"
        )
        click.echo(table(tallies) + "\n")


COMMANDS: list[click.Command] = [levels]
