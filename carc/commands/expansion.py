"""The command for those who write expansions: `new-expansion`."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from carc.base.game.spec import registered
from carc.errors import BadRules


@click.command("new-expansion")
@click.argument("name")
def new_expansion(name: str) -> None:
    """Make a folder NAME with an expansion that works: a package with rules, tiles and tests of its own."""
    folder = Path(name)
    own = folder.name
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", own):
        raise BadRules(f"an expansion's name is up to 40 of a-z 0-9 _, a letter first, not {own!r}")
    if own == "base" or own in registered():
        raise BadRules(f"{own} is played already; choose another name")
    if folder.exists():
        raise BadRules(f"{name} is there already; choose another name or remove it")
    cls = "".join(word.capitalize() for word in own.split("_"))
    _fill(files("carc.commands").joinpath("templates", "expansion"), folder, own, cls)
    click.echo(
        f"{name} is made. Next: pip install -e './{name}[dev]' and carc play --rules base+{own} --bots random,random"
    )


def _fill(template: Traversable, target: Path, name: str, cls: str) -> None:
    target.mkdir(parents=True)
    for entry in template.iterdir():
        place = target / entry.name.replace("NAME", name)
        if entry.is_dir():
            if entry.name != "__pycache__":
                _fill(entry, place, name, cls)
        else:
            text = entry.read_text(encoding="utf-8").replace("NAME", name).replace("CLASS", cls)
            place.write_text(text, encoding="utf-8")


COMMANDS: list[click.Command] = [new_expansion]
