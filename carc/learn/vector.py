"""`Vector`: many games stepped together in the compiled core, as numpy arrays (`docs/learn.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.validation import whole
from carc.errors import CarcError
from carc.learn.games import Games

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise CarcError("carc.learn.vector needs numpy: pip install 'carc[arrays]'") from None

from carc.learn.observation import Observation, check_arrays, encoding, observation

MOST = 1_000_000


class Vector:
    """`n` games of one spec, each always at a player's decision: chance plays by itself, a game that ends begins anew.

    `masks`, (n, actions) uint8: the legal codes. `players`, (n,): who is to decide. After `step`: `ended`, (n,): 1 where a game
    ended by the action, `returns`, (n, players), and `scores`, (n, owners): of the game that ended last. The arrays are written
    over by `step`; copy what you keep. `players` of a spec: 2 unless said. `size`: of the window, see `carc.learn.codes`.
    """

    def __init__(
        self,
        rules: Rules | str = "base",
        n: int = 64,
        *,
        players: int | None = None,
        seed: int = 0,
        size: int = 0,
    ) -> None:
        self.rules = Rules.coerce(rules, players)
        self.encoding = encoding(self.rules, size)
        self.n = whole(n, "the number of games")
        if not 1 <= self.n <= MOST:
            raise CarcError(f"1 to {MOST} games are stepped together, not {n}")
        self.seed = whole(seed, "a seed")
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """All games begin anew, by another seed if one is given, else as they began."""
        if seed is not None:
            self.seed = whole(seed, "a seed")
        self._games = Games(self.encoding, self.n, self.seed)
        self._random = np.random.default_rng(self.seed)

        def seen(held: Any, kind: type) -> NDArray[Any]:
            return np.frombuffer(held, kind)  # what the core writes is seen at once

        self.masks: NDArray[np.uint8] = seen(self._games.masks, np.uint8)[
            : self.n * self.encoding.actions
        ].reshape(self.n, -1)
        self.ended: NDArray[np.uint8] = seen(self._games.ended, np.uint8)
        self.players: NDArray[np.int64] = seen(self._games.players, np.int64)
        self._sampled: NDArray[np.int64] = seen(self._games.sampled, np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a Vector is not copied or pickled: its seed and the codes chosen make its games again"
        )

    @property
    def returns(self) -> NDArray[np.float64]:
        """By game and seat, what the game that ended last came to, -1 to 1; 0 before."""
        return np.array([table.returns for table in self._games.tables])

    @property
    def scores(self) -> NDArray[np.int64]:
        """By game and owner, the scores of the game that ended last."""
        return np.array([table.scores for table in self._games.tables])

    @property
    def played(self) -> int:
        """How many games have ended."""
        return self._games.played

    def state(self, game: int) -> State:
        """A copy of where a game is. Raises `CarcError` for a game there is not."""
        if not 0 <= whole(game, "a game") < self.n:
            raise CarcError(f"there is no game {game}: they are 0 to {self.n - 1}")
        return self._games.tables[game].state.copy()

    def step(self, codes: Sequence[int] | NDArray[np.integer[Any]]) -> None:
        """Perform an action in each game. Raises `IllegalAction`, with nothing changed, if one is not legal, `CarcError` for what are no codes."""
        chosen = np.asarray(codes)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise CarcError(
                f"{self.n} ints are wanted, a code for each game; given are {chosen.dtype} of shape {chosen.shape}"
            )
        self._games.step(chosen.tolist())

    def sample(self) -> NDArray[np.int64]:
        """A random legal code for each game."""
        self._games.sample(self._random.random(self.n).tolist())
        return self._sampled.copy()

    def observe(self, into: Observation | None = None) -> Observation:
        """What the players to decide see, with the games as first axis; written into these arrays if given."""
        of = self.encoding
        board = (self.n, len(of.planes), of.size, of.size)
        numbers = (self.n, len(of.numbers))
        if into is None:
            into = {"board": np.empty(board, np.uint8), "numbers": np.empty(numbers, np.int32)}
        check_arrays(into, board, numbers)
        for game, table in enumerate(self._games.tables):
            state = table.state
            one: Observation = {"board": into["board"][game], "numbers": into["numbers"][game]}
            observation(state, state.current_player, one, of)
        return into
