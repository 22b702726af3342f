"""The command `carc connect`."""

import re
import shlex
import signal
import sys
from pathlib import Path
from types import FrameType

import click

from carc.arena.client import Client
from carc.arena.own_bot import Bot
from carc.bots import class_path
from carc.errors import BadBot
from carc.escape import escape_unprintable

_CLASS = re.compile(r"[\w.]+:[A-Za-z_]\w*")


@click.command()
@click.argument("url")
@click.argument("bot")
@click.option("--token", required=True, envvar="CARC_TOKEN", help="Yours.  [default: $CARC_TOKEN]")
@click.option("--name", help="The bot's name in the arena.  [default: its own]")
@click.option("--version", help="Another one is rated anew.  [default: 1, or that of bot.toml]")
@click.option("--ladder", "ladders", multiple=True, help="A ladder to play in.  [default: all]")
def connect(
    *,
    url: str,
    bot: str,
    token: str,
    name: str | None,
    version: str | None,
    ladders: tuple[str, ...],
) -> None:
    """Let BOT play in the arena at URL, on this machine.

    BOT is module:Class, the folder of a bot, a shipped bot, or a command that speaks the protocol.
    Ctrl-C leaves when the present game is over, or at once when pressed again.
    """
    client = Client(url, token, _bot(bot, name, version), ladders, _say)

    def leave(_: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        client.leave()

    before = signal.signal(signal.SIGINT, leave)
    try:
        client.play()
    finally:
        signal.signal(signal.SIGINT, before)


def _say(line: str) -> None:
    click.echo(escape_unprintable(line))


def _bot(bot: str, name: str | None, version: str | None) -> Bot:
    try:
        command = tuple(shlex.split(bot))
    except ValueError as error:
        raise BadBot(f"BOT is no command: {error}") from None
    if not command:
        raise BadBot("BOT is empty; give module:Class, a folder, a shipped bot or a command")
    folder = Path(bot)
    if folder.is_dir():
        from carc.tournaments.submission.manifest import (  # noqa: PLC0415 (others do without)
            read_manifest,
        )

        try:
            manifest = read_manifest(folder)
        except OSError:
            raise BadBot(f"{bot} has no bot.toml, so it is no bot's folder") from None
        command = tuple(manifest.start(folder))
        name, version = name or manifest.name, version or manifest.version
        return Bot(name, version, command, folder, knows_rules=bool(manifest.entry))
    if class_path(bot) or _CLASS.fullmatch(bot):
        # Of the current folder nothing is imported but what is named.
        command = (sys.executable, "-P", "-m", "carc.bots.sdk", bot)
        own = f"my-{bot.partition(':')[0]}" if class_path(bot) else bot.rpartition(":")[2]
        return Bot(name or _name(own), version or "1", command)
    named = name or _name(Path(command[-1]).stem)
    return Bot(named, version or "1", command, knows_rules=False)


def _name(text: str) -> str:
    """Return a name that a bot may have, made from a text."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-_0123456789")[:40] or "bot"
