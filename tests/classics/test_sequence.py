"""The order in which points are made (SEQ): what changes a feature's, every two together."""

from itertools import permutations
from typing import ClassVar

import pytest
from support.notation import begin, do, finish, haunt, kept, lay, put, scored

from carc import Expansion, Rules, State, points_for
from carc.base.expansions.base_game import Base
from carc.base.expansions.expansion import (
    A_TILE,
    A_TILE_MORE,
    ADDED,
    DOUBLED,
    HALVED,
    LESSENED,
    VALUED,
)
from carc.base.turn.scoring import Journal, score_feature
from carc.classics.mage import NAMES


class Changes(Expansion):
    """Changes the value of a road, or an owner's part of it, at the stage of its class."""

    def _change(self, state: State, feature: int, points: int) -> int:
        raise NotImplementedError

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        return self._change(state, feature, points)


class Part(Changes):
    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        return points

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        return self._change(state, feature, points)


class Itself(Changes):
    ORDER: ClassVar = {"feature_points": VALUED}

    def _change(self, state: State, feature: int, points: int) -> int:
        return points + 1


class Tiles(Changes):
    ORDER: ClassVar = {"feature_points": A_TILE}

    def _change(self, state: State, feature: int, points: int) -> int:
        return 2 * points


class More(Changes):
    ORDER: ClassVar = {"feature_points": A_TILE_MORE}

    def _change(self, state: State, feature: int, points: int) -> int:
        return points + state.board.tiles_of(feature)


class Half(Changes):
    ORDER: ClassVar = {"feature_points": HALVED}

    def _change(self, state: State, feature: int, points: int) -> int:
        return (points + 1) // 2


class Once(Changes):
    ORDER: ClassVar = {"feature_points": ADDED}

    def _change(self, state: State, feature: int, points: int) -> int:
        return points + 3


class Mine(Part):
    ORDER: ClassVar = {"player_points": ADDED}

    def _change(self, state: State, feature: int, points: int) -> int:
        return points + 5


class Less(Part):
    ORDER: ClassVar = {"player_points": LESSENED}

    def _change(self, state: State, feature: int, points: int) -> int:
        return max(0, points - 2)


class Twice(Part):
    ORDER: ClassVar = {"player_points": DOUBLED}

    def _change(self, state: State, feature: int, points: int) -> int:
        return 2 * points


HAUNTED = "draw:U place:1,0,1 claim:0,meeple"
STAGES = (Itself, Tiles, More, Half, Once, Mine, Less, Twice)


def worth(*classes: type[Expansion]) -> int:
    """A road of two tiles, changed by these, asked in this order by name."""
    made = [Base(), *(each() for each in classes)]
    for name, expansion in zip(["base", *"abcdefgh"], made, strict=False):
        expansion.name = name
        expansion.chosen = {key: values[0] for key, values in expansion.options().items()}
    state = Rules(made, 2, "base+trial").start()
    state.journal = Journal()
    do(state, "draw:U place:1,0,1 claim:0,meeple")
    return points_for(state, state.board.feature_of(state.board.segment_at(1, 0, 0)), 0, False)


@pytest.mark.rule("SEQ-01", "SEQ-02")
def test_the_stages_follow_each_other_whatever_the_names() -> None:
    """2 tiles: 2, and 1 is 3, twice 6, and 2 is 8, half 4, and 3 is 7, and 5 is 12, less 2 is 10,
    twice 20.
    """
    assert worth(*STAGES) == 20
    assert worth(*reversed(STAGES)) == 20


# Counted by hand for a road of two tiles: what every two stages make of it, the earlier first.
TWO: dict[tuple[type[Expansion], type[Expansion]], int] = {
    (Itself, Tiles): 6, (Itself, More): 5, (Itself, Half): 2, (Itself, Once): 6, (Itself, Mine): 8,
    (Itself, Less): 1, (Itself, Twice): 6, (Tiles, More): 6, (Tiles, Half): 2, (Tiles, Once): 7,
    (Tiles, Mine): 9, (Tiles, Less): 2, (Tiles, Twice): 8, (More, Half): 2, (More, Once): 7,
    (More, Mine): 9, (More, Less): 2, (More, Twice): 8, (Half, Once): 4, (Half, Mine): 6,
    (Half, Less): 0, (Half, Twice): 2, (Once, Mine): 10, (Once, Less): 3, (Once, Twice): 10,
    (Mine, Less): 5, (Mine, Twice): 14, (Less, Twice): 0,
}  # fmt: skip


@pytest.mark.rule("SEQ-01", "SEQ-02")
@pytest.mark.parametrize(("first", "second"), TWO)
def test_every_two_stages(first: type[Expansion], second: type[Expansion]) -> None:
    assert worth(first, second) == TWO[first, second]
    assert worth(second, first) == TWO[first, second]


@pytest.mark.rule("SEQ-02")
def test_one_game_has_one_spec_however_it_is_named() -> None:
    names = ("ghosts", "inns", "king", "traders")
    made = [Rules.from_spec("+".join(["base", *order])) for order in permutations(names)]
    assert len({(rules.spec, rules.version) for rules in made}) == 1


@pytest.mark.rule("SEQ-01", "SEQ-03")
def test_an_inn_and_a_ghost() -> None:
    """A road of 5 tiles by an inn, 2 each; the ghost takes 2 off the part of its owner."""
    state = begin("base+ghosts(tiles=base)+inns", 2)
    do(state, "draw:IC15 place:1,0,0 claim:0,meeple")
    haunt(state, 1, 0, 0)
    do(state, "draw:U place:-1,0,1 draw:W place:2,0,0 draw:W place:-2,0,2 pass")
    assert scored(state) == ["0: road 5x1, inn 5x1, ghosts 1x-2 = 8"]


@pytest.mark.rule("SEQ-01", "SEQ-03")
def test_a_cathedral_and_ghosts() -> None:
    """The city of `test_inns.py`, 21; two ghosts take 4 off."""
    state = begin("base+ghosts(tiles=base)+inns", 2)
    do(state, "draw:IC01 place:0,-1,0 claim:0,meeple draw:E place:0,-2,2 pass draw:E place:1,-1,3")
    haunt(state, 0, -1, 0, 2)
    do(state, "draw:F place:-1,-1,0 pass draw:E place:-2,-1,1 pass")
    assert scored(state) == ["0: city 6x2, coat of arms 1x2, cathedral 7x1, ghosts 2x-2 = 17"]


@pytest.mark.rule("SEQ-01", "SEQ-03")
@pytest.mark.parametrize(
    ("spec", "other", "moves", "worth"),
    [
        # 5 tiles by an inn, 10, halved.
        (
            "base+inns",
            Half(),
            "draw:IC15 place:1,0,0 claim:0,meeple",
            "road 5x1, inn 5x1, Half -5 = 5",
        ),
        # 5 tiles by an inn, 10, and 3.
        (
            "base+inns",
            Once(),
            "draw:IC15 place:1,0,0 claim:0,meeple",
            "road 5x1, inn 5x1, Once +3 = 13",
        ),
        # 5 tiles, less 2 for a ghost, twice.
        ("base+ghosts(tiles=base)", Twice(), HAUNTED, "road 5x1, ghosts 1x-2, Twice +3 = 6"),
        # 5 tiles, halved, less 2 for a ghost.
        ("base+ghosts(tiles=base)", Half(), HAUNTED, "road 5x1, Half -2, ghosts 1x-2 = 1"),
    ],
)
def test_what_is_played_meets_other_stages(
    spec: str, other: Expansion, moves: str, worth: str
) -> None:
    """A road from crossing to crossing."""
    state = do(begin(spec, 2, beside=(other,)), moves)
    if "ghosts" in spec:
        haunt(state, 1, 0, 0)
    do(state, "draw:U place:-1,0,1 draw:W place:2,0,0 draw:W place:-2,0,2 pass")
    assert scored(state) == [f"0: {worth}"]


ROAD = "draw:U place:1,0,1 claim:0,meeple"
INN = "draw:IC15 place:1,0,0 claim:0,meeple"


@pytest.mark.rule("SEQ-01", "SEQ-03")
@pytest.mark.parametrize(
    ("spec", "moves", "figure", "ghosts", "worth"),
    [
        ("base+inns+mage", INN, "mage", 0, "road 5x1, inn 5x1, mage 5x1 = 15"),
        ("base+inns+mage", INN, "witch", 0, "road 5x1, inn 5x1, witch 5x-1 = 5"),
        ("base+ghosts(tiles=base)+mage", ROAD, "mage", 1, "road 5x1, mage 5x1, ghosts 1x-2 = 8"),
        ("base+ghosts(tiles=base)+mage", ROAD, "witch", 1, "road 5x1, witch 2x-1, ghosts 1x-2 = 1"),
        (
            "base+ghosts(tiles=base)+inns+mage", INN, "witch", 2,
            "road 5x1, inn 5x1, witch 5x-1, ghosts 2x-2 = 1",
        ),
    ],
)  # fmt: skip
def test_mage_and_witch_on_a_road(
    spec: str, moves: str, figure: str, ghosts: int, worth: str
) -> None:
    """A road of 5 tiles: half of 5, rounded up, is 3; half of 10, 5."""
    state = do(begin(spec, 2), moves)
    kept(state, "mage").at[NAMES.index(figure)] = state.board.segment_at(1, 0, 0)
    if ghosts:
        haunt(state, 1, 0, 0, ghosts)
    do(state, "draw:U place:-1,0,1 draw:W place:2,0,0 draw:W place:-2,0,2 pass")
    assert scored(state) == [f"0: {worth}"]


ROAD_TILES = ("U 1,0,1", "U -1,0,1", "W 2,0,0", "W -2,0,2")  # five tiles with the start tile
CITY_TILES = ("DA01 0,-1,0", "E 1,-1,3", "E -1,-1,1", "E 0,-2,2")  # the same
LABYRINTH = ("LA01 1,0,0", "W 2,0,0", "W 1,-1,3", "W 1,1,1", "W -1,0,2")  # six


@pytest.mark.rule("SEQ-01", "SEQ-03", "LIT-01", "DAR-02", "LAB-01", "MON-01")
@pytest.mark.parametrize(
    ("spec", "tiles", "place", "figure", "told"),
    [
        (
            "buildings+mage",
            ROAD_TILES,
            (1, 0, 0),
            "witch",
            "road 5x1, witch 2x-1, buildings 2x1 = 5",
        ),
        ("buildings+mage", ROAD_TILES, (1, 0, 0), "mage", "road 5x1, mage 5x1, buildings 2x1 = 12"),
        (
            "buildings+ghosts",
            ROAD_TILES,
            (1, 0, 0),
            "ghost",
            "road 5x1, buildings 2x1, ghosts 1x-2 = 5",
        ),
        (
            "darmstadt+mage",
            CITY_TILES,
            (0, -1, 0),
            "witch",
            "city 5x2, witch 5x-1, darmstadtium 1x3 = 8",
        ),
        (
            "labyrinth(followers=majority)+mage",
            LABYRINTH,
            (1, 0, 0),
            "mage",
            "road 6x1, mage 6x1, labyrinth 1x2 = 14",
        ),
        (
            "buildings+monasteries",
            ("MO01 0,1,0", "B 0,2,0", "B 0,3,0", "B 0,4,0"),
            (0, 1, 0),
            "abbot",
            "monastery 3x1, row and column 2x1, buildings 2x1 = 7",
        ),
    ],
)
def test_what_is_added_once_comes_after_what_counts_by_the_tile_and_what_halves(
    spec: str, tiles: tuple[str, ...], place: tuple[int, int, int], figure: str, told: str
) -> None:
    """A house is on the tile of the follower: 2."""
    state = put(
        lay(begin(f"base+{spec.replace('ghosts', 'ghosts(tiles=base)')}", 2), *tiles), 0, place
    )
    segment = state.board.segment_at(*place)
    if figure in NAMES:
        kept(state, "mage").at[NAMES.index(figure)] = segment
    if figure == "ghost":
        haunt(state, *place)
    if figure == "abbot":
        kept(state, "monasteries").lying = {segment: [0]}
    if "buildings" in spec:
        kept(state, "buildings").built = {state.board.tile_under(segment): 1}
    score_feature(state, state.board.feature_of(segment), figure == "abbot")
    assert scored(state) == [f"0: {told}"]


@pytest.mark.rule("SEQ-01", "SEQ-03", "INN-02")
@pytest.mark.parametrize(("figure", "worth"), [("mage", ", mage 2x1 = 2"), ("witch", " = 0")])
def test_an_inn_on_an_incomplete_road_and_a_mage(figure: str, worth: str) -> None:
    """Two tiles: nothing by the inn, and then 1 more for each; half of nothing is nothing."""
    state = do(begin("base+inns+mage", 2), INN + " draw:E place:0,-1,2 pass")
    kept(state, "mage").at[NAMES.index(figure)] = state.board.segment_at(1, 0, 0)
    assert scored(finish(state)) == [f"0: road 2x1, incomplete with inn 2x-1{worth}"]


@pytest.mark.rule("SEQ-01", "SEQ-03", "INN-03")
@pytest.mark.parametrize(("figure", "worth"), [("mage", ", mage 2x1 = 2"), ("witch", " = 0")])
def test_a_cathedral_in_an_incomplete_city_and_a_mage(figure: str, worth: str) -> None:
    state = do(begin("base+inns+mage", 2), "draw:IC01 place:0,-1,0 claim:0,meeple")
    kept(state, "mage").at[NAMES.index(figure)] = state.board.segment_at(0, -1, 0)
    assert scored(finish(state)) == [f"0: city 2x1, incomplete with cathedral 2x-1{worth}"]


@pytest.mark.rule("SEQ-01", "SEQ-03")
@pytest.mark.parametrize(
    ("figure", "worth"), [("mage", "mage 6x1 = 27"), ("witch", "witch 10x-1 = 11")]
)
def test_mage_and_witch_in_a_city_with_a_cathedral(figure: str, worth: str) -> None:
    """The city of `test_inns.py`: 6 tiles and a coat of arms, 3 each: 21; half, rounded up, 11."""
    state = begin("base+inns+mage", 2)
    do(state, "draw:IC01 place:0,-1,0 claim:0,meeple draw:E place:0,-2,2 pass draw:E place:1,-1,3")
    kept(state, "mage").at[NAMES.index(figure)] = state.board.segment_at(0, -1, 0)
    do(state, "draw:F place:-1,-1,0 pass draw:E place:-2,-1,1 pass")
    assert scored(state) == [f"0: city 6x2, coat of arms 1x2, cathedral 7x1, {worth}"]


@pytest.mark.rule("SEQ-01")
def test_a_pig_is_doubled_with_its_field() -> None:
    """One city, 3, a pig, 1, twice."""
    state = begin("base+traders", 2, beside=(Twice(),))
    do(state, "draw:U place:1,0,1 claim:2,meeple draw:E place:0,-1,2 pass")
    do(state, "draw:U place:2,0,1 claim:2,pig")
    assert scored(finish(state)) == ["0: completed city 1x3, pig 1x1, Twice +4 = 8"]


@pytest.mark.rule("SEQ-01", "TRD-04")
def test_two_with_the_majority_and_a_pig_of_one() -> None:
    """Both have a farmer on the field of one completed city, red a pig: red 3 and 1, green 3."""
    state = begin("base+traders", 2)
    do(state, "draw:U place:1,0,1 claim:2,meeple draw:E place:0,-1,2 pass")
    do(state, "draw:U place:2,0,1 claim:2,pig")
    state.put_follower(state.board.segment_at(1, 0, 2), 1, 0)
    assert scored(finish(state)) == [
        "0: completed city 1x3, pig 1x1 = 4",
        "1: completed city 1x3 = 3",
    ]
