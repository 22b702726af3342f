"""OpenSpiel's own tests of its games, on ours; and that it is the same game."""

import unittest
from typing import Any

import pyspiel
import pytest

import carc.learn.openspiel
from carc import Rules
from carc.errors import CarcError, IllegalAction
from carc.learn.token_arrays import tokens

pytestmark = pytest.mark.filterwarnings("ignore")


def run(*tests: unittest.TestCase) -> None:
    result = unittest.TestSuite(tests).run(unittest.TestResult())
    assert result is not None
    assert result.testsRun == len(tests)
    for _, trace in [*result.failures, *result.errors]:
        raise AssertionError(trace)


def test_it_passes_the_random_simulation_test() -> None:
    game = pyspiel.load_game("carc(size=9)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["test_game_sim_carc", "test_multiplayer_game_4p_carc"])
def test_it_passes_the_tests_of_games(name: str) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest  # after ours are registered

    run(GamesSimTest(name))


@pytest.mark.parametrize("named", ["carc(size=7)", "carc_team(rules=mists:1,size=7,players=1)"])
def test_it_passes_the_test_of_the_api(named: str) -> None:
    from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase

    class OfCarc(EnforceAPIOnPartialTreeBase):
        game = pyspiel.load_game(named)
        game_name = named

        @classmethod
        def setUpClass(cls) -> None:
            from open_spiel.python.algorithms import sample_some_states

            # As there, but for a tenth of its states.
            cls.some_states = sample_some_states.sample_some_states(cls.game, max_states=40)
            cls.game_type = cls.game.get_type()

    names: Any = unittest.defaultTestLoader.getTestCaseNames(OfCarc)
    assert len(names) == 5
    run(*(OfCarc(name) for name in names))


def test_it_is_the_same_game() -> None:
    game = pyspiel.load_game("carc(rules=base+ghosts,players=3)")
    state = game.new_initial_state()
    while not state.is_terminal():
        table = state.game_state
        player = state.current_player()
        assert player == table.current_player
        legal = state.legal_actions()
        words = [state.action_to_string(player, code) for code in legal]
        assert sorted(words) == sorted(map(str, table.legal_actions()))
        if state.is_chance_node():
            chances = {state.action_to_string(player, a): p for a, p in state.chance_outcomes()}
            assert chances == {str(a): p for a, p in table.chance_outcomes()}
        state.apply_action(legal[len(legal) // 2])
    assert state.returns() == table.returns()


def test_an_action_that_is_none_is_refused_in_a_sentence() -> None:
    game = pyspiel.load_game("carc(size=9)")
    state = game.new_initial_state()
    start = state.game_state.copy()
    for action in (-2, 24, 999):
        for ask in (
            lambda action=action: state.apply_action(action),
            lambda action=action: state.action_to_string(-1, action),
        ):
            with pytest.raises(
                IllegalAction, match=rf"chance has no outcome {action} now; its outcomes are \[0, 1"
            ):
                ask()
    assert state.game_state == start
    state.apply_action(0)
    with pytest.raises(IllegalAction, match="chance has no outcome 0 now"):
        state.action_to_string(-1, 0)
    with pytest.raises(IllegalAction, match="no legal action has code 0"):
        state.apply_action(0)
    # One of a kind is drawn: it cannot come again.
    once = game.new_initial_state().game_state.rules.tile_names.index("X")
    state = game.new_initial_state()
    state.apply_action(once)
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match="draw:X is not legal now"):
        state.apply_action(once)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match="the game is over"):
        state.action_to_string(0, 0)


def test_rules_that_end_in_a_parenthesis_have_a_plus_behind_it() -> None:
    game = pyspiel.load_game("carc(rules=base(fields=off)+ghosts(castles=off)+,players=3)")
    assert game.rules == Rules.cached("base(fields=off)+ghosts(castles=off)", 3)
    assert pyspiel.load_game(str(game)).rules == game.rules
    plain = pyspiel.load_game("carc", {"rules": "base(fields=off)"})
    assert pyspiel.load_game(str(plain)).rules == Rules.cached("base(fields=off)", 2)


def test_a_game_of_another_sort_is_refused_in_a_sentence() -> None:
    with pytest.raises(CarcError, match="mists:1 is played as the game carc_team"):
        carc.learn.openspiel.CompetitiveGame({"rules": "mists:1"})
    with pytest.raises(CarcError, match="base is played as the game carc"):
        carc.learn.openspiel.TeamGame({"rules": "base"})
    with pytest.raises(CarcError, match="carc_team needs rules"):
        carc.learn.openspiel.TeamGame()


def test_an_observer_of_tokens_has_room_for_every_table() -> None:
    game = pyspiel.load_game("carc(rules=base+ghosts)")
    observer = game.make_py_observer(params={"tokens": True})
    state = game.new_initial_state()
    for _ in range(60):
        legal = state.legal_actions()
        state.apply_action(legal[len(legal) // 2])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    observer.set_from(state, player)
    seen = tokens(state.game_state, player)
    codes = seen.pop("codes")
    assert observer.dict["codes"][: len(codes)].tolist() == codes.tolist()
    for count, (name, rows) in zip(observer.dict["counts"], seen.items(), strict=True):
        assert count == len(rows)
        written = observer.dict[name].reshape(-1, rows.shape[1])
        assert (written[: len(rows)] == rows).all()
        assert not written[len(rows) :].any()
    assert observer.tensor.size == sum(part.size for part in observer.dict.values())
