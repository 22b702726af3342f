"""The Russian promotional tiles, counted by hand."""

import pytest
from support.notation import begin, do, finish, kept, lay, legal, put, scored

from carc import State


@pytest.mark.rule("RUS-01")
def test_a_hut_is_worth_nine_less_its_neighbours() -> None:
    """The start tile and another lie beside it at the end."""
    state = do(begin("base+russian", 2), "draw:RP01 place:0,1,0")
    assert "claim:1,meeple" in legal(state)  # the hut, beside the field
    hut = next(i for i in (0, 1) if state.board.kind_of(state.board.segment_at(0, 1, i)) != "field")
    do(state, f"claim:{hut},meeple draw:B place:0,2,0 pass")
    assert scored(finish(state)) == ["0: hut 1x9, neighbour 2x-1 = 7"]


@pytest.mark.rule("RUS-01")
def test_a_surrounded_hut_is_completed_with_one_point() -> None:
    around = ("B -1,2,0", "B 1,2,0", "B -1,3,0", "B 1,3,0", "B 0,3,0", "B -1,1,0", "B 1,1,0")
    state = lay(begin("base+russian", 2), "RP01 0,2,0", *around)
    hut = next(i for i in (0, 1) if state.board.kind_of(state.board.segment_at(0, 2, i)) != "field")
    put(state, 0, (0, 2, hut))
    do(state, "draw:B place:0,1,0 pass")
    assert scored(state) == ["0: hut 1x9, neighbour 8x-1 = 1"]
    assert state.board.supply_of(0) == 7


def trapped(state: State, x: int, y: int) -> list[tuple[int, int]]:
    """Whose followers stand in the trap of a tile."""
    board = state.board
    tile = board.tile_at(x, y)
    traps = [s for s in board.segments_of(tile) if board.kind_of(s) in ("razboynik", "vodyanoy")]
    return list(board.followers_at(traps[0]))


@pytest.mark.rule("RUS-02")
def test_the_robber_catches_all_on_his_road() -> None:
    """Those who are there when his tile is placed, and who comes after: the road is free again."""
    state = put(lay(begin("base+russian", 2), "U -1,0,1"), 1, (-1, 0, 0))
    put(state, 1, (0, 0, 0))  # a knight is none of them
    do(state, "draw:RQ01 place:1,0,0")
    do(state, "claim:1,meeple")
    assert trapped(state, 1, 0) == [(1, 0), (0, 0)]
    assert state.board.owner_at(state.board.segment_at(0, 0, 0)) == 1
    do(state, "draw:V place:2,0,1")
    assert legal(state)[-2:] == ["free:1,0,0,meeple", "pass"]
    do(state, "free:1,0,0,meeple")
    assert trapped(state, 1, 0) == [(0, 0)] and state.board.supply_of(1) == 6


@pytest.mark.rule("RUS-02")
def test_nobody_comes_free_when_the_trap_is_placed() -> None:
    state = put(lay(begin("base+russian", 2), "U -1,0,1"), 0, (-1, 0, 0))
    do(state, "draw:RQ01 place:1,0,0")
    assert trapped(state, 1, 0) == [(0, 0)]
    assert not any(text.startswith("free") for text in legal(state))


@pytest.mark.rule("RUS-02")
def test_a_road_that_is_completed_scores_nothing_for_those_caught() -> None:
    """The road of start tile, robber and two ends."""
    state = put(lay(begin("base+russian", 2), "W -1,0,2"), 0, (0, 0, 1))
    do(state, "draw:RQ01 place:1,0,0 pass draw:W place:2,0,2 pass")
    assert state.scores == [0, 0] and scored(finish(state)) == []


@pytest.mark.rule("RUS-03")
def test_the_vodyanoy_catches_those_around_and_takes_two_points_each() -> None:
    """Over a corner too, but nobody two cells away or on his own tile."""
    state = lay(begin("base+russian", 2), "B 1,1,0", "B 2,1,0", "B 3,1,0")
    put(state, 0, (1, 1, 0), (3, 1, 0))
    put(state, 1, (0, 0, 0), (2, 1, 1))
    do(state, "draw:RQ02 place:1,2,0")
    assert trapped(state, 1, 2) == [(0, 0), (1, 0)]
    assert state.current_player < 0  # no figure goes on his tile
    finish(state)
    assert [text for text in scored(state) if "vodyanoy" in text] == [
        "0: vodyanoy 1x-2 = -2",
        "1: vodyanoy 1x-2 = -2",
    ]


@pytest.mark.rule("RUS-01")
def test_the_sets_may_be_played_alone() -> None:
    assert begin("base+russian(sets=2013)", 2).tiles_left == 73
    assert begin("base+russian(sets=2016)", 2).tiles_left == 73
    assert begin("base+russian", 2).tiles_left == 75


@pytest.mark.rule("RUS-02")
def test_builders_and_farmers_are_not_caught_on_the_road() -> None:
    """A meeple and a builder on the road of the robber's tile, and a farmer beside it."""
    state = put(lay(begin("base+russian+traders", 2), "RQ01 1,0,0"), 0, (0, 0, 1), (1, 0, 2))
    put(put(state, 0, (0, 0, 1), kind="builder"), 1, (0, 0, 1))
    do(state, "draw:E place:0,-1,2 pass")
    assert trapped(state, 1, 0) == [(0, 0), (1, 0)]
    assert state.board.owner_at(state.board.segment_at(1, 0, 2)) == 0


@pytest.mark.rule("RUS-02")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_robber_catches_in_the_order_of_places(order: tuple[int, int]) -> None:
    """Player 0 stands west of player 1, whoever came first."""
    state = lay(begin("base+russian", 2), "U -1,0,1")
    for player in order:
        put(state, player, (player - 1, 0, 1 if player else 0))
    do(state, "draw:RQ01 place:1,0,0")
    assert trapped(state, 1, 0) == [(0, 0), (1, 0)]


@pytest.mark.rule("RUS-03")
def test_whom_both_reach_the_trap_that_was_placed_first_catches_and_keeps() -> None:
    """The road's end lies beside the vodyanoy, as does the robber himself."""
    state = put(lay(begin("base+russian", 2), "RQ01 1,0,0", "RQ02 1,1,0"), 0, (0, 0, 1))
    do(state, "draw:E place:0,-1,2 pass")
    assert trapped(state, 1, 0) == [(0, 0)] and trapped(state, 1, 1) == []


@pytest.mark.rule("RUS-03")
def test_no_portal_leads_to_the_vodyanoy() -> None:
    """To the start tile beside him it does."""
    state = do(lay(begin("base+dragon+russian", 2), "RQ02 0,1,0"), "draw:PD08 place:1,0,0")
    offered = [text for text in legal(state) if text.startswith("portal")]
    assert offered and all(text.startswith("portal:0,0,") for text in offered)


@pytest.mark.rule("PHA-01", "RUS-03")
def test_a_trap_that_catches_a_follower_offers_the_phantom_nothing() -> None:
    """The tile has one feature for it, the monastery: the field around it is player 1's."""
    state = lay(begin("base+phantom+russian", 2), "RQ02 1,3,0", "B 0,1,0")
    put(state, 1, (0, 1, 1))
    do(state, "draw:B place:0,2,0 claim:0,meeple")
    assert trapped(state, 1, 3) == [(0, 0)] and state.current_player < 0


@pytest.mark.rule("RUS-03", "BRC-02")
def test_who_is_caught_makes_no_castle() -> None:
    """The second tile completes a small city beside the vodyanoy."""
    state = do(begin("base+bridges+russian", 2), "draw:E place:0,1,2 pass draw:RQ02 place:1,1,0")
    do(state, "pass draw:E place:0,2,0 claim:0,meeple")
    assert state.step.name == "draw" and state.scores == [0, 0]


NEWER = "base+russian(traps=newer)"


@pytest.mark.rule("RUS-02")
def test_by_the_newer_wording_the_robber_catches_the_nearest_alone() -> None:
    """JCloisterZone's issue 412: when his tile is placed, and when a tile extends his road.

    Green stands west of red, who is next to the robber; a tile elsewhere changes nothing.
    """
    state = put(lay(begin(NEWER, 2), "U -1,0,1"), 1, (-1, 0, 0))
    do(put(state, 0, (0, 0, 1)), "draw:RQ01 place:1,0,0")
    assert trapped(state, 1, 0) == [(0, 0)]
    do(state, "pass draw:E place:0,-1,2 pass")
    assert trapped(state, 1, 0) == [(0, 0)]
    do(state, "draw:U place:2,0,1")
    assert trapped(state, 1, 0) == [(0, 0), (1, 0)]


@pytest.mark.rule("RUS-02")
def test_by_the_newer_wording_all_that_are_equally_near_are_caught() -> None:
    state = put(lay(begin(NEWER, 2), "U 2,0,1"), 1, (2, 0, 0))
    do(put(state, 0, (0, 0, 1)), "draw:RQ01 place:1,0,0")
    assert trapped(state, 1, 0) == [(0, 0), (1, 0)]


@pytest.mark.rule("RUS-02")
def test_by_the_newer_wording_a_figure_that_comes_is_caught_and_others_stay() -> None:
    state = put(lay(begin(NEWER, 2), "RQ01 1,0,0", "U -1,0,1"), 1, (-1, 0, 0))
    kept(state, "russian").seen = [state.board.segment_at(-1, 0, 0)]
    do(state, "draw:E place:0,-1,2 pass")
    assert trapped(state, 1, 0) == []
    state.put_follower(state.board.segment_at(0, 0, 1), 0, 0)
    do(state, "draw:E")
    do(state, f"{legal(state)[0]} pass")
    assert trapped(state, 1, 0) == [(0, 0)]


@pytest.mark.rule("RUS-02")
@pytest.mark.parametrize(("wording", "kinds"), [("older", [0]), ("newer", [0, 1])])
def test_by_the_newer_wording_builders_are_caught_too(wording: str, kinds: list[int]) -> None:
    state = begin(f"base+russian(traps={wording})+traders", 2)
    put(put(state, 0, (0, 0, 1)), 0, (0, 0, 1), kind="builder")
    do(state, "draw:RQ01 place:1,0,0")
    assert [kind for _, kind in trapped(state, 1, 0)] == kinds


@pytest.mark.rule("RUS-03")
def test_by_the_newer_wording_the_vodyanoy_is_stronger() -> None:
    """He catches whom both reach, though the robber was placed first; and whom the robber holds."""
    state = put(lay(begin(NEWER, 2), "RQ01 1,0,0", "RQ02 1,1,0"), 0, (0, 0, 1))
    state.board.seat_follower(state.board.segment_at(1, 0, 0), 1, 0)
    do(state, "draw:E place:0,-1,2 pass")
    assert trapped(state, 1, 0) == [] and trapped(state, 1, 1) == [(0, 0), (1, 0)]


@pytest.mark.rule("RUS-03")
def test_by_the_newer_wording_the_vodyanoy_takes_at_once_whom_the_robber_catches() -> None:
    """He lies beside the robber, and two tiles away from the road's other end."""
    state = put(lay(begin(NEWER, 2), "RQ01 1,0,0", "RQ02 2,1,0"), 0, (0, 0, 1))
    do(state, "draw:E place:0,-1,2 pass")
    assert trapped(state, 1, 0) == [] and trapped(state, 2, 1) == [(0, 0)]


@pytest.mark.rule("RUS-02", "TRD-05")
def test_a_builder_stays_in_the_trap_when_its_follower_is_freed() -> None:
    state = lay(begin("base+russian(traps=newer)+traders", 2), "RQ01 1,0,0")
    trap = state.board.segment_at(1, 0, 0)
    for kind in ("meeple", "builder"):
        state.board.seat_follower(trap, 0, state.rules.follower_number(kind))
    do(state, "draw:E place:0,-1,2 free:1,0,0,meeple")
    assert [kind for _, kind in trapped(state, 1, 0)] == [state.rules.follower_number("builder")]


@pytest.mark.rule("RUS-02", "HIL-02", "DRG-02")
def test_the_dragon_takes_a_shepherd_out_of_a_trap() -> None:
    """By the newer wording the vodyanoy catches all figures; the flock went home then."""
    state = lay(begin("base+dragon+hills+russian(traps=newer)", 2), "RQ02 0,1,0")
    state.board.seat_follower(
        state.board.segment_at(0, 1, 0), 0, state.rules.follower_number("shepherd")
    )
    kept(state, "dragon").dragon = state.board.cell_of(0)
    do(state, "draw:PD14 place:1,1,2 pass")
    assert trapped(state, 0, 1) == []
    assert state.board.supply_of(0, state.rules.follower_number("shepherd")) == 1


@pytest.mark.rule("RUS-02", "FER-02")
@pytest.mark.parametrize("traps", ["older", "newer"])
def test_no_ferry_saves_who_is_placed_on_the_robbers_road(traps: str) -> None:
    """The road leads over the lake to the robber; the follower is caught before the ferry moves."""
    spec = f"base+ferries+russian(traps={traps})"
    state = do(begin(spec, 2), "draw:FR02 place:1,0,0 pass ferry:1,0,0,to2")
    do(state, "draw:RQ01 place:-1,0,0 pass pass draw:U place:2,0,1")
    assert state.board.supply_of(0) == 7
    do(state, "claim:0,meeple")
    assert state.step.name == "ferries" and state.current_player == 0
    (trap,) = kept(state, "russian").traps
    assert [owner for owner, _ in state.board.followers_at(trap)] == [0]


@pytest.mark.rule("RUS-02", "FER-01")
@pytest.mark.parametrize(("ferry", "caught"), [("to2", [1]), ("to1", [])])
def test_whom_a_ferry_brings_to_the_robber_is_caught(ferry: str, caught: list[int]) -> None:
    """The robber is east of the lake, the follower west of it."""
    state = put(lay(begin("base+ferries+russian", 2), "RQ01 2,0,0"), 1, (0, 0, 1))
    do(state, f"draw:FR02 place:1,0,0 pass ferry:1,0,0,{ferry}")
    (trap,) = kept(state, "russian").traps
    assert [owner for owner, _ in state.board.followers_at(trap)] == caught


@pytest.mark.rule("RUS-02")
def test_a_wagon_that_is_caught_leaves_the_road_to_the_next_one() -> None:
    """Both come home from one road, and may go on to that of Solovei the robber."""
    state = lay(begin("base+abbey+russian", 2), "W -1,0,0", "U 1,0,1", "RQ01 1,1,0")
    for owner in (0, 1):
        wagon = state.rules.follower_number("wagon")
        state.board.seat_follower(state.board.segment_at(1, 0, 0), owner, wagon)
    do(state, "draw:W place:2,0,2 pass")
    for owner in (0, 1):
        assert state.current_player == owner
        do(state, next(text for text in legal(state) if text.startswith("wagon:1,1,")))
    assert trapped(state, 1, 1) == [(0, wagon), (1, wagon)]


@pytest.mark.rule("RUS-03")
def test_a_wagon_that_moves_on_to_the_vodyanoy_is_caught_at_once() -> None:
    """From a road two cells away to the monastery beside him, before anybody escapes or draws."""
    state = lay(begin("base+abbey+russian+siege", 2), "W -1,0,0", "U 1,0,1", "U 2,0,1", "B 1,1,0")
    do(state, "draw:RQ02 place:0,1,0")
    put(state, 0, (2, 0, 0), kind="wagon")
    do(state, "draw:W place:3,0,2 pass wagon:1,1,0,wagon")
    assert trapped(state, 0, 1) == [(0, state.rules.follower_number("wagon"))]
    assert not state.board.is_claimed(state.board.feature_of(state.board.segment_at(1, 1, 0)))
