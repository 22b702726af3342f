"""Followers of the cathedral and a monastery in which somebody lies: they are asked there."""

import pytest
from formats.jcz.test_asked import kinds, played, written
from support.notation import begin, expansion_of, kept, lay

from carc import State
from carc.classics.count.count_state import QUARTERS
from carc.formats.jcz.joins import AskedJoins


def lying_with_tiles_around(players: int = 4) -> State:
    """Red lies in the monastery at 0,5, around which tiles lie; for us it is never complete."""
    ring = [f"B {x},{y},0" for x in (-1, 0, 1) for y in (4, 5, 6) if (x, y) != (0, 5)]
    state = lay(begin("base+count+dragon+monasteries", players), "MO05 0,5,0", *ring)
    segment = state.board.segment_at(0, 5, 1)
    state.board.seat_follower(segment, 0, 0)
    kept(state, "monasteries").lay_last(state.board, segment)
    return state


def waits(state: State, player: int, quarter: str = "cathedral") -> None:
    """Put a follower of a player in a quarter."""
    expansion_of(state, "count").city._move(state, [*QUARTERS].index(quarter), player, 0, 1)


@pytest.mark.parametrize(("quarter", "asked"), [("cathedral", True), ("castle", False)])
def test_who_waits_in_the_cathedral_is_asked_once(quarter: str, asked: bool) -> None:
    state = lying_with_tiles_around()
    waits(state, 1, quarter)
    joins = AskedJoins(state.rules)
    assert [joins.asks(state, 1), joins.asks(state, 1)] == [asked, False]


def test_nobody_is_asked_where_the_count_or_the_dragon_is_or_far_away() -> None:
    state = lying_with_tiles_around()
    waits(state, 1)
    own = kept(state, "count")
    own.count = [*QUARTERS].index("cathedral")
    assert not AskedJoins(state.rules).asks(state, 1)
    own.count = 0
    kept(state, "dragon").dragon = state.board.cell_under(state.board.segment_at(0, 5, 1))
    assert not AskedJoins(state.rules).asks(state, 1)
    kept(state, "dragon").dragon = -1
    assert AskedJoins(state.rules).asks(state, 1)
    assert not AskedJoins(lay(state, "B 9,9,0").rules).asks(state, 1)


def test_they_are_asked_after_who_laid_the_tile_who_is_last() -> None:
    state = lying_with_tiles_around()
    for player in (0, 1, 3):
        waits(state, player)
    joins = AskedJoins(state.rules)
    assert joins.asks_others(state, 1, 0) == [3]
    assert joins.asks_others(state, 1, -1) == [0, 1]


# Red lies in the monastery south of Carcassonne; green, whose crossing ends red's road, is in the
# cathedral. Two tiles are missing around the monastery.
LIES = (
    "draw:MO01 place:-1,2,0 lie:0,meeple draw:E place:-2,2,0 pass draw:U place:0,2,0 claim:0,meeple"
    " draw:W place:0,3,3 pass enter:-1,-1,0,meeple pass "
)
SPEC = "base(fields=off)+count+monasteries"


def test_who_is_asked_there_declines() -> None:
    """Their engine takes the file."""
    texts = LIES + "draw:B place:-2,3,0 pass draw:B place:-1,3,0 pass draw:V"
    moves = written(played(SPEC, texts))
    assert kinds(moves)[-4:] == ["PLACE_TILE", "PASS", "COMMIT", "PASS"]
    assert moves[-1]["player"] == 1


def test_who_declines_there_is_asked_for_the_city_after_that() -> None:
    """Green also ends another road of red's, and enters. Their engine takes the file."""
    texts = "draw:A place:-2,3,3 claim:0,meeple draw:A place:-1,3,1 pass enter:0,-1,0,meeple pass"
    moves = written(played(SPEC, f"{LIES}{texts} draw:V"))
    assert kinds(moves)[-4:] == ["COMMIT", "PASS", "DEPLOY_MEEPLE", "PASS"]


# Green has a follower with the blacksmith, too, and ends a road of red's with the last tile.
BOTH = LIES + (
    "draw:U place:1,3,1 claim:0,meeple draw:X place:2,3,0 pass enter:-1,1,0,meeple pass"
    " draw:A place:-2,3,3 claim:0,meeple draw:A place:-1,3,1 pass "
)


def test_who_joins_a_road_there_is_asked_for_the_monastery_after_that() -> None:
    """Their engine takes the file."""
    moves = written(played(SPEC, BOTH + "join:-2,3,0,meeple draw:V"))
    assert kinds(moves)[-3:] == ["COMMIT", "DEPLOY_MEEPLE", "PASS"]


def test_who_joins_no_road_declines_both_at_once() -> None:
    """Their engine takes the file."""
    moves = written(played(SPEC, BOTH + "pass pass draw:V"))
    assert kinds(moves)[-3:] == ["COMMIT", "PASS", "PASS"]  # the second: to enter Carcassonne


def test_a_player_is_asked_again_for_another_monastery() -> None:
    """Red lies in a second one, and green ends a road with the last tile around it, and enters.

    Their engine takes the file.
    """
    texts = LIES + (
        "draw:MO02 place:-2,3,0 lie:0,meeple draw:B place:-1,3,0 pass draw:B place:-3,2,0 pass"
        " draw:B place:-3,3,0 pass draw:A place:-3,4,3 claim:0,meeple draw:E place:-1,4,2 pass"
        " draw:U place:1,3,1 pass draw:A place:-2,4,1 pass enter:0,-1,0,meeple pass draw:V"
    )
    moves = written(played(SPEC, texts))
    assert kinds(moves)[-4:] == ["COMMIT", "PASS", "DEPLOY_MEEPLE", "PASS"]
