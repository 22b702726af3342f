"""Engine and oracle agree at every state of random games; `tests/oracle_run.py` plays more of them."""

import os

import oracle_run
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

GAMES = int(os.environ.get("CARC_ORACLE_GAMES", "2"))


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("spec", ["base", "base+ghosts"])
def test_engine_and_oracle_agree(spec: str, players: int, seed: int) -> None:
    assert oracle_run.compare(spec, players, seed, every=4) > 70


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
    oracle_run.compare(spec, players, seed, every=25)


def test_they_agree_at_every_single_state() -> None:
    oracle_run.compare("base", 3, 11, every=1)


def test_the_comparison_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an oracle that gives a point too many there is no agreement."""
    honest = oracle_run.Oracle.worth
    monkeypatch.setattr(
        oracle_run.Oracle, "worth", lambda self, feature, final: honest(self, feature, final) + 1
    )
    with pytest.raises(AssertionError, match=r"base, 2 players, seed 1: \['scores'\] after"):
        oracle_run.compare("base", 2, 1, every=10)
