"""What Ghosts, Castles & Cemeteries is played with (GCC-01 to GCC-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.expansion import Expansion
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.tiles.tile import SegmentKind, TileSet, without_start
from carc.expansion_ghosts.ghosts_state import GhostsState
from carc.expansion_ghosts.mist import TILES, mist_kinds, standing

GHOSTS: Final = 15  # GCC-04
GUARDS_AT_START: Final = 2  # GCC-03
GUARD_STOCK: Final = 3


class GhostSet(Expansion[GhostsState]):
    """Tiles, ghosts, guards, castles and cemeteries, and what of them may be left out.

    Options (GCC-05): `ghosts`, `castles`, `cemeteries`, `guards` (on/off) and `tiles` (all/base:
    without the 60 tiles and the large start tile).
    """

    def options(self) -> Mapping[str, Sequence[str]]:
        """GCC-05: each part can be switched off."""
        switch = ("on", "off")
        return {
            "ghosts": switch,
            "castles": switch,
            "cemeteries": switch,
            "guards": switch,
            "tiles": ("all", "base"),
        }

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """Add mist, castles and cemeteries (MIST-01, GCC-14, GCC-15)."""
        return kinds + mist_kinds(self.chosen["castles"] == "on", self.chosen["cemeteries"] == "on")

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """GCC-03: 5 meeples and 2 guards."""
        if self.chosen["guards"] != "on":
            return kinds
        meeple = kinds[0]
        fewer = FollowerKind(meeple.name, meeple.power, meeple.supply - GUARDS_AT_START)
        return [fewer, *kinds[1:], FollowerKind("guard", 1, GUARDS_AT_START)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """GCC-01, GCC-02: add the mist tiles; the large start tile replaces the base's."""
        if self.chosen["tiles"] == "base":
            return sets
        return [*(without_start(tile_set) for tile_set in sets), read(TILES)]

    def setup(self, state: State) -> ExpansionState | None:
        """GCC-03, GCC-04: start with full stocks."""
        stock = GHOSTS if self.chosen["ghosts"] == "on" else 0
        guards = GUARD_STOCK if self.chosen["guards"] == "on" else 0
        return GhostsState(stock, [guards] * state.rules.owners, {})

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ghosts to the pieces; the stocks of ghosts and guards."""
        own = self.state_of(state)
        data["pieces"] += standing(state, "ghost", own.ghosts)
        if self.chosen["guards"] == "on":
            out = data["out_of_play"]
            out["guard"] = out.get("guard", 0) + sum(own.guards)
        return {**data, "ghost_stock": own.stock, "guard_stock": own.guards.copy()}

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        from carc.expansion_ghosts.printed_tiles import check_mists  # noqa: PLC0415 (not for play)

        return check_mists(tiles) if tiles.name == "mists" else None
