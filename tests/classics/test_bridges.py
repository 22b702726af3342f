"""Bridges and castles, counted by hand."""

import pytest
from support.notation import begin, do, emptied, expansion_of, feature_at, kept, lay, legal, put

from carc import Rules, State
from carc.errors import BadNotation


@pytest.mark.rule("BRC-01")
def test_a_bridge_lets_a_monastery_fit_beside_a_road() -> None:
    """East of the start tile's road; the bridge runs on to the east, and may be claimed."""
    state = do(begin("base+bridges", 2), "draw:B")
    assert "place:1,0,0" in legal(state) and "pass" not in legal(state)
    do(state, "place:1,0,0")
    assert state.to_dict()["bridges"] == [2, 3]
    road = feature_at(state, 0, 0, 1)
    assert (state.board.tiles_of(road), state.board.open_edges(road)) == (2, 2)
    assert "claim:2,meeple" in legal(state)
    assert state.board.free_cells()[state.board.cell_of(1) + 1]  # demands a road
    assert not any(text.startswith("bridge:1,0") for text in legal(state))


@pytest.mark.rule("BRC-01")
def test_the_field_beneath_a_bridge_stays_whole() -> None:
    state = do(begin("base+bridges", 2), "draw:B place:1,0,0")
    field = feature_at(state, 1, 0, 1)
    # The halves north and south of the start tile's road both end at it.
    assert feature_at(state, 0, 0, 2) == feature_at(state, 0, 0, 3) == field


@pytest.mark.rule("BRC-01")
def test_without_a_bridge_it_does_not_fit() -> None:
    state = begin("base+bridges(bridges=off)", 2)
    assert "place:1,0,0" not in legal(do(state, "draw:B"))
    state = do(begin("base+bridges", 2), "draw:E place:0,-1,2 pass")
    spent = state.to_dict()["bridges"]
    assert spent == [3, 3]


@pytest.mark.rule("BRC-01")
def test_a_road_fits_by_a_bridge_on_the_tile_beside_it() -> None:
    """V leads from south to west; in the east of it B gets a bridge from west to east."""
    state = lay(begin("base+bridges", 2), "B 0,1,0", "B 1,2,0")
    do(state, "draw:U")  # a straight road, north to south unturned
    assert "place:0,2,1" in legal(state)
    do(state, "place:0,2,1")
    road = feature_at(state, 0, 2, 0)
    assert feature_at(state, 1, 2, 2) == road and state.board.tiles_of(road) == 2
    state = lay(begin("base+bridges", 2), "B 0,1,0", "B 1,2,0", "B 2,2,0")
    assert "place:0,2,1" not in legal(do(state, "draw:U")), "the bridge would end at a tile"


@pytest.mark.rule("BRC-01")
@pytest.mark.parametrize(
    ("spec", "sites"),
    [
        ("base+bridges", ["bridge:0,1,0,we", "bridge:0,2,0,ns", "bridge:0,2,0,we"]),
        ("base+bridges(bridges=own)", ["bridge:0,2,0,ns", "bridge:0,2,0,we"]),
        ("base+bridges(bridges=off)", []),
    ],
)
def test_bridges_are_built_after_the_tile_too(spec: str, sites: list[str]) -> None:
    """Where both cells that the bridge reaches are free: none from north to south here."""
    state = do(lay(begin(spec, 2), "B 0,1,0"), "draw:B place:0,2,0")
    sites = [site for site in sites if site != "bridge:0,2,0,ns"]
    assert [text for text in legal(state) if text.startswith("bridge")] == sites
    if sites:
        do(state, sites[-1])
        assert not any(text.startswith("bridge") for text in legal(state))  # one a turn
        assert "claim:0,meeple" in legal(state)


@pytest.mark.rule("BRC-01")
def test_a_player_may_decline_a_bridge_that_is_the_only_way() -> None:
    """Every free cell demands a road or a city."""
    state = lay(begin("base+bridges", 2), "C 0,-1,0", "W 0,1,0")
    do(state, "draw:B")
    assert "place:0,2,0" in legal(state) and legal(state)[-1] == "pass"
    do(state, "pass")
    assert state.to_dict()["discarded"] == ["B"] and state.step.name == "draw"
    assert state.to_dict()["bridges"] == [3, 3]


@pytest.mark.rule("BRC-02")
@pytest.mark.parametrize(("players", "each"), [(4, 3), (5, 2)])
def test_how_many_pieces_each_has(players: int, each: int) -> None:
    data = begin("base+bridges", players).to_dict()
    assert data["bridges"] == data["castles"] == [each] * players


def bazaar(scores: list[int]) -> State:
    """Player 0 has placed a bazaar; B and E are offered, or with three players V too."""
    state = begin("base+bridges", len(scores))
    state.scores[:] = scores
    offered = " ".join(f"draw:{tile}" for tile in ("B", "E", "V")[: len(scores)])
    return do(state, f"draw:BB06 place:0,1,0 pass {offered}")


@pytest.mark.rule("BRC-03")
def test_at_a_bazaar_tiles_are_auctioned_from_the_left_of_the_player() -> None:
    """Nobody bids more: the chooser pays two points to nobody, the other gets the rest free."""
    state = bazaar([5, 2])
    assert (state.step.name, state.current_player) == ("auction", 1)
    assert legal(state) == [f"auction:{tile},{price}" for tile in "BE" for price in range(3)]
    do(state, "auction:E,2")
    assert (state.current_player, legal(state)) == (0, ["bid:3", "bid:4", "bid:5", "pass"])
    do(state, "pass")
    assert state.scores == [5, 0]
    # Both place what they have instead of drawing.
    assert (state.step.name, state.active_player) == ("place", 1)
    do(state, "place:0,-1,2 pass place:0,2,0 pass")
    assert (state.step.name, state.active_player) == ("draw", 1)


@pytest.mark.rule("BRC-03")
def test_of_two_equal_tiles_at_a_bazaar_one_is_chosen() -> None:
    state = bazaar([0, 1])
    kept(state, "bridges").offers[:] = [state.rules.catalogue.index["E"]] * 2
    choices = expansion_of(state, "bridges").bazaar.select_step.choices(state, 1)
    assert [str(action) for action in choices.actions(state)] == ["auction:E,0", "auction:E,1"]


@pytest.mark.rule("BRC-03")
@pytest.mark.parametrize(("deal", "scores"), [("buy", [8, 1]), ("sell", [2, 7])])
def test_the_chooser_buys_from_the_highest_bidder_or_sells(deal: str, scores: list[int]) -> None:
    state = do(bazaar([5, 4]), "auction:E,0 bid:3")
    assert (state.current_player, legal(state)) == (1, ["buy", "sell"])
    do(state, deal)
    assert state.scores == scores
    owner = 1 if deal == "buy" else 0
    assert state.to_dict()["tiles_held"][owner] == ({"E": 1} if owner == 0 else {})


@pytest.mark.rule("BRC-03")
def test_who_has_less_than_no_points_bids_nothing() -> None:
    state = bazaar([-2, 4])
    expansion_of(state, "bridges").offers.up_to(-1, 9)
    assert not [text for text in legal(do(state, "auction:E,0")) if text.startswith("bid")]


@pytest.mark.rule("BRC-03")
def test_who_cannot_pay_sells_and_chooses_again() -> None:
    """Of three, player 1 sells to player 2, who takes no more part."""
    state = do(bazaar([1, 0, 3]), "auction:V,0 bid:2")
    assert state.scores == [1, 2, 1]
    assert (state.step.name, state.current_player) == ("auction", 0)
    do(state, "auction:B,1 bid:2")
    assert state.scores == [3, 0, 1]
    assert state.to_dict()["tiles_held"] == [{"E": 1}, {}, {"V": 1}]
    assert state.tile_in_hand == state.rules.catalogue.index["B"]


@pytest.mark.rule("BRC-03")
def test_a_bazaar_that_was_bought_brings_no_auction() -> None:
    state = begin("base+bridges", 2)
    do(state, "draw:BB06 place:0,1,0 pass draw:BB05 draw:B auction:BB05,0 place:0,-1,2 pass")
    assert (state.step.name, state.active_player) == ("place", 0)


@pytest.mark.rule("BRC-03")
def test_a_bazaar_that_the_second_of_three_bought_brings_no_auction() -> None:
    """Player 0, who laid the bazaar, still has a tile to place."""
    state = begin("base+bridges", 3)
    do(state, "draw:BB06 place:0,1,0 pass draw:B draw:BB05 draw:E auction:B,0 auction:BB05,0")
    do(state, "place:0,2,0 pass place:0,-1,2 pass")
    assert (state.step.name, state.active_player) == ("place", 0)


@pytest.mark.rule("BRC-03")
@pytest.mark.parametrize("spec", ["base+bridges", "base+bridges(bridges=off)"])
def test_a_bazaar_drawn_while_bought_tiles_are_placed_brings_no_auction(spec: str) -> None:
    """C is all city, and no city is open: another tile is drawn. The one after it counts again."""
    state = do(begin(spec, 2), "draw:E place:0,-1,2 pass draw:BB06 place:0,1,0 pass")
    do(state, "draw:C draw:B auction:C,0 draw:BB09 place:0,2,0 pass")
    assert state.to_dict()["discarded"] == ["C"]
    do(state, "place:1,1,0 pass")
    assert (state.step.name, state.active_player) == ("draw", 0)
    do(state, "draw:BB05 place:1,0,1 pass draw:B draw:E")
    assert (state.step.name, state.current_player) == ("auction", 1)


@pytest.mark.rule("BRC-03")
def test_without_a_tile_for_each_player_there_is_no_auction() -> None:
    state = do(begin("base+bridges", 2), "draw:BB06 place:0,1,0")
    do(emptied(state, "A"), "pass")
    assert state.step.name == "draw" and state.active_player == 1


@pytest.mark.rule("BRC-03", "TRD-02")
def test_the_auction_waits_for_the_second_part_of_a_builders_turn() -> None:
    """The bazaar is laid at the builder's road; the bought tiles come after the second tile."""
    state = put(begin("base+bridges+traders", 2), 0, (0, 0, 1))
    put(state, 0, (0, 0, 1), kind="builder")
    do(state, "draw:BB05 place:1,0,1 pass")
    assert (state.step.name, state.active_player) == ("draw", 0)
    do(state, "draw:BB06 place:0,1,0 pass draw:B draw:E")
    assert (state.step.name, state.current_player) == ("auction", 1)
    do(state, "auction:B,0 place:0,2,0 pass")
    state.apply(state.legal_actions()[0])
    do(state, "pass")
    assert (state.step.name, state.active_player) == ("draw", 1)  # one auction for both


@pytest.mark.rule("BRC-03", "BASE-15")
def test_a_bought_tile_is_placed_though_the_bag_is_empty() -> None:
    """Its owner laid an abbey meanwhile. The player before holds none and is passed over."""
    state = do(begin("base+abbey+bridges", 3), "draw:V place:1,0,0")
    kept(state, "bridges").bought[2] = state.rules.catalogue.index["E"]
    kept(state, "abbey").abbeys = [0, 0, 0]
    do(emptied(state), "pass")
    assert (state.active_player, state.to_dict()["tile_in_hand"]) == (2, "E")
    state.apply(state.legal_actions()[0])
    do(state, "pass")
    assert state.is_terminal and state.board.tile_count == 3


@pytest.mark.rule("BRC-03")
def test_a_bid_is_at_most_three_more_and_who_has_a_tile_does_not_bid() -> None:
    state = bazaar([9, 9, 9])
    do(state, "auction:E,1")
    assert (state.current_player, legal(state)) == (2, ["bid:2", "bid:3", "bid:4", "pass"])
    do(state, "pass pass auction:V,0")
    assert state.current_player == 0  # player 1 has bought E
    do(state, "pass")
    assert state.to_dict()["tiles_held"][2] == {"V": 1}


@pytest.mark.rule("BRC-01")
def test_both_ends_of_a_bridge_are_free() -> None:
    """In the north and in the east of the tile at 1,1 nothing lies, in the south and west tiles."""
    state = lay(begin("base+bridges(bridges=own)", 2), "B 0,1,0", "B 1,2,0")
    do(state, "draw:B place:1,1,0")
    assert legal(state) and not any(text.startswith("bridge") for text in legal(state))


@pytest.mark.rule("BRC-03")
def test_the_last_bazaar_that_was_bought_brings_no_auction_either() -> None:
    """Nobody holds a tile any more when it is placed."""
    state = begin("base+bridges", 2)
    do(state, "draw:BB06 place:0,1,0 pass draw:BB05 draw:B auction:B,0 place:0,2,0 pass")
    do(state, "place:0,-1,2 pass")
    assert (state.step.name, state.active_player) == ("draw", 1)


@pytest.mark.rule("BRC-01")
def test_who_has_no_bridge_left_builds_none() -> None:
    state = lay(begin("base+bridges", 2), "B 0,1,0")
    kept(state, "bridges").bridges[0] = 0
    do(state, "draw:B place:0,2,0")
    assert legal(state) and not any(text.startswith("bridge") for text in legal(state))


@pytest.mark.parametrize("text", ["bid:03", "auction:E,03", "auction:none,1", "buy:1"])
def test_an_offer_is_written_in_one_way(text: str) -> None:
    with pytest.raises(BadNotation):
        Rules.cached("base+bridges").parse(text)


@pytest.mark.rule("BRC-01")
def test_no_bridge_ends_at_an_abbey() -> None:
    """Its edges match any, as those of a gate do; but no road is closed there by a bridge."""
    state = do(lay(begin("base+abbey+bridges", 2), "B 2,1,0"), "draw:B place:0,1,0")
    assert "bridge:0,1,0,we" in legal(state)
    state = do(lay(begin("base+abbey+bridges", 2), "AM-abbey -1,1,0"), "draw:B place:0,1,0")
    assert "bridge:0,1,0,we" not in legal(state)
