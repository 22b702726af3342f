"""The program `carc`: one click command each, found by name and imported only when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from carc.errors import CarcError

# Command -> the module that holds it in COMMANDS.
MODULES = {
    "play": "tournaments.play_cli",
    "replay": "tournaments.play_cli",
    "tiles": "tournaments.play_cli",
    "bench": "tournaments.bench",
    "tournament": "tournaments.cli",
    "leaderboard": "tournaments.cli",
    "levels": "tournaments.levels",
    "new-bot": "tournaments.submit_cli",
    "check": "tournaments.submit_cli",
    "submit": "tournaments.submit_cli",
    "bots": "tournaments.submit_cli",
    "withdraw": "tournaments.submit_cli",
    "doctor": "tournaments.submit_cli",
    "log": "tournaments.submit_cli",
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
    # One's own bots, as module:Class, are found in the folder the program is called in.
    sys.path.insert(0, "")
    try:
        code = carc.main(prog_name="carc", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except click.ClickException as error:
        click.echo(f"carc: {error.format_message()}", err=True)
        code = 2
    except CarcError as error:
        click.echo(f"carc: {error}", err=True)
        code = 2
    except click.Abort:
        code = 130
    sys.exit(code if isinstance(code, int) else 0)
