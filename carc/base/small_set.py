"""Sets of numbers that are asked for very often: kinds of follower, owners, kinds of tile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8


@final
class SmallSet:
    """A frozen set of numbers from 0 to 61: `kind in followers`."""

    def __init__(self, numbers: Iterable[int]) -> None:
        bits: i64 = 0
        for number in numbers:
            bits |= 1 << i64(number)
        self.bits: Final[i64] = bits

    def __contains__(self, number: int) -> bool:
        return self.bits >> i64(number) & 1 != 0


@final
class TileKinds:
    """A frozen set of kinds of tile: `kind in volcanoes`, `held | dragons`."""

    def __init__(self, flags: Iterable[bool]) -> None:
        """Make the set; `flags`: for each kind of tile whether it belongs to it."""
        self.flags: vec[u8] = vec[u8]([u8(flag) for flag in flags])
        self.is_empty: bool = not any(flag for flag in self.flags)

    def __contains__(self, kind: int) -> bool:
        return self.flags[kind] != 0

    def __or__(self, other: TileKinds) -> TileKinds:
        if self.is_empty:
            return other
        union = TileKinds(())
        union.flags, union.is_empty = self.flags[:], False
        for kind in range(len(union.flags)):
            union.flags[kind] |= other.flags[kind]
        return union

    def equals(self, other: TileKinds) -> bool:
        """Return True if the same kinds belong to another set of the same tiles."""
        if self is other:
            return True
        return not any(self.flags[kind] != other.flags[kind] for kind in range(len(self.flags)))


EVERY: Final = SmallSet(range(62))  # all kinds of follower, or all owners
