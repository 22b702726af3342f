"""`Rules`: base game + expansions + number of players, bound once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, SupportsIndex, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.game_components import Components, FollowerKind
from carc.base.expansions.base_game import Base
from carc.base.expansions.expansion import Expansion
from carc.base.expansions.hooks import (
    EstimateHooks,
    Hooks,
    by_feature,
    by_tile,
    check_names,
    in_order,
)
from carc.base.expansions.spec import expansions_named, spec_of, with_base
from carc.base.game.chance import Deal
from carc.base.game.hidden import RevealStep, has_secrets
from carc.base.game.notation import parse_action
from carc.base.game.state import State
from carc.base.position.restoring import make_rules_with
from carc.base.position.step_names import StepNames
from carc.base.small_set import SmallSet
from carc.base.tiles.catalogue import Catalogue
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.tiles.tile_file import read_tiles
from carc.base.turn.actions import Action, Claim, Draw
from carc.base.turn.agenda import AgendaItem, first_item
from carc.base.turn.choices import Choices, Listed
from carc.base.turn.steps import DrawStep, EndStep, FinalScoreStep, Step, index_of
from carc.base.validation import whole
from carc.errors import BadRules

VERSION: Final = 1  # of the rules as played; raised when the same actions would lead elsewhere
COLOURS: Final = ("red", "green", "blue", "yellow", "black", "pink")


@final
class Rules:
    """The rules of a game: which expansions are played, and by how many. Frozen.

    All states of a game share them. Make them with `Rules.from_spec`, which sorts expansions and
    calls their `resolve_with`; expansions given by hand are played as they are.

    Attributes:
        spec: The spec that names them, sorted, without options at their defaults.
        players: How many play.
        version: Names the rules as played and the tiles. It changes when the same actions may have
            other results.
        expansions: The base game, then the others by name.
        hooks: For each hook the expansions that override it.
        estimates: For each hook of `Estimates` those that override it.
        components: The tiles and followers.
        catalogue: The tables of all tiles.
        tile_sets: The tile sets.
        tile_names: The kinds of tile, numbered in this order.
        follower_kinds: The kinds of follower, numbered in this order.
        followers: Those that rules about followers concern: no builder, pig or barn.
        colours: By player, the owners (colours) the player commands.
        owners: How many owners there are.
        colour_names: Their names.
        turn: The steps of a turn, in order.
        ending: The steps after the last turn, in order.
        coat_of_arms: The number of this mark; -1 if no tile carries it.
        segment_layers: The most of `Expansion.segment_layers`.
        digest: 32 bytes that differ for different rules.
        by_name: Whether `from_spec` made them, so that spec, players and tile sets say it all.
        has_secrets: Whether a player may know what others do not (`State.view`).
    """

    def __init__(
        self,
        expansions: Sequence[Expansion],
        players: int = 2,
        spec: str = "",
        tile_files: Iterable[Path | TileSet] = (),
    ) -> None:
        self.expansions: Final = with_base(expansions, players)
        self.hooks: Final = Hooks(self.expansions)
        self.players: Final = players
        named = self.expansions
        if len(named) > 1 and type(named[1]).STANDALONE:
            named = named[1:]
        self.spec: str = spec or spec_of(list(named))
        self._check_players()
        self.halves_small_cities: bool = self.expansions[0].chosen.get("small_cities") == "half"
        kinds = self._collect_kinds()
        sets = self._collect_tiles(kinds, tile_files)
        self.tile_sets: tuple[TileSet, ...] = tuple(sets)
        self.catalogue: Catalogue = Catalogue(sets, kinds)
        self.tile_names: list[str] = [tile.name for tile in self.catalogue.tiles]
        self.coat_of_arms: int = self.catalogue.mark("coat_of_arms")
        self._find_hooks_by_kind()
        self._seat()
        self._line_up()
        self._make_actions()
        self.version: str = f"{VERSION}-{self.catalogue.digest}{self._digest(named)}"
        for expansion in self.expansions:
            expansion.bind(self)
        self.estimates: Final = EstimateHooks(self.expansions)
        self.segment_layers: int = max([each.segment_layers for each in self.expansions])
        steps = [*self.turn, *self.ending, *self.expansions]
        self._steps: StepNames = StepNames(steps)
        self.by_name: bool = False
        self.digest: bytes = hashlib.sha256(
            f"{self.spec} {players} {self.version}".encode()
        ).digest()
        self._initial: State = State(self)  # the start
        self._initial._begin([(*laid, 0) for laid in self.catalogue.start])
        self.has_secrets: bool = has_secrets(self._initial)
        self._reveal: Step = RevealStep()
        if self.has_secrets:
            self._steps = StepNames([*steps, self._reveal])

    @staticmethod
    def from_spec(spec: str, players: SupportsIndex = 2, tiles: Iterable[Path | str] = ()) -> Rules:
        """Return the rules of a spec, such as `base` or `base+ghosts(castles=off)`.

        Args:
            spec: The game and its expansions.
            players: How many play.
            tiles: Tile files of the user, each in place of the set of the same name.

        Raises:
            BadRules: The spec names no rules, or not for so many players.
            TileError: A tile file cannot be read.
        """
        rules = Rules(
            expansions_named(spec),
            whole(players, "the number of players"),
            "",
            [Path(path) for path in tiles],
        )
        rules.by_name = True
        return rules

    @staticmethod
    def cached(spec: str, players: SupportsIndex = 2) -> Rules:
        """Return the rules of a spec, made once."""
        return _again(spec, whole(players, "the number of players"), ())

    @staticmethod
    def coerce(rules: object, players: object = None) -> Rules:
        """Return the rules a caller gave: `Rules`, or a spec with the number of players (2).

        Raises:
            BadRules: The spec names none, or the rules given are for another number of players.
            CarcError: The number of players is no whole number.
        """
        number = 2 if players is None else whole(players, "the number of players")
        if isinstance(rules, str):
            return Rules.cached(rules, number)
        if not isinstance(rules, Rules):
            raise BadRules(f"rules are made ones or a spec, a text such as 'base', not {rules!r}")
        if players is not None and number != rules.players:
            raise BadRules(
                f"the rules given are {rules.spec} for {rules.players} players, not {players}"
            )
        return rules

    # -- making them ------------------------------------------------------------------------------

    def _check_players(self) -> None:
        low, high = 1, len(COLOURS)
        for expansion in self.expansions:
            low, high = expansion.player_range(low, high)
        if not low <= self.players <= high:
            raise BadRules(f"{self.spec} is for {low} to {high} players, not {self.players}")

    def _collect_kinds(self) -> list[SegmentKind]:
        """Ask the expansions for the kinds of feature and of follower; return the former."""
        kinds: list[SegmentKind] = []
        followers: list[FollowerKind] = []
        for expansion in self.expansions:
            before = [kind.name for kind in kinds], [kind.name for kind in followers]
            kinds = expansion.segment_kinds(kinds)
            followers = expansion.follower_kinds(followers)
            check_names(expansion, "segment_kinds", before[0], [kind.name for kind in kinds])
            check_names(expansion, "follower_kinds", before[1], [kind.name for kind in followers])
        self.follower_kinds: tuple[FollowerKind, ...] = tuple(followers)
        self.followers: SmallSet = self.kinds_that(lambda kind: kind.is_follower)
        return kinds

    def _collect_tiles(
        self, kinds: list[SegmentKind], tile_files: Iterable[Path | TileSet]
    ) -> list[TileSet]:
        """Ask the expansions for the tile sets, some of which the user replaces."""
        replaced = [
            file if isinstance(file, TileSet) else read_tiles(file, kinds) for file in tile_files
        ]
        self.replaced: tuple[TileSet, ...] = tuple(replaced)

        def read(path: Path) -> TileSet:
            shipped = read_tiles(path, kinds)
            for tile_set in replaced:
                if tile_set.name == shipped.name:
                    return tile_set
            return shipped

        sets: list[TileSet] = []
        for expansion in in_order(self.expansions, "tile_sets"):
            sets = expansion.tile_sets(sets, read)
            names = [tile_set.name for tile_set in sets]
            if len(set(names)) < len(names):
                raise BadRules(
                    f"{expansion.name}.tile_sets gives two sets of one name: {', '.join(names)}"
                )
        names = [tile_set.name for tile_set in sets]
        for tile_set in replaced:
            if tile_set.name not in names:
                raise BadRules(
                    f"{self.spec} plays with no tile set named {tile_set.name!r}; its sets are "
                    + ", ".join(names)
                )
        return sets

    def _find_hooks_by_kind(self) -> None:
        """Find which expansions each kind of tile concerns, and which each kind of feature."""
        hooks, tiles = self.hooks, self.catalogue.tiles
        self._restrict_placements = by_tile(hooks.placements, "placements", tiles)
        self._tile_placed = by_tile(hooks.tile_placed, "tile_placed", tiles)
        self._allows_figures = by_tile(hooks.allows_figures, "allows_figures", tiles)
        self._add_claims = by_tile(hooks.claims, "claims", tiles)
        self._restrict_claims = by_tile(hooks.restrict_claims, "restrict_claims", tiles)
        kinds = self.catalogue.kinds
        self._power = by_feature(hooks.power, "power", kinds)
        self._feature_points = by_feature(hooks.feature_points, "feature_points", kinds)
        self._player_points = by_feature(hooks.player_points, "player_points", kinds)
        self._feature_scored = by_feature(hooks.feature_scored, "feature_scored", kinds)

    def _seat(self) -> None:
        """Find who commands which colours, and with which followers."""
        colours: list[tuple[int, ...]] = []
        for expansion in self.expansions:
            colours = expansion.colours(colours)
        self.colours: tuple[tuple[int, ...], ...] = tuple(colours)
        self.owners: int = 1 + max([max(some) for some in colours])
        self.colour_names: list[str] = list(COLOURS[: self.owners])
        self.components: Components = Components(self.catalogue, self.follower_kinds, self.owners)
        # By player: the colours commanded, a bit each.
        self._commands: vec[i64] = vec[i64](
            [sum([1 << colour for colour in some]) for some in colours]
        )

    def _line_up(self) -> None:
        """Make the steps of a turn, and those after the last turn."""
        turn: list[Step] = []
        for expansion in self.expansions:
            turn = expansion.turn(turn)
            if not any(isinstance(step, DrawStep) for step in turn) or not any(
                isinstance(step, EndStep) for step in turn
            ):
                raise BadRules(
                    f"{expansion.name}.turn leaves no DrawStep or no EndStep: "
                    "a turn draws and ends; skip either by what it does"
                )
        end = index_of(turn, EndStep) + 1
        self.turn: tuple[Step, ...] = tuple(turn[:end])
        self.ending: tuple[Step, ...] = (*turn[end:], FinalScoreStep())
        # A tile that fits nowhere is drawn anew by the turn's own draw (BASE-04).
        self._draw_step: Step = next(step for step in turn if isinstance(step, DrawStep))
        # By player, the first item of a turn, and of what follows the last turn.
        seats = range(self.players)
        self._turns: list[AgendaItem] = [first_item(self.turn, player) for player in seats]
        self._endings: list[AgendaItem] = [first_item(self.ending, player) for player in seats]

    def _make_actions(self) -> None:
        tiles = self.catalogue.tiles
        self._draw_actions: list[Draw] = [Draw(tile.name, kind) for kind, tile in enumerate(tiles)]
        self._every_draw: Choices = Listed(list(self._draw_actions))
        several = any(len(some) > 1 for some in self.colours)
        # By segment, then owner and kind of follower; with one colour each, all owners share one.
        self._claim_actions: list[list[Claim]] = []
        for segment in range(max(len(tile.segments) for tile in tiles)):
            here: list[Claim] = []
            for owner in range(self.owners):
                for follower, kind in enumerate(self.follower_kinds):
                    text = f"claim:{segment},{kind.name}"
                    if several:
                        here.append(Claim(segment, follower, owner, f"{text},{COLOURS[owner]}"))
                    elif owner:
                        here.append(here[follower])
                    else:
                        here.append(Claim(segment, follower, -1, text))
            self._claim_actions.append(here)

    def _digest(self, named: Sequence[Expansion]) -> str:
        """Return a digest of the expansions, their versions and options; empty for base alone."""
        described: list[str] = []
        for e in named:
            added = e._added_options()
            chosen = [one for one in sorted(e.chosen.items()) if added.get(one[0]) != one[1]]
            described.append(f"{e.name}:{e.argument}:{type(e).VERSION}:{chosen}")
        if spec_of(list(named)) == "base":
            return ""
        return "-" + hashlib.sha256("\n".join(described).encode()).hexdigest()[:8]

    # -- playing ----------------------------------------------------------------------------------

    def start(self) -> State:
        """Return the position before the first draw (BASE-01, BASE-02)."""
        return self._initial._copy(self.catalogue.most_segments)

    def deal(self, seed: SupportsIndex | str) -> Deal:
        """Return what chance will do in one game of a seed."""
        return Deal(self, seed)

    def draw(self, tile: str) -> Draw:
        """Return the action of drawing the tile of this name."""
        return self._draw_actions[self.catalogue.index[tile]]

    def claim(self, index: int, follower: int, owner: int) -> Claim:
        """Return the claim of a segment of the tile just laid, by its index, for an owner."""
        return self._claim_actions[index][owner * len(self.follower_kinds) + follower]

    def kinds_that(self, holds: Callable[[FollowerKind], bool]) -> SmallSet:
        """Return the kinds of follower of which something holds."""
        return SmallSet([at for at, kind in enumerate(self.follower_kinds) if holds(kind)])

    def follower_number(self, name: str) -> int:
        """Return the number of a kind of follower.

        Raises:
            BadRules: There is none of this name.
        """
        names = [kind.name for kind in self.follower_kinds]
        if name not in names:
            raise BadRules(f"{self.spec} has no follower {name!r}; it has {' '.join(names)}")
        return names.index(name)

    def parse(self, text: str) -> Action:
        """Return the action that `text` denotes, legal or not.

        Raises:
            BadNotation: It denotes none.
        """
        return parse_action(self, text)

    # -- as a value -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.by_name:
            return _again, (self.spec, self.players, self.replaced)
        parts = [
            (type(expansion), expansion.name, expansion.argument, expansion.chosen)
            for expansion in self.expansions
            if type(expansion) is not Base
        ]
        return _by_hand, (parts, self.players, self.spec, self.replaced)

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def __repr__(self) -> str:
        return f"Rules.from_spec({self.spec!r}, players={self.players})"


make_rules_with(Rules.cached)


@lru_cache(maxsize=64)
def _again(spec: str, players: int, tiles: tuple[TileSet, ...]) -> Rules:
    """Return rules of a spec, made once."""
    rules = Rules(expansions_named(spec), players, "", tiles)
    rules.by_name = True
    return rules


def _by_hand(
    parts: list[tuple[type[Expansion], str, str, dict[str, str]]],
    players: int,
    spec: str,
    tiles: tuple[TileSet, ...],
) -> Rules:
    """Return rules of expansions given by hand, each made without arguments; for pickle."""
    expansions: list[Expansion] = []
    for cls, name, argument, chosen in parts:
        expansion = cls()
        expansion.name, expansion.argument, expansion.chosen = name, argument, chosen
        expansions.append(expansion)
    return Rules(expansions, players, spec, tiles)
