"""Abbey & Mayor, counted by hand."""

import pytest
from support.notation import (
    begin,
    do,
    emptied,
    expansion_of,
    feature_at,
    finish,
    haunt,
    kept,
    lay,
    legal,
    put,
    scored,
    standing,
)

from carc import State

# Around the free cell 0,2: a city of one tile that opens to it, a road from a monastery, fields.
AROUND = ("B 0,1,0", "E 1,2,3", "A 0,3,2", "B -1,2,0", "B -1,1,0", "B 1,1,0")
ELSEWHERE = "draw:B place:0,4,0 pass"


def enclosed(spec: str = "base+abbey", players: int = 2) -> State:
    return lay(begin(spec, players), *AROUND)


@pytest.mark.rule("ABM-01")
def test_an_abbey_ends_what_meets_it_and_is_claimed_as_a_monastery() -> None:
    """A city of one tile, 2 points; a road of one tile, 1; the abbey lacks two neighbours."""
    state = put(put(enclosed(), 0, (1, 2, 0)), 1, (0, 3, 0))
    do(state, ELSEWHERE)
    assert (state.current_player, legal(state)) == (1, ["abbey", "pass"])
    do(state, "abbey")
    assert legal(state) == ["place:0,2,0", "place:0,2,1", "place:0,2,2", "place:0,2,3"]
    do(state, "place:0,2,0 claim:0,meeple")
    assert scored(state) == ["0: city 1x2 = 2", "1: road 1x1 = 1"]
    assert state.points_now(feature_at(state, 0, 2, 0)) == 7
    assert state.current_player < 0  # nobody else has a place for one
    assert state.to_dict()["tiles_held"] == [{"AM-abbey": 1}, {}]


@pytest.mark.rule("ABM-01", "GCC-08")
def test_an_abbey_beside_mist_destroys_it() -> None:
    """West of the abbey lies mist; the player has one meeple, in the east."""
    state = begin("base+abbey+ghosts", 2)
    put(lay(state, "M04 4,5,0", "B 5,4,0", "B 6,5,0", "B 5,6,0"), 1, (6, 5, 0))
    do(state, "draw:B place:5,7,0 pass abbey place:5,5,0")
    assert standing(state, "ghost") == {(6, 5, 0): 1}


@pytest.mark.rule("ABM-01")
def test_who_lays_no_abbey_draws() -> None:
    state = do(do(enclosed(), ELSEWHERE), "pass draw:B place:0,5,0 pass")
    assert (state.current_player, legal(state)) == (0, ["abbey", "pass"])


@pytest.mark.rule("ABM-01")
def test_a_field_ends_at_an_abbey() -> None:
    """The fields north and west of the cell stay two."""
    apart = [tile for tile in AROUND if tile != "B -1,1,0"]
    state = do(lay(begin("base+abbey", 2), *apart), ELSEWHERE + " abbey place:0,2,0 pass")
    assert feature_at(state, 0, 1, 1) != feature_at(state, -1, 2, 1)


@pytest.mark.rule("ABM-01")
def test_each_may_lay_an_abbey_before_the_game_ends() -> None:
    state = enclosed(players=3)
    do(state, "draw:B place:0,4,0")
    do(emptied(state), "pass")
    asked = []
    while not state.is_terminal:
        asked.append(state.current_player)
        assert len(state.agenda) <= len(state.rules.turn), "of one turn, as ever"
        do(state, "pass")
    assert asked == [1, 2, 0]


@pytest.mark.rule("ABM-01")
def test_one_laid_at_the_end_is_scored_and_the_others_are_asked() -> None:
    state = put(lay(enclosed(players=3), "B 4,0,0", "B 3,1,0", "B 5,1,0", "B 4,2,0"), 0, (1, 2, 0))
    do(state, "draw:B place:0,4,0")
    do(emptied(state), "pass abbey place:0,2,0 pass")
    assert (state.scores, state.current_player) == ([2, 0, 0], 2)
    do(state, "abbey place:4,1,0 claim:0,meeple")
    assert state.is_terminal and state.scores == [2, 0, 5]


@pytest.mark.rule("ABM-01", "BRC-03")
def test_after_a_bought_tile_all_may_lay_an_abbey_once_more() -> None:
    """A bazaar emptied the bag. Who holds a bought tile is not asked before it is placed."""
    state = do(enclosed("base+abbey+bridges"), "draw:B place:0,4,0")
    kept(state, "bridges").bought = [state.rules.catalogue.index["B"]] * 2
    do(emptied(state), "pass")
    asked = []
    while not state.is_terminal:
        if state.step.name == "place":
            state.apply(state.legal_actions()[0])
            continue
        if state.step.name == "abbey":
            asked.append(state.current_player)
        do(state, "pass")
    assert asked == [1, 0]


@pytest.mark.rule("ABM-02")
@pytest.mark.parametrize(
    ("coats", "rival", "points"),
    [
        (0, "meeple", [0, 4]),  # two tiles; the mayor counts nothing
        (0, None, [0, 0]),
        (1, "meeple", [8, 8]),  # three tiles and a coat of arms
        (2, "meeple", [12, 0]),  # four tiles and two
    ],
)
def test_a_mayor_counts_the_coats_of_arms(coats: int, rival: str, points: list[int]) -> None:
    """In the city of the start tile, with F as often as there are coats of arms, and a cap."""
    state = lay(begin("base+abbey", 2), *(f"F 0,{-1 - n},1" for n in range(coats)))
    put(state, 0, (0, 0, 0), kind="mayor")
    if rival:
        put(state, 1, (0, 0, 0), kind=rival)
    do(state, f"draw:E place:0,{-1 - coats},2 pass")
    assert state.scores == points
    assert state.board.supply_of(0, state.rules.follower_number("mayor")) == 1


@pytest.mark.rule("ABM-02")
def test_a_mayor_claims_cities_only() -> None:
    state = do(begin("base+abbey", 2), "draw:J place:1,0,1")
    assert [text for text in legal(state) if "mayor" in text] == ["claim:0,mayor"]
    assert [text for text in legal(state) if "wagon" in text] == ["claim:0,wagon", "claim:1,wagon"]


# A completed city of two tiles borders the field around the corner north-west of 1,2.
FARM = ("B 0,1,0", "E 1,2,1", "E 2,2,3", "B 0,2,0")
CLOSING = "draw:B place:1,1,0"


@pytest.mark.rule("ABM-04")
def test_a_barn_sends_the_farmers_home_with_three_points_a_city() -> None:
    state = put(lay(begin("base+abbey", 2), *FARM), 1, (0, 1, 1))
    do(state, CLOSING)
    barns = [text for text in legal(state) if text.startswith("barn")]
    assert barns == ["barn:1,2,1,barn"]
    do(state, barns[0])
    assert scored(state) == ["1: completed city 1x3 = 3"]
    assert state.board.supply_of(1) == 7


@pytest.mark.rule("ABM-04")
def test_a_barn_goes_on_each_corner_where_four_fields_meet() -> None:
    """Two corners of the tile at 0,3."""
    state = lay(begin("base+abbey", 2), "B 0,1,0", *[f"B {x},2,0" for x in (-1, 0, 1)])
    do(lay(state, "B -1,3,0", "B 1,3,0"), "draw:B place:0,3,0")
    barns = [text for text in legal(state) if text.startswith("barn")]
    assert barns == ["barn:0,3,1,barn", "barn:1,3,1,barn"]


@pytest.mark.rule("ABM-04")
def test_the_farmers_beside_a_new_barn_score_after_what_was_completed() -> None:
    """With the action itself nobody scores, and nobody is home again for what comes next."""
    state = do(put(lay(begin("base+abbey", 2), *FARM), 1, (0, 1, 1)), CLOSING)
    (barn,) = (one for one in state.legal_actions() if str(one).startswith("barn"))
    barn.perform(state, 0)
    assert scored(state) == [] and state.board.supply_of(1) == 6
    steps = [step.name for step in state.rules.turn]
    assert steps.index("score") < steps.index("farmers") < steps.index("wagons")


@pytest.mark.rule("ABM-04", "DRG-02")
def test_the_dragon_comes_before_farmers_score() -> None:
    """It goes from one tile of the field to the farmer's."""
    state = put(lay(begin("base+abbey+dragon", 2), *FARM), 1, (0, 1, 1))
    kept(state, "dragon").dragon = state.board.cell_of(state.board.tile_at(0, 2))
    do(state, "draw:PD14 place:1,1,2 barn:1,2,1,barn dragon:0,1")
    assert state.board.supply_of(1) == 7
    while state.step.name == "dragon":
        state.apply(state.legal_actions()[0])
    assert scored(state) == []


@pytest.mark.rule("ABM-04", "GCC-16")
def test_ghosts_with_farmers_beside_a_barn_cost_two_points_each() -> None:
    state = put(lay(begin("base+abbey+ghosts(tiles=base)", 2), *FARM), 1, (0, 1, 1))
    do(haunt(state, 0, 1, 1), CLOSING + " barn:1,2,1,barn")
    assert scored(state) == ["1: completed city 1x3, ghosts 1x-2 = 1"]


@pytest.mark.rule("ABM-04")
def test_farmers_who_come_later_score_one_and_the_barn_four_at_the_end() -> None:
    state = lay(begin("base+abbey", 2), *FARM, "B -2,2,0")
    put(state, 1, (-2, 2, 1))
    do(state, CLOSING + " barn:1,2,1,barn draw:B place:-1,2,0")
    assert legal(state) == ["claim:0,meeple", "claim:0,wagon", "pass"]  # the field has a barn
    do(state, "pass")
    assert scored(state) == ["1: completed city 1x3, joined late 1x-2 = 1"]
    finish(state)
    assert state.scores == [4, 1]


@pytest.mark.rule("ABM-04", "HIL-02")
def test_flocks_are_tended_before_farmers_who_join_a_barn_score() -> None:
    state = lay(begin("base+abbey+hills", 2), *FARM, "B -2,2,0")
    put(state, 1, (-2, 2, 1))
    do(state, CLOSING + " barn:1,2,1,barn draw:B place:-1,2,0 claim:1,shepherd")
    assert state.step.name == "token" and scored(state) == []
    do(state, "token:1")
    assert scored(state) == ["1: completed city 1x3, joined late 1x-2 = 1"]


@pytest.mark.rule("ABM-04")
def test_a_barn_needs_four_fields_and_a_farm_without_one() -> None:
    """Nothing lies north-west of the corner, or a city; then a barn stands on the farm already."""
    state = do(lay(begin("base+abbey", 2), "E 1,2,1", "B 0,2,0"), "draw:B place:0,1,0")
    assert not any(text.startswith("barn") for text in legal(state))
    state = lay(begin("base+abbey", 2), "E 0,1,2", "E 0,2,0", "E 1,2,1")
    assert not any(text.startswith("barn") for text in legal(do(state, CLOSING)))
    state = lay(begin("base+abbey", 2), *FARM, "B -1,1,0")
    put(state, 1, (0, 2, 1), kind="barn")
    do(state, CLOSING)
    assert not any(text.startswith("barn") for text in legal(state))


@pytest.mark.rule("ABM-04")
@pytest.mark.parametrize(("barns", "offered"), [("alone", []), ("together", ["barn:1,2,1,barn"])])
def test_barns_may_share_a_field_by_an_option(barns: str, offered: list[str]) -> None:
    state = lay(begin(f"base+abbey(barns={barns})", 2), *FARM, "B -1,1,0")
    put(state, 1, (0, 2, 1), kind="barn")
    do(state, CLOSING)
    assert [text for text in legal(state) if text.startswith("barn")] == offered
    if offered:
        do(state, offered[0])
        assert scored(finish(state)) == [
            "0: completed city 1x3, barn 1x1 = 4",
            "1: completed city 1x3, barn 1x1 = 4",
        ]


@pytest.mark.rule("ABM-04", "GQ-02", "TRD-06")
@pytest.mark.parametrize("spec", ["base+abbey+gq11", "base+abbey+gq11+traders"])
def test_a_barn_scores_no_herd_of_pigs(spec: str) -> None:
    """The farmers who meet it do: 3 points for the city, and 1 for the herd."""
    state = lay(begin(spec, 2), *FARM[:3], "GQ02 0,2,0")
    put(state, 1, (0, 1, 1))
    do(state, CLOSING + " barn:1,2,1,barn")
    assert scored(state) == ["1: completed city 1x3, pig herd 1x1 = 4"]
    assert scored(finish(state))[1:] == ["0: completed city 1x3, barn 1x1 = 4"]


@pytest.mark.rule("ABM-04", "BRC-01")
def test_a_barn_stands_beside_a_bridge() -> None:
    """Two run from west to east, south of the corner; the field beneath stays whole."""
    state = lay(begin("base+abbey+bridges", 2), "B 0,1,0", "B+we 0,2,0", "B+we 1,2,0")
    do(state, CLOSING)
    assert "barn:1,2,1,barn" in legal(state)


@pytest.mark.rule("ABM-04")
def test_a_pig_needs_a_farmer_not_a_barn() -> None:
    state = lay(begin("base+abbey+traders", 2), *FARM)
    put(state, 0, (0, 2, 1), kind="barn")
    do(state, CLOSING)
    assert not any("pig" in text for text in legal(state))


@pytest.mark.rule("ABM-04", "DRG-02")
def test_the_dragon_eats_no_barn() -> None:
    """It comes from the start tile to the farmer, the pig and the barn on one tile."""
    state = lay(begin("base+abbey+dragon+traders", 2), "B 0,1,0")
    for kind in ("meeple", "pig", "barn"):
        put(state, 0, (0, 1, 1), kind=kind)
    own = kept(state, "dragon")
    own.dragon = state.board.cell_of(0)
    own.visited = [own.dragon]
    dragon = expansion_of(state, "dragon")
    dragon.dragon_move.cell_chosen(state, 0, state.board.cell_of(1))
    kinds = [state.rules.follower_kinds[kind].name for *_, kind in state.board.all_followers()]
    assert kinds == ["barn"]


@pytest.mark.rule("ABM-01", "MEE-01")
@pytest.mark.parametrize("lays", [True, False])
def test_after_the_last_tile_the_builder_s_player_may_lay_an_abbey_first(lays: bool) -> None:
    """The publisher: the abbey may still be played, for both parts are one turn. Then green is
    asked, and at last red once more.
    """
    state = lay(begin("base+abbey+traders", 2), *AROUND)
    put(state, 0, (0, 0, 1))
    put(state, 0, (0, 0, 1), kind="builder")
    emptied(state, "U")
    do(state, "draw:U place:1,0,1 pass")
    assert (state.active_player, legal(state)) == (0, ["abbey", "pass"])
    asked = []
    do(state, "abbey" if lays else "pass")
    if lays:
        do(state, f"{legal(state)[0]} pass")
    while not state.is_terminal:
        asked.append(state.current_player)
        do(state, "pass")
    assert asked == ([] if lays else [1, 0])


@pytest.mark.rule("ABM-04", "BASE-05")
def test_without_farmers_there_are_barns_all_the_same() -> None:
    """JCloisterZone's issue 423: farmers are followers; a barn scores 4 points a city."""
    state = do(lay(begin("base(fields=off)+abbey", 2), *FARM), CLOSING)
    assert not any(text.startswith("claim:1") for text in legal(state))
    do(state, "barn:1,2,1,barn")
    assert scored(finish(state)) == ["0: completed city 1x3, barn 1x1 = 4"]


@pytest.mark.rule("ABM-04")
def test_farmers_score_once_at_a_barn_and_not_without_one() -> None:
    state = lay(begin("base+abbey(barns=together)", 2), "B 5,5,0", "B 6,5,0")
    put(put(state, 0, (5, 5, 1)), 1, (6, 5, 1))
    barns = expansion_of(state, "abbey").barns
    assert barns.scored_fields(state) == []
    put(put(state, 0, (5, 5, 1), kind="barn"), 1, (6, 5, 1), kind="barn")
    assert barns.scored_fields(state) == [feature_at(state, 5, 5, 1)]
