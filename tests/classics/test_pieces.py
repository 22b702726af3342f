"""Pieces without the tiles of their set, or in another number; other starts; one player."""

import random

import pytest
from support.notation import begin, do, finish, kept, lay, legal, put, scored

from carc import Rules, State, playout
from carc.errors import BadRules

BASE_TILES = 72


def tiles(spec: str) -> int:
    """How many tiles can be drawn or lie on the table at the start."""
    data = Rules.from_spec(spec).start().to_dict()
    return sum(data["bag"].values()) + len(data["tiles"])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("abbey", marks=pytest.mark.rule("ABM-01")),
        pytest.param("bridges", marks=pytest.mark.rule("BRC-01")),
        pytest.param("dragon", marks=pytest.mark.rule("DRG-05")),
        pytest.param("hills", marks=pytest.mark.rule("HIL-02")),
        pytest.param("inns", marks=pytest.mark.rule("INN-01")),
        pytest.param("traders", marks=pytest.mark.rule("TRD-01")),
    ],
)
def test_without_its_tiles_an_expansion_has_its_pieces(name: str) -> None:
    assert tiles(f"base+{name}(tiles=off)") == BASE_TILES < tiles(f"base+{name}")
    full, alone = (
        Rules.from_spec(spec).start().to_dict("supplies")["supplies"]
        for spec in (f"base+{name}", f"base+{name}(tiles=off)")
    )
    assert alone == full
    for seed in range(3):
        state = Rules.from_spec(f"base+{name}(tiles=off)", 3).start()
        playout(state, random.Random(seed))
        assert state.is_terminal


@pytest.mark.rule("INN-01")
@pytest.mark.parametrize(("spec", "points"), [("inns", 0), ("inns(tiles=off)", 2)])
def test_without_its_tiles_inns_of_other_sets_mean_nothing(spec: str, points: int) -> None:
    """The road of The River II with an inn runs over two tiles and is incomplete."""
    state = lay(begin(f"base+{spec}+river(part=two)", 2), "RJ07 5,5,0", "U 6,5,1")
    assert finish(put(state, 0, (5, 5, 0))).scores == [points, 0]


@pytest.mark.rule("ABM-01")
def test_a_player_may_have_two_wagons_or_none() -> None:
    spec = "base+abbey(abbey_count=0,barn_count=0,mayor_count=0,wagon_count=2)"
    state = begin(spec, 2)
    supply = {"meeple": 7, "mayor": 0, "wagon": 2, "barn": 0}
    assert state.to_dict("supplies")["supplies"] == [supply] * 2
    do(state, "draw:E place:0,-1,2")
    assert legal(state) == ["claim:0,meeple", "claim:0,wagon", "claim:1,meeple", "pass"]


@pytest.mark.rule("TRD-01")
@pytest.mark.parametrize(("pigs", "offered"), [([], True), ([2], False)])
def test_a_second_pig_is_not_placed_beside_the_first(pigs: list[int], offered: bool) -> None:
    """The farmer stands on the same field, south of a road."""
    state = lay(begin("base+traders(pig_count=2)", 2), "U 1,0,1", "U 2,0,1")
    for x, kind in ((1, "meeple"), *((x, "pig") for x in pigs)):
        put(state, 0, (x, 0, 2), kind=kind)
    do(state, "draw:U place:3,0,1")
    assert any("pig" in text for text in legal(state)) is offered


@pytest.mark.rule("TRD-01")
def test_two_pigs_go_home_with_the_last_farmer_and_count_once() -> None:
    """The farmer and both pigs stand on one field, south of a road; two fields became one."""
    state = lay(begin("base+traders(pig_count=2)", 2), *(f"U {x},0,1" for x in (1, 2, 3)))
    board = state.board
    for x, kind in ((1, "meeple"), (2, "pig"), (3, "pig")):
        put(state, 0, (x, 0, 2), kind=kind)
    assert state.to_dict("supplies")["supplies"][0]["pig"] == 0
    farmer = next(s for s, owner, kind in board.all_followers() if (owner, kind) == (0, 0))
    state.take_follower(farmer, 0, 0)
    assert state.to_dict("supplies")["supplies"][0]["pig"] == 2


@pytest.mark.rule("BASE-02")
@pytest.mark.parametrize("name", ["abbey", "bridges", "count", "dragon", "tower", "traders"])
def test_one_plays_alone_with_what_is_for_several(name: str) -> None:
    for seed in range(2):
        state = Rules.from_spec(f"base+{name}", 1).start()
        playout(state, random.Random(seed))
        assert state.is_terminal and state.returns() == [0.0]


@pytest.mark.rule("DRG-05")
def test_alone_the_fairy_scores_with_each_tile() -> None:
    state = begin("base+dragon(tiles=off)", 1)
    do(state, "draw:U place:1,0,1 claim:0,meeple draw:U place:2,0,1 fairy:1,0,0,meeple")
    assert scored(do(state, "draw:U place:3,0,1"))[-1] == "0: fairy 1x1 = 1"
    before = state.scores[0]
    do(state, "pass draw:U place:4,0,1")
    assert state.scores[0] == before + 1


@pytest.mark.rule("WIN-02")
def test_the_game_may_start_on_a_rose() -> None:
    state = begin("base+windroses(start=rose)", 2)
    data = state.to_dict()
    assert [tile["kind"] for tile in data["tiles"]] == ["WR04"]
    assert data["bag"]["D"] == 4
    assert [piece["kind"] for piece in data["pieces"]] == ["wind rose"]
    with pytest.raises(BadRules, match=r"windroses\(start=rose\) needs the start of base alone"):
        Rules.from_spec("base+river+windroses(start=rose)")


@pytest.mark.rule("GQ-01")
def test_the_river_may_rise_from_the_spring_of_games_quarterly() -> None:
    data = begin("base+gq11(spring=own)+river", 2).to_dict()
    assert [tile["kind"] for tile in data["tiles"]] == ["GR01"]
    assert "RI01" not in data["bag"] and "GR01" not in data["bag"]
    assert tiles("base+gq11(spring=own)+river") == tiles("base+gq11+river")


@pytest.mark.rule("BRC-03")
def test_without_bids_each_chooses_a_tile_for_nothing() -> None:
    state = begin("base+bridges(bazaars=choose)", 3)
    do(state, "draw:BB01 place:0,-1,0")
    while state.step.name != "auction":
        do(state, "pass" if "pass" in legal(state) else "draw:E")
    assert all(action.endswith(",0") for action in legal(state))
    first = legal(state)[0]
    do(state, first)
    assert state.current_player == 2  # nobody was asked for a bid
    do(state, legal(state)[0])
    assert state.scores == [0, 0, 0]


@pytest.mark.rule("ABM-03")
def test_each_of_two_wagons_moves_on_from_where_it_stood() -> None:
    """Two cities are completed at once; beside each is a road."""
    state = lay(begin("base+abbey(tiles=off,wagon_count=2)", 2), "U 4,0,0", "E 5,0,1", "E 7,0,3")
    put(lay(state, "U 8,0,0"), 1, (5, 0, 0), (7, 0, 0), kind="wagon")
    do(state, "draw:H place:6,0,1 pass")
    asked = []
    for _ in range(2):
        asked.append((state.current_player, legal(state)))
        do(state, legal(state)[0])
    assert sorted(asked) == [(1, [f"wagon:{x},0,0,wagon", "pass"]) for x in (4, 8)]


@pytest.mark.rule("ABM-03")
def test_two_wagons_on_one_segment_both_move_on() -> None:
    """A crop circle brought the second one there. L has a city and, in the west, their road."""
    state = lay(begin("base+abbey(tiles=off,wagon_count=2)+crops", 2), "L 6,0,0", "U 4,0,1")
    put(lay(state, "U 5,0,1"), 1, (5, 0, 0), (5, 0, 0), kind="wagon")
    do(state, "draw:L place:3,0,0 pass")
    assert legal(state) == ["wagon:6,0,0,wagon", "wagon:6,0,1,wagon", "wagon:6,0,2,wagon", "pass"]
    do(state, "wagon:6,0,1,wagon")
    assert legal(state) == ["wagon:6,0,0,wagon", "wagon:6,0,2,wagon", "pass"]


@pytest.mark.rule("ABM-03")
@pytest.mark.parametrize("first", [5, 7])
def test_of_two_wagons_the_one_placed_first_moves_on_first(first: int) -> None:
    """JCloisterZone's engine asks so."""
    state = lay(begin("base+abbey(tiles=off,wagon_count=2)", 2), "U 4,0,0", "E 5,0,1", "E 7,0,3")
    put(lay(state, "U 8,0,0"), 0, (0, 0, 1), kind="wagon")
    put(state, 1, (first, 0, 0), (12 - first, 0, 0), kind="wagon")
    do(state, "draw:H place:6,0,1 pass")
    assert legal(state) == [f"wagon:{4 if first == 5 else 8},0,0,wagon", "pass"]


@pytest.mark.rule("ABM-03")
def test_a_position_says_which_wagon_was_placed_first() -> None:
    """The first one has gone home, and is somewhere else now."""
    state = do(begin("base+abbey(wagon_count=2)", 1), "draw:W place:-1,0,2 claim:0,wagon")
    do(state, "draw:E place:0,-1,2 pass")
    put(state, 0, (0, 0, 1), kind="wagon")
    state.take_follower(state.board.segment_at(-1, 0, 0), 0, state.rules.follower_number("wagon"))
    put(state, 0, (0, -1, 0), kind="wagon")
    again = State.from_text(state.to_text())
    places = [again.board.place_of(segment)[:2] for segment, _ in kept(again, "abbey").standing]
    assert places == [(0, 0), (0, -1)]


@pytest.mark.rule("ABM-04")
def test_two_barns_on_a_field_are_no_farmers() -> None:
    """Their owner scores 4 points a city at the end, once; nobody joined them late."""
    state = begin("base+abbey(barn_count=2,barns=together)", 2)
    barn = state.rules.follower_number("barn")
    field = state.board.segment_at(0, 0, 2)
    for _ in range(2):
        state.board._put(field, 0, barn)
        state.board.add_supply(0, barn, -1)
    do(state, "draw:E place:0,-1,2")
    assert state.owners_of(state.board.feature_of(field)) == [0]
    assert scored(finish(state)) == ["0: completed city 1x3, barn 1x1 = 4"]


@pytest.mark.rule("DRG-05")
@pytest.mark.parametrize(("option", "points"), [("worth", 0), ("always", 3)])
def test_the_fairy_at_a_road_worth_nothing(option: str, points: int) -> None:
    state = begin(f"base+dragon(fairy={option})+inns", 1)
    do(state, "draw:IC15 place:1,0,0 claim:0,meeple draw:U place:2,0,1")
    state = do(state, next(one for one in legal(state) if one.startswith("fairy:")))
    before = state.scores[0]
    finish(state)
    gained = [text for text in scored(state) if "fairy 1x3" in text]
    assert (len(gained) * 3, state.scores[0] >= before) == (points, True)
