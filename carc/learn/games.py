"""`Games`: many games of one `Rules` stepped together, for programs that learn: chance plays by itself, a game that ends begins anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from carc.base.game.chance import Lot
from carc.base.game.steps import CHANCE, TERMINAL
from carc.errors import IllegalAction
from carc.learn.codes import RUN_BITS, code_in_runs, place_in_runs
from carc.learn.encoding import Encoding

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class Table:
    """One of the games: where it is, what chance does there, the codes of what may be done, in runs (`carc.learn.codes`)."""

    def __init__(self, rules: Rules, seed: str) -> None:
        self.state: State = rules.start()
        self.lot: Final = Lot(rules)
        self.uniform: Callable[[], float] = random.Random(seed).random
        self.runs: vec[i64] = vec[i64]()
        self.returns: list[float] = [0.0] * rules.players
        self.scores: list[int] = [0] * rules.owners

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
                state = state.rules.start()
                self.state = state
        return ended


class Games:
    """So many games, each at the decision of a player. Chance in game g is a `Lot`, by `random.Random("SEED g")`.

    `step` takes a code for each game. After it `masks` has 1 for each legal code, by game; `players` who is to
    decide; `ended` 1 where a game came to its end: its table has `returns` and `scores`, and is at the first decision of the next.
    """

    def __init__(self, encoding: Encoding, n: int, seed: int = 0) -> None:
        self.encoding: Final = encoding
        self.n: Final = n
        self.played: int = 0  # games finished
        # Words of four codes, a byte each.
        self.masks: vec[i32] = vec[i32]([0] * (n * encoding.actions // 4))
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
            place = place_in_runs(table.runs, codes[at])
            if place < 0:
                raise IllegalAction(f"game {at}: no legal action has code {codes[at]}")
            self._places[at] = place
        for at, table in enumerate(self.tables):
            state = table.state
            state.apply(state.action_at(self._places[at]))
            ended = table.go_on()
            if ended:
                self.played += 1
            self.ended[at] = u8(ended)
            self._show(table, at)

    def sample(self, uniforms: list[float]) -> None:
        """Put a legal code for each game into `sampled`: the one at that part, 0 to 1, of its codes."""
        for at, table in enumerate(self.tables):
            runs = table.runs
            code = code_in_runs(runs, int(uniforms[at] * table.state.count_actions()))
            self.sampled[at] = code if code >= 0 else code_in_runs(runs, 0)

    def _show(self, table: Table, at: i64) -> None:
        """Note who is to decide, and the mask."""
        start: i64 = at * self.encoding.actions
        _flip(table.runs, self.masks, start)
        table.runs = self.encoding.runs(table.state)
        _flip(table.runs, self.masks, start)
        self.players[at] = table.state.current_player


def _flip(runs: vec[i64], masks: vec[i32], start: i64) -> None:
    """Turn 0 and 1 at the codes of runs, a word of four codes at a time: a run of several begins a word."""
    for run in runs:
        if run < 0:
            continue
        if run == 0:
            break
        at = start + (run >> RUN_BITS)
        # The four bits, each to the lowest of a byte; the first byte in memory is the lowest.
        spread = (run & 15) * 0x204081 & 0x1010101
        masks[at >> 2] ^= i32(spread << ((at & 3) << 3))
