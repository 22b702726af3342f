"""The Spell Circles, beside the competitive expansion or in the co-operative game."""

from collections.abc import Sequence

from carc.base.expansion import Expansion
from carc.errors import BadRules
from carc.expansion_ghosts import Ghosts
from carc.spellcircles.competitive import CompetitiveCircles

__all__ = ["CompetitiveCircles", "SpellCircles"]


class SpellCircles(Expansion):
    """`…+spellcircles`: becomes the variant for the game it is played with."""

    def beside(self, others: Sequence[Expansion]) -> Expansion:
        for other in others:
            if isinstance(other, Ghosts):
                return CompetitiveCircles(other)
        raise BadRules("spellcircles is played with base+ghosts+spellcircles")
