"""Castles of Bridges, Castles & Bazaars, counted by hand."""

import pytest
from support.notation import begin, do, expansion_of, finish, haunt, kept, lay, legal, put, scored

from carc import State

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


@pytest.mark.rule("BRC-02", "ABM-02")
@pytest.mark.parametrize(("others", "step"), [(0, "castle"), (1, "draw")])
def test_a_mayor_who_counts_for_nothing_founds_a_castle_alone(others: int, step: str) -> None:
    """Neither tile has a coat of arms, so he has no majority; with green's mayor nobody founds."""
    state = put(begin("base+abbey+bridges", 2), 0, (0, 0, 0), kind="mayor")
    for _ in range(others):
        put(state, 1, (0, 0, 0), kind="mayor")
    assert do(state, SMALL).step.name == step


@pytest.mark.rule("BRC-02", "ABM-02")
@pytest.mark.parametrize(("kind", "points"), [("meeple", 3), ("mayor", 0)])
def test_a_mayor_in_a_castle_scores_nothing(kind: str, points: int) -> None:
    """A road of three tiles is completed beside it."""
    state = put(begin("base+abbey+bridges", 2), 0, (0, 0, 0), kind=kind)
    do(state, SMALL + " castle:0,-1,0 draw:W place:1,0,2 pass draw:W place:-1,0,2 pass")
    assert state.scores == [points, 0] and state.board.supply_of(0) == 7


@pytest.mark.rule("BRC-02")
def test_a_castle_scores_what_is_completed_beside_it_in_a_later_turn() -> None:
    """The road of start tile and two crossings: 3 points, though nobody is on it (the publisher's
    list of rules for castles).
    """
    state = do(put(begin("base+bridges", 2), 0, (0, 0, 0)), SMALL + " castle:0,-1,0")
    do(state, "draw:W place:1,0,2 pass")
    assert state.scores == [0, 0]
    do(state, "draw:W place:-1,0,2 pass")
    assert scored(state) == ["0: castle by road 1x3 = 3"]
    assert state.board.supply_of(0) == 7
    assert kept(state, "bridges").standing == []  # it scores once


@pytest.mark.rule("BRC-02")
def test_what_is_completed_farther_away_does_not_count() -> None:
    """A city of two tiles south of the start tile: the castle stands north."""
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
@pytest.mark.parametrize(("tile", "found"), [("HS02", False), ("HS01", False), ("E", True)])
def test_a_city_that_reaches_into_another_edge_is_no_semicircle(tile: str, found: bool) -> None:
    """The eastern city of HS02 reaches the northern edge, too, and that of HS01 is larger than a
    semicircle; E has a city at one edge.
    """
    state = begin("base+bridges+hills", 2)
    rotation = {"HS02": 0, "HS01": 1, "E": 1}[tile]  # the city is in the east
    lay(state, f"{tile} 5,0,{rotation}")
    put(state, 0, (5, 0, 1 if tile == "HS02" else 0))
    lay(state, "E 6,0,3")
    state.board.completed.append(state.board.feature_of(state.board.segment_at(6, 0, 0)))
    castles = expansion_of(state, "bridges").castles
    assert bool(castles.small_cities(state, 0)) is found


@pytest.mark.rule("BRC-02")
@pytest.mark.parametrize(
    ("owners", "castles", "founds"),
    [([0], 1, True), ([0], 0, False), ([0, 1], 1, False), ([0, 0, 1], 1, True)],
)
def test_who_holds_a_small_city_alone_and_has_a_castle_founds_it(
    owners: list[int], castles: int, founds: bool
) -> None:
    """Others in it, and figures that are no followers, go home."""
    state = begin("base+bridges+traders", 2)
    for owner in owners:
        put(state, owner, (0, 0, 0))
    put(state, 0, (0, 0, 0), kind="builder")
    kept(state, "bridges").castles[0] = castles
    do(state, SMALL)
    assert (state.step.name == "castle") is founds
    if founds:
        do(state, "castle:0,-1,0")
        followers = state.board.followers_at(state.board.segment_at(0, 0, 0))
        assert followers == [(0, 0)] * owners.count(0)


@pytest.mark.rule("BRC-02")
def test_what_is_completed_with_the_castle_brings_it_nothing() -> None:
    """The tile that completes the small city completes a road beside it, too."""
    state = put(lay(begin("base+bridges", 2), "W 1,-1,0", "W -1,-1,0"), 0, (0, 0, 0))
    do(state, "draw:D place:0,-1,2 pass castle:0,-1,0")
    assert state.scores == [0, 0] and len(kept(state, "bridges").standing) == 1


@pytest.mark.rule("BRC-02")
def test_a_castle_scores_the_best_of_what_is_completed() -> None:
    """A city of two tiles and a road of three."""
    state = put(lay(begin("base+bridges", 2), "W -1,0,0"), 0, (0, 0, 0))
    do(state, f"{SMALL} castle:0,-1,0")
    do(lay(state, "E 1,-1,2"), "draw:L place:1,0,0 pass")
    assert scored(state) == ["0: castle by city 1x4 = 4"]


@pytest.mark.rule("BRC-02")
def test_a_castle_that_scores_counts_for_one_beside_it() -> None:
    """A city of two tiles west of one castle; two other castles stand east of that in a row."""
    state = do(put(begin("base+bridges", 2), 0, (0, 0, 0)), f"{SMALL} castle:0,-1,0")
    put(lay(state, "E 1,0,0"), 1, (1, 0, 0))
    do(state, "draw:E place:1,-1,2 pass castle:1,-1,0")
    put(lay(state, "E 2,0,0"), 1, (2, 0, 0))
    do(state, "draw:E place:2,-1,2 pass castle:2,-1,0")
    assert state.scores == [0, 0]
    do(lay(state, "E -1,-2,2"), "draw:E place:-1,-1,0 pass")
    assert scored(state) == [f"{owner}: castle by city 1x4 = 4" for owner in (0, 1, 1)]


@pytest.mark.rule("BRC-02", "SEQ-01")
@pytest.mark.parametrize(
    ("ghosts", "text"), [(0, "castle by road 1x3 = 3"), (1, "castle by road 1x3, ghosts 1x-2 = 1")]
)
def test_two_followers_in_a_castle_score_once_less_by_their_ghosts(ghosts: int, text: str) -> None:
    state = begin("base+bridges+ghosts(tiles=base)", 2)
    put(lay(state, "W -1,0,2"), 0, (0, 0, 0), (0, 0, 0))
    do(state, f"{SMALL} castle:0,-1,0")
    haunt(state, 0, 0, n=ghosts)
    do(state, "draw:W place:1,0,2 pass")
    assert scored(state) == [f"0: {text}"] and not state.board.occupied_segments()


CASTLE_ROAD = SMALL + " castle:0,-1,0 draw:W place:1,0,2 pass draw:W place:-1,0,2 pass"


@pytest.mark.rule("BRC-02", "DRG-05")
def test_the_fairy_beside_a_castles_follower_brings_three_points() -> None:
    state = put(begin("base+bridges+dragon", 2), 0, (0, 0, 0))
    at = state.board.segment_at(0, 0, 0)
    kept(state, "dragon").fairy = state.board.cell_under(at)
    kept(state, "dragon").companion = (at, 0, 0)
    do(state, CASTLE_ROAD)
    assert scored(state)[-2:] == ["0: castle by road 1x3 = 3", "0: fairy 1x3 = 3"]


@pytest.mark.rule("BRC-02", "BIG-03")
def test_a_ringmaster_in_a_castle_scores_no_circus() -> None:
    state = put(lay(begin("base+bigtop+bridges", 2), "BT01 1,1,0"), 0, (0, 0, 0), kind="ringmaster")
    do(state, CASTLE_ROAD)
    assert scored(state) == ["0: castle by road 1x3 = 3"]


@pytest.mark.rule("BRC-02", "BIG-01")
@pytest.mark.parametrize(
    ("castles", "y", "points"),
    [("near", -2, ["0: big top 1x4 = 4"]), ("tile", -2, []), ("near", -3, [])],
)
def test_a_circus_beside_half_a_castle(castles: str, y: int, points: list[str]) -> None:
    """The follower stands on the castle's tile at 0,0; the other is at 0,-1."""
    state = put(begin(f"base+bigtop(castles={castles})+bridges", 2), 0, (0, 0, 0))
    do(state, f"{SMALL} castle:0,-1,0")
    lay(state, f"BT13 1,{y},0")
    kept(state, "bigtop").tent = state.board.cell_under(state.board.segment_at(1, y, 0))
    state.rules.parse("tent:4").perform(state, 0)
    assert scored(state) == points


@pytest.mark.rule("BRC-02", "ABM-03")
def test_a_wagon_moves_on_from_a_castle_that_scores() -> None:
    state = put(begin("base+abbey+bridges", 2), 0, (0, 0, 0), kind="wagon")
    do(state, CASTLE_ROAD)
    assert state.step.name == "wagon" and state.current_player == 0


@pytest.mark.rule("BRC-02", "GLD-02")
def test_the_owner_of_a_castle_takes_its_gold_in_the_turn_in_which_it_scores() -> None:
    state = put(begin("base+bridges+gold", 2), 0, (0, 0, 0))
    do(state, SMALL + " castle:0,-1,0")
    kept(state, "gold").lying[state.board.cell_under(state.board.segment_at(0, -1, 0))] = 1
    do(state, "draw:W place:1,0,2 pass draw:W place:-1,0,2 pass")
    assert kept(state, "gold").held == [1, 0]


@pytest.mark.rule("BRC-02", "SIE-02")
def test_a_castle_of_a_besieged_city_brings_a_field_four_points() -> None:
    state = put(begin("base+bridges+siege", 2), 0, (0, 0, 0))
    do(state, "draw:SC01 place:0,-1,2 pass castle:0,-1,0")
    put(state, 1, (0, -1, 1))
    assert scored(finish(state)) == ["1: completed city 1x3, castle 1x1 = 4"]


LORD = "draw:E place:0,-1,2 claim:0,meeple castle:0,-1,0"


@pytest.mark.rule("BRC-02", "DRG-02")
def test_the_lord_of_a_castle_is_safe_from_the_dragon() -> None:
    """The annotated rules (JCloisterZone #189); a castle scores the road of three tiles."""
    state = do(begin("base+bridges+dragon", 2), f"{LORD} draw:PD01 place:0,-2,0")
    do(state, "draw:W place:1,0,1 pass draw:PD04 place:0,-3,0 pass dragon:0,-1")
    do(state, "draw:W place:-1,0,3 pass")
    assert state.scores == [3, 0] and scored(state) == ["0: castle by road 1x3 = 3"]


@pytest.mark.rule("BRC-02", "TOW-03")
def test_no_tower_captures_the_lord_of_a_castle() -> None:
    state = do(begin("base+bridges+tower", 2), f"{LORD} draw:TO02 place:0,-2,0")
    do(state, "tower:0,-2,0,piece")
    assert (state.step.name, state.current_player) == ("draw", -1)


@pytest.mark.rule("BRC-02", "RUS-03")
def test_no_trap_catches_the_lord_of_a_castle() -> None:
    """The vodyanoy comes beside both tiles of the castle."""
    state = do(begin("base+bridges+russian", 2), f"{LORD} draw:RQ02 place:0,-2,0")
    assert state.board.followers_at(state.board.segment_at(0, -1, 0)) == [(0, 0)]


@pytest.mark.rule("BRC-02", "ABM-03")
def test_no_wagon_moves_into_an_empty_castle() -> None:
    """Its lord went home; the wagon's road ends beside it."""
    state = do(put(begin("base+abbey+bridges", 2), 0, (0, 0, 0)), f"{SMALL} castle:0,-1,0")
    state.take_follower(state.board.segment_at(0, 0, 0), 0, 0)
    put(state, 1, (0, 0, 1), kind="wagon")
    do(lay(state, "W 1,0,1"), "draw:W place:-1,0,3 pass")
    assert state.step.name == "wagon"
    assert [text for text in legal(state) if text.startswith(("wagon:0,0,", "wagon:0,-1,0"))] == []


@pytest.mark.rule("BRC-02")
def test_one_tile_may_make_two_castles() -> None:
    """H has a city in the west and one in the east; red's caps lie beside both."""
    state = put(lay(begin("base+bridges", 2), "E 4,0,1", "E 6,0,3"), 0, (4, 0, 0), (6, 0, 0))
    do(state, "draw:H")
    do(state, next(one for one in legal(state) if one.startswith("place:5,0,")))
    do(state, "pass")
    castles = [text for text in legal(state) if text.startswith("castle:5,0,")]
    assert len(castles) == 2
    do(state, castles[0])
    assert legal(state) == [castles[1], "pass"]
    do(state, castles[1])
    assert state.to_dict()["castles"] == [1, 3] and state.scores == [0, 0]
