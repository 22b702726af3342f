"""The Tunnel, counted by hand."""

import pytest
from support.notation import begin, do, feature_at, finish, lay, legal, put, scored, standing

from carc import Rules, State


def tunnels(state: State) -> list[str]:
    return [text for text in legal(state) if text.startswith("tunnel")]


@pytest.mark.rule("TUN-01")
@pytest.mark.parametrize(("players", "pairs"), [(2, 3), (3, 2), (4, 1), (5, 1)])
def test_each_has_pairs_of_tokens(players: int, pairs: int) -> None:
    state = begin("base+tunnel", players)
    assert state.to_dict()["tunnel_tokens"] == [[2] * pairs + [0] * (3 - pairs)] * players


@pytest.mark.rule("TUN-01")
@pytest.mark.parametrize(
    ("tokens", "pairs"), [("most", [3, 2, 1]), ("fewer", [2, 1, 1]), ("one", [1, 1, 1])]
)
def test_fewer_tokens_are_an_option(tokens: str, pairs: list[int]) -> None:
    """With two, three and four players."""
    for players, each in zip((2, 3, 4), pairs, strict=True):
        state = begin(f"base+tunnel(tokens={tokens})", players)
        assert state.to_dict()["tunnel_tokens"][0] == [2] * each + [0] * (3 - each)


@pytest.mark.rule("TUN-01")
def test_a_road_beneath_a_city_has_two_mouths_in_other_sets_too() -> None:
    def roads(spec: str) -> list[tuple[int, ...]]:
        (tile,) = (t for t in Rules.from_spec(spec).catalogue.tiles if t.name == "PD25")
        return [part.edges for part in tile.segments if part.kind == "road"]

    assert roads("base+dragon") == [(0, 2)]
    assert roads("base+dragon+tunnel") == [(0,), (2,)]
    assert roads("base+dragon+tunnel(others=off)") == [(0, 2)]
    state = do(begin("base+abbey+tunnel(others=off)", 2), "draw:AM12 place:1,0,1")
    assert not tunnels(state) and "pass" in legal(state)


@pytest.mark.rule("TUN-02")
def test_one_token_a_turn_before_or_after_a_follower() -> None:
    """TU02 has a mouth in the west, to which the start tile's road leads, and one in the east."""
    state = do(begin("base+tunnel", 2), "draw:TU02 place:1,0,0")
    assert tunnels(state) == [f"tunnel:1,0,{mouth},{pair}" for mouth in (1, 2) for pair in "abc"]
    do(state, "tunnel:1,0,1,a")
    assert state.step.name == "claim"
    assert "claim:1,meeple" in legal(state) and not tunnels(state)
    do(state, "claim:1,meeple")
    assert state.current_player == -1, "one in this turn"
    do(state, "draw:U place:-1,0,1 pass")
    assert state.step.name == "tunnel"
    assert tunnels(state) == [f"tunnel:1,0,2,{pair}" for pair in "abc"], "on any tile, once"
    do(state, "pass draw:U place:-2,0,1 claim:1,meeple tunnel:1,0,2,b")
    assert standing(state, "tunnel") == {(1, 0, 1): 1, (1, 0, 2): 1}
    assert state.to_dict()["tunnel_tokens"] == [[1, 1, 2], [2, 2, 2]]


@pytest.mark.rule("TUN-03")
def test_the_two_tokens_of_a_pair_join_their_roads() -> None:
    """A crossing west of the start tile, whose road leads to a mouth; another mouth leads to a
    crossing in the east: 2 and the tile of both mouths, and 1, four tiles in all.
    """
    state = lay(begin("base+tunnel", 2), "W -1,0,2", "TU02 1,0,0")
    put(state, 0, (0, 0, 1))
    do(state, "draw:U place:0,1,1 tunnel:1,0,1,a pass draw:U place:0,2,1 pass pass")
    road = feature_at(state, 0, 0, 1)
    assert state.board.is_open(road), "a mouth is open"
    do(state, "draw:U place:0,3,1 tunnel:1,0,2,a pass")
    assert state.board.is_open(road) and scored(state) == []
    assert feature_at(state, 1, 0, 2) == feature_at(state, 0, 0, 1)
    do(state, "draw:W place:2,0,0 pass")
    assert scored(state) == ["0: road 4x1 = 4"]


@pytest.mark.rule("TUN-03")
def test_two_tokens_of_different_pairs_or_players_join_nothing() -> None:
    for green in ("b", "a"):
        state = lay(begin("base+tunnel", 2), "TU02 1,0,0")
        do(
            state,
            f"draw:U place:-1,0,1 tunnel:1,0,1,a pass draw:U place:-2,0,1 tunnel:1,0,2,{green}",
        )
        do(state, "pass")
        assert feature_at(state, 1, 0, 2) != feature_at(state, 1, 0, 1)


@pytest.mark.rule("TUN-03")
def test_an_open_mouth_leaves_a_road_incomplete() -> None:
    state = lay(begin("base+tunnel", 2), "W -1,0,2")
    do(state, "draw:TU02 place:1,0,0 claim:1,meeple pass")
    assert scored(state) == []
    assert scored(finish(state)) == ["0: road 3x1 = 3"]


@pytest.mark.rule("TUN-03")
def test_a_position_with_tunnels_is_read_as_it_was() -> None:
    state = do(begin("base+tunnel", 2), "draw:W place:-1,0,2 pass draw:TU02 place:1,0,0")
    do(state, "tunnel:1,0,1,a pass draw:U place:0,1,1 pass pass")
    again = State.from_text(state.to_text())
    for each in (state, again):
        do(each, "draw:U place:0,2,1 tunnel:1,0,2,a pass draw:W place:2,0,0 pass")
        assert not each.board.is_open(feature_at(each, 0, 0, 1))


@pytest.mark.rule("TUN-02", "MEE-01")
def test_one_token_in_both_parts_of_a_builder_s_turn() -> None:
    state = lay(begin("base+traders+tunnel", 2), "TU02 1,0,0")
    put(state, 0, (0, 0, 1))
    put(state, 0, (0, 0, 1), kind="builder")
    do(state, "draw:U place:-1,0,1 tunnel:1,0,1,a pass draw:E place:0,-1,2")
    assert state.to_dict()["extra_turn"] and not tunnels(state)
    do(state, "pass draw:U place:-2,0,1")
    assert state.active_player == 1 and tunnels(state)
    do(state, "tunnel:1,0,2,a pass draw:U place:-3,0,1")
    assert state.active_player == 0


def built(spec: str) -> State:
    """Red's builder on the road of the start tile; a tunnel between it and a road in the east."""
    state = lay(begin(spec, 2), "TU02 1,0,0", "U 2,0,1", "E 0,-1,2")
    put(state, 0, (0, 0, 1))
    put(state, 0, (0, 0, 1), kind="builder")
    return do(state, "draw:B place:0,1,0 tunnel:1,0,1,a pass draw:B place:1,1,0 pass pass")


@pytest.mark.rule("TRD-02", "TUN-03")
@pytest.mark.parametrize(("option", "again"), [("on", True), ("off", False)])
def test_a_token_that_lengthens_the_builder_s_road_brings_a_second_tile(
    option: str, again: bool
) -> None:
    """WikiCarpedia: placement of a tunnel marker does, if more tiles become part of the road."""
    state = built(f"base+traders+tunnel(builders={option})")
    do(state, "draw:B place:2,1,0 pass tunnel:1,0,2,a")
    assert (state.active_player == 0, state.to_dict()["extra_turn"]) == (again, again)
    do(state, "draw:B place:3,1,0 pass")
    assert state.active_player == (1 if again else 0)


@pytest.mark.rule("TRD-02", "TUN-03")
def test_a_token_brings_nothing_to_others_or_where_no_tile_is_added() -> None:
    """Green joins red's road; and red joins both mouths of a tile on which his road ends twice."""
    state = built("base+traders+tunnel")
    do(state, "draw:B place:2,1,0 pass pass draw:B place:3,1,0 tunnel:1,0,2,a pass")
    assert state.active_player == 0 and not state.to_dict()["extra_turn"]
    state = lay(begin("base+traders+tunnel", 2), "TU02 1,0,0")
    put(state, 0, (1, 0, 1))
    put(state, 0, (1, 0, 1), kind="builder")
    do(state, "draw:B place:0,1,0 tunnel:1,0,1,a pass draw:B place:1,1,0 pass pass")
    do(state, "draw:B place:2,1,0 pass tunnel:1,0,2,a")
    assert state.active_player == 1


@pytest.mark.rule("MEE-01", "TUN-02")
def test_for_a_player_alone_each_tile_is_a_turn() -> None:
    state = do(begin("base+tunnel", 1), "draw:TU02 place:1,0,0 tunnel:1,0,1,a pass")
    assert tunnels(do(state, "draw:U place:-1,0,1"))
