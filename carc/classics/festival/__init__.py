"""The Festival: `base+festival` (FES-01)."""

from __future__ import annotations

from pathlib import Path

from carc.base.board.candidates import Ranks
from carc.base.board.followers import NOBODY
from carc.base.game.actions import Action
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import Tile
from carc.classics.figures import EVERY, Take
from carc.classics.rivals import Rivalry


class Festival(Rivalry):
    """Who lays a festival may take an own figure back instead of putting one down."""

    TILES = Path(__file__).with_name("festival.txt")

    def bind(self, rules: Rules) -> None:
        self.verbs = [Take(rules, "festival")]

    def offers(self, tile: Tile) -> bool:
        return tile.symbol("festival") is not None

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        mine = state.ranks_of(player, EVERY, NOBODY, Ranks())
        return [*actions, *self.verbs[0].all(state, mine)]
