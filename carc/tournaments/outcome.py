"""What became of one game, and how a table holds it. Compiled: boards are made of millions."""

import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from carc.tournaments.columns import kinds_text, read_times, times_text
from carc.tournaments.keys import digest_of
from carc.tournaments.verdicts import VOID


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
    """Seconds of CPU time meanwhile; far below `wall` where the machine was busy with something else."""
    seconds: float = 0.0
    """How long the game took."""
    finished: str = ""
    """UTC, ISO 8601."""
    times: tuple[Sequence[tuple[float, float]], ...] = ()
    """Wall and CPU seconds of each move of each seat."""
    stderr: tuple[str, ...] = ()
    """What each seat's bot wrote there, cut; of bots in processes of their own."""
    record: str = ""
    """The match's record in short, for `carc.read_record`; this and the two before are empty where they were not asked for."""


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
    """An outcome as the ledger's tables hold it: the `cells` of a row in each of the two, packed until they are written. As
    objects, thousands would wait for it."""

    id: str
    void: bool
    seconds: float
    game: bytes
    record: bytes


def cells(packed: bytes) -> tuple[str | int | float, ...]:
    """Those of one row."""
    found: tuple[str | int | float, ...] = pickle.loads(packed)
    return found


# Few lists, and texts of them, stand in a million rows: who sat where, who came in when. Not so of these columns.
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
    """The rows of an outcome. Made where the game was played: the one process that writes the ledger has all the others to
    serve."""
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
    """A column of many equal texts, read."""
    return tuple(json.loads(text))


_read = json.JSONDecoder().raw_decode
_KNOWN = [at for at, name in enumerate(_COLUMNS) if name in _LISTS and name not in _ALWAYS_NEW]
_NEW = [at for at, name in enumerate(_COLUMNS) if name in _LISTS and name in _ALWAYS_NEW]


_TIMES = _COLUMNS.index("times")
_NEW_PLAIN = [at for at in _NEW if at < len(PLAIN)]


def outcome_of(values: Sequence[Any]) -> Outcome:
    """Of the columns in their order, without those of records or with them."""
    cells = [*values]
    new = _NEW if len(cells) == len(_COLUMNS) else _NEW_PLAIN
    for at in _KNOWN:
        cells[at] = known(cells[at])
    # All at once: reading a text costs less than to begin to.
    for at, found in zip(new, _read(f"[{', '.join([cells[at] for at in new])}]")[0], strict=True):
        cells[at] = tuple(found)
    if len(cells) == len(_COLUMNS):
        cells[_TIMES] = read_times(cells[_TIMES])
    return Outcome(*cells)
