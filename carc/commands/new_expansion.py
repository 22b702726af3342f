"""The command `carc new-expansion`."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from carc.base.expansions.spec import registered
from carc.errors import BadRules


@click.command("new-expansion")
@click.argument("name")
def new_expansion(name: str) -> None:
    """Create a folder NAME with a working expansion: a package with rules, tiles and tests."""
    folder = Path(name)
    own = folder.name
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", own):
        raise BadRules(
            "the name of an expansion has up to 40 of the characters a-z 0-9 _"
            f" and begins with a letter, not {own!r}"
        )
    if own == "base" or own in registered():
        raise BadRules(f"{own} is already installed; choose another name")
    if folder.exists():
        raise BadRules(f"{name} exists already; choose another name or remove it")
    cls = "".join(word.capitalize() for word in own.split("_"))
    fill(files("carc.commands").joinpath("templates", "expansion"), folder, own, cls)
    click.echo(
        f"Created {name}. Next: pip install -e './{name}[dev]'"
        f" and carc play --rules base+{own} --bots random,random"
    )


def fill(template: Traversable, target: Path, name: str, cls: str = "") -> None:
    """Copy a template, with its placeholders filled in."""
    target.mkdir(parents=True)
    for entry in template.iterdir():
        path = target / entry.name.replace("NAME", name)
        if entry.is_dir():
            if not entry.name.startswith((".", "__")):  # caches
                fill(entry, path, name, cls)
        else:
            text = entry.read_text(encoding="utf-8").replace("NAME", name).replace("CLASS", cls)
            path.write_text(text, encoding="utf-8")
