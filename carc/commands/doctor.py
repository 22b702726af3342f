"""The command `carc doctor`."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from carc.commands.bench import is_compiled
from carc.commands.options import FOLDER_PATH
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.tournaments.isolation import host, landlock, sandbox, seccomp
from carc.tournaments.isolation.control_group import granted
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.resources import memory_bound, shortage
from carc.tournaments.running.pool import cores

# What is not isolation, which is for Linux alone and is asked of the host itself.
WORKS = {
    "linux": "everything",
    "darwin": "everything but isolation: tournaments of bots that you trust",
    "win32": "playing, drawing, learning and writing bots; tournaments do not: WSL 2 is a Linux",
}


@click.command()
@click.option(
    "--arena",
    type=FOLDER_PATH,
    help="Look at the arena in this folder instead, whether it runs or not.",
)
@click.option("--port", default=8000, type=click.IntRange(1, 65535), help="Of the arena.")
def doctor(*, arena: Path | None, port: int) -> None:
    """Print what this machine supports, and the reason where it does not."""
    if arena is not None:
        _examine(arena, port)
        return
    for name, value in _facts():
        click.echo(f"{name:12} {value}")
    click.echo()
    click.echo(f"{'works here':12} {WORKS.get(sys.platform, WORKS['linux'])}")
    click.echo()
    for level in host.LEVELS:
        click.echo(f"{level:12} {_level(level)}")
    click.echo()
    if sys.platform == "linux":
        click.echo(f"{'games':12} {_games_at_once()}")
        click.echo(f"{'memory':12} {_memory()}")
    try:
        click.echo(f"\nSubmitted bots play at {host.strongest()!r} by default.")
    except CarcError as error:
        click.echo(f"\n{error}")


def _examine(folder: Path, port: int) -> None:
    """Print what is well in an arena and what is not; raise `CarcError` if something is not."""
    from carc.arena.health import examine  # noqa: PLC0415 (who has no arena need not wait for it)

    found = []
    for name, told, is_well in examine(folder, port):
        click.echo(escape_unprintable(f"{'ok' if is_well else 'FAIL':5} {name}: {told}"))
        found.append(is_well)
    if not all(found):
        raise CarcError(f"{found.count(False)} of {len(found)} checks failed")


def _facts() -> Iterator[tuple[str, str]]:
    rules = "compiled" if is_compiled() else "interpreted: install with a C compiler for speed"
    yield "python", f"{platform.python_version()}, rules {rules}"
    yield "cores", str(cores())
    system = platform.uname()
    filtered = "" if system.machine in seccomp.ARCHITECTURES else " (no seccomp filter for it)"
    yield "machine", f"{system.system} {system.release} {system.machine}{filtered}"
    version = landlock.abi()
    yield "landlock", f"version {version}" if version else "not supported by the kernel"
    yield "bubblewrap", _bubblewrap()
    node = shutil.which("node")
    yield "node", "found" if node else "not found: bots in JavaScript cannot play here"
    if hasattr(os, "getuid"):
        root = "root: each bot gets a user id of its own"
        yield "user", root if os.getuid() == 0 else "not root: bots keep this user's id"


def _level(level: str) -> str:
    """Return whether the host has a level, and what it lacks there."""
    if reason := host.missing(level):
        return f"no: {reason}"
    if level == "confined" and not host.numbered_apart(level):
        return (
            "yes, but no namespace of processes: two bots at a table can tell each other some bits "
            "by the ids of their threads"
        )
    return "yes"


def _bubblewrap() -> str:
    program = sandbox.bubblewrap()
    if program is None:
        return "not installed"
    run = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return run.stdout.removeprefix("bubblewrap").strip()


def _games_at_once() -> str:
    """Return how many games of two strangers' bots this host has room for, and why not more."""
    level = "namespaces" if not host.missing("namespaces") else "confined"
    bots = [Program(["true"], Path("/usr/share/empty"), level)] * 2
    for games in range(1, cores() + 1):
        if why := shortage(bots, games):
            return f"room for {games - 1} of 2 strangers' bots at once: {why}"
    return f"room for {cores()} of 2 strangers' bots at once, one a core"


def _memory() -> str:
    """Return whether something limits what the kernel keeps in memory for bots."""
    if granted():
        return "each bot has a control group, which limits what the kernel keeps for it"
    if bound := memory_bound():
        return f"a control group limits it to {bound >> 20} MB, what the kernel keeps included"
    return (
        "no control group limits it: names that bots look up in vain stay there until it is "
        "needed; systemd-run --user --scope -p Delegate=yes carc ... limits it for each bot"
    )
