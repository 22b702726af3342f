"""Questions that players of several expansions disputed: docs/research/2026-11-28-rule-disputes.md.

Those that no other test asks; each names where it was asked. `#150` is an issue of JCloisterZone,
`2.6` a version whose list of changes has the answer.
"""

import pytest
from support.notation import begin, do, finish, kept, lay, legal, put, scored

CASTLE = "draw:E place:0,-1,2 claim:0,meeple castle:0,-1,0"  # red's, of the start tile and E


@pytest.mark.rule("ABM-03", "DRG-04")
def test_no_wagon_moves_on_to_the_dragons_tile() -> None:
    """#150. The monastery south of the start tile is free, and the dragon is there."""
    state = put(lay(begin("base+abbey+dragon", 2), "B 0,1,0"), 0, (0, 0, 0), kind="wagon")
    ways = {}
    for dragon in (True, False):
        kept(state, "dragon").dragon = state.board.cell_of(1) if dragon else -1
        ways[dragon] = legal(do(state.copy(), "draw:H place:0,-1,2 pass"))
    assert set(ways[False]) - set(ways[True]) == {"wagon:0,1,0,wagon"}


@pytest.mark.rule("BIG-03", "TOW-02")
def test_a_ringmaster_goes_on_a_tower() -> None:
    """5.10.1."""
    state = lay(begin("base+bigtop+tower", 2), "TO02 0,1,0")
    kept(state, "tower").heights[0] = 1
    assert "top:0,1,0,ringmaster" in legal(do(state, "draw:B place:1,1,0"))


@pytest.mark.rule("BIG-03", "CNT-01")
def test_a_ringmaster_enters_carcassonne() -> None:
    """5.10.1."""
    state = put(begin("base+bigtop+count", 2), 1, (0, 1, 1))
    ways = legal(do(state, "draw:X place:0,2,0 pass"))
    assert len([way for way in ways if way.endswith(",ringmaster")]) == 4


@pytest.mark.rule("BIG-03", "CRC-01")
def test_a_crop_circle_adds_a_follower_beside_a_ringmaster() -> None:
    """5.10.1."""
    state = put(begin("base+bigtop+crops", 2), 0, (0, 0, 1), kind="ringmaster")
    do(state, "draw:CA04 place:-1,0,3 pass crops:add")
    assert legal(state) == ["add:0,0,1,meeple", "pass"]


@pytest.mark.rule("BIG-02")
def test_who_has_no_follower_left_may_score_a_pyramid() -> None:
    """5.10.1."""
    state = lay(begin("base+bigtop", 2), "BT01 0,1,0")
    (ground,) = kept(state, "bigtop").grounds
    for _ in range(3):
        state.put_follower(ground, 0, 0)
    put(state, 0, *[(0, 0, index) for index in range(4)])
    put(state, 0, (0, 0, 2), kind="ringmaster")
    assert legal(do(state, "draw:B place:1,1,0")) == ["pyramid:0,1,1,score", "pass"]


@pytest.mark.rule("TRD-02", "DRG-02")
def test_the_second_tile_comes_though_the_dragon_took_the_builder() -> None:
    """5.0. The dragon waits south of the builder's road, and has one way."""
    state = lay(begin("base+dragon+traders", 2), "PD01 0,1,0")
    put(put(state, 0, (0, 0, 1)), 0, (0, 0, 1), kind="builder")
    do(state, "draw:PD06 place:1,0,2 pass")
    assert state.board.supply_of(0, state.rules.follower_number("builder")) == 1
    assert (state.active_player, state.to_dict()["extra_turn"]) == (0, True)


@pytest.mark.rule("MON-01", "LIT-01")
def test_little_buildings_count_for_who_lies_in_a_monastery() -> None:
    """5.0. A row of two tiles, a column of two, and a shed."""
    state = do(begin("base+buildings+monasteries", 2), "draw:MO05 place:0,1,0 lie:1,meeple")
    do(state, "draw:B place:1,1,0 building:shed")
    assert finish(state).scores == [4, 0]


@pytest.mark.rule("MON-01", "BRC-02")
@pytest.mark.parametrize(("lies", "scores"), [(True, [0, 0]), (False, [9, 9])])
def test_no_castle_scores_a_monastery_in_which_somebody_lies(lies: bool, scores: list[int]) -> None:
    """4.6.1. The last of the tiles around the monastery, east of red's castle."""
    state = do(begin("base+bridges+monasteries", 2), CASTLE)
    lay(
        state, "MO01 1,-1,0", *[f"B {place},0" for place in ("1,-2", "2,-2", "2,-1", "2,0", "0,-2")]
    )
    put(state, 1, (1, -1, 0))
    if lies:
        kept(state, "monasteries").lay_last(state.board, state.board.segment_at(1, -1, 0))
    assert do(state, "draw:U place:1,0,1 pass").scores == scores


@pytest.mark.rule("BRC-02", "TRD-04")
def test_a_castle_counts_for_a_pig() -> None:
    """#386."""
    state = put(do(begin("base+bridges+traders", 2), CASTLE), 1, (0, 0, 2))
    finish(put(state, 1, (0, 0, 2), kind="pig"))
    assert scored(state) == ["1: completed city 1x3, castle 1x1, pig 1x1 = 5"]


@pytest.mark.rule("DRG-01", "ABM-04", "DRG-05")
def test_a_volcano_lets_a_barn_be_put_down_and_the_fairy_move() -> None:
    """2.6. No follower is placed on the volcano."""
    state = put(lay(begin("base+abbey+dragon", 2), "B 0,1,0", "B 0,2,0", "B 1,2,0"), 0, (0, 1, 1))
    do(state, "draw:PD01 place:1,1,0")
    assert legal(state) == ["barn:1,2,1,barn", "fairy:0,1,1,meeple", "pass"]


@pytest.mark.rule("DRG-01", "RIV-02")
def test_a_volcano_in_the_lake_calls_the_dragon() -> None:
    """2.0.1."""
    state = lay(begin("base+dragon+river(part=two)", 2), "RJ03 5,5,0")
    assert [(p["x"], p["y"]) for p in state.to_dict()["pieces"] if p["kind"] == "dragon"] == [
        (5, 5)
    ]


@pytest.mark.rule("CNT-01", "DRG-04")
def test_a_portal_leads_to_the_features_outside_carcassonne() -> None:
    """2.6. Not into the quarters."""
    state = do(begin("base+count+dragon", 2), "draw:PD02")
    ways = [way for way in legal(do(state, legal(state)[0])) if way.startswith("portal:")]
    assert {"portal:0,1,1,meeple", "portal:-2,-1,0,meeple"} < set(ways)
    assert "portal:0,0,0,meeple" not in ways and "portal:0,1,0,meeple" not in ways


@pytest.mark.rule("CUL-02", "ABM-01")
@pytest.mark.parametrize(
    ("shrines", "offered"), [([], True), (["0,2"], True), (["0,2", "2,2"], False)]
)
def test_an_abbey_is_a_monastery_beside_shrines(shrines: list[str], offered: bool) -> None:
    """4.2.1. The hole is at 1,1."""
    around = ["V 0,1,0", "V 1,2,0", "V 2,1,0", "V 1,0,0", *[f"CU01 {at},0" for at in shrines]]
    state = lay(begin("base+abbey+cult", 2), *around, "B 9,9,0")
    do(state, "draw:U place:8,9,0 pass")
    assert ("abbey" in legal(state)) is offered


@pytest.mark.rule("ABM-01", "TRD-03", "KNG-01")
def test_an_abbey_beside_a_completed_city_completes_it_no_second_time() -> None:
    """2.0.3. The city of the start tile and E lies west of the hole."""
    state = lay(begin("base+abbey+king", 2), "E 0,-1,2", "B 1,0,0", "B 1,-2,0", "B 2,-1,0")
    state.board.completed.clear()
    do(state, "draw:B place:3,-1,0 pass abbey place:1,-1,0 pass")
    assert finish(state).scores == [0, 0]


@pytest.mark.rule("DRG-05")
def test_the_fairy_brings_three_points_without_the_majority() -> None:
    """#158. Two green knights and a red one in the city that is completed."""
    state = put(put(begin("base+dragon", 2), 1, (0, 0, 0), (0, 0, 0)), 0, (0, 0, 0))
    knight = state.board.segment_at(0, 0, 0)
    own = kept(state, "dragon")
    own.fairy, own.companion = state.board.cell_under(knight), (knight, 0, 0)
    do(state, "draw:E place:0,-1,2 pass")
    assert scored(state)[-2:] == ["1: city 2x2 = 4", "0: fairy 1x3 = 3"]


@pytest.mark.rule("FER-01", "INN-02")
def test_an_inn_counts_on_a_road_over_a_ferry() -> None:
    """#276. Crossings at both ends, the lake and an inn between them."""
    state = put(lay(begin("base+ferries+inns", 2), "W -1,0,2", "IC15 2,0,0"), 0, (0, 0, 1))
    do(state, "draw:FR02 place:1,0,0 pass ferry:1,0,0,to2 draw:W place:3,0,2 pass pass")
    assert scored(state) == ["0: road 5x1, inn 5x1 = 10"]
