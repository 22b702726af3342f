"""`Games`: many games of one `Rules` stepped together, for programs that learn: chance plays by itself, a game that ends begins anew."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.deal import Lot
from carc.base.encoding import Encoding
from carc.base.steps import CHANCE, TERMINAL
from carc.errors import CarcError, IllegalAction

if TYPE_CHECKING:
    from carc.base.state import State


class Games:
    """So many games, each at the decision of a player. Chance in game g is a `Lot`, by `random.Random("SEED g")`.

    `state(g)`, `player(g)`: where a game is. After `step`, `ended` is 1 where a game came to its end, `returns` has what each of its
    players got, by seat, and the game is at the first decision of the next; `masks` has 1 for each legal code, by game.
    """

    def __init__(self, encoding: Encoding, n: int, seed: int = 0) -> None:
        if n < 1:
            raise CarcError(f"at least one game is played, not {n}")
        self.encoding: Final = encoding
        self.n: Final = n
        self.seed: Final = seed
        self.masks: vec[u8] = vec[u8]([0] * (n * encoding.actions))
        self.ended: vec[u8] = vec[u8]([0] * n)
        self.players: vec[i64] = vec[i64]([0] * n)
        self.returns: list[list[float]] = [[0.0] * encoding.rules.players for _ in range(n)]
        self.scores: list[list[int]] = [[0] * encoding.rules.owners for _ in range(n)]
        self.played: list[int] = [0] * n  # games each has finished
        self._states: list[State] = [encoding.rules.start() for _ in range(n)]
        self._lots: list[Lot] = [Lot(encoding.rules) for _ in range(n)]
        self._random: list[random.Random] = [random.Random(f"{seed} {g}") for g in range(n)]
        self._codes: list[vec[i64]] = [vec[i64]() for _ in range(n)]
        for game in range(n):
            self._go_on(game)
            self._show(game)

    def state(self, game: int) -> State:
        """Where a game is; a copy is yours."""
        return self._states[game]

    def codes(self, game: int) -> list[int]:
        """The codes of a game's legal actions, in their order (`Codes.codes`)."""
        return list(self._codes[game])

    def step(self, codes: list[int]) -> None:
        """Perform one action in each game, by its code. Raises `IllegalAction`, with no game changed, if one is not legal."""
        if len(codes) != self.n:
            raise CarcError(f"{len(codes)} codes for {self.n} games")
        chosen: vec[i64] = vec[i64]([0] * self.n)
        for game in range(self.n):
            chosen[game] = self._find(game, codes[game])
        for game in range(self.n):
            state = self._states[game]
            state.apply(state.action_at(chosen[game]))
            self.ended[game] = 0
            self._go_on(game)
            self._show(game)

    def _find(self, game: i64, code: i64) -> i64:
        """The place of a code among a game's."""
        known = self._codes[game]
        if code >= 0:
            for at in range(len(known)):
                if known[at] == code:
                    return at
        raise IllegalAction(f"game {game}: no legal action has code {code}")

    def sample(self, uniforms: list[float]) -> list[int]:
        """A legal code for each game: the one at that part, 0 to 1, of its codes."""
        found: list[int] = []
        for game in range(self.n):
            known = self._codes[game]
            size: int = len(known)
            code = known[int(uniforms[game] * size)]
            found.append(code if code >= 0 else known[0])
        return found

    def _go_on(self, game: i64) -> None:
        """Chance plays until a player is to decide; a game that is over gives way to the next."""
        state = self._states[game]
        lot = self._lots[game]
        rng = self._random[game]
        while state.current_player < 0:
            if state.current_player == CHANCE:
                state.apply(lot.choose(state, rng.random()))
            if state.current_player == TERMINAL:
                self.ended[game] = 1
                self.returns[game] = state.returns()
                self.scores[game] = state.scores
                self.played[game] += 1
                state = self.encoding.rules.start()
                self._states[game] = state

    def _show(self, game: i64) -> None:
        """Note who is to decide, and the mask."""
        state = self._states[game]
        masks = self.masks
        start: i64 = game * self.encoding.actions
        for code in self._codes[game]:
            if code >= 0:
                masks[start + code] = 0
        codes = self.encoding.coded(state)
        for code in codes:
            if code >= 0:
                masks[start + code] = 1
        self._codes[game] = codes
        self.players[game] = state.current_player
