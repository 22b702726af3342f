"""`Hooks`: for each hook the expansions that override it, found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from librt.vecs import vec

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import ADDED, Expansion
from carc.base.tiles.tile import SegmentKind, Tile
from carc.errors import BadRules

BY_TILE: Final = (
    "placements",
    "tile_placed",
    "allows_figures",
    "claims",
    "restrict_claims",
)  # hooks for which `ONLY_FOR` may name symbols, edge letters or kinds of segment
BY_FEATURE: Final = (
    "power",
    "feature_points",
    "player_points",
    "feature_scored",
)  # hooks for which it may name kinds of feature
# Hooks that `ORDER` may name.
ORDERED: Final = ("feature_points", "game_ended", "next_player", "player_points", "tile_sets")


class Hooks:
    """For each hook of play the expansions that override it, in the order in which they are asked.

    They are vectors: compiled code knows the type of the items. Ask for the `len`; the truth value
    of a vector is slow.
    """

    def __init__(self, expansions: Sequence[Expansion]) -> None:
        self.held_back: Final = overriding(expansions, "held_back")
        self.placements: Final = overriding(expansions, "placements")
        self.tile_placed: Final = overriding(expansions, "tile_placed")
        self.allows_figures: Final = overriding(expansions, "allows_figures")
        self.claims: Final = overriding(expansions, "claims")
        self.restrict_claims: Final = overriding(expansions, "restrict_claims")
        self.follower_placed: Final = overriding(expansions, "follower_placed")
        self.power: Final = overriding(expansions, "power")
        self.feature_points: Final = overriding(expansions, "feature_points")
        self.player_points: Final = overriding(expansions, "player_points")
        self.score: Final = overriding(expansions, "score")
        self.feature_scored: Final = overriding(expansions, "feature_scored")
        self.follower_removed: Final = overriding(expansions, "follower_removed")
        self.next_player: Final = overriding(expansions, "next_player")
        self.game_ended: Final = overriding(expansions, "game_ended")
        self.results: Final = overriding(expansions, "results")
        self.returns: Final = overriding(expansions, "returns")
        self.outcome: Final = overriding(expansions, "outcome")
        self.describe: Final = overriding(expansions, "describe")


def overriding(expansions: Sequence[Expansion], hook: str) -> vec[Expansion]:
    """Return the expansions that override a hook, in order."""
    default = getattr(Expansion, hook)
    ordered = in_order(expansions, hook)
    return vec[Expansion]([e for e in ordered if getattr(type(e), hook) is not default])


class EstimateHooks:
    """For each hook of `Estimates` those that override it, in the order of their expansions."""

    def __init__(self, expansions: Sequence[Expansion]) -> None:
        made = [expansion.estimates() for expansion in expansions]
        some = [estimates for estimates in made if estimates is not None]
        self.expected_points: Final = estimating(some, "expected_points")
        self.descriptors: Final = estimating(some, "descriptors")
        self.win_chances: Final = estimating(some, "win_chances")


def estimating(estimates: Sequence[Estimates], hook: str) -> vec[Estimates]:
    """Return the estimates that override a hook, in order."""
    default = getattr(Estimates, hook)
    return vec[Estimates]([e for e in estimates if getattr(type(e), hook) is not default])


def in_order(expansions: Sequence[Expansion], hook: str) -> list[Expansion]:
    """Return expansions in the order in which they are asked for a hook (`ORDER`)."""
    return sorted(expansions, key=lambda expansion: type(expansion).ORDER.get(hook, ADDED))


def by_tile(expansions: vec[Expansion], hook: str, tiles: Sequence[Tile]) -> vec[vec[Expansion]]:
    """Return by kind of tile which of these expansions a hook is called for (`ONLY_FOR`)."""
    return vec[vec[Expansion]](
        [vec[Expansion]([e for e in expansions if _concerns(e, hook, tile)]) for tile in tiles]
    )


def _concerns(expansion: Expansion, hook: str, tile: Tile) -> bool:
    wanted = type(expansion).ONLY_FOR.get(hook)
    if wanted is None:
        return True
    shown = {*tile.edges, *dict(tile.symbols), *[part.kind for part in tile.segments]}
    return not shown.isdisjoint(wanted)


def by_feature(
    expansions: vec[Expansion], hook: str, kinds: Sequence[SegmentKind]
) -> vec[vec[Expansion]]:
    """Return by kind of feature which of these expansions a hook is called for (`ONLY_FOR`)."""
    concerned = [
        [e for e in expansions if kind.name in type(e).ONLY_FOR.get(hook, (kind.name,))]
        for kind in kinds
    ]
    return vec[vec[Expansion]]([vec[Expansion](some) for some in concerned])


def check_names(
    expansion: Expansion, hook: str, before: Sequence[str], after: Sequence[str]
) -> None:
    """Raise `BadRules` for a fold of kinds that moves or drops one, or adds a name twice."""
    if list(after[: len(before)]) != list(before):
        raise BadRules(
            f"{expansion.name}.{hook} gives {', '.join(after)}; "
            f"{', '.join(before)} come first and stay in order"
        )
    for at, name in enumerate(after):
        if name in after[:at]:
            raise BadRules(f"{expansion.name}.{hook} adds {name!r}, which there is already")


def check_hooks(cls: type[Expansion]) -> None:
    """Raise `BadRules` for a public method that is no hook: most likely a misspelt one.

    So for an order or symbols that are declared for what has none.
    """
    for declared, hooks in (("ORDER", ORDERED), ("ONLY_FOR", BY_TILE + BY_FEATURE)):
        for hook in getattr(cls, declared):
            if hook not in hooks:
                raise BadRules(
                    f"{cls.__name__}.{declared} names {hook!r}; it may name {', '.join(hooks)}"
                )
    orders: Mapping[str, object] = cls.ORDER
    for hook, order in orders.items():
        if not isinstance(order, int):
            raise BadRules(
                f"{cls.__name__}.ORDER[{hook!r}] is {order!r}; it is one of the numbers of "
                "carc.base.expansions.expansion, such as ADDED"
            )
    known = {name for name in dir(Expansion) if not name.startswith("_") and name.islower()}
    for base in cls.__mro__:
        if base is Expansion or base is object:
            continue
        allowed = known.union(vars(base).get("HELPERS", ()))
        for name, value in vars(base).items():
            if callable(value) and not name.startswith("_") and name not in allowed:
                raise BadRules(
                    f"{cls.__name__}.{name} is not a hook of Expansion; hooks are "
                    + ", ".join(sorted(known))
                    + " (helpers start with an underscore or are listed in HELPERS;"
                    " CHANGELOG.md lists renamed names)"
                )
