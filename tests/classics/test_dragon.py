"""The Princess & the Dragon, counted by hand."""

import pytest
from support.dragon_moves import FIRE, ROADS, VOLCANO
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
    tiles_with,
)

from carc import CHANCE, Evaluation, State
from carc.base.cells import cell_at
from carc.base.turn.bag import drawable
from carc.bots.lookahead import Lookahead


@pytest.mark.rule("DRG-01")
def test_a_volcano_calls_the_dragon_and_takes_no_follower() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO)
    assert tiles_with(state, "dragon") == [(0, 1)]
    assert legal(state) == ["fairy:1,0,2,meeple", "pass"], "no claim, be the field free as it may"
    assert not state.allows_figures(state.board.last_tile)


@pytest.mark.rule("DRG-01")
def test_no_dragon_tile_is_drawn_before_the_first_volcano() -> None:
    state = begin("base+dragon", 2)

    def fiery() -> set[str]:
        tiles = {tile.name: tile for tile in state.rules.catalogue.tiles}
        drawn = [str(action).removeprefix("draw:") for action, _ in state.chance_outcomes()]
        return {name for name in drawn if tiles[name].symbol("dragon") is not None}

    assert fiery() == set()
    do(state, VOLCANO)
    assert len(fiery()) == 11, "all kinds"


@pytest.mark.rule("DRG-01")
def test_dragon_tiles_come_when_nothing_else_is_left() -> None:
    state = begin("base+dragon", 2)
    for kind, tile in enumerate(state.rules.catalogue.tiles):
        if tile.symbol("dragon") is None:
            state.tiles_left -= state.bag[kind]
            state.bag[kind] = 0
    assert sum(drawable(state)) == state.tiles_left == 12


@pytest.mark.rule("DRG-02")
def test_the_dragon_moves_tile_by_tile_the_players_in_turn() -> None:
    """From 0,1 there is one way, to 0,0; there green says east or west; who is there goes home."""
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "pass " + FIRE + "pass")
    assert tiles_with(state, "dragon") == [(0, 0)], (
        "green laid the tile, and moved it without a choice"
    )
    assert (state.current_player, legal(state)) == (0, ["dragon:-1,0", "dragon:1,0"])
    do(state, "dragon:-1,0")
    assert tiles_with(state, "dragon") == [(-2, 0)], (
        "and on, to the last tile; it goes nowhere twice"
    )
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (6, 7)
    assert state.current_player == CHANCE
    assert kept(state, "dragon").visited == [], "it rests"


@pytest.mark.rule("DRG-02")
def test_all_followers_on_a_tile_go_home() -> None:
    """Two of red's and green's in three places of the start tile, where the dragon comes."""
    state = do(begin("base+dragon", 2), ROADS + VOLCANO)
    for index, owner in ((2, 0), (0, 1), (2, 0), (3, 0)):
        state.put_follower(state.board.segment_at(0, 0, index), owner, 0)
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (3, 5)
    do(state, "pass " + FIRE + "pass")
    assert tiles_with(state, "dragon") == [(0, 0)]
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (6, 6)


@pytest.mark.rule("DRG-02")
def test_it_goes_six_tiles_and_no_more() -> None:
    """A row of eight tiles, the volcano at its end."""
    row = " ".join(f"draw:U place:{x},0,1 pass" for x in range(1, 7))
    state = do(begin("base+dragon", 2), row + " draw:PD17 place:-1,0,0 draw:PD16 place:7,0,0 pass")
    assert tiles_with(state, "dragon") == [(5, 0)]


@pytest.mark.rule("DRG-02")
@pytest.mark.parametrize(("moves", "points"), [("before", []), ("after", ["0: road 5x1 = 5"])])
def test_it_moves_before_the_scoring_or_after_it(moves: str, points: list[str]) -> None:
    """The tile that calls it up closes red's road, and the dragon eats red first."""
    state = do(
        begin(f"base+dragon(moves={moves})", 2),
        "draw:W place:1,0,0 claim:2,meeple draw:U place:-1,0,1 pass draw:PD17 place:-2,0,0",
    )
    do(state, "pass draw:PD07 place:-3,0,0 pass dragon:-1,0")
    assert tiles_with(state, "dragon") == [(1, 0)]
    assert scored(state) == points
    assert state.board.supply_of(0) == 7


@pytest.mark.rule("DRG-02")
def test_what_depends_on_who_is_eaten_goes_home_too() -> None:
    state = do(begin("base+dragon+traders", 2), ROADS + VOLCANO)
    builder = state.rules.follower_number("builder")
    state.put_follower(state.board.segment_at(0, 0, 1), 1, builder)
    do(state, "pass " + FIRE + "pass dragon:-1,0")
    assert state.board.supply_of(1, builder) == 1


@pytest.mark.rule("DRG-03")
def test_a_princess_sends_one_follower_of_her_city_home_instead() -> None:
    """Green's knight in the start tile's city, two of red's beside."""
    state = do(begin("base+dragon", 2), "draw:U place:1,0,1 pass draw:G place:0,-1,0")
    do(state, "claim:0,meeple")
    state.put_follower(state.board.segment_at(0, 0, 0), 0, 0)
    do(state, "draw:PD20 place:0,-2,2")
    dismissals = [text for text in legal(state) if text.startswith("princess")]
    assert dismissals == ["princess:0,-1,0,meeple,green", "princess:0,0,0,meeple,red"]
    assert legal(state)[-1] == "pass"
    do(state, "princess:0,-1,0,meeple,green")
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (6, 7)


@pytest.mark.rule("DRG-03")
def test_or_must_where_one_plays_so() -> None:
    """Red might claim the field, put a shepherd down, send the fairy, build a bridge: none of that
    beside knights who must go. Her builder is none.
    """
    spec = "base+bridges+dragon(princess=must)+hills+traders"
    state = do(begin(spec, 2), "draw:U place:1,0,1 pass")
    do(state, "draw:G place:0,-1,0 claim:0,meeple")
    for kind in (0, state.rules.follower_number("builder")):
        state.put_follower(state.board.segment_at(0, 0, 0), 0, kind)
    do(state, "draw:PD20 place:0,-2,2")
    assert legal(state) == ["princess:0,-1,0,meeple,green", "princess:0,0,0,meeple,red"]
    assert [str(state.action_at(at)) for at in range(state.count_actions())] == legal(state)
    do(state, "princess:0,-1,0,meeple,green")
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (6, 7)


@pytest.mark.rule("DRG-03")
@pytest.mark.parametrize(
    ("moves", "free"),
    [
        ("claim:1,meeple draw:PD20 place:0,-2,2", (0, 1)),
        ("claim:0,meeple draw:E place:0,-2,2", (1,)),
    ],
)
def test_where_nobody_must_go_all_is_as_ever(moves: str, free: tuple[int, ...]) -> None:
    """A princess comes to a city without knights, a tile without one to a city with green's."""
    state = do(
        begin("base+dragon(princess=must)", 2), "draw:U place:1,0,1 pass draw:G place:0,-1,0"
    )
    do(state, moves)
    assert legal(state) == [*(f"claim:{n},meeple" for n in free), "pass"]
    assert [str(state.action_at(at)) for at in range(state.count_actions())] == legal(state)


def test_bots_weigh_what_must_be_done_where_they_may_not_pass() -> None:
    """Red's only choice is to send her own knight home."""
    state = do(begin("base+dragon(princess=must)", 2), "draw:G place:0,-1,0 claim:0,meeple")
    do(state, "draw:U place:1,0,1 pass draw:PD20 place:0,-2,2")
    lookahead = Lookahead(state.rules, Evaluation(state.rules))
    chosen, values = lookahead.best_claim(state, 0)
    assert [str(chosen)] == legal(state) == ["princess:0,-1,0,meeple,red"]
    assert values == lookahead.values(do(state, "princess:0,-1,0,meeple,red"))


@pytest.mark.rule("DRG-04")
def test_a_portal_leads_to_any_free_incomplete_place_but_the_dragons() -> None:
    """Beside the claims on the portal's tile: nothing on red's road, on the completed city or the
    volcano; fields are never complete.
    """
    state = do(begin("base+dragon", 2), "draw:U place:1,0,1 claim:0,meeple")
    do(state, "draw:E place:0,-1,2 pass " + VOLCANO + "pass draw:PD08 place:0,-2,2")
    offered = [text.removeprefix("portal:") for text in legal(state) if "portal" in text]
    assert offered == [
        f"{place},meeple" for place in ("0,-1,1", "0,0,2", "0,0,3", "1,0,1", "1,0,2")
    ]
    do(state, "portal:0,0,3,meeple")
    assert state.board.followers_at(state.board.segment_at(0, 0, 3)) == [(1, 0)]


def described(state: State) -> list[list[float]]:
    (dragon,) = state.rules.estimates.descriptors
    return dragon.descriptors(state)


@pytest.mark.rule("DRG-02", "DRG-05")
def test_bots_see_what_the_dragon_may_soon_eat() -> None:
    """Red's road of three tiles and green's field of no points are two tiles away from the dragon.

    12 of 98 tiles make it move, and it counts if one of them is among the next four.
    """
    state = do(begin("base+dragon", 2), ROADS + VOLCANO)
    moves = 1 - (86 / 98) ** 4
    assert described(state) == [
        pytest.approx([moves, 3 * moves, 0, 0]),
        pytest.approx([moves, 0, 0, 0]),
    ]
    fairy = do(state.copy(), "fairy:1,0,2,meeple")  # where she is, it cannot go
    assert described(fairy)[0] == [0, 0, 0, 1]
    # It is about to move, and the road has four tiles.
    assert described(do(state, "pass " + FIRE))[0] == [1, 4, 0, 0]


@pytest.mark.rule("DRG-02")
def test_with_the_last_tile_the_dragon_rests() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO)
    state.bag[:] = [0] * len(state.bag)
    state.tiles_left = 0
    assert described(state) == [[0, 0, 0, 0], [0, 0, 0, 0]]


@pytest.mark.rule("DRG-02")
@pytest.mark.parametrize(
    ("tiles", "where"),
    [
        (0, (0, 0, 0)),
        (1, (1, 0, 0)),
        (2, (1, 0, 0)),
        (3, (0, 0, 1)),
        (4, (0, 0, 1)),
        (5, (0, 0, 0)),
    ],
)
def test_what_the_dragon_does_not_reach_soon_does_not_trouble_bots(
    tiles: int, where: tuple[float, ...]
) -> None:
    """A follower on a field of no points; on the dragon's own tile it is safe."""
    state = do(begin("base+dragon", 2), "draw:PD01 place:0,1,0")
    for y in range(2, 7):
        state._lay(state.rules.catalogue.index["PD01"], cell_at(0, y), 0)
    state.put_follower(state.board.segment_at(0, 1 + tiles, 0), 1, 0)
    own = kept(state, "dragon")
    own.dragon = cell_at(0, 1)
    own.visited = [own.dragon]  # it is about to move
    assert described(state)[1] == [*where, 0]


# A volcano in the east, and a dragon tile in the west that closes the road: three tiles.
LAST_ROAD = " draw:W place:1,0,2 pass draw:PD17 place:2,0,0 pass draw:PD07 place:-1,0,2 pass"


@pytest.mark.rule("DRG-02", "BRC-02")
@pytest.mark.parametrize("moves", ["before", "after"])
def test_the_dragon_takes_nobody_from_a_castle(moves: str) -> None:
    """It comes to one of its tiles; the castle scores all the same."""
    state = put(begin(f"base+bridges+dragon(moves={moves})", 2), 0, (0, 0, 0))
    do(state, "draw:E place:0,-1,2 pass castle:0,-1,0" + LAST_ROAD)
    assert state.step.name == "dragon" and tiles_with(state, "dragon") == [(0, 0)]
    do(state, "dragon:0,-1")
    finish(state)
    assert scored(state)[:1] == ["0: castle by road 1x3 = 3"] and state.board.supply_of(0) == 7


@pytest.mark.rule("DRG-02")
@pytest.mark.rule("BRC-02")
def test_nobody_founds_a_castle_with_who_was_taken() -> None:
    """The dragon tile completes red's city, and the dragon comes from the tile beside it.

    Where it moves after the scoring, the castle stands already.
    """
    turn = "draw:PD17 place:1,0,0 pass draw:PD26 place:0,-1,2 pass"
    early = put(begin("base+bridges+dragon", 2), 0, (0, 0, 0))
    do(early, turn)
    assert early.current_player == CHANCE and early.board.supply_of(0) == 7
    late = put(begin("base+bridges+dragon(moves=after)", 2), 0, (0, 0, 0))
    do(late, turn)
    assert (late.step.name, late.current_player) == ("castle", 0)
    do(late, "castle:0,-1,0")
    assert late.to_dict()["castles"] == [2, 3] and late.board.supply_of(0) == 6


@pytest.mark.rule("DRG-02")
@pytest.mark.rule("WAT-01")
@pytest.mark.parametrize(
    ("moves", "points"),
    [("before", []), ("after", ["0: watched roads 3x1 = 3", "0: road 3x1 = 3"])],
)
def test_a_watchtower_scores_when_its_road_does(moves: str, points: list[str]) -> None:
    """The tower in the east counts its own road, the start tile's and the volcano's."""
    state = lay(begin(f"base+dragon(moves={moves})+watchtowers", 2), "WT05 1,0,0")
    put(state, 0, (1, 0, 1))
    do(state, LAST_ROAD.replace(" draw:W place:1,0,2 pass", ""))
    assert scored(state) == points and state.board.supply_of(0) == 7


@pytest.mark.rule("DRG-02")
@pytest.mark.rule("ABM-03")
def test_a_wagon_moves_on_before_a_late_dragon() -> None:
    """It moves west on the tile that closed the road, where the dragon comes at last."""
    state = put(begin("base+abbey+dragon(moves=after)", 2), 0, (0, 0, 1), kind="wagon")
    do(state, LAST_ROAD.replace("place:2,0,0 pass", "place:2,0,0"))
    assert (state.step.name, state.current_player) == ("wagon", 0)
    do(state, "wagon:-1,0,0,wagon")
    wagon = state.rules.follower_number("wagon")
    assert tiles_with(state, "dragon") == [(-1, 0)] and state.board.supply_of(0, wagon) == 1


@pytest.mark.rule("DRG-02", "BRC-02")
def test_bots_see_no_danger_for_who_is_in_a_castle() -> None:
    """The dragon is two tiles away, and the bag holds dragon tiles."""
    state = put(begin("base+bridges+dragon", 2), 0, (0, 0, 0))
    do(state, "draw:E place:0,-1,2 pass castle:0,-1,0 draw:PD01 place:0,1,0")
    assert estimates_of(state, "dragon").descriptors(state)[0][:3] == [0.0, 0.0, 0.0]
