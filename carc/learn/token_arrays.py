"""Tokens as numpy arrays: what players see and may do, row by row (`docs/learn.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import attrs

from carc.base.game.state import State
from carc.base.validation import whole
from carc.errors import CarcError
from carc.learn.encoding import Encoding
from carc.learn.tokens import TokenWriter

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise CarcError("carc.learn.token_arrays needs numpy: pip install 'carc[arrays]'") from None

from carc.learn.observation import encoding_for

Rows = NDArray[np.int16]
MOST_ACTIONS = 512
MOST_PLACES = 128


@attrs.frozen(eq=False)
class Tokens:
    """What the players to decide see in some games, and what they may do.

    The arrays are views of what the core wrote, valid until it writes again; copy what you keep.
    """

    rows: Mapping[str, Rows]
    """By table, int16 of shape (rows, columns): the rows of all games, game after game."""
    starts: Mapping[str, NDArray[np.int64]]
    """By table, of shape (games,): the first row of each game."""
    counts: Mapping[str, NDArray[np.int64]]
    """By table, of shape (games,): how many rows each game has."""
    codes: NDArray[np.int32]
    """The code of each row of `actions`, of shape (rows,)."""
    columns: Mapping[str, tuple[str, ...]]
    """By table, the names of its columns."""

    def of(self, game: int) -> dict[str, NDArray[Any]]:
        """Return the rows of one game by table, and the `codes` of its actions."""
        found: dict[str, NDArray[Any]] = {}
        for name, rows in self.rows.items():
            first = self.starts[name][game]
            found[name] = rows[first : first + self.counts[name][game]]
            if name == "actions":
                found["codes"] = self.codes[first : first + self.counts[name][game]]
        return found

    def padded(self, table: str, most: int | None = None) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the rows of a table with as many for each game.

        Args:
            table: The table.
            most: How many rows each game gets; by default as many as the longest has. Rows beyond
                are left out.

        Returns:
            The rows, int16 of shape (games, most, columns), 0 where there is none; and where there
            is one, bool of shape (games, most).

        Raises:
            CarcError: There is no such table.
        """
        if table not in self.rows:
            raise CarcError(f"there is no table {table!r}; tables are {', '.join(self.rows)}")
        rows, starts, counts = self.rows[table], self.starts[table], self.counts[table]
        longest = int(counts.max(initial=0)) if most is None else whole(most, "a number of rows")
        there = np.arange(longest) < counts[:, None]
        out = np.zeros((len(counts), longest, rows.shape[1]), np.int16)
        out[there] = rows[(starts[:, None] + np.arange(longest))[there]]
        return out, there

    def take(self, games: NDArray[np.integer[Any]]) -> Tokens:
        """Return the tokens of some games, by their numbers, one after another: copies to keep."""
        rows, starts, counts, codes = {}, {}, {}, self.codes
        for name, table in self.rows.items():
            many = counts[name] = self.counts[name][games]
            first = starts[name] = np.cumsum(many) - many
            at = np.repeat(self.starts[name][games] - first, many) + np.arange(many.sum())
            rows[name] = table[at]
            if name == "actions":
                codes = codes[at]
        return Tokens(rows, starts, counts, codes, self.columns)


def tokens(state: State, player: int, encoding: Encoding | None = None) -> dict[str, NDArray[Any]]:
    """Return what a player sees, and the legal actions, as rows by table, and their `codes`.

    Args:
        state: The state.
        player: The player, who comes first among the owners.
        encoding: The encoding; by default that of the state's rules.

    Raises:
        CarcError: There is no such player, or the encoding is of other rules.
    """
    return _seen(state, player, TokenWriter(encoding or encoding_for(state.rules)))


def _seen(state: State, player: int, writer: TokenWriter) -> dict[str, NDArray[Any]]:
    """Return views of `tokens`, valid until the writer writes again."""
    writer.clear()
    writer.write(state, whole(player, "a player"))
    return views(writer).of(0)


@lru_cache(maxsize=64)
def table_columns(encoding: Encoding) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the columns by table."""
    tables = TokenWriter(encoding).tables
    return {name: tuple(table.columns) for name, table in tables.items()}


def fixed_shapes(encoding: Encoding) -> dict[str, tuple[int, ...]]:
    """Return the shapes of `fixed_tokens`."""
    rules = encoding.rules
    catalogue = rules.catalogue
    rows = {
        "tiles": catalogue.most_tiles,
        "features": catalogue.most_segments,
        "followers": sum(rules.components.supply),
        "owners": rules.owners,
        "bag": len(rules.tile_names),
        "places": MOST_PLACES if encoding._place_fields else 0,
        "numbers": 1,
        "actions": MOST_ACTIONS,
    }
    columns = table_columns(encoding)
    shapes: dict[str, tuple[int, ...]] = {name: (rows[name], len(columns[name])) for name in rows}
    return {**shapes, "codes": (MOST_ACTIONS,), "counts": (len(rows),)}


def fixed_tokens(state: State, player: int, writer: TokenWriter) -> dict[str, NDArray[np.int32]]:
    """Return tokens in new arrays of a fixed size, for libraries that want that.

    Each table of `tokens` and the `codes` have zeros after their rows, whose number is in `counts`.
    There is room for all rows, but for 512 of `actions` and 128 of `places`; others are left out.
    A writer that wrote an earlier position of a game writes only what changed since.

    Raises:
        CarcError: There is no such player, or the encoding is of other rules.
    """
    seen, shapes = _seen(state, player, writer), fixed_shapes(writer.encoding)
    out = {name: np.zeros(shape, np.int32) for name, shape in shapes.items()}
    for name, rows in seen.items():
        out[name][: len(rows)] = rows[: len(out[name])]
    out["counts"][:] = [min(len(seen[name]), len(out[name])) for name in seen if name != "codes"]
    return out


def views(writer: TokenWriter) -> Tokens:
    """Return what a writer wrote, as arrays."""
    return as_tokens(writer.encoding, words_of(writer), *ranges_of(writer))


def words_of(writer: TokenWriter) -> dict[str, NDArray[Any]]:
    """Return by table its rows with all numbers of their words, and the `codes`."""
    words: dict[str, NDArray[Any]] = {
        name: view(table.words, np.int16, 4 * table.width * table.count).reshape(
            -1, 4 * table.width
        )
        for name, table in writer.tables.items()
    }
    words["codes"] = view(writer.actions.codes, np.int32)[: writer.actions.count]
    return words


def ranges_of(writer: TokenWriter) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return by game and table the first row, and how many rows there are."""
    bounds = view(writer.bounds, np.int64).reshape(-1, len(writer.tables))[: writer.count + 1]
    return bounds[:-1], bounds[1:] - bounds[:-1]


def as_tokens(
    encoding: Encoding,
    words: Mapping[str, NDArray[Any]],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> Tokens:
    """Return tokens, given as `words_of` and `ranges_of` have them."""
    columns = table_columns(encoding)
    return Tokens(
        rows={name: words[name][:, : len(each)] for name, each in columns.items()},
        starts=dict(zip(columns, starts.T, strict=True)),
        counts=dict(zip(columns, counts.T, strict=True)),
        codes=words["codes"],
        columns=columns,
    )


def view(buffer: Any, dtype: type, count: int = -1) -> NDArray[Any]:
    """Return what a vector of the compiled core holds, or so many numbers of it."""
    return np.frombuffer(buffer, dtype, count) if len(buffer) and count else np.empty(0, dtype)
