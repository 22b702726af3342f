"""`Hands`: players hold tiles that only they see. An expansion for the tests, written by hooks:

- Each player holds two tiles: he draws them before his turn, and again after it.
- In his turn he chooses, in secret, one of them that fits somewhere; all see it when it is placed.
- If none fits, he draws a tile in the open, as in the base game.
- The game is over when he has none to place and the bag is empty.
"""

from __future__ import annotations

from typing import Any

from carc import CHANCE, Action, Expansion, ExpansionState, Rules, State, Step
from carc.base.position.state_fields import HiddenTile
from carc.base.turn.bag import drawable
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import DrawStep, EndStep, index_of, placements_of

HELD = 2


class HandsState(ExpansionState):
    """What each player holds, and whether the tile in hand was chosen in secret."""

    tiles: list[list[HiddenTile]]
    secret: bool

    def __init__(self, players: int) -> None:
        self.tiles = [[] for _ in range(players)]
        self.secret = False

    def conceal(self, state: State, player: int) -> None:
        """Who does not see what was chosen sees a choice that is still to be made."""
        chooser = state.active_player
        if self.secret and player != chooser:
            self.tiles[chooser].append(state.tile_in_hand)
            self.secret = False
            state.change_tile_in_hand(-1)
            turn = state.rules.turn
            state.push(turn[index_of(turn, DrawStep)], CHANCE)
            state.push(turn[index_of(turn, ChooseStep)], chooser)
        super().conceal(state, player)


class Held(Action):
    """A player draws a tile that only he sees, or chooses it: `hold:1,D`, `choose:1,D`."""

    def __init__(self, verb: str, player: int, tile: str, kind: int) -> None:
        super().__init__(f"{verb}:{player},{tile}")
        self.verb, self.player, self.tile, self.kind = verb, player, tile, kind

    def seen_by(self, player: int) -> str:
        return self.text if player == self.player else f"{self.verb}:{self.player},?"


class HoldStep(Step):
    """Chance draws tiles into the hand of whose turn it is."""

    def __init__(self, hands: Hands) -> None:
        super().__init__("draw", by_chance=True)
        self.hands = hands

    def choices(self, state: State, player: int) -> Choices:
        held = self.hands.state_of(state).tiles[state.active_player]
        if len(held) == HELD or state.tiles_left == 0:
            return NO_CHOICES
        return Listed(self.hands.actions["hold"][state.active_player])

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return drawable(state)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if isinstance(action, Held):
            state.rules.draw(action.tile).perform(state, CHANCE)
            state.change_tile_in_hand(-1)
            self.hands.state_of(state).tiles[action.player].append(action.kind)
            state.push(self, CHANCE)


class ChooseStep(Step):
    """A player chooses one of the tiles he holds."""

    def __init__(self, hands: Hands) -> None:
        super().__init__("choose")
        self.hands = hands

    def choices(self, state: State, player: int) -> Choices:
        held = sorted({*self.hands.state_of(state).tiles[player]})
        fitting = [kind for kind in held if placements_of(state, kind).count]
        return Listed([self.hands.actions["choose"][player][kind] for kind in fitting])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if isinstance(action, Held):
            own = self.hands.state_of(state)
            own.tiles[player].remove(action.kind)
            own.secret = True
            state.change_tile_in_hand(action.kind)


class Hands(Expansion[HandsState]):
    """Its rules are in the docstring of the module."""

    def turn(self, steps: list[Step]) -> list[Step]:
        hold, draw, end = HoldStep(self), index_of(steps, DrawStep), index_of(steps, EndStep)
        return [*steps[:draw], hold, ChooseStep(self), *steps[draw:end], hold, *steps[end:]]

    def bind(self, rules: Rules) -> None:
        self.actions: dict[str, list[list[Action]]] = {
            verb: [
                [Held(verb, player, tile, kind) for kind, tile in enumerate(rules.tile_names)]
                for player in range(rules.players)
            ]
            for verb in ("hold", "choose")
        }

    def parse(self, text: str) -> Action | None:
        of_verb = self.actions.get(text.partition(":")[0], [])
        return next((one for some in of_verb for one in some if one.text == text), None)

    def setup(self, state: State) -> ExpansionState:
        return HandsState(state.rules.players)

    def tile_placed(self, state: State, tile: int) -> None:
        self.state_of(state).secret = False

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        names = state.rules.tile_names
        hands = [[kind for kind in hand if kind >= 0] for hand in self.state_of(state).tiles]
        data["tiles_held"] = [{names[kind]: hand.count(kind) for kind in hand} for hand in hands]
        return data
