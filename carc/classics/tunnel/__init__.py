"""The Tunnel: `base+tunnel` (TUN-01 to TUN-03)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import TileSet
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import ClaimStep, Step, index_of
from carc.base.turn.verbs import CallbackVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import ends_turn
from carc.classics.tile_symbols import segments_with_mark
from carc.classics.traders import Traders
from carc.classics.tunnel.tiles import with_mouths, without_mouths
from carc.classics.tunnel.tunnel_state import TunnelState

# Of tokens each player has, by the number of players; 1 with more (TUN-01).
PAIRS: Final[Mapping[str, Mapping[int, int]]] = {
    "most": {1: 3, 2: 3, 3: 2},
    "fewer": {1: 2, 2: 2},
    "one": {},
}
LETTERS: Final = ("a", "b", "c")


class TunnelStep(Step):
    """TUN-02: a token may be put down after a follower, if none was put down before."""

    def __init__(self, tunnel: Tunnel) -> None:
        super().__init__("tunnel")
        self.tunnel: Final = tunnel

    def choices(self, state: State, player: int) -> Choices:
        """Return the mouths and tokens."""
        return self.tunnel.claims(state, player).or_pass()


class Tunnel(CompetitiveExpansion[TunnelState]):
    """A road goes on in a tunnel: two tokens of a pair join the mouths on which they lie.

    Options: `tokens`, how many pairs each player has; `others`, tunnels of other sets (TUN-01);
    `builders`, whether a token can bring a second tile (TUN-03).
    """

    TILES = Path(__file__).with_name("tunnel.txt")
    _ADDED_OPTIONS = {"tokens": "most", "others": "on", "builders": "off"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """TUN-01, TUN-03: how many tokens, which tunnels, and whether tokens count for builders."""
        return {"tokens": tuple(PAIRS), "others": ("on", "off"), "builders": ("on", "off")}

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """TUN-01: roads that pass beneath a city, in other sets, have two mouths too."""
        change = with_mouths if self.chosen["others"] == "on" else without_mouths
        changed = [attrs.evolve(one, tiles=tuple(map(change, one.tiles))) for one in sets]
        return super().tile_sets(changed, read)

    def turn(self, steps: list[Step]) -> list[Step]:
        """TUN-02: tokens are put down after followers."""
        after = index_of(steps, ClaimStep) + 1
        return [*steps[:after], TunnelStep(self), *steps[after:]]

    def bind(self, rules: Rules) -> None:
        """Look up the mouths on the tiles and make the choices."""
        self.mouths_of = segments_with_mark(rules, "tunnel")
        counts = self.chosen["builders"] == "on"
        traders = [each for each in rules.expansions if counts and isinstance(each, Traders)]
        self.traders: Traders | None = traders[0] if traders else None
        self.verb = CallbackVerb(rules, "tunnel", self._mark, kinds=LETTERS)
        self._offer_figures([self.verb])

    def setup(self, state: State) -> ExpansionState:
        """TUN-01: two tokens of each pair in hand."""
        pairs = PAIRS[self.chosen["tokens"]].get(state.rules.players, 1)
        each = [2 if number < pairs else 0 for number in range(len(LETTERS))]
        return TunnelState(each * state.rules.owners)

    def tile_placed(self, state: State, tile: int) -> None:
        """TUN-03: a road is open at each mouth until its pair is complete."""
        for index in self.mouths_of[state.board.kind_of_tile(tile)]:
            segment = state.board.segment_of(tile, index)
            state.board.open_edge(segment)
            self.state_of(state).free.append(segment)

    def next_player(self, state: State, player: int, following: int) -> int:
        """TUN-02: a new turn allows a new token."""
        if ends_turn(state, player, following):
            self.state_of(state).used = False
        return following

    def claims(self, state: State, player: int) -> Choices:
        """TUN-02: a token may be put down before a follower."""
        own = self.state_of(state)
        if own.used or not own.free:
            return NO_CHOICES
        first = player * len(LETTERS)
        tokens = [number for number in range(len(LETTERS)) if own.left[first + number]]
        return self.verb.among(state.board.with_each(own.free, tokens))

    def _mark(self, state: State, segment: int, owner: int, number: int) -> None:
        """Put a token on a mouth; the second one of a pair joins the roads (TUN-02, TUN-03)."""
        own = self.state_of(state)
        others = [at for at, token in own.marked.items() if token == (owner, number)]
        own.free.remove(segment)
        own.marked[segment] = (owner, number)
        own.left[owner * len(LETTERS) + number] -= 1
        own.used = True
        for other in others:
            self._join(state, other, segment)
        if isinstance(state.step, ClaimStep):
            state.push(state.step, owner)  # a follower may be placed too

    def _join(self, state: State, mouth: int, other: int) -> None:
        """Join two roads; that may bring the builder's second turn (TRD-02)."""
        board = state.board
        roads = (board.feature_of(mouth), board.feature_of(other))
        traders = self.traders
        building = traders.building(state) if traders is not None else []
        sizes = [board.tiles_of(road) for road in building if road in roads]
        board.connect(mouth, other)
        tiles = board.tiles_of(board.feature_of(mouth))
        if traders is not None and any(size < tiles for size in sizes):
            traders.state_of(state).due = True

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the tokens to the pieces; `tunnel_tokens`: how many of each pair each owner has."""
        own = self.state_of(state)
        for segment, (owner, number) in own.marked.items():
            cell, text = state.board.cell_under(segment), LETTERS[number]
            data["pieces"].append(piece(state, "tunnel", cell, segment, owner=owner, text=text))
        n = len(LETTERS)
        data["tunnel_tokens"] = [own.left[at : at + n] for at in range(0, len(own.left), n)]
        return data
