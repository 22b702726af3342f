"""The program `carc`. Each command is imported only when it is called."""

import importlib
import io
import os
import signal
import sys
import traceback
from contextlib import suppress

import click

from carc.commands import own_modules
from carc.errors import CarcError
from carc.escape import escape_unprintable

# The module with each command.
MODULES = {
    "play": "carc.commands.play",
    "replay": "carc.commands.replay",
    "show": "carc.commands.show",
    "analyse": "carc.commands.analyse",
    "review": "carc.commands.review",
    "puzzles": "carc.commands.puzzles",
    "serve": "carc.commands.serve",
    "tiles": "carc.commands.tiles",
    "bench": "carc.commands.bench",
    "tournament": "carc.commands.tournament",
    "duel": "carc.commands.tournament",
    "contest": "carc.commands.contest",
    "verify": "carc.commands.contest",
    "arena": "carc.commands.arena",
    "leaderboard": "carc.commands.results",
    "games": "carc.commands.results",
    "report": "carc.commands.results",
    "export": "carc.commands.results",
    "import": "carc.commands.import_game",
    "merge": "carc.commands.results",
    "levels": "carc.commands.levels",
    "new-bot": "carc.commands.bots",
    "new-expansion": "carc.commands.new_expansion",
    "check": "carc.commands.bots",
    "submit": "carc.commands.bots",
    "bots": "carc.commands.bots",
    "withdraw": "carc.commands.bots",
    "doctor": "carc.commands.doctor",
    "log": "carc.commands.bots",
    "connect": "carc.commands.connect",
}


# Packages that `pip install carc` does not install.
_LONGEST = 480  # characters of a message that are shown
_OF_TOURNAMENTS = ("mpmath", "multiprocessing_logging", "networkx", "numpy", "rich", "trueskill")


class LazyGroup(click.Group):
    """A group of commands that are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; `CarcError` if there is none, or if it needs more packages."""
        if cmd_name not in MODULES:
            raise CarcError(f"no command {cmd_name!r}; the commands are {', '.join(MODULES)}")
        try:
            module = importlib.import_module(MODULES[cmd_name])
        except ModuleNotFoundError as error:
            if error.name not in _OF_TOURNAMENTS:
                raise
            raise CarcError(
                f"carc {cmd_name} needs {error.name}: pip install 'carc[tournament]'"
            ) from None
        commands = (each for each in vars(module).values() if isinstance(each, click.Command))
        return next(command for command in commands if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each command. One that lacks a package says so in its line."""
        limit = formatter.width - 6 - max(map(len, MODULES))
        rows = []
        for name in MODULES:
            try:
                command = self.get_command(ctx, name)
                rows.append((name, command.get_short_help_str(limit) if command else ""))
            except CarcError as error:
                rows.append((name, str(error)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, and refuse options that are given twice."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            with suppress(click.UsageError):  # reported when the command is called
                _refuse_repeats(command, rest)
        return name, command, rest


def _refuse_repeats(command: click.Command, args: list[str]) -> None:
    """Raise `CarcError` for an option given twice, of which click would silently take the last."""
    _, _, order = command.make_parser(click.Context(command)).parse_args(args=[*args])
    for option in order:
        if isinstance(option, click.Option) and not option.multiple and order.count(option) > 1:
            names = "/".join([option.opts[-1], *option.secondary_opts])
            raise CarcError(f"{names} is given twice; give it once")


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(package_name="carc")
def carc() -> None:
    """Carcassonne for bots: play, rate, replay."""


def main() -> None:
    """Run the program. Bad input prints one sentence to stderr and exits with status 2."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(
            signal.SIGINT, signal.default_int_handler
        )  # from here on it is caught (`carc.commands._interrupt`)
    own_modules.install()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="replace"
            )  # a terminal of few characters gets what it can show
    if sys.stdout is None:
        sys.exit(_print_error("standard output is closed; to throw it away, > /dev/null"))
    code = 0
    try:
        # Not `carc.main`: to it a pipe that nobody reads is exit code 1.
        with carc.make_context("carc", sys.argv[1:]) as ctx:
            carc.invoke(ctx)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except click.ClickException as error:
        code = _print_error(error.format_message())
    except CarcError as error:
        code = _print_error(error)
    except BrokenPipeError:  # such as `carc leaderboard runs/first | head`
        code = _discard_output()
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        code = _print_error(f"{name}{error.strerror or error}")
        try:
            sys.stdout.flush()
        except OSError:
            _discard_output()
    except (click.Abort, EOFError, KeyboardInterrupt):
        with suppress(OSError):
            click.echo(err=True)
        code = 130
    except Exception:  # noqa: BLE001 (a fault of ours, of a bot or an expansion)
        traceback.print_exc()
        code = os.EX_SOFTWARE
    sys.exit(code)


def _print_error(why: object) -> int:
    with suppress(OSError):
        text = escape_unprintable(why)
        if len(text) > _LONGEST:
            text = f"{text[: _LONGEST * 3 // 4]} … {text[-_LONGEST // 4 :]}"
        click.echo(f"carc: {text}", err=True)
    return 2


def _discard_output() -> int:
    """Throw away further output, because nobody reads it, and return the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 128 + signal.SIGPIPE
