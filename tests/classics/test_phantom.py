"""The Phantom, counted by hand."""

import pytest
from support.notation import begin, do, expansion_of, finish, lay, legal, put, scored


@pytest.mark.rule("PHA-01")
def test_the_phantom_follows_another_follower_on_another_feature() -> None:
    """V has a road and two fields."""
    state = do(begin("base+phantom", 2), "draw:V place:1,0,1 claim:0,meeple")
    assert (state.step.name, state.current_player) == ("phantom", 0)
    assert legal(state) == ["claim:1,phantom", "claim:2,phantom", "pass"]
    do(state, "claim:2,phantom")
    assert state.current_player == -1
    kinds = [kind for _, owner, kind in state.board.all_followers() if owner == 0]
    assert kinds == [0, state.rules.follower_number("phantom")]
    do(state, "draw:U place:2,0,0 claim:0,meeple")
    assert state.step.name == "phantom", "green has a phantom of its own"


@pytest.mark.rule("PHA-01")
def test_it_may_come_first_and_then_nobody_follows_it() -> None:
    state = do(begin("base+phantom", 2), "draw:V place:1,0,1 claim:0,phantom")
    assert state.current_player == -1
    do(state, "draw:U place:1,-1,0 pass draw:U place:1,-2,0")
    assert not [text for text in legal(state) if "phantom" in text], "there is but one"


@pytest.mark.rule("PHA-01", "TOW-04")
def test_it_may_follow_the_action_that_brings_it_home() -> None:
    """Green holds red's phantom, which comes back for green's follower."""
    state = put(lay(begin("base+phantom+tower", 2), "TO02 0,1,0"), 1, (0, 0, 1))
    prison = expansion_of(state, "tower").prison
    prison.jail(state, 1, 0, state.rules.follower_number("phantom"))
    do(state, "draw:V place:0,2,0 tower:0,1,0,piece capture:0,0,1,meeple,green")
    assert (state.step.name, state.current_player) == ("phantom", 0)


@pytest.mark.rule("PHA-01")
def test_without_a_follower_before_it_nobody_is_asked() -> None:
    state = do(begin("base+phantom", 2), "draw:V place:1,0,1 pass")
    assert state.current_player == -1


@pytest.mark.rule("PHA-01")
def test_it_goes_where_no_follower_is() -> None:
    """B has a monastery, and the start tile's field around it, which red has claimed."""
    state = do(begin("base+phantom", 2), "draw:B place:0,1,0 claim:1,meeple claim:0,phantom")
    do(state, "draw:B place:0,2,0 claim:0,meeple")
    assert state.current_player == -1, "the field is red's"


# What is done in place of a follower, after which the phantom may come: expansions, tiles laid by
# hand, figures put there, the moves. JCloisterZone Client #49 has the tower's piece; the annotated
# rules have the festival, the fairy and the abbot.
ROAD = (0, 0, 1)
ACTIONS = {
    "fairy": ("dragon", (), (ROAD,), "draw:B place:0,1,0 fairy:0,0,1,meeple"),
    "piece": ("tower", ("TO01 0,1,2",), (), "draw:B place:1,1,0 tower:0,1,1,piece"),
    "capture": ("tower", ("TO01 0,1,2",), (ROAD,), "draw:B place:1,1,0 tower:0,1,1,piece pass"),
    "festival": ("festival", (), (ROAD,), "draw:FE03 place:0,-1,2 festival:0,0,1,meeple"),
    "builder": ("traders", (), (ROAD,), "draw:U place:1,0,1 claim:0,builder"),
    "building": ("buildings", (), (), "draw:B place:0,1,0 building:shed"),
}


@pytest.mark.rule("PHA-01")
@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.parametrize("follows", ["any", "followers"])
def test_the_phantom_follows_any_action_by_default(name: str, follows: str) -> None:
    expansion, tiles, figures, moves = ACTIONS[name]
    names = "+".join(sorted([expansion, f"phantom(follows={follows})"]))
    state = put(lay(begin(f"base+{names}", 2), *tiles), 0, *figures)
    do(state, moves)
    assert (state.step.name == "phantom") is (follows == "any")


@pytest.mark.rule("PHA-01", "DRG-03")
def test_nobody_follows_a_princess() -> None:
    """Who sends a knight away moves no other figure."""
    state = put(begin("base+dragon+phantom", 2), 1, (0, 0, 0))
    do(state, "draw:PD09 place:0,-1,2 princess:0,0,0,meeple,green")
    assert state.step.name != "phantom"


@pytest.mark.rule("PHA-01", "DRG-03")
@pytest.mark.parametrize("follows", ["any", "followers"])
def test_it_follows_a_knight_who_just_came_to_a_princess(follows: str) -> None:
    """The city had no knight when the tile was laid, so nobody had to go: as in JCloisterZone, the
    phantom may come to the field.
    """
    state = begin(f"base+dragon(princess=must)+phantom(follows={follows})", 2)
    do(state, "draw:PD20 place:0,-1,2 claim:0,meeple")
    assert legal(state) == ["claim:1,phantom", "pass"]


@pytest.mark.rule("PHA-01", "FLY-01")
def test_it_follows_a_follower_who_flies_but_does_not_fly_then() -> None:
    """FL05 has a road and two fields; the follower flies off the table."""
    state = do(begin("base+flier+phantom", 2), "draw:FL05 place:1,0,0 fly:meeple flight:3")
    assert legal(state) == [*(f"claim:{at},phantom" for at in range(3)), "pass"]
    other = do(begin("base+flier+phantom", 2), "draw:FL05 place:1,0,0 claim:0,meeple")
    assert legal(other) == ["claim:1,phantom", "claim:2,phantom", "fly:phantom", "pass"]


@pytest.mark.rule("PHA-01")
def test_it_counts_as_a_follower() -> None:
    state = do(begin("base+phantom", 2), "draw:B place:0,1,0 claim:0,phantom")
    assert scored(finish(state)) == ["0: monastery 2x1 = 2"]


@pytest.mark.rule("PHA-01")
def test_it_follows_only_where_a_follower_may_be_placed() -> None:
    """One who comes to the board otherwise, as by a crop circle, brings none."""
    state = put(begin("base+phantom", 2), 0, (0, 0, 1))
    assert "phantom" not in [step.name for step, _ in state.agenda]


@pytest.mark.rule("PHA-01")
@pytest.mark.rule("DRG-04")
def test_it_follows_a_follower_who_went_through_a_portal() -> None:
    """It goes on the tile just placed, and not through the same portal."""
    state = do(begin("base+dragon+phantom", 2), "draw:V place:1,0,1 pass draw:PD12 place:0,-1,1")
    do(state, "portal:1,0,0,meeple")
    assert (state.step.name, state.current_player) == ("phantom", 1)
    assert legal(state) == ["claim:0,phantom", "claim:1,phantom", "pass"]


@pytest.mark.rule("PHA-01")
@pytest.mark.rule("TOW-02")
def test_it_follows_a_follower_on_a_tower() -> None:
    """It may claim the tile just placed, and not join the tower."""
    state = do(begin("base+phantom+tower", 2), "draw:TO01 place:0,1,2 tower:0,1,1,piece pass")
    do(state, "draw:V place:1,0,1 top:0,1,1,meeple")
    assert (state.step.name, state.current_player) == ("phantom", 1)
    assert legal(state) == [*(f"claim:{at},phantom" for at in range(3)), "pass"]


@pytest.mark.rule("PHA-01", "FLY-01")
def test_a_phantom_that_flew_off_the_table_is_not_placed_again() -> None:
    state = do(begin("base+flier+phantom", 2), "draw:FL05 place:1,0,0 fly:phantom flight:3")
    assert state.step.name == "draw" and state.board.supply_of(0, 1) == 1


@pytest.mark.rule("PHA-01", "FLY-01")
def test_by_the_option_it_goes_on_the_tile_alone() -> None:
    state = begin("base+flier+phantom(follows=followers)", 2)
    do(state, "draw:FL05 place:1,0,0 claim:0,meeple")
    assert legal(state) == ["claim:1,phantom", "claim:2,phantom", "pass"]


@pytest.mark.rule("PHA-01", "BRC-01")
def test_a_bridge_alone_brings_no_phantom() -> None:
    """It is built before the action of the turn, which is to pass."""
    state = do(begin("base+bridges+phantom", 2), "draw:U place:-1,0,1 bridge:-1,0,0,we pass")
    assert state.step.name == "draw"
