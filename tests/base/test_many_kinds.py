"""Tiles of strangers: many sorts of marks and terrains, edges that fit any or share a field."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.notation import do, feature_at, scored, skip, tile_file, written

from carc import Expansion, FollowerKind, Rules, State
from carc.base.tiles.tile import SegmentKind
from carc.base.turn.scoring import Journal
from carc.errors import BadRules


class Lands(Expansion):
    """More sorts of edge: a kind of segment for each letter."""

    def __init__(self, letters: str) -> None:
        super().__init__()
        self.letters = letters

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        more = [SegmentKind(f"land{letter.lower()}", letter) for letter in self.letters]
        return [*kinds, *more]


class Giants(Expansion):
    """One follower more, of this weight."""

    def __init__(self, power: int) -> None:
        super().__init__()
        self.power_of_one = power

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("giant", self.power_of_one, 1)]


def begin(folder: Path, tiles: str, parts: Sequence[Expansion] = ()) -> State:
    state = Rules(parts, 2, "", written(folder, tile_file("base", tiles))).start()
    state.journal = Journal()
    return state


def kinds(state: State, kind: str) -> list[tuple[int, bool]]:
    """Of how many segments each feature of a kind is, and whether it is complete."""
    found = [f for f in state.to_dict("features")["features"] if f["kind"] == kind]
    return sorted((len(f["segments"]), f["complete"]) for f in found)


# -- marks -----------------------------------------------------------------------------------------

SORTS = [f"m{letter}" for letter in "abcdefghijklmnopq"]  # 17: three words of seven


@pytest.mark.parametrize("sorts", [1, 7, 8, 14, 17])
def test_any_number_of_sorts_of_marks_is_counted(sorts: int, tmp_path: Path) -> None:
    """Each tile's road carries sort number i (i mod 9) + 1 times; three in a row, thrice that."""
    marks = " ".join(f"{name}={i % 9 + 1}" for i, name in enumerate(SORTS[:sorts]))
    tile = f"tile LANE 9 FRFR: road E W {marks}; field N EL WR; field S ER WL\nstart LANE 0,0"
    state = begin(tmp_path, tile)
    do(state, "draw:LANE place:1,0,0 pass draw:LANE place:2,0,2 pass")
    road = state.board.feature_of(state.board.segment_at(1, 0, 0))
    field = state.board.feature_of(state.board.segment_at(1, 0, 1))
    for i, name in enumerate(SORTS[:sorts]):
        number = state.rules.catalogue.mark(name)
        assert state.board.mark(road, number) == 3 * (i % 9 + 1), name
        assert state.board.mark(field, number) == 0
    (told,) = (f["marks"] for f in state.to_dict("features")["features"] if f["kind"] == "road")
    assert told == {name: 3 * (i % 9 + 1) for i, name in enumerate(SORTS[:sorts])}
    assert state.board.mark(road, state.rules.catalogue.mark("unheard_of")) == 0


SHEEP = "tile B {copies} FFFF: field N E S W sheep={mark}\nstart B 0,0"


def test_255_of_a_mark_are_held_and_256_refused(tmp_path: Path) -> None:
    assert begin(tmp_path, SHEEP.format(copies=51, mark=5)).tiles_left == 50  # 51 x 5 = 255
    with pytest.raises(BadRules) as refused:
        begin(tmp_path, SHEEP.format(copies=32, mark=8))
    assert str(refused.value) == "the tiles' sheep add up to 256; at most 255 are allowed"


# -- terrains and followers ------------------------------------------------------------------------


def lands(letters: str) -> str:
    return "".join(f"tile T{x} 1 {x * 4}: land{x.lower()} N E S W\n" for x in letters)


REST = "tile B 2 CRFR: city N; road E W; field EL WR; field ER S WL\nstart B 0,0\n"


def test_seven_sorts_of_edges_are_told_apart_and_eight_refused(tmp_path: Path) -> None:
    state = begin(tmp_path, REST + lands("XYZV"), [Lands("XYZV")])
    assert state.to_dict()["bag"] == {"B": 1, "TX": 1, "TY": 1, "TZ": 1, "TV": 1}
    for name in ("TX", "TY", "TZ", "TV"):
        do(state, f"draw:{name}")  # fits nowhere, so it goes
    assert state.to_dict()["discarded"] == ["TX", "TY", "TZ", "TV"]
    with pytest.raises(BadRules) as refused:
        begin(tmp_path, REST + lands("XYZVW"), [Lands("XYZVW")])
    said = "the tiles have edges of 8 sorts (C F R V W X Y Z); at most 7 are allowed"
    assert str(refused.value) == said


def test_followers_of_255_together_are_counted_and_256_refused(tmp_path: Path) -> None:
    state = begin(tmp_path, REST, [Giants(248)])  # beside 7 meeples
    for owner, segment in ((0, 2), (1, 3)):
        state.put_follower(state.board.segment_at(0, 0, segment), owner, 1)
    assert [state.board.supply_of(owner, 1) for owner in (0, 1)] == [0, 0]
    with pytest.raises(BadRules) as refused:
        begin(tmp_path, REST, [Giants(249)])
    said = "the followers of a colour count 256 together; at most 255 are allowed"
    assert str(refused.value) == said


# -- edges that fit any ----------------------------------------------------------------------------

CROSS = """
tile ABBEY 2 ????: monastery
tile RN 1 RFFF: road N; field NL NR E S W
tile RE 1 FRFF: road E; field N EL ER S W
tile RS 1 FFRF: road S; field N E SL SR W
tile RW 1 FFFR: road W; field N E S WL WR
start RS 0,-1
start RW 1,0
start RN 0,1
start RE -1,0
"""


def test_an_abbey_completes_the_four_roads_around_it(tmp_path: Path) -> None:
    state = begin(tmp_path, CROSS)
    for owner, (x, y) in enumerate([(0, -1), (1, 0)]):
        state.put_follower(state.board.segment_at(x, y, 0), owner, 0)
    assert kinds(state, "road") == [(1, False)] * 4
    skip(do(state, "draw:ABBEY place:0,0,0"))
    assert kinds(state, "road") == [(1, True)] * 4
    assert scored(state) == ["0: road 1x1 = 1", "1: road 1x1 = 1"]
    assert [state.board.supply_of(owner) for owner in (0, 1)] == [7, 7]


def test_a_road_laid_at_an_abbey_ends_there_and_fields_do_not_go_on(tmp_path: Path) -> None:
    tiles = CROSS[: CROSS.index("start")].replace("RN 1", "RN 3") + "start ABBEY 0,0\n"
    state = begin(tmp_path, tiles)
    do(state, "draw:RN place:0,1,0 claim:0,meeple")
    assert scored(state) == ["0: road 1x1 = 1"]
    do(state, "draw:RN place:0,-1,0 pass")  # a field meets the abbey
    assert kinds(state, "field") == [(1, False)] * 2
    assert kinds(state, "monastery") == [(1, False)]


def test_a_city_beside_an_abbey_is_closed(tmp_path: Path) -> None:
    tiles = """
tile ABBEY 1 ????: monastery
tile GATE 1 CFCF: city N S; field E touches=0; field W touches=0
tile END 1 CFFF: city N; field E S W touches=0
start GATE 0,0
"""
    state = begin(tmp_path, tiles)
    do(state, "draw:END place:0,1,0 claim:0,meeple")
    assert kinds(state, "city") == [(2, False)]
    skip(do(state, "draw:ABBEY place:0,-1,0"))
    assert scored(state)[0] == "0: city 2x2 = 4"
    assert kinds(state, "city") == [(2, True)]


# -- fields that share an edge ---------------------------------------------------------------------

SPLIT = """
tile SPLIT 3 FFFF: field NL S W; field NR E
tile PLAIN 1 FFFF: field N E S W
start SPLIT 0,0
"""


def test_two_fields_that_meet_at_an_edge_stay_two_across_it(tmp_path: Path) -> None:
    """Turned round, the right half lies against the left one, the left against the right."""
    state = do(begin(tmp_path, SPLIT), "draw:SPLIT place:0,-1,2")
    assert kinds(state, "field") == [(2, False)] * 2
    one, other = (state.board.feature_of(state.board.segment_at(0, 0, index)) for index in (0, 1))
    assert state.board.feature_of(state.board.segment_at(0, -1, 1)) == one
    assert state.board.feature_of(state.board.segment_at(0, -1, 0)) == other


def test_an_undivided_field_across_the_edge_joins_them(tmp_path: Path) -> None:
    state = do(begin(tmp_path, SPLIT), "draw:PLAIN place:0,-1,0")
    assert kinds(state, "field") == [(3, False)]


def test_where_they_share_no_edge_they_stay_apart(tmp_path: Path) -> None:
    state = do(begin(tmp_path, SPLIT), "draw:PLAIN place:0,1,0")
    assert kinds(state, "field") == [(1, False), (2, False)]


SHARED = """
tile A 2 CCFC: city N W; city E shares=N; field S
tile B 9 CFFF: city N; field E S W
"""


def test_what_is_laid_at_a_shared_edge_joins_both_and_each_edge_is_closed_once(
    tmp_path: Path,
) -> None:
    """A's two cities meet in the north only: B there makes one of 2 tiles, open east and west."""
    state = begin(tmp_path, SHARED + "start A 0,0\n")
    one, other = state.board.segment_at(0, 0, 0), state.board.segment_at(0, 0, 1)
    assert [state.board.open_edges(state.board.feature_of(s)) for s in (one, other)] == [2, 2]
    told = [f["open_edges"] for f in state.to_dict()["features"] if f["kind"] == "city"]
    assert told == [2, 2]
    skip(do(state, "draw:B place:0,-1,2 claim:0,meeple"))
    city = state.board.feature_of(one)
    assert city == state.board.feature_of(other)
    assert (state.board.open_edges(city), state.board.tiles_of(city)) == (2, 2)
    assert state.board.is_open(city)
    skip(do(state, "draw:B place:1,0,3"))
    assert state.board.open_edges(state.board.feature_of(one)) == 1
    skip(do(state, "draw:B place:-1,0,1"))
    assert scored(state) == ["0: city 4x2 = 8"]


def test_two_shared_edges_that_meet_join_all_four(tmp_path: Path) -> None:
    """A, and A turned round above it: all four cities join, each tile opens two more edges."""
    state = begin(tmp_path, SHARED + "start A 0,0\n")
    skip(do(state, "draw:A place:0,-1,2 claim:0,meeple"))
    (city,) = {feature_at(state, 0, y, i) for y in (0, -1) for i in (0, 1)}
    assert (state.board.open_edges(city), state.board.tiles_of(city)) == (4, 2)
