"""The Festival: `base+festival` (FES-01)."""

from __future__ import annotations

from pathlib import Path

from carc.base.actions import Action
from carc.base.rules import Rules
from carc.base.state import State
from carc.classics.figures import Verb
from carc.classics.rivals import Rivalry, showing


class Festival(Rivalry):
    """Who lays a festival may take an own figure back instead of putting one down."""

    TILES = Path(__file__).with_name("festival.txt")

    def bind(self, rules: Rules) -> None:
        self.festive = showing(rules, "festival")
        self.verbs = [Verb(rules, "festival", State.take_follower)]

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        if not self.festive[state.kind_of_tile(state.last)]:
            return actions
        return [*actions, *self.verbs[0].own(state, state.rules.colours[player][0])]
