"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.small_set import TileKinds
from carc.base.turn.bag import any_left
from carc.base.turn.choices import Choices
from carc.base.turn.steps import ClaimStep, DrawStep, Step, index_of
from carc.base.turn.verbs import PutVerb, TakeVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.dragon.dragon_state import NOWHERE, DragonState
from carc.classics.dragon.estimates import DragonEstimates
from carc.classics.dragon.fairy import FairyPointStep, FairyVerb
from carc.classics.dragon.steps import MOVES, DragonMoveStep, PrincessClaimStep
from carc.classics.steps import after_scoring, before_scoring
from carc.classics.tile_symbols import kinds_with_symbol, segments_with_mark


@final
class Dragon(CompetitiveExpansion[DragonState]):
    """A dragon eats followers, a fairy protects them; princesses and magic portals move them.

    Options: `princess` (may/must): whether a knight may or must be sent home; `moves`
    (before/after): whether the dragon moves before or after scoring.
    """

    TILES = Path(__file__).with_name("princess_and_dragon.txt")
    PIECES = {"fairy": ()}  # played without its tiles, too
    _ADDED_OPTIONS = {"fairy": "worth"}
    ON_CELLS = ("dragon",)
    ONLY_FOR = {"tile_placed": ("volcano", "dragon")}
    HELPERS = ("knights",)

    def options(self) -> Mapping[str, Sequence[str]]:
        """DRG-02, DRG-03: when the dragon moves, and whether princesses must be heeded."""
        own = {
            "princess": ("may", "must"),
            "moves": ("before", "after"),
            "fairy": ("worth", "always"),
        }
        return {**own, **super().options()}

    def turn(self, steps: list[Step]) -> list[Step]:
        """DRG-05: the fairy's point comes after the draw, for without a tile no turn starts."""
        if self.chosen["princess"] == "must":
            steps[index_of(steps, ClaimStep)] = PrincessClaimStep(self)
        drawn = index_of(steps, DrawStep) + 1
        return [*steps[:drawn], FairyPointStep(self), *steps[drawn:]]

    def bind(self, rules: Rules) -> None:
        """Look up the symbols on the tiles and make the choices."""
        self.dragon_move = DragonMoveStep(self, rules)
        is_late = self.chosen["moves"] == "after"
        at = after_scoring(rules.turn) if is_late else before_scoring(rules.turn)
        self.moves_before = rules.turn[at]
        self.volcanoes = kinds_with_symbol(rules, "volcano")
        self.dragon_tiles = kinds_with_symbol(rules, "dragon")
        self.dragon_kinds = [k for k in range(len(rules.tile_names)) if k in self.dragon_tiles]
        self.portals = kinds_with_symbol(rules, "portal")
        self.princess = segments_with_mark(rules, "princess")
        self.followers = rules.followers
        self.others_forbid = len(rules.hooks.allows_figures) > 1
        self.fairy = FairyVerb(self, rules)
        self.send_home = TakeVerb(rules, "princess", any_owner=True)
        self.step_out = PutVerb(rules, "portal")
        self._offer_figures([self.fairy, self.send_home, self.step_out])

    def setup(self, state: State) -> ExpansionState:
        """Start without dragon and fairy on the board."""
        return DragonState()

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        """DRG-01: no dragon tile before the first volcano, unless nothing else is left."""
        if self.state_of(state).dragon != NOWHERE:
            return held
        more = held | self.dragon_tiles
        return more if any_left(state, more) else held

    def tile_placed(self, state: State, tile: int) -> None:
        """DRG-01, DRG-02: the dragon comes to a volcano; a dragon tile makes it move."""
        own = self.state_of(state)
        if state.board.kind_of_tile(tile) in self.volcanoes:
            own.dragon = state.board.cell_of(tile)
        elif own.dragon != NOWHERE:
            own.visited = [own.dragon]
            state.schedule(self.dragon_move, state.active_player, self.moves_before)

    def allows_figures(self, state: State, tile: int) -> bool:
        """DRG-01, DRG-04: no figure goes to the dragon's tile."""
        return state.board.cell_of(tile) != self.state_of(state).dragon

    def claims(self, state: State, player: int) -> Choices:
        """The fairy (DRG-05), knights to send home (DRG-03), places behind a portal (DRG-04)."""
        board = state.board
        kind = board.kind_of_tile(board.last_tile)
        own = self.state_of(state)
        choices = self.fairy.among(board.figures_of(player, self.followers, without=own.companion))
        if self.princess[kind]:
            choices = choices.then(self.knights(state))
        if kind in self.portals:
            places = board.free_places(player, self._closed(state))
            choices = choices.then(self.step_out.among(places))
        return choices

    def _closed(self, state: State) -> list[int]:
        """Return the tiles on which no figure may be put: the dragon's, and those of others."""
        if not self.others_forbid:
            return [state.board.tile_on_cell(self.state_of(state).dragon)]
        return [tile for tile in range(state.board.tile_count) if not state.allows_figures(tile)]

    def knights(self, state: State) -> Choices:
        """Return the followers in cities to which the last tile adds a princess (DRG-03)."""
        board = state.board
        here = self.princess[board.kind_of_tile(board.last_tile)]
        cities = [board.feature_of(board.segment_of(board.last_tile, index)) for index in here]
        return self.send_home.among(board.figures_in(cities, self.followers))

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """DRG-05: the fairy stays where her companion was, and still keeps the dragon off."""
        self.fairy.lose(state, segment, owner, follower)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """DRG-05: points for the fairy's companion."""
        self.fairy.score(state, feature, final)

    def estimates(self) -> Estimates:
        """Return what the fairy may bring, and whom the dragon may eat."""
        return DragonEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add dragon and fairy to the pieces, and how far the dragon is on its way."""
        own = self.state_of(state)
        if not state.is_terminal and state.step is self.dragon_move:
            data["progress"] = f"step {len(own.visited)} of {MOVES} of the dragon"
        if own.dragon != NOWHERE:
            data["pieces"].append(piece(state, "dragon", own.dragon))
        if own.fairy != NOWHERE:
            segment, owner, _ = own.companion
            data["pieces"].append(piece(state, "fairy", own.fairy, segment, owner=owner))
        return data
