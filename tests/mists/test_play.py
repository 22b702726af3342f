"""Whole games: nothing is lost or made, whatever a team does."""

import json
import random

import pytest
from support.notation import standing

from carc import CHANCE, Action, Rules, State
from carc.bots.careful import Careful
from carc.mists.levels import LEVELS

OPTIONS = "(joint_scoring=every_colour,level6_scoring=every_colour)"
GAMES = [(f"mists:{level}", players) for level in LEVELS for players in range(1, 6)]
GAMES += [(f"mists:6{OPTIONS}", players) for players in (1, 3, 5)]


class Mixed:
    """Plays as `careful` does, and now and then at random: such games run deep into the piles."""

    def __init__(self, seed: object, noise: float) -> None:
        self.rng = random.Random(str(seed))
        self.noise = noise
        self.careful = Careful(1, sample=0)

    def choose(self, state: State) -> Action:
        if state.current_player == CHANCE:
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            return self.rng.choices(actions, weights)[0]
        if self.rng.random() < self.noise:
            return self.rng.choice(state.legal_actions())
        return self.careful.choose(state)


def check_conserved(state: State, tiles: int) -> None:
    data = state.to_dict()
    json.dumps(data)
    level = LEVELS[str(data["level"])]
    assert sum(standing(state, "ghost").values()) + data["ghost_stock"] == level.ghosts
    # Tiles: on the table, in hand, discarded, in the piles, face down.
    unseen = sum(data["bag"].values())
    hidden = len(standing(state, "face-down"))
    assert unseen == sum(data["piles"]) + hidden == state.tiles_left + hidden
    in_hand = data["tile_in_hand"] is not None
    assert len(data["tiles"]) + in_hand + len(data["discarded"]) + unseen == tiles + 4
    # Followers: on the board, in the supplies, buried, on the scoring track.
    own = 3 if data["players"] < 3 else 5
    counts = [one["meeple"] for one in data["supplies"]]
    for feature in data["features"]:
        for follower in feature["followers"]:
            assert feature["kind"] in ("road", "city", "castle")
            counts[follower["owner"]] += 1
    for piece in data["pieces"]:
        if piece["kind"] == "grave" and piece["owner"] is not None:
            counts[piece["owner"]] += 1
    if data["players"] >= 3:
        for owner, name in enumerate(("red", "green", "blue", "yellow", "black")[: len(counts)]):
            counts[owner] += name in data["markers"]
    assert counts == [own] * len(counts)
    assert len(set(data["scores"])) == 1


def check_hounds(state: State) -> None:
    """A hound keeps company with a follower on the board."""
    for place in standing(state, "hound"):
        assert state.board.segment_at(*place) in state.board.occupied_segments()


@pytest.mark.parametrize(("spec", "players"), GAMES)
def test_ghosts_followers_and_tiles_are_conserved(spec, players):
    rules = Rules.from_spec(spec, players=players)
    tiles = 50 if spec == "mists:1" else 60
    rng = random.Random(f"{spec} {players}")
    team = Mixed((spec, players), 1.0 if players % 2 else 0.1)
    state = rules.start()
    while not state.is_terminal:
        if rng.random() < 0.2:
            check_conserved(state, tiles)
            check_hounds(state)
        legal = [str(action) for action in state.legal_actions()]
        assert legal
        assert len(set(legal)) == len(legal)
        action = team.choose(state.copy())
        assert rules.parse(str(action)) == action
        state.apply(action)
    check_conserved(state, tiles)
    outcome = state.to_dict()["outcome"]
    assert state.returns() == [1.0 if outcome["won"] else -1.0] * players
    assert state.winners == (list(range(players)) if outcome["won"] else [])
    assert outcome["rule"] in ("COOP-14", "COOP-22", "LVL3-02")


def test_a_deal_is_drawn_through_face_down_tiles_and_all():
    """A face-down tile is passed over in the deal, too: the next is `deal[state._dealt]`."""
    rules = Rules.from_spec("mists:5", players=3)
    for seed in range(5):
        deal, team, state = rules.deal(seed), Mixed(seed, 0.1), rules.start()
        while not state.is_terminal:
            if state.current_player == CHANCE:
                state.apply(state.check(deal.choose(state)))
            else:
                state.apply(team.choose(state.copy()))
