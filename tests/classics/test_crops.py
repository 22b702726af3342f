"""The Crop Circles, counted by hand."""

import pytest
from support.notation import begin, do, legal, scored

from carc import Expansion, Rules, State
from carc.base.expansions.spec import expansions_named

# Red and green each on a road of their own, south and north of the crossing in the east.
START = (
    "draw:X place:1,0,0 claim:2,meeple draw:E place:0,-1,2 pass draw:B place:0,1,0 pass"
    " draw:U place:1,-1,0 claim:0,meeple "
)


def test_two_sets_of_six_tiles() -> None:
    for chosen, n in (("both", 12), ("1", 6), ("2", 6)):
        rules = Rules.from_spec(f"base+crops(sets={chosen})")
        assert sum(rules.catalogue.copies) == 71 + n


@pytest.mark.rule("CRC-01")
def test_the_active_player_says_which_after_the_scoring() -> None:
    state = do(begin("base+crops", 3), START + "draw:CA04 place:-1,0,3")
    assert state.step.name == "claim"
    do(state, "pass")
    assert (state.current_player, legal(state)) == (1, ["crops:add", "crops:take"])


@pytest.mark.rule("CRC-01", "BASE-05")
@pytest.mark.parametrize(("fields", "step"), [("on", "crops"), ("off", "draw")])
def test_without_farmers_a_circle_of_the_fields_does_nothing(fields: str, step: str) -> None:
    spec = f"base(fields={fields})+crops"
    state = do(
        begin(spec, 2), "draw:E place:0,-1,2 claim:0,meeple draw:U place:1,0,1 claim:0,meeple"
    )
    assert do(state, "draw:CA03 place:2,0,2 pass").step.name == step


@pytest.mark.rule("CRC-01")
def test_each_may_add_a_follower_beside_an_own_one_the_left_neighbour_first() -> None:
    """Red has a road at 1,0, green one at 1,-1; red calls."""
    state = do(begin("base+crops", 2), START + "draw:CA04 place:-1,0,3 pass crops:add")
    assert (state.current_player, legal(state)) == (1, ["add:1,-1,0,meeple", "pass"])
    do(state, "add:1,-1,0,meeple")
    assert (state.current_player, legal(state)) == (0, ["add:1,0,2,meeple", "pass"])
    do(state, "pass")
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (6, 5)
    assert state.board.followers_at(state.board.segment_at(1, -1, 0)) == [(1, 0), (1, 0)]


@pytest.mark.rule("CRC-01")
def test_of_three_the_left_neighbour_begins_and_who_called_ends() -> None:
    state = do(begin("base+crops", 3), START + "draw:CA04 place:-1,0,3 pass")
    for owner in (1, 2):
        state.put_follower(state.board.segment_at(1, 0, 1), owner, 0)
    do(state, "crops:add")
    order = []
    for _ in range(3):
        order.append(state.current_player)
        do(state, "pass")
    assert order == [2, 0, 1]


@pytest.mark.rule("CRC-01")
def test_or_each_must_take_one_back_a_single_one_without_a_word() -> None:
    state = do(begin("base+crops", 2), START + "draw:CA04 place:-1,0,3 pass")
    state.put_follower(state.board.segment_at(1, 0, 0), 0, 0)
    do(state, "crops:take")
    assert state.board.supply_of(1) == 7, "green's only one went without a word"
    assert (state.current_player, legal(state)) == (0, ["take:1,0,0,meeple", "take:1,0,2,meeple"])
    do(state, "take:1,0,2,meeple")
    assert (state.board.supply_of(0), state.current_player) == (6, -1)


@pytest.mark.rule("CRC-01")
def test_it_is_about_followers_not_about_builders() -> None:
    """Red's follower at 1,0, his builder at 2,0 on one road: nobody is added beside the builder."""
    state = begin("base+crops+traders", 2)
    do(state, "draw:U place:1,0,1 claim:0,meeple draw:B place:0,1,0 pass draw:U place:2,0,1")
    do(state, "claim:0,builder draw:CA04 place:-1,0,3 pass")
    twin = do(state.copy(), "crops:add")
    assert legal(twin) == ["add:1,0,0,meeple", "pass"]
    do(state, "crops:take")
    assert state.board.supply_of(0) == 7, "his only follower, without a word"
    assert not state.board.occupied_segments(), "and the builder went home with him"


class Barred(Expansion):
    """Nobody may be put on the tile laid first after the start."""

    def allows_figures(self, state: State, tile: int) -> bool:
        return tile != 1


@pytest.mark.rule("CRC-01")
def test_nobody_is_added_where_figures_may_not_go_now() -> None:
    """Red and green are at 1,0; red at 0,0 as well. To take back is allowed everywhere."""
    state = Rules([*expansions_named("base+crops"), Barred()], 2).start()
    do(state, "draw:X place:1,0,0 draw:U place:-1,0,1 pass draw:CA04 place:0,1,0")
    for x, segment, owner in ((1, 0, 0), (1, 1, 1), (0, 1, 0)):
        state.put_follower(state.board.segment_at(x, 0, segment), owner, 0)
    twin = do(state.copy(), "pass crops:add")
    assert (twin.current_player, legal(twin)) == (0, ["add:0,0,1,meeple", "pass"])
    do(state, "pass crops:take")
    assert (state.current_player, legal(state)) == (0, ["take:0,0,1,meeple", "take:1,0,0,meeple"])


@pytest.mark.rule("CRC-01")
def test_the_circle_names_the_kind_of_feature() -> None:
    """A circle of cities: without knights nobody does anything; without figures nobody is asked."""
    state = do(begin("base+crops", 2), START + "draw:CA01 place:0,2,2 pass crops:take")
    assert (state.board.supply_of(0), state.board.supply_of(1), state.current_player) == (6, 6, -1)
    bare = do(begin("base+crops", 2), "draw:CA04 place:-1,0,3 pass")
    assert bare.current_player == -1
    assert scored(bare) == []
