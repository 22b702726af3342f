"""Analyses of a tournament's games, saved in its folder."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

from carc.analysis.reading import parse_analysis
from carc.analysis.results import GameAnalysis
from carc.bounded import read_plain
from carc.errors import CarcError
from carc.files import write_anew

FOLDER: Final = "analyses"
"""The folder with the analyses, in that of the tournament; a file for each game."""


def save_analysis(folder: Path, game: str, analysis: GameAnalysis) -> Path:
    """Save the analysis of a game in the folder of its tournament, and return its file.

    Raises:
        CarcError: The file cannot be written.
    """
    path = folder / FOLDER / f"{game}.json"
    with suppress(OSError):  # then the file cannot be written either
        path.parent.mkdir(exist_ok=True)
    write_anew(path, json.dumps(analysis.to_dict()))
    return path


def saved_analysis_text(folder: Path, game: str) -> str:
    """Return the saved analysis of a game as JSON text; empty if there is none that can be read."""
    try:
        return read_plain(folder / FOLDER / f"{game}.json")
    except (OSError, ValueError):
        return ""


def saved_analysis(folder: Path, game: str) -> GameAnalysis | None:
    """Return the saved analysis of a game, or None if there is none that can be read."""
    try:
        return parse_analysis(saved_analysis_text(folder, game), game)
    except CarcError:
        return None
