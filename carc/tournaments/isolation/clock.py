"""The clock of a bot."""

from __future__ import annotations

import attrs

from carc.errors import CarcError


class BadClock(CarcError):
    """A clock that is impossible; the message says what is allowed."""


@attrs.frozen
class Clock:
    """Seconds of wall time, as in its text: `bank=60,increment=0.1,cap=10,start=10`."""

    bank: float = 60.0
    """For the whole game."""
    increment: float = 0.1
    """Added to the bank after each move."""
    cap: float = 10.0
    """A single move takes no longer, whatever is in the bank."""
    start: float = 10.0
    """From the start of its command to its `ready`; not from the bank."""

    @classmethod
    def named(cls, text: str) -> Clock:
        """Return the clock in a text; what it leaves out has its default. Raises `BadClock`."""
        names = [field.name for field in attrs.fields(cls)]
        given: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = (piece.strip() for piece in part.partition("="))
            try:
                if name not in names:
                    raise ValueError
                if name in given:
                    raise BadClock(f"{name} is given twice in the clock {text!r}; give it once")
                given[name] = float(value)
                if not 0 <= given[name] < 1e9 or (given[name] == 0 and name != "increment"):
                    raise ValueError
            except ValueError:
                raise BadClock(
                    f"{part!r} is no part of a clock; a clock is written {cls()}, seconds above 0, "
                    "and may leave parts out"
                ) from None
        return cls(**given)

    def __str__(self) -> str:
        return ",".join(f"{name}={value:g}" for name, value in attrs.asdict(self).items())
