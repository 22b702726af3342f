"""Engine and oracle side by side in games with the larger classic expansions."""

from typing import Any

import pytest
from support.oracle import comparison
from support.oracle.abbey import AbbeyOracle
from support.oracle.bigtop import BigTopOracle
from support.oracle.bridges import BridgesOracle
from support.oracle.classics import ClassicsOracle
from support.oracle.ferries import FerriesOracle
from support.oracle.russian import RussianOracle
from support.oracle.siege import SiegeOracle
from support.oracle.tower import TowerOracle


@pytest.mark.parametrize(
    ("spec", "players"),
    [
        ("base+tower", 3),
        ("base+bigtop(acrobats=off)+inns+tower", 2),
        ("base+bigtop+dragon", 2),
        ("base+abbey+siege+traders", 3),
        ("base+abbey(wagon=touching)+abbot(gardens=base)", 2),
        ("base+bigtop+ghosts+tower", 2),
        ("base+ferries+king+russian(sets=2016)", 2),
        ("base+bridges+siege(escape=siege)", 3),
        ("base+bridges(bridges=own)+ferries", 2),
    ],
)
def test_they_agree(spec: str, players: int) -> None:
    assert comparison.compare(spec, players, 3, every=60, tidy=True) > 140


@pytest.mark.parametrize(
    ("name", "kind", "rule", "wrong"),
    [
        ("abbey", AbbeyOracle, "extended", []),
        ("bigtop", BigTopOracle, "show_token", ()),
        ("bridges", BridgesOracle, "with_help", False),
        ("ferries", FerriesOracle, "nearest", []),
        ("russian", RussianOracle, "caught_by", []),
        ("siege", SiegeOracle, "besieged", False),
        ("tower", TowerOracle, "beforehand", []),
    ],
)
def test_the_comparison_notices(
    name: str, kind: type[ClassicsOracle], rule: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An oracle that forgot a rule does not agree in all of a few games."""
    monkeypatch.setattr(kind, rule, lambda *_: wrong)
    with pytest.raises(AssertionError):
        for seed in range(12):
            comparison.compare(f"base+{name}", 2, seed, every=1000, hasty=True, tidy=True)
