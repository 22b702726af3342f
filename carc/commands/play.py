"""The command `carc play`."""

from __future__ import annotations

from pathlib import Path

import attrs
import click

from carc import Match, Rules, State, play
from carc.base.game.rules import COLOURS
from carc.base.position.position import Position
from carc.base.position.restoring import rules_of
from carc.base.turn.scoring import Scored
from carc.bots import by_name
from carc.bots.ladder import find_level
from carc.commands.options import ANY_PATH, BOT, BOTS, FILE_PATH, tile_files_option
from carc.drawing import draw_text
from carc.drawing.board_text import names_by_owner
from carc.errors import BadRecord, CarcError
from carc.escape import escape_unprintable
from carc.files import refuse_sources
from carc.match.bot import Void
from carc.match.interactive import InteractiveMatch
from carc.match.record import read_saved_game, read_text_file
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.players import protocol
from carc.tournaments.players.player import Player
from carc.tournaments.schedule.entrants import Entrant, enter, must_play, seated

HUMAN = "human"
MOST_PLAYERS = 6
"""Players that any rules allow."""


@click.command("play")
@click.option("--rules", help="Rules, such as base+ghosts.  [default: base]")
@click.option(
    "--bots", type=BOTS, help="Bots by seat, or one for all seats; human is you at the keyboard."
)
@click.option(
    "--level",
    metavar="LEVEL",
    help="You against opponents of this level, by name or number; carc bots lists the levels.",
)
@click.option(
    "--players",
    type=click.IntRange(1, MOST_PLAYERS),
    help="Number of players.  [default: as many as bots, at least 2]",
)
@click.option("--seed", default=0, help="Seed of the deal and of the bots.")
@click.option("--record", type=FILE_PATH, help="Write the record here.")
@click.option(
    "--by-hand", is_flag=True, help="You enter the draws, as from a game with real tiles."
)
@click.option("--resume", type=ANY_PATH, help="Continue a saved game.")
@click.option(
    "--from", "position", help="Begin from this position, a line of text (State.to_text)."
)
@click.option("--hints", type=BOT, default="greedy", help="The bot that gives hints.")
@tile_files_option
def play_command(
    *,
    rules: str | None,
    bots: tuple[str, ...] | None,
    level: str | None,
    players: int | None,
    seed: int,
    record: Path | None,
    by_hand: bool,
    resume: Path | None,
    position: str | None,
    hints: str,
    tile_files: tuple[Path, ...],
) -> None:
    """Play one match and print it. In seats named human you play at the keyboard."""
    refuse_sources([record], tile_files)
    game = _Game.begin(
        spec=rules,
        bots=bots,
        level=level,
        players=players,
        seed=seed,
        resume=resume,
        position=position,
        tile_files=tile_files,
    )
    if not (HUMAN in game.names or by_hand or game.saved is not None):
        match = _play_bots(game)
    else:
        from carc.commands.terminal_game import TerminalGame, save_game  # noqa: PLC0415 (people)

        by_name(hints)  # a mistake shows at once
        session = _session(game, by_hand, str(resume))
        finished = TerminalGame(session, hints).play()
        if not finished:
            if record is not None:
                click.echo(save_game(session, record))
            return
        match = session.match()
    if record is not None:
        match.write(record)
    _print(match, game.rules)


@attrs.frozen
class _Game:
    """What is to be played."""

    rules: Rules
    names: tuple[str, ...]  # the bot of each seat, or `HUMAN`
    entrants: dict[str, Entrant]
    seed: int
    start: State | None
    saved: Match | None

    @property
    def seeds(self) -> list[int]:
        """The seed of each seat."""
        return [self.seed * 100 + seat for seat in range(len(self.names))]

    @classmethod
    def begin(
        cls,
        *,
        spec: str | None,
        bots: tuple[str, ...] | None,
        level: str | None,
        players: int | None,
        seed: int,
        resume: Path | None,
        position: str | None,
        tile_files: tuple[Path, ...],
    ) -> _Game:
        """Combine the options. Raises `CarcError` if they contradict each other."""
        saved = None
        if resume is not None:
            if position is not None:
                raise CarcError("--resume and --from exclude each other; give one of them")
            saved, _ = read_saved_game(read_text_file(resume), str(resume))
            _require_same(spec, players, Rules.cached(saved.rules, saved.players), "--resume")
            spec, players, seed = saved.rules, saved.players, saved.seed
            bots = bots or saved.seats
            position = saved.position or None
        if position is not None:
            of_position = rules_of(Position.parse(position))
            _require_same(spec, players, of_position, "--from")
            spec, players = of_position.spec, of_position.players
        if level is not None:
            rules = Rules.from_spec(spec or "base", players or 2, tiles=tile_files)
            bots = _against(level, bots, rules, resume)
        if bots is None:
            raise CarcError("Missing option '--bots'; or give --level")
        entrants = {name: enter(name) for name in bots if name != HUMAN}
        names = bots * (players or 2) if len(bots) == 1 else bots
        if players and players != len(names):
            raise CarcError(
                f"{len(names)} bots for {players} players; name one bot for each seat,"
                " or one for all"
            )
        rules = Rules.from_spec(spec or "base", len(names), tiles=tile_files)
        start = None if position is None else State.from_text(position, rules)
        for entrant in entrants.values():
            must_play(entrant, rules)
        return cls(rules, names, entrants, seed, start, saved)


def _against(
    name: str, bots: tuple[str, ...] | None, rules: Rules, resume: Path | None
) -> tuple[str, ...]:
    """Return you and opponents, or team mates, of a level."""
    if bots is not None:
        kind = "a saved game" if resume else "--bots"
        raise CarcError(f"--level and {kind} exclude each other: both say who plays")
    return HUMAN, *([find_level(name).bot_for(rules)] * (rules.players - 1))


def _require_same(spec: str | None, players: int | None, rules: Rules, option: str) -> None:
    """Raise `CarcError` if --rules or --players contradict the rules of another option."""
    if players not in (None, rules.players):
        raise CarcError(
            f"the game of {option} has {rules.players} players; leave out --players {players}"
        )
    if spec is not None and Rules.cached(spec, rules.players).spec != rules.spec:
        raise CarcError(f"the game of {option} is {rules.spec}; leave out --rules {spec}")


def _play_bots(game: _Game) -> Match:
    if game.start is not None:
        _require_in_process(game)
    entrants = [game.entrants[name] for name in game.names]
    try:
        with protocol.Table(Clock()) as table:
            players = seated(table, entrants, game.seeds, {})
            match = play(
                game.rules,
                players,
                seed=game.seed,
                names=[entrant.name for entrant in entrants],
                watch=table.watch,
                start=game.start,
            )
            table.over(match)
    except Void as error:
        raise CarcError(f"the match is void, and no bot is to blame: {error}") from None
    return match


def _session(game: _Game, by_hand: bool, source: str) -> InteractiveMatch:
    """Return a match with people, continued from the saved game if there is one."""
    _require_in_process(game)
    seats = [
        None if name == HUMAN else Player(name, seat, game.seeds[seat])
        for seat, name in enumerate(game.names)
    ]
    session = InteractiveMatch(game.rules, seats, game.names, game.seed, by_hand, start=game.start)
    saved = game.saved
    if saved is None:
        return session
    if saved.rules_version != game.rules.version:
        raise BadRecord(
            f"{source}:1: played by rules version {saved.rules_version};"
            f" these are {game.rules.version}"
        )
    try:
        session.restart(saved.actions)
    except CarcError as error:
        raise BadRecord(f"{source}:{len(session.moves) + 2}: {error}") from None
    return session


def _require_in_process(game: _Game) -> None:
    """Raise `CarcError` if a bot runs in its own process: it only follows a game from its start."""
    for name, entrant in game.entrants.items():
        if entrant.isolation != "none":
            raise CarcError(
                f"{name} runs in a process of its own; games with people, and from a position,"
                " need shipped bots or module:Class"
            )


def _print(match: Match, rules: Rules) -> None:
    """Print the scorings, the board and the result."""
    for move in match.moves:
        for scored in move.scored:
            click.echo(_line(scored))
    for scored in match.result.final:
        click.echo(f"final scoring: {_line(scored)}")
    click.echo()
    assert match.end is not None
    board = draw_text(match.end, names_by_owner(rules.colours, match.seats))
    click.echo(escape_unprintable(board, keep="\n"))
    click.echo()
    _print_result(match, rules)


def _print_result(match: Match, rules: Rules) -> None:
    result = match.result
    for fault in result.faults:
        seat = f"seat {fault.seat} ({match.seats[fault.seat]})"
        click.echo(escape_unprintable(f"{seat} was at fault, {fault.verdict}: {fault.detail}"))
    scores = ", ".join(
        f"{'+'.join(COLOURS[owner] for owner in colours)} {name} {result.scores[colours[0]]}"
        for name, colours in zip(match.seats, rules.colours, strict=True)
    )
    click.echo(escape_unprintable(f"scores: {scores}"))
    if result.outcome:
        parts = (f"{key.replace('_', ' ')} {_text(each)}" for key, each in result.outcome.items())
        click.echo("outcome: " + ", ".join(parts))
    if not result.winners:
        click.echo("nobody wins")
    else:
        winners = ", ".join(f"seat {p} ({match.seats[p]})" for p in result.winners)
        click.echo(escape_unprintable(f"won by {winners}"))


def _text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _line(scored: Scored) -> str:
    return f"{COLOURS[scored.owner]} scores {scored.text}"
