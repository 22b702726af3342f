"""What goods, builders and pigs may bring (TRD-02 to TRD-04)."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates
from carc.classics.traders.traders_state import GOODS, MOST_TOKENS

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.traders import Traders

EXTRA_TURN: Final = 2.0  # points that a builder's second tiles may bring


class TradersEstimates(Estimates):
    """The tokens of owners, and their builders and pigs."""

    DESCRIPTORS = {
        "goods_share": (1.5, 1.5, 1.0, 1.0),
        "goods_most": (0.5, 0.5, 0.5, 0.5),
        "builder": (2.0, 2.0, 2.0, 2.0),
        "pig_in_supply": (0.0, -0.7, -1.6, -2.3),
    }

    def __init__(self, traders: Traders, rules: Rules) -> None:
        self.traders: Final = traders
        self.rules: Final = rules
        self.printed: Final = [_count_printed(rules, name) for name in GOODS]

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add an owner's share of all tokens, and the builder's turns."""
        builder = self.traders.helpers.builder
        for at, tokens in enumerate(self.traders.state_of(state).tokens):
            expected[at // len(GOODS)] += MOST_TOKENS * tokens / self.printed[at % len(GOODS)]
        for owner in range(len(expected)):
            expected[owner] += EXTRA_TURN * len(state.board.segments_with(owner, builder))
        return expected

    def descriptors(self, state: State) -> list[list[float]]:
        """Return for each owner what goods may bring, and where builder and pig are.

        10 points for each kind by the share of its tokens, and by the chance to have most in the
        end; whether the builder is on the board; whether the pig is in the supply.
        """
        board, helpers = state.board, self.traders.helpers
        rows: list[list[float]] = []
        for owner in range(self.rules.owners):
            share, most = self._goods(state, owner)
            builder = float(len(board.segments_with(owner, helpers.builder)))
            rows.append([share, most, builder, float(board.supply_of(owner, helpers.pig))])
        return rows

    def _goods(self, state: State, owner: int) -> tuple[float, float]:
        """Return the points of an owner by the share of all goods, and by the chance of most."""
        tokens = self.traders.state_of(state).tokens
        share = most = 0.0
        kinds = len(GOODS)
        for kind in range(kinds):
            mine = tokens[owner * kinds + kind]
            given = theirs = 0
            for other in range(self.rules.owners):
                held = tokens[other * kinds + kind]
                given += held
                if other != owner:
                    theirs = max(theirs, held)
            share += float(MOST_TOKENS * mine) / self.printed[kind]
            spread = 0.5 * sqrt(float(max(0, self.printed[kind] - given))) + 0.25
            most += float(MOST_TOKENS) / (1.0 + exp(float(theirs - mine) / spread))
        return share, most


def _count_printed(rules: Rules, mark: str) -> int:
    """Return how often a mark is printed on the tiles of the game; at least 1."""
    tiles = rules.catalogue.tiles
    return max(1, sum(t.copies * dict(s.marks).get(mark, 0) for t in tiles for s in t.segments))
