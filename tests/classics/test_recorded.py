"""Our expansions beside games that another engine played; and what the comparison notices."""

from copy import deepcopy
from typing import Any

import pytest
from support.recorded import GAMES, SPECS, Replay, recorded

GIVEN = [(name, number) for name in SPECS for number in range(len(recorded(name)))]


def test_every_file_is_compared() -> None:
    assert {path.name.partition(".")[0] for path in GAMES.glob("*.xz")} == set(SPECS)


@pytest.mark.parametrize(("name", "number"), GIVEN)
def test_a_recorded_game_is_played_alike(name: str, number: int) -> None:
    assert Replay(SPECS[name], recorded(name)[number]).run() > 1000


def spoilt(spoil: str) -> dict[str, Any]:
    """A recorded game with one thing in it changed."""
    game: dict[str, Any] = deepcopy(recorded("inns")[0])
    turn = next(turn for turn in game["turns"] if turn.get("decisions"))
    if spoil == "placements":
        turn["options"].pop()
    elif spoil == "options":
        turn["decisions"][0]["options"].pop()
    elif spoil == "scores":
        turn["scores"][0] += 1
    elif spoil == "supply":
        turn["after"]["supply"][0]["SmallFollower"] -= 1
    elif spoil == "followers":
        game["turns"][-2]["after"]["followers"].pop()
    elif spoil == "bag":
        turn["after"]["left"] -= 1
    elif spoil == "points":
        game["finalEvents"][0][1][0][2] += 1
    return game


@pytest.mark.parametrize(
    "what", ["placements", "options", "scores", "supply", "followers", "bag", "points"]
)
def test_the_comparison_notices(what: str) -> None:
    with pytest.raises(AssertionError, match=f"turn|the end: {what}"):
        Replay(SPECS["inns"], spoilt(what)).run()
