"""Every two expansions installed are played together, or are refused in a sentence that says why.

Installed are those shipped and `examples/windmills`, which is paired with each classic as well; the
shipped classics are paired with each other in `tests/classics`.
"""

import sys
from itertools import combinations
from pathlib import Path

import pytest
from support.fuzzed import CLASSICS
from support.installed import expansions_of, install

from carc import Rules
from carc.base.expansions.spec import registered
from carc.errors import BadRules
from carc.testing import check

WINDMILLS = Path(__file__).resolve().parents[2] / "examples" / "windmills"
NAMES = ["ghosts", "mists", "spellcircles", "windmills"]

NEEDS_MIST = "spellcircles needs mist: base+ghosts+spellcircles or mists:LEVEL+spellcircles"
REFUSED = {
    "base+spellcircles+windmills": NEEDS_MIST,
    "mists:4+ghosts": "mists and ghosts cannot be played together: both are games of the same tiles"
    " and ghosts, one for a team, the other for rivals",
}


def spec(one: str, other: str) -> str:
    """Two expansions beside the base, or beside the team game where it is one of them."""
    names = [name for name in (one, other) if name != "mists"]
    return "+".join(["mists:4" if "mists" in (one, other) else "base", *names])


PAIRS = [
    *(spec(*pair) for pair in combinations(NAMES, 2)),
    *(spec(*sorted([name, "windmills"])) for name in CLASSICS),
]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example, as its pyproject.toml does."""
    install(tmp_path, **expansions_of(WINDMILLS))
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(WINDMILLS / "src"), *sys.path])


def test_an_expansion_is_found_that_was_installed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(BadRules, match="unknown rules 'later'"):
        Rules.from_spec("base+later")
    install(tmp_path, later="carc.classics.king:King")
    assert Rules.from_spec("base+later").spec == "base+later"


@pytest.mark.usefixtures("installed")
def test_every_installed_expansion_is_among_the_pairs() -> None:
    others = {*registered()} - {*NAMES, *CLASSICS}
    assert not others, f"add to NAMES, or uninstall, what is installed here: {sorted(others)}"
    assert set(REFUSED) <= set(PAIRS)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("pair", "players"),
    [(pair, 2 + at % 2) for at, pair in enumerate(PAIRS) if pair not in REFUSED],
)
def test_a_pair_is_played(pair: str, players: int) -> None:
    made = Rules.from_spec(pair, players)
    assert made.spec == pair
    games = 4 if pair.startswith("mists") else 1  # random teams lose early
    assert check(made, games=games, seed=players, every=25) > 2


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("pair", REFUSED)
def test_a_pair_that_cannot_be_is_refused_and_told_why(pair: str) -> None:
    with pytest.raises(BadRules) as refused:
        Rules.from_spec(pair)
    assert str(refused.value) == REFUSED[pair]


def test_a_third_changes_no_refusal() -> None:
    """The team game beside ghosts is refused for the same reason with the circles between them."""
    with pytest.raises(BadRules, match="mists and ghosts cannot be played together"):
        Rules.from_spec("mists:4+ghosts+spellcircles")
