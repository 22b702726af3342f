"""The Count of Carcassonne, counted by hand.

A road leads from the market's tile at 0,1 to the south; a crossing there completes it: two tiles.
"""

import pytest
from support.notation import (
    begin,
    do,
    estimates_of,
    expansion_of,
    finish,
    kept,
    lay,
    legal,
    put,
    scored,
    standing,
)

from carc import State
from carc.bots import by_name
from carc.errors import BadRules

ROAD = (0, 1, 1)
NORTH = 0  # of the segments of a crossing
CROSSING = "draw:X place:0,2,0 pass"
QUARTERS = ("castle", "market", "blacksmith", "cathedral")
PLACES = {"castle": "0,-1,0", "market": "0,1,0", "blacksmith": "-1,1,0", "cathedral": "-1,-1,0"}


def lodge(state: State, quarter: str, owner: int, n: int = 1, kind: str = "meeple") -> State:
    """Put an owner's followers of the supply into a quarter."""
    follower = state.rules.follower_number(kind)
    city = expansion_of(state, "count").city
    city._move(state, QUARTERS.index(quarter), owner, follower, n)
    return state


@pytest.mark.rule("CNT-01")
def test_the_game_starts_from_the_city() -> None:
    state = begin("base+count", 2)
    data = state.to_dict()
    assert len(data["tiles"]) == 12 and sum(data["bag"].values()) == 72
    assert data["bag"]["D"] == 4 and not any(name.startswith("CO") for name in data["bag"])
    assert data["count"] == "castle" and data["residents"] == []
    cells = {(tile["x"], tile["y"]) for tile in data["tiles"]}
    assert cells == {(x, y) for x in range(-2, 2) for y in range(-1, 2)}
    (carcassonne,) = (f for f in data["features"] if f["kind"] == "city" and len(f["tiles"]) > 1)
    assert carcassonne["complete"] and len(carcassonne["tiles"]) == 8


@pytest.mark.rule("CNT-01")
@pytest.mark.parametrize(
    ("spec", "kinds", "text"),
    [
        ("base+count", ["meeple"], "completed city 1x3 = 3"),
        ("base+count+traders", ["meeple", "pig"], "completed city 1x3, pig 1x1 = 4"),
        ("base+abbey+count", ["barn"], "completed city 1x3, barn 1x1 = 4"),
    ],
)
def test_a_field_beside_carcassonne_counts_it(spec: str, kinds: list[str], text: str) -> None:
    """The northern field, on three tiles of the city, counts it once."""
    state = begin(spec, 2)
    for kind in kinds:
        put(state, 0, (-1, -1, 1), kind=kind)
    assert scored(finish(state)) == [f"0: {text}"]


@pytest.mark.rule("CNT-01")
def test_the_king_counts_carcassonne() -> None:
    """The king's city of two tiles, and Carcassonne."""
    state = put(lay(begin("base+count+king", 2), "E 2,1,0"), 0, (2, 1, 0))
    do(state, "draw:E place:2,0,2 pass")
    assert "0: king 2x1 = 2" in scored(finish(state))


@pytest.mark.rule("CNT-01")
def test_who_makes_others_score_may_enter_and_move_the_count() -> None:
    state = do(put(begin("base+count", 2), 1, ROAD), CROSSING)
    assert state.scores == [0, 2]
    order = ("cathedral", "castle", "blacksmith", "market")  # of cells
    enters = [f"enter:{PLACES[quarter]},meeple" for quarter in order]
    assert (state.current_player, state.step.name) == (0, "enter")
    assert legal(state) == [*enters, "pass"]
    do(state, enters[2])
    assert state.board.supply_of(0) == 6
    resident = {"quarter": "blacksmith", "owner": 0, "kind": "meeple", "count": 1}
    assert state.to_dict()["residents"] == [resident]
    x, y, segment = map(int, PLACES["blacksmith"].split(","))
    assert standing(state, "meeple") == {(x, y, segment): 1}
    others = [f"count:{PLACES[quarter]}" for quarter in order if quarter != "castle"]
    assert (state.current_player, legal(state)) == (0, [*others, "pass"])
    do(state, others[0])
    assert state.to_dict()["count"] == "cathedral" and state.current_player < 0


@pytest.mark.rule("CNT-01")
def test_without_a_follower_in_the_city_the_count_stays() -> None:
    state = do(put(begin("base+count", 2), 1, ROAD), f"{CROSSING} pass")
    assert state.current_player < 0 and state.to_dict()["count"] == "castle"


@pytest.mark.rule("CNT-01")
def test_nobody_enters_for_what_was_scored_in_an_earlier_turn() -> None:
    state = do(put(begin("base+count", 2), 1, ROAD), f"{CROSSING} pass")
    do(state, "draw:U place:0,3,0 pass draw:U place:0,4,0 pass")
    assert state.current_player < 0 and state.step.name == "draw"


@pytest.mark.rule("CNT-01")
@pytest.mark.parametrize("owners", [(), (0,), (0, 1)])
def test_who_scores_too_or_completes_nothing_of_others_does_not_enter(
    owners: tuple[int, ...],
) -> None:
    state = begin("base+count", 2)
    for owner in owners:
        put(state, owner, ROAD)
    assert do(state, CROSSING).current_player < 0


@pytest.mark.rule("CNT-01")
@pytest.mark.parametrize(
    ("moves", "count"), [("clockwise", "market"), ("follow", "cathedral"), ("player", "castle")]
)
def test_how_the_count_moves_is_an_option(moves: str, count: str) -> None:
    state = do(put(begin(f"base+count(moves={moves})", 2), 1, ROAD), CROSSING)
    do(state, f"enter:{PLACES['cathedral']},meeple")
    assert state.to_dict()["count"] == count
    assert (state.current_player >= 0) is (moves == "player")


@pytest.mark.rule("CNT-01")
def test_a_follower_enters_where_it_may_claim() -> None:
    state = do(put(begin("base+abbey+abbot+count+traders", 2), 1, ROAD), CROSSING)
    admitted = {
        kind: {quarter for quarter, place in PLACES.items() if f"enter:{place},{kind}" in texts}
        for texts in [legal(state)]
        for kind in ("meeple", "mayor", "wagon", "abbot", "builder", "pig", "barn")
    }
    assert admitted == {
        "meeple": set(PLACES),
        "mayor": {"castle"},
        "wagon": {"castle", "blacksmith", "cathedral"},
        "abbot": {"cathedral"},
        "builder": set(),
        "pig": set(),
        "barn": set(),
    }


@pytest.mark.rule("CNT-01")
def test_without_farmers_there_is_no_market() -> None:
    state = do(put(begin("base(fields=off)+count", 2), 1, ROAD), CROSSING)
    assert f"enter:{PLACES['market']},meeple" not in legal(state)
    do(state, f"enter:{PLACES['cathedral']},meeple")
    assert f"count:{PLACES['market']}" not in legal(state)


@pytest.mark.rule("CNT-01")
def test_clockwise_the_count_comes_to_the_market_without_farmers_too() -> None:
    spec = "base(fields=off)+count(moves=clockwise)"
    state = do(put(begin(spec, 2), 1, ROAD), CROSSING)
    assert do(state, f"enter:{PLACES['cathedral']},meeple").to_dict()["count"] == "market"


@pytest.mark.rule("CNT-01", "ABM-03")
def test_wagons_move_on_before_anybody_enters() -> None:
    state = put(begin("base+count+abbey", 2), 1, ROAD, kind="wagon")
    do(state, CROSSING)
    assert (state.step.name, state.current_player) == ("wagon", 1)
    do(state, "pass")
    assert (state.step.name, state.current_player) == ("enter", 0)


@pytest.mark.rule("CNT-01", "DRG-02")
def test_the_dragon_does_not_enter_the_middle_of_the_city() -> None:
    """It stands north of one of the two middle tiles."""
    state = lodge(begin("base+count+dragon", 2), "cathedral", 1)
    kept(state, "dragon").dragon = state.board.cell_of(state.board.tile_at(-1, -1))
    state.push(expansion_of(state, "dragon").dragon_move, 0)
    state._advance()
    assert legal(state) == ["dragon:-2,-1", "dragon:0,-1"]


@pytest.mark.rule("CNT-01", "WIN-01")
def test_a_rose_lies_north_of_the_city() -> None:
    """Its road leads west, where east of the city a field would be."""
    state = begin("base+count+windroses(start=rose)", 2)
    board = state.board
    tile = board.tile_at(-1, -2)
    assert state.rules.tile_names[board.kind_of_tile(tile)] == "WR04"
    assert board.tile_at(2, -1) < 0


@pytest.mark.rule("CNT-01", "RIV-01")
def test_with_the_river_the_spring_lies_beside_the_city() -> None:
    state = begin("base+count+river", 2)
    assert state.board.tile_data(state.board.tile_at(2, -1)).name == "RI01"
    assert state.board.tile_count == 13


@pytest.mark.rule("CNT-01", "GQ-01")
def test_a_spring_whose_river_would_run_along_the_city_is_refused() -> None:
    """GR01 has a road where the city is; JCloisterZone takes the River's own spring there."""
    with pytest.raises(BadRules, match="the spring GR01 cannot lie beside Carcassonne"):
        begin("base+count+gq11(spring=own)+river", 2)
    assert begin("base+count+gq11(spring=own)", 2).board.tile_count == 12


@pytest.mark.rule("CNT-01", "CNT-02")
def test_greedy_enters_the_city_and_joins_what_others_would_score() -> None:
    """It leaves for a road of eight tiles, not for one of two."""
    state = do(put(begin("base+count", 2), 1, ROAD), CROSSING)
    greedy = by_name("greedy", 1)
    assert str(greedy.choose(state.copy())).startswith("enter:")
    tiles = [f"U 0,{y},0" for y in range(2, 8)]
    for road, last, verb in (([], 2, "pass"), (tiles, 8, "join")):
        state = lodge(put(lay(begin("base+count", 2), *road), 0, ROAD), "blacksmith", 1)
        do(state, f"draw:X place:0,{last},0 pass")
        assert str(greedy.choose(state.copy())).partition(":")[0] == verb


@pytest.mark.rule("CNT-01")
def test_bots_expect_some_points_of_those_in_the_city() -> None:
    """Five each, nothing of those with the count."""
    state = lodge(lodge(begin("base+count", 2), "market", 0, 2), "castle", 1)
    assert estimates_of(state, "count").expected_points(state, [0.0, 0.0]) == [10.0, 0.0]


@pytest.mark.rule("CNT-01", "BRC-02")
def test_the_points_of_a_castle_let_a_player_enter_too() -> None:
    """Player 0 completes a city that nobody claimed beside the castle of player 1."""
    state = put(begin("base+bridges(bazaars=off)+count", 2), 1, (1, 1, 0))
    do(state, "draw:E place:2,1,3 pass castle:2,1,0 draw:U place:1,-2,0 pass")
    do(lay(state, "E 2,3,0"), "draw:E place:2,2,2 pass")
    assert state.scores == [0, 4]
    assert (state.step.name, state.current_player) == ("enter", 0)


@pytest.mark.rule("CNT-01", "GCC-15")
def test_guards_in_the_city_are_told_beside_those_of_the_stock() -> None:
    state = begin("base+count+ghosts", 2)
    kept(state, "ghosts").guards[0] -= 1
    state.board.add_supply(0, state.rules.follower_number("guard"), 1)
    before = state.to_dict()["out_of_play"]["guard"]
    lodge(state, "castle", 0, kind="guard")
    assert state.to_dict()["out_of_play"]["guard"] == before + 1


@pytest.mark.parametrize(("owners", "worth"), [((1,), 2.5), ((0, 1), 0.0), ((), 0.0)])
def test_bots_expect_something_of_entering(owners: tuple[int, ...], worth: float) -> None:
    """Red has placed the crossing that completes the road of these owners."""
    state = begin("base+count", 2)
    for owner in owners:
        put(state, owner, ROAD)
    do(state, CROSSING.removesuffix(" pass"))
    assert state.step.name == "claim"
    assert estimates_of(state, "count").expected_points(state, [0.0, 0.0]) == [worth, 0.0]


@pytest.mark.rule("CNT-01", "MEE-01")
@pytest.mark.parametrize(("option", "again"), [("turn", False), ("tile", True)])
def test_a_follower_enters_once_in_both_parts_of_a_builder_s_turn(option: str, again: bool) -> None:
    """The publisher: a figure can only be moved to Carcassonne once.

    Two roads of green's are completed: south of the market, and between two crossings.
    """
    state = begin(f"base+count(enter={option})+traders", 2)
    put(lay(state, "X 1,3,0"), 1, ROAD, (1, 3, NORTH))
    kept(state, "traders").due = True
    do(state, f"draw:W place:0,2,2 pass enter:{PLACES['castle']},meeple pass")
    assert state.to_dict()["extra_turn"]
    do(state, "draw:W place:1,2,0 pass")
    assert state.scores[1] == 4
    assert (state.step.name == "enter") is again
    do(state, "pass" if again else "draw:U")
    assert kept(state, "count").entered is False


@pytest.mark.rule("FES-01", "CNT-01")
def test_a_festival_brings_back_a_follower_from_the_city() -> None:
    """From the quarter of the count, too, says a note in the annotated rules; nobody else's."""
    state = begin("base+count+festival", 2)
    lodge(lodge(lodge(state, "castle", 0), "market", 0), "market", 1)
    do(state, "draw:FE03 place:0,2,2")
    other = lodge(begin("base+count+festival", 2), "castle", 0)
    do(other, "draw:B place:0,-2,0")
    assert not [text for text in legal(other) if text.startswith("recall")]
    recalls = [text for text in legal(state) if text.startswith("recall")]
    assert recalls == [f"recall:{PLACES[at]},meeple" for at in ("castle", "market")]
    do(state, "recall:0,-1,0,meeple")
    residents = [(one["quarter"], one["owner"]) for one in state.to_dict()["residents"]]
    assert residents == [("market", 0), ("market", 1)] and state.board.supply_of(0) == 6
