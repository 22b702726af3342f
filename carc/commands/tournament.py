"""The commands that play: `tournament` and `duel`."""

from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import click
from rich.console import Console

from carc.commands.options import BOT, BOTS, rules_option
from carc.commands.tournament_options import (
    out_option,
    resolve_seed,
    resolve_values,
    run,
    schedule_options,
    settings_of,
    show_board,
    tournament_options,
)
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.pairing import counted
from carc.tournaments.pairing.duel import BOUND, Verdict, verdict
from carc.tournaments.schedule.configuration import BadTournament, Configuration, configure
from carc.tournaments.tournament import board


@click.command()
@tournament_options
@click.option("--bots", type=BOTS, help="Bots by name, module:Class or folder, such as ./mine.")
@schedule_options
@out_option("runs/tournament")
@click.pass_context
def tournament(ctx: click.Context, /, **_: object) -> None:
    """Play a tournament of bots and print its leaderboard.

    Each deal is played in all cyclic seatings. Options that are not given are as when the
    tournament in --out was begun, so --out alone continues after a stop.
    """
    values = resolve_values(ctx, "bots")
    configuration = configure(
        values["rules"],
        values["bots"],
        values["tables"],
        values["deals"],
        resolve_seed(values),
        **settings_of(values, "format", "against"),
    )
    run(ctx, configuration, values)
    _show(values["out"])


@click.command()
@click.argument("one", required=False, type=BOT)
@click.argument("other", required=False, type=BOT)
@tournament_options
@rules_option
@click.option(
    "--elo",
    default="0,50",
    help="The hypotheses: ONE is better by LOW, or by HIGH, in normalised Elo.",
)
@click.option("--deals", default=2000, help="The most deals to play.")
@out_option("runs/duel")
@click.pass_context
def duel(ctx: click.Context, /, **_: object) -> None:
    """Play ONE against OTHER until it is decided whether ONE is better.

    This is a sequential test (SPRT) with error rates of 5 %. Each deal is played in both seatings.
    After a stop, --out alone continues.
    """
    values = resolve_values(ctx, "one", "other")
    configuration = configure(
        values["rules"],
        [values["one"], values["other"]],
        [2],
        values["deals"],
        resolve_seed(values),
        format="duel",
        against=values["one"],
        elo=_bounds(values["elo"]),
        **settings_of(values),
    )
    run(ctx, configuration, values)
    with Ledger.reading(values["out"]) as ledger:
        tested = verdict(configuration.elo, counted(configuration, ledger), configuration.against)
    _show(values["out"], *_verdict_lines(configuration, tested))


def _verdict_lines(configuration: Configuration, tested: Verdict) -> Iterator[str]:
    name = configuration.against
    (other,) = (bot.name for bot in configuration.bots if bot.name != name)
    low, high = configuration.elo
    yield ""
    yield (
        f"{name} against {other}: normalised Elo {tested.elo:+.0f} ± {tested.error:.0f}"
        f" after {tested.pairs} deals in both seatings."
    )
    known = {
        True: f"{name} is better by {high:g} rather than {low:g}",
        False: f"{name} is better by {low:g} rather than {high:g}"
        if low
        else f"{name} is not better by {high:g}",
    }
    claim = (
        known[tested.llr > 0] if abs(tested.llr) >= BOUND else "undecided; more --deals continue"
    )
    yield f"SPRT: {claim} (log likelihood ratio {tested.llr:+.2f} of ±{BOUND:.2f})."


def _show(out: Path, *more: str) -> None:
    with Console(stderr=True).status("rating"):
        results = board(out)
    show_board(results, out, *more)


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
        if not isfinite(low) or not isfinite(high):
            raise ValueError
    except ValueError:
        raise BadTournament(f"--elo takes two numbers such as 0,50, not {text!r}") from None
    return low, high
