"""`Expansion`: every hook an expansion may override, as methods that do nothing.

There are two shapes of hook. An *event* returns nothing. A *fold* takes a value and returns it,
changed or not. Expansions are asked in one order, whatever the order of their names in a spec: by
`ORDER` where points are made, by name otherwise. `Hooks` binds once exactly the overridden hooks,
so a hook nobody overrides costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, cast

from mypy_extensions import i64, mypyc_attr

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.type_variables import S_co
from carc.base.position.expansion_state import ExpansionState
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import Step

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

# When points are changed (SEQ-01), earlier numbers first, whatever the order of names in a spec.
# A feature's value: what it is worth by itself, what each tile counts, what counts more for each
# tile, what halves all that, what is added once. An owner's part of it: what is added, what
# lessens it, what doubles it.
VALUED: Final = 0
A_TILE: Final = 10
A_TILE_MORE: Final = 20
HALVED: Final = 30
ADDED: Final = 40
LESSENED: Final = 50
DOUBLED: Final = 60


@mypyc_attr(allow_interpreted_subclasses=True)
class Expansion(Generic[S_co]):
    """An expansion of the game. Override what it changes; see `docs/write-an-expansion.md`.

    An instance belongs to one `Rules` and holds no play state: `setup` returns that. An expansion
    that keeps something is declared with its type, `class Dragon(Expansion[DragonState])`.

    Attributes:
        name: The name in the spec.
        argument: What follows the name after a colon.
        chosen: The value of each option.
        players: How many play.
        segment_layers: How many choices of one segment it may offer at one decision, told apart by
            `OnSegment.layer`; for the action codes of programs that learn.
    """

    HELPERS: ClassVar[tuple[str, ...]] = ()
    """Public methods that are no hooks, for other expansions to call."""
    VERSION: ClassVar[int] = 1
    """Part of the rules' version. Raise it when the same actions lead to other results."""
    STANDALONE: ClassVar[bool] = False
    """Whether this is a game of its own rather than an addition to `base`."""
    TEAM: ClassVar[bool] = False
    """Whether all players win or lose together: `returns` gives all of them the same."""
    ORDER: ClassVar[Mapping[str, int]] = {}
    """When `feature_points`, `game_ended`, `next_player`, `player_points` and `tile_sets` are
    asked; `ADDED` by default."""
    ONLY_FOR: ClassVar[Mapping[str, Sequence[str]]] = {}
    """For speed: `placements`, `tile_placed`, `allows_figures`, `claims` or `restrict_claims` ->
    the symbols, edge letters or kinds of segment of the tiles for which it is called; `power`,
    `feature_points`, `player_points` or `feature_scored` -> the kinds of feature. A hook not named
    here is called for all."""

    _ADDED_OPTIONS: ClassVar[Mapping[str, str]] = {}
    """Options that older versions did not have, with their defaults, at which they leave the
    version of the rules as it was."""

    def __init__(self) -> None:
        self.name: str = ""
        self.argument: str = ""
        self.chosen: dict[str, str] = {}
        self.players: int = 0
        self.segment_layers: int = 1
        self._slot: i64 = -1  # of `State.expansion_states`

    def state_of(self, state: State) -> S_co:
        """Return what this expansion keeps in a position.

        Raises:
            LookupError: It keeps nothing: `setup` returned None.
        """
        if self._slot < 0:
            raise LookupError(f"{type(self).__name__} keeps no state: its setup returned None")
        return cast("S_co", state.expansion_states[self._slot])

    def _added_options(self) -> dict[str, str]:
        return {**self._ADDED_OPTIONS}

    # -- what the rules are made of: asked once, when Rules are made, in this order --------------

    def arguments(self) -> Sequence[str]:
        """Return what may follow the name after a colon (`mists:4`); then something must."""
        return ()

    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options (`base(fields=off)`): name -> allowed values, the default first."""
        return {}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Return this expansion as it is played with the others of a spec: itself or a variant.

        Raises:
            BadRules: It cannot be played with them; the message says why.
        """
        return self

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        """Fold: the fewest and most players."""
        return low, high

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """Fold: all kinds of feature, the base game's first; order and names stay as they are."""
        return kinds

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """Fold: all kinds of follower, `meeple` first."""
        return kinds

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Fold: the tile sets. `read` reads a tile file, or the user's replacement of it."""
        return sets

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Fold: the colours (owners of followers) of each player; base: player i has colour i."""
        return colours

    def turn(self, steps: list[Step]) -> list[Step]:
        """Fold: the steps of a turn, in order; `carc.base.turn.steps.index_of` finds one.

        Those after the `EndStep` come after the last turn, before the final scoring.
        """
        return steps

    def bind(self, rules: Rules) -> None:
        """Event: the rules are complete. Look up here what play needs; may raise `BadRules`."""

    def parse(self, text: str) -> Action | None:
        """Return the action of this expansion that `text` denotes; None if it is none."""
        return None

    # -- a game, in the order in which a turn meets them -----------------------------------------

    def setup(self, state: State) -> ExpansionState | None:
        """Event: a game starts; no start tile is laid yet. Return what the expansion keeps."""
        return None

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        """Fold: the kinds of tile that stay in the bag now.

        If there are no others in the bag, the game ends: see `carc.base.turn.bag.any_left`.
        """
        return held

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        """Fold: where a tile of a kind may be laid. None at all: it is discarded (BASE-04).

        `choices.actions(state)` lists them, `Listed` makes choices of a list; `without_cells`
        leaves out cells without making a list.
        """
        return choices

    def tile_placed(self, state: State, tile: int) -> None:
        """Event: a tile is laid and joined; start tiles too."""

    def allows_figures(self, state: State, tile: int) -> bool:
        """Return False if no figure may be put on a tile now.

        What puts one there asks `State.allows_figures`.
        """
        return True

    def claims(self, state: State, player: int) -> Choices:
        """Return what else the player may do with followers after laying a tile.

        `Claim` actions, which must be `Listed`, are offered among those of the base game, others
        after them, `pass` last.
        """
        return NO_CHOICES

    def restrict_claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        """Fold: which of the claims and additions there are, for what forbids or replaces some."""
        return actions

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Event: an owner's follower of a kind was put on a segment; others may stand there."""

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """Fold: each owner's weight in the majority on a feature (BASE-11)."""
        return powers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """Fold, by `ORDER`: the value of a feature. Itemise what you add with `State.note`.

        `final`: the game is over and the feature is incomplete.
        """
        return points

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """Fold, by `ORDER`: what one owner with the majority scores; the value itself stays."""
        return points

    def score(self, state: State, owner: int, score: int) -> int:
        """Fold: an owner's new score, before it is set."""
        return score

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """Event: a feature was completed, or (`final`) counted with followers at the end.

        Its points are given; its followers, if any, have not gone home yet.
        """

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Event: a follower is about to return to its supply; it still stands on `segment`."""

    def next_player(self, state: State, player: int, following: int) -> int:
        """Fold, by `ORDER`: who lays the next tile. The same player again goes on with the turn."""
        return following

    # -- the end of a game -----------------------------------------------------------------------

    def game_ended(self, state: State) -> None:
        """Event: final scoring of the features is done."""

    def results(self, state: State, results: list[int]) -> list[int]:
        """Fold: what each player is ranked by, higher is better; base: the scores (BASE-19)."""
        return results

    def returns(self, state: State, returns: list[float]) -> list[float]:
        """Fold: each player's utility, -1 to 1."""
        return returns

    def outcome(self, state: State, outcome: dict[str, Any]) -> dict[str, Any]:
        """Fold: how the game ended where scores do not say it all, as JSON data; base: empty."""
        return outcome

    # -- for bots and for people; play does not ask these ----------------------------------------

    def estimates(self) -> Estimates | None:
        """Return what bots may expect of a position. Asked once, after `bind`."""
        return None

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Fold: the `State.to_dict` of a position; add what is visible of this expansion.

        Pieces on the table go to `data["pieces"]` (`carc.base.position.state_data.piece`), so that
        every view shows them; figures neither on the table nor in a supply are counted in
        `data["out_of_play"]`.
        """
        return data

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        """Return what in a tile set contradicts the printed tiles, one sentence each.

        For `carc tiles --check`. None: this expansion knows nothing of a set of this name.
        """
        return None
