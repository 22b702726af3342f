"""How much a search may do a decision, as bots' parameters tell it."""

import re

from carc.errors import BadBot


def effort(parameter: str) -> tuple[int, float]:
    """Iterations and seconds that a parameter tells, one of them 0. Raises `BadBot`."""
    found = re.fullmatch(r"(\d{1,7})|(\d{1,4}(?:\.\d{1,4})?)s", parameter)
    iterations, seconds = (int(found[1] or 0), float(found[2] or 0)) if found else (0, 0.0)
    if not iterations and not seconds:
        raise BadBot(
            f"{parameter!r} is no effort; it is iterations a decision, such as 200, or seconds, such as 0.2s"
        )
    return iterations, seconds
