"""Options from a TOML file. Every option of a command is a key; the command line has precedence."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from carc.bounded import parse_toml, read_named
from carc.errors import CarcError


class BadSettings(CarcError):
    """A bad file of settings. The message names the line and what is allowed."""


def resolve(ctx: click.Context, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of options: from the command line, else `given`, else the default."""
    values = dict(ctx.params)
    for option in ctx.command.params:
        name = option.name or ""
        if name in given and ctx.get_parameter_source(name) == ParameterSource.DEFAULT:
            values[name] = option.process_value(ctx, given[name])
    return values


def explicit_settings(ctx: click.Context, leave_out: frozenset[str]) -> dict[str, str]:
    """Return the options that the command line gives, as they would be in a file."""
    return {
        name: _text(value)
        for name, value in ctx.params.items()
        if name not in leave_out and ctx.get_parameter_source(name) != ParameterSource.DEFAULT
    }


def read_settings(path: Path, ctx: click.Context) -> dict[str, str]:
    """Return the settings in a TOML file; `BadSettings` if it has an unknown key or a bad value."""
    text = read_named(path, BadSettings)
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise BadSettings(f"{path}: not TOML: {error}") from None
    allowed = {option.name: option for option in ctx.command.params if option.name != "config"}
    settings = {}
    for key, value in data.items():
        if key not in allowed:
            line = _line(text, key)
            raise BadSettings(
                f"{path}:{line}: unknown key {key!r}; keys are {', '.join(map(str, allowed))}"
            )
        if isinstance(value, dict) and key != "clock":
            raise BadSettings(f"{path}:{_line(text, key)}: {key} must be a value, not a table")
        settings[key] = _text(value)
        try:
            allowed[key].process_value(ctx, settings[key])
        except click.BadParameter as error:
            raise BadSettings(f"{path}:{_line(text, key)}: {key}: {error.message}") from None
    return settings


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
