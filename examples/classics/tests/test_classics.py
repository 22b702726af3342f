"""What the four expansions change, counted by hand; what holds for all rules, of all together."""

import random
from itertools import combinations

import pytest

from carc import CHANCE, Rules, State
from carc.base.game.scoring import Journal
from carc.testing import check

FOUR = ("builders", "little_abbot", "little_inns", "little_river")
PAIRS = ["+".join(pair) for pair in combinations(FOUR, 2)]


@pytest.mark.parametrize("others", [*FOUR, *PAIRS, "+".join(FOUR), "ghosts+" + "+".join(FOUR)])
def test_what_holds_for_all_rules(others: str) -> None:
    check(Rules.from_spec(f"base+{others}", 2), games=1, every=10)


@pytest.mark.parametrize(
    "spec", ["mists:3+little_inns", "mists:4+builders+little_inns+spellcircles"]
)
def test_what_holds_in_a_team(spec: str) -> None:
    check(Rules.from_spec(spec, 3), games=3, every=4)


@pytest.mark.parametrize("name", ["little_river", "little_abbot"])
def test_what_the_team_game_leaves_in_the_box_is_refused(name: str) -> None:
    with pytest.raises(Exception, match=f"{name} needs the .* of base"):
        Rules.from_spec(f"mists:1+{name}")


def play(spec: str, actions: str, players: int = 2) -> State:
    """Play these legal actions and return the state; draw where nothing else can be done."""
    rules = Rules.from_spec(spec, players)
    state = rules.start()
    state.journal = Journal()
    for text in actions.split():
        state.apply(state.check(rules.parse(text)))
    return state


def scored(state: State) -> list[str]:
    assert state.journal is not None
    return [f"{one.owner}: {one.text}" for one in state.journal.scorings]


# -- inns ------------------------------------------------------------------------------------------


def test_a_large_follower_counts_twice() -> None:
    """Its weight in majorities; and a sixth may play."""
    rules = Rules.from_spec("base+little_inns")
    kinds = {kind.name: kind.power for kind in rules.follower_kinds}
    assert kinds == {"meeple": 1, "big": 2}
    assert Rules.from_spec("base+little_inns", 6).players == 6


def test_an_incomplete_road_with_an_inn_is_worth_nothing_a_complete_one_two_a_tile() -> None:
    rules = Rules.from_spec("base+little_inns")
    for seed in range(6):
        state, deal, rng = rules.start(), rules.deal(seed), random.Random(seed)
        state.journal = Journal()
        while not state.is_terminal:
            chance = state.current_player == CHANCE
            state.apply(deal.choose(state) if chance else rng.choice(state.legal_actions()))
        for one in state.journal.scorings:
            if "inn " in one.text:
                road = int(one.text.split("road ")[1].split("x")[0])
                assert one.points == (0 if one.final else 2 * road)


# -- the abbot -------------------------------------------------------------------------------------


def test_the_abbot_comes_home_for_what_his_monastery_is_worth_now() -> None:
    """The monastery at 0,1 and three tiles around it: 4 points, and he is in the supply again."""
    state = play("base+little_abbot", "draw:B place:0,1,0 claim:0,abbot draw:U place:0,2,1 pass")
    state.apply(state.check(state.rules.parse("draw:U")))
    state.apply(state.check(state.rules.parse("place:1,1,0")))
    assert "abbot" in [str(action) for action in state.legal_actions()]
    state.apply(state.rules.parse("abbot"))
    assert scored(state) == ["0: abbot 4x1 = 4"]
    assert state.to_dict()["supplies"][0]["abbot"] == 1


def test_only_an_abbot_goes_into_a_garden() -> None:
    state = play("base+little_abbot", "draw:E-garden place:0,-1,2")
    garden = [tile.kind for tile in state.board.tile_data(state.board.last_tile).segments].index(
        "garden"
    )
    offered = [str(a) for a in state.legal_actions() if str(a).startswith(f"claim:{garden},")]
    assert offered == [f"claim:{garden},abbot"]


# -- the river -------------------------------------------------------------------------------------


def test_the_river_runs_from_spring_to_lake_before_the_bag() -> None:
    rules = Rules.from_spec("base+little_river", 2)
    for seed in range(20):
        state, deal, rng = rules.start(), rules.deal(seed), random.Random(seed)
        drawn: list[str] = []
        while len(drawn) < 14:
            chance = state.current_player == CHANCE
            action = (
                state.check(deal.choose(state)) if chance else rng.choice(state.legal_actions())
            )
            if chance:
                drawn.append(str(action).removeprefix("draw:"))
            state.apply(action)
        assert sorted(drawn[:10]) == sorted(
            ["RI03", "RI04", "RI05", "RI06", "RI07", "RI07", "RI08", "RI09", "RI10", "RI10"]
        )
        assert drawn[10] == "RI02", "the lake comes last"
        assert not any(name.startswith("RI") for name in drawn[11:])


def test_a_river_tile_continues_the_river_and_does_not_turn_back() -> None:
    """The spring flows east.

    A bend to the south at 1,0 was to the right: at 1,1 no bend to the right again.
    """
    state = play("base+little_river", "draw:RI10")
    first = {str(action) for action in state.legal_actions()}
    assert first == {"place:1,0,0", "place:1,0,1"}  # river west, and south or north
    # RI10 unturned has river in the south and west: from the west to the south, a bend to the
    # right.
    state = play("base+little_river", "draw:RI10 place:1,0,0 pass draw:RI10")
    assert {str(action) for action in state.legal_actions()} == {
        "place:1,1,2"
    }  # north to east: left
    assert "river" not in {
        f["kind"] for f in state.to_dict("features")["features"] if f["followers"]
    }


# -- builders --------------------------------------------------------------------------------------


def test_a_builder_brings_one_turn_more_and_not_two() -> None:
    """Red claims the road of the start tile's east, builds there, extends it: red, red again, then
    green.
    """
    state = play(
        "base+builders",
        "draw:U place:1,0,1 claim:0,meeple draw:E place:0,-1,2 pass "
        "draw:U place:2,0,1 claim:0,builder draw:E place:2,1,3 pass draw:U place:3,0,1 pass",
    )
    assert state.active_player == 0, "red's tile extended his builder's road: he has another turn"
    for text in ["draw:U", "place:4,0,1", "pass"]:
        state.apply(state.check(state.rules.parse(text)))
    assert state.active_player == 1, "the extra turn brings none"
    assert len(state.agenda) == 5, "a turn's steps, nothing left over"


def test_the_builder_goes_home_with_the_last_follower() -> None:
    """The road is closed by crossings at both ends: 3 tiles besides; builder and follower come
    home.
    """
    state = play(
        "base+builders",
        "draw:U place:1,0,1 claim:0,meeple draw:E place:0,-1,2 pass "
        "draw:U place:2,0,1 claim:0,builder draw:W place:3,0,0 pass",
    )
    assert state.to_dict()["supplies"][0] == {"meeple": 6, "builder": 0}
    for text in ["draw:W", "place:-1,0,2", "pass"]:
        state.apply(state.check(state.rules.parse(text)))
    assert scored(state) == ["0: road 5x1 = 5"]
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "builder": 1}
