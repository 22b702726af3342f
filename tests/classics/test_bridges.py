"""Bridges and castles, counted by hand."""

import pytest
from support.notation import begin, do, feature_at, finish, lay, legal, put, scored

from carc import State


@pytest.mark.rule("BRC-01")
def test_a_bridge_lets_a_monastery_fit_beside_a_road() -> None:
    """East of the start tile's road; the bridge runs on to the east, and may be claimed."""
    state = do(begin("base+bridges", 2), "draw:B")
    assert "place:1,0,0" in legal(state)
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


# With E in the north of the start tile, a city of two semicircles.
SMALL = "draw:E place:0,-1,2 pass"


@pytest.mark.rule("BRC-02")
def test_the_owner_of_a_small_city_may_found_a_castle() -> None:
    state = do(put(begin("base+bridges", 3), 1, (0, 0, 0)), SMALL)
    assert (state.step.name, state.current_player) == ("castle", 1)
    assert legal(state) == ["castle:0,-1,0", "pass"]
    do(state, "castle:0,-1,0")
    assert state.scores == [0, 0, 0] and state.board.supply_of(1) == 6
    assert state.to_dict()["castles"] == [3, 2, 3]
    again = State.from_text(state.to_text(), state.rules)
    assert again.board.kind_of(again.board.segment_at(0, 0, 0)) == "stronghold"


@pytest.mark.rule("BRC-02")
@pytest.mark.parametrize(
    ("tiles", "last", "owners"),
    [
        ([], "draw:E place:0,-1,2 pass", []),  # nobody's
        (["F 0,-1,1"], "draw:E place:0,-2,2 pass", [0]),  # three tiles
        ([], "draw:AM09 place:0,-1,3 pass", [0]),  # no semicircle
    ],
)
def test_other_cities_become_no_castles(tiles: list[str], last: str, owners: list[int]) -> None:
    spec = "base+abbey+bridges" if "AM09" in last else "base+bridges"
    state = lay(begin(spec, 2), *tiles)
    for owner in owners:
        put(state, owner, (0, 0, 0))
    do(state, last)
    assert state.step.name != "castle"


@pytest.mark.rule("BRC-02")
def test_a_castle_scores_what_is_completed_beside_it_in_a_later_turn() -> None:
    """The road of start tile and two crossings: 3 points, though nobody is on it."""
    state = do(put(begin("base+bridges", 2), 0, (0, 0, 0)), SMALL + " castle:0,-1,0")
    do(state, "draw:W place:1,0,2 pass")
    assert state.scores == [0, 0]
    do(state, "draw:W place:-1,0,2 pass")
    assert scored(state) == ["0: castle by road 1x3 = 3"]
    assert state.board.supply_of(0) == 7
    # It scores once.
    do(state, "draw:E place:1,-1,1 pass")
    assert state.scores == [3, 0]


@pytest.mark.rule("BRC-02")
def test_what_is_completed_farther_away_does_not_count() -> None:
    """A city of two tiles south of the start tile: the castle stands north, its sides are east and
    west.
    """
    state = do(
        put(lay(begin("base+bridges", 2), "E 0,1,2"), 0, (0, 0, 0)), SMALL + " castle:0,-1,0"
    )
    do(state, "draw:E place:0,2,0 pass")
    assert state.scores == [0, 0]


@pytest.mark.rule("BRC-02")
def test_a_castle_brings_a_field_four_points_and_its_own_follower_none() -> None:
    state = do(put(begin("base+bridges", 2), 0, (0, 0, 0)), SMALL + " castle:0,-1,0")
    put(state, 1, (0, -1, 1))
    finish(state)
    assert scored(state) == ["1: completed city 1x3, castle 1x1 = 4"]


@pytest.mark.rule("BRC-02")
@pytest.mark.parametrize(("players", "each"), [(4, 3), (5, 2)])
def test_how_many_pieces_each_has(players: int, each: int) -> None:
    data = begin("base+bridges", players).to_dict()
    assert data["bridges"] == data["castles"] == [each] * players


@pytest.mark.rule("BRC-03")
def test_a_bazaar_is_placed_as_any_tile() -> None:
    state = do(begin("base+bridges", 2), "draw:BB06 place:0,1,0 pass")
    assert (state.step.name, state.active_player) == ("draw", 1)
