"""Whole games: nothing is lost or made, whatever a team does."""

import json
import random

import pytest

from carc import CHANCE, Rules, State
from carc.expansion_ghosts.levels import LEVELS

LEVEL_BY_PLAYERS = [(level, players) for level in LEVELS for players in range(1, 6)]


def wary(state: State, rng: random.Random):
    """A random action, mostly of those that leave few ghosts and many points: such games run deep into the piles."""
    legal = state.legal_actions()
    if state.current_player == CHANCE:
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        return rng.choices(actions, weights)[0]
    if rng.random() < 0.05:
        return rng.choice(legal)
    costs = []
    for action in legal:
        after = state.copy()
        after.apply(action)
        lost = after.is_terminal and not after.winners
        piece = after.slices[0]
        points = sum(after.scores) / len(after.scores) + sum(piece.markers) / 3
        costs.append(99 if lost else sum(piece.ghosts.values()) - 0.5 * points)
    return rng.choice([a for a, cost in zip(legal, costs, strict=True) if cost == min(costs)])


def check_conserved(state: State, tiles: int) -> None:
    data = state.to_dict()
    json.dumps(data)
    level = LEVELS[str(data["level"])]
    assert sum(one["ghosts"] for one in data["ghosts"]) + data["ghost_stock"] == level.ghosts
    # Tiles: on the table, in hand, discarded, in the piles, face down.
    unseen = sum(data["bag"].values())
    assert unseen == sum(data["piles"]) + len(data["hidden"]) == state.left + len(data["hidden"])
    in_hand = data["tile_in_hand"] is not None
    assert len(data["tiles"]) + in_hand + len(data["discarded"]) + unseen == tiles + 4
    # Followers: on the board, in the supplies, buried, on the scoring track.
    own = 3 if data["players"] < 3 else 5
    counts = [one["meeple"] for one in data["supplies"]]
    for feature in data["features"]:
        for follower in feature["followers"]:
            assert feature["kind"] in ("road", "city", "castle")
            counts[follower["owner"]] += 1
    for cemetery in data["cemeteries"]:
        if cemetery["buried"] is not None:
            counts[cemetery["buried"]] += 1
    if data["players"] >= 3:
        for owner, name in enumerate(("red", "green", "blue", "yellow", "black")[: len(counts)]):
            counts[owner] += name in data["markers"]
    assert counts == [own] * len(counts)
    assert len(set(data["scores"])) == 1


def check_hounds(state: State) -> None:
    """A hound keeps company with a follower on the board."""
    for hound in state.to_dict()["hounds"].values():
        if isinstance(hound, dict):
            assert state.segment_at(hound["x"], hound["y"], hound["segment"]) in state.followers


@pytest.mark.parametrize(
    "options", ["", "(joint_scoring=every_colour,level6_scoring=every_colour)"]
)
@pytest.mark.parametrize(("level", "players"), LEVEL_BY_PLAYERS)
def test_ghosts_followers_and_tiles_are_conserved(level, players, options):
    rules = Rules.named(f"mists:{level}{options}", players=players)
    tiles = 50 if level == "1" else 60
    rng = random.Random(f"{level} {players}")
    for game in range(2):
        state = rules.start()
        while not state.is_terminal:
            if rng.random() < 0.2:
                check_conserved(state, tiles)
                check_hounds(state)
            legal = [str(action) for action in state.legal_actions()]
            assert legal
            assert len(set(legal)) == len(legal)
            action = rng.choice(state.legal_actions()) if game == 0 else wary(state, rng)
            assert rules.parse(str(action)) == action
            state.apply(action)
        check_conserved(state, tiles)
        outcome = state.to_dict()["outcome"]
        assert state.returns() == [1.0 if outcome["won"] else -1.0] * players
        assert state.winners == (list(range(players)) if outcome["won"] else [])
        assert outcome["rule"] in ("COOP-14", "COOP-22", "LVL3-02")


def test_a_copy_is_equal_and_lives_its_own_life():
    rules = Rules.named("mists:6", players=2)
    rng = random.Random(5)
    for _ in range(5):
        state = rules.start()
        kept: list[tuple[State, str]] = []
        while not state.is_terminal:
            copy = state.copy()
            assert copy.to_dict() == state.to_dict()
            kept.append((copy, json.dumps(copy.to_dict())))
            state.apply(wary(state, rng))
        assert all(json.dumps(copy.to_dict()) == before for copy, before in kept)


def test_a_deal_is_drawn_through_face_down_tiles_and_all():
    """The tile drawn next is `deal[state.dealt]`: a face-down tile is passed over in the deal too."""
    rules = Rules.named("mists:5", players=3)
    for seed in range(5):
        deal, rng, state = rules.deal(seed), random.Random(seed), rules.start()
        while not state.is_terminal:
            if state.current_player == CHANCE:
                state.apply(state.check(rules.drawing(deal[state.dealt])))
            else:
                state.apply(wary(state, rng))
