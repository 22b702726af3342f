"""The command `carc puzzles`: positions in which one turn is best."""

from contextlib import closing
from itertools import islice
from pathlib import Path

import click

from carc.commands.analyse import show_progress
from carc.commands.game_files import read_games
from carc.commands.options import COUNT, EXISTING_PATH, FILE_PATH, jobs_option
from carc.errors import CarcError
from carc.files import refuse_sources, write_file
from carc.puzzles import Puzzle, find_puzzles
from carc.puzzles.puzzle import puzzles_text
from carc.puzzles.rating import rate_puzzles
from carc.tournaments.running.pool import cores


@click.command("puzzles")
@click.argument("games", nargs=-1, required=True, type=EXISTING_PATH)
@click.option("--out", type=FILE_PATH, default=Path("puzzles.jsonl"), help="The file to write.")
@click.option("--count", type=COUNT, default=10, help="Stop after so many puzzles.")
@click.option("--seed", default=0, help="Seed of the order of the positions and the deals.")
@jobs_option
def puzzles_command(
    *, games: tuple[Path, ...], out: Path, count: int, seed: int, jobs: int | None
) -> None:
    """Find positions in GAMES in which one turn is clearly best and was missed.

    GAMES are files of games, in any form that `carc import` reads, folders of such files, and
    folders of tournaments. A turn is best if `mcts:10`, which plays on from it and from the turns
    that come closest, confirms it on deals of its own. It was missed if `greedy` or whoever played
    the game plays another one. Then bots of all levels solve the puzzles, which rates these.
    """
    refuse_sources([out], games)
    found = [(name, game.match) for name, game in read_games(games)]
    if not found:
        raise CarcError("there is no game in what was named")
    puzzles: list[Puzzle] = []
    with (
        show_progress("positions") as progress,
        closing(find_puzzles(found, seed=seed, jobs=jobs or cores(), progress=progress)) as every,
    ):
        for puzzle in islice(every, count):
            puzzles.append(puzzle)
            write_file(out, puzzles_text(puzzles))  # a stop loses nothing
    if not puzzles:
        games_named = "this game" if len(found) == 1 else f"these {len(found)} games"
        raise CarcError(f"there is no puzzle in {games_named}; {out} is not written")
    with show_progress("levels") as progress:
        puzzles = rate_puzzles(puzzles, seed=seed, progress=progress)
    write_file(out, puzzles_text(puzzles))
    hard = sum(not puzzle.is_solved_by(puzzle.greedy) for puzzle in puzzles)
    click.echo(f"{out}: {len(puzzles)} puzzles, of which greedy misses {hard}")
