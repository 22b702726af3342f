"""Exceptions for bad input. The program `carc` prints their message and exits with status 2."""


class CarcError(Exception):
    """Bad input. The message says what was wrong and what is allowed."""


class TileError(CarcError):
    """A tile file that cannot be read. The message starts with FILE:LINE."""


class BadNotation(CarcError):
    """Text that is not an action."""


class IllegalAction(CarcError):
    """An action that is not legal in this position."""


class NoGame(CarcError, AttributeError):
    """An environment was used before its first `reset`."""


class BadRules(CarcError):
    """A rules spec that cannot be played."""


class BadPosition(CarcError):
    """Text or data that is not a position of the rules."""


class BadRecord(CarcError):
    """A record that is cut off, edited or foreign. The message starts with FILE:LINE."""


class BadBot(CarcError):
    """A bot that cannot be found or made."""
