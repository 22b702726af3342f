"""The commands that play: `tournament` and `duel`."""

from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import click
from rich.console import Console

from carc.commands.holding import VOIDED, common, out, play, seed_of, values_of
from carc.commands.options import BOTS, Numbers
from carc.commands.own_modules import BOT
from carc.tournaments import report
from carc.tournaments.contest import board
from carc.tournaments.formats import FORMATS, counted
from carc.tournaments.formats.duel import BOUND, verdict
from carc.tournaments.ledger import Ledger
from carc.tournaments.schedule import BadTournament, Configuration, configure

_RULES = click.option(
    "--rules", default="base", show_default=True, help="Rules, such as base+ghosts."
)


@click.command()
@common
@_RULES
@click.option("--bots", type=BOTS, help="Bots by name, module:Class or folder, such as ./mine.")
@click.option(
    "--tables",
    type=Numbers("table sizes", 1, 99),
    default="2",
    show_default=True,
    help="Table sizes.",
)
@click.option(
    "--deals", default=10, show_default=True, help="Deals for each set of bots, or rounds."
)
@click.option(
    "--format",
    type=click.Choice([name for name in FORMATS if name != "campaign"]),
    default="round-robin",
    show_default=True,
    help="Who plays whom.",
)
@click.option("--against", default="", help="The bot that a gauntlet tries against the others.")
@out("runs/tournament")
@click.pass_context
def tournament(ctx: click.Context, /, **_: object) -> None:
    """Play a tournament of bots and print its leaderboard.

    Each deal is played in all cyclic seatings. Options that are not given are as when the
    tournament in --out was begun: --out alone goes on after a stop.
    """
    values = values_of(ctx, "bots")
    configuration = configure(
        values["rules"],
        values["bots"],
        values["tables"],
        values["deals"],
        seed_of(values),
        clock=values["clock"],
        isolation=values["isolation"],
        mirrored=values["mirrored"],
        format=values["format"],
        against=values["against"],
        title=values["title"],
    )
    play(ctx, configuration, values)
    _show(values["out"])


@click.command()
@click.argument("one", required=False, type=BOT)
@click.argument("other", required=False, type=BOT)
@common
@_RULES
@click.option(
    "--elo",
    default="0,50",
    show_default=True,
    help="The claims weighed: ONE is better by LOW or HIGH, in normalised Elo.",
)
@click.option("--deals", default=2000, show_default=True, help="Deals at most.")
@out("runs/duel")
@click.pass_context
def duel(ctx: click.Context, /, **_: object) -> None:
    """Play ONE against OTHER until it is known whether ONE is better, and print how sure that is.

    A sequential test (SPRT) with errors of 5 %; each deal is played in both seatings. --out alone
    goes on after a stop.
    """
    values = values_of(ctx, "one", "other")
    configuration = configure(
        values["rules"],
        [values["one"], values["other"]],
        [2],
        values["deals"],
        seed_of(values),
        clock=values["clock"],
        isolation=values["isolation"],
        mirrored=values["mirrored"],
        format="duel",
        against=values["one"],
        elo=_bounds(values["elo"]),
        title=values["title"],
    )
    play(ctx, configuration, values)
    with Ledger.reading(values["out"]) as ledger:
        found = verdict(configuration.elo, counted(configuration, ledger), configuration.against)
    _show(values["out"], *_said(configuration, found.llr, found.elo, found.error, found.pairs))


COMMANDS: list[click.Command] = [tournament, duel]


def _said(
    configuration: Configuration, llr: float, elo: float, error: float, pairs: int
) -> Iterator[str]:
    one = configuration.against
    (other,) = (bot.name for bot in configuration.bots if bot.name != one)
    low, high = configuration.elo
    yield ""
    yield (
        f"{one} against {other}: normalised Elo {elo:+.0f} ± {error:.0f} after {pairs} deals in "
        "both seatings."
    )
    known = {
        True: f"{one} is better by {high:g} rather than {low:g}",
        False: f"{one} is better by {low:g} rather than {high:g}"
        if low
        else f"{one} is not better by {high:g}",
    }
    claim = known[llr > 0] if abs(llr) >= BOUND else "not decided; more --deals go on"
    yield f"SPRT: {claim} (log likelihood ratio {llr:+.2f} of ±{BOUND:.2f})."


def _show(out: Path, *more: str) -> None:
    with Console(stderr=True).status("rating"):  # seen on a terminal only
        found = board(out)
        heading = report.heading(out)
    report.show(found, Console(markup=False, emoji=False), heading)
    for line in more:
        click.echo(line)
    if found.voids:
        raise SystemExit(VOIDED)


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
        if not isfinite(low) or not isfinite(high):
            raise ValueError
    except ValueError:
        raise BadTournament(f"--elo is two numbers such as 0,50, not {text!r}") from None
    return low, high
