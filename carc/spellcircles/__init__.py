"""The Spell Circles, beside the competitive expansion or in the co-operative game.

Called by: nobody.
Imports: base, the expansions, tilesets.
"""

from collections.abc import Sequence

from carc.base.expansions.expansion import Expansion
from carc.errors import BadRules
from carc.expansion_ghosts import Ghosts
from carc.mists import Mists
from carc.spellcircles.competitive import CompetitiveCircles
from carc.spellcircles.cooperative import CooperativeCircles

__all__ = ["CompetitiveCircles", "CooperativeCircles", "SpellCircles"]


class SpellCircles(Expansion):
    """`...+spellcircles`: the variant for the game it is played with."""

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Return the competitive or the co-operative variant (SCC-*, SPC-*)."""
        for other in others:
            if isinstance(other, Ghosts):
                return CompetitiveCircles(other)
            if isinstance(other, Mists):
                return CooperativeCircles(other)
        raise BadRules(
            "spellcircles needs mist: base+ghosts+spellcircles or mists:LEVEL+spellcircles"
        )
