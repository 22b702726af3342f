"""`GameBatch`: many games of one `Rules` stepped together, compiled (`carc.learn.vector`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from carc.base.board.rows import BoardRows
from carc.base.game.chance import Lot
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.errors import IllegalAction
from carc.learn.action_codes import RUN_BITS, code_in_runs, index_in_runs
from carc.learn.encoding import Encoding
from carc.learn.tokens import TokenWriter

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class RunningGame:
    """One game of a batch.

    Attributes:
        state: Its state, always at a player's decision.
        lot: What decides for chance, by `uniform`.
        uniform: Returns a random number from 0 to 1.
        runs: The legal codes (`carc.learn.action_codes`).
        masked: Those in the mask.
        rows: What lies on the board, as rows.
        returns: The returns of the game that ended last, by player.
        scores: Its scores, by owner.
    """

    def __init__(self, rules: Rules, seed: str) -> None:
        """Start a game, whose chance follows a seed."""
        self.state: State = rules.start()
        self.lot: Final = Lot(rules)
        self.uniform: Callable[[], float] = random.Random(seed).random
        self.runs: vec[i64] = vec[i64]()
        self.masked: vec[i64] = vec[i64]()
        self.rows: Final = BoardRows(rules.components)
        self.returns: list[float] = [0.0] * rules.players
        self.scores: list[int] = [0] * rules.owners

    def advance(self) -> bool:
        """Let chance play up to the next decision of a player; return True if a game ended.

        A new game begins after the last.
        """
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


class GameBatch:
    """Games that are stepped together, each at a player's decision.

    Chance in game g follows `random.Random("SEED g")`.

    Attributes:
        encoding: The encoding.
        size: How many games there are.
        first: The number of the first.
        games: The games.
        games_played: How many games have ended.
        masks: 1 at each legal code, one byte a code, by game, once `write_masks` was called.
        ended: 1 where the last step ended a game, by game.
        players: The player to decide, by game.
        sampled: What `sample` chose, by game.
    """

    def __init__(self, encoding: Encoding, size: int, seed: int = 0, first: int = 0) -> None:
        """Start `size` games, which are numbered from `first`."""
        self.encoding: Final = encoding
        self.size: Final = size
        self.first: Final = first
        self.games_played: int = 0
        # Words of four codes, a byte each.
        self.masks: vec[i32] = vec[i32]([0] * (size * encoding.num_actions // 4))
        self.ended: vec[u8] = vec[u8]([0] * size)
        self.players: vec[i64] = vec[i64]([0] * size)
        self.sampled: vec[i64] = vec[i64]([0] * size)
        self.games: list[RunningGame] = [
            RunningGame(encoding.rules, f"{seed} {first + g}") for g in range(size)
        ]
        self._indices: vec[i64] = vec[i64]([0] * size)
        for at, game in enumerate(self.games):
            game.advance()
            self._update(game, at)

    def choose(self, codes: list[int]) -> None:
        """Say which action comes next in each game, by its code, or raise `IllegalAction`."""
        for at, game in enumerate(self.games):
            index = index_in_runs(game.runs, codes[at])
            if index < 0:
                number = self.first + at
                raise IllegalAction(f"game {number}: no legal action has code {codes[at]}")
            self._indices[at] = index

    def step(self) -> None:
        """Perform the actions that `choose` was told."""
        for at, game in enumerate(self.games):
            state = game.state
            state.apply(state.action_at(self._indices[at]))
            ended = game.advance()
            if ended:
                self.games_played += 1
            self.ended[at] = u8(ended)
            self._update(game, at)

    def sample(self, uniforms: list[float]) -> None:
        """Choose a legal code for each game, by a number from 0 to 1 each, into `sampled`."""
        for at, game in enumerate(self.games):
            runs = game.runs
            code = code_in_runs(runs, int(uniforms[at] * game.state.count_actions()))
            self.sampled[at] = code if code >= 0 else code_in_runs(runs, 0)

    def write_tokens(self, writer: TokenWriter) -> None:
        """Write what the players to decide see, one game after another."""
        writer.clear()
        for game in self.games:
            writer.write(game.state, game.state.current_player, game.runs, game.rows)

    def write_masks(self) -> None:
        """Write the masks: the codes there are cleared, those legal now set."""
        for at, game in enumerate(self.games):
            start: i64 = at * self.encoding.num_actions
            _flip(game.masked, self.masks, start)
            _flip(game.runs, self.masks, start)
            game.masked = game.runs

    def _update(self, game: RunningGame, at: i64) -> None:
        """Note the player to decide and the legal codes."""
        game.runs = self.encoding.runs(game.state)
        self.players[at] = game.state.current_player


def _flip(runs: vec[i64], masks: vec[i32], start: i64) -> None:
    """Turn 0 to 1 and 1 to 0 at the codes of runs, four codes at a time.

    A run of several codes begins at a multiple of four, so it lies in one word.
    """
    for run in runs:
        if run < 0:
            continue
        if run == 0:
            break
        at = start + (run >> RUN_BITS)
        # Spread the four bits, each to the lowest bit of a byte; the first byte is the lowest.
        spread = (run & 15) * 0x204081 & 0x1010101
        masks[at >> 2] ^= i32(spread << ((at & 3) << 3))
