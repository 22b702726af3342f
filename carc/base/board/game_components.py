"""`Components`: what is in the box: tiles, kinds of follower, how many each colour has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.tiles.catalogue import Catalogue
from carc.errors import BadRules

MOST_POWER: Final = 255  # of all followers of one owner: 8 bits


class FollowerKind:
    """A kind of follower, or of another figure that players put on segments.

    Attributes:
        name: The name in the notation.
        power: The weight in majorities.
        supply: How many each colour has at the start.
        on: The names of the kinds of segment it may claim; None for all claimable ones. A kind
            with `on=()` claims nothing by the rules of the base game; its expansion says where
            it goes (`Expansion.claims`, `Rules.claim`).
        is_follower: Whether rules about followers concern it. By default what has power is one; a
            barn has power, for nobody may claim its field, and is none.
    """

    def __init__(
        self,
        name: str,
        power: int = 1,
        supply: int = 0,
        on: Sequence[str] | None = None,
        is_follower: bool | None = None,
    ) -> None:
        self.name: Final = name
        self.power: Final = power
        self.supply: Final = supply
        self.on: Final = on
        self.is_follower: Final = power > 0 if is_follower is None else is_follower


class Components:
    """The tiles and kinds of follower of a game, and how many colours play, for all boards."""

    def __init__(
        self, catalogue: Catalogue, follower_kinds: Sequence[FollowerKind], owners: int
    ) -> None:
        self.catalogue: Final = catalogue
        self.follower_kinds: Final[tuple[FollowerKind, ...]] = tuple(follower_kinds)
        self.owners: Final = owners
        self._check_follower_kinds()
        # The kinds of segment that are claimed by parts, a bit each. By kind of segment, the mark
        # of what parts such a feature; by segment of a kind of tile, whether it does.
        kinds = catalogue.kinds
        self.parting: Final = vec[i64]([catalogue.mark(kind.parted_by) for kind in kinds])
        self.parted: Final[i64] = sum([1 << at for at, k in enumerate(kinds) if k.parted_by])
        parting = {kind.name: kind.parted_by for kind in kinds}
        self.parts: Final = vec[i64](
            [
                int(parting[segment.kind] in dict(segment.marks))
                for tile in catalogue.tiles
                for segment in tile.segments
            ]
        )
        # By owner * kinds of follower + kind.
        supply = [kind.supply for kind in self.follower_kinds] * owners
        self.supply: Final[tuple[int, ...]] = tuple(supply)
        claimers = [self._claimers(number) for number in range(len(catalogue.kinds))]
        # By kind of segment: the kinds of follower that may claim it, a bit each (BASE-05).
        self.claimers_by_kind: Final = vec[i64](claimers)
        every_kind = (1 << len(self.follower_kinds)) - 1
        # Whether some kinds of follower may claim what others may not.
        self.has_restricted_followers: Final = any(some not in (0, every_kind) for some in claimers)

    def _check_follower_kinds(self) -> None:
        names = [kind.name for kind in self.catalogue.kinds]
        for follower in self.follower_kinds:
            for name in follower.on or ():
                if name not in names:
                    raise BadRules(
                        f"a {follower.name} may claim {name!r}, which is no kind of segment here; "
                        f"there are {', '.join(names)}"
                    )
        power = sum([kind.power * kind.supply for kind in self.follower_kinds])
        if power > MOST_POWER:
            raise BadRules(
                f"the followers of a colour count {power} together; "
                f"at most {MOST_POWER} are allowed"
            )

    def _claimers(self, segment_kind: int) -> int:
        kind = self.catalogue.kinds[segment_kind]
        allowed = [
            kind.claimable if follower.on is None else kind.name in follower.on
            for follower in self.follower_kinds
        ]
        return sum([1 << number for number, may in enumerate(allowed) if may])
