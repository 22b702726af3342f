"""Under the Big Top, counted by hand."""

import pytest
from support.notation import (
    begin,
    do,
    estimates_of,
    finish,
    kept,
    lay,
    legal,
    put,
    scored,
    standing,
)

from carc import CHANCE, State

# 16 tokens: one of 1, four of 3, five of 4, three of 5, two of 6, one of 7.
WAYS = {"tent:1": 1, "tent:3": 4, "tent:4": 5, "tent:5": 3, "tent:6": 2, "tent:7": 1}


def verbs(state: State, verb: str) -> list[str]:
    return [text for text in legal(state) if text.startswith(f"{verb}:")]


@pytest.mark.rule("BIG-01")
def test_a_circus_is_scored_when_the_next_one_is_laid() -> None:
    """BT08 has a road; red stands on it, green on its northern field, and far away."""
    state = do(begin("base+bigtop", 2), "draw:BT08 place:1,0,0 claim:0,meeple")
    assert state.current_player == CHANCE and state.step.name == "draw", "nothing lies there yet"
    assert standing(state, "big top") == {(1, 0, -1): 1}
    put(lay(state, "B 8,8,0"), 1, (1, 0, 2), (8, 8, 0))
    do(state, "draw:BT06 place:0,1,0 pass")
    assert state.step.name == "tent"
    chances = {str(action): share for action, share in state.chance_outcomes()}
    assert chances == {name: pytest.approx(n / 16) for name, n in WAYS.items()}
    do(state, "tent:5")
    assert scored(state) == ["0: big top 1x5 = 5", "1: big top 1x5 = 5"]
    assert standing(state, "big top") == {(0, 1, -1): 1}
    assert state.to_dict()["tent_tokens"] == [0, 1, 0, 4, 5, 2, 2, 1]


@pytest.mark.rule("BIG-01")
def test_followers_are_counted_after_the_scoring_each_for_its_owner() -> None:
    """Red's road is completed and its follower is home; two others of red stay."""
    state = lay(begin("base+bigtop", 2), "BT08 1,0,0", "W -1,0,2", "W 2,0,0", "B 0,1,0", "B 1,1,0")
    kept(state, "bigtop").tent, kept(state, "bigtop").following = state.board.cell_of(1), -1
    put(state, 0, (0, 1, 0), (1, 1, 0))
    do(state, "draw:BT06 place:0,2,0 pass tent:3")
    assert scored(state)[-1] == "0: big top 2x3 = 6"


@pytest.mark.rule("BIG-01")
def test_the_last_token_is_scored_at_the_end() -> None:
    state = do(begin("base+bigtop", 2), "draw:BT08 place:1,0,0 claim:1,meeple")
    state = finish(state)
    assert (state.step.name, state.is_terminal) == ("tent", False)
    do(state, "tent:7")
    assert state.is_terminal
    assert scored(state)[-1] == "0: big top 1x7 = 7"


@pytest.mark.rule("BIG-02")
def test_acrobats_join_around_the_tile_just_laid_up_to_three() -> None:
    """BT01 shows acrobats; a tile over a corner of it is near, one beyond is not."""
    state = do(begin("base+bigtop", 2), "draw:BT01 place:0,1,0")
    assert verbs(state, "acrobat") == ["acrobat:0,1,1,meeple"]
    do(state, "acrobat:0,1,1,meeple draw:U place:1,1,0")
    assert verbs(state, "acrobat") == ["acrobat:0,1,1,meeple"]
    do(state, "acrobat:0,1,1,meeple draw:U place:1,2,0")
    assert verbs(state, "pyramid") == []
    do(state, "acrobat:0,1,1,meeple draw:U place:1,3,0")
    assert verbs(state, "acrobat") == [], "the pyramid is full"
    assert verbs(state, "pyramid") == ["pyramid:0,1,1,score"], "whoever is next to it or not"
    do(state, "pass draw:B place:0,2,0 pyramid:0,1,1,score")
    assert scored(state) == ["0: acrobats 2x5 = 10", "1: acrobats 1x5 = 5"]
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (7, 7)


@pytest.mark.rule("BIG-02")
def test_only_meeples_are_acrobats_and_none_from_afar() -> None:
    state = do(begin("base+bigtop", 2), "draw:BT01 place:0,1,0 pass draw:U place:1,0,1 pass")
    do(state, "draw:U place:2,0,1")
    assert verbs(state, "acrobat") == []
    assert "claim:0,ringmaster" in legal(state)


@pytest.mark.rule("BIG-02")
def test_at_the_end_acrobats_score_and_an_option_leaves_them_out() -> None:
    state = do(begin("base+bigtop", 2), "draw:BT01 place:0,1,0 acrobat:0,1,1,meeple")
    assert scored(finish(state)) == ["0: acrobats 1x5 = 5"]
    state = do(begin("base+bigtop(acrobats=off)", 2), "draw:BT01 place:0,1,0")
    assert verbs(state, "acrobat") == []


@pytest.mark.rule("BIG-03")
def test_a_ringmaster_earns_2_a_circus_and_acrobats_tile_when_scored() -> None:
    """One circus, one acrobats' tile beside the start tile; another one too far away."""
    state = lay(begin("base+bigtop", 2), "BT06 0,1,0", "BT02 1,1,0", "BT02 3,3,0")
    put(put(state, 0, (0, 0, 1), kind="ringmaster"), 1, (0, 0, 1))
    kept(state, "bigtop").tent = -1
    assert scored(finish(state)) == ["0: road 1x1 = 1", "1: road 1x1 = 1", "0: ringmaster 2x2 = 4"]


@pytest.mark.rule("BIG-03")
def test_it_earns_them_without_the_majority_too() -> None:
    state = lay(begin("base+bigtop+inns", 2), "BT06 0,1,0")
    put(put(state, 0, (0, 0, 1), kind="ringmaster"), 1, (0, 0, 1), kind="big")
    kept(state, "bigtop").tent = -1
    assert scored(finish(state)) == ["1: road 1x1 = 1", "0: ringmaster 1x2 = 2"]


@pytest.mark.rule("BIG-01", "BIG-02", "BIG-03")
def test_bots_expect_most_of_it() -> None:
    """An acrobat 5. A ringmaster beside two such tiles: half of 4. The tokens are worth 4.19 on
    average (67 / 16): of green's two followers near the big top 7 tenths of that each.
    """
    state = lay(begin("base+bigtop", 3), "BT06 0,1,0", "BT02 1,1,0", "B 0,2,0")
    ground = state.board.segment_at(1, 1, 2)
    state.put_follower(ground, 0, 0)
    put(put(state, 2, (0, 0, 1), kind="ringmaster"), 1, (0, 2, 0), (0, 0, 0))
    kept(state, "bigtop").tent = state.board.cell_of(1)
    big_top = estimates_of(state, "bigtop")
    near = 0.7 * 67 / 16
    assert big_top.expected_points(state, [0.0, 0.0, 0.0]) == pytest.approx(
        [5 + near, 2 * near, 2 + near]
    )
    token = 67 / 16
    assert big_top.descriptors(state) == [
        pytest.approx([5, 0, token]),
        pytest.approx([0, 0, 2 * token]),
        pytest.approx([0, 4, token]),
    ]


@pytest.mark.rule("BIG-02", "DRG-05")
@pytest.mark.parametrize(("option", "points"), [("each", [2, 1]), ("one", [1, 0])])
def test_the_fairy_at_a_pyramid_is_with_all_acrobats(option: str, points: list[int]) -> None:
    """JCloisterZone's issue 418 quotes the rules: a point for each own acrobat, at each turn."""
    state = begin(f"base+bigtop(fairy={option})+dragon", 2)
    place = next(tile for tile in state.rules.catalogue.tiles if "acrobats" in dict(tile.symbols))
    lay(state, f"{place.name} 0,1,0")
    ring = len(place.segments) - 1
    put(state, 0, (0, 1, ring), (0, 1, ring))
    put(state, 1, (0, 1, ring))
    kept(state, "dragon").companion = (state.board.segment_at(0, 1, ring), 0, 0)
    do(state, "draw:B")
    assert state.scores == [points[0], 0]
    do(state, f"{legal(state)[0]} pass draw:B")
    assert state.scores == points


@pytest.mark.rule("BIG-02", "DRG-05")
def test_the_fairy_stays_with_a_pyramid_until_it_is_scored() -> None:
    """Red's acrobat goes home by a festival: she is with green's; then nobody is left."""
    state = begin("base+bigtop+dragon", 2)
    place = next(tile for tile in state.rules.catalogue.tiles if "acrobats" in dict(tile.symbols))
    lay(state, f"{place.name} 0,1,0")
    ring = state.board.segment_at(0, 1, len(place.segments) - 1)
    for owner in (0, 1):
        state.put_follower(ring, owner, 0)
    kept(state, "dragon").companion = (ring, 0, 0)
    state.take_follower(ring, 0, 0)
    assert kept(state, "dragon").companion == (ring, 1, 0)
    state.take_follower(ring, 1, 0)
    assert kept(state, "dragon").companion == (-1, -1, -1)


ACROBATS = "draw:BT01 place:0,1,0"  # of field, south of the start tile


@pytest.mark.rule("BIG-02", "BRC-01")
def test_acrobats_and_a_bridge_do_not_share_a_tile() -> None:
    """No bridge over acrobats (WikiCarpedia), and none join beneath one (JCloisterZone)."""
    state = do(begin("base+bigtop+bridges", 2), ACROBATS)
    acrobat, bridge = "acrobat:0,1,1,meeple", "bridge:0,1,0,we"
    assert acrobat in legal(state) and bridge in legal(state)
    assert acrobat not in legal(do(state.copy(), bridge))
    beside = " draw:B place:0,2,0"
    assert bridge in legal(do(state.copy(), "pass" + beside))
    do(state, acrobat + beside)
    assert acrobat in legal(state) and bridge not in legal(state)


@pytest.mark.rule("BIG-02", "BRC-01")
@pytest.mark.parametrize(("joins", "fits"), [("pass", True), ("acrobat:0,1,1,meeple", False)])
def test_no_tile_fits_by_a_bridge_over_acrobats(joins: str, fits: bool) -> None:
    """The road of the tile in the west would go on over theirs."""
    state = do(begin("base+bigtop+bridges", 2), f"{ACROBATS} {joins} draw:U")
    assert ("place:-1,1,1" in legal(state)) is fits
