"""An expansion of one's own that uses every hook (its rules: tests/support/trial_expansions.py),
each effect counted by hand.

`carc/base` knows nothing of it; here it is also installed, named in specs, and played beside
others.
"""

import random
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.installed import install
from support.notation import do, finish, legal, scored, skip
from support.trial_expansions import Carnival, Inert

from carc import CHANCE, Expansion, Rules, State, play, read_record, replay
from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.learned_weights import best_evaluation
from carc.base.expansions.spec import configured, expansions_named
from carc.base.game.outcome import results
from carc.base.turn.scoring import Journal, add_points
from carc.bots import by_name
from carc.bots.lookahead import Lookahead
from carc.errors import BadRules
from carc.testing import check

PUBLIC = {
    name for name, value in vars(Expansion).items() if callable(value) and not name.startswith("_")
} - {"state_of"}
# Asked when rules are made, a game begins or tiles are typed in; all others are hooks of play.
MAKING = {
    "arguments",
    "options",
    "resolve_with",
    "player_range",
    "segment_kinds",
    "follower_kinds",
    "tile_sets",
    "colours",
    "turn",
    "bind",
    "parse",
    "setup",
    "contradictions",
    "estimates",
}


def carnival(players: int = 2, argument: str = "small", options: str = "") -> Rules:
    expansion = configured(Carnival(), "carnival", argument, options)
    return Rules([expansion], players, "base+carnival")


def begin(players: int = 2, argument: str = "small", options: str = "") -> State:
    state = carnival(players, argument, options).start()
    state.journal = Journal()
    return state


def test_the_carnival_uses_every_hook_there_is() -> None:
    assert PUBLIC - set(vars(Carnival)) == set()


def test_an_inert_one_is_asked_at_every_hook_of_play() -> None:
    rules = Rules([Inert()], 2, "base")
    for hook in PUBLIC - MAKING:
        assert len(getattr(rules.hooks, hook)) == 1, f"Inert does not override {hook}"
    for hook in ("expected_points", "descriptors", "win_chances"):
        assert len(getattr(rules.estimates, hook)) == 1, f"Inert does not estimate {hook}"


COMPANY = ["", "+ghosts", "+ghosts(castles=off,guards=off)", "+ghosts+spellcircles"]


@pytest.mark.usefixtures("installed")
@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    company=st.sampled_from(COMPANY),
    argument=st.sampled_from(["small", "large"]),
    farmers=st.sampled_from(["on", "off"]),
    players=st.integers(2, 3),
    inert=st.sampled_from([0, 1, 2]),
    seed=st.integers(0, 10**6),
)
def test_what_holds_for_all_rules_holds_beside_others(
    *, company: str, argument: str, farmers: str, players: int, inert: int, seed: int
) -> None:
    spec = f"base{company}+carnival:{argument}(farmers={farmers})"
    expansions = [*expansions_named(spec), *(Inert() for _ in range(inert))]
    check(Rules(expansions, players, spec), games=1, seed=seed, every=60)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("company", COMPANY)
@pytest.mark.parametrize("players", [2, 3])
def test_beside_any_others_an_inert_one_changes_no_action(company: str, players: int) -> None:
    spec = f"base{company}+carnival:large"
    plain = Rules.from_spec(spec, players)
    game, *others = expansions_named(spec)
    among = Rules([game, Inert(), *others, Inert()], players, plain.spec)
    rng = random.Random(spec)
    one, other = plain.start(), among.start()
    while not one.is_terminal:
        assert legal(one) == legal(other)
        action = rng.choice(one.legal_actions())
        one.apply(action)
        other.apply(among.parse(str(action)))
        assert one.scores == other.scores
    assert one.to_dict() | {"rules_version": ""} == other.to_dict() | {"rules_version": ""}
    assert one.returns() == other.returns()


def test_beside_the_base_alone_an_inert_one_changes_no_match() -> None:
    matches = [
        play(rules, [by_name("random", seed) for seed in range(3)], seed=8)
        for rules in (Rules.from_spec("base", 3), Rules([Inert()], 3, "base"))
    ]
    assert matches[0].moves == matches[1].moves
    assert matches[0].result == matches[1].result


def test_points_that_a_hook_does_not_itemise_are_noted_as_a_change() -> None:
    class Doubled(Expansion):
        def player_points(
            self, state: State, feature: int, owner: int, final: bool, points: int
        ) -> int:
            return points * 2

    state = Rules([configured(Doubled(), "doubled", "", "")], 2, "base+doubled").start()
    state.journal = Journal()
    do(state, "draw:E place:0,-1,2 claim:0,meeple")
    assert scored(state) == ["0: city 2x2, doubled +4 = 8"]


def test_a_tile_more_and_a_kind_of_follower_more() -> None:
    data = begin().to_dict()
    assert data["bag"]["FAIR"] == 2
    assert sum(data["bag"].values()) == 73
    assert data["supplies"] == [{"meeple": 6, "juggler": 1}] * 2


def test_placements_and_claims_are_what_it_makes_of_them() -> None:
    state = do(begin(), "draw:FAIR")
    assert {text.split(",")[1] for text in legal(state)} == {"1"}  # south of the start only: y = 1
    do(state, "place:0,1,0 treat:0")
    assert legal(state) == ["claim:0,juggler", "claim:1,meeple", "claim:1,juggler", "pass"]


def test_another_player_decides_in_the_middle_of_a_turn() -> None:
    state = do(begin(3), "draw:E place:0,1,2 pass draw:FAIR place:1,1,0")
    assert (state.active_player, state.current_player, state.step.name) == (1, 2, "treat")
    assert legal(state) == ["treat:0", "treat:1"]
    do(state, "treat:1")
    assert (state.current_player, state.step.name) == (1, "claim")
    assert state.scores == [0, 0, 1]


def test_its_power_decides_a_majority_and_its_points_are_itemised() -> None:
    """Two meeples against a juggler, who counts as three in a city: 2 to 3."""
    state = do(begin(), "draw:F place:0,-1,1 claim:0,meeple draw:E place:1,-1,0 claim:0,juggler")
    # The second meeple, on the start tile.
    state.put_follower(state.board.segment_at(0, 0, 0), 0, 0)
    skip(do(state, "draw:N place:0,-2,2 pass draw:N place:1,-2,3"))
    assert scored(state) == ["1: city 5x2, coat of arms 1x2, juggler 1x-1 = 11"]


def test_a_road_is_worth_one_more_and_a_juggler_on_it_costs_one() -> None:
    state = do(begin(), "draw:W place:1,0,0 pass draw:A place:-1,0,3 claim:0,juggler")
    assert scored(state) == ["1: road 3x1, parade 1x1, juggler 1x-1 = 3"]
    tally = state.to_dict()["carnival"]
    assert tally == {"fairs": 0, "came": 1, "went": 1, "unclaimed": 0, "scored": ["road"]}
    assert state.to_dict()["supplies"][1] == {"meeple": 6, "juggler": 1}


def test_nobody_is_put_where_it_admits_nobody() -> None:
    state = do(begin(), " ".join(f"draw:U place:{x},0,1" for x in range(1, 5)))
    do(state, "draw:U place:5,0,1")
    assert not state.allows_figures(state.board.last_tile)
    assert legal(state)[0].startswith("draw:"), "nothing to decide: no claim is offered"
    assert state.allows_figures(state.board.tile_at(4, 0))


def test_what_may_be_expected_is_its_own_guess() -> None:
    """Both jugglers in the supply, then one on a road: 2 points less each, then for one only."""
    state = begin()
    (outlook,) = state.rules.estimates.expected_points
    assert outlook.expected_points(state, [5.0, 1.0]) == [3.0, -1.0]
    do(state, "draw:U place:1,0,1 claim:0,juggler")
    assert outlook.expected_points(state, [5.0, 1.0]) == [5.0, -1.0]


def test_bots_that_learned_weigh_the_jugglers_in_the_supply() -> None:
    """With all turns to come one costs 3 points."""
    state = begin()
    blind, seeing = (best_evaluation(state.rules, blind=blind) for blind in (True, False))
    for without, points in zip(blind.owners(state), seeing.owners(state), strict=True):
        assert points == pytest.approx(without - 3.0)


def test_whoever_looks_like_losing_by_points_is_likely_to_win() -> None:
    """Fewest points win: a bot turns its judgement of points round."""
    state = do(begin(), "draw:U place:1,0,1 claim:0,meeple draw:U")
    (carnival,) = state.rules.estimates.win_chances
    assert carnival.win_chances(state, [0.75, 0.25]) == [0.25, 0.75]
    evaluation = Evaluation(state.rules)
    mine, theirs = Lookahead(state.rules, evaluation).values(state)
    points = evaluation.players(state)
    assert points[0] != points[1]
    assert (mine < theirs) == (points[0] > points[1])


def test_no_score_exceeds_30() -> None:
    state = begin()
    add_points(state, 0, 29)
    do(state, "draw:E place:0,-1,2 claim:0,meeple")
    assert scored(state) == ["0: city 2x2 = 4"]
    assert state.scores == [30, 0]


def test_its_final_scoring_its_results_and_its_returns() -> None:
    state = do(begin(), "draw:FAIR place:0,1,0 treat:0 claim:0,juggler")
    finish(state)
    # The fair is worth 5, less 1 for the juggler; the other juggler stayed at home.
    assert scored(state) == ["0: fair 1x5, juggler 1x-1 = 4", "1: juggler at home 1x-2 = -2"]
    assert state.scores == [4, -2]
    assert results(state) == [-4, 2]
    assert (state.winners, state.returns()) == ([1], [-0.5, 0.5])
    assert state.outcome == {"fairs": 1}


def test_a_fair_is_complete_with_eight_neighbours() -> None:
    state = do(begin(), "draw:FAIR place:0,1,0 treat:0 claim:0,juggler")
    ring = ["U -1,0,1", "U 1,0,1", "E -1,1,3", "E 1,1,1", "E -1,2,3", "E 1,2,1", "B 0,2,0"]
    for line in ring:
        assert scored(state) == []
        tile, where = line.split()
        skip(do(state, f"draw:{tile} place:{where}"))
    assert scored(state) == ["0: fair 1x5, juggler 1x-1 = 4"]


def test_two_colours_a_player() -> None:
    state = do(begin(2, "large"), "draw:E place:0,1,2")
    assert legal(state)[:4] == [
        "claim:0,meeple,red",
        "claim:0,juggler,red",
        "claim:0,meeple,green",
        "claim:0,juggler,green",
    ]
    do(state, "claim:0,meeple,green draw:E place:0,2,0")
    assert [text for text in legal(state) if "red" in text or "green" in text] == []


def test_a_kind_of_feature_made_different() -> None:
    state = do(begin(options="farmers=off"), "draw:E place:0,1,2")
    assert legal(state) == ["claim:0,meeple", "claim:0,juggler", "pass"]


def test_its_matches_are_written_down_and_replayed() -> None:
    class First:
        def choose(self, state: State) -> object:
            return state.legal_actions()[0]

    rules = carnival()
    match = play(rules, [First(), First()], seed=4)  # type: ignore[list-item]
    again = read_record(match.to_text())
    assert again == match
    assert replay(again, rules).is_terminal


def test_copies_do_not_share_its_slice() -> None:
    state = begin()
    before = state.copy()
    do(state, "draw:FAIR place:0,1,0")
    assert before.to_dict()["carnival"]["fairs"] == 0
    assert before.current_player == CHANCE


# -- naming it -------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The carnival as a package someone installed."""
    install(tmp_path, carnival="support.trial_expansions:Carnival")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


@pytest.mark.usefixtures("installed")
def test_an_installed_expansion_is_part_of_the_specs() -> None:
    rules = Rules.from_spec("base+carnival:small(farmers=off)", 3)
    assert isinstance(rules.expansions[1], Carnival)
    assert rules.start().to_dict()["rules"] == "base+carnival:small(farmers=off)"


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("spec", "players", "sentence"),
    [
        ("base+carnival", 2, "carnival is written carnival:X with X one of small large"),
        ("base+carnival:huge", 2, "carnival is written carnival:X with X one of small large"),
        ("base+carnival:small", 4, "base+carnival:small is for 1 to 3 players, not 4"),
        ("base+carnival:small(colour=on)", 2, "carnival has no option 'colour'; it has farmers"),
        ("base+carnival:small(farmers=2)", 2, "farmers is on or off, not '2'"),
        ("base+carnival:small+carnival:small", 2, "carnival is named twice"),
        ("carnival:small", 2, "carnival comes after a game: base+carnival"),
        ("base+carneval", 2, "unknown rules 'carneval'; known are base "),
    ],
)
def test_a_wrong_spec_is_refused_in_a_sentence(spec: str, players: int, sentence: str) -> None:
    with pytest.raises(BadRules) as refused:
        Rules.from_spec(spec, players)
    assert sentence in str(refused.value)


def test_a_misspelt_hook_of_a_parent_class_is_refused_too() -> None:
    class Parent(Expansion):
        def claim(self, state: State) -> None:
            """Misspelt."""

    class Child(Parent):
        pass

    with pytest.raises(BadRules, match=r"Child\.claim is not a hook"):
        Rules([Child()], 2, "base+child")
