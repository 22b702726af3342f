"""How much a search may do a decision, as bots' parameters tell it."""

import re

from carc.errors import BadBot


def effort(parameter: str) -> tuple[int, float]:
    """Iterations and seconds that a parameter tells, one of them 0. Raises `BadBot`."""
    found = re.fullmatch(r"([1-9][0-9]{0,6})|((?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,4})?)s", parameter)
    iterations, seconds = (int(found[1] or 0), float(found[2] or 0)) if found else (0, 0.0)
    if not iterations and not seconds:
        raise BadBot(
            f"{parameter!r} is no effort; it is iterations a decision, such as 200 (1 to 9999999), or seconds, such as 0.2s "
            "(0.0001s to 9999s)"
        )
    return iterations, seconds
