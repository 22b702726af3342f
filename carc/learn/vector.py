"""`VectorEnv`: many games stepped together, as numpy arrays (`docs/learn.md`)."""

from collections.abc import Sequence
from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.validation import whole
from carc.errors import CarcError

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise CarcError("carc.learn.vector needs numpy: pip install 'carc[arrays]'") from None

from carc.learn.batches import Batch, SingleBatch
from carc.learn.observation import Observation, check_arrays, encoding_for
from carc.learn.parallel import ParallelBatch
from carc.learn.token_arrays import Tokens

MAX_ENVS = 1_000_000


class VectorEnv:
    """Games of one spec, each always at a player's decision.

    Chance plays by itself, and a game that ends starts again. `step` overwrites the arrays; copy
    what you keep. With several jobs, `close` ends their processes.

    Attributes:
        rules: The rules.
        encoding: The encoding of observations and actions.
        num_envs: How many games there are.
        seed: The seed of all games.
    """

    def __init__(
        self,
        rules: Rules | str = "base",
        num_envs: int = 64,
        *,
        players: int | None = None,
        seed: int = 0,
        size: int = 0,
        jobs: int = 1,
    ) -> None:
        """Start the games.

        Args:
            rules: The rules, or their spec.
            num_envs: How many games to play at a time.
            players: The number of players, if `rules` is a spec; 2 by default.
            seed: The seed of all games.
            size: The width of the window in cells; 0: wide enough for random games.
            jobs: How many processes play. The games are the same, however many there are.

        Raises:
            CarcError: The number of games or jobs or the size of the window is not allowed.
        """
        self.rules = Rules.coerce(rules, players)
        self.encoding = encoding_for(self.rules, size)
        self.num_envs = whole(num_envs, "the number of games")
        if not 1 <= self.num_envs <= MAX_ENVS:
            raise CarcError(f"num_envs is from 1 to {MAX_ENVS}, not {num_envs}")
        self.seed = whole(seed, "a seed")
        jobs = min(whole(jobs, "the number of jobs"), self.num_envs)
        if jobs < 1:
            raise CarcError(f"jobs is at least 1, not {jobs}")
        self._random = np.random.default_rng(self.seed)
        self._batch: Batch = (
            SingleBatch(self.encoding, self.num_envs, self.seed)
            if jobs == 1
            else ParallelBatch(self.encoding, self.num_envs, self.seed, jobs)
        )

    def reset(self, seed: int | None = None) -> None:
        """Start all games anew, with another seed if one is given."""
        if seed is not None:
            self.seed = whole(seed, "a seed")
        self._random = np.random.default_rng(self.seed)
        self._batch.reset(self.seed)

    def close(self) -> None:
        """End the processes, if there are any."""
        self._batch.close()

    @property
    def action_masks(self) -> NDArray[np.uint8]:
        """The legal codes, uint8 of shape (num_envs, actions)."""
        return self._batch.array("masks")

    @property
    def ended(self) -> NDArray[np.uint8]:
        """1 where the last step ended a game, uint8 of shape (num_envs,)."""
        return self._batch.array("ended")

    @property
    def players(self) -> NDArray[np.int64]:
        """The player to decide, int64 of shape (num_envs,)."""
        return self._batch.array("players")

    def __reduce__(self) -> tuple[Any, ...]:
        """Refuse to be pickled or copied."""
        raise TypeError(
            "a VectorEnv cannot be copied or pickled; make another with the same seed and repeat"
            " the same actions"
        )

    @property
    def returns(self) -> NDArray[np.float64]:
        """The returns of the game that ended last, -1 to 1, of shape (num_envs, players)."""
        return self._batch.array("returns")

    @property
    def scores(self) -> NDArray[np.int64]:
        """The scores of the game that ended last, of shape (num_envs, owners)."""
        return self._batch.array("scores")

    @property
    def games_played(self) -> int:
        """How many games have ended."""
        return self._batch.games_played()

    def state(self, index: int) -> State:
        """Return a copy of the state of a game.

        Raises:
            CarcError: There is no such game.
        """
        if not 0 <= whole(index, "a game") < self.num_envs:
            raise CarcError(f"there is no game {index}; games are 0 to {self.num_envs - 1}")
        return self._batch.state(index)

    def step(self, codes: Sequence[int] | NDArray[np.integer[Any]]) -> None:
        """Perform an action in each game.

        Args:
            codes: The code of an action for each game.

        Raises:
            IllegalAction: An action is not legal. No game has changed.
            CarcError: These are not as many ints as there are games.
        """
        actions = np.asarray(codes)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise CarcError(
                f"step takes {self.num_envs} ints, a code for each game, not {actions.dtype} of "
                f"shape {actions.shape}"
            )
        self._batch.step(actions)

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a random legal code for each game."""
        return self._batch.sample(self._random.random(self.num_envs))

    def observe(self, out: Observation | None = None) -> Observation:
        """Return what the players to decide see, with the games as first axis.

        Args:
            out: Arrays to write into.

        Raises:
            CarcError: The arrays have another shape or type.
        """
        encoding = self.encoding
        board = (self.num_envs, len(encoding.plane_names), encoding.size, encoding.size)
        numbers = (self.num_envs, len(encoding.number_names))
        if out is None:
            out = {"board": np.empty(board, np.uint8), "numbers": np.empty(numbers, np.int32)}
        check_arrays(out, board, numbers)
        self._batch.observe(out)
        return out

    def observe_tokens(self) -> Tokens:
        """Return what the players to decide see and may do, as rows.

        The next call overwrites the arrays; copy what you keep.
        """
        return self._batch.observe_tokens()
