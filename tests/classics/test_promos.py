"""Games Quarterly 11, Spiel Doch, Darmstadt and the Labyrinth, counted by hand."""

import pytest
from support.notation import (
    LAST_OF_RING,
    RING,
    begin,
    do,
    estimates_of,
    feature_at,
    lay,
    legal,
    put,
    scored,
)

from carc import Rules, value
from carc.base.cells import are_close, cell_at
from carc.base.turn.scoring import score_feature


@pytest.mark.rule("GQ-01")
def test_games_quarterly_brings_ten_tiles_and_one_for_the_river() -> None:
    def counts(spec: str) -> dict[str, int]:
        rules = Rules.from_spec(spec)
        return {t.name: t.copies for t in rules.catalogue.tiles if t.name[:2] in ("GQ", "GR")}

    assert counts("base+gq11") == {f"GQ{n:02}": 1 for n in range(1, 11)}
    assert counts("base+gq11+river") == {**{f"GQ{n:02}": 1 for n in range(1, 11)}, "GR02": 1}


@pytest.mark.rule("GQ-02")
@pytest.mark.parametrize("spec", ["base+gq11", "base+gq11+traders", "base+gq11+river"])
def test_a_herd_of_pigs_is_worth_1_a_city_whoever_else_knows_herds(spec: str) -> None:
    """The herd's field beside a city of two tiles."""
    state = lay(begin(spec, 2), "GQ02 20,20,0", "E 20,21,2", "E 20,22,0")
    put(state, 0, (20, 20, 0))
    score_feature(state, feature_at(state, 20, 20, 0), True)
    assert scored(state) == ["0: completed city 1x3, pig herd 1x1 = 4"]


@pytest.mark.rule("GQ-02")
def test_two_herds_on_a_field_count_once_and_none_before_the_end() -> None:
    """A field beside a city of two tiles; JCloisterZone 2.6 updated the rule to this."""
    state = lay(begin("base+gq11", 2), "GQ02 20,20,0", "GQ02 19,20,0", "E 20,21,2", "E 20,22,0")
    field = feature_at(state, 20, 20, 0)
    assert value(state, field, True) == 3 + 1
    assert value(state, field, False) == 0


@pytest.mark.rule("GQ-02")
@pytest.mark.parametrize(
    ("spec", "tile"), [("base+gq11(herd=off)", "GQ02"), ("base+gq11(herd=off)+traders", "GQ02")]
)
def test_without_a_herd_it_is_a_field(spec: str, tile: str) -> None:
    state = lay(begin(spec, 2), f"{tile} 20,20,0", "E 20,21,2", "E 20,22,0")
    assert value(state, feature_at(state, 20, 20, 0), True) == 3


@pytest.mark.rule("GQ-02")
def test_herds_of_other_sets_count_without_that_one() -> None:
    state = lay(begin("base+gq11(herd=off)+russian", 2), "GQ02 20,20,0", "E 20,21,2", "E 20,22,0")
    marked = [
        tile.name
        for tile in state.rules.catalogue.tiles
        if any(dict(part.marks).get("pig_herd") for part in tile.segments)
    ]
    assert marked and "GQ02" not in marked


@pytest.mark.rule("SPD-01")
def test_spiel_doch_brings_two_tiles_one_with_a_garden() -> None:
    for spec, names in (
        ("base+spiel_doch", ["SD01", "SD02"]),
        ("base+abbot+spiel_doch", ["SD01", "SD02-garden"]),
    ):
        tiles = Rules.from_spec(spec).catalogue.tiles
        assert [t.name for t in tiles if t.name.startswith("SD")] == names


@pytest.mark.rule("DAR-01")
@pytest.mark.parametrize(
    ("red", "green", "scorings"),
    [
        ([(0, 1, 0), (1, 1, 0)], [(-1, 3, 0)], ["0: church 1x3 = 3"]),
        ([(0, 1, 0)], [(-1, 3, 0)], ["0: church 1x3 = 3", "1: church 1x3 = 3"]),
        ([(0, 0, 0)], [(0, 2, 0)], ["1: church 1x3 = 3"]),  # red stands two tiles away
        ([], [], []),
    ],
)
def test_most_followers_around_a_completed_church_score_3(
    red: list[tuple[int, int, int]], green: list[tuple[int, int, int]], scorings: list[str]
) -> None:
    state = lay(begin("base+darmstadt", 2), "DA03 0,2,0", *RING)
    put(put(state, 0, *red), 1, *green)
    assert [s for s in scored(do(state, LAST_OF_RING)) if "church" in s] == scorings


@pytest.mark.rule("DAR-01", "WAT-01", "BIG-01")
def test_the_nine_tiles_are_those_of_a_monastery() -> None:
    middle = cell_at(3, -2)
    close = {(x, y) for x in range(9) for y in range(-8, 4) if are_close(cell_at(x, y), middle)}
    assert close == {(x, y) for x in (2, 3, 4) for y in (-3, -2, -1)}


@pytest.mark.rule("DAR-01")
def test_they_are_counted_before_anybody_goes_home() -> None:
    """The monk of the church itself, who scores 9 for it too; then he is at home."""
    state = put(lay(begin("base+darmstadt", 2), "DA03 0,2,0", *RING), 1, (0, 2, 1))
    assert scored(do(state, LAST_OF_RING)) == ["1: church 1x3 = 3", "1: monastery 9x1 = 9"]
    assert state.board.supply_of(1) == 7


@pytest.mark.rule("DAR-01")
def test_bots_expect_half_of_it() -> None:
    state = put(lay(begin("base+darmstadt", 2), "DA03 0,2,0", *RING), 1, (0, 2, 1))
    church = estimates_of(state, "darmstadt")
    assert church.expected_points(state, [0.0, 0.0]) == [0.0, 1.5]


@pytest.mark.rule("DAR-02")
def test_the_city_of_the_darmstadtium_is_worth_3_more_when_completed() -> None:
    """The start tile, the Darmstadtium, three caps: 5 tiles."""
    state = lay(begin("base+darmstadt", 2), "DA01 0,-1,0", "E 1,-1,3", "E -1,-1,1")
    assert value(state, feature_at(state, 0, 0, 0), True) == 4
    lay(state, "E 0,-2,2")
    assert value(state, feature_at(state, 0, 0, 0), False) == 2 * 5 + 3


@pytest.mark.rule("LAB-01")
@pytest.mark.parametrize(
    ("spec", "scorings"),
    [
        (
            "base+labyrinth(followers=owner)",
            ["0: road 5x1 = 5", "0: labyrinth 2x2 = 4", "1: labyrinth 1x2 = 2"],
        ),
        ("base+labyrinth", ["0: road 5x1, labyrinth 3x2 = 11"]),
        ("base+labyrinth(followers=off)", ["0: road 5x1 = 5"]),
    ],
)
def test_a_labyrinth_is_one_road_and_scores_for_its_followers(
    spec: str, scorings: list[str]
) -> None:
    """A labyrinth between four crossings: 5 tiles; red stands on two of its ends, green on one."""
    state = lay(begin(spec, 2), "X 20,19,0", "X 21,20,0", "X 20,21,0", "X 19,20,0")
    north, east, south, west = (0, 1, 2, 3)
    edges = [segment.edges for segment in state.board.tile_data(1).segments[:4]]
    ends = {edge: index for index, (edge,) in enumerate(edges)}
    put(state, 0, (20, 19, ends[south]), (21, 20, ends[west]))
    put(state, 1, (20, 21, ends[north]))
    lay(state, "LA01 20,20,0")
    assert state.board.feature_of(state.board.segment_at(19, 20, ends[east])) == feature_at(
        state, 20, 20, 0
    )
    score_feature(state, feature_at(state, 20, 20, 0), False)
    assert scored(state) == scorings


@pytest.mark.rule("LAB-01")
@pytest.mark.parametrize("spec", ["base+labyrinth", "base+labyrinth(followers=owner)"])
def test_followers_on_an_incomplete_labyrinth_score_no_more(spec: str) -> None:
    state = put(lay(begin(spec, 2), "LA01 20,20,0"), 0, (20, 20, 0))
    score_feature(state, feature_at(state, 20, 20, 0), True)
    assert scored(state) == ["0: road 1x1 = 1"]


# A labyrinth at 2,0 whose western branch goes to the start tile.
LABYRINTH = "draw:U place:1,0,1 claim:0,meeple draw:LA01 place:2,0,0"


@pytest.mark.rule("LAB-01")
@pytest.mark.parametrize(("option", "may"), [("majority", True), ("owner", False), ("off", False)])
def test_who_lays_the_labyrinth_may_claim_it_though_others_stand_on_its_roads(
    option: str, may: bool
) -> None:
    """The publisher's variant, as JCloisterZone's issue 380 tells it."""
    state = do(begin(f"base+labyrinth(followers={option})", 2), LABYRINTH)
    assert ("claim:0,meeple" in legal(state)) is may


@pytest.mark.rule("LAB-01")
def test_each_branch_of_a_labyrinth_is_claimed_by_itself() -> None:
    """Two tiles east of it: the first is free, on the second there stands somebody already."""
    state = do(begin("base+labyrinth", 2), f"{LABYRINTH} pass draw:U place:3,0,1")
    assert "claim:0,meeple" in legal(state)
    do(state, "claim:0,meeple draw:U place:4,0,1")
    assert "claim:0,meeple" not in legal(state)
    do(state, "pass draw:U place:-1,0,1")  # the branch of the first follower
    assert "claim:0,meeple" not in legal(state)


@pytest.mark.rule("LAB-01", "PHA-01")
def test_no_phantom_follows_onto_the_labyrinth() -> None:
    moves = LABYRINTH.replace("meeple", "meeple pass")
    state = do(begin("base+labyrinth+phantom", 2), f"{moves} claim:0,meeple")
    assert legal(state) == [*(f"claim:{field},phantom" for field in (1, 2, 3, 4)), "pass"]
    state = do(begin("base+labyrinth+phantom", 2), f"{moves} claim:1,meeple")
    assert "claim:0,phantom" in legal(state)


@pytest.mark.rule("LAB-01", "DRG-04")
def test_a_portal_leads_to_a_free_branch_of_a_labyrinth_but_not_to_a_claimed_one() -> None:
    state = do(
        begin("base+dragon+labyrinth", 2),
        f"{LABYRINTH} pass draw:U place:3,0,1 pass draw:PD02 place:-1,0,0",
    )
    portals = [text for text in legal(state) if text.startswith("portal:")]
    assert {"portal:2,0,0,meeple", "portal:3,0,0,meeple"} <= {*portals}
    assert not {"portal:1,0,0,meeple", "portal:0,0,1,meeple"} & {*portals}


@pytest.mark.rule("LAB-01", "ABM-03")
@pytest.mark.parametrize(("option", "may"), [("majority", True), ("off", False)])
def test_a_wagon_moves_on_to_a_free_branch_of_a_labyrinth(option: str, may: bool) -> None:
    """JCloisterZone's issue 380: from the city to the labyrinth, not to its claimed branch."""
    state = do(
        begin(f"base+abbey+labyrinth(followers={option})", 2),
        "draw:U place:-1,0,1 claim:0,meeple draw:LA01 place:1,0,0 pass",
    )
    do(state, "draw:E place:0,-1,2 claim:0,wagon")
    assert ("wagon:1,0,0,wagon" in legal(state)) is may
    assert "wagon:0,0,1,wagon" not in legal(state)


@pytest.mark.rule("LAB-01", "TRD-01")
def test_a_builder_claims_no_branch_of_a_labyrinth() -> None:
    """It stands east of the labyrinth, its follower west of it."""
    state = do(begin("base+labyrinth+traders", 2), f"{LABYRINTH} pass draw:U place:3,0,1 pass")
    put(state, 0, (3, 0, 0), kind="builder")
    do(state, "draw:U place:4,0,1")
    assert "claim:0,meeple" in legal(state)
