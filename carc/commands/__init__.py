"""The program `carc`: one module for each command or group of commands."""

import carc.commands._interrupt  # noqa: F401 (for its effect, before anything that takes time)
