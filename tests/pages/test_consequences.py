"""What an action brings about is told where neither its words nor its points tell it."""

import random
from typing import Any

from carc import Rules
from carc.base.game.playout import random_action
from carc.drawing.descriptions import describe
from carc.web.consequences import consequences


def position(complete: bool, *, has_follower: bool, ghosts: int) -> dict[str, Any]:
    """A city on the tile at (3, 1), perhaps with red's follower and some ghosts on it."""
    figure = {"owner": 0, "kind": "meeple", "x": 3, "y": 1, "segment": 2}
    city = {"kind": "city", "segments": [[3, 1, 2], [4, 1, 0]], "complete": complete}
    ghost = {"kind": "ghost", "x": 3, "y": 1, "segment": 2, "owner": None, "count": ghosts}
    return {
        "features": [city | {"followers": [figure] if has_follower else []}],
        "pieces": [ghost] if ghosts else [],
    }


def test_a_figure_that_goes_home_without_points_is_told() -> None:
    before = position(complete=False, has_follower=True, ghosts=2)
    scared = position(complete=False, has_follower=False, ghosts=0)
    told = ["a red follower leaves the city at (3, 1)"]
    assert [*consequences(before, scared, "puts a ghost on the city at (3, 1)")] == told
    assert [*consequences(before, before, "passes")] == []
    scored = position(complete=True, has_follower=False, ghosts=0)
    assert [*consequences(before, scored, "places D at (4, 1)")] == []
    for said in ("captures a red follower on", "takes a follower back from"):
        assert [*consequences(before, scared, f"{said} the city at (3, 1)")] == []


def test_a_piece_that_comes_by_itself_is_told() -> None:
    none, one, two = (position(complete=False, has_follower=True, ghosts=n) for n in (0, 1, 2))
    assert [*consequences(none, one, "places D at (4, 1)")] == ["ghost at (3, 1)"]
    assert [*consequences(one, two, "places D at (4, 1)")] == ["ghost at (3, 1), now 2"]
    assert [*consequences(one, two, "puts a ghost on the city at (3, 1)")] == []
    raft = {"kind": "raft", "x": 3, "y": 1, "segment": 0, "owner": None, "count": 1}
    one, two = (none | {"pieces": [raft | {"to": end}]} for end in (1, 2))
    assert [*consequences(one, two, "passes")] == ["raft at (3, 1)"]  # it reaches another place


def test_all_that_the_dragon_eats_is_told() -> None:
    rules = Rules.from_spec("base+dragon", 2)
    state, rng = rules.start(), random.Random(3)
    before, eaten = state.to_dict(), 0
    while not state.is_terminal:
        action = str(random_action(state, rng))
        state.apply(rules.parse(action))
        after = state.to_dict()
        told = [*consequences(before, after, describe(action, before, rules))]
        steps = sum(each.startswith("dragon at") for each in told)  # it had one way only
        if action.startswith("dragon:") and not steps and not state.is_terminal:
            place = [int(each) for each in action.removeprefix("dragon:").split(",")]
            met = [
                follower
                for feature in before["features"]
                for follower in feature["followers"]
                if [follower["x"], follower["y"]] == place
            ]
            assert len([each for each in told if " leaves the " in each]) == len(met)
            eaten += len(met)
        before = after
    assert eaten
