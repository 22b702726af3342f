"""What JCloisterZone calls figures and tokens."""

import re

from carc.errors import BadRecord
from carc.formats.jcz.saved_game import brief

# A figure's id says whose it is, of which kind, and which of them.
_FIGURE = re.compile(r"(\d)\.([a-z]{1,20})\.(\d{1,2})")
_KINDS = {"small": "meeple"}
TAKEN = {
    "FESTIVAL": "festival",
    "CORN_CIRCLE": "take",
    "TRAP": "free",
    "SIEGE_ESCAPE": "escape",
}
TAKEN_OF_ANYBODY = {"PRINCESS": "princess", "ROBBERS_SON": "rob"}
SOURCES = {verb: source for source, verb in (TAKEN | TAKEN_OF_ANYBODY).items()}
ON_TOP = {"Tower": "top", "Acrobats": "acrobat"}
SHEEP = (1, 2, 3, 4, 0)  # in the order of their bag; 0 is the wolf


def read_figure(name: str) -> tuple[int, str]:
    """Return whose figure an id names, and of which of our kinds it is, or raise `BadRecord`."""
    match = _FIGURE.fullmatch(name)
    if match is None:
        raise BadRecord(f"{brief(name)} is no figure; one is written as 0.small.1")
    return int(match[1]), _KINDS.get(match[2], match[2])


def figure_name(owner: int, kind: str, number: int) -> str:
    """Return the id of a figure."""
    return f"{owner}.{'small' if kind == 'meeple' else kind}.{number}"
