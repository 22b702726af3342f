"""What goes wrong through bad input. The program `carc` prints the message, one sentence, and exits with 2."""


class CarcError(Exception):
    """Bad input; the message names what was wrong and what is allowed."""


class TileError(CarcError):
    """A tile file that cannot be read; the message starts with FILE:LINE."""


class BadNotation(CarcError):
    """Text that denotes no action."""


class IllegalAction(CarcError):
    """An action that is not legal now."""


class NoGame(CarcError, AttributeError):
    """An environment is asked for what belongs to a game while none is on: before `reset`."""


class BadRules(CarcError):
    """A rules spec that names nothing that can be played."""


class BadPosition(CarcError):
    """Text or data that tells of no position of the rules."""


class BadRecord(CarcError):
    """A record that is cut off, edited or foreign; the message starts with FILE:LINE."""


class BadBot(CarcError):
    """A bot that cannot be found or made."""
