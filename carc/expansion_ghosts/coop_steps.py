"""The beats of a team's turn, in the order of the rulebook's summary: 1a, 1b, 1c, 2a, 2b, 3a, 3b, 3c."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from carc.base.actions import PASS, Action
from carc.base.cells import AROUND, SIDES
from carc.base.scoring import majority, value
from carc.base.steps import DrawStep, Step
from carc.expansion_ghosts.coop_actions import (
    POINTS,
    Markers,
    OfColour,
    OnCell,
    Take,
    of_colour,
    on_cell,
    take,
)
from carc.expansion_ghosts.coop_slice import (
    GONE,
    NO_MARKER,
    NOBODY,
    MistsSlice,
    end,
    ghosts_on_board,
    haunted_cells,
    haunted_segments,
    piece_of,
)

if TYPE_CHECKING:
    from carc.base.state import State
    from carc.expansion_ghosts.cooperative import Mists

MOST_TAKEN: Final = 3  # ghosts taken off one tile at a time (COOP-16, LVL3-03)
HOUNDS: Final = ("Rufus", "Ronja")


# -- 1: the tile --------------------------------------------------------------------------------------------------


class DrawFromPile(DrawStep):
    """1a: a tile from the active pile (LVL3-01); none left: lost (COOP-22, LVL3-02)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__()
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        if piece_of(self.mists, state).left == 0:
            return []
        return super().actions(state, player)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        piece = piece_of(self.mists, state)
        if action is None:
            _out_of_tiles(self.mists, state, piece)
            return
        piece.left -= 1
        super().apply(state, player, action)


def _out_of_tiles(mists: Mists, state: State, piece: MistsSlice) -> None:
    end(state, piece, False, "LVL3-02" if mists.milestones else "COOP-22")


class CheckMistStep(Step):
    """1b: ghosts leave the banks the tile finished (COOP-11); cemeteries it closed call for a burial (1c)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("check mist")
        self.mists: Final = mists

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        if piece.expanded and (piece.ghosts or piece.bound):
            tile: i64 = state.last
            for index, _ in mists.symbols[state.row[tile] >> 2]:
                bank: i64 = state.feature[state.first[tile] + index]
                if state.open[bank] == 0:
                    for segment in [s for s in piece.ghosts if state.feature[s] == bank]:
                        piece.clear(segment)
                    for segment in [s for s in piece.bound if state.feature[s] == bank]:
                        piece.stock += piece.bound.pop(segment)
        if piece.cemeteries:
            close_cemeteries(mists, state, piece, player)


def close_cemeteries(mists: Mists, state: State, piece: MistsSlice, player: int) -> None:
    """Cemeteries closed by tiles on their 4 sides, haunted ones by 8 (LVL2-02, LVL5-01), await a burial each."""
    for segment in piece.cemeteries:
        cell: int = state.cell[state.tile_of[segment]]
        closed = True
        for step in AROUND if mists.haunted else SIDES:
            if cell + step not in state.tile_at:
                closed = False
                break
        if closed:
            piece.closing.append(segment)
            state.push(mists.burial, player)
    if piece.closing:
        piece.cemeteries = [s for s in piece.cemeteries if s not in piece.closing]


class BuryStep(Step):
    """1c: a follower from the board, or else from a supply, is buried; the cemetery's ghosts leave (LVL2-02, LVL2-03)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("bury")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        found: list[Action] = []
        if state.followers:
            found = state.choices("bury", state.in_order(state.followers))
        else:
            for owner in range(state.rules.owners):
                if state.supply[owner]:
                    found.append(of_colour("bury", owner))
        return found if len(found) > 1 else []

    def apply(self, state: State, player: int, action: Action | None) -> None:
        piece = piece_of(self.mists, state)
        cemetery = piece.closing.pop(0)
        owner = NOBODY
        if state.followers:
            segment = _chosen(state, action)
            owner = state.owner_at(segment)
            for hound in range(len(piece.hounds)):
                if piece.hounds[hound] == segment:
                    piece.hounds[hound] = GONE  # LVL3-06
            state.take_follower(segment)
        elif action is not None:
            owner = cast(OfColour, action).owner
        else:
            for one in range(state.rules.owners):
                if state.supply[one]:
                    owner = one
        if owner != NOBODY:
            state.supply[owner] -= 1
        piece.buried[cemetery] = owner
        piece.clear(cemetery)


def _chosen(state: State, action: Action | None) -> int:
    """The segment of the follower chosen, or of the only one there is."""
    if action is None:
        for segment in state.followers:
            return segment
    return state.chosen(cast(Action, action))


# -- 2: ghosts ----------------------------------------------------------------------------------------------------


class GhostStep(Step):
    """2a: ghosts on the tile just laid, and on cemeteries or around one (COOP-13, COOP-14, LVL2-04, LVL5-02)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("ghosts")
        self.mists: Final = mists

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        tile: i64 = state.last
        kind: i64 = state.row[tile] >> 2
        first: i64 = state.first[tile]
        symbols = mists.symbols[kind]
        called = 0
        spared: i64 = -1  # the segment that gets one ghost fewer
        for index, ghosts in symbols:
            segment: i64 = first + index
            if ghosts and state.open[state.feature[segment]]:
                called += ghosts
                if spared < 0 or (state.next[spared] == spared and state.next[segment] != segment):
                    spared = segment
        if not piece.expanded:
            spared = -1
        elif called:
            called -= 1
        around: list[int] = []
        if mists.haunted and mists.cemetery_of[kind] >= 0:
            around = self._mist_around(state, state.cell[tile])
        extra = 0
        if (called or piece.called) and not mists.haunted and piece.cemeteries:
            extra = 1
        piece.called = False
        need = called + extra + len(around)
        if need == 0:
            return
        if need > piece.stock:
            end(state, piece, False, "COOP-14")
            return
        if called:
            for index, ghosts in symbols:
                segment = first + index
                if state.open[state.feature[segment]]:
                    piece.put(segment, ghosts - 1 if segment == spared else ghosts)
        for one in around:
            piece.put(one, 1)
        if extra:
            if len(piece.cemeteries) == 1:
                piece.put(piece.cemeteries[0], 1)
            else:
                state.push(mists.extra_ghost, player)

    def _mist_around(self, state: State, cell: int) -> list[int]:
        """The first mist segment of each misty tile around a cell."""
        found: list[int] = []
        for step in AROUND:
            other: i64 = state.tile_at.get(cell + step, -1)
            if other >= 0:
                symbols = self.mists.symbols[state.row[other] >> 2]
                if symbols:
                    found.append(state.first[other] + symbols[0][0])
        return found


class ExtraGhostStep(Step):
    """2a: which of several open cemeteries gets the extra ghost (LVL2-04)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("cemetery")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        cells = [state.cell[state.tile_of[s]] for s in piece_of(self.mists, state).cemeteries]
        return [on_cell("cemetery", cell) for cell in sorted(cells)]

    def apply(self, state: State, player: int, action: Action | None) -> None:
        piece = piece_of(self.mists, state)
        cell = cast(OnCell, action).cell
        for segment in piece.cemeteries:
            if state.cell[state.tile_of[segment]] == cell:
                piece.put(segment, 1)


# -- 3a: scoring --------------------------------------------------------------------------------------------------


class ScoringStep(Step):
    """3a: each completed feature with a follower is scored, in the active player's order (COOP-16, COOP-20)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("score")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        if len(state.completed) < 2:
            return []
        pending = [f for f in state.completed if state.claimed[f]]
        if len(pending) < 2:
            return []
        named: list[int] = []
        for segment in state.in_order(state.followers):
            feature = state.feature[segment]
            if feature in pending:
                pending.remove(feature)  # named once, by its first follower
                named.append(segment)
        return state.choices("score", named)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        feature = -1
        if action is not None:
            feature = state.feature[_chosen(state, action)]
        else:
            for one in state.completed:
                if state.claimed[one]:
                    feature = one
        if feature < 0:
            state.completed.clear()
            return
        mists = self.mists
        piece_of(mists, state).scoring = feature
        state.push(self, player)
        state.push(mists.settling, player)
        state.push(mists.reward, player)


class RewardStep(Step):
    """3a: the points, or ghosts off one tile (COOP-16). Without ghosts on the board there is no choice."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("reward")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        piece = piece_of(self.mists, state)
        if not piece.ghosts:
            return []
        found: list[Action] = [POINTS]
        for cell in haunted_cells(state, piece):
            found.append(on_cell("ghosts", cell))
        return found

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        if action is None or action == POINTS:
            _score_points(mists, state, piece)
        else:
            piece.taking = cast(OnCell, action).cell
            state.push(mists.taking, player)


def _score_points(mists: Mists, state: State, piece: MistsSlice) -> None:
    """The feature's value once for each colour that scores it (COOP-18, LVL6-02)."""
    feature = piece.scoring
    journal = state.journal
    if journal is not None:
        journal.items = []
        journal.total = 0
    points = value(state, feature, False)
    colours = majority(state, feature)
    if mists.every_colour:
        present: list[int] = []
        for segment in state.followers_on(feature):
            owner = state.owner_at(segment)
            if owner not in present:
                present.append(owner)
        colours = sorted(present)
    name = state.rules.catalogue.kinds[state.kind[feature]].name
    if not mists.level_markers:
        n = len(colours)
        if journal is not None:
            if n > 1:
                journal.items.append(f"{n} colours x{n}")
            journal.close(state.active, n * points, name, False)
        gain(mists, state, piece, n * points)
        return
    items = [] if journal is None else journal.items
    for owner in colours:
        if journal is not None:
            journal.items = items
        gain_for(mists, state, owner, points, name)


def gain(mists: Mists, state: State, piece: MistsSlice, points: int) -> None:
    """The common score grows; every owner's entry holds it (COOP-03, COOP-22)."""
    score = state.scores[0] + points
    for owner in range(len(state.scores)):
        state.scores[owner] = score
    if score >= mists.goal:
        end(state, piece, True, "COOP-22")


def gain_for(mists: Mists, state: State, owner: int, points: int, name: str) -> None:
    """One colour's points move its marker, or wait for the choice of one (LVL6-02)."""
    piece = piece_of(mists, state)
    journal = state.journal
    if piece.markers[owner] != NO_MARKER:
        if journal is not None:
            journal.close(owner, points, name, False)
        _move_marker(mists, state, piece, owner, points)
    elif points and not piece.rule:
        piece.owed.append(points)
        state.push(mists.marking, state.active)


def _move_marker(mists: Mists, state: State, piece: MistsSlice, owner: int, points: int) -> None:
    """Move a marker. What every marker has reached is the common score (LVL6-03)."""
    piece.markers[owner] += points
    lowest = -1
    for marker in piece.markers:
        if marker != NO_MARKER and (lowest < 0 or marker < lowest):
            lowest = marker
    gain(mists, state, piece, lowest - state.scores[0])


class TakeStep(Step):
    """How many of a tile's ghosts go back to the stock: 1 to 3, from which of its segments (COOP-16, LVL3-03)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("take")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        piece = piece_of(self.mists, state)
        segments = haunted_segments(state, piece, piece.taking)
        splits: list[tuple[int, ...]] = [()]
        for segment in segments:
            longer: list[tuple[int, ...]] = []
            for split in splits:
                room = MOST_TAKEN - sum(split)
                for n in range(min(room, piece.ghosts[segment]) + 1):
                    longer.append((*split, n))
            splits = longer
        found: list[Action] = []
        for split in splits:
            if sum(split):
                found.append(take(split))
        return found if len(found) > 1 else []

    def apply(self, state: State, player: int, action: Action | None) -> None:
        piece = piece_of(self.mists, state)
        segments = haunted_segments(state, piece, piece.taking)
        piece.taking = -1
        if action is None:
            piece.take(segments[0], 1)
            return
        counts = cast(Take, action).counts
        for i in range(len(segments)):
            piece.take(segments[i], counts[i])


class SettleStep(Step):
    """3a: the scored feature's followers go home, its hounds are scored and leave (COOP-20, LVL3-05, LVL6-04)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("settle")
        self.mists: Final = mists

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        feature = piece.scoring
        scored: list[tuple[int, int]] = []
        for hound in range(len(piece.hounds)):
            segment = piece.hounds[hound]
            if segment >= 0 and state.feature[segment] == feature:
                piece.hounds[hound] = GONE
                scored.append((hound, state.owner_at(segment)))
        state.send_home(feature)
        piece.scoring = -1
        for hound, owner in scored:
            if not piece.rule:  # not won by the first of two
                self._score_hound(state, piece, hound, owner)

    def _score_hound(self, state: State, piece: MistsSlice, hound: int, owner: int) -> None:
        """1 point for each ghost on the board (LVL3-05)."""
        mists = self.mists
        points = ghosts_on_board(piece)
        journal = state.journal
        name = HOUNDS[hound]
        if journal is not None:
            journal.items = []
            journal.total = 0
            journal.item(f"{name}, ghosts", points, 1)
        if mists.level_markers:
            gain_for(mists, state, owner, points, name)
            return
        if journal is not None:
            journal.close(state.active, points, name, False)
        gain(mists, state, piece, points)


class MarkerStep(Step):
    """3a: which marker moves for a colour that has none (LVL6-02)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("marker")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        found: list[Action] = []
        placed = piece_of(self.mists, state).markers
        for owner in range(len(placed)):
            if placed[owner] != NO_MARKER:
                found.append(of_colour("marker", owner))
        return found

    def apply(self, state: State, player: int, action: Action | None) -> None:
        piece = piece_of(self.mists, state)
        points = piece.owed.pop(0)
        owner = cast(OfColour, action).owner
        journal = state.journal
        if journal is not None:
            journal.items = [f"for a colour without a marker {points}x1"]
            journal.total = points
            journal.close(owner, points, "marker", False)
        _move_marker(self.mists, state, piece, owner, points)


class MarkersStep(Step):
    """Level 6, before the first turn: which three colours have a marker (LVL6-01)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("markers")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        if piece_of(self.mists, state).markers:
            return []
        return [Markers(three) for three in combinations(range(state.rules.owners), 3)]

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            give_markers(state, piece_of(self.mists, state), cast(Markers, action).owners)


def give_markers(state: State, piece: MistsSlice, owners: tuple[int, ...]) -> None:
    """Put markers of these colours on the track, from 3 players on out of their own followers (LVL6-01)."""
    piece.markers = [NO_MARKER] * state.rules.owners
    for owner in owners:
        piece.markers[owner] = 0
        if state.rules.players >= 3:
            state.supply[owner] -= 1


# -- 3b: hounds ---------------------------------------------------------------------------------------------------


class HoundStep(Step):
    """3b: a milestone reached brings its hound to a follower and the next pile into play (LVL3-03, LVL3-04, LVL3-07)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("hound")
        self.mists: Final = mists

    def _due(self, state: State, piece: MistsSlice) -> bool:
        milestones = self.mists.milestones
        return piece.pile < len(milestones) and state.scores[0] >= milestones[piece.pile]

    def actions(self, state: State, player: int) -> list[Action]:
        if not self._due(state, piece_of(self.mists, state)) or len(state.followers) < 2:
            return []
        return state.choices("hound", state.in_order(state.followers))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        if not self._due(state, piece):
            return
        state.push(self, player)
        state.push(mists.next_pile, player)
        if not state.followers:
            piece.hounds[piece.pile] = GONE
            return
        segment = _chosen(state, action)
        piece.hounds[piece.pile] = segment
        piece.sniffing = state.cell[state.tile_of[segment]]
        state.push(mists.sniffing, player)


class SniffStep(Step):
    """3b: the hound clears up to two different tiles of the nine around and under it (LVL3-03, LVL3-08)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("sniff")
        self.mists: Final = mists

    def actions(self, state: State, player: int) -> list[Action]:
        piece = piece_of(self.mists, state)
        found: list[Action] = []
        for cell in haunted_cells(state, piece):
            step = cell - piece.sniffing
            if cell != piece.sniffed and (step == 0 or step in AROUND):
                found.append(on_cell("ghosts", cell))
        if found:
            found.append(PASS)
        return found

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        second = piece.sniffed >= 0
        piece.sniffed = -1
        if action is not None and action != PASS:
            piece.taking = cast(OnCell, action).cell
            if not second:
                piece.sniffed = piece.taking
                state.push(self, player)
            state.push(mists.taking, player)


class NextPileStep(Step):
    """3b: the rest of the pile goes on top of the next, which becomes active (LVL3-03)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("pile")
        self.mists: Final = mists

    def apply(self, state: State, player: int, action: Action | None) -> None:
        piece = piece_of(self.mists, state)
        piece.sniffing = -1
        piece.pile += 1
        piece.left += self.mists.pile_sizes[piece.pile]


# -- 3c: face-down tiles ------------------------------------------------------------------------------------------


class HideStep(Step):
    """3c: while a cemetery is open, a tile of the active pile is laid face down beside one (LVL5-03, LVL5-08)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__("hide")
        self.mists: Final = mists

    def _cells(self, state: State, piece: MistsSlice) -> list[int]:
        found: list[int] = []
        for segment in piece.cemeteries:
            cell: int = state.cell[state.tile_of[segment]]
            for step in AROUND:
                if cell + step not in state.tile_at and cell + step not in found:
                    found.append(cell + step)
        found.sort()
        return found

    def actions(self, state: State, player: int) -> list[Action]:
        piece = piece_of(self.mists, state)
        if not piece.cemeteries or piece.left == 0:
            return []
        cells = self._cells(state, piece)
        return [on_cell("hide", cell) for cell in cells] if len(cells) > 1 else []

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        piece = piece_of(mists, state)
        if not piece.cemeteries:
            return
        if piece.left == 0:
            _out_of_tiles(mists, state, piece)
            return
        cell = self._cells(state, piece)[0] if action is None else cast(OnCell, action).cell
        piece.left -= 1
        piece.hidden.append(cell)
        state.lay_hidden(cell)
        haunt_castles(mists, state)
        state.completed.clear()
        close_cemeteries(mists, state, piece, player)


def haunt_castles(mists: Mists, state: State) -> None:
    """A castle with a face-down tile beside it is never complete (LVL5-04)."""
    for feature in [f for f in state.completed if state.kind[f] == mists.mist.castle]:
        cell: int = state.cell[state.tile_of[feature]]
        for step in AROUND:
            if state.tile_at[cell + step] < 0:
                state.open[feature] = 1
                state.completed.remove(feature)
                break
