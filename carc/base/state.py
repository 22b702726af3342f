"""`State`: one position of a game, all of it public.

Features are kept in flat int arrays indexed by *segment number*: the segments of all tiles laid, in order of laying.
`feature[s]` is the number of the segment that stands for the whole feature; what belongs to a feature (open edges,
size, marks, followers) is read at that number. Joining two features relabels the smaller; members hang together in a
circular list (`next`). Everything else asks through methods, so this layout stays in this room.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from librt.vecs import vec
from mypy_extensions import i64

from carc.base import views
from carc.base.actions import Action, Draw, OnSegment, Place, on_segment, places
from carc.base.catalogue import TERRAIN_BITS
from carc.base.cells import AROUND, SIDES, cell_at
from carc.base.expansion import Slice
from carc.base.scoring import OWNER_BITS, Journal
from carc.base.steps import CHANCE, TERMINAL, Step
from carc.errors import IllegalAction

if TYPE_CHECKING:
    from carc.base.rules import Rules

NOTHING: Final = -1  # no tile on a cell
HIDDEN: Final = -2  # a tile lying face down
# What a tile just laid did to overlays.
JOINED: Final = 1  # an overlaid edge of it touches an overlaid edge
TORN: Final = 2  # an overlaid edge, its own or the board's, now touches one without


class State:
    """One position. Made by `Rules.start()`; `apply` changes it in place, `copy` is independent.

    `current_player` is 0..n-1, `CHANCE` or `TERMINAL`; `active` is whose turn it is.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def _begin(self) -> None:
        rules = self.rules
        catalogue = rules.catalogue
        self.current_player: int = CHANCE
        self.active: int = 0
        self.agenda: list[tuple[Step, int]] = []
        self.step: Step = rules.draw
        self.legal: list[Action] = []
        self.journal: Journal | None = None

        # The table: tiles in order of laying, by cell; free cells beside them, in order, with what their sides
        # demand and the placements there.
        self.tile_at: dict[int, int] = {}
        self.tiles: int = 0
        self.row: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.cell: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.first: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.open_cells: list[int] = []
        self.open_keys: list[int] = []
        self.open_places: list[list[Place]] = []

        # Segments and features.
        n = catalogue.most_segments
        self.segments: int = 0
        self.tile_of: vec[i64] = vec[i64]([0] * n)
        self.kind: vec[i64] = vec[i64]([0] * n)
        self.feature: vec[i64] = vec[i64](range(n))
        self.next: vec[i64] = vec[i64](range(n))
        self.open: vec[i64] = vec[i64]([0] * n)
        self.size: vec[i64] = vec[i64]([1] * n)
        self.paired: vec[i64] = vec[i64](
            [0] * n
        )  # members with a sibling on their tile, `size` must know
        self.marks: vec[i64] = vec[i64]([0] * n)
        self.claimed: vec[i64] = vec[i64]([0] * n)  # followers' power, 8 bits an owner
        self.centres: dict[
            int, int
        ] = {}  # cell of a feature its neighbours complete -> neighbours missing

        # People.
        self.followers: dict[int, int] = {}  # segment -> owner * kinds of follower + kind
        self.supply: list[int] = list(rules.supply)  # by owner * kinds of follower + kind
        self.scores: list[int] = [0] * rules.owners

        # The bag.
        self.bag: list[int] = catalogue.copies.copy()
        self.left: int = sum(catalogue.copies)  # how many can still be drawn
        self.dealt: int = 0  # how many have left the bag, face-down ones included
        self.discarded: list[int] = []

        # This turn.
        self.hand: int = -1  # kind drawn and not yet laid
        self.last: int = -1  # number of the tile laid this turn
        self.overlaid: int = 0  # what it did to overlays: JOINED | TORN
        self.completed: list[int] = []  # features it completed, yet to be scored

        self.slices: list[Slice] = []
        for expansion in rules.expansions:
            piece = expansion.setup(self)
            if piece is not None:
                expansion.slot = len(self.slices)
                self.slices.append(piece)
        for kind, x, y in catalogue.start:
            self.lay(kind, cell_at(x, y), 0)
        self.completed.clear()
        self.begin_turn(0)
        self._advance()

    # -- OpenSpiel's surface ------------------------------------------------------------------------------------

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player == TERMINAL

    def legal_actions(self) -> list[Action]:
        """What `current_player` may do, ordered and deterministic; empty only at the end. Do not change the list."""
        if self.current_player != CHANCE:
            return self.legal
        bag = self.bag
        return [a for a in self.legal if not isinstance(a, Draw) or bag[a.kind]]

    def apply(self, action: Action) -> None:
        """Perform a legal action and all that follows from it without a decision. Trusts the action: see `check`."""
        step, player = self.agenda.pop()
        step.apply(self, player, action)
        self._advance()

    def check(self, action: Action) -> Action:
        """The same action; raises `IllegalAction`, naming what is legal, if it is not legal now."""
        if action not in self.legal_actions():
            raise IllegalAction(views.not_legal(self, action))
        return action

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        """Each possible draw with its probability; only when `current_player` is `CHANCE`."""
        if self.current_player != CHANCE:
            return []
        total = sum(self.bag)
        return [
            (action, self.bag[action.kind] / total)
            for action in self.legal_actions()
            if isinstance(action, Draw)
        ]

    def results(self) -> list[int]:
        """What each player is ranked by, higher is better: the scores, unless an expansion says otherwise."""
        results = [self.scores[player] for player in range(self.rules.players)]
        for expansion in self.rules.results:
            results = expansion.results(self, results)
        return results

    def returns(self) -> list[float]:
        """Each player's utility: 0 before the end; then a sole winner 1, losers share -1 (BASE-19)."""
        n = self.rules.players
        if self.current_player != TERMINAL:
            return [0.0] * n
        results = self.results()
        best = max(results)
        level = results.count(best)
        share = (n - level) / (level * (n - 1)) if n > 1 else 0.0
        returns = [share if result == best else -1.0 / (n - 1) for result in results]
        for expansion in self.rules.returns:
            returns = expansion.returns(self, returns)
        return returns

    @property
    def winners(self) -> list[int]:
        """The players who won, all that are level at the top (BASE-19); empty before the end or if all lost."""
        if self.current_player != TERMINAL:
            return []
        returns = self.returns()
        best = max(returns)
        return [p for p, value in enumerate(returns) if value == best and value >= 0.0]

    @property
    def outcome(self) -> dict[str, Any]:
        """What expansions tell of how the game ended, as plain JSON data; empty before the end."""
        outcome: dict[str, Any] = {}
        if self.current_player == TERMINAL:
            for expansion in self.rules.outcome:
                outcome = expansion.outcome(self, outcome)
        return outcome

    def copy(self) -> State:
        """An independent copy, without the journal."""
        new = State(self.rules)
        new.current_player = self.current_player
        new.active = self.active
        new.agenda = self.agenda.copy()
        new.step = self.step
        new.legal = self.legal
        new.journal = None
        new.tile_at = self.tile_at.copy()
        new.tiles = self.tiles
        new.row = self.row[:]
        new.cell = self.cell[:]
        new.first = self.first[:]
        new.open_cells = self.open_cells.copy()
        new.open_keys = self.open_keys.copy()
        new.open_places = self.open_places.copy()
        new.segments = self.segments
        new.tile_of = self.tile_of[:]
        new.kind = self.kind[:]
        new.feature = self.feature[:]
        new.next = self.next[:]
        new.open = self.open[:]
        new.size = self.size[:]
        new.paired = self.paired[:]
        new.marks = self.marks[:]
        new.claimed = self.claimed[:]
        new.centres = self.centres.copy()
        new.followers = self.followers.copy()
        new.supply = self.supply.copy()
        new.scores = self.scores.copy()
        new.bag = self.bag.copy()
        new.left = self.left
        new.dealt = self.dealt
        new.discarded = self.discarded.copy()
        new.hand = self.hand
        new.last = self.last
        new.overlaid = self.overlaid
        new.completed = self.completed.copy()
        new.slices = [piece.copy() for piece in self.slices]
        return new

    # -- views for people -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything visible as plain JSON data; documented in `docs/concepts.md`."""
        return views.to_dict(self)

    def features(self) -> list[dict[str, Any]]:
        """Every feature on the table, as in `to_dict()`."""
        return views.features(self)

    def __str__(self) -> str:
        return views.text(self)

    def _repr_svg_(self) -> str:
        return views.svg(self)

    # -- the agenda -------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Run through steps that leave nothing to decide, up to the next decision or the end."""
        agenda = self.agenda
        while agenda:
            step, player = agenda[-1]
            actions = step.actions(self, player)
            if actions:
                self.step = step
                self.current_player = player
                self.legal = actions
                return
            agenda.pop()
            step.apply(self, player, None)
        self.current_player = TERMINAL
        self.legal = []

    def begin_turn(self, player: int) -> None:
        """Put a player's turn on the agenda."""
        self.active = player
        self.agenda.extend(self.rules.turns[player])

    def push(self, step: Step, player: int) -> None:
        """Put a step on top of the agenda: it comes next, before all that waits."""
        self.agenda.append((step, player))

    def schedule(self, step: Step, player: int, before: Step) -> None:
        """Put a step on the agenda so that it comes right before one that waits there."""
        at = len(self.agenda) - 1
        while self.agenda[at][0] is not before:
            at -= 1
        self.agenda.insert(at + 1, (step, player))

    def end(self) -> None:
        """The game is over: nothing more is done."""
        self.agenda.clear()

    # -- the bag --------------------------------------------------------------------------------------------------

    def draw(self, kind: int) -> None:
        """Take a tile out of the bag into the hand."""
        self.bag[kind] -= 1
        self.left -= 1
        self.dealt += 1
        self.hand = kind

    # -- the table ------------------------------------------------------------------------------------------------

    def lay(self, kind: int, cell: int, rotation: int) -> None:
        """Lay a tile, join its segments with those around it, note what it completes, tell the expansions."""
        catalogue = self.rules.catalogue
        tile: i64 = self.tiles
        base: i64 = self.segments
        k: i64 = kind
        row: i64 = k * 4 + rotation
        count: i64 = catalogue.segment_count[k]
        offset: i64 = catalogue.segment_start[k]
        feature = self.feature
        self.tiles = tile + 1
        self.segments = base + count
        self.row[tile] = row
        self.cell[tile] = cell
        self.first[tile] = base
        for index in range(count):
            segment = base + index
            self.tile_of[segment] = tile
            self.kind[segment] = catalogue.segment_kind[offset + index]
            self.open[segment] = catalogue.segment_open[offset + index]
            self.marks[segment] = catalogue.segment_marks[offset + index]
            self.paired[segment] = catalogue.segment_paired[offset + index]
        self.tile_at[cell] = tile
        self.last = tile
        self._fill(cell)

        main = catalogue.main
        left = catalogue.left
        right = catalogue.right
        overlay = catalogue.overlay
        overlays = catalogue.overlays
        overlaid = 0
        open_cells = self.open_cells
        here: i64 = row * 4
        for side in range(4):
            beside = cell + SIDES[side]
            other: i64 = self.tile_at.get(beside, NOTHING)
            mine: i64 = here + side
            if other >= 0:
                first: i64 = self.first[other]
                theirs: i64 = self.row[other] * 4 + (side ^ 2)
                a: i64 = main[mine]
                b: i64 = main[theirs]
                if a >= 0 and b >= 0:
                    self.join(base + a, first + b)
                a = left[mine]
                b = right[theirs]
                if a >= 0 and b >= 0:
                    self.join(base + a, first + b)
                a = right[mine]
                b = left[theirs]
                if a >= 0 and b >= 0:
                    self.join(base + a, first + b)
                if overlays:
                    a = overlay[mine]
                    b = overlay[theirs]
                    if a >= 0 and b >= 0:
                        self.join(base + a, first + b)
                        overlaid |= JOINED
                    elif a >= 0 or b >= 0:
                        overlaid |= TORN
            elif other == NOTHING:
                key = catalogue.terrain[mine] << (TERRAIN_BITS * (side ^ 2))
                at = bisect_left(open_cells, beside)
                if at < len(open_cells) and open_cells[at] == beside:
                    self.open_keys[at] |= key
                else:
                    open_cells.insert(at, beside)
                    self.open_keys.insert(at, key)
                    self.open_places.insert(at, places(beside))

        self.overlaid = overlaid
        completed = self.completed
        for index in range(count):
            f: i64 = feature[base + index]
            if self.open[f] == 0 and catalogue.by_edges[self.kind[f]] and f not in completed:
                completed.append(f)
        if self.centres:
            self._surround(cell)
        if catalogue.centres[k]:
            missing = 8 - self.neighbours(cell)
            if missing:
                self.centres[cell] = missing
            else:
                self._complete_centre(tile)
        for expansion in self.rules.tile_placed:
            expansion.tile_placed(self, tile)

    def lay_hidden(self, cell: int) -> None:
        """Lay a tile face down: its kind stays unknown, and nothing joins it."""
        self.left -= 1
        self.dealt += 1
        self.tile_at[cell] = HIDDEN
        self._fill(cell)
        if self.centres:
            self._surround(cell)

    def _fill(self, cell: int) -> None:
        """A cell is free no longer."""
        at = bisect_left(self.open_cells, cell)
        if at < len(self.open_cells) and self.open_cells[at] == cell:
            del self.open_cells[at]
            del self.open_keys[at]
            del self.open_places[at]

    def _surround(self, cell: int) -> None:
        """Count the tile just laid for the features it surrounds."""
        centres = self.centres
        for step in AROUND:
            missing = centres.get(cell + step, 0)
            if missing == 1:
                del centres[cell + step]
                self._complete_centre(self.tile_at[cell + step])
            elif missing:
                centres[cell + step] = missing - 1

    def _complete_centre(self, tile: i64) -> None:
        first = self.first[tile]
        for index in self.rules.catalogue.centres[self.row[tile] >> 2]:
            self.open[first + index] = 0
            self.completed.append(first + index)

    def join(self, a: i64, b: i64) -> None:
        """Join the features of two segments across one edge; a tile in both counts once (BASE-10)."""
        feature = self.feature
        keep: i64 = feature[a]
        gone: i64 = feature[b]
        if keep == gone:
            self.open[keep] -= 2
            return
        size = self.size
        if size[keep] < size[gone]:
            keep, gone = gone, keep
        follow = self.next
        total: i64 = size[keep] + size[gone]
        if self.paired[keep] and self.paired[gone]:
            total -= self._shared(keep, gone)
        self.paired[keep] += self.paired[gone]
        segment: i64 = gone
        while True:
            feature[segment] = keep
            segment = follow[segment]
            if segment == gone:
                break
        segment = follow[keep]
        follow[keep] = follow[gone]
        follow[gone] = segment
        size[keep] = total
        self.open[keep] += self.open[gone] - 2
        self.marks[keep] += self.marks[gone]
        self.claimed[keep] += self.claimed[gone]

    def _shared(self, keep: i64, gone: i64) -> i64:
        """How many tiles have segments in both features, so that `size` counts each once (BASE-10)."""
        feature = self.feature
        counts = self.rules.catalogue.segment_count
        shared: i64 = 0
        segment: i64 = gone
        while True:
            tile: i64 = self.tile_of[segment]
            first: i64 = self.first[tile]
            both = False
            for sibling in range(first, first + counts[self.row[tile] >> 2]):
                root: i64 = feature[sibling]
                if root == gone and sibling < segment:
                    both = False  # counted with that sibling
                    break
                if root == keep:
                    both = True
            if both:
                shared += 1
            segment = self.next[segment]
            if segment == gone:
                return shared

    def neighbours(self, cell: int) -> int:
        """How many of the eight cells around hold tiles."""
        count = 0
        tile_at = self.tile_at
        for step in AROUND:
            if cell + step in tile_at:
                count += 1
        return count

    def members(self, feature: int) -> list[int]:
        """The segment numbers of a feature."""
        found = [feature]
        segment = self.next[feature]
        while segment != feature:
            found.append(segment)
            segment = self.next[segment]
        return found

    def segment_at(self, x: int, y: int, index: int) -> int:
        """The number of a segment given as cell and index in its tile's data; -1 if there is none."""
        tile = self.tile_at.get(cell_at(x, y), NOTHING)
        if tile < 0 or not 0 <= index < self.rules.catalogue.segment_count[self.row[tile] >> 2]:
            return -1
        return self.first[tile] + index

    def choices(self, verb: str, segments: Sequence[int]) -> list[Action]:
        """The choices among these segments, as actions in the order given."""
        found: list[Action] = []
        for segment in segments:
            tile = self.tile_of[segment]
            found.append(on_segment(verb, self.cell[tile], segment - self.first[tile]))
        return found

    def chosen(self, action: Action) -> int:
        """The segment that a choice among segments names."""
        on = cast(OnSegment, action)
        return self.first[self.tile_at[on.cell]] + on.index

    def in_order(self, segments: Iterable[int]) -> list[int]:
        """Segments by y, x of their tile, then index."""
        found = list(segments)
        if len(found) > 1:
            cell, tile_of = self.cell, self.tile_of
            found.sort(key=lambda segment: (cell[tile_of[segment]], segment))
        return found

    # -- people -----------------------------------------------------------------------------------------------------

    def put_follower(self, segment: int, owner: int, kind: int) -> None:
        """Put a follower from the supply on a segment."""
        rules = self.rules
        code = owner * len(rules.follower_kinds) + kind
        self.supply[code] -= 1
        self.followers[segment] = code
        power: i64 = rules.follower_kinds[kind].power
        shift: i64 = OWNER_BITS * owner
        self.claimed[self.feature[segment]] += power << shift
        for expansion in rules.follower_placed:
            expansion.follower_placed(self, segment)

    def take_follower(self, segment: int) -> None:
        """Take the follower off a segment, back to its supply."""
        rules = self.rules
        for expansion in rules.follower_removed:
            expansion.follower_removed(self, segment)
        code = self.followers.pop(segment)
        self.supply[code] += 1
        owner, kind = divmod(code, len(rules.follower_kinds))
        power: i64 = rules.follower_kinds[kind].power
        shift: i64 = OWNER_BITS * owner
        self.claimed[self.feature[segment]] -= power << shift

    def followers_on(self, feature: int) -> list[int]:
        """The segments of a feature that followers stand on, in the order they came."""
        return [segment for segment in self.followers if self.feature[segment] == feature]

    def occupied(self) -> list[int]:
        """The features that followers stand on, each once, in the order the first of them came."""
        found: list[int] = []
        for segment in self.followers:
            feature = self.feature[segment]
            if feature not in found:
                found.append(feature)
        return found

    def send_home(self, feature: int) -> None:
        """All followers on a feature go back to their supplies (BASE-12)."""
        for segment in self.followers_on(feature):
            self.take_follower(segment)

    def owner_at(self, segment: int) -> int:
        """Whose follower stands on a segment."""
        return self.followers[segment] // len(self.rules.follower_kinds)

    def add_points(self, owner: int, points: int) -> None:
        """Move a score."""
        score = self.scores[owner] + points
        for expansion in self.rules.score:
            score = expansion.score(self, owner, score)
        self.scores[owner] = score

    def penalty(self, owner: int, label: str, count: int, each: int) -> None:
        """Points an owner gets outside any feature: `count` things at `each` points."""
        if self.journal is not None:
            self.journal.items = []
            self.journal.total = 0
            self.journal.item(label, count, each)
            self.journal.close(owner, count * each, label, True)
        self.add_points(owner, count * each)

    def note(self, label: str, count: int, each: int) -> None:
        """Itemise part of the points being worked out: `count` things at `each` points."""
        if self.journal is not None:
            self.journal.item(label, count, each)
