"""Games and boards for other programs: JSON, CSV, Parquet."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import attrs

from carc.errors import CarcError
from carc.files import whole_file
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.rating.ratings import Leaderboard, Standing
from carc.tournaments.rating.tally import beaten
from carc.tournaments.reports.board_table import Heading

CHUNK = 50_000  # rows written at once


def board_json(board: Leaderboard, heading: Heading) -> str:
    """Return the whole board as a JSON object."""
    data = attrs.asdict(board, filter=lambda field, _: field.name != "void")
    for line, standing in zip(data["standings"], board.standings, strict=True):
        line["conservative"] = standing.conservative
        line["seats"] = [
            {"table": size, "seat": seat, "ahead_of": share}
            for (size, seat), share in standing.seats.items()
        ]
    data["void"] = [game_data(outcome) for outcome in board.void]
    return json.dumps({**attrs.asdict(heading), **data}, indent=1)


_COLUMNS: dict[str, Callable[[Standing], Any]] = {
    "rank": attrgetter("rank"),
    "bot": attrgetter("bot"),
    "games": attrgetter("games"),
    "wins": attrgetter("wins"),
    "score": attrgetter("score.value"),
    "mu": attrgetter("mu"),
    "sigma": attrgetter("sigma"),
    "conservative": attrgetter("conservative"),
    "strength": attrgetter("strength.value"),
    "strength_low": attrgetter("strength.low"),
    "strength_high": attrgetter("strength.high"),
    "rank_low": lambda line: line.ranks[0],
    "rank_high": lambda line: line.ranks[1],
    "faults": lambda line: line.faults,
    "wall_per_move": attrgetter("wall"),
    "cpu_per_move": attrgetter("cpu"),
}


def board_csv(board: Leaderboard) -> str:
    """Return the lines of the board as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([get(line) for get in _COLUMNS.values()] for line in board.standings)
    return text.getvalue()


def margin(outcome: Outcome) -> int:
    """Return the points between the first and the last."""
    return max(outcome.scores, default=0) - min(outcome.scores, default=0)


def listed(
    outcomes: Iterable[Outcome], bot: str | None = None, verdict: str | None = None
) -> Iterator[Outcome]:
    """Yield the games of a bot (by its name, with or without version) with a verdict."""
    for outcome in outcomes:
        seats = [
            seat
            for seat, name in enumerate(outcome.seats)
            if bot is None or bot in (name, name.partition("@")[0])
        ]
        verdicts = {outcome.verdicts[seat] for seat in seats} if outcome.verdicts else set()
        if (seats and (verdict is None or verdict in verdicts | {outcome.verdict} - {OK})) or (
            seats and verdict == OK == outcome.verdict and verdicts == {OK}
        ):
            yield outcome


def game_data(outcome: Outcome) -> dict[str, Any]:
    """Return a game as plain data, without its record."""
    left_out = ("times", "stderr", "record", "deal_seed")
    return {name: part for name, part in outcome._asdict().items() if name not in left_out}


def line(outcome: Outcome) -> str:
    """Return a game on one line."""
    if outcome.verdict == VOID:
        reason = (outcome.detail.strip().splitlines() or [""])[-1]
        return f"{outcome.id}  {', '.join(outcome.seats)}  void: {reason}"
    seats = ", ".join(
        f"{name} {score}" + ("*" if seat in outcome.winners else "")
        for seat, (name, score) in enumerate(zip(outcome.seats, outcome.scores, strict=True))
    )
    faults = "".join(
        f"  {outcome.seats[fault['seat']]}: {fault['verdict']}" for fault in outcome.faults
    )
    return f"{outcome.id}  {seats}{faults}"


def rows(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield the rows of a game for a table, one for each seat; none if it is void."""
    if outcome.verdict == VOID:
        return
    shares = beaten(outcome.ranks)
    for seat, bot in enumerate(outcome.seats):
        yield {
            "game": outcome.id,
            "rotation_set": outcome.rotation_set,
            "deal": outcome.deal,
            "players": len(outcome.seats),
            "seat": seat,
            "bot": bot,
            "digest": outcome.digests[seat],
            "isolation": outcome.isolation[seat],
            "rank": outcome.ranks[seat],
            "ahead_of": shares[seat],
            "score": outcome.scores[seat],
            "won": seat in outcome.winners,
            "verdict": outcome.verdicts[seat],
            "moves": outcome.moves[seat] if outcome.moves else 0,
            "wall": outcome.wall[seat],
            "cpu": outcome.cpu[seat],
            "seconds": outcome.seconds,
            "finished": outcome.finished,
        }


def write_lines(rows: Iterable[dict[str, Any]], file: TextIO) -> None:
    """Write rows as JSON lines."""
    for row in rows:
        file.write(json.dumps(row) + "\n")


def export(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write rows to a file in the format of its suffix; raise `CarcError` if there is none."""
    write = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}.get(path.suffix)
    if write is None:
        raise CarcError(f"{path} ends in none of .jsonl, .csv, .parquet")
    with whole_file(path) as file:
        write(rows, file)


def _jsonl(rows: Iterable[dict[str, Any]], file: BinaryIO) -> None:
    with TextIOWrapper(file, encoding="utf-8") as text:
        write_lines(rows, text)


def _csv(rows: Iterable[dict[str, Any]], file: BinaryIO) -> None:
    with TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer: csv.DictWriter[str] | None = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(text, list(row), lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)


def _parquet(rows: Iterable[dict[str, Any]], file: BinaryIO) -> None:
    try:
        import pyarrow  # noqa: PLC0415 (large, and for this alone)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise CarcError("Parquet needs pyarrow: pip install 'carc[parquet]'") from None
    chunk: list[dict[str, Any]] = []
    writer = None
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            writer = _append(pyarrow, parquet, writer, chunk, file)
            chunk = []
    writer = _append(pyarrow, parquet, writer, chunk, file)
    if writer is not None:
        writer.close()


def _append(
    pyarrow: Any, parquet: Any, writer: Any, chunk: list[dict[str, Any]], file: BinaryIO
) -> Any:
    if not chunk:
        return writer
    table = pyarrow.Table.from_pylist(chunk)
    writer = writer or parquet.ParquetWriter(file, table.schema)
    writer.write_table(table)
    return writer
