"""Several followers on one segment: no rule of the base's puts them there, expansions' do."""

import pytest
from support.notation import do as play

from carc import Action, Claim, Expansion, FollowerKind, Rules, State, Step, majority
from carc.base.turn.actions import in_order
from carc.base.turn.steps import ClaimStep, index_of
from carc.drawing import draw_svg
from carc.testing import check


class Crowd(Expansion):
    """Two followers may be put down each turn, on any segment of the tile; each has two dwarfs."""

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("dwarf", power=1, supply=2)]

    def turn(self, steps: list[Step]) -> list[Step]:
        at = index_of(steps, ClaimStep)
        return [*steps[:at], steps[at], *steps[at:]]

    def restrict_claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        claims = [action for action in actions if isinstance(action, Claim)]
        for index in range(len(state.board.segments_of(state.board.last_tile))):
            for kind in range(2):
                claim = state.rules.claim(index, kind, player)
                if state.board.supply_of(player, kind) and claim not in claims:
                    claims.append(claim)
        return [*in_order(claims)]


def crowd(players: int = 2) -> Rules:
    return Rules([Crowd()], players, spec="base+crowd")


@pytest.mark.parametrize("players", [2, 3])
def test_what_holds_for_all_rules_holds_where_several_share_a_segment(players: int) -> None:
    assert check(crowd(players), games=3, every=10) > 20


def test_each_counts_is_seen_and_goes_home() -> None:
    """Red's meeple and dwarf and green's meeple on one road: red's majority; all come home."""
    state = crowd().start()
    play(state, "draw:U place:1,0,1 claim:0,meeple claim:0,dwarf draw:W place:2,0,0 pass pass")
    road = state.board.segment_at(1, 0, 0)
    state.put_follower(road, 1, 0)
    assert state.board.followers_at(road) == [(0, 0), (0, 1), (1, 0)]
    assert (state.board.owner_at(road), state.board.follower_at(road)) == (0, 0)
    assert [
        state.board.segments_with(0, 0),
        state.board.segments_with(0, 1),
        state.board.segments_with(1, 0),
    ] == [[road]] * 3
    assert majority(state, state.board.feature_of(road)) == [0]
    (told,) = (f for f in state.to_dict("features")["features"] if f["followers"])
    assert [(one["owner"], one["kind"]) for one in told["followers"]] == [
        (0, "meeple"),
        (0, "dwarf"),
        (1, "meeple"),
    ]
    drawn = draw_svg(state)
    assert drawn.count('<g transform="translate(1') == len(told["followers"]), "side by side"
    play(state, "draw:W place:-1,0,2 pass pass")
    assert state.scores == [4, 0], "the road of the start tile, U and two villages"
    assert [
        state.board.supply_of(0, 0),
        state.board.supply_of(0, 1),
        state.board.supply_of(1, 0),
    ] == [7, 2, 7]
    assert not state.board.has_follower(road)


def test_one_of_several_is_taken_by_owner_and_kind_or_the_first() -> None:
    state = crowd().start()
    play(state, "draw:U place:1,0,1 claim:0,meeple claim:0,dwarf")
    road = state.board.segment_at(1, 0, 0)
    state.put_follower(road, 1, 0)
    state.put_follower(road, 1, 0)
    before = state.copy()
    state.take_follower(road, 1, 0)
    assert state.board.followers_at(road) == [(0, 0), (0, 1), (1, 0)]
    state.take_follower(road, 0, 1)
    assert state.board.followers_at(road) == [(0, 0), (1, 0)]
    assert majority(state, state.board.feature_of(road)) == [0, 1]
    state.take_follower(road)
    assert state.board.followers_at(road) == [(1, 0)]
    assert majority(state, state.board.feature_of(road)) == [1]
    assert before.board.followers_at(road) == [(0, 0), (0, 1), (1, 0), (1, 0)], (
        "a copy keeps what it had"
    )


def test_the_base_itself_puts_one_on_a_segment_only() -> None:
    state = Rules.from_spec("base").start()
    play(state, "draw:U place:1,0,1 claim:0,meeple draw:U place:2,0,1")
    assert 0 not in {a.segment for a in state.legal_actions() if isinstance(a, Claim)}
