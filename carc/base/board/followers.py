"""`Followers`: the followers on a board and in the supplies."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    NOWHERE,
    OWNER_AT,
    OWNER_BITS,
    OWNER_MASK,
    SEGMENT_AT,
    Arrays,
)
from carc.base.board.parts import is_free_part
from carc.base.board.vectors import insert, remove
from carc.base.cells import are_close, steps_between
from carc.base.small_set import SmallSet


class Followers(Arrays):
    """The part of `Board` that knows followers.

    A kind of follower is its index in `Rules.follower_kinds`, an owner a colour by number.
    """

    # -- where followers stand -----------------------------------------------------------------

    def has_follower(self, segment: int) -> bool:
        """Return True if a follower stands on a segment."""
        return self._first_on(segment) >= 0

    def is_within_reach(self, segment: i64) -> bool:
        """Return True unless the place shelters those on a segment (`SegmentKind.shelters`)."""
        return self.components.catalogue.shelters[self._kind[segment]] == 0

    def followers_on_tile(self, tile: i64) -> list[tuple[int, int, int]]:
        """Return segment, owner and kind of each follower within reach on a tile, by segment."""
        on_tile: list[tuple[int, int, int]] = []
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            if self._tile_of[segment] == tile and self.is_within_reach(segment):
                who = entry & FOLLOWER_MASK
                on_tile.append((int(segment), int(who >> OWNER_AT), int(who & KIND_MASK)))
        if len(on_tile) > 1:
            on_tile.sort(key=lambda follower: follower[0])
        return on_tile

    def followers_around(self, cell: i64, steps: i64) -> list[tuple[int, int, int, int]]:
        """Return the followers within reach on other tiles, so many steps to a side away at most.

        For each: segment, owner, kind, and how many steps.
        """
        around: list[tuple[int, int, int, int]] = []
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            away = steps_between(self._cell[self._tile_of[segment]], cell)
            if 0 < away <= steps and self.is_within_reach(segment):
                who = entry & FOLLOWER_MASK
                around.append((int(segment), int(who >> OWNER_AT), int(who & KIND_MASK), int(away)))
        return around

    def features_held(self, owner: i64, segment_kind: i64, mark: int) -> list[int]:
        """Return the features of a kind with a mark that have an owner's followers, each once."""
        features: list[int] = []
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            mine = (entry & FOLLOWER_MASK) >> OWNER_AT == owner
            if mine and self._kind[segment] == segment_kind:
                feature: int = self._feature[segment]
                if self.mark(feature, mark) and feature not in features:
                    features.append(feature)
        return features

    def occupied_around(self, cell: i64, kinds: SmallSet) -> list[int]:
        """Return the segments around a cell with followers within reach of these kinds.

        They are on the eight cells around it. The list is not to be changed.
        """
        segments = NOWHERE
        last: i64 = -1
        cells, tile_of, bits = self._cell, self._tile_of, kinds.bits
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            there = cells[tile_of[segment]]
            near = segment != last and there != cell and are_close(there, cell)
            if near and bits >> (entry & KIND_MASK) & 1 and self.is_within_reach(segment):
                segments = [*segments, segment]
                last = segment
        return segments

    def count_around(self, cell: i64, kinds: SmallSet) -> list[int]:
        """Return how many followers of these kinds each owner has around a cell.

        The cell itself is one of the nine.
        """
        counts = [0] * self.components.owners
        for entry in self._followers:
            there = self._cell[self._tile_of[entry >> SEGMENT_AT]]
            if kinds.bits >> (entry & KIND_MASK) & 1 and are_close(there, cell):
                counts[(entry & FOLLOWER_MASK) >> OWNER_AT] += 1
        return counts

    def _first_on(self, segment: i64) -> i64:
        """Return the first follower on a segment, `owner << OWNER_AT | kind`; -1 if none is."""
        for entry in self._followers:
            if entry >> SEGMENT_AT == segment:
                return entry & FOLLOWER_MASK
        return -1

    def owner_at(self, segment: int) -> int:
        """Return the owner of the follower on a segment, of the first of several, or `KeyError`."""
        who = self._first_on(segment)
        if who < 0:
            raise KeyError(segment)
        return who >> OWNER_AT

    def follower_at(self, segment: int) -> int:
        """Return the kind of the first follower on a segment; -1 if there is none."""
        who = self._first_on(segment)
        return who if who < 0 else who & KIND_MASK

    def first_follower_at(self, segment: i64) -> tuple[int, int]:
        """Return owner and kind of the first follower on a segment; (-1, -1) if there is none."""
        who = self._first_on(segment)
        return (-1, -1) if who < 0 else (int(who >> OWNER_AT), int(who & KIND_MASK))

    def followers_at(self, segment: int) -> list[tuple[int, int]]:
        """Return owner and kind of each follower on a segment, in the order they came.

        Those that claim nothing, such as shepherds, are last.
        """
        return [
            (int((entry & FOLLOWER_MASK) >> OWNER_AT), int(entry & KIND_MASK))
            for entry in self._followers
            if entry >> SEGMENT_AT == segment
        ]

    def all_followers(self) -> list[tuple[int, int, int]]:
        """Return segment, owner and kind of each follower; those of a segment are side by side."""
        return [
            (
                int(entry >> SEGMENT_AT),
                int((entry & FOLLOWER_MASK) >> OWNER_AT),
                int(entry & KIND_MASK),
            )
            for entry in self._followers
        ]

    def least_marked(self, kind: i64, marks: dict[int, int]) -> list[tuple[int, int, int]]:
        """Return feature, owner and fewest marks of each claim held by followers of one kind alone.

        `marks`: how many lie with the first follower of a segment.
        """
        owners, unmarked = self.components.owners, not marks
        claims = vec[i64](capacity=len(self._followers))
        fewest = vec[i64](capacity=len(self._followers))
        last: i64 = -1
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            if segment == last:
                continue
            last = segment
            here: i64 = -1
            if entry & KIND_MASK == kind:
                here = 0 if unmarked else marks.get(segment, 0)
            claim = self._feature[segment] * owners + ((entry & FOLLOWER_MASK) >> OWNER_AT)
            at: i64 = 0
            while at < len(claims) and claims[at] != claim:
                at += 1
            if at == len(claims):
                claims = append(claims, claim)
                fewest = append(fewest, here)
            fewest[at] = min(fewest[at], here)
        return [
            (int(claims[at] // owners), int(claims[at] % owners), int(fewest[at]))
            for at in range(len(claims))
            if fewest[at] >= 0
        ]

    def count_followers(self, segment: i64, owner: i64, follower: i64) -> i64:
        """Return how many of an owner's followers of a kind stand on a segment."""
        count: i64 = 0
        for entry in self._followers:
            if entry == segment << SEGMENT_AT | owner << OWNER_AT | follower:
                count += 1
        return count

    def occupied_segments(self) -> list[int]:
        """Return the segments with followers, each once, in the order they were occupied."""
        segments: list[int] = []
        last: i64 = -1
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            if segment != last:
                segments.append(segment)
                last = segment
        return segments

    def segments_with(self, owner: int, follower: int) -> list[int]:
        """Return the segments on which an owner's followers of a kind stand, each once."""
        wanted: i64 = owner << OWNER_AT | follower
        segments: list[int] = []
        last: i64 = -1
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            if entry & FOLLOWER_MASK == wanted and segment != last:
                segments.append(segment)
                last = segment
        return segments

    def occupied_by(self, kind: i64) -> list[int]:
        """Return the segments of the figures of a kind, once for each.

        The list is not to be changed.
        """
        segments = NOWHERE
        for entry in self._followers:
            if entry & KIND_MASK == kind:
                segments = [*segments, entry >> SEGMENT_AT]
        return segments

    def segment_with_figure(self, owner: i64, follower: i64) -> int:
        """Return the first segment with an owner's follower of a kind; -1: none."""
        wanted = owner << OWNER_AT | follower
        for entry in self._followers:
            if entry & FOLLOWER_MASK == wanted:
                return entry >> SEGMENT_AT
        return -1

    def segment_with(self, feature: i64, owner: i64, follower: i64) -> int:
        """Return the first segment of a feature with an owner's follower of a kind; -1: none."""
        wanted: i64 = owner << OWNER_AT | follower
        for entry in self._followers:
            if entry & FOLLOWER_MASK == wanted and self._feature[entry >> SEGMENT_AT] == feature:
                return entry >> SEGMENT_AT
        return -1

    def occupied_segments_of(self, feature: i64) -> list[int]:
        """Return the segments of a feature with followers, in the order they were occupied."""
        segments: list[int] = []
        last: i64 = -1
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            if segment != last and self._feature[segment] == feature:
                segments.append(segment)
            last = segment
        return segments

    def is_on_tile(self, feature: i64, tile: i64) -> bool:
        """Return True if a tile is part of a feature."""
        features, first = self._feature, self._first_segment[tile]
        count = self.components.catalogue.segment_count[self._oriented_kind[tile] >> 2]
        return any(features[segment] == feature for segment in range(first, first + count))

    def occupied_along(self, tile: i64, kind: i64) -> list[int]:
        """Return the segments with followers on the features of a kind that a tile is part of.

        The list is not to be changed.
        """
        segments = NOWHERE
        last: i64 = -1
        kinds, features = self._kind, self._feature
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            wanted = segment != last and kinds[segment] == kind
            if wanted and self.is_on_tile(features[segment], tile):
                segments = [*segments, segment]
            last = segment
        return segments

    def followers_of(self, feature: i64) -> list[tuple[int, int, int]]:
        """Return segment, owner and kind of each follower on a feature, as `all_followers` does."""
        found: list[tuple[int, int, int]] = []
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            if self._feature[segment] == feature:
                owner = (entry & FOLLOWER_MASK) >> OWNER_AT
                found.append((int(segment), int(owner), int(entry & KIND_MASK)))
        return found

    def owners_with(self, feature: i64, kind: i64) -> list[int]:
        """Return the owners of the figures of a kind on a feature, once for each."""
        owners: list[int] = []
        for entry in self._followers:
            if entry & KIND_MASK == kind and self._feature[entry >> SEGMENT_AT] == feature:
                owners.append((entry & FOLLOWER_MASK) >> OWNER_AT)
        return owners

    def occupied_features(self) -> list[int]:
        """Return the features with followers, each once, in the order they were occupied."""
        features = [int(self._feature[segment]) for segment in self.occupied_segments()]
        return list(dict.fromkeys(features))

    # -- majorities and supplies ---------------------------------------------------------------

    def is_claimed(self, feature: int) -> bool:
        """Return True if a follower that counts in majorities stands on a feature (BASE-06)."""
        return self._claimed[feature] != 0

    def is_unclaimed(self, segment: i64) -> bool:
        """Return True if no claim keeps others off a segment (BASE-05)."""
        return self._claimed[self._feature[segment]] == 0 or is_free_part(self, segment)

    def power(self, feature: i64, owner: i64) -> i64:
        """Return an owner's weight on a feature by its followers alone (BASE-11).

        Expansions may change it: see `carc.majority`.
        """
        return self._claimed[feature] >> OWNER_BITS * owner & OWNER_MASK

    def claim_allowed(self, segment: int, follower: int) -> bool:
        """Return True if a kind of follower may claim a segment's kind of feature.

        Only the kinds decide (`FollowerKind.on`), not who stands there.
        """
        return bool(self.components.claimers_by_kind[self._kind[segment]] >> follower & 1)

    def supply_of(self, owner: int, follower: int = 0) -> int:
        """Return how many followers of a kind an owner has in the supply; kind 0 is the meeple."""
        return self._supply[owner * len(self.components.follower_kinds) + follower]

    def add_supply(self, owner: int, follower: int, n: int) -> None:
        """Add `n` followers to a supply; a negative `n` takes them out of the game."""
        self._supply[owner * len(self.components.follower_kinds) + follower] += n

    # -- changes, without telling expansions (`State.put_follower`, `State.take_follower`) ------

    def seat_follower(self, segment: int, owner: int, kind: int) -> None:
        """Put a follower of the supply on a segment without placing it: no expansion is told."""
        self._put(segment, owner, kind)

    def unseat_follower(self, segment: int, owner: int, kind: int) -> None:
        """Take a follower off a segment for a while: no expansion is told."""
        self._take(segment, owner, kind)

    def _put(self, segment: i64, owner: i64, kind: i64) -> None:
        """Put a follower of the supply on a segment, before those there that claim nothing."""
        last = len(self._followers)
        at = last
        while at > 0 and self._followers[at - 1] >> SEGMENT_AT != segment:
            at -= 1
        kinds = self.components.follower_kinds
        power: i64 = kinds[kind].power
        if at == 0:
            at = last
        elif power:
            while at > 0 and self._followers[at - 1] >> SEGMENT_AT == segment:
                if kinds[self._followers[at - 1] & KIND_MASK].power:
                    break
                at -= 1
        entry = segment << SEGMENT_AT | owner << OWNER_AT | kind
        self._followers = insert(self._followers, at, entry)
        self._supply[owner * len(kinds) + kind] -= 1
        self._claimed[self._feature[segment]] += power << (OWNER_BITS * owner)

    def _take(self, segment: i64, owner: i64, kind: i64) -> None:
        """Return a follower to its supply: the first of this owner and kind on the segment."""
        entry = segment << SEGMENT_AT | owner << OWNER_AT | kind
        at: i64 = 0
        while self._followers[at] != entry:
            at += 1
        self._followers = remove(self._followers, at)
        kinds = self.components.follower_kinds
        self._supply[owner * len(kinds) + kind] += 1
        power: i64 = kinds[kind].power
        self._claimed[self._feature[segment]] -= power << (OWNER_BITS * owner)
