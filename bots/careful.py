"""`careful`: a team player for `mists:LEVEL`. Looks one ply ahead at points, ghosts, open banks and milestones.

Worth is counted in points. A ghost costs more the fewer are left in the stock; a follower's feature is worth what it
will score for all colours on it, times the chance that it is completed before the pile runs out.
"""

import random
from math import exp

from carc import Action, Place, State, majority
from carc.base.cells import AROUND, SIDES
from carc.errors import BadBot
from carc.expansion_ghosts.coop_actions import GhostsFrom
from carc.expansion_ghosts.coop_slice import NO_MARKER, MistsSlice, piece_of
from carc.expansion_ghosts.cooperative import Mists

# What one more ghost on the board costs when so many stay in the stock.
_BASE, _AMPLITUDE, _DECAY = 1.0, 12.0, 3.0
_GHOST = tuple(_BASE + _AMPLITUDE * exp(-left / _DECAY) for left in range(16))
_LOST = 60.0  # the cost of losing at the next draw, were it certain
_CLOSING = 0.6  # a further gap makes it so much less likely that a feature is closed in time
_FINISHING = 0.7  # the same of a bank
_EDGE = 0.3  # a free cell where a misty tile would call for a ghost fewer
_SPARE = (2.0, 1.2, 0.7, 0.4, 0.2)  # followers in one colour's supply: the first is worth most
_JOINT = 0.3  # of their points, for two colours' features that one tile could join
_PACE = (0.55, 0.65)  # what a point is worth, and more of it where points must come fast
_DRAWS = 12  # draws in which a gap may be filled
_HORIZON = 7.0  # tiles that a feature takes to be completed
_BROAD = 10  # placements looked into with every claim

# Decisions that end the look ahead.
_LEAVES = ("draw", "place", "hide", "hound", "sniff", "markers")


class Careful:
    """Weighs every placement, the best of them with every claim and scoring. Raises `BadBot` at another game."""

    name = "careful"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        look = _Look(state)
        if state.step.name == "place":
            legal = look.promising(state, legal)
        best: list[Action] = []
        top = float("-inf")
        for action in legal:
            after = state.copy()
            after.apply(action)
            worth = look.ahead(after)
            if worth > top:
                best, top = [action], worth
            elif worth == top:
                best.append(action)
        return self._rng.choice(best)


class _Look:
    """What stays the same while one decision is weighed."""

    def __init__(self, state: State) -> None:
        mists = state.rules.expansions[0] if state.rules.expansions else None
        if not isinstance(mists, Mists):
            raise BadBot(f"bot careful plays mists:1 to mists:6 only, not {state.rules.spec}")
        self.mists = mists
        self.costs = [
            sum(_GHOST[left:15]) for left in range(17)
        ]  # of the ghosts on the board, by those in the stock
        catalogue = state.rules.catalogue
        self.main = list(catalogue.main)
        self.overlay = list(catalogue.overlay)
        self.fits = catalogue.fits
        self.coats = state.rules.coat_of_arms
        self.kind_names = [kind.name for kind in catalogue.kinds]
        self.bag = [(kind, n) for kind, n in enumerate(state.bag) if n]
        self.unseen = max(1, sum(state.bag))
        self.closing: dict[tuple[int, int], float] = {}  # the same with the sides that ask for mist
        self.filling: dict[
            int, float
        ] = {}  # what a free cell asks for -> share of the unseen tiles that fit
        # Chance of drawing a tile that calls for more than s ghosts though it touches mist.
        self.calls = [0.0] * 8
        for kind, n in self.bag:
            symbols = sum(ghosts for _, ghosts in mists.symbols[kind])
            for stock in range(max(0, symbols - 1)):
                self.calls[stock] += n / self.unseen
        piece = piece_of(mists, state)
        target = mists.goal
        if piece.pile < len(mists.milestones):
            target = mists.milestones[piece.pile]
        self.target = target
        later = sum(mists.pile_sizes[piece.pile + 1 :])
        self.left = max(1, piece.left)
        missing = mists.goal - state.scores[0]
        pace = max(
            missing / max(1, piece.left + later), (target - state.scores[0]) / max(4, piece.left)
        )
        self.point = min(2.5, max(0.6, _PACE[0] + _PACE[1] * pace))  # what a point is worth
        self.in_time = 1.0 - exp(-(piece.left + 0.5 * later) / _HORIZON)

    def promising(self, state: State, legal: list[Action]) -> list[Action]:
        """The placements that look best before anything is claimed, each look of the tile once."""
        seen: set[tuple[int, ...]] = set()
        found: list[tuple[float, int, Action]] = []
        for number, action in enumerate(legal):
            if isinstance(action, Place):
                look = self._appearance(state.hand * 4 + action.rotation, action.cell)
                if look in seen:
                    continue
                seen.add(look)
                after = state.copy()
                after.apply(action)
                found.append((self.worth(after), -number, action))
        found.sort(reverse=True)
        return [action for _, _, action in found[:_BROAD]]

    def _appearance(self, row: int, cell: int) -> tuple[int, ...]:
        """What a placement looks like on the table: rotations of a symmetric tile look the same."""
        number: dict[int, int] = {-1: -1}
        look = [cell]
        for at in range(row * 4, row * 4 + 4):
            for table in (self.main, self.overlay):
                look.append(number.setdefault(table[at], len(number)))
        return tuple(look)

    def ahead(self, state: State) -> float:
        """The worth of a state when the rest of the turn is played as well as this sees."""
        while not state.is_terminal and state.step.name not in _LEAVES:
            legal = state.legal_actions()
            decision = state.step.name
            if decision == "claim":
                return max(self.ahead(_after(state, action)) for action in legal)
            if decision == "score":
                state.apply(legal[0])
            elif decision == "take":
                state.apply(
                    max(legal, key=lambda action: sum(map(int, action.text[5:].split("+"))))
                )
            elif decision == "reward":
                tiles = sorted(legal[1:], key=lambda action: -self._ghosts_at(state, action))
                state.apply(max([legal[0], *tiles[:3]], key=lambda a: self._rewarded(state, a)))
            else:
                state.apply(max(legal, key=lambda action: self.worth(_after(state, action))))
        return self.worth(state)

    def _ghosts_at(self, state: State, action: Action) -> int:
        cell = action.cell if isinstance(action, GhostsFrom) else -1
        piece = piece_of(self.mists, state)
        return sum(n for s, n in piece.ghosts.items() if state.cell[state.tile_of[s]] == cell)

    def _rewarded(self, state: State, action: Action) -> float:
        after = _after(state, action)
        if not after.is_terminal and after.step.name == "take":
            legal = after.legal_actions()
            after.apply(max(legal, key=lambda a: sum(map(int, a.text[5:].split("+")))))
        return self.worth(after)

    # -- what a state is worth ------------------------------------------------------------------------------------

    def worth(self, state: State) -> float:
        """The worth of a position in points."""
        piece = piece_of(self.mists, state)
        if state.is_terminal:
            return 1e6 if piece.won else -1e6
        stock = min(piece.stock, 15)
        worth = self._progress(state, piece) - self.costs[stock]
        worth -= _LOST * self.calls[min(stock, len(self.calls) - 1)]
        gaps: dict[int, list[int]] = {}
        banks: dict[int, dict[int, int]] = {}  # by cell the sides that ask for mist, as bits
        self._frontier(state, gaps, banks)
        keys = dict(zip(state.open_cells, state.open_keys, strict=True))
        standing: dict[int, int] = {}
        on_tile: dict[int, int] = {}
        for segment, n in piece.ghosts.items():
            bank = state.feature[segment]
            standing[bank] = standing.get(bank, 0) + n
            tile = state.tile_of[segment]
            on_tile[tile] = on_tile.get(tile, 0) + n
        worth += self._banks(state, stock, banks, keys, standing)
        most = min(3, max(on_tile.values(), default=0))
        worth += self._features(state, piece, gaps, keys, sum(_GHOST[stock : stock + most]))
        for spare in state.supply:
            worth += sum(_SPARE[:spare])
        return worth - self._cemeteries(state, piece)

    def _progress(self, state: State, piece: MistsSlice) -> float:
        score = state.scores[0]
        worth = self.point * score
        markers = [m for m in piece.markers if m != NO_MARKER]
        if markers:
            worth = self.point * sum(min(m, self.mists.goal) for m in markers) / 2
            worth += self.point * score
        reached = piece.pile
        if reached < len(self.mists.milestones) and score >= self.mists.milestones[reached]:
            reached += 1
        return worth + 10.0 * reached

    def _frontier(
        self, state: State, gaps: dict[int, list[int]], banks: dict[int, dict[int, int]]
    ) -> None:
        """The free cells that each claimed city or road opens to, once for each open edge, and each bank: by cell the sides."""
        tile_at, row, first = state.tile_at, state.row, state.first
        feature, claimed = state.feature, state.claimed
        main, overlay = self.main, self.overlay
        for cell in state.open_cells:
            for side in range(4):
                tile = tile_at.get(cell + SIDES[side], -1)
                if tile < 0:
                    continue
                at = row[tile] * 4 + (side ^ 2)
                index = main[at]
                if index >= 0:
                    f = feature[first[tile] + index]
                    if claimed[f]:
                        gaps.setdefault(f, []).append(cell)
                index = overlay[at]
                if index >= 0:
                    asks = banks.setdefault(feature[first[tile] + index], {})
                    asks[cell] = asks.get(cell, 0) | 1 << side

    def _banks(
        self,
        state: State,
        stock: int,
        banks: dict[int, dict[int, int]],
        keys: dict[int, int],
        standing: dict[int, int],
    ) -> float:
        """Ghosts that finishing a bank may bring back; cells where mist can be laid with a ghost fewer."""
        worth = 0.0
        cells = 0
        for bank, asks in banks.items():
            cells += len(asks)
            ghosts = standing.get(bank, 0)
            sides = sum(side.bit_count() for side in asks.values())
            if ghosts and state.open[bank] == sides:  # no edge of it touches clear ground
                chance = self.in_time * _FINISHING ** (len(asks) - 1)
                for cell, mask in asks.items():
                    chance *= self._misty(keys[cell], mask)
                worth += chance * sum(_GHOST[stock : stock + ghosts])
        return worth + _EDGE * min(cells, 10)

    def _misty(self, key: int, mask: int) -> float:
        """The chance that a tile is drawn in time that fits a free cell and shows mist at these sides only."""
        chance = self.closing.get((key, mask))
        if chance is None:
            count = 0
            for kind, n in self.bag:
                for rotation in self.fits[kind][key]:
                    at = (kind * 4 + rotation) * 4
                    shown = sum(1 << side for side in range(4) if self.overlay[at + side] >= 0)
                    if shown == mask:
                        count += n
                        break
            chance = 1.0 - (1.0 - count / self.unseen) ** min(self.left, _DRAWS)
            self.closing[key, mask] = chance
        return chance

    def _features(
        self,
        state: State,
        piece: MistsSlice,
        gaps: dict[int, list[int]],
        keys: dict[int, int],
        relief: float,
    ) -> float:
        """What followers stand to score; at least what the ghosts are worth that can be taken instead."""
        worth = 0.0
        kinds = self.kind_names
        hounds = [state.feature[s] for s in piece.hounds if s >= 0]
        on_board = sum(piece.ghosts.values())
        meeting: dict[int, list[tuple[int, float]]] = {}
        done: set[int] = set()
        for segment in state.followers:
            f = state.feature[segment]
            if f in done:
                continue
            done.add(f)
            kind = kinds[state.kind[f]]
            colours = len(majority(state, f))
            if kind == "castle":
                cell = state.cell[state.tile_of[f]]
                missing = state.centres.get(cell, 0)
                if state.open[f] and not missing:
                    continue
                full = 2.0 * self.mists.mist.misty_tiles(state, cell) + 1.2 * missing
                chance = 0.86**missing * self.in_time
            else:
                cells = gaps.get(f, [])
                if len(cells) < state.open[f]:
                    continue  # a face-down tile blocks it
                different = set(cells)
                full = float(state.size[f])
                if kind == "city":
                    full = 2.0 * (full + (state.marks[f] >> self.coats & 255))
                    full += 1.2 * min(len(different), 2)
                else:
                    full += 0.6 * min(len(different), 2)
                chance = _CLOSING ** len(cells)
                for cell in different:
                    chance *= self._fillable(keys[cell])
                if cells:
                    chance *= self.in_time
                for cell in different:
                    meeting.setdefault(cell, []).append((f, full))
            gain = self.point * full * colours
            if f in hounds:
                gain += self.point * on_board
            worth += chance * max(gain, relief)
        for cell, some in meeting.items():
            if len(some) == 2 and state.kind[some[0][0]] == state.kind[some[1][0]]:
                (a, full), (b, more) = some
                if a != b and majority(state, a) != majority(state, b):
                    worth += _JOINT * self.point * (full + more) * self._fillable(keys[cell])
        if state.step.name == "claim":
            worth += self._claimable(state)
        return worth

    def _claimable(self, state: State) -> float:
        """What the tile just laid offers a follower at once: a complete feature nobody stands on."""
        best = 0.0
        for f in state.completed:
            if not state.claimed[f]:
                kind = self.kind_names[state.kind[f]]
                if kind in ("city", "road"):
                    best = max(best, self.point * state.size[f] * (2 if kind == "city" else 1))
        return best

    def _fillable(self, key: int) -> float:
        """The chance that a tile which fits a free cell's sides is drawn in time."""
        chance = self.filling.get(key)
        if chance is None:
            share = sum(n for kind, n in self.bag if self.fits[kind][key]) / self.unseen
            chance = 1.0 - (1.0 - share) ** min(self.left, _DRAWS)
            self.filling[key] = chance
        return chance

    def _cemeteries(self, state: State, piece: MistsSlice) -> float:
        """What open cemeteries will cost: ghosts, or tiles laid face down."""
        cost = 0.0
        for segment in piece.cemeteries:
            cell = state.cell[state.tile_of[segment]]
            around = AROUND if self.mists.haunted else SIDES
            missing = sum(1 for step in around if cell + step not in state.tile_at)
            cost += 1.5 + (0.9 * self.point if self.mists.haunted else 0.8) * missing
        return cost


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after
