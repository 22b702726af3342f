"""`Lookahead`: how good positions and actions are, seen one turn ahead.

`greedy` plays by it and the searches build on it. The values of a position are each player's chance
to win, from 0 to 1, so it works for any number of players. It uses only the public methods of
`State` and knows no expansion by name. Compiled (`build_tools`).
"""

from __future__ import annotations

from math import exp, inf, sqrt
from typing import TYPE_CHECKING, Any, Final, final

from mypy_extensions import i64

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.outcome import is_team, results
from carc.base.turn.actions import PASS, Claim, Place
from carc.base.turn.steps import CHANCE, TERMINAL

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.tiles.catalogue import Catalogue
    from carc.base.turn.actions import Action

# A lead of so many points makes the odds of winning e to 1: at the end of the game, and more by the
# square root of the number of tiles left.
_LEAD_SCALE: Final = 4.0
_LEAD_SCALE_ROOT: Final = 2.5
# The points that the player whose turn begins can expect from it. Measured in games of `greedy`:
# 2.1 to 2.8 early and late, with two players and four. Without it, a search would overrate
# positions for whoever moved last.
TURN_POINTS: Final = 2.4
_GOLDEN_RATIO: Final = 0.6180339887498949
_NO_SYMMETRY: Final = [0, 1, 2, 3]
_MAX_DEPTH: Final = 4  # decisions of one turn that are searched
_MAX_OTHERS: Final = 4  # alternatives to a claim that are tried


class ActionValues:
    """An action and the value it promises each player."""

    def __init__(self, action: Action, values: list[float]) -> None:
        self.action: Final = action
        self.values: Final = values


@final
class Lookahead:
    """Values of positions and actions by an evaluation. It never changes a state it is given."""

    def __init__(self, rules: Rules, evaluation: Evaluation) -> None:
        self.rules: Final = rules
        self.evaluation: Final = evaluation
        # A team's points do not say how likely it is to win, where its expansion does.
        self._by_points: Final = not (is_team(rules) and len(rules.estimates.win_chances) > 0)
        # By kind of tile and rotation: the first rotation that looks the same.
        self._same_rotations: Final[dict[int, list[int]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without what is cached."""
        return Lookahead, (self.rules, self.evaluation)

    def distinct(self, state: State, actions: list[Action]) -> list[Action]:
        """Return the actions without placements that look the same as an earlier one."""
        same = self._same_rotation(state.tile_in_hand) if state.tile_in_hand >= 0 else _NO_SYMMETRY
        if same == _NO_SYMMETRY:
            return actions
        kept: list[Action] = []
        seen: set[int] = set()
        for action in actions:
            if isinstance(action, Place):
                placement = action.cell * 4 + same[action.rotation]
                if placement in seen:
                    continue
                seen.add(placement)
            kept.append(action)
        return kept

    def _same_rotation(self, kind: int) -> list[int]:
        """Return, for each rotation of a kind of tile, the first that looks the same."""
        same = self._same_rotations.get(kind)
        if same is None:
            same = self._same_rotations[kind] = same_rotations(self.rules.catalogue, kind)
        return same

    # -- positions --------------------------------------------------------------------------------

    def values(self, state: State) -> list[float]:
        """Return each player's chance to win."""
        if state.current_player == TERMINAL:
            return self._final_values(state)
        if self._by_points:
            chances = self._chances(state, self.expected_points(state))
        else:
            chances = [0.5] * self.rules.players
        for estimates in self.rules.estimates.win_chances:
            chances = estimates.win_chances(state, chances)
        return chances

    def expected_points(self, state: State) -> list[float]:
        """Return each player's expected final points; having the move counts."""
        points = self.evaluation.players(state)
        if state.tiles_left and state.step.name == "draw" and state.current_player != TERMINAL:
            points[state.active_player] += TURN_POINTS
        return points

    def _final_values(self, state: State) -> list[float]:
        """Return who won, and to a small part by how much."""
        by_lead = self._chances(state, [float(result) for result in results(state)])
        return [
            0.95 * (0.5 + 0.5 * won) + 0.05 * lead
            for won, lead in zip(state.returns(), by_lead, strict=True)
        ]

    def _chances(self, state: State, points: list[float]) -> list[float]:
        """Turn expected points into chances, by the lead on the best rival."""
        scale = _LEAD_SCALE + _LEAD_SCALE_ROOT * sqrt(state.tiles_left)
        n = len(points)
        if n == 1:
            return [1.0 / (1.0 + exp(-points[0] / 100.0))]
        best = second = -inf
        for each in points:
            if each > best:
                best, second = each, best
            elif each > second:
                second = each
        chances: list[float] = []
        for each in points:
            lead = each - (second if each == best else best)
            chances.append(1.0 / (1.0 + exp(-max(min(lead / scale, 30.0), -30.0))))
        return chances

    # -- the rest of a turn -----------------------------------------------------------------------

    def action_values(self, state: State) -> list[ActionValues]:
        """Return the distinct actions of the player to decide with the values they promise."""
        player = state.current_player
        valued: list[ActionValues] = []
        for action in self.distinct(state, state.legal_actions()):
            after = state.copy()
            after.apply(action)
            valued.append(ActionValues(action, self.turn_values(after, player)))
        return valued

    def turn_values(self, state: State, player: int, depth: int = _MAX_DEPTH) -> list[float]:
        """Return the values after the best continuation of a player's turn, to a depth."""
        if state.current_player == CHANCE and state.step.name != "draw" and depth:
            return self._chance_values(state, player, depth)
        if state.current_player != player or not depth:
            return self.values(state)
        if self.can_estimate_claims(state, player):
            return self.best_claim(state, player)[1]
        best: list[float] = []
        for action in self.distinct(state, state.legal_actions()):
            after = state.copy()
            after.apply(action)
            values = self.turn_values(after, player, depth - 1)
            if not best or values[player] > best[player]:
                best = values
        return best

    def _chance_values(self, state: State, player: int, depth: int) -> list[float]:
        """Return the mean of `turn_values` over the outcomes of a die."""
        sums = [0.0] * self.rules.players
        for outcome, chance in state.chance_outcomes():
            after = state.copy()
            after.apply(outcome)
            for at, each in enumerate(self.turn_values(after, player, depth - 1)):
                sums[at] += chance * each
        return sums

    def can_estimate_claims(self, state: State, player: int) -> bool:
        """Return whether a player decides on a claim that `best_claim` can choose.

        It compares expected points, so not where an expansion estimates chances to win.
        """
        return (
            state.current_player == player
            and state.step.name == "claim"
            and len(self.rules.estimates.win_chances) == 0
        )

    def best_claim(self, state: State, player: int) -> tuple[Action, list[float]]:
        """Return the best action of a claim step and its values.

        Claims are estimated without applying them (`Evaluation.claims`).
        """
        evaluation = self.evaluation
        points = evaluation.players(state)
        claims: list[Claim] = []
        others: list[Action] = []
        legal = state.legal_actions()
        for action in legal:
            if isinstance(action, Claim):
                claims.append(action)
            elif action is not PASS:
                others.append(action)
        best = legal[-1]  # to pass; where passing is illegal, some other action
        most = 0.0
        for at, gain in enumerate(evaluation.claims(state, claims, player, unchanged=True)):
            if gain > most:
                most = gain
                best = claims[at]
        points[player] += most
        if state.tiles_left:
            points[(player + 1) % len(points)] += TURN_POINTS
        best_values = self._chances(state, points) if claims or best is PASS else []
        for action in others[:_MAX_OTHERS]:
            after = state.copy()
            after.apply(action)
            values = self.values(after)
            if not best_values or values[player] > best_values[player]:
                best_values = values
                best = action
        return best, best_values


def same_rotations(catalogue: Catalogue, kind: int) -> list[int]:
    """Return, for each rotation of a kind of tile, the first rotation that is the same in play.

    A tile is not symmetric if a symbol has a value, which may be where it points to.
    """
    if any(value for _, value in catalogue.tiles[kind].symbols):
        return _NO_SYMMETRY
    looks = [_appearance(catalogue, kind * 4 + rotation) for rotation in range(4)]
    return [looks.index(look) for look in looks]


def _appearance(catalogue: Catalogue, oriented_kind: i64) -> list[int]:
    """Describe an oriented tile so that rotations of a symmetric tile are described alike."""
    number: dict[int, int] = {-1: -1}
    look: list[int] = []
    for at in range(oriented_kind * 4, oriented_kind * 4 + 4):
        look.append(catalogue.terrain[at])
        tables = (catalogue.main, catalogue.also, catalogue.left, catalogue.right)
        for table in (*tables, catalogue.overlay):
            look.append(number.setdefault(table[at], len(number)))
    return look + _segments(catalogue, oriented_kind >> 2, list(number))


def _segments(catalogue: Catalogue, kind: i64, order: list[int]) -> list[int]:
    """Describe the segments of a kind of tile in an order: their marks and what they touch."""
    first = catalogue.segment_start[kind]
    count = catalogue.segment_count[kind]
    described: list[int] = []
    for segment in order:
        if not 0 <= segment < count:
            continue
        at = first + segment
        words = catalogue.mark_words
        described.extend([catalogue.segment_marks[at * words + word] for word in range(words)])
        described.extend([catalogue.touched[at] >> other & 1 for other in order if other >= 0])
    return described


def outcome_at(state: State, quantile: float) -> Action:
    """Return the chance outcome at a quantile.

    The outcomes share the interval from 0 to 1 in proportion to their probability.
    """
    outcomes = state.chance_outcomes()
    for action, chance in outcomes:
        quantile -= chance
        if quantile < 0.0:
            return action
    return outcomes[-1][0]


def golden_sequence(first: float, index: int) -> float:
    """Return the item at an index of a sequence from `first` that always covers 0 to 1 evenly."""
    return (first + index * _GOLDEN_RATIO) % 1.0
