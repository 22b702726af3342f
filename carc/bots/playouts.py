"""What may be done in a turn, and playouts of it that go on as one look sees best. What `mcts` chooses by. Compiled (`build_tools`).

Values are each player's chance to win, 0 to 1, so that any number of players is served alike. Everything is asked of a `State` as
a stranger's bot asks it; no expansion is known.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.cells import beyond
from carc.base.game.actions import Place
from carc.base.game.playout import random_action
from carc.base.game.steps import CHANCE, TERMINAL
from carc.bots.judge import Judge, evenly, options, outcome_at

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.state import State


class Line:
    """What a player may do in the rest of a turn, the position after it, and what its playouts came to."""

    def __init__(self, actions: list[Action], after: State, promised: float, trust: float) -> None:
        self.actions: Final = actions
        self.after: Final = after
        self.promised: Final = promised
        self.trust: Final = trust
        self.total: float = 0.0
        self.visits: int = 0

    def worth(self) -> float:
        """The mean of its playouts, among which what it promises counts as so many as it is trusted.

        Of two lines that were tried as often the better has more; else luck decides.
        """
        return (self.total + self.trust * self.promised) / (self.visits + self.trust)


class Playouts:
    """Weighs the lines of one decision after another.

    `width`: so many actions are looked into further at each choice of a turn, the most promising; `lines`: so many lines are
    kept. `turns`: a playout goes on so many turns after the one at hand and is worth what the position then promises. `narrow`: of
    each kind of tile it looks at so many placements, those that promised most when it came first, and at those beside tiles laid
    since. `trust`: what a line promises counts as so many of its playouts. The n-th playout of every line meets the same luck.
    Seeded: what it finds is the same each time.
    """

    def __init__(
        self, judge: Judge, *, width: int, lines: int, turns: int, narrow: int, trust: float
    ) -> None:
        self.judge: Final = judge
        self.width: Final = width
        self.lines: Final = lines
        self.turns: Final = turns
        self.narrow: Final = narrow
        self.trust: Final = trust
        self._rng: Final = random.Random(0)
        self._seed: int = 0
        self._first: float = 0.0  # where the luck of the first playout begins
        self._player: int = 0
        self._tiles: int = 0
        # By kind of tile and player the cells and rotations that promised most where it was looked for first.
        self._promising: dict[int, vec[i64]] = {}

    def begin(self, state: State, seed: int) -> list[Line]:
        """What the player may do in the turn, best first by one look."""
        self._player = state.current_player
        self._tiles = state.board.tile_count
        self._promising = {}
        self.begin_anew(seed)
        return self._lines(state)

    def begin_anew(self, seed: int) -> None:
        """Other luck from here on."""
        self._seed = seed
        self._rng.seed(seed)
        self._first = self._rng.random()

    def try_out(self, line: Line) -> None:
        """One more playout of a line."""
        self._rng.seed(self._seed + line.visits)
        luck = evenly(self._first, line.visits)
        line.total += self._played(line.after.copy(), luck)[self._player]
        line.visits += 1

    # -- lines ------------------------------------------------------------------------------------

    def _lines(self, state: State) -> list[Line]:
        player = self._player
        found: list[Line] = []
        offered = options(self.judge, state)
        offered.sort(key=lambda option: -option.values[player])
        for option in offered[: self.width]:
            after = state.copy()
            after.apply(option.action)
            if after.current_player == player and after.step.name != "place":
                for line in self._lines(after):
                    found.append(
                        Line([option.action, *line.actions], line.after, line.promised, self.trust)
                    )
            else:
                found.append(Line([option.action], after, option.values[player], self.trust))
        found.sort(key=lambda line: -line.promised)
        return found[: self.lines]

    # -- playouts ---------------------------------------------------------------------------------

    def _played(self, state: State, luck: float) -> list[float]:
        """Each player's value some turns later; changes the state given. `luck`: which of chance's outcomes comes first, 0 to 1."""
        left = self.turns
        while state.current_player != TERMINAL:
            if state.current_player == CHANCE:
                if state.step.name == "draw":
                    if left == 0:
                        break
                    left -= 1
                if luck >= 0.0:
                    state.apply(outcome_at(state, luck))
                    luck = -1.0
                else:
                    state.apply(random_action(state, self._rng))
            elif state.count_actions() == 1:
                state.apply(state.action_at(0))
            else:
                last = left == 0 and state.step.name == "place"
                state, values = self._replied(state)
                if last:
                    return values
        return self.judge.values(state)

    def _replied(self, state: State) -> tuple[State, list[float]]:
        """The position after what promises most to who decides, with the claim that belongs to it, and what it promises each."""
        judge = self.judge
        player = state.current_player
        actions = judge.distinct(state, state.legal_actions())
        key = -1
        if state.step.name == "place":
            key = state.tile_in_hand * judge.rules.players + player
            if key in self._promising:
                actions = self._few(state, actions, self._promising[key])
                key = -1
        best = state
        claim: Action | None = None
        top: list[float] = []
        promised: list[tuple[float, int]] = []
        for action in actions:
            after = state.copy()
            after.apply(action)
            chosen: Action | None = None
            if judge.may_claim(after, player):
                chosen, values = judge.claim(after, player)
            else:
                values = judge.promise(after, player)
            if key >= 0 and isinstance(action, Place):
                promised.append((values[player], action.cell * 4 + action.rotation))
            if not top or values[player] > top[player]:
                best, claim, top = after, chosen, values
        if claim is not None:
            best.apply(claim)
        if key >= 0:
            promised.sort(reverse=True)
            self._promising[key] = vec[i64]([where for _, where in promised[: self.narrow]])
        return best, top

    def _few(self, state: State, actions: list[Action], promising: vec[i64]) -> list[Action]:
        """Of these placements those that were promising and those beside tiles laid since; if there are none, all."""
        beside = vec[i64]()
        for tile in range(self._tiles, state.board.tile_count):
            for side in range(4):
                beside = append(beside, beyond(state.board.cell_of(tile), side))
        few: list[Action] = []
        for action in actions:
            if isinstance(action, Place):
                cell: i64 = action.cell
                where = cell * 4 + i64(action.rotation)
                if any(here == where for here in promising) or any(here == cell for here in beside):
                    few.append(action)
        return few or actions
