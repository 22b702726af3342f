"""The playouts of `mcts`: lines of a turn, and how they turn out some turns later.

A playout plays what looks best one turn ahead (`lookahead.py`). Values are each player's chance to
win, from 0 to 1, so any number of players can take part. This module uses only the public methods
of `State` and knows no expansion by name. Compiled (`build_tools`).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from carc.base.cells import beyond
from carc.base.game.playout import random_action
from carc.base.turn.actions import Place
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.bots.lookahead import Lookahead, golden_sequence, outcome_at

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.actions import Action


class Line:
    """A line of play: the actions of the rest of a turn, and what its playouts were worth.

    Attributes:
        actions: The actions.
        after: The position after them.
        prior: Its value before any playout.
        prior_weight: How many playouts the prior counts as.
        total: The sum of the values of its playouts.
        visits: How many playouts it had.
    """

    def __init__(
        self, actions: list[Action], after: State, prior: float, prior_weight: float
    ) -> None:
        self.actions: Final = actions
        self.after: Final = after
        self.prior: Final = prior
        self.prior_weight: Final = prior_weight
        self.total: float = 0.0
        self.visits: int = 0

    def mean(self) -> float:
        """Return the mean value of the playouts, with the prior as some of them.

        Of two lines with equally many playouts the better has the higher mean; otherwise luck may
        decide.
        """
        return (self.total + self.prior_weight * self.prior) / (self.visits + self.prior_weight)


@mypyc_attr(allow_interpreted_subclasses=True)
class Playouts:
    """The lines of a decision and their playouts.

    A subclass may value lines (`start`) or the ends of playouts (`play`) by something else.

    The n-th playout of every line gets the same random numbers, so lines are compared rather than
    draws. With the same seed, everything is repeated exactly.
    """

    def __init__(
        self,
        lookahead: Lookahead,
        *,
        width: int,
        max_lines: int,
        turns: int,
        max_placements: int,
        prior_weight: float,
    ) -> None:
        """Prepare for the decisions of some rules.

        Args:
            lookahead: Values positions.
            width: How many actions are continued at each decision of a turn: those that look best.
            max_lines: How many lines are kept.
            turns: How many turns a playout lasts after the present one.
            max_placements: How many placements of a kind of tile a playout tries: those that looked
                best when the kind first came, besides those that were not possible then.
            prior_weight: How many playouts the prior of a line counts as.
        """
        self.lookahead: Final = lookahead
        self.width: Final = width
        self.max_lines: Final = max_lines
        self.turns: Final = turns
        self.max_placements: Final = max_placements
        self.prior_weight: Final = prior_weight
        self._rng: Final = random.Random(0)
        self._seed: int = 0
        self._first_quantile: float = 0.0  # of the first draw in the first playout of a line
        self._player: int = 0
        self._tiles: int = 0
        # By kind of tile and player: the placements (cell * 4 + rotation) that looked worse when
        # the kind first came. Those that were blocked then may be open in another playout.
        self._worse_placements: dict[int, vec[i64]] = {}

    def start(self, state: State, seed: int) -> list[Line]:
        """Start a decision and return its lines, the one with the highest prior first."""
        self.begin(state, seed)
        return self._lines(state)

    def begin(self, state: State, seed: int) -> None:
        """Start playouts from a position and those that follow it."""
        self._player = state.current_player
        self._tiles = state.board.tile_count
        self._worse_placements = {}
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Use other random numbers from here on."""
        self._seed = seed
        self._rng.seed(seed)
        self._first_quantile = self._rng.random()

    def play(self, line: Line) -> None:
        """Play a playout of a line and add its value."""
        line.total += self._playout(line.after.copy(), line.visits)[1][self._player]
        line.visits += 1

    def end_of_playout(self, state: State, index: int) -> State:
        """Return the position in which a playout ends; its number decides what is drawn."""
        return self._playout(state.copy(), index)[0]

    # -- lines ------------------------------------------------------------------------------------

    def _lines(self, state: State) -> list[Line]:
        """Return the lines from a state on, the one with the highest prior first."""
        player = self._player
        lines: list[Line] = []
        choices = self.lookahead.action_values(state)
        choices.sort(key=lambda choice: -choice.values[player])
        for choice in choices[: self.width]:
            after = state.copy()
            after.apply(choice.action)
            if after.current_player == player and after.step.name != "place":
                for rest in self._lines(after):
                    actions = [choice.action, *rest.actions]
                    lines.append(Line(actions, rest.after, rest.prior, self.prior_weight))
            else:
                prior = choice.values[player]
                lines.append(Line([choice.action], after, prior, self.prior_weight))
        lines.sort(key=lambda line: -line.prior)
        return lines[: self.max_lines]

    # -- playouts ---------------------------------------------------------------------------------

    def _playout(self, state: State, index: int) -> tuple[State, list[float]]:
        """Play some turns, in place; the number of the playout decides what is drawn.

        Returns the position then, and each player's value.
        """
        self._rng.seed(self._seed + index)
        quantile = golden_sequence(self._first_quantile, index)
        turns_left = self.turns
        while state.current_player != TERMINAL:
            if state.current_player == CHANCE:
                if state.step.name == "draw":
                    if turns_left == 0:
                        break
                    turns_left -= 1
                if quantile >= 0.0:
                    state.apply(outcome_at(state, quantile))
                    quantile = -1.0
                else:
                    state.apply(random_action(state, self._rng))
            elif state.count_actions() == 1:
                state.apply(state.action_at(0))
            else:
                is_last = turns_left == 0 and state.step.name == "place"
                state, values = self._best_reply(state)
                if is_last:
                    return state, values
        return state, self.lookahead.values(state)

    def _best_reply(self, state: State) -> tuple[State, list[float]]:
        """Play the action that looks best, and a claim after it.

        Returns the position after it, and the value it promises each player.
        """
        lookahead = self.lookahead
        player = state.current_player
        actions = lookahead.distinct(state, state.legal_actions())
        key = -1
        if state.step.name == "place":
            key = state.tile_in_hand * lookahead.rules.players + player
            if key in self._worse_placements:
                actions = self._narrow(state, actions, self._worse_placements[key])
                key = -1
        best = state
        best_claim: Action | None = None
        best_values: list[float] = []
        ranked: list[tuple[float, int]] = []
        for action in actions:
            after = state.copy()
            after.apply(action)
            claim: Action | None = None
            if lookahead.can_estimate_claims(after, player):
                claim, values = lookahead.best_claim(after, player)
            else:
                values = lookahead.turn_values(after, player)
            if key >= 0 and isinstance(action, Place):
                ranked.append((values[player], action.cell * 4 + action.rotation))
            if not best_values or values[player] > best_values[player]:
                best, best_claim, best_values = after, claim, values
        if best_claim is not None:
            best.apply(best_claim)
        if key >= 0:
            ranked.sort(reverse=True)
            worse = [placement for _, placement in ranked[self.max_placements :]]
            self._worse_placements[key] = vec[i64](worse)
        return best, best_values

    def _narrow(
        self, state: State, actions: list[Action], worse_placements: vec[i64]
    ) -> list[Action]:
        """Return the placements without those that looked worse, unless beside tiles placed since.

        If there are none, return all.
        """
        if not len(worse_placements):
            return actions
        new_cells = vec[i64]()
        for tile in range(self._tiles, state.board.tile_count):
            for side in range(4):
                new_cells = append(new_cells, beyond(state.board.cell_of(tile), side))
        narrowed: list[Action] = []
        for action in actions:
            if isinstance(action, Place):
                cell: i64 = action.cell
                placement = cell * 4 + i64(action.rotation)
                if any(new == cell for new in new_cells) or not any(
                    worse == placement for worse in worse_placements
                ):
                    narrowed.append(action)
        return narrowed or actions
