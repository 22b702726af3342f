"""Chance as expansions use it: a die, tiles put back, set aside unseen, in piles; `Deal` and `play`
follow, and are fair.

Two small sets of tiles make every number countable: 3 MEADOW and 1 POND to draw, or three piles of
them.
"""

import random
from collections import Counter
from pathlib import Path

import pytest
from support.notation import do, legal, tile_file, written

from carc import CHANCE, PASS, Action, Expansion, ExpansionState, Rules, State, Step, play, playout
from carc.base.small_set import TileKinds
from carc.base.turn.actions import Draw
from carc.base.turn.bag import any_left, drawable
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import DrawStep, PlaceStep, index_of
from carc.bots import by_name
from carc.errors import CarcError
from carc.testing import check

SEEDS = 1200
NEAR = 0.06  # more than four standard deviations of a share in so many

FEW = tile_file(
    "base",
    """
tile MEADOW 4 FFFF: field N E S W
tile POND 1 FFFF: field N E S W
start MEADOW 0,0
""",
)

PILES = tile_file(
    "base",
    """
tile FIRST1 3 FFFF: field N E S W; group first
tile FIRST2 1 FFFF: field N E S W; group first
tile THEN1 1 FFFF: field N E S W
tile THEN2 3 FFFF: field N E S W
tile LAST 1 FFFF: field N E S W; group last
start FIRST1 0,0
""",
)


class Roll(Action):
    """What a die shows: `roll:2`. The active player gets as many points."""

    def __init__(self, shows: int) -> None:
        super().__init__(f"roll:{shows}")
        self.shows = shows

    def perform(self, state: State, player: int) -> None:
        state.award(state.rules.colours[state.active_player][0], "die", 1, self.shows)


class Die(Step):
    """Three faces out of six show a 3, two a 2, one a 1; no face shows 0."""

    ROLLS = (Roll(0), Roll(1), Roll(2), Roll(3))

    def __init__(self) -> None:
        super().__init__("die")

    def choices(self, state: State, player: int) -> Choices:
        return Listed(list(self.ROLLS))

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return [0, 1, 2, 3]


class Throw(Step):
    """After laying a tile the die is thrown."""

    def __init__(self) -> None:
        super().__init__("throw")
        self.die = Die()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        state.push(self.die, CHANCE)


class Dice(Expansion):
    """A die in the middle of each turn."""

    def turn(self, steps: list[Step]) -> list[Step]:
        at = index_of(steps, PlaceStep) + 1
        return [*steps[:at], Throw(), *steps[at:]]

    def parse(self, text: str) -> Action | None:
        return next((roll for roll in Die.ROLLS if roll.text == text), None)


class Back(Action):
    """Put the tile drawn back and draw again: `back`."""

    def __init__(self) -> None:
        super().__init__("back")

    def perform(self, state: State, player: int) -> None:
        state.put_back()
        state.push(state.rules._draw_step, CHANCE)


BACK = Back()


class Consider(Step):
    """The player may put the tile back, once a turn."""

    def __init__(self) -> None:
        super().__init__("consider")

    def choices(self, state: State, player: int) -> Choices:
        return Listed([BACK, PASS])


class Fussy(Expansion):
    """A tile drawn may be put back."""

    def turn(self, steps: list[Step]) -> list[Step]:
        at = index_of(steps, PlaceStep)
        return [*steps[:at], Consider(), *steps[at:]]

    def parse(self, text: str) -> Action | None:
        return BACK if text == "back" else None


class Unseen(Expansion):
    """Two tiles leave the bag before the game, and nobody knows which."""

    def setup(self, state: State) -> ExpansionState | None:
        state.set_aside()
        state.set_aside()
        return None


class Piles(Expansion):
    """Tiles of the group `first` come first, those of `last` last."""

    GROUPS = ("first", "", "last")

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        tiles = state.rules.catalogue.tiles
        for group in self.GROUPS:
            others = held | TileKinds([tile.group != group for tile in tiles])
            if any_left(state, others):
                return others
        return held


class Spare(Draw):
    """A tile drawn: in the middle of a turn it leaves the game at once."""

    def perform(self, state: State, player: int) -> None:
        super().perform(state, player)
        if state.step.name == "spare":
            state._discard()


class SpareStep(Step):
    """A tile drawn by a step of the expansion's own, which is no `DrawStep`."""

    def __init__(self) -> None:
        super().__init__("spare", by_chance=True)

    def choices(self, state: State, player: int) -> Choices:
        tiles = state.rules.catalogue.tiles
        return (
            Listed([Spare(tile.name, kind) for kind, tile in enumerate(tiles)])
            if state.tiles_left
            else NO_CHOICES
        )

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return drawable(state)


class Waste(Expansion):
    """A tile of each turn goes out of the game."""

    def turn(self, steps: list[Step]) -> list[Step]:
        return [*steps[:2], SpareStep(), *steps[2:]]

    def parse(self, text: str) -> Action | None:
        name = text.removeprefix("draw:")
        kinds = self.kinds
        return Spare(name, kinds[name]) if text.startswith("draw:") and name in kinds else None

    def bind(self, rules: Rules) -> None:
        self.kinds = rules.catalogue.index


def rules(expansion: Expansion, folder: Path, tiles: str = FEW) -> Rules:
    expansion.name = "trial"
    return Rules([expansion], 2, "base+trial", written(folder, tiles))


def shares(drawn: list[str]) -> dict[str, float]:
    return {text: n / len(drawn) for text, n in Counter(drawn).items()}


def dealt(rules: Rules, seed: int) -> list[str]:
    """The tiles of a game in which everybody does the last thing on the list."""
    state, deal = rules.start(), rules.deal(seed)
    found = []
    while not state.is_terminal:
        if state.current_player == CHANCE:
            action = state.check(deal.choose(state))
            if isinstance(action, Draw):
                found.append(action.tile)
        else:
            action = state.legal_actions()[-1]
        state.apply(action)
    return found


# -- a die -----------------------------------------------------------------------------------------


def test_a_die_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    state = do(rules(Dice(), tmp_path).start(), "draw:POND place:0,-1,0")
    assert (state.current_player, state.active_player, state.step.name) == (CHANCE, 0, "die")
    assert legal(state) == ["roll:1", "roll:2", "roll:3"]  # what has no weight cannot come
    outcomes = {str(action): p for action, p in state.chance_outcomes()}
    assert outcomes == pytest.approx({"roll:1": 1 / 6, "roll:2": 2 / 6, "roll:3": 3 / 6})
    with pytest.raises(CarcError, match="roll:0 is not legal now; legal are roll:1, roll:2"):
        state.check(Die.ROLLS[0])
    do(state, "roll:2")
    assert state.scores == [2, 0]
    assert (state.current_player, state.step.name) == (0, "claim")


def test_a_deal_throws_the_die_as_it_is_weighted(tmp_path: Path) -> None:
    made = rules(Dice(), tmp_path)
    state = do(made.start(), "draw:POND place:0,-1,0")
    thrown = shares([str(made.deal(seed).choose(state)) for seed in range(SEEDS)])
    expected = {"roll:1": 1 / 6, "roll:2": 2 / 6, "roll:3": 3 / 6}
    assert thrown == pytest.approx(expected, abs=NEAR)
    assert made.deal(5).choose(state) == made.deal(5).choose(state)  # the seed decides


def test_random_playouts_throw_it_too(tmp_path: Path) -> None:
    """Four throws of a die with the mean 14/6."""
    made = rules(Dice(), tmp_path)
    rng = random.Random(3)
    total = 0
    for _ in range(SEEDS):
        state = made.start()
        playout(state, rng)
        total += sum(state.scores)
    assert total / SEEDS == pytest.approx(4 * 14 / 6, abs=0.2)


# -- tiles put back, set aside, drawn by a step of one's own ---------------------------------------


def test_a_tile_put_back_is_in_the_bag_again(tmp_path: Path) -> None:
    state = do(rules(Fussy(), tmp_path).start(), "draw:POND")
    assert legal(state) == ["back", "pass"]
    do(state, "back")
    assert (state.current_player, state.step.name) == (CHANCE, "draw")
    assert state.to_dict()["bag"] == {"MEADOW": 3, "POND": 1}
    assert (state.tiles_left, state.to_dict()["tile_in_hand"]) == (4, None)
    do(state, "draw:POND")
    assert (state.current_player, state.step.name) == (0, "place")


def test_what_was_put_back_comes_as_often_as_anything(tmp_path: Path) -> None:
    made = rules(Fussy(), tmp_path)
    again = []
    same = 0
    for seed in range(SEEDS):
        state, deal = made.start(), made.deal(seed)
        first = deal.choose(state)
        state.apply(first)
        state.apply(BACK)
        again.append(str(state.check(deal.choose(state))))
        same += again[-1] == str(first)
    assert shares(again) == pytest.approx({"draw:MEADOW": 3 / 4, "draw:POND": 1 / 4}, abs=NEAR)
    assert same / SEEDS == pytest.approx((3 / 4) ** 2 + (1 / 4) ** 2, abs=NEAR)


def test_tiles_set_aside_unseen_shorten_the_game_and_may_be_any(tmp_path: Path) -> None:
    made = rules(Unseen(), tmp_path)
    state = made.start()
    assert state.to_dict()["bag"] == {"MEADOW": 3, "POND": 1}  # nobody knows which are gone
    assert state.tiles_left == 2
    games = [dealt(made, seed) for seed in range(SEEDS)]
    assert {len(game) for game in games} == {2}
    first = shares([game[0] for game in games])
    assert first == pytest.approx({"MEADOW": 3 / 4, "POND": 1 / 4}, abs=NEAR)
    ponds = sum("POND" in game for game in games) / SEEDS
    assert ponds == pytest.approx(1 / 2, abs=NEAR)  # two of four tiles are drawn


def test_a_tile_drawn_by_a_step_of_ones_own_does_not_come_again(tmp_path: Path) -> None:
    made = rules(Waste(), tmp_path)
    for seed in range(60):
        assert sorted(dealt(made, seed)) == ["MEADOW", "MEADOW", "MEADOW", "POND"]
    second = shares([dealt(made, seed)[2] for seed in range(SEEDS)])
    assert second == pytest.approx({"MEADOW": 3 / 4, "POND": 1 / 4}, abs=NEAR)


# -- piles -----------------------------------------------------------------------------------------


def test_piles_come_in_their_order_and_each_is_shuffled_fairly(tmp_path: Path) -> None:
    made = rules(Piles(), tmp_path, PILES)
    games = [dealt(made, seed) for seed in range(SEEDS)]
    for game in games:
        assert sorted(game[:3]) == ["FIRST1", "FIRST1", "FIRST2"]
        assert sorted(game[3:7]) == ["THEN1", "THEN2", "THEN2", "THEN2"]
        assert game[7:] == ["LAST"]
    for place in (0, 1, 2):
        here = shares([game[place] for game in games])
        assert here == pytest.approx({"FIRST1": 2 / 3, "FIRST2": 1 / 3}, abs=NEAR)
    for place in (3, 6):
        here = shares([game[place] for game in games])
        assert here == pytest.approx({"THEN1": 1 / 4, "THEN2": 3 / 4}, abs=NEAR)


def test_a_game_leaves_the_next_of_its_deal_as_it_was(tmp_path: Path) -> None:
    """Piles bring tiles up from below in the deck."""
    piles = rules(Piles(), tmp_path, PILES)
    for seed in range(10):
        tiles = piles.deal(seed).tiles
        played = dealt(piles, seed)
        assert played != tiles
        assert piles.deal(seed).tiles == tiles
        assert dealt(piles, seed) == played
    assert sorted(rules(Dice(), tmp_path).deal(9).tiles) == ["MEADOW"] * 3 + ["POND"]


class Nothing(Expansion):
    """No tile may come."""

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        return TileKinds([True for _ in state.bag])


def test_where_nothing_may_come_the_game_ends(tmp_path: Path) -> None:
    state = rules(Nothing(), tmp_path).start()
    assert state.is_terminal
    assert state.tiles_left == 4


def test_random_playouts_keep_to_the_piles(tmp_path: Path) -> None:
    made = rules(Piles(), tmp_path, PILES)
    for seed in range(40):
        state = made.start()
        playout(state, random.Random(seed))
        names = [tile["kind"] for tile in state.to_dict()["tiles"]]
        assert [name[:4] for name in names] == ["FIRS"] * 4 + ["THEN"] * 4 + ["LAST"]


@pytest.mark.parametrize("expansion", [Dice, Fussy, Unseen, Waste])
def test_what_holds_for_all_rules_holds_for_each(
    expansion: type[Expansion], tmp_path: Path
) -> None:
    assert check(Rules([expansion()], 3, "base+trial"), games=1, seed=2, every=25) > 5
    assert check(rules(expansion(), tmp_path), games=5) > 20


# -- what cannot be --------------------------------------------------------------------------------


class OnlyPonds(DrawStep):
    """Says that POND alone can come, and leaves the deal in the dark."""

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return [0, 1]


class Secret(Expansion):
    def turn(self, steps: list[Step]) -> list[Step]:
        return [OnlyPonds(), *steps[1:]]


def test_play_refuses_a_draw_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(CarcError) as refused:
        for seed in range(5):
            play(rules(Secret(), tmp_path), [by_name("random", 1), by_name("random", 2)], seed)
    assert "draw:MEADOW is not legal now; legal are draw:POND" in str(refused.value)
    assert "\n" not in str(refused.value)
