"""The example that learns: the network, the search, the training that goes on after a kill."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.notation import do, start
from support.values import decisions

from carc import Rules, State, play
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots import by_name
from carc.bots.lookahead import Lookahead
from carc.learn.dataset import read_dataset, tokens_of

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "learn"
BASE = Rules.cached("base", 2)


def test_a_position_is_judged_the_same_alone_and_beside_others(example: Any) -> None:
    net = example.network.Network(BASE, 16)
    judge = example.search.judge_by(net, net.new_weights(1))
    states = decisions(60)
    for state, together in zip(states, judge(states), strict=True):
        (alone,) = judge([state])
        assert len(alone.policy) == len(state.legal_actions())
        for one, other in zip(alone, together, strict=True):
            assert np.allclose(one, other, atol=1e-4)
        assert sum(alone.chances) == pytest.approx(1)


def test_a_padded_batch_says_the_same(example: Any) -> None:
    net = example.network.Network(BASE, 16)
    weights, states = net.new_weights(1), decisions(21)
    seen = net.look(tokens_of(states))
    plain = net.forward(weights, net.batch(seen))
    padded = net.forward(weights, net.batch(seen, padded=True))
    rows = len(seen.codes)
    assert len(padded[0]) > len(plain[0])
    assert np.allclose(plain[0][:rows], padded[0][:rows], atol=1e-4)
    assert np.allclose(plain[1][:rows], padded[1][:rows], atol=1e-4)
    assert np.allclose(plain[2][:21], padded[2][:21], atol=1e-3)


def test_who_decides_comes_first_in_the_network_and_players_by_seat_outside(example: Any) -> None:
    net = example.network.Network(BASE, 8)
    weights, states = net.new_weights(1), decisions(12)
    logits, gains, points, _ = net.forward(weights, net.batch(net.look(tokens_of(states))))
    assert {state.current_player for state in states} == {0, 1}
    said = example.search.judge_by(net, weights)(states)
    for state, judged, (own, others) in zip(states, said, points[:12], strict=True):
        assert judged.points[state.current_player] == pytest.approx(own)
        assert judged.points[1 - state.current_player] == pytest.approx(others)
    both = np.concatenate([judged.policy for judged in said])
    assert np.allclose(both, (logits + gains)[: len(both)], atol=1e-4)


def test_what_is_added_to_greedys_values_decides(example: Any) -> None:
    lookahead = Lookahead(BASE, best_evaluation(BASE))
    for state in decisions(30)[10::4]:
        gains = np.zeros(state.count_actions())
        said = example.search.Judged(gains, gains, gains, 0, gains)
        worth = {each.action: each.values for each in lookahead.action_values(state)}
        bot, player = example.bot.ByGains(seed=1), state.current_player
        best = bot.decide(lambda _, said=said: [said], state)
        assert worth[best][player] == max(values[player] for values in worth.values())
        other = next(at for at, action in enumerate(state.legal_actions()) if action != best)
        gains[other] = 100 if state.action_at(other) in worth else 0
        chosen = bot.decide(lambda _, said=said: [said], state)
        assert chosen == (state.action_at(other) if gains[other] else best)


class Counts:
    """Judges by the scores alone; the last action is the likeliest."""

    def __call__(self, states: Any) -> list[Any]:
        from search import Judged

        said = []
        for state in states:
            scores = np.array(state.scores, float)
            chances = 1 / (1 + np.exp(scores[::-1] - scores))
            logits = np.arange(len(state.legal_actions())) / 10
            said.append(Judged(logits, scores, chances, 0, np.zeros(len(logits))))
        return said


def test_positions_that_are_searched_beside_each_other_draw_from_bags_of_their_own(
    example: Any,
) -> None:
    ends: list[State] = []

    class Kept(Counts):
        def __call__(self, states: Any) -> list[Any]:
            ends.extend(state.copy() for state in states)
            return super().__call__(states)

    games = [next(s for s in decisions(75, seed) if s.tiles_left == 24) for seed in range(1, 5)]
    example.search.Search(Kept(), considered=8, turns=6, sharpness=5.0)(games, random.Random(1))
    assert {state.tiles_left for state in ends} == {*range(18, 25)}
    assert min(min(state.to_dict()["bag"].values()) for state in ends) > 0


def test_a_search_finds_the_claim_that_scores_at_once(example: Any) -> None:
    """A city of two tiles is complete with this tile: its knight scores 4 before the next tile."""
    state = do(start(), "draw:E place:0,-1,2")
    search = example.search.Search(Counts(), considered=8, turns=1, sharpness=50.0)
    (found,) = search([state], random.Random(1))
    action = str(state.action_at(found.action))
    assert state.apply(state.action_at(found.action)) is None and state.scores[0] == 4, action
    assert found.policy.argmax() == found.action
    assert found.policy.sum() == pytest.approx(1)
    assert found.points.tolist() == [4, 0]


@pytest.mark.parametrize("turns", [1, 2])
def test_a_search_plays_on_for_so_many_tiles(example: Any, turns: int) -> None:
    state = do(start(), "draw:E")
    left: list[int] = []

    class Notes(Counts):
        def __call__(self, states: Any) -> list[Any]:
            left.extend(each.tiles_left for each in states)
            return super().__call__(states)

    example.search.Search(Notes(), 2, turns, 1.0)([state], random.Random(1))
    assert {*left} == {state.tiles_left - each for each in range(turns + 1)}


def test_the_better_half_is_tried_twice_as_often(example: Any) -> None:
    """Four placements, each with the claim after it and the next draw; then two, twice each."""
    asked: list[int] = []

    class Notes(Counts):
        def __call__(self, states: Any) -> list[Any]:
            asked.append(len(states))
            return super().__call__(states)

    example.search.Search(Notes(), 4, 1, 1.0)([do(start(), "draw:E")], random.Random(1))
    assert asked == [1, 4, 4, 4, 4]


def test_the_teacher_is_greedy_and_what_looks_the_same_is_the_same(example: Any) -> None:
    greedy, teacher = (
        by_name("greedy", 1),
        example.games.Teacher(BASE, {"own": 0, "compared": 0, "turns": 4}, None),
    )
    for state in decisions(40, seed=3):
        (found,) = teacher([state], [0], random.Random(1))
        looks = example.games.looks_of(state)
        assert found.policy.sum() == pytest.approx(1)
        alike: dict[object, set[float]] = {}
        for look, share in zip(looks, found.policy, strict=True):
            alike.setdefault(look, set()).add(round(float(share), 9))
        assert all(len(shares) == 1 for shares in alike.values())
        choice = looks[state.legal_actions().index(greedy.choose(state))]
        assert found.policy[looks.index(choice)] == pytest.approx(found.policy.max())


def test_games_are_written_as_they_ended_and_were_expected_to_for_who_decided(
    example: Any, tmp_path: Path
) -> None:
    played: dict[int, State] = {}
    players: dict[int, list[int]] = {0: [], 1: []}

    def decide(states: Any, games: Any, rng: random.Random) -> list[Any]:
        played.update(zip(games, states, strict=True))  # they are played on
        for game, state in zip(games, states, strict=True):
            players[game].append(state.current_player)
        even = [np.full(state.count_actions(), 1 / state.count_actions()) for state in states]
        return [
            example.search.Judged(
                each, np.array([8, 4]), np.array([1, 0]), rng.randrange(len(each)), each
            )
            for each in even
        ]

    file = tmp_path / "games.npz"
    count = example.games.play(BASE, range(2), "seed", decide, outcome=0.25, file=file)
    columns = read_dataset(file).columns
    told = zip(columns["points"].tolist(), columns["chances"].tolist(), strict=True)
    for game in (0, 1):
        for player in players[game]:
            scores, returns = played[game].scores, played[game].returns()
            points = [0.25 * scores[0] + 0.75 * 8, 0.25 * scores[1] + 0.75 * 4]
            chances = [0.25 * (returns[0] + 1) / 2 + 0.75, 0.25 * (returns[1] + 1) / 2]
            other = 1 - player
            assert next(told) == (
                [points[player], points[other]],
                [chances[player], chances[other]],
            )
    assert count == len(columns["points"]) == len(players[0] + players[1])


def test_the_network_plays_in_its_own_games_and_the_teacher_says_what_is_right(
    example: Any,
) -> None:
    def last(states: Any) -> list[Any]:
        nothing = np.zeros(2)
        return [
            example.search.Judged(nothing, nothing, nothing, state.count_actions() - 1, nothing)
            for state in states
        ]

    state = decisions(9)[-1]
    teacher = example.games.Teacher(BASE, {"own": 1, "compared": 0, "turns": 4}, last)
    own, other = teacher([state, state], [0, 1], random.Random(1))
    assert own.action == state.count_actions() - 1
    assert other.policy[other.action] > other.policy[own.action]
    assert own.policy.tolist() == other.policy.tolist()


def test_playouts_without_a_turn_find_nothing_better_than_greedy_says(example: Any) -> None:
    by = {"own": 0, "compared": 1, "playouts": 2, "turns": 0}
    for state in decisions(60)[10::25]:
        (found,) = example.games.Teacher(BASE, by, None)([state], [0], random.Random(1))
        known = ~np.isnan(found.gains)
        assert 1 < known.sum() <= 10
        assert found.policy[known].max() == found.policy.max()
        assert np.allclose(found.gains[known], 0)
    by["turns"] = -(-state.tiles_left // 2)  # to the end
    (found,) = example.games.Teacher(BASE, by, None)([state], [0], random.Random(1))
    assert np.isnan(found.gains).all()
    by["turns"] = 1
    (found,) = example.games.Teacher(BASE, by, None)([state], [0], random.Random(1))
    assert np.nanstd(found.gains) > 0


BOTS = ["ByPolicy", "ByGains", "BySearch", "AsPrior", "AsLeaf", "AsBoth"]


@pytest.mark.parametrize("name", BOTS)
def test_its_bots_play_a_match_without_a_fault(
    example: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = example.network.Network(BASE, 8)
    np.savez(tmp_path / "network.npz", **net.new_weights(1))
    monkeypatch.setenv("CARC_NETWORK", str(tmp_path / "network.npz"))
    bots = [getattr(example.bot, name)(seed=1), by_name("random", 1)]
    match = play(BASE, bots, start=decisions(90)[-1])
    assert match.result.faults == ()


def test_each_game_of_a_round_is_played_in_some_part(example: Any) -> None:
    settings = {"imitation": {"rounds": 1, "games": 11}, "self_play": {"games": 2}}
    for number, games in ((0, 11), (1, 2)):
        parts = example.games.parts(settings, number)
        assert sorted(game for part in parts for game in part) == list(range(games))
    assert len(example.games.parts(settings, 0)) > 1


TINY = """
rules = "base"
players = 2
seed = 1
processes = 1
[network]
width = 8
[imitation]
rounds = 2
games = 2
own = 1
compared = 0.5
playouts = 1
turns = 1
[self_play]
rounds = 2
games = 2
considered = 2
turns = 1
sharpness = 20.0
[training]
steps = 4
batch = 8
window = 2
rate = 1e-3
outcome = 0.5
datasets = []
[evaluation]
every = 100
against = []
elo = [0, 50]
deals = 1
agreement = []
"""


def trains(folder: Path, kill_after: int = 0, processes: int = 1) -> None:
    """Train, killed when so many rounds were played."""
    (folder / "tiny.toml").write_text(TINY.replace("processes = 1", f"processes = {processes}"))
    words = ["train.py", str(folder / "run"), "--settings", str(folder / "tiny.toml")]
    with subprocess.Popen(
        [sys.executable, *words], cwd=FOLDER, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        for line in run.stdout:
            if line.startswith("{") and json.loads(line)["round"] == kill_after:
                run.send_signal(signal.SIGKILL)
                break
    assert run.returncode == (-signal.SIGKILL if kill_after else 0)


@pytest.mark.long
def test_a_killed_training_goes_on_and_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        folder.mkdir()
    trains(whole)
    trains(killed, kill_after=1)
    trains(killed, kill_after=3, processes=2)
    trains(killed)
    weights = "run/network.npz"
    assert (whole / weights).read_bytes() == (killed / weights).read_bytes()
    curves = (killed / "run" / "curves.csv").read_text().splitlines()
    assert [line.split(",")[:2] for line in curves[1:]] == [
        ["1", "imitation"],
        ["2", "imitation"],
        ["3", "self_play"],
        ["4", "self_play"],
    ]


@pytest.mark.long
def test_jax_says_what_numpy_says() -> None:
    code = """
import jax, jax.numpy as jnp, numpy as np
from functools import partial
from carc import Rules
from network import Network
from search import judge_by

state = Rules.cached("base", 2).start()
state.apply(state.legal_actions()[0])
net = Network(state.rules, 16)
weights, forward = net.new_weights(1), jax.jit(partial(net.forward, xp=jnp))
(compiled,) = judge_by(net, weights, forward, padded=True)([state])
(plain,) = judge_by(net, weights)([state])
for name in ("policy", "gains", "points", "chances"):  # the best of equals may differ
    assert np.allclose(getattr(compiled, name), getattr(plain, name), atol=1e-4)
"""
    subprocess.run([sys.executable, "-c", code], cwd=FOLDER, check=True)
