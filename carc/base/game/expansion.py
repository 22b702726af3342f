"""`Expansion`: every hook an expansion may override, as methods that do nothing.

Two shapes. An *event* returns nothing. A *fold* takes a value and returns it, changed or not. Expansions are asked in
one order, whatever the order of their names in a spec: by `STAGE` or `SHARE` where points are made, by name otherwise. `Hooks` binds
once, into tuples, exactly the overridden hooks, so a hook nobody overrides costs nothing. No hook is called inside a loop
over candidates: lists are passed whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from librt.vecs import vec
from mypy_extensions import mypyc_attr

from carc.base.game import expansion_data as kept
from carc.base.game.actions import Action
from carc.base.tiles.tile import SegmentKind, Tile, TileSet
from carc.errors import BadRules

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.game.steps import Step

# When points are changed (SEQ-01), the earlier stage first, whatever the order of names in a spec.
# A feature's value: what it is worth by itself, what each tile counts, what is more a tile, what halves all that, what is
# added once. An owner's part of it: what is added, what lessens it, what doubles it.
VALUED: Final = 0
A_TILE: Final = 10
A_TILE_MORE: Final = 20
HALVED: Final = 30
ADDED: Final = 40
LESSENED: Final = 50
DOUBLED: Final = 60


class FollowerKind:
    """A kind of follower, or of another figure that players put on segments.

    `name`: in the notation. `power`: its weight in majorities. `supply`: how many each colour starts with. `on`: the names
    of the kinds of segment it may claim; None: all that are claimable. One with `on=()` claims nothing by the base's rules:
    its expansion says where it goes (`Expansion.claims`, `Rules.claim`).
    """

    def __init__(
        self, name: str, power: int = 1, supply: int = 0, on: Sequence[str] | None = None
    ) -> None:
        self.name: Final = name
        self.power: Final = power
        self.supply: Final = supply
        self.on: Final = on


@mypyc_attr(allow_interpreted_subclasses=True)
class Slice:
    """What an expansion keeps in a state. Copied with the state: lists, dicts and sets one level deep, other values as they are.

    It is part of the position: of its key, its text, what is pickled. Attributes hold plain values, or lists, dicts, sets
    and tuples of them, and `REFERS` says what their numbers are of. A list or dict that begins with entries keeps as many, a dict the
    same keys, unless they are of places.
    """

    REFERS: ClassVar[Mapping[str, str]] = {}
    """What the numbers are that attributes hold: name -> `segment`, `feature`, `tile`, `cell` or `laid` (a cell that a tile lies on), which must
    be said, for some of these follow the order of laying; `owner`, `player`, `follower` (a kind of it), `count` (0 and more).

    Of a list, tuple or set its items are meant, of a dict its keys; `tile:segment` names its values too, `segment,owner,` the items
    of a tuple of three one by one. Below 0 means none.
    """

    def copy(self) -> Slice:
        """An independent copy. Override it where an attribute holds something else that changes."""
        cls = type(self)
        new: Slice = cls.__new__(cls)
        for name, value in kept.attributes(self).items():
            changes = isinstance(value, list | dict | set)
            setattr(new, name, value.copy() if changes else value)
        return new

    def to_data(self, state: State) -> dict[str, Any]:
        """All it holds as JSON data, with places for numbers. Override it, and `from_data`, where `REFERS` does not do."""
        return kept.slice_data(state, self)

    def from_data(self, state: State, data: Mapping[str, Any]) -> None:
        """Take all it holds from what `to_data` told. Raises `BadPosition`."""
        kept.set_slice(state, self, data)

    def holds(self, state: State) -> bool:
        """Whether what it holds may be so in a position, besides that numbers of `REFERS` are of what there is: asked when one is
        read. Nothing else is looked at of what a caller wrote; counts in bounds are worth a line.
        """
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class Expansion:
    """An expansion of the game. Override what it changes; see `docs/write-an-expansion.md`.

    Instances belong to one `Rules` and hold no play state: that lives in the slice `setup` returns. Public methods
    that are no hooks, for other expansions to call, are listed in `HELPERS`: a method that is neither is refused.
    """

    HELPERS: ClassVar[tuple[str, ...]] = ()
    VERSION: ClassVar[int] = 1
    """Raise it when the same actions would lead elsewhere: it is part of the rules' version."""
    ALONE: ClassVar[bool] = False
    """Whether this is a game of its own rather than an addition to `base`."""
    STAGE: ClassVar[int] = ADDED
    """When its `feature_points` are asked."""
    SHARE: ClassVar[int] = ADDED
    """When its `player_points` are asked."""

    def __init__(self) -> None:
        self.name: str = ""  # as in the rules' spec
        self.argument: str = ""  # what follows the name's colon
        self.chosen: dict[str, str] = {}  # option -> value, defaults filled in
        self.players: int = 0  # how many play
        self.slot: int = -1  # where State.slices holds this expansion's slice

    # -- what the rules are made of (asked once, when Rules are made) ------------------------------------------

    def arguments(self) -> Sequence[str]:
        """What may follow the name after a colon (`mists:4`); empty: nothing may."""
        return ()

    def options(self) -> Mapping[str, Sequence[str]]:
        """Options in parentheses (`base(fields=off)`): name -> allowed values, the default first."""
        return {}

    def beside(self, others: Sequence[Expansion]) -> Expansion:
        """This expansion as it is played beside all the `others` of a spec: itself, or a variant made for them.

        Raises `BadRules`, saying why, if it cannot be played with them.
        """
        return self

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        """Fold: the fewest and most players."""
        return low, high

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """Fold: all kinds of feature, the base's first; their order and names stay as they are."""
        return kinds

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """Fold: all kinds of follower, `meeple` first."""
        return kinds

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Fold: the sets of tiles played with. `read` reads a tile file, or the user's replacement of it."""
        return sets

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Fold: for each player the colours (owners of followers) commanded; the base: player i has colour i."""
        return colours

    def heeds(self, tile: Tile) -> bool:
        """Whether `tile_placed` is to be told of tiles of this kind."""
        return True

    def limits(self, tile: Tile) -> bool:
        """Whether `placements` is to be asked where a tile of this kind is drawn."""
        return True

    def offers(self, tile: Tile) -> bool:
        """Whether `claims` is to be asked where a tile of this kind was laid."""
        return True

    def layers(self) -> int:
        """How many choices of one segment it may offer at one decision, which `OnSegment.layer` tells apart: asked after `bind`, for codes (`docs/learn.md`)."""
        return 1

    def turn(self, steps: list[Step]) -> list[Step]:
        """Fold: the steps of a turn, in order; `carc.base.game.steps.index_of` finds where one stands."""
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
        """Event: tile number `tile`, of a kind that it `heeds`, has been laid and joined (start tiles too)."""

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Event: an owner's follower of a kind was put on a segment, where others may stand."""

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Event: an owner's follower of a kind is about to go back to its supply; it still stands on `segment`."""

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """Event: a feature was completed, with followers or without, or (`final`) counted with followers at the end.

        Its points are given; its followers have not gone home yet.
        """

    def game_ended(self, state: State) -> None:
        """Event: final scoring of the features is done."""

    # -- folds --------------------------------------------------------------------------------------------------

    def holds_back(self, state: State) -> bool:
        """Whether `draws` is to be asked now: a quick answer at every draw, for what holds tiles back for a while only."""
        return True

    def draws(self, state: State, counts: list[int]) -> list[int]:
        """Fold, while it `holds_back`: how many tiles of each kind may be drawn now; before: what the bag holds. Chance is in proportion to them."""
        return counts

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        """Fold, for kinds that it `limits`: where a tile may be laid. None: it goes out of the game and another is drawn (BASE-04)."""
        return actions

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        """Fold: what the player may do with followers after laying a tile; `pass` is added afterwards if any is left.

        An action of your own does what its `perform` says. Asked after tiles of the kinds that it `offers` something.
        """
        return actions

    def count_claims(self, state: State, player: int) -> int:
        """How many actions `claims` adds to those it is given, after them, none of them a `Claim`; below 0: it does otherwise.

        With `claim_at` a quicker way to say what `claims` says, for random play and search, which list nothing then.
        """
        return -1

    def claim_at(self, state: State, player: int, index: int) -> Action:
        """The one of those actions at an index, where `count_claims` told how many there are."""
        return self.claims(state, player, [])[index]

    def admits(self, state: State, tile: int, admitted: bool) -> bool:
        """Fold: whether figures may be put on a tile's segments now; whatever puts one there asks `State.admits`."""
        return admitted

    def next_player(self, state: State, player: int, following: int) -> int:
        """Fold: whose turn follows that of `player`; the base: the next in the round. The same again: an extra turn."""
        return following

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """Fold: each owner's weight in the majority on a feature (BASE-11)."""
        return powers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """Fold, by `STAGE`: the value of a feature. Name what you add with `state.note`."""
        return points

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """Fold, by `SHARE`: what one owner of the majority scores for the feature; the value itself stays."""
        return points

    def outlook(self, state: State, expected: list[float]) -> list[float]:
        """Fold: the points each owner may expect that no feature's value shows, for bots: tokens kept for the end, a flock, a guest.

        A guess, made from what all see; play does not ask it.
        """
        return expected

    def score(self, state: State, owner: int, score: int) -> int:
        """Fold: an owner's new score, before it is set."""
        return score

    def results(self, state: State, results: list[int]) -> list[int]:
        """Fold: the value each player is ranked by; higher is better. The base: the scores (BASE-19)."""
        return results

    def returns(self, state: State, returns: list[float]) -> list[float]:
        """Fold: each player's utility in -1..1."""
        return returns

    def prospects(self, state: State, chances: list[float]) -> list[float]:
        """Fold: how likely each player is to win, 0 to 1, where points do not say it, for bots: a team's goal, a race. Before: what points say.

        A guess, made from what all see; play does not ask it.
        """
        return chances

    # -- views --------------------------------------------------------------------------------------------------

    def outcome(self, state: State, outcome: dict[str, Any]) -> dict[str, Any]:
        """Fold: how the game ended where scores do not say it all, as plain JSON data; the base: empty."""
        return outcome

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Fold: the `to_dict` of a state; add what is visible of this expansion.

        What stands on the table goes to `data["pieces"]` (`State.piece`), so that everything that shows a table shows it;
        figures that are neither on the table nor in a supply are counted in `data["out_of_play"]`.
        """
        return data

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        """What in a set contradicts the printed tiles, as far as they are known, a sentence each (`carc tiles --check`).

        None: this expansion knows nothing of a set of this name.
        """
        return None

    # -- for the expansion itself ---------------------------------------------------------------------------------

    def on(self, option: str) -> bool:
        """Whether an on/off option is on."""
        return self.chosen[option] == "on"

    def slice_of(self, state: State) -> Any:
        """This expansion's slice of a state. Raises `LookupError` if `setup` returned none."""
        if self.slot < 0:
            raise LookupError(f"{type(self).__name__} has no slice: its setup returned none")
        return cast("list[Any]", state.slices)[self.slot]  # no look at what it is


class Hooks:
    """The hooks of play, bound once: for each the expansions that override it, in the order they are asked."""

    def __init__(self, expansions: Sequence[Expansion]) -> None:
        by_stage = sorted(expansions, key=lambda expansion: type(expansion).STAGE)
        by_share = sorted(expansions, key=lambda expansion: type(expansion).SHARE)
        self.tile_placed: Final = overriding(expansions, "tile_placed")
        self.follower_placed: Final = overriding(expansions, "follower_placed")
        self.follower_removed: Final = overriding(expansions, "follower_removed")
        self.feature_scored: Final = overriding(expansions, "feature_scored")
        self.game_ended: Final = overriding(expansions, "game_ended")
        self.draws: Final = overriding(expansions, "draws")
        self.placements: Final = overriding(expansions, "placements")
        self.claims: Final = overriding(expansions, "claims")
        self.admits: Final = overriding(expansions, "admits")
        self.next_player: Final = overriding(expansions, "next_player")
        self.power: Final = overriding(expansions, "power")
        self.feature_points: Final = overriding(by_stage, "feature_points")
        self.player_points: Final = overriding(by_share, "player_points")
        self.outlook: Final = overriding(expansions, "outlook")
        self.score: Final = overriding(expansions, "score")
        self.results: Final = overriding(expansions, "results")
        self.returns: Final = overriding(expansions, "returns")
        self.prospects: Final = overriding(expansions, "prospects")
        self.outcome: Final = overriding(expansions, "outcome")
        self.describe: Final = overriding(expansions, "describe")


def overriding(expansions: Sequence[Expansion], hook: str) -> vec[Expansion]:
    """The expansions that override a hook, in order; in a vector, of whose items it is known what they are.

    Ask for its `len`: whether it is true is slow to find out where it is compiled.
    """
    plain = getattr(Expansion, hook)
    return vec[Expansion]([e for e in expansions if getattr(type(e), hook) is not plain])


def check_names(
    expansion: Expansion, hook: str, before: Sequence[str], after: Sequence[str]
) -> None:
    """Refuse a fold of kinds that moves or leaves out what there was, or adds a name that is taken. Raises `BadRules`."""
    if list(after[: len(before)]) != list(before):
        raise BadRules(
            f"{expansion.name}.{hook} gives {', '.join(after)}; {', '.join(before)} come first and stay in order"
        )
    for at, name in enumerate(after):
        if name in after[:at]:
            raise BadRules(f"{expansion.name}.{hook} adds {name!r}, which there is already")


def check_hooks(cls: type[Expansion]) -> None:
    """Refuse an expansion that has a public method which is no hook: most likely a misspelt one. Raises `BadRules`."""
    for when in ("STAGE", "SHARE"):
        if not isinstance(getattr(cls, when), int):
            raise BadRules(
                f"{cls.__name__}.{when} is {getattr(cls, when)!r}; it is one of the numbers of carc.base.game.expansion, such as ADDED"
            )
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
