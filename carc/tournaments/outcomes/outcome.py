"""The outcome of a game, and its rows in a ledger. Compiled: boards are made of millions."""

import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from carc.bounded import parse_json
from carc.tournaments.identifiers import digest_of
from carc.tournaments.outcomes.columns import kinds_text, read_times, times_text
from carc.tournaments.outcomes.verdicts import VOID


class Outcome(NamedTuple):
    """What became of one game. Tuples are by seat."""

    id: str
    rotation_set: str
    deal: int
    deal_seed: int
    rules: str
    seats: tuple[str, ...]
    """Names of the entrants."""
    digests: tuple[str, ...]
    isolation: tuple[str, ...]
    verdict: str
    """`ok`, or `void`: the machine's fault, not rated and to be played again."""
    detail: str = ""
    """Why it is void."""
    voids: int = 0
    """How often it was void before."""
    ranks: tuple[int, ...] = ()
    """0 is best, equal is tied."""
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    """Seats."""
    verdicts: tuple[str, ...] = ()
    """`ok`, or what went wrong with the seat's bot."""
    faults: tuple[dict[str, Any], ...] = ()
    """As in the record (`docs/records.md`)."""
    kinds: tuple[dict[str, int], ...] = ()
    """Points by what they were scored with: `city`, `road`, ..."""
    moves: tuple[int, ...] = ()
    """How many the bots were asked for."""
    wall: tuple[float, ...] = ()
    """Seconds the bots thought."""
    cpu: tuple[float, ...] = ()
    """Seconds of CPU time meanwhile; far below `wall` where the machine was busy."""
    seconds: float = 0.0
    """How long the game took."""
    finished: str = ""
    """UTC, ISO 8601."""
    times: tuple[Sequence[tuple[float, float]], ...] = ()
    """Wall and CPU seconds of each move of each seat."""
    stderr: tuple[str, ...] = ()
    """What each seat's bot wrote there, cut; of bots in processes of their own."""
    record: str = ""
    """The match's compact record, for `carc.read_record`.

    It and the two before are empty where they were not asked for."""


_COLUMNS = Outcome._fields
BULK = ("times", "stderr", "record")
"""Columns of a table of their own, so that reading the rest does not read them."""
PLAIN = _COLUMNS[: -len(BULK)]
"""All other columns."""
_LISTS = [
    name
    for name, kind in Outcome.__annotations__.items()
    if getattr(kind, "__origin__", kind) is tuple
]


class Row(NamedTuple):
    """An outcome as the ledger's two tables hold it: the `cells` of a row in each, packed.

    They stay packed until they are written: as objects, thousands would take much memory.
    """

    id: str
    void: bool
    seconds: float
    game: bytes
    record: bytes


def cells(packed: bytes) -> tuple[str | int | float, ...]:
    """Return the cells of one row."""
    values: tuple[str | int | float, ...] = pickle.loads(packed)
    return values


# A million rows hold few different lists, such as who sat where. Not so in these columns.
_ALWAYS_NEW = {"scores", "kinds", "wall", "cpu", *BULK}
_write_known = lru_cache(maxsize=1 << 14)(json.dumps)
# Of quick bots there are few, too. Not among the others: a key of 0.0 is one of 0.
_write_seconds = lru_cache(maxsize=1 << 12)(json.dumps)


def _write_numbers(numbers: Iterable[int]) -> str:
    return str([*numbers])  # as JSON has it


def _write_faults(faults: tuple[dict[str, Any], ...]) -> str:
    return json.dumps(faults) if faults else "[]"


def _write_texts(texts: tuple[str, ...]) -> str:
    return json.dumps(texts) if any(texts) else _write_known(texts)


_ENCODE: dict[str, Callable[[Any], Any]] = dict.fromkeys(_LISTS, _write_known) | {
    "scores": _write_numbers,
    "wall": _write_seconds,
    "cpu": _write_seconds,
    "kinds": kinds_text,
    "faults": _write_faults,
    "times": times_text,
    "stderr": _write_texts,
}
_ENCODERS = tuple([(at, _ENCODE[name]) for at, name in enumerate(_COLUMNS) if name in _ENCODE])


def row(outcome: Outcome) -> Row:
    """Return the rows of an outcome.

    Call it where the game was played: the one process that writes the ledger serves all others.
    """
    columns: list[Any] = [*outcome]
    for at, encode in _ENCODERS:
        columns[at] = encode(columns[at])
    game, record = columns[: len(PLAIN)], columns[len(PLAIN) :]
    return Row(
        id=outcome.id,
        void=outcome.verdict == VOID,
        seconds=outcome.seconds,
        game=pickle.dumps((*game, digest_of(game))),
        record=pickle.dumps((outcome.id, *record, digest_of(record))),
    )


@lru_cache(maxsize=1 << 14)
def known(text: str) -> tuple[Any, ...]:
    """Return the parts of a column of which many are equal."""
    return tuple(parse_json(text))


@lru_cache(maxsize=1 << 14)
def _known_parts(text: str, kind: str) -> tuple[Any, ...]:
    """Return the same, if they are of that kind."""
    return _checked(known(text), kind)


def _checked(parts: tuple[Any, ...], kind: str) -> tuple[Any, ...]:
    """Return the parts of a column, which a stranger may have written, or raise `ValueError`."""
    for part in parts:
        if kind == "text":
            right = type(part) is str
        elif kind == "number":
            right = type(part) is int or type(part) is float
        elif kind == "integer":
            right = type(part) is int
        elif kind == "points":
            right = type(part) is dict and all(type(n) is int for n in part.values())
        else:
            right = kind == "fault" and type(part) is dict and part.keys() >= _FAULT
        if not right:
            raise ValueError(f"{part!r:.80} is no {kind}")
    return parts


_FAULT = {"seat", "action", "verdict", "detail"}
_KINDS = {
    "seats": "text",
    "digests": "text",
    "isolation": "text",
    "ranks": "integer",
    "scores": "integer",
    "winners": "integer",
    "verdicts": "text",
    "faults": "fault",
    "kinds": "points",
    "moves": "integer",
    "wall": "number",
    "cpu": "number",
    "stderr": "text",
}
_read = json.JSONDecoder().raw_decode
_KNOWN = [at for at, name in enumerate(_COLUMNS) if name in _LISTS and name not in _ALWAYS_NEW]
_NEW = [at for at, name in enumerate(_COLUMNS) if name in _LISTS and name in _ALWAYS_NEW]
_KIND_OF = [_KINDS.get(name, "") for name in _COLUMNS]
_SEATS = _COLUMNS.index("seats")
# A cell of SQLite holds a value of any type, whatever its column is.
_SCALARS = [
    (at, kind)
    for at, name in enumerate(PLAIN)
    if (kind := Outcome.__annotations__[name]) in (str, int)
]
# Of these a rated game has one for each seat.
_BY_SEAT = [
    _COLUMNS.index(name)
    for name in ("digests", "isolation", "ranks", "scores", "verdicts", "wall", "cpu")
]
_VERDICT = _COLUMNS.index("verdict")
_TIMES = _COLUMNS.index("times")
_NEW_PLAIN = [at for at in _NEW if at < len(PLAIN)]


def outcome_of(values: Sequence[Any]) -> Outcome:
    """Return the outcome in the columns, in their order, with those of the record or without.

    Raises `ValueError`, `TypeError` or `LookupError` if they are not what an outcome is made of.
    """
    cells = [*values]
    for at, kind in _SCALARS:
        if type(cells[at]) is not kind:
            raise ValueError(f"{_COLUMNS[at]} is {cells[at]!r:.80}")
    new = _NEW if len(cells) == len(_COLUMNS) else _NEW_PLAIN
    for at in _KNOWN:
        cells[at] = _known_parts(cells[at], _KIND_OF[at])
    # All at once: reading a text costs less than to begin to.
    for at, parts in zip(new, _read(f"[{', '.join([cells[at] for at in new])}]")[0], strict=True):
        cells[at] = tuple(parts) if at == _TIMES else _checked(tuple(parts), _KIND_OF[at])
    if cells[_VERDICT] != VOID:
        seats = len(cells[_SEATS])
        for at in _BY_SEAT:
            if len(cells[at]) != seats:
                raise ValueError(f"{_COLUMNS[at]} of {len(cells[at])} seats, not {seats}")
    if len(cells) == len(_COLUMNS):
        if type(cells[-1]) is not str:
            raise ValueError(f"record is {cells[-1]!r:.80}")
        cells[_TIMES] = read_times(cells[_TIMES])
    return Outcome(*cells)
