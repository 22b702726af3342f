"""What JCloisterZone scores otherwise is noticed: positions written by hand."""

import pytest
from support.notation import begin, do, emptied, kept, lay, put

from carc import Rules
from carc.base.tiles.tile import ROAD
from carc.base.turn.scoring import Scored
from carc.formats.jcz.differences import Differences


@pytest.mark.parametrize(
    ("texts", "differs"),
    [
        (["castle by road 1x2, buildings 1x1 = 3"], True),
        (["city 2x2, buildings 1x1 = 5", "castle by city 1x5 = 5"], False),
        (["castle by road 1x4, witch 2x-1 = 2"], True),
        (["castle by city 1x4, mage 2x1 = 6"], True),
        (["castle by city 1x6 = 6", "city 2x2, mage 2x1 = 6"], False),
    ],
)
def test_what_they_score_otherwise_is_noticed(texts: list[str], differs: bool) -> None:
    state = begin("base+bridges+buildings", 2)
    scorings = [Scored(0, int(text.rpartition(" ")[2]), text) for text in texts]
    assert bool([*Differences(state.rules).after(state, "pass", scorings)]) is differs


@pytest.mark.parametrize("posture", ["lies", "stands"])
@pytest.mark.parametrize(
    ("kind", "fairy", "scored", "differs"),
    [
        ("meeple", False, "ringmaster 1x2 = 2", False),  # green's
        ("meeple", True, "road 2x1 = 2", True),
        ("ringmaster", False, "ringmaster 1x2 = 2", True),
        ("ringmaster", False, "road 2x1 = 2", False),
    ],
)
def test_who_lies_in_a_monastery_has_no_guests_there_at_the_end(
    posture: str, kind: str, fairy: bool, scored: str, differs: bool
) -> None:
    state = lay(begin("base+bigtop+dragon+monasteries", 2), "MO01 5,5,0", "BT06 6,5,0")
    who = (state.board.segment_at(5, 5, 0), 0, state.rules.follower_number(kind))
    state.board.seat_follower(*who)
    if posture == "lies":
        kept(state, "monasteries").lay_last(state.board, who[0])
    if fairy:
        kept(state, "dragon").companion = who
    differences = Differences(state.rules)
    scorings = [Scored(1, 2, scored)]
    assert not [*differences.after(state, "pass", scorings)], "the game is not over"
    for each in scorings:
        each.final = True
    found = [*differences.after(state, "pass", scorings)]
    assert bool(found) is (differs and posture == "lies")
    assert not [*differences.after(state, "tent:3", [])], "it is said once"


@pytest.mark.parametrize(("x", "y", "differs"), [(0, -1, False), (1, 0, True), (3, 0, False)])
def test_a_castle_takes_ingots_from_all_around_there(x: int, y: int, differs: bool) -> None:
    state = put(begin("base+bridges+gold", 2), 0, (0, 0, 0))
    do(state, "draw:E place:0,-1,2 pass castle:0,-1,0 draw:W place:1,0,2 pass")
    lay(state, "B 3,0,0")
    kept(state, "gold").lying[state.board.cell_under(state.board.segment_at(x, y, 0))] = 1
    differences = Differences(state.rules)
    assert not [*differences.after(state, "pass", [])]
    do(state, "draw:W place:-1,0,2 pass")
    assert bool([*differences.after(state, "pass", [])]) is differs


@pytest.mark.parametrize(("place", "differs"), [("WT03 2,0,0", True), ("WT03 4,0,0", False)])
def test_carcassonne_is_no_city_around_a_watchtower_there(place: str, differs: bool) -> None:
    state = lay(begin("base+count+watchtowers", 2), place)
    scorings = [Scored(0, 1, "watched cities 1x1 = 1")]
    assert bool([*Differences(state.rules).after(state, "pass", scorings)]) is differs


# Green's road of three tiles is complete at the lake at 1,0. From there a road leads to the east,
# which red extends; in the west red may complete one of two tiles.
LAKE = "draw:W place:-1,0,0 pass draw:FR02 place:1,0,0 pass ferry:1,0,1,to2 "
EAST = "draw:U place:2,0,1 pass "
SHORT = "draw:B place:1,-1,0 pass draw:W place:-1,1,1 pass draw:B place:1,-2,0 pass draw:V"
# The other end of the eastern road is south of the lake; alone it is complete.
SOUTH = "draw:W place:1,1,2 pass pass draw:B place:1,-1,0 pass "


@pytest.mark.parametrize(
    ("texts", "differs"),
    [
        (f"{EAST} ferry:1,0,0,to2 {SHORT}", True),
        (f"{EAST} pass {SHORT}", False),
        (f"{SOUTH} {EAST} ferry:1,0,0,to2 draw:V", True),
        (f"{SOUTH} {EAST} pass draw:V", False),
    ],
)
def test_a_completed_road_that_a_ferry_joins_to_an_open_one_is_the_longest_no_more_there(
    texts: str, differs: bool
) -> None:
    """It is said once."""
    state, found = begin("base+ferries+king", 2), list[str]()
    differences = Differences(state.rules)
    for text in (LAKE + texts).split():
        found += differences.after(do(state, text), text, [])
    assert kept(state, "king").holder[ROAD] == 1
    assert len(found) == int(differs)


@pytest.mark.parametrize(("left", "differs"), [((), True), (("B",), False)])
def test_an_abbey_at_the_end_brings_no_point_of_the_fairy_there(
    left: tuple[str, ...], differs: bool
) -> None:
    state = emptied(begin("base+abbey+dragon", 2), *left)
    scorings = [Scored(1, 1, "fairy 1x1 = 1")]
    assert bool([*Differences(state.rules).after(state, "abbey", scorings)]) is differs
    assert not [*Differences(state.rules).after(state, "place:0,1,0", scorings)]


CITY = [Scored(0, 4, "city 2x2 = 4")]


@pytest.mark.parametrize(
    ("placed", "figure", "scored", "differs"),
    [
        ("draw:B place:-1,-1,0", (0, "builder"), CITY, True),
        ("draw:B place:-1,-1,0", (0, "builder"), [], False),  # it was sent home
        ("draw:B place:-1,-1,0", (1, "pig"), CITY, False),  # nothing is scored on a field
        ("draw:B place:0,1,0", (0, "builder"), CITY, False),
    ],
)
def test_a_watchtower_that_sees_something_scores_for_builders_there(
    placed: str, figure: tuple[int, str], scored: list[Scored], differs: bool
) -> None:
    """It counts monasteries around it; the figure is on its tile."""
    state = lay(begin("base+traders+watchtowers", 2), "WT02 0,-1,2")
    put(put(state, 0, (0, 0, 0)), 0, (0, -1, figure[0]), kind=figure[1])
    differences = Differences(state.rules)
    assert not [*differences.after(do(state, placed), placed, [])]
    segment = state.board.segment_at(0, -1, figure[0])
    state.take_follower(segment, 0, state.rules.follower_number(figure[1]))
    assert bool([*differences.after(state, "pass", scored)]) is differs


@pytest.mark.parametrize(
    ("place", "labyrinths", "differs"),
    [((2, 0, 0), 1, True), ((3, 1, 0), 1, False), ((2, 0, 0), 0, False)],
)
def test_a_builder_counts_on_the_road_of_a_labyrinth_there(
    place: tuple[int, int, int], labyrinths: int, differs: bool
) -> None:
    """A road leads east from the labyrinth; another one is beside it."""
    state = lay(begin("base+labyrinth+traders", 2), "LA01 1,0,0", "U 2,0,1", "U 3,1,0")
    put(put(state, 0, place), 0, place, kind="builder")
    differences = Differences(state.rules)
    assert not [*differences.after(state, "pass", [])]
    state.take_follower(state.board.segment_at(*place), 0, state.rules.follower_number("builder"))
    scored = [Scored(0, 11, "road 9x1, labyrinth 1x2 = 11")] * labyrinths
    assert bool([*differences.after(state, "pass", scored)]) is differs


@pytest.mark.parametrize(("tower", "placed"), [("WT02", ["B -1,-1,0"]), ("WT04", [])])
def test_a_watchtower_sees_the_last_tile_and_those_who_score(tower: str, placed: list[str]) -> None:
    """The one counts monasteries, the other meeples."""
    state = lay(begin("base+traders+watchtowers", 2), f"{tower} 0,-1,2")
    put(put(state, 0, (0, 0, 0)), 0, (0, -1, 0), kind="builder")
    differences = Differences(state.rules)
    assert not [*differences.after(state, "pass", [])]
    lay(state, *placed).take_follower(state.board.segment_at(0, 0, 0), 0, 0)
    assert [*differences.after(state, "place:-1,-1,0", CITY)]


@pytest.mark.parametrize(
    ("ferry", "follower", "differs"),
    [
        ("ferry:1,0,0,to1", (1, 0, 2), True),  # the builder stays on the ferry's road
        ("ferry:1,0,1,to2", (1, 0, 2), False),  # the ferry leaves it: it goes home there, too
        ("ferry:1,0,0,to1", (0, 0, 1), False),
    ],
)
def test_a_builder_on_the_road_of_a_ferry_stays_there(
    ferry: str, follower: tuple[int, int, int], differs: bool
) -> None:
    state = do(begin("base+ferries+traders", 2), "draw:FR02 place:1,0,0 pass ferry:1,0,0,to2")
    put(put(state, 0, follower), 0, (0, 0, 1), kind="builder")
    do(state, "draw:V place:2,0,1 pass")
    differences = Differences(state.rules)
    assert not [*differences.after(state, "pass", [])]
    assert bool([*differences.after(do(state, ferry), ferry, [])]) is differs


@pytest.mark.parametrize(
    ("scored", "here", "there"),
    [
        (((1, "road 3x1 = 3"), (0, "fairy 1x3 = 3")), False, True),
        (((1, "fairy 1x3 = 3"),), True, False),
        (((1, "robber 1x1 = 1"),), True, False),
        (((1, "road 3x1 = 3"), (0, "king 1x1 = 1")), False, True),
        (((1, "road 3x1 = 3"), (1, "fairy 1x3 = 3")), True, True),
        (((1, "road 3x1 = 3"), (0, "sheep 5x1 = 5")), True, True),  # before the scoring
        (((0, "road 3x1 = 3"), (0, "ringmaster 1x2 = 2")), False, False),
        (((0, "ringmaster 1x2 = 2"),), False, False),
        (((1, "fairy 1x1 = 1"),), False, False),  # a turn begins
    ],
)
def test_points_beside_those_of_features_do_not_count_before_carcassonne_there(
    scored: tuple[tuple[int, str], ...], here: bool, there: bool
) -> None:
    """Red laid the tile."""
    scorings = [Scored(owner, int(text.rpartition(" ")[2]), text) for owner, text in scored]
    differences = Differences(Rules.from_spec("base+bigtop+count+dragon"))
    assert differences.entering(scorings, 0) == (here, there)
    assert Differences(Rules.from_spec("base")).entering(scorings, 0) == (False, False)
    for each in scorings:
        each.final = True
    assert differences.entering(scorings, 0) == (False, False)


def test_the_robber_does_not_look_along_his_road_under_a_bridge_there() -> None:
    """The engine looks for a road from west to east first, and from north to south then."""
    state = lay(begin("base+bridges+russian", 2), "RQ01 3,0,0")
    differences = Differences(state.rules)
    assert not [*differences.after(state, "place:3,0,0", [])]
    lay(state, "RQ01+ns 5,0,0")
    assert [*differences.after(state, "bridge:5,0,0,ns", [])]
