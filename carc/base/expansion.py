"""`Expansion`: every hook an expansion may override, as methods that do nothing.

Two shapes. An *event* returns nothing. A *fold* takes a value and returns it, changed or not; several expansions
are asked in the order they are named. `Rules` binds once, into tuples, exactly the overridden hooks, so a hook nobody
overrides costs nothing. No hook is called inside a loop over candidates: lists are passed whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from mypy_extensions import mypyc_attr

from carc.base.actions import Action
from carc.base.tiles import SegmentKind, TileSet
from carc.errors import BadRules

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State
    from carc.base.steps import Step


class FollowerKind:
    """A kind of follower: its name in the notation, its weight in majorities, how many each colour starts with."""

    def __init__(self, name: str, power: int = 1, supply: int = 0) -> None:
        self.name: Final = name
        self.power: Final = power
        self.supply: Final = supply


@mypyc_attr(allow_interpreted_subclasses=True)
class Slice:
    """What an expansion keeps in a state. Copied with the state."""

    def copy(self) -> Slice:
        """An independent copy."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Expansion:
    """An expansion of the game. Override what it changes; see `docs/write-an-expansion.md`.

    Instances belong to one `Rules` and hold no play state: that lives in the slice `setup` returns. Public methods
    that are no hooks, for other expansions to call, are listed in `HELPERS`: a method that is neither is refused.
    """

    HELPERS: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.name: str = ""  # as in the rules' spec
        self.argument: str = ""  # what follows the name's colon
        self.chosen: dict[str, str] = {}  # option -> value, defaults filled in
        self.slot: int = -1  # where State.slices holds this expansion's slice

    # -- what the rules are made of (asked once, when Rules are made) ------------------------------------------

    def stands_alone(self) -> bool:
        """Whether this is a game of its own rather than an addition to `base`."""
        return False

    def beside(self, others: Sequence[Expansion]) -> Expansion:
        """This expansion as it is played beside the `others` named before it: itself, or a variant made for them.

        May raise `BadRules` if it cannot be played with them.
        """
        return self

    def arguments(self) -> Sequence[str]:
        """What may follow the name after a colon (`mists:4`); empty: nothing may."""
        return ()

    def options(self) -> Mapping[str, Sequence[str]]:
        """Options in parentheses (`ghosts(castles=off)`): name -> allowed values, the default first."""
        return {}

    def segment_kinds(self) -> Sequence[SegmentKind]:
        """Kinds of feature that this expansion brings."""
        return ()

    def fold_segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """Fold: all kinds of feature, the base's first; their order and names stay as they are."""
        return kinds

    def follower_kinds(self) -> Sequence[FollowerKind]:
        """Kinds of follower that this expansion brings."""
        return ()

    def fold_follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """Fold: all kinds of follower, `meeple` first."""
        return kinds

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Fold: the sets of tiles played with. `read` reads a tile file, or the user's replacement of it."""
        return sets

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        """Fold: the fewest and most players."""
        return low, high

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Fold: for each player the colours (owners of followers) commanded; the base: player i has colour i."""
        return colours

    def turn(self, steps: list[Step]) -> list[Step]:
        """Fold: the steps of a turn, in order."""
        return steps

    def bind(self, rules: Rules) -> None:
        """Event: the rules are complete; look up here what play needs. May raise `BadRules`."""

    def parse(self, text: str) -> Action | None:
        """The action of this expansion that `text` denotes; None if it is none of them."""
        return None

    # -- events -------------------------------------------------------------------------------------------------

    def setup(self, state: State) -> Slice | None:
        """Event: a game starts, before the start tiles are laid. Returns the slice, if the expansion has one."""
        return None

    def tile_placed(self, state: State, tile: int) -> None:
        """Event: tile number `tile` has been laid and joined (start tiles too)."""

    def follower_placed(self, state: State, segment: int) -> None:
        """Event: a follower was put on a segment."""

    def follower_removed(self, state: State, segment: int) -> None:
        """Event: the follower on `segment` is about to go back to its supply."""

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """Event: a feature with followers was scored; its followers have not gone home yet."""

    def game_ended(self, state: State) -> None:
        """Event: final scoring of the features is done."""

    # -- folds --------------------------------------------------------------------------------------------------

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        """Fold: where a tile of this kind may be laid."""
        return actions

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        """Fold: where the player may put a follower; `pass` is added afterwards if any is left."""
        return actions

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """Fold: each owner's weight in the majority on a feature (BASE-11)."""
        return powers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """Fold: the value of a feature. Name what you add with `state.note`."""
        return points

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """Fold: what one owner of the majority scores for the feature; the value itself stays."""
        return points

    def score(self, state: State, owner: int, score: int) -> int:
        """Fold: an owner's new score, before it is set."""
        return score

    def results(self, state: State, results: list[int]) -> list[int]:
        """Fold: the value each player is ranked by; higher is better. The base: the scores (BASE-19)."""
        return results

    def returns(self, state: State, returns: list[float]) -> list[float]:
        """Fold: each player's utility in -1..1."""
        return returns

    # -- views --------------------------------------------------------------------------------------------------

    def outcome(self, state: State, outcome: dict[str, Any]) -> dict[str, Any]:
        """Fold: how the game ended where scores do not say it all, as plain JSON data; the base: empty."""
        return outcome

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Fold: the `to_dict` of a state; add what is visible of this expansion."""
        return data

    # -- for the expansion itself ---------------------------------------------------------------------------------

    def on(self, option: str) -> bool:
        """Whether an on/off option is on."""
        return self.chosen[option] == "on"


HOOKS: Final = (
    "tile_placed",
    "follower_placed",
    "follower_removed",
    "feature_scored",
    "game_ended",
    "placements",
    "claims",
    "power",
    "feature_points",
    "player_points",
    "score",
    "results",
    "returns",
    "outcome",
    "describe",
)


def check_hooks(cls: type) -> None:
    """Refuse an expansion that has a public method which is no hook: most likely a misspelt one. Raises `BadRules`."""
    hooks = {name for name in dir(Expansion) if not name.startswith("_") and name.islower()}
    for base in cls.__mro__:
        if base is Expansion or base is object:
            continue
        known = hooks.union(vars(base).get("HELPERS", ()))
        for name, value in vars(base).items():
            if callable(value) and not name.startswith("_") and name not in known:
                raise BadRules(
                    f"{cls.__name__}.{name} is not a hook of Expansion; hooks are "
                    + ", ".join(sorted(hooks))
                    + " (helpers start with an underscore or are listed in HELPERS)"
                )


def overriding(expansions: Sequence[Expansion], hook: str) -> tuple[Expansion, ...]:
    """The expansions that override a hook, in order."""
    plain = getattr(Expansion, hook)
    return tuple(e for e in expansions if getattr(type(e), hook) is not plain)
