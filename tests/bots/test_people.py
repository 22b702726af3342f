"""`people`: what describes a turn, what it chooses by, that it plays under every spec."""

import random
from collections.abc import Callable
from math import isfinite, log, sqrt

import pytest
from support.fuzzed import CLASSICS
from support.modes import thinned
from support.notation import begin, do

from carc import CHANCE, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation, read_weights
from carc.base.game.playout import random_action
from carc.base.turn.actions import PASS, Place
from carc.bots import by_name, people
from carc.bots.lookahead import Lookahead
from carc.bots.turn_features import NAMES, Turn, TurnFeatures

# The start tile has a city in the north, and a road from west to east. `E` has one city.
OPENING = "draw:U place:1,0,1 claim:0,meeple draw:E"
SPECS = [
    "base+ghosts+spellcircles",
    "+".join(("base", *CLASSICS)),
    "mists:4",
    *thinned([f"base+{name}" for name in (*CLASSICS, "ghosts")], 8),
]


def turns_of(state: State) -> list[Turn]:
    features = TurnFeatures(state.rules, Lookahead(state.rules, best_evaluation(state.rules)))
    features.look(state)
    return [turn for action in state.legal_actions() for turn in features.turns(state, action)]


def described(state: State, placement: str, claim: str) -> dict[str, float]:
    """The features of a turn that are not 0."""
    (turn,) = [
        turn
        for turn in turns_of(state)
        if (str(turn.action), str(turn.claim or PASS)) == (placement, claim)
    ]
    return {name: each for name, each in zip(NAMES, turn.row, strict=True) if each}


def preferring(changes: dict[str, float]) -> Callable[[], list[float]]:
    """Weights that are 0 but for these."""
    return lambda: [changes.get(name, 0.0) for name in NAMES]


def seen(moves: str, placement: str, claim: str = "pass") -> dict[str, float]:
    """The features of a turn of the base game for two, after these moves."""
    return described(do(begin("base", 2), moves), placement, claim)


# The first player has a city that is open in the north, the second one passed.
CITY = "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass "
# And another one beside it, open in the north, too.
CITIES = f"{CITY}draw:E place:1,-1,0 claim:0,meeple draw:U place:2,0,1 pass "


def test_a_turn_is_described_as_it_looks() -> None:
    """The second player closes the city of the start tile: four points, the follower comes home."""
    state = do(begin("base", 2), OPENING)
    closing = described(state, "place:0,-1,2", "claim:0,meeple")
    for name, value in {
        "last_corner": 1.0,  # the road lies at 1,0
        "last_far": sqrt(2),
        "around": 2.0,
        "sides": 1.0,
        "claim_city_closed": 1.0,
        "claim_city_early": 1.0,
        "returns": 1.0,
    }.items():
        assert closing[name] == value, name
    for absent in ("last_beside", "closes_city_own", "extends_city_own", "claim_city_edges"):
        assert absent not in closing
    passing = described(state, "place:0,-1,2", "pass")
    assert "returns" not in passing
    assert "claim_city_closed" not in passing
    assert closing["points"] - passing["points"] == pytest.approx(4.0, abs=2.0)


@pytest.mark.parametrize(("x", "how"), [(2, "beside"), (-1, "near")])
def test_the_last_tile_is_looked_at(x: int, how: str) -> None:
    features = seen("draw:U place:1,0,1 claim:0,meeple draw:U", f"place:{x},0,1")
    assert features[f"last_{how}"] == 1.0
    assert features["last_far"] == abs(x - 1)


def test_whose_features_are_extended_and_closed_is_seen() -> None:
    rival = seen("draw:U place:1,0,1 claim:0,meeple draw:U", "place:2,0,1")
    assert rival["extends_road_rival"] == 1.0 and "extends_road_own" not in rival
    own = seen(f"{CITY}draw:F", "place:0,-2,1")
    assert own["extends_city_own"] == own["one_edge_city_own"] == 1.0
    assert own["begins_field"] == 2.0 and "joins_own_city" not in own
    closed = seen(f"{CITY}draw:E", "place:0,-2,2")
    assert closed["closes_city_own"] == closed["returns"] == 1.0
    assert "one_edge_city_own" not in closed and "rival_scores" not in closed
    for_them = seen("draw:G place:0,-1,0 claim:0,meeple draw:E", "place:0,-2,2")
    assert for_them["closes_city_rival"] == for_them["extends_city_rival"] == 1.0
    assert for_them["rival_scores"] == 6.0


def test_own_cities_that_are_joined_are_seen() -> None:
    joined = seen(
        f"{CITIES}draw:N place:1,-2,3 pass draw:U place:3,0,1 pass draw:N", "place:0,-2,2"
    )
    assert joined["joins_own_city"] == joined["closes_city_own"] == 1.0
    assert joined["extends_city_own"] == joined["returns"] == 2.0
    assert joined["sides"] == 2.0


@pytest.mark.parametrize(("more", "owner"), [("", "own"), ("draw:U place:3,0,1 pass ", "rival")])
def test_gaps_are_narrowed_for_those_who_wait_there(more: str, owner: str) -> None:
    """Beside the new tile, the first player's city now needs a tile with cities on two sides: five
    kinds of 24 tiles in place of a city on one.
    """
    features = seen(f"{CITIES}{more}draw:N", "place:1,-2,3")
    assert features[f"gap_city_{owner}"] == 1.0
    assert 0.5 < features[f"narrows_city_{owner}"] < 1.0
    other = {"own": "rival", "rival": "own"}[owner]
    assert f"gap_city_{other}" not in features and "dead_gaps" not in features


def test_a_gap_at_the_end_of_the_new_tile_itself_is_nobodys() -> None:
    """The first player's road is led beside a tile with nothing but a field there."""
    moves = "draw:U place:1,0,1 claim:0,meeple draw:E place:1,1,2 pass draw:V"
    features = seen(moves, "place:2,0,0")
    assert features["extends_road_own"] == 1.0 and "gap_road_own" not in features


def test_the_own_monastery_is_told_from_the_rivals() -> None:
    moves = "draw:B place:0,1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E"
    features = seen(moves, "place:-1,1,0")
    assert features["narrows_monastery_own"] > 0 and "narrows_monastery_rival" not in features


def test_what_is_promised_is_told_for_each_side() -> None:
    """The first player has an open city, and one follower less."""
    theirs = seen("draw:G place:0,-1,0 claim:0,meeple draw:U", "place:1,0,1")
    assert theirs["rival_city_chance"] > 0 > theirs["points"]
    assert "own_city_chance" not in theirs
    own = seen("draw:G", "place:0,-1,0", "claim:0,meeple")
    assert own["own_city_chance"] > 0 and own["points"] > 0 and "rival_city_chance" not in own
    assert own["own_followers"] == seen("draw:G", "place:0,-1,0")["own_followers"] - 1


def test_a_monastery_that_cannot_be_completed_is_seen() -> None:
    state = do(begin("base", 2), "draw:B place:0,1,0 claim:0,meeple draw:E")
    narrowed = described(state, "place:1,1,0", "pass")
    assert narrowed["narrows_monastery_rival"] > 0
    assert "dead_monastery_rival" not in narrowed and "narrows_monastery_own" not in narrowed
    for kind in range(len(state.bag)):
        state.bag[kind] = 0
    dead = described(state, "place:1,1,0", "pass")
    assert dead["dead_gaps"] == dead["dead_monastery_rival"] == 1.0


def test_claims_are_early_late_and_have_edges() -> None:
    claimed = seen("draw:G", "place:0,-1,0", "claim:0,meeple")
    assert claimed["claim_city_edges"] == claimed["claim_city_early"] == 1.0
    assert seen("draw:U", "place:1,0,1", "claim:1,meeple")["claim_field_early"] == 1.0
    assert "claim_road_closed" not in seen("draw:U", "place:1,0,1", "claim:0,meeple")
    between = seen("draw:W place:1,0,0 pass draw:W", "place:-1,0,0", "claim:0,meeple")
    assert between["claim_road_closed"] == 1.0
    monastery = do(begin("base", 2), "draw:B")
    assert "claim_monastery_late" not in described(monastery, "place:0,1,0", "claim:0,meeple")


def test_what_is_left_to_others_is_seen() -> None:
    state = do(begin("base", 2), "draw:U place:1,0,1 claim:0,meeple draw:G")
    assert described(state, "place:0,-1,0", "pass")["leaves_city"] == 1.0
    assert "leaves_city" not in described(state, "place:0,-1,0", "claim:0,meeple")


@pytest.mark.parametrize(("weight", "steps"), [(-1.0, 1), (1.0, 4)])
def test_it_plays_what_its_weights_prefer(
    monkeypatch: pytest.MonkeyPatch, weight: float, steps: int
) -> None:
    """Near the last tile, or far from it."""
    monkeypatch.setattr(people, "shipped_weights", preferring({"last_far": weight}))
    monkeypatch.setattr(people, "WIDTH", 1000)
    state = do(begin("base", 2), "draw:U place:1,0,1 draw:U place:2,0,1 draw:U place:3,0,1 draw:V")
    action = by_name("people", 1).choose(state)
    assert isinstance(action, Place)
    x, y = map(int, str(action).removeprefix("place:").split(",")[:2])
    assert abs(x - 3) + abs(y) == steps


def test_it_looks_at_what_greedy_values_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "shipped_weights", preferring({}))
    monkeypatch.setattr(people, "WIDTH", 1)
    state = do(begin("base", 2), OPENING)
    assert str(by_name("people", 1).choose(state)) == "place:0,-1,2"


def test_it_claims_what_its_weights_prefer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "shipped_weights", preferring({"claim_field_early": 1.0}))
    state = do(begin("base", 2), f"{OPENING} place:0,-1,2")
    assert str(by_name("people", 1).choose(state)) == "claim:1,meeple"


def test_turns_that_begin_alike_add_up_if_it_varies() -> None:
    assert people.People(0, "1")._of_any([0.0, 0.0]) == pytest.approx(log(2))
    assert people.People(0)._of_any([0.0, 0.5]) == 0.5


def test_it_takes_what_is_there_to_take() -> None:
    state = do(begin("base", 2), OPENING)
    bot = by_name("people", 1)
    for wanted in ("place:0,-1,2", "claim:0,meeple"):
        action = bot.choose(state)
        assert str(action) == wanted
        state.apply(action)


def test_with_a_temperature_it_varies() -> None:
    state = do(begin("base", 2), "draw:U place:1,0,1 claim:0,meeple draw:V")
    chosen = {str(by_name("people:1", seed).choose(state)) for seed in range(20)}
    assert len(chosen) > 2


def test_there_is_a_weight_for_each_feature_and_no_other() -> None:
    table = read_weights(people.SHIPPED.read_text(encoding="utf-8"))
    assert list(table) == list(NAMES)
    assert all(len(row) == 1 and isfinite(row[0]) for row in table.values())
    assert table["points"][0] > 0


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_under_every_spec(spec: str) -> None:
    """From positions of random games; a seed decides what it does."""
    rules = Rules.cached(spec, 3)
    state, deal = rules.start(), rules.deal(7)
    bots, rng = [by_name("people:overlook=0.3", 5) for _ in range(2)], random.Random(3)
    for step in range(60):
        if state.is_terminal:
            break
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
        elif step % 6:
            state.apply(random_action(state, rng))
        else:
            action, again = (bot.choose(state.copy()) for bot in bots)
            assert action == again
            state.apply(state.check(action))
