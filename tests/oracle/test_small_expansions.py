"""Engine and oracle side by side in games with the smaller classic expansions."""

import os
from typing import Any

import pytest
from support.oracle import comparison
from support.oracle.bonuses import (
    DarmstadtOracle,
    LabyrinthOracle,
    WatchtowersOracle,
    WindRosesOracle,
)
from support.oracle.classics import ClassicsOracle
from support.oracle.count import CountOracle
from support.oracle.crops import CropsOracle
from support.oracle.flier import FlierOracle
from support.oracle.hills import HillsOracle
from support.oracle.monasteries import CultOracle, MonasteriesOracle
from support.oracle.treasures import FestivalOracle, GoldOracle, MageOracle
from support.oracle.tunnels import TunnelOracle
from support.oracle.without_tiles import BuildingsOracle, PhantomOracle, SonOracle

from carc.commands.bench import is_compiled

GAMES = is_compiled() + int(os.environ.get("CARC_ORACLE_GAMES", "1"))


@pytest.mark.parametrize(
    "spec",
    [
        "base+buildings",
        "base(fields=off)+buildings(worth=each)+ghosts+phantom",
        "base+cult+monasteries",
        "base+abbot+darmstadt+spiel_doch",
        "base+abbey+bridges(castles=off)+city_gates",
        "base+gq11+river(part=both)+traders",
        "base+gq11(spring=own)+river(part=both)",
        "base(fields=off)+labyrinth+tunnel",
        "base+labyrinth(followers=majority)+watchtowers(bonus=claimed)",
        "base+dragon(princess=must)+phantom+tunnel",
        "base+watchtowers+windroses",
        "base+dragon+festival+hills",
        "base+festival(returns=followers)+hills(shepherd_count=2)+king(worth=10)+traders",
        "base+count+darmstadt+king(worth=at_once)",
        "base+bridges(castles=off)+king(worth=15)",
        "base+abbey(barn_count=2,barns=together,wagon_count=2)+dragon"
        "+tunnel(others=off,tokens=fewer)",
        "base+gq11(herd=off)+monasteries(others=off)+river(part=two)+traders",
        "base+ghosts+gold+hills(ties=most)+mage",
        "base+crops+dragon+inns",
        "base+abbey+crops+flier(fields=off)",
        "base+flier+ghosts+traders",
        "base+count(moves=clockwise)+son",
        "base(fields=off)+count(final=all,moves=follow)+river",
    ],
)
def test_they_agree(spec: str) -> None:
    for seed in range(GAMES):
        assert comparison.compare(spec, 2 + seed % 4, seed, every=60, tidy=True) > 140


@pytest.mark.parametrize(
    ("name", "kind", "rule", "wrong"),
    [
        ("buildings", BuildingsOracle, "instead", []),
        ("count", CountOracle, "ways_out", {}),
        ("crops", CropsOracle, "own_on", []),
        ("cult", CultOracle, "allowed", True),
        ("darmstadt", DarmstadtOracle, "before_scoring", None),
        ("festival", FestivalOracle, "instead", []),
        ("flier", FlierOracle, "landings", []),
        ("gold", GoldOracle, "hand_out", None),
        ("gq11", ClassicsOracle, "marked", 0),
        ("hills", HillsOracle, "drive_home", None),
        ("labyrinth", LabyrinthOracle, "wanderers", []),
        ("mage", MageOracle, "has", False),
        ("monasteries", MonasteriesOracle, "instead", []),
        ("phantom", PhantomOracle, "after_claim", ()),
        ("son", SonOracle, "instead", []),
        ("tunnel", TunnelOracle, "mate", None),
        ("watchtowers", WatchtowersOracle, "watched", 0),
        ("windroses", WindRosesOracle, "in_quarter", False),
    ],
)
def test_the_comparison_notices(
    name: str, kind: type[ClassicsOracle], rule: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An oracle that forgot a rule does not agree in all of a few games."""
    monkeypatch.setattr(kind, rule, lambda *_: wrong)
    with pytest.raises(AssertionError):
        for seed in range(6):
            comparison.compare(f"base(fields=off)+{name}", 2, seed, every=1000, tidy=True)
            comparison.compare(f"base+{name}", 2, seed, every=1000, tidy=True)
