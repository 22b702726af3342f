"""Datasets: positions of games as tokens in one npz file (`docs/learn.md`)."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.steps import CHANCE
from carc.errors import CarcError
from carc.files import whole_file
from carc.learn.tokens import TokenWriter
from carc.match.match import Match
from carc.match.record import begin_replay, recorded_action

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise CarcError("carc.learn.dataset needs numpy: pip install 'carc[arrays]'") from None

from carc.learn.observation import encoding_for
from carc.learn.token_arrays import Tokens, table_columns, views

_FAST = 1  # of zlib: the files are a tenth larger, and written four times as fast


def tokens_of(states: Sequence[State], writer: TokenWriter | None = None) -> Tokens:
    """Return what the players to decide see in some positions, at least one, of the same rules.

    The arrays are valid until the writer writes again. By default they have one of their own.
    """
    writer = writer or TokenWriter(encoding_for(states[0].rules))
    writer.clear()
    for state in states:
        writer.write(state, state.current_player)
    return views(writer)


@attrs.frozen(eq=False)
class Dataset:
    """Positions of one set of rules."""

    rules: Rules
    seen: Tokens
    """What the players to decide saw; the positions are its games."""
    columns: Mapping[str, NDArray[Any]]
    """What else was written: `chosen`, `player`, `game`, `scores` and `returns` of `add_match`."""

    def __len__(self) -> int:
        return len(self.seen.starts["numbers"])


class DatasetWriter:
    """Writes positions; what is added waits in temporary files. Use it in a `with` statement."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.games = 0
        self.positions = 0
        self._tokens = TokenWriter(encoding_for(rules))
        self._columns: dict[str, _Column] = {}
        self._files = ExitStack()

    def __enter__(self) -> DatasetWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._files.close()

    def add_match(self, match: Match, source: str) -> None:
        """Add the positions of a played game in which a player was to decide.

        Columns are `chosen`, the row among the position's actions; `player`, who chose; `game`, the
        game's number; `scores` and `returns`, the outcome by owner and by player, counted from the
        one who chose. Raises `BadRecord` if it was played by other rules, or if an action in it is
        not legal.
        """
        state = begin_replay(match, self.rules, source)
        states: list[State] = []
        chosen: list[int] = []
        for number, move in enumerate(match.moves, start=2):
            action = recorded_action(state, move, f"{source}:{number}")
            if state.current_player != CHANCE:
                states.append(state.copy())
                chosen.append(state.legal_actions().index(action))
            state.apply(action)
        players = [state.current_player for state in states]
        scores, returns = (np.array(each) for each in (match.result.scores, match.result.returns))
        colours = self.rules.colours
        if states:
            self.add(
                states,
                chosen=np.array(chosen, np.int32),
                player=np.array(players, np.int32),
                game=np.full(len(states), self.games, np.int32),
                scores=np.array([np.roll(scores, -colours[p][0]) for p in players], np.int32),
                returns=np.array([np.roll(returns, -p) for p in players], np.float32),
            )
        self.games += 1

    def add(self, states: Sequence[State], **columns: NDArray[Any]) -> None:
        """Add positions, at least one, and columns about them, each time the same ones.

        The first axis of a column is the position, or another of your own.
        """
        seen = tokens_of(states, self._tokens)
        counts = {_counts(name): each.astype(np.int32) for name, each in seen.counts.items()}
        parts: dict[str, NDArray[Any]] = {**seen.rows, "codes": seen.codes, **counts, **columns}
        for name, rows in parts.items():
            if name not in self._columns:
                file = self._files.enter_context(TemporaryFile())  # noqa: SIM115
                self._columns[name] = _Column(file, rows)
            self._columns[name].add(rows)
        self.positions += len(states)

    def save(self, path: Path) -> None:
        """Write the file; `CarcError` without positions, or if it cannot be written."""
        if not self.positions:
            raise CarcError("there is no position in which a player decides")
        about: dict[str, NDArray[Any]] = {
            "rules": np.array(self.rules.spec),
            "players": np.array(self.rules.players),
        }
        for table, columns in table_columns(self._tokens.encoding).items():
            about[_names(table)] = np.array(columns)
        with (
            whole_file(path) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_FAST) as archive,
        ):
            for name, array in about.items():
                with archive.open(f"{name}.npy", "w") as entry:
                    np.lib.format.write_array(entry, array)
            for name, column in self._columns.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    column.write(entry)


class _Column:
    """The rows of an array, one after another in a file."""

    def __init__(self, file: Any, like: NDArray[Any]) -> None:
        self._file = file
        self._kind = like.dtype
        self._shape = like.shape[1:]
        self._length = 0

    def add(self, rows: NDArray[Any]) -> None:
        """Add rows."""
        self._file.write(np.ascontiguousarray(rows, self._kind).tobytes())
        self._length += len(rows)

    def write(self, into: Any) -> None:
        """Write all as an npy file."""
        about = {
            "descr": np.lib.format.dtype_to_descr(self._kind),
            "fortran_order": False,
            "shape": (self._length, *self._shape),
        }
        np.lib.format.write_array_header_1_0(into, about)
        self._file.seek(0)
        shutil.copyfileobj(self._file, into)


def read_dataset(path: Path) -> Dataset:
    """Return what a `DatasetWriter` wrote.

    Raises:
        CarcError: The file cannot be read, is no dataset, or has the columns of another version.
    """
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            arrays = {name: file[name] for name in file.files}
        rules = Rules.cached(str(arrays.pop("rules")), int(arrays.pop("players")))
        expected = table_columns(encoding_for(rules))
        names = {table: tuple(arrays.pop(_names(table)).tolist()) for table in expected}
        counts = {table: arrays.pop(_counts(table)).astype(np.int64) for table in expected}
        rows = {table: arrays.pop(table) for table in expected}
        codes = arrays.pop("codes")
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise CarcError(f"{path} is no dataset that carc export wrote: {error}") from None
    if names != expected:
        raise CarcError(f"{path} was written by another version of carc: its columns differ")
    starts = {table: np.cumsum(each) - each for table, each in counts.items()}
    seen = Tokens(rows=rows, starts=starts, counts=counts, codes=codes, columns=names)
    return Dataset(rules, seen, arrays)


def _counts(table: str) -> str:
    return f"{table}_counts"


def _names(table: str) -> str:
    return f"{table}_columns"
