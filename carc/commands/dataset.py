"""`carc export --dataset`: games as tokens, for programs that learn."""

from contextlib import ExitStack
from pathlib import Path

import click

from carc.base.game.rules import Rules
from carc.commands.game_files import read_games
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.files import refuse_sources
from carc.formats import Imported
from carc.tournaments.ledger.ledger import FILE


def export_dataset(source: Path, out: Path) -> None:
    """Write the finished games without faults in a file, a folder or a tournament as a dataset.

    Raises `CarcError` if there are none, or if they have different rules.
    """
    from carc.learn.dataset import DatasetWriter  # noqa: PLC0415 (numpy, and for this alone)

    refuse_sources([out], [source, source / FILE])
    if out.suffix != ".npz":
        raise CarcError(f"{out} does not end in .npz")
    if not source.exists():
        raise CarcError(f"there is no {source}")
    writer = None
    with ExitStack() as stack:
        for name, game in read_games([source]):
            if why := _why_not(game):
                click.echo(escape_unprintable(f"left out: {name}: {why}"), err=True)
                continue
            rules = Rules.from_spec(game.match.rules, game.match.players)
            if writer is None:
                writer = stack.enter_context(DatasetWriter(rules))
            if rules != writer.rules:
                raise CarcError(
                    f"{name} is {rules.spec} for {rules.players}, and a dataset has one set of"
                    f" rules: other games are {writer.rules.spec} for {writer.rules.players}"
                )
            writer.add_match(game.match, name)
        if writer is None:
            raise CarcError(f"{source} has no game that was played to its end without faults")
        writer.save(out)
    click.echo(escape_unprintable(f"{out}: {writer.games} games, {writer.positions} positions"))


def _why_not(game: Imported) -> str:
    """Return why nothing is to be learned from a game; empty if there is no reason."""
    if not game.is_finished:
        return "it was not played to its end"
    return "a bot was at fault" if game.match.result.faults else ""
