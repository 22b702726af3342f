"""Engine and oracle side by side over random sets of classic expansions, beside ghosts too."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.oracle import comparison
from support.oracle.classics import ClassicsOracle
from support.oracle.dragon import DragonOracle

OPTIONS = {
    "dragon": ["", "(princess=must)", "(moves=after)"],
    "king": ["", "(worth=at_once)", "(worth=15)"],
    "river": ["", "(part=two)", "(part=both)", "(bends=alternate)"],
}
OTHERS = sorted([*comparison.CLASSICS, "ghosts"])


@st.composite
def specs(draw: st.DrawFn) -> str:
    names = sorted(draw(st.sets(st.sampled_from(OTHERS), min_size=1)))
    return "+".join(
        ["base", *(name + draw(st.sampled_from(OPTIONS.get(name, [""]))) for name in names)]
    )


@settings(deadline=None, max_examples=6, database=None, derandomize=True)
@given(specs(), st.integers(2, 4), st.integers(0, 10**6))
def test_they_agree_over_random_sets(spec: str, players: int, seed: int) -> None:
    assert comparison.compare(spec, players, seed, every=40) > 100


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        ("base+inns", "figures"),
        ("base+traders", "own"),
        ("base+abbot", "instead"),
        ("base+river", "river_goes_on"),
        ("base+king", "completed_by"),
        ("base+king(worth=at_once)", "before_scoring"),
    ],
)
def test_the_comparison_notices(spec: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An oracle that forgot a rule agrees in none of a few games."""
    wrong = {
        "figures": ("meeple",),
        "own": [],
        "instead": [],
        "river_goes_on": False,
        "completed_by": None,
        "before_scoring": None,
    }
    monkeypatch.setattr(ClassicsOracle, rule, lambda *_: wrong[rule])
    with pytest.raises((AssertionError, StopIteration)):
        for seed in range(6):
            comparison.compare(spec, 2, seed, every=1000)


@pytest.mark.parametrize("rule", ["instead", "rage", "tile_drawn"])
def test_the_comparison_notices_the_dragon(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: dict[str, object] = {"instead": [], "rage": (), "tile_drawn": None}
    monkeypatch.setattr(DragonOracle, rule, lambda *_: wrong[rule])
    with pytest.raises((AssertionError, StopIteration)):
        for seed in range(6):
            comparison.compare("base+dragon", 2, seed, every=1000)
