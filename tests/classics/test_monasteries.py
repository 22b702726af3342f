"""German Monasteries, counted by hand."""

from typing import Any

import pytest
from support.notation import (
    LAST_OF_RING,
    RING,
    begin,
    do,
    emptied,
    expansion_of,
    finish,
    kept,
    lay,
    legal,
    put,
    scored,
    standing,
)

from carc import Rules, State
from carc.classics.count.count_state import QUARTERS
from carc.errors import BadPosition

GERMAN = (0, 2, 1)  # MO05 at 0,2, within the ring
CLOSED = "9x1, row and column 3x-1 = 6"  # what it is worth at the end then to who lies there


def bed(state: State, owner: int, place: tuple[int, int, int], kind: str = "meeple") -> State:
    """Lay an owner's follower down in a German monastery."""
    segment, number = state.board.segment_at(*place), state.rules.follower_number(kind)
    state.board.seat_follower(segment, owner, number)
    kept(state, "monasteries").lay_last(state.board, segment)
    return state


def seat(state: State, owner: int, place: tuple[int, int, int], kind: str = "meeple") -> State:
    """Let an owner's follower stand there."""
    number = state.rules.follower_number(kind)
    state.board.seat_follower(state.board.segment_at(*place), owner, number)
    return state


@pytest.mark.rule("MON-01")
def test_a_follower_may_stand_or_lie_in_a_german_monastery_but_not_in_another() -> None:
    state = do(begin("base+abbey+monasteries", 2), "draw:MO01 place:0,1,0")
    assert {"claim:0,meeple", "lie:0,meeple"} <= set(legal(state))
    assert "lie:0,mayor" not in legal(state), "it goes to cities only"
    do(state, "lie:0,meeple draw:B place:0,2,0")
    assert not [text for text in legal(state) if text.startswith("lie")]
    assert state.board.is_claimed(state.board.segment_at(0, 1, 0))


@pytest.mark.rule("MON-01")
@pytest.mark.parametrize(("others", "tiles"), [("on", {"A": 2, "B": 4}), ("off", {})])
def test_they_are_added_or_replace_the_other_monasteries(
    others: str, tiles: dict[str, int]
) -> None:
    rules = Rules.from_spec(f"base+monasteries(others={others})", 2)
    known = {tile.name: tile.copies for tile in rules.catalogue.tiles}
    assert {name: known[name] for name in ("A", "B") if name in known} == tiles
    assert known["MO01"] == 1
    assert rules.start().tiles_left == 71 + sum(tiles.values())


@pytest.mark.rule("MON-01")
def test_one_who_lies_scores_the_row_and_the_column_to_the_first_gap() -> None:
    """The tile itself, 1 to the north, 2 to the south, 1 to the east; a gap before 4,1. Five tiles
    make an incomplete monastery of the eight around: north, south, east, and one over a corner.
    """
    state = do(begin("base+monasteries", 2), "draw:MO01 place:0,1,0 lie:0,meeple")
    lay(state, "B 0,2,0", "B 0,3,0", "B 1,1,0", "B 3,1,0", "B 1,2,0")
    assert scored(finish(state)) == ["0: monastery 5x1 = 5"]
    state = do(begin("base+monasteries", 2), "draw:MO01 place:0,1,0 lie:0,meeple")
    lay(state, "B 0,2,0", "B 0,3,0", "B 1,1,0", "B 3,1,0", "B -1,1,0")
    # 1, and 1 north, 2 south, 1 east, 1 west; of the eight around, 4.
    assert scored(finish(state)) == ["0: monastery 5x1, row and column 1x1 = 6"]


@pytest.mark.rule("MON-01")
def test_it_may_be_less_than_a_monastery() -> None:
    """All around are there, and nothing behind them but the start tile: 5 and 1."""
    state = bed(lay(begin("base+monasteries", 2), "MO05 0,2,0", *RING), 0, GERMAN)
    do(state, LAST_OF_RING)
    assert scored(state) == [], "nothing is scored before the end"
    assert scored(finish(state)) == ["0: monastery 9x1, row and column 3x-1 = 6"]


@pytest.mark.rule("MON-01")
def test_one_who_stands_scores_as_usual() -> None:
    state = put(lay(begin("base+monasteries", 2), "MO05 0,2,0", *RING), 0, (0, 2, 1))
    assert scored(do(state, LAST_OF_RING)) == ["0: monastery 9x1 = 9"]


@pytest.mark.rule("MON-01")
def test_one_may_lie_down_where_the_last_place_around_was_just_filled() -> None:

    state = lay(begin("base+monasteries", 2), *("B 0,1,0", "B -1,1,0", "B 1,1,0", "B -1,2,0"))
    lay(state, "B 1,2,0", "B -1,3,0", "B 0,3,0", "B 1,3,0")
    do(state, "draw:MO01 place:0,2,0 lie:0,meeple")
    assert [s for s in scored(state) if s.startswith("0")] == []
    assert len(state.board.all_followers()) == 1


@pytest.mark.rule("MON-01")
def test_where_nobody_lies_any_more_nothing_is_kept() -> None:
    state = do(begin("base+monasteries", 2), "draw:MO01 place:0,1,0 lie:0,meeple")
    assert state.to_dict()["pieces"][0]["kind"] == "bed"
    state.take_follower(state.board.segment_at(0, 1, 0))
    assert standing(state, "bed") == {}


@pytest.mark.rule("MON-01", "BASE-09", "DRG-04")
def test_when_the_follower_has_left_others_may_lie_down_in_a_surrounded_one() -> None:
    """A portal leads there."""
    state = bed(lay(begin("base+dragon+monasteries", 2), "MO05 0,2,0", *RING), 0, GERMAN)
    do(state, LAST_OF_RING)
    state.take_follower(state.board.segment_at(*GERMAN))
    do(state, "draw:PD08 place:-1,0,2 portal:0,2,1,meeple")
    assert len(standing(state, "bed")) == 1


@pytest.mark.rule("ABB-02")
@pytest.mark.rule("MON-01")
def test_an_abbot_who_lies_may_come_home_for_the_tiles_around_him() -> None:
    """Four with his own: two in his column, and one over a corner. Row and column
    would bring five."""
    state = do(begin("base+abbot+monasteries", 2), "draw:MO01 place:0,1,0 lie:0,abbot")
    lay(state, "B 0,2,0", "B 0,3,0", "B 0,4,0")
    do(state, "draw:U place:-1,0,1 pass draw:U place:-2,0,1 abbot")
    assert scored(state) == ["0: abbot 4x1 = 4"]
    assert standing(state, "bed") == {} and not state.board.occupied_segments()


@pytest.mark.rule("ABB-02")
@pytest.mark.rule("MON-01")
def test_an_abbot_who_lies_stays_when_tiles_lie_all_around() -> None:
    state = lay(begin("base+abbot+monasteries", 2), "MO05 0,2,0", *RING)
    bed(state, 0, GERMAN, "abbot")
    do(state, "draw:U place:-1,0,1")
    assert "abbot" in legal(state), "one of the eight is missing"
    do(state, f"pass {LAST_OF_RING} draw:U place:1,0,1")
    assert state.current_player == 0 and "abbot" not in legal(state)


@pytest.mark.rule("MON-01", "FLY-01")
def test_one_who_lies_stays_there_when_another_who_flew_in_leaves() -> None:
    """Three tiles in its column."""
    state = do(begin("base+abbot+flier+monasteries", 2), "draw:MO01 place:0,1,0 lie:0,meeple")
    seat(state, 1, (0, 1, 0), "abbot")
    do(state, "draw:U place:1,0,1 abbot")
    assert standing(state, "bed") == {(0, 1, 0): 1}
    assert scored(finish(state))[-1] == "0: monastery 3x1, row and column 1x-1 = 2"


@pytest.mark.rule("MON-01", "PHA-01")
def test_a_phantom_may_lie_down_after_another_follower() -> None:
    """JCloisterZone #119."""
    state = do(begin("base+monasteries+phantom", 2), "draw:MO05 place:0,1,0 claim:0,meeple")
    assert "lie:1,phantom" in legal(state)
    do(state, "lie:1,phantom")
    assert standing(state, "bed") == {(0, 1, 1): 1}


# How a follower comes to MO05 at 0,1 otherwise than by a claim: expansion, tiles laid by hand, the
# segment and kind of a figure put there, the moves.
WAYS = {
    "portal": ("dragon", (), (), "draw:PD12 place:0,-1,2 portal:0,1,1,meeple"),
    "flight": ("flier", (), (), "draw:FL01 place:1,2,0 fly:meeple flight:1 land:0,1,1"),
    "wagon": ("abbey", ("W -1,0,2",), ((0, 0, 1),), "draw:W place:1,0,2 pass wagon:0,1,1,wagon"),
}


@pytest.mark.rule("MON-01", "ABM-03", "FLY-01", "DRG-04")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("chosen", ["rest", "pass"])
def test_a_follower_may_lie_down_however_it_comes(way: str, chosen: str) -> None:
    """JCloisterZone #134, #318, #379. Four tiles south of it make the column long."""
    expansion, tiles, figures, moves = WAYS[way]
    names = "+".join(sorted([expansion, "monasteries"]))
    south = [f"B 0,{y},0" for y in range(2, 6)]
    state = lay(begin(f"base+{names}", 2), "MO05 0,1,0", *south, *tiles)
    do(put(state, 0, *figures, kind="wagon"), moves)
    assert (state.step.name, state.current_player, legal(state)) == ("rest", 0, ["rest", "pass"])
    do(state, chosen)
    assert kept(state, "monasteries").arrived == -1
    (monastery,) = [text for text in scored(finish(state)) if "monastery" in text]
    assert ("row and column" in monastery) is (chosen == "rest")


@pytest.mark.rule("MON-01", "ABM-03")
@pytest.mark.parametrize(("option", "step"), [("near", "wagon"), ("touching", "draw")])
def test_a_wagon_does_not_come_back_to_what_it_was_scored_in(option: str, step: str) -> None:
    """Other monasteries are nearby; none touches it."""
    state = lay(begin(f"base+abbey(wagon={option})+monasteries", 2), "MO05 0,2,0", *RING)
    do(put(state, 0, (0, 2, 1), kind="wagon"), LAST_OF_RING)
    assert scored(state) == ["0: monastery 9x1 = 9"]
    assert state.step.name == step and "wagon:0,2,1,wagon" not in legal(state)


@pytest.mark.rule("MON-01", "FLY-01")
@pytest.mark.parametrize("first", [bed, seat])
@pytest.mark.parametrize("chosen", ["rest", "pass"])
def test_who_flies_to_one_where_somebody_is_may_stand_or_lie(first: Any, chosen: str) -> None:
    """JCloisterZone #318; WikiCarpedia: standing or lying, whenever a follower comes there."""
    state = lay(begin("base+flier+monasteries", 2), "MO05 0,1,0", "B 0,2,0")
    do(first(state, 1, (0, 1, 1)), "draw:FL01 place:1,2,0 fly:meeple flight:1 land:0,1,1")
    assert (state.step.name, state.current_player, legal(state)) == ("rest", 0, ["rest", "pass"])
    do(state, chosen)
    beds = [one for one in state.to_dict()["pieces"] if one["kind"] == "bed"]
    lying = [owner for owner, lies in ((1, first is bed), (0, chosen == "rest")) if lies]
    assert [one["owner"] for one in beds] == lying


@pytest.mark.rule("MON-01")
def test_those_who_stand_are_scored_and_those_who_lie_stay() -> None:
    """Red stands, and green lies with two."""
    state = lay(begin("base+monasteries", 2), "MO05 0,2,0", *RING)
    do(seat(bed(bed(state, 1, GERMAN), 1, GERMAN), 0, GERMAN), LAST_OF_RING)
    assert scored(state) == ["0: monastery 9x1 = 9"]
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (7, 5)
    assert state.board.is_open(state.board.segment_at(*GERMAN))
    assert scored(finish(state))[1:] == [f"1: monastery {CLOSED}"]


@pytest.mark.rule("MON-01")
def test_at_the_end_those_who_stand_and_those_who_lie_score_by_their_own_majority() -> None:
    """Four of the eight around lie there; 2 in the row, 3 in the column."""
    state = lay(begin("base+inns+monasteries", 3), "MO01 0,1,0", "B 0,2,0", "B 0,3,0", "B 1,1,0")
    lay(state, "B 3,1,0", "B -1,1,0")
    place = (0, 1, 0)
    bed(bed(seat(seat(state, 0, place), 1, place), 2, place, "big"), 2, place)
    bed(bed(state, 1, place), 0, place)
    points = "5x1, row and column 1x1 = 6"
    assert state.owners_of(state.board.segment_at(*place)) == [0, 1]
    assert scored(finish(state)) == [
        "0: monastery 5x1 = 5",
        "1: monastery 5x1 = 5",
        f"2: monastery {points}",
    ]
    assert state.board.supply_of(0) == 5, "all are still there"


@pytest.mark.rule("MON-01")
@pytest.mark.parametrize(
    ("came", "beds"), [([bed, seat, bed], [2, 1, 1, 0]), ([seat, bed, seat], [1, 1, 0, 0])]
)
def test_of_two_alike_who_came_first_leaves(came: list[Any], beds: list[int]) -> None:
    state = lay(begin("base+monasteries", 2), "MO05 0,2,0")
    for come in came:
        come(state, 0, GERMAN)
    for left in beds:
        assert len(state.to_dict()["pieces"]) == left
        if state.board.has_follower(state.board.segment_at(*GERMAN)):
            state.take_follower(state.board.segment_at(*GERMAN), 0, 0)


@pytest.mark.rule("CNT-02", "MON-01")
@pytest.mark.parametrize(
    ("gone", "scoring"), [((), [0, 2]), ((0,), [2]), ((0, 1), [2]), ((1, 0), [2]), ((0, 2), [])]
)
def test_it_is_completed_if_somebody_still_stands_there(
    gone: tuple[int, ...], scoring: list[int]
) -> None:
    """Red and blue stand, green lies with two. Who comes from Carcassonne then stands, too."""
    ring = [f"B {x},{y},0" for x in (-1, 0, 1) for y in (4, 5, 6) if (x, y) not in ((0, 5), (1, 6))]
    state = lay(begin("base+count+monasteries", 3), "MO05 0,5,0", *ring)
    place = (0, 5, 1)
    bed(bed(seat(seat(state, 0, place), 2, place), 1, place), 1, place)
    expansion_of(state, "count").city._move(state, list(QUARTERS).index("cathedral"), 1, 0, 1)
    do(state, "draw:B place:1,6,0")
    for owner in gone:
        state.take_follower(state.board.segment_at(*place), owner, 0)
    do(state, "pass")
    assert (state.step.name == "join") is bool(scoring)
    if scoring:
        do(state, "join:0,5,1,meeple")
        assert state.step.name != "rest"
    winners = sorted([*scoring, 1]) if scoring else []
    assert scored(state) == [f"{owner}: monastery 9x1 = 9" for owner in winners]
    assert state.board.is_open(state.board.segment_at(*place))
    assert sum(one["kind"] == "bed" for one in state.to_dict()["pieces"]) == 2 - gone.count(1)


@pytest.mark.rule("CUL-01", "MON-01")
def test_who_lies_has_no_part_in_a_challenge() -> None:
    """Green's shrine is completed beside the monastery where red stands and lies."""
    tiles = ["MO05 -1,2,0", *(tile for tile in RING if not tile.startswith("B -1,2"))]
    state = lay(begin("base+cult+monasteries", 2), "CU03 0,2,0", *tiles)
    beside = (-1, 2, 1)
    do(bed(seat(seat(state, 1, GERMAN), 0, beside), 0, beside), "draw:E place:1,3,1 pass")
    assert scored(state) == ["1: monastery 9x1 = 9", "0: challenge 0 = 0"]
    assert standing(state, "bed") == {beside: 1} and state.board.supply_of(0) == 6


@pytest.mark.rule("DRG-05", "MON-01")
@pytest.mark.parametrize(("with_whom", "points"), [(0, ["0: fairy 1x3 = 3"]), (1, [])])
def test_the_fairy_with_who_lies_brings_nothing_when_others_are_scored(
    with_whom: int, points: list[str]
) -> None:
    state = lay(begin("base+dragon+monasteries", 2), "MO05 0,2,0", *RING)
    seat(bed(state, 1, GERMAN), 0, GERMAN)
    segment = state.board.segment_at(*GERMAN)
    kept(state, "dragon").companion = (segment, with_whom, 0)
    kept(state, "dragon").began = 0
    do(state, LAST_OF_RING)
    assert [text for text in scored(state) if "x3" in text] == points


@pytest.mark.rule("ABM-03", "MON-01")
def test_a_wagon_that_lies_does_not_move_on_when_others_are_scored() -> None:
    state = lay(begin("base+abbey+monasteries", 2), "MO05 0,2,0", *RING)
    do(seat(bed(state, 1, GERMAN, "wagon"), 0, GERMAN), LAST_OF_RING)
    assert state.step.name == "draw" and standing(state, "bed") == {GERMAN: 1}


@pytest.mark.rule("CNT-02", "MON-01")
def test_who_comes_from_carcassonne_stands() -> None:
    """WikiCarpedia. With this option followers join what is incomplete at the end."""
    state = lay(begin("base+count(final=all)+monasteries", 2), "MO05 0,5,0", "B 5,5,0")
    expansion_of(state, "count").city._move(state, list(QUARTERS).index("cathedral"), 1, 0, 1)
    do(emptied(state, "B"), "draw:B")
    do(state, f"{legal(state)[0]} pass join:0,5,1,meeple")
    assert state.is_terminal and standing(state, "bed") == {}


@pytest.mark.rule("MON-01")
@pytest.mark.parametrize(
    ("before", "owners"), [([1], [1]), ([0], [0]), ([1, 0], [0, 1]), ([2], None), ([], None)]
)
def test_a_position_says_who_lies_and_nobody_who_is_not_there(
    before: list[int], owners: list[int] | None
) -> None:
    state = do(begin("base+monasteries", 2), "draw:MO05 place:0,1,0 claim:1,meeple")
    bed(state, 1, (0, 1, 1))
    kept(state, "monasteries").lying[state.board.segment_at(0, 1, 1)] = before
    text = state.to_text()
    if owners is not None:
        assert [one["owner"] for one in State.from_text(text).to_dict()["pieces"]] == owners
    else:
        with pytest.raises(BadPosition):
            State.from_text(text)


@pytest.mark.rule("MON-01", "DRG-04")
def test_a_follower_lies_down_in_one_that_is_surrounded() -> None:
    """JCloisterZone #134. It is free; nobody can stand there, so nobody is asked."""
    state = lay(begin("base+dragon+monasteries", 2), "MO05 0,2,0", *RING)
    do(state, LAST_OF_RING)
    assert state.scores == [0, 0]
    do(state, "draw:PD12 place:0,-1,2 portal:0,2,1,meeple")
    assert standing(state, "bed") == {GERMAN: 1}
    assert scored(finish(state)) == ["1: monastery 9x1, row and column 2x-1 = 7"]
