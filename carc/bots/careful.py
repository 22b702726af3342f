"""`careful`: a team player for `mists:LEVEL`. Looks one turn ahead at points, ghosts, open banks and milestones.

Every placement is weighed, the best with each claim and scoring, the best of those with a sample of tiles that may come next.

Worth is counted in points. A ghost costs more the fewer are left in the stock; a follower's feature is worth what it
will score for all colours on it, times the chance that it is completed before the pile runs out.
"""

import random
from math import exp

from carc import Action, Place, State, majority
from carc.base.board.arrays import NOTHING
from carc.base.cells import AROUND, SIDES
from carc.base.game.actions import OnCell
from carc.errors import BadBot
from carc.mists import Mists, MistsState
from carc.mists.actions import Take
from carc.mists.mists_state import NO_MARKER

# What one more ghost on the board costs when so many stay in the stock.
_BASE, _AMPLITUDE, _DECAY = 2.0, 9.0, 3.0
_GHOST = tuple(_BASE + _AMPLITUDE * exp(-left / _DECAY) for left in range(16))
_LOST = 60.0  # the cost of losing at the next draw, were it certain
_CLOSING = 0.65  # that a feature with one gap is closed in time, and by how much less with each further gap
_FURTHER = 0.4
_FINISHING = 0.55  # the same of a bank
_FENCING = 0.8  # the same of a cemetery
_AROUND = 0.86  # the same of a castle, by missing neighbours
_HOPE = 0.6  # how much of the ghosts' cost goes by the stock one expects after finishing banks
_EDGE = 0.4  # a free cell where a misty tile would call for a ghost fewer
_SPARE = (2.0, 1.2, 0.7, 0.4, 0.2)  # followers in one colour's supply: the first is worth most
_JOINT = 0.2  # of their points, for two colours' features that one tile could join
_PACE = (0.8, 0.3)  # what a point is worth, and more of it where points must come fast
_BEYOND = 0.3  # level 6: what a marker's points beyond the next milestone are worth before the others are there
_HASTE = 1.5  # points must come so much faster where tiles are lost face down
_DRAWS = 17  # draws in which a gap may be filled
_HORIZON = 7.0  # tiles that a feature takes to be completed
_BROAD = 10  # placements looked into with every claim
_DEEP = 3  # of those, looked into with the next tile

# Decisions that end the look ahead.
_LEAVES = ("draw", "place", "hide", "hound", "sniff", "markers")


class Careful:
    """A team player. `sample`: how many tiles that may come next it looks at; 0: none, and it is much faster.

    Raises `BadBot` at another game.
    """

    name = "careful"

    def __init__(self, seed: int = 0, sample: int = 4) -> None:
        self._rng = random.Random(seed)
        self._sample = sample

    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        look = _Look(state)
        decision = state.step.name
        if decision == "place":
            legal = look.promising(state, legal)
        ends = [look.ahead(_after(state, action)) for action in legal]
        worths = [look.worth(end) for end in ends]
        if self._sample and decision in ("place", "claim"):
            sample = look.sample(self._rng, self._sample)
            best = sorted(range(len(ends)), key=lambda i: -worths[i])[:_DEEP]
            for i in range(len(ends)):
                worths[i] = look.next_turn(ends[i], worths[i], sample) if i in best else -2e6
        top = max(worths)
        return self._rng.choice([a for a, w in zip(legal, worths, strict=True) if w == top])


class _Look:
    """What stays the same while one decision is weighed."""

    def __init__(self, state: State) -> None:
        mists = next((e for e in state.rules.expansions if isinstance(e, Mists)), None)
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
        team = mists.state_of(state)
        target = mists.level.goal
        if team.pile < len(mists.level.milestones):
            target = mists.level.milestones[team.pile]
        later = sum(mists.pile_sizes[team.pile + 1 :])
        self.left = max(1, team.left)
        self.target = target
        scores = [m for m in team.markers if m != NO_MARKER] or [state.scores[0]]
        to_goal = sum(max(0, mists.level.goal - score) for score in scores)
        to_target = sum(max(0, target - score) for score in scores)
        pace = max(to_goal / max(1, team.left + later), to_target / max(4, team.left))
        if mists.level.haunted:
            pace *= _HASTE
        self.point = min(2.5, max(0.6, _PACE[0] + _PACE[1] * pace))  # what a point is worth
        self.in_time = 1.0 - exp(-(team.left + 0.5 * later) / _HORIZON)

    def promising(self, state: State, legal: list[Action]) -> list[Action]:
        """The placements that look best before anything is claimed."""
        found = sorted(self.weighed(state, legal), key=lambda one: (-one[0], one[1]))
        return [action for _, _, action in found[:_BROAD]]

    def weighed(self, state: State, legal: list[Action]) -> list[tuple[float, int, Action]]:
        """Placements with their worth and number, each look of the tile once."""
        seen: set[tuple[int, ...]] = set()
        found: list[tuple[float, int, Action]] = []
        for number, action in enumerate(legal):
            if isinstance(action, Place):
                look = self._appearance(state.tile_in_hand * 4 + action.rotation, action.cell)
                if look not in seen:
                    seen.add(look)
                    found.append((self.worth(_after(state, action)), number, action))
        return found

    def _appearance(self, row: int, cell: int) -> tuple[int, ...]:
        """What a placement looks like on the table: rotations of a symmetric tile look the same."""
        number: dict[int, int] = {-1: -1}
        look = [cell]
        for at in range(row * 4, row * 4 + 4):
            for table in (self.main, self.overlay):
                look.append(number.setdefault(table[at], len(number)))
        return tuple(look)

    def ahead(self, state: State) -> State:
        """The state when the rest of the turn is played as well as this sees; changes the one given."""
        while not state.is_terminal and state.step.name not in _LEAVES:
            legal = state.legal_actions()
            decision = state.step.name
            if decision == "claim":
                return max([self.ahead(_after(state, a)) for a in legal], key=self.worth)
            if decision == "score":
                state.apply(legal[0])
            elif decision == "take":
                state.apply(_most(legal))
            elif decision == "reward":
                tiles = sorted(legal[1:], key=lambda a: -self._ghosts_at(state, a))
                state.apply(max([legal[0], *tiles[:3]], key=lambda a: self._rewarded(state, a)))
            else:
                state.apply(max(legal, key=lambda a: self.worth(_after(state, a))))
        return state

    def sample(self, rng: random.Random, size: int) -> list[int]:
        """Kinds of tile that may come next, drawn by what is unseen."""
        kinds = [kind for kind, n in self.bag for _ in range(n)]
        return rng.sample(kinds, min(size, len(kinds)))

    def next_turn(self, state: State, worth: float, sample: list[int]) -> float:
        """The mean of what the best placement of each sampled tile is worth; `worth` where no draw comes next."""
        if state.is_terminal or state.step.name != "draw" or not sample:
            return worth
        total = 0.0
        for kind in sample:
            drawn = _after(state, state.rules._draw_actions[kind])
            if drawn.is_terminal or drawn.step.name != "place":
                total += self.worth(drawn)
            else:
                total += max(w for w, _, _ in self.weighed(drawn, drawn.legal_actions()))
        return total / len(sample)

    def _ghosts_at(self, state: State, action: Action) -> int:
        cell = action.cell if isinstance(action, OnCell) else -1
        team = self.mists.state_of(state)
        return sum(n for s, n in team.ghosts.items() if state.board.cell_under(s) == cell)

    def _rewarded(self, state: State, action: Action) -> float:
        after = _after(state, action)
        if not after.is_terminal and after.step.name == "take":
            after.apply(_most(after.legal_actions()))
        return self.worth(after)

    # -- what a state is worth --------------------------------------------------------------------

    def worth(self, state: State) -> float:
        """The worth of a position in points."""
        team = self.mists.state_of(state)
        if state.is_terminal:
            return 1e6 if team.won else -1e6
        stock = min(team.stock, 15)
        worth = self._progress(state, team) - (1 - _HOPE) * self.costs[stock]
        ready = stock - (1 if team.cemeteries and not self.mists.level.haunted else 0)  # LVL2-04
        worth -= _LOST * self.calls[min(max(ready, 0), len(self.calls) - 1)]
        gaps: dict[int, list[int]] = {}
        banks: dict[int, dict[int, int]] = {}  # by cell the sides that ask for mist, as bits
        keys = state.board.free_cells()
        self._frontier(state, keys, gaps, banks)
        standing: dict[int, int] = {}
        on_tile: dict[int, int] = {}
        for segment, n in team.ghosts.items():
            bank = state.board.feature_of(segment)
            standing[bank] = standing.get(bank, 0) + n
            tile = state.board.tile_under(segment)
            on_tile[tile] = on_tile.get(tile, 0) + n
        cells = sum(len(asks) for asks in banks.values())
        worth += _EDGE * min(cells, 10)
        hope = stock + self._recovered(state, banks, keys, standing)
        hope += self._laid_to_rest(state, team, keys)
        most = min(3, max(on_tile.values(), default=0))
        for gain, chance in self._features(state, team, gaps, keys):
            relief = self._cost(hope) - self._cost(hope + most)
            if relief > gain:
                hope += chance * most
            else:
                worth += chance * gain
        worth += self._meeting(state, gaps, keys)
        if state.step.name == "claim":
            worth += self._claimable(state)
        worth -= _HOPE * self._cost(hope)
        for owner in range(state.rules.owners):
            worth += sum(_SPARE[: state.board.supply_of(owner)])
        return worth - self._cemeteries(state, team)

    def _progress(self, state: State, team: MistsState) -> float:
        score = state.scores[0]
        worth = self.point * score
        if team.markers:
            worth = 0.0
            for marker in team.markers:
                if marker != NO_MARKER:
                    beyond = min(marker, self.mists.level.goal) - min(marker, self.target)
                    worth += self.point * (min(marker, self.target) + _BEYOND * beyond)
        reached = team.pile
        if (
            reached < len(self.mists.level.milestones)
            and score >= self.mists.level.milestones[reached]
        ):
            reached += 1
        return worth + 10.0 * reached

    def _frontier(
        self,
        state: State,
        keys: dict[int, int],
        gaps: dict[int, list[int]],
        banks: dict[int, dict[int, int]],
    ) -> None:
        """The free cells that each claimed city or road opens to, once for each open edge, and each bank: by cell the sides."""
        for cell in keys:
            for side in range(4):
                tile = state.board.tile_on_cell(cell + SIDES[side])
                if tile < 0:
                    continue
                segment = state.board.segment_at_side(tile, side ^ 2)
                if segment >= 0:
                    f = state.board.feature_of(segment)
                    if state.board.is_claimed(f):
                        gaps.setdefault(f, []).append(cell)
                segment = state.board.overlay_at_side(tile, side ^ 2)
                if segment >= 0:
                    asks = banks.setdefault(state.board.feature_of(segment), {})
                    asks[cell] = asks.get(cell, 0) | 1 << side

    def _cost(self, stock: float) -> float:
        """The cost of the ghosts on the board, by the stock one expects to come to."""
        low = min(int(stock), 15)
        return self.costs[low] + (min(stock, 15.0) - low) * (self.costs[low + 1] - self.costs[low])

    def _recovered(
        self,
        state: State,
        banks: dict[int, dict[int, int]],
        keys: dict[int, int],
        standing: dict[int, int],
    ) -> float:
        """How many ghosts finishing banks may bring back."""
        back = 0.0
        for bank, asks in banks.items():
            ghosts = standing.get(bank, 0)
            sides = sum(side.bit_count() for side in asks.values())
            if (
                ghosts and state.board.open_edges(bank) == sides
            ):  # no edge of it touches clear ground
                chance = self.in_time * _FINISHING ** (len(asks) - 1)
                for cell, mask in asks.items():
                    chance *= self._misty(keys[cell], mask)
                back += chance * ghosts
        return back

    def _laid_to_rest(self, state: State, team: MistsState, keys: dict[int, int]) -> float:
        """How many ghosts may leave cemeteries that tiles close on their four sides."""
        back = 0.0
        for segment in team.cemeteries:
            ghosts = team.ghosts.get(segment, 0)
            if ghosts:
                cell = state.board.cell_under(segment)
                missing = [cell + step for step in SIDES if cell + step in keys]
                chance = self.in_time * _FENCING ** (len(missing) - 1)
                for one in missing:
                    chance *= self._fillable(keys[one])
                back += chance * ghosts
        return back

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
        self, state: State, team: MistsState, gaps: dict[int, list[int]], keys: dict[int, int]
    ) -> list[tuple[float, float]]:
        """For each feature with followers: what it will score for all colours, and the chance of it."""
        found: list[tuple[float, float]] = []
        hounds = [state.board.feature_of(s) for s in team.hounds if s >= 0]
        on_board = sum(team.ghosts.values())
        for f in state.board.occupied_features():
            kind = state.board.kind_of(f)
            if kind == "castle":
                cell = state.board.cell_under(f)
                missing = state.board.free_around(f)
                if state.board.is_open(f) and not missing:
                    continue  # beside a face-down tile
                mist = self.mists.mist
                misty = mist.misty_around(state, cell) + mist.is_misty(state, cell)
                full = 2.0 * misty + 1.2 * missing
                chance = _AROUND**missing * self.in_time
            else:
                cells = gaps.get(f, [])
                if len(cells) < state.board.open_edges(f):
                    continue  # beside a face-down tile
                growing = min(len(cells), 2) * (1.2 if kind == "city" else 0.6)
                full = self._value(state, f, kind) + growing
                chance = _CLOSING * _FURTHER ** (len(cells) - 1) if cells else 1.0
                for cell in set(cells):
                    chance *= self._fillable(keys[cell])
                if cells:
                    chance *= self.in_time
            gain = self.point * full * self._scorers(state, team, f)
            if f in hounds:
                gain += self.point * on_board
            found.append((gain, chance))
        return found

    def _scorers(self, state: State, team: MistsState, f: int) -> float:
        """How many colours score a feature; in level 6 those count for more whose marker is behind."""
        owners = majority(state, f)
        if not team.markers:
            return float(len(owners))
        count = 0.0
        for owner in owners:
            marker = team.markers[owner]
            count += 1.0 if marker < self.target else _BEYOND * (marker < self.mists.level.goal)
        return count

    def _value(self, state: State, f: int, kind: str) -> float:
        """What a city or road on the table would score now."""
        size = state.board.tiles_of(f)
        if kind != "city":
            return float(size)
        return 2.0 * (size + state.board.mark(f, self.coats))

    def _meeting(self, state: State, gaps: dict[int, list[int]], keys: dict[int, int]) -> float:
        """Two colours' features that one tile could join (COOP-18)."""
        worth = 0.0
        at: dict[tuple[int, str], list[int]] = {}
        for f, cells in gaps.items():
            for cell in set(cells):
                at.setdefault((cell, state.board.kind_of(f)), []).append(f)
        for (cell, kind), some in at.items():
            if len(some) == 2 and majority(state, some[0]) != majority(state, some[1]):
                both = sum(self._value(state, f, kind) for f in some)
                worth += _JOINT * self.point * both * self._fillable(keys[cell])
        return worth

    def _claimable(self, state: State) -> float:
        """What the tile just laid offers a follower at once: a complete feature nobody stands on."""
        best = 0.0
        for f in state.board.completed:
            if not state.board.is_claimed(f):
                kind = state.board.kind_of(f)
                if kind in ("city", "road"):
                    best = max(best, self.point * self._value(state, f, kind))
        return best

    def _fillable(self, key: int) -> float:
        """The chance that a tile which fits a free cell's sides is drawn in time."""
        chance = self.filling.get(key)
        if chance is None:
            share = sum(n for kind, n in self.bag if self.fits[kind][key]) / self.unseen
            chance = 1.0 - (1.0 - share) ** min(self.left, _DRAWS)
            self.filling[key] = chance
        return chance

    def _cemeteries(self, state: State, team: MistsState) -> float:
        """What open cemeteries will cost: ghosts, or tiles laid face down."""
        cost = 0.0
        for segment in team.cemeteries:
            cell = state.board.cell_under(segment)
            around = AROUND if self.mists.level.haunted else SIDES
            missing = sum(1 for step in around if state.board.tile_on_cell(cell + step) == NOTHING)
            cost += 1.5 + (0.9 * self.point if self.mists.level.haunted else 0.8) * missing
        return cost


def _most(takes: list[Action]) -> Action:
    """Of the ways to take ghosts off a tile, the first that takes most."""
    return max(takes, key=lambda action: sum(action.counts) if isinstance(action, Take) else 0)


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after
