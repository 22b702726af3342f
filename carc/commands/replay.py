"""The command `carc replay`."""

from __future__ import annotations

from pathlib import Path

import click

from carc import Rules, read_record, replay
from carc.commands.options import tile_files_option
from carc.commands.show import headline
from carc.drawing import text
from carc.drawing.story import Story, read, tell
from carc.errors import CarcError
from carc.escape import escape_unprintable

_KEYS = "Enter next, b back, a number to jump, q to quit"


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--verify", is_flag=True, help="Check every line, not only that the actions are legal."
)
@click.option("--step", is_flag=True, help="Show it move by move.")
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write it as a page that needs nothing else."
)
@click.option("--embed", is_flag=True, help="With --html: a part to put into a page of yours.")
@tile_files_option
def replay_command(
    *,
    file: Path,
    verify: bool,
    step: bool,
    html: Path | None,
    embed: bool,
    tile_files: tuple[Path, ...],
) -> None:
    """Play a recorded match again."""
    record = read(file)
    if embed and html is None:
        raise CarcError("--embed says how --html writes; give --html FILE too")
    if verify:
        match = read_record(record, str(file))
        replay(match, Rules.named(match.rules, match.players, tiles=tile_files), str(file))
        click.echo(f"{file}: {len(match.moves)} actions verified")
    story = tell(record, str(file), tile_files)
    if html is not None:
        _write_page(story, html, embed)
    elif step:
        _step(story)
    else:
        _show(story, len(story.plies))


def _write_page(story: Story, path: Path, embed: bool) -> None:
    from carc.drawing.page import page  # noqa: PLC0415 (only --html needs it)

    try:
        path.write_text(page(story, embed=embed), encoding="utf-8")
    except OSError as error:
        raise CarcError(f"{path} cannot be written: {error.strerror}") from None


def _show(story: Story, number: int) -> None:
    """The position after so many actions."""
    from rich.console import Console  # noqa: PLC0415 (slow to load)

    board, below = text.page(story.positions[number], story.tiles, story.names)
    Console(soft_wrap=True, highlight=False).print(board.rich())
    click.echo()
    for line in below.splitlines():
        click.echo(escape_unprintable(line))


def _step(story: Story) -> None:
    """Ask for a key after each position, from the start on."""
    number = 0
    while True:
        _show(story, number)
        click.echo()
        click.echo(escape_unprintable(headline(story, number)))
        for scored in story.plies[number - 1].scored if number else ():
            click.echo(escape_unprintable(f"    {scored.text}"))
        click.echo(f"[{number}/{len(story.plies)}] {_KEYS}: ", nl=False)
        try:
            asked = input().strip()
        except EOFError:
            click.echo()
            return
        if asked == "q":
            return
        if asked.isdecimal():
            number = int(asked)
        else:
            number += -1 if asked == "b" else 1
        number = min(max(number, 0), len(story.plies))


COMMANDS: list[click.Command] = [replay_command]
