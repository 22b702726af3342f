"""Mage & Witch, counted by hand."""

import pytest
from support.notation import begin, do, finish, kept, lay, legal, scored, standing

from carc import State
from carc.classics.mage import AWAY, NAMES, WITCH

# Red's road over the start tile and one in the east; green's mage tile completes the city in the
# north.
START = "draw:U place:1,0,1 claim:0,meeple draw:MW05 place:0,-1,0 "


def pair(state: State) -> dict[str, tuple[int, int, int]]:
    return {name: place for name in ("mage", "witch") for place in standing(state, name)}


@pytest.mark.rule("MAG-01")
def test_a_mage_tile_moves_one_of_them_to_an_incomplete_road_or_city() -> None:
    """There are two: the tile's northern city, and the road, named by its first tile."""
    state = do(begin("base+mage", 2), START)
    places = ["0,-1,0", "0,0,1"]
    assert legal(state) == [f"{who}:{place}" for place in places for who in ("mage", "witch")]
    do(state, "mage:0,0,1 pass")
    assert pair(state) == {"mage": (0, 0, 1)}


@pytest.mark.rule("MAG-01")
def test_neither_goes_where_one_is() -> None:
    """The next mage tile makes the northern city larger and brings a road; the mage's is out."""
    state = do(begin("base+mage", 2), START + "mage:0,0,1 pass draw:MW06 place:0,-2,2")
    places = ["0,-2,0", "0,-2,1"]
    assert legal(state) == [f"{who}:{place}" for place in places for who in ("mage", "witch")]


@pytest.mark.rule("MAG-01")
@pytest.mark.parametrize("names", [("mage", "witch"), ("witch", "mage")])
def test_neither_goes_where_either_is(names: tuple[str, str]) -> None:
    """One on the road, the other in the northern city since: the next mage tile's road is free."""
    state = do(begin("base+mage", 2), START + f"{names[0]}:0,0,1 pass")
    kept(state, "mage").at[NAMES.index(names[1])] = state.board.segment_at(0, -1, 0)
    do(state, "draw:MW06 place:0,-2,2")
    assert state.count_actions() == 2
    assert legal(state) == ["mage:0,-2,1", "witch:0,-2,1"]


@pytest.mark.rule("MAG-01")
def test_where_a_tile_brings_them_together_one_moves_on() -> None:
    """The witch on a road in the south; round three curves the mage's comes to it, and one of them
    goes to the northern city.
    """
    state = do(begin("base+mage", 2), START + "mage:0,0,1 pass draw:V place:1,1,0 pass")
    kept(state, "mage").at[WITCH] = state.board.segment_at(1, 1, 0)
    do(state, "draw:V place:-1,0,3 pass draw:V place:-1,1,2 pass draw:U place:0,1,1")
    assert legal(state) == ["mage:0,-1,0", "witch:0,-1,0"]
    assert state.count_actions() == 2, "the road where both are is one that is taken"
    do(state, "witch:0,-1,0")
    assert pair(state) == {"mage": (0, 0, 1), "witch": (0, -1, 0)}


@pytest.mark.rule("MAG-01", "GLD-01")
def test_gold_is_put_before_one_of_them_moves_on() -> None:
    """The mine at -1,0 joins the start tile's road, the mage's, with the witch's in the south."""
    state = do(begin("base+gold+mage", 2), "draw:W place:1,0,0 pass draw:E place:0,1,1 pass")
    do(state, "draw:V place:-1,1,1 pass")
    kept(state, "mage").at = [state.board.segment_at(0, 0, 1), state.board.segment_at(-1, 1, 0)]
    do(state, "draw:GO06 place:-1,0,0")
    assert legal(state) == ["gold:0,0", "gold:-1,1", "gold:0,1"]
    do(state, "gold:0,0")
    assert {text.partition(":")[0] for text in legal(state)} == {"mage", "witch"}
    do(state, legal(state)[0])
    assert state.step.name == "claim"


@pytest.mark.rule("MAG-01")
@pytest.mark.parametrize("there", [["mage"], ["witch"], ["mage", "witch"]])
def test_with_nowhere_to_go_one_of_two_leaves_or_the_one_there_is(there: list[str]) -> None:
    state = do(begin("base+mage", 2), START)
    places = {"mage": state.board.segment_at(0, 0, 1), "witch": state.board.segment_at(0, -1, 0)}
    kept(state, "mage").at = [places[name] if name in there else AWAY for name in NAMES]
    for segment in range(state.board.segment_count):  # as if nothing on the table could grow
        state.board._open[segment] = 0
    state._advance()
    if len(there) > 1:
        assert legal(state) == ["leave:mage", "leave:witch"]
        do(state, "leave:witch")
    assert set(pair(state)) == ({"mage"} if len(there) > 1 else set())


@pytest.mark.rule("MAG-01", "MAG-02")
def test_a_mage_makes_each_tile_worth_one_more_and_leaves_with_the_scoring() -> None:
    state = do(begin("base+mage", 2), START + "mage:0,0,1 pass draw:W place:2,0,0 pass")
    do(state, "draw:W place:-1,0,2 pass")
    assert scored(state) == ["0: road 4x1, mage 4x1 = 8"]
    assert pair(state) == {}


@pytest.mark.rule("MAG-03")
def test_a_witch_halves_what_a_feature_is_worth_rounded_up() -> None:
    """A road of 5 tiles: 3 points; an incomplete one of 2 at the end: 1."""
    state = do(begin("base+mage", 2), START + "witch:0,0,1 pass draw:W place:2,0,0 pass")
    twin = state.copy()
    do(state, "draw:U place:-1,0,1 pass draw:W place:-2,0,2 pass")
    assert scored(state) == ["0: road 5x1, witch 2x-1 = 3"]
    assert pair(state) == {}
    assert twin.scores == [0, 0]
    ended = finish(do(begin("base+mage", 2), START + "witch:0,0,1 pass"))
    assert scored(ended)[-1] == "0: road 2x1, witch 1x-1 = 1"


@pytest.mark.rule("MAG-01")
def test_they_leave_what_nobody_scores_too() -> None:
    start = START.replace("claim:0,meeple", "pass")
    state = do(begin("base+mage", 2), start + "mage:0,0,1 pass draw:W place:2,0,0 pass")
    do(state, "draw:W place:-1,0,2 pass")
    assert pair(state) == {}


@pytest.mark.rule("MAG-01", "DRG-02")
def test_the_dragon_takes_neither_mage_nor_witch() -> None:
    """They belong to nobody."""
    state = begin("base+dragon+mage", 2)
    kept(state, "mage").at[:] = [state.board.segment_at(0, 0, 0), state.board.segment_at(0, 0, 1)]
    do(state, "draw:PD01 place:0,1,0 draw:PD04 place:0,2,2 pass dragon:0,0")
    assert {piece["kind"] for piece in state.to_dict()["pieces"]} >= {"mage", "witch", "dragon"}


@pytest.mark.rule("DRG-02")
@pytest.mark.parametrize(("dragon", "stay"), [("stay", [True, True]), ("leave", [False, True])])
def test_the_dragon_drives_mage_and_witch_away_by_an_option(dragon: str, stay: list[bool]) -> None:
    """It comes to the mage's tile; the witch is on the tile from which it came."""
    state = lay(begin(f"base+dragon+mage(dragon={dragon})", 2), "U 1,0,1")
    own, board = kept(state, "mage"), state.board
    own.at = [board.segment_at(1, 0, 0), board.segment_at(0, 0, 0)]
    kept(state, "dragon").dragon = board.cell_of(0)
    do(state, "draw:PD14 place:0,1,0 pass dragon:1,0")
    assert [at != AWAY for at in own.at] == stay
