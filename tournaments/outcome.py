"""What became of one game, and how a table holds it."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any

import attrs

from carc.tournaments.verdicts import VOID


@attrs.frozen
class Outcome:
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
    """The match as JSON lines; this and the two before are empty where they were not asked for."""


_FIELDS = attrs.fields_dict(Outcome)
BULK = ("times", "stderr", "record")
"""Columns of a table of their own, so that reading the rest does not read them."""
PLAIN = tuple(name for name in _FIELDS if name not in BULK)
"""All other columns."""
_LISTS = tuple(name for name in _FIELDS if str(_FIELDS[name].type).startswith("tuple"))


@attrs.frozen
class Row:
    """An outcome as the ledger's tables hold it."""

    id: str
    void: bool
    seconds: float
    game: tuple[str | int | float, ...]
    record: tuple[str, ...]


def _times(seats: Iterable[Sequence[tuple[float, float]]]) -> str:
    """JSON, to the microsecond; written here, a seat at once, because there are hundreds a game."""
    pairs = (
        ", ".join(["[%.6f, %.6f]"] * len(seat)) % tuple(chain.from_iterable(seat)) for seat in seats
    )
    return "[" + ", ".join([f"[{seat}]" for seat in pairs]) + "]"


def digest_of(values: Iterable[object]) -> str:
    """16 hex digits that stand for the cells of a row."""
    return blake2b(
        "\x1f".join(map(str, values)).encode(errors="backslashreplace"), digest_size=8
    ).hexdigest()


# Few lists, and texts of them, stand in a million rows: who sat where, who came in when. Not so of these columns.
_ALWAYS_NEW = {"scores", "kinds", "wall", "cpu", *BULK}
_write_known = lru_cache(maxsize=1 << 14)(json.dumps)
_write_new = json.JSONEncoder().encode


def _same(value: Any) -> Any:
    return value


_ENCODE = {
    name: (_write_new if name in _ALWAYS_NEW else _write_known) if name in _LISTS else _same
    for name in _FIELDS
} | {"faults": _write_new, "times": _times}
_ENCODERS = tuple([(name, _ENCODE[name]) for name in PLAIN])
_BULK_ENCODERS = tuple([(name, _ENCODE[name]) for name in BULK])


def row(outcome: Outcome) -> Row:
    """The rows of an outcome. Made where the game was played: the one process that writes the ledger has all the others to
    serve."""
    game = tuple([encode(getattr(outcome, name)) for name, encode in _ENCODERS])
    record = tuple([encode(getattr(outcome, name)) for name, encode in _BULK_ENCODERS])
    return Row(
        id=outcome.id,
        void=outcome.verdict == VOID,
        seconds=outcome.seconds,
        game=(*game, digest_of(game)),
        record=(outcome.id, *record, digest_of(record)),
    )


@lru_cache(maxsize=1 << 14)
def known(text: str) -> tuple[Any, ...]:
    """A column of many equal texts, read."""
    return tuple(json.loads(text))


def _new(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


_DECODE = {
    name: (_new if name in _ALWAYS_NEW else known) if name in _LISTS else _same for name in _FIELDS
}
_DECODERS = tuple(_DECODE[name] for name in (*PLAIN, *BULK))


def outcome_of(values: Sequence[Any]) -> Outcome:
    """Of the columns in their order, without those of records or with them."""
    cells: list[Any] = [decode(value) for decode, value in zip(_DECODERS, values, strict=False)]
    return Outcome(*cells)
