"""The command `carc doctor`."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess

import click

from carc.commands.bench import is_compiled
from carc.errors import CarcError
from carc.tournaments.isolation import host, landlock, sandbox, seccomp
from carc.tournaments.pool import cores


@click.command()
def doctor() -> None:
    """Say what this host can do, and why not more."""
    bwrap = sandbox.bubblewrap()
    version = (
        subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False).stdout
        if bwrap
        else "not installed"
    )
    node = shutil.which("node")
    compiled = "compiled" if is_compiled() else "interpreted: install with a C compiler for speed"
    machine = "" if os.uname().machine in seccomp.ARCHITECTURES else " (no seccomp filter for it)"
    for name, value in (
        ("python", f"{platform.python_version()}, rules {compiled}"),
        ("cores", str(cores())),
        ("machine", f"{os.uname().sysname} {os.uname().release} {os.uname().machine}{machine}"),
        (
            "landlock",
            f"version {landlock.abi()}" if landlock.abi() else "not offered by the kernel",
        ),
        ("bubblewrap", version.removeprefix("bubblewrap").strip()),
        ("node", "found" if node else "not found: bots in JavaScript cannot play here"),
        (
            "user",
            "root: each bot gets a user id of its own"
            if os.getuid() == 0
            else "not root: bots keep this user's id",
        ),
    ):
        click.echo(f"{name:12} {value}")
    click.echo()
    for level in host.LEVELS:
        why = host.missing(level)
        click.echo(f"{level:12} {'no: ' + why if why else 'yes'}")
    try:
        click.echo(f"\nSubmitted bots play at {host.strongest()!r} unless told otherwise.")
    except CarcError as error:
        click.echo(f"\n{error}")


COMMANDS: list[click.Command] = [doctor]
