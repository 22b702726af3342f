"""The Besiegers and The Cathars, counted by hand."""

import pytest
from support.notation import begin, do, emptied, feature_at, finish, kept, lay, legal, put, scored

from carc import Rules
from carc.classics.bigtop import BigTop
from carc.classics.crops import Crops
from carc.classics.mage import NAMES


@pytest.mark.rule("SIE-01")
def test_a_completed_besieged_city_scores_one_a_tile_and_coat_of_arms() -> None:
    """The start tile, F with a coat of arms and the cap of The Besiegers: 4 of 8 points."""
    state = put(lay(begin("base+siege", 2), "F 0,-1,1"), 0, (0, 0, 0))
    do(state, "draw:SB03 place:0,-2,2 pass")
    assert scored(state) == ["0: city 3x2, coat of arms 1x2, besieged 4x-1 = 4"]


@pytest.mark.rule("SIE-01")
def test_an_incomplete_besieged_city_scores_nothing() -> None:
    state = put(lay(begin("base+siege", 2), "SB01 0,-1,2"), 0, (0, 0, 0))
    assert scored(finish(state)) == ["0: city 2x1, besieged 2x-1 = 0"]


@pytest.mark.rule("SIE-01")
def test_a_cathedral_in_it_is_worth_two_a_tile() -> None:
    """Three a tile by the cathedral, one less by the siege; five tiles."""
    state = lay(begin("base+inns+siege", 2), "IC01 0,-1,0", "E 1,-1,3", "E -1,-1,1")
    put(state, 0, (0, 0, 0))
    do(state, "draw:SC01 place:0,-2,2 pass")
    assert scored(state) == ["0: city 5x2, cathedral 5x1, besieged 5x-1 = 10"]


@pytest.mark.rule("SIE-02")
@pytest.mark.parametrize(("cap", "points"), [("E", 3), ("SC01", 6)])
def test_a_field_counts_a_besieged_city_twice(cap: str, points: int) -> None:
    """A farmer of the cap's own field; the city of start tile and cap is complete."""
    state = put(lay(begin("base+siege", 2), f"{cap} 0,-1,2"), 0, (0, -1, 1))
    finish(state)
    assert state.scores == [points, 0]


@pytest.mark.rule("SIE-03")
def test_a_follower_escapes_by_a_monastery_beside_the_city() -> None:
    """The knight stands in the start tile's city, which two more tiles leave open."""
    state = put(lay(begin("base+siege", 2), "SB01 0,-1,2", "B 1,1,0"), 0, (0, 0, 0))
    do(state, "draw:V place:1,0,1 pass")
    assert (state.step.name, legal(state)) == ("escape", ["escape:0,0,0,meeple", "pass"])
    do(state, "escape:0,0,0,meeple")
    assert state.board.supply_of(0) == 7 and state.current_player < 0


@pytest.mark.rule("SIE-03", "BRC-02")
def test_nobody_escapes_from_a_castle() -> None:
    """The monastery lies beside it."""
    state = put(lay(begin("base+bridges+siege", 2), "B 1,-1,0"), 0, (0, 0, 0))
    do(state, "draw:SC01 place:0,-1,2 pass castle:0,-1,0 draw:U place:1,0,1 pass")
    assert do(state, "draw:U place:2,0,1 pass").step.name == "draw"


@pytest.mark.rule("SIE-03")
@pytest.mark.parametrize(
    ("spec", "monastery", "escapes"),
    [
        ("base+siege", "B 1,1,0", True),
        ("base+siege", "B 2,1,0", False),  # too far
        ("base+siege(escape=siege)", "B 1,1,0", False),  # beside another tile of the city
        ("base+siege(escape=siege)", "B -1,-2,0", True),
        ("base+siege(escape=off)", "B -1,-2,0", False),
    ],
)
def test_where_a_monastery_leads_out(spec: str, monastery: str, escapes: bool) -> None:
    state = put(lay(begin(spec, 2), "SB01 0,-1,2", monastery), 0, (0, 0, 0))
    do(state, "draw:V place:1,0,1 pass")
    assert (state.current_player == 0) is escapes


@pytest.mark.rule("SIE-03", "TRD-02")
@pytest.mark.parametrize(("escapes", "asked"), [("tile", [1, 2]), ("turn", [2])])
def test_followers_escape_in_each_part_of_a_double_turn(escapes: str, asked: list[int]) -> None:
    """The first tile extends the builder's road; with an option they wait for the second."""
    spec = f"base+siege(escapes={escapes})+traders"
    state = put(lay(begin(spec, 2), "SB01 0,-1,2", "B 1,1,0"), 0, (0, 0, 0))
    put(put(state, 0, (0, 0, 1)), 0, (0, 0, 1), kind="builder")
    parts = []
    for part, tile in enumerate(("draw:U place:1,0,1 pass", "draw:U place:2,0,1 pass"), start=1):
        if do(state, tile).step.name == "escape":
            parts.append(part)
            do(state, "pass")
    assert parts == asked and state.active_player == 1


@pytest.mark.rule("SIE-03", "TRD-02")
@pytest.mark.parametrize(("escapes", "asked"), [("tile", True), ("turn", False)])
def test_with_the_option_nobody_escapes_if_the_second_tile_does_not_come(
    escapes: str, asked: bool
) -> None:
    spec = f"base+siege(escapes={escapes})+traders"
    state = put(lay(begin(spec, 2), "SB01 0,-1,2", "B 1,1,0"), 0, (0, 0, 0))
    emptied(put(put(state, 0, (0, 0, 1)), 0, (0, 0, 1), kind="builder"), "U")
    do(state, "draw:U place:1,0,1 pass")
    assert (state.step.name == "escape", state.is_terminal) == (asked, not asked)


@pytest.mark.rule("SIE-03")
def test_only_the_active_player_escapes_and_only_from_a_siege() -> None:
    state = put(lay(begin("base+siege", 2), "SB01 0,-1,2", "B 1,1,0"), 1, (0, 0, 0))
    do(state, "draw:V place:1,0,1 pass")
    assert state.current_player < 0
    state = put(lay(begin("base+siege", 2), "N 0,-1,2", "B 1,1,0"), 0, (0, 0, 0))
    do(state, "draw:V place:1,0,1 pass")
    assert state.current_player < 0
    assert state.points_now(feature_at(state, 0, 0, 0)) > 0


@pytest.mark.rule("SIE-01")
def test_an_incomplete_besieged_city_with_a_cathedral_is_worth_nothing_no_less() -> None:
    state = put(lay(begin("base+inns+siege", 2), "IC01 0,-1,0", "SC01 1,-1,3"), 0, (0, 0, 0))
    finish(state)
    assert state.scores == [0, 0]


@pytest.mark.rule("SIE-01", "SEQ-01")
def test_a_witch_halves_what_the_siege_leaves() -> None:
    """8 points, 4 less by the siege, and half of that."""
    state = put(lay(begin("base+mage+siege", 2), "F 0,-1,1"), 0, (0, 0, 0))
    kept(state, "mage").at[NAMES.index("witch")] = state.board.segment_at(0, 0, 0)
    do(state, "draw:SB03 place:0,-2,2 pass")
    assert state.scores == [2, 0]


@pytest.mark.rule("SIE-03")
def test_followers_escape_after_a_circle_and_the_big_top() -> None:
    rules = Rules.from_spec("base+bigtop+crops+siege", 2)
    steps = [step.name for step in rules.turn]
    assert steps.index("score") < steps.index("escape")
    for expansion in rules.expansions:
        if isinstance(expansion, Crops):
            assert expansion.decided_before.name == "escape"
        if isinstance(expansion, BigTop):
            assert expansion.arrives_before.name == "escape"


@pytest.mark.rule("SIE-03")
def test_followers_escape_after_the_scoring_and_builders_do_not() -> None:
    """The city is completed beside a monastery: nobody is left there who might escape."""
    state = put(lay(begin("base+siege", 2), "F 0,-1,1", "B 1,-1,0"), 0, (0, 0, 0))
    do(state, "draw:SB03 place:0,-2,2 pass")
    assert state.current_player < 0 and state.scores == [4, 0]
    state = lay(begin("base+siege+traders", 2), "SB01 0,-1,2", "B 1,1,0")
    put(put(state, 0, (0, 0, 0)), 0, (0, -1, 0), kind="builder")
    do(state, "draw:V place:1,0,1 pass")
    assert legal(state) == ["escape:0,0,0,meeple", "pass"]


@pytest.mark.rule("SIE-01")
@pytest.mark.parametrize(("sets", "tiles"), [("both", 10), ("besiegers", 6), ("cathars", 4)])
def test_which_tiles_are_played_is_an_option(sets: str, tiles: int) -> None:
    assert begin(f"base+siege(sets={sets})", 2).tiles_left == 71 + tiles
