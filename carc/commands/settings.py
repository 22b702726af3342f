"""Options from a file: every option of a command is a key.

The command line takes precedence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from carc.bounded import parse_toml, read_text
from carc.errors import CarcError


class BadSettings(CarcError):
    """A file that holds no settings; the message names the line and what is allowed."""


def settled(ctx: click.Context, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a command's options.

    They are those of the command line, else of `given`, else the defaults.
    """
    values = dict(ctx.params)
    for option in ctx.command.params:
        name = option.name or ""
        if name in given and ctx.get_parameter_source(name) == ParameterSource.DEFAULT:
            values[name] = option.process_value(ctx, given[name])
    return values


def told(ctx: click.Context, leave_out: frozenset[str]) -> dict[str, str]:
    """Return what the command line says, as it would stand in a file."""
    return {
        name: _text(value)
        for name, value in ctx.params.items()
        if name not in leave_out and ctx.get_parameter_source(name) != ParameterSource.DEFAULT
    }


def read_settings(path: Path, ctx: click.Context) -> dict[str, str]:
    """Return the settings in a TOML file.

    Raises:
        BadSettings: It holds none.
    """
    try:
        text = read_text(path)
        data = parse_toml(text)
    except OSError as error:
        raise BadSettings(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadSettings(f"{path}: not TOML: {error}") from None
    allowed = {option.name: option for option in ctx.command.params if option.name != "config"}
    found = {}
    for key, value in data.items():
        if key not in allowed:
            line = _line(text, key)
            raise BadSettings(
                f"{path}:{line}: unknown key {key!r}; keys are {', '.join(map(str, allowed))}"
            )
        if isinstance(value, dict) and key != "clock":
            raise BadSettings(f"{path}:{_line(text, key)}: {key} is one value, not a table")
        found[key] = _text(value)
        try:
            allowed[key].process_value(ctx, found[key])
        except click.BadParameter as error:
            raise BadSettings(f"{path}:{_line(text, key)}: {key}: {error.message}") from None
    return found


def _line(text: str, key: str) -> int:
    pattern = re.compile(rf"""\s*\[?\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if pattern.match(line)), 1)


def _text(value: object) -> str:
    """Return a value as the command line writes it."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={part}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
