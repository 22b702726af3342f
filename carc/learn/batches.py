"""The games of a `VectorEnv`: what it asks of them, and those of one process."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from carc.base.game.state import State
from carc.learn.encoding import Encoding
from carc.learn.game_batch import GameBatch
from carc.learn.observation import Observation, observed
from carc.learn.token_arrays import Tokens, view, views
from carc.learn.tokens import TokenWriter


class Batch(Protocol):
    """The games of a `VectorEnv`, played in this process or in several."""

    def reset(self, seed: int) -> None:
        """Start all games anew."""

    def close(self) -> None:
        """End what was started."""

    def step(self, codes: NDArray[np.integer[Any]]) -> None:
        """Perform an action in each game, by its code, or in none: `IllegalAction`."""

    def sample(self, uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return a legal code for each game, chosen by a number from 0 to 1 each."""

    def array(self, name: str) -> NDArray[Any]:
        """Return `masks`, `ended`, `players`, `returns` or `scores`, the games first."""

    def games_played(self) -> int:
        """Return how many games have ended."""

    def state(self, index: int) -> State:
        """Return a copy of the state of a game."""

    def observe(self, out: Observation) -> None:
        """Write planes and numbers of all games."""

    def observe_tokens(self) -> Tokens:
        """Return the tokens of all games."""


class SingleBatch:
    """The games in this process, whose arrays are views of what the core writes."""

    def __init__(self, encoding: Encoding, size: int, seed: int, first: int = 0) -> None:
        """Start the games, which are numbered from `first`."""
        self._encoding, self._size, self._first = encoding, size, first
        self._tokens = TokenWriter(encoding)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start all games anew."""
        self._batch = batch = GameBatch(self._encoding, self._size, seed, self._first)
        used = self._size * self._encoding.num_actions
        self._views: dict[str, NDArray[Any]] = {
            "masks": view(batch.masks, np.uint8)[:used].reshape(self._size, -1),
            "ended": view(batch.ended, np.uint8),
            "players": view(batch.players, np.int64),
            "sampled": view(batch.sampled, np.int64),
        }

    def close(self) -> None:
        """Do nothing: nothing was started."""

    def step(self, codes: NDArray[np.integer[Any]]) -> None:
        """Perform an action in each game, by its code."""
        self.choose(codes)
        self.perform()

    def choose(self, codes: NDArray[np.integer[Any]]) -> None:
        """Say what comes next in each game; raise `IllegalAction` if that is not legal."""
        self._batch.choose(codes.tolist())

    def perform(self) -> None:
        """Perform what was chosen."""
        self._batch.step()

    def sample(self, uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return a legal code for each game, chosen by a number from 0 to 1 each."""
        self._batch.sample(uniforms.tolist())
        return self._views["sampled"].copy()

    def array(self, name: str) -> NDArray[Any]:
        """Return an array by its name."""
        if name == "masks":
            self._batch.write_masks()  # many bytes, at which not everybody looks
        if name in self._views:
            return self._views[name]
        return np.array([getattr(game, name) for game in self._batch.games])

    def games_played(self) -> int:
        """Return how many games have ended."""
        return self._batch.games_played

    def state(self, index: int) -> State:
        """Return a copy of the state of a game."""
        return self._batch.games[index].state.copy()

    def observe(self, out: Observation) -> None:
        """Write planes and numbers of all games."""
        for index, game in enumerate(self._batch.games):
            seen = observed(game.state, game.state.current_player, self._encoding)
            out["board"][index], out["numbers"][index] = seen

    def observe_tokens(self) -> Tokens:
        """Return the tokens of all games."""
        return views(self.write_tokens())

    def write_tokens(self) -> TokenWriter:
        """Write the tokens of all games; return who wrote them."""
        self._batch.write_tokens(self._tokens)
        return self._tokens
