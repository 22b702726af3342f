"""`Rules`: base game + expansions + number of players, bound once."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from carc.base.actions import PASS, Action, Claim, Draw, place
from carc.base.catalogue import Catalogue
from carc.base.cells import REACH
from carc.base.expansion import Expansion, FollowerKind, check_hooks, overriding
from carc.base.state import State
from carc.base.steps import (
    CHANCE,
    ClaimStep,
    DrawStep,
    EndStep,
    FinalScoreStep,
    PlaceStep,
    ScoreStep,
    Step,
)
from carc.base.tiles import BASE_KINDS, TileSet, read_tiles
from carc.errors import BadNotation, BadRules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VERSION: Final = 1  # of the rules as played; raised when the same actions would lead elsewhere
COLOURS: Final = ("red", "green", "blue", "yellow", "black", "pink")
BASE_TILES: Final = Path(__file__).with_name("data") / "base.txt"
GROUP: Final = "carc.expansions"

_NAME = re.compile(r"\s*([a-z][a-z0-9_]*)(?::([a-z0-9]+))?(?:\(([^()]*)\))?\s*")


class Rules:
    """The rules of a game: what is played with which expansions by how many. Frozen; shared by all its states.

    Make them with `Rules.named`. `version` names the rules as played and the tile data.
    """

    def __init__(
        self,
        expansions: Sequence[Expansion],
        players: int = 2,
        spec: str = "base",
        tile_files: Iterable[Path] = (),
    ) -> None:
        for expansion in expansions:
            check_hooks(type(expansion))
        self.spec: str = spec
        self.players: int = players
        self.expansions: tuple[Expansion, ...] = tuple(expansions)
        low, high = 2, 5
        for expansion in self.expansions:
            low, high = expansion.player_range(low, high)
        if not low <= players <= high:
            raise BadRules(f"{spec} is for {low} to {high} players, not {players}")

        kinds = list(BASE_KINDS)
        follower_kinds = [FollowerKind("meeple", 1, 7)]
        for expansion in self.expansions:
            kinds.extend(expansion.segment_kinds())
            follower_kinds.extend(expansion.follower_kinds())
        for expansion in self.expansions:
            kinds = expansion.fold_segment_kinds(kinds)
            follower_kinds = expansion.fold_follower_kinds(follower_kinds)
        self.follower_kinds: list[FollowerKind] = follower_kinds
        replaced = [read_tiles(path, kinds) for path in tile_files]

        def read(path: Path) -> TileSet:
            own = read_tiles(path, kinds)
            for mine in replaced:
                if mine.name == own.name:
                    return mine
            return own

        sets = [read(BASE_TILES)]
        for expansion in self.expansions:
            sets = expansion.tile_sets(sets, read)
        for mine in replaced:
            if mine.name not in [one.name for one in sets]:
                raise BadRules(f"{spec} plays with no tile set named {mine.name!r}")
        self.catalogue: Catalogue = Catalogue(sets, kinds)
        self.coat_of_arms: int = self.catalogue.mark("coat_of_arms")
        self.version: str = f"{VERSION}-{self.catalogue.digest}"

        colours: list[tuple[int, ...]] = [(player,) for player in range(players)]
        for expansion in self.expansions:
            colours = expansion.colours(colours)
        self.colours: list[tuple[int, ...]] = colours
        self.owners: int = 1 + max(max(some) for some in colours)
        self.supply: list[int] = [kind.supply for kind in follower_kinds] * self.owners

        # Steps.
        self.draw: Step = DrawStep()
        self.final_score: Step = FinalScoreStep()
        turn: list[Step] = [self.draw, PlaceStep(), ClaimStep(), ScoreStep(), EndStep()]
        for expansion in self.expansions:
            turn = expansion.turn(turn)
        for step in turn:
            if step.by_chance:
                self.draw = (
                    step  # a tile that fits nowhere is drawn anew by the turn's own draw (BASE-04)
                )
        self.turn: tuple[Step, ...] = tuple(turn)
        self.turns: list[tuple[tuple[Step, int], ...]] = [
            tuple((step, CHANCE if step.by_chance else player) for step in reversed(turn))
            for player in range(players)
        ]

        # Hooks, bound once.
        self.tile_placed = overriding(self.expansions, "tile_placed")
        self.follower_placed = overriding(self.expansions, "follower_placed")
        self.follower_removed = overriding(self.expansions, "follower_removed")
        self.feature_scored = overriding(self.expansions, "feature_scored")
        self.game_ended = overriding(self.expansions, "game_ended")
        self.placements = overriding(self.expansions, "placements")
        self.claims = overriding(self.expansions, "claims")
        self.power = overriding(self.expansions, "power")
        self.feature_points = overriding(self.expansions, "feature_points")
        self.player_points = overriding(self.expansions, "player_points")
        self.score = overriding(self.expansions, "score")
        self.results = overriding(self.expansions, "results")
        self.returns = overriding(self.expansions, "returns")
        self.outcome = overriding(self.expansions, "outcome")
        self.describe = overriding(self.expansions, "describe")

        # Actions, made once.
        self.draws: list[Draw] = [
            Draw(tile.name, kind) for kind, tile in enumerate(self.catalogue.tiles)
        ]
        self.every_draw: list[Action] = list(self.draws)
        most = max(len(tile.segments) for tile in self.catalogue.tiles)
        several = any(len(some) > 1 for some in colours)
        # By segment, then owner and kind of follower; with one colour each, all owners' claims are the same action.
        self.claim_actions: list[list[Claim]] = []
        for segment in range(most):
            here: list[Claim] = []
            for owner in range(self.owners):
                for follower, kind in enumerate(follower_kinds):
                    text = f"claim:{segment},{kind.name}"
                    if several:
                        here.append(Claim(segment, follower, owner, f"{text},{COLOURS[owner]}"))
                    elif owner:
                        here.append(here[follower])
                    else:
                        here.append(Claim(segment, follower, -1, text))
            self.claim_actions.append(here)
        self.initial: State | None = None  # the start, made once
        for expansion in self.expansions:
            expansion.bind(self)

    @staticmethod
    def named(spec: str, players: int = 2, tiles: Iterable[Path | str] = ()) -> Rules:
        """The rules a spec string names, such as `base` or `base+ghosts(castles=off)`.

        `tiles`: the user's own tile files, each in place of the set of the same name. Raises `BadRules` or
        `TileError`.
        """
        return Rules(expansions_named(spec), players, _tidy(spec), [Path(path) for path in tiles])

    def start(self) -> State:
        """The position before the first draw (BASE-01, BASE-02)."""
        if self.initial is None:
            self.initial = State(self)
            self.initial._begin()
        return self.initial.copy()

    def deal(self, seed: int | str) -> list[str]:
        """The bag's tiles in an order shuffled from a seed: the names of what `State.dealt` counts through."""
        deck = [
            tile.name
            for tile, copies in zip(self.catalogue.tiles, self.catalogue.copies, strict=True)
            for _ in range(copies)
        ]
        random.Random(f"deal {seed}").shuffle(deck)
        return deck

    def drawing(self, tile: str) -> Draw:
        """The action of drawing the tile of this name."""
        return self.draws[self.catalogue.index[tile]]

    def parse(self, text: str) -> Action:
        """The action that `text` denotes, whether legal now or not. Raises `BadNotation`."""
        verb, _, rest = text.partition(":")
        if text == "pass":
            return PASS
        for expansion in self.expansions:
            action = expansion.parse(text)
            if action is not None:
                return action
        if verb == "draw":
            if rest in self.catalogue.index:
                return self.drawing(rest)
            raise BadNotation(f"{text!r} names no tile of {self.spec}; tiles are {self._tiles()}")
        if verb == "place":
            numbers = re.fullmatch(r"(-?\d{1,3}),(-?\d{1,3}),([0-3])", rest)
            if numbers is None:
                raise BadNotation(
                    f"{text!r} is no placement; it is written place:X,Y,R with R 0 to 3"
                )
            x, y = int(numbers[1]), int(numbers[2])
            if max(abs(x), abs(y)) > REACH:
                raise BadNotation(f"{text!r} is off the table; X and Y are at most {REACH}")
            found = place(x, y, int(numbers[3]))
            if found.text == text:
                return found
        if verb == "claim":
            for some in self.claim_actions:
                for claim in some:
                    if claim.text == text:
                        return claim
            last = self.claim_actions[-1]
            raise BadNotation(
                f"{text!r} is no claim of {self.spec}; claims go from {self.claim_actions[0][0]} to {last[-1]}"
            )
        raise BadNotation(
            f"{text!r} is no action; actions are draw:KIND, place:X,Y,R, claim:SEGMENT,KIND, pass"
            " and those of the expansions played"
        )

    def _tiles(self) -> str:
        return " ".join(self.catalogue.index)

    def __repr__(self) -> str:
        return f"Rules.named({self.spec!r}, players={self.players})"


def _tidy(spec: str) -> str:
    return re.sub(r"\s+", "", spec)


def registered() -> dict[str, EntryPoint]:
    """The installed expansions by name (entry-point group `carc.expansions`)."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow to load, and the base game needs it not)

    return {point.name: point for point in entry_points(group=GROUP)}


def expansions_named(spec: str) -> list[Expansion]:
    """The expansions of a spec, configured, in order. Raises `BadRules`."""
    found: list[Expansion] = []
    points = registered() if _tidy(spec) != "base" else {}
    at = 0
    while True:
        match = _NAME.match(spec, at)
        if match is None:
            raise BadRules(
                f"{spec!r} is no rules spec; it is written NAME or NAME+NAME, each with an optional"
                " :ARGUMENT and (OPTION=VALUE,...)"
            )
        name, argument, options = match[1], match[2] or "", match[3] or ""
        first = at == 0
        at = match.end()
        if first and name == "base":
            if argument or options:
                given = f":{argument}" if argument else f"({options})"
                raise BadRules(
                    f"base has no argument and no options, and {given} is given in {spec!r}"
                )
        elif name not in points:
            raise BadRules(
                f"unknown rules {name!r}; known are base {' '.join(sorted(points))}".rstrip()
            )
        else:
            expansion = configured(points[name].load()(), name, argument, options)
            if expansion.stands_alone() != first:
                what = (
                    "comes first"
                    if expansion.stands_alone()
                    else f"comes after a game: base+{name}"
                )
                raise BadRules(f"{name} {what}")
            if any(other.name == name for other in found):
                raise BadRules(f"{name} is named twice in {spec!r}")
            beside = expansion.beside(found)
            beside.name, beside.argument, beside.chosen = name, argument, expansion.chosen
            found.append(beside)
        if at == len(spec):
            return found
        if spec[at] != "+":
            raise BadRules(f"{spec!r} is no rules spec: expected '+' before {spec[at:]!r}")
        at += 1


def configured(expansion: Expansion, name: str, argument: str, options: str) -> Expansion:
    """The expansion with its argument and options set. Raises `BadRules`."""
    expansion.name = name
    allowed = list(expansion.arguments())
    if allowed and argument not in allowed:
        raise BadRules(f"{name} is written {name}:X with X one of {' '.join(allowed)}")
    if argument and not allowed:
        raise BadRules(f"{name} takes nothing after a colon")
    expansion.argument = argument
    choices = expansion.options()
    expansion.chosen = {option: values[0] for option, values in choices.items()}
    for part in options.split(",") if options.strip() else []:
        option, _, value = (piece.strip() for piece in part.partition("="))
        if option not in choices:
            raise BadRules(
                f"{name} has no option {option!r}; it has {' '.join(choices) if choices else 'none'}"
            )
        if value not in choices[option]:
            raise BadRules(
                f"{name}'s option {option} is {' or '.join(choices[option])}, not {value!r}"
            )
        expansion.chosen[option] = value
    return expansion
