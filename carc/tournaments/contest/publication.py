"""What a contest publishes: before its first game, and when it is over."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from carc.files import write_anew
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.meta import plain
from carc.tournaments.rating.ratings import Leaderboard
from carc.tournaments.schedule.configuration import Configuration

PROMISE: Final = "promise.json"
ADMISSION: Final = "admission.json"
REGISTRY: Final = "registry"
BOARD: Final = "board.json"
REPORT: Final = "report.html"
SECRET: Final = "secret.json"
COMMITMENT: Final = "commitment.json"
"""Of carc 0.1, in place of a promise."""


def statement(configuration: Configuration) -> dict[str, Any]:
    """Return what carc 0.1 published before the first game; only the secret's hash bound it."""
    data = {key: value for key, value in configuration.to_dict().items() if key != "seed"}
    return plain({"commitment": chain.commitment(configuration.seed), **data})


def board_data(board: Leaderboard) -> dict[str, Any]:
    """Return the ratings of a board as plain data."""
    rows = []
    for standing in board.standings:
        row = attrs.asdict(standing)
        row.pop("seats", None)  # its keys are pairs, and the games tell it
        row.pop("kinds", None)
        rows.append(row)
    return {"games": board.games, "voids": board.voids, "standings": rows, "better": board.better}


def publish(folder: Path, name: str, data: Mapping[str, Any]) -> None:
    """Write a file of the contest's folder as JSON.

    Raises:
        CarcError: It cannot be written.
    """
    write_anew(folder / name, json.dumps(data, indent=1) + "\n")
