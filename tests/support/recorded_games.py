"""The files of games that another engine played, a line each: `classics/games`."""

import json
import lzma
from pathlib import Path
from typing import Any

from support.recorded_options import FOLDER

GAMES = FOLDER / "games"

# By a file's name: what it plays.
SPECS = {
    "river": "base+river",
    "river2": "base+river(part=two)",
    "abbot": "base+abbot",
    "king": "base+king",
    "traders": "base+traders",
    "inns-traders": "base+inns+traders",
    "inns-traders-king-river": "base+inns+king+river+traders",
    "inns-traders-abbot-river-flier": "base+abbot+flier(fields=off)+inns+river+traders",
    "circles": "base+crops",
    "dragon": "base+dragon",
    "festival": "base+festival",
    "flier": "base+flier(fields=off)",
    "gold": "base+gold",
    "hills": "base+hills",
    "inns": "base+inns",
    "mage": "base+mage",
    "gq11": "base+gq11",
    "darmstadt": "base+darmstadt",
    "labyrinth": "base+labyrinth(followers=off)",
    "phantom": "base+phantom",
    "tunnel": "base+tunnel",
    "watchtowers": "base+watchtowers",
    "windroses": "base+windroses",
    "monasteries": "base+monasteries",
    "cult": "base+cult",
    "buildings": "base+buildings(worth=each)",
    "tower": "base+tower",
    "inns-traders-dragon-tower-abbey": "base+abbey+dragon+inns+tower+traders",
    "abbey": "base+abbey",
    "siege": "base+siege(escape=off)",
    "russian": "base+russian",
    "bigtop": "base+bigtop",
    "ringmaster": "base+bigtop(acrobats=off)",
    "ferries": "base+ferries",
    "bridges": "base+bridges(bazaars=off,bridges=own,castles=off)",
    "castles": "base+bridges(bazaars=off,bridges=off)",
    "count": "base+count",
    "son": "base+son",
    "bridges-castles-bazaars": "base+bridges(bridges=own)",
}
FEW = {"count": 4, "windroses": 4}  # files with other than 16 games
Game = dict[str, Any]


def recorded(name: str, folder: Path = GAMES) -> list[Game]:
    """The games of a file."""
    with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
