"""The evaluation with learned weights: what describes a position, and what weights make of it."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import pytest
from support.notation import do

from carc import Claim, Evaluation, Expansion, Rules, State
from carc.base.evaluation.descriptors import DESCRIPTORS, KNOTS, phase
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import (
    SHIPPED,
    read_weights,
    shipped_weights,
    write_weights,
)
from carc.base.expansions.estimates import Estimates
from carc.bots.greedy import Greedy
from carc.errors import BadRules, CarcError

NOTHING = {name: [0.0] * len(KNOTS) for name in DESCRIPTORS}
CITY = "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass"
# Two cities of one tile, one of each player, open to the same free cell.
TWO_CITIES = (
    "draw:E place:0,1,1 claim:0,meeple draw:E place:0,2,3 pass "
    "draw:U place:1,0,1 pass draw:E place:1,2,0 claim:0,meeple"
)


def begin() -> State:
    return Rules.from_spec("base", 2).start()


def described(state: State, owner: int) -> dict[str, float]:
    rows, _ = LearnedEvaluation(state.rules, NOTHING).descriptors(state)
    return dict(zip(DESCRIPTORS, rows[owner], strict=True))


@pytest.mark.parametrize(
    ("turns", "shares"),
    [
        (0.0, [1.0, 0.0, 0.0, 0.0]),
        (1.5, [0.5, 0.5, 0.0, 0.0]),
        (12.0, [0.0, 0.0, 1.0, 0.0]),
        (100.0, [0.0, 0.0, 0.0, 1.0]),
    ],
)
def test_weights_between_two_knots_are_mixed(turns: float, shares: list[float]) -> None:
    assert phase(turns) == pytest.approx(shares)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_every_descriptor_has_a_weight_at_every_knot(players: int) -> None:
    shipped = shipped_weights(players)
    assert list(shipped) == list(DESCRIPTORS)
    assert {len(weights) for weights in shipped.values()} == {len(KNOTS)}


def test_weights_are_those_of_the_number_of_players_they_were_fitted_to() -> None:
    """Those of four players are those of three; larger tables are like five players."""
    for players, fitted_to in [(2, 2), (3, 3), (4, 3), (5, 5), (6, 5)]:
        assert shipped_weights(players) == shipped_weights(fitted_to)
        command, *_ = SHIPPED[fitted_to].read_text(encoding="utf-8").splitlines()
        assert f"--players {fitted_to}" in command or fitted_to == 2
    two, three, five = (shipped_weights(players) for players in (2, 3, 5))
    assert two != three != five != two


def test_weights_are_read_as_they_were_written() -> None:
    weights = {"city": [1.0, -2.5], "road": [0.25, 3.0]}
    assert read_weights(write_weights(weights, ["how"])) == weights


def test_a_line_that_is_no_weights_is_named() -> None:
    with pytest.raises(CarcError, match="'city one' is not a line of weights"):
        read_weights("city one")


def test_a_city_is_described_to_its_owner_only() -> None:
    state = do(begin(), CITY)
    ours, theirs = described(state, 0), described(state, 1)
    (city,) = state.board.occupied_features()
    chance = Evaluation(state.rules).closing(state, city)
    assert ours["city_1"] == 1.0
    assert ours["city_complete"] == pytest.approx(4.0 * chance)  # two tiles of two points
    assert ours["city_incomplete"] == pytest.approx(2.0 * (1.0 - chance))
    assert ours["followers"] == 6.0
    assert theirs["city_1"] == theirs["city_complete"] == 0.0
    assert theirs["followers"] == 7.0


def test_a_weight_counts_its_descriptor_and_points_count_in_full() -> None:
    state = do(begin(), CITY)
    state.scores[1] = 9
    learned = LearnedEvaluation(state.rules, {**NOTHING, "city_1": [5.0] * len(KNOTS)})
    assert learned.owners(state) == pytest.approx([5.0, 9.0])


def test_what_is_completed_counts_in_full_before_it_is_scored() -> None:
    state = do(begin(), CITY + " draw:E place:0,-2,2")
    city = next(f for f in state.board.occupied_features() if state.board.kind_of(f) == "city")
    assert LearnedEvaluation(state.rules, NOTHING).worth(state, city, 0) == 6.0


def test_the_weights_of_the_supply_decide_what_a_claim_costs() -> None:
    state = do(begin(), "draw:U place:1,0,1")
    claim = next(action for action in state.legal_actions() if isinstance(action, Claim))
    free = LearnedEvaluation(state.rules, NOTHING)
    costly = LearnedEvaluation(state.rules, {**NOTHING, "followers": [3.0] * len(KNOTS)})
    gains = [each.claims(state, [claim], 0)[0] for each in (free, costly)]
    assert gains == pytest.approx([0.0, -3.0])


def test_two_cities_at_one_free_cell_may_be_joined() -> None:
    """Equally strong, each would have the other's points too; the stronger would have all."""
    state = do(begin(), TWO_CITIES)
    ours, theirs = described(state, 0), described(state, 1)
    assert ours["join_city"] == pytest.approx(theirs["join_city"])
    for kind in range(len(state.bag)):  # no tile is left that joins two sides of a city
        if state.rules.catalogue.tiles[kind].edges.count("C") > 1:
            state.bag[kind] = 0
    assert described(state, 0)["join_city"] == 0.0
    assert ours["join_city"] > 0.0


def test_a_field_richer_than_any_of_the_base_game_still_is_worth_more() -> None:
    """The square, whose weight is below 0, stops to grow at 30 points."""

    class Rich(Expansion):
        def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
            return points + (400 if state.board.kind_of(feature) == "field" else 0)

    state = do(Rules([Rich()], 2).start(), "draw:E place:0,-1,2 claim:1,meeple")
    ours = described(state, 0)
    assert ours["field_cities"] == 403
    assert ours["field_squared"] == pytest.approx(0.05 * 30 * 30)
    (field,) = state.board.occupied_features()
    assert LearnedEvaluation(state.rules, shipped_weights(2)).worth(state, field, 0) > 200


def forecast(estimates: Estimates) -> Expansion:
    """An expansion of which bots expect this."""

    class Forecast(Expansion):
        def estimates(self) -> Estimates:
            return estimates

    return Forecast()


class Weather(Estimates):
    """By number of players: some sun, and a point for each that only hand-made weights see."""

    DESCRIPTORS: ClassVar[Mapping[str, Sequence[float]]] = {
        "sun": (1.0, 1.0, 1.0, 2.0),
        "rain": (-3.0, -3.0, -3.0, -3.0),
    }

    def descriptors(self, state: State) -> list[list[float]]:
        return [[0.5, 0.0], [0.0, 2.0]]

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        return [points + 1.0 for points in expected]


def test_what_an_expansion_describes_counts_by_its_weights_instead_of_what_it_expects() -> None:
    """All 35 turns are left to each, so the last knot counts; both have the same followers."""
    rules = Rules([forecast(Weather())], 2)
    learned = LearnedEvaluation(rules, NOTHING)
    assert learned.owners(rules.start()) == pytest.approx([0.5 * 2.0, 2.0 * -3.0])
    assert list(learned.weights) == [*DESCRIPTORS, "sun", "rain"]
    assert learned.descriptors(rules.start())[0][1][-2:] == [0.0, 2.0]
    assert Evaluation(rules).owners(rules.start())[0] == pytest.approx(
        Evaluation(Rules.from_spec("base", 2)).owners(begin())[0] + 1.0
    )


def test_each_expansion_has_its_own_descriptors() -> None:
    class Tide(Estimates):
        DESCRIPTORS: ClassVar = {"flood": (10.0, 10.0, 10.0, 10.0)}

        def descriptors(self, state: State) -> list[list[float]]:
            return [[1.0], [2.0]]

    rules = Rules([forecast(Weather()), forecast(Tide())], 2)
    learned = LearnedEvaluation(rules, NOTHING)
    assert learned.owners(rules.start()) == pytest.approx([1.0 + 10.0, -6.0 + 20.0])


def test_a_table_may_give_other_weights_to_what_an_expansion_describes() -> None:
    rules = Rules([forecast(Weather())], 2)
    learned = LearnedEvaluation(rules, {**NOTHING, "rain": [4.0] * len(KNOTS)})
    assert learned.owners(rules.start()) == pytest.approx([1.0, 8.0])


def test_a_blind_evaluation_asks_no_expansion() -> None:
    rules = Rules([forecast(Weather())], 2)
    assert LearnedEvaluation(rules, NOTHING, True).owners(rules.start()) == [0.0, 0.0]


def test_an_expansion_without_descriptors_still_tells_what_it_expects() -> None:
    class Climate(Estimates):
        def expected_points(self, state: State, expected: list[float]) -> list[float]:
            return [points + 7.0 for points in expected]

    rules = Rules([forecast(Climate())], 2)
    learned = LearnedEvaluation(rules, NOTHING)
    assert learned.owners(rules.start()) == [7.0, 7.0]
    assert learned.descriptors(rules.start())[1] == [7.0, 7.0]  # points without a weight


def test_what_is_expected_is_folded_in_the_order_of_the_expansions() -> None:
    class Doubled(Estimates):
        def expected_points(self, state: State, expected: list[float]) -> list[float]:
            return [2.0 * points for points in expected]

    first, second = forecast(Weather()), forecast(Doubled())
    first.name, second.name = "a", "b"
    for given in ([first, second], [second, first]):
        (one, other) = Rules(given, 2).estimates.expected_points
        state = Rules(given, 2).start()
        assert other.expected_points(state, one.expected_points(state, [3.0, 0.0])) == [8.0, 2.0]


def test_a_descriptor_has_a_weight_for_each_knot_and_a_name_of_its_own() -> None:
    class Short(Weather):
        DESCRIPTORS: ClassVar = {"sun": (1.0, 2.0)}

    class Taken(Weather):
        DESCRIPTORS: ClassVar = {"trailing": (1.0, 2.0, 3.0, 4.0)}

    with pytest.raises(BadRules, match=r"Short\.DESCRIPTORS has 2 weights for 'sun'; .* has 4"):
        LearnedEvaluation(Rules([forecast(Short())], 2), NOTHING)
    with pytest.raises(BadRules, match=r"Taken\.DESCRIPTORS names 'trailing', which there is"):
        LearnedEvaluation(Rules([forecast(Taken())], 2), NOTHING)
    with pytest.raises(BadRules, match=r"Weather\.DESCRIPTORS names 'sun', which there is already"):
        LearnedEvaluation(Rules([forecast(Weather()), forecast(Weather())], 2), NOTHING)


def test_an_expansion_that_describes_more_than_it_names_is_named() -> None:
    class Long(Weather):
        DESCRIPTORS: ClassVar = {"sun": (1.0, 1.0, 1.0, 1.0)}

    state = Rules([forecast(Long())], 2).start()
    with pytest.raises(
        BadRules, match=r"Long\.descriptors returns 2 numbers .* DESCRIPTORS names 1"
    ):
        Greedy().expected(state)
