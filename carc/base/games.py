"""`Games`: many games of one `Rules` stepped together, for programs that learn: chance plays by itself, a game that ends begins anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.deal import Lot
from carc.base.encoding import Encoding
from carc.base.steps import CHANCE, TERMINAL
from carc.errors import CarcError, IllegalAction

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State


class Table:
    """One of the games: where it is, what chance does there, the codes of what may be done."""

    def __init__(self, rules: Rules, seed: str) -> None:
        self.state: State = rules.start()
        self.lot: Final = Lot(rules)
        self.uniform: Callable[[], float] = random.Random(seed).random
        self.codes: vec[i64] = vec[i64]()
        self.returns: list[float] = [0.0] * rules.players
        self.scores: list[int] = [0] * rules.owners
        self.played: int = 0  # games finished

    def go_on(self) -> bool:
        """Chance plays until a player is to decide; a game that is over gives way to the next. Whether one is."""
        ended = False
        state = self.state
        while state.current_player < 0:
            if state.current_player == CHANCE:
                state.apply(self.lot.choose(state, self.uniform()))
            if state.current_player == TERMINAL:
                ended = True
                self.returns = state.returns()
                self.scores = state.scores
                self.played += 1
                state = state.rules.start()
                self.state = state
        return ended


class Games:
    """So many games, each at the decision of a player. Chance in game g is a `Lot`, by `random.Random("SEED g")`.

    `step` takes a code for each game. After it `masks` has 1 for each legal code, by game; `players` who is to
    decide; `ended` 1 where a game came to its end: its table has `returns` and `scores`, and is at the first decision of the next.
    """

    def __init__(self, encoding: Encoding, n: int, seed: int = 0) -> None:
        if n < 1:
            raise CarcError(f"at least one game is played, not {n}")
        self.encoding: Final = encoding
        self.n: Final = n
        self.masks: vec[u8] = vec[u8]([0] * (n * encoding.actions))
        self.ended: vec[u8] = vec[u8]([0] * n)
        self.players: vec[i64] = vec[i64]([0] * n)
        self.sampled: vec[i64] = vec[i64]([0] * n)
        self.tables: list[Table] = [Table(encoding.rules, f"{seed} {g}") for g in range(n)]
        self._places: vec[i64] = vec[i64]([0] * n)
        for at, table in enumerate(self.tables):
            table.go_on()
            self._show(table, at)

    def step(self, codes: list[int]) -> None:
        """Perform an action in each game, by its code. Raises `IllegalAction`, with no game changed, if one is not legal."""
        for at, table in enumerate(self.tables):
            self._places[at] = _find(table.codes, codes[at], at)
        for at, table in enumerate(self.tables):
            state = table.state
            state.apply(state.action_at(self._places[at]))
            self.ended[at] = u8(table.go_on())
            self._show(table, at)

    def sample(self, uniforms: list[float]) -> None:
        """Put a legal code for each game into `sampled`: the one at that part, 0 to 1, of its codes."""
        for at, table in enumerate(self.tables):
            codes = table.codes
            code = codes[int(uniforms[at] * table.state.count_actions())]
            self.sampled[at] = code if code >= 0 else codes[0]

    def _show(self, table: Table, at: i64) -> None:
        """Note who is to decide, and the mask."""
        masks = self.masks
        start: i64 = at * self.encoding.actions
        for code in table.codes:
            if code >= 0:
                masks[start + code] = 0
        codes = self.encoding.coded(table.state)
        for code in codes:
            if code >= 0:
                masks[start + code] = 1
        table.codes = codes
        self.players[at] = table.state.current_player


def _find(codes: vec[i64], code: i64, game: i64) -> i64:
    """The place of a code among a game's."""
    if code >= 0:
        for at in range(len(codes)):
            if codes[at] == code:
                return at
    raise IllegalAction(f"game {game}: no legal action has code {code}")
