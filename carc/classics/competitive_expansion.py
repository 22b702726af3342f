"""`CompetitiveExpansion`: a classic expansion that is played beside `base` alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from carc.base.expansions.expansion import Expansion
from carc.base.expansions.type_variables import S_co
from carc.base.turn.actions import Action, parse_choice
from carc.base.turn.verbs import FigureVerb
from carc.classics.tile_set_expansion import TileSetExpansion
from carc.errors import BadRules


class CompetitiveExpansion(TileSetExpansion[S_co]):
    """An expansion with tiles for players who play against each other.

    A player owns one colour, which has the player's number.

    Attributes:
        simple_actions: The actions without parameters that it brings; set in `bind`.
        verbs: The choices of figures that it brings; set in `bind`.
    """

    ON_SEGMENTS: ClassVar[tuple[str, ...]] = ()
    """The verbs of its choices of segments."""
    ON_CELLS: ClassVar[tuple[str, ...]] = ()
    """The verbs of its choices of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.simple_actions: list[Action] = []
        self.verbs: list[FigureVerb] = []

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Refuse a game in which the players are a team."""
        if others[0].name != "base":
            raise BadRules(
                f"{self.name} is for rivals, and {others[0].name} is played by a team;"
                " it goes beside base"
            )
        return super().resolve_with(others)

    def parse(self, text: str) -> Action | None:
        """Return the action of this expansion that `text` denotes."""
        for simple in self.simple_actions:
            if simple.text == text:
                return simple
        for verb in self.verbs:
            action = verb.parse(text)
            if action is not None:
                return action
        return parse_choice(text, self.ON_SEGMENTS, self.ON_CELLS)

    def _offer_figures(self, verbs: list[FigureVerb]) -> None:
        """Bring these choices of figures; for `bind`."""
        self.verbs = verbs
        self.segment_layers = max([verb.layers for verb in verbs])
