"""What a position promises: more where it is likelier, 0 where nothing fits, scores at the end."""

import pytest
from support.notation import do

from carc import Claim, Evaluation, Rules, State


def begin(spec: str = "base") -> State:
    return Rules.from_spec(spec, 2).start()


CITY = "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass"


def city_of(state: State) -> int:
    (feature,) = state.board.occupied_features()
    return feature


def test_a_city_that_nothing_in_the_bag_fits_is_not_completed() -> None:
    state = do(begin(), CITY)
    ask = Evaluation(state.rules)
    city = city_of(state)
    assert 0.0 < ask.closing(state, city) < 1.0
    for kind in range(len(state.bag)):
        fits = state.rules.catalogue.tiles[kind]
        if "C" in fits.edges:
            state.bag[kind] = 0
    assert ask.closing(state, city) == 0.0
    assert ask.worth(state, city, 0) == 2.0  # a point a tile


def test_the_more_is_missing_the_less_likely() -> None:
    state = do(begin(), CITY)
    wider = do(state.copy(), "draw:R place:0,-2,1 pass")
    ask = Evaluation(state.rules)
    assert wider.board.open_edges(city_of(wider)) > state.board.open_edges(city_of(state))
    assert ask.closing(wider, city_of(wider)) < ask.closing(state, city_of(state))


def test_what_is_completed_counts_in_full_before_it_is_scored() -> None:
    state = do(begin(), CITY + " draw:E place:0,-2,2")
    city = next(f for f in state.board.occupied_features() if state.board.kind_of(f) == "city")
    assert not state.board.is_open(city)
    assert Evaluation(state.rules).worth(state, city, 0) == 6.0


def test_its_owner_may_expect_more() -> None:
    state = do(begin(), CITY)
    expected = Evaluation(state.rules).players(state)
    without = do(begin(), CITY.replace("claim:0,meeple", "pass"))
    assert expected[1] == Evaluation(state.rules).players(without)[1]
    assert Evaluation(state.rules).worth(state, city_of(state), 0) > 2.0


def test_a_claim_is_weighed_as_it_turns_out() -> None:
    """The estimate and the difference it makes, where no expansion has a say, are the same."""
    state = do(begin(), "draw:E place:0,-1,2")
    ask = Evaluation(state.rules)
    before = do(state.copy(), "pass")
    for claim in state.legal_actions():
        if isinstance(claim, Claim) and state.board.kind_of(
            state.board.segment_of(state.board.last_tile, claim.segment)
        ) == ("field"):
            after = state.copy()
            after.apply(claim)
            gain = ask.players(after)[0] - ask.players(before)[0]
            assert ask.claims(state, [claim], 0) == [pytest.approx(gain)]


def test_at_the_end_the_scores_are_what_counts() -> None:
    state = begin()
    deal = state.rules.deal(1)
    while not state.is_terminal:
        state.apply(deal.choose(state) if state.current_player < 0 else state.legal_actions()[0])
    assert Evaluation(state.rules).players(state) == [float(score) for score in state.scores]


def test_weights_are_said_by_name() -> None:
    state = do(begin(), CITY)
    plain = Evaluation(state.rules)
    eager = Evaluation(state.rules, {"city": 3.0})
    assert eager.closing(state, city_of(state)) > plain.closing(state, city_of(state))


def test_claims_are_weighed_together_as_they_are_alone() -> None:
    state = do(begin("base+ghosts+inns"), "draw:D place:2,0,1")
    ask = Evaluation(state.rules)
    claims = [action for action in state.legal_actions() if isinstance(action, Claim)]
    alone = [ask.claims(state, [claim], 0)[0] for claim in claims]
    assert len(set(alone)) > 3
    assert ask.claims(state, claims, 0) == alone


def test_a_player_of_several_colours_may_expect_what_the_first_does() -> None:
    state = begin("mists:3")
    deal = state.rules.deal(2)
    while not any(state.scores):
        state.apply(deal.choose(state) if state.current_player < 0 else state.legal_actions()[0])
    ask = Evaluation(state.rules)
    owners = ask.owners(state)
    assert len(owners) == 4
    assert ask.players(state) == [owners[colours[0]] for colours in state.rules.colours]
