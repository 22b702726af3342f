"""The command `carc play`."""

from __future__ import annotations

from pathlib import Path

import click

from carc import Match, Rules, State, play
from carc.base.game.position_text import rules_of
from carc.base.game.rules import COLOURS
from carc.base.game.scoring import Scored
from carc.bots import by_name
from carc.commands.options import BOTS, tile_files_option
from carc.commands.own_modules import BOT
from carc.commands.person import Person
from carc.commands.person import saved as kept
from carc.drawing import draw_text
from carc.drawing.text import by_owner
from carc.errors import BadRecord, CarcError
from carc.escape import escape_unprintable
from carc.match import InteractiveMatch, Void
from carc.match import read_saved_game as read_any
from carc.match import read_text_file as read
from carc.tournaments import protocol
from carc.tournaments.entrants import Entrant, enter, must_play, seated
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.player import Player

HUMAN = "human"
MOST_PLAYERS = 6  # by any rules there are


@click.command("play")
@click.option("--rules", help="Rules, such as base+ghosts.  [default: base]")
@click.option(
    "--bots", type=BOTS, help="Bots by seat; one plays all seats; human is you at the keyboard."
)
@click.option(
    "--players",
    type=click.IntRange(1, MOST_PLAYERS),
    help="How many play.  [default: as many as bots, at least 2]",
)
@click.option("--seed", default=0, show_default=True, help="Decides the deal and the bots' seeds.")
@click.option(
    "--record", type=click.Path(path_type=Path, dir_okay=False), help="Write the match here."
)
@click.option(
    "--by-hand", is_flag=True, help="The tiles drawn are told by you, as of a game on cardboard."
)
@click.option(
    "--resume", type=click.Path(path_type=Path), help="Go on with a game saved before its end."
)
@click.option(
    "--from", "position", help="Begin from this position, a line of text (State.to_text)."
)
@click.option(
    "--hints", type=BOT, default="greedy", show_default=True, help="The bot that gives hints."
)
@tile_files_option
def play_command(
    *,
    rules: str | None,
    bots: tuple[str, ...] | None,
    players: int | None,
    seed: int,
    record: Path | None,
    by_hand: bool,
    resume: Path | None,
    position: str | None,
    hints: str,
    tile_files: tuple[Path, ...],
) -> None:
    """Play one match and print it; where a seat is human, at the keyboard."""
    saved = None
    if resume is not None:
        if position is not None:
            raise CarcError("--resume goes on with a saved game, --from begins another: say one")
        saved, _ = read_any(read(resume), str(resume))
        _refuse_others(rules, players, Rules.known(saved.rules, saved.players), "--resume")
        rules, players, seed = saved.rules, saved.players, saved.seed
        bots = bots or saved.seats
        position = saved.position or None
    if position is not None:
        told = rules_of(position)
        _refuse_others(rules, players, told, "--from")
        rules, players = told.spec, told.players
    if bots is None:
        raise CarcError("Missing option '--bots'")
    entered = {name: enter(name) for name in bots if name != HUMAN}
    names = bots * (players or 2) if len(bots) == 1 else bots
    if players and players != len(names):
        raise CarcError(
            f"{len(names)} bots for {players} players; name one bot a seat, or one for all"
        )
    made = Rules.named(rules or "base", len(names), tiles=tile_files)
    start = None if position is None else State.from_text(position, made)
    for entrant in entered.values():
        must_play(entrant, made)
    seeds = [seed * 100 + seat for seat in range(len(names))]
    if HUMAN in names or by_hand or saved is not None:
        by_name(hints)  # a mistake shows at once
        table = InteractiveMatch(
            made, _inside(names, entered, seeds), names, seed, by_hand, start=start
        )
        if saved is not None:
            _continue(table, saved, str(resume))
        finished = Person(table, hints).play()
        match = table.match()
        if not finished:
            if record is not None:
                click.echo(kept(table, record))
            return
    else:
        match = _played(made, [entered[name] for name in names], seed, seeds, start)
    if record is not None:
        try:
            match.write(record)
        except OSError as error:
            raise CarcError(f"{record} cannot be written: {error.strerror}") from None
    _show(match, made)


def _refuse_others(rules: str | None, players: int | None, told: Rules, option: str) -> None:
    """Raises `CarcError` if --rules or --players say something else than the game that an option goes on with."""
    if players not in (None, told.players):
        raise CarcError(f"{option} is of {told.players} players; leave out --players {players}")
    if rules is not None and Rules.known(rules, told.players).spec != told.spec:
        raise CarcError(f"{option} is of {told.spec}; leave out --rules {rules}")


def _played(
    rules: Rules, entrants: list[Entrant], seed: int, seeds: list[int], start: State | None
) -> Match:
    """One match of bots."""
    if start is not None:
        _refuse_processes({entrant.name: entrant for entrant in entrants})
    try:
        with protocol.Table(Clock()) as table:
            players = seated(table, entrants, seeds, {})
            names = [entrant.name for entrant in entrants]
            match = play(rules, players, seed=seed, names=names, watch=table.watch, start=start)
            table.over(match)
    except Void as error:
        raise CarcError(f"the match is void, by no bot's fault: {error}") from None
    return match


def _inside(
    names: tuple[str, ...], entered: dict[str, Entrant], seeds: list[int]
) -> list[Player | None]:
    """The seats of a game with people; moves may be taken back, which a bot in a process of its own could not follow."""
    _refuse_processes(entered)
    return [
        None if name == HUMAN else Player(name, seat, seeds[seat])
        for seat, name in enumerate(names)
    ]


def _refuse_processes(entered: dict[str, Entrant]) -> None:
    """What is not a whole game from its start a bot in a process of its own cannot follow."""
    for name, entrant in entered.items():
        if entrant.isolation != "none":
            raise CarcError(
                f"{name} plays in a process of its own; people, and games from a position, are for shipped bots"
                " and module:Class"
            )


def _continue(table: InteractiveMatch, saved: Match, source: str) -> None:
    """Set a table up as it was saved."""
    if saved.rules_version != table.rules.version:
        raise BadRecord(
            f"{source}:1: played by rules version {saved.rules_version}; these are {table.rules.version}"
        )
    try:
        table.restart(saved.actions)
    except CarcError as error:
        raise BadRecord(f"{source}:{len(table.moves) + 2}: {error}") from None


def _show(match: Match, rules: Rules) -> None:
    """The scorings, the board, the result."""
    for move in match.moves:
        for scored in move.scored:
            click.echo(_line(scored))
    for scored in match.result.final:
        click.echo(f"at the end: {_line(scored)}")
    click.echo()
    assert match.end is not None
    board = draw_text(match.end, by_owner(rules.colours, match.seats))
    click.echo(escape_unprintable(board, keep="\n"))
    click.echo()
    result = match.result
    for fault in result.faults:
        who = f"seat {fault.seat} ({match.seats[fault.seat]})"
        click.echo(escape_unprintable(f"{who} was at fault, {fault.verdict}: {fault.detail}"))
    scores = ", ".join(
        f"{'+'.join(COLOURS[owner] for owner in colours)} {name} {result.scores[colours[0]]}"
        for name, colours in zip(match.seats, rules.colours, strict=True)
    )
    click.echo(escape_unprintable(f"scores: {scores}"))
    if result.outcome:
        told = (f"{key.replace('_', ' ')} {_plain(value)}" for key, value in result.outcome.items())
        click.echo("outcome: " + ", ".join(told))
    if not result.winners:
        click.echo("nobody wins")
    else:
        winners = ", ".join(f"seat {p} ({match.seats[p]})" for p in result.winners)
        click.echo(escape_unprintable(f"won by {winners}"))


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _line(scored: Scored) -> str:
    return f"{COLOURS[scored.owner]} scored {scored.text}"


COMMANDS: list[click.Command] = [play_command]
