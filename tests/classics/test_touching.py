"""Expansions that touch the same thing: each two have a line that says who goes first, and why."""

import random
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from meetings import meetings
from support.notation import begin, do, finish, haunt, kept, lay, put
from support.trial_expansions import Inert

from carc import Expansion, Rules, State
from carc.base.expansions import hooks
from carc.base.expansions.expansion import ADDED

# Hooks that touch figures sent home or put, points, turns, and tiles in the hand.
TOUCHING = (
    *("follower_removed", "follower_placed", "allows_figures"),
    *("power", "feature_points", "player_points", "feature_scored", "score", "game_ended"),
    *("next_player", "held_back", "placements"),
)
Classes = Mapping[str, type[Expansion[Any]]]
LINES = meetings()["meeting"]


def rivals() -> dict[str, type[Expansion[Any]]]:
    """The expansions that go beside each other in a game of rivals."""
    found = {one.name: one.load() for one in entry_points(group="carc.expansions")}
    return {name: cls for name, cls in sorted(found.items()) if not cls.TEAM}


def overriding(classes: Classes, hook: str) -> list[str]:
    default = getattr(Expansion, hook)
    return [name for name, cls in classes.items() if getattr(cls, hook) is not default]


def meet(classes: Classes, hook: str, one: str, other: str) -> bool:
    """Whether both are asked about the same feature or tile, in the same stage."""
    first, second = (classes[name].ONLY_FOR.get(hook) for name in (one, other))
    apart = first is not None and second is not None and not {*first} & {*second}
    stages = {classes[name].ORDER.get(hook, ADDED) for name in (one, other)}
    by_stage = hook == "feature_points" and len(stages) > 1  # SEQ-01
    return not apart and not by_stage


def pairs(classes: Classes) -> Iterator[tuple[str, str, str]]:
    """The hooks that two expansions have, where they can meet."""
    for hook in TOUCHING:
        for one, other in combinations(overriding(classes, hook), 2):
            if meet(classes, hook, one, other):
                yield hook, one, other


def lines_for(hook: str, one: str, other: str) -> list[dict[str, Any]]:
    return [line for line in LINES if hook in line["hooks"] and {one, other} <= {*line["among"]}]


@pytest.mark.rule("MEE-02")
def test_each_two_that_touch_the_same_thing_have_a_line() -> None:
    without = [pair for pair in pairs(rivals()) if len(lines_for(*pair)) != 1]
    assert without == [], "docs/meetings.toml says of each of them once who goes first"


def test_a_new_expansion_without_a_line_is_found() -> None:
    found = [pair for pair in pairs({**rivals(), "zoo": Inert}) if not lines_for(*pair)]
    assert {hook for hook, _, _ in found} == {*TOUCHING}
    assert {other for _, _, other in found} == {"zoo"}


@pytest.mark.rule("MEE-02")
def test_readers_of_the_rules_find_every_line_and_step() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    told = [one["why"] for part in ("turn", "meeting") for one in meetings()[part]]
    assert [why for why in told if f": {why}\n" not in page] == []


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line["what"]))
def test_a_line_names_those_that_touch_it_in_the_order_in_which_they_are_asked(
    line: dict[str, Any],
) -> None:
    rules = Rules.from_spec("+".join(["base", *sorted(line["among"])]), 2)
    for hook in line["hooks"]:
        assert {*line["among"]} <= {*overriding(rivals(), hook)}
        asked = [each.name for each in getattr(rules.hooks, hook) if each.name in line["among"]]
        if line["first"] == "as listed":
            assert asked == line["among"]
        elif line["first"] != "any":
            assert asked[0] == line["first"] == line["among"][0]


@pytest.mark.rule("MEE-02")
def test_the_steps_of_a_turn_are_those_of_the_table() -> None:
    told = meetings()["turn"]
    rules = Rules.from_spec("+".join(["base", *rivals()]), 2)
    assert [one["step"] for one in told] == [step.name for step in rules.turn]
    plain = {step.name for step in Rules.from_spec("base", 2).turn}
    assert {one["step"] for one in told if "of" not in one} == plain
    for one in told:
        if "of" in one:
            alone = Rules.from_spec(
                "+".join(["base", one["of"], *one.get("beside", "").split()]), 2
            )
            assert one["step"] in [step.name for step in alone.turn]
    scored = [step.name for step in rules.turn if step.in_scoring]
    scoring = [one["step"] for one in told]
    scoring = scoring[scoring.index(scored[0]) : scoring.index(scored[-1]) + 1]
    assert {*scoring} - {*scored} == {"traps for those who joined"}, "others go around the scoring"


@pytest.mark.rule("BIG-01")
def test_gold_is_handed_out_in_the_scoring_and_the_circus_comes_after_it() -> None:
    state = begin("base+bigtop+gold", 2)
    do(state, "draw:BT06 place:1,0,1 claim:0,meeple draw:GO03 place:0,-1,2 gold:0,0 pass")
    do(state, "draw:BT08 place:-1,0,0 pass")  # completes the road with the ingot
    assert state.step.name == "tent"
    assert state.to_dict()["gold"] == [1, 0]


@pytest.mark.rule("MEE-02", "GCC-17", "GCC-21", "RUS-03")
@pytest.mark.parametrize(
    ("expansion", "points"),
    [("bigtop", 5), ("gold", 8), ("traders", 10), ("russian", 0)],
)
def test_ghosts_are_paid_for_before_what_else_is_scored_at_the_end(
    expansion: str, points: int
) -> None:
    """Red's field is worth nothing, and the two ghosts there cost nothing: there is nothing."""
    state = put(begin(f"base+{expansion}+ghosts(tiles=base)", 2), 0, (0, 0, 2))
    scored_at_the_end(haunt(state, 0, 0, 2, n=2), expansion)
    assert finish(state).scores[0] == points


@pytest.mark.rule("MEE-02", "GCC-17", "RUS-03")
@pytest.mark.parametrize("expansion", ["bigtop", "gold", "traders"])
def test_drowned_followers_cost_something_of_what_else_is_scored_at_the_end(expansion: str) -> None:
    state = begin(f"base+{expansion}+ghosts(tiles=base)+russian", 2)
    scored_at_the_end(state, expansion)
    without = finish(state.copy()).scores[0]
    scored_at_the_end(state, "russian")
    assert without >= 5 and finish(state).scores[0] == without - 2


def scored_at_the_end(state: State, expansion: str) -> None:
    """An acrobat, four ingots, a token of wine or a drowned follower of red's."""
    if expansion == "bigtop":
        (ground,) = kept(lay(state, "BT01 5,5,0"), "bigtop").grounds
        state.put_follower(ground, 0, 0)
    elif expansion == "gold":
        kept(state, "gold").held = [4, 0]
    elif expansion == "traders":
        kept(state, "traders").tokens[0] = 1
    else:
        (trap,) = kept(lay(state, "RQ02 9,9,0"), "russian").traps
        state.board.seat_follower(trap, 0, 0)


def played(line: dict[str, Any], seed: int) -> tuple[list[str], list[int]]:
    """A random game of the expansions of a line: its moves and its scores."""
    rules = Rules.from_spec("+".join(["base", *sorted(line["among"])]), 2)
    state, rng, moves = rules.start(), random.Random(seed), []
    deal = rules.deal(seed)
    while not state.is_terminal:
        chance = state.current_player < 0
        action = deal.choose(state) if chance else rng.choice(state.legal_actions())
        moves.append(str(action))
        state.apply(action)
    return moves, list(state.scores)


@pytest.mark.rule("MEE-02")
@pytest.mark.interpreted
@pytest.mark.parametrize(
    "line", [one for one in LINES if one["first"] == "any"], ids=lambda line: str(line["what"])
)
def test_where_it_makes_no_difference_games_go_alike_the_other_way_round(
    line: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def turned(expansions: Sequence[Expansion[Any]], hook: str) -> list[Expansion[Any]]:
        """The same stages, and in each of them the last first, for the hooks of the line."""
        asked = list(reversed(expansions)) if hook in line["hooks"] else list(expansions)
        return sorted(asked, key=lambda each: type(each).ORDER.get(hook, ADDED))

    before = played(line, 1)
    monkeypatch.setattr(hooks, "in_order", turned)
    assert played(line, 1) == before
