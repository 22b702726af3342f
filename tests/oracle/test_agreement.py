"""Engine and oracle agree throughout random games; `tools/compare_with_oracle.py` plays more."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.modes import LONG_WHEN_INTERPRETED, thinned
from support.oracle import comparison
from support.oracle.base import Oracle

GAMES = int(os.environ.get("CARC_ORACLE_GAMES", "1"))


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("players", thinned([2, 3, 4, 5], 3))
@pytest.mark.parametrize("spec", ["base", "base+ghosts"])
def test_engine_and_oracle_agree(spec: str, players: int, seed: int) -> None:
    assert comparison.compare(spec, players, seed, every=4) > 70


@pytest.mark.rule("BASE-05")
@pytest.mark.parametrize("players", [2, pytest.param(5, marks=LONG_WHEN_INTERPRETED)])
@pytest.mark.parametrize("more", ["", "+ghosts", "+ghosts+spellcircles"])
def test_they_agree_without_farmers(more: str, players: int) -> None:
    for seed in range(GAMES):
        assert comparison.compare(f"base(fields=off){more}", players, seed, every=6) > 70


@pytest.mark.parametrize("players", thinned([1, 2, 3, 5], 2))
@pytest.mark.parametrize("more", ["", "+spellcircles"])
@pytest.mark.parametrize("level", range(1, 7))
def test_they_agree_on_the_team_game(level: int, more: str, players: int) -> None:
    for seed in range(GAMES):
        assert comparison.compare(f"mists:{level}{more}", players, seed, every=2) > 10


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("mists:3", marks=LONG_WHEN_INTERPRETED),
        pytest.param("mists:5(joint_scoring=every_colour)", marks=LONG_WHEN_INTERPRETED),
        *(
            pytest.param(spec, marks=pytest.mark.long)
            for spec in (
                "mists:6(level6_scoring=every_colour)",
                "mists:3(hounds=after_scoring)",
                "mists:6(hounds=after_scoring,misty_roads=off)",
            )
        ),
        pytest.param("mists:6+spellcircles", marks=LONG_WHEN_INTERPRETED),
    ],
)
def test_they_agree_on_a_team_games_later_turns(spec: str) -> None:
    """Random teams lose early; a careful one meets hounds, burials and milestones."""
    assert comparison.compare(spec, 2, 4, every=10, bot="careful") > 15


@pytest.mark.parametrize("players", [2, 4])
def test_they_agree_on_circles_among_rivals(players: int) -> None:
    assert comparison.compare("base+ghosts+spellcircles", players, 1, every=10) > 140


switch = st.sampled_from(["on", "off"])


@settings(max_examples=6, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "ghosts": switch,
            "castles": switch,
            "cemeteries": switch,
            "guards": switch,
            "tiles": st.sampled_from(["all", "base"]),
        }
    ),
    st.integers(2, 5),
    st.integers(0, 10**6),
)
def test_they_agree_with_any_options(options: dict[str, str], players: int, seed: int) -> None:
    spec = "base+ghosts(" + ",".join(f"{name}={value}" for name, value in options.items()) + ")"
    comparison.compare(spec, players, seed, every=25)


def test_they_agree_at_every_single_state() -> None:
    comparison.compare("base", 3, 11, every=1)


def test_the_comparison_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an oracle that gives a point too many there is no agreement."""
    honest = Oracle.worth
    monkeypatch.setattr(
        Oracle, "worth", lambda self, feature, final: honest(self, feature, final) + 1
    )
    with pytest.raises(AssertionError, match=r"base, 2 players, seed 1: \['scores'\] after"):
        comparison.compare("base", 2, 1, every=10)
