"""The command `carc play`."""

from __future__ import annotations

from pathlib import Path

import click

from carc import Match, Rules, play, replay
from carc.base.rules import COLOURS
from carc.bots import by_name
from carc.commands.options import tile_files_option
from carc.drawing import draw_text
from carc.drawing.text import by_owner
from carc.errors import CarcError
from carc.match import Scored
from carc.visible import visible


@click.command("play")
@click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts.")
@click.option("--bots", required=True, help="Bots by seat, comma-separated; one plays all seats.")
@click.option(
    "--players", type=click.IntRange(min=1), help="How many play.  [default: as many as bots]"
)
@click.option("--seed", default=0, show_default=True, help="Decides the deal and the bots' seeds.")
@click.option(
    "--record", type=click.Path(path_type=Path, dir_okay=False), help="Write the match here."
)
@tile_files_option
def play_command(
    *,
    rules: str,
    bots: str,
    players: int | None,
    seed: int,
    record: Path | None,
    tile_files: tuple[Path, ...],
) -> None:
    """Play one match and print it."""
    names = [name.strip() for name in bots.split(",") if name.strip()]
    if not names:
        raise CarcError("no bots are named; name one a seat, such as greedy,random")
    if len(names) == 1 and players:
        names *= players
    if players and players != len(names):
        raise CarcError(
            f"{len(names)} bots for {players} players; name one bot a seat, or one for all"
        )
    made = Rules.named(rules, len(names), tiles=tile_files)
    seats = [by_name(name, seed * 100 + seat) for seat, name in enumerate(names)]
    match = play(made, seats, seed=seed, names=names)
    if record is not None:
        try:
            match.write(record)
        except OSError as error:
            raise CarcError(f"{record} cannot be written: {error.strerror}") from None
    _show(match, made)


def _show(match: Match, rules: Rules) -> None:
    """The scorings, the board, the result."""
    for move in match.moves:
        for scored in move.scored:
            click.echo(_line(scored))
    for scored in match.result.final:
        click.echo(f"at the end: {_line(scored)}")
    click.echo()
    click.echo(draw_text(replay(match, rules, verify=False), by_owner(rules.colours, match.seats)))
    click.echo()
    result = match.result
    for fault in result.faults:
        who = f"seat {fault.seat} ({match.seats[fault.seat]})"
        click.echo(visible(f"{who} was at fault, {fault.verdict}: {fault.detail}"))
    scores = ", ".join(
        f"{'+'.join(COLOURS[owner] for owner in colours)} {name} {result.scores[colours[0]]}"
        for name, colours in zip(match.seats, rules.colours, strict=True)
    )
    click.echo(visible(f"scores: {scores}"))
    if result.outcome:
        told = (f"{key.replace('_', ' ')} {_plain(value)}" for key, value in result.outcome.items())
        click.echo("outcome: " + ", ".join(told))
    if not result.winners:
        click.echo("nobody wins")
    else:
        winners = ", ".join(f"seat {p} ({match.seats[p]})" for p in result.winners)
        click.echo(visible(f"won by {winners}"))


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _line(scored: Scored) -> str:
    return f"{COLOURS[scored.player]} scored {scored.text}"


COMMANDS: list[click.Command] = [play_command]
