"""The program `carc`: one click command each, found by name and imported only when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from carc.errors import CarcError
from carc.visible import visible

# Command -> the module that holds it in COMMANDS.
MODULES = {
    "play": "carc.commands.play",
    "replay": "carc.commands.replay",
    "show": "carc.commands.show",
    "tiles": "carc.commands.tiles",
    "bench": "carc.commands.bench",
    "tournament": "carc.commands.tournament",
    "leaderboard": "carc.commands.tournament",
    "levels": "carc.commands.levels",
    "new-bot": "carc.commands.submission",
    "check": "carc.commands.submission",
    "submit": "carc.commands.submission",
    "bots": "carc.commands.submission",
    "withdraw": "carc.commands.submission",
    "doctor": "carc.commands.doctor",
    "log": "carc.commands.submission",
}


class Program(click.Group):
    """Commands by name, imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            raise CarcError(f"no command {cmd_name!r}; commands are {', '.join(MODULES)}")
        commands: list[click.Command] = importlib.import_module(MODULES[cmd_name]).COMMANDS
        return next(command for command in commands if command.name == cmd_name)


@click.command(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="carc")
def carc() -> None:
    """Carcassonne for bots: play, rate, replay."""


def main() -> None:
    """Run the program. Bad input: one sentence on stderr, exit code 2."""
    # One's own bots, as module:Class, are found in the folder the program is called in; last, so that they shadow nothing.
    sys.path.append("")
    try:
        code = carc.main(prog_name="carc", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except click.ClickException as error:
        click.echo(f"carc: {visible(error.format_message())}", err=True)
        code = 2
    except CarcError as error:
        click.echo(f"carc: {visible(error)}", err=True)
        code = 2
    except click.Abort:
        code = 130
    sys.exit(code if isinstance(code, int) else 0)
