"""Our expansions beside games that another engine played; and what the comparison notices."""

from copy import deepcopy
from typing import Any

import pytest
from support.modes import thinned
from support.recorded import Replay
from support.recorded_games import FEW, GAMES, SPECS, recorded

from carc.commands.bench import is_compiled


def test_every_file_is_compared() -> None:
    assert {path.name.partition(".")[0] for path in GAMES.glob("*.xz")} == set(SPECS)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.long) for first in (1, 2, 3))]
)
@pytest.mark.parametrize("name", thinned([*SPECS], 3))
def test_recorded_games_are_played_alike(name: str, first: int) -> None:
    """Every option, chance, scoring with its items, and the position after each turn.

    In every fourth game, or in all; interpreted, which takes longer, in one of every third set.
    """
    games = recorded(name)
    assert len(games) == FEW.get(name, 16)
    for game in games[first :: 4 if is_compiled() else 16]:
        assert Replay(SPECS[name], game).run() > 1000


def spoilt(spoil: str) -> dict[str, Any]:
    """A recorded game with one thing in it changed."""
    game: dict[str, Any] = deepcopy(recorded("inns")[0])
    turn = next(turn for turn in game["turns"] if turn.get("decisions"))
    last = game["finalEvents"][-1][1]  # a field without a city
    match spoil:
        case "placements":
            turn["options"].pop()
        case "options":
            turn["decisions"][0]["options"].pop()
        case "scores":
            turn["scores"][0] += 1
        case "supply":
            turn["after"]["supply"][0]["SmallFollower"] -= 1
        case "followers":
            game["turns"][-2]["after"]["followers"].pop()
        case "bag":
            turn["after"]["left"] -= 1
        case "points":
            last[0][2] += 1
        case "points: kind":
            last[0][1] = "road.incomplete"
        case "points: items":
            last[0][3] = [[None, "pigs", 0]]
        case "points: zeros":
            last.clear()
        case "under hills":
            turn["after"]["underHills"] = 1
        case "followers: the end":
            game["atEnd"]["followers"].pop()
    return game


@pytest.mark.parametrize(
    "what",
    [
        "placements",
        "options",
        "scores",
        "supply",
        "followers",
        "bag",
        "points",
        "points: kind",
        "points: items",
        "points: zeros",
        "under hills",
        "followers: the end",
    ],
)
def test_the_comparison_notices(what: str) -> None:
    with pytest.raises(AssertionError, match=rf"(turn|the end).*: {what.partition(':')[0]}"):
        Replay(SPECS["inns"], spoilt(what)).run()


def test_the_comparison_notices_a_tile_that_was_drawn_before() -> None:
    replay = Replay(SPECS["inns"], recorded("inns")[0])
    replay.unseen.see("A")
    with pytest.raises(AssertionError, match=r"turn 0 .*: chances"):
        replay.run()
