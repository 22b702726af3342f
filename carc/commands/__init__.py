"""The program `carc`: one module for each command or group of commands."""
